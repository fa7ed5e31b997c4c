import { type Selectable, sql } from 'kysely'
import type { DatabaseTransaction, Tables } from '../../adapters/database/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { findAgreementStanding } from '../agreements/queries.server.ts'
import type { BookingRow } from '../bookings/queries.server.ts'
import { hasEventEnded } from '../bookings/rules.ts'
import { findMoneyOf, listBookingTransactions } from '../ledger/queries.server.ts'
import {
  adjustment,
  type BookingMoney,
  commission,
  earned,
  NO_COMMISSION,
  reversal,
  transfer,
} from '../ledger/rules.ts'
import { listCharges } from '../payments/queries.server.ts'
import { orderedCents, pauseAfterTries, sumRefunds } from '../payments/rules.ts'
import { dueNow } from '../terms/rules.ts'
import type { PayoutDeps } from './deps.server.ts'
import { lockBookingMoney, postAboutBooking } from './money-commands.server.ts'
import { tellDebt, tellDispute, tellMoneyHeld, tellMoneySent } from './notice-commands.server.ts'
import { findObstacles, listDebts, type PayoutAccountRow, selectAccount } from './queries.server.ts'
import {
  CLAIM_LIFE_MS,
  coverToReturn,
  depositReleasedAt,
  earnableCents,
  type HeldReason,
  heldReasonOf,
  heldToldAt,
  netDebts,
  splitReversal,
  transferDueAt,
} from './rules.ts'
import { makeReversal, makeTransfer } from './transfer-commands.server.ts'

const BOOKINGS_PER_RUN = 200
/** More than the steps of any booking: earning and sending, or bringing back from several transfers. */
const STEPS_PER_BOOKING = 20
const MINUTE_MS = 60_000
const HELD_LOOKED_AT_EVERY_MS = 10 * MINUTE_MS
const DAY_MS = 86_400_000

/**
 * Moves the money of bookings on as the ledger says: earns it once the event is over, sends the vendor's share, and brings
 * back what is refunded or disputed after that. Each step of a booking is a transaction of its own, and the provider is
 * called between them, so that it doesn't matter where a process dies or how many run this.
 * @throws AggregateError when some bookings fail because of a bug; the others are done
 */
export async function sweepPayouts(deps: PayoutDeps): Promise<void> {
  const rows = await deps.db
    .selectFrom('payout_queue')
    .select('booking_id')
    .where('look_at', '<=', deps.now())
    .orderBy('look_at')
    .orderBy('booking_id')
    .limit(BOOKINGS_PER_RUN)
    .execute()
  await eachOf(rows, (row) => settleBooking(deps, row.booking_id))
}

async function settleBooking(deps: PayoutDeps, bookingId: string): Promise<void> {
  for (let step = 0; step < STEPS_PER_BOOKING; step++) {
    const next = await deps.db.transaction().execute((tx) => decideNext(deps, tx, bookingId))
    if (next.kind === 'wait') return
    if (next.kind === 'again') continue
    const isDone = next.kind === 'transfer' ? await makeTransfer(deps, next) : await makeReversal(deps, next)
    if (!isDone) return
  }
}

type TransferRow = Selectable<Tables['transfers']>
type ReversalRow = Selectable<Tables['transfer_reversals']>

/** The call to the provider that follows. Its row is claimed. */
type NextCall =
  | {
      kind: 'transfer'
      transferId: string
      /** 'look' only asks whether it was made; 'drop' also gives the claim up if it wasn't. */
      mode: 'make' | 'repeat' | 'look' | 'drop'
    }
  | { kind: 'reversal'; reversalId: string; isRepeat: boolean }

/** 'again' decides once more by what was posted, 'wait' leaves the booking until its place in the work list. */
type Next = NextCall | { kind: 'again' } | { kind: 'wait' }
const WAIT = { kind: 'wait' } as const

/** A booking's money, transfers and obstacles, read under its locks. */
type Subject = {
  row: BookingRow
  money: BookingMoney
  transfers: TransferRow[]
  reversals: ReversalRow[]
  isRefundInTheWay: boolean
  isDisputed: boolean
}

/**
 * Posts what a booking's money may do now without the provider, and claims the next call to it.
 */
async function decideNext(deps: PayoutDeps, tx: DatabaseTransaction, bookingId: string): Promise<Next> {
  const subject = await lockSubject(deps, tx, bookingId)
  if (!subject) return WAIT
  const { row, transfers } = subject
  const claimed = transfers.find(({ state }) => state === 'claimed')
  if (claimed) return resumeTransfer(deps, tx, subject, claimed)
  await returnCover(deps, tx, subject)
  const cents = earnableCents({
    status: row.status,
    isEventOver: hasEventEnded(row.sold.event, deps.now()),
    isRefundInTheWay: subject.isRefundInTheWay,
    isDisputed: subject.isDisputed,
    heldCents: subject.money.heldCents,
    keptCents: subject.money.kept.cents,
    deposit: depositOf(deps, row),
  })
  if (cents > 0) {
    await earn(deps, tx, subject, cents)
    subject.money = await findMoneyOf(tx, bookingId)
  }
  const back = await planReversals(deps, tx, subject)
  if (back) return back
  return planTransfer(deps, tx, subject)
}

