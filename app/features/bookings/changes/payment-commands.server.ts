import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import type { PublicPaymentConfig } from '../../../adapters/payments/port.ts'
import { newId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import { keepWrites, refuse } from '../../../shared/result.ts'
import { extendHold, holdMove } from '../../availability/slot-commands.server.ts'
import { findSavedCard } from '../../instalments/queries.server.ts'
import {
  giveUpFollowingPayments,
  openAtProvider,
  storeFollowingPayment,
} from '../../payments/payment-commands.server.ts'
import { providerOf } from '../../payments/providers.server.ts'
import type { PaymentRow } from '../../payments/queries.server.ts'
import { findPayment, lockPayment } from '../../payments/queries.server.ts'
import { isUnsettled, type UnfulfilledReason } from '../../payments/rules.ts'
import { applySnapshot } from '../../payments/settlement-commands.server.ts'
import type { ReplanRefusal } from '../../sales/replan-rules.ts'
import type { BookingDeps, BookingServices } from '../deps.server.ts'
import { type BookingRow, findRowByLink, lockBooking } from '../row-queries.server.ts'
import { refusalOf } from '../row-rules.ts'
import type { ChangeRow } from '../tables.server.ts'
import { applyChange, tellOf } from './effect-commands.server.ts'
import { endChange } from './end-commands.server.ts'
import { findOpenChange, findPlan, movedTime } from './queries.server.ts'

export type ChangePayment =
  | {
      ok: true
      clientSecret: string
      reference: string
      provider: PublicPaymentConfig
      amountCents: Cents
      /** The saved card; null where none can be charged. */
      method: string | null
    }
  | {
      ok: false
      reason: 'unknown_booking' | 'nothing_due' | 'time_gone' | 'provider_unavailable' | ReplanRefusal
    }

/**
 * Opens the payment of an agreed change, so that its customer pays it. From here on the held time waits until that payment ends.
 * @returns refuses with 'unknown_booking', 'nothing_due' (also once it has expired), 'time_gone', 'provider_unavailable' and the
 *   reasons of `replan`
 */
export async function openChangePayment(deps: BookingDeps, linkToken: string): Promise<ChangePayment> {
  const booking = await findRowByLink(deps.db, linkToken)
  if (!booking) return refuse('unknown_booking')
  const opened = await deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, booking.id)
    const change = row && (await findOpenChange(tx, row.id))
    const now = deps.now()
    if (!row || change?.state !== 'accepted' || change.expires_at <= now || refusalOf(row, now))
      return refuse('nothing_due')
    await lockPayment(tx, row.payment_row_id)
    const plan = await findPlan(tx, row, change.sale_after, now)
    if (!plan.ok) return plan
    if (plan.dueCents === 0) {
      // The balance was reduced or paid in the meantime, so the change has nothing left to wait for.
      if (change.payment_id) await giveUpFollowingPayments(tx, row.payment_row_id, change.payment_id)
      const applied = await applyChange(deps, tx, row, change, { plan, paidBy: null })
      return applied.ok ? keepWrites(refuse('nothing_due')) : applied
    }
    const time = movedTime(row, change.sale_after)
    if (time && (await extendHold(deps, tx, change.id)) === 'gone') {
      const { payment_row_id: firstPaymentId, vendor_id: businessId } = row
      const held = await holdMove(deps, tx, {
        businessId,
        changeId: change.id,
        firstPaymentId,
        time,
        expiresAt: null,
      })
      if (!held.ok) return refuse('time_gone')
    }
    return { ok: true, payment: await ensurePayment(deps, tx, row, change, plan.dueCents) } as const
  })
  if (!opened.ok) return opened
  const { payment } = opened
  const provider = providerOf(deps, payment)
  if (!provider) return refuse('nothing_due')
  const asked = await openAtProvider(deps, provider, payment, (snapshot) =>
    applySnapshot(deps, provider, snapshot),
  )
  if (!asked.ok) return asked
  const card = await findSavedCard(deps.db, booking.payment_row_id)
  return {
    ok: true,
    clientSecret: asked.clientSecret,
    reference: asked.reference,
    provider: provider.publicConfig(),
    amountCents: Number(payment.amount_cents),
    method: card?.provider_method ?? null,
  }
}

/** Finds or stores the payment of an agreed change. One of another amount, or that has ended, is followed by another one. */
async function ensurePayment(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  change: ChangeRow,
  dueCents: Cents,
): Promise<PaymentRow> {
  const present = change.payment_id ? await findPayment(tx, change.payment_id) : undefined
  if (present && isUnsettled(present.state)) {
    if (Number(present.amount_cents) === dueCents) return present
    await giveUpFollowingPayments(tx, row.payment_row_id, present.id)
  }
  const first = await findPayment(tx, row.payment_row_id)
  if (!first) throw new Error('a booking has no payment')
  const payment = await storeFollowingPayment(deps, tx, {
    first,
    submitKey: `${CHANGE_KEY}${change.id}:${newId()}`,
    amountCents: dueCents,
    expiresAt: change.expires_at,
  })
  await tx
    .updateTable('changes')
    .set({ payment_id: payment.id, due_cents: dueCents })
    .where('id', '=', change.id)
    .execute()
  return payment
}

const CHANGE_KEY = 'change:'

/** Whether a further payment of a purchase pays for a change. */
export function paysForChange({ submit_key }: Pick<PaymentRow, 'submit_key'>): boolean {
  return submit_key.startsWith(CHANGE_KEY)
}

/**
 * Applies an agreed change whose payment has succeeded, under locks of booking and purchase. If the change now costs less than
 * was paid, the difference is refunded.
 * @returns refuses with 'paid_too_late' (the change has ended, or now costs more or nothing) and 'time_gone'. The payment is then
 *   refunded
 */
export async function settleChange(
  deps: BookingServices,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  bookingId: string,
): Promise<{ ok: true } | { ok: false; reason: UnfulfilledReason }> {
  const row = await lockBooking(tx, bookingId)
  const change = row && (await findOpenChange(tx, row.id))
  if (!row || change?.state !== 'accepted' || change.payment_id !== payment.id) return refuse('paid_too_late')
  const now = deps.now()
  const plan = await findPlan(tx, row, change.sale_after, now)
  const paidCents = Number(payment.amount_cents)
  // The balance that this payment included has been charged in between.
  if (!plan.ok || plan.dueCents === 0 || plan.dueCents > paidCents) {
    await endChange(deps, tx, row, change, { state: 'expired', by: null })
    await tellOf(deps, tx, row, change.id, { kind: 'expired' })
    return refuse('paid_too_late')
  }
  // The balance was paid in another tab, or an operator has taken something off it, while the customer had the payment open.
  const excessCents = paidCents - plan.dueCents
  return applyChange(deps, tx, row, change, { plan, paidBy: payment.id, excessCents })
}
