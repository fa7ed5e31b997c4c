import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { findAgreementStanding } from '../agreements/queries.server.ts'
import { hasEventEnded } from '../bookings/decisions/rules.ts'
import type { BookingRow } from '../bookings/row-queries.server.ts'
import { transfer } from '../ledger/rules.ts'
import { listCharges } from '../payments/queries.server.ts'
import { orderedCents, pauseAfterTries, sumRefunds } from '../payments/rules.ts'
import type { PayoutDeps } from './deps.server.ts'
import { postAboutBooking } from './money-commands.server.ts'
import { tellMoneyHeld, tellMoneySent } from './notice-commands.server.ts'
import { listDebts, type PayoutAccountRow, selectAccount } from './queries.server.ts'
import { CLAIM_LIFE_MS, type HeldReason, heldReasonOf, heldToldAt, netDebts, transferDueAt } from './rules.ts'
import {
  depositOf,
  HELD_LOOKED_AT_EVERY_MS,
  lookAgain,
  type Next,
  nextTryAt,
  type Subject,
  type TransferRow,
} from './settlement-subject-commands.server.ts'

/** Repeats a transfer whose answer is missing. If an obstacle has come up since, only looks up whether it was made. */
export async function resumeTransfer(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  subject: Subject,
  row: TransferRow,
): Promise<Next> {
  const now = deps.now()
  const repeatAt = nextTryAt(row)
  if (repeatAt > now) return lookAgain(tx, row.booking_id, repeatAt)
  const { reason } = await findHold(deps, tx, subject)
  const isShort = subject.money.payableCents < Number(row.amount_cents)
  if (reason || isShort) {
    await lookAgain(tx, row.booking_id, new Date(now.getTime() + HELD_LOOKED_AT_EVERY_MS))
    const isOld = (row.claimed_at?.getTime() ?? 0) + CLAIM_LIFE_MS <= now.getTime()
    return { kind: 'transfer', transferId: row.id, mode: isOld ? 'drop' : 'look' }
  }
  await tx
    .updateTable('transfers')
    .set({ claimed_at: now, attempts: row.attempts + 1 })
    .where('id', '=', row.id)
    .execute()
  await lookAgain(tx, row.booking_id, new Date(now.getTime() + pauseAfterTries(row.attempts + 1)))
  return { kind: 'transfer', transferId: row.id, mode: 'repeat' }
}

/** The reason why the vendor's share may not leave, and the account that it would go to. */
async function findHold(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  { row, isRefundInTheWay, isDisputed }: Subject,
): Promise<{ reason: HeldReason | null; account: PayoutAccountRow | undefined }> {
  const vendorUserId = row.owner_user_id
  const account = await selectAccount(tx, { userId: vendorUserId, provider: deps.payouts.name })
  const { rows } = await sql<{ owing: boolean; held: boolean; denied: boolean }>`
    select exists (
        select from transfer_reversals r join transfers t on t.id = r.transfer_id
        where t.vendor_user_id = ${vendorUserId} and t.booking_id <> ${row.id} and r.state in ('due', 'claimed')
      ) as owing,
      exists (
        select from payout_holds where vendor_user_id = ${vendorUserId} and released_at is null
          and (booking_id is null or booking_id = ${row.id})
      ) as held,
      exists (
        select from business_registrations where user_id = ${vendorUserId} and register_problem is not null
      ) as denied`.execute(tx)
  const reason = heldReasonOf({
    hasAgreement:
      (await findAgreementStanding(tx, { userId: vendorUserId, now: deps.now() })).state !== 'missing',
    account: account?.state ?? 'none',
    isDeniedByRegister: rows[0]?.denied ?? false,
    isRefundInTheWay,
    isDisputed,
    isOwing: rows[0]?.owing ?? false,
    isHeldByOperator: rows[0]?.held ?? false,
  })
  return { reason, account }
}

/**
 * Claims the transfer of a booking's payable money once it is due and nothing is in the way. Debts are netted first, which
 * needs no provider.
 */
