import { describe, expect, it } from 'vitest'
import { dayPartOf, offeredStarts, startsByPart, usualPart } from './start-time-rules.ts'

/** Every start of a day in half hours. */
const halfHours = (from: number, to: number, minute = 0) =>
  Array.from({ length: (to - from) * 2 }, (_, index) => {
    const at = from * 60 + minute + index * 30
    return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
  })

describe('dayPartOf', () => {
  it.each([
    ['00:00', 'morning'],
    ['11:59', 'morning'],
    ['12:00', 'afternoon'],
    ['16:59', 'afternoon'],
    ['17:00', 'evening'],
    ['23:59', 'evening'],
  ])('puts %s into the %s', (time, part) => {
    expect(dayPartOf(time)).toBe(part)
  })
})

describe('offeredStarts', () => {
  it('offers the whole hours of a day without bookings', () => {
    expect(offeredStarts(halfHours(8, 12), '')).toEqual(['08:00', '09:00', '10:00', '11:00'])
  })

  it('offers the first start after each booking, whole hour or not', () => {
    expect(offeredStarts(['08:00', '08:30', '13:30', '14:00', '14:30', '15:00'], '')).toEqual([
      '08:00',
      '13:30',
      '14:00',
      '15:00',
    ])
  })

  it('offers hourly starts where the vendor opens at a quarter past', () => {
    expect(offeredStarts(halfHours(9, 11, 15), '')).toEqual(['09:15', '10:15'])
  })

  it('includes a chosen half hour, but only if it is free', () => {
    expect(offeredStarts(halfHours(8, 10), '09:30')).toEqual(['08:00', '09:00', '09:30'])
    expect(offeredStarts(halfHours(8, 10), '16:30')).toEqual(['08:00', '09:00'])
    expect(offeredStarts([], '09:30')).toEqual([])
  })

  it('shows at most twelve starts at once, whatever the opening hours', () => {
    const groups = startsByPart(offeredStarts(halfHours(0, 24), ''))
    expect(groups.map(({ part, starts }) => [part, starts.length])).toEqual([
      ['morning', 12],
      ['afternoon', 5],
      ['evening', 7],
    ])
  })
})

describe('startsByPart', () => {
  it('leaves out the parts without a start, in the order of the day', () => {
    expect(startsByPart(['19:00', '20:00'])).toEqual([{ part: 'evening', starts: ['19:00', '20:00'] }])
    expect(startsByPart(['09:00', '12:00', '17:00']).map(({ part }) => part)).toEqual([
      'morning',
      'afternoon',
      'evening',
    ])
    expect(startsByPart([])).toEqual([])
  })
})

describe('usualPart', () => {
  it('returns the part of the day in which most bookings start, the earliest of equal ones', () => {
    expect(usualPart(['16:00', '12:00', '09:00'])).toBe('afternoon')
    expect(usualPart(['17:00', '18:00', '16:59'])).toBe('evening')
    expect(usualPart(['09:00', '18:00', '11:59', '20:00'])).toBe('morning')
  })

  it('returns null for fewer than three bookings', () => {
    expect(usualPart(['16:00', '16:00'])).toBeNull()
    expect(usualPart([])).toBeNull()
  })
})
