import { formatInstant, HOME_ZONE } from '../../../shared/dates.ts'
import { formatMoney, parsePrice } from '../../../shared/money.ts'
import { useMounted } from '../../../ui/use-mounted.ts'
import { returnedCentsOf } from '../../sales/amount-rules.ts'
import { BANK_DECIDING_FOR_VENDOR, backForVendorText, isAtBank } from '../bank-messages.ts'
import type { CancellationView, CancelledBy } from '../cancellation/rules.ts'
import { DECISION_FINAL } from '../messages.ts'
import { endRefundCentsOf, type VendorBooking } from '../rules.ts'
import { isCalledOff } from '../status-rules.ts'
import { shownAmount } from './booking-status.tsx'

/** The state of the refund, and until when a declined booking can still be approved (Decision 7). */
export function RefundNote({ booking }: { booking: VendorBooking }) {
  const mounted = useMounted()
  const { refund, listed, decisions, cancellation, bank } = booking
  if (cancellation && listed.status === 'withdrawn')
    return <p className="mt-2 max-w-prose text-sm">{cancelledText(cancellation, booking)}</p>
  const atBank = atBankText(booking)
  if (atBank || !refund)
    return atBank ? (
      <p className="mt-2 max-w-prose text-sm">
        {atBank}
        {listed.status === 'declined' && bank.isDeciding && decisions.includes('approved')
          ? ' You can still approve instead.'
          : ''}
      </p>
    ) : null
  if (refund.state !== 'due') {
    return (
      <p className="mt-2 text-sm text-quiet">
        {listed.status === 'withdrawn'
          ? `The customer withdrew and gets a full refund of ${formatMoney(endRefundCentsOf(booking))}.`
          : DECISION_FINAL}
      </p>
    )
  }
  // The server can't tell the vendor's time zone, so it renders east coast time until the browser takes over.
  const zone = mounted ? Intl.DateTimeFormat().resolvedOptions().timeZone : HOME_ZONE
  const when = formatInstant(new Date(refund.dueAt), zone)
  return (
    <p className="mt-2 max-w-prose text-sm">
      {listed.status === 'withdrawn'
        ? `The customer withdrew and gets a full refund of ${formatMoney(endRefundCentsOf(booking))}.`
        : `We’ll refund ${shownAmount(refund.amount)} to the customer by ${when}.${decisions.includes('approved') ? ' Until then you can still approve instead.' : ''}`}
    </p>
  )
}

/** Tells the vendor what the customer's bank does with the payment; '' where it does nothing. */
export function atBankText(
  booking: Pick<VendorBooking, 'refund' | 'otherRefunds' | 'bank' | 'listed'>,
): string {
  const { refund, otherRefunds, bank, listed } = booking
  // A change has lowered the price itself.
  const refunds = [...otherRefunds, ...(refund ? [refund] : [])].filter(({ reason }) => reason !== 'changed')
  const parts = {
    refundCents: refunds.reduce((sum, { amount }) => sum + (parsePrice(amount) ?? 0), 0),
    waitingCents: refunds.reduce((sum, { waitingCents }) => sum + waitingCents, 0),
    returnedCents: returnedCentsOf(bank),
  }
  if (isAtBank(parts))
    return backForVendorText(parts, {
      sent: (cents) => `${formatMoney(cents)} is refunded to the customer.`,
      nothing: '',
    })
  const isLive = !isCalledOff(listed.status)
  return bank.isDeciding && isLive ? BANK_DECIDING_FOR_VENDOR : ''
}

/** How a booking that the vendor had approved was cancelled, and what they keep. */
export function cancelledText(
  { by, reason, refundCents, keptCents: agreedCents, uncollectedCents }: CancellationView,
  booking: VendorBooking,
): string {
  // Less once an operator has refunded more, or the bank has returned it.
  const keptCents = Math.min(agreedCents, booking.leftCents + booking.off.ourCents)
  const back = atBankText(booking) || `${formatMoney(refundCents)} goes back to them.`
  const kept =
    keptCents > 0
      ? `You keep ${formatMoney(keptCents)}, before our commission. ${back}`
      : `You keep nothing. ${back}`
  const uncollected =
    uncollectedCents > 0 ? ` The balance of ${formatMoney(uncollectedCents)} won’t be charged.` : ''
  return `${CANCELLED_TEXTS[by]}${reason ? ` The reason: ‘${reason}’` : ''} ${kept}${uncollected}`
}

const CANCELLED_TEXTS = {
  customer: 'The customer cancelled.',
  vendor: 'You cancelled.',
  operator: 'We cancelled for the customer.',
  overdue: 'Cancelled, since the balance wasn’t paid.',
} as const satisfies Record<CancelledBy, string>
