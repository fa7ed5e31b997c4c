import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney, parsePrice } from '../../../shared/money.ts'
import { Tag, type TagTone } from '../../../ui/tag.tsx'
import { returnedCentsOf } from '../../sales/amount-rules.ts'
import { payOrEndText } from '../../terms/policy-messages.ts'
import {
  BANK_DECIDING,
  RETURNED_BY_BANK,
  returnedText,
  WAITS_FOR_BANK,
  waitingText,
} from '../bank-messages.ts'
import type { CancellationView, CancelledBy } from '../cancellation/rules.ts'
import { hasEventEnded } from '../decisions/rules.ts'
import { CANCELLED, DUE_LABELS, MOVING_REFUND_LABELS, PAYMENT_STATUS_LABELS } from '../messages.ts'
import {
  type CustomerBooking,
  isReturned,
  type PartPayment,
  type RefundView,
  type VendorBooking,
} from '../rules.ts'
import { type BookingStatus, isCalledOff, type PaymentStatus } from '../status-rules.ts'

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

/**
 * A booking's status as it is stored; the style gives it a capital (Decision 42). Beside it, a withdrawn booking that had
 * been approved is called cancelled.
 */
export function StatusTag({
  status,
  cancellation = null,
}: {
  status: BookingStatus
  cancellation?: CancellationView | null
}) {
  return (
    <>
      <Tag tone={STATUS_TONES[status]}>
        <span className="capitalize">{status}</span>
      </Tag>
      {cancellation && status === 'withdrawn' ? <Tag tone="neutral">{CANCELLED}</Tag> : null}
    </>
  )
}

type PaidBooking = Pick<CustomerBooking | VendorBooking, 'stored' | 'refund' | 'bank' | 'leftCents'>

/** The state of a booking's money. A refund that has left, or waits for the bank, is named as such. */
export function PaymentStatusTag({ booking }: { booking: PaidBooking }) {
  const { stored, refund } = booking
  const { paymentStatus } = stored
  if (isReturned(booking)) return <Tag tone="neutral">{RETURNED_BY_BANK}</Tag>
  if (refund && refund.waitingCents > 0 && refund.waitingCents === parsePrice(refund.amount))
    return <Tag tone="glow">{WAITS_FOR_BANK}</Tag>
  const moving = paymentStatus === 'refund due' && refund ? MOVING_REFUND_LABELS[refund.state] : undefined
  const tone = refund?.state === 'failed' && !refund.resolution ? 'error' : PAYMENT_TONES[paymentStatus]
  return <Tag tone={tone}>{moving ?? PAYMENT_STATUS_LABELS[paymentStatus]}</Tag>
}

/** The state of a booking's money for lists; nothing while it is simply paid. */
export function ListedPaymentTag({ booking }: { booking: PaidBooking }) {
  if (booking.stored.paymentStatus === 'paid' && !isReturned(booking)) return null
  return <PaymentStatusTag booking={booking} />
}

const DUE_TONES = {
  scheduled: 'brand',
  failing: 'glow',
  overdue: 'error',
} as const satisfies Record<PartPayment['standing'], TagTone>

/** The payment state of a price that is paid in parts. */
export function DueTag({ due }: { due: PartPayment }) {
  return <Tag tone={DUE_TONES[due.standing]}>{DUE_LABELS[due.standing]}</Tag>
}

/** Formats a numeric string as money: '1200.50' becomes '$1,200.50'. */
export function shownAmount(numericString: string): string {
  return formatMoney(parsePrice(numericString) ?? 0)
}

/**
 * The state of a refund, as a sentence to the customer.
 * @param timeZone the zone of the dates in it
 * @param account the masked account for what came back, if the customer has named one
 */
export function refundSentence(
  refund: RefundView,
  timeZone: string,
  now?: Date,
  account: string | null = null,
): string {
  const { waitingCents } = refund
  const movingCents = (parsePrice(refund.amount) ?? 0) - waitingCents
  return [
    ...(movingCents > 0
      ? [movingSentence(refund, { amount: formatMoney(movingCents), account }, timeZone, now)]
      : []),
    ...(waitingCents > 0 ? [waitingText(waitingCents)] : []),
  ].join(' ')
}

