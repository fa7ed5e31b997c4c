import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import type { PaymentDeps } from './deps.server.ts'
import { providerNames, providerOf } from './providers.server.ts'
import { isBlockedByDispute } from './queries.server.ts'
import {
  applyRefundSnapshot,
  REFUNDS_PER_RUN,
  refundKey,
  settleRefunds,
} from './refund-news-commands.server.ts'
import { LONGEST_PAUSE_TRIES, pauseAfterTries } from './rules.ts'

/** The numbers of tries with a pause of their own; the last one stands for more tries too. */
const PAUSED_TRIES = Array.from({ length: LONGEST_PAUSE_TRIES }, (_, index) => index + 1)

/**
 * Ends the pause of a refund that the provider has refused, so that the next run tries it. The action stays the same one,
 * and with it the provider's key: money can't go back twice.
 * @returns its payment; null when it is done, cancelled or was never refused
 */
export async function endRefundPause(
  tx: DatabaseTransaction,
  refundId: string,
): Promise<{ paymentId: string } | null> {
  const refund = await tx
    .updateTable('payment_actions')
    .set({ claimed_at: null })
    .where('id', '=', refundId)
    .where('kind', '=', 'refund')
    .where('state', '=', 'claimed')
    .where('last_error', 'is not', null)
    .returning('payment_id')
    .executeTakeFirst()
  return refund ? { paymentId: refund.payment_id } : null
}

/**
 * Makes the refunds that are due. Each is claimed by a conditional update before the provider is called, and the
 * provider's key names the action, so that money goes back exactly once whatever dies in between. What fails is
 * tried again with growing pauses. Nothing leaves while a dispute blocks the payment's money. A refund of another provider's
 * payment stays due until the settings name its provider again; operators see it as overdue.
 */
export async function performDueRefunds(deps: PaymentDeps): Promise<void> {
  const { db } = deps
  const now = deps.now()
  const candidates = await db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .select(['payment_actions.id', 'payment_actions.state', 'payment_actions.attempts', 'payments.provider'])
    .where('payment_actions.kind', '=', 'refund')
    .where('payment_actions.state', 'in', ['due', 'claimed'])
    .where('payment_actions.due_at', '<=', now)
    .where('payments.provider', 'in', providerNames(deps))
    .where((eb) => eb.not(isBlockedByDispute('payments.id')))
    // Here, not below the limit: refunds that the provider keeps refusing would hold up all newer ones.
    .where((eb) =>
      eb.or([
        eb('payment_actions.claimed_at', 'is', null),
        ...PAUSED_TRIES.map((tries) =>
          eb.and([
            eb('payment_actions.attempts', tries < LONGEST_PAUSE_TRIES ? '=' : '>=', tries),
            eb('payment_actions.claimed_at', '<=', new Date(now.getTime() - pauseAfterTries(tries))),
          ]),
        ),
      ]),
    )
    .orderBy('payment_actions.due_at')
    .limit(REFUNDS_PER_RUN)
    .execute()
  await eachOf(candidates, async (candidate) => {
    const provider = providerOf(deps, candidate)
    if (!provider) return
    // A claim whose process died before the answer is tried again too: the provider knows its key.
    const claimed = await db
      .updateTable('payment_actions')
      .set((eb) => ({ state: 'claimed', claimed_at: deps.now(), attempts: eb('attempts', '+', 1) }))
      .where('id', '=', candidate.id)
      .where('state', '=', candidate.state)
      .where('attempts', '=', candidate.attempts)
      // A dispute may have come since the list was read.
      .where((eb) => eb.not(isBlockedByDispute('payment_actions.payment_id')))
      .returning(['id', 'payment_id', 'line', 'amount_cents'])
      .executeTakeFirst()
    if (!claimed) return
    deps.faultPoint('refund-claimed')
    const payment = await db
      .selectFrom('payments')
      .select(['id', 'provider_reference'])
      .where('id', '=', claimed.payment_id)
      .executeTakeFirstOrThrow()
    if (!payment.provider_reference) throw new Error('a refund is due for a payment that was never made')
    const refunded = await provider.refund({
      reference: payment.provider_reference,
      amountCents: Number(claimed.amount_cents),
      idempotencyKey: refundKey(claimed.id),
    })
    deps.faultPoint('refund-made')
    if (refunded.ok) {
      await applyRefundSnapshot(deps, claimed, refunded.refund)
      return
    }
    await db
      .updateTable('payment_actions')
      .set({ last_error: refunded.message })
      .where('id', '=', claimed.id)
      // A slow answer may come after the retry's.
      .where('state', '=', 'claimed')
      .execute()
    // The money may have gone back without us, so that less is left than was ordered.
    if (refunded.reason === 'refused') await settleRefunds(deps, provider, payment)
  })
}
