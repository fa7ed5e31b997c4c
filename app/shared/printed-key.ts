/** The parameter of a printed address that has the key. */
export const PRINTED_KEY_PARAMETER = 'key'

/** The address of a screen for this machine's own visitors, as the start prints it. @param path without its first slash */
export function printedAddress(path: string, config: { publicUrl: URL; printedKey: string }): string {
  const url = new URL(path, config.publicUrl)
  url.searchParams.set(PRINTED_KEY_PARAMETER, config.printedKey)
  return url.href
}
