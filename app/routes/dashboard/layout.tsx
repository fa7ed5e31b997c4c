import { href, type ShouldRevalidateFunction, useLocation, useMatches } from 'react-router'
import { useSignedInOnly } from '../../features/accounts/browser/use-signed-in-only.ts'
import { BookingsFailure } from '../../features/bookings/list/components/bookings-failure.tsx'
import { MY_DASHBOARD, YOUR_BOOKINGS } from '../../features/bookings/messages.ts'
import { PausedBanner } from '../../features/payouts/components/paused-banner.tsx'
import { findPausedPayouts } from '../../features/payouts/setup-queries.server.ts'
import { hasDocuments } from '../../features/tax/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { LOADING_BOOKINGS, LOADING_TEXT } from '../../shared/loading-texts.ts'
import { DashboardLayout } from '../../shell/dashboard-layout.tsx'
import { isDashboardScreen, isSameSplit } from '../../shell/private-screens.ts'
import { ScreenOutlet } from '../../shell/screen-outlet.tsx'
import { useArriving } from '../../ui/connection.ts'
import { keepLiveData } from '../../ui/live-data.ts'
import { ScreenFailure } from '../../ui/load-failure.tsx'
import { emailKnown, notStored, unlisted } from '../contract.server.ts'
import { isRefusal } from '../is-refusal.ts'
import { findSession } from '../require-session.server.ts'
import { useViewOf } from '../use-view-of.ts'
import type { Route } from './+types/layout'
import '../../styles/whole.css'

/** The dashboard only requires signing in (Decision 15); signed-in.tsx enforces it. */
export const middleware: Route.MiddlewareFunction[] = [unlisted, notStored, emailKnown]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepLiveData]

/**
 * Finds whether the signed-in vendor's payouts are paused, and without payouts whether they have tax documents. Never fails: a screen
 * that can't load says so itself.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, config, now, log } = context.get(servicesContext)
  const { provider } = config.payouts
  try {
    const session = await findSession({ request, context })
    if (!session) return { paused: null, hasTax: false }
    const userId = session.user.uid
    if (provider === 'off') return { paused: null, hasTax: await hasDocuments(db, userId) }
    return { paused: await findPausedPayouts(db, { userId, provider, now: now() }), hasTax: false }
  } catch (error) {
    log.warn({ err: error }, 'paused payouts not read')
    return { paused: null, hasTax: false }
  }
}

/** Asks again on the way to another screen, too. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}) => defaultShouldRevalidate || currentUrl.pathname !== nextUrl.pathname

/** The layout of the screens that redirect to /login. */
const GUARD = 'routes/dashboard/signed-in'

export default function Layout({ loaderData }: Route.ComponentProps) {
  const isGuarded = useMatches().some(({ id }) => id === GUARD)
  const isShown = useSignedInOnly(isGuarded)
  const isReadOnly = useViewOf() !== undefined
  const { pathname } = useLocation()
  const next = useArriving()?.location.pathname ?? pathname
  return (
    <DashboardLayout hasTax={loaderData.hasTax}>
      <PausedBanner paused={loaderData.paused} />
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
