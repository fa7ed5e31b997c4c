import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Database } from '../../adapters/database/port.ts'
import { type LocalDate, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { cutPage, isPast, type PageKey, writePageKey } from '../../shared/page-keys.server.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { wasCalledOff } from '../bookings/open-queries.server.ts'
import { findBookingMoney, findVendorBalances } from '../ledger/queries.server.ts'
import { saleJson } from '../sales/queries.server.ts'
import { commissionOf } from '../sales/rules.ts'
import {
  addMonths,
  type Earning,
  type EarningMonth,
  type EarningTransfer,
  earningAmounts,
  earningState,
  earningSteps,
  financialYearStart,
  MONTHS_AHEAD,
  MONTHS_BACK,
  shareAfterRefunds,
  vendorShare,
} from './earning-rules.ts'

/** Bookings of one page. */
export const EARNINGS_PER_PAGE = 20
/** A booking without a transfer counts as coming for so long after its event, in case the transfer is late. */
const COMING_AFTER_EVENT_MS = 30 * DAY_MS

/** The two lists: money to come, soonest event first, and what is over, latest event first. */
export type EarningList = 'coming' | 'past'

/** The sums of one vendor, in cents. */
export type EarningSums = {
  /** Paid by customers, and neither earned nor to be refunded: before commission. */
  heldCents: Cents
  /** Earned, after commission, and not at the vendor's bank yet. */
  onItsWayCents: Cents
  /** Paid out to the vendor's bank since the financial year began. */
  atBankCents: Cents
  /** The first day of that year. */
  since: LocalDate
  owedCents: Cents
  /** With a cardholder's bank that hasn't decided yet. */
  disputedCents: Cents
}

/** The vendor's money by where it is. */
export async function findEarningSums(
  db: Database,
  vendor: { userId: string; timeZone: string; now: Date },
): Promise<EarningSums> {
  const since = financialYearStart(wallTimeAt(vendor.now, vendor.timeZone).date)
  const [balances, goingBackCents, moving, paid] = await Promise.all([
    findVendorBalances(db, vendor.userId),
    findGoingBack(db, vendor.userId),
    sql<{ cents: string | null }>`/* prepared */
      select sum(t.amount_cents - t.reversed_cents) as cents
      from (${transfersUnderWay(vendor.userId)}) ids join transfers t on t.id = ids.id
      where t.state in ('claimed', 'made', 'partly_reversed')`.execute(db),
    db
      .selectFrom('bank_payouts')
      .innerJoin('payout_accounts', 'payout_accounts.id', 'bank_payouts.payout_account_id')
      .select((eb) => eb.fn.sum<string | null>('bank_payouts.amount_cents').as('cents'))
      .where('payout_accounts.vendor_user_id', '=', vendor.userId)
      .where('bank_payouts.state', '=', 'paid')
      .where('bank_payouts.arrives_at', '>=', wallTimeToUtc(since, '00:00', vendor.timeZone))
      .executeTakeFirst(),
  ])
  return {
    heldCents: Math.max(0, -balances.customer_money_held - balances.disputed - goingBackCents),
    // A transfer that is claimed is posted once the provider has answered.
    onItsWayCents: Math.max(0, -balances.vendor_payable) + Number(moving.rows[0]?.cents ?? 0),
    atBankCents: Number(paid?.cents ?? 0),
    since,
    owedCents: Math.max(0, balances.vendor_receivable),
    disputedCents: balances.disputed,
  }
}

/** Held money that customers of bookings that are off are still to get back: the refund waits, is on its way, or came back. */
async function findGoingBack(db: Database, userId: string): Promise<Cents> {
  const { rows } = await sql<{ cents: string | null }>`/* prepared */
    select sum(least(back.cents, held.cents)) as cents
    from (
      select b.id, sum(a.amount_cents) as cents
      from sales s
      join bookings b on b.payment_row_id = s.id
      join payments p on p.sale_id = b.payment_row_id
      join payment_actions a on a.payment_id = p.id and a.kind = 'refund'
      where s.owner_user_id = ${userId} and ${wasCalledOff('b')} and (a.state in ('due', 'claimed')
        or a.state = 'done' and a.provider_status in ('failed', 'canceled') and a.resolution is null)
      group by b.id
    ) back
    cross join lateral (
      select greatest(0, -sum(cents)) as cents from ledger_postings
      where booking_id = back.id and account = 'customer_money_held'
    ) held`.execute(db)
  return Number(rows[0]?.cents ?? 0)
}

/** The ids of transfers that aren't at the vendor's bank, from due to in transit. */
function transfersUnderWay(userId: string): RawBuilder<{ id: string }> {
  return sql`
    select id from transfers
    where vendor_user_id = ${userId} and (state in ('due', 'claimed') or bank_payout_id is null)
      and (state in ('due', 'claimed') or state in ('made', 'partly_reversed') and amount_cents > reversed_cents)
    union
    select t.id from payout_accounts a
    join bank_payouts p on p.payout_account_id = a.id and p.state <> 'paid'
    join transfers t on t.bank_payout_id = p.id and t.state in ('made', 'partly_reversed')
    where a.vendor_user_id = ${userId}`
}

const HAS_TRANSFER = sql<boolean>`exists (select from transfers t where t.booking_id = b.id)`
const IS_UNDER_WAY = sql<boolean>`exists (
  select from transfers t left join bank_payouts k on k.id = t.bank_payout_id
  where t.booking_id = b.id and (t.state in ('due', 'claimed')
    or t.state in ('made', 'partly_reversed') and t.amount_cents > t.reversed_cents and coalesce(k.state, '') <> 'paid'))`
/** The payments of the booking `b`. */
const PAYMENT_IDS = sql`select p.id from payments p where p.sale_id = b.payment_row_id`
const IS_DISPUTED = sql<boolean>`exists (
  select from disputes d where d.payment_id in (${PAYMENT_IDS}) and d.closed_at is null)`

/**
 * A page of a vendor's bookings with their money.
 * @param input.after the end of an event and the id of the last booking of the page before; null for the first
 * @param input.delayMs from the end of an event to its transfer
 * @returns `next` leads to the following page, null on the last
 */
export async function listEarnings(
  db: Database,
  input: {
    userId: string
    list: EarningList
    after: PageKey | null
    now: Date
    delayMs: number
    pageSize?: number
  },
): Promise<{ earnings: Earning[]; next: string | null }> {
  const { list, after, pageSize = EARNINGS_PER_PAGE } = input
  const find = list === 'coming' ? comingIds(input, after, pageSize + 1) : pastIds(input, after, pageSize + 1)
  const { rows, last } = cutPage((await find.execute(db)).rows, pageSize)
  return {
    earnings: await findEarnings(
      db,
      rows.map(({ id }) => id),
      input,
    ),
    next: last && writePageKey(last.until, last.id, 'iso'),
  }
}

type Place = { id: string; until: string }

/** Both lists are in the order of the event's end. */
const BY_END = { moment: 's.event_until', id: 'b.id' }

/** Each source is limited before they are joined, so a page costs the same wherever it is. */
function comingIds(
  { userId, now }: { userId: string; now: Date },
  after: PageKey | null,
  limit: number,
): RawBuilder<Place> {
  const onwards = after ? sql`and ${isPast(after, BY_END, 'asc')}` : sql``
  const since = new Date(now.getTime() - COMING_AFTER_EVENT_MS).toISOString()
  return sql<Place>`/* prepared */
    select id, iso_of(until) as until from (
      (select b.id, s.event_until as until from sales s join bookings b on b.payment_row_id = s.id
        where s.owner_user_id = ${userId} and s.event_until >= ${since} ${onwards}
          and not ${wasCalledOff('b')}
          and (not ${HAS_TRANSFER} or ${IS_UNDER_WAY} or ${IS_DISPUTED} or s.event_until > ${now.toISOString()})
        order by s.event_until, b.id limit ${limit})
      union
      (select b.id, s.event_until as until from (${transfersUnderWay(userId)}) u join transfers t on t.id = u.id
        join bookings b on b.id = t.booking_id join sales s on s.id = b.payment_row_id
        where true ${onwards} order by 2, 1 limit ${limit})
      union
      (select b.id, s.event_until as until from disputes d join payments p on p.id = d.payment_id
        join sales s on s.id = p.sale_id join bookings b on b.payment_row_id = s.id
        where d.closed_at is null and s.owner_user_id = ${userId} ${onwards} order by 2, 1 limit ${limit})
    ) coming
    order by coming.until, id limit ${limit}`
}

function pastIds(
  { userId, now }: { userId: string; now: Date },
  after: PageKey | null,
  limit: number,
): RawBuilder<Place> {
  const onwards = after ? sql`and ${isPast(after, BY_END, 'desc')}` : sql``
  const since = new Date(now.getTime() - COMING_AFTER_EVENT_MS).toISOString()
  return sql<Place>`/* prepared */
    select id, iso_of(until) as until from (
      (select b.id, s.event_until as until from sales s join bookings b on b.payment_row_id = s.id
        where s.owner_user_id = ${userId} and s.event_until <= ${now.toISOString()} ${onwards}
          and (${HAS_TRANSFER} or b.status = 'approved' and s.event_until < ${since})
          and not ${IS_UNDER_WAY} and not ${IS_DISPUTED}
        order by s.event_until desc, b.id desc limit ${limit})
      union all
      (select b.id, s.event_until as until from sales s join bookings b on b.payment_row_id = s.id
        where s.owner_user_id = ${userId} and s.event_until > ${now.toISOString()} ${onwards}
          and b.status = 'withdrawn' and ${HAS_TRANSFER} and not ${IS_UNDER_WAY} and not ${IS_DISPUTED}
        order by s.event_until desc, b.id desc limit ${limit})
    ) past
    order by past.until desc, id desc limit ${limit}`
}

/** The money of some bookings, in the order of their ids. Whose they are is the caller's to check. */
export async function findEarnings(
  db: Database,
  ids: readonly string[],
  { now, delayMs }: { now: Date; delayMs: number },
): Promise<Earning[]> {
  if (ids.length === 0) return []
  const [rows, money] = await Promise.all([selectEarnings(db, ids), findBookingMoney(db, ids)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [toEarning(row, money.get(id) ?? null, now, delayMs)] : []
  })
}

async function selectEarnings(db: Database, ids: readonly string[]) {
  return db
    .selectFrom('bookings as b')
    .innerJoin('sales', 'sales.id', 'b.payment_row_id')
    .select((eb) => [
      'b.id',
      'b.customer_name',
      'b.vendor_name',
      'b.status',
      'b.created_at',
      'b.total_price_cents',
      sql<string>`to_char(b.date, 'YYYY-MM-DD')`.as('date'),
      saleJson().as('sale'),
      IS_DISPUTED.as('is_disputed'),
      sql<boolean>`exists (
        select from payment_actions a where a.payment_id in (${PAYMENT_IDS}) and a.line = b.line
          and a.kind = 'refund' and a.state in ('due', 'claimed'))`.as('has_refund_due'),
      // A refund that came back is still owed.
      sql<string>`coalesce((
        select sum(a.amount_cents) from payment_actions a where a.payment_id in (${PAYMENT_IDS}) and a.line = b.line
          and a.kind = 'refund' and a.borne_by is distinct from 'operator'
          and (a.state in ('due', 'claimed')
            or a.state = 'done' and a.provider_status in ('failed', 'canceled') and a.resolution is null)), 0)`.as(
        'refund_due_cents',
      ),
      sql<string>`coalesce((select sum(i.amount_cents) from instalments i
        where i.payment_id = b.payment_row_id and i.state not in ('paid', 'ended')), 0)`.as('due_cents'),
      jsonArrayFrom(
        eb
          .selectFrom('transfers as t')
          .leftJoin('bank_payouts as k', 'k.id', 't.bank_payout_id')
          .select([
            't.state',
            't.held_reason',
            't.due_at',
            't.amount_cents',
            't.netted_cents',
            't.reversed_cents',
            't.made_at',
            'k.state as bank_state',
            'k.arrives_at',
          ])
          .whereRef('t.booking_id', '=', 'b.id')
          .orderBy('t.created_at')
          .orderBy('t.id'),
      ).as('transfers'),
    ])
    .where('b.id', 'in', sql<string>`(select json_array_elements_text(${JSON.stringify(ids)}::json))`)
    .execute()
}

type EarningRow = Awaited<ReturnType<typeof selectEarnings>>[number]

function toEarning(
  row: EarningRow,
  money: Parameters<typeof earningAmounts>[1],
  now: Date,
  delayMs: number,
): Earning {
  const { sale, status } = row
  const commission = commissionOf(sale)
  const amounts = earningAmounts(Number(row.total_price_cents), money, commission)
  const transfers = row.transfers.map(toTransfer)
  const made = transfers.filter(({ madeAt }) => madeAt !== null)
  const sum = (some: EarningTransfer[], pick: (transfer: EarningTransfer) => Cents | null) =>
    some.reduce((total, transfer) => total + (pick(transfer) ?? 0), 0)
  const sentOf = ({ amountCents, reversedCents }: EarningTransfer) => (amountCents ?? 0) - reversedCents
  const sentCents = sum(made, sentOf)
  const nettedCents = sum(made, (transfer) => transfer.nettedCents)
  const eventUntil = new Date(sale.event.until)
  const facts = {
    status,
    eventUntil,
    amounts,
    transfer: transfers.at(-1) ?? null,
    settledCents: sentCents + nettedCents,
    hasOpenDispute: row.is_disputed,
    hasRefundDue: row.has_refund_due,
  }
  const { state, heldReason } = earningState(facts, now)
  return {
    ...amounts,
    bookingId: row.id,
    customerName: row.customer_name,
    businessName: row.vendor_name,
    status,
    state,
    heldReason,
    steps: earningSteps(
      {
        ...facts,
        state,
        bookedAt: row.created_at,
        eventDate: row.date,
        timeZone: sale.timeZone,
        delayMs,
      },
      now,
    ),
    isEventOver: eventUntil <= now,
    yoursAfterRefundsCents: shareAfterRefunds(amounts, Number(row.refund_due_cents), commission),
    yoursDueCents: vendorShare(Number(row.due_cents), commission).yoursCents,
    nettedCents,
    sentCents,
    movingCents: sum(
      made.filter(({ bank }) => bank?.state !== 'paid'),
      sentOf,
    ),
    owedCents: money?.receivableCents ?? 0,
  }
}

/** Times are text inside JSON. */
function toTransfer(row: EarningRow['transfers'][number]): EarningTransfer {
  const cents = (value: string | number | null) => (value === null ? null : Number(value))
  return {
    state: row.state,
    heldReason: row.held_reason,
    dueAt: new Date(row.due_at),
    amountCents: cents(row.amount_cents),
    nettedCents: cents(row.netted_cents),
    reversedCents: Number(row.reversed_cents),
    madeAt: row.made_at ? new Date(row.made_at) : null,
    bank:
      row.bank_state && row.arrives_at
        ? { state: row.bank_state, arrivesAt: new Date(row.arrives_at) }
        : null,
  }
}

/**
 * The vendor's money by month, from some months ago to some months ahead: what was sent, and what is expected to leave.
 * @param input.delayMs from the end of an event to its transfer
 */
export async function listEarningMonths(
  db: Database,
  input: { userId: string; timeZone: string; now: Date; delayMs: number },
): Promise<EarningMonth[]> {
  const { userId, timeZone, now, delayMs } = input
  const thisMonth = wallTimeAt(now, timeZone).date.slice(0, 7)
  const months = Array.from({ length: MONTHS_BACK + 1 + MONTHS_AHEAD }, (_, index) =>
    addMonths(thisMonth, index - MONTHS_BACK),
  )
  const startOf = (month: string) => wallTimeToUtc(`${month}-01`, '00:00', timeZone)
  const first = startOf(months[0] ?? thisMonth)
  const end = startOf(addMonths(thisMonth, MONTHS_AHEAD + 1))
  const [sent, expected] = await Promise.all([
    sql<{ month: string; cents: string }>`
      select to_char(made_at at time zone ${timeZone}, 'YYYY-MM') as month, sum(amount_cents - reversed_cents) as cents
      from transfers where vendor_user_id = ${userId} and made_at >= ${first} group by 1`.execute(db),
    sql<{ month: string; cents: string }>`/* prepared */
      with coming as (
        select greatest(${now}::timestamptz, s.event_until + ${`${delayMs} milliseconds`}::interval) as leaves_at,
          coalesce((s.commission->>'basisPoints')::int, 0) as rate, money.held, money.payable
        from sales s join bookings b on b.payment_row_id = s.id
        cross join lateral (
          select coalesce(-sum(cents) filter (where account in ('customer_money_held', 'disputed')), 0) as held,
            coalesce(-sum(cents) filter (where account = 'vendor_payable'), 0) as payable
          from ledger_postings l where l.booking_id = b.id
        ) money
        where s.owner_user_id = ${userId} and b.status = 'approved'
          and s.event_until >= ${new Date(now.getTime() - COMING_AFTER_EVENT_MS).toISOString()}
          and s.event_until < ${new Date(end.getTime() - delayMs).toISOString()}
          and not exists (select from transfers t where t.booking_id = b.id and t.state = 'claimed')
      )
      select to_char(leaves_at at time zone ${timeZone}, 'YYYY-MM') as month,
        sum(held - div(held * rate + 5000, 10000) + payable) as cents
      from coming where held >= 0 group by 1`.execute(db),
  ])
  const centsOf = ({ rows }: { rows: { month: string; cents: string }[] }) =>
    new Map(rows.map(({ month, cents }) => [month, Number(cents)]))
  const [sentIn, expectedIn] = [centsOf(sent), centsOf(expected)]
  return months.map((month) => ({
    month,
    sentCents: Math.max(0, sentIn.get(month) ?? 0),
    expectedCents: expectedIn.get(month) ?? 0,
  }))
}

/** The month of the vendor's first movement of money, 'YYYY-MM'. null before there is one. */
export async function findFirstMonth(
  db: Database,
  vendor: { userId: string; timeZone: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('ledger_transactions')
    .select('posted_at')
    .where('vendor_user_id', '=', vendor.userId)
    .orderBy('posted_at')
    .limit(1)
    .executeTakeFirst()
  return row ? wallTimeAt(row.posted_at, vendor.timeZone).date.slice(0, 7) : null
}

/** All bookings of a vendor that have, had or will have money for them, latest event first. */
export async function listAllEarnings(
  db: Database,
  input: { userId: string; now: Date; delayMs: number },
): Promise<Earning[]> {
  const { rows } = await sql<{ id: string }>`
    select b.id from sales s join bookings b on b.payment_row_id = s.id
    where s.owner_user_id = ${input.userId}
      and (not ${wasCalledOff('b')} or ${HAS_TRANSFER})
    order by s.event_until desc, b.id desc`.execute(db)
  return findEarnings(
    db,
    rows.map(({ id }) => id),
    input,
  )
}
