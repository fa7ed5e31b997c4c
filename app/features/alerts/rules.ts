import { addDays, formatDate, HOME_ZONE, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import { addMonths } from '../../shared/periods.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import type { Search } from '../search/schema.ts'

/** The longest address of a search, in characters as it is sent: one in another script takes up to nine for each of its own. */
export const MAX_ADDRESS_LENGTH = 2_000
/** The most alerts of one recipient: a search for each trade of an event, and some more. */
export const MAX_ALERTS = 20
/** The most alerts of an address that wait for its confirmation. */
export const MAX_UNCONFIRMED = 3
/** How long the link of the first mail confirms an address. */
export const CONFIRM_WITHIN_MS = 7 * DAY_MS
/** New alerts from one IP address. */
export const ASK_LIMIT = { max: 20, windowMs: HOUR_MS }
/** Mails that ask one address to confirm. */
export const CONFIRM_MAIL_LIMIT = { max: 3, windowMs: DAY_MS }
/** The same in a week, without those that were confirmed: an address that refuses is asked no more often than a silent one. */
export const MAIL_WEEK_LIMIT = { max: 3, windowMs: 7 * DAY_MS }
/** The longest life of an alert: people plan a wedding for a year. */
const MAX_DAYS = 365
/** How often the searches of a recipient run. Nothing announces that a time is free again, so they ask. */
export const LOOK_EACH_MS = HOUR_MS
/** A recipient gets at most one mail in this time, with all that their searches have found. */
export const MAIL_EACH_MS = DAY_MS
/** How many recipients are read at once, those who have waited longest first. */
export const RECIPIENTS_EACH_BATCH = 500
/** When a run stops beginning new batches. The next one starts ten minutes after this one. */
export const MAX_RUN_MS = 9 * MINUTE_MS
/** How many pages of a search are read for whom it finds. */
export const PAGES_READ = 5
/** How many businesses a mail names. A link leads to the others. */
export const MAX_NAMED = 6

/**
 * Returns the end of an alert: after its search's last day or after a year, by Sydney's clock.
 * @returns null for a search whose days are past
 */
export function alertEnd({ date, months }: Pick<Search, 'date' | 'months'>, now: Date): Date | null {
  const { date: today } = wallTimeAt(now, HOME_ZONE)
  const last = date ?? (months ? addDays(`${addMonths(months.last, 1)}-01`, -1) : null)
  if (last !== null && last < today) return null
  const latest = addDays(today, MAX_DAYS)
  return wallTimeToUtc(addDays(last !== null && last < latest ? last : latest, 1), '00:00', HOME_ZONE)
}

/** The last day of an alert, which ends at midnight: '13 November 2027'. */
export function lastDayText(endsAt: Date): string {
  return formatDate(wallTimeAt(new Date(endsAt.getTime() - 1), HOME_ZONE).date)
}

/** A list's search that can be followed. */
export type AlertOffer = {
  /** 'none' while the search finds no business, 'new' for others than those that it shows. */
  kind: 'none' | 'new'
  /** The address of the list. */
  search: string
  /** The last day of an alert: '13 November 2027'. */
  until: string
}

/** A link of a mail: to one alert that its address has to confirm, or to all alerts of a recipient. */
export type AlertLink = { about: 'confirm' | 'all'; id: string; signature: string }

const TOKEN = /^(confirm|all)\.([\w-]{1,64})\.([\w-]{43})$/

/** Reads the token of a link. @returns null for any other text */
export function readAlertToken(token: string): AlertLink | null {
  const [, about, id, signature] = TOKEN.exec(token) ?? []
  return (about === 'confirm' || about === 'all') && id && signature ? { about, id, signature } : null
}

/** The text whose signature proves that a link is ours. */
export const signedText = (about: AlertLink['about'], id: string) => `alert:${about}:${id}`
