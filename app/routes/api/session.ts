import { data } from 'react-router'
import { countVendorTasks } from '../../features/desk/queries.server.ts'
import { countUnread } from '../../features/enquiries/queries.server.ts'
import { countUnreadNotifications } from '../../features/notifications/queries.server.ts'
import { findRole } from '../../features/operators/people-queries.server.ts'
import { findAvatar } from '../../features/registrations/queries.server.ts'
import { operatorViewContext, servicesContext } from '../../request-context.server.ts'
import { readCookie, readOwnCookie, SIGNED_IN_COOKIE, signedInCookies } from '../../shared/cookies.ts'
import { participantOf } from '../conversation-forms.server.ts'
import { payoutProviderOf } from '../dashboard/payouts-on.server.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/session'

/**
 * The signed-in user, for the browser: public pages contain nothing about the visitor. For an ended session, returns
 * why it ended.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { accounts, hostedAccounts, db, config, log, now } = context.get(servicesContext)
  const headers = new Headers({ 'cache-control': 'no-store' })
  const view = context.get(operatorViewContext)
  const session = await findSession({ request, context })
  if (view && session) {
    const user = { ...session.user, avatarUrl: null, isOperator: false, viewOf: view.name }
    return data({ user, unreadCount: 0, ended: null, canRenew: false }, { headers })
  }
  if (!session) {
    // Keep the cookies: the browser renews the session with the hosted service's token, and asks again.
    if (await hostedAccounts?.canRenewSession(request))
      return data({ user: null, unreadCount: 0, ended: null, canRenew: true }, { headers })
    // Removes no cookie: a new password gives the browser a new session, which may arrive before this answer to the old one.
    const ended = await accounts.findSessionEnd(request)
    return data({ user: null, unreadCount: 0, ended, canRenew: false }, { headers })
  }
  const { user } = session
  const [unreadCount, unreadMessages, waiting, logoUrl, renewed, role] = await Promise.all([
    countUnreadNotifications(db, user.uid),
    countUnread(db, participantOf(session)),
    // The count is a detail of the menu: without it, the header still says who is signed in.
    countVendorTasks(db, { userId: user.uid, provider: payoutProviderOf(config), now: now() }).catch(
      (error: unknown) => void log.error({ err: error }, 'counting what waits'),
    ),
    findAvatar(db, user),
    accounts.renewCookies(request),
    findRole(db, user, config.operatorEmails),
  ])
  if (renewed.length > 0) {
    for (const cookie of renewed) headers.append('set-cookie', cookie)
  }
  if (renewed.length > 0 || isHintToMove(request, config.publicUrl))
    // The same hint again: a new one would look like another sign-in to the other tabs.
    for (const cookie of signedInCookies(hintOf(request), config.publicUrl))
      headers.append('set-cookie', cookie)
  // The registration's logo takes precedence (Specification, section 2).
  const avatarUrl = logoUrl ?? user.photoUrl
  return data(
    {
      user: { ...user, avatarUrl, isOperator: role !== null },
      unreadCount,
      unreadMessages,
      waiting,
      ended: null,
      canRenew: false,
    },
    { headers },
  )
}

function hintOf(request: Request): string {
  return readOwnCookie(request.headers.get('cookie'), SIGNED_IN_COOKIE) ?? 'renewed'
}

/** Whether the browser has the hint of https under its name from before November 2026. */
function isHintToMove(request: Request, publicUrl: URL): boolean {
  return (
    publicUrl.protocol === 'https:' && readCookie(request.headers.get('cookie'), SIGNED_IN_COOKIE) !== null
  )
}
