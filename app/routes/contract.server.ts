import type { MiddlewareFunction } from 'react-router'
import { bodyRefusalContext, refusalContext, unlistedContext } from '../request-context.server.ts'
import { findOperator } from './operations/operator.server.ts'
import { findSession, requireEmail, requireSession } from './require-session.server.ts'

/**
 * What a layout says once for all routes in it, as its `middleware`. `server/route-contracts.ts` reads the same functions
 * out of the build: robots.txt, the cache rules and the map of the product come from there.
 */
type Contract = MiddlewareFunction<Response>

/** Keeps the routes out of search engines: robots.txt, `x-robots-tag`, and the robots tag of a document. */
export const unlisted: Contract = ({ context }, next) => {
  context.set(unlistedContext, true)
  return next()
}

/** Forbids the browser too to keep an answer: on a shared computer the next person could go back to it. */
export const notStored: Contract = async (_, next) => {
  const answer = await next()
  if (!answer.headers.get('cache-control')?.includes('no-store'))
    answer.headers.set('cache-control', 'private, no-store')
  return answer
}

/** Lets caches keep good answers for as long as their `cache-control` says. The server forbids it for all others. */
export const cacheable: Contract = (_, next) => next()

/** Nobody signed in: to /login, and back here afterwards. */
export const signedIn: Contract = async ({ request, url, context }, next) => {
  // The page refuses such a body itself, whoever sent it.
  if (!context.get(bodyRefusalContext))
    await unlessUnreadable(() => requireSession({ request, url, context }))
  return next()
}

/**
 * As `signedIn`, but a write reaches the action: it answers in words beside the form, so that nothing typed is lost when
 * the session has ended.
 */
export const signedInToRead: Contract = (args, next) =>
  args.request.method === 'GET' || args.request.method === 'HEAD' ? signedIn(args, next) : next()

/** A signed-in account without an address of its own: to the screen that asks for one. Nobody signed in passes. */
export const emailKnown: Contract = async ({ request, url, context }, next) => {
  await unlessUnreadable(async () => {
    const session = request.method === 'GET' ? await findSession({ request, context }) : null
    if (session) requireEmail(session, url)
  })
  return next()
}

/**
 * Everybody but an operator gets a 404, so that nothing tells that there is such a place. The server throws it in front of
 * each loader and action: thrown here, it would miss the layout's error boundary and with it the frame of the site.
 */
export const operatorOnly: Contract = async ({ request, context }, next) => {
  try {
    if (!(await findOperator({ request, context })))
      context.set(refusalContext, () => new Response('Not found', { status: 404 }))
  } catch (error) {
    context.set(refusalContext, () => error)
  }
  return next()
}

/**
 * A session that can't be read, since the database is away, stops nothing here: React Router shows what a middleware
 * throws above every frame. The screen's own loader meets the same failure and shows it inside its frame.
 */
async function unlessUnreadable(check: () => Promise<unknown>): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}
