import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import type { Cents } from '../../shared/money.ts'
import { hasEventEnded } from '../bookings/decisions/rules.ts'
import { findMoneyOf, listBookingTransactions } from '../ledger/queries.server.ts'
import { adjustment, commission, earned } from '../ledger/rules.ts'
import { commissionOf } from '../sales/rules.ts'
import type { PayoutDeps } from './deps.server.ts'
import { postAboutBooking } from './money-commands.server.ts'
import { planReversals } from './reversal-plan-commands.server.ts'
import { coverToReturn, earnableCents } from './rules.ts'
import {
  depositOf,
  lockSubject,
  type Next,
  type Subject,
  WAIT,
} from './settlement-subject-commands.server.ts'
import { makeReversal, makeTransfer } from './transfer-commands.server.ts'
import { planTransfer, resumeTransfer } from './transfer-plan-commands.server.ts'

const BOOKINGS_PER_RUN = 200
/** More than the steps of any booking: earning and sending, or bringing back from several transfers. */
const STEPS_PER_BOOKING = 20

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
    isEventOver: hasEventEnded(row.sale.event, deps.now()),
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
  const terms = commissionOf(row.sale)
  const now = deps.now()
  await postAboutBooking(tx, row, [
    { key: `earned:${row.id}:${nth}`, entry: earned(cents), at: now },
    { key: `commission:${row.id}:${nth}`, entry: commission(kept, terms), at: now },
  ])
}