/** The state of the part of a refund that doesn't wait for the bank. */
function movingSentence(
  refund: RefundView,
  { amount, account }: { amount: string; account: string | null },
  timeZone: string,
  now?: Date,
): string {
  switch (refund.state) {
    case 'due':
      return now && new Date(refund.dueAt) <= now
        ? `We’re sending your refund of ${amount}.`
        : `We’ll send your refund of ${amount} by ${formatInstant(new Date(refund.dueAt), timeZone)}.`
    case 'claimed':
    case 'sent':
      return `Your refund of ${amount} is on its way.`
    case 'done': {
      const doneAt = formatInstant(new Date(refund.doneAt ?? refund.dueAt), timeZone)
      return `We sent your refund of ${amount} on ${doneAt}. Your bank may take a few days to show it.`
    }
    case 'failed':
      return refund.resolution === 'paid_otherwise'
        ? `Your bank didn’t accept the refund of ${amount}. We paid it back another way.`
        : `Your refund of ${amount} came back, because your bank didn’t accept it. ${account ? `We’ll send it to your ${account}.` : 'Tell us where to send it.'}`
  }
}

/** The next step of a booking, as a sentence to its customer (Decision 7). */
export function nextSentence(booking: CustomerBooking, now: Date): string {
  const { stored, timeZone, decidedBy, declineReason, bank } = booking
  const vendor = stored.vendorName
  const back = backText(booking, now)
  switch (stored.status) {
    case 'pending': {
      // The job that refunds it runs each minute.
      if (new Date(decidedBy) <= now)
        return `${vendor} didn’t answer in time, so you’ll get a full refund.${back}`
      const until = formatInstant(new Date(decidedBy), timeZone)
      const promise = ' If they can’t take your booking, or don’t answer in time, you’ll get a full refund.'
      return `${vendor} will answer by ${until}.${bank.returns.length > 0 ? '' : promise}${back}`
    }
    case 'approved': {
      const unpaid = unpaidText(booking, now)
      if (hasEventEnded(booking.event, now)) return `The event is over.${unpaid ? ` ${unpaid}` : ''}${back}`
      if (unpaid) return `${vendor} has confirmed your booking. ${unpaid}${back}`
      return `${vendor} has confirmed your booking.${back}`
    }
    case 'declined':
      return `${vendor} can’t take this booking.${declineReason ? ` The reason: ‘${declineReason}’` : ''}${back}`
    case 'withdrawn':
      return `${endText(booking)}${back}`
  }
}

/** The refunds of a booking, and what its customer's bank does with the payment; '' where there is nothing to tell. */
function backText(booking: CustomerBooking, now: Date): string {
  const { stored, refund, otherRefunds, refundAccount, timeZone, bank } = booking
  const refunds = [...otherRefunds, ...(refund ? [refund] : [])]
  const returnedCents = returnedCentsOf(bank)
  const isLive = !isCalledOff(stored.status)
  const isTold = refunds.some(({ waitingCents }) => waitingCents > 0)
  return [
    ...refunds.map((each) => refundSentence(each, timeZone, now, refundAccount)),
    ...(returnedCents > 0 ? [returnedText(returnedCents)] : []),
    ...(bank.isDeciding && isLive && !isTold ? [BANK_DECIDING] : []),
  ]
    .map((sentence) => ` ${sentence}`)
    .join('')
}

/** Tells a customer whose card was refused what is due, and when that ends the booking; '' where nothing is unpaid. */
function unpaidText({ due, timeZone }: Pick<CustomerBooking, 'due' | 'timeZone'>, now: Date): string {
  if (!due) return ''
  const amount = formatMoney(due.cents)
  switch (due.state) {
    case 'failed':
    case 'needs_customer':
      return `Your card wasn’t charged, and ${amount} is due.${due.endsAt && new Date(due.endsAt) > now ? ` ${payOrEndText(formatInstant(new Date(due.endsAt), timeZone))}` : ''}`
    case 'overdue':
      return `${amount} is overdue, so your booking is about to end.`
    default:
      return ''
  }
}

/** How a booking ended that was withdrawn, or cancelled by its terms. */
function endText({ cancellation, stored, bank, leftCents }: CustomerBooking): string {
  if (!cancellation) return 'You have withdrawn this booking.'
  const { by, reason, refundCents, uncollectedCents } = cancellation
  // Less once an operator has refunded more, or the bank has returned it.
  const keptCents = Math.min(cancellation.keptCents, leftCents)
  const kept =
    keptCents > 0
      ? ` ${stored.vendorName} keeps ${formatMoney(keptCents)} under its cancellation policy.`
      : ''
  const uncollected = uncollectedCents > 0 ? ` ${formatMoney(uncollectedCents)} won’t be charged.` : ''
  const nothing = refundCents === 0 && bank.returns.length === 0 ? ' You get nothing back.' : ''
  return `${CANCELLED_TEXTS[by]}${reason ? ` The reason: ‘${reason}’` : ''}${kept}${uncollected}${nothing}`
}

const CANCELLED_TEXTS = {
  customer: 'You have cancelled this booking.',
  vendor: 'This booking was cancelled.',
  operator: 'We have cancelled this booking for you.',
  overdue: 'This booking was cancelled because its balance wasn’t paid.',
} as const satisfies Record<CancelledBy, string>
