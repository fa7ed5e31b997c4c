import type { IconName } from '../../ui/icon-names.ts'
import { hoursText } from './asked-rules.ts'
import { cardText, iconOf, listText, valueText, wholeText } from './fact-kind-rules.ts'
import {
  CATEGORY_FACTS,
  STATED_FACTS,
  STATED_NAMES,
  type Stated,
  type StatedName,
  statedValue,
} from './fact-rules.ts'
import type { Category } from './rules.ts'

/** A fact that a page shows. */
export type FactLine = { icon: IconName; label: string; text: string }

/** '7 hours', '2 hours 30 minutes', '45 minutes'. */
function lengthText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? hoursText(hours) : '', rest > 0 ? `${rest} minutes` : ''].filter(Boolean).join(' ')
}

type StatedBy = Stated & { category: Category }

/**
 * The facts of a business's page. Unknown ones are left out.
 * @param lastsMinutes the length of a booking per person, null if there are none
 */
export function factLines(listing: StatedBy, lastsMinutes: number | null): FactLine[] {
  const lines = (names: readonly StatedName[]) =>
    names.flatMap((name): FactLine[] => {
      const [fact, value] = [STATED_FACTS[name], statedValue(listing, name)]
      return value === undefined
        ? []
        : [{ icon: iconOf(fact, value), label: fact.label, text: valueText(fact, value) }]
    })
  const lasts: FactLine[] =
    lastsMinutes === null
      ? []
      : [{ icon: 'clock', label: 'Lasts', text: `${lengthText(lastsMinutes)}, if booked per person` }]
  return [...lines(['maxGuests']), ...lasts, ...lines(CATEGORY_FACTS[listing.category])]
}

const MAX_ON_CARD = 3

/** The two or three facts that matter most on a card, as short as they can be. Leaves out what is unknown or 'no'. */
export function cardFacts(listing: StatedBy): Pick<FactLine, 'icon' | 'text'>[] {
  const placeOf = (name: StatedName) => STATED_FACTS[name].card?.places[listing.category] ?? 0
  return STATED_NAMES.filter((name) => placeOf(name) > 0)
    .sort((one, other) => placeOf(one) - placeOf(other))
    .flatMap((name) => {
      const [fact, value] = [STATED_FACTS[name], statedValue(listing, name)]
      const text = value === undefined ? null : cardText(fact, value)
      return text ? [{ icon: iconOf(fact, value), text }] : []
    })
    .slice(0, MAX_ON_CARD)
}

/** The heading of the facts on a business's page. */
export const FACTS_TEXT = 'At a glance'

// The listing form.
export const FACTS_LEGEND = 'Facts at a glance'
export const FACTS_HINT =
  'Customers filter by these. Leave blank what you’d rather not say: a blank never counts as a ‘no’.'
export const NO_CATEGORY_HINT = 'Choose a category to see the questions that fit it.'
/** An example in an empty field. */
export const usualText = (count: number) => `For example ${count}`
/** @param services the names of those that the listing's texts show */
export const suggestedServicesText = (services: readonly string[]) =>
  `Your text mentions ${listText(services)}. Tick what you offer. Until you tick any, searches go by your text.`
export const UNSAID_TEXT = 'Not specified'
export const YES_NO_OPTIONS = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const

/** @param name the number that is larger than the maximum number of guests */
export const moreThanMostText = (name: 'seated' | 'standing', maxGuests: number) =>
  `You can’t have more guests ${name} than your maximum of ${wholeText(maxGuests)}.`
