import { createCookie } from 'react-router'
import { z } from 'zod'
import { ownCookieName, readCookie } from './cookies.ts'
import { sameText, signText } from './signed.ts'

const ids = z.array(z.string())

/**
 * Reads a list of ids from a signed cookie, by its name with the prefix of https, or else without.
 * @param cookieHeader the request's Cookie header, or null
 * @returns the ids, newest first; empty when the cookie is missing or was tampered with
 */
export async function readSignedList(
  cookieHeader: string | null,
  name: string,
  secret: string,
): Promise<string[]> {
  for (const full of [ownCookieName(name, true), name]) {
    const found = ids.safeParse(await signedCookie(full, secret).parse(cookieHeader))
    const list = found.success ? found.data : await readEarlierForm(cookieHeader, full, secret)
    if (list.length > 0) return list
  }
  return []
}

/**
 * The Set-Cookie value for a list of ids that `readSignedList` reads back and scripts can't see.
 * @param options.maxAgeS the cookie's lifetime in seconds
 */
export function signedListCookie(
  list: readonly string[],
  name: string,
  secret: string,
  options: { maxAgeS: number; isSecure: boolean },
): Promise<string> {
  const full = ownCookieName(name, options.isSecure)
  return signedCookie(full, secret).serialize(list, { maxAge: options.maxAgeS, secure: options.isSecure })
}

/** React Router signs a value without its name. Each name has its own key, so that no cookie can pass as another. */
const signedCookie = (name: string, secret: string) =>
  createCookie(name, { httpOnly: true, secrets: [`cookie:${name}:${secret}`] })

/**
 * Reads the former format 'id.id~signature', which the server sent until November 2026 and browsers keep for up to a
 * year. Delete this in December 2027.
 */
async function readEarlierForm(cookieHeader: string | null, name: string, secret: string): Promise<string[]> {
  const [list, signature] = readCookie(cookieHeader, name)?.split('~') ?? []
  if (!list || !signature) return []
  const right = await signText(secret, `cookie:${name}:${list}`)
  return sameText(signature, right) ? list.split('.') : []
}
