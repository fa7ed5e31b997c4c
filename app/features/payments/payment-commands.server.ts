import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PaymentProvider, PaymentSnapshot } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { addSale } from '../sales/commands.server.ts'
import type { Sale } from '../sales/rules.ts'
import type { PaymentDeps } from './deps.server.ts'
import { presentProvider } from './providers.server.ts'
import { isFurther, type PaymentRow, selectPayments } from './queries.server.ts'
import { type PaymentState, statementSuffix } from './rules.ts'

const CURRENCY = 'aud'

/** The number of the line item in a payment that has only one. */
export const ONLY_LINE_ITEM = 1

/** A new payment of a new sale, with its only line item. */
export type NewPayment = {
  submitKey: string
  amountCents: Cents
  sale: Sale
  linkHash: string
  expiresAt: Date
}

/**
 * Stores a sale with its first payment and its reservation, all or none. Does not call the provider.
 * @param reserve reserves the purchase in the same transaction. If it refuses, nothing is stored
 * @returns the result of `reserve`; null when the submit key already has a payment
 */
export async function storePayment<Reserved extends { ok: boolean }>(
  deps: PaymentDeps,
  payment: NewPayment,
  reserve: (tx: DatabaseTransaction) => Promise<Reserved>,
): Promise<Reserved | null> {
  const { sale, amountCents } = payment
  const now = deps.now()
  const stored = await deps.db.transaction().execute(async (tx) => {
    await addSale(tx, { sale, linkHash: payment.linkHash, now })
    const isAdded = await insertPayment(tx, {
      id: sale.id,
      sale_id: sale.id,
      submit_key: payment.submitKey,
      provider: presentProvider(deps).name,
      amount_cents: amountCents,
      currency: CURRENCY,
      expires_at: payment.expiresAt,
      created_at: now,
    })
    // On a double click, both requests use the payment of the first.
    if (!isAdded) return { ok: false, reserved: null } as const
    const reserved = await reserve(tx)
    if (!reserved.ok) return { ok: false, reserved } as const
    const { unitPriceCents, quantity } = sale
    await insertLine(tx, sale, { paymentId: sale.id, unitPriceCents, quantity, amountCents })
    return { ok: true, reserved } as const
  })
  return stored.reserved
}

/**
 * Stores a further payment of a purchase that is locked, with its only line item. Does not call the provider.
 * @param input.submitKey names what it pays, so that it is stored once
 * @returns the payment that is stored under the key
 */
export async function storeFollowingPayment(
  deps: Pick<PaymentDeps, 'now'>,
  tx: DatabaseTransaction,
  input: { first: PaymentRow; submitKey: string; amountCents: Cents; expiresAt: Date },
): Promise<PaymentRow> {
  const { first, submitKey, amountCents, expiresAt } = input
  const id = newId()
  const isAdded = await insertPayment(tx, {
    id,
    sale_id: first.sale_id,
    submit_key: submitKey,
    provider: first.provider,
    amount_cents: amountCents,
    currency: first.currency,
    expires_at: expiresAt,
    created_at: deps.now(),
  })
  if (isAdded)
    await insertLine(tx, first.sale, { paymentId: id, unitPriceCents: amountCents, quantity: 1, amountCents })
  return selectPayments(tx).where('payments.submit_key', '=', submitKey).executeTakeFirstOrThrow()
}

