import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { giveUpFollowingPayments, ONLY_LINE_ITEM } from '../payments/payment-commands.server.ts'
import type { PaymentRow } from '../payments/queries.server.ts'
import { findPayment, lockPayment } from '../payments/queries.server.ts'
import { insertRefund } from '../payments/refund-commands.server.ts'
import type { UnfulfilledReason } from '../payments/rules.ts'
import { deadlineOf, listInstalments } from '../sales/plan-queries.server.ts'
import {
  CLOSED_STATES,
  canExtend,
  firstTryAt,
  isClosed,
  overdueAt,
  reductionOf,
} from '../sales/plan-rules.ts'
import type { InstalmentRow } from '../sales/tables.server.ts'
import type { InstalmentDeps } from './deps.server.ts'
import { extensionMail, instalmentPaidMail, instalmentReducedMail } from './mails.ts'
import { findSavedCard, mailedInstalment } from './queries.server.ts'

/**
 * Ends what is unpaid of a purchase that is called off. The purchase is locked. A card that is being charged for it meanwhile is
 * refunded.
 * @param firstPaymentId its first payment
 */
export async function endInstalments(tx: DatabaseTransaction, firstPaymentId: string): Promise<void> {
  const ended = await tx
    .updateTable('instalments')
    .set({ state: 'ended', claimed_at: null, try_at: null })
    .where('payment_id', '=', firstPaymentId)
    .where('state', 'not in', CLOSED_STATES)
    .returning('id')
    .execute()
  if (ended.length > 0) await giveUpFollowingPayments(tx, firstPaymentId)
}

/**
 * Postpones the charges of a purchase's instalments, as while its booking may be declined. The purchase is locked. A charge that
 * has begun is not stopped.
 * @param until the earliest time of the next try
 */
export async function postponeInstalments(
  tx: DatabaseTransaction,
  firstPaymentId: string,
  until: Date,
): Promise<void> {
  await tx
    .updateTable('instalments')
    .set({ try_at: until })
    .where('payment_id', '=', firstPaymentId)
    .where('state', 'in', ['reminded', 'failed'])
    .where('try_at', '<', until)
    .execute()
}

/**
 * Takes back the end of a purchase's instalments, as when a declined booking is approved after all. Their payments were given up,
 * so each gets a new one.
 */
export async function reopenInstalments(tx: DatabaseTransaction, firstPaymentId: string): Promise<void> {
  const first = await findPayment(tx, firstPaymentId)
  if (!first) return
  const { timeZone } = first.sale
  for (const row of await listInstalments(tx, firstPaymentId)) {
    const { id, state, due_at: dueAt, reminded_at: remindedAt } = row
    if (state !== 'ended' || Number(row.amount_cents) === 0) continue
    await tx
      .updateTable('instalments')
      .set({
        state: remindedAt ? 'reminded' : 'scheduled',
        // Its next refusal is the first one again, as there may be mornings left.
        attempts: 0,
        unpaid_since: null,
        // A late reminder named a later morning than the due day.
        try_at: remindedAt && firstTryAt(dueAt, remindedAt, timeZone),
        paid_by: null,
      })
      .where('id', '=', id)
      .execute()
  }
}

/**
 * Plans how much of a refund comes off what is still due of a purchase, the last instalment first. The purchase is locked.
 * @returns the sum in cents, and a function that takes it off and tells the customer. A payment that is under way has the old
 *   amount: it is replaced, or refunded by the difference once it succeeds
 */
export async function planReduction(
  deps: Pick<InstalmentDeps, 'jobs' | 'brand' | 'publicUrl'>,
  tx: DatabaseTransaction,
  { firstPaymentId, refundCents }: { firstPaymentId: string; refundCents: Cents },
): Promise<{ offCents: Cents; reduce(): Promise<void> }> {
  const reductions: { row: InstalmentRow; cents: Cents }[] = []
  let offCents = 0
  for (const row of (await listInstalments(tx, firstPaymentId)).toReversed()) {
    const cents = isClosed(row) ? 0 : reductionOf(Number(row.amount_cents), refundCents - offCents)
    if (cents === 0) continue
    reductions.push({ row, cents })
    offCents += cents
  }
  const reduce = async () => {
    for (const { row, cents } of reductions) await reduceInstalment(deps, tx, row, cents)
  }
  return { offCents, reduce }
}

