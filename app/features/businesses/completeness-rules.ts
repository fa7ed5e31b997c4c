import { CATEGORY_FACTS, type Facts } from './fact-rules.ts'
import { type Category, MAX_IMAGES } from './rules.ts'

/** The steps to a complete listing, the most useful first. A vendor's next step is the first that is open. */
export const COMPLETENESS_STEPS = [
  'price',
  'picture',
  'description',
  'morePictures',
  'maxGuests',
  'facts',
  'hours',
  'terms',
  'registration',
  'payouts',
] as const
export type CompletenessStep = (typeof COMPLETENESS_STEPS)[number]

/** How much each step counts. Of the steps that concern a listing, the done ones' share is its score. */
const WEIGHTS = {
  price: 20,
  picture: 20,
  description: 15,
  morePictures: 10,
  maxGuests: 10,
  facts: 10,
  hours: 10,
  terms: 5,
  registration: 5,
  payouts: 10,
} as const satisfies Record<CompletenessStep, number>

/** Two or three sentences. */
export const FULL_DESCRIPTION_LENGTH = 200
/** Guests choose these by the number of people. */
const BOUNDED_BY_GUESTS: readonly Category[] = ['Venues', 'Catering']

export type CompletenessFacts = {
  category: Category
  pictures: readonly unknown[]
  description: string
  priceCents: number
  /** A ticked booking type without a price. */
  unpricedUnit: unknown
  facts: Facts
  maxGuests: number | null
  /** Whether the vendor has set when it can be booked. */
  hasHours: boolean
  /** Whether the vendor has chosen the cancellation policy and the payment plan. */
  choseTerms: boolean
  /** Whether the owner has registered an ABN. */
  abnRegistered: boolean
  /** Whether the owner's account takes transfers; null while vendors aren't paid by us. */
  canBePaid: boolean | null
}

export type Completeness = {
  /** 0 to 100; 100 only if nothing is open. */
  percent: number
  next: CompletenessStep | null
}

/** How complete a listing is, and what to do next. */
export function completenessOf(listing: CompletenessFacts): Completeness {
  const done: Record<CompletenessStep, boolean | null> = {
    price: listing.priceCents > 0 && listing.unpricedUnit === null,
    picture: listing.pictures.length > 0,
    description: listing.description.trim().length >= FULL_DESCRIPTION_LENGTH,
    morePictures: listing.pictures.length >= MAX_IMAGES,
    maxGuests: BOUNDED_BY_GUESTS.includes(listing.category) ? listing.maxGuests !== null : null,
    facts: hasMostFacts(listing),
    hours: listing.hasHours,
    terms: listing.choseTerms,
    registration: listing.abnRegistered,
    payouts: listing.canBePaid,
  }
  const counted = COMPLETENESS_STEPS.filter((step) => done[step] !== null)
  const weigh = (steps: readonly CompletenessStep[]) => steps.reduce((sum, step) => sum + WEIGHTS[step], 0)
  const percent = Math.floor((100 * weigh(counted.filter((step) => done[step]))) / weigh(counted))
  return { percent, next: counted.find((step) => !done[step]) ?? null }
}

/** Whether half of the category's facts are set. Few listings have a value for languages or diets. */
function hasMostFacts({ category, facts }: CompletenessFacts): boolean {
  // Its texts show a listing's services, and few vendors work in whole states.
  const asked = CATEGORY_FACTS[category].filter((name) => name !== 'services' && name !== 'travelTo')
  return asked.filter((name) => facts[name] !== undefined).length >= Math.ceil(asked.length / 2)
}
