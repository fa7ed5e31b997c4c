import { formatDay, type LocalDate } from '../../shared/dates.ts'
import { formatMoney, type PriceUnit } from '../../shared/money.ts'
import { CATEGORY_TEXTS, distanceText, OCCASION_NAMES, UNIT_TEXTS } from '../businesses/messages.ts'
import type { Sort } from './filter-rules.ts'
import { COUNT_CAP, nearestWeekday } from './rules.ts'
import type { Search } from './schema.ts'

export const LINE_LABEL = 'What, where and when?'
export const QUERY_EXAMPLE = 'Garden venue, 14 March, 90 guests, near Geelong, up to $8,000'
export const SEARCH_TEXT = 'Search'
export const ALL_BEST_TEXT = `These are the ${COUNT_CAP} that fit best.`
export const SORT_TEXTS = {
  relevance: 'Best match',
  newest: 'Newest',
  price: 'Lowest price',
} as const satisfies Record<Sort, string>

const whole = new Intl.NumberFormat('en-AU')

/** '$8,000' where there are no cents: for lines that are read aloud and edited. */
export function shortMoney(cents: number): string {
  return cents % 100 === 0 ? `$${whole.format(cents / 100)}` : formatMoney(cents)
}

/**
 * '24 businesses'; '500+ businesses' beyond what is counted, and '24+ can be booked then' where the rest was not asked.
 * @param isDated whether only those were counted that can be booked on a day
 */
export function foundText(
  { total, isOpenEnded }: { total: number; isOpenEnded: boolean },
  isDated = false,
): string {
  const count = `${Math.min(total, COUNT_CAP)}${isOpenEnded ? '+' : ''}`
  const businesses = count === '1' ? '1 business' : `${count} businesses`
  return isDated ? `${businesses} can be booked then` : businesses
}

/** '1 guest', '90 guests'. */
export function guestsText(guests: number): string {
  return guests === 1 ? '1 guest' : `${whole.format(guests)} guests`
}

/** '1 hour', '7 hours'. */
export function hoursText(hours: number): string {
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/** What a total is for: 'for 90 guests', 'for 7 hours'. */
export function forQuantityText(quantity: number, unit: PriceUnit): string {
  return `for ${unit === 'perPerson' ? guestsText(quantity) : hoursText(quantity)}`
}

/** The listed price that a search asks for; '' where it asks for none. */
export function priceText({
  minCents,
  maxCents,
  per,
}: Pick<Search, 'minCents' | 'maxCents' | 'per'>): string {
  const unit = per ? ` ${UNIT_TEXTS[per]}` : ' each'
  if (minCents !== null && maxCents !== null)
    return `${shortMoney(minCents)} to ${shortMoney(maxCents)}${unit}`
  if (maxCents !== null) return `up to ${shortMoney(maxCents)}${unit}`
  return minCents === null ? '' : `from ${shortMoney(minCents)}${unit}`
}

/** 'Catering near Geelong': what a list is of, for its heading and its title. */
export function headingOf(search: Search, everything: string): string {
  const { category, occasion, place, near, q } = search
  const subject = category ? CATEGORY_TEXTS[category].heading : everything
  return [
    subject,
    occasion ? `for ${anOccasion(OCCASION_NAMES[occasion])}` : '',
    place ? `${near ? 'near' : 'in'} ${place}` : '',
    q ? `with “${q}”` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** 'a wedding', 'an anniversary'. */
export function anOccasion(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name.toLowerCase()}`
}

/** Something about the answer that a person should know, with where it leads. */
export type Note = { text: string; links?: { label: string; search: Search }[] }

/** What has to be said beside an answer: what was guessed, what was put in the place of a typing error, and dates. */
export function notesOf(
  search: Search,
  answer: {
    place: { label: string; others: string[]; isGuess: boolean } | 'unknown' | null
    corrections: { typed: string; used: string[] }[]
  },
  today: LocalDate,
): Note[] {
  const notes: Note[] = []
  const { date, weekday, place } = search
  const whole = { ...search, after: '', before: '' }
  if (date && weekday) {
    const meant = nearestWeekday(date, weekday)
    notes.push({
      text: `${formatDay(date).replace(' ', ', ')} is not a ${weekday}.`,
      links: [{ label: `${formatDay(meant)} instead`, search: { ...whole, date: meant, weekday: '' } }],
    })
  }
  if (date && date < today) notes.push({ text: 'That day is over: nothing can be booked on it.' })
  if (answer.place === 'unknown')
    notes.push({
      text: `We don’t know a place called “${place}”. Try the nearest suburb or town.`,
      links: [{ label: 'Anywhere in Australia', search: { ...whole, place: '', near: false } }],
    })
  else if (answer.place?.isGuess)
    notes.push({ text: `We don’t know a place called “${place}”, so this is ${answer.place.label}.` })
  else if (answer.place && answer.place.others.length > 0)
    notes.push({
      text: `This is ${answer.place.label}. There are others:`,
      links: answer.place.others.map((label) => ({ label, search: { ...whole, place: label } })),
    })
  for (const { typed, used } of answer.corrections) {
    notes.push({ text: `Showing ${joined(used)} for “${typed}”.` })
  }
  return notes
}

function joined(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(' or ')
}

export const TOO_MANY_TITLE = 'A moment, please'
export const TOO_MANY_TEXT =
  'Many searches came from your network just now. What you asked for is still in the form: it will be answered in a minute.'
export const TRY_AGAIN_TEXT = 'Try again'

export const NOTHING_TITLE = 'Nothing here fits all of that'
export const NOTHING_TEXT = 'Removing one search term usually helps. This is what you would find:'
export const NOTHING_AT_ALL_TEXT = 'Other words may find it, or start again from everything there is.'

/** A link to the same search in another place. */
export function elsewhereText(place: string, km: number): string {
  return `Near ${place}, ${distanceText(km)}`
}

/** The kinds of suggestions, in their order. */
export const SUGGESTION_TEXTS = {
  categories: 'Categories',
  businesses: 'Businesses',
  places: 'Places',
} as const

export function suggestionCountText(count: number): string {
  return count === 1 ? '1 suggestion' : `${count} suggestions`
}
