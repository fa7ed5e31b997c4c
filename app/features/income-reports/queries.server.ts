import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import { factsOf } from '../businesses/fact-rules.ts'
import type { Category } from '../businesses/rules.ts'
import { servicesShown } from '../businesses/service-match-rules.ts'
import { OPERATOR_OWN } from '../ledger/rules.ts'
import { type RegisterFacts, structureOf } from '../registrations/register-rules.ts'
import {
  type Activity,
  ASKED_HALVES,
  activityOf,
  DETAILS,
  type Detail,
  formerKey,
  type HalfYear,
  halfYearAfter,
  halfYearAt,
  halfYearBefore,
  halfYearOf,
  type Identity,
  type IncomeReport,
  instantsOf,
  isComplete,
  isReportable,
  type LeftOut,
  mergeTrades,
  nextToLodge,
  OVERDUE_HALVES,
  REPORT_ZONE,
  type Trade,
  type VendorTrade,
  vendorTrades,
  writeDetail,
} from './rules.ts'

type Reader = Database | DatabaseTransaction

/**
 * What each posting means to a vendor's income, by booking and quarter, of the bookings whose money moved in a time. Their quarters before
 * are in it too, and none after. A refund that the operator bears lowers nothing: its loss is added back. A refund that came back stays
 * taken off, since its money is owed to the customer, until it leaves again, or until it is owed no more. GST is that of a booking's tax invoice. It is one eleventh of
 * all that was kept of the booking by the end of the quarter, less that of the quarters before, so that the cents of all quarters add up.
 * @param time.from the first instant, and `before` the first one after it
 * @param userId of one vendor alone
 */
export const incomeByBooking = (
  { from, before }: { from: RawBuilder<unknown>; before: RawBuilder<unknown> },
  userId?: string,
) => sql`
  with touched as materialized (
    select distinct vendor_user_id, booking_id from ledger_transactions
    where posted_at >= ${from} and posted_at < ${before}
      and ${userId === undefined ? sql`vendor_user_id <> ${OPERATOR_OWN}` : sql`vendor_user_id = ${userId}`}
  ), own_postings as (
    select p.transaction_id, p.booking_id, p.account, p.cents from touched join ledger_postings p on p.booking_id = touched.booking_id
    union all
    select p.transaction_id, p.booking_id, p.account, p.cents
    from touched join ledger_transactions t on t.vendor_user_id = touched.vendor_user_id and t.booking_id is null
      and t.posted_at >= ${from} and t.posted_at < ${before}
    join ledger_postings p on p.transaction_id = t.id and p.booking_id is null
    where touched.booking_id is null
  ), moves as (
    select t.id, t.vendor_user_id, p.booking_id, t.payment_id, t.posted_at, split_part(t.key, ':', 2) as of_id,
      t.kind in ('refund', 'refund_failed') as is_refund, t.kind = 'refund_failed' as came_back,
      sum(case when p.account in ('provider_balance', 'bank') and t.kind in ('charge', 'opening')
        then p.cents else 0 end) as paid,
      -sum(case
        when p.account in ('provider_balance', 'bank') and t.kind in ('refund', 'refund_failed') then p.cents
        when p.account = 'disputed' and t.kind = 'dispute_lost' then p.cents
        when p.account = 'losses' and t.kind not in ('dispute_fee', 'write_off') then p.cents
        else 0 end) as refunded,
      -sum(case when p.account in ('commission', 'gst_on_commission') then p.cents else 0 end) as commission,
      -sum(case when p.account in ('provider_balance', 'bank') then p.cents else 0 end) as left_us
    from own_postings p join ledger_transactions t on t.id = p.transaction_id
    where t.posted_at < ${before} and t.vendor_user_id <> ${OPERATOR_OWN}
      and p.account in ('provider_balance', 'bank', 'disputed', 'losses', 'commission', 'gst_on_commission')
    group by t.id, p.booking_id
  ), refunds as (
    -- A refund that left again has the payment and the amount of the one that came back.
    select *, sum(refunded) over alike as so_far, sum(left_us) over alike as left_so_far,
      max(case when came_back then -refunded else 0 end) over alike as back
    from (select * from moves where is_refund union all ${noLongerOwed(before)}) moved_back
    window alike as (partition by booking_id, payment_id, abs(left_us) order by posted_at, id)
  ), standing as (
    select *, so_far + case when left_us = 0 then 0
      else (max(left_so_far) over alike - left_so_far) / abs(left_us) * back end as taken_off
    from refunds
    window alike as (partition by booking_id, payment_id, abs(left_us) order by posted_at, id)
  ), counted as (
    select vendor_user_id, booking_id, posted_at, paid, refunded, commission from moves where not is_refund
    union all
    select vendor_user_id, booking_id, posted_at, paid,
      taken_off - lag(taken_off, 1, 0::numeric) over (partition by booking_id, payment_id, abs(left_us) order by posted_at, id),
      commission
    from standing
  )
  select moved.*,
    case when taxed then
      round(greatest(kept, 0) / 11.0) - round(greatest(kept - (paid - refunded), 0) / 11.0) else 0 end as gst
  from (
    select sums.*,
      sum(paid - refunded) over (partition by vendor_user_id, booking_id order by quarter) as kept,
      exists (
        select from tax_documents d
        where d.booking_id = sums.booking_id and d.kind = 'invoice' and d.is_taxed
      ) as taxed
    from (
      select vendor_user_id, booking_id, date_trunc('quarter', posted_at at time zone ${REPORT_ZONE})::date as quarter,
        sum(paid) as paid, sum(refunded) as refunded, sum(commission) as commission
      from counted group by 1, 2, 3
    ) sums
  ) moved`

