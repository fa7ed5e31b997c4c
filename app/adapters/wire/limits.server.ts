import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'

/** A server sent more than it may: bytes on the connection, or informational responses. */
export class WireLimit extends Error {}

/** Servers send one '103 Early Hints', or a few. Node parses them for ever, and each keeps the main thread busy. */
const MAX_INFORMATIONAL = 8
const CHECK_EVERY_MS = 50

/**
 * Ends a request with a `WireLimit` once its connection has received more than `maxBytes`: headers, informational
 * responses, the framing of chunks and compressed bytes included, none of which a limit of the body counts.
 */
export function limitWire(request: ClientRequest, maxBytes: number): void {
  let informational = 0
  let answer: IncomingMessage | null = null
  const end = () => {
    const error = new WireLimit('the server sent too much')
    // A request that has an answer would destroy it with an error of its own.
    answer?.destroy(error)
    request.destroy(error)
  }
  request.once('response', (response) => {
    answer = response
  })
  request.on('information', () => {
    if (++informational > MAX_INFORMATIONAL) end()
  })
  request.once('socket', (socket) => {
    // A connection that is used again has received other answers.
    const before = socket.bytesRead
    const check = () => {
      if (socket.bytesRead - before > maxBytes) end()
    }
    const timer = setInterval(check, CHECK_EVERY_MS).unref()
    request.once('close', () => clearInterval(timer))
  })
}

/**
 * Makes a `fetch` for services that we have chosen, with a limit of what is received for each request. It follows no
 * redirect, and takes only texts as bodies.
 */
export function fetchWithin(maxBytes: number) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const answer = await ask(new URL(url), init, maxBytes)
    const status = answer.statusCode ?? 0
    if (init.redirect === 'error' && status >= 300 && status < 400) {
      answer.destroy()
      throw new Error(`the service answered ${status}`)
    }
    const headers = new Headers()
    for (const [name, values] of Object.entries(answer.headersDistinct))
      for (const value of values ?? []) headers.append(name, value)
    const isEmpty = status === 204 || status === 205 || status === 304
    if (isEmpty) answer.resume()
    return new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream), { status, headers })
  }
}

function ask(url: URL, init: RequestInit, maxBytes: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', signal } = init
    const body = init.body === undefined || init.body === null ? null : Buffer.from(String(init.body))
    const headers = new Headers(init.headers)
    if (body) headers.set('content-length', String(body.length))
    if (init.body instanceof URLSearchParams && !headers.has('content-type'))
      headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      method,
      headers: Object.fromEntries(headers),
      ...(signal ? { signal } : {}),
    })
    limitWire(request, maxBytes)
    request.once('response', resolve)
    request.once('error', reject)
    request.end(body ?? undefined)
  })
}

/**
 * Reads a response as text.
 * @throws RangeError above `maxCharacters`
 */
export async function readTextWithin(response: Response, maxCharacters: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxCharacters) throw new RangeError('the service’s answer is too long')
  }
  return text
}
