import { normalForm } from './normal-form.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Random bytes are drawn for many ids at once: a call for each takes longer than the rest of the id. */
const POOL_BYTES = 4_096
let pool = new Uint8Array(0)
let used = 0

/**
 * A random identifier in lower-case base 32 without look-alike letters: safe in a URL, a file name and a mail. 26
 * characters carry 130 bits, so ids need no coordination between processes.
 * @param length in characters
 */
export function newId(length = 26): string {
  if (used + length > pool.length) {
    pool = crypto.getRandomValues(new Uint8Array(Math.max(POOL_BYTES, length)))
    used = 0
  }
  let id = ''
  for (const end = used + length; used < end; used++) id += alphabet[(pool[used] ?? 0) % alphabet.length]
  return id
}

/**
 * A readable identifier for a URL: 'Café at the Quay' becomes 'cafe-at-the-quay'. A text without any Latin letter or
 * digit gives ''.
 */
export function toSlug(text: string): string {
  return normalForm(text, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 70)
    .replace(/-$/, '')
}