/**
 * The rows that end what is owed of refunds that came back and were cancelled, since a lost dispute or another refund has given their
 * money back: each counts as if it had left again for nothing. It stands with the dispute, else with the first refund after it, so that
 * quarters before stay as they were lodged. One that was ordered again ends with its order.
 */
const noLongerOwed = (before: RawBuilder<unknown>) => sql`
  select ended.* from (
    select back.id, back.vendor_user_id, back.booking_id, back.payment_id, greatest(back.posted_at, (
        select t.posted_at from ledger_transactions t
        where t.payment_id = back.payment_id and t.id > back.id and t.kind in ('dispute_lost', 'refund')
        order by t.kind, t.id limit 1
      )) as posted_at, back.of_id, true as is_refund, false as came_back,
      0::numeric as paid, 0::numeric as refunded, 0::numeric as commission, -back.left_us as left_us
    from moves back join payment_actions a on a.id = back.of_id
    left join lateral (
      select id, state from payment_actions
      where a.resolution = 'refunded_again' and kind = 'refund' and payment_id = a.payment_id and amount_cents = a.amount_cents
        and id <> a.id and created_at >= a.resolved_at
      order by created_at, id limit 1
    ) again on true
    where back.came_back and (a.state = 'cancelled' or again.state = 'cancelled'
      and not exists (select from ledger_transactions where key = 'refund:' || again.id))
  ) ended
  where ended.posted_at < ${before}`

/** The half-years of a list, and its vendor if it is of one alone. */
type Scope = { first: HalfYear; last: HalfYear; userId?: string }

/** A listing as it was when its sales began: of then if it has changed since, else of today. */
type ListingRow = {
  business_id: string | null
  name: string | null
  category: Category | null
  sold_category: Category | null
  /** The services that were stated; null where the texts tell them. */
  services: string[] | null
  sold_name: string | null
  services_offered: string[] | null
  description: string | null
  address: string | null
}

type TradeRow = ListingRow & {
  vendor_user_id: string
  quarter: LocalDate
  former_abn: string | null
  paid: string
  refunded: string
  gst: string
  commission: string
  is_waiting: boolean
}

