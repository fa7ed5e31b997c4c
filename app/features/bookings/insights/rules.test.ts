import { describe, expect, it } from 'vitest'
import {
  axisMoney,
  barMoney,
  conversionFinding,
  occupancyFinding,
  revenueFinding,
  timeLeftText,
  viewsFinding,
} from './messages.ts'
import {
  bestMonth,
  bookingsPerThousand,
  type DayUse,
  type InsightMonth,
  mondayOf,
  monthsAround,
  timeLeft,
  weekendsTaken,
} from './rules.ts'

const aMonth = (month: string, given: Partial<InsightMonth> = {}): InsightMonth => ({
  month,
  earnedCents: 0,
  aheadCents: 0,
  views: 0,
  bookings: 0,
  ...given,
})

describe('months', () => {
  it('run over the turn of the year, back and ahead', () => {
    expect(monthsAround('2026-11', 2, 3)).toEqual([
      '2026-09',
      '2026-10',
      '2026-11',
      '2026-12',
      '2027-01',
      '2027-02',
    ])
  })

  it('begin their weeks on Monday', () => {
    expect(mondayOf('2026-11-23')).toBe('2026-11-23')
    expect(mondayOf('2026-11-29')).toBe('2026-11-23')
    expect(mondayOf('2027-01-01')).toBe('2026-12-28')
  })
})

describe('the best month', () => {
  const months = [
    aMonth('2026-09', { earnedCents: 400_000 }),
    aMonth('2026-10', { earnedCents: 900_050 }),
    aMonth('2026-11', { earnedCents: 2_000_000, aheadCents: 100_000 }),
  ]

  it('comes from at least two months that are over', () => {
    expect(bestMonth(months, '2026-11')?.month).toBe('2026-10')
    expect(bestMonth(months.slice(1), '2026-11')).toBeNull()
    expect(bestMonth([], '2026-11')).toBeNull()
  })

  it('gives the chart its title, if there is one', () => {
    expect(revenueFinding(months, '2026-11')).toBe('October 2026 was your best month: $9,001')
    expect(revenueFinding(months.slice(2), '2026-11')).toBe('$20,000 from your first events')
    expect(revenueFinding([aMonth('2026-12', { aheadCents: 50_000 })], '2026-11')).toBe(
      '$500 is booked ahead',
    )
  })
})

describe('views', () => {
  const months = (...views: number[]) =>
    views.map((count, index) => aMonth(`2026-0${index + 1}`, { views: count, bookings: 2 }))

  it('rise, fall or hold steady in the last three months against the three before', () => {
    expect(viewsFinding(months(100, 100, 100, 120, 120, 120), '2026-07')).toBe(
      'Views are up 20% in three months',
    )
    expect(viewsFinding(months(100, 100, 100, 80, 80, 80), '2026-07')).toBe(
      'Views are down 20% in three months',
    )
    expect(viewsFinding(months(100, 100, 100, 101, 100, 100), '2026-07')).toBe('Views are steady')
    expect(viewsFinding(months(1_000, 234), '2026-03')).toBe('1,234 views so far')
    // The month that isn't over doesn't count.
    expect(viewsFinding(months(100, 100, 100, 120, 120, 120, 1), '2026-07')).toBe(
      'Views are up 20% in three months',
    )
  })

  it('become bookings, counted from every thousand', () => {
    expect(bookingsPerThousand({ views: 0, bookings: 1 })).toBeNull()
    expect(bookingsPerThousand({ views: 2_400, bookings: 9 })).toBe(3.8)
    expect(conversionFinding(months(500, 500), '2026-03')).toBe('4 bookings from every 1,000 views')
    expect(conversionFinding([aMonth('2026-01', { views: 10 })], '2026-03')).toBe(
      'No booking from these views yet',
    )
  })
})

describe('the weekends of a strip', () => {
  const days: DayUse[] = ['booked', 'free', 'free', 'free', 'closed', 'blocked', 'free']
  const weeks = { businessId: 'hall', name: 'Hall', from: '2026-11-23', days: [...days, ...days] }

  it('count the open days from Friday to Sunday that aren’t over', () => {
    expect(weekendsTaken(weeks, '2026-11-23')).toEqual({ taken: 2, open: 4 })
    expect(weekendsTaken(weeks, '2026-11-29')).toEqual({ taken: 1, open: 3 })
  })

  it('become a sentence', () => {
    expect(occupancyFinding({ taken: 3, open: 36 })).toBe('3 of 36 Fridays, Saturdays and Sundays are taken')
    expect(occupancyFinding({ taken: 0, open: 36 })).toBe('Every Friday, Saturday and Sunday is free')
    expect(occupancyFinding({ taken: 0, open: 0 })).toBe('No open Friday, Saturday or Sunday')
  })
})

describe('the time left to answer', () => {
  const now = new Date('2026-11-23T05:00:00Z')
  it.each([
    ['2026-11-26T04:59:00Z', '2 days left', false],
    ['2026-11-25T04:00:00Z', '47 hours left', false],
    ['2026-11-23T17:00:00Z', '12 hours left', false],
    ['2026-11-23T16:59:00Z', '11 hours left', true],
    ['2026-11-23T06:00:00Z', '1 hour left', true],
    ['2026-11-23T05:01:30Z', '1 minute left', true],
    ['2026-11-23T04:00:00Z', 'Time is up', true],
  ])('until %s is %s', (until, text, isSoon) => {
    const left = timeLeft(new Date(until), now)
    expect([timeLeftText(left), left.isSoon]).toEqual([text, isSoon])
  })
})

it('an axis has short amounts', () => {
  expect([0, 50_000, 100_000, 150_000, 2_000_000].map(axisMoney)).toEqual([
    '$0',
    '$500',
    '$1k',
    '$1.5k',
    '$20k',
  ])
  expect([50, 20, 250].map(axisMoney)).toEqual(['$0.50', '$0.20', '$2.50'])
})

it('a bar has whole dollars, and whole thousands once they are short', () => {
  expect([48_000, 48_050, 145_000, 999_900, 1_000_000, 1_049_900, 9_284_500].map(barMoney)).toEqual([
    '$480',
    '$481',
    '$1,450',
    '$9,999',
    '$10k',
    '$10k',
    '$93k',
  ])
})
