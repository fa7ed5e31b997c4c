import { href, type RouterContextProvider, redirect } from 'react-router'
import type { AccountSession } from '../adapters/accounts/port.ts'
import { withNext } from '../features/accounts/rules.ts'
import { operatorViewContext, servicesContext, sessionContext } from '../request-context.server.ts'

type RequestArgs = { request: Request; url: URL; context: Readonly<RouterContextProvider> }

/**
 * Returns the session of this request, or null. Middleware, loaders and actions share one lookup. Loaders that run
 * after an action look it up again, because the action may have changed the account; React Router passes them a request
 * of their own.
 */
export function findSession({ request, context }: Omit<RequestArgs, 'url'>): Promise<AccountSession | null> {
  // The cookies are the operator's: what reads them itself doesn't see the other account.
  const view = context.get(operatorViewContext)
  if (view) return Promise.resolve(view.session)
  const known = context.get(sessionContext)
  if (known?.request === request) return known.session
  const session = context.get(servicesContext).accounts.findSession(request)
  context.set(sessionContext, { request, session })
  return session
}

/**
 * Returns the session of this request.
 * @param next the destination after signing in: the requested address, unless that is no screen
 * @throws a redirect to /login, which leads back afterwards, when nobody is signed in; to /new-email, when the account
 * has lost its address. A submitted form is processed first, so that nothing typed is lost
 */
export async function requireSession(args: RequestArgs, next?: string): Promise<AccountSession> {
  const session = await findSession(args)
  if (!session) throw redirect(signInPath(args.url, next))
  if (args.request.method === 'GET') requireEmail(session, args.url, next)
  return session
}

/**
 * Checks that the account has an address of its own.
 * @throws a redirect to the screen that asks for a new address
 */
export function requireEmail(
  { user }: AccountSession,
  url: URL,
  next: string = url.pathname + url.search,
): void {
  if (user.needsEmail) throw redirect(withNext(href('/new-email'), next))
}

/** The address of the sign-in screen that leads back to `next`. */
export function signInPath(url: URL, next = url.pathname + url.search): string {
  return withNext(href('/login'), next)
}
