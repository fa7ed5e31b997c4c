import type { RouterContextProvider } from 'react-router'
import { findView, type OperatorView } from '../../features/operators/view-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readCookie } from '../../shared/cookies.ts'
import { findSession } from '../require-session.server.ts'
import { findOperatorWith } from './operator.server.ts'

/** Holds the id of the view that an operator's browser has open. It gives nothing without the operator's session. */
const VIEW_COOKIE = 'see_as'

const cookieName = (publicUrl: URL) =>
  publicUrl.protocol === 'https:' ? `__Host-${VIEW_COOKIE}` : VIEW_COOKIE

/** The Set-Cookie value for a view. @param id null to forget it */
export function viewCookie(id: string | null, publicUrl: URL): string {
  const secure = publicUrl.protocol === 'https:' ? '; Secure' : ''
  const value = id === null ? '=; Max-Age=0' : `=${id}`
  return `${cookieName(publicUrl)}${value}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** The id of the view that a browser says it has open, or null. */
export function readViewCookie(request: Request, publicUrl: URL): string | null {
  return readCookie(request.headers.get('cookie'), cookieName(publicUrl))
}

/** Finds the view of a request with a cookie; null once it has ended, or its operator may see nobody any more. */
export async function readView(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  id: string,
): Promise<OperatorView | null> {
  const operator = await findOperatorWith('see-as', { request, context })
  const session = operator && (await findSession({ request, context }))
  if (!operator || !session) return null
  const { db, now, realNow, config } = context.get(servicesContext)
  const deps = { db, now, realNow, adminEmails: config.operatorEmails }
  return findView(deps, { id, sessionId: session.id, operator })
}
