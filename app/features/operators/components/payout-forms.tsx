import { type Cents, formatMoney } from '../../../shared/money.ts'
import type { PayoutOrderKind } from '../../payouts/rules.ts'
import { MAX_REASON_LENGTH, ORDER_LABELS } from '../messages.ts'
import { OperationForm } from './operation-form.tsx'

const LOGGED = 'Goes into the operators’ log.'

/** Holds the payouts of a vendor, or of one booking of theirs. */
export function HoldForm({ vendorUserId, bookingId }: { vendorUserId: string; bookingId?: string }) {
  return (
    <OperationForm
      intent="hold-payouts"
      id={vendorUserId}
      label={bookingId ? 'Hold this booking' : 'Hold all payouts'}
      pendingLabel="Holding..."
      values={bookingId ? { booking: bookingId } : {}}
      reason={{ label: 'Why are you holding it?', hint: LOGGED }}
    />
  )
}

/** Ends a hold. */
export function ReleaseForm({ holdId }: { holdId: string }) {
  return (
    <OperationForm
      intent="release-payouts"
      id={holdId}
      label="Release"
      pendingLabel="Releasing..."
      reason={{ label: 'Why are you releasing it?', hint: LOGGED }}
    />
  )
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
      intent="order-payout"
      id={bookingId}
      label={ORDER_LABELS[kind]}
      pendingLabel="Recording..."
      values={{ kind, seen: String(openCents) }}
      fields={[
        {
          name: 'amount',
          label: 'Amount in dollars',
          hint: `At most ${formatMoney(openCents)}.`,
          maxLength: 20,
          inputMode: 'decimal',
        },
        {
          name: 'reason',
          label: 'Why, and the bank’s reference',
          hint: LOGGED,
          maxLength: MAX_REASON_LENGTH,
        },
      ]}
    />
  )
}