/** Locks a booking's money, and reads what is decided by. */
async function lockSubject(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  bookingId: string,
): Promise<Subject | null> {
  const row = await lockBookingMoney(tx, bookingId)
  if (!row) {
    await lookAgain(tx, bookingId, null)
    return null
  }
  const payment = await tx
    .selectFrom('payments')
    .select('provider')
    .where('id', '=', row.payment_row_id)
    .executeTakeFirstOrThrow()
  if (payment.provider !== deps.payouts.name) {
    // The settings may name its provider again.
    await lookAgain(tx, bookingId, new Date(deps.now().getTime() + DAY_MS))
    return null
  }
  const transfers = await tx
    .selectFrom('transfers')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const reversals = await tx
    .selectFrom('transfer_reversals')
    .selectAll()
    .where('transfer_id', 'in', ['', ...transfers.map(({ id }) => id)])
    .where('state', 'in', ['due', 'claimed'])
    .orderBy('created_at')
    .execute()
  const { isRefundInTheWay, disputes } = await findObstacles(tx, row.payment_row_id)
  for (const dispute of disputes) {
    if (dispute.isKnownToVendor) await tellDispute(deps, tx, row, dispute)
  }
  return {
    row,
    money: await findMoneyOf(tx, bookingId),
    transfers,
    reversals,
    isRefundInTheWay,
    isDisputed: disputes.some(({ isOpen }) => isOpen),
  }
}

/** Sets when a booking is looked at again; null when its money is at rest, until something is posted about it. */
async function lookAgain(tx: DatabaseTransaction, bookingId: string, at: Date | null): Promise<typeof WAIT> {
  if (at === null) await tx.deleteFrom('payout_queue').where('booking_id', '=', bookingId).execute()
  else await tx.updateTable('payout_queue').set({ look_at: at }).where('booking_id', '=', bookingId).execute()
  return WAIT
}

/** A deposit that is released before the event; null where all waits for the event. */
function depositOf(
  deps: PayoutDeps,
  row: BookingRow,
): { cents: Cents; releasedAt: Date; isReleased: boolean } | null {
  const { terms, timeZone, event } = row.sold
  const releasedAt = depositReleasedAt(
    {
      terms,
      event: { date: row.date, time: row.time, timeZone },
      eventUntil: new Date(event.until),
      paidAt: row.created_at,
    },
    deps,
  )
  if (!terms || !releasedAt) return null
  return { cents: dueNow(terms), releasedAt, isReleased: releasedAt <= deps.now() }
}

/** Takes what the operator bore of a booking out of the held money, once it has ended without its event. */
async function returnCover(deps: PayoutDeps, tx: DatabaseTransaction, subject: Subject): Promise<void> {
  const { row, money } = subject
  if (money.coveredCents <= 0 || money.heldCents <= 0) return
  const cancelled = await tx
    .selectFrom('cancellations')
    .select('kept_cents')
    .where('booking_id', '=', row.id)
    .executeTakeFirst()
  const cents = coverToReturn({
    status: row.status,
    isRefundInTheWay: subject.isRefundInTheWay,
    isDisputed: subject.isDisputed,
    heldCents: money.heldCents,
    keptCents: money.kept.cents,
    agreedKeptCents: Number(cancelled?.kept_cents ?? 0),
    coveredCents: money.coveredCents,
  })
  if (cents === 0) return
  const before = await listBookingTransactions(tx, row.id)
  const nth = before.filter(({ kind }) => kind === 'adjustment').length + 1
  await postAboutBooking(tx, row, [
    {
      key: `cover-returned:${row.id}:${nth}`,
      entry: adjustment({ from: 'losses', to: 'customer_money_held', cents }),
      at: deps.now(),
    },
  ])
  subject.money = await findMoneyOf(tx, row.id)
}

/** Posts held money as earned, and brings the commission to its rate of all that the vendor has earned of the booking. */
async function earn(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  subject: Subject,
  cents: Cents,
): Promise<void> {
  const { row, money } = subject
  const before = await listBookingTransactions(tx, row.id)
  const nth = before.filter(({ kind }) => kind === 'earned').length + 1
  const kept = { ...money.kept, cents: money.kept.cents + cents }
  const terms = row.sold.commission ?? NO_COMMISSION
  const now = deps.now()
  await postAboutBooking(tx, row, [
    { key: `earned:${row.id}:${nth}`, entry: earned(cents), at: now },
    { key: `commission:${row.id}:${nth}`, entry: commission(kept, terms), at: now },
  ])
}

