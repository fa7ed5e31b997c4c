import type { LocalDate, LocalTime } from '../../shared/dates.ts'
import { groupBy } from '../../shared/group-by.ts'
import { type Cents, type PriceUnit, parsePrice, toNumericString } from '../../shared/money.ts'
import { signText } from '../../shared/signed.ts'
import type { RefundReason, RefundResolution, RefundState } from '../payments/rules.ts'
import { nextDue, type PlannedPayment, paidCentsOf } from '../sales/amount-rules.ts'
import type { InstalmentState } from '../sales/plan-rules.ts'
import type { EventStart, Tier } from '../terms/rules.ts'
import { type LinePaymentState, type LineRefund, type LineStop, timelineOf } from '../terms/timeline-rules.ts'
import type { CancellationView } from './cancellation/rules.ts'
import type { ChangeSide, ChangeView } from './changes/rules.ts'
import type { DeclineCode } from './decisions/decline-rules.ts'
import type { TimeLeft } from './insights/rules.ts'
import { type BookingStatus, type Decision, isCalledOff, type PaymentStatus } from './status-rules.ts'

/**
 * The record stored on payment: exactly the fields of the specification, section 3, and the status (Decision 2). It has
 * no businessId, name or message.
 */
export type StoredBooking = {
  /** The business's id, as in /book/{id}. */
  vendorId: string
  vendorName: string
  customerName: string
  email: string
  phone: string
  date: LocalDate
  time: LocalTime
  quantity: number
  bookingType: PriceUnit
  /** A numeric string such as '1200.50' (Decision 5). */
  totalPrice: string
  paymentStatus: PaymentStatus
  /** The provider's id of the payment. */
  paymentId: string
  /** ISO 8601, UTC. */
  createdAt: string
  status: BookingStatus
}

/** An item of the vendor's list (Specification, section 3). Its shape differs from the stored record, as observed. */
export type ListedBooking = {
  businessId: string
  name: string
  email: string
  date: LocalDate
  time: LocalTime
  /** Always undefined: the record stored on payment has no message. */
  message: string | undefined
  status: BookingStatus
  createdAt: string
}

/** Converts the stored record into the list's shape. Nothing else does (Decision 2). */
export function toListedBooking(stored: StoredBooking): ListedBooking {
  return {
    businessId: stored.vendorId,
    name: stored.customerName,
    email: stored.email,
    date: stored.date,
    time: stored.time,
    message: undefined,
    status: stored.status,
    createdAt: stored.createdAt,
  }
}

/** A refund for screens. Times are ISO 8601, UTC; the amount is a numeric string. */
export type RefundView = {
  /** The state of the part that doesn't wait for the bank. */
  state: RefundState
  /** How an operator settled a refund that came back; null until then. */
  resolution: RefundResolution | null
  amount: string
  /** The part that stays here until the customer's bank has decided about its payment. */
  waitingCents: Cents
  dueAt: string
  doneAt: string | null
  reason: RefundReason
}

/** A refund of a booking's money. */
export type BookingRefund = {
  state: RefundState
  resolution: RefundResolution | null
  amountCents: Cents
  waitingCents: Cents
  dueAt: Date
  doneAt: Date | null
  reason: RefundReason
}

/** The state of a booking's payments at the customer's bank: it decides about one, or has returned money for good. */
export type BankView = {
  isDeciding: boolean
  /** Oldest first. `at` is when it was decided, ISO 8601, UTC. */
  returns: { cents: Cents; at: string }[]
}

/** Whether the customer's bank has returned what was left of a booking's payments. */
export function isReturned({
  bank,
  leftCents,
  refund,
}: Pick<CustomerBooking | VendorBooking, 'bank' | 'leftCents' | 'refund'>): boolean {
  return leftCents === 0 && refund === null && bank.returns.length > 0
}

/** Converts a refund into its shape for screens. */
export function toRefundView(refund: BookingRefund): RefundView {
  return {
    state: refund.state,
    resolution: refund.resolution,
    amount: toNumericString(refund.amountCents),
    waitingCents: refund.waitingCents,
    dueAt: refund.dueAt.toISOString(),
    doneAt: refund.doneAt?.toISOString() ?? null,
    reason: refund.reason,
  }
}

