/** Encrypts single texts of the database, so that its copy is worthless without `SECRET`. */

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The length of AES-GCM's random value, which is never used twice with one key. */
const IV_BYTES = 12

/**
 * Encrypts a text by AES-256-GCM.
 * @param purpose of this one text ('refund-account:…'): a sealed text opens for its own purpose alone
 * @returns base64
 */
export async function sealText(secret: string, purpose: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const key = await keyOf(secret, purpose)
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, encoder.encode(text)),
  )
  return btoa(String.fromCharCode(...iv, ...sealed))
}

/** Decrypts a sealed text. @returns null if it was sealed with another secret or for another purpose, or was changed */
export async function openSealed(secret: string, purpose: string, sealed: string): Promise<string | null> {
  try {
    const bytes = Uint8Array.from(atob(sealed), (letter) => letter.charCodeAt(0))
    const iv = bytes.subarray(0, IV_BYTES)
    const key = await keyOf(secret, purpose)
    return decoder.decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(IV_BYTES)))
  } catch {
    return null
  }
}

async function keyOf(secret: string, purpose: string): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(purpose) },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}
