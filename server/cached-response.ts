import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

/** The parts of a request that determine a cached response. `target` is its path with the query, as sent. */
export type RequestHead = {
  method: string
  target: string
  /** How many Host headers it has. */
  hosts: number
  acceptEncoding: string
  ifNoneMatch: string
}

/** The used parts of Node's request. */
export type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'socket'>

/** Reads the head from the raw headers. Node's `headers` would build an object of all of them, and two are needed. */
export function readIncoming({ method = '', url = '', rawHeaders }: Incoming): RequestHead {
  return {
    method,
    target: url,
    hosts: countHosts(rawHeaders),
    acceptEncoding: findHeader(rawHeaders, 'accept-encoding'),
    ifNoneMatch: findHeader(rawHeaders, 'if-none-match'),
  }
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count++
  return count
}

/** @param rawHeaders names and values, alternating */
function findHeader(rawHeaders: readonly string[], wanted: string): string {
  let found = ''
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length !== wanted.length || name.toLowerCase() !== wanted) continue
    const value = rawHeaders[at + 1] ?? ''
    found = found ? `${found}, ${value}` : value
  }
  return found
}

/** A response that is the same for everyone, ready to send. */
export type CachedResponse = {
  /** A weak tag, because it identifies every encoding of the same content. */
  etag: string
  notModified: HeaderList
  br: Sendable | null
  /** Almost all clients accept brotli, so a page's gzip body is made when a client first needs it. */
  gzip: Sendable | null
  /** Null for a page with compressed bodies: the few clients without compression get it decompressed. */
  plain: Sendable | null
  /** The most memory that it occupies, in bytes: with the gzip body, even before that is made. */
  bytes: number
}

type HeaderRecord = Record<string, string>
/** Names and values, alternating. Node writes such a list unchanged, and adding a header copies no object. */
type HeaderList = readonly string[]
type Sendable = { headers: HeaderList; body: Buffer<ArrayBuffer> }
type Bodies = { [Encoding in 'br' | 'gzip' | 'plain']?: Uint8Array<ArrayBuffer> }

// An estimate for the headers and the object itself, close enough for a limit.
const OVERHEAD_BYTES = 2_000
/** A page's gzip body is up to a third longer than its brotli body. */
const GZIP_PER_BROTLI = 1.35
const GZIP_LEVEL = 6

/**
 * Prepares a response for sending.
 * @param content the uncompressed content, from which the tag is computed
 * @param headers the headers of every response, including 304
 * @param bodies at least one, each in its encoding
 */
export function cacheResponse(content: Uint8Array, headers: HeaderRecord, bodies: Bodies): CachedResponse {
  const hash = createHash('sha256').update(JSON.stringify(headers)).update(content).digest('base64url')
  const etag = `W/"${hash.slice(0, 20)}"`
  const all: HeaderRecord = {
    ...headers,
    etag,
    ...(bodies.br || bodies.gzip ? { vary: 'accept-encoding' } : {}),
  }
  const sendable = (encoding: keyof Bodies): Sendable | null => {
    const body = bodies[encoding]
    if (!body) return null
    const length = { 'content-length': String(body.length) }
    return {
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      headers: listOf(
        encoding === 'plain' ? { ...all, ...length } : { ...all, ...length, 'content-encoding': encoding },
      ),
    }
  }
  const { 'content-type': _, ...notModified } = all
  const laterBytes = bodies.br && !bodies.gzip ? Math.ceil(bodies.br.length * GZIP_PER_BROTLI) : 0
  return {
    etag,
    notModified: listOf(notModified),
    br: sendable('br'),
    gzip: sendable('gzip'),
    plain: sendable('plain'),
    bytes: Object.values(bodies).reduce((sum, body) => sum + body.length, OVERHEAD_BYTES + laterBytes),
  }
}

const listOf = (headers: HeaderRecord): HeaderList => Object.entries(headers).flat()

/** A response about to be sent. The body is null if there is none, as for HEAD. */
export type Ready = { status: number; headers: string[]; body: Buffer<ArrayBuffer> | null }

/**
 * The response to one request: in the smallest encoding that it accepts, or 304 when the client has this content.
 * @param extra the headers of this response alone
 */
export function sendCached(cached: CachedResponse, head: RequestHead, extra: HeaderList): Ready {
  if (head.ifNoneMatch && hasTag(head.ifNoneMatch, cached.etag))
    return { status: 304, headers: [...cached.notModified, ...extra], body: null }
  const { headers, body } = choose(cached, head.acceptEncoding)
  return { status: 200, headers: [...headers, ...extra], body: head.method === 'HEAD' ? null : body }
}

export function toResponse({ status, headers, body }: Ready): Response {
  return new Response(body, { status, headers: pairsOf(headers) })
}

function pairsOf(headers: HeaderList): [string, string][] {
  return Array.from({ length: headers.length / 2 }, (_, at) => [
    headers[2 * at] ?? '',
    headers[2 * at + 1] ?? '',
  ])
}

function choose(cached: CachedResponse, acceptEncoding: string): Sendable {
  const { br, plain } = cached
  const taken = readAcceptEncoding(acceptEncoding)
  if (br && taken.br) return br
  if (taken.gzip) cached.gzip ??= br && recoded(br, (body) => gzipSync(body, { level: GZIP_LEVEL }), 'gzip')
  if (taken.gzip && cached.gzip) return cached.gzip
  if (plain) return plain
  const compressed = cached.gzip ?? br
  if (!compressed) throw new Error('A cached response has no body.')
  return recoded(compressed, (body) => body, null)
}

/** The same response in another encoding. */
function recoded(
  { headers, body }: Sendable,
  encode: (body: Buffer<ArrayBuffer>) => Buffer<ArrayBuffer>,
  encoding: 'gzip' | null,
): Sendable {
  const { 'content-encoding': present, ...others } = Object.fromEntries(pairsOf(headers))
  const recodedBody = encode(present === 'br' ? brotliDecompressSync(body) : gunzipSync(body))
  const length = { 'content-length': String(recodedBody.length) }
  return {
    headers: listOf({ ...others, ...length, ...(encoding ? { 'content-encoding': encoding } : {}) }),
    body: recodedBody,
  }
}

type Taken = { br: boolean; gzip: boolean }
const MAX_REMEMBERED = 100
/** Parsed Accept-Encoding headers. Browsers send only a handful of different ones. */
const remembered = new Map<string, Taken>()

/** The encodings that an Accept-Encoding header accepts. A name with q=0 is refused. */
export function readAcceptEncoding(text: string): Taken {
  const known = remembered.get(text)
  if (known) return known
  const names = new Set(
    text.split(',').flatMap((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      return parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter)) ? [] : [name]
    }),
  )
  const taken = { br: names.has('br'), gzip: names.has('gzip') }
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(text, taken)
  return taken
}

/** Whether an If-None-Match header names a tag, by weak comparison (RFC 9110, 13.1.2). */
function hasTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.slice('W/'.length)
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