/** Lists all trade of some half-years by listing and quarter. */
export async function listTrade(db: Reader, { first, last, userId }: Scope): Promise<Trade[]> {
  const { from } = instantsOf(first)
  const { before } = instantsOf(last)
  const { rows } = await sql<TradeRow>`
    select sums.*, b.name, b.category, coalesce(f.category, b.category) as sold_category, coalesce(f.name, b.name) as sold_name,
      coalesce(sums.stated, case when sums.keeps_facts then null
        else coalesce(f.services, case when f.id is null then b.facts->'services' end) end) as services,
      coalesce(f.services_offered, to_jsonb(b.services_offered)) as services_offered,
      coalesce(f.description, b.description) as description, coalesce(m.address, a.address) as address
    from (
      select income.vendor_user_id, sales.business_id, to_char(income.quarter, 'YYYY-MM-DD') as quarter,
        sales.facts->'services' as stated, sales.facts is not null as keeps_facts,
        case when sales.abn <> coalesce(r.abn, i.abn, '') then sales.abn end as former_abn,
        (select min(id) from former_listings where business_id = sales.business_id and until > sales.created_at) as former_id,
        (select min(id) from former_listings where business_id = sales.business_id and until > sales.created_at
          and has_moved) as moved_id,
        sum(income.paid) as paid, sum(income.refunded) as refunded, sum(income.gst) as gst,
        sum(income.commission) as commission, bool_or(q.waits_since is not null) as is_waiting
      from (${incomeByBooking({ from: sql`${from}::timestamptz`, before: sql`${before}::timestamptz` }, userId)}) income
      left join bookings on bookings.id = income.booking_id
      left join sales on sales.id = bookings.payment_row_id
      left join tax_queue q on q.booking_id = income.booking_id
      left join business_registrations r on r.user_id = income.vendor_user_id
      left join identities i on i.user_id = income.vendor_user_id
      where income.quarter >= ${first}::date
      group by 1, 2, 3, 4, 5, 6, 7, 8
    ) sums
    left join businesses b on b.id = sums.business_id
    left join former_listings f on f.id = sums.former_id
    left join former_listings m on m.id = sums.moved_id
    left join property_addresses a on a.business_id = sums.business_id
    order by sums.vendor_user_id, sums.business_id, sums.quarter`.execute(db)
  return mergeTrades(rows.map(toTrade))
}

const toTrade = (row: TradeRow): Trade => ({
  userId: row.vendor_user_id,
  businessId: row.business_id,
  businessName: row.name ?? '',
  activity: activityOfListing(row),
  property: row.address,
  quarter: row.quarter,
  formerAbn: row.former_abn,
  isWaiting: row.is_waiting,
  paidCents: Number(row.paid),
  refundedCents: Number(row.refunded),
  gstCents: Number(row.gst),
  commissionCents: Number(row.commission),
})

function activityOfListing(row: ListingRow): Activity {
  const { sold_category: category, sold_name: name, services_offered: offered, description } = row
  if (category === null) return 'Service'
  const stated = factsOf(category, { services: row.services }).services
  const texts = { category, name: name ?? '', servicesOffered: offered ?? [], description: description ?? '' }
  return activityOf({ category, services: stated ?? servicesShown(texts) })
}

/** A vendor's details, by their source. */
type IdentityRow = {
  user_id: string
  structure: string | null
  kept_kind: Identity['kind'] | null
  registered: Details | null
  typed: Details | null
  /** The account's name isn't used: people may show any. */
  account_email: string | null
  account_phone: string | null
  payout_account: string | null
  bank_last4: string | null
  left_out: LeftOut | null
  asked_at: Date | null
  is_deleted: boolean
}
type Details = Record<Detail, string | null>

/**
 * Finds what is known about vendors: each detail from their registration, else from their own answer, else from their account. What
 * the report can't write counts only if there is nothing else. A deleted account has the copy that was kept.
 */
