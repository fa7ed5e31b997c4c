import type { Facts } from '../../app/features/businesses/fact-rules.ts'
import type { Category } from '../../app/features/businesses/rules.ts'
import type { ListingFields, OptionalField } from '../../app/features/businesses/schema.ts'
import type { Cents, PriceUnit, UnitPrice } from '../../app/shared/money.ts'
import type { SceneName } from '../illustrations/scenes.ts'
import type { DemoRegistration } from './owners.ts'

/** One listing in the files of this folder: the file gives its category, the owner its registration. */
export type DemoListing = Omit<ListingFields, 'category' | OptionalField> &
  Partial<Pick<ListingFields, OptionalField>> & {
    /** A slug that never changes: the seed of its pictures, and its name in tests. */
    id: string
    /** The key of one of `demoOwners`. */
    ownerKey: string
    /** Per unit; 0 shows 'Price on request' (Decision 5). */
    priceCents: Cents
    priceUnit: PriceUnit
    /** The price per the other unit, if it takes bookings by both (Decision 28). */
    secondPrice?: UnitPrice
    /** An id of database/places.tsv. */
    placeId: string
    /** The scenes of its pictures, in order; at most three, as for any listing. */
    scenes: readonly SceneName[]
    createdDaysAgo: number
    pageViewsPerDay: number
  }

export type DemoBusiness = Omit<DemoListing, 'scenes'> & {
  category: Category
  images: readonly { scene: SceneName; seed: string }[]
  /** Those of `demoFacts`. */
  facts: Facts
  /** The owner's registration, which several businesses can share; null means no 'ABN registered' (Decision 8). */
  registration: DemoRegistration | null
}

/** Joins paragraphs as typed into the listing form. */
export function paragraphs(...texts: readonly string[]): string {
  return texts.join('\n\n')
}
