import { type RawBuilder, sql } from 'kysely'
import type { MoneySum } from '../../adapters/backup/port.ts'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { DisputeStatus, ProviderRefundStatus } from '../../adapters/payments/port.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { findPolicyRefund } from '../bookings/cancellation-queries.server.ts'
import { changedFacts, changeStateText } from '../bookings/change-messages.ts'
import { listChanges } from '../bookings/change-queries.server.ts'
import type { BookingStatus, PaymentStatus } from '../bookings/rules.ts'
import { findDue, listInstalments } from '../instalments/queries.server.ts'
import type { InstalmentState } from '../instalments/rules.ts'
import { findPurchaseRest, isBlockedByDispute } from '../payments/queries.server.ts'
import {
  type PaymentState,
  type RefundReason,
  type RefundResolution,
  type RefundState,
  type RefundStatus,
  refundStateOf,
} from '../payments/rules.ts'
import { cursorMicros, cursorOf, isOlder, likePart, readCursor } from './list-queries.server.ts'
import { listRefundOrders, type WaitingOrder } from './order-queries.server.ts'
import { COUNT_LIMIT, isStuck, PAGE_SIZE, type PaymentFilter, STUCK_AFTER_MS } from './rules.ts'

/** A row of the payments screen. Times are ISO 8601, UTC. */
export type OperatorPayment = {
  id: string
  /** Its position in a list. */
  cursor: string
  /** The provider that took the card. It is asked about the payment only while the settings name it. */
  provider: string
  reference: string | null
  state: PaymentState
  isStuck: boolean
  amountCents: Cents
  businessId: string
  businessName: string
  customerName: string
  email: string
  createdAt: string
  expiresAt: string
  lastError: string | null
  bookingStatus: BookingStatus | null
  paymentStatus: PaymentStatus | null
  /**
   * The refund that needs most attention, else the newest. `failing`: the provider refuses it; `overdue`: it should have left a
   * while ago and was not refused; `cameBack`: an operator has to settle it.
   */
  refund: { state: RefundState; failing: boolean; overdue: boolean; cameBack: boolean } | null
  /** An open dispute's provider status. */
  dispute: DisputeStatus | null
  /** Whether refunds wait for a dispute. */
  areRefundsBlocked: boolean
}

function selectPayments(db: Database) {
  return db
    .selectFrom('payments')
    .leftJoin('bookings', 'bookings.payment_row_id', 'payments.id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('payment_actions')
          .select([
            'payment_actions.id',
            'payment_actions.state',
            'payment_actions.provider_status',
            'payment_actions.resolution',
            'payment_actions.last_error',
            'payment_actions.due_at',
          ])
          .whereRef('payment_actions.payment_id', '=', 'payments.id')
          .where('payment_actions.kind', '=', 'refund')
          .where('payment_actions.state', '<>', 'cancelled')
          .orderBy(sql`case
            when payment_actions.provider_status in ('failed', 'canceled') and payment_actions.resolution is null then 0
            when payment_actions.state = 'claimed' and payment_actions.last_error is not null then 1
            when payment_actions.state in ('due', 'claimed') then 2
            else 3 end`)
          .orderBy('payment_actions.created_at', 'desc')
          .limit(1)
          .as('refunds'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('disputes')
          .select('disputes.status')
          .whereRef('disputes.payment_id', '=', 'payments.id')
          .where('disputes.closed_at', 'is', null)
          .limit(1)
          .as('open_dispute'),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      'payments.id',
      'payments.provider',
      'payments.provider_reference',
      'payments.state',
      'payments.amount_cents',
      'payments.sold',
      'payments.draft',
      'payments.created_at',
      'payments.expires_at',
      'payments.last_error',
      'bookings.status',
      'bookings.payment_status',
      'refunds.state as refund_state',
      'refunds.last_error as refund_error',
      'refunds.due_at as refund_due_at',
      'refunds.provider_status as refund_provider_status',
      'refunds.resolution as refund_resolution',
      'open_dispute.status as dispute_status',
      isBlockedByDispute('payments.id').as('are_refunds_blocked'),
      cursorMicros('payments'),
      eb
        .selectFrom('payment_events')
        .select((events) => events.fn.min('payment_events.received_at').as('oldest'))
        .whereRef('payment_events.provider_reference', '=', 'payments.provider_reference')
        .where('payment_events.processed_at', 'is', null)
        .as('oldest_open_event'),
    ])
}

