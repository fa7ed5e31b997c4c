import { Outlet, useLocation } from 'react-router'
import { useSignedInOnly } from '../../features/accounts/components/auth-context.tsx'
import { BookingsFailure } from '../../features/bookings/components/bookings-failure.tsx'
import { YOUR_BOOKINGS } from '../../features/bookings/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { LOADING_BOOKINGS, LOADING_TEXT } from '../../shared/loading-texts.ts'
import { DashboardLayout } from '../../shell/dashboard-layout.tsx'
import { useArriving } from '../../ui/connection.ts'
import { keepLiveData } from '../../ui/live-data.ts'
import { LiveDataNote } from '../../ui/live-data-note.tsx'
import { ScreenFailure } from '../../ui/load-failure.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { isRefusal } from '../is-refusal.ts'
import { requireEmail, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/layout'
import '../../styles/whole.css'

export const meta: Route.MetaFunction = () => [{ name: 'robots', content: 'noindex' }]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepLiveData]

const LISTINGS_PATH = '/dashboard/list-business'
const BOOKINGS_PATH = '/dashboard/bookings'

/** The guard asks for sign-in only (Decision 15). Each screen's own loader and action checks again. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  try {
    if (!url.pathname.startsWith(LISTINGS_PATH)) await requireSession({ request, url, context })
    else {
      // My Listings says itself that nobody is logged in (Decision 15).
      const session = await context.get(servicesContext).accounts.findSession(request)
      if (session) requireEmail(session, url)
    }
  } catch (error) {
    // The session could not be read. The screen's own loader fails too, and shows that inside this frame.
    if (!(error instanceof Error)) throw error
  }
  return null
}

export default function Layout() {
  const isShown = useSignedInOnly({ except: LISTINGS_PATH })
  const { pathname } = useLocation()
  const next = useArriving()?.location.pathname ?? pathname
  const isOnTheWay = next !== pathname && next.startsWith('/dashboard')
  const loadingText = next === BOOKINGS_PATH ? LOADING_BOOKINGS : LOADING_TEXT
  return (
    <DashboardLayout>
      {isOnTheWay || !isShown ? <LoadingText>{loadingText}</LoadingText> : null}
      {/* Out of sight, not gone: if the next screen can't be loaded, this one comes back with what was typed. */}
      {isShown ? (
        <div className={isOnTheWay ? 'hidden' : 'contents'}>
          <Outlet />
        </div>
      ) : null}
      <LiveDataNote />
    </DashboardLayout>
  )
}

/** Keeps the menu when a screen, or all that this page loads, fails. Refusals have their words in the site's boundary. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { pathname } = useLocation()
  if (isRefusal(error)) throw error
  return (
    <DashboardLayout>
      {pathname === BOOKINGS_PATH ? (
        <BookingsFailure heading={YOUR_BOOKINGS} />
      ) : (
        <ScreenFailure heading="My Dashboard" />
      )}
    </DashboardLayout>
  )
}
