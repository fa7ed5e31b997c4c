import { describe, expect, it } from 'vitest'
import { isInPeriod, monthsBetween, readWeekday } from './periods.ts'

describe('isInPeriod', () => {
  const months = { first: '2027-03', last: '2027-05' }

  it.each([
    ['2027-02-28', '', false],
    ['2027-03-01', '', true],
    ['2027-05-31', '', true],
    ['2027-06-01', '', false],
    ['2027-03-13', 'Saturday', true],
    ['2027-03-14', 'Saturday', false],
    ['2027-03-14', 'weekend', true],
    ['2027-03-15', 'weekend', false],
  ])('tells whether %s is in March to May 2027 (%s): %s', (day, weekday, isIn) => {
    expect(isInPeriod(day, months, weekday)).toBe(isIn)
  })
})

describe('monthsBetween', () => {
  it('lists both ends, also across a year', () => {
    expect(monthsBetween('2026-11', '2027-02')).toEqual(['2026-11', '2026-12', '2027-01', '2027-02'])
    expect(monthsBetween('2026-11', '2026-11')).toEqual(['2026-11'])
    expect(monthsBetween('2026-11', '2026-10')).toEqual([])
  })
})

describe('readWeekday', () => {
  it('reads names of weekdays and the weekend alone', () => {
    expect(['Monday', 'weekend', 'monday', ''].map(readWeekday)).toEqual(['Monday', 'weekend', '', ''])
  })
})