/**
 * Lists the payments that match a filter, newest first.
 * @param input.words part of a name, an email, a business or a reference; '' for all
 * @param input.before the cursor of the last row before; null for the first page
 */
export async function listPayments(
  db: Database,
  input: {
    filter: Exclude<PaymentFilter, 'unpaid'>
    words: string
    now: Date
    before?: string | null
    limit?: number
  },
): Promise<OperatorPayment[]> {
  const before = readCursor(input.before ?? null)
  let page = db
    .selectFrom('payments')
    .select('payments.id')
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(input.limit ?? PAGE_SIZE)
  const condition = conditionOf(input.filter, input.now)
  if (condition) page = page.where(condition)
  if (input.words !== '') page = page.where(matchesWords(input.words))
  if (before) page = page.where(isOlder('payments', before))
  // The page first, so that only its rows are joined.
  const rows = await selectPayments(db)
    .where('payments.id', 'in', page)
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .execute()
  return rows.map((row) => toOperatorPayment(row, input.now))
}

/** The condition of each filter on `payments`; null for all. */
function conditionOf(filter: Exclude<PaymentFilter, 'unpaid'>, now: Date): RawBuilder<boolean> | null {
  const stuckBefore = new Date(now.getTime() - STUCK_AFTER_MS)
  const refundWhere = (condition: RawBuilder<boolean>) => sql<boolean>`exists (
    select from payment_actions where payment_actions.payment_id = payments.id
      and payment_actions.kind = 'refund' and payment_actions.state <> 'cancelled' and (${condition}))`
  switch (filter) {
    case 'all':
      return null
    case 'open':
      return sql`payments.state in ('open', 'processing')`
    case 'paid':
      return sql`payments.state = 'paid'`
    case 'failed':
      return sql`payments.state in ('failed', 'cancelled', 'expired')`
    case 'stuck':
      return sql`(payments.state in ('open', 'processing') and payments.expires_at < ${stuckBefore}
        or exists (select from payment_events
          where payment_events.provider_reference = payments.provider_reference
            and processed_at is null and received_at < ${stuckBefore}))`
    case 'refunds':
      return refundWhere(sql`true`)
    case 'due':
      return refundWhere(sql`payment_actions.state in ('due', 'claimed')`)
    case 'failing':
      return refundWhere(sql`
        payment_actions.state = 'claimed' and payment_actions.last_error is not null
        or payment_actions.provider_status in ('failed', 'canceled') and payment_actions.resolution is null
        or payment_actions.state in ('due', 'claimed') and payment_actions.due_at < ${stuckBefore}
          and not ${isBlockedByDispute('payments.id')}`)
  }
}

/** The condition that a payment matches the words of a search: part of a name, an email, a business or a reference. */
export function matchesWords(words: string): RawBuilder<boolean> {
  const part = likePart(words)
  return sql<boolean>`(payments.provider_reference ilike ${part} or payments.id = ${words}
    or payments.sold->>'businessName' ilike ${part} or payments.draft->>'fullName' ilike ${part}
    or payments.draft->>'email' ilike ${part})`
}

type PaymentRow = Awaited<ReturnType<ReturnType<typeof selectPayments>['execute']>>[number]

