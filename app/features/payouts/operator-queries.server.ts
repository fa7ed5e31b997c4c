import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { findBookingMoney, findVendorBalances, listBalancesOf } from '../ledger/queries.server.ts'
import { NO_MONEY } from '../ledger/rules.ts'
import { findPayoutAccount, listDebts, type PayoutAccount } from './queries.server.ts'
import { type HeldReason, HOLD_WARNING_MS, heldSince, holdLimitOf } from './rules.ts'

const LISTED = 100

/** A booking whose money needs an operator, or waits. Times are ISO 8601. */
export type OperatorBooking = {
  bookingId: string
  paymentId: string
  vendorUserId: string
  businessName: string
  /** Held or payable. */
  amountCents: Cents
  at: string
}

export type LimitedBooking = OperatorBooking & { isPast: boolean }

/** Everything that operators do about payouts. */
export type PayoutTasks = {
  /** `at` is since when it is due. */
  held: (OperatorBooking & { reason: HeldReason })[]
  /** `at` is until when money may be held; `isPast` says that this moment is over. */
  limits: LimitedBooking[]
  debts: { bookingId: string; vendorUserId: string; businessName: string; cents: Cents }[]
  /** Open money of vendors whom the provider refuses. `at` is when it was paid. */
  rejected: OperatorBooking[]
  stopped: StoppedPayouts[]
  holds: OperatorHold[]
}

/** A vendor whom the provider doesn't pay at present, or whose bank returned the newest payout. */
export type StoppedPayouts = {
  vendorUserId: string
  vendorName: string
  why: 'paused' | 'returned'
  /** The returned payout; null for a paused account. */
  amountCents: Cents | null
  /** The moment of our last look; ISO 8601. */
  at: string
}

export type OperatorHold = {
  id: string
  vendorUserId: string
  vendorName: string
  bookingId: string | null
  reason: string
  placedAt: string
}

/** Lists what waits for operators: the first hundred of each kind. */
export async function listPayoutTasks(
  db: Database,
  about: { now: Date; holdLimitMs: number; provider: string },
): Promise<PayoutTasks> {
  return {
    held: await listHeld(db, about.now),
    limits: await listHoldLimits(db, about),
    debts: await listAllDebts(db),
    rejected: await listRejected(db, about.provider),
    stopped: await listStopped(db, about.provider),
    holds: await listHolds(db, null),
  }
}

/**
 * Counts the tasks with a time: money near its limit, and refused vendors' money; and the money that is past its limit, which is
 * among them. Orders that wait for a second operator are counted with theirs. `paused` and `returned` count vendors who have
 * to act.
 */
export async function countPayoutTasks(
  db: Database,
  about: { now: Date; holdLimitMs: number; provider: string },
): Promise<{ tasks: number; pastLimit: number; paused: number; returned: number }> {
  const [limits, rejected, stopped] = await Promise.all([
    listHoldLimits(db, about),
    listRejected(db, about.provider),
    listStopped(db, about.provider),
  ])
  const returned = stopped.filter(({ why }) => why === 'returned').length
  return {
    returned,
    paused: stopped.length - returned,
    tasks: limits.length + rejected.length,
    pastLimit: limits.filter(({ isPast }) => isPast).length,
  }
}

async function listHeld(db: Database, now: Date): Promise<PayoutTasks['held']> {
  const rows = await db
    .selectFrom('transfers')
    .innerJoin('bookings', 'bookings.id', 'transfers.booking_id')
    .select([
      'transfers.booking_id',
      'transfers.payment_id',
      'transfers.vendor_user_id',
      'transfers.held_reason',
      'transfers.due_at',
      'bookings.vendor_name',
    ])
    .where('transfers.state', '=', 'due')
    .where('transfers.held_reason', 'is not', null)
    .where('transfers.due_at', '<=', now)
    .orderBy('transfers.due_at')
    .orderBy('transfers.id')
    .limit(LISTED)
    .execute()
  const open = await findOpenCents(
    db,
    rows.map((row) => row.booking_id),
  )
  return rows.flatMap((row) =>
    row.held_reason
      ? [
          {
            bookingId: row.booking_id,
            paymentId: row.payment_id,
            vendorUserId: row.vendor_user_id,
            businessName: row.vendor_name,
            reason: row.held_reason,
            amountCents: open.get(row.booking_id) ?? 0,
            at: row.due_at.toISOString(),
          },
        ]
      : [],
  )
}

