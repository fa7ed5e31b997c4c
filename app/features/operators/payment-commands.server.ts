import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { planReduction } from '../instalments/commands.server.ts'
import type { BorneBy } from '../ledger/rules.ts'
import {
  type NotPayable,
  refundAgain,
  resolveFailedRefund,
} from '../payments/failed-refund-commands.server.ts'
import { ONLY_LINE_ITEM } from '../payments/payment-commands.server.ts'
import { providerOf } from '../payments/providers.server.ts'
import {
  findPayment,
  findPurchaseRest,
  findRefund,
  findRefundOrder,
  lockPayment,
} from '../payments/queries.server.ts'
import { markAccountOpened } from '../payments/refund-account-commands.server.ts'
import { addRefund, addRefundOfPurchase } from '../payments/refund-commands.server.ts'
import { endRefundPause, performDueRefunds } from '../payments/refund-sending-commands.server.ts'
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
    subject: { kind: 'payment', id: payment.id, label: payment.sale.businessName },
    at: deps.now(),
  })
  const settled = await askProviderAgain(deps, input.paymentId)
  return settled.ok ? { ok: true, state: settled.state } : refuse('provider_unavailable')
}

/**
 * Retries a failed refund now instead of after its backoff. It stays the same action with the same idempotency key, so
 * money can't be refunded twice.
 * @returns refuses with 'not_failing' when it is done, cancelled or was never refused, and with 'other_provider' when
 * the settings name a provider other than the money's holder
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

type RefundInput = {
  operator: Operator
  paymentId: string
  amountCents: Cents
  reason: string
  borneBy: BorneBy
}
type RefundRefused =
  | { ok: false; reason: 'not_found' | 'not_paid' }
  | { ok: false; reason: 'exceeds'; leftCents: Cents }

/**
 * Orders the refund of a part or all of a purchase in a transaction. The booking stays as it is. What is still due is reduced
 * first, so that nobody pays a balance and gets a part of it back. The rest goes back, newest charge first. A refund that we bear
 * leaves the balance alone, since the vendor still gets the whole price.
 * @param input.paymentId any payment of the purchase
 * @param input.borneBy whom it costs
 * @returns refuses with 'not_found', 'not_paid' and 'exceeds' (with what is left, in cents)
 */
export async function refundIn(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  input: RefundInput,
): Promise<{ ok: true; reducedCents: Cents } | RefundRefused> {
  const { operator, paymentId, amountCents, reason, borneBy } = input
  let reducedCents: Cents = 0
  const payment = await findPayment(tx, paymentId)
  if (!payment) return refuse('not_found')
  if (payment.state !== 'paid') return refuse('not_paid')
  const line = (await deps.fulfilment.findPurchase(tx, paymentId)) ? ONLY_LINE_ITEM : null
  const tell = await deps.fulfilment.lockPurchase(tx, { paymentId, line })
  const order = { line, reason: 'operator', dueAt: deps.now(), note: reason, borneBy } as const
  if (line === null) {
    const added = await addRefund(deps, tx, { ...order, paymentId, amountCents })
    if (!added.ok) return added
  } else {
    const first = payment.sale_id
    await lockPayment(tx, first)
    const refundCents = borneBy === 'vendor' ? amountCents : 0
    const { offCents, reduce } = await planReduction(deps, tx, { firstPaymentId: first, refundCents })
    const { leftCents } = await findPurchaseRest(tx, first)
    const backCents = amountCents - offCents
    if (backCents > leftCents) return { ...refuse('exceeds'), leftCents: leftCents + offCents }
    await reduce()
    if (backCents > 0)
      await addRefundOfPurchase(deps, tx, { ...order, paymentId: first, amountCents: backCents })
    reducedCents = offCents
  }
  await tell(null)
  await logAction(tx, {
    operator,
    action: 'refund',
    subject: { kind: 'payment', id: paymentId, label: payment.sale.businessName },
    reason: `${formatMoney(amountCents)}${borneBy === 'operator' ? ', borne by us' : ''}${
      reducedCents > 0 ? `, ${formatMoney(reducedCents)} of it off the balance` : ''
    }: ${reason}`,
    at: deps.now(),
  })
  return { ok: true, reducedCents }
}

type RefundAgain = { operator: Operator; refundId: string }
type Again = { ok: true } | { ok: false; reason: 'not_found' | 'not_failed' }

/**
 * Orders a refund that came back once more, in a transaction.
 * @returns refuses with 'not_found' and 'not_failed'
 */
export async function refundAgainIn(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  input: RefundAgain,
): Promise<Again> {
  const refund = await findRefundOrder(tx, input.refundId)
  if (!refund) return refuse('not_found')
  const again = await refundAgain(deps, tx, refund)
  if (!again.ok) return again
  await logAction(tx, {
    operator: input.operator,
    action: 'refund-again',
    subject: { kind: 'refund', id: refund.id, label: refund.paymentId },
    at: deps.now(),
  })
  return again
}

/**
 * Opens the account that a customer has named for a refund, to its operator alone and for ten minutes.
 * @returns refuses with 'not_found': none is named, or the refund has been settled in the meantime
 */
export function openRefundAccount(
  { db, now }: Pick<BookingDeps, 'db' | 'now'>,
  { operator, refundId }: RefundAgain,
): Promise<{ ok: true } | { ok: false; reason: 'not_found' }> {
  return db.transaction().execute(async (tx) => {
    const refund = await findRefundOrder(tx, refundId)
    const at = now()
    if (!refund || !(await markAccountOpened(tx, { refundId, operatorUserId: operator.userId, at })))
      return refuse('not_found')
    await logAction(tx, {
      operator,
      action: 'open-refund-account',
      subject: { kind: 'refund', id: refund.id, label: refund.paymentId },
      at,
    })
    return { ok: true }
  })
}

type PaidOtherwise = RefundAgain & { reference: string; reason: string; accountGivenAt: string | null }

/**
 * Records that a refund that came back was paid another way, in a transaction.
 * @param input.reference the bank's or the transfer's
 * @param input.accountGivenAt when the account was named that the operator saw, ISO 8601, UTC; null for none
 * @returns refuses with 'not_found', and as `resolveFailedRefund` does
 */
export async function recordPaidOtherwiseIn(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  input: PaidOtherwise,
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | NotPayable }> {
  const refund = await findRefundOrder(tx, input.refundId)
  if (!refund) return refuse('not_found')
  const { reference, reason, accountGivenAt } = input
  const resolved = await resolveFailedRefund(deps, tx, { refund, reference, note: reason, accountGivenAt })
  if (!resolved.ok) return resolved
  await logAction(tx, {
    operator: input.operator,
    action: 'paid-otherwise',
    subject: { kind: 'refund', id: refund.id, label: refund.paymentId },
    reason: `${reference}: ${reason}`,
    at: deps.now(),
  })
  return resolved
}
