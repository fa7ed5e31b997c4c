import {
  addDays,
  HOME_ZONE,
  isLocalDate,
  type LocalDate,
  MONTH_NAMES,
  wallTimeAt,
  wallTimeToUtc,
} from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { Category } from '../businesses/rules.ts'
import type { ServiceId } from '../businesses/service-rules.ts'
import { abnDigits, isValidAbn } from '../registrations/rules.ts'
import { splitName, toReportEmail, toReportPhone, toReportText } from './text-rules.ts'

/** The clock of the reports: Melbourne's and Sydney's. One for all vendors, since the report is the operator's. */
export const REPORT_ZONE = HOME_ZONE

/** A half of a financial year, by its first day: 1 July or 1 January. */
export type HalfYear = LocalDate

/** Whether the text is the first day of a half-year. */
export const isHalfYear = (text: string) => /^2\d{3}-0[17]-01$/.test(text)

/** The half-year of a day. */
export function halfYearOf(day: LocalDate): HalfYear {
  return `${day.slice(0, 4)}-${day.slice(5, 7) < '07' ? '01' : '07'}-01`
}

/** The half-year of an instant, by the clock of the reports. */
export const halfYearAt = (instant: Date) => halfYearOf(wallTimeAt(instant, REPORT_ZONE).date)

export const halfYearAfter = (half: HalfYear) => halfYearOf(addDays(half, 200))
export const halfYearBefore = (half: HalfYear) => halfYearOf(addDays(half, -1))
export const lastDayOf = (half: HalfYear) => addDays(halfYearAfter(half), -1)

/** The first instant of a half-year, and the first one after it. */
export function instantsOf(half: HalfYear): { from: Date; before: Date } {
  return {
    from: wallTimeToUtc(half, '00:00', REPORT_ZONE),
    before: wallTimeToUtc(halfYearAfter(half), '00:00', REPORT_ZONE),
  }
}

/** The last day for lodging: 31 January and 31 July. */
export function dueOn(half: HalfYear): LocalDate {
  return addDays(halfYearAfter(half), 30)
}

/** 'July to December 2026'. */
export function halfYearLabel(half: HalfYear): string {
  const first = Number(half.slice(5, 7)) - 1
  return `${MONTH_NAMES[first]} to ${MONTH_NAMES[first + 5]} ${half.slice(0, 4)}`
}

/** The days before the last one on which operators are reminded. */
export const REMINDER_DAYS = [60, 30, 7] as const

/**
 * The half-year that has to be lodged next on a day: it may not be over yet.
 * @param unlodged the half-years that are over and have no lodged report, oldest first
 */
export function nextToLodge(today: LocalDate, unlodged: readonly HalfYear[]): HalfYear {
  const before = halfYearBefore(halfYearOf(today))
  return unlodged[0] ?? (today <= dueOn(before) ? before : halfYearOf(today))
}

/**
 * The reminder of a half-year that is due on a day, in days before its last one; null more than 60 days before. Overdue, there is one
 * each week: 1, 8, 15 days after it, which count below 0. A server that was off sends only the newest.
 */
export function reminderOn(half: HalfYear, today: LocalDate): number | null {
  const late = (Date.parse(today) - Date.parse(dueOn(half))) / DAY_MS
  if (late > 0) return ((late - 1) % 7) - late
  return REMINDER_DAYS.filter((days) => today >= addDays(dueOn(half), -days)).at(-1) ?? null
}

/** How many half-years are looked at for what is overdue. Older reports may have been deleted, so they would look like not lodged. */
export const OVERDUE_HALVES = 9

/** The half-years of which a vendor is asked: a correction may still add them to the last two. */
export const ASKED_HALVES = 3

/** How long the details of a deleted account are kept, and a lodged report: what tax law asks for. */
export const IDENTITIES_KEPT_YEARS = 5

/** The kinds of activity that the report tells apart, of those that the regime names. */
export const ACTIVITIES = ['Fixed location asset', 'Movable asset', 'Service'] as const
export type Activity = (typeof ACTIVITIES)[number]

/** Services by which a customer hires an object without anybody who runs it. */
const HIRED: ReadonlySet<ServiceId> = new Set(['hire', 'marquee', 'toilets', 'lighting', 'sound-hire'])

/** The activity of a listing. One that also offers a service is a service. */
export function activityOf(listing: { category: Category; services: readonly ServiceId[] }): Activity {
  if (listing.category === 'Venues') return 'Fixed location asset'
  const { services } = listing
  return services.length > 0 && services.every((id) => HIRED.has(id)) ? 'Movable asset' : 'Service'
}