export async function findIdentities(db: Reader, userIds: readonly string[]): Promise<Map<string, Identity>> {
  const { rows } = await sql<IdentityRow>`
    select v.user_id, r.business_structure as structure, i.kind as kept_kind,
      case when r.user_id is not null then jsonb_build_object('fullName', r.owner_name, 'businessName', r.business_name,
        'abn', r.abn, 'birthDate', to_char(r.owner_dob, 'YYYY-MM-DD'), 'address', r.principal_address,
        'email', r.business_email, 'phone', r.business_phone) end as registered,
      case when i.user_id is not null then jsonb_build_object('fullName', i.full_name, 'businessName', i.business_name,
        'abn', i.abn, 'birthDate', to_char(i.birth_date, 'YYYY-MM-DD'), 'address', i.address,
        'email', i.email, 'phone', i.phone) end as typed,
      u.email as account_email, u.phone as account_phone, p.provider_account as payout_account, p.bank_last4,
      i.left_out, i.asked_at, i.account_deleted_at is not null as is_deleted
    from (select json_array_elements_text(${JSON.stringify(userIds)}::json) as user_id) v
    left join identities i on i.user_id = v.user_id
    left join business_registrations r on r.user_id = v.user_id
    left join users u on u.id = v.user_id
    left join lateral (
      select provider_account, bank_last4 from payout_accounts
      where vendor_user_id = v.user_id and provider_account is not null order by created_at desc, id limit 1
    ) p on true`.execute(db)
  return new Map(rows.map((row) => [row.user_id, toIdentity(row)]))
}

function toIdentity(row: IdentityRow): Identity {
  const { registered, typed, payout_account: id, bank_last4: bankLast4 } = row
  const detail = (name: Detail, ofAccount: string | null = null) =>
    firstWritable(name, [registered?.[name], typed?.[name], ofAccount])
  return {
    userId: row.user_id,
    kind: row.is_deleted && row.kept_kind ? row.kept_kind : kindOf(row.structure),
    fullName: detail('fullName'),
    businessName: detail('businessName'),
    abn: detail('abn'),
    birthDate: detail('birthDate'),
    address: detail('address'),
    email: detail('email', row.account_email),
    phone: detail('phone', row.account_phone),
    account: id === null ? null : { id, bankLast4 },
    leftOut: row.left_out,
    askedAt: row.asked_at,
    isDeleted: row.is_deleted,
  }
}

function firstWritable(name: Detail, values: readonly (string | null | undefined)[]): string | null {
  const given = values.filter((value) => !!value) as string[]
  return given.find((value) => writeDetail(name, value) !== null) ?? given[0] ?? null
}

/** Sole traders, and vendors without a registration, are reported as persons. @param structure of the registration */
const kindOf = (structure: string | null): Identity['kind'] =>
  structure === null || structure === 'Sole Trader' ? 'individual' : 'organisation'

/** Lists the vendors with income in a half-year, those with the most first. @param userId of one vendor alone */
export async function listVendorTrades(db: Reader, half: HalfYear, userId?: string): Promise<VendorTrade[]> {
  const trades = await listTrade(db, { first: half, last: half, ...(userId === undefined ? {} : { userId }) })
  const known = await findWhoTraded(db, trades)
  return vendorTrades(known.trades, known.identities, known.former)
}

/**
 * Finds the details of those who traded, as they are and under each ABN that they sold with before. Such a former one has the name of its
 * documents, else the register's, and is a person or not as the register says. What the register doesn't know was a slip: the vendor
 * as they are made the sale.
 */
async function findWhoTraded(
  db: Reader,
  given: readonly Trade[],
): Promise<{ trades: Trade[]; identities: Map<string, Identity>; former: Map<string, Identity> }> {
  const identities = await findIdentities(db, [...new Set(given.map(({ userId }) => userId))])
  const sold = [...new Map(given.map((trade) => [formerKey(trade), trade])).values()].filter(
    ({ formerAbn }) => formerAbn !== null,
  )
  if (sold.length === 0) return { trades: [...given], identities, former: new Map() }
  const pairs = sold.map(({ userId, formerAbn }) => ({ user_id: userId, abn: formerAbn }))
  const { rows } = await sql<FormerRow>`
    select v.user_id, v.abn, d.name, r.status, r.entity_name, r.entity_type
    from json_to_recordset(${JSON.stringify(pairs)}::json) as v(user_id text, abn text)
    left join lateral (
      select content::jsonb->'supplier'->>'name' as name from tax_documents
      where vendor_user_id = v.user_id and subject = 'sale' and content::jsonb->'supplier'->>'abn' = v.abn
      order by issued_at desc, id limit 1
    ) d on true
    left join lateral (
      select status, entity_name, entity_type from register_answers where abn = v.abn order by id desc limit 1
    ) r on true`.execute(db)
  const former = new Map<string, Identity>()
  for (const row of rows) {
    const present = identities.get(row.user_id)
    if (present && row.status !== 'unknown')
      former.set(formerKey({ userId: row.user_id, formerAbn: row.abn }), formerIdentity(present, row))
  }
  const trades = given.map((trade) => (former.has(formerKey(trade)) ? trade : { ...trade, formerAbn: null }))
  return { trades: mergeTrades(trades), identities, former }
}

