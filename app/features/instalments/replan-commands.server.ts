import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { giveUpFollowingPayments } from '../payments/payment-commands.server.ts'
import type { PaymentRow } from '../payments/queries.server.ts'
import { listInstalments } from '../sales/plan-queries.server.ts'
import { isClosed } from '../sales/plan-rules.ts'
import type { Replan } from '../sales/replan-rules.ts'
import type { InstalmentRow } from '../sales/tables.server.ts'
import type { SaleTerms } from '../terms/rules.ts'

/**
 * Changes how a purchase is paid, as `replan` says, in the transaction that changes its price or moves its event. The purchase is
 * locked. A balance whose amount or day changes gets a new reminder, and the payment that was prepared for it is given up.
 * @param input.priceCents before the change
 * @param input.paidBy the payment of the amount due now; null if nothing is due now
 * @returns the instalments for the terms of the sale
 */
export async function replanInstalments(
  tx: DatabaseTransaction,
  input: { first: PaymentRow; priceCents: Cents; plan: Replan; paidBy: string | null; now: Date },
): Promise<SaleTerms['instalments']> {
  const { first, plan, paidBy, now } = input
  let rows = await listInstalments(tx, first.id)
  const unpaid = rows.find((row) => !isClosed(row))
  if (unpaid) await replanBalance(tx, unpaid, { first, plan, paidBy, now })
  else if (paidBy !== null) {
    if (rows.length === 0)
      await addRow(tx, first.id, {
        number: 1,
        cents: input.priceCents,
        at: first.paid_at ?? now,
        by: first.id,
        now,
      })
    const number = (rows.at(-1)?.number ?? 1) + 1
    await addRow(tx, first.id, { number, cents: plan.dueCents, at: now, by: paidBy, now })
  }
  await giveBack(tx, rows, plan.refundCents)
  rows = await listInstalments(tx, first.id)
  const before = new Map((first.sale.terms?.instalments ?? []).map((one) => [one.number, one.dueAt]))
  if (rows.length === 0)
    return [{ number: 1, cents: input.priceCents + plan.dueCents - plan.refundCents, dueAt: null }]
  return rows.map((row) => ({
    number: row.number,
    // Operators' reductions of an instalment don't change the agreed price.
    cents: Number(row.amount_cents) + Number(row.reduced_cents),
    dueAt: isClosed(row) ? (before.get(row.number) ?? null) : row.due_at.toISOString(),
  }))
}

async function replanBalance(
  tx: DatabaseTransaction,
  row: InstalmentRow,
  { first, plan, paidBy, now }: { first: PaymentRow; plan: Replan; paidBy: string | null; now: Date },
): Promise<void> {
  const { balance } = plan
  const isUnchanged =
    balance?.cents === Number(row.amount_cents) && balance.dueAt.getTime() === row.due_at.getTime()
  if (isUnchanged) return
  // Of another amount, or for another day than the customer was told.
  if (row.paid_by) await giveUpFollowingPayments(tx, first.id, row.paid_by)
  if (balance) {
    // Another row, so that it is reminded of, charged and told about as if it had never been tried.
    await tx.deleteFrom('instalments').where('id', '=', row.id).execute()
    const { number, reduced_cents: reducedCents } = row
    await addRow(tx, first.id, {
      number,
      cents: balance.cents,
      reducedCents: Number(reducedCents),
      at: balance.dueAt,
      by: null,
      now,
    })
  } else if (paidBy !== null)
    await tx
      .updateTable('instalments')
      .set({
        amount_cents: plan.dueCents,
        state: 'paid',
        paid_by: paidBy,
        paid_at: now,
        claimed_at: null,
        try_at: null,
        decline_code: null,
      })
      .where('id', '=', row.id)
      .execute()
  // The instalment is fully paid off by the reduction. A card that still pays the given-up payment is refunded.
  else if (Number(row.reduced_cents) > 0)
    await tx
      .updateTable('instalments')
      .set({ amount_cents: 0, state: 'ended', paid_by: null, claimed_at: null, try_at: null })
      .where('id', '=', row.id)
      .execute()
  else await tx.deleteFrom('instalments').where('id', '=', row.id).execute()
}

/** Takes what goes back off the paid instalments, newest first, as its refunds take it off the charges. */
async function giveBack(
  tx: DatabaseTransaction,
  rows: readonly InstalmentRow[],
  refundCents: Cents,
): Promise<void> {
  let leftCents = refundCents
  for (const row of rows.filter(({ state }) => state === 'paid').toReversed()) {
    const cents = Math.min(leftCents, Number(row.amount_cents))
    if (cents === 0) continue
    leftCents -= cents
    await tx
      .updateTable('instalments')
      .set({ amount_cents: Number(row.amount_cents) - cents })
      .where('id', '=', row.id)
      .execute()
  }
}

/** Stores an instalment that is paid, or still to come where nothing pays it yet. */
async function addRow(
  tx: DatabaseTransaction,
  firstPaymentId: string,
  {
    number,
    cents,
    reducedCents = 0,
    at,
    by,
    now,
  }: { number: number; cents: Cents; reducedCents?: Cents; at: Date; by: string | null; now: Date },
): Promise<void> {
  await tx
    .insertInto('instalments')
    .values({
      id: newId(),
      payment_id: firstPaymentId,
      number,
      amount_cents: cents,
      reduced_cents: reducedCents,
      due_at: at,
      state: by === null ? 'scheduled' : 'paid',
      paid_by: by,
      try_at: null,
      claimed_at: null,
      decline_code: null,
      extended_at: null,
      reminded_at: null,
      paid_at: by === null ? null : at,
      created_at: now,
    })
    .execute()
}
