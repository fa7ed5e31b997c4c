import { type Expression, type InferResult, type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import type { BorneBy } from '../ledger/rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import {
  type MoneyStatus,
  moneyStatusOf,
  type PaymentState,
  type RefundReason,
  type RefundResolution,
  type RefundState,
  type RefundStatus,
  refundableCents,
  refundStateOf,
  sumRefunds,
  type UnfulfilledReason,
} from './rules.ts'
import { PAYMENT_COLUMNS } from './tables.server.ts'

/** Selects payments, each with its sale. The one source of `PaymentRow`. */
export function selectPayments(db: Database | DatabaseTransaction) {
  return db
    .selectFrom('payments')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .select([...PAYMENT_COLUMNS, saleJson().as('sale')])
}

/** A row of `selectPayments`. */
export type PaymentRow = InferResult<ReturnType<typeof selectPayments>>[number]

/** Whether a payment is a further one of its purchase: for a balance, or for a change. */
export function isFurther({ id, sale_id: saleId }: Pick<PaymentRow, 'id' | 'sale_id'>): boolean {
  return id !== saleId
}

/** Finds a payment by our id. */
export function findPayment(
  db: Database | DatabaseTransaction,
  paymentId: string,
): Promise<PaymentRow | undefined> {
  return selectPayments(db).where('payments.id', '=', paymentId).executeTakeFirst()
}

/** Finds the payment of one press of 'Proceed to Payment'. */
export function findPaymentBySubmitKey(db: Database, submitKey: string): Promise<PaymentRow | undefined> {
  return selectPayments(db).where('payments.submit_key', '=', submitKey).executeTakeFirst()
}

/**
 * Finds the newest of these payments.
 * @param input.reference the provider's id that the payment must have; null for any payment
 */
export function findNewestPayment(
  db: Database,
  input: { paymentIds: readonly string[]; reference: string | null },
): Promise<PaymentRow | undefined> {
  let query = selectPayments(db).where('payments.id', 'in', input.paymentIds)
  if (input.reference !== null) query = query.where('payments.provider_reference', '=', input.reference)
  return query.orderBy('payments.created_at', 'desc').limit(1).executeTakeFirst()
}

/** Finds the reason why a charged payment bought nothing; null for every other payment. */
export async function findUnfulfilledReason(
  db: Database,
  paymentId: string,
): Promise<UnfulfilledReason | null> {
  // Only a payment that bought nothing is refunded as a whole, without a line item.
  const refund = await db
    .selectFrom('payment_actions')
    .select('reason')
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'refund')
    .where('line', 'is', null)
    .where('reason', '<>', 'operator')
    .executeTakeFirst()
  return (refund?.reason as UnfulfilledReason | undefined) ?? null
}

/** A refund that is not cancelled. */
export type Refund = {
  id: string
  line: number | null
  state: RefundState
  resolution: RefundResolution | null
  amountCents: Cents
  reason: RefundReason
  dueAt: Date
  doneAt: Date | null
  /** Null is the vendor. */
  borneBy: BorneBy | null
}

/** Lists the refunds of a payment that are not cancelled, oldest first. */
export async function listRefundsOfPayment(
  db: Database | DatabaseTransaction,
  paymentId: string,
): Promise<Refund[]> {
  const rows = await db
    .selectFrom('payment_actions')
    .select([
      'id',
      'line',
      'state',
      'provider_status',
      'resolution',
      'amount_cents',
      'reason',
      'due_at',
      'done_at',
      'borne_by',
    ])
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'refund')
    .where('state', '<>', 'cancelled')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    line: row.line,
    state: refundStateOf({
      state: row.state as Exclude<RefundStatus, 'cancelled'>,
      providerStatus: row.provider_status,
    }),
    resolution: row.resolution,
    amountCents: Number(row.amount_cents),
    reason: row.reason,
    dueAt: row.due_at,
    doneAt: row.done_at,
    borneBy: row.borne_by,
  }))
}