type FormerRow = {
  user_id: string
  abn: string
  /** On its documents. */
  name: string | null
  status: RegisterFacts['status'] | null
  entity_name: string | null
  entity_type: string | null
}

function formerIdentity(present: Identity, { abn, name, entity_name, entity_type }: FormerRow): Identity {
  const structure = structureOf(entity_type ?? '')
  return {
    ...present,
    abn,
    kind: structure === null ? present.kind : kindOf(structure),
    businessName: firstWritable('businessName', [name, entity_name, present.businessName]),
  }
}

/** Finds what a vendor is in the reports: as they are, and under each ABN that they sold with before. */
export async function findKinds(db: Reader, identity: Identity, now: Date): Promise<Identity['kind'][]> {
  const last = halfYearAt(now)
  let first = last
  for (let count = 1; count < OVERDUE_HALVES; count++) first = halfYearBefore(first)
  const { former } = await findWhoTraded(db, await listTrade(db, { first, last, userId: identity.userId }))
  return [identity.kind, ...[...former.values()].map(({ kind }) => kind)]
}

/** The details that the reports lack of a vendor. */
export type Needs = Pick<VendorTrade, 'missing' | 'missingProperties'>

/** Finds what the reports need of a vendor; null for one whom none of them will have. */
export async function findNeeds(db: Reader, userId: string, now: Date): Promise<Needs | null> {
  const last = halfYearAt(now)
  const halves = [last]
  while (halves.length < ASKED_HALVES) halves.unshift(halfYearBefore(halves[0] ?? last))
  const trades = await listTrade(db, { first: halves[0] ?? last, last, userId })
  if (trades.length === 0) return null
  const known = await findWhoTraded(db, trades)
  const reported = halves
    .flatMap((half) =>
      vendorTrades(
        known.trades.filter(({ quarter }) => halfYearOf(quarter) === half),
        known.identities,
        known.former,
      ),
    )
    .filter(({ leftOut }) => leftOut === null)
  if (reported.length === 0) return null
  const properties = new Map(
    reported.flatMap(({ missingProperties }) => missingProperties.map((one) => [one.businessId, one])),
  )
  return {
    missing: [...new Set(reported.flatMap(({ missing }) => missing))],
    missingProperties: [...properties.values()],
  }
}

/** Whether the reports lack details of a vendor with income. */
export async function lacksDetails(db: Reader, userId: string, now: Date): Promise<boolean> {
  const needs = await findNeeds(db, userId, now)
  return needs !== null && !isComplete(needs)
}

/** Lists the half-years since the first money of a vendor, newest first. The one of today is the first. */
export async function listHalfYears(db: Reader, today: LocalDate): Promise<HalfYear[]> {
  const { rows } = await sql<{ first: LocalDate | null }>`
    select to_char(posted_at at time zone ${REPORT_ZONE}, 'YYYY-MM-DD') as first
    from ledger_transactions where vendor_user_id <> ${OPERATOR_OWN} order by posted_at limit 1`.execute(db)
  const first = halfYearOf(rows[0]?.first ?? today)
  const halves = [halfYearOf(today)]
  for (let half = halfYearBefore(halfYearOf(today)); half >= first; half = halfYearBefore(half))
    halves.push(half)
  return halves
}

