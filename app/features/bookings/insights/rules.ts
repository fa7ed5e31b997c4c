import { addDays, type LocalDate } from '../../../shared/dates.ts'
import type { Cents } from '../../../shared/money.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/time-units.ts'

/** One month of a vendor's listings together. */
export type InsightMonth = {
  /** 'YYYY-MM'. */
  month: string
  /** Revenue of the month's events that have taken place: prices less refunds, and the kept part of cancelled bookings. */
  earnedCents: Cents
  /** Revenue of its approved events that are still ahead. */
  aheadCents: Cents
  /** Page views. */
  views: number
  /** Bookings that were made in it, whatever became of them. */
  bookings: number
}

/** How a day of a listing is taken. Of several, the first in this order counts. */
export const DAY_USES = ['booked', 'waiting', 'blocked', 'closed', 'free'] as const
export type DayUse = (typeof DAY_USES)[number]

/** The use of a listing's days from a Monday on, whole weeks. */
export type Occupancy = { businessId: string; name: string; from: LocalDate; days: DayUse[] }

/** Twelve months back and three ahead. */
export const MONTHS_BACK = 12
export const MONTHS_AHEAD = 3
export const OCCUPANCY_WEEKS = 12
export const DAYS_A_WEEK = 7
/** Friday, Saturday and Sunday, from Monday. */
const WEEKEND = [4, 5, 6]

/** The months around one, oldest first. @param month 'YYYY-MM' */
export function monthsAround(month: string, back: number, ahead: number): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return Array.from({ length: back + 1 + ahead }, (_, index) => {
    const at = new Date(Date.UTC(year, number - 1 - back + index, 1))
    return at.toISOString().slice(0, 7)
  })
}

/** The Monday of a day's week. */
export function mondayOf(day: LocalDate): LocalDate {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % DAYS_A_WEEK))
}

/** The month with the most revenue that is over; null without any revenue, and while only one month has some. */
export function bestMonth(months: readonly InsightMonth[], thisMonth: string): InsightMonth | null {
  const over = months.filter(({ month, earnedCents }) => month < thisMonth && earnedCents > 0)
  if (over.length < 2) return null
  return over.reduce((best, one) => (one.earnedCents > best.earnedCents ? one : best))
}

/** Bookings from every 1,000 page views, to one decimal; null without views. */
export function bookingsPerThousand({
  views,
  bookings,
}: Pick<InsightMonth, 'views' | 'bookings'>): number | null {
  return views > 0 ? Math.round((bookings / views) * 10_000) / 10 : null
}

/** Adds months up. */
export function sumMonths(months: readonly InsightMonth[]): Omit<InsightMonth, 'month'> {
  const sum = { earnedCents: 0, aheadCents: 0, views: 0, bookings: 0 }
  for (const { earnedCents, aheadCents, views, bookings } of months) {
    sum.earnedCents += earnedCents
    sum.aheadCents += aheadCents
    sum.views += views
    sum.bookings += bookings
  }
  return sum
}

/** Counts the Fridays to Sundays that are taken, of those that are open and not over. @param today at the business */
export function weekendsTaken({ from, days }: Occupancy, today: LocalDate): { taken: number; open: number } {
  const count = { taken: 0, open: 0 }
  for (const [index, use] of days.entries()) {
    if (!WEEKEND.includes(index % DAYS_A_WEEK) || use === 'closed' || addDays(from, index) < today) continue
    count.open++
    if (use !== 'free') count.taken++
  }
  return count
}

const SOON_MS = 12 * HOUR_MS

/** A time in its largest unit. */
export type TimeLeft = { count: number; unit: 'day' | 'hour' | 'minute'; isSoon: boolean }

/** The time left until an instant, in its largest unit, rounded down; 0 minutes once it is over. */
export function timeLeft(until: Date, now: Date): TimeLeft {
  const leftMs = Math.max(0, until.getTime() - now.getTime())
  const isSoon = leftMs < SOON_MS
  if (leftMs >= 2 * DAY_MS) return { count: Math.floor(leftMs / DAY_MS), unit: 'day', isSoon }
  if (leftMs >= HOUR_MS) return { count: Math.floor(leftMs / HOUR_MS), unit: 'hour', isSoon }
  return { count: Math.floor(leftMs / MINUTE_MS), unit: 'minute', isSoon }
}