/** The states of refunds in order of urgency, the state that people wait for most first. */
const WAITED_FOR: readonly RefundState[] = ['failed', 'due', 'claimed', 'sent', 'done']

/** Whether a refund is that of a booking's end, not another by an operator or a change. */
export function isOfEnd({ reason }: Pick<BookingRefund, 'reason'>): boolean {
  return reason !== 'operator' && reason !== 'changed'
}

/**
 * Adds up the refunds of a booking's end that were ordered together and are in one state, each of a charge of its own.
 * A bank may send back one of them, which is then refunded again.
 * @returns first the refund that people wait for most. The part that waits for the bank is in it
 */
export function mergeRefunds(refunds: readonly BookingRefund[]): BookingRefund[] {
  const urgent = refunds.toSorted(
    (one, other) =>
      WAITED_FOR.indexOf(one.state) - WAITED_FOR.indexOf(other.state) ||
      other.dueAt.getTime() - one.dueAt.getTime(),
  )
  const waiting = urgent.filter(({ waitingCents }) => waitingCents > 0)
  const moving = urgent.filter(({ waitingCents }) => waitingCents <= 0)
  const alike = groupBy(moving, ({ state, resolution, dueAt }) => [state, resolution, dueAt.getTime()].join())
  const [first = [], ...rest] = alike.values()
  return [[...first, ...waiting], ...rest].flatMap(addUp)
}

/** The first refund, with the sums of all; nothing for none. */
function addUp(refunds: readonly BookingRefund[]): BookingRefund[] {
  const [first] = refunds
  if (!first) return []
  const amountCents = refunds.reduce((sum, refund) => sum + refund.amountCents, 0)
  const waitingCents = refunds.reduce((sum, refund) => sum + refund.waitingCents, 0)
  return [{ ...first, amountCents, waitingCents }]
}

/** The part of a booking's price that comes back because of its end, in cents. */
export function endRefundCentsOf({
  refund,
  otherRefunds,
}: Pick<CustomerBooking, 'refund' | 'otherRefunds'>): Cents {
  return [...otherRefunds, ...(refund ? [refund] : [])]
    .filter(isOfEnd)
    .reduce((sum, { amount }) => sum + (parsePrice(amount) ?? 0), 0)
}

/** The amounts that have come off a booking's price at its vendor's cost, in cents. A change has lowered the price itself. */
export type OffPrice = {
  refundedCents: Cents
  /** Refunds that we bear: the vendor still has this part of the price. */
  ourCents: Cents
  /** Whether all of it has reached the customer. */
  isGone: boolean
  /** Taken off the balance before it was paid. */
  takenOffCents: Cents
}

/** One item of the vendor's list, with the state that its buttons need. */
export type VendorBooking = {
  id: string
  listed: ListedBooking
  stored: StoredBooking
  /** The event with its zone: 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  /** The refund of a booking that does not take place, in the state that people wait for most. */
  refund: RefundView | null
  /** Further refunds: by operators or changes, oldest first, then of its end in other states. */
  otherRefunds: RefundView[]
  /** Why the vendor declines or has declined the booking, as the customer reads it; null for none. */
  declineReason: string | null
  /** A decline of which the customer hasn't been told yet; null for none. `tellsAt` is ISO 8601, UTC. */
  waiting: { tellsAt: string; code: DeclineCode | null } | null
  /** How the booking was cancelled; null for any other booking. */
  cancellation: CancellationView | null
  off: OffPrice
  /** All payments of the price, as they stand; null for a booking from before there were terms. */
  payments: BookingTerms['payments'] | null
  /** The part of the customer's payments that can still be refunded. */
  leftCents: Cents
  bank: BankView
  /** The unpaid rest of the price, which `stored.paymentStatus` doesn't tell; null once nothing is due. */
  due: VendorDue | null
  /** The open change; null for none. */
  change: ChangeView | null
  canChange: boolean
  /** How long the vendor may still answer; null once they have. */
  left: TimeLeft | null
  /** The zone of the event. */
  timeZone: string
  /** Empty when the decision is final. */
  decisions: Decision[]
}