/** A half-year with something left to lodge. */
export type UnfinishedHalf = {
  half: HalfYear
  isLodged: boolean
  /** How many vendors lack something, or were left out of the newest lodged report for that. */
  incomplete: number
}

/** The half-years that need a report, oldest first, each with those whom its newest lodged one left out; null while none is lodged. */
async function listHalves(
  db: Reader,
  today: LocalDate,
): Promise<{ half: HalfYear; lodgedWithout: ReadonlySet<string> | null; isAsked: boolean }[]> {
  const since = await listHalfYears(db, today)
  // A half-year without any trade needs a report too.
  const halves = [...new Set([...since.slice(0, OVERDUE_HALVES), nextToLodge(today, [])])].toSorted()
  const { rows } = await sql<{ half: HalfYear; left_out: IncomeReport['leftOut'] }>`
    select distinct on (half_year) to_char(half_year, 'YYYY-MM-DD') as half, content::jsonb->'leftOut' as left_out
    from income_reports where lodged_at is not null order by half_year, version desc`.execute(db)
  return halves.map((half) => {
    const lodged = rows.find((row) => row.half === half)
    const without = lodged?.left_out.flatMap(({ userId, reason }) =>
      reason === 'incomplete' ? [userId] : [],
    )
    return {
      half,
      lodgedWithout: without ? new Set(without) : null,
      isAsked: since.indexOf(half) < ASKED_HALVES,
    }
  })
}

/**
 * Lists the half-years with something left to lodge, oldest first: those without a lodged report, up to the one that is next, and
 * those whose newest report leaves out vendors for what is missing, as long as it is asked for.
 */
export async function listUnfinished(db: Reader, today: LocalDate): Promise<UnfinishedHalf[]> {
  const unfinished: UnfinishedHalf[] = []
  for (const { half, lodgedWithout, isAsked } of await listHalves(db, today)) {
    if (lodgedWithout && (lodgedWithout.size === 0 || !isAsked)) continue
    const incomplete = (await listVendorTrades(db, half)).filter(
      (vendor) =>
        vendor.leftOut === null &&
        (lodgedWithout ? lodgedWithout.has(vendor.identity.userId) : !isReportable(vendor)),
    ).length
    if (!lodgedWithout || incomplete > 0)
      unfinished.push({ half, isLodged: lodgedWithout !== null, incomplete })
  }
  return unfinished
}

/** Finds the half-year to look at first: the oldest that is over and not lodged, else the next. */
export async function findNextToLodge(db: Reader, today: LocalDate): Promise<HalfYear> {
  const halves = await listHalves(db, today)
  return nextToLodge(
    today,
    halves
      .filter(({ half, lodgedWithout }) => lodgedWithout === null && halfYearAfter(half) <= today)
      .map(({ half }) => half),
  )
}

/** A report as its list shows it. Times are ISO 8601, UTC. */
export type StoredReport = {
  id: string
  half: HalfYear
  version: number
  sha256: string
  madeAt: string
  madeBy: string
  /** When its file was first downloaded before it was noted as lodged. */
  downloadedAt: string | null
  lodgedAt: string | null
  lodgedBy: string | null
  /** As last typed. */
  receipt: string | null
  /** How many records it has. */
  sellers: number
}

/** Lists the reports of a half-year, oldest first. */
export async function listReports(db: Reader, half: HalfYear): Promise<StoredReport[]> {
  const rows = await db
    .selectFrom('income_reports')
    .select(['id', 'version', 'sha256', 'made_at', 'made_by', 'downloaded_at', 'lodged_at', 'lodged_by'])
    .select([
      sql<number>`jsonb_array_length(content::jsonb->'sellers')`.as('sellers'),
      sql<string | null>`coalesce((select receipt from income_report_receipts
        where report_id = income_reports.id order by id desc limit 1), receipt)`.as('receipt'),
    ])
    .where(sql<boolean>`half_year = ${half}::date`)
    .orderBy('version')
    .execute()
  return rows.map((row) => ({
    ...{ id: row.id, half, version: row.version, sha256: row.sha256 },
    madeAt: row.made_at.toISOString(),
    madeBy: row.made_by,
    downloadedAt: row.downloaded_at?.toISOString() ?? null,
    lodgedAt: row.lodged_at?.toISOString() ?? null,
    lodgedBy: row.lodged_by,
    receipt: row.receipt,
    sellers: row.sellers,
  }))
}

