import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { DisputeStatus, ProviderRefundStatus } from '../../adapters/payments/port.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { findPolicyRefund } from '../bookings/cancellation/queries.server.ts'
import { changedFacts, changeStateText } from '../bookings/changes/messages.ts'
import { listChanges } from '../bookings/changes/queries.server.ts'
import { findPurchaseRest, isFurther } from '../payments/queries.server.ts'
import {
  type RefundReason,
  type RefundResolution,
  type RefundState,
  type RefundStatus,
  refundStateOf,
} from '../payments/rules.ts'
import { findDue, listInstalments } from '../sales/plan-queries.server.ts'
import type { InstalmentState } from '../sales/plan-rules.ts'
import { APPROVAL_ACTS, type ApprovalAct } from './act-rules.ts'
import { type Approval, listOpenApprovals } from './approval-queries.server.ts'
import { isAwaited } from './dispute-rules.ts'
import {
  hasPaidFor,
  type OperatorPayment,
  selectPayments,
  toOperatorPayment,
} from './payment-queries.server.ts'

/** An event of a payment's history; the trail is in chronological order. */
export type TrailEntry = { at: string; what: string; detail: string; tone: 'plain' | 'good' | 'bad' }

export type PaymentTrail = OperatorPayment & {
  /** The booking that it has paid for, or paid an instalment or a change of. */
  bookingId: string | null
  /** The account that owned the listing when it was sold. */
  vendorUserId: string
  /** The purchase's refundable and unpaid amounts. A refund reduces the unpaid one first. */
  refundableCents: Cents
  dueCents: Cents
  /** The instalments of its purchase; none if it was paid at once. `dueAt` is when one was paid, or will be charged. */
  instalments: { number: number; amountCents: Cents; dueAt: string; state: InstalmentState }[]
  /** The lines of the quote that it accepts; none for a booking from the form. */
  quoteLines: readonly { label: string; quantity: number; unitPriceCents: Cents }[]
  /** The policy's refund if the booking is cancelled for its customer now; null for a booking without a policy. */
  policyCents: Cents | null
  /** A cancellation that waits for a second operator. */
  cancellationOrder: Approval<'cancel-booking'> | null
  /** A refund that waits for a second person. */
  refundOrder: Approval<ApprovalAct<'refund'>> | null
  refunds: {
    id: string
    state: RefundState | 'cancelled'
    resolution: RefundResolution | null
    reason: RefundReason
    amountCents: Cents
    dueAt: string
    attempts: number
    lastError: string | null
    /** Why the provider has not sent it on yet, or why it came back, in the provider's words. */
    providerReason: string | null
  }[]
  /** Newest first. `answerBy` is until when the bank takes evidence, of a dispute that waits for our answer. */
  disputes: { id: string; status: DisputeStatus; amountCents: Cents; answerBy: string | null }[]
  trail: TrailEntry[]
}

/**
 * Returns one payment with its complete history.
 * @returns null when there is none with this id
 */
export async function findPaymentTrail(
  db: Database,
  paymentId: string,
  now: Date,
): Promise<PaymentTrail | null> {
  const row = await findRow(db, paymentId)
  if (!row) return null
  const history = await readHistory(db, row)
  const { refunds, disputes } = history
  return {
    ...toOperatorPayment(row, now),
    bookingId: row.booking_id ?? (isFurther(row) ? await findPaidFor(db, paymentId) : null),
    vendorUserId: row.sale.ownerUserId,
    quoteLines: row.sale.quote?.lines ?? [],
    ...(await findRest(db, row.sale_id)),
    instalments: (await listInstalments(db, row.sale_id)).map((one) => ({
      number: one.number,
      amountCents: Number(one.amount_cents),
      dueAt: (one.paid_at ?? one.due_at).toISOString(),
      state: one.state,
    })),
    refundOrder: (await listOpenApprovals(db, APPROVAL_ACTS.refund, row.sale_id))[0] ?? null,
    cancellationOrder: (await listOpenApprovals(db, APPROVAL_ACTS.cancellation, row.sale_id))[0] ?? null,
    policyCents: row.booking_id ? await findPolicyRefund(db, row.booking_id, now) : null,
    refunds: refunds.filter((refund) => refund.kind === 'refund').map(toRefundRow),
    disputes: disputes.map(({ id, status, amount_cents, evidence_due_at, closed_at }) => ({
      id,
      status,
      amountCents: Number(amount_cents),
      answerBy: closed_at === null && isAwaited(status) ? (evidence_due_at?.toISOString() ?? null) : null,
    })),
    trail: await listTrail(db, row, history),
  }
}

