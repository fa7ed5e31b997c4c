import { href, useLocation, useMatches } from 'react-router'
import { useSignedInOnly } from '../../features/accounts/browser/use-signed-in-only.ts'
import { BookingsFailure } from '../../features/bookings/list/components/bookings-failure.tsx'
import { MY_DASHBOARD, YOUR_BOOKINGS } from '../../features/bookings/messages.ts'
import { LOADING_BOOKINGS, LOADING_TEXT } from '../../shared/loading-texts.ts'
import { DashboardLayout } from '../../shell/dashboard-layout.tsx'
import { isDashboardScreen, isSameSplit } from '../../shell/private-screens.ts'
import { ScreenOutlet } from '../../shell/screen-outlet.tsx'
import { useArriving } from '../../ui/connection.ts'
import { keepLiveData } from '../../ui/live-data.ts'
import { ScreenFailure } from '../../ui/load-failure.tsx'
import { emailKnown, notStored, unlisted } from '../contract.server.ts'
import { isRefusal } from '../is-refusal.ts'
import { useViewOf } from '../use-view-of.ts'
import type { Route } from './+types/layout'
import '../../styles/whole.css'

/** The dashboard only requires signing in (Decision 15); signed-in.tsx enforces it. */
export const middleware: Route.MiddlewareFunction[] = [unlisted, notStored, emailKnown]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepLiveData]

/** The layout of the screens that redirect to /login. */
const GUARD = 'routes/dashboard/signed-in'

export default function Layout() {
  const isGuarded = useMatches().some(({ id }) => id === GUARD)
  const isShown = useSignedInOnly(isGuarded)
  const isReadOnly = useViewOf() !== undefined
  const { pathname } = useLocation()
  const next = useArriving()?.location.pathname ?? pathname
  return (
    <DashboardLayout>
      <ScreenOutlet
        isShown={isShown}
        isReadOnly={isReadOnly}
        isOnTheWay={next !== pathname && isDashboardScreen(next) && !isSameSplit(pathname, next)}
        loadingText={next === href('/dashboard/bookings') ? LOADING_BOOKINGS : LOADING_TEXT}
      />
    </DashboardLayout>
  )
}

/** Keeps the menu when a screen, or every loader of the page, fails. Refusals have their messages in the site's boundary. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { pathname } = useLocation()
  if (isRefusal(error)) throw error
  return (
    <DashboardLayout>
      {pathname === href('/dashboard/bookings') ? (
        <BookingsFailure heading={YOUR_BOOKINGS} />
      ) : (
        <ScreenFailure heading={MY_DASHBOARD} />
      )}
    </DashboardLayout>
  )
}