/** The sums of a vendor's quarter, in cents. */
export type Sums = {
  /** Paid by customers, with GST and commission. */
  paidCents: Cents
  /** Given back at the vendor's cost, or taken by a bank for good. Counts in the quarter in which it left. */
  refundedCents: Cents
  /** The GST in what is paid less what is given back. */
  gstCents: Cents
  /** Our commission, with its GST. */
  commissionCents: Cents
}

export const NO_SUMS: Sums = { paidCents: 0, refundedCents: 0, gstCents: 0, commissionCents: 0 }

export function addSums(one: Sums, other: Sums): Sums {
  return {
    paidCents: one.paidCents + other.paidCents,
    refundedCents: one.refundedCents + other.refundedCents,
    gstCents: one.gstCents + other.gstCents,
    commissionCents: one.commissionCents + other.commissionCents,
  }
}

/** Gross income: paid less given back. Below 0 in a quarter with more refunds than payments. */
export const grossOf = ({ paidCents, refundedCents }: Sums): Cents => paidCents - refundedCents

const isNothing = (sums: Sums) => grossOf(sums) === 0 && sums.gstCents === 0 && sums.commissionCents === 0

/** The trade of one listing in one quarter. */
export type Trade = Sums & {
  userId: string
  /** Null for money without a booking. */
  businessId: string | null
  businessName: string
  activity: Activity
  /** The street address of a venue; null until its vendor has said it. */
  property: string | null
  /** The first day of the quarter. */
  quarter: LocalDate
  /** The ABN that the vendor sold it with, where they have another one now; null for the vendor as they are. */
  formerAbn: string | null
  /** Whether the business register still has to answer about the GST of a sale in it. */
  isWaiting: boolean
}

/** Adds up the trades of one listing in one quarter that the report doesn't tell apart. */
export function mergeTrades(trades: readonly Trade[]): Trade[] {
  const keyOf = (trade: Trade) =>
    JSON.stringify([
      ...[trade.userId, trade.businessId, trade.activity],
      ...[trade.property, trade.quarter, trade.formerAbn],
    ])
  return [...Map.groupBy(trades, keyOf).values()].flatMap((alike): Trade[] => {
    const [first] = alike
    if (!first) return []
    const sums = alike.reduce<Sums>(addSums, NO_SUMS)
    return [{ ...first, ...sums, isWaiting: alike.some(({ isWaiting }) => isWaiting) }]
  })
}

/** A vendor's details, as they were typed. */
export type Identity = {
  userId: string
  kind: 'individual' | 'organisation'
  fullName: string | null
  businessName: string | null
  abn: string | null
  birthDate: LocalDate | null
  address: string | null
  email: string | null
  phone: string | null
  /** The account that they are paid to: the provider's id, and the end of the bank account. */
  account: { id: string; bankLast4: string | null } | null
  leftOut: LeftOut | null
  askedAt: Date | null
  isDeleted: boolean
}

/** Why an operator leaves a vendor out of the report (LI 2024/17; sales of goods: Taxation Administration Act, 396-55). */
export const LEFT_OUT = ['listed', 'government', 'goods'] as const
export type LeftOut = (typeof LEFT_OUT)[number]

/** From this gross amount in a half-year on, with GST, a vendor isn't reported (LI 2024/17). */
export const SUBSTANTIAL_FROM: Cents = 100_000_000

/** Why a vendor isn't in the report; null for one who is. */
export function reasonToLeaveOut(grossCents: Cents, flag: LeftOut | null): LeftOut | 'substantial' | null {
  if (flag) return flag
  return grossCents >= SUBSTANTIAL_FROM ? 'substantial' : null
}

/** The details that a report needs of a vendor. */
export const DETAILS = ['fullName', 'businessName', 'abn', 'birthDate', 'address', 'email', 'phone'] as const
export type Detail = (typeof DETAILS)[number]

/** The details as the report writes them; null where it can't. */
export type ReportDetails = Readonly<Record<Detail, string | null>>

/** Writes one detail as the report may have it. @returns null where it can't be written */
export function writeDetail(detail: Detail, value: string): string | null {
  switch (detail) {
    case 'abn':
      return isValidAbn(value) ? abnDigits(value) : null
    case 'birthDate':
      return isLocalDate(value) ? value : null
    case 'fullName':
      return splitName(value).familyName === '' ? null : toReportText(value)
    case 'email':
      return toReportEmail(value)
    case 'phone':
      return toReportPhone(value)
    default:
      return toReportText(value)
  }
}

/** Writes what is known about a vendor as the report may have it. */
export function detailsOf(identity: Identity): ReportDetails {
  return Object.fromEntries(
    DETAILS.map((detail) => {
      const value = identity[detail]
      return [detail, value === null ? null : writeDetail(detail, value)]
    }),
  ) as ReportDetails
}

