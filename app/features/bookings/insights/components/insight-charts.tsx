import type { CSSProperties } from 'react'
import { href, Link } from 'react-router'
import { addDays, formatDay, formatMonth } from '../../../../shared/dates.ts'
import { formatMoney } from '../../../../shared/money.ts'
import { ChartBlock, type ChartColumn, ChartTable, Plot } from '../../../../ui/chart.tsx'
import {
  axisMoney,
  barMoney,
  CONVERSION_LABEL,
  CONVERSION_UNIT,
  conversionFinding,
  DAY_USE_LABELS,
  OCCUPANCY,
  occupancyFinding,
  REVENUE,
  REVENUE_UNIT,
  revenueFinding,
  shortDay,
  shortMonthName,
  VIEWS_UNIT,
  viewsFinding,
} from '../messages.ts'
import type { VendorInsights } from '../queries.server.ts'
import {
  bestMonth,
  bookingsPerThousand,
  DAYS_A_WEEK,
  type DayUse,
  type InsightMonth,
  OCCUPANCY_WEEKS,
  type Occupancy,
  sumMonths,
  weekendsTaken,
} from '../rules.ts'
import './insight-charts.css'

/** The revenue of a year by month, and what is booked ahead. */
export function RevenueChart({ insights: { months, revenue, today } }: { insights: VendorInsights }) {
  const thisMonth = today.slice(0, 7)
  const { earnedCents, aheadCents } = sumMonths(months)
  if (earnedCents + aheadCents === 0)
    return (
      <ChartBlock label={REVENUE} finding="Your first event starts this chart">
        <p className="mt-2 max-w-prose text-quiet">
          Each approved booking counts in the month of its event.{' '}
          <Link className="link" to={href('/dashboard/bookings')}>
            See your bookings
          </Link>
        </p>
      </ChartBlock>
    )
  const best = bestMonth(months, thisMonth)
  const bestIndex = months.findIndex(({ month }) => month === best?.month)
  const bestBar = revenue.bars[bestIndex]?.[0]
  const finding = revenueFinding(months, thisMonth)
  return (
    <ChartBlock label={REVENUE} finding={finding} unit={REVENUE_UNIT}>
      <Plot
        name={`${REVENUE} by month. ${finding}.`}
        axis={revenue.axis}
        labelOf={axisMoney}
        columns={monthColumns(months, thisMonth)}
        over={
          best && bestBar ? (
            <span
              className="chart-label"
              style={{ '--x': bestBar.x + bestBar.width / 2, '--at': bestBar.height } as CSSProperties}
            >
              {barMoney(best.earnedCents)}
            </span>
          ) : null
        }
      >
        {revenue.bars.map(([earned, ahead], index) => (
          <g key={months[index]?.month}>
            {earned && earned.height > 0 ? <rect className="chart-bar" {...earned} /> : null}
            {ahead && ahead.height > 0 ? <rect className="chart-bar-ahead" {...ahead} /> : null}
          </g>
        ))}
      </Plot>
      <ChartTable
        caption="Revenue by month"
        head={['Month', 'From events so far', 'Booked ahead']}
        rows={months.map(({ month, earnedCents: earned, aheadCents: ahead }) => [
          formatMonth(month),
          formatMoney(earned),
          formatMoney(ahead),
        ])}
      />
    </ChartBlock>
  )
}

/** Page views, and how many of them became a booking, each with its own scale. */
export function ViewsCharts({
  insights: { months, views, conversion, today },
}: {
  insights: VendorInsights
}) {
  const thisMonth = today.slice(0, 7)
  const over = months.filter(({ month }) => month < thisMonth)
  if (sumMonths(over).views === 0)
    return (
      <ChartBlock label={CONVERSION_LABEL} finding="A full month of views starts these lines">
        <p className="mt-2 max-w-prose text-quiet">
          They show how often your pages were seen, and how many views led to a booking. Good pictures and a
          clear price help both.{' '}
          <Link className="link" to={href('/dashboard/list-business')}>
            My Listings
          </Link>
        </p>
      </ChartBlock>
    )
  const found = [
    { finding: viewsFinding(months, thisMonth), unit: VIEWS_UNIT, chart: views },
    { finding: conversionFinding(months, thisMonth), unit: CONVERSION_LABEL, chart: conversion },
  ]
  return (
    <section className="min-w-0 border-t border-line pt-5">
      <div className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
        {found.map(({ finding, unit, chart }) => (
          <div key={unit} className="min-w-0">
            <p className="text-sm text-quiet">{unit}</p>
            <h2 className="mt-0.5 text-lg">{finding}</h2>
            <Plot
              isSmall
              name={`${unit}. ${finding}.`}
              axis={chart.axis}
              labelOf={(value) => value.toLocaleString('en-AU')}
              columns={monthColumns(over, thisMonth)}
              over={
                <span
                  className="chart-dot"
                  style={{ '--x': chart.last.x, '--at': chart.last.at } as CSSProperties}
                />
              }
            >
              <path className="chart-area" d={chart.area} />
              <path className="chart-line" d={chart.line} />
            </Plot>
          </div>
        ))}
      </div>
      <ChartTable
        caption="Page views and bookings by month"
        head={['Month', 'Views', 'Bookings made', CONVERSION_UNIT]}
        rows={over.map((month) => [
          formatMonth(month.month),
          month.views.toLocaleString('en-AU'),
          String(month.bookings),
          bookingsPerThousand(month)?.toLocaleString('en-AU') ?? '–',
        ])}
      />
    </section>
  )
}

