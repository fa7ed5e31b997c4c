import { createHash } from 'node:crypto'
import { readTextWithin } from '../wire/limits.server.ts'

/** A sign-up waits this long for the service at most. */
const TIME_LIMIT_MS = 1_500
/** The part of a hash that the service is told, in hexadecimal digits: some 2,000 leaked passwords share it. */
const PREFIX_DIGITS = 5
/** More than any padded range has: the service's largest are some 40 kB. */
const MAX_RANGE_BYTES = 1_000_000

/**
 * Looks passwords up in a service of leaked ones by k-anonymity: it gets the first five digits of the SHA-1, and returns
 * the rest of every leaked hash that begins with them. Padding hides from the network how many these are.
 * @param options.url the service's address, to which the five digits are added
 * @param options.onUnavailable called if the service doesn't answer in time. The password then counts as not leaked,
 * so that sign-ups go on without the service
 */
export function createLeakLookup(options: {
  url: string
  userAgent: string
  fetchRange: (url: URL, init: RequestInit) => Promise<Response>
  onUnavailable: (error: unknown) => void
  timeLimitMs?: number
}): (password: string) => Promise<boolean> {
  const base = options.url.endsWith('/') ? options.url : `${options.url}/`
  return async (password) => {
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    try {
      const response = await options.fetchRange(new URL(hash.slice(0, PREFIX_DIGITS), base), {
        headers: { 'add-padding': 'true', 'user-agent': options.userAgent },
        redirect: 'error',
        signal: AbortSignal.timeout(options.timeLimitMs ?? TIME_LIMIT_MS),
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw new Error(`the service answered ${response.status}`)
      }
      return contains(await readTextWithin(response, MAX_RANGE_BYTES), hash.slice(PREFIX_DIGITS))
    } catch (error) {
      options.onUnavailable(error)
      return false
    }
  }
}

/**
 * Each line is '{rest of the hash}:{how often it leaked}'. Padding has a count of 0.
 * @throws when the answer isn't such a list, as of a proxy in between
 */
function contains(range: string, rest: string): boolean {
  const lines = range.split('\n').map((line) => line.trim())
  if (!lines.every((line) => line === '' || /^[\dA-F]{35}:\d+$/i.test(line)))
    throw new Error('the service answered something else than hashes')
  return lines.some((line) => {
    const [suffix = '', count = ''] = line.split(':')
    return suffix.toUpperCase() === rest && Number(count) > 0
  })
}