async function reduceInstalment(
  deps: Pick<InstalmentDeps, 'jobs' | 'brand' | 'publicUrl'>,
  tx: DatabaseTransaction,
  { id, amount_cents, reduced_cents, payment_id, paid_by }: InstalmentRow,
  cents: Cents,
): Promise<void> {
  const leftCents = Number(amount_cents) - cents
  const row = await tx
    .updateTable('instalments')
    .set({
      amount_cents: leftCents,
      reduced_cents: Number(reduced_cents) + cents,
      ...(leftCents === 0 ? { state: 'ended' as const, claimed_at: null, try_at: null } : {}),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  // Its own payment alone: a change may be waiting for another one.
  if (leftCents === 0 && paid_by) await giveUpFollowingPayments(tx, payment_id, paid_by)
  const first = await findPayment(tx, payment_id)
  if (!first?.sale.customer.email) return
  const mailed = mailedInstalment(row, first, await findSavedCard(tx, payment_id))
  await deps.jobs.enqueue(tx, 'send-booking-mail', instalmentReducedMail(mailed, cents, deps))
}

/**
 * Stores that a further payment has paid its instalment, and sends the receipt. The purchase is locked.
 * @returns refuses with 'paid_too_late' when the instalment has ended, so that the payment is refunded
 */
export async function settleInstalment(
  deps: { now: () => Date; jobs: Jobs; brand: string; publicUrl: URL },
  tx: DatabaseTransaction,
  payment: PaymentRow,
): Promise<{ ok: true } | { ok: false; reason: UnfulfilledReason }> {
  const paid = await tx
    .updateTable('instalments')
    .set({ state: 'paid', paid_at: deps.now(), claimed_at: null, try_at: null, decline_code: null })
    .where('paid_by', '=', payment.id)
    .where('state', 'not in', CLOSED_STATES)
    .returningAll()
    .executeTakeFirst()
  if (!paid) return refuse('paid_too_late')
  // It was reduced while the card was being charged, so that the refund goes back after all.
  const excessCents = Number(payment.amount_cents) - Number(paid.amount_cents)
  if (excessCents > 0) {
    await tx
      .updateTable('instalments')
      .set({
        amount_cents: Number(payment.amount_cents),
        reduced_cents: Number(paid.reduced_cents) - excessCents,
      })
      .where('id', '=', paid.id)
      .execute()
    const { id: paymentId } = payment
    const order = { paymentId, line: ONLY_LINE_ITEM, reason: 'operator', dueAt: deps.now() } as const
    await insertRefund(deps, tx, { ...order, amountCents: excessCents })
  }
  const charged = { ...paid, amount_cents: payment.amount_cents }
  const mailed = mailedInstalment(charged, payment, await findSavedCard(tx, paid.payment_id))
  if (mailed.customerEmail) await deps.jobs.enqueue(tx, 'send-booking-mail', instalmentPaidMail(mailed, deps))
  return { ok: true }
}

/**
 * Gives the customer more time for an unpaid instalment, once, by the vendor's decision.
 * @param input.firstPaymentId the purchase, which the vendor has been checked to own
 * @returns until when; refuses with 'not_extendable' where nothing is unpaid, or where it was extended before
 */
export async function extendInstalment(
  deps: InstalmentDeps,
  input: { firstPaymentId: string },
): Promise<{ ok: true; until: Date } | { ok: false; reason: 'not_extendable' }> {
  return deps.db.transaction().execute(async (tx) => {
    await lockPayment(tx, input.firstPaymentId)
    const first = await findPayment(tx, input.firstPaymentId)
    const now = deps.now()
    const row = (await listInstalments(tx, input.firstPaymentId)).find(
      ({ state }) => state === 'failed' || state === 'needs_customer',
    )
    if (!first || !row) return refuse('not_extendable')
    const { timeZone } = first.sale
    const deadline = deadlineOf(row, first)
    const until = overdueAt({ ...deadline, extendedAt: now }, timeZone)
    if (!until || !canExtend({ ...deadline, state: row.state }, { now, timeZone }))
      return refuse('not_extendable')
    await tx.updateTable('instalments').set({ extended_at: now }).where('id', '=', row.id).execute()
    const mailed = mailedInstalment(row, first, await findSavedCard(tx, first.id))
    if (mailed.customerEmail)
      await deps.jobs.enqueue(tx, 'send-booking-mail', extensionMail(mailed, until, deps))
    await deps.publish(tx, first.id)
    return { ok: true, until }
  })
}
