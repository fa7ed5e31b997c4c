import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BorneBy } from '../ledger/rules.ts'
import {
  listCharges,
  listRefundsOfPayment,
  lockPayment,
  type Refund,
  sumLostDisputes,
} from './queries.server.ts'
import { orderedCents, type RefundReason, refundableCents, sumRefunds } from './rules.ts'

/** A refund as it is ordered. */
export type RefundOrder = {
  paymentId: string
  /** Null for all of an unfulfilled payment. */
  line: number | null
  reason: RefundReason
  /** `cancelRefund` can take it back until then. */
  dueAt: Date
  /** An operator's reason. */
  note?: string
  /** Null is the vendor. */
  borneBy?: BorneBy | null
}

/**
 * Orders a refund of a part, in the transaction that decides that money goes back. The sum is checked under the payment's
 * lock, so refunds never exceed the charge.
 * @returns refuses with 'exceeds' and what is left, in cents
 */
export async function addRefund(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  order: RefundOrder & { amountCents: Cents },
): Promise<{ ok: true; refundId: string } | { ok: false; reason: 'exceeds'; leftCents: Cents }> {
  const leftCents = await lockRefundable(tx, order.paymentId)
  if (order.amountCents > leftCents) return { ...refuse('exceeds'), leftCents }
  return { ok: true, refundId: await insertRefund(deps, tx, order) }
}

/**
 * Orders refunds of a purchase, newest charge first, none of more than its charge has left.
 * @param order.paymentId the purchase's first payment
 * @param order.amountCents null for all that is left
 * @returns the sum in cents; 0 where nothing is left and nothing was ordered
 */
export async function addRefundOfPurchase(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  order: RefundOrder & { amountCents: Cents | null },
): Promise<Cents> {
  await lockPayment(tx, order.paymentId)
  let orderedCents = 0
  for (const { paymentId } of await listCharges(tx, order.paymentId)) {
    const leftCents = await lockRefundable(tx, paymentId)
    const wantedCents = order.amountCents === null ? leftCents : order.amountCents - orderedCents
    const amountCents = Math.min(leftCents, wantedCents)
    if (amountCents <= 0) continue
    await insertRefund(deps, tx, { ...order, paymentId, amountCents })
    orderedCents += amountCents
  }
  return orderedCents
}

/** Locks a payment and returns the rest that can still be refunded, in cents. */
async function lockRefundable(tx: DatabaseTransaction, paymentId: string): Promise<Cents> {
  const payment = await lockPayment(tx, paymentId)
  const refunds = await listRefundsOfPayment(tx, paymentId)
  return refundableCents(
    chargeCents(payment, refunds),
    sumRefunds(refunds),
    await sumLostDisputes(tx, paymentId),
  )
}

/** The charged amount in cents: ours, or the provider's if the payment was refunded because the two differ. */
function chargeCents(payment: { amount_cents: string | number }, refunds: readonly Refund[]): Cents {
  const charged = refunds.filter(({ reason }) => reason === 'wrong_amount').map((one) => one.amountCents)
  return Math.max(Number(payment.amount_cents), ...charged)
}

/**
 * Cancels refunds that have not left, and those that came back, up to an amount. Of a refund that is larger than the amount, the
 * rest is ordered anew. The payment is locked.
 */
export async function cutWaitingRefunds(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  paymentId: string,
  amountCents: Cents,
): Promise<void> {
  let leftCents = amountCents
  for (const refund of await listRefundsOfPayment(tx, paymentId)) {
    if (leftCents <= 0) return
    const cameBack = refund.state === 'failed' && refund.resolution === null
    if (refund.state !== 'due' && refund.state !== 'claimed' && !cameBack) continue
    await cancelRefund(tx, refund.id)
    const restCents = refund.amountCents - leftCents
    leftCents -= refund.amountCents
    if (restCents <= 0) continue
    const { line, reason, dueAt, borneBy } = refund
    await insertRefund(deps, tx, { paymentId, line, reason, amountCents: restCents, dueAt, borneBy })
  }
}

/**
 * Cuts the refunds that wait down to what the charge has left. They exceed it when money has gone back that we had not ordered:
 * from the provider's own screens, or by a process of the version before.
 * @returns whether they did
 */
export async function fitToCharge(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  paymentId: string,
): Promise<boolean> {
  const payment = await lockPayment(tx, paymentId)
  const refunds = await listRefundsOfPayment(tx, paymentId)
  const goneCents = orderedCents(sumRefunds(refunds)) + (await sumLostDisputes(tx, paymentId))
  const excessCents = goneCents - chargeCents(payment, refunds)
  await cutWaitingRefunds(deps, tx, paymentId, excessCents)
  return excessCents > 0
}

/** Orders a refund whose amount was checked under the payment's lock. @returns its id */
export async function insertRefund(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  order: RefundOrder & { amountCents: Cents },
): Promise<string> {
  const id = newId()
  await tx
    .insertInto('payment_actions')
    .values({
      id,
      payment_id: order.paymentId,
      line: order.line,
      kind: 'refund',
      amount_cents: order.amountCents,
      reason: order.reason,
      due_at: order.dueAt,
      claimed_at: null,
      last_error: null,
      created_at: deps.now(),
      done_at: null,
      provider_refund: null,
      provider_status: null,
      pending_reason: null,
      failure_reason: null,
      asked_at: null,
      note: order.note ?? null,
      resolution: null,
      resolution_reference: null,
      resolved_at: null,
      borne_by: order.borneBy ?? null,
    })
    .execute()
  return id
}

/**
 * Takes back the refunds of a purchase's line that are due, unless one of them has been claimed.
 * @param input.paymentId the purchase's first payment
 * @param input.reason only refunds with this reason; an operator's refund is not a decision's to cancel
 * @returns null when one is claimed, or there is none; else a function that takes them back
 */
export async function lockDueRefunds(
  tx: DatabaseTransaction,
  { paymentId, line, reason }: { paymentId: string; line: number; reason: RefundReason },
): Promise<null | (() => Promise<void>)> {
  const charges = await listCharges(tx, paymentId)
  // Races the claim, which finds the state 'due' no more once this commits.
  const refunds = await tx
    .selectFrom('payment_actions')
    .select(['id', 'state'])
    .where(
      'payment_id',
      'in',
      charges.map((charge) => charge.paymentId),
    )
    .where('line', '=', line)
    .where('kind', '=', 'refund')
    .where('state', '<>', 'cancelled')
    .where('reason', '=', reason)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (refunds.length === 0 || refunds.some(({ state }) => state !== 'due')) return null
  return async () => {
    for (const { id } of refunds) await cancelRefund(tx, id)
  }
}

/** Takes back a refund whose payment is locked, and forgets the account that its customer has named. */
async function cancelRefund(tx: DatabaseTransaction, refundId: string): Promise<void> {
  await tx.updateTable('payment_actions').set({ state: 'cancelled' }).where('id', '=', refundId).execute()
  await tx.deleteFrom('refund_accounts').where('refund_id', '=', refundId).execute()
}
