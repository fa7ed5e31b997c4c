import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BorneBy } from '../ledger/rules.ts'
import type { PaymentDeps } from './deps.server.ts'
import { recordMoney } from './posting-commands.server.ts'
import { lockPayment } from './queries.server.ts'
import { insertRefund } from './refund-commands.server.ts'
import type { RefundReason } from './rules.ts'

/**
 * Records how a refund that came back was settled.
 * @param input.reference the bank's or the transfer's, for 'paid_otherwise'
 * @returns refuses with 'not_failed' (it never came back, or is settled already)
 */
export async function resolveFailedRefund(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  input: {
    refund: { id: string; paymentId: string; line: number | null }
    reference: string
    note: string
  },
): Promise<{ ok: true } | { ok: false; reason: 'not_failed' }> {
  const { refund } = input
  const tell = await deps.fulfilment.lockPurchase(tx, { paymentId: refund.paymentId, line: refund.line })
  await lockPayment(tx, refund.paymentId)
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
