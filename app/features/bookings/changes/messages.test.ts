import { describe, expect, it } from 'vitest'
import { changeAnswers, changeMoneyLines } from './messages.ts'
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

describe('what a change costs, in words', () => {
  const change = {
    before,
    after: { ...before, priceCents: 885_000 },
    dueCents: 17_400,
    refundCents: 0,
    balance: null,
  }
  const about = { timeZone: 'Australia/Melbourne', customer: 'Kim Lee' }
  const paid = (...[given, how]: [Partial<typeof change>, Partial<Parameters<typeof changeMoneyLines>[1]>]) =>
    changeMoneyLines({ ...change, ...given }, { ...about, reader: 'vendor', ...how })[1]

  it('names the customer, and says why more than the difference is paid', () => {
    expect(paid({}, { answers: true })).toBe(
      'If you agree, Kim Lee pays $174.00 now. That includes the balance, due this week anyway. The change takes effect when that is paid.',
    )
    expect(paid({}, {})).toMatch(/^Kim Lee pays \$174\.00 once it’s agreed\. That includes the balance/)
    expect(paid({}, { isAgreed: true })).toMatch(/^Kim Lee pays \$174\.00\. That includes the balance/)
  })

  it('speaks to the customer, and of the difference alone', () => {
    const difference = { dueCents: 15_000 }
    expect(paid(difference, { reader: 'customer', answers: true })).toBe(
      'If you agree, you pay the difference of $150.00 now. The change takes effect when that is paid.',
    )
    expect(paid(difference, { reader: 'customer' })).toMatch(
      /^You pay the difference of \$150\.00 once it’s agreed\./,
    )
  })
})
