import type { Category } from '../../app/features/businesses/rules.ts'
import { catering } from './catering.ts'
import { eventPlanners } from './event-planners.ts'
import { extras } from './extras.ts'
import { demoFacts } from './facts.ts'
import { hairdressers } from './hairdressers.ts'
import type { DemoBusiness, DemoListing } from './listing.ts'
import { demoOwners } from './owners.ts'
import { photographers } from './photographers.ts'
import { soundsDj } from './sounds-dj.ts'
import { venues } from './venues.ts'
import { videographers } from './videographers.ts'

const listingsByCategory: Readonly<Record<Category, readonly DemoListing[]>> = {
  Venues: venues,
  Photographers: photographers,
  Hairdresser: hairdressers,
  'Sounds & DJ': soundsDj,
  Catering: catering,
  Videographers: videographers,
  'Event Planners': eventPlanners,
  Extras: extras,
}

const registrationByOwner = new Map(demoOwners.map((owner) => [owner.key, owner.registration]))

/** Every demo business, category by category. People, venues and numbers are invented; the towns are real. */
export const demoBusinesses: readonly DemoBusiness[] = (
  Object.keys(listingsByCategory) as Category[]
).flatMap((category) => listingsByCategory[category].map((listing) => toBusiness(category, listing)))

function toBusiness(category: Category, { scenes, ...listing }: DemoListing): DemoBusiness {
  const { maxGuests = null, ...facts } = demoFacts[listing.id] ?? {}
  return {
    ...listing,
    category,
    maxGuests,
    facts,
    // The seed contains the business's id, so that two businesses with the same scene get different pictures.
    images: scenes.map((scene, index) => ({ scene, seed: `${listing.id}-${index + 1}` })),
    registration: registrationByOwner.get(listing.ownerKey) ?? null,
  }
}
