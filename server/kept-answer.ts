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
export type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>

export function readIncoming({ method = '', url = '', headers }: Incoming): Asked {
  return {
    method,
    target: url,
    acceptEncoding: headers['accept-encoding']?.toString() ?? '',
    ifNoneMatch: headers['if-none-match'] ?? '',
  }
}

/** An answer that lies ready for everybody who asks for it. */
export type KeptAnswer = {
  /** Weak: one tag stands for every encoding of the same content. */
  etag: string
  notModified: Headers
  br: Sendable | null
  gzip: Sendable | null
  /** Left out where a compressed one is there: the few who take none get it unpacked. */
  plain: Sendable | null
  /** How much memory it takes. */
  bytes: number
}

type Headers = Record<string, string>
type Sendable = { headers: Headers; body: Uint8Array<ArrayBuffer> }
type Bodies = { [Encoding in 'br' | 'gzip' | 'plain']?: Uint8Array<ArrayBuffer> }

// Headers and the object itself; close enough for a limit.
const OVERHEAD_BYTES = 2_000

/**
 * Makes an answer ready.
 * @param content what the tag is made of: the content itself, uncompressed
 * @param headers of every answer, 304 too
 * @param bodies at least one, each in its encoding
 */
export function keepAnswer(content: Uint8Array, headers: Headers, bodies: Bodies): KeptAnswer {
  const hash = createHash('sha256').update(JSON.stringify(headers)).update(content).digest('base64url')
  const etag = `W/"${hash.slice(0, 20)}"`
  const all: Headers = { ...headers, etag, ...(bodies.br || bodies.gzip ? { vary: 'accept-encoding' } : {}) }
  const sendable = (encoding: keyof Bodies): Sendable | null => {
    const body = bodies[encoding]
    if (!body) return null
    const length = { 'content-length': String(body.length) }
    return {
      body,
      headers:
        encoding === 'plain' ? { ...all, ...length } : { ...all, ...length, 'content-encoding': encoding },
    }
  }
  const { 'content-type': _, ...notModified } = all
  return {
    etag,
    notModified,
    br: sendable('br'),
    gzip: sendable('gzip'),
    plain: sendable('plain'),
    bytes: OVERHEAD_BYTES + Object.values(bodies).reduce((sum, body) => sum + body.length, 0),
  }
}

/** An answer as it goes out; null where there is no body, also to HEAD. */
export type Ready = { status: number; headers: Headers; body: Uint8Array<ArrayBuffer> | null }

/**
 * The answer to one request: in the smallest encoding that it takes, or 304 when it has this content already.
 * @param extra headers of this answer alone
 */
export function sendKept(kept: KeptAnswer, asked: Asked, extra: Headers): Ready {
  if (asked.ifNoneMatch && hasTag(asked.ifNoneMatch, kept.etag))
    return { status: 304, headers: { ...kept.notModified, ...extra }, body: null }
  const { headers, body } = choose(kept, asked.acceptEncoding)
  return { status: 200, headers: { ...headers, ...extra }, body: asked.method === 'HEAD' ? null : body }
}

export function toResponse({ body, ...init }: Ready): Response {
  return new Response(body, init)
}

function choose(kept: KeptAnswer, acceptEncoding: string): Sendable {
  const { br, gzip, plain } = kept
  const taken = readAcceptEncoding(acceptEncoding)
  if (br && taken.br) return br
  if (gzip && taken.gzip) return gzip
  if (plain) return plain
  if (!gzip) throw new Error('A kept answer has neither a plain nor a gzip body.')
  const body = gunzipSync(gzip.body)
  const { 'content-encoding': _, ...headers } = gzip.headers
  return { headers: { ...headers, 'content-length': String(body.length) }, body }
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
