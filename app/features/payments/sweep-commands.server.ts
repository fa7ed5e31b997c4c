import { sql } from 'kysely'
import { eachOf } from '../../shared/each-of.ts'
import { refuse } from '../../shared/result.ts'
import type { PaymentDeps } from './deps.server.ts'
import { askProviderForPayment } from './payment-commands.server.ts'
import { providerNames, providerOf } from './providers.server.ts'
import { findPayment, type PaymentRow, selectPayments } from './queries.server.ts'
import { isUnsettled } from './rules.ts'
import { applySnapshot, type Settled, settleMoneyBack, settlePayment } from './settlement-commands.server.ts'

const PAYMENTS_PER_SWEEP = 200

/**
 * Asks the provider about every unsettled payment and ends those that have expired. An expired payment is cancelled at
 * the provider first, so that no card can be charged for it afterwards. Payments of a provider that the settings no
 * longer name stay as they are. Operators see them as stuck.
 * @throws AggregateError when some payments fail because of a bug; the others are done
 */
export async function sweepPayments(deps: PaymentDeps): Promise<void> {
  const rows = await selectPayments(deps.db)
    .where('payments.state', 'in', ['open', 'processing'])
    .where('payments.provider', 'in', providerNames(deps))
    // A further payment is made by charging a card, and only what charges it may repeat that.
    .where(({ eb, or, ref }) =>
      or([
        eb('payments.sale_id', '=', ref('payments.id')),
        eb('payments.provider_reference', 'is not', null),
      ]),
    )
    .orderBy(sql`payments.checked_at asc nulls first`)
    .limit(PAYMENTS_PER_SWEEP)
    .execute()
  await eachOf(rows, async (payment) => {
    await deps.db
      .updateTable('payments')
      .set({ checked_at: deps.now() })
      .where('id', '=', payment.id)
      .execute()
    await sweepPayment(deps, payment)
  })
}

async function sweepPayment(deps: PaymentDeps, payment: PaymentRow): Promise<void> {
  const provider = providerOf(deps, payment)
  if (!provider) return
  const expired = payment.expires_at <= deps.now()
  // The browser retries with the same submit key, so the sweep only has to end the payment once it expires.
  if (!payment.provider_reference && !expired) return
  const asked = await askProviderForPayment(deps, provider, payment)
  if (!asked.ok) {
    // The provider refused to create it, so there is nothing that a card could pay.
    if (asked.reason === 'refused' && !payment.provider_reference) await expirePayment(deps, payment.id)
    return
  }
  if (asked.snapshot) {
    const applied = await applySnapshot(deps, provider, asked.snapshot)
    if (applied.ok && applied.state !== 'open') return
  }
  if (!expired) return
  const cancelled = await provider.cancel(asked.reference)
  if (cancelled.ok) await expirePayment(deps, payment.id)
  // It was paid in the meantime, or the provider could not be reached: its current answer decides.
  else await settlePayment(deps, provider, asked.reference)
}

/** Marks a payment that can't be paid any more as expired, and releases its reservation. */
async function expirePayment(deps: PaymentDeps, paymentId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const expired = await tx
      .updateTable('payments')
      .set({ state: 'expired', updated_at: deps.now() })
      .where('id', '=', paymentId)
      .where('state', '=', 'open')
      .returning('id')
      .executeTakeFirst()
    if (expired) await deps.fulfilment.whenEnded(tx, paymentId)
  })
}

/** Expires an open payment now and ends it as the sweep would. */
export async function endPayment(deps: PaymentDeps, paymentId: string): Promise<void> {
  const now = deps.now()
  const payment = await deps.db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('payments')
      .set((eb) => ({ expires_at: eb.fn<Date>('least', ['expires_at', eb.val(now)]) }))
      .where('id', '=', paymentId)
      .where('state', '=', 'open')
      .returning('id')
      .executeTakeFirst()
    if (!ended) return undefined
    await deps.fulfilment.whenGivenUp(tx, paymentId)
    return findPayment(tx, paymentId)
  })
  if (payment) await sweepPayment(deps, payment)
}

/**
 * Asks the provider about one payment with its refunds and disputes, whatever its state here, and applies the answer. A payment whose creation was
 * never answered is requested again, with its own idempotency key.
 * @returns the payment's state and purchase. Refuses with 'unknown_payment' (here or at the provider),
 *   'provider_unavailable' and 'other_provider' (the settings don't name the provider that made it)
 */
export async function askProviderAgain(
  deps: PaymentDeps,
  paymentId: string,
): Promise<Settled | { ok: false; reason: 'other_provider' }> {
  const payment = await findPayment(deps.db, paymentId)
  if (!payment) return refuse('unknown_payment')
  const provider = providerOf(deps, payment)
  if (!provider) return refuse('other_provider')
  if (isUnsettled(payment.state)) {
    await sweepPayment(deps, payment)
  }
  const after = await deps.db
    .selectFrom('payments')
    .select(['provider_reference', 'state'])
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  if (!after.provider_reference) return { ok: true, state: after.state, purchaseId: null }
  const settled = await settlePayment(deps, provider, after.provider_reference)
  if (!settled.ok) return settled
  const isAnswered = await settleMoneyBack(deps, provider, after.provider_reference, true)
  return isAnswered ? settled : refuse('provider_unavailable')
}
