import { useFetcher } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialogs } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { type CustomerBooking, paidCentsOf } from '../rules.ts'
import { shownAmount } from './booking-status.tsx'

/** How long toasts about bookings stay (Decision 14). */
export const BOOKING_TOAST_LIFE_MS = 4000

export type WithdrawAnswer = { ok: true } | { ok: false; reason: 'not_found' | 'already_decided' | 'failed' }

const REFUSALS = {
  not_found: 'We can’t find this booking any more.',
  already_decided:
    'The vendor has just answered, so you can’t withdraw this booking here. Contact them directly.',
  failed: 'That didn’t work. Check your connection and try again.',
} as const satisfies Record<Exclude<WithdrawAnswer, { ok: true }>['reason'], string>

/** Returns the amount that the customer has paid so far, as text. */
function paidText({ terms, stored }: CustomerBooking): string {
  return terms ? formatMoney(paidCentsOf(terms)) : shownAmount(stored.totalPrice)
}

/** Withdraws an undecided booking with a full refund (Decision 7), once the customer has confirmed it. */
export function WithdrawButton({ booking }: { booking: CustomerBooking }) {
  const fetcher = useFetcher<WithdrawAnswer>()
  const { alert, confirm } = useDialogs()
  useAnswer(fetcher, (answer) => {
    if (answer.ok) showToast({ type: 'success', text: 'Booking withdrawn', lifeMs: BOOKING_TOAST_LIFE_MS })
    else void alert(REFUSALS[answer.reason])
  })

  if (!booking.canWithdraw) return null
  return (
    <Button
      variant="danger"
      pending={fetcher.state !== 'idle'}
      pendingText="Withdrawing..."
      onClick={async () => {
        const yes = await confirm({
          title: 'Withdraw this booking?',
          body: `${booking.stored.vendorName} hasn’t answered yet. You’ll get a full refund of ${paidText(booking)}. This can’t be undone.`,
          confirmLabel: 'Withdraw and refund',
          cancelLabel: 'Keep the booking',
          danger: true,
        })
        if (yes) await fetcher.submit({ intent: 'withdraw' }, { method: 'post', action: booking.link })
      }}
    >
      Withdraw the booking
    </Button>
  )
}
