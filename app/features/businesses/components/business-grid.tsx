import { Fragment, type ReactNode } from 'react'
import type { Priority } from '../../../ui/picture.tsx'
import type { BusinessCardView } from '../queries.server.ts'
import { BusinessCard } from './business-card.tsx'

/** The note comes after this many cards. */
const NOTE_AFTER = 4

export type GridBusiness = BusinessCardView & {
  /** The distance from the place of the search. */
  distanceKm?: number
  /** For vendors who travel to the search's place: 'Travels to Williamstown (32 km)'. */
  travelText?: string
  /** The total: '$10,350.00 for 90 guests'. */
  totalText?: string
  /** Its deposit: '20% deposit: $3,190.00 today, the rest on 14 October 2027'. */
  depositText?: string
  /** The query string that carries what was searched for to the business's page. */
  asked?: string
}

/**
 * A page of a list as a grid of cards.
 * @param note a short note between the cards, if there are enough of them
 * @param heading the heading level that fits the page
 */
export function BusinessGrid({
  businesses,
  note,
  heading = 'h2',
  priority = false,
}: {
  businesses: readonly GridBusiness[]
  note?: ReactNode
  heading?: 'h2' | 'h3'
  /** Whether the first picture of the grid is the first of the page. */
  priority?: Priority
}) {
  return (
    <ul className="grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">
      {businesses.map((business, index) => (
        <Fragment key={business.id}>
          {note && index === NOTE_AFTER ? (
            <li className="flex flex-col justify-center rounded-card bg-brand-soft p-8">{note}</li>
          ) : null}
          <li>
            <BusinessCard
              business={business}
              heading={heading}
              priority={index === 0 && priority}
              distanceKm={business.distanceKm}
              travelText={business.travelText}
              totalText={business.totalText}
              depositText={business.depositText}
              asked={business.asked}
            />
          </li>
        </Fragment>
      ))}
    </ul>
  )
}
