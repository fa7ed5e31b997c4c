import { describe, expect, it } from 'vitest'
import { lineCents } from './line-rules.ts'
import { askFor, maxQuantity, type PricePlan, priceOf } from './rules.ts'

const plan: PricePlan = { base: { perPerson: 14_500, perHour: 21_000 } }
const people = (quantity: number | null, cents = 14_500) =>
  priceOf({ base: { perPerson: cents } }, askFor('perPerson', quantity))
const hours = (quantity: number) => priceOf(plan, askFor('perHour', quantity))

describe('the price of a listing without packages', () => {
  it('multiplies the price of one by the quantity, as one line', () => {
    expect(people(60)).toEqual({
      ok: true,
      lines: [{ unit: 'perPerson', quantity: 60, unitPriceCents: 14_500, cents: 870_000 }],
      totalCents: 870_000,
    })
    expect(hours(4)).toMatchObject({ totalCents: 84_000, lines: [{ unit: 'perHour', quantity: 4 }] })
  })

  it('counts the people or the hours of an ask that has both, by its unit', () => {
    expect(priceOf(plan, { unit: 'perPerson', people: 2, hours: 5 })).toMatchObject({ totalCents: 29_000 })
    expect(priceOf(plan, { unit: 'perHour', people: 2, hours: 5 })).toMatchObject({ totalCents: 105_000 })
  })

  it('refuses a unit that has no price', () => {
    expect(priceOf({ base: { perPerson: 100 } }, askFor('perHour', 4))).toEqual({
      ok: false,
      field: 'unit',
      reason: 'not_offered',
    })
  })

  it.each([null, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s people', (quantity) => {
    expect(people(quantity)).toEqual({ ok: false, field: 'people', reason: 'missing' })
  })

  it('ends at 24 hours and at 10,000 people', () => {
    expect([maxQuantity('perHour'), maxQuantity('perPerson')]).toEqual([24, 10_000])
    expect([hours(24).ok, people(10_000, 100).ok]).toEqual([true, true])
    expect(hours(25)).toEqual({ ok: false, field: 'hours', reason: 'too_many' })
    expect(people(10_001, 100)).toEqual({ ok: false, field: 'people', reason: 'too_many' })
  })

  it('begins at $0.50 and ends at $999,999.99', () => {
    expect([people(1, 50).ok, people(1, 99_999_999).ok]).toEqual([true, true])
    expect(people(1, 49)).toMatchObject({ ok: false, reason: 'total_too_small' })
    expect(people(1, 0)).toMatchObject({ ok: false, reason: 'total_too_small' })
    expect(people(2, 50_000_000)).toMatchObject({ ok: false, reason: 'total_too_large' })
  })
})

describe('lineCents', () => {
  it('multiplies whole cents without limits', () => {
    expect(lineCents({ quantity: 10_000, unitPriceCents: 99_999_999 })).toBe(999_999_990_000)
    expect(lineCents({ quantity: 1, unitPriceCents: -435_000 })).toBe(-435_000)
  })
})
