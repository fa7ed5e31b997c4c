import { href, type MiddlewareFunction, redirect } from 'react-router'
import {
  bodyRefusalContext,
  refusalContext,
  servicesContext,
  unlistedContext,
} from '../request-context.server.ts'
import { findOperator, needsSecondFactor, refusalOfScreen } from './operations/operator.server.ts'
import { hasPrintedKey, isOfThisMachine, openWithPrintedKey } from './printed-key.server.ts'
import { findSession, requireEmail, requireSession } from './require-session.server.ts'

/**
 * Rules that a layout sets for all its routes through `middleware`. `server/route-contracts.ts` reads the same
 * functions from the build and derives robots.txt, the cache rules and the route map from them.
 */
type Contract = MiddlewareFunction<Response>

/** Keeps the routes out of search engines: robots.txt, `x-robots-tag`, and the robots tag of a document. */
export const unlisted: Contract = ({ context }, next) => {
  context.set(unlistedContext, true)
  return next()
}

/** Forbids browsers, too, to store a response: on a shared computer the next person could go back to it. */
export const notStored: Contract = async (_, next) => {
  const answer = await next()
  if (!answer.headers.get('cache-control')?.includes('no-store'))
    answer.headers.set('cache-control', 'private, no-store')
  return answer
}

/**
 * Lets caches keep successful responses as long as their `cache-control` allows. The server forbids it for all others.
 */
export const cacheable: Contract = (_, next) => next()

/** Redirects signed-out visitors to /login, which leads back here afterwards. */
export const signedIn: Contract = async ({ request, url, context }, next) => {
  // The page itself refuses such a body, whoever sent it.
  if (!context.get(bodyRefusalContext))
    await unlessUnreadable(() => requireSession({ request, url, context }))
  return next()
}

/**
 * Like `signedIn`, except that a write reaches its action: the refusal appears beside the form, so that nothing typed
 * is lost when the session has ended.
 */
export const signedInToRead: Contract = (args, next) =>
  args.request.method === 'GET' || args.request.method === 'HEAD' ? signedIn(args, next) : next()

/**
 * Redirects a signed-in account without an address of its own to the screen that asks for one. Signed-out visitors
 * pass.
 */
export const emailKnown: Contract = async ({ request, url, context }, next) => {
  await unlessUnreadable(async () => {
    const session = request.method === 'GET' ? await findSession({ request, context }) : null
    if (session) requireEmail(session, url)
  })
  return next()
}

/**
 * Answers 404 to everybody but operators, so that the screens' existence stays hidden, and 403 to operators whose role
 * isn't enough. The server throws it before each loader and action: thrown here, it would miss the layout's error
 * boundary and with it the frame of the site.
 */
export const operatorOnly: Contract = async ({ request, context, pattern }, next) => {
  try {
    const operator = await findOperator({ request, context })
    if (operator) context.set(refusalContext, refusalOfScreen(operator.role, pattern))
    else {
      // They know of the screens: the settings say what is missing.
      const isWeak = await needsSecondFactor({ request, context })
      context.set(refusalContext, () =>
        isWeak
          ? redirect(`${href('/settings-privacy')}?operations=1#two-step`)
          : new Response('Not found', { status: 404 }),
      )
    }
  } catch (error) {
    context.set(refusalContext, () => error)
  }
  return next()
}

/**
 * Answers 404 to all but this machine's own visitors who opened the printed address, and always without the sandbox: these
 * routes move the clock and the money of everyone.
 */
export const sandboxOnly: Contract = (args, next) => {
  const { context } = args
  const opened = openWithPrintedKey(args)
  if (!context.get(servicesContext).config.isSandboxOpen || (!opened && !hasPrintedKey(args)))
    context.set(refusalContext, () => new Response('Not found', { status: 404 }))
  else if (opened) context.set(refusalContext, () => opened)
  return next()
}

/**
 * Answers 404 to all but this machine's own visitors, and always without the sandbox. For the form that stands for the
 * provider's: its link is the vendor's own, so they need no key.
 */
export const sandboxFormOnly: Contract = ({ request, context }, next) => {
  if (!context.get(servicesContext).config.isSandboxOpen || !isOfThisMachine({ request }))
    context.set(refusalContext, () => new Response('Not found', { status: 404 }))
  return next()
}

/**
 * Ignores a session that can't be read because the database is unavailable: React Router shows a middleware's error
 * above every frame. The screen's own loader fails the same way, and its error shows inside the frame.
 */
async function unlessUnreadable(check: () => Promise<unknown>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}
