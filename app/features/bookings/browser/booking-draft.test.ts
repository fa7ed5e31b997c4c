import { describe, expect, it } from 'vitest'
import { parseBookingDraft } from './booking-draft.ts'

describe('what was typed', () => {
  it('keeps the seven fields as text and leaves everything else out', () => {
    expect(
      parseBookingDraft({ fullName: 'Ana', quantity: 3, bookingType: 'perHour', card: '4242', email: '' }),
    ).toEqual({ fullName: 'Ana', quantity: '3', bookingType: 'perHour' })
  })

  it.each([null, undefined, 7, 'text', [], { date: {}, time: [], quantity: Number.NaN }])(
    'takes %j for nothing typed',
    (found) => {
      expect(parseBookingDraft(found)).toEqual({})
    },
  )

  it('cuts what no field would take', () => {
    expect(parseBookingDraft({ fullName: 'x'.repeat(10_000) }).fullName).toHaveLength(500)
  })
})
