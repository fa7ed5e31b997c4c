import { addDays, type LocalDate } from '../../shared/dates.ts'
import type { Cents, PriceUnit, UnitPrice } from '../../shared/money.ts'
import {
  CATEGORIES,
  type Category,
  OCCASION_CATEGORIES,
  type Occasion,
  type Pricing,
} from '../businesses/rules.ts'
import { type Coordinates, distanceKm } from '../places/rules.ts'
import { MAX_HOURS } from './limits.ts'
import type { Search } from './schema.ts'

/** 'near' is within this, as the crow flies, unless the settings say otherwise. */
export const NEAR_KM = 25

/** Lists are counted to here and no further: beyond, the exact number helps nobody. So many are ranked, too. */
export const COUNT_CAP = 500

/** How many of the newest matches that are favoured, by their name or the occasion, join the pool. */
export const FAVOURED_POOL_SIZE = 100

/** At most so many words are looked for, so that a query stays a query. */
const MAX_WORDS = 8

/** How many listings share an era, and how many eras a block; the database numbers them so (0011_search.sql). */
export const LISTINGS_IN_ERA = 4_096
const ERA_BITS = 43n
const ERAS_IN_BLOCK = 16

/**
 * From one address, behind which a whole household or a phone network's customers may be. Somebody who types and filters
 * asks for a dozen lists and a hundred suggestions a minute, and lists that lie ready are not counted.
 */
export const SEARCH_LIMIT = { max: 240, windowMs: 60_000 }
export const SUGGESTION_LIMIT = { max: 600, windowMs: 60_000 }

/** What speaks of an occasion, beside its categories. */
export const OCCASION_WORDS: Record<Occasion, readonly string[]> = {
  wedding: ['wedding', 'bride', 'bridal', 'groom', 'marry', 'elopement', 'vows'],
  birthday: ['birthday', 'party', 'candles'],
  corporate: ['corporate', 'office', 'conference', 'launch', 'team', 'meeting'],
  engagement: ['engagement', 'engaged', 'proposal'],
  christening: ['christening', 'baptism', 'naming', 'baby'],
  anniversary: ['anniversary', 'reunion'],
  'end-of-year': ['christmas', 'staff', 'team', 'office'],
  memorial: ['memorial', 'wake', 'funeral', 'farewell'],
}

/** The categories that a search keeps to; all of them when it names none. An occasion only adds to a named category. */
export function categoriesOf(search: Pick<Search, 'category' | 'occasion'>): readonly Category[] {
  if (search.category) return [search.category]
  return search.occasion ? OCCASION_CATEGORIES[search.occasion] : CATEGORIES
}

/**
 * The words of a text as the database has them: lower case, without accents and apostrophes, each once.
 * `search_text` in 0011_search.sql does the same to listings.
 */
export function searchWords(text: string): string[] {
  return [...new Set(plainWords(text))].slice(0, MAX_WORDS)
}

/** The text as names are compared: its words without the spaces between them, 'harbourlightpavilion'. */
export function nameKey(text: string): string {
  return plainWords(text).join('')
}

function plainWords(text: string): string[] {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'\u2019]/g, '')
    .split(/[^a-z0-9\u00c0-\u1fff\u2c00-\u2fff\u3040-\uffff]+/u)
    .filter(Boolean)
}

/** What people call a category, beside its own name. */
const CATEGORY_NAMES: Record<Category, readonly string[]> = {
  Venues: ['venue', 'function', 'hall', 'room', 'reception'],
  Photographers: ['photography'],
  Hairdresser: ['hairdressing', 'hairstylist', 'salon', 'barber'],
  'Sounds & DJ': ['dj', 'music', 'band', 'sounds'],
  Catering: ['caterer', 'food', 'cake'],
  Videographers: ['videography', 'film'],
  'Event Planners': ['planner', 'coordinator', 'event'],
  Extras: ['hire', 'flowers', 'florist', 'marquee', 'decorations'],
}

/** The categories that a text is the beginning of, typing errors forgiven: 'photograp', 'Photograhper', 'dj'. */
export function categoriesLike(text: string): Category[] {
  const typed = nameKey(text)
  if (typed.length < 2) return []
  return CATEGORIES.filter((category) =>
    [nameKey(category), ...plainWords(category), ...CATEGORY_NAMES[category]].some(
      (name) =>
        name.startsWith(typed) ||
        (typed.length >= 4 && typingErrors(typed, name.slice(0, typed.length)) <= errorsForgiven(typed)),
    ),
  )
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Everything that one typing error away from this text could have been meant: a letter too many, one missing, a wrong
 * one, or two in the wrong order.
 */
export function editsOf(text: string): string[] {
  const edits = new Set<string>()
  for (let at = 0; at <= text.length; at++) {
    const before = text.slice(0, at)
    const after = text.slice(at)
    if (after) edits.add(before + after.slice(1))
    if (after.length > 1) edits.add(before + after[1] + after[0] + after.slice(2))
    for (const letter of LETTERS) {
      edits.add(before + letter + after)
      if (after) edits.add(before + letter + after.slice(1))
    }
  }
  edits.delete(text)
  edits.delete('')
  return [...edits]
}

/** How many typing errors part two words, as `editsOf` counts them. */
export function typingErrors(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1)
      next.push(least)
    }
    beforeLast = last
    last = next
  }
  return last[b.length] ?? 0
}

