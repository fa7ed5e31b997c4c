/**
 * Parses an address; null if it can't be parsed. `URL.canParse` is newer than the browsers that we support (baseline.ts).
 * @param base the address that a relative one starts from
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
