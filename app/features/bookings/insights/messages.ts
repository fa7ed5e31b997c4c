import { formatMonth, type LocalDate, MONTH_NAMES } from '../../../shared/dates.ts'
import { type Cents, formatMoney, formatShortMoney } from '../../../shared/money.ts'
import {
  bestMonth,
  bookingsPerThousand,
  type DayUse,
  type InsightMonth,
  sumMonths,
  type TimeLeft,
} from './rules.ts'

export const REVENUE = 'Revenue'
export const REVENUE_UNIT = 'By month of the event, in dollars. Outlined: approved and still ahead.'
export const VIEWS_UNIT = 'Page views by month'
export const CONVERSION_LABEL = 'From seen to booked'
export const CONVERSION_UNIT = 'Bookings from every 1,000 views'
export const OCCUPANCY = 'The next 12 weeks'

export const DAY_USE_LABELS: Record<DayUse, string> = {
  booked: 'Booked',
  waiting: 'Waiting for your answer',
  blocked: 'Blocked',
  closed: 'Closed',
  free: 'Free',
}

/** 'Mar'. @param month 'YYYY-MM' */
export function shortMonthName(month: string): string {
  return (MONTH_NAMES[Number(month.slice(5)) - 1] ?? '').slice(0, 3)
}

/** 'Mon 4 Jan', as '4 Jan'. */
export function shortDay(day: LocalDate): string {
  return `${Number(day.slice(8))} ${shortMonthName(day.slice(0, 7))}`
}

/** An amount on an axis: '$0', '$0.50', '$800', '$20k'. */
export function axisMoney(cents: Cents): string {
  const dollars = cents / 100
  if (dollars >= 1_000) return `$${(dollars / 1_000).toLocaleString('en-AU')}k`
  return Number.isInteger(dollars) ? `$${dollars}` : formatMoney(Math.round(cents))
}

/** Below it, a thousand is too coarse to round to. */
const ROUND_THOUSANDS_FROM: Cents = 1_000_000
const THOUSAND: Cents = 100_000

/** The amount above a bar: '$480', '$1,450', '$93k'. */
export function barMoney(cents: Cents): string {
  if (cents < ROUND_THOUSANDS_FROM) return roundMoney(cents)
  return axisMoney(Math.round(cents / THOUSAND) * THOUSAND)
}

/** Without cents, for a heading. */
function roundMoney(cents: Cents): string {
  return formatShortMoney(Math.round(cents / 100) * 100)
}

/** The finding of the revenue's chart. */
export function revenueFinding(months: readonly InsightMonth[], thisMonth: string): string {
  const best = bestMonth(months, thisMonth)
  const { aheadCents, earnedCents } = sumMonths(months)
  if (best) return `${formatMonth(best.month)} was your best month: ${roundMoney(best.earnedCents)}`
  if (earnedCents > 0) return `${roundMoney(earnedCents)} from your first events`
  return `${roundMoney(aheadCents)} is booked ahead`
}

/** The finding of the views' chart. */
export function viewsFinding(months: readonly InsightMonth[], thisMonth: string): string {
  const over = months.filter(({ month }) => month < thisMonth)
  const recent = sumMonths(over.slice(-3)).views
  const before = sumMonths(over.slice(-6, -3)).views
  if (before === 0) return `${sumMonths(over).views.toLocaleString('en-AU')} views so far`
  const change = Math.round((recent / before - 1) * 100)
  if (Math.abs(change) < 3) return 'Views are steady'
  return change > 0 ? `Views are up ${change}% in three months` : `Views are down ${-change}% in three months`
}

/** The finding of the conversion's chart. */
export function conversionFinding(months: readonly InsightMonth[], thisMonth: string): string {
  const sum = sumMonths(months.filter(({ month }) => month < thisMonth))
  const per = bookingsPerThousand(sum) ?? 0
  return per === 0
    ? 'No booking from these views yet'
    : `${per.toLocaleString('en-AU')} bookings from every 1,000 views`
}

/** The finding of the occupancy's strip. */
export function occupancyFinding({ taken, open }: { taken: number; open: number }): string {
  if (open === 0) return 'No open Friday, Saturday or Sunday'
  if (taken === 0) return 'Every Friday, Saturday and Sunday is free'
  return `${taken} of ${open} Fridays, Saturdays and Sundays are taken`
}

/** The finding of the ratings. */
export function ratingFinding({ average, count }: { average: number; count: number }): string {
  return `${average.toFixed(1)} of 5 from ${count === 1 ? '1 review' : `${count} reviews`}`
}

/** How long a vendor may still answer: '3 hours left'. */
export function timeLeftText({ count, unit }: TimeLeft): string {
  if (count === 0) return 'Time is up'
  return `${count} ${unit}${count === 1 ? '' : 's'} left`
}