/** Finds a refund as it was ordered. */
export async function findRefundOrder(
  tx: DatabaseTransaction,
  refundId: string,
): Promise<{
  id: string
  paymentId: string
  line: number | null
  reason: RefundReason
  amountCents: Cents
  borneBy: BorneBy | null
} | null> {
  const row = await tx
    .selectFrom('payment_actions')
    .select(['id', 'payment_id', 'line', 'reason', 'amount_cents', 'borne_by'])
    .where('id', '=', refundId)
    .where('kind', '=', 'refund')
    .executeTakeFirst()
  if (!row) return null
  const { id, payment_id: paymentId, line, reason } = row
  return { id, paymentId, line, reason, amountCents: Number(row.amount_cents), borneBy: row.borne_by }
}

/**
 * The condition that a dispute blocks the money of a payment: it is open and the bank forbids refunds, or its funds are
 * withdrawn and it isn't lost. The money of a won dispute comes back a while after the decision. An inquiry blocks nothing.
 * @param paymentId the column of the payment's id in the query around it
 */
export function isBlockedByDispute(
  paymentId: 'payments.id' | 'payment_actions.payment_id' | 'refunds.payment_id',
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from disputes where disputes.payment_id = ${sql.ref(paymentId)} and ${isBlocking()}
  )`
}

/** The condition that a row of `disputes` blocks its payment's money, as `isBlockedByDispute` says. */
export function isBlocking(): RawBuilder<boolean> {
  return sql<boolean>`(
    disputes.closed_at is null and not disputes.is_charge_refundable
    or disputes.funds = 'withdrawn' and disputes.status <> 'lost'
  )`
}

/** Returns whether refunds of a payment wait for a dispute. */
export async function areRefundsBlocked(db: Database, paymentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('payments')
    .select(isBlockedByDispute('payments.id').as('isBlocked'))
    .where('id', '=', paymentId)
    .executeTakeFirst()
  return row?.isBlocked ?? false
}

/** Adds up what lost disputes have taken of a payment, in cents. */
export async function sumLostDisputes(tx: Database | DatabaseTransaction, paymentId: string): Promise<Cents> {
  const sum = await tx
    .selectFrom('disputes')
    .select((eb) => eb.fn.sum('amount_cents').as('cents'))
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'lost')
    .executeTakeFirst()
  return Number(sum?.cents ?? 0)
}

/** Lists what lost disputes have taken of payments, oldest first. */
export async function listLostDisputes(
  db: Database | DatabaseTransaction,
  paymentIds: readonly string[],
): Promise<{ amountCents: Cents; at: Date }[]> {
  if (paymentIds.length === 0) return []
  const rows = await db
    .selectFrom('disputes')
    .select(['amount_cents', 'closed_at', 'opened_at'])
    .where('payment_id', 'in', paymentIds)
    .where('status', '=', 'lost')
    .orderBy('opened_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ amountCents: Number(row.amount_cents), at: row.closed_at ?? row.opened_at }))
}

/** Finds a refund's state and its payment's provider. */
export function findRefund(
  db: Database,
  refundId: string,
): Promise<{ state: RefundStatus; provider: string } | undefined> {
  return db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .select(['payment_actions.state', 'payments.provider'])
    .where('payment_actions.id', '=', refundId)
    .executeTakeFirst()
}

/**
 * Locks a payment in the transaction that decides about it, and returns its state, expiry and amount. All payments of a purchase
 * are locked by its first one, so that two transactions never wait for each other.
 */
export async function lockPayment(
  tx: DatabaseTransaction,
  paymentId: string,
): Promise<{ state: PaymentState; expires_at: Date; amount_cents: string | number }> {
  const lockOne = (id: Expression<string>) =>
    tx
      .selectFrom('payments')
      .select(['id', 'state', 'expires_at', 'amount_cents'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
  const first = await lockOne(sql<string>`(select sale_id from payments where id = ${paymentId})`)
  return first.id === paymentId ? first : lockOne(sql.val(paymentId))
}

/**
 * Locks several payments, each purchase's first one before those that follow it, as `lockPayment` does.
 * @param where the condition that selects them. `payments` is in the query
 * @returns their ids
 */
export async function lockPayments(tx: DatabaseTransaction, where: RawBuilder<boolean>): Promise<string[]> {
  const rows = await tx
    .selectFrom('payments')
    .select('id')
    .where(where)
    .orderBy(sql`sale_id <> id`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The condition that a payment has bought nothing of its purchase: a further payment that came too late, and is refunded whole
 * instead of by line. A lost dispute may have cancelled that refund.
 * @param paymentId the column of the payment's id in the query around it
 */
export function hasBoughtNothing(paymentId: 'payments.id' | 'disputes.payment_id'): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from payment_actions as wholes
    where wholes.payment_id = ${sql.ref(paymentId)} and wholes.kind = 'refund' and wholes.line is null
  )`
}

