import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PaymentProvider, PaymentSnapshot, WebhookEvent } from '../../adapters/payments/port.ts'
import { refuse } from '../../shared/result.ts'
import { sameText } from '../../shared/signed.ts'
import type { PaymentDeps } from './deps.server.ts'
import { settleDisputes } from './dispute-commands.server.ts'
import { markPaymentEventProcessed, recordPaymentEvent } from './event-commands.server.ts'
import { ONLY_LINE_ITEM } from './payment-commands.server.ts'
import { recordMoney } from './posting-commands.server.ts'
import { findPayment, isFurther, lockPayment, type PaymentRow, sumLostDisputes } from './queries.server.ts'
import { cutWaitingRefunds, insertRefund } from './refund-commands.server.ts'
import { settleRefunds } from './refund-news-commands.server.ts'
import {
  isTooLate,
  isUnsettled,
  nextPaymentState,
  type PaymentState,
  type UnfulfilledReason,
} from './rules.ts'

/** A payment's state and the id of its purchase; null while there is none. */
export type Settled =
  | { ok: true; state: PaymentState; purchaseId: string | null }
  | { ok: false; reason: 'unknown_payment' | 'provider_unavailable' }

/**
 * Settles the payment that a browser reports after its card form succeeded (Decision 6). The client secret identifies
 * the payment and proves that this browser began it.
 */
export async function reportPayment(deps: PaymentDeps, input: { clientSecret: string }): Promise<Settled> {
  deps.faultPoint('report-received')
  for (const provider of deps.providers) {
    const reference = provider.referenceOf(input.clientSecret)
    if (reference) return settlePayment(deps, provider, reference, input.clientSecret)
  }
  return refuse('unknown_payment')
}

/**
 * Stores a provider's signed event, then retrieves its payment and settles it. Repeats do no harm.
 * @param provider the provider that signed the event
 * @returns false when the provider could not be reached, so it has to deliver the event again
 */
export async function receivePaymentEvent(
  deps: PaymentDeps,
  provider: PaymentProvider,
  event: WebhookEvent,
): Promise<boolean> {
  const { db, now } = deps
  deps.faultPoint('webhook-received')
  const recorded = await recordPaymentEvent(db, { provider: provider.name, event, now: now() })
  if (recorded === 'processed') return true
  deps.faultPoint('event-recorded')
  if (event.reference) {
    const settled = await settlePayment(deps, provider, event.reference)
    if (!settled.ok && settled.reason === 'provider_unavailable') return false
    const isDispute = event.type.startsWith('charge.dispute.')
    const isMoneyBack =
      isDispute || event.type.startsWith('refund.') || event.type.startsWith('charge.refund')
    if (settled.ok && isMoneyBack && !(await settleMoneyBack(deps, provider, event.reference, isDispute)))
      return false
  }
  await markPaymentEventProcessed(db, { provider: provider.name, eventId: event.id, now: now() })
  deps.faultPoint('event-processed')
  return true
}

/**
 * Asks the provider about a payment's refunds, and about its disputes too.
 * @returns false when the provider did not answer
 */
export async function settleMoneyBack(
  deps: PaymentDeps,
  provider: PaymentProvider,
  reference: string,
  withDisputes: boolean,
): Promise<boolean> {
  const payment = await deps.db
    .selectFrom('payments')
    .select(['id', 'provider_reference'])
    .where('provider', '=', provider.name)
    .where('provider_reference', '=', reference)
    .executeTakeFirst()
  if (!payment) return true
  // Refunds first: a lost dispute cancels those that have not left yet.
  if (!(await settleRefunds(deps, provider, payment))) return false
  return !withDisputes || settleDisputes(deps, provider, payment)
}

/**
 * Retrieves the payment's current state from the provider and applies it.
 * @param clientSecret the secret that a browser sends; any but this payment's own is refused
 */
export async function settlePayment(
  deps: PaymentDeps,
  provider: PaymentProvider,
  reference: string,
  clientSecret?: string,
): Promise<Settled> {
  const found = await provider.retrieve(reference)
  if (!found.ok)
    return refuse(found.reason === 'unknown_payment' ? 'unknown_payment' : 'provider_unavailable')
  if (clientSecret !== undefined && !sameText(found.clientSecret, clientSecret))
    return refuse('unknown_payment')
  deps.faultPoint('provider-asked')
  return applySnapshot(deps, provider, found.snapshot)
}

/**
 * Moves a payment and stores its purchase (Decision 6). Nothing else does: the browser's report, the webhook and the
 * sweep all call this, in any order and any number of times. One transaction locks the payment, checks amount and
 * currency, moves the state forward only, and stores the purchase with its notification and mails.
 * @param snapshot the provider's answer of just now, never an event's payload
 */
export async function applySnapshot(
  deps: PaymentDeps,
  provider: PaymentProvider,
  snapshot: PaymentSnapshot,
): Promise<
  { ok: true; state: PaymentState; purchaseId: string | null } | { ok: false; reason: 'unknown_payment' }