/** @returns false when the submit key already has a payment */
async function insertPayment(
  tx: DatabaseTransaction,
  payment: {
    id: string
    sale_id: string
    submit_key: string
    provider: string
    amount_cents: Cents
    currency: string
    expires_at: Date
    created_at: Date
  },
): Promise<boolean> {
  const added = await tx
    .insertInto('payments')
    .values({
      ...payment,
      updated_at: payment.created_at,
      provider_reference: null,
      last_error: null,
      checked_at: null,
      paid_at: null,
    })
    .onConflict((conflict) => conflict.column('submit_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

async function insertLine(
  tx: DatabaseTransaction,
  { businessId, businessName }: Sale,
  line: { paymentId: string; unitPriceCents: Cents; quantity: number; amountCents: Cents },
): Promise<void> {
  await tx
    .insertInto('payment_lines')
    .values({
      payment_id: line.paymentId,
      line: ONLY_LINE_ITEM,
      business_id: businessId,
      description: businessName,
      unit_price_cents: line.unitPriceCents,
      quantity: line.quantity,
      amount_cents: line.amountCents,
    })
    .execute()
}

/**
 * Gives up the open further payments of a purchase. The sweep cancels them at the provider. A card that pays one before then is
 * refunded.
 * @param only the id of one payment; left out for all
 */
export async function giveUpFollowingPayments(
  tx: DatabaseTransaction,
  firstPaymentId: string,
  only?: string,
): Promise<void> {
  let update = tx
    .updateTable('payments')
    .set((eb) => ({
      expires_at: eb.ref('created_at'),
      state: eb
        .case()
        .when('provider_reference', 'is', null)
        .then('expired' as const)
        .else('open' as const)
        .end(),
    }))
    .where('sale_id', '=', firstPaymentId)
    .where('id', '<>', firstPaymentId)
    .where('state', '=', 'open')
  if (only !== undefined) update = update.where('id', '=', only)
  await update.execute()
}

/**
 * Creates the payment at the provider, or finds it there. The row is already committed, and the idempotency key names
 * our payment and its attempt. If this process dies before it stores the reference, the next call gets the same
 * payment.
 */
export async function askProviderForPayment(
  deps: PaymentDeps,
  provider: PaymentProvider,
  payment: PaymentRow,
): Promise<
  | { ok: true; reference: string; clientSecret: string; snapshot: PaymentSnapshot | null }
  | { ok: false; reason: 'refused' | 'unreachable' }
> {
  const { db, now } = deps
  if (payment.provider_reference) {
    const found = await provider.retrieve(payment.provider_reference)
    if (found.ok)
      return {
        ok: true,
        reference: payment.provider_reference,
        clientSecret: found.clientSecret,
        snapshot: found.snapshot,
      }
    return { ok: false, reason: found.reason === 'unreachable' ? 'unreachable' : 'refused' }
  }
  const card = await deps.fulfilment.findCard(payment)
  const made = await provider.create({
    paymentId: payment.id,
    ...(card ? { card } : {}),
    ...(isFurther(payment) ? { group: payment.sale_id } : {}),
    amountCents: Number(payment.amount_cents),
    currency: CURRENCY,
    description: payment.sale.businessName,
    statementSuffix: statementSuffix(payment.sale.businessName),
    idempotencyKey: `${payment.id}-${payment.attempt}`,
  })
  if (made.ok) {
    await db
      .updateTable('payments')
      .set({ provider_reference: made.reference, updated_at: now() })
      .where('id', '=', payment.id)
      .where('provider_reference', 'is', null)
      .execute()
    return { ok: true, reference: made.reference, clientSecret: made.clientSecret, snapshot: null }
  }
  await db
    .updateTable('payments')
    .set((eb) => ({
      last_error: made.message,
      updated_at: now(),
      // A definite refusal created nothing, so the next try needs a new key. Without an answer the key must stay.
      ...(made.reason === 'refused' ? { attempt: eb('attempt', '+', 1) } : {}),
    }))
    .where('id', '=', payment.id)
    .where('attempt', '=', payment.attempt)
    .execute()
  return { ok: false, reason: made.reason }
}

/**
 * Opens a further payment for its customer, who confirms it with a card.
 * @param apply applies what the provider says of a payment that isn't open any more
 * @returns refuses with 'nothing_due' once it has moved on, and with 'provider_unavailable'
 */
export async function openAtProvider(
  deps: PaymentDeps,
  provider: PaymentProvider,
  payment: PaymentRow,
  apply: (snapshot: PaymentSnapshot) => Promise<{ ok: true; state: PaymentState } | { ok: false }>,
): Promise<
  | { ok: true; clientSecret: string; reference: string }
  | { ok: false; reason: 'nothing_due' | 'provider_unavailable' }
> {
  const asked = await askProviderForPayment(deps, provider, payment)
  if (!asked.ok) return refuse('provider_unavailable')
  if (asked.snapshot && asked.snapshot.state !== 'open') {
    const applied = await apply(asked.snapshot)
    if (applied.ok && applied.state !== 'open') return refuse('nothing_due')
  }
  return { ok: true, clientSecret: asked.clientSecret, reference: asked.reference }
}

/**
 * Extends a payment whose card is about to be confirmed by the time that a confirmation may take.
 * @param tx the transaction that holds the payment's lock
 * @returns the new expiry
 */
export async function extendPayment(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  paymentId: string,
): Promise<Date> {
  const expiresAt = new Date(deps.now().getTime() + deps.paymentExpiryMs)
  await tx.updateTable('payments').set({ expires_at: expiresAt }).where('id', '=', paymentId).execute()
  return expiresAt
}
