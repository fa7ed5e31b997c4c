/** The largest body of a form or of JSON. Uploads and the payment provider's webhooks have their own limits. */
export const MAX_BODY_BYTES = 64 * 1024

/** The refusals of a request body, which screens show unchanged. */
export const BODY_REFUSALS = {
  broken: 'This form arrived broken. Go back and send it again.',
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