> {
  const applied = await deps.db.transaction().execute(async (tx) => {
    const payment = await lockPaymentOf(deps, tx, provider.name, snapshot)
    if (!payment) return refuse('unknown_payment')
    deps.faultPoint('payment-locked')
    const now = deps.now()
    let next = nextPaymentState(payment.state, snapshot.state)
    // Only our own expiry cancels a payment. The provider may report the cancellation before the sweep has stored it.
    if (next === 'cancelled' && payment.expires_at <= now) next = 'expired'
    const right =
      snapshot.amountCents === Number(payment.amount_cents) && snapshot.currency === payment.currency
    if (next === 'paid' && payment.state !== 'paid' && !right) next = 'failed'

    const moved = {
      ...payment,
      state: next,
      last_error: next === 'failed' ? 'amount or currency differs' : snapshot.lastError,
      updated_at: now,
      paid_at: next === 'paid' && payment.state !== 'paid' ? now : payment.paid_at,
    }
    if (next !== payment.state || (isUnsettled(next) && snapshot.lastError !== payment.last_error)) {
      const { state, last_error, updated_at, paid_at } = moved
      await tx
        .updateTable('payments')
        .set({ state, last_error, updated_at, paid_at })
        .where('id', '=', payment.id)
        .execute()
      deps.faultPoint('payment-moved')
    }
    let purchaseId: string | null
    if (next === payment.state) purchaseId = await deps.fulfilment.findPurchase(tx, payment.id)
    else {
      purchaseId = await fulfil(deps, tx, payment, snapshot, next)
      await recordMoney(deps, tx, payment.id, purchaseId ? { payment: moved, id: purchaseId } : undefined)
    }
    deps.faultPoint('settled-uncommitted')
    return { ok: true, state: next, purchaseId } as const
  })
  deps.faultPoint('settled')
  return applied
}

/**
 * Runs what follows when a payment moves.
 * @returns the id of the payment's purchase; null if there is none
 */
async function fulfil(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  snapshot: PaymentSnapshot,
  next: PaymentState,
): Promise<string | null> {
  const { fulfilment } = deps
  if (next === 'processing') await fulfilment.whenProcessing(tx, payment.id)
  else if (next === 'failed') await refundUnfulfilled(deps, tx, payment, snapshot, 'wrong_amount')
  else if (next !== 'paid') await fulfilment.whenEnded(tx, payment.id)
  else if (isTooLate(payment.state)) await refundUnfulfilled(deps, tx, payment, snapshot, 'paid_too_late')
  else {
    const fulfilled = await fulfilment.whenPaid(tx, payment, snapshot.reference)
    if (fulfilled.ok) return fulfilled.purchaseId
    await refundUnfulfilled(deps, tx, payment, snapshot, fulfilled.reason)
  }
  return null
}

/** Locks the payment's row, found by the provider's id or, if that was never stored, by ours. */
async function lockPaymentOf(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  provider: PaymentProvider['name'],
  snapshot: PaymentSnapshot,
): Promise<PaymentRow | undefined> {
  const { reference } = snapshot
  const first = await tx
    .selectFrom('payments')
    .select('id')
    .where('provider', '=', provider)
    .where('provider_reference', '=', reference)
    .whereRef('sale_id', '=', 'id')
    .forUpdate()
    .executeTakeFirst()
  // Read after the lock, so that its sale is as new as itself.
  if (first) return findPayment(tx, first.id)
  const found = await tx
    .selectFrom('payments')
    .select(['id', 'sale_id'])
    .where('provider', '=', provider)
    .where((eb) =>
      eb.or([
        eb('provider_reference', '=', reference),
        eb.and([eb('id', '=', snapshot.paymentId), eb('provider_reference', 'is', null)]),
      ]),
    )
    .executeTakeFirst()
  if (!found) return undefined
  // A first payment has no purchase yet. The purchase of a further one is locked before its payments, as everywhere.
  if (isFurther(found)) await deps.fulfilment.lockPurchase(tx, { paymentId: found.id, line: ONLY_LINE_ITEM })
  await lockPayment(tx, found.id)
  const isOurs = await tx
    .updateTable('payments')
    .set({ provider_reference: reference })
    .where('id', '=', found.id)
    .where((eb) => eb.or([eb('provider_reference', 'is', null), eb('provider_reference', '=', reference)]))
    .returning('id')
    .executeTakeFirst()
  return isOurs && findPayment(tx, found.id)
}

/** Refunds at once a charge that can't buy anything, notifies the customer and releases the reservation. */
async function refundUnfulfilled(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  snapshot: PaymentSnapshot,
  reason: UnfulfilledReason,
): Promise<void> {
  const { amountCents } = snapshot
  await deps.fulfilment.whenEnded(tx, payment.id)
  // The provider's amount: with a wrong one, ours bounds nothing.
  await insertRefund(deps, tx, { paymentId: payment.id, line: null, amountCents, reason, dueAt: deps.now() })
  // A dispute may have been lost before this success was known here.
  await cutWaitingRefunds(deps, tx, payment.id, await sumLostDisputes(tx, payment.id))
  await deps.fulfilment.whenUnfulfilled(tx, payment, { amountCents, reason })
}
