import { useFetcher } from 'react-router'
import { parsePrice } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/button.tsx'
import { useDialogs } from '../../../../ui/dialog.tsx'
import { showToast } from '../../../../ui/toast.tsx'
import { useAnswer } from '../../../../ui/use-answer.ts'
import { paidCentsOf, returnedCentsOf } from '../../../sales/amount-rules.ts'
import { returnedText, waitingText } from '../../bank-messages.ts'
import { ALL_REFUNDED, refundText } from '../../messages.ts'
import type { CustomerBooking } from '../../rules.ts'

export type WithdrawAnswer = { ok: true } | { ok: false; reason: 'not_found' | 'already_decided' | 'failed' }

const REFUSALS = {
  not_found: 'We can’t find this booking any more.',
  already_decided:
    'The vendor has just answered, so you can’t withdraw this booking here. Contact them directly.',
  failed: 'That didn’t work. Check your connection and try again.',
} as const satisfies Record<Exclude<WithdrawAnswer, { ok: true }>['reason'], string>

/** The refund of a withdrawal, as a sentence. */
function refundSentence({ terms, stored, leftCents, bank }: CustomerBooking): string {
  const paidCents = terms ? paidCentsOf(terms) : (parsePrice(stored.totalPrice) ?? 0)
  if (leftCents > 0)
    return bank.isDeciding ? waitingText(leftCents) : `You’ll get ${refundText(leftCents, paidCents)}.`
  return bank.returns.length > 0 ? returnedText(returnedCentsOf(bank)) : ALL_REFUNDED
}

/** Withdraws an undecided booking with a full refund (Decision 7), once the customer has confirmed it. */
export function WithdrawButton({ booking }: { booking: CustomerBooking }) {
  const fetcher = useFetcher<WithdrawAnswer>()
  const { alert, confirm } = useDialogs()
  useAnswer(fetcher, (answer) => {
    if (answer.ok) showToast({ type: 'success', text: 'Booking withdrawn' })
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
          body: `${booking.stored.vendorName} hasn’t answered yet. ${refundSentence(booking)} This can’t be undone.`,
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