/** How a booking is paid and cancelled, by the terms of its sale. Times are ISO 8601, UTC. */
export type BookingTerms = {
  tiers: readonly Tier[]
  paidAt: string
  /** All payments of the price, as they stand. `at` is when one was paid, or else when it is due. */
  payments: PlannedPayment[]
}

/**
 * The next payment of a booking, as its customer sees it. `endsAt` is when the booking ends if it stays unpaid, or null where it stands.
 * ISO 8601, UTC.
 */
export type CustomerDue = PlannedPayment & { endsAt: string | null }

/** A price that is paid in parts, as its vendor sees it: what is paid, and the payment that comes next. */
export type PartPayment = {
  paidCents: Cents
  cents: Cents
  /** When it is due, ISO 8601, UTC. */
  at: string
  /** Whether the payment is due later, is late, or is so late that the booking ends. */
  standing: 'scheduled' | 'failing' | 'overdue'
}

/** A price that is paid in parts, with the one extension that its vendor can give. */
export type VendorDue = PartPayment & {
  canExtend: boolean
  /** Until when the extension lasts, ISO 8601, UTC; null without one. */
  extendedUntil: string | null
  /** When the booking ends if nothing is paid, ISO 8601, UTC; null where it stands. */
  endsAt: string | null
}

/** Returns the paid amount of a booking and its next payment; null once nothing is due. */
export function partPaymentOf(terms: Pick<BookingTerms, 'payments'>): PartPayment | null {
  const next = nextDue(terms)
  const standing = next && LINE_STATES[next.state]
  if (!next || !standing || standing === 'paid' || standing === 'ended') return null
  return { paidCents: paidCentsOf(terms), cents: next.cents, at: next.at, standing }
}

const LINE_STATES = {
  scheduled: 'scheduled',
  reminded: 'scheduled',
  charging: 'scheduled',
  paid: 'paid',
  needs_customer: 'failing',
  failed: 'failing',
  overdue: 'overdue',
  ended: 'ended',
} as const satisfies Record<InstalmentState, LinePaymentState>

/** The terms of a booking and its payments, as `timelineOf` takes them. */
export function agreedLine({ tiers, paidAt, payments }: BookingTerms, event: EventStart) {
  return {
    terms: { event, paidAt: new Date(paidAt), tiers },
    payments: payments.map(({ cents, at, state }) => ({
      cents,
      at: new Date(at),
      state: LINE_STATES[state],
    })),
  }
}

/**
 * The refunds of a booking and what its customer's bank has returned, as `timelineOf` takes them. The refund of a change has
 * lowered the payments already.
 */
export function lineRefunds(refunds: readonly RefundView[], { returns }: BankView): LineRefund[] {
  return [
    ...refunds
      .filter(({ reason }) => reason !== 'changed')
      .flatMap((each) => {
        const movingCents = (parsePrice(each.amount) ?? 0) - each.waitingCents
        const isDone = each.state === 'done' || each.resolution === 'paid_otherwise'
        const at = new Date(each.doneAt ?? each.dueAt)
        return [
          { cents: movingCents, at, isDone, isByBank: false },
          { cents: each.waitingCents, at: null, isDone: false, isByBank: false },
        ].filter(({ cents }) => cents > 0)
      }),
    ...returns.map(({ cents, at }) => ({ cents, at: new Date(at), isDone: true, isByBank: true })),
  ]
}

/** Returns the timeline of a booking as of now; null for a booking from before there were terms. */
export function lineOfBooking(
  booking: Pick<CustomerBooking, 'stored' | 'terms' | 'timeZone' | 'refund' | 'otherRefunds' | 'bank'>,
  now: Date,
): LineStop[] | null {
  const { stored, terms, timeZone, refund, otherRefunds, bank } = booking
  if (!terms) return null
  return timelineOf({
    ...agreedLine(terms, { date: stored.date, time: stored.time, timeZone }),
    refunds: lineRefunds([...otherRefunds, ...(refund ? [refund] : [])], bank),
    now,
    isCalledOff: isCalledOff(stored.status),
  })
}

