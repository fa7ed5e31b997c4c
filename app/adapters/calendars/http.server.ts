import { createHash } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { wallTimeAt } from '../../shared/dates.ts'
import { createLimitedThreads, threadFile } from '../../shared/limited-thread.server.ts'
import { limitWire, WireLimit } from '../wire/limits.server.ts'
import { isPublicAddress } from './addresses.ts'
import type { CalendarText, ReadText } from './ical.ts'
import { checkedLookup, isAllowedTarget, RefusedAddress } from './lookup.server.ts'
import type { CalendarAnswer, CalendarReader } from './port.ts'

const MAX_REDIRECTS = 3
const PROTOCOLS = ['http:', 'https:']
const LIMITS = {
  /** The decompressed text. */
  bytes: 5 * 1024 * 1024,
  /** From the first DNS lookup to the last byte, including redirects. */
  fetchMs: 10_000,
  /** Parsing, in its own thread. */
  readMs: 5_000,
}
/** For headers and early hints, beside a body's limit. */
const MAX_HEADER_BYTES = 256 * 1024
const WORKER_MEMORY_MB = 160

type Refusal = Exclude<Extract<CalendarAnswer, { ok: false }>['reason'], 'unreadable_event'>

export type CalendarReaderOptions = {
  /** The User-Agent header sent to the calendar's server. */
  userAgent: string
  /** Events whose UID ends like this are our own and get an `ownId`; null for none. */
  ownUidSuffix: string | null
  /** Which addresses may be connected to. Tests allow their own server. */
  isAllowedAddress?: (address: string) => boolean
  isAllowedPort?: (port: number) => boolean
  limits?: Partial<typeof LIMITS>
}

/**
 * Reads calendars from URLs that strangers type in. It connects only to the public internet. The check uses the very
 * address that the connection is opened to, at every redirect, which defeats DNS rebinding. Files are parsed in their
 * own thread with limits of time and memory.
 */
export function createCalendarReader(options: CalendarReaderOptions): CalendarReader {
  const limits = { ...LIMITS, ...options.limits }
  const rules = {
    isAllowedAddress: options.isAllowedAddress ?? isPublicAddress,
    isAllowedPort: options.isAllowedPort ?? ((port) => port === 80 || port === 443),
    userAgent: options.userAgent,
    maxBytes: limits.bytes,
  }
  return {
    async read(url, window, zone, etag) {
      const known = readMark(etag)
      // The meaning of an unchanged file depends on the window and the zone, so it is read again each day.
      const scope = `${wallTimeAt(window.from, zone).date} ${zone}`
      const fresh = known?.scope === scope
      const fetched = await fetchText(url, fresh ? known.serverTag : null, rules, limits.fetchMs)
      if (!fetched.ok) return fetched
      const unchanged = (mark: Mark): CalendarAnswer => ({
        ok: true,
        unchanged: true,
        etag: writeMark(mark),
        events: [],
      })
      if (fetched.notModified) {
        if (fresh) return unchanged(known)
        return { ok: false, reason: 'http_error' }
      }
      const mark = { scope, hash: sha256(fetched.text), serverTag: fetched.serverTag }
      if (fresh && known.hash === mark.hash) return unchanged(mark)
      const read = await readInThread(
        {
          text: fetched.text,
          window,
          zone,
          ownUidSuffix: options.ownUidSuffix,
          ownerAddresses: addressesIn(url),
        },
        limits.readMs,
      )
      return read.ok ? { ok: true, unchanged: false, etag: writeMark(mark), events: read.events } : read
    },
  }
}

/** Identifies the last reading. Not every server sends an ETag, and the same file yields other events tomorrow. */
type Mark = { scope: string; hash: string; serverTag: string | null }

function writeMark(mark: Mark): string {
  return JSON.stringify([mark.scope, mark.hash, mark.serverTag])
}

