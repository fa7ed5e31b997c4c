import { addDays, type LocalDate } from '../../shared/dates.ts'
import type { Cents, PriceUnit, UnitPrice } from '../../shared/money.ts'
import { normalForm } from '../../shared/normal-form.ts'
import { priceAsked } from '../businesses/asked-rules.ts'
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

/** The radius of 'near' in km, as the crow flies. The settings can change it. */
export const NEAR_KM = 25

/** The highest exact count of a list, and the number of matches that are ranked. A higher count helps no visitor. */
export const COUNT_CAP = 500

/** Whether availability has to be checked for each business, so that a list reads and counts only what a page needs. */
export function checksAvailability(search: Pick<Search, 'date' | 'months' | 'guests'>): boolean {
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
  search: Pick<Search, 'date' | 'months' | 'guests' | 'before' | 'seen'>,
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

/** Further words of a search are ignored, which bounds the cost of its SQL. */
const MAX_WORDS = 8

/** The places of the recommended order, the best first, as the database numbers them (0039_facts.sql). */
export const RECOMMENDED = [4, 3, 2, 1, 0] as const

/** The listings in an era and the eras in a block, as the database numbers them (0011_search.sql). */
export const LISTINGS_IN_ERA = 4_096
export const ERA_BITS = 43
const ERAS_IN_BLOCK = 16

/**
 * The limits for one IP address, which a household or a phone network's customers may share. One visitor who types and
 * filters needs a dozen lists and a hundred suggestions a minute. Cached lists don't count.
 */
export const SEARCH_LIMIT = { max: 240, windowMs: 60_000 }
export const SUGGESTION_LIMIT = { max: 600, windowMs: 60_000 }

/** Words in a listing that suit an occasion. */
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

/** Trades and things that go by several names. A listing with any of them matches. Plurals need no entry. */
export const TRADE_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    accessible: ['wheelchair', 'ramp', 'lift'],
    baker: ['cake', 'baking'],
    band: ['musicians', 'quartet', 'trio', 'duo'],
    bands: ['band', 'musicians', 'quartet', 'trio', 'duo'],
    barbecue: ['bbq', 'smoked', 'grill'],
    barn: ['woolshed', 'shed'],
    bartender: ['bar', 'cocktail'],
    bartenders: ['bar', 'cocktail'],
    bbq: ['barbecue', 'smoked', 'grill'],
    bridal: ['bride', 'brides', 'wedding'],
    bride: ['bridal', 'brides'],
    caterer: ['catering'],
    caterers: ['catering'],
    celebrant: ['officiant'],
    decorations: ['decor', 'styling', 'lanterns', 'balloons'],
    decorator: ['decor', 'styling', 'lanterns', 'balloons'],
    drone: ['aerial'],
    emcee: ['mc', 'host'],
    florist: ['flowers', 'floral', 'bouquets'],
    florists: ['flowers', 'floral', 'bouquets'],
    flowers: ['florist', 'floral', 'bouquets'],
    indian: ['dosa', 'tandoor', 'chaat', 'masala'],
    kids: ['children', 'childrens'],
    limo: ['limousine', 'chauffeur', 'car'],
    limousine: ['limo', 'chauffeur', 'car'],
    makeup: ['make'],
    marquee: ['tent'],
    marriage: ['wedding'],
    mc: ['emcee', 'host'],
    musician: ['musicians', 'band', 'quartet', 'trio', 'duo'],
    musicians: ['band', 'quartet', 'trio', 'duo'],
    officiant: ['celebrant'],
    outdoor: ['garden', 'lawn', 'verandah', 'courtyard', 'terrace'],
    petting: ['farm', 'pony', 'lamb'],
    photos: ['photographer', 'photography'],

    photobooth: ['booth'],
    rooftop: ['roof', 'terrace'],
    singer: ['vocalist', 'soloist', 'singing'],
    tent: ['marquee'],
    tents: ['marquee'],
    video: ['videographer', 'film'],
    videos: ['videographer', 'film'],
    vineyard: ['winery', 'cellar'],
    waterfront: ['harbour', 'jetty', 'river', 'lake', 'bay'],
    wheelchair: ['step', 'ramp', 'lift'],
    winery: ['vineyard', 'cellar', 'wine'],
    xmas: ['christmas'],
  }),
)

