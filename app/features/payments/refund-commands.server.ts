import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import type { PaymentDeps } from './deps.server.ts'
import { providerNames, providerOf } from './providers.server.ts'
import { pauseAfterTries, type RefundReason } from './rules.ts'

const REFUNDS_PER_RUN = 50

/**
 * Orders a refund, in the transaction that decides that money goes back.
 * @param refund.line the line of the payment; null for all of a payment that bought nothing
 * @param refund.dueAt until then `cancelRefund` can take it back
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
 * Locks the refund of a line that nobody has claimed yet.
 * @returns its id; null when it is claimed, or there is none
 */
export async function lockDueRefund(
  tx: DatabaseTransaction,
  { paymentId, line }: { paymentId: string; line: number },
): Promise<string | null> {
  // Races the claim, which finds the state 'due' no more once this commits.
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

/** Takes back a refund that `lockDueRefund` has locked in this transaction. */
export async function cancelRefund(tx: DatabaseTransaction, refundId: string): Promise<void> {
  await tx.updateTable('payment_actions').set({ state: 'cancelled' }).where('id', '=', refundId).execute()
}

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
 * tried again with growing pauses. A refund of another provider's payment stays due until the settings name its provider
 * again; operators see it as overdue.
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
    // A claim whose process died before the answer is tried again too: the provider knows its key.
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
    // The purchase before the action, as everywhere, so that two transactions never wait for each other.
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