function toOperatorPayment(row: PaymentRow, now: Date): OperatorPayment {
  const oldestOpenEventAt = row.oldest_open_event ? new Date(row.oldest_open_event) : null
  const failing = row.refund_state === 'claimed' && row.refund_error !== null
  // One that waits for a dispute is not late.
  const wasDueAt = row.refund_state === 'done' || row.are_refunds_blocked ? null : row.refund_due_at
  const overdue = !failing && wasDueAt !== null && wasDueAt.getTime() < now.getTime() - STUCK_AFTER_MS
  const state =
    row.refund_state && row.refund_state !== 'cancelled'
      ? refundStateOf({ state: row.refund_state, providerStatus: row.refund_provider_status })
      : null
  const cameBack = state === 'failed' && row.refund_resolution === null
  return {
    id: row.id,
    cursor: cursorOf(row),
    provider: row.provider,
    reference: row.provider_reference,
    state: row.state,
    isStuck: isStuck({ state: row.state, expiresAt: row.expires_at, oldestOpenEventAt }, now),
    amountCents: Number(row.amount_cents),
    businessId: row.sold.businessId,
    businessName: row.sold.businessName,
    customerName: row.draft.fullName,
    email: row.draft.email,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastError: row.last_error,
    bookingStatus: row.status,
    paymentStatus: row.payment_status,
    refund: state ? { state, failing, overdue, cameBack } : null,
    dispute: row.dispute_status,
    areRefundsBlocked: row.are_refunds_blocked,
  }
}

/** Counts the payments that need attention, up to `COUNT_LIMIT`: stuck ones, and those whose refund fails or is overdue. */
export async function countPaymentTroubles(
  db: Database,
  now: Date,
): Promise<{ stuck: number; failing: number }> {
  const count = async (filter: 'stuck' | 'failing') => {
    const condition = conditionOf(filter, now) ?? sql<boolean>`true`
    return (await db.selectFrom('payments').select('id').where(condition).limit(COUNT_LIMIT).execute()).length
  }
  const [stuck, failing] = await Promise.all([count('stuck'), count('failing')])
  return { stuck, failing }
}

/** An operator's cancellation that waits for a second operator. */
export type CancellationOrder = {
  id: string
  paymentId: string
  businessName: string
  side: 'vendor' | 'customer'
  refundCents: Cents
  reason: string
  placedByEmail: string
  /** ISO 8601, UTC. */
  placedAt: string
}

/**
 * Lists the cancellations that wait for a second operator, oldest first.
 * @param firstPaymentId only those of one purchase
 */
export async function listCancellationOrders(
  db: Database,
  firstPaymentId?: string,
): Promise<CancellationOrder[]> {
  let query = db
    .selectFrom('cancellation_orders')
    .innerJoin('payments', 'payments.id', 'cancellation_orders.payment_id')
    .selectAll('cancellation_orders')
    .select('payments.sold')
    .where('settled_at', 'is', null)
  if (firstPaymentId) query = query.where('cancellation_orders.payment_id', '=', firstPaymentId)
  const rows = await query.orderBy('placed_at').orderBy('cancellation_orders.id').execute()
  return rows.map((row) => ({
    id: row.id,
    paymentId: row.payment_id,
    businessName: row.sold.businessName,
    side: row.side,
    refundCents: Number(row.refund_cents),
    reason: row.reason,
    placedByEmail: row.placed_by_email,
    placedAt: row.placed_at.toISOString(),
  }))
}

/** An event of a payment's history; the trail is in chronological order. */
export type TrailEntry = { at: string; what: string; detail: string; tone: 'plain' | 'good' | 'bad' }