function readMark(etag: string | null): Mark | null {
  if (etag === null) return null
  try {
    const [scope, hash, serverTag] = JSON.parse(etag)
    return { scope, hash, serverTag }
  } catch {
    return null
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The e-mail addresses in a calendar's URL. Google's private address of a calendar has its owner's. */
function addressesIn(url: string): string[] {
  return url.split(/[/?&=#]/).flatMap((part) => {
    try {
      const text = decodeURIComponent(part)
      return /^[^\s@]+@[^\s@]+$/.test(text) ? [text] : []
    } catch {
      return []
    }
  })
}

// ---------------------------------------------------------------------------------------------------------------------
// Fetching

type FetchRules = {
  isAllowedAddress: (address: string) => boolean
  isAllowedPort: (port: number) => boolean
  userAgent: string
  maxBytes: number
}

type Fetched =
  | { ok: true; notModified: true }
  | { ok: true; notModified: false; text: string; serverTag: string | null }
  | { ok: false; reason: Refusal }

class Refused extends Error {
  readonly reason: Refusal
  constructor(reason: Refusal) {
    super(reason)
    this.reason = reason
  }
}

async function fetchText(
  url: string,
  serverTag: string | null,
  rules: FetchRules,
  limitMs: number,
): Promise<Fetched> {
  const signal = AbortSignal.timeout(limitMs)
  try {
    let target = parseTarget(url, null, rules)
    for (let redirects = 0; ; redirects++) {
      const answer = await send(target, serverTag, rules, signal)
      const location = redirectOf(answer)
      if (location === null) return await readAnswer(answer, rules.maxBytes, signal)
      answer.destroy()
      if (redirects === MAX_REDIRECTS) throw new Refused('http_error')
      target = parseTarget(location, target, rules)
    }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.reason }
    // Any failure while talking to an unknown server is that server's problem, not a bug of ours.
    return { ok: false, reason: signal.aborted ? 'too_slow' : 'unreachable' }
  }
}

function parseTarget(text: string, base: URL | null, rules: FetchRules): URL {
  const url = URL.parse(text.trim().replace(/^webcals?:/i, 'https:'), base ?? undefined)
  if (!url || !isAllowedTarget(url, { ...rules, protocols: PROTOCOLS })) throw new Refused('refused_address')
  return url
}

function redirectOf(answer: IncomingMessage): string | null {
  const { statusCode = 0, headers } = answer
  return [301, 302, 303, 307, 308].includes(statusCode) && headers.location ? headers.location : null
}

/** Sends the request on its own connection, opened to a checked address. */
function send(
  url: URL,
  serverTag: string | null,
  rules: FetchRules,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      agent: false,
      lookup: checkedLookup(rules.isAllowedAddress),
      signal,
      headers: {
        accept: 'text/calendar, */*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': rules.userAgent,
        ...(serverTag === null ? {} : { 'if-none-match': serverTag }),
      },
    })
    // Compression makes the body smaller than its text, and headers and chunks add to it.
    limitWire(request, 2 * rules.maxBytes + MAX_HEADER_BYTES)
    request.on('response', resolve)
    request.on('error', (error) => reject(refusalOf(error) ?? error))
    request.end()
  })
}

function refusalOf(error: unknown): Refused | null {
  if (error instanceof WireLimit) return new Refused('too_large')
  if (error instanceof Error && error.cause instanceof RefusedAddress) return new Refused('refused_address')
  return null
}

async function readAnswer(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Fetched> {
  const { statusCode = 0, headers } = answer
  if (statusCode === 304) {
    answer.destroy()
    return { ok: true, notModified: true }
  }
  if (statusCode !== 200) {
    answer.destroy()
    throw new Refused('http_error')
  }
  const bytes = await readUnpacked(answer, maxBytes, signal)
  return {
    ok: true,
    notModified: false,
    text: new TextDecoder().decode(bytes),
    serverTag: headers.etag ?? null,
  }
}

/** Decompresses the body and stops at the size limit, because a small response can unpack to gigabytes. */
async function readUnpacked(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const unpack = unpackerFor(answer.headers['content-encoding'])
  const body: Readable = unpack ? answer.pipe(unpack) : answer
  if (unpack) answer.once('error', (error) => unpack.destroy(error))
  const stop = () => body.destroy(new Error('out of time'))
  signal.addEventListener('abort', stop, { once: true })
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.length
      if (length > maxBytes) throw new Refused('too_large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    // The compressed data is corrupt, as opposed to a broken connection.
    if (
      typeof error === 'object' &&
      error &&
      'code' in error &&
      /^(Z_|ERR_?_?BROTLI)/.test(String(error.code))
    )
      throw new Refused('not_a_calendar')
    throw refusalOf(error) ?? error
  } finally {
    signal.removeEventListener('abort', stop)
    answer.destroy()
  }
}

function unpackerFor(encoding: string | undefined): Transform | null {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new Refused('not_a_calendar')
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Reading

/** A new thread for each file, which can leave nothing to the next. */
const parse = createLimitedThreads<CalendarText, ReadText>(threadFile(import.meta.url, 'calendar-worker'))

/** Parses in a worker thread, which is terminated when it takes too long or too much memory. */
async function readInThread(
  input: CalendarText,
  limitMs: number,
): Promise<ReadText | { ok: false; reason: 'too_slow' | 'too_large' }> {
  const ended = await parse(input, { ms: limitMs, heapMb: WORKER_MEMORY_MB, bufferMb: WORKER_MEMORY_MB })
  return ended.ok ? ended.answer : ended
}
