import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney, parsePrice } from '../../../shared/money.ts'
import { Tag, type TagTone } from '../../../ui/tag.tsx'
import { PAYMENT_STATUS_LABELS, STATUS_LABELS } from '../messages.ts'
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

export function PaymentStatusTag({ paymentStatus }: { paymentStatus: PaymentStatus }) {
  return <Tag tone={PAYMENT_TONES[paymentStatus]}>{PAYMENT_STATUS_LABELS[paymentStatus]}</Tag>
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
      return `Your refund of ${amount} is on its way.`
    case 'done': {
      const doneAt = formatInstant(new Date(refund.doneAt ?? refund.dueAt), timeZone)
      return `We sent your refund of ${amount} on ${doneAt}. Your bank may take a few days to show it.`
    }
  }
}

/** The next step of a booking, as a sentence to its customer (Decision 7). */
export function nextSentence({ stored, refund, timeZone, decidedBy }: CustomerBooking): string {
  const vendor = stored.vendorName
  const back = refund ? ` ${refundSentence(refund, timeZone)}` : ''
  switch (stored.status) {
    case 'pending': {
      const until = formatInstant(new Date(decidedBy), timeZone)
      return `${vendor} will answer by ${until}. If they can’t host you, or don’t answer in time, you’ll get a full refund.`
    }
    case 'approved':
      return `${vendor} has approved your booking and is expecting you.`
    case 'declined':
      return `${vendor} can’t take this booking.${back}`
    case 'withdrawn':
      return `You have withdrawn this booking.${back}`
  }
}
