import { useLocation } from 'react-router'
import { useSignedInOnly } from '../../features/accounts/browser/use-signed-in-only.ts'
import { useAuth } from '../../features/accounts/components/auth-context.tsx'
import { LOADING_TEXT } from '../../shared/loading-texts.ts'
import { AccountLayout } from '../../shell/account-layout.tsx'
import { isAccountScreen, isSameSplit } from '../../shell/private-screens.ts'
import { ScreenOutlet } from '../../shell/screen-outlet.tsx'
import { useArriving } from '../../ui/connection.ts'
import { keepLiveData } from '../../ui/live-data.ts'
import { ScreenFailure } from '../../ui/load-failure.tsx'
import { notStored, signedIn, unlisted } from '../contract.server.ts'
import { isRefusal } from '../is-refusal.ts'
import { useViewOf } from '../use-view-of.ts'
import type { Route } from './+types/layout'
import '../../styles/whole.css'

export const middleware: Route.MiddlewareFunction[] = [unlisted, notStored, signedIn]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepLiveData]

export default function Layout() {
  const { unreadCount, unreadMessages } = useAuth()
  const isShown = useSignedInOnly()
  const isReadOnly = useViewOf() !== undefined
  const { pathname } = useLocation()
  const arriving = useArriving()
  const to = arriving?.location.pathname ?? pathname
  // A form's response returns to the same screen, which therefore stays during the request.
  const isOnTheWay =
    to !== pathname && !arriving?.formMethod && isAccountScreen(to) && !isSameSplit(pathname, to)
  return (
    <AccountLayout unreadCount={unreadCount} unreadMessages={unreadMessages?.customer ?? 0}>
      <ScreenOutlet
        isShown={isShown}
        isOnTheWay={isOnTheWay}
        isReadOnly={isReadOnly}
        loadingText={LOADING_TEXT}
      />
    </AccountLayout>
  )
}

/** Keeps the menu when a screen, or every loader of the page, fails. Refusals have their messages in the site's boundary. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (isRefusal(error)) throw error
  return (
    <AccountLayout>
      <ScreenFailure heading="Your account" />
    </AccountLayout>
  )
}
