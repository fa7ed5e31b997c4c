import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { providerOf } from '../payments/providers.server.ts'
import { findPayment, findRefund } from '../payments/queries.server.ts'
import { endRefundPause, performDueRefunds } from '../payments/refund-commands.server.ts'
import type { PaymentState } from '../payments/rules.ts'
import { askProviderAgain } from '../payments/sweep-commands.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'

/**
 * Retrieves one payment from the provider and applies the snapshot, whatever the payment's state here.
 * @returns refuses with 'not_found', 'provider_unavailable' and 'other_provider' (the settings name a provider other
 * than the payment's)
 */
export async function askAboutPayment(
  deps: BookingDeps,
  input: { operator: Operator; paymentId: string },
): Promise<
  | { ok: true; state: PaymentState }
  | { ok: false; reason: 'not_found' | 'provider_unavailable' | 'other_provider' }
> {
  const payment = await findPayment(deps.db, input.paymentId)
  if (!payment) return refuse('not_found')
  if (!providerOf(deps, payment)) return refuse('other_provider')
  await logAction(deps.db, {
    operator: input.operator,
    action: 'ask-provider',
    subject: { kind: 'payment', id: payment.id, label: payment.sold.businessName },
    at: deps.now(),
  })
  const settled = await askProviderAgain(deps, input.paymentId)
  return settled.ok ? { ok: true, state: settled.state } : refuse('provider_unavailable')
}

/**
 * Retries a failed refund now instead of after its backoff. It stays the same action with the same idempotency key, so
 * money can't be refunded twice.
 * @returns refuses with 'not_failing' when it is done, cancelled or was never refused, and with 'other_provider' when
 * the settings name a provider other than the one that holds the money
 */
export async function retryRefund(
  deps: BookingDeps,
  input: { operator: Operator; refundId: string },
): Promise<{ ok: true; done: boolean } | { ok: false; reason: 'not_failing' | 'other_provider' }> {
  const { db, now } = deps
  const before = await findRefund(db, input.refundId)
  if (before && !providerOf(deps, before)) return refuse('other_provider')
  const retried = await db.transaction().execute(async (tx) => {
    const refund = await endRefundPause(tx, input.refundId)
    if (!refund) return false
    await logAction(tx, {
      operator: input.operator,
      action: 'retry-refund',
      subject: { kind: 'refund', id: input.refundId, label: refund.paymentId },
      at: now(),
    })
    return true
  })
  if (!retried) return refuse('not_failing')
  await performDueRefunds(deps)
  const after = await findRefund(db, input.refundId)
  return { ok: true, done: after?.state === 'done' }
}
