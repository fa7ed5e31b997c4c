import { describe, expect, it } from 'vitest'
import type { BookingTerms, CustomerBooking, CustomerDue } from '../rules.ts'
import { dayMoneyText, nextStepDay, nextStepText } from './my-bookings-messages.ts'
import {
  type BookingPlace,
  firstDays,
  groupByDay,
  nextSteps,
  sectionsOf,
  shownCount,
  spentAndDue,
} from './my-bookings-rules.ts'

type Given = {
  id?: string
  name?: string
  status?: CustomerBooking['stored']['status']
  date?: string
  total?: string
  payments?: BookingTerms['payments'] | null
  leftCents?: number
  due?: CustomerDue | null
  decidedBy?: string
}

/** The parts of a booking that the rules read. */
function aBooking(given: Given = {}): CustomerBooking {
  const { date = '2027-05-15', payments = null } = given
  return {
    id: given.id ?? 'one',
    stored: {
      vendorName: given.name ?? 'Slow Circles',
      status: given.status ?? 'approved',
      date,
      totalPrice: given.total ?? '1000.00',
    },
    terms: payments && { tiers: [], paidAt: '2026-11-01T00:00:00Z', payments },
    leftCents: given.leftCents ?? 0,
    due: given.due ?? null,
    decidedBy: given.decidedBy ?? '2026-11-25T09:26:00Z',
    event: { from: `${date}T03:00:00Z`, until: `${date}T09:00:00Z` },
    timeZone: 'Australia/Melbourne',
  } as unknown as CustomerBooking
}

const inParts: BookingTerms['payments'] = [
  { cents: 20_000, at: '2026-11-01T00:00:00Z', state: 'paid' },
  { cents: 80_000, at: '2027-04-15T00:00:00Z', state: 'scheduled' },
]

describe('spentAndDue', () => {
  it('adds up what is paid and what is still to pay', () => {
    const paid = aBooking({ total: '300.50', leftCents: 30_050 })
    expect(spentAndDue([aBooking({ payments: inParts, leftCents: 20_000 }), paid])).toEqual({
      spentCents: 50_050,
      dueCents: 80_000,
    })
    expect(spentAndDue([])).toEqual({ spentCents: 0, dueCents: 0 })
  })

  it('counts what is left of the payments, after refunds and what the bank has returned', () => {
    expect(spentAndDue([aBooking({ leftCents: 95_000 }), aBooking({ leftCents: 0 })]).spentCents).toBe(95_000)
  })

  it('counts no payment that is charged no more', () => {
    const ended = [
      ...inParts.slice(0, 1),
      { cents: 80_000, at: '2027-04-15T00:00:00Z', state: 'ended' as const },
    ]
    expect(spentAndDue([aBooking({ payments: ended, leftCents: 20_000 })])).toEqual({
      spentCents: 20_000,
      dueCents: 0,
    })
  })

  it('fits in one line of text', () => {
    expect(dayMoneyText({ spentCents: 150_400, dueCents: 601_600 })).toBe(
      '$1,504.00 paid, $6,016.00 still due',
    )
    expect(dayMoneyText({ spentCents: 150_400, dueCents: 0 })).toBe('$1,504.00 paid')
  })
})

it('bookings of one day are together, and the days stay in their order', () => {
  const bookings = [
    aBooking({ id: 'a', date: '2027-01-02' }),
    aBooking({ id: 'b' }),
    aBooking({ id: 'c' }),
    aBooking({ id: 'd', date: '2027-06-01' }),
  ]
  const days = groupByDay(bookings).map(({ date, bookings: ofDay }) => [date, ...ofDay.map(({ id }) => id)])
  expect(days).toEqual([
    ['2027-01-02', 'a'],
    ['2027-05-15', 'b', 'c'],
    ['2027-06-01', 'd'],
  ])
})