export type PaymentTrail = OperatorPayment & {
  bookingId: string | null
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
  cancellationOrder: CancellationOrder | null
  /** A refund that waits for a second person. */
  refundOrder: WaitingOrder | null
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
  /** Newest first. */
  disputes: { id: string; status: DisputeStatus; amountCents: Cents }[]
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
  const row = await selectPayments(db)
    .select([
      'payments.attempt',
      'payments.follows',
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
  if (!row) return null
  const [events, refunds, disputes, logged] = await Promise.all([
    db
      .selectFrom('payment_events')
      .select(['type', 'event_id', 'received_at', 'processed_at'])
      .where('provider_reference', '=', row.provider_reference ?? '')
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
      .select(['id', 'status', 'amount_cents'])
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
  const trail: (Omit<TrailEntry, 'at'> & { at: Date })[] = []
  const add = (at: Date | null, what: string, detail = '', tone: TrailEntry['tone'] = 'plain') => {
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
  for (const change of row.booking_id ? await listChanges(db, [row.booking_id]) : []) {
    const facts = { before: change.sale_before, after: change.sale_after }
    const about = { timeZone: row.sold.timeZone, bookingType: row.sold.priceUnit }
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
  for (const refund of refunds) {
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
  if (row.state === 'failed' || row.state === 'cancelled' || row.state === 'expired')
    add(row.updated_at, `Payment ${row.state}`, row.last_error ?? '', 'bad')
  return {
    ...toOperatorPayment(row, now),
    bookingId: row.booking_id,
    quoteLines: row.sold.quote?.lines ?? [],
    refundableCents: (await findPurchaseRest(db, row.follows ?? paymentId)).leftCents,
    dueCents: (await findDue(db, row.follows ?? paymentId))?.dueCents ?? 0,
    instalments: (await listInstalments(db, row.follows ?? paymentId)).map((one) => ({
      number: one.number,
      amountCents: Number(one.amount_cents),
      dueAt: (one.paid_at ?? one.due_at).toISOString(),
      state: one.state,
    })),
    refundOrder: (await listRefundOrders(db, row.follows ?? paymentId))[0] ?? null,
    cancellationOrder: (await listCancellationOrders(db, row.follows ?? paymentId))[0] ?? null,
    policyCents: row.booking_id ? await findPolicyRefund(db, row.booking_id, now) : null,
    refunds: refunds
      .filter((refund) => refund.kind === 'refund')
      .map((refund) => ({
        id: refund.id,
        state: stateOf(refund),
        resolution: refund.resolution,
        reason: refund.reason,
        amountCents: Number(refund.amount_cents),
        dueAt: refund.due_at.toISOString(),
        attempts: refund.attempts,
        lastError: refund.last_error,
        providerReason: refund.failure_reason ?? refund.pending_reason,
      })),
    disputes: disputes.map(({ id, status, amount_cents }) => ({
      id,
      status,
      amountCents: Number(amount_cents),
    })),
    trail: trail
      .toSorted((one, other) => one.at.getTime() - other.at.getTime())
      .map((entry) => ({ ...entry, at: entry.at.toISOString() })),
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

/**
 * Returns the payment metrics for alerts: payments by state, stuck ones (counted up to one page), and overdue refunds
 * and cancellations.
 */
export async function measurePayments(
  db: Database,
  now: Date,
): Promise<{ states: { state: PaymentState; count: number }[]; stuck: number; overdue: number }> {
  const [states, stuck, overdue] = await Promise.all([
    db
      .selectFrom('payments')
      .select(['state', sql<number>`count(*)::int`.as('count')])
      .groupBy('state')
      .orderBy('state')
      .execute(),
    listPayments(db, { filter: 'stuck', words: '', now }),
    db
      .selectFrom('payment_actions')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('state', 'in', ['due', 'claimed'])
      .where('due_at', '<', new Date(now.getTime() - STUCK_AFTER_MS))
      .where((eb) => eb.not(isBlockedByDispute('payment_actions.payment_id')))
      .executeTakeFirstOrThrow(),
  ])
  return { states, stuck: stuck.length, overdue: overdue.count }
}

/**
 * Sums the money in the database by state. The sandbox stores its own refunds: see `sumSandboxMoney`.
 * @returns in the order of `what`
 */
export async function sumMoney(tx: DatabaseTransaction): Promise<MoneySum[]> {
  const { rows } = await sql<MoneySum>`
    select what, count(*)::int as count, sum(cents)::text as cents from (
      select 'payments ' || state as what, amount_cents as cents from payments
      union all select 'bookings ' || payment_status, total_price_cents from bookings
      union all select kind || 's ' || state, amount_cents from payment_actions
      union all select 'ledger postings of ' || account, cents from ledger_postings
      union all select 'ledger balances of ' || account, cents from ledger_balances
    ) x group by what order by what collate "C"`.execute(tx)
  return rows
}