/** Words that people add to a search and that tell no listing from another. 'May' is one if it isn't the month. */
const EMPTY_WORDS =
  /^(?:best|top|good|great|nice|cheap|cheapest|affordable|local|live|professional|artists?|hire|rentals?|services?|packages?|prices?|pricing|costs?|find|book|looking|may|need|want|wanted|recommendations?)$/i

/** A text without its empty words: 'marquee hire' is 'marquee'. */
export function withoutEmptyWords(text: string): string {
  return text
    .split(' ')
    .filter((word) => !EMPTY_WORDS.test(word))
    .join(' ')
}

/** The categories that a search allows: the one that it names, else those of its occasion, else all. */
export function categoriesOf(search: Pick<Search, 'category' | 'occasion'>): readonly Category[] {
  if (search.category) return [search.category]
  return search.occasion ? OCCASION_CATEGORIES[search.occasion] : CATEGORIES
}

/**
 * The distinct words of a text as the index stores them: lower case, without accents and apostrophes, at most
 * `MAX_WORDS`. `search_text` in 0011_search.sql does the same to listings.
 */
export function searchWords(text: string): string[] {
  return [...new Set(plainWords(text))].slice(0, MAX_WORDS)
}

/** The key by which names are compared: the words without spaces, such as 'harbourlightpavilion'. */
export function nameKey(text: string): string {
  return plainWords(text).join('')
}

function plainWords(text: string): string[] {
  return normalForm(text.toWellFormed(), 'NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'\u2019]/g, '')
    .split(/[^a-z0-9\u00c0-\u1fff\u2c00-\u2fff\u3040-\uffff]+/u)
    .filter(Boolean)
}

/** Other names that people use for a category. */
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

/** The categories whose name begins with a text, allowing for typing errors: 'photograp', 'Photograhper', 'dj'. */
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
 * Every text that is one typing error away from this one. An error is an extra, missing or wrong letter, or two
 * adjacent letters swapped.
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

/** The number of typing errors between two words, as `editsOf` defines them (optimal string alignment distance). */
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

/** How many typing errors a word may have: none in the shortest words, two in long ones. */
export function errorsForgiven(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2
}