/** How each listing's days of the next weeks are taken. */
export function OccupancyStrips({ insights: { occupancy, today } }: { insights: VendorInsights }) {
  if (occupancy.length === 0) return null
  const sum = occupancy
    .map((one) => weekendsTaken(one, today))
    .reduce((all, one) => ({ taken: all.taken + one.taken, open: all.open + one.open }), {
      taken: 0,
      open: 0,
    })
  return (
    <ChartBlock
      label={OCCUPANCY}
      finding={occupancyFinding(sum)}
      unit="Each bar is a day. Shaded: Friday to Sunday."
    >
      <div className="mt-5 grid gap-6">
        {occupancy.map((one) => (
          <OccupancyStrip
            key={one.businessId}
            occupancy={one}
            today={today}
            isOnly={occupancy.length === 1}
          />
        ))}
      </div>
      <ul className="strip-key">
        {(['booked', 'waiting', 'blocked'] as const).map((use) => (
          <li key={use}>
            <svg className="strip" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
              <DayBar use={use} x={0} width={1} />
            </svg>
            {DAY_USE_LABELS[use]}
          </li>
        ))}
      </ul>
      <ChartTable
        caption={`${OCCUPANCY}, in days`}
        names={occupancy.length > 1 ? 2 : 1}
        head={[
          'Week of',
          ...(occupancy.length > 1 ? ['Listing'] : []),
          'Booked',
          'Waiting',
          'Blocked',
          'Free',
        ]}
        rows={weeks.flatMap((week) =>
          occupancy.map((one) => {
            const days = one.days.slice(week * DAYS_A_WEEK, (week + 1) * DAYS_A_WEEK)
            const count = (use: DayUse) => String(days.filter((day) => day === use).length)
            return [
              shortDay(addDays(one.from, week * DAYS_A_WEEK)),
              ...(occupancy.length > 1 ? [one.name] : []),
              ...(['booked', 'waiting', 'blocked', 'free'] as const).map(count),
            ]
          }),
        )}
      />
    </ChartBlock>
  )
}

const weeks = Array.from({ length: OCCUPANCY_WEEKS }, (_, week) => week)
/** The width of a week with the gap after it, in days. */
const WEEK_WIDTH = DAYS_A_WEEK + 1
const DAY_WIDTH = 0.8

function OccupancyStrip({
  occupancy,
  today,
  isOnly,
}: {
  occupancy: Occupancy
  today: string
  isOnly: boolean
}) {
  const { name, from, days } = occupancy
  const finding = occupancyFinding(weekendsTaken(occupancy, today))
  return (
    <div className="min-w-0">
      {isOnly ? null : (
        <p className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
          <span className="font-semibold">{name}</span>
          <span className="text-quiet">{finding}</span>
        </p>
      )}
      <svg
        className="strip"
        viewBox={`0 0 ${OCCUPANCY_WEEKS * WEEK_WIDTH - 1} 1`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${finding}, from ${formatDay(from)} on.`}
      >
        {weeks.map((week) => (
          <rect key={week} className="strip-weekend" x={week * WEEK_WIDTH + 4} y={0} width={3} height={1} />
        ))}
        {days.map((use, index) => {
          const x = Math.floor(index / DAYS_A_WEEK) * WEEK_WIDTH + (index % DAYS_A_WEEK) + (1 - DAY_WIDTH) / 2
          return <DayBar key={addDays(from, index)} use={use} x={x} width={DAY_WIDTH} />
        })}
      </svg>
      <div className="strip-weeks" aria-hidden="true">
        {weeks.map((week) => (
          <span key={week}>{shortDay(addDays(from, week * DAYS_A_WEEK))}</span>
        ))}
      </div>
    </div>
  )
}

const HEIGHTS: Record<DayUse, number> = { booked: 1, waiting: 0.7, blocked: 0.35, closed: 0, free: 0 }

function DayBar({ use, x, width }: { use: DayUse; x: number; width: number }) {
  const height = HEIGHTS[use]
  if (height === 0) return null
  return <rect className={`strip-${use}`} x={x} y={1 - height} width={width} height={height} />
}

/** The columns of a chart by month; the year stands below its first. */
function monthColumns(months: readonly InsightMonth[], thisMonth: string): ChartColumn[] {
  return months.map(({ month }, index) => ({
    key: month,
    label: shortMonthName(month),
    below: index === 0 || month.endsWith('-01') ? month.slice(0, 4) : null,
    isNow: month === thisMonth,
  }))
}
