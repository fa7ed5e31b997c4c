import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../shared/time-units.ts'
import { clockText, customerTaskWords, vendorTaskWords, waitingTitle } from './messages.ts'
import { type CustomerTask, DESK_ROWS, inOrder, type VendorTask } from './rules.ts'

const now = new Date('2026-11-27T00:00:00Z')
const task = (changes: Partial<VendorTask>): VendorTask => ({
  kind: 'request',
  id: '1',
  by: new Date(now.getTime() + 2 * HOUR_MS).toISOString(),
  cents: 870_000,
  timeZone: 'Australia/Melbourne',
  event: { date: '2027-03-13', time: '16:00' },
  name: 'Kim Lee',
  business: 'Harbour Light',
  to: '/',
  wait: null,
  ...changes,
})

describe('a task in words', () => {
  it.each([
    [{}, 'Kim Lee wants to book', 'Saturday 13 March 2027, 4:00 pm · Harbour Light', 'Answer'],
    [
      { kind: 'question', event: { date: '2027-03-13', time: null } },
      'Kim Lee waits for your reply',
      'Saturday 13 March 2027 · Harbour Light',
      'Reply',
    ],
    [{ kind: 'question', event: null }, 'Kim Lee waits for your reply', 'Harbour Light', 'Reply'],
    [
      { kind: 'calendar', name: 'Google', event: null, by: '2026-11-27T15:00:00.000Z' },
      'We can’t read your calendar ‘Google’',
      'Harbour Light · not since Friday 27 November 2026, 2:00 am',
      'Fix it',
    ],
    [
      { kind: 'bank', cents: 234_500 },
      'Your bank returned $2,345.00',
      'Check the bank details of your payouts.',
      'Check details',
    ],
    [
      { kind: 'payouts', wait: 'set_up' },
      'Tell us where to pay you',
      'We hold your money until your payouts are set up.',
      'Set up payouts',
    ],
    [
      { kind: 'prefilled', name: '', event: null, by: null },
      'Is this right?',
      'Harbour Light · Our form had filled in something that customers don’t see until you answer',
      'Check it',
    ],
  ] satisfies [Partial<VendorTask>, string, string, string][])('of %o', (changes, title, detail, action) => {
    expect(vendorTaskWords(task(changes))).toEqual({ title, detail, action })
  })

  it('names the vendor to a customer', () => {
    const { name, wait, ...rest } = task({})
    const review: CustomerTask = { ...rest, kind: 'review', to: '/' }
    expect(customerTaskWords(review)).toEqual({
      title: 'How was Harbour Light?',
      detail: 'Saturday 13 March 2027, 4:00 pm',
      action: 'Write a review',
    })
  })
})

describe('a clock', () => {
  it.each([
    [null, 'Now'],
    [now.toISOString(), 'Overdue'],
    [new Date(now.getTime() + 2 * HOUR_MS).toISOString(), '2 hours left'],
  ])('of %s says %s', (by, text) => {
    expect(clockText({ by }, now)).toEqual({ text, isSoon: true })
  })
})

describe('the heading', () => {
  it('shows the count, up to the most that are listed', () => {
    expect([0, 1, DESK_ROWS - 1, DESK_ROWS].map(waitingTitle)).toEqual([
      'Waiting for you',
      'Waiting for you (1)',
      'Waiting for you (49)',
      'Waiting for you (50+)',
    ])
  })
})

describe('the order', () => {
  it('sorts by deadline, then by money, and puts tasks without a deadline first', () => {
    const at = (id: string, by: string | null, cents: number | null) => ({ id, by, cents })
    const [a, b, c, d] = [
      at('a', '2026-11-27T00:00:00.000Z', 100),
      at('b', '2026-11-27T00:00:00.000Z', 200),
      at('c', null, null),
      at('d', '2026-11-26T23:00:00.000Z', null),
    ]
    const e = { ...at('e', null, null), kind: 'prefilled' }
    expect(inOrder([e, a, b, c, d]).map(({ id }) => id)).toEqual(['c', 'd', 'b', 'a', 'e'])
  })
})
