import { createHmac } from 'node:crypto'

const STEP_MS = 30_000
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * The code that an authenticator app shows (RFC 6238), written apart from the product's own library.
 * @param key the secret in base 32
 * @param stepsAhead 0 for the present code. The product accepts one step before and after it, and each code once; one of
 *   before may be too old when it arrives
 */
export function authenticatorCode(key: string, stepsAhead = 0): string {
  const bits = [...key].map((letter) => BASE_32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + stepsAhead))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const start = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(start) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
