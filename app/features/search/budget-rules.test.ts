import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BUDGET_REFUSED, BUDGET_SHARES, GUESTS_REFUSED, readBudget, splitBudget } from './budget-rules.ts'

const read = (query: string) => readBudget(new URLSearchParams(query))

describe('splitBudget', () => {
  it('splits $25,000 for 90 guests into dollars, with a search for each trade', () => {
    const shares = splitBudget(2_500_000, 90)
    expect(shares.map(({ cents }) => cents / 100)).toEqual([9_500, 5_500, 3_000, 2_000, 2_500, 2_500])
    expect(shares[0]).toEqual({
      cents: 950_000,
      perGuestCents: 10_600,
      searches: [{ category: 'Catering', to: '/catering?budget=9500&guests=90' }],
    })
    expect(shares[2]?.searches.map(({ to }) => to)).toEqual([
      '/photographers?budget=3000&guests=90',
      '/videographers?budget=3000&guests=90',
    ])
  })

  it('always adds up to the total, and only the reserve has cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 99_999_999 }), (totalCents) => {
        const shares = splitBudget(totalCents, null)
        expect(shares.reduce((sum, { cents }) => sum + cents, 0)).toBe(totalCents)
        expect(shares.slice(0, -1).filter(({ cents }) => cents % 100 !== 0)).toEqual([])
        expect(Math.min(...shares.map(({ cents }) => cents))).toBeGreaterThan(0)
      }),
    )
  })

  it('splits by percentages that add up to 100', () => {
    expect(BUDGET_SHARES.reduce((sum, { percent }) => sum + percent, 0)).toBe(100)
  })
})

describe('readBudget', () => {
  it('asks nothing of an empty form', () => {
    expect(read('')).toEqual({ typed: { budget: '', guests: '' }, errors: {}, shares: null })
  })

  it('reads amounts as people write them', () => {
    for (const typed of ['25000', '$25,000', '25 000.00', '25k'])
      expect(read(new URLSearchParams({ budget: typed }).toString()).shares?.[0]?.cents, typed).toBe(950_000)
  })

  it.each(['0', '99', '-5000', 'lots', '1e9', '999999999999', '\u0000'])(
    'refuses a budget of %j beside its field, and keeps it',
    (budget) => {
      const calculation = read(new URLSearchParams({ budget, guests: '90' }).toString())
      expect(calculation).toEqual({
        typed: { budget, guests: '90' },
        errors: { budget: BUDGET_REFUSED },
        shares: null,
      })
    },
  )

  it.each(['0', '1.5', 'ninety', '10001'])(
    'refuses %j guests beside their field, and keeps them',
    (guests) => {
      const calculation = read(new URLSearchParams({ budget: '25000', guests }).toString())
      expect(calculation.errors).toEqual({ guests: GUESTS_REFUSED })
      expect(calculation.typed).toEqual({ budget: '25000', guests })
    },
  )
})