/** How many errors a word may have and still be taken for another: none in the shortest, two in the long. */
export function errorsForgiven(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2
}

/** The length of the event in whole hours, as it is booked and paid: begun hours count. null where nothing says it. */
export function hoursOf(search: Pick<Search, 'from' | 'until' | 'hours'>): number | null {
  if (!search.from || !search.until) return search.hours
  const minutes = (minuteOf(search.until) - minuteOf(search.from) + 24 * 60) % (24 * 60)
  return Math.min(MAX_HOURS, Math.ceil(minutes / 60)) || null
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** What a listing's price is multiplied by, for the guests or hours asked for; null where the search says neither. */
export function quantityOf(search: Search, unit: PriceUnit): number | null {
  return unit === 'perPerson' ? search.guests : hoursOf(search)
}

/**
 * The unit that a search asks for: the one that it names, else the one whose quantity it says.
 * @returns null where it names none and says both quantities, or neither
 */
export function askedUnit(search: Search): PriceUnit | null {
  const hours = hoursOf(search)
  if (search.per) return search.per
  if ((search.guests === null) === (hours === null)) return null
  return hours === null ? 'perPerson' : 'perHour'
}

/**
 * The price of a listing that counts for a search: filters, order and total go by this one alone (Decision 28). It is the
 * price of the unit that is asked for; where both quantities are said, the one with the lower total; otherwise, and for
 * a listing without that unit, the first. `sidesOf` in filter-queries.server.ts says the same in SQL.
 */
export function comparedPrice(search: Search, { priceCents, priceUnit, secondPrice }: Pricing): UnitPrice {
  const first = { unit: priceUnit, cents: priceCents }
  if (!secondPrice) return first
  const asked = askedUnit(search)
  if (asked) return secondPrice.unit === asked ? secondPrice : first
  const total = ({ unit, cents }: UnitPrice) => cents * (quantityOf(search, unit) ?? 1)
  const saysBoth = search.guests !== null && hoursOf(search) !== null
  return saysBoth && total(secondPrice) < total(first) ? secondPrice : first
}

/** What all of it would cost, as the booking form works it out; null without a price or a quantity. */
export function totalOf(
  search: Search,
  listing: Pricing,
): { cents: Cents; quantity: number; unit: PriceUnit } | null {
  const { unit, cents } = comparedPrice(search, listing)
  const quantity = quantityOf(search, unit)
  return quantity && cents > 0 ? { cents: cents * quantity, quantity, unit } : null
}

/**
 * The listed prices that a search allows a unit, from and to, both included. A budget counts for the guests or hours
 * asked for; where these are not said, for one of them, since nothing less can be booked.
 * @returns null when any price will do, 'none' when no price can
 */
export function pricesOf(search: Search, unit: PriceUnit): { from: Cents; to: Cents } | 'none' | null {
  if (search.per && search.per !== unit) return 'none'
  const { minCents, maxCents, budgetCents } = search
  if (minCents === null && maxCents === null && budgetCents === null) return null
  const affordable = budgetCents === null ? null : Math.floor(budgetCents / (quantityOf(search, unit) ?? 1))
  const to = Math.min(maxCents ?? MAX_PRICE_CENTS, affordable ?? MAX_PRICE_CENTS)
  const from = Math.max(1, minCents ?? 1)
  return from > to ? 'none' : { from, to }
}

const MAX_PRICE_CENTS: Cents = 99_999_999

/** A place on Earth with its sides, in degrees. */
export type Box = { south: number; north: number; west: number; east: number }

const KM_PER_DEGREE = 111.195

/** The smallest box of degrees that holds a circle. Good for Australia, not for the poles and the date line. */
export function boxAround({ latitude, longitude }: Coordinates, radiusKm: number): Box {
  const height = radiusKm / KM_PER_DEGREE
  const width = height / Math.cos(((Math.abs(latitude) + height) * Math.PI) / 180)
  return {
    south: latitude - height,
    north: latitude + height,
    west: longitude - width,
    east: longitude + width,
  }
}

const SQUARES_PER_DEGREE = 4
/** More squares than this are no help: the box alone decides then. */
const MAX_SQUARES = 40

/** The markers of all squares of a quarter degree that a box touches; null when there are too many to be of use. */
export function squaresOf(box: Box): string[] | null {
  const index = (degrees: number) => Math.floor(degrees * SQUARES_PER_DEGREE)
  const squares: string[] = []
  for (let row = index(box.south); row <= index(box.north); row++) {
    for (let column = index(box.west); column <= index(box.east); column++) {
      if (squares.length === MAX_SQUARES) return null
      squares.push(`g/${row}:${column}`)
    }
  }
  return squares
}

/** The era of a position, the number that puts listings in the order of time. */
export function eraOf(position: bigint): number {
  return Number(position >> ERA_BITS)
}

/** How many blocks a search names at once, before it looks at everything. */
const MAX_BLOCKS = 12
/** More eras than this at the end of a stretch are named by their block: every name more is a list more to walk. */
const MAX_ERAS = 8
/** A little more is read sooner than a second time, and the less was found, the less it tells. */
const LEAST_MARGIN = 1.1
const DOUBT = 1.5
/** Beyond this part of all eras more lists than this cost more than they leave out. */
const MOST = 0.5
const MAX_LISTS = 7

/** A stretch of time: markers of which a listing in it has one, and how many eras of listings it holds. */
export type Stretch = { markers: string[]; eras: number }

/**
 * The stretch of time that a search looks into next, until it has enough: first two eras, then as many as should do by
 * what those gave, then everything. Common words are found in a few thousand listings; rare ones cost nothing anywhere.
 * @param from the era to begin with
 * @param step -1 towards older ones, 1 towards newer
 * @param before the stretch before, how many it gave and how many are wanted; null at first
 * @returns null for everything
 */
export function nextStretch(
  from: number,
  step: 1 | -1,
  before: { stretch: Stretch; found: number; wanted: number } | null,
): Stretch | null {
  if (!before) return { markers: [`e/${from}`, `e/${from + step}`], eras: 1.5 }
  const { stretch, found, wanted } = before
  const margin = LEAST_MARGIN + DOUBT / Math.sqrt(found)
  // The first era is begun or full, who knows.
  const length = Math.ceil((stretch.eras * wanted * margin) / found + 0.5)
  if ((step < 0 && length > from) || length > MAX_BLOCKS * ERAS_IN_BLOCK) return null
  const markers: string[] = []
  for (let era = from, left = length; left > 0; ) {
    const block = Math.floor(era / ERAS_IN_BLOCK)
    const inBlock = step < 0 ? era - block * ERAS_IN_BLOCK + 1 : (block + 1) * ERAS_IN_BLOCK - era
    const isBlock = left >= inBlock || left > MAX_ERAS
    if (isBlock) markers.push(`f/${block}`)
    else for (let each = 0; each < left; each++) markers.push(`e/${era + each * step}`)
    era += inBlock * step
    left -= inBlock
  }
  const isMost = step < 0 && length > MOST * from
  return isMost && markers.length > MAX_LISTS ? null : { markers, eras: length - 0.5 }
}

const PRICE_STEPS_PER_OCTAVE = 4

/**
 * The markers of all prices of a unit from one to another: prices are marked in steps of a quarter octave, so that a
 * step holds about as many at either end. The ends are rounded outwards.
 */
export function priceMarkers(unit: PriceUnit, { from, to }: { from: Cents; to: Cents }): string[] {
  const step = (cents: Cents) => Math.floor(Math.log2(cents + 1) * PRICE_STEPS_PER_OCTAVE)
  // One more at either end, should the database's logarithm fall on the other side of a step.
  const [first, last] = [step(from) - 1, step(to) + 1]
  return Array.from({ length: last - first + 1 }, (_, index) => `d/${unit}${first + index}`)
}

/**
 * The first of some places, then those that lie further than so many km from all that were picked before, so that no
 * two have the same surroundings.
 */
export function pickApart<P extends Coordinates>(places: readonly P[], apartKm: number, max: number): P[] {
  const picked: P[] = []
  for (const place of places) {
    if (picked.length === max) break
    if (picked.every((other) => distanceKm(other, place) > apartKm)) picked.push(place)
  }
  return picked
}

export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

/** The English name of a day's weekday. */
export function weekdayOf(date: LocalDate): (typeof WEEKDAYS)[number] {
  return WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? 'Sunday'
}

/** The weekday that was written, nearest to the day that was written: what somebody may have meant. */
export function nearestWeekday(date: LocalDate, name: string): LocalDate {
  const ahead = (WEEKDAYS.indexOf(name as 'Sunday') - new Date(`${date}T00:00:00Z`).getUTCDay() + 7) % 7
  return addDays(date, ahead > 3 ? ahead - 7 : ahead)
}
