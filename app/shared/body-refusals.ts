/** The refusals of a request body, and of an operator's view, which screens show unchanged. */
export const BODY_REFUSALS = {
  broken: 'This form arrived incomplete. Go back and send it again.',
  viewed: 'You are seeing someone else’s account. This isn’t part of it, and nothing can be changed.',
  tooLarge: 'This is too large to send. Go back, shorten it and send it again.',
  tooSlow: 'This took too long to arrive. Go back and send it again.',
  tooManyAtOnce: 'Too much is being sent from your network at once. Wait a moment, then send it again.',
  busy: 'Too much is being sent to us at once. Wait a moment, then send it again.',
} as const

/** Seconds after which a body that found no room may be sent again. */
const TRY_AGAIN_AFTER_SECONDS = 5

/** The response to a form that can't be read. */
export function brokenForm(): Response {
  return new Response(BODY_REFUSALS.broken, { status: 400 })
}

/** The response to a body over its limit. */
export function tooLargeBody(): Response {
  return new Response(BODY_REFUSALS.tooLarge, { status: 413 })
}

/** The response to a body under the minimum rate. */
export function tooSlowBody(): Response {
  return new Response(BODY_REFUSALS.tooSlow, { status: 408, headers: { 'cache-control': 'no-store' } })
}

/** The response to a body for which the process, or its sender's address, has no room at the moment. */
export function noRoomForBody(budget: 'process' | 'address'): Response {
  const [text, status] =
    budget === 'address'
      ? ([BODY_REFUSALS.tooManyAtOnce, 429] as const)
      : ([BODY_REFUSALS.busy, 503] as const)
  const headers = { 'cache-control': 'no-store', 'retry-after': String(TRY_AGAIN_AFTER_SECONDS) }
  return new Response(text, { status, headers })
}

/** The response to everything that isn't part of an operator's view of another account. */
export function notInView(): Response {
  return new Response(BODY_REFUSALS.viewed, { status: 403, headers: { 'cache-control': 'no-store' } })
}
