import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PaymentProvider, PaymentSnapshot } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { PaymentDeps } from './deps.server.ts'
import { presentProvider } from './providers.server.ts'
import { type PaymentState, statementSuffix } from './rules.ts'
import type { PaymentRow, SoldSnapshot, StoredDraft } from './tables.server.ts'

const CURRENCY = 'aud'

/** The number of the line item in a payment that has only one. */
export const ONLY_LINE_ITEM = 1

/** A new payment, with its only line item. */
export type NewPayment = {
  id: string
  submitKey: string
  amountCents: Cents
  draft: StoredDraft
  sold: SoldSnapshot
  ownerUserId: string
  customerUserId: string | null
  linkHash: string
  termsVersion: string
  expiresAt: Date
}

/**
 * Stores a payment together with its reservation, both or neither. Does not call the provider.
 * @param reserve reserves the purchase in the same transaction. If it refuses, nothing is stored
 * @returns the result of `reserve`; null when the submit key already has a payment
 */
export async function storePayment<Reserved extends { ok: boolean }>(
  deps: PaymentDeps,
  payment: NewPayment,
  reserve: (tx: DatabaseTransaction) => Promise<Reserved>,
): Promise<Reserved | null> {
  const { db, now } = deps
  const { sold } = payment
  return db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('payments')
      .values({
        id: payment.id,
        submit_key: payment.submitKey,
        provider: presentProvider(deps).name,
        provider_reference: null,
        amount_cents: payment.amountCents,
        currency: CURRENCY,
        draft: JSON.stringify(payment.draft),
        sold: JSON.stringify(sold),
        owner_user_id: payment.ownerUserId,
        customer_user_id: payment.customerUserId,
        link_hash: payment.linkHash,
        terms_version: payment.termsVersion,
        last_error: null,
        expires_at: payment.expiresAt,
        checked_at: null,
        paid_at: null,
        created_at: now(),
        updated_at: now(),
      })
      // On a double click, both requests use the payment of the first.
      .onConflict((conflict) => conflict.column('submit_key').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return null
    const reserved = await reserve(tx)
    if (!reserved.ok) return reserved
    await tx
      .insertInto('payment_lines')
      .values({
        payment_id: payment.id,
        line: ONLY_LINE_ITEM,
        business_id: sold.businessId,
        description: sold.businessName,
        unit_price_cents: sold.unitPriceCents,
        quantity: payment.draft.quantity,
        amount_cents: payment.amountCents,
      })
      .execute()
    return reserved
  })
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
  const now = deps.now()
  const added = await tx
    .insertInto('payments')
    .values({
      id,
      submit_key: submitKey,
      provider: first.provider,
      provider_reference: null,
      amount_cents: amountCents,
      currency: first.currency,
      draft: JSON.stringify(first.draft),
      sold: JSON.stringify(first.sold),
      owner_user_id: first.owner_user_id,
      customer_user_id: first.customer_user_id,
      // The purchase has the link of its first payment. This one leads nowhere.
      link_hash: `follows:${id}`,
      terms_version: first.terms_version,
      follows: first.id,
      last_error: null,
      expires_at: expiresAt,
      checked_at: null,
      paid_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('submit_key').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!added)
    return tx.selectFrom('payments').selectAll().where('submit_key', '=', submitKey).executeTakeFirstOrThrow()
  await tx
    .insertInto('payment_lines')
    .values({
      payment_id: id,
      line: ONLY_LINE_ITEM,
      business_id: first.sold.businessId,
      description: first.sold.businessName,
      unit_price_cents: amountCents,
      quantity: 1,
      amount_cents: amountCents,
    })
    .execute()
  return added
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
    .where('follows', '=', firstPaymentId)
    .where('state', '=', 'open')
  if (only !== undefined) update = update.where('id', '=', only)
  await update.execute()
}

/**
 * Stores the new terms of a purchase after both sides have agreed to a change. All its payments are locked.
 * @param change.draft the fields of the booking that have changed
 */
export async function changeSale(
  tx: DatabaseTransaction,
  first: Pick<PaymentRow, 'id' | 'draft'>,
  change: { sold: SoldSnapshot; draft: Pick<StoredDraft, 'date' | 'time' | 'quantity'> },
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ sold: JSON.stringify(change.sold), draft: JSON.stringify({ ...first.draft, ...change.draft }) })
    .where((eb) => eb.or([eb('id', '=', first.id), eb('follows', '=', first.id)]))
    .execute()
}

/** Returns the agreed price of a purchase in cents. Its first payment may be only a deposit. */
export function priceOf(first: { sold: SoldSnapshot; amount_cents: string | number }): Cents {
  return first.sold.terms?.priceCents ?? Number(first.amount_cents)
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
    ...(payment.follows ? { group: payment.follows } : {}),
    amountCents: Number(payment.amount_cents),
    currency: CURRENCY,
    description: payment.sold.businessName,
    statementSuffix: statementSuffix(payment.sold.businessName),
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
 * @param apply applies what the provider says of one that isn't open any more
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

/**
 * Moves a guest's payments into their account.
 * @param guest the condition that selects the guest's payments. `payments` is in the query
 */
export async function giveToCustomer(
  tx: DatabaseTransaction,
  { userId, guest }: { userId: string; guest: RawBuilder<boolean> },
): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ customer_user_id: userId })
    .where('customer_user_id', 'is', null)
    .where(guest)
    .execute()
}

/**
 * Blanks the customer's name, email and phone in the drafts of payments.
 * @param input.name the replacement for the customer's name
 * @param input.where the condition that selects the payments. `payments` is in the query
 */
export async function blankDrafts(
  db: Database | DatabaseTransaction,
  input: { name: string; where: RawBuilder<boolean> },
): Promise<void> {
  const blank = JSON.stringify({ fullName: input.name, email: '', phone: '' })
  await sql`
    update payments set draft = draft || ${blank}::jsonb where draft->>'email' <> '' and ${input.where}
  `.execute(db)
}
