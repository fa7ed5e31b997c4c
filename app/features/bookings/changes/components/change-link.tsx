import { href } from 'react-router'
import { ButtonLink } from '../../../../ui/button.tsx'
import { linkTokenOf } from '../../components/booking-receipt.tsx'
import type { CustomerBooking } from '../../rules.ts'
import { ANSWER_CHANGE, CHANGE_BOOKING, PAY_FOR_CHANGE, SEE_PROPOSAL } from '../messages.ts'
import { changeRefusal } from '../rules.ts'

/** Leads to the page on which a booking is changed, and to an open proposal. Renders nothing where nothing can be changed. */
export function ChangeLink({
  booking,
  now,
  onlyOpen = false,
}: {
  booking: CustomerBooking
  /** ISO 8601, UTC. */
  now: string
  /** Leads only to an open proposal. */
  onlyOpen?: boolean
}) {
  const { terms, event, stored, change } = booking
  const { status, paymentStatus } = stored
  if (changeRefusal({ status, paymentStatus, hasTerms: terms !== null, event }, new Date(now))) return null
  if (onlyOpen && !change) return null
  const isWaiting = change !== null && (change.isAgreed || change.proposedBy === 'vendor')
  const label = !change
    ? CHANGE_BOOKING
    : change.isAgreed
      ? PAY_FOR_CHANGE
      : change.proposedBy === 'vendor'
        ? ANSWER_CHANGE
        : SEE_PROPOSAL
  return (
    <ButtonLink
      variant={isWaiting ? 'primary' : 'secondary'}
      to={href('/bookings/:linkToken/change', { linkToken: linkTokenOf(booking) })}
    >
      {label}
    </ButtonLink>
  )
}
