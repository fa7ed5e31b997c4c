import { describe, expect, it } from 'vitest'
import { changedPrice, checkWanted, movedSlotRequest } from './change-rules.ts'
import { QUOTED_NUMBER } from './messages.ts'

const event = { from: '2027-03-13T05:00:00.000Z', until: '2027-03-13T10:30:00.000Z' }
const listed = {
  unitPriceCents: 14_500,
  priceUnit: 'perPerson',
  timeZone: 'Australia/Melbourne',
  event,
} as const
const quoted = { ...listed, unitPriceCents: 479_000, quote: { id: 'quote', lines: [] } }
const wanted = { date: '2027-03-20', time: '16:00', quantity: 60 } as const
const now = new Date('2026-11-23T00:00:00Z')

describe('a booking at the listing’s price', () => {
  it('costs its own price for each of another number', () => {
    expect(changedPrice({ ...wanted, quantity: 61 }, listed)).toBe(61 * 14_500)
    expect(checkWanted({ ...wanted, quantity: 61 }, { quantity: 60 }, listed, now)).toEqual({})
    expect(movedSlotRequest(wanted, listed)).toEqual({ ...wanted, bookingType: 'perPerson' })
  })
})

describe('a booking by a quote', () => {
  it('moves at the price and with the length that were quoted', () => {
    expect(changedPrice(wanted, quoted)).toBe(479_000)
    expect(checkWanted(wanted, { quantity: 60 }, quoted, now)).toEqual({})
    expect(movedSlotRequest(wanted, quoted)).toEqual({ ...wanted, bookingType: 'perPerson', minutes: 330 })
  })

  it('keeps its number', () => {
    expect(checkWanted({ ...wanted, quantity: 61 }, { quantity: 60 }, quoted, now)).toEqual({
      quantity: QUOTED_NUMBER,
    })
  })
})
