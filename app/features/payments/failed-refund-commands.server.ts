import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BorneBy } from '../ledger/rules.ts'
import type { PaymentDeps } from './deps.server.ts'
import { recordMoney } from './posting-commands.server.ts'
import { isBlockedByDispute, lockPayment } from './queries.server.ts'
import { insertRefund } from './refund-commands.server.ts'
import type { RefundReason } from './rules.ts'

/**
 * Asks the customer where to send the refunds of a payment that came back, and tells the operators: once for each, and not while
 * a dispute blocks the payment's money, since the bank decides about it. Its purchase and the payment are locked.
 */
export async function tellOfReturned(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  paymentId: string,
): Promise<void> {
  const returned = await tx
    .updateTable('payment_actions')
    .set({ account_asked_at: deps.now() })
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'refund')
    .where('state', '=', 'done')
    .where('provider_status', 'in', ['failed', 'canceled'])
    .where('resolution', 'is', null)
    .where('account_asked_at', 'is', null)
    .where(({ not }) => not(isBlockedByDispute('payment_actions.payment_id')))
    .returning(['id', 'line', 'amount_cents'])
    .execute()
  if (returned.length === 0) return
  const sale = await tx
    .selectFrom('payments')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .select('sales.customer_email')
    .where('payments.id', '=', paymentId)
    .executeTakeFirst()
  const isCustomerAsked = (sale?.customer_email ?? '') !== ''
  for (const { id, line, amount_cents } of returned) {
    const amountCents = Number(amount_cents)
    const tell = await deps.fulfilment.lockPurchase(tx, { paymentId, line })
    await tell({ refundId: id, state: 'failed', amountCents })
    await deps.tellOperators(tx, {
      ...{ kind: 'refund_failed', isCustomerAsked, paymentId, amountCents },
      ...{ dueAt: null, key: `refund-failed:${id}` },
    })
  }
}

/** Why a refund can't be settled another way. */
export type NotPayable = 'not_failed' | 'blocked_by_dispute' | 'other_account'

/**
 * Checks that a refund can be settled another way. Its payment is locked.
 * @param input.accountGivenAt when the account was named that the operator saw, ISO 8601, UTC; null for none
 * @returns null if it can. 'not_failed': it never came back, or is settled already; 'other_account': its customer has named
 *   another account since
 */
export async function refusePayingOtherwise(
  tx: DatabaseTransaction,
  input: { refundId: string; accountGivenAt: string | null },
): Promise<NotPayable | null> {
  const refund = await tx
    .selectFrom('payment_actions')
    .leftJoin('refund_accounts', 'refund_accounts.refund_id', 'payment_actions.id')
    .select(['refund_accounts.given_at', isBlockedByDispute('payment_actions.payment_id').as('is_blocked')])
    .where('payment_actions.id', '=', input.refundId)
    .where('payment_actions.state', '=', 'done')
    .where('payment_actions.provider_status', 'in', ['failed', 'canceled'])
    .where('payment_actions.resolution', 'is', null)
    .executeTakeFirst()
  if (!refund) return 'not_failed'
  if (refund.is_blocked) return 'blocked_by_dispute'
  return (refund.given_at?.toISOString() ?? null) === input.accountGivenAt ? null : 'other_account'
}

/**
 * Records how a refund that came back was settled.
 * @param input.reference the bank's or the transfer's, for 'paid_otherwise'
 * @param input.accountGivenAt when the account was named that the operator saw, ISO 8601, UTC; null for none
 * @returns refuses as `refusePayingOtherwise` does
 */
export async function resolveFailedRefund(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  input: {
    refund: { id: string; paymentId: string; line: number | null }
    reference: string
    note: string
    accountGivenAt: string | null
  },
): Promise<{ ok: true } | { ok: false; reason: NotPayable }> {
  const { refund, accountGivenAt } = input
  const tell = await deps.fulfilment.lockPurchase(tx, { paymentId: refund.paymentId, line: refund.line })
  await lockPayment(tx, refund.paymentId)
  const refused = await refusePayingOtherwise(tx, { refundId: refund.id, accountGivenAt })
  if (refused) return refuse(refused)
  const resolved = await markResolved(deps, tx, refund.id, {
    resolution: 'paid_otherwise',
    resolution_reference: input.reference,
    note: input.note,
  })
  if (!resolved) return refuse('not_failed')
  await tell(null)
  await recordMoney(deps, tx, refund.paymentId)
  return { ok: true }
}

/**
 * Orders a refund that came back once more, under a new key. Its money has stayed reserved for it.
 * @returns refuses with 'not_failed' (it never came back, or is settled already)
 */
export async function refundAgain(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  refund: {
    id: string
    paymentId: string
    line: number | null
    reason: RefundReason
    amountCents: Cents
    borneBy?: BorneBy | null
  },
): Promise<{ ok: true } | { ok: false; reason: 'not_failed' }> {
  const { paymentId, line, reason, amountCents, borneBy = null } = refund
  await deps.fulfilment.lockPurchase(tx, { paymentId, line })
  await lockPayment(tx, paymentId)
  if (!(await markResolved(deps, tx, refund.id, { resolution: 'refunded_again' })))
    return refuse('not_failed')
  await insertRefund(deps, tx, { paymentId, line, reason, amountCents, dueAt: deps.now(), borneBy })
  return { ok: true }
}

/** Settles a refund that came back, and forgets the account that its customer has named. @returns whether it had come back */
async function markResolved(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  refundId: string,
  {
    note,
    ...change
  }: { resolution: 'paid_otherwise' | 'refunded_again'; resolution_reference?: string; note?: string },
): Promise<boolean> {
  const resolved = await tx
    .updateTable('payment_actions')
    .set((eb) => ({
      ...change,
      // The customer still sees why the booking was declined. The operators' log has both.
      ...(note === undefined ? {} : { note: eb.fn.coalesce('note', eb.val(note)) }),
      resolved_at: deps.now(),
    }))
    .where('id', '=', refundId)
    .where('state', '=', 'done')
    .where('provider_status', 'in', ['failed', 'canceled'])
    .where('resolution', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!resolved) return false
  await tx.deleteFrom('refund_accounts').where('refund_id', '=', refundId).execute()
  return true
}
