import { createECDH } from 'node:crypto'

const CURVE = 'prime256v1'
const PRIVATE_BYTES = 32

/** The key pair by which push services know us (VAPID, RFC 8292), in base64url. */
export type PushKeys = { publicKey: string; privateKey: string }

/** Makes a new pair. Browsers that subscribed with another have to subscribe again. */
export function makePushKeys(): PushKeys {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  // Node leaves out leading zeros.
  const privateKey = Buffer.concat([Buffer.alloc(PRIVATE_BYTES), pair.getPrivateKey()]).subarray(
    -PRIVATE_BYTES,
  )
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}

/**
 * The pair of a private key.
 * @param privateKey in base64url
 * @returns null if it isn't a key
 */
export function pushKeysOf(privateKey: string): PushKeys | null {
  const bytes = Buffer.from(privateKey, 'base64url')
  if (bytes.length !== PRIVATE_BYTES) return null
  const pair = createECDH(CURVE)
  try {
    pair.setPrivateKey(bytes)
    return { publicKey: pair.getPublicKey('base64url'), privateKey: bytes.toString('base64url') }
  } catch {
    // Zero, or not below the curve's order.
    return null
  }
}
