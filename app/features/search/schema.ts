import { addDays, isLocalDate, isLocalTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import { type Cents, type PriceUnit, parsePrice, toNumericString } from '../../shared/money.ts'
import {
  BUSINESS_ID,
  CATEGORIES,
  type Category,
  MAX_ID_LENGTH,
  OCCASIONS,
  type Occasion,
} from '../businesses/rules.ts'
import { MAX_GUESTS, MAX_HOURS, MAX_LINE_LENGTH } from './limits.ts'

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

export const SORTS = ['relevance', 'newest', 'price'] as const
export type Sort = (typeof SORTS)[number]

/** What a visitor looks for: all of it stands in the address, so that it can be shared and gone back to. */
export type Search = {
  /** Words that must all be found in a business's name, category, description, services or place. */
  q: string
  category: Category | null
  /** Narrows to the categories that an occasion needs, and puts first who speaks of it. */
  occasion: Occasion | null
  /** A suburb, a town or a state; '' for all of Australia. */
  place: string
  /** Around the place as well: `NEAR_KM` as the crow flies. Only with a suburb or town. */
  near: boolean
  date: LocalDate | null
  /** The weekday that was written, where that day is another one; '' where they agree. */
  weekday: string
  from: LocalTime | null
  /** At or before `from` it is the next day. Only with `from`. */
  until: LocalTime | null
  /** How long, in whole hours, where no end is said. */
  hours: number | null
  guests: number | null
  /** The most that all of it may cost, for the guests or the hours asked for. */
  budgetCents: Cents | null
  /** The listed price, for one hour or one person. */
  minCents: Cents | null
  maxCents: Cents | null
  /** Only listings whose price is per this. */
  per: PriceUnit | null
  /** null: by relevance where there are words or an occasion, else the newest first. */
  sort: Sort | null
  /** The last one on the page before, or the first one on the page after: see `readCursor` of each sort. */
  after: string
  before: string
}

export const NO_SEARCH: Search = {
  q: '',
  category: null,
  occasion: null,
  place: '',
  near: false,
  date: null,
  weekday: '',
  from: null,
  until: null,
  hours: null,
  guests: null,
  budgetCents: null,
  minCents: null,
  maxCents: null,
  per: null,
  sort: null,
  after: '',
  before: '',
}

export const MAX_PLACE_LENGTH = 100
export const MAX_BUDGET_CENTS: Cents = 99_999_999
/** Two numbers and an id. */
const MAX_CURSOR_LENGTH = MAX_ID_LENGTH + 40

/**
 * Reads a search from an address. Nothing there can be wrong: what is not understood is left out, and of what is
 * repeated the first counts. `page`, by which lists were once addressed, is no longer understood: it leads to the
 * beginning.
 */
export function readSearch(parameters: URLSearchParams): Search {
  const text = (name: string) => parameters.get(name) ?? ''
  const oneOf = <T extends string>(name: string, known: readonly T[]) =>
    known.find((each) => each === text(name)) ?? null
  const place = tidy(text('place'), MAX_PLACE_LENGTH)
  const from = isLocalTime(text('from')) ? text('from') : null
  const until = from && isLocalTime(text('until')) && text('until') !== from ? text('until') : null
  const minCents = readAmount(text('min'))
  const maxCents = readAmount(text('max'))
  const isTurned = minCents !== null && maxCents !== null && minCents > maxCents
  const after = readCursor(text('after'))
  const date = isLocalDate(text('date')) ? text('date') : null
  const weekday = oneOf('weekday', WEEKDAYS)
  return {
    q: tidy(text('q'), MAX_LINE_LENGTH),
    category: oneOf('category', CATEGORIES),
    occasion: oneOf('occasion', OCCASIONS),
    place,
    near: place !== '' && text('near') === '1',
    date,
    weekday: date && weekday && weekday !== weekdayOf(date) ? weekday : '',
    from,
    until,
    hours: until ? null : readCount(text('hours'), MAX_HOURS),
    guests: readCount(text('guests'), MAX_GUESTS),
    budgetCents: readAmount(text('budget')),
    minCents: isTurned ? maxCents : minCents,
    maxCents: isTurned ? minCents : maxCents,
    per: oneOf('per', ['perPerson', 'perHour'] as const),
    sort: oneOf('sort', SORTS),
    after,
    before: after ? '' : readCursor(text('before')),
  }
}

/** What `readSearch` reads of an address. */
export const SEARCH_PARAMETERS = [
  'q',
  'category',
  'occasion',
  'place',
  'near',
  'date',
  'weekday',
  'from',
  'until',
  'hours',
  'guests',
  'budget',
  'min',
  'max',
  'per',
  'sort',
  'after',
  'before',
] as const

/**
 * The address of a list with a search; what is empty is left out and the order is that of the alphabet, as in the names
 * of kept pages, so that one search has one address.
 * @param path of the list, such as '/venues-vendors'
 */
export function searchHref(path: string, search: Partial<Search>): string {
  const parameters = new URLSearchParams()
  const set = (name: string, value: string | number | null | undefined) => {
    if (value) parameters.set(name, String(value))
  }
  const dollars = (cents: Cents | null | undefined) =>
    cents === null || cents === undefined ? null : toNumericString(cents).replace(/\.00$/, '')
  set('q', search.q)
  set('category', search.category)
  set('occasion', search.occasion)
  set('place', search.place)
  set('near', search.near && search.place ? 1 : null)
  set('date', search.date)
  set('weekday', search.weekday)
  set('from', search.from)
  set('until', search.until)
  set('hours', search.hours)
  set('guests', search.guests)
  set('budget', dollars(search.budgetCents))
  set('min', dollars(search.minCents))
  set('max', dollars(search.maxCents))
  set('per', search.per)
  const wished = { q: search.q ?? '', occasion: search.occasion ?? null, sort: search.sort ?? null }
  // The order that it has anyway is not said.
  set('sort', sortOf(wished) === sortOf({ ...wished, sort: null }) ? null : search.sort)
  set('after', search.after)
  set('before', search.before)
  parameters.sort()
  const query = parameters.toString()
  return query ? `${path}?${query}` : path
}

/** The sort that a search has when it names none: by relevance where something can be more or less relevant. */
export function sortOf(search: Pick<Search, 'sort' | 'q' | 'occasion'>): Sort {
  const usual = search.q || search.occasion ? 'relevance' : 'newest'
  return search.sort === null || (search.sort === 'relevance' && usual === 'newest') ? usual : search.sort
}

/** Whether the search leaves anything out or asks for anything, whatever its order and page. */
export function isSearching(search: Search): boolean {
  return searchHref('', { ...search, sort: null, after: '', before: '' }) !== ''
}

/** One line of text, no longer than so many characters. */
export function tidy(text: string, length: number): string {
  // Cut by character: half of an emoji is not a letter that an address can carry.
  return Array.from(
    text
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
    .slice(0, length)
    .join('')
    .trim()
}

function readCount(text: string, max: number): number | null {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= max ? count : null
}

function readAmount(text: string): Cents | null {
  const cents = parsePrice(text.slice(0, 20))
  return cents !== null && cents > 0 && cents <= MAX_BUDGET_CENTS ? cents : null
}

/** A place in a list: up to two whole numbers and the id of a business, parted by dots. */
function readCursor(text: string): string {
  if (text.length > MAX_CURSOR_LENGTH) return ''
  const parts = text.split('.')
  const id = parts.pop() ?? ''
  const isWhole = BUSINESS_ID.test(id) && parts.length <= 2 && parts.every((part) => /^\d{1,18}$/.test(part))
  return isWhole ? text : ''
}

/** The English name of a day's weekday. */
export function weekdayOf(date: LocalDate): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'Sunday'
}

/** The weekday that was written, nearest to the day that was written: what somebody may have meant. */
export function nearestWeekday(date: LocalDate, name: string): LocalDate {
  const ahead = (WEEKDAYS.indexOf(name as 'Sunday') - new Date(`${date}T00:00:00Z`).getUTCDay() + 7) % 7
  return addDays(date, ahead > 3 ? ahead - 7 : ahead)
}
