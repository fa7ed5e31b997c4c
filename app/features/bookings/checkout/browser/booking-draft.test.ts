import { describe, expect, it } from 'vitest'
import { parseBookingDraft, withChosen } from './booking-draft.ts'

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

describe('withChosen', () => {
  const typed = { fullName: 'Ana', date: '2027-03-13', time: '16:00', quantity: '90' }

  it('ends the time of a day that another replaces', () => {
    expect(withChosen(typed, { date: '2027-03-20' })).toEqual({
      fullName: 'Ana',
      date: '2027-03-20',
      quantity: '90',
    })
    expect(withChosen(typed, { date: '2027-03-20', time: '10:00' })).toMatchObject({ time: '10:00' })
  })

  it('keeps the time of the same day, and of a first one', () => {
    expect(withChosen(typed, { date: '2027-03-13', quantity: '110' })).toEqual({ ...typed, quantity: '110' })
    expect(withChosen({ time: '16:00' }, { date: '2027-03-20' })).toEqual({
      date: '2027-03-20',
      time: '16:00',
    })
    expect(withChosen(typed, {})).toEqual(typed)
  })
})
