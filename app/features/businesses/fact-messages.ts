import { guestsText, hoursText } from './asked-rules.ts'
import {
  CATEGORY_FACTS,
  type Diet,
  type FactName,
  type Facts,
  MAX_FACT_GUESTS,
  MAX_MIN_HOURS,
  MAX_TRAVEL_KM,
  type Setting,
} from './fact-rules.ts'
import type { Category } from './rules.ts'

export const DIET_TEXTS = {
  vegetarian: 'vegetarian',
  vegan: 'vegan',
  'gluten-free': 'gluten-free',
  'dairy-free': 'dairy-free',
  'nut-free': 'nut-free',
  halal: 'halal',
  kosher: 'kosher',
} as const satisfies Record<Diet, string>

export const SETTING_TEXTS = { indoor: 'Indoors', outdoor: 'Outdoors' } as const satisfies Record<
  Setting,
  string
>

/** A fact that a card or a page shows. The name chooses its icon. */
export type FactLine = { name: FactName | 'maxGuests' | 'lasts'; label: string; text: string }

/** The names of the facts on the page and the form. */
export const FACT_LABELS = {
  maxGuests: 'Maximum guests',
  lasts: 'Lasts',
  seated: 'Seated',
  standing: 'Standing',
  minHours: 'Shortest booking',
  setting: 'Indoors or outdoors',
  stepFree: 'Step-free access',
  parking: 'Parking on site',
  byo: 'BYO drinks',
  dietary: 'Dietary needs',
  languages: 'Languages besides English',
  travelKm: 'Travels',
} as const satisfies Record<FactLine['name'], string>

const whole = new Intl.NumberFormat('en-AU')
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const joined = new Intl.ListFormat('en-AU', { type: 'conjunction' })

/** The value of each known fact in words. */
const FACT_TEXTS: { [Name in FactName]: (value: NonNullable<Facts[Name]>) => string } = {
  seated: guestsText,
  standing: guestsText,
  minHours: (hours) => `${hoursText(hours)}, if booked per hour`,
  setting: (settings) => capital(joined.format(settings.map((each) => SETTING_TEXTS[each].toLowerCase()))),
  stepFree: yesOrNo,
  parking: yesOrNo,
  byo: yesOrNo,
  dietary: (diets) => capital(joined.format(diets.map((diet) => DIET_TEXTS[diet]))),
  languages: (languages) => joined.format(languages),
  travelKm: (km) => `Up to ${whole.format(km)} km`,
}

function yesOrNo(value: boolean): string {
  return value ? 'Yes' : 'No'
}

function textOf(name: FactName, facts: Facts): string | null {
  const value = facts[name]
  return value === undefined ? null : (FACT_TEXTS[name] as (known: unknown) => string)(value)
}

/** '7 hours', '2 hours 30 minutes', '45 minutes'. */
function lengthText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 ? hoursText(hours) : '', rest > 0 ? `${rest} minutes` : ''].filter(Boolean).join(' ')
}

type Stated = { category: Category; maxGuests: number | null; facts: Facts }

/**
 * The facts of a business's page. Unknown ones are left out.
 * @param lastsMinutes the length of a booking per person, null if there are none
 */
export function factLines({ category, maxGuests, facts }: Stated, lastsMinutes: number | null): FactLine[] {
  const lines: FactLine[] = []
  if (maxGuests !== null)
    lines.push({ name: 'maxGuests', label: FACT_LABELS.maxGuests, text: guestsText(maxGuests) })
  if (lastsMinutes !== null)
    lines.push({
      name: 'lasts',
      label: FACT_LABELS.lasts,
      text: `${lengthText(lastsMinutes)}, if booked per person`,
    })
  for (const name of CATEGORY_FACTS[category]) {
    const text = textOf(name, facts)
    if (text) lines.push({ name, label: FACT_LABELS[name], text })
  }
  return lines
}

