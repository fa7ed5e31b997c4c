import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMoney, formatShortMoney, gstIncluded, parsePrice, toNumericString } from './money.ts'

describe('prices as people type them', () => {
  it.each([
    ['1200', 120_000],
    ['1,200.50', 120_050],
    ['$1,200', 120_000],
    ['$ 85', 8_500],
    ['0', 0],
    ['0.5', 50],
    ['  12.30 ', 1_230],
    ['1,234,567.89', 123_456_789],
  ])('can be read from %j', (text, cents) => {
    expect(parsePrice(text)).toBe(cents)
  })
  it.each([
    '',
    'free',
    '12.345',
    '-5',
    '1,20',
    '12,00.5',
    '1.200,50',
    '$',
    '1e3',
    '١٢',
    '99999999999999999999',
  ])('can’t be read from %j', (text) => {
    expect(parsePrice(text)).toBeNull()
  })
  it('leave out the cents if there are none', () => {
    expect([756_000, 8_450, 0, -0, -120_000].map(formatShortMoney)).toEqual([
      '$7,560',
      '$84.50',
      '$0',
      '$0',
      '-$1,200',
    ])
  })
  it('can be read back from every formatted amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_99 }), (cents) => {
        expect(parsePrice(toNumericString(cents))).toBe(cents)
        expect(parsePrice(formatMoney(cents))).toBe(cents)
      }),
    )
  })
})

describe('amounts as they are shown', () => {
  it('have two decimals and a comma for thousands', () => {
    expect(formatMoney(120_050)).toBe('$1,200.50')
    expect(formatMoney(0)).toBe('$0.00')
    expect(formatMoney(-0)).toBe('$0.00')
    expect(toNumericString(120_050)).toBe('1200.50')
    expect(toNumericString(5)).toBe('0.05')
  })
})

describe('the GST inside a total', () => {
  it.each([
    [870_000, 79_091],
    [395_000, 35_909],
    [5, 0],
    [6, 1],
    [0, 0],
  ])('of %d cents is one eleventh, to the nearest cent: %d', (totalCents, gstCents) => {
    expect(gstIncluded(totalCents)).toBe(gstCents)
  })
})
