import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type {
  PaymentProvider,
  ProviderCard,
  PublicPaymentConfig,
  WebhookEvent,
} from '../../adapters/payments/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { refuse } from '../../shared/result.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { providerNames, providerOf } from '../payments/providers.server.ts'
import { isFurther, lockPayment, type PaymentRow, selectPayments } from '../payments/queries.server.ts'
import { listInstalments } from '../sales/plan-queries.server.ts'
import { CLOSED_STATES, isClosed } from '../sales/plan-rules.ts'
import { cardConsent } from '../terms/timeline-messages.ts'
import type { InstalmentDeps } from './deps.server.ts'
import { cardConsentText } from './messages.ts'
import { findNextInstalment, findSavedCard } from './queries.server.ts'
import type { SavedCardRow } from './tables.server.ts'

const CARDS_PER_RUN = 100
/** A payment that ended without a charge may still be charged late, but hardly after that. */
const ABANDONED_AFTER_MS = 3 * DAY_MS

/**
 * Creates the provider's customer of a first payment whose plan has a later instalment, and keeps the consent that stands beside 'Pay $'. The payment then
 * saves its card. A payment in full needs none.
 */
export async function prepareSavedCard(
  deps: Pick<InstalmentDeps, 'db' | 'now' | 'brand'>,
  provider: PaymentProvider,
  payment: PaymentRow,
): Promise<{ ok: true } | { ok: false; reason: 'refused' | 'unreachable' }> {
  const { terms, timeZone } = payment.sale
  const consent = terms && cardConsent(terms, { brand: deps.brand, timeZone })
  if (!consent || (await findSavedCard(deps.db, payment.id))) return { ok: true }
  const made = await provider.createCustomer({
    paymentId: payment.id,
    idempotencyKey: `customer-${payment.id}`,
  })
  if (!made.ok) return made
  const now = deps.now()
  await deps.db
    .insertInto('saved_cards')
    .values({
      payment_id: payment.id,
      provider: provider.name,
      provider_customer: made.customer,
      provider_method: null,
      brand: null,
      last_four: null,
      expires_year: null,
      expires_month: null,
      consent,
      consented_at: now,
      detached_at: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('payment_id').doNothing())
    .execute()
  return { ok: true }
}

/** Finds the provider's customer whose card a payment saves, if it is a first one, or may charge; null without one. */
export async function findCardOfPayment(
  db: Database,
  payment: Pick<PaymentRow, 'id' | 'sale_id'>,
): Promise<{ customer: string; use: 'save' | 'charge' } | null> {
  const card = await findSavedCard(db, payment.sale_id)
  return card && { customer: card.provider_customer, use: isFurther(payment) ? 'charge' : 'save' }
}

const columnsOf = (card: ProviderCard) => ({
  provider_method: card.method,
  brand: card.brand,
  last_four: card.lastFour,
  expires_year: card.expiresYear,
  expires_month: card.expiresMonth,
})

/** Stores the cards that first payments have saved, once they have succeeded. */
export async function storeSavedCards(deps: InstalmentDeps): Promise<void> {
  const abandonedBefore = new Date(deps.now().getTime() - ABANDONED_AFTER_MS)
  await deps.db
    .updateTable('saved_cards')
    .set({ detached_at: deps.now() })
    .from('payments')
    .whereRef('payments.id', '=', 'saved_cards.payment_id')
    .where('payments.state', 'in', ['expired', 'cancelled'])
    .where('payments.updated_at', '<', abandonedBefore)
    .where('saved_cards.provider_method', 'is', null)
    .where('saved_cards.detached_at', 'is', null)
    .execute()
  const rows = await deps.db
    .selectFrom('saved_cards')
    .innerJoin('payments', 'payments.id', 'saved_cards.payment_id')
    .select(['payments.id', 'payments.provider', 'payments.provider_reference'])
    .where('saved_cards.provider_method', 'is', null)
    .where('saved_cards.detached_at', 'is', null)
    .where('payments.state', 'in', ['paid', 'failed'])
    .where('payments.provider', 'in', providerNames(deps))
    .limit(CARDS_PER_RUN)
    .execute()
  await eachOf(rows, (row) => storeSavedCard(deps, row))
}

async function storeSavedCard(
  deps: InstalmentDeps,
  payment: Pick<PaymentRow, 'id' | 'provider' | 'provider_reference'>,
): Promise<void> {
  const provider = providerOf(deps, payment)
  if (!provider || !payment.provider_reference) return
  const found = await provider.savedCardOf(payment.provider_reference)
  if (!found.ok) return
  const { card } = found
  await deps.db.transaction().execute(async (tx) => {
    const stored = await tx
      .updateTable('saved_cards')
      // Without a card at the provider, marks the row as detached, so the provider isn't asked again.
      .set(card ? columnsOf(card) : { detached_at: deps.now() })
      .where('payment_id', '=', payment.id)
      // The customer may have changed the card in between.
      .where('provider_method', 'is', null)
      .returning('payment_id')
      .executeTakeFirst()
    if (stored) await deps.publish(tx, payment.id)
  })
}

/** Asks the provider about a saved card, whose bank may have renewed it. @returns the row as it is then */
export async function refreshSavedCard(
  deps: Pick<InstalmentDeps, 'db' | 'providers'>,
  row: SavedCardRow,
): Promise<SavedCardRow> {
  const provider = providerOf(deps, row)
  if (!provider || !row.provider_method) return row
  const found = await provider.retrieveCard(row.provider_method)
  if (!found.ok || !found.card) return row
  const columns = columnsOf(found.card)
  await deps.db
    .updateTable('saved_cards')
    .set(columns)
    .where('payment_id', '=', row.payment_id)
    .where('provider_method', '=', row.provider_method)
    .execute()
  return { ...row, ...columns }
}

/**
 * Acts on a provider's event about a card or a card setup. It is only news: the provider is asked.
 * @returns false when the provider could not be reached, so it has to deliver the event again
 */
export async function receiveCardEvent(
  deps: InstalmentDeps,
  provider: PaymentProvider,
  { card }: Pick<WebhookEvent, 'card'>,
): Promise<boolean> {
  if (!card) return true
  if ('setup' in card) {
    const kept = await keepCardOfSetup(deps, provider, card.setup)
    return kept.ok || kept.reason !== 'provider_unavailable'
  }
  const row = await deps.db
    .selectFrom('saved_cards')
    .selectAll()
    .where('provider', '=', provider.name)
    .where('provider_method', '=', card.method)
    .executeTakeFirst()
  if (row) await refreshSavedCard(deps, row)
  return true
}

/**
 * Begins to change the card of a purchase.
 * @returns the client secret for the card form, with the consent that stands beside it. Refuses with 'unknown_booking',
 *   'nothing_due' and 'provider_unavailable'
 */
export async function startCardSetup(
  deps: InstalmentDeps,
  input: { linkToken: string; setupKey: string },
): Promise<
  | { ok: true; clientSecret: string; reference: string; provider: PublicPaymentConfig; consent: string }
  | { ok: false; reason: 'unknown_booking' | 'nothing_due' | 'provider_unavailable' }
> {
  const found = await findNextInstalment(deps.db, input.linkToken)
  if (!found) return refuse('unknown_booking')
  const { first, instalment, card } = found
  const provider = providerOf(deps, first)
  if (!instalment || !card || !provider) return refuse('nothing_due')
  const made = await provider.createCardSetup({
    customer: card.provider_customer,
    idempotencyKey: `setup-${first.id}-${input.setupKey}`,
  })
  if (!made.ok) return refuse('provider_unavailable')
  return { ...made, provider: provider.publicConfig(), consent: consentOf(deps, first, instalment) }
}

type Next = NonNullable<Awaited<ReturnType<typeof findNextInstalment>>>

function consentOf(
  { brand, now }: Pick<InstalmentDeps, 'brand' | 'now'>,
  first: Next['first'],
  instalment: NonNullable<Next['instalment']>,
): string {
  const chargedAt = instalment.try_at ?? instalment.due_at
  return cardConsentText(
    {
      amountCents: Number(instalment.amount_cents),
      chargedAt,
      isDue: instalment.due_at <= now(),
    },
    { brand, timeZone: first.sale.timeZone },
  )
}

/**
 * Keeps the card of a setup that has succeeded in place of the one before, which is detached. An instalment that waits for the
 * customer is charged to the new card at once.
 * @param firstPaymentId the purchase that asks; another one's setup is refused
 * @returns refuses with 'unknown_setup' (none of ours, or not done yet), 'nothing_due' and 'provider_unavailable'
 */
export async function keepCardOfSetup(
  deps: InstalmentDeps,
  provider: PaymentProvider,
  reference: string,
  firstPaymentId?: string,
): Promise<
  | { ok: true; lastFour: string }
  | { ok: false; reason: 'unknown_setup' | 'nothing_due' | 'provider_unavailable' }
> {
  const found = await provider.retrieveCardSetup(reference)
  if (!found.ok) return refuse(found.reason === 'refused' ? 'unknown_setup' : 'provider_unavailable')
  const { customer, state, card } = found.setup
  if (state !== 'succeeded' || !card) return refuse('unknown_setup')
  const row = await deps.db
    .selectFrom('saved_cards')
    .selectAll()
    .where('provider', '=', provider.name)
    .where('provider_customer', '=', customer)
    .executeTakeFirst()
  if (!row || (firstPaymentId ?? row.payment_id) !== row.payment_id) return refuse('unknown_setup')
  if (row.provider_method === card.method) return { ok: true, lastFour: card.lastFour }
  const first = await selectPayments(deps.db)
    .where('payments.id', '=', row.payment_id)
    .executeTakeFirstOrThrow()
  const isKept = await deps.db.transaction().execute(async (tx) => {
    await lockPayment(tx, row.payment_id)
    const open = (await listInstalments(tx, row.payment_id)).find((instalment) => !isClosed(instalment))
    if (!open) {
      // A late report must not leave a card behind that nothing needs.
      await addUnusedCard(tx, row.payment_id, card.method)
      return false
    }
    const present = await findSavedCard(tx, row.payment_id)
    const now = deps.now()
    const consent = consentOf(deps, first, open)
    await tx
      .updateTable('saved_cards')
      .set({ ...columnsOf(card), consent, consented_at: now, detached_at: null })
      .where('payment_id', '=', row.payment_id)
      .execute()
    await tx
      .updateTable('instalments')
      .set({ state: 'failed', try_at: now })
      .where('payment_id', '=', row.payment_id)
      .where('state', 'in', ['failed', 'needs_customer'])
      .where('due_at', '<=', now)
      .execute()
    // A claim that is taken up again tries another card, which the provider would refuse under the key of the try before.
    await tx
      .updateTable('instalments')
      .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
      .where('payment_id', '=', row.payment_id)
      .where('state', '=', 'charging')
      .execute()
    if (present?.provider_method) await addUnusedCard(tx, row.payment_id, present.provider_method)
    await deps.publish(tx, row.payment_id)
    return true
  })
  await detachUnusedCards(deps, row.payment_id)
  return isKept ? { ok: true, lastFour: card.lastFour } : refuse('nothing_due')
}

/** Notes a card to be deleted at the provider, in the transaction that finds it unused. */
async function addUnusedCard(tx: DatabaseTransaction, firstPaymentId: string, method: string): Promise<void> {
  await tx
    .updateTable('saved_cards')
    .set({ unused_methods: sql`array_append(array_remove(unused_methods, ${method}), ${method})` })
    .where('payment_id', '=', firstPaymentId)
    .execute()
}

/**
 * Deletes cards at the provider that were replaced or saved too late. Those without an answer stay for the next run.
 * @param firstPaymentId one purchase; all by default
 */
async function detachUnusedCards(deps: InstalmentDeps, firstPaymentId?: string): Promise<void> {
  let query = deps.db
    .selectFrom('saved_cards')
    .select(['payment_id', 'provider', 'unused_methods'])
    .where('unused_methods', '<>', sql<string[]>`'{}'`)
    .where('provider', 'in', providerNames(deps))
    .limit(CARDS_PER_RUN)
  if (firstPaymentId) query = query.where('payment_id', '=', firstPaymentId)
  await eachOf(await query.execute(), async (row) => {
    for (const method of row.unused_methods) {
      const detached = await providerOf(deps, row)?.detachCard(method)
      if (!detached?.ok) continue
      await deps.db
        .updateTable('saved_cards')
        .set({ unused_methods: sql`array_remove(unused_methods, ${method})` })
        .where('payment_id', '=', row.payment_id)
        .execute()
    }
  })
}

/**
 * Deletes the cards of purchases of which nothing is due any more. While a decline can still be taken back, its refund is due and
 * the card is kept. Cards that were replaced are deleted too.
 */
export async function detachIdleCards(deps: InstalmentDeps): Promise<void> {
  await detachUnusedCards(deps)
  const rows = await deps.db
    .selectFrom('saved_cards')
    .selectAll()
    .where('provider_method', 'is not', null)
    .where('provider', 'in', providerNames(deps))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('instalments')
            .select('id')
            .whereRef('instalments.payment_id', '=', 'saved_cards.payment_id')
            .where('state', 'not in', CLOSED_STATES),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payment_actions')
            .select('id')
            .whereRef('payment_actions.payment_id', '=', 'saved_cards.payment_id')
            .where('kind', '=', 'refund')
            .where('state', '=', 'due'),
        ),
      ),
    )
    .limit(CARDS_PER_RUN)
    .execute()
  await eachOf(rows, async (row) => {
    const provider = providerOf(deps, row)
    if (!provider || !row.provider_method) return
    const detached = await provider.detachCard(row.provider_method)
    if (!detached.ok) return
    await deps.db.transaction().execute(async (tx) => {
      await tx
        .updateTable('saved_cards')
        .set({ provider_method: null, detached_at: deps.now() })
        .where('payment_id', '=', row.payment_id)
        .where('provider_method', '=', row.provider_method)
        .execute()
      await deps.publish(tx, row.payment_id)
    })
  })
}
