import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import type { PaymentDeps } from './deps.server.ts'
import { providerNames, providerOf } from './providers.server.ts'
import { pauseAfterTries, type RefundReason } from './rules.ts'

const REFUNDS_PER_RUN = 50

/**
 * Orders a refund, in the transaction that decides on it.
 * @param refund.line the payment's line item; null refunds a whole payment that bought nothing
 * @param refund.dueAt when the refund is made; until it is claimed, `cancelRefund` can cancel it
 */
export async function addRefund(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  refund: { paymentId: string; line: number | null; amountCents: Cents; reason: RefundReason; dueAt: Date },
): Promise<void> {
  await tx
    .insertInto('payment_actions')
    .values({
      id: newId(),
      payment_id: refund.paymentId,
      line: refund.line,
      kind: 'refund',
      amount_cents: refund.amountCents,
      reason: refund.reason,
      due_at: refund.dueAt,
      claimed_at: null,
      last_error: null,
      created_at: deps.now(),
      done_at: null,
    })
    .execute()
}

/**
 * Locks a line item's refund that is not claimed yet.
 * @returns its id; null when it is claimed, or there is none
 */
export async function lockDueRefund(
  tx: DatabaseTransaction,
  { paymentId, line }: { paymentId: string; line: number },
): Promise<string | null> {
  // Races the claim, whose update no longer matches the state 'due' once this commits.
  const refund = await tx
    .selectFrom('payment_actions')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where('line', '=', line)
    .where('kind', '=', 'refund')
    .where('state', '=', 'due')
    .forUpdate()
    .executeTakeFirst()
  return refund?.id ?? null
}

/** Cancels a refund that `lockDueRefund` has locked in this transaction. */
export async function cancelRefund(tx: DatabaseTransaction, refundId: string): Promise<void> {
  await tx.updateTable('payment_actions').set({ state: 'cancelled' }).where('id', '=', refundId).execute()
}

/**
 * Ends the pause of a refund that has failed, so that the next run retries it. The action and its idempotency key stay
 * the same, so money can't be refunded twice.
 * @returns its payment; null when the refund is done or cancelled, or has never failed
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
 * Makes the refunds that are due. A conditional update claims each one before the provider is called, and the
 * idempotency key names the action, so a crash at any point refunds the money exactly once. A failed refund is retried
 * with growing pauses. A refund of another provider's payment stays due until the settings name that provider again.
 * Operators see it as overdue.
 */
export async function performDueRefunds(deps: PaymentDeps): Promise<void> {
  const { db } = deps
  const candidates = await db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .select([
      'payment_actions.id',
      'payment_actions.state',
      'payment_actions.attempts',
      'payment_actions.claimed_at',
      'payments.provider',
    ])
    .where('payment_actions.kind', '=', 'refund')
    .where('payment_actions.state', 'in', ['due', 'claimed'])
    .where('payment_actions.due_at', '<=', deps.now())
    .where('payments.provider', 'in', providerNames(deps))
    .orderBy('payment_actions.due_at')
    .limit(REFUNDS_PER_RUN)
    .execute()
  await eachOf(candidates, async (candidate) => {
    const provider = providerOf(deps, candidate)
    if (!provider) return
    // A claim whose process died before the answer is retried too: the provider recognises its key.
    const pauseMs = pauseAfterTries(candidate.attempts)
    if (candidate.claimed_at && candidate.claimed_at.getTime() + pauseMs > deps.now().getTime()) return
    const claimed = await db
      .updateTable('payment_actions')
      .set((eb) => ({ state: 'claimed', claimed_at: deps.now(), attempts: eb('attempts', '+', 1) }))
      .where('id', '=', candidate.id)
      .where('state', '=', candidate.state)
      .where('attempts', '=', candidate.attempts)
      .returning(['id', 'payment_id', 'line', 'amount_cents'])
      .executeTakeFirst()
    if (!claimed) return
    deps.faultPoint('refund-claimed')
    const payment = await db
      .selectFrom('payments')
      .select('provider_reference')
      .where('id', '=', claimed.payment_id)
      .executeTakeFirstOrThrow()
    if (!payment.provider_reference) throw new Error('a refund is due for a payment that was never made')
    const refunded = await provider.refund({
      reference: payment.provider_reference,
      amountCents: Number(claimed.amount_cents),
      idempotencyKey: `refund-${claimed.id}`,
    })
    deps.faultPoint('refund-made')
    if (refunded.ok) await completeRefund(deps, claimed)
    else
      await db
        .updateTable('payment_actions')
        .set({ last_error: refunded.message })
        .where('id', '=', claimed.id)
        .execute()
  })
}

async function completeRefund(
  deps: PaymentDeps,
  action: { id: string; payment_id: string; line: number | null },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    // Every transaction locks the purchase before the action, so that two can't deadlock.
    const whenRefunded =
      action.line === null
        ? null
        : await deps.fulfilment.lockBought(tx, { paymentId: action.payment_id, line: action.line })
    const done = await tx
      .updateTable('payment_actions')
      .set({ state: 'done', done_at: deps.now(), last_error: null })
      .where('id', '=', action.id)
      .where('state', '=', 'claimed')
      .returning('id')
      .executeTakeFirst()
    if (done) await whenRefunded?.()
  })
}
