import { formatDay, type LocalDate } from '../../shared/dates.ts'
import { CATEGORY_TEXTS, distanceText, OCCASION_NAMES } from '../businesses/messages.ts'
import type { Category } from '../businesses/rules.ts'
import { SERVICES } from '../businesses/service-rules.ts'
import type { Sort } from './filter-rules.ts'
import { BOUNDS_TEXT, withinText } from './map-messages.ts'
import { COUNT_CAP } from './rules.ts'
import type { Search } from './schema.ts'
import { anOccasion } from './term-messages.ts'
import { nearestWeekday } from './weekday-rules.ts'

export { forQuantityText, guestsText, hoursText } from '../businesses/asked-rules.ts'

export const QUERY_LABEL = 'What, where and when?'
export const QUERY_EXAMPLE = 'Garden venue, 14 March, 90 guests, near Geelong, up to $8,000'
export const SEARCH_TEXT = 'Search'
export const AMOUNT_TITLE = 'An amount in dollars, such as 8000 or 8k'
export const ALL_BEST_TEXT = `These are the ${COUNT_CAP} best matches.`
export const SORT_TEXTS = {
  recommended: 'Recommended',
  newest: 'Newest',
  price: 'Lowest price',
  rating: 'Best rated',
  distance: 'Nearest',
} as const satisfies Record<Sort, string>

/**
 * '24 businesses', '500+ businesses' beyond `COUNT_CAP`, or '24+ businesses can be booked then' if more were not
 * checked. If none of those that were checked matches, 'None of these can be booked then'.
 * @param isDated whether only businesses that can be booked on a day were counted
 */
export function foundText(
  { total, isOpenEnded }: { total: number; isOpenEnded: boolean },
  isDated = false,
): string {
  if (total === 0 && isOpenEnded) return isDated ? 'None of these can be booked then' : 'None of these match'
  const count = `${Math.min(total, COUNT_CAP)}${isOpenEnded ? '+' : ''}`
  const businesses = count === '1' ? '1 business' : `${count} businesses`
  return isDated ? `${businesses} can be booked then` : businesses
}

export const SHOW_TEXT = 'Show businesses'
export const FILTERS_TITLE = 'Filters'
export const CLOSE_FILTERS_TEXT = 'Close the filters'

/** The button of the filters, with what it will show: 'Show 4 businesses'. */
export function showText(found: { total: number; isOpenEnded: boolean }): string {
  return found.total === 0 ? 'No matches: see what’s close' : `Show ${foundText(found)}`
}

/** The heading and title of a list: 'Catering near Geelong'. */
export function headingOf(search: Search, everything: string): string {
  const { category, service, occasion, place, near, bounds, q } = search
  const subject = service ? SERVICES[service].many : category ? CATEGORY_TEXTS[category].heading : everything
  return [
    subject,
    occasion ? `for ${anOccasion(OCCASION_NAMES[occasion])}` : '',
    place ? `${withinText(near)} ${place}` : bounds ? BOUNDS_TEXT : '',
    q ? `with “${q}”` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** A note above the results, with links to other searches. */
export type Note = { text: string; links?: { label: string; search: Search }[] }

/** The notes above the results: guessed places, corrected words, past days and weekdays that don't match. */
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
  const whole = { ...search, after: '', before: '', seen: null }
  if (date && weekday) {
    const meant = nearestWeekday(date, weekday)
    notes.push({
      text: `${formatDay(date).replace(' ', ', ')} is not a ${weekday}.`,
      links: [{ label: `${formatDay(meant)} instead`, search: { ...whole, date: meant, weekday: '' } }],
    })
  }
  if (date && date < today) notes.push({ text: 'That day has passed, so nothing can be booked.' })
  if (search.months && search.months.last < today.slice(0, 7))
    notes.push({ text: 'Those months have passed, so nothing can be booked.' })
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

const whole = new Intl.NumberFormat('en-AU')

export const TOO_MANY_TITLE = 'A moment, please'
export const TOO_MANY_TEXT =
  'Many searches came from your network just now. Your search is still in the form. Please try again in a minute.'
export const TRY_AGAIN_TEXT = 'Try again'

export const FURTHER_TITLE = 'A little further'
export const NOTHING_TITLE = 'Nothing matches all of that'
export const EMPTY_PAGE_TITLE = 'Nothing on this page'
export const EMPTY_PAGE_TEXT = 'There may be matches on the other pages. Or try removing a filter.'
export const NOTHING_TEXT = 'Try removing a filter. Here’s what you’d find:'
/**
 * Of a search that only its place keeps from finding anything: 'No florist is based near Ballarat, or travels there, yet.'
 * @param noun one of what is searched: 'florist'
 */
export function noneThereText(
  { place, near }: Pick<Search, 'place' | 'near'>,
  noun: string,
  travels: boolean,
): string {
  const where = `${near === false ? 'in' : 'near'} ${place.replace(/,.*/, '')}`
  const none = `No ${noun} is ${travels ? `based ${where}, or travels there, yet` : `${where} yet`}.`
  return `${none} Here’s what you’d find instead:`
}

export const NOTHING_AT_ALL_TEXT = 'Try other words, or start again with every business.'

/** On the card of a vendor who travels to a search's place. @param km null for a whole state */
export function travelText(place: string, km: number | null): string {
  return km === null ? `Travels to all of ${place}` : `Travels to ${place} (${whole.format(km)} km)`
}

/** On the page of a business elsewhere: '32 km from Williamstown'. @param asks whether its vendor might travel there */
export function awayText(place: string, km: number, asks: boolean): string {
  const away = `${whole.format(km)} km from ${place}`
  return asks ? `${away}. Ask whether they travel there.` : away
}

/** The text of a link to the same search in another place. */
export function elsewhereText(place: string, km: number): string {
  return `Near ${place}, ${distanceText(km)}`
}

/** 'Photographers free on 20 March near Yarraville', for links from a booking. @param where 'near Yarraville', 'in VIC' */
export function onwardText(category: Category, date: LocalDate, where: string): string {
  // Without the weekday and the year: the booking beside it has both.
  const [, day, month] = formatDay(date).split(' ')
  return `${CATEGORY_TEXTS[category].heading} free on ${day} ${month} ${where}`
}

/** The kinds of suggestions, in their order. */
export const SUGGESTION_TEXTS = {
  categories: 'Categories',
  businesses: 'Businesses',
  places: 'Places',
} as const

export const READING_LABEL = 'Searching for'

/** The announcement of what was understood, or '' for nothing. */
export function readingText(terms: readonly string[]): string {
  return terms.length > 0 ? `${READING_LABEL} ${terms.join(', ')}` : ''
}

export function takenBackText(term: string): string {
  return `Without ${term}`
}

export function suggestionCountText(count: number): string {
  return count === 1 ? '1 suggestion' : `${count} suggestions`
}