/** Finds what a refund can come out of: what is left of a purchase's charges, and what is still due of it. @param firstPaymentId its first payment */
export async function findRest(
  db: Database | DatabaseTransaction,
  firstPaymentId: string,
): Promise<{ refundableCents: Cents; dueCents: Cents }> {
  const { leftCents } = await findPurchaseRest(db, firstPaymentId)
  return { refundableCents: leftCents, dueCents: (await findDue(db, firstPaymentId))?.dueCents ?? 0 }
}

/** Finds the booking of which a later payment has paid an instalment or a change; null where it has paid for nothing. */
async function findPaidFor(db: Database, paymentId: string): Promise<string | null> {
  const booking = await db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.sale_id', 'bookings.payment_row_id')
    .select('bookings.id')
    .where('payments.id', '=', paymentId)
    .where(hasPaidFor)
    .executeTakeFirst()
  return booking?.id ?? null
}

type TrailRow = NonNullable<Awaited<ReturnType<typeof findRow>>>

/** Finds the row of a payment with the times of its booking; undefined when there is none with this id. */
function findRow(db: Database, paymentId: string) {
  return selectPayments(db)
    .select([
      'payments.attempt',
      'payments.sale_id',
      'payments.paid_at',
      'payments.checked_at',
      'payments.updated_at',
      'bookings.id as booking_id',
      'bookings.created_at as booked_at',
      'bookings.decided_at',
    ])
    .where('payments.id', '=', paymentId)
    .limit(1)
    .executeTakeFirst()
}

type History = Awaited<ReturnType<typeof readHistory>>

/** Reads the payment's events, refunds and disputes, and what operators did about it. */
async function readHistory(db: Database, { id: paymentId, provider_reference }: TrailRow) {
  const [events, refunds, disputes, logged] = await Promise.all([
    db
      .selectFrom('payment_events')
      .select(['type', 'event_id', 'received_at', 'processed_at'])
      .where('provider_reference', '=', provider_reference ?? '')
      .orderBy('received_at')
      .execute(),
    db
      .selectFrom('payment_actions')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('disputes')
      .select(['id', 'status', 'amount_cents', 'evidence_due_at', 'closed_at'])
      .where('payment_id', '=', paymentId)
      .orderBy('opened_at', 'desc')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('operator_log')
      .select(['action', 'operator_email', 'created_at', 'subject_id'])
      .where('subject_kind', 'in', ['payment', 'refund'])
      .where((eb) => eb.or([eb('subject_id', '=', paymentId), eb('subject_label', '=', paymentId)]))
      .execute(),
  ])
  return { events, refunds, disputes, logged }
}

/** Adds an entry to a trail. An event that hasn't happened (null) adds none. */
type AddEntry = (at: Date | null, what: string, detail?: string, tone?: TrailEntry['tone']) => void

