/** Texts signed by this server, which it can hand out and trust when they return. */

const encoder = new TextEncoder()

/**
 * HMAC-SHA256 in base64url, 43 characters.
 * @param text begins with its purpose ('booking-link:…'), so that a signature is never valid for another use
 */
export async function signText(secret: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))))
}

/** SHA-256 in base64url, for storing a link's token so that the database doesn't reveal it. */
export async function hashText(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
}

/** Compares in constant time. The lengths are not secret. */
export function sameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (let index = 0; index < one.length; index++)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return difference === 0
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
}