/** A payment of a purchase that was charged, with its refunds that are not cancelled. */
export type Charge = { paymentId: string; amountCents: Cents; refunds: Refund[] }

/**
 * Lists the charges of a purchase, newest first. A further payment that came too late, and was refunded whole, has bought nothing
 * of it and is left out.
 * @param firstPaymentId the purchase's first payment
 */
export async function listCharges(
  db: Database | DatabaseTransaction,
  firstPaymentId: string,
): Promise<Charge[]> {
  const rows = await paymentsOf(db, firstPaymentId)
    .select(['id', 'amount_cents'])
    .where('state', '=', 'paid')
    .where(({ not }) => not(hasBoughtNothing('payments.id')))
    .orderBy('paid_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const charges: Charge[] = []
  for (const row of rows) {
    const refunds = await listRefundsOfPayment(db, row.id)
    charges.push({ paymentId: row.id, amountCents: Number(row.amount_cents), refunds })
  }
  return charges
}

/** The payments of a purchase, whatever became of them. @param firstPaymentId the first one */
export function paymentsOf(db: Database | DatabaseTransaction, firstPaymentId: string) {
  return db.selectFrom('payments').where('sale_id', '=', firstPaymentId)
}

/** The status of a purchase's money, from all its charges and refunds. @param firstPaymentId the purchase's first payment, locked */
export async function findMoneyStatus(tx: DatabaseTransaction, firstPaymentId: string): Promise<MoneyStatus> {
  const charges = await listCharges(tx, firstPaymentId)
  const chargedCents = charges.reduce((sum, { amountCents }) => sum + amountCents, 0)
  return moneyStatusOf(chargedCents, sumRefunds(charges.flatMap(({ refunds }) => refunds)))
}

/**
 * Whether a refund in the query around it counts: it was not called off before it left, nor ordered again after it came back.
 * @param refunds its table's name in the query
 */
export function countsAsRefund(refunds = 'refunds') {
  const column = (name: string) => sql.ref(`${refunds}.${name}`)
  return sql<boolean>`(${column('state')} <> 'cancelled' and ${column('resolution')} is distinct from 'refunded_again')`
}

/**
 * Adds up what a purchase has left to refund, and what has left it before: to its customer, or by lost disputes.
 * @param firstPaymentId the purchase's first payment
 */
export async function findPurchaseRest(
  db: Database | DatabaseTransaction,
  firstPaymentId: string,
): Promise<{ leftCents: Cents; backCents: Cents }> {
  const rest = { leftCents: 0, backCents: 0 }
  for (const { paymentId, amountCents, refunds } of await listCharges(db, firstPaymentId)) {
    const leftCents = refundableCents(amountCents, sumRefunds(refunds), await sumLostDisputes(db, paymentId))
    rest.leftCents += leftCents
    rest.backCents += amountCents - leftCents
  }
  return rest
}
