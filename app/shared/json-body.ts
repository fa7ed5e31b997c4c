/**
 * Reads a request's JSON body without ever holding more than the limit.
 * @param maxBytes larger bodies are refused while they arrive
 * @returns null for a body that is too large, or isn't JSON in UTF-8
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<{ value: unknown } | null> {
  const text = await readTextBody(request, maxBytes)
  if (text === null) return null
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

/** Reads a body as UTF-8 text, exactly as it was sent. @returns null when it is too large or isn't UTF-8 */
export async function readTextBody(request: Request, maxBytes: number): Promise<string | null> {
  const reader = request.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > maxBytes) {
        await reader.cancel()
        return null
      }
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    // The body isn't UTF-8, or the client disconnected mid-upload.
    return null
  }
}

/** A JSON response that no cache stores. */
export function jsonAnswer(status: number, body: object, headers?: HeadersInit): Response {
  const all = new Headers(headers)
  all.set('cache-control', 'no-store')
  return Response.json(body, { status, headers: all })
}

/** The time of an answer that names a moment, so that a browser with a wrong clock can count down to it. */
export function dateHeader(now: Date): { date: string } {
  return { date: now.toUTCString() }
}
