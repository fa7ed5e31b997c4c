import type { StoredFile } from '../adapters/file-store/port.ts'

/** The response with a file that people have sent: a picture that we have drawn again, or a PDF. For its readers alone. */
export function sentFile(file: StoredFile & { name: string }): Response {
  const isPdf = file.contentType === 'application/pdf'
  return new Response(file.bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': isPdf ? 'application/pdf' : 'image/webp',
      // A PDF is never opened within the site.
      'content-disposition': `${isPdf ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeURIComponent(file.name.toWellFormed())}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  })
}
