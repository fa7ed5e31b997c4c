import { href } from 'react-router'
import { ButtonLink } from '../../../../ui/button.tsx'
import { linkTokenOf } from '../../components/booking-receipt.tsx'
import { CANCEL_BOOKING } from '../../messages.ts'
import type { CustomerBooking } from '../../rules.ts'
import { cancelRefusal } from '../rules.ts'

/** Leads to what cancelling would give back. Renders nothing for a booking that can't be cancelled. */
export function CancelLink({
  booking,
  now,
}: {
  booking: CustomerBooking
  /** ISO 8601, UTC. */
  now: string
}) {
  const { terms, event, stored } = booking
  if (cancelRefusal({ status: stored.status, hasTerms: terms !== null, event }, new Date(now))) return null
  return (
    <ButtonLink to={href('/bookings/:linkToken/cancel', { linkToken: linkTokenOf(booking) })}>
      {CANCEL_BOOKING}
    </ButtonLink>
  )
}
