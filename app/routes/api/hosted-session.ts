import { z } from 'zod'
import { signedInHeaders, signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readOwnCookie, SIGNED_IN_COOKIE, signedInCookies } from '../../shared/cookies.ts'
import { jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import type { Route } from './+types/hosted-session'

const MAX_BODY_BYTES = 8_192
const body = z.object({ idToken: z.string().min(1) })

/**
 * With a hosted service, takes the browser's new ID token and extends its session to the token's lifetime. It never
 * opens a session: only the sign-in form does, with its limits and its mail about new devices.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { hostedAccounts, config } = context.get(servicesContext)
  if (!hostedAccounts) return jsonAnswer(404, { reason: 'not_found' })
  const read = await readJsonBody(request, MAX_BODY_BYTES)
  const parsed = body.safeParse(read?.value)
  if (!parsed.success) return jsonAnswer(400, { reason: 'invalid_request' })
  const answer = await hostedAccounts.renewSession(request, parsed.data)
  if (answer.ok) {
    const hint = readOwnCookie(request.headers.get('cookie'), SIGNED_IN_COOKIE)
    // The same hint again: a new one would look like another sign-in to the other tabs.
    const headers = hint
      ? withCookies([...answer.cookies, ...signedInCookies(hint, config.publicUrl)])
      : signedInHeaders(answer.cookies, config.publicUrl)
    return jsonAnswer(200, { ok: true }, headers)
  }
  if (answer.reason === 'too-many-requests') return jsonAnswer(429, { reason: answer.reason })
  // The service's keys can't be fetched: the session stays as it is, and the browser tries again.
  if (answer.reason === 'network-request-failed') return jsonAnswer(503, { reason: answer.reason })
  return jsonAnswer(
    401,
    { reason: answer.reason },
    signedOutHeaders(hostedAccounts.forgetCookies(), config.publicUrl),
  )
}

function withCookies(cookies: readonly string[]): Headers {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return headers
}
