const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A random identifier in lower-case base 32 without look-alike letters: safe in a URL, a file name and a mail. 26
 * characters carry 130 bits, so ids need no coordination between processes.
 * @param length in characters
 */
export function newId(length = 26): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
}

/**
 * A readable identifier for a URL: 'Café at the Quay' becomes 'cafe-at-the-quay'. A text without any Latin letter or
 * digit gives ''.
 */
export function toSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 70)
    .replace(/-+$/, '')
}
