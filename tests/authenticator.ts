import { createHmac } from 'node:crypto'
import type { Client } from './client.ts'

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

/** Finds the secret on the page that sets two-step login up. @returns '' if there is none */
export function keyIn(html: string): string {
  return (/select-all[^>]*>([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '')
}

/** Turns two-step login on with the present code, which leaves the next one. @returns the secret */
export async function turnTwoStepOn(browser: Client): Promise<string> {
  const settings = '/settings-privacy'
  const key = keyIn(await (await browser.post(settings, { intent: 'two-step-begin' })).text())
  await browser.post(settings, { intent: 'two-step-on', code: authenticatorCode(key) })
  return key
}
