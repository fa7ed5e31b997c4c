import { Outlet, useLocation, useNavigation } from 'react-router'
import { useAuth, useSignedInOnly } from '../../features/accounts/components/auth-context.tsx'
import { LOADING_TEXT } from '../../shared/loading-texts.ts'
import { AccountLayout } from '../../shell/account-layout.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/layout'
import '../../styles/whole.css'

export const meta: Route.MetaFunction = () => [{ name: 'robots', content: 'noindex' }]

/** Nobody signed in: to /login, and back here afterwards. Each screen's own loader checks again. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  await requireSession({ request, url, context })
  return null
}

const ACCOUNT_SCREENS =
  /^\/(my-profile|my-bookings|notifications|settings-privacy|confirm-\w+|userdashboard)(\/|$)/

export default function Layout() {
  const { unreadCount } = useAuth()
  useSignedInOnly()
  const { pathname } = useLocation()
  const navigation = useNavigation()
  const to = navigation.state === 'loading' ? navigation.location.pathname : pathname
  // A form's answer comes back to the same screen: that one stays while it is on its way.
  const isOnTheWay = to !== pathname && !navigation.formMethod && ACCOUNT_SCREENS.test(to)
  return (
    <AccountLayout unreadCount={unreadCount}>
      {isOnTheWay ? <LoadingText>{LOADING_TEXT}</LoadingText> : <Outlet />}
    </AccountLayout>
  )
}