/** Lists the bookings whose money is near the longest time that it may be held, or past it: the first hundred. */
export async function listHoldLimits(
  db: Database,
  { now, holdLimitMs }: { now: Date; holdLimitMs: number },
): Promise<LimitedBooking[]> {
  const near: LimitedBooking[] = []
  let last: OpenRow | undefined
  do {
    // Bookings whose money is at rest are not in the work list.
    const before = selectOpen(db).where(
      'payments.paid_at',
      '<=',
      new Date(now.getTime() - holdLimitMs + HOLD_WARNING_MS),
    )
    const { paid_at: paidAt, id } = last ?? {}
    // Selected by the first payment. Many bookings with a balance aren't near the limit, since their deposit has left.
    const rows = await (paidAt && id
      ? before.where(sql<boolean>`(payments.paid_at, bookings.id) > (${paidAt}, ${id})`)
      : before
    ).execute()
    near.push(...(await nearLimit(db, await toBookings(db, rows), { now, holdLimitMs })))
    last = rows.length < LISTED ? undefined : rows.at(-1)
  } while (last && near.length < LISTED)
  return near.slice(0, LISTED)
}

async function nearLimit(
  db: Database,
  bookings: OperatorBooking[],
  { now, holdLimitMs }: { now: Date; holdLimitMs: number },
): Promise<LimitedBooking[]> {
  const charges = await listChargesOf(
    db,
    bookings.map(({ paymentId }) => paymentId),
  )
  return bookings.flatMap((one) => {
    const since = heldSince(one.amountCents, charges.get(one.paymentId) ?? []) ?? new Date(one.at)
    const { warnAt, endsAt } = holdLimitOf(since, holdLimitMs)
    return warnAt <= now ? [{ ...one, at: endsAt.toISOString(), isPast: endsAt < now }] : []
  })
}

/** Lists the charges of purchases by their first payment, newest first, each less its refunds. */
async function listChargesOf(
  db: Database,
  firstPaymentIds: string[],
): Promise<Map<string, { paidAt: Date; cents: Cents }[]>> {
  const { rows } = await sql<{ purchase: string; paid_at: Date; cents: string | number }>`
    select p.sale_id as purchase, p.paid_at, p.amount_cents - coalesce((
      select sum(amount_cents) from payment_actions
      where payment_id = p.id and kind = 'refund' and state <> 'cancelled'), 0) as cents
    from payments p
    where p.state = 'paid' and p.paid_at is not null
      and p.sale_id = any (${firstPaymentIds}::text[])
    order by p.paid_at desc, p.id`.execute(db)
  const charges = new Map<string, { paidAt: Date; cents: Cents }[]>()
  for (const { purchase, paid_at: paidAt, cents } of rows) {
    const ofPurchase = charges.get(purchase) ?? []
    ofPurchase.push({ paidAt, cents: Number(cents) })
    charges.set(purchase, ofPurchase)
  }
  return charges
}

async function listRejected(db: Database, provider: string): Promise<OperatorBooking[]> {
  const rows = await selectOpen(db)
    .where(
      sql<boolean>`exists (select from payout_accounts where vendor_user_id = sales.owner_user_id
        and payout_accounts.provider = ${provider} and state = 'rejected')`,
    )
    .execute()
  return toBookings(db, rows)
}

async function listStopped(db: Database, provider: string): Promise<StoppedPayouts[]> {
  const { rows } = await sql<{
    vendor_user_id: string
    name: string
    why: StoppedPayouts['why']
    cents: string | number | null
    at: Date | string
  }>`
    select account.vendor_user_id, users.name, 'paused' as why, null::bigint as cents,
      coalesce(account.checked_at, account.created_at) as at
    from payout_accounts account join users on users.id = account.vendor_user_id
    where account.provider = ${provider} and account.state = 'restricted'
    union all
    select account.vendor_user_id, users.name, 'returned', payout.amount_cents, payout.checked_at
    from bank_payouts payout join payout_accounts account on account.id = payout.payout_account_id
    join users on users.id = account.vendor_user_id
    where account.provider = ${provider} and payout.state = 'failed'
      and not exists (select from bank_payouts later where later.payout_account_id = payout.payout_account_id
        and (later.created_at, later.id) > (payout.created_at, payout.id))
    order by at, vendor_user_id limit ${LISTED}`.execute(db)
  return rows.map((row) => ({
    vendorUserId: row.vendor_user_id,
    vendorName: row.name,
    why: row.why,
    amountCents: row.cents === null ? null : Number(row.cents),
    at: new Date(row.at).toISOString(),
  }))
}

/** The bookings whose money may have somewhere to go, those paid first before the others. */
function selectOpen(db: Database) {
  return db
    .selectFrom('payout_queue')
    .innerJoin('bookings', 'bookings.id', 'payout_queue.booking_id')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select([
      'bookings.id',
      'bookings.payment_row_id',
      'bookings.vendor_name',
      'sales.owner_user_id',
      'payments.paid_at',
    ])
    .where('payments.paid_at', 'is not', null)
    .orderBy('payments.paid_at')
    .orderBy('bookings.id')
    .limit(LISTED)
}

type OpenRow = Awaited<ReturnType<ReturnType<typeof selectOpen>['execute']>>[number]

