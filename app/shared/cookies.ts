/**
 * Tells the page's script that a user may be signed in, so that a visitor's browser makes no request.
 * It proves nothing, unlike the httpOnly session. Its value changes at each sign-in, so that other tabs notice.
 */
export const SIGNED_IN_COOKIE = 'jubilee_signed_in'

const MAX_AGE_SECONDS = 60 * 60 * 24 * 30

/**
 * The Set-Cookie values for the hint.
 * @param mark any text that differs between two sign-ins, or null to remove the hint
 */
export function signedInCookies(mark: string | null, publicUrl: URL): string[] {
  const isSecure = publicUrl.protocol === 'https:'
  const value = mark === null ? '=; Max-Age=0' : `=${encodeURIComponent(mark)}; Max-Age=${MAX_AGE_SECONDS}`
  const cookie = `${ownCookieName(SIGNED_IN_COOKIE, isSecure)}${value}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return isSecure ? [cookie, forgottenCookie(SIGNED_IN_COOKIE)] : [cookie]
}

/** Removes the hint from the browser. */
export function forgetSignedIn(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, and answers later.
  for (const cookie of signedInCookies(null, new URL(location.href))) document.cookie = cookie
}

/** With https browsers accept such a cookie only from this very host, so no other host of the domain can plant one. */
const HOST_PREFIX = '__Host-'

/** The full name of one of our cookies. */
export const ownCookieName = (name: string, isSecure: boolean) => (isSecure ? `${HOST_PREFIX}${name}` : name)

/**
 * Reads one of our cookies from a Cookie header or document.cookie. Falls back to the name without the prefix, under which
 * browsers hold cookies from before November 2026 for up to a year. Delete the fallback for https in December 2027.
 */
export const readOwnCookie = (header: string | null, name: string) =>
  readCookie(header, ownCookieName(name, true)) ?? readCookie(header, name)

/** The Set-Cookie value that removes a cookie of a name without the prefix, once it has moved to the one with it. */
export const forgottenCookie = (name: string) => `${name}=; Max-Age=0; Path=/; SameSite=Lax; Secure`

/** Reads one cookie from a Cookie header or document.cookie; null when it is missing or empty. */
export function readCookie(header: string | null, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const [key, ...value] = part.trim().split('=')
    if (key === name) return value.join('=') || null
  }
  return null
}
