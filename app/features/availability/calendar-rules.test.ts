import { describe, expect, it } from 'vitest'
import { ALL_BUSINESSES, listedBusiness } from './calendar-rules.ts'

describe('listedBusiness', () => {
  const quay = { id: 'quay' }
  const barn = { id: 'barn' }

  it('returns the only business, whichever the address names', () => {
    expect(listedBusiness([quay], null)).toBe('quay')
    expect(listedBusiness([quay], 'barn')).toBe('quay')
  })

  it('returns the business that the address names, else all of several', () => {
    expect(listedBusiness([quay, barn], 'barn')).toBe('barn')
    expect(listedBusiness([quay, barn], 'elsewhere')).toBe(ALL_BUSINESSES)
    expect(listedBusiness([quay, barn], null)).toBe(ALL_BUSINESSES)
    expect(listedBusiness([], 'quay')).toBe(ALL_BUSINESSES)
  })
})
