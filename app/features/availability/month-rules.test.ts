import { describe, expect, it } from 'vitest'
import { askedMonth, dayForKey } from './month-rules.ts'

describe('dayForKey', () => {
  it('moves by days, weeks, months and years, and to the ends of the week', () => {
    // 31 March 2027 is a Wednesday.
    const from = (key: string, withShift = false) => dayForKey('2027-03-31', key, withShift)
    expect(from('ArrowLeft')).toBe('2027-03-30')
    expect(from('ArrowRight')).toBe('2027-04-01')
    expect(from('ArrowUp')).toBe('2027-03-24')
    expect(from('ArrowDown')).toBe('2027-04-07')
    expect(from('Home')).toBe('2027-03-29')
    expect(from('End')).toBe('2027-04-04')
    expect(from('PageUp')).toBe('2027-02-28')
    expect(from('PageDown')).toBe('2027-04-30')
    expect(from('PageUp', true)).toBe('2026-03-31')
    expect(from('PageDown', true)).toBe('2028-03-31')
    expect(from('Enter')).toBeNull()
    expect(dayForKey('2028-02-29', 'PageDown', true)).toBe('2029-02-28')
    expect(dayForKey('2027-01-31', 'PageUp', false)).toBe('2026-12-31')
  })
})

describe('askedMonth', () => {
  it('returns a month up to five years away, else the current month', () => {
    const asked = (text: string | null) => askedMonth(text, '2027-03-31')
    expect(asked('2032-12')).toBe('2032-12')
    expect(asked('2022-01')).toBe('2022-01')
    for (const text of ['2033-01', '2021-12', '2027-13', '2027-1', 'soon', '', null]) {
      expect(asked(text)).toBe('2027-03')
    }
  })
})
