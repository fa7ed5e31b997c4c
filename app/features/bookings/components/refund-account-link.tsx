import { href } from 'react-router'
import { formatMoney, parsePrice } from '../../../shared/money.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import type { CustomerBooking } from '../rules.ts'
import { linkTokenOf } from './booking-receipt.tsx'

/** The way to say where a refund goes that the customer's bank has sent back. Renders nothing unless one waits for it. */
export function RefundAccountLink({ booking }: { booking: CustomerBooking }) {
  const { refund, otherRefunds } = booking
  const waiting = [...otherRefunds, ...(refund ? [refund] : [])].filter(
    ({ state, resolution }) => state === 'failed' && resolution === null,
  )
  if (waiting.length === 0) return null
  const cents = waiting.reduce((sum, { amount }) => sum + (parsePrice(amount) ?? 0), 0)
  return (
    <ButtonLink
      variant="primary"
      to={href('/bookings/:linkToken/refund', { linkToken: linkTokenOf(booking) })}
    >
      {`Tell us where to send ${formatMoney(cents)}`}
    </ButtonLink>
  )
}
