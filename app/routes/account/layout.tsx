import { Outlet, useLocation } from 'react-router'
import { useAuth, useSignedInOnly } from '../../features/accounts/components/auth-context.tsx'
import { LOADING_TEXT } from '../../shared/loading-texts.ts'
import { AccountLayout } from '../../shell/account-layout.tsx'
import { useArriving } from '../../ui/connection.ts'
import { keepLiveData } from '../../ui/live-data.ts'
import { LiveDataNote } from '../../ui/live-data-note.tsx'
import { ScreenFailure } from '../../ui/load-failure.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { isRefusal } from '../is-refusal.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/layout'
import '../../styles/whole.css'

export const meta: Route.MetaFunction = () => [{ name: 'robots', content: 'noindex' }]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepLiveData]

/** Nobody signed in: to /login, and back here afterwards. Each screen's own loader checks again. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  try {
    await requireSession({ request, url, context })
  } catch (error) {
    // The session could not be read. The screen's own loader fails too, and shows that inside this frame.
    if (!(error instanceof Error)) throw error
  }
  return null
}

const ACCOUNT_SCREENS =
  /^\/(my-profile|my-bookings|notifications|settings-privacy|confirm-\w+|userdashboard)(\/|$)/

export default function Layout() {
  const { unreadCount } = useAuth()
  const isShown = useSignedInOnly()
  const { pathname } = useLocation()
  const arriving = useArriving()
  const to = arriving?.location.pathname ?? pathname
  // A form's answer comes back to the same screen: that one stays while it is on its way.
  const isOnTheWay = to !== pathname && !arriving?.formMethod && ACCOUNT_SCREENS.test(to)
  return (
    <AccountLayout unreadCount={unreadCount}>
      {isOnTheWay || !isShown ? <LoadingText>{LOADING_TEXT}</LoadingText> : null}
      {/* Out of sight, not gone: if the next screen can't be loaded, this one comes back with what was typed. */}
      {isShown ? (
        <div className={isOnTheWay ? 'hidden' : 'contents'}>
          <Outlet />
        </div>
      ) : null}
      <LiveDataNote />
    </AccountLayout>
  )
}

/** Keeps the menu when a screen, or all that this page loads, fails. Refusals have their words in the site's boundary. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRefusal(error)) throw error
  return (
    <AccountLayout>
      <ScreenFailure heading="Your account" />
    </AccountLayout>
  )
}
