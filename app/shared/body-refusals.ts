/** The largest body of a form or of JSON. Uploads and the payment provider's webhooks have their own limits. */
export const MAX_BODY_BYTES = 64 * 1024

/** The refusals of a request body, and of an operator's view, which screens show unchanged. */
export const BODY_REFUSALS = {
  broken: 'This form arrived incomplete. Go back and send it again.',
  viewed: 'You are seeing someone else’s account. This isn’t part of it, and nothing can be changed.',
  tooLarge: 'This is too large to send. Go back, shorten it and send it again.',
} as const

/** The response to a form that can't be read. */
export function brokenForm(): Response {
  return new Response(BODY_REFUSALS.broken, { status: 400 })
}

/** The response to a body over its limit. */
export function tooLargeBody(): Response {
  return new Response(BODY_REFUSALS.tooLarge, { status: 413 })
}

/** The response to everything that isn't part of an operator's view of another account. */
export function notInView(): Response {
  return new Response(BODY_REFUSALS.viewed, { status: 403, headers: { 'cache-control': 'no-store' } })
}
