import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../shared/time-units.ts'
import { QUOTED_NUMBER } from '../field-messages.ts'
import { changedPrice, checkProposal, heldEventLimit, movedSlotRequest, movesPastLimit } from './rules.ts'

const event = { from: '2027-03-13T05:00:00.000Z', until: '2027-03-13T10:30:00.000Z' }
const listed = {
  unitPriceCents: 14_500,
  bookingType: 'perPerson',
  timeZone: 'Australia/Melbourne',
  event,
  quote: null,
} as const
const quoted = { ...listed, unitPriceCents: 479_000, quote: { id: 'quote', lines: [] } }
const proposed = { date: '2027-03-20', time: '16:00', quantity: 60 } as const
const now = new Date('2026-11-23T00:00:00Z')

describe('a booking at the listing’s price', () => {
  it('costs its own price for each of another number', () => {
    expect(changedPrice({ ...proposed, quantity: 61 }, listed)).toBe(61 * 14_500)
    expect(checkProposal({ ...proposed, quantity: 61 }, { quantity: 60 }, listed, now)).toEqual({})
    expect(movedSlotRequest(proposed, listed)).toEqual({ ...proposed, bookingType: 'perPerson' })
  })
})

describe('a booking by a quote', () => {
  it('moves at the price and with the length that were quoted', () => {
    expect(changedPrice(proposed, quoted)).toBe(479_000)
    expect(checkProposal(proposed, { quantity: 60 }, quoted, now)).toEqual({})
    expect(movedSlotRequest(proposed, quoted)).toEqual({
      ...proposed,
      bookingType: 'perPerson',
      minutes: 330,
    })
  })

  it('keeps its number', () => {
    expect(checkProposal({ ...proposed, quantity: 61 }, { quantity: 60 }, quoted, now)).toEqual({
      quantity: QUOTED_NUMBER,
    })
  })
})

describe('how long what is paid can be held', () => {
  const times = { delayMs: 2 * DAY_MS, holdLimitMs: 85 * DAY_MS }
  const paidAt = new Date('2026-11-20T01:00:00.000Z')
  const later = new Date('2027-02-10T22:00:00.000Z')
  const inFull = { instalments: [{ number: 1, cents: 870_000, dueAt: null }] }
  const inParts = {
    instalments: [
      { number: 1, cents: 174_000, dueAt: null },
      { number: 2, cents: 696_000, dueAt: later.toISOString() },
    ],
  }
  const first = { number: 1, paidAt }

  it('limits the event of a price that was paid at once, and of a balance, but not of a deposit', () => {
    const days83 = (from: Date) => new Date(from.getTime() + 83 * DAY_MS)
    expect(heldEventLimit({ terms: inFull, paid: [first], times })).toEqual(days83(paidAt))
    const again = { number: 2, paidAt: later }
    expect(heldEventLimit({ terms: inFull, paid: [first, again], times })).toEqual(days83(paidAt))
    expect(heldEventLimit({ terms: inParts, paid: [first], times })).toBeNull()
    expect(heldEventLimit({ terms: inParts, paid: [first, again], times })).toEqual(days83(later))
  })

  it('limits nothing where vendors aren’t paid', () => {
    expect(heldEventLimit({ terms: inFull, paid: [first], times: null })).toBeNull()
  })

  it('lets an event end at the limit, and move nearer from beyond it', () => {
    const limit = new Date('2027-03-13T10:30:00.000Z')
    const until = (iso: string) => ({ event: { from: event.from, until: iso } })
    const before = until('2027-01-01T00:00:00.000Z')
    expect(movesPastLimit(limit, before, { event })).toBe(false)
    expect(movesPastLimit(limit, before, until('2027-03-13T10:30:00.001Z'))).toBe(true)
    const far = until('2027-06-01T00:00:00.000Z')
    expect(movesPastLimit(limit, far, until('2027-05-31T00:00:00.000Z'))).toBe(false)
    expect(movesPastLimit(limit, far, until('2027-06-01T00:00:00.001Z'))).toBe(true)
    expect(movesPastLimit(null, before, far)).toBe(false)
  })
})
