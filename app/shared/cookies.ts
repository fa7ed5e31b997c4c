/**
 * Tells the page's script that a user may be signed in, so that a visitor's browser makes no request.
 * It proves nothing, unlike the httpOnly session. Its value changes at each sign-in, so that other tabs notice.
 */
export const SIGNED_IN_COOKIE = 'jubilee_signed_in'

const MAX_AGE_SECONDS = 60 * 60 * 24 * 30

/**
 * The Set-Cookie value for the hint.
 * @param mark any text that differs between two sign-ins, or null to remove the hint
 */
export function signedInCookie(mark: string | null, publicUrl: URL): string {
  const secure = publicUrl.protocol === 'https:' ? '; Secure' : ''
  return mark === null
    ? `${SIGNED_IN_COOKIE}=; Path=/; Max-Age=0; SameSite=Lax${secure}`
    : `${SIGNED_IN_COOKIE}=${encodeURIComponent(mark)}; Path=/; Max-Age=${MAX_AGE_SECONDS}; SameSite=Lax${secure}`
}

/** Removes the hint from the browser. */
export function forgetSignedIn(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, and answers later.
  document.cookie = signedInCookie(null, new URL(location.href))
}

/** Reads one cookie from a Cookie header or document.cookie; null when it is missing or empty. */
export function readCookie(header: string | null, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const [key, ...value] = part.trim().split('=')
    if (key === name) return value.join('=') || null
  }
  return null
}
