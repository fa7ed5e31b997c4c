import { href } from 'react-router'
import { formatMoney, parsePrice } from '../../../shared/money.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import type { CustomerBooking } from '../rules.ts'
import { linkTokenOf } from './booking-receipt.tsx'

/**
 * The way to say where a refund goes that the customer's bank has sent back, or to change it. Renders nothing unless one waits for
 * it: the part that waits for the bank may be settled there.
 */
export function RefundAccountLink({ booking }: { booking: CustomerBooking }) {
  const { refund, otherRefunds, refundAccount } = booking
  const cents = [...otherRefunds, ...(refund ? [refund] : [])]
    .filter(({ state, resolution }) => state === 'failed' && resolution === null)
    .reduce((sum, { amount, waitingCents }) => sum + (parsePrice(amount) ?? 0) - waitingCents, 0)
  if (cents <= 0) return null
  return (
    <ButtonLink
      variant={refundAccount ? 'secondary' : 'primary'}
      to={href('/bookings/:linkToken/refund', { linkToken: linkTokenOf(booking) })}
    >
      {`${refundAccount ? 'Change' : 'Tell us'} where ${refundAccount ? 'we' : 'to'} send ${formatMoney(cents)}`}
    </ButtonLink>
  )
}
