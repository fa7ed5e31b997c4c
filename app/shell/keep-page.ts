import { data } from 'react-router'
import type { Route } from '../+types/root'
import { notSent } from '../ui/action-failure.ts'
import {
  canReach,
  forgetLostLoad,
  forgetSendFailure,
  isConnectionFailure,
  reportLostLoad,
  reportSendFailure,
  SEND_LOST_TEXT,
  type SendFailure,
  sendFailureOf,
} from '../ui/connection.ts'
import { addressOnScreen, takeStay } from '../ui/page-on-screen.ts'
import { claimReload } from '../ui/reload-once.ts'
import { isUndiscovered } from './discover-routes.ts'
import { missingRouteModule, RouteModuleMissing } from './load-route-module.ts'

type Next = Parameters<Route.ClientMiddlewareFunction>[1]
type Results = Awaited<ReturnType<Next>>

const SCRIPT_MISSING_TEXT =
  'Part of this page couldn’t load, so nothing was sent. What you filled in is still here: reload the page to continue.'

/**
 * Client middleware that keeps the page on the screen, with everything typed into it, when the server can't be reached.
 * React Router calls it once for every navigation, refresh and submission. A navigation waits for the connection, a
 * failed refresh changes nothing, and a form shows why its submission failed. Server errors of loads still reach the
 * error boundaries.
 */
export const keepPage: Route.ClientMiddlewareFunction = ({ request }, next) =>
  request.method === 'GET' ? load(request, next) : send(request, next)

async function load(request: Request, next: Next): Promise<Results> {
  const address = addressOf(request)
  if (takeStay(address)) return {}
  const isRefresh = address === addressOnScreen()
  const undiscovered = undiscoveredRoute(request)
  // The route that was found is not the address's own, so its data would be another's.
  const results = undiscovered ? {} : await next()
  if (request.signal.aborted) return results
  const missing = isRefresh ? null : (undiscovered ?? missingRouteModule())
  const error = missing ?? errorIn(results)?.error
  if (missing && (await canReach(address))) return loadDocument(request, missing, results)
  if (!missing && !isConnectionFailure(error)) {
    forgetLostLoad()
    // A background refresh leaves a form's failure message in place.
    if (!isRefresh) forgetSendFailure()
    return results
  }
  if (request.signal.aborted) return results
  console.warn('The connection failed.', error)
  reportLostLoad(isRefresh ? 'this-page' : 'next-page')
  // The next attempt, or a navigation to another page, aborts this one.
  if (!isRefresh) await aborted(request.signal)
  // Routes without a result keep their data.
  return {}
}

/**
 * Loads the destination as a document because a script is missing (Specification, section 8). An automatic redirect
 * gets one such attempt per script, so that nothing reloads forever. After that, the error boundary takes over.
 */
async function loadDocument(
  request: Request,
  missing: RouteModuleMissing,
  results: Results,
): Promise<Results> {
  const hasUserActivation = navigator.userActivation?.hasBeenActive ?? false
  if (request.signal.aborted || !(hasUserActivation || claimReload(missing.message))) {
    forgetLostLoad()
    return results
  }
  // After 'back', the window already has the destination's address.
  if (request.url === window.location.href) window.location.reload()
  else window.location.assign(request.url)
  await aborted(request.signal)
  return {}
}

async function send(request: Request, next: Next): Promise<Results> {
  forgetSendFailure()
  const copy = request.clone()
  const undiscovered = undiscoveredRoute(request)
  const results = undiscovered ? {} : await next()
  const failed = undiscovered ? { routeId: 'root', error: undiscovered } : errorIn(results)
  if (request.signal.aborted || !failed) return results
  const failure = await failureOf(failed.error)
  if (!failure) return results
  console.warn('The form was not sent.', failed.error)
  reportSendFailure({ ...failure, path: new URL(request.url).pathname, fields: await fieldsOf(copy) })
  return { [failed.routeId]: { type: 'data', result: notSent(undefined) } }
}

/** The routes of an address's section could not be fetched: as if its script were missing. */
function undiscoveredRoute({ url }: Request): RouteModuleMissing | null {
  const { pathname } = new URL(url)
  return isUndiscovered(pathname) ? new RouteModuleMissing(pathname) : null
}

async function failureOf(error: unknown): Promise<Pick<SendFailure, 'isLost' | 'text'> | null> {
  if (!(error instanceof RouteModuleMissing)) return sendFailureOf(error)
  const isThere = await canReach(window.location.href)
  return isThere ? { isLost: false, text: SCRIPT_MISSING_TEXT } : { isLost: true, text: SEND_LOST_TEXT }
}

/** The first error among the results. A redirect is thrown as a Response, and is no error. */
function errorIn(results: Results): { routeId: string; error: unknown } | null {
  for (const [routeId, { type, result }] of Object.entries(results))
    if (type === 'error' && !(result instanceof Response)) return { routeId, error: thrown(result) }
  return null
}

/** Unwraps an action's thrown error: React Router wraps it as `data()` does, to carry a status. */
function thrown(result: unknown): unknown {
  return result instanceof WithStatus ? result.data : result
}

const WithStatus = data(null).constructor as new () => ReturnType<typeof data<unknown>>

const addressOf = ({ url }: Request) => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const fieldsOf = (request: Request): Promise<FormData> => request.formData().catch(() => new FormData())

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
