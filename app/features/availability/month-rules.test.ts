import { describe, expect, it } from 'vitest'
import { dayForKey } from './month-rules.ts'

describe('dayForKey', () => {
  it('moves by days, weeks, months and years, and to the ends of the week', () => {
    // A Wednesday.
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
