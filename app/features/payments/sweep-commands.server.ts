import { sql } from 'kysely'
import { eachOf } from '../../shared/each-of.ts'
import { refuse } from '../../shared/result.ts'
import type { PaymentDeps } from './deps.server.ts'
import { askProviderForPayment } from './payment-commands.server.ts'
import { providerNames, providerOf } from './providers.server.ts'
import { findPayment } from './queries.server.ts'
import { isUnsettled } from './rules.ts'
import { applySnapshot, type Settled, settlePayment } from './settlement-commands.server.ts'
import type { PaymentRow } from './tables.server.ts'

const PAYMENTS_PER_SWEEP = 200

/**
 * Asks the provider about every payment that is not settled, and ends those whose time has run out: cancelled at
 * the provider first, so that no card can be charged for them afterwards. Payments of another provider, from before the
 * settings were changed, wait for theirs; operators see them as stuck.
 * @throws AggregateError when some of them failed for a reason of ours; the others are done
 */
export async function sweepPayments(deps: PaymentDeps): Promise<void> {
  const rows = await deps.db
    .selectFrom('payments')
    .selectAll()
    .where('state', 'in', ['open', 'processing'])
    .where('provider', 'in', providerNames(deps))
    .orderBy(sql`checked_at asc nulls first`)
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
  // Its browser asks again with the same key; only its end is ours to make.
  if (!payment.provider_reference && !expired) return
  const asked = await askProviderForPayment(deps, provider, payment)
  if (!asked.ok) {
    // Refused before it existed: nothing at the provider can be paid any more.
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
  // It was paid in the meantime, or the provider is away: what it says now decides.
  else await settlePayment(deps, provider, asked.reference)
}

/** Nothing can be paid for it any more, so whatever was kept for it is free. */
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

/** Lets the time of an open payment be over now, and ends it as any whose time is over. */
export async function endPayment(deps: PaymentDeps, paymentId: string): Promise<void> {
  const now = deps.now()
  const payment = await deps.db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('payments')
      .set((eb) => ({ expires_at: eb.fn<Date>('least', ['expires_at', eb.val(now)]) }))
      .where('id', '=', paymentId)
      .where('state', '=', 'open')
      .returningAll()
      .executeTakeFirst()
    if (ended) await deps.fulfilment.whenGivenUp(tx, paymentId)
    return ended
  })
  if (payment) await sweepPayment(deps, payment)
}

/**
 * Asks the provider about one payment, whatever state it is in here, and applies what it says. A payment that the
 * provider has not answered for yet is asked for again, with its own key.
 * @returns refuses with 'unknown_payment' (here or there), 'provider_unavailable' and 'other_provider' (the settings name
 *   another one than the one that made it)
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
  if (!after.provider_reference) return { ok: true, state: after.state, boughtId: null }
  return settlePayment(deps, provider, after.provider_reference)
}
