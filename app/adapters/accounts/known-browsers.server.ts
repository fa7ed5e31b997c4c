import { newId } from '../../shared/ids.ts'
import { readSignedList, signedListCookie } from '../../shared/signed-cookie.server.ts'

const COOKIE = 'jubilee.known_browser'
const LIFE_S = 365 * 24 * 3_600
/** Enough for a shared family computer. Beyond this, the least recently used account is dropped. */
const MAX_ACCOUNTS = 5

/** A browser that signed in before, and the accounts that it signed in to. */
export type KnownBrowser = { id: string; userIds: readonly string[] }

export type KnownBrowsers = {
  /** Returns null for a browser that never signed in, or whose cookie was tampered with. */
  find(request: Request): Promise<KnownBrowser | null>
  /**
   * The Set-Cookie value that makes a browser known to an account for a year. The cookie outlives the session and opens
   * nothing. It only stops other people's wrong passwords from counting against this browser.
   */
  cookieFor(request: Request, userId: string): Promise<string>
}

/** @param options.publicUrl decides whether the cookie is Secure */
export function createKnownBrowsers(options: { publicUrl: URL; secret: string }): KnownBrowsers {
  const { secret } = options
  const secure = options.publicUrl.protocol === 'https:'

  async function find(request: Request): Promise<KnownBrowser | null> {
    const [id, ...userIds] = await readSignedList(request.headers.get('cookie'), COOKIE, secret)
    return id ? { id, userIds } : null
  }

  return {
    find,
    async cookieFor(request, userId) {
      const before = await find(request)
      const others = before?.userIds.filter((id) => id !== userId) ?? []
      const list = [before?.id ?? newId(), userId, ...others].slice(0, 1 + MAX_ACCOUNTS)
      return signedListCookie(list, COOKIE, secret, { maxAgeS: LIFE_S, isSecure: secure })
    },
  }
}