const NEEDED = {
  individual: ['fullName', 'birthDate', 'address', 'email', 'phone'],
  organisation: ['businessName', 'abn', 'address', 'email', 'phone'],
} as const satisfies Record<Identity['kind'], readonly Detail[]>

/** The details that a report has of a vendor: those that it needs, and the name and ABN of their business. */
export const reportedDetails = (kind: Identity['kind']): ReadonlySet<Detail> =>
  new Set<Detail>([...NEEDED[kind], 'businessName', 'abn'])

/** The details that the report needs of a vendor and doesn't have. */
export function missingOf(identity: Identity): Detail[] {
  const details = detailsOf(identity)
  return NEEDED[identity.kind].filter((detail) => details[detail] === null)
}

/** A vendor as a report has them. */
export type Seller = {
  /** Unique among the reports, since a correction names the record before. */
  reference: string
  userId: string
  kind: Identity['kind']
  givenName: string | null
  familyName: string | null
  businessName: string | null
  abn: string | null
  birthDate: LocalDate | null
  address: string
  email: string
  phone: string
  account: Identity['account']
  activities: {
    activity: Activity
    property: string | null
    quarters: (Sums & { quarter: LocalDate })[]
  }[]
}

/** A vendor's trade in a half-year, and whether the report includes it. */
export type VendorTrade = {
  /** Those whom they are now, with the ABN and the name of today. */
  identity: Identity
  /** The details that they had under each ABN of before that they sold with. */
  former: ReadonlyMap<string, Identity>
  trades: readonly Trade[]
  sums: Sums
  leftOut: LeftOut | 'substantial' | null
  missing: Detail[]
  /** The venues whose street address is missing. */
  missingProperties: { businessId: string; businessName: string }[]
  /** Whether GST isn't decided yet, since the business register hasn't answered about a sale. */
  isWaiting: boolean
}

/** The key of the details that a vendor had under an ABN of before. */
export const formerKey = ({ userId, formerAbn }: Pick<Trade, 'userId' | 'formerAbn'>) =>
  `${userId} ${formerAbn}`

/**
 * Gathers trades by vendor, those with the most first. Vendors whose money all went back have had none.
 * @param former the details of vendors under an ABN of before, by `formerKey`
 */
export function vendorTrades(
  trades: readonly Trade[],
  identities: ReadonlyMap<string, Identity>,
  former: ReadonlyMap<string, Identity> = new Map(),
): VendorTrade[] {
  return [...Map.groupBy(trades, ({ userId }) => userId)]
    .flatMap(([userId, own]): VendorTrade[] => {
      const identity = identities.get(userId)
      if (!identity || own.every(isNothing)) return []
      const sums = own.reduce<Sums>(addSums, NO_SUMS)
      const leftOut = reasonToLeaveOut(grossOf(sums), identity.leftOut)
      const identitiesOf = new Map(
        own.map((trade) => [trade.formerAbn, former.get(formerKey(trade)) ?? identity]),
      )
      return [
        {
          ...{ identity, trades: own, sums, leftOut },
          former: new Map([...identitiesOf].flatMap(([abn, one]) => (abn === null ? [] : [[abn, one]]))),
          missing: leftOut ? [] : [...new Set([...identitiesOf.values()].flatMap(missingOf))],
          missingProperties: leftOut ? [] : propertiesWithout(own),
          isWaiting: !leftOut && own.some((trade) => trade.isWaiting),
        },
      ]
    })
    .toSorted((one, other) => grossOf(other.sums) - grossOf(one.sums))
}

function propertiesWithout(trades: readonly Trade[]): VendorTrade['missingProperties'] {
  const without = trades.filter(
    (trade) =>
      trade.activity === 'Fixed location asset' &&
      (trade.property === null || writeDetail('address', trade.property) === null),
  )
  const names = new Map(
    without.flatMap(({ businessId, businessName }) => (businessId ? [[businessId, businessName]] : [])),
  )
  return [...names].map(([businessId, businessName]) => ({ businessId, businessName }))
}

/** Whether a report can have this vendor. */
export const isReportable = (vendor: VendorTrade) =>
  vendor.leftOut === null && isComplete(vendor) && !vendor.isWaiting

/** Whether the vendor has given all details. */
export const isComplete = ({
  missing,
  missingProperties,
}: Pick<VendorTrade, 'missing' | 'missingProperties'>) =>
  missing.length === 0 && missingProperties.length === 0

/**
 * The records of a vendor whose details are complete: one for each ABN that they sold with, their present one first.
 * @param nextReference returns the reference of the next record
 */