/** The event's length in whole hours, rounded up, as it is booked and paid. null if the search doesn't give one. */
export function hoursOf(search: Pick<Search, 'from' | 'until' | 'hours'>): number | null {
  if (!search.from || !search.until) return search.hours
  const minutes = (minuteOf(search.until) - minuteOf(search.from) + 24 * 60) % (24 * 60)
  return Math.min(MAX_HOURS, Math.ceil(minutes / 60)) || null
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** The search's guests or hours, by which a price of this unit is multiplied. null if the search doesn't give them. */
export function quantityOf(search: Search, unit: PriceUnit): number | null {
  return unit === 'perPerson' ? search.guests : hoursOf(search)
}

/** The hours for which an hourly price counts beside totals for guests, if the search gives no hours. */
export const TYPICAL_HOURS = 4

/**
 * By how much a price of this unit is multiplied to compare it: the quantity if the search gives it. With guests alone
 * an hourly price counts for `TYPICAL_HOURS`, or $650 an hour would stand before $7,560 for everything. Otherwise by
 * one, the least that can be booked.
 */
export function timesOf(search: Search, unit: PriceUnit): number {
  const isBesideTotals = unit === 'perHour' && search.guests !== null && search.per === null
  return quantityOf(search, unit) ?? (isBesideTotals ? TYPICAL_HOURS : 1)
}

/**
 * The price unit that a search requests: the one that it names, else the one whose quantity it gives.
 * @returns null if it names none and gives both quantities or neither
 */
export function requestedUnit(search: Search): PriceUnit | null {
  const hours = hoursOf(search)
  if (search.per) return search.per
  if ((search.guests === null) === (hours === null)) return null
  return hours === null ? 'perPerson' : 'perHour'
}

/**
 * The one price of a listing that filters, order and total use for a search (Decision 28). It's the price of the
 * requested unit. If the search gives both quantities, it's the price with the lower total. In all other cases it's the
 * first price. `sidesOf` in filter-queries.server.ts does the same in SQL.
 */
export function comparedPrice(search: Search, pricing: Pricing): UnitPrice {
  const { secondPrice, priceUnit, priceCents } = pricing
  if (search.per && secondPrice)
    return secondPrice.unit === search.per ? secondPrice : { unit: priceUnit, cents: priceCents }
  return priceAsked({ guests: search.guests, hours: hoursOf(search) }, pricing)
}

/** The total that the booking form would show. null without a price or a quantity. */
export function totalOf(
  search: Search,
  listing: Pricing,
): { cents: Cents; quantity: number; unit: PriceUnit } | null {
  const { unit, cents } = comparedPrice(search, listing)
  const quantity = quantityOf(search, unit)
  return quantity && cents > 0 ? { cents: cents * quantity, quantity, unit } : null
}

/**
 * The total by which a list orders a listing and a budget filters it. For guests alone, that of an hourly price is an
 * example of `TYPICAL_HOURS`.
 */
export function comparedTotalOf(search: Search, listing: Pricing) {
  const total = totalOf(search, listing)
  if (total) return { ...total, isExample: false }
  const { unit, cents } = comparedPrice(search, listing)
  const quantity = timesOf(search, unit)
  const isExample = unit === 'perHour' && search.guests !== null && cents > 0
  return isExample && quantity > 1 ? { cents: cents * quantity, quantity, unit, isExample } : null
}

/**
 * The range of listed prices that a search allows for a unit, both ends included. The budget is divided by the guests
 * or hours: see `timesOf`.
 * @returns null if every price matches, 'none' if no price can
 */
export function pricesOf(search: Search, unit: PriceUnit): { from: Cents; to: Cents } | 'none' | null {
  if (search.per && search.per !== unit) return 'none'
  const { minCents, maxCents, budgetCents } = search
  if (minCents === null && maxCents === null && budgetCents === null) return null
  const affordable = budgetCents === null ? null : Math.floor(budgetCents / timesOf(search, unit))
  const to = Math.min(maxCents ?? MAX_PRICE_CENTS, affordable ?? MAX_PRICE_CENTS)
  const from = Math.max(1, minCents ?? 1)
  return from > to ? 'none' : { from, to }
}

const MAX_PRICE_CENTS: Cents = 99_999_999

/** A rectangle on the map, in degrees. */
export type Box = { south: number; north: number; west: number; east: number }

const KM_PER_DEGREE = 111.195

/** The smallest box that contains a circle. Works for Australia, but not at the poles or the date line. */
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
/** With more squares than this, the box alone is faster. */
const MAX_SQUARES = 40

/** The markers of all quarter-degree squares that a box touches. null if there are more than `MAX_SQUARES`. */
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

/** The newest era, and its share that is filled, from 0 to 1. */
export type NewestEra = { era: number; filled: number }

/** The era of a position. Positions number the listings in order of time. */
export function eraOf(position: bigint): number {
  return Number(position >> BigInt(ERA_BITS))
}

/** The lowest position of an era. */
export function firstPosition(era: number): bigint {
  return BigInt(era) << BigInt(ERA_BITS)
}

/** The most blocks that a search reads before it reads everything. */
const MAX_BLOCKS = 12
/** More eras than this at the end of a stretch are read as a whole block: each marker is one more list to walk. */
const MAX_ERAS = 8
/** Reading a little too much is faster than reading twice. The fewer matches so far, the less reliable the estimate. */
const LEAST_MARGIN = 1.1
const DOUBT = 1.5
/** Beyond this share of all eras, walking more lists than this costs more than it saves. */
const MOST = 0.5
const MAX_LISTS = 7
/** The first stretch covers a market of so few eras: two of three often lack enough matches, and would be read twice. */
export const FEW_ERAS = 3
/** Assumed for an era that may be nearly empty or full. */
export const HALF_FILLED = 0.5

/**
 * A stretch of time.
 * @property markers each listing in it has one of them; a listing beyond its ends may have one, too
 * @property eras its length
 * @property next the era that follows it
 */
export type Stretch = { markers: string[]; eras: number; next: number }

/** How many matches were found in how many eras. */
export type Rate = { eras: number; found: number }

/**
 * The stretch of time that a search reads next, until it has enough matches: first two eras (or all, if they are few), then as many
 * as it should need by the rate so far, then everything. Common words fill a page from a few thousand listings. Rare words are cheap
 * to read everywhere.
 * @param from the era to begin with
 * @param step -1 towards older eras, 1 towards newer ones
 * @param before the rate so far, how many matches are still needed and how many stretches were read; null for the first stretch
 * @param filled the share of the first era that has listings of the stretch
 * @returns null to read everything
 */
export function nextStretch(
  from: number,
  step: 1 | -1,
  before: (Rate & { wanted: number; stretches: number }) | null,
  filled = HALF_FILLED,
): Stretch | null {
  if (!before) {
    const length = step < 0 && from < FEW_ERAS ? Math.max(2, from + 1) : 2
    const markers = Array.from({ length }, (_, index) => `e/${from + index * step}`)
    return { markers, eras: length - 1 + filled, next: from + length * step }
  }
  const { eras, found, wanted, stretches } = before
  const margin = LEAST_MARGIN + DOUBT / Math.sqrt(found)
  const estimate = Math.ceil((eras * wanted * margin) / found + 1 - filled)
  // If the rate is wrong, because all matches are new, the stretches double instead.
  const length = Math.max(estimate, 2 ** stretches)
  if ((step < 0 && length > from) || length > MAX_BLOCKS * ERAS_IN_BLOCK) return null
  const markers: string[] = []
  let next = from
  for (let left = length; left > 0; ) {
    const block = Math.floor(next / ERAS_IN_BLOCK)
    const inBlock = step < 0 ? next - block * ERAS_IN_BLOCK + 1 : (block + 1) * ERAS_IN_BLOCK - next
    const isBlock = left >= inBlock || left > MAX_ERAS
    const taken = isBlock ? inBlock : left
    if (isBlock) markers.push(`f/${block}`)
    else for (let each = 0; each < taken; each++) markers.push(`e/${next + each * step}`)
    next += taken * step
    left -= taken
  }
  const isMost = step < 0 && length > MOST * from
  return isMost && markers.length > MAX_LISTS
    ? null
    : { markers, eras: Math.abs(next - from) - 1 + filled, next }
}

const PRICE_STEPS_PER_OCTAVE = 4

/**
 * The markers of a range of prices of one unit. The steps are quarter octaves, so that low and high steps hold about as
 * many listings. The range is rounded outwards.
 */
export function priceMarkers(unit: PriceUnit, { from, to }: { from: Cents; to: Cents }): string[] {
  const step = (cents: Cents) => Math.floor(Math.log2(cents + 1) * PRICE_STEPS_PER_OCTAVE)
  // One more at either end, since the database's logarithm may round to the other side of a step.
  const [first, last] = [step(from) - 1, step(to) + 1]
  return Array.from({ length: last - first + 1 }, (_, index) => `d/${unit}${first + index}`)
}

/**
 * Picks up to `max` places in order, skipping each that is within `apartKm` of one already picked, so that no two have
 * the same surroundings.
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

/** The date nearest to the typed one that falls on the typed weekday. */
export function nearestWeekday(date: LocalDate, name: string): LocalDate {
  const ahead = (WEEKDAYS.indexOf(name as 'Sunday') - new Date(`${date}T00:00:00Z`).getUTCDay() + 7) % 7
  return addDays(date, ahead > 3 ? ahead - 7 : ahead)
}