/** Lists all events of a payment in chronological order; those at the same moment stay as they are added. */
async function listTrail(
  db: Database,
  row: TrailRow,
  { events, refunds, logged }: History,
): Promise<TrailEntry[]> {
  const trail: (Omit<TrailEntry, 'at'> & { at: Date })[] = []
  const add: AddEntry = (at, what, detail = '', tone = 'plain') => {
    if (at) trail.push({ at, what, detail, tone })
  }
  add(row.created_at, 'Payment started', row.attempt > 1 ? `attempt ${row.attempt}` : '')
  // Added before its own consequence, which may have the same timestamp.
  for (const entry of logged)
    add(
      entry.created_at,
      entry.action === 'retry-refund' ? 'Refund tried again' : 'Provider asked again',
      entry.operator_email,
    )
  for (const event of events) {
    add(event.received_at, `Event ${event.type}`, event.event_id)
    if (!event.processed_at) add(event.received_at, 'Event not processed yet', event.event_id, 'bad')
  }
  add(row.paid_at, 'Paid', row.provider_reference ?? '', 'good')
  add(row.booked_at, 'Booking stored', row.booking_id ?? '', 'good')
  add(row.decided_at, `Booking ${row.status}`)
  for (const change of row.booking_id ? await listChanges(db, [row.booking_id]) : [])
    addChange(add, change, row.sale)
  for (const refund of refunds) addRefund(add, refund)
  if (row.state === 'failed' || row.state === 'cancelled' || row.state === 'expired')
    add(row.updated_at, `Payment ${row.state}`, row.last_error ?? '', 'bad')
  return trail
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map((entry) => ({ ...entry, at: entry.at.toISOString() }))
}

/** Adds the proposal of a change, its agreement if it had to be paid for, and its end. */
function addChange(
  add: AddEntry,
  change: Awaited<ReturnType<typeof listChanges>>[number],
  sale: TrailRow['sale'],
): void {
  const facts = { before: change.sale_before, after: change.sale_after }
  const about = { timeZone: sale.timeZone, bookingType: sale.bookingType }
  const detail = changedFacts(facts, about)
    .map(({ label, before, after }) => `${label}: ${before} → ${after}`)
    .join('; ')
  add(change.created_at, `Change proposed by the ${change.proposed_by}`, detail)
  if (Number(change.due_cents) > 0)
    add(change.answered_at, 'Change agreed', `${formatMoney(Number(change.due_cents))} to pay`)
  const state = { state: change.state, proposedBy: change.proposed_by, endedBy: change.ended_by }
  const text = changeStateText(state, 'operator')
  add(
    change.ended_at,
    `Change: ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
    '',
    change.state === 'paid' ? 'good' : 'plain',
  )
}

/** Adds the order of a refund, its attempts, where it is, and how an operator settled a refund that came back. */
function addRefund(add: AddEntry, refund: History['refunds'][number]): void {
  add(refund.created_at, 'Refund ordered', refund.reason.replaceAll('_', ' '))
  add(
    refund.claimed_at,
    `Refund asked for, attempt ${refund.attempts}`,
    refund.last_error ?? '',
    refund.last_error ? 'bad' : 'plain',
  )
  const state = stateOf(refund)
  if (state === 'sent') add(refund.done_at, 'Refund on its way', refund.pending_reason ?? '')
  if (state === 'done') add(refund.done_at, 'Refunded', refund.provider_refund ?? '', 'good')
  if (state === 'failed') add(refund.done_at, 'Refund came back', refund.failure_reason ?? '', 'bad')
  if (refund.resolution === 'paid_otherwise')
    add(refund.resolved_at, 'Paid back another way', refund.resolution_reference ?? '', 'good')
  if (refund.resolution === 'refunded_again') add(refund.resolved_at, 'Refund ordered again')
}

/** A refund as the payment's screen lists it. */
function toRefundRow(refund: History['refunds'][number]): PaymentTrail['refunds'][number] {
  return {
    id: refund.id,
    state: stateOf(refund),
    resolution: refund.resolution,
    reason: refund.reason,
    amountCents: Number(refund.amount_cents),
    dueAt: refund.due_at.toISOString(),
    attempts: refund.attempts,
    lastError: refund.last_error,
    providerReason: refund.failure_reason ?? refund.pending_reason,
  }
}

function stateOf(refund: {
  state: RefundStatus
  provider_status: ProviderRefundStatus | null
}): RefundState | 'cancelled' {
  return refund.state === 'cancelled'
    ? 'cancelled'
    : refundStateOf({ state: refund.state, providerStatus: refund.provider_status })
}