export async function planTransfer(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  subject: Subject,
): Promise<Next> {
  const { row, money, transfers } = subject
  const now = deps.now()
  const due = transfers.find(({ state }) => state === 'due')
  if (money.payableCents <= 0) {
    if (due) await tx.deleteFrom('transfers').where('id', '=', due.id).execute()
    return lookAgain(tx, row.id, nextLookAt(deps, subject))
  }
  const { reason, account } = await findHold(deps, tx, subject)
  const planned = due ?? (await addTransfer(deps, tx, subject))
  if (planned.held_reason !== reason)
    await tx.updateTable('transfers').set({ held_reason: reason }).where('id', '=', planned.id).execute()
  if (planned.due_at > now) return lookAgain(tx, row.id, planned.due_at)
  if (reason || !account) {
    const toldAt = reason && heldToldAt(reason, planned.due_at)
    if (reason && toldAt && toldAt <= now) {
      const amountCents = money.payableCents
      await tellMoneyHeld(deps, tx, row, { transferId: planned.id, amountCents, reason })
    }
    return lookAgain(tx, row.id, new Date(now.getTime() + HELD_LOOKED_AT_EVERY_MS))
  }
  // The provider has refused it before.
  const tryAt = planned.claimed_at ? nextTryAt(planned) : now
  if (tryAt > now) return lookAgain(tx, row.id, tryAt)

  const { paid, leftCents } = netDebts(money.payableCents, await listDebts(tx, row.owner_user_id))
  const nettedCents = money.payableCents - leftCents
  if (nettedCents > 0) {
    const entry = transfer({ cents: 0, debts: paid, paidFrom: 'provider_balance' })
    await postAboutBooking(tx, row, [{ key: `netted:${planned.id}`, entry, at: now }])
  }
  const amounts = { amount_cents: leftCents, netted_cents: nettedCents, payout_account_id: account.id }
  if (leftCents === 0) {
    await tx
      .updateTable('transfers')
      .set({ ...amounts, state: 'made', made_at: now })
      .where('id', '=', planned.id)
      .execute()
    await tellMoneySent(deps, tx, row, { id: planned.id, amountCents: 0, nettedCents })
    return { kind: 'again' }
  }
  const attempts = planned.attempts + 1
  const charge = await findCharge(tx, subject, leftCents)
  await tx
    .updateTable('transfers')
    .set({
      ...amounts,
      charge_payment_id: charge,
      state: 'claimed',
      claimed_at: now,
      attempts,
      last_error: null,
    })
    .where('id', '=', planned.id)
    .execute()
  await lookAgain(tx, row.id, new Date(now.getTime() + pauseAfterTries(attempts)))
  return { kind: 'transfer', transferId: planned.id, mode: 'make' }
}

/** When a booking with nothing to send is looked at again; null when its money is at rest. */
function nextLookAt(deps: PayoutDeps, { row, money }: Subject): Date | null {
  if (money.heldCents <= 0) return null
  const now = deps.now()
  if (row.tells_at) return row.tells_at
  const deposit = depositOf(deps, row)
  const endsAt = new Date(row.sale.event.until)
  if (deposit && !deposit.isReleased && deposit.releasedAt < endsAt) return deposit.releasedAt
  return endsAt > now ? endsAt : new Date(now.getTime() + HELD_LOOKED_AT_EVERY_MS)
}

/** When a share that was earned just now may leave. Only that of an event waits for questions about it. */
function shareDueAt(deps: PayoutDeps, row: BookingRow): Date {
  const now = deps.now()
  if (row.status === 'withdrawn') return new Date(now.getTime() + deps.payoutDelayMs)
  return hasEventEnded(row.sale.event, now) ? transferDueAt(row.sale.event, deps.payoutDelayMs) : now
}

/**
 * The charge that a share can come from: it has as much left, and no other share came from it. Null where it comes from our
 * balance.
 */
async function findCharge(
  tx: DatabaseTransaction,
  { row, transfers }: Subject,
  amountCents: Cents,
): Promise<string | null> {
  const used = new Set(transfers.map((one) => one.charge_payment_id))
  const charges = await listCharges(tx, row.payment_row_id)
  const charge = charges.find(
    (one) =>
      !used.has(one.paymentId) && one.amountCents - orderedCents(sumRefunds(one.refunds)) >= amountCents,
  )
  return charge?.paymentId ?? null
}

async function addTransfer(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  { row, transfers }: Subject,
): Promise<TransferRow> {
  return tx
    .insertInto('transfers')
    .values({
      id: newId(),
      booking_id: row.id,
      purpose: `share-${transfers.length + 1}`,
      vendor_user_id: row.owner_user_id,
      payment_id: row.payment_row_id,
      provider: deps.payouts.name,
      held_reason: null,
      due_at: shareDueAt(deps, row),
      amount_cents: null,
      netted_cents: null,
      payout_account_id: null,
      provider_transfer: null,
      claimed_at: null,
      last_error: null,
      made_at: null,
      bank_payout_id: null,
      created_at: deps.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
