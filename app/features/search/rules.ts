import { type LocalDate, type LocalTime, minuteOf } from '../../shared/dates.ts'
import type { Months } from '../../shared/periods.ts'
import { CATEGORIES, type Category, OCCASION_CATEGORIES, type Occasion } from '../businesses/rules.ts'
import { categoriesOfService } from '../businesses/service-match-rules.ts'
import type { ServiceId } from '../businesses/service-rules.ts'
import { MAX_HOURS } from '../pricing/limits.ts'

/** The radius of 'near' in km, as the crow flies. The settings can change it. */
export const NEAR_KM = 25

/** The highest exact count of a list, and the number of matches that are ranked. A higher count helps no visitor. */
export const COUNT_CAP = 500

/** The parts of a search that need the calendars of listings. */
type Checked = { date: LocalDate | null; months: Months | null; guests: number | null }

/** Whether availability has to be checked for each business, so that a list reads and counts only what a page needs. */
export function checksAvailability(search: Checked): boolean {
  return search.date !== null || search.months !== null || search.guests !== null
}

/** The matches of a page whose businesses have to be checked, with its neighbours. */
type CheckedPage = { total: number; isOpenEnded: boolean; next: string | null; previous: string | null }

/**
 * The count of a list on one of its pages, with the `seen` of the links to the pages before and after it. A list whose
 * businesses have to be checked knows only the pages that were read, so each page adds its own matches to those before.
 */
export function countSoFar(
  { total, isOpenEnded, next, previous }: CheckedPage,
  search: Checked & { before: string | null; seen: number | null },
): { count: { total: number; isOpenEnded: boolean }; before: number | null; after: number | null } {
  const count = { total, isOpenEnded }
  const isFirst = previous === null
  // An address without `seen` doesn't know the pages before.
  if (!checksAvailability(search) || (!isFirst && search.seen === null))
    return { count, before: null, after: null }
  const seen = isFirst ? 0 : (search.seen ?? 0)
  // On the way back, `seen` counts up to the end of this page.
  const isBack = !isFirst && search.before !== ''
  const start = isBack ? Math.max(0, seen - total) : seen
  const end = isBack ? Math.max(seen, total) : seen + total
  return {
    // An empty page says that none of its businesses match.
    count: total === 0 ? count : { total: end, isOpenEnded: next !== null || end >= COUNT_CAP },
    before: Math.min(start, COUNT_CAP) || null,
    after: Math.min(end, COUNT_CAP) || null,
  }
}

/** How many of the newest matches favoured for their name or the occasion join the ranked pool. */
export const FAVOURED_POOL_SIZE = 100

/** The places of the recommended order, the best first, as the database numbers them (0039_facts.sql). */
export const RECOMMENDED = [4, 3, 2, 1, 0] as const
/** Vendors based at a search's place come before all who travel there: their places are higher by this number. */
export const BASED_PLACES = RECOMMENDED.length
/** More than any match of words and occasion. */
export const BASED_SCORE = 8

/**
 * The limits for one IP address, which a household or a phone network's customers may share. One visitor who types and
 * filters needs a dozen lists and a hundred suggestions a minute. Cached lists don't count.
 */
export const SEARCH_LIMIT = { max: 240, windowMs: 60_000 }
/** What the filters would find, counted after each change: a limit of its own, or counting would use up that of searches. */
export const COUNT_LIMIT = { max: 240, windowMs: 60_000 }
export const SUGGESTION_LIMIT = { max: 600, windowMs: 60_000 }

/** The categories that a search allows: those of its service, else the one that it names, else its occasion's, else all. */
export function categoriesOf(search: {
  category: Category | null
  service: ServiceId | null
  occasion: Occasion | null
}): readonly Category[] {
  if (search.service) return categoriesOfService(search.service)
  if (search.category) return [search.category]
  return search.occasion ? OCCASION_CATEGORIES[search.occasion] : CATEGORIES
}

/** The event's length in whole hours, rounded up, as it is booked and paid. null if the search doesn't give one. */
export function hoursOf(search: {
  from: LocalTime | null
  until: LocalTime | null
  hours: number | null
}): number | null {
  if (!search.from || !search.until) return search.hours
  const minutes = (minuteOf(search.until) - minuteOf(search.from) + 24 * 60) % (24 * 60)
  return Math.min(MAX_HOURS, Math.ceil(minutes / 60)) || null
}
