import { type RouterContextProvider, redirect } from 'react-router'
import type { AccountSession } from '../adapters/accounts/port.ts'
import { withNext } from '../features/accounts/rules.ts'
import { servicesContext } from '../request-context.server.ts'

type Asked = { request: Request; url: URL; context: Readonly<RouterContextProvider> }

/**
 * Who asks. Every loader and action of a screen for signed-in people calls this first.
 * @param next where signing in leads to: the asked address, but for one that is no screen
 * @throws a redirect to /login, and from there back, when nobody is signed in; to /new-email, when the account has lost
 *   its address. A form that was sent is worked through first, so that nothing typed is lost.
 */
export async function requireSession(asked: Asked, next?: string): Promise<AccountSession> {
  const session = await asked.context.get(servicesContext).accounts.findSession(asked.request)
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
  if (user.needsEmail) throw redirect(withNext('/new-email', next))
}

/** The sign-in screen that leads back to this address. */
export function signInPath(url: URL, next = url.pathname + url.search): string {
  return withNext('/login', next)
}
