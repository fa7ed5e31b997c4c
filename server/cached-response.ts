import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'

/** What a request says of the answer that it takes. `target` is its path with the query, as it was sent. */
export type Asked = {
  method: string
  target: string
  acceptEncoding: string
  ifNoneMatch: string
}

/** What is used of node's request. */
export type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'socket'>

/** From the headers as they came: node would first make an object of all of them, of which two are wanted. */
export function readIncoming({ method = '', url = '', rawHeaders }: Incoming): Asked {
  return {
    method,
    target: url,
    acceptEncoding: findHeader(rawHeaders, 'accept-encoding'),
    ifNoneMatch: findHeader(rawHeaders, 'if-none-match'),
  }
}

/** @param rawHeaders names and values by turns */
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

/** An answer that lies ready for everybody who asks for it. */
export type CachedResponse = {
  /** Weak: one tag stands for every encoding of the same content. */
  etag: string
  notModified: HeaderList
  br: Sendable | null
  gzip: Sendable | null
  /** Left out where a compressed one is there: the few who take none get it unpacked. */
  plain: Sendable | null
  /** How much memory it takes. */
  bytes: number
}

type HeaderRecord = Record<string, string>
/** Names and values by turns: node writes such a list as it is, and one more is added without copying an object. */
type HeaderList = readonly string[]
type Sendable = { headers: HeaderList; body: Buffer<ArrayBuffer> }
type Bodies = { [Encoding in 'br' | 'gzip' | 'plain']?: Uint8Array<ArrayBuffer> }

// Headers and the object itself; close enough for a limit.
const OVERHEAD_BYTES = 2_000

/**
 * Makes an answer ready.
 * @param content what the tag is made of: the content itself, uncompressed
 * @param headers of every answer, 304 too
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
  return {
    etag,
    notModified: listOf(notModified),
    br: sendable('br'),
    gzip: sendable('gzip'),
    plain: sendable('plain'),
    bytes: OVERHEAD_BYTES + Object.values(bodies).reduce((sum, body) => sum + body.length, 0),
  }
}

const listOf = (headers: HeaderRecord): HeaderList => Object.entries(headers).flat()

/** An answer as it goes out; null where there is no body, also to HEAD. */
export type Ready = { status: number; headers: string[]; body: Buffer<ArrayBuffer> | null }

/**
 * The answer to one request: in the smallest encoding that it takes, or 304 when it has this content already.
 * @param extra headers of this answer alone
 */
export function sendCached(kept: CachedResponse, asked: Asked, extra: HeaderList): Ready {
  if (asked.ifNoneMatch && hasTag(asked.ifNoneMatch, kept.etag))
    return { status: 304, headers: [...kept.notModified, ...extra], body: null }
  const { headers, body } = choose(kept, asked.acceptEncoding)
  return { status: 200, headers: [...headers, ...extra], body: asked.method === 'HEAD' ? null : body }
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

function choose(kept: CachedResponse, acceptEncoding: string): Sendable {
  const { br, gzip, plain } = kept
  const taken = readAcceptEncoding(acceptEncoding)
  if (br && taken.br) return br
  if (gzip && taken.gzip) return gzip
  if (plain) return plain
  if (!gzip) throw new Error('A kept answer has neither a plain nor a gzip body.')
  const body = gunzipSync(gzip.body)
  const { 'content-encoding': _, ...headers } = Object.fromEntries(pairsOf(gzip.headers))
  return { headers: listOf({ ...headers, 'content-length': String(body.length) }), body }
}

type Taken = { br: boolean; gzip: boolean }
const MAX_REMEMBERED = 100
/** Browsers send a handful of them, again and again. */
const remembered = new Map<string, Taken>()

/** Which encodings an Accept-Encoding names without refusing them by q=0. */
function readAcceptEncoding(text: string): Taken {
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

/** Whether an If-None-Match names a tag; strong and weak are the same here (RFC 9110, 13.1.2). */
function hasTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.slice('W/'.length)
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque)
}
