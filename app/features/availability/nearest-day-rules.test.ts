import { describe, expect, it } from 'vitest'
import { addDays } from '../../shared/dates.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { daysAround, firstFreeDay, nearestFreeDays } from './nearest-day-rules.ts'
import { type AvailabilityRules, defaultAvailability, type Taken, takenRange } from './rules.ts'

const now = new Date('2026-11-20T01:00:00Z')
const length = { bookingType: 'perPerson', quantity: 10 } as const

const rulesOf = (overrides: Partial<AvailabilityRules> = {}): AvailabilityRules => ({
  ...defaultAvailability('Venues', 'Australia/Sydney'),
  ...overrides,
})

/** Blocks whole days, both included. */
const blocked = (from: string, to: string): Taken => ({
  from: takenRange(from, from).from,
  until: takenRange(to, to).until,
  wholeCapacity: true,
})

/** A taken day from 8 am to midnight in Sydney. */
const takenDay = (day: string): Taken => ({
  from: new Date(`${day}T00:00:00+11:00`),
  until: new Date(Date.parse(`${day}T00:00:00+11:00`) + DAY_MS),
  wholeCapacity: true,
})

describe('nearestFreeDays', () => {
  // 13 March 2027 is a Saturday.
  const near = (taken: Taken[], rules = rulesOf()) => nearestFreeDays(rules, taken, '2027-03-13', length, now)

  it('returns the days on either side, in the order of the calendar, and one on the same weekday', () => {
    const taken = ['2027-03-12', '2027-03-13', '2027-03-14'].map(takenDay)
    expect(near(taken)).toEqual(['2027-03-06', '2027-03-11', '2027-03-15'])
  })

  it('skips days on which the vendor is closed', () => {
    const sundays = { ...rulesOf().weekly, mon: [], tue: [], wed: [], thu: [], fri: [], sat: [] }
    expect(near([], rulesOf({ weekly: sundays }))).toEqual(['2027-03-07', '2027-03-14', '2027-03-21'])
  })

  it('returns nothing if no day within two months is free', () => {
    expect(near([blocked('2027-01-01', '2027-06-01')])).toEqual([])
  })

  it('returns no day before the notice or after the horizon', () => {
    expect(near([], rulesOf({ noticeMinutes: 120 * 1_440 }))).toEqual([
      '2027-03-20',
      '2027-03-21',
      '2027-03-22',
    ])
    expect(near([], rulesOf({ horizonDays: 100 }))).toEqual(['2027-02-26', '2027-02-27', '2027-02-28'])
  })

  it('returns the first or last bookable days for a day of a mistyped year', () => {
    const around = (day: string) => nearestFreeDays(rulesOf({ horizonDays: 365 }), [], day, length, now)
    expect(around('2007-03-13')).toContain('2026-11-21')
    expect(around('1000-01-01')).toContain('2026-11-21')
    expect(around('9999-12-31')).toContain('2027-11-20')
  })

  it('counts days by the calendar across the end of daylight saving', () => {
    // Clocks go back on Sunday 4 April 2027.
    const taken = [takenDay('2027-04-03'), blocked('2027-04-04', '2027-04-04')]
    const days = nearestFreeDays(rulesOf(), taken, '2027-04-04', length, now)
    expect(days).not.toContain('2027-04-04')
    expect(days).toHaveLength(3)
  })
})

describe('daysAround', () => {
  it('lists only bookable days, at most 60 to either side', () => {
    const days = daysAround(rulesOf(), '2027-03-13', now)
    expect([days[0], days.at(-1), days.length]).toEqual(['2027-01-12', '2027-05-12', 121])
    expect(daysAround(rulesOf(), '2026-11-21', now)[0]).toBe('2026-11-21')
  })
})

describe('firstFreeDay', () => {
  const days = Array.from({ length: 90 }, (_, index) => addDays('2027-03-01', index))
  const takenDays = (count: number) => days.slice(0, count).map(takenDay)
  const first = (taken: Taken[], among = days) => firstFreeDay(rulesOf(), taken, among, length, now)

  it('returns the first of the days that is free', () => {
    expect(first([])).toBe('2027-03-01')
    expect(first(takenDays(5))).toBe('2027-03-06')
  })

  it('looks beyond a first month without a free day, to the last of the days', () => {
    expect(first(takenDays(31))).toBe('2027-04-01')
    expect(first(takenDays(89))).toBe('2027-05-29')
  })

  it('returns null if none is free, and for no days', () => {
    expect(first(takenDays(90))).toBeNull()
    expect(first([], [])).toBeNull()
  })
})
