import type { StoredFile } from '../adapters/file-store/port.ts'

/**
 * The response with an uploaded picture. Its address is never reused, so browsers may cache it forever. The content
 * security policy ensures that a file opened on its own is only ever a picture.
 */
export function storedPicture(file: StoredFile): Response {
  return new Response(Buffer.from(file.bytes), {
    headers: {
      'content-type': file.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  })
}
