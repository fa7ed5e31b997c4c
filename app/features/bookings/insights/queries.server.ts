import { sql } from 'kysely'
import type { Database } from '../../../adapters/database/port.ts'
import { type BarChart, type LineChart, layOutBars, layOutLine } from '../../../shared/chart.server.ts'
import { addDays, type LocalDate, wallTimeAt, wallTimeToUtc } from '../../../shared/dates.ts'
import type { CalendarEntry } from '../../availability/calendar-rules.ts'
import { findAvailability } from '../../availability/hours-queries.server.ts'
import { hoursOf } from '../../availability/rules.ts'
import { findVendorZone } from '../../businesses/owner-queries.server.ts'
import { listCalendarEntries } from '../list/calendar-queries.server.ts'
import { hasRevenue, offRevenueCents } from './revenue-queries.server.ts'
import {
  bookingsPerThousand,
  DAY_USES,
  DAYS_A_WEEK,
  type DayUse,
  type InsightMonth,
  MONTHS_AHEAD,
  MONTHS_BACK,
  mondayOf,
  monthsAround,
  OCCUPANCY_WEEKS,
  type Occupancy,
} from './rules.ts'

/** Few vendors have more. The calendar has all. */
const MAX_LISTINGS = 6

/** A vendor's figures with the charts that show them, laid out. */
export type VendorInsights = {
  /** Today where the vendor's oldest business is. */
  today: LocalDate
  /** Oldest first, those ahead included. */
  months: InsightMonth[]
  revenue: BarChart
  /** Leaves out the current month. */
  views: LineChart
  conversion: LineChart
  occupancy: Occupancy[]
}

/** Reads how a vendor's listings have done for a year, and how the next weeks are taken. */
export async function findVendorInsights(db: Database, userId: string, now: Date): Promise<VendorInsights> {
  const timeZone = await findVendorZone(db, userId)
  const today = wallTimeAt(now, timeZone).date
  const thisMonth = today.slice(0, 7)
  const [months, occupancy] = await Promise.all([
    listMonths(db, userId, { today, timeZone }),
    listOccupancy(db, userId, now),
  ])
  const over = months.filter(({ month }) => month < thisMonth)
  return {
    today,
    months,
    revenue: layOutBars(months.map((month) => [month.earnedCents, month.aheadCents])),
    views: layOutLine(over.map(({ views }) => views)),
    conversion: layOutLine(over.map((month) => bookingsPerThousand(month) ?? 0)),
    occupancy,
  }
}

async function listMonths(
  db: Database,
  userId: string,
  { today, timeZone }: { today: LocalDate; timeZone: string },
): Promise<InsightMonth[]> {
  const names = monthsAround(today.slice(0, 7), MONTHS_BACK, MONTHS_AHEAD)
  const first = `${names[0]}-01`
  const last = `${names.at(-1)}-31`
  const begins = wallTimeToUtc(first, '00:00', timeZone).toISOString()
  const [revenue, views, bookings] = await Promise.all([
    // The balance of a cancelled booking isn't collected any more.
    sql<{ month: string; is_ahead: boolean; cents: string }>`
      select to_char(bookings.date, 'YYYY-MM') as month, bookings.date >= ${today}::date as is_ahead,
        sum(greatest(0, bookings.total_price_cents - coalesce(c.uncollected_cents, 0) - ${offRevenueCents()})) as cents
      from bookings join sales on sales.id = bookings.payment_row_id
        left join cancellations c on c.booking_id = bookings.id
      where sales.owner_user_id = ${userId}
        and bookings.date between ${first}::date and (${last.slice(0, 7)} || '-01')::date + interval '1 month - 1 day'
        and ((bookings.status = 'approved' and ${hasRevenue()}) or c.kept_cents > 0)
      group by 1, 2`.execute(db),
    sql<{ month: string; views: string }>`
      select to_char(v.day, 'YYYY-MM') as month, sum(v.views) as views
      from business_views v join businesses b on b.id = v.business_id
      where b.user_id = ${userId} and v.day >= ${first}::date group by 1`.execute(db),
    sql<{ month: string; bookings: string }>`
      select to_char(b.created_at at time zone ${timeZone}, 'YYYY-MM') as month, count(*) as bookings
      from bookings b join sales on sales.id = b.payment_row_id
      where sales.owner_user_id = ${userId} and b.created_at >= ${begins}::timestamptz group by 1`.execute(
      db,
    ),
  ])
  const centsOf = (month: string, isAhead: boolean) =>
    Number(revenue.rows.find((row) => row.month === month && row.is_ahead === isAhead)?.cents ?? 0)
  return names.map((month) => ({
    month,
    earnedCents: centsOf(month, false),
    aheadCents: centsOf(month, true),
    views: Number(views.rows.find((row) => row.month === month)?.views ?? 0),
    bookings: Number(bookings.rows.find((row) => row.month === month)?.bookings ?? 0),
  }))
}

async function listOccupancy(db: Database, userId: string, now: Date): Promise<Occupancy[]> {
  const businesses = await db
    .selectFrom('businesses')
    .select(['id', 'name'])
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_LISTINGS)
    .execute()
  const found = await Promise.all(businesses.map((business) => findOccupancy(db, business, now)))
  return found.filter((one) => one !== null)
}

async function findOccupancy(
  db: Database,
  { id, name }: { id: string; name: string },
  now: Date,
): Promise<Occupancy | null> {
  const rules = await findAvailability(db, id)
  if (!rules) return null
  const { timeZone } = rules
  const from = mondayOf(wallTimeAt(now, timeZone).date)
  const days = Array.from({ length: OCCUPANCY_WEEKS * DAYS_A_WEEK }, (_, index) => addDays(from, index))
  const instant = (day: LocalDate) => wallTimeToUtc(day, '00:00', timeZone)
  const range = { from: instant(from), until: instant(addDays(from, days.length)) }
  const uses = new Map<LocalDate, DayUse>()
  for (const entry of await listCalendarEntries(db, { businessId: id, range, now })) {
    const use = dayUseOf(entry)
    if (!use) continue
    for (const day of daysOf(entry, timeZone)) {
      const before = uses.get(day) ?? 'free'
      if (DAY_USES.indexOf(use) < DAY_USES.indexOf(before)) uses.set(day, use)
    }
  }
  return {
    businessId: id,
    name,
    from,
    days: days.map((day) => uses.get(day) ?? (hoursOf(rules, day).length === 0 ? 'closed' : 'free')),
  }
}

/** Null for a payment in progress, which may come to nothing. */
function dayUseOf({ kind, status }: CalendarEntry): DayUse | null {
  if (kind === 'hold') return null
  if (kind === 'booking') return status === 'approved' ? 'booked' : 'waiting'
  return 'blocked'
}

/** The days of an entry. A party belongs to the day on which it begins; blocked time to each that it touches. */
function daysOf({ kind, event }: CalendarEntry, timeZone: string): LocalDate[] {
  const first = wallTimeAt(event.from, timeZone).date
  if (kind === 'booking') return [first]
  const last = wallTimeAt(new Date(event.until.getTime() - 1), timeZone).date
  const days: LocalDate[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}
