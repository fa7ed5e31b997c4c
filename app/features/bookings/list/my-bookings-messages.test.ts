import { describe, expect, it } from 'vitest'
import { calendarNoteText } from './my-bookings-messages.ts'

type Noted = Parameters<typeof calendarNoteText>[0]
const noted = (more: object = {}, status = 'approved'): Noted =>
  ({
    stored: { status, bookingType: 'perHour', quantity: 6 },
    due: {
      cents: 60_000,
      at: '2027-03-01T00:00:00.000Z',
      state: 'scheduled',
      endsAt: '2027-03-08T00:00:00.000Z',
    },
    contact: { name: 'Quinn Vale', phone: '0412 345 678', email: 'quinn@example.com' },
    timeZone: 'Australia/Sydney',
    ...more,
  }) as never

describe('the note of a booking’s calendar entry', () => {
  it('states the status, the size, the balance and the number for the day', () => {
    const [size, due, day, ...rest] = calendarNoteText(noted()).split('\n')
    expect(size).toContain(': 6.')
    expect(due).toBe('Still due: $600.00 on 1 March 2027 by the same card.')
    expect(day).toBe('On the day: Quinn Vale, 0412 345 678.')
    expect(rest).toEqual([])
  })

  it('leaves out the balance when all is paid, and the number when the vendor gave none', () => {
    expect(calendarNoteText(noted({ due: null, contact: null })).split('\n')).toHaveLength(1)
  })

  it('states only the status of a booking that doesn’t take place', () => {
    for (const status of ['declined', 'withdrawn'])
      expect(calendarNoteText(noted({}, status)).split('\n')).toHaveLength(1)
  })
})