/** Lists what the lodged reports of a half-year say, oldest first. */
export async function listLodged(db: Reader, half: HalfYear): Promise<IncomeReport[]> {
  const rows = await db
    .selectFrom('income_reports')
    .select('content')
    .where(sql<boolean>`half_year = ${half}::date`)
    .where('lodged_at', 'is not', null)
    .orderBy('version')
    .execute()
  return rows.map((row) => JSON.parse(row.content) as IncomeReport)
}

/** Finds the file of a report as it was made. */
export async function findReportXml(
  db: Database,
  of: { half: HalfYear; version: number },
): Promise<{ xml: string; sha256: string } | null> {
  const row = await db
    .selectFrom('income_reports')
    .select(['xml', 'sha256'])
    .where(sql<boolean>`half_year = ${of.half}::date`)
    .where('version', '=', of.version)
    .executeTakeFirst()
  return row ?? null
}

/** A vendor's own answers, as they stand on the block where they were typed. */
export type Answers = {
  details: { detail: Detail; value: string }[]
  properties: { businessId: string; businessName: string; address: string }[]
}

/** The condition on `businesses` that a listing is a venue, or was one: what it sold as one is reported with its street. */
export const hasBeenVenue = () => sql<boolean>`(businesses.category = 'Venues' or exists (
  select from former_listings where former_listings.business_id = businesses.id and former_listings.category = 'Venues'))`

/** Finds what a vendor has typed for the reports. */
export async function findAnswers(db: Database, userId: string): Promise<Answers> {
  const [{ details }, properties] = await Promise.all([
    exportIdentity(db, userId),
    db
      .selectFrom('property_addresses')
      .innerJoin('businesses', 'businesses.id', 'property_addresses.business_id')
      .select(['businesses.id', 'businesses.name', 'property_addresses.address'])
      .where('property_addresses.user_id', '=', userId)
      .where('businesses.user_id', '=', userId)
      .where(hasBeenVenue())
      .orderBy('businesses.name')
      .orderBy('businesses.id')
      .execute(),
  ])
  return {
    details: DETAILS.flatMap((detail) => {
      const value = details?.[detail]
      return value ? [{ detail, value }] : []
    }),
    properties: properties.map(({ id, name, address }) => ({ businessId: id, businessName: name, address })),
  }
}

/** Exports what the report needs of a person, and what was typed for it. */
export async function exportIdentity(db: Database, userId: string) {
  const [identity, properties, before] = await Promise.all([
    db
      .selectFrom('identities')
      .selectAll()
      .select(sql<string | null>`to_char(birth_date, 'YYYY-MM-DD')`.as('birth_date_text'))
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    db
      .selectFrom('property_addresses')
      .select(['business_id', 'address'])
      .where('user_id', '=', userId)
      .orderBy('business_id')
      .execute(),
    db
      .selectFrom('former_listings')
      .select(['business_id', 'address', 'until'])
      .where('user_id', '=', userId)
      .where('address', 'is not', null)
      .orderBy('id')
      .execute(),
  ])
  return {
    details: identity
      ? {
          fullName: identity.full_name,
          businessName: identity.business_name,
          abn: identity.abn,
          birthDate: identity.birth_date_text,
          address: identity.address,
          email: identity.email,
          phone: identity.phone,
          leftOut: identity.left_out,
          askedAt: identity.asked_at,
        }
      : null,
    propertyAddresses: [
      ...properties.map((row) => ({ businessId: row.business_id, address: row.address })),
      ...before.map((row) => ({ businessId: row.business_id, address: row.address, until: row.until })),
    ],
  }
}

/** Whether a vendor has ever had money in the ledger: then a report may need what it says about them. */
export async function hasTrade(db: Reader, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_transactions')
    .select('id')
    .where('vendor_user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