/** The facts that a card of each category shows first. */
const ON_CARD = {
  Venues: ['maxGuests', 'setting', 'stepFree', 'byo', 'parking'],
  Photographers: ['travelKm', 'minHours', 'languages'],
  Hairdresser: ['travelKm', 'stepFree', 'minHours'],
  'Sounds & DJ': ['travelKm', 'minHours', 'languages'],
  Catering: ['maxGuests', 'dietary', 'travelKm'],
  Videographers: ['travelKm', 'minHours', 'languages'],
  'Event Planners': ['maxGuests', 'languages', 'travelKm'],
  Extras: ['travelKm', 'minHours', 'maxGuests'],
} as const satisfies Record<Category, readonly (FactName | 'maxGuests')[]>
const MAX_ON_CARD = 3
const MAX_NAMED_ON_CARD = 2

/** The two or three facts that matter most on a card, as short as they can be. Leaves out what is unknown or 'no'. */
export function cardFacts({ category, maxGuests, facts }: Stated): Pick<FactLine, 'name' | 'text'>[] {
  const { setting, minHours, dietary, travelKm, languages } = facts
  const texts: Partial<Record<FactLine['name'], string | false | 0 | undefined>> = {
    maxGuests: maxGuests !== null && `Up to ${guestsText(maxGuests)}`,
    setting: setting && (setting.length > 1 ? 'In & outdoors' : SETTING_TEXTS[setting[0] ?? 'indoor']),
    stepFree: facts.stepFree && 'Step-free',
    parking: facts.parking && 'Parking',
    byo: facts.byo && 'BYO',
    minHours: minHours && `From ${hoursText(minHours)}`,
    dietary: dietary && dietOnCard(dietary),
    travelKm: travelKm && `Travels ${whole.format(travelKm)} km`,
    languages: languages?.slice(0, MAX_NAMED_ON_CARD).join(', '),
  }
  return ON_CARD[category]
    .flatMap((name) => {
      const text = texts[name]
      return text ? [{ name, text }] : []
    })
    .slice(0, MAX_ON_CARD)
}

/** The rarest first: most caterers cook for vegetarians. */
function dietOnCard(diets: readonly Diet[]): string {
  const rare = diets
    .toReversed()
    .slice(0, MAX_NAMED_ON_CARD)
    .map((diet) => DIET_TEXTS[diet])
  return capital(rare.join(', '))
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
export const UNSAID_TEXT = 'Not specified'
export const YES_NO_OPTIONS = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const

/** The advice beside a fact of the form. */
export const FACT_HINTS: Partial<Record<FactName | 'maxGuests', string>> = {
  maxGuests:
    'Customers can’t book for more guests, and searches for more don’t show you. Leave empty for no limit.',
  minHours: 'In hours, for bookings per hour.',
  travelKm: 'In km from your suburb.',
  stepFree: 'From the street to the toilets.',
}

export const COUNT_LABELS: Partial<Record<FactName, string>> = {
  seated: 'Guests seated',
  standing: 'Guests standing',
  travelKm: 'How far you travel',
}

const COUNT_RANGES = {
  maxGuests: `Enter a whole number of guests, from 1 to ${whole.format(MAX_FACT_GUESTS)}, or leave it empty.`,
  seated: `Enter the guests that you can seat, from 1 to ${whole.format(MAX_FACT_GUESTS)}, or leave it empty.`,
  standing: `Enter the guests that can stand, from 1 to ${whole.format(MAX_FACT_GUESTS)}, or leave it empty.`,
  minHours: `Enter whole hours, from 1 to ${MAX_MIN_HOURS}, or leave it empty.`,
  travelKm: `Enter whole kilometres, from 1 to ${whole.format(MAX_TRAVEL_KM)}, or leave it empty.`,
} as const
export const FACT_ERRORS: Record<FactName | 'maxGuests', string> = {
  ...COUNT_RANGES,
  setting: 'Choose indoors, outdoors or both.',
  stepFree: 'Choose yes or no, or leave it out.',
  parking: 'Choose yes or no, or leave it out.',
  byo: 'Choose yes or no, or leave it out.',
  dietary: 'Choose from the list.',
  languages: 'Choose from the list.',
}
/** @param name the number that is larger than the maximum number of guests */
export const moreThanMostText = (name: 'seated' | 'standing', maxGuests: number) =>
  `You can’t have more guests ${name} than your maximum of ${whole.format(maxGuests)}.`
