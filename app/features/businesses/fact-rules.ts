import type { Category } from './rules.ts'

/** The maximum number of guests that the availability settings and a search take, too. */
export const MAX_FACT_GUESTS = 10_000
export const MAX_MIN_HOURS = 24
export const MAX_TRAVEL_KM = 2_000

export const SETTINGS = ['indoor', 'outdoor'] as const
export type Setting = (typeof SETTINGS)[number]

export const DIETS = [
  'vegetarian',
  'vegan',
  'gluten-free',
  'dairy-free',
  'nut-free',
  'halal',
  'kosher',
] as const
export type Diet = (typeof DIETS)[number]

/** The languages besides English that most Australians speak at home, and Auslan. */
export const LANGUAGES = [
  'Arabic',
  'Auslan',
  'Cantonese',
  'French',
  'German',
  'Greek',
  'Hindi',
  'Indonesian',
  'Italian',
  'Japanese',
  'Korean',
  'Mandarin',
  'Punjabi',
  'Samoan',
  'Spanish',
  'Tagalog',
  'Tamil',
  'Turkish',
  'Vietnamese',
] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * A vendor's statements about a listing besides its texts and prices (decision 34). A missing fact is unknown, which is
 * never shown as 'no'. The maximum number of guests has a column of its own.
 */
export type Facts = {
  /** The maximum number of guests at tables or in rows. */
  seated?: number
  /** The maximum number of guests on their feet. */
  standing?: number
  /** The shortest booking per hour. */
  minHours?: number
  /** Rooms, open air or both. */
  setting?: Setting[]
  stepFree?: boolean
  /** Parking on the site or beside it. */
  parking?: boolean
  /** Guests may bring their own drinks. */
  byo?: boolean
  dietary?: Diet[]
  /** Besides English. */
  languages?: Language[]
  /** How far the vendor drives from the listing's suburb. */
  travelKm?: number
}

export type FactName = keyof Facts

/** The kind of each fact, with its bounds or its options. */
export const FACTS = {
  seated: { kind: 'count', max: MAX_FACT_GUESTS },
  standing: { kind: 'count', max: MAX_FACT_GUESTS },
  minHours: { kind: 'count', max: MAX_MIN_HOURS },
  setting: { kind: 'several', options: SETTINGS },
  stepFree: { kind: 'yesNo' },
  parking: { kind: 'yesNo' },
  byo: { kind: 'yesNo' },
  dietary: { kind: 'several', options: DIETS },
  languages: { kind: 'several', options: LANGUAGES },
  travelKm: { kind: 'count', max: MAX_TRAVEL_KM },
} as const satisfies Record<
  FactName,
  { kind: 'count'; max: number } | { kind: 'yesNo' } | { kind: 'several'; options: readonly string[] }
>

export const FACT_NAMES = Object.keys(FACTS) as FactName[]

const ON_THE_ROAD = ['minHours', 'travelKm', 'languages'] as const

/** The facts that matter for each category, in the order of the form and the page. */
export const CATEGORY_FACTS = {
  Venues: ['seated', 'standing', 'minHours', 'setting', 'stepFree', 'parking', 'byo', 'dietary', 'languages'],
  Photographers: ON_THE_ROAD,
  Hairdresser: ['minHours', 'travelKm', 'stepFree', 'parking', 'languages'],
  'Sounds & DJ': ON_THE_ROAD,
  Catering: ['dietary', 'minHours', 'travelKm', 'byo', 'languages'],
  Videographers: ON_THE_ROAD,
  'Event Planners': ON_THE_ROAD,
  Extras: ON_THE_ROAD,
} as const satisfies Record<Category, readonly FactName[]>

/** Whether listings of a category have a fact. */
export function hasFact(category: Category, name: FactName): boolean {
  return (CATEGORY_FACTS[category] as readonly FactName[]).includes(name)
}

/** Values that most vendors of the category would give, which the form shows as examples. */
export const USUAL_FACTS: Readonly<Record<Category, Pick<Facts, 'minHours' | 'travelKm'>>> = {
  Venues: { minHours: 4 },
  Photographers: { minHours: 2, travelKm: 100 },
  Hairdresser: { minHours: 1, travelKm: 50 },
  'Sounds & DJ': { minHours: 3, travelKm: 100 },
  Catering: { minHours: 3, travelKm: 50 },
  Videographers: { minHours: 3, travelKm: 100 },
  'Event Planners': { minHours: 2, travelKm: 100 },
  Extras: { minHours: 1, travelKm: 50 },
}

/** The known facts of a stored object, for a listing of this category. Ignores all others. */
export function factsOf(category: Category, stored: Readonly<Record<string, unknown>>): Facts {
  const known = CATEGORY_FACTS[category].flatMap((name): [FactName, unknown][] => {
    const value = knownValue(name, stored[name])
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(known)
}

function knownValue(name: FactName, value: unknown) {
  const fact = FACTS[name]
  switch (fact.kind) {
    case 'count':
      return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= fact.max
        ? value
        : undefined
    case 'yesNo':
      return typeof value === 'boolean' ? value : undefined
    case 'several': {
      const chosen: readonly string[] = fact.options.filter(
        (option) => Array.isArray(value) && value.includes(option),
      )
      return chosen.length > 0 ? chosen : undefined
    }
  }
}

/** The number of guests to seat or stand decides the bound if the vendor gave none. null for no bound. */
export function guestBound(maxGuests: number | null, { seated, standing }: Facts): number | null {
  const most = Math.max(seated ?? 0, standing ?? 0)
  return maxGuests ?? (most > 0 ? most : null)
}
