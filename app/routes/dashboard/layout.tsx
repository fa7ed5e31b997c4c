import { Outlet, useLocation, useNavigation } from 'react-router'
import { useSignedInOnly } from '../../features/accounts/components/auth-context.tsx'
import { LOADING_BOOKINGS, LOADING_TEXT } from '../../shared/loading-texts.ts'
import { DashboardLayout } from '../../shell/dashboard-layout.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/layout'
import '../../styles/whole.css'

export const meta: Route.MetaFunction = () => [{ name: 'robots', content: 'noindex' }]

const LISTINGS_PATH = '/dashboard/list-business'

/** The guard asks for sign-in only (Decision 15). Each screen's own loader and action checks again. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  // My Listings says itself that nobody is logged in (Decision 15).
  if (!url.pathname.startsWith(LISTINGS_PATH)) await requireSession({ request, url, context })
  return null
}

export default function Layout() {
  useSignedInOnly({ except: LISTINGS_PATH })
  const { pathname } = useLocation()
  const navigation = useNavigation()
  const next = navigation.state === 'loading' ? navigation.location.pathname : pathname
  const loadingText = next === '/dashboard/bookings' ? LOADING_BOOKINGS : LOADING_TEXT
  return (
    <DashboardLayout>
      {next !== pathname && next.startsWith('/dashboard') ? (
        <LoadingText>{loadingText}</LoadingText>
      ) : (
        <Outlet />
      )}
    </DashboardLayout>
  )
}