async function toBookings(db: Database, rows: OpenRow[]): Promise<OperatorBooking[]> {
  const open = await findOpenCents(
    db,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((row) => {
    const amountCents = open.get(row.id) ?? 0
    if (amountCents <= 0 || !row.paid_at) return []
    return [
      {
        bookingId: row.id,
        paymentId: row.payment_row_id,
        vendorUserId: row.owner_user_id,
        businessName: row.vendor_name,
        amountCents,
        at: row.paid_at.toISOString(),
      },
    ]
  })
}

/** Finds the held and payable money of each booking, in cents. */
async function findOpenCents(db: Database, bookingIds: string[]): Promise<Map<string, Cents>> {
  const money = await findBookingMoney(db, bookingIds)
  return new Map(
    bookingIds.map((id) => {
      const { heldCents, payableCents } = money.get(id) ?? NO_MONEY
      return [id, Math.max(0, heldCents) + Math.max(0, payableCents)]
    }),
  )
}

async function listAllDebts(db: Database): Promise<PayoutTasks['debts']> {
  const owing = (await listBalancesOf(db, 'vendor_receivable')).slice(0, LISTED)
  const debts = await Promise.all(
    owing.map(async ({ vendorUserId }) =>
      (await listDebts(db, vendorUserId)).map((debt) => ({ ...debt, vendorUserId })),
    ),
  )
  const all = debts.flat().slice(0, LISTED)
  const names = await db
    .selectFrom('bookings')
    .select(['id', 'vendor_name'])
    .where('id', 'in', ['', ...all.map(({ bookingId }) => bookingId)])
    .execute()
  const nameOf = new Map(names.map((row) => [row.id, row.vendor_name]))
  return all.map((debt) => ({ ...debt, businessName: nameOf.get(debt.bookingId) ?? '' }))
}

async function listHolds(db: Database, vendorUserId: string | null): Promise<OperatorHold[]> {
  let query = db
    .selectFrom('payout_holds')
    .leftJoin('users', 'users.id', 'payout_holds.vendor_user_id')
    .select([
      'payout_holds.id',
      'payout_holds.vendor_user_id',
      'payout_holds.booking_id',
      'payout_holds.reason',
      'payout_holds.placed_at',
      'users.name',
    ])
    .where('payout_holds.released_at', 'is', null)
  if (vendorUserId !== null) query = query.where('payout_holds.vendor_user_id', '=', vendorUserId)
  const rows = await query.orderBy('payout_holds.placed_at').limit(LISTED).execute()
  return rows.map((row) => ({
    id: row.id,
    vendorUserId: row.vendor_user_id,
    vendorName: row.name ?? row.vendor_user_id,
    bookingId: row.booking_id,
    reason: row.reason,
    placedAt: row.placed_at.toISOString(),
  }))
}

/** A vendor's payouts, for operators. Amounts in cents. */
export type VendorPayouts = {
  userId: string
  name: string
  email: string
  account: PayoutAccount | null
  heldCents: Cents
  payableCents: Cents
  owedCents: Cents
  /** The payouts that reached their bank. */
  paidCents: Cents
  commissionCents: Cents
  holds: OperatorHold[]
  debts: { bookingId: string; cents: Cents }[]
  /** The vendor's own rate in basis points; null where that of the category counts. */
  ownRate: number | null
}

/** @returns null when there is no such user */
export async function findVendorPayouts(
  db: Database,
  input: { userId: string; provider: string; now: Date },
): Promise<VendorPayouts | null> {
  const { userId } = input
  const user = await db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) return null
  const balances = await findVendorBalances(db, userId)
  const rate = await db
    .selectFrom('commission_rates')
    .select('basis_points')
    .where('vendor_user_id', '=', userId)
    .where('valid_from', '<=', input.now)
    .orderBy('valid_from', 'desc')
    .executeTakeFirst()
  return {
    userId,
    ...user,
    account: await findPayoutAccount(db, input),
    heldCents: 0 - balances.customer_money_held,
    payableCents: 0 - balances.vendor_payable,
    owedCents: balances.vendor_receivable,
    commissionCents: 0 - balances.commission - balances.gst_on_commission,
    paidCents: await findPaidOut(db, input),
    holds: await listHolds(db, userId),
    debts: await listDebts(db, userId),
    ownRate: rate?.basis_points ?? null,
  }
}

/** Sums the payouts that a vendor's bank has taken. */
async function findPaidOut(
  db: Database,
  { userId, provider }: { userId: string; provider: string },
): Promise<Cents> {
  const { cents } = await db
    .selectFrom('bank_payouts')
    .innerJoin('payout_accounts', 'payout_accounts.id', 'bank_payouts.payout_account_id')
    .select((eb) => eb.fn.sum('bank_payouts.amount_cents').as('cents'))
    .where('payout_accounts.vendor_user_id', '=', userId)
    .where('payout_accounts.provider', '=', provider)
    .where('bank_payouts.state', '=', 'paid')
    .executeTakeFirstOrThrow()
  return Number(cents ?? 0)
}
