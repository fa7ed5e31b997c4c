import { signText } from '../../shared/signed.ts'
import { DAY_MS } from '../../shared/time-units.ts'

/** The most businesses on one list. */
export const MAX_ENTRIES = 100
/** The most businesses side by side. More columns than this can't be read on a laptop. */
export const MAX_COMPARED = 4
/** In the address once Compare was pressed: the form's other button sends what is chosen, too. */
export const COMPARE_PRESS = 'press'
export const MAX_NOTE_LENGTH = 300
/** How long a list without an account is kept after its last use: people plan a wedding for a year. */
export const UNUSED_LIST_MS = 365 * DAY_MS
/** How long a removal can be undone. */
export const UNDO_MS = DAY_MS
/** How often reading a list records its use. */
export const USE_RECORDED_MS = DAY_MS

/** The cookie that names a browser's own list. */
export const SHORTLIST_COOKIE = 'jubilee_shortlist'
/** The cookie with the token of a shared list that this browser has joined. */
export const JOINED_COOKIE = 'jubilee_shortlist_joined'
/** Tells scripts that one of them is there, so that the browsers of other visitors make no request. */
export const SHORTLIST_HINT_COOKIE = 'jubilee_shortlist_hint'
export const SHORTLIST_COOKIE_S = UNUSED_LIST_MS / 1000

/** Writes from one IP address: enough for the hearts of a long list, too few for a script. */
export const WRITE_LIMIT = { max: 120, windowMs: 60_000 }
/** New lists from one IP address. */
export const CREATE_LIMIT = { max: 30, windowMs: 3_600_000 }
/** Opened links from one IP address. Tokens can't be guessed; this bounds the load of trying. */
export const LINK_LIMIT = { max: 60, windowMs: 60_000 }

/** The cookie that names a browser which votes on shared lists. */
export const VOTER_COOKIE = 'jubilee_shortlist_voter'
export const MAX_TITLE_LENGTH = 80
/** The most who vote on one list: a large family. */
export const MAX_VOTERS = 50
/** New names of voters from one IP address. */
export const VOTER_LIMIT = { max: 30, windowMs: 3_600_000 }

/** Whether two notes are the same, however the form that sent them has encoded their line breaks. */
export function isSameNote(one: string, other: string): boolean {
  const [a, b] = [one, other].map((note) => note.replace(/\r\n?/g, '\n').trim())
  return a === b
}

/** A token as links have it. */
const TOKEN = /^[\w-]{43}$/

/** Whether a text has the form of a link's token. */
export function isLinkToken(text: string): boolean {
  return TOKEN.test(text)
}

/** The token of a list's link. Only the database's key and our secret together give it. */
export function linkTokenOf(secret: string, shareKey: string): Promise<string> {
  return signText(secret, `shortlist-link:${shareKey}`)
}

/**
 * The visitor of a shortlist.
 * @property ownId the list that the browser's signed cookie names
 * @property joinedHash the hash of the token of the shared list that this browser has joined
 */
export type ShortlistVisitor = { userId: string | null; ownId: string | null; joinedHash: string | null }

/** An owner shares and ends sharing. A guest has come by the link, and only adds, removes and notes. */
export type Role = 'owner' | 'guest'

/**
 * The businesses to compare: those asked for that are on the list, each once, in the order of the list.
 * @param listed the businesses that can be compared, in the order of the list
 */
export function pickCompared(asked: readonly string[], listed: readonly string[]): string[] {
  return listed.filter((id) => asked.includes(id)).slice(0, MAX_COMPARED)
}

/** The position of the lowest of several amounts. null if fewer than two are known, or several are the lowest. */
export function lowestOf(amounts: readonly (number | null)[]): number | null {
  const known = amounts.flatMap((amount) => (amount === null ? [] : [amount]))
  if (known.length < 2) return null
  const lowest = Math.min(...known)
  return known.filter((amount) => amount === lowest).length === 1 ? amounts.indexOf(lowest) : null
}
