import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { CHANGE_CARD, PAY_NOW } from '../messages.ts'
import type { CustomerBooking } from '../rules.ts'
import { linkTokenOf } from './booking-receipt.tsx'

/** The instalments that wait for the customer. */
const WAITS_FOR_CUSTOMER = ['needs_customer', 'failed', 'overdue']

/** The links to pay what is still due and to change its card. Renders nothing unless an approved booking has something due. */
export function DueLinks({ booking }: { booking: CustomerBooking }) {
  const { due, stored } = booking
  if (!due || stored.status !== 'approved') return null
  const linkToken = linkTokenOf(booking)
  return (
    <>
      <ButtonLink
        variant={WAITS_FOR_CUSTOMER.includes(due.state) ? 'primary' : 'secondary'}
        to={href('/bookings/:linkToken/pay', { linkToken })}
      >
        {PAY_NOW}
      </ButtonLink>
      <ButtonLink to={href('/bookings/:linkToken/card', { linkToken })}>{CHANGE_CARD}</ButtonLink>
    </>
  )
}