describe('nextSteps', () => {
  const due = (state: CustomerDue['state']): CustomerDue => ({
    cents: 80_000,
    at: '2027-04-14T23:00:00Z',
    state,
    endsAt: '2027-04-21T23:00:00Z',
  })

  it('lists answers, charges and events, soonest first', () => {
    const steps = nextSteps(
      [
        aBooking({ id: 'party', due: due('scheduled') }),
        aBooking({ id: 'waits', status: 'pending', name: 'One Good Booth' }),
      ],
      9,
    )
    expect(steps.map((step) => `${nextStepDay(step)}: ${nextStepText(step)}`)).toEqual([
      'Wednesday 25 November 2026: One Good Booth will answer by 8:26 pm at the latest.',
      'Thursday 15 April 2027: $800.00 for Slow Circles is charged to your card.',
      'Saturday 15 May 2027: Your event with Slow Circles.',
    ])
    expect(nextSteps([aBooking(), aBooking({ due: due('scheduled') })], 2)).toHaveLength(2)
  })

  it.each(['failed', 'needs_customer', 'overdue'] as const)(
    'asks to pay what is %s, until the booking ends',
    (state) => {
      const [step] = nextSteps([aBooking({ due: due(state) })], 1)
      expect(step && nextStepText(step)).toBe(
        'Pay $800.00 for Slow Circles by Thursday 22 April 2027, 9:00 am, or the booking ends.',
      )
    },
  )

  it('skips bookings that don’t take place', () => {
    expect(nextSteps([aBooking({ status: 'declined' }), aBooking({ status: 'withdrawn' })], 9)).toEqual([])
  })
})

describe('shownCount', () => {
  it.each([
    [null, 10],
    ['30', 30],
    ['3', 10],
    ['999', 500],
    ['-5', 10],
    ['x', 10],
  ])('reads %s as %i bookings', (text, count) => {
    expect(shownCount(text, 'past')).toBe(count)
  })

  it('begins with 30 bookings ahead', () => {
    expect(shownCount(null, 'upcoming')).toBe(30)
    expect(shownCount('60', 'upcoming')).toBe(60)
  })
})

describe('the sections of My Bookings', () => {
  const place = (id: string, date: string, change: Partial<BookingPlace> = {}): BookingPlace => ({
    id,
    date,
    time: '16:00',
    status: 'approved',
    timeZone: 'Australia/Melbourne',
    ...change,
  })
  const NOW = new Date('2027-03-12T14:30:00Z')

  it('hold each booking once: soonest first ahead, latest first otherwise', () => {
    const { upcoming, past, off } = sectionsOf(
      [
        place('later', '2027-05-01'),
        place('soon', '2027-03-20', { status: 'pending' }),
        place('soonest', '2027-03-20', { time: '09:00' }),
        place('old', '2026-01-01'),
        place('recent', '2027-03-01'),
        place('declined', '2027-06-01', { status: 'declined' }),
        place('withdrawn', '2026-06-01', { status: 'withdrawn' }),
      ],
      NOW,
    )
    expect(upcoming.map(({ id }) => id)).toEqual(['soonest', 'soon', 'later'])
    expect(past.map(({ id }) => id)).toEqual(['recent', 'old'])
    expect(off.map(({ id }) => id)).toEqual(['declined', 'withdrawn'])
  })

  it('follow the clock of the venue’s place', () => {
    // It is 1:30 am on the 13th in Melbourne, and 10:30 pm on the 12th in Perth.
    const places = [
      place('melbourne', '2027-03-12'),
      place('perth', '2027-03-12', { timeZone: 'Australia/Perth' }),
    ]
    const { upcoming, past } = sectionsOf(places, NOW)
    expect(upcoming.map(({ id }) => id)).toEqual(['perth'])
    expect(past.map(({ id }) => id)).toEqual(['melbourne'])
  })

  it('never end within a day, since each day is added up', () => {
    const places = [
      place('a', '2027-04-01'),
      place('b', '2027-04-02'),
      place('c', '2027-04-02'),
      place('d', '2027-04-03'),
    ]
    expect(firstDays(places, 2).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(firstDays(places, 9)).toHaveLength(4)
    expect(firstDays([], 2)).toEqual([])
  })
})
