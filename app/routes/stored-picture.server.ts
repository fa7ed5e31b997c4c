import type { StoredFile } from '../adapters/file-store/port.ts'

/**
 * The answer with a picture that people uploaded. Its address is never used again, so browsers may keep it for ever. The
 * policy keeps a file that is opened on its own from being anything but a picture.
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