/**
 * Plans the reversals of a booking's transfers, newest first, and claims the first one. An amount that paid debts instead of
 * being transferred becomes a debt at once.
 * @returns null when nothing has to come back
 */
async function planReversals(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  subject: Subject,
): Promise<Next | null> {
  const { row, money, transfers } = subject
  const now = deps.now()
  // Plans again, since the ledger may have changed. Claimed reversals stay, since they may have been made already.
  const claimed = subject.reversals.filter(({ state }) => state === 'claimed')
  const planned = subject.reversals.filter(({ state }) => state === 'due').map(({ id }) => id)
  if (planned.length > 0) await tx.deleteFrom('transfer_reversals').where('id', 'in', planned).execute()
  const [open] = claimed
  if (open) return repeatReversal(deps, tx, row.id, open)
  const missingCents = -money.payableCents
  if (missingCents <= 0) return null
  const { reversals, owedCents } = splitReversal(
    missingCents,
    transfers
      .filter(({ state }) => state === 'made' || state === 'partly_reversed')
      .map((one) => ({ id: one.id, restCents: restOf(one) })),
  )
  if (owedCents > 0) {
    const nth =
      (await listBookingTransactions(tx, row.id)).filter(({ kind }) => kind === 'reversal').length + 1
    const key = `reversal:${row.id}:${nth}`
    await postAboutBooking(tx, row, [{ key, entry: reversal({ broughtBackCents: 0, owedCents }), at: now }])
    await tellDebt(deps, tx, row, { key: `${row.id}-${nth}`, owedCents })
  }
  const [first] = reversals
  if (!first) return { kind: 'again' }
  const id = newId()
  await tx
    .insertInto('transfer_reversals')
    .values({
      id,
      transfer_id: first.transferId,
      amount_cents: first.cents,
      state: 'claimed',
      claimed_at: now,
      attempts: 1,
      last_error: null,
      provider_reversal: null,
      done_at: null,
      created_at: now,
    })
    .execute()
  await lookAgain(tx, row.id, new Date(now.getTime() + pauseAfterTries(1)))
  return { kind: 'reversal', reversalId: id, isRepeat: false }
}

/** Returns the part of a transfer that hasn't been reversed, in cents. */
function restOf(row: TransferRow): Cents {
  return Number(row.amount_cents) - Number(row.reversed_cents)
}

/** Repeats a reversal whose answer is missing, with its own id and amount. */
async function repeatReversal(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  bookingId: string,
  row: ReversalRow,
): Promise<Next> {
  const now = deps.now()
  const repeatAt = nextTryAt(row)
  if (repeatAt > now) return lookAgain(tx, bookingId, repeatAt)
  await tx
    .updateTable('transfer_reversals')
    .set({ claimed_at: now, attempts: row.attempts + 1 })
    .where('id', '=', row.id)
    .execute()
  await lookAgain(tx, bookingId, new Date(now.getTime() + pauseAfterTries(row.attempts + 1)))
  return { kind: 'reversal', reversalId: row.id, isRepeat: true }
}

/** When a claim whose answer is missing is tried again. */
function nextTryAt(row: { claimed_at: Date | null; attempts: number }): Date {
  return new Date((row.claimed_at?.getTime() ?? 0) + pauseAfterTries(row.attempts))
}

/** Repeats a transfer whose answer is missing. If an obstacle has come up since, only looks up whether it was made. */
async function resumeTransfer(
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
  const { rows } = await sql<{ owing: boolean; held: boolean }>`
    select exists (
        select from transfer_reversals r join transfers t on t.id = r.transfer_id
        where t.vendor_user_id = ${vendorUserId} and t.booking_id <> ${row.id} and r.state in ('due', 'claimed')
      ) as owing,
      exists (
        select from payout_holds where vendor_user_id = ${vendorUserId} and released_at is null
          and (booking_id is null or booking_id = ${row.id})
      ) as held`.execute(tx)
  const reason = heldReasonOf({
    hasAgreement:
      (await findAgreementStanding(tx, { userId: vendorUserId, now: deps.now() })).state !== 'missing',
    account: account?.state ?? 'none',
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
async function planTransfer(deps: PayoutDeps, tx: DatabaseTransaction, subject: Subject): Promise<Next> {
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
  const deposit = depositOf(deps, row)
  const endsAt = new Date(row.sold.event.until)
  if (deposit && !deposit.isReleased && deposit.releasedAt < endsAt) return deposit.releasedAt
  return endsAt > now ? endsAt : new Date(now.getTime() + HELD_LOOKED_AT_EVERY_MS)
}

/** When a share that was earned just now may leave. Only that of an event waits for questions about it. */
function shareDueAt(deps: PayoutDeps, row: BookingRow): Date {
  const now = deps.now()
  if (row.status === 'withdrawn') return new Date(now.getTime() + deps.payoutDelayMs)
  return hasEventEnded(row.sold.event, now) ? transferDueAt(row.sold.event, deps.payoutDelayMs) : now
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
