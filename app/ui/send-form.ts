/** The response's status and JSON body, or null when there was no response. */
export type SentForm = { status: number; body: unknown } | null

/**
 * Posts a form and reports upload progress, which `fetch` can't do yet.
 * @param options.onProgress called with 0 to 1 while the body is uploaded
 * @param options.signal aborts the request; the promise then resolves to null
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
