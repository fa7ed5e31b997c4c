import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney, parsePrice } from '../../../shared/money.ts'
import { Tag, type TagTone } from '../../../ui/tag.tsx'
import { MOVING_REFUND_LABELS, PAYMENT_STATUS_LABELS, STATUS_LABELS } from '../messages.ts'
import type { BookingStatus, CustomerBooking, PaymentStatus, RefundView } from '../rules.ts'

const STATUS_TONES = {
  pending: 'glow',
  approved: 'success',
  declined: 'error',
  withdrawn: 'neutral',
} as const satisfies Record<BookingStatus, TagTone>

const PAYMENT_TONES = {
  paid: 'brand',
  'refund due': 'glow',
  refunded: 'neutral',
} as const satisfies Record<PaymentStatus, TagTone>

export function StatusTag({ status }: { status: BookingStatus }) {
  return <Tag tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Tag>
}

/** The state of a booking's money. A refund that has left is named as such. */
export function PaymentStatusTag({
  paymentStatus,
  refund,
}: {
  paymentStatus: PaymentStatus
  refund: RefundView | null
}) {
  const moving = paymentStatus === 'refund due' && refund ? MOVING_REFUND_LABELS[refund.state] : undefined
  const tone = refund?.state === 'failed' && !refund.resolution ? 'error' : PAYMENT_TONES[paymentStatus]
  return <Tag tone={tone}>{moving ?? PAYMENT_STATUS_LABELS[paymentStatus]}</Tag>
}

/** Formats a numeric string as money: '1200.50' becomes '$1,200.50'. */
export function shownAmount(numericString: string): string {
  return formatMoney(parsePrice(numericString) ?? 0)
}

/**
 * The state of a refund, as a sentence to the customer.
 * @param timeZone the zone of the dates in it
 */
export function refundSentence(refund: RefundView, timeZone: string): string {
  const amount = shownAmount(refund.amount)
  switch (refund.state) {
    case 'due':
      return `We’ll send your refund of ${amount} by ${formatInstant(new Date(refund.dueAt), timeZone)}.`
    case 'claimed':
    case 'sent':
      return `Your refund of ${amount} is on its way.`
    case 'done': {
      const doneAt = formatInstant(new Date(refund.doneAt ?? refund.dueAt), timeZone)
      return `We sent your refund of ${amount} on ${doneAt}. Your bank may take a few days to show it.`
    }
    case 'failed':
      return refund.resolution === 'paid_otherwise'
        ? `Your bank did not take the refund of ${amount}. We paid it back another way.`
        : `Your refund of ${amount} came back, since your bank did not take it. We pay it back another way and will contact you.`
  }
}

/** The next step of a booking, as a sentence to its customer (Decision 7). */
export function nextSentence(booking: CustomerBooking): string {
  const { stored, refund, otherRefunds, timeZone, decidedBy, declineReason } = booking
  const vendor = stored.vendorName
  const back = [...otherRefunds, ...(refund ? [refund] : [])]
    .map((each) => ` ${refundSentence(each, timeZone)}`)
    .join('')
  switch (stored.status) {
    case 'pending': {
      const until = formatInstant(new Date(decidedBy), timeZone)
      return `${vendor} will answer by ${until}. If they can’t host you, or don’t answer in time, you’ll get a full refund.${back}`
    }
    case 'approved':
      return `${vendor} has approved your booking and is expecting you.${back}`
    case 'declined':
      return `${vendor} can’t take this booking.${declineReason ? ` The reason: ‘${declineReason}’` : ''}${back}`
    case 'withdrawn':
      return `You have withdrawn this booking.${back}`
  }
}
