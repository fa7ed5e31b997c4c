import { formatMoney } from '../../shared/money.ts'
import { trimEndWhere } from '../../shared/trim-end.ts'
import { placeLabel } from '../places/rules.ts'
import type { LandingView } from './landing-queries.server.ts'
import { CATEGORY_TEXTS, distanceText, UNIT_TEXTS } from './messages.ts'
import { type Category, SURROUNDINGS_KM } from './rules.ts'

// A module of its own, so that other pages don't load these texts.

/** Ends a description that was cut at any character: after a whole word, with an ellipsis. */
export function excerptText(beginning: string): string {
  const text = beginning.trim()
  if (/[.!?”’)]$/.test(text)) return text
  const words = text.replace(/\s\S*$/, '')
  return `${words === text ? text : trimEndWhere(words, /[\s,;:–-]/)} …`
}

// Landing pages: a category in a place. Every sentence is built from facts, so that no two pages are the same.
const COUNTED_NOUNS = {
  Venues: ['venue', 'venues'],
  Photographers: ['photographer', 'photographers'],
  Hairdresser: ['hairdresser', 'hairdressers'],
  'Sounds & DJ': ['DJ or band', 'DJs and bands'],
  Catering: ['caterer', 'caterers'],
  Videographers: ['videographer', 'videographers'],
  'Event Planners': ['event planner', 'event planners'],
  Extras: ['extra', 'extras'],
} as const satisfies Record<Category, readonly [one: string, many: string]>

/** 'venue', 'DJ or band': one business of a category. */
export function categoryNoun(category: Category): string {
  return COUNTED_NOUNS[category][0]
}

const whole = new Intl.NumberFormat('en-AU')

/** '1 venue', '1,200 venues'. */
export function categoryCountText(category: Category, count: number): string {
  const [one, many] = COUNTED_NOUNS[category]
  return `${whole.format(count)} ${count === 1 ? one : many}`
}

/** 'Venues in Geelong', or 'Venues near Geelong' if the place itself has none. */
export function landingHeading({ category, place, listed }: LandingView): string {
  return `${CATEGORY_TEXTS[category].heading} ${listed > 0 ? 'in' : 'near'} ${place.name}`
}

/** The first sentence of the page: how many businesses there are, and where. */
export function landingIntro({ category, place, listed, listedAround, around }: LandingView): string {
  if (listed > 0) {
    const here = `${categoryCountText(category, listed)} ${listed === 1 ? 'is' : 'are'} listed in ${place.name}`
    return listedAround > 0 ? `${here}, and ${listedAround} more within ${SURROUNDINGS_KM} km.` : `${here}.`
  }
  const [nearest] = around
  const where = nearest ? ` The nearest is in ${nearest.location}, ${distanceText(nearest.distanceKm)}.` : ''
  return `No ${categoryNoun(category)} is listed in ${place.name} itself yet. There ${listedAround === 1 ? 'is' : 'are'} ${listedAround} within ${SURROUNDINGS_KM} km.${where}`
}

/** The meta description for search engines, with the same facts. */
export function landingDescription(landing: LandingView): string {
  const { category, place, listed, listedAround, prices } = landing
  const label = placeLabel(place)
  if (listed === 0) {
    return `${categoryCountText(category, listedAround)} within ${SURROUNDINGS_KM} km of ${label}, with pictures, prices and distances. Book and pay by card.`
  }
  const lowestPrices = prices.map(
    ({ lowest, priceUnit }) => `${formatMoney(lowest)} ${UNIT_TEXTS[priceUnit]}`,
  )
  const from = lowestPrices.length > 0 ? `, from ${lowestPrices.join(' or ')}` : ''
  const around = listedAround > 0 ? `, and ${listedAround} more within ${SURROUNDINGS_KM} km` : ''
  return `${categoryCountText(category, listed)} in ${label}${from}${around}. Pictures, prices and reviews on one page; book and pay by card.`
}

/** '$38.00 to $120.00', or the one price if all are the same. */
export function priceRangeText({ lowest, highest }: { lowest: number; highest: number }): string {
  return lowest === highest ? formatMoney(lowest) : `${formatMoney(lowest)} to ${formatMoney(highest)}`
}

/** The median of fewer prices than this means little. */
const MIN_PRICES_FOR_MIDDLE = 3

/** 'half are $85.00 or less'. null for too few prices, or if all are the same. */
export function middlePriceText({
  lowest,
  middle,
  highest,
  count,
}: {
  lowest: number
  middle: number
  highest: number
  count: number
}): string | null {
  if (count < MIN_PRICES_FOR_MIDDLE || lowest === highest) return null
  return `half are ${formatMoney(middle)} or less`
}
