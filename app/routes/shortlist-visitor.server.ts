import { href } from 'react-router'
import { limitedAddress } from '../adapters/rate-limits/addresses.ts'
import { takeOverList, type Writer } from '../features/shortlists/commands.server.ts'
import type { ShortlistDeps } from '../features/shortlists/deps.server.ts'
import type { Reason } from '../features/shortlists/messages.ts'
import {
  JOINED_COOKIE,
  linkTokenOf,
  SHORTLIST_COOKIE,
  SHORTLIST_COOKIE_S,
  SHORTLIST_HINT_COOKIE,
} from '../features/shortlists/rules.ts'
import { servicesContext } from '../request-context.server.ts'
import type { Services } from '../services.server.ts'
import { forgottenCookie, ownCookieName, readCookie } from '../shared/cookies.ts'
import { hashText } from '../shared/signed.ts'
import { readSignedList, signedListCookie } from '../shared/signed-cookie.server.ts'
import { findSession } from './require-session.server.ts'

/** The status of a refused change. */
export const SHORTLIST_STATUSES = {
  gone: 410,
  full: 409,
  too_many: 429,
  not_found: 404,
  note: 422,
  note_changed: 409,
  about: 422,
  name: 422,
  no_name: 409,
  unlisted: 404,
  voters_full: 409,
  malformed: 400,
} as const satisfies Record<Reason, number>

type Args = Parameters<typeof findSession>[0]

/** The services of the commands of shortlists. */
export function shortlistDeps({
  db,
  liveUpdates,
  rateLimits,
  now,
  config,
}: Pick<Services, 'db' | 'liveUpdates' | 'rateLimits' | 'now' | 'config'>): ShortlistDeps {
  return { db, liveUpdates, rateLimits, now, secret: config.secret }
}

/**
 * Reads whose shortlist a request is about. An account takes over the list of its browser, here because a visitor may sign
 * in on any page.
 * @returns also the cookies that the response has to set
 */
export async function readShortlistVisitor(
  args: Args,
): Promise<{ visitor: Writer; cookies: Headers; session: Awaited<ReturnType<typeof findSession>> }> {
  const { config, db, liveUpdates, now } = args.context.get(servicesContext)
  const { secret } = config
  const header = args.request.headers.get('cookie')
  const [session, [ownId = null], [joinedToken = null]] = await Promise.all([
    findSession(args),
    readSignedList(header, SHORTLIST_COOKIE, secret),
    readSignedList(header, JOINED_COOKIE, secret),
  ])
  const visitor: Writer = {
    userId: session?.user.uid ?? null,
    ownId,
    joinedHash: joinedToken && (await hashText(joinedToken)),
    address: limitedAddress(args.request),
  }
  const cookies = new Headers()
  if (visitor.userId && ownId) {
    await takeOverList({ db, liveUpdates, now }, { userId: visitor.userId, listId: ownId })
    visitor.ownId = null
    await setShortlistCookie(cookies, { config }, 'own', null)
  }
  await moveCookies(cookies, { config }, header, { own: visitor.ownId, joined: joinedToken })
  return { visitor, cookies, session }
}

/** Moves cookies of https from their names before November 2026. Delete this in December 2027. */
async function moveCookies(
  headers: Headers,
  services: Pick<Services, 'config'>,
  header: string | null,
  values: { own: string | null; joined: string | null },
): Promise<void> {
  if (services.config.publicUrl.protocol !== 'https:') return
  for (const [which, name] of [
    ['own', SHORTLIST_COOKIE],
    ['joined', JOINED_COOKIE],
  ] as const) {
    if (readCookie(header, name) === null) continue
    if (values[which] && readCookie(header, ownCookieName(name, true)) === null)
      await setShortlistCookie(headers, services, which, values[which])
    headers.append('set-cookie', forgottenCookie(name))
  }
}

/**
 * Appends the cookie of the browser's own list or of the list that it has joined, with the hint for scripts.
 * @param value the list's id, or the token of the link; null removes the cookie
 */
export async function setShortlistCookie(
  headers: Headers,
  { config }: Pick<Services, 'config'>,
  which: 'own' | 'joined',
  value: string | null,
): Promise<void> {
  const isSecure = config.publicUrl.protocol === 'https:'
  const name = which === 'own' ? SHORTLIST_COOKIE : JOINED_COOKIE
  const maxAgeS = value === null ? 0 : SHORTLIST_COOKIE_S
  headers.append(
    'set-cookie',
    await signedListCookie(value === null ? [] : [value], name, config.secret, { maxAgeS, isSecure }),
  )
  if (value === null) return
  // It stays when the cookie goes: a request too many does no harm.
  headers.append(
    'set-cookie',
    `${ownCookieName(SHORTLIST_HINT_COOKIE, isSecure)}=1; Path=/; Max-Age=${SHORTLIST_COOKIE_S}; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  )
}

/** Appends the cookie of a browser's own list after an addition: of a new list, or renewed for another year. */
export async function renewOwnCookie(
  headers: Headers,
  services: Pick<Services, 'config'>,
  visitor: Writer,
  added: { id: string; isNew: boolean },
): Promise<void> {
  if (visitor.userId === null && (added.isNew || added.id === visitor.ownId))
    await setShortlistCookie(headers, services, 'own', added.id)
}

/** The full address of a list's link. */
export async function shareAddress({ config }: Pick<Services, 'config'>, shareKey: string): Promise<string> {
  const link = await linkTokenOf(config.secret, shareKey)
  return new URL(href('/shortlist/:link?', { link }), config.publicUrl).href
}
