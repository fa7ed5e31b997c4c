import type { Selectable } from 'kysely'
import type { DatabaseTransaction, Tables } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import type { BookingRow } from '../bookings/row-queries.server.ts'
import { findMoneyOf } from '../ledger/queries.server.ts'
import type { BookingMoney } from '../ledger/rules.ts'
import { pauseAfterTries } from '../payments/rules.ts'
import { dueNow } from '../terms/rules.ts'
import type { PayoutDeps } from './deps.server.ts'
import { lockBookingMoney } from './money-commands.server.ts'
import { tellDispute } from './notice-commands.server.ts'
import { findObstacles } from './queries.server.ts'
import { depositReleasedAt } from './rules.ts'

/** How often the money of a booking is looked at while something keeps it from leaving. */
export const HELD_LOOKED_AT_EVERY_MS = 10 * MINUTE_MS

/** The row of a transfer. */
export type TransferRow = Selectable<Tables['transfers']>
/** The row of a reversal. */
export type ReversalRow = Selectable<Tables['transfer_reversals']>

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
export type Next = NextCall | { kind: 'again' } | { kind: 'wait' }

/** Leaves the booking until its place in the work list. */
export const WAIT = { kind: 'wait' } as const

/** A booking's money, transfers and obstacles, read under its locks. */
export type Subject = {
  row: BookingRow
  money: BookingMoney
  transfers: TransferRow[]
  reversals: ReversalRow[]
  isRefundInTheWay: boolean
  isDisputed: boolean
}

/** Locks a booking's money, and reads what is decided by. */
export async function lockSubject(
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
    // A decline that waits to be told gives everything back.
    isRefundInTheWay: isRefundInTheWay || row.tells_at !== null,
    isDisputed: disputes.some(({ isOpen }) => isOpen),
  }
}

/** Sets when a booking is looked at again; null when its money is at rest, until something is posted about it. */
export async function lookAgain(
  tx: DatabaseTransaction,
  bookingId: string,
  at: Date | null,
): Promise<typeof WAIT> {
  if (at === null) await tx.deleteFrom('payout_queue').where('booking_id', '=', bookingId).execute()
  else await tx.updateTable('payout_queue').set({ look_at: at }).where('booking_id', '=', bookingId).execute()
  return WAIT
}

/** A deposit that is released before the event; null where all waits for the event. */
export function depositOf(
  deps: PayoutDeps,
  row: BookingRow,
): { cents: Cents; releasedAt: Date; isReleased: boolean } | null {
  const { terms, timeZone, event } = row.sale
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

/** When a claim whose answer is missing is tried again. */
export function nextTryAt(row: { claimed_at: Date | null; attempts: number }): Date {
  return new Date((row.claimed_at?.getTime() ?? 0) + pauseAfterTries(row.attempts))
}
