import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import { factsOf } from '../businesses/fact-rules.ts'
import type { Category } from '../businesses/rules.ts'
import { servicesShown } from '../businesses/service-match-rules.ts'
import { OPERATOR_OWN } from '../ledger/rules.ts'
import {
  type Activity,
  ASKED_HALVES,
  activityOf,
  DETAILS,
  type Detail,
  type HalfYear,
  halfYearAfter,
  halfYearAt,
  halfYearBefore,
  halfYearOf,
  type Identity,
  type IncomeReport,
  instantsOf,
  isComplete,
  type LeftOut,
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
 * What each posting means to a vendor's income, by booking and quarter. A refund that the operator bears lowers nothing: its loss is
 * added back. GST is that of a booking's tax invoice. It is one eleventh of all that was kept of the booking by the end of the quarter,
 * less that of the quarters before, so that the cents of all quarters add up.
 */
export const incomeByBooking = (before: RawBuilder<unknown>) => sql`
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
      select t.vendor_user_id, p.booking_id,
        date_trunc('quarter', t.posted_at at time zone ${REPORT_ZONE})::date as quarter,
        sum(case when p.account in ('provider_balance', 'bank') and t.kind in ('charge', 'opening')
          then p.cents else 0 end) as paid,
        -sum(case
          when p.account in ('provider_balance', 'bank') and t.kind in ('refund', 'refund_failed') then p.cents
          when p.account = 'disputed' and t.kind = 'dispute_lost' then p.cents
          when p.account = 'losses' and t.kind not in ('dispute_fee', 'write_off') then p.cents
          else 0 end) as refunded,
        -sum(case when p.account in ('commission', 'gst_on_commission') then p.cents else 0 end) as commission
      from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
      where t.vendor_user_id <> ${OPERATOR_OWN} and t.posted_at < ${before}
        and p.account in ('provider_balance', 'bank', 'disputed', 'losses', 'commission', 'gst_on_commission')
      group by 1, 2, 3
    ) sums
  ) moved`

/** The half-years of a list, and its vendor if it is of one alone. */
type Scope = { first: HalfYear; last: HalfYear; userId?: string }

/** Lists all trade of some half-years by listing and quarter. */
export async function listTrade(db: Reader, { first, last, userId }: Scope): Promise<Trade[]> {
  const { before } = instantsOf(last)
  const { rows } = await sql<{
    vendor_user_id: string
    business_id: string | null
    quarter: LocalDate
    paid: string
    refunded: string
    gst: string
    commission: string
    name: string | null
    category: Category | null
    facts: Record<string, unknown> | null
    services_offered: string[] | null
    description: string | null
    address: string | null
  }>`
    select sums.*, b.name, b.category, b.facts, b.services_offered, b.description, a.address from (
      select income.vendor_user_id, sales.business_id, to_char(income.quarter, 'YYYY-MM-DD') as quarter,
        sum(income.paid) as paid, sum(income.refunded) as refunded, sum(income.gst) as gst,
        sum(income.commission) as commission
      from (${incomeByBooking(sql`${before}`)}) income
      left join bookings on bookings.id = income.booking_id
      left join sales on sales.id = bookings.payment_row_id
      where income.quarter >= ${first}::date ${userId === undefined ? sql`` : sql`and income.vendor_user_id = ${userId}`}
      group by 1, 2, 3
    ) sums
    left join businesses b on b.id = sums.business_id
    left join property_addresses a on a.business_id = sums.business_id
    order by sums.vendor_user_id, sums.business_id, sums.quarter`.execute(db)
  return rows.map((row) => ({
    userId: row.vendor_user_id,
    businessId: row.business_id,
    businessName: row.name ?? '',
    activity: activityOfRow(row),
    property: row.address,
    quarter: row.quarter,
    paidCents: Number(row.paid),
    refundedCents: Number(row.refunded),
    gstCents: Number(row.gst),
    commissionCents: Number(row.commission),
  }))
}

function activityOfRow(row: {
  name: string | null
  category: Category | null
  facts: Record<string, unknown> | null
  services_offered: string[] | null
  description: string | null
}): Activity {
  const { name, category, facts, services_offered: servicesOffered, description } = row
  if (category === null) return 'Service'
  const stated = factsOf(category, facts ?? {}).services
  const texts = {
    name: name ?? '',
    category,
    servicesOffered: servicesOffered ?? [],
    description: description ?? '',
  }
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
  const userIds = [...new Set(trades.map((trade) => trade.userId))]
  return vendorTrades(trades, await findIdentities(db, userIds))
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
  const identities = await findIdentities(db, [userId])
  const reported = halves
    .flatMap((half) =>
      vendorTrades(
        trades.filter(({ quarter }) => halfYearOf(quarter) === half),
        identities,
      ),
    )
    .filter(({ leftOut }) => leftOut === null)
  const [any] = reported
  if (!any) return null
  const properties = new Map(
    reported.flatMap(({ missingProperties }) => missingProperties.map((one) => [one.businessId, one])),
  )
  return { missing: any.missing, missingProperties: [...properties.values()] }
}

/** Whether the reports lack details of a vendor with income. */
export async function lacksDetails(db: Reader, userId: string, now: Date): Promise<boolean> {
  const needs = await findNeeds(db, userId, now)
  return needs !== null && !isComplete(needs)
}

/** Lists the half-years since the first money of a vendor, newest first. The one of today is the first. */
export async function listHalfYears(db: Reader, today: LocalDate): Promise<HalfYear[]> {
  const { rows } = await sql<{ first: LocalDate | null }>`
    select to_char(min(posted_at) at time zone ${REPORT_ZONE}, 'YYYY-MM-DD') as first
    from ledger_transactions where vendor_user_id <> ${OPERATOR_OWN}`.execute(db)
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
  /** How many vendors lack details, or were left out of the newest lodged report for that. */
  incomplete: number
}

/**
 * Lists the half-years with something left to lodge, oldest first: those without a lodged report, up to the one that is next, and
 * those whose newest report leaves out vendors for their details, as long as these are asked.
 */
export async function listUnfinished(db: Reader, today: LocalDate): Promise<UnfinishedHalf[]> {
  const since = await listHalfYears(db, today)
  // A half-year without any trade needs a report too.
  const halves = [...new Set([...since.slice(0, OVERDUE_HALVES), nextToLodge(today, [])])].toSorted()
  const unfinished: UnfinishedHalf[] = []
  for (const half of halves) {
    const lodged = (await listReports(db, half)).findLast(({ lodgedAt }) => lodgedAt !== null)
    const wasLeftOut = new Set(
      lodged?.content.leftOut.flatMap(({ userId, reason }) => (reason === 'incomplete' ? [userId] : [])),
    )
    const isAsked = since.indexOf(half) < ASKED_HALVES
    if (lodged && (wasLeftOut.size === 0 || !isAsked)) continue
    const incomplete = (await listVendorTrades(db, half)).filter((vendor) =>
      lodged ? vendor.leftOut === null && wasLeftOut.has(vendor.identity.userId) : !isComplete(vendor),
    ).length
    if (!lodged || incomplete > 0) unfinished.push({ half, isLodged: lodged !== undefined, incomplete })
  }
  return unfinished
}

/** Finds the half-year to look at first: the oldest that is over and not lodged, else the next. */
export async function findNextToLodge(db: Reader, today: LocalDate): Promise<HalfYear> {
  const unfinished = await listUnfinished(db, today)
  const isOver = (half: HalfYear) => halfYearAfter(half) <= today
  return nextToLodge(
    today,
    unfinished.filter(({ half, isLodged }) => !isLodged && isOver(half)).map(({ half }) => half),
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
  receipt: string | null
  content: IncomeReport
}

/** Lists the reports of a half-year, oldest first. */
export async function listReports(db: Reader, half: HalfYear): Promise<StoredReport[]> {
  const rows = await db
    .selectFrom('income_reports')
    .select(['id', 'version', 'sha256', 'content', 'made_at', 'made_by', 'downloaded_at'])
    .select(['lodged_at', 'lodged_by', 'receipt'])
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
    content: JSON.parse(row.content) as IncomeReport,
  }))
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
      .where('businesses.category', '=', 'Venues')
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
  const [identity, properties] = await Promise.all([
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
    propertyAddresses: properties.map((row) => ({ businessId: row.business_id, address: row.address })),
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