/** A business that could take the place of another. */
export type Alternative = { id: string; name: string; location: string }

/** A vendor's contact details, for a customer who has paid. */
export type VendorContact = { name: string; phone: string | null; email: string }

/** The vendor as the reader of a mail. @param person whom the mail greets, also where `name` is a company's */
export type VendorReader = VendorContact & { person: string }

/** One booking as its customer sees it. A customer who has paid gets the vendor's contact (Decision 20). */
export type CustomerBooking = {
  id: string
  stored: StoredBooking
  /** The refund of a booking that does not take place, in the state that people wait for most. */
  refund: RefundView | null
  /** Further refunds: by operators or changes, oldest first, then of its end in other states. */
  otherRefunds: RefundView[]
  /** The masked account that the customer has named for what their bank has sent back: 'account ending 789'. */
  refundAccount: string | null
  /** Why the vendor has declined the booking; null for none. */
  declineReason: string | null
  /** How the booking was cancelled; null for any other booking. */
  cancellation: CancellationView | null
  canWithdraw: boolean
  /** Taken off the balance by an operator before it was paid. `stored.totalPrice` is the price before it. */
  takenOffCents: Cents
  /** The part of their payments that can still be refunded. */
  leftCents: Cents
  bank: BankView
  /** Null for a booking from before there were terms: paid in full, and only withdrawn while undecided. */
  terms: BookingTerms | null
  /** The unpaid rest of the price, which `stored.paymentStatus` doesn't tell; null once nothing is due. */
  due: CustomerDue | null
  /** By when the vendor answers, as promised when the booking was paid. ISO 8601, UTC. */
  decidedBy: string
  /** The open change; null for none. */
  change: { isAgreed: boolean; proposedBy: ChangeSide; expiresAt: string } | null
  timeZone: string
  /** The event with its zone: 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  /** The event in ISO 8601, UTC. */
  event: { from: string; until: string }
  place: string
  /** The listing's facts at the time of booking, of the rows with `isOnBooking`. */
  stated: { label: string; text: string }[]
  contact: VendorContact | null
  /** The path of the unguessable link to this booking. */
  link: string
}

/**
 * Derives the unguessable token of a booking's link (Decision 3). Every mail can derive it again, while the database
 * stores only its hash.
 * @param paymentId our payment's id
 */
export function bookingLinkToken(secret: string, paymentId: string): Promise<string> {
  return signText(secret, `booking-link:${paymentId}`)
}

/** The sort key of a booking by its event, by each place's own clock. */
export function eventOrder({ stored }: { stored: { date: string; time: string } }): string {
  return `${stored.date} ${stored.time}`
}

/** The version of a booking in calendars: its SEQUENCE, and when it last changed (RFC 5545, 3.8.7). */
export type CalendarVersion = { sequence: number; changedAt: Date }

/**
 * The version of a booking in calendars, which keep the one with the highest SEQUENCE. It grows with each decision, by the seconds
 * since the booking, and with each change of date, so that taking one back raises it again.
 * @param booking.decidedAt the last decision; null before the first
 * @param booking.changes how many changes have taken effect
 */
export function calendarVersion(booking: {
  bookedAt: Date
  decidedAt: Date | null
  changes: number
  changedAt: Date | null
}): CalendarVersion {
  const { bookedAt, decidedAt, changes, changedAt } = booking
  const decidedAfterS = decidedAt ? Math.ceil((decidedAt.getTime() - bookedAt.getTime()) / 1_000) : 0
  const moments = [bookedAt, decidedAt ?? bookedAt, changedAt ?? bookedAt]
  return {
    sequence: Math.max(0, decidedAfterS) + changes,
    changedAt: new Date(Math.max(...moments.map((moment) => moment.getTime()))),
  }
}
