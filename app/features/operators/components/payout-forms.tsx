import { type Cents, formatMoney } from '../../../shared/money.ts'
import type { PayoutOrderKind } from '../../payouts/rules.ts'
import { ACTS } from '../act-rules.ts'
import { OperationForm } from './operation-form.tsx'

/** Holds the payouts of a vendor, or of one booking of theirs. */
export function HoldForm({ vendorUserId, bookingId }: { vendorUserId: string; bookingId?: string }) {
  const ofBooking = bookingId
    ? { label: ACTS['hold-payouts'].buttons.booking, values: { booking: bookingId } }
    : {}
  return <OperationForm act="hold-payouts" id={vendorUserId} {...ofBooking} />
}

/** Gives up a debt, or records that a debt or a share was paid by bank. @param openCents what the operator sees as open */
export function OrderForm({
  kind,
  bookingId,
  openCents,
}: {
  kind: PayoutOrderKind
  bookingId: string
  openCents: Cents
}) {
  return (
    <OperationForm
      act="order-payout"
      id={bookingId}
      label={ACTS['order-payout'].buttons[kind]}
      values={{ kind, seen: String(openCents) }}
      fields={{ amount: { hint: `At most ${formatMoney(openCents)}.` } }}
    />
  )
}