export function sellersOf(vendor: VendorTrade, nextReference: () => string): Seller[] {
  const own = Map.groupBy(vendor.trades, ({ formerAbn }) => formerAbn)
  return [...own]
    .toSorted(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1))
    .filter(([, trades]) => !trades.every(isNothing))
    .map(([abn, trades]) =>
      toSeller((abn !== null && vendor.former.get(abn)) || vendor.identity, trades, nextReference()),
    )
}

/** @param reference of the record */
function toSeller(identity: Identity, trades: readonly Trade[], reference: string): Seller {
  const details = detailsOf(identity)
  const isPerson = identity.kind === 'individual'
  const name = isPerson ? splitName(details.fullName ?? '') : null
  return {
    reference,
    userId: identity.userId,
    kind: identity.kind,
    givenName: name?.givenName || null,
    familyName: name?.familyName || null,
    businessName: details.businessName,
    abn: details.abn,
    birthDate: isPerson ? details.birthDate : null,
    address: details.address ?? '',
    email: details.email ?? '',
    phone: details.phone ?? '',
    account: identity.account,
    activities: activitiesOf(trades),
  }
}

function activitiesOf(trades: readonly Trade[]): Seller['activities'] {
  const keyOf = ({ activity, property }: Trade) =>
    JSON.stringify([activity, activity === 'Fixed location asset' ? toReportText(property ?? '') : null])
  return [...Map.groupBy(trades, keyOf)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, own]) => {
      const [activity, property] = JSON.parse(key) as [Activity, string | null]
      const quarters = [...Map.groupBy(own, ({ quarter }) => quarter)]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([quarter, of]) => ({ quarter, ...of.reduce<Sums>(addSums, NO_SUMS) }))
      return { activity, property, quarters }
    })
}

/** The content of a report. The first of a half-year lists all vendors, and each later one those that have changed. */
export type IncomeReport = {
  half: HalfYear
  version: number
  reporter: { name: string; abn: string }
  sellers: readonly SellerChange[]
  /** Vendors who aren't in the report, with the reason, for the nightly proof. */
  leftOut: readonly { userId: string; reason: LeftOut | 'substantial' | 'incomplete' }[]
}

/** A record, with what it does to those lodged before. A cancelled one has the values that it had. */
export type SellerChange = Seller & { change: 'new' | 'amend' | 'cancel'; replaces: string | null }

/**
 * The records of the next report: of the first all vendors, of a correction those that differ from what was lodged. A vendor's record
 * is compared with the lodged one of the same ABN, else with another one of theirs.
 * @param lodged the records that stand as lodged, by reference
 * @param leftOut a vendor whose details are incomplete now keeps the records that were lodged: their income was real
 */
export function changesSince(
  lodged: ReadonlyMap<string, Seller>,
  sellers: readonly Seller[],
  leftOut: IncomeReport['leftOut'],
): SellerChange[] {
  const standing = Map.groupBy(lodged.values(), ({ userId }) => userId)
  const changes = [...Map.groupBy(sellers, ({ userId }) => userId)].flatMap(([userId, own]) => {
    const rest = [...(standing.get(userId) ?? [])]
    standing.delete(userId)
    const take = (is: (before: Seller) => boolean) => {
      const index = rest.findIndex(is)
      return index < 0 ? null : (rest.splice(index, 1)[0] ?? null)
    }
    const same = own.map((seller) => ({ seller, before: take(({ abn }) => abn === seller.abn) }))
    const changed = same.flatMap(({ seller, before: ofAbn }): SellerChange[] => {
      const before = ofAbn ?? take(() => true)
      if (!before) return [{ ...seller, change: 'new', replaces: null }]
      return isSame(before, seller) ? [] : [{ ...seller, change: 'amend', replaces: before.reference }]
    })
    return [...changed, ...rest.map(cancelled)]
  })
  const incomplete = new Set(
    leftOut.flatMap(({ userId, reason }) => (reason === 'incomplete' ? [userId] : [])),
  )
  const gone = [...standing].flatMap(([userId, own]) => (incomplete.has(userId) ? [] : own.map(cancelled)))
  return [...changes, ...gone]
}

const cancelled = (seller: Seller): SellerChange => ({
  ...seller,
  change: 'cancel',
  replaces: seller.reference,
})

function isSame(one: Seller, other: Seller): boolean {
  const { reference: _one, ...before } = one
  const { reference: _other, ...after } = other
  return JSON.stringify(before) === JSON.stringify(after)
}

/** The records that stand once these reports are lodged, oldest first, by reference. */
export function standingSellers(reports: readonly IncomeReport[]): Map<string, Seller> {
  const standing = new Map<string, Seller>()
  for (const { sellers } of reports)
    for (const { change, replaces, ...seller } of sellers) {
      if (replaces !== null) standing.delete(replaces)
      if (change !== 'cancel') standing.set(seller.reference, seller)
    }
  return standing
}
