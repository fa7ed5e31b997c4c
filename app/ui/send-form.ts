/** What came of sending: the answer's status and JSON body, or null when none came. */
export type SentForm = { status: number; body: unknown } | null

/**
 * Posts a form and tells how far it is, which `fetch` can't yet.
 * @param onProgress called with 0 to 1 while the body goes out
 * @param signal stops the sending; the promise then gives null
 */
export function sendForm(
  url: string,
  form: FormData,
  { onProgress, signal }: { onProgress?: (part: number) => void; signal?: AbortSignal } = {},
): Promise<SentForm> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(null)
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    const end = (sent: SentForm) => {
      signal?.removeEventListener('abort', stop)
      resolve(sent)
    }
    request.open('POST', url)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total)
    })
    request.addEventListener('load', () => end({ status: request.status, body: request.response as unknown }))
    request.addEventListener('error', () => end(null))
    request.addEventListener('abort', () => end(null))
    signal?.addEventListener('abort', stop)
    request.send(form)
  })
}
