import { z } from 'zod'
import { signedInHeaders, signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readCookie, SIGNED_IN_COOKIE, signedInCookie } from '../../shared/cookies.ts'
import { jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
import type { Route } from './+types/hosted-session'

const MAX_BODY_BYTES = 8_192
const body = z.object({ idToken: z.string().min(1) })

/**
 * Where a hosted service signs people in: takes the browser's new ID token and lets its session live as long. It opens
 * none: that is the sign-in form's, with its limits and its mail about a new device.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { hostedAccounts, config } = context.get(servicesContext)
  if (!hostedAccounts) return jsonAnswer(404, { reason: 'not_found' })
  const read = await readJsonBody(request, MAX_BODY_BYTES)
  const given = body.safeParse(read?.value)
  if (!given.success) return jsonAnswer(400, { reason: 'invalid_request' })
  const answer = await hostedAccounts.renewSession(request, given.data)
  if (answer.ok) {
    const hint = readCookie(request.headers.get('cookie'), SIGNED_IN_COOKIE)
    // The same mark again: another one would look like another sign-in to the other tabs.
    const headers = hint
      ? withCookies([...answer.cookies, signedInCookie(hint, config.publicUrl)])
      : signedInHeaders(answer.cookies, config.publicUrl)
    return jsonAnswer(200, { ok: true }, headers)
  }
  if (answer.reason === 'too-many-requests') return jsonAnswer(429, { reason: answer.reason })
  // The keys can't be fetched: the session is as good as before, and the browser tries again.
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
