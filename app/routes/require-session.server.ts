import { href, type RouterContextProvider, redirect } from 'react-router'
import type { AccountSession } from '../adapters/accounts/port.ts'
import { withNext } from '../features/accounts/rules.ts'
import { servicesContext, sessionContext } from '../request-context.server.ts'

type Asked = { request: Request; url: URL; context: Readonly<RouterContextProvider> }

/**
 * The session of this request, or null. Middleware, loaders and actions share one lookup. Loaders that run after an
 * action look again, because the action may have changed the account; React Router hands them a request of their own.
 */
export function findSession({ request, context }: Omit<Asked, 'url'>): Promise<AccountSession | null> {
  const known = context.get(sessionContext)
  if (known?.request === request) return known.session
  const session = context.get(servicesContext).accounts.findSession(request)
  context.set(sessionContext, { request, session })
  return session
}

/**
 * The session of this request.
 * @param next where signing in leads to: the requested address, unless that is no screen
 * @throws a redirect to /login, and from there back, when nobody is signed in; to /new-email, when the account has lost
 *   its address. A form that was sent is processed first, so that nothing typed is lost.
 */
export async function requireSession(asked: Asked, next?: string): Promise<AccountSession> {
  const session = await findSession(asked)
  if (!session) throw redirect(signInPath(asked.url, next))
  if (asked.request.method === 'GET') requireEmail(session, asked.url, next)
  return session
}

/** @throws a redirect to the screen that asks for another address, when the account has lost its own */
export function requireEmail(
  { user }: AccountSession,
  url: URL,
  next: string = url.pathname + url.search,
): void {
  if (user.needsEmail) throw redirect(withNext(href('/new-email'), next))
}

/** The sign-in screen that leads back to this address. */
export function signInPath(url: URL, next = url.pathname + url.search): string {
  return withNext(href('/login'), next)
}
