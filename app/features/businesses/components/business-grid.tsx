import { Fragment, type ReactNode } from 'react'
import type { BusinessCardView } from '../queries.server.ts'
import { BusinessCard } from './business-card.tsx'

/** A note stands after this many cards, where the eye has settled into the list. */
const NOTE_AFTER = 4

export type GridBusiness = BusinessCardView & {
  /** From the place that was asked for. */
  distanceKm?: number
  /** What all of it would cost: '$10,350.00 for 90 guests'. */
  totalText?: string
}

/**
 * A page of a list, picture first.
 * @param note a few words between the cards, on a page that is long enough to carry them
 * @param heading the level that fits the page around it
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
  /** Its first picture is the page's first. */
  priority?: boolean
}) {
  return (
    <ul className="grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
      {businesses.map((business, index) => (
        <Fragment key={business.id}>
          {note && index === NOTE_AFTER ? (
            <li className="flex flex-col justify-center rounded-card bg-brand-soft p-8">{note}</li>
          ) : null}
          <li>
            <BusinessCard
              business={business}
              heading={heading}
              priority={priority && index === 0}
              distanceKm={business.distanceKm}
              totalText={business.totalText}
            />
          </li>
        </Fragment>
      ))}
    </ul>
  )
}
