import { describe, expect, it } from 'vitest'
import { changeAnswers } from './messages.ts'
import type { BookedEvent } from './rules.ts'

const span = { from: '2027-03-13T05:00:00.000Z', until: '2027-03-13T12:00:00.000Z' }
// A Saturday.
const before: BookedEvent = {
  date: '2027-03-13',
  time: '16:00',
  quantity: 60,
  priceCents: 870_000,
  event: span,
  occupied: span,
}

describe('the answers to a proposed change', () => {
  it.each([
    ['another day', { date: '2027-03-14' }, 'perPerson', 'Agree to Sunday', 'Keep Saturday'],
    [
      'another day and number',
      { date: '2027-03-14', quantity: 1 },
      'perPerson',
      'Agree to Sunday',
      'Keep Saturday',
    ],
    ['the same weekday', { date: '2027-03-20' }, 'perPerson', 'Agree to 20 March 2027', 'Keep 13 March 2027'],
    ['another time', { time: '17:30' }, 'perPerson', 'Agree to 5:30 pm', 'Keep 4:00 pm'],
    ['more people', { quantity: 1_061 }, 'perPerson', 'Agree to 1,061 people', 'Keep 60 people'],
    ['one person', { quantity: 1 }, 'perPerson', 'Agree to 1 person', 'Keep 60 people'],
    ['fewer hours', { quantity: 1 }, 'perHour', 'Agree to 1 hour', 'Keep 60 hours'],
  ] as const)('name %s', (_, change, bookingType, agree, keep) => {
    expect(changeAnswers({ before, after: { ...before, ...change } }, { bookingType })).toEqual({
      agree,
      keep,
    })
  })
})
