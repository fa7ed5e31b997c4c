import { describe, expect, it } from 'vitest'
import { parseBookingDraft } from './booking-draft.ts'

describe('parseBookingDraft', () => {
  it('keeps the seven fields as text and drops everything else', () => {
    expect(
      parseBookingDraft({ fullName: 'Ana', quantity: 3, bookingType: 'perHour', card: '4242', email: '' }),
    ).toEqual({ fullName: 'Ana', quantity: '3', bookingType: 'perHour' })
  })

  it.each([null, undefined, 7, 'text', [], { date: {}, time: [], quantity: Number.NaN }])(
    'returns no fields for %j',
    (found) => {
      expect(parseBookingDraft(found)).toEqual({})
    },
  )

  it('truncates a text that is longer than any field', () => {
    expect(parseBookingDraft({ fullName: 'x'.repeat(10_000) }).fullName).toHaveLength(500)
  })
})
