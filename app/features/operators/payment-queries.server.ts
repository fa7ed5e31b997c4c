import { type RawBuilder, sql } from 'kysely'
import type { MoneySum } from '../../adapters/backup/port.ts'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { DisputeStatus } from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import { readPageKey } from '../../shared/page-keys.server.ts'
import type { BookingStatus, PaymentStatus } from '../bookings/status-rules.ts'
import { isBlockedByDispute } from '../payments/queries.server.ts'
import { type PaymentState, type RefundState, refundStateOf } from '../payments/rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import { cursorMicros, cursorOf, isOlder, likePart } from './list-queries.server.ts'
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
   * while ago and was not refused; `cameBack`: an operator has to settle it; `isPart`: less has gone back than was paid.
   */
  refund: {
    state: RefundState
    failing: boolean
    overdue: boolean
    cameBack: boolean
    isPart: boolean
  } | null
  /** An open dispute's provider status. */
  dispute: DisputeStatus | null
  /** Whether refunds wait for a dispute. */
  areRefundsBlocked: boolean
}

/** Selects payments with the refund that needs most attention and their open dispute. */
export function selectPayments(db: Database) {
  return db
    .selectFrom('payments')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
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
      saleJson().as('sale'),
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
        .selectFrom('payment_actions')
        .select((back) => back.fn.sum('payment_actions.amount_cents').as('cents'))
        .whereRef('payment_actions.payment_id', '=', 'payments.id')
        .where('payment_actions.kind', '=', 'refund')
        .where('payment_actions.state', '=', 'done')
        .where(
          sql<boolean>`(coalesce(payment_actions.provider_status, 'succeeded') = 'succeeded'
            or payment_actions.resolution = 'paid_otherwise')`,
        )
        .as('back_cents'),
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
  const before = readPageKey(input.before)
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
  return sql<boolean>`payments.id in (
    select found.id from payments found where found.provider_reference ilike ${part} or found.id = ${words}
    union all
    select found.id from sales join payments found on found.sale_id = sales.id
    where sales.business_name ilike ${part} or sales.customer_name ilike ${part} or sales.customer_email ilike ${part})`
}

/**
 * The condition that a row of `payments` has paid for a row of `bookings`: it is the first, or a later one that has paid an
 * instalment or a change of it. A change that came to cost nothing was not paid by the payment that it names.
 */
export const hasPaidFor = sql<boolean>`(bookings.payment_row_id = payments.id
  or bookings.payment_row_id = payments.sale_id and (
    exists (select from instalments where instalments.paid_by = payments.id and instalments.state = 'paid')
    or exists (select from changes where changes.payment_id = payments.id and changes.state = 'paid'
      and changes.due_cents > 0)))`

/** A row of `selectPayments`. */
export type PaymentRow = Awaited<ReturnType<ReturnType<typeof selectPayments>['execute']>>[number]

/** Converts a row of `selectPayments`. */
export function toOperatorPayment(row: PaymentRow, now: Date): OperatorPayment {
  const oldestOpenEventAt = row.oldest_open_event ? new Date(row.oldest_open_event) : null
  const failing = row.refund_state === 'claimed' && row.refund_error !== null
  // A refund that waits for a dispute isn't late.
  const wasDueAt = row.refund_state === 'done' || row.are_refunds_blocked ? null : row.refund_due_at
  const overdue = !failing && wasDueAt !== null && wasDueAt.getTime() < now.getTime() - STUCK_AFTER_MS
  const state =
    row.refund_state && row.refund_state !== 'cancelled'
      ? refundStateOf({ state: row.refund_state, providerStatus: row.refund_provider_status })
      : null
  const cameBack = state === 'failed' && row.refund_resolution === null
  const isPart = Number(row.back_cents ?? 0) < Number(row.amount_cents)
  return {
    id: row.id,
    cursor: cursorOf(row),
    provider: row.provider,
    reference: row.provider_reference,
    state: row.state,
    isStuck: isStuck({ state: row.state, expiresAt: row.expires_at, oldestOpenEventAt }, now),
    amountCents: Number(row.amount_cents),
    businessId: row.sale.businessId,
    businessName: row.sale.businessName,
    customerName: row.sale.customer.fullName,
    email: row.sale.customer.email,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastError: row.last_error,
    bookingStatus: row.status,
    paymentStatus: row.payment_status,
    refund: state ? { state, failing, overdue, cameBack, isPart } : null,
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
