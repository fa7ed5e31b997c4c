import { createHash, timingSafeEqual } from 'node:crypto'
import { type RouterContextProvider, redirect } from 'react-router'
import { CLIENT_ADDRESS_HEADER } from '../adapters/accounts/port.ts'
import { servicesContext } from '../request-context.server.ts'
import { readCookie } from '../shared/cookies.ts'
import { PRINTED_KEY_PARAMETER } from '../shared/printed-key.ts'
import { isFromThisMachine } from '../shared/this-machine.ts'

type Asked = { request: Request; context: Readonly<RouterContextProvider> }

const MAX_AGE_SECONDS = 30 * 24 * 3_600

/** Whether a request comes from this machine, and through no proxy that says so. */
export function isOfThisMachine({ request }: Pick<Asked, 'request'>): boolean {
  return isFromThisMachine(request, request.headers.get(CLIENT_ADDRESS_HEADER) ?? '')
}

/**
 * Whether a request comes from this machine and has the key that the start printed: in the cookie, or for a program as
 * `Authorization: Bearer`. A proxy that adds no header looks like this machine, so that alone is no proof.
 */
export function hasPrintedKey(asked: Asked): boolean {
  const { headers } = asked.request
  const { config } = asked.context.get(servicesContext)
  const given = [
    readCookie(headers.get('cookie'), cookieName(config.publicUrl)),
    headers.get('authorization')?.replace(/^Bearer /, ''),
  ]
  return isOfThisMachine(asked) && given.some((key) => isKey(key, config.printedKey))
}

/**
 * Handles the printed address, whose key moves into a cookie.
 * @returns a redirect to the address without the key; null for every other request
 */
export function openWithPrintedKey(asked: Asked & { url: URL }): Response | null {
  const { request, context, url } = asked
  const { config } = context.get(servicesContext)
  if (request.method !== 'GET' || !isOfThisMachine(asked)) return null
  if (!isKey(url.searchParams.get(PRINTED_KEY_PARAMETER), config.printedKey)) return null
  // Lax, because a link in a terminal of the web comes from another site.
  const cookie = `${cookieName(config.publicUrl)}=${config.printedKey}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${MAX_AGE_SECONDS}`
  return redirect(url.pathname, { headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } })
}

/** Browsers send a cookie to every port of a host, and another demo may run on one of them. */
const cookieName = ({ port }: URL) => `jubilee_printed_key_${port}`

function isKey(given: string | null | undefined, key: string): boolean {
  return timingSafeEqual(hashOf(given ?? ''), hashOf(key))
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()
