import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Context, MiddlewareHandler } from 'hono'
import { limitedAddress } from '../app/adapters/rate-limits/addresses.ts'
import type { Services } from '../app/services.server.ts'
import {
  BODY_WINDOW_MS,
  BYTES_PER_CHUNK,
  LARGE_BODIES_IN_FLIGHT,
  MAX_BODY_BYTES,
  MAX_SHORT_CHUNKS,
  MIN_BODY_BYTES_PER_WINDOW,
  SMALL_BODIES_IN_FLIGHT,
} from '../app/shared/body-limits.ts'
import { brokenForm, noRoomForBody, tooSlowBody } from '../app/shared/body-refusals.ts'
import {
  createTemporaryFiles,
  isDiskFull,
  type TemporaryFiles,
  temporaryFiles,
} from '../app/shared/temporary-files.server.ts'
import { createBodyBudget } from './body-budget.ts'
import { bodyLimitOf } from './body-limit.ts'
import { clientGone } from './renderer.ts'

/** A body that has arrived: in memory up to 64 kB, otherwise in a file. */
type Read = { in: 'memory'; bytes: Uint8Array<ArrayBuffer> } | { in: 'file'; path: string }
type Unread = 'too large' | 'too slow' | 'too many chunks' | 'gone'

/**
 * Reads every body before its route runs, within the limits of app/shared/body-limits.ts: nothing is parsed that hasn't
 * passed them, no handler waits for a slow sender, and a refusal finds the body read.
 * @param refuseTooLarge makes the response to a body over its route's limit
 */
export function readBodies(
  services: Services,
  refuseTooLarge: (c: Context) => Promise<Response> | Response,
): MiddlewareHandler {
  const large = createBodyBudget(LARGE_BODIES_IN_FLIGHT)
  const small = createBodyBudget(SMALL_BODIES_IN_FLIGHT)
  return async (c, next) => {
    const request = c.req.raw
    // Of GET and HEAD, nothing reads a body.
    if (!request.body) return next()
    const limit = bodyLimitOf(c.req.path)
    const announced = announcedBytes(request.headers)
    if (announced !== null && announced > limit.maxBytes) return refuseTooLarge(c)
    const mayBeLarge = limit.maxBytes > MAX_BODY_BYTES && (announced === null || announced > MAX_BODY_BYTES)
    const isLarge = mayBeLarge && (await limit.maySendMore(services, request))
    if (announced !== null && mayBeLarge && !isLarge) {
      // The route refuses the sender, and gets nothing to read.
      c.req.raw = withoutBody(request)
      return next()
    }
    const maxBytes = isLarge ? limit.maxBytes : MAX_BODY_BYTES
    const release = (isLarge ? large : small).claim(limitedAddress(request), announced ?? maxBytes)
    if (typeof release === 'string') return noRoomForBody(release)
    const files = createTemporaryFiles()
    try {
      const read = await readBody(request.body, { maxBytes, announced }, files)
      if (read === 'too large') return await refuseTooLarge(c)
      if (read === 'too slow') return tooSlowBody()
      if (read === 'too many chunks') return brokenForm()
      if (read === 'gone') return clientGone()
      c.req.raw = withBody(request, read)
      await temporaryFiles.run(files, next)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      return noRoomForBody('process')
    } finally {
      release()
      await files.remove()
    }
  }
}

/** The length that a request announces; null for a body in chunks, which ends when it ends. */
function announcedBytes(headers: Headers): number | null {
  const length = headers.get('content-length')
  return length === null || headers.has('transfer-encoding') ? null : Number(length)
}

/** The same request as an empty form. */
function withoutBody({ url, method, headers, signal }: Request): Request {
  const others = new Headers(headers)
  for (const name of ['content-length', 'content-type']) others.delete(name)
  return new Request(url, { method, headers: others, signal })
}

/** The same request with a body that has been read. */
function withBody({ url, method, headers, signal }: Request, read: Read): Request {
  const body =
    read.in === 'memory'
      ? read.bytes
      : (Readable.toWeb(createReadStream(read.path)) as ReadableStream<Uint8Array<ArrayBuffer>>)
  return new Request(url, { method, headers, signal, body, duplex: 'half' } as RequestInit)
}

/**
 * Reads a body to its end. A body over the limit or under the minimum rate is given up, and so is one whose sender has
 * gone.
 * @param about.announced the announced length; null for a body in chunks
 */
export async function readBody(
  stream: ReadableStream<Uint8Array>,
  about: { maxBytes: number; announced: number | null },
  files: Pick<TemporaryFiles, 'write'>,
): Promise<Read | Unread> {
  const pieces = piecesOf(stream, about)
  try {
    const first = await pieces.next()
    if (first.done) return { in: 'memory', bytes: new Uint8Array() }
    const second = await pieces.next()
    if (second.done) return { in: 'memory', bytes: first.value }
    const all = (async function* () {
      yield first.value
      yield second.value
      yield* pieces
    })()
    return { in: 'file', path: await files.write(all) }
  } catch (error) {
    if (error instanceof BodyGivenUp) return error.reason
    throw error
  } finally {
    await pieces.return()
  }
}

class BodyGivenUp extends Error {
  readonly reason: Unread
  constructor(reason: Unread) {
    super(reason)
    this.reason = reason
  }
}

/**
 * Gathers a body into pieces of 64 kB, the last one shorter. A sender may choose chunks of one byte, each of which would
 * cost an object and a write.
 * @throws BodyGivenUp
 */
async function* piecesOf(
  stream: ReadableStream<Uint8Array>,
  { maxBytes, announced }: { maxBytes: number; announced: number | null },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = stream.getReader()
  let total = 0
  let chunks = 0
  let inWindow = 0
  let isSlow = false
  const timer = setInterval(() => {
    if (inWindow < MIN_BODY_BYTES_PER_WINDOW) {
      isSlow = true
      // Ends the waiting read. The connection stays, for the response.
      void reader.cancel()
    }
    inWindow = 0
  }, BODY_WINDOW_MS)
  let piece = new Uint8Array(Math.min(announced ?? MAX_BODY_BYTES, MAX_BODY_BYTES))
  let filled = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new BodyGivenUp('gone')
      })
      if (isSlow) throw new BodyGivenUp('too slow')
      if (done) break
      total += value.byteLength
      inWindow += value.byteLength
      if (total > maxBytes) throw new BodyGivenUp('too large')
      if (++chunks > MAX_SHORT_CHUNKS + total / BYTES_PER_CHUNK) throw new BodyGivenUp('too many chunks')
      for (let at = 0; at < value.byteLength; ) {
        if (filled === piece.byteLength) {
          if (filled > 0) yield piece
          piece = new Uint8Array(MAX_BODY_BYTES)
          filled = 0
        }
        const part = value.subarray(at, at + piece.byteLength - filled)
        piece.set(part, filled)
        filled += part.byteLength
        at += part.byteLength
      }
    }
    if (filled > 0) yield piece.subarray(0, filled)
  } finally {
    clearInterval(timer)
  }
}
