import { describe, expect, it } from 'vitest'
import { aBookingForm } from '../../../tests/builders.ts'
import { PERSON_NAME_LINK } from '../../shared/form-texts.ts'
import {
  canMove,
  daysBeforeEvent,
  hasEventEnded,
  isFinal,
  isNearEvent,
  needsPhone,
  offeredDecisions,
  STATUS_MOVES,
  undecidedUntil,
} from './decisions/rules.ts'
import { FIELD_MESSAGES } from './field-messages.ts'
import { type BookingOffer, bookablePrice, checkBooking, defaultBookingType } from './form-rules.ts'
import { DECLINE_REASON_MISSING, DECLINE_REASON_SHORT, paymentTerms } from './messages.ts'
import {
  type BookingRefund,
  calendarVersion,
  mergeRefunds,
  type StoredBooking,
  toListedBooking,
} from './rules.ts'
import { bookingFieldErrors, bookingSchema, declineReasonSchema, paymentRequestSchema } from './schema.ts'
import { type BookingStatus, needsReason } from './status-rules.ts'

const offer: BookingOffer = {
  priceCents: 4_550,
  priceUnit: 'perPerson',
  secondPrice: { unit: 'perHour', cents: 21_000 },
  timeZone: 'Australia/Melbourne',
}
const byTheHour: BookingOffer = { ...offer, priceUnit: 'perHour', secondPrice: null }
const now = new Date('2026-11-20T01:00:00Z')

const bookableTotal = (...asked: Parameters<typeof bookablePrice>) =>
  bookablePrice(...asked)?.totalCents ?? null

describe('bookablePrice', () => {
  const people = (quantity: number, maxGuests: number | null = null, priceCents = 4_550) =>
    bookableTotal({ ...offer, priceCents }, { quantity, bookingType: 'perPerson' }, maxGuests)
  const hours = (quantity: number, maxGuests: number | null = null) =>
    bookableTotal(offer, { quantity, bookingType: 'perHour' }, maxGuests)

  it('returns price times quantity up to each limit', () => {
    expect([people(1), people(10_000), people(80, 80)]).toEqual([4_550, 45_500_000, 364_000])
    // The guest limit doesn't apply to hours.
    expect([hours(24), hours(24, 10)]).toEqual([504_000, 504_000])
    expect([people(1, null, 50), people(1, null, 99_999_999)]).toEqual([50, 99_999_999])
  })
  it('returns null for a quantity that can’t be booked', () => {
    for (const quantity of [Number.NaN, 0, -1, 1.5, 10_001]) expect(people(quantity)).toBeNull()
    expect([people(81, 80), hours(25), hours(0)]).toEqual([null, null, null])
    expect(bookableTotal(byTheHour, { quantity: 1, bookingType: 'perPerson' }, null)).toBeNull()
    expect([people(1, null, 49), people(2, null, 50_000_000)]).toEqual([null, null])
  })
})

describe('checkBooking', () => {
  it('accepts a valid booking', () => {
    expect(checkBooking(aBookingForm(), offer, now)).toEqual({})
  })
  it('refuses a booking type that the listing does not take', () => {
    expect(checkBooking(aBookingForm(), byTheHour, now)).toEqual({
      bookingType: FIELD_MESSAGES.bookingTypeNotOffered,
    })
  })
  it('refuses a booking type that has no price of its own', () => {
    const perHour = aBookingForm({ bookingType: 'perHour', quantity: 4 })
    expect(checkBooking(perHour, offer, now)).toEqual({})
    expect(checkBooking(perHour, { ...offer, secondPrice: null }, now)).toEqual({
      bookingType: FIELD_MESSAGES.bookingTypeNotOffered,
    })
  })
  it('limits the total by the price of the chosen unit', () => {
    const dear = { ...offer, secondPrice: { unit: 'perHour', cents: 50_000_000 } } as const
    const total = (bookingType: 'perPerson' | 'perHour') =>
      checkBooking(aBookingForm({ bookingType, quantity: 2 }), dear, now)
    expect(total('perPerson')).toEqual({})
    expect(total('perHour')).toEqual({ quantity: FIELD_MESSAGES.totalTooLarge })
  })
  it('limits the quantity to 24 hours or 10,000 people', () => {
    const perHour = (quantity: number) =>
      checkBooking(aBookingForm({ bookingType: 'perHour', quantity }), offer, now)
    expect(perHour(24)).toEqual({})
    expect(perHour(25)).toEqual({ quantity: FIELD_MESSAGES.hoursTooMany })
    expect(checkBooking(aBookingForm({ quantity: 10_000 }), offer, now)).toEqual({})
    expect(checkBooking(aBookingForm({ quantity: 10_001 }), offer, now)).toEqual({
      quantity: FIELD_MESSAGES.peopleTooMany,
    })
  })
  it('limits the total to $0.50 at least and $999,999.99 at most', () => {
    const total = (priceCents: number, quantity = 1) =>
      checkBooking(aBookingForm({ quantity }), { ...offer, priceCents }, now)
    expect(total(49)).toEqual({ quantity: FIELD_MESSAGES.totalTooSmall })
    expect(total(50)).toEqual({})
    expect(total(99_999_999)).toEqual({})
    expect(total(50_000_000, 2)).toEqual({ quantity: FIELD_MESSAGES.totalTooLarge })
  })
  it("compares the event with the venue's clock, not ours", () => {
    // It is noon on 20 November in Melbourne.
    const at = (date: string, time: string) => checkBooking(aBookingForm({ date, time }), offer, now)
    expect(at('2026-11-19', '23:59')).toEqual({ date: FIELD_MESSAGES.datePast })
    expect(at('2026-11-20', '12:00')).toEqual({ time: FIELD_MESSAGES.timePast })
    expect(at('2026-11-20', '12:01')).toEqual({})
    const late = new Date('2026-11-19T14:00:00Z')
    expect(checkBooking(aBookingForm({ date: '2026-11-19' }), offer, late)).toEqual({
      date: FIELD_MESSAGES.datePast,
    })
    expect(
      checkBooking(
        aBookingForm({ date: '2026-11-19', time: '23:30' }),
        { ...offer, timeZone: 'Australia/Perth' },
        late,
      ),
    ).toEqual({})
  })
})

describe('bookingSchema', () => {
  const errorsOf = (overrides: object) => {
    const parsed = bookingSchema.safeParse({ ...aBookingForm(), ...overrides })
    return parsed.success ? {} : bookingFieldErrors(parsed.error)
  }
  it('accepts a complete form and trims it', () => {
    expect(bookingSchema.parse({ ...aBookingForm(), fullName: '  Kim Lee ' })).toEqual(aBookingForm())
  })
  it.each([
    [{ fullName: ' ' }, { fullName: FIELD_MESSAGES.fullNameMissing }],
    [{ email: 'kim' }, { email: FIELD_MESSAGES.emailWrong }],
    [{ email: 'kim@gmail' }, { email: FIELD_MESSAGES.emailWrong }],
    [{ email: '' }, { email: FIELD_MESSAGES.emailMissing }],
    [{ phone: '' }, { phone: FIELD_MESSAGES.phoneMissing }],
    [{ phone: '------' }, { phone: FIELD_MESSAGES.phoneMissing }],
    [{ phone: 'call my sister' }, { phone: FIELD_MESSAGES.phoneMissing }],
    [{ date: '2027-02-31' }, { date: FIELD_MESSAGES.dateWrong }],
    [{ date: '' }, { date: FIELD_MESSAGES.dateMissing }],
    [{ time: '25:00' }, { time: FIELD_MESSAGES.timeWrong }],
    [{ quantity: 0 }, { quantity: FIELD_MESSAGES.quantityMissing }],
    [{ quantity: 1.5 }, { quantity: FIELD_MESSAGES.quantityMissing }],
    [{ quantity: -1 }, { quantity: FIELD_MESSAGES.quantityMissing }],
    [{ quantity: '3' }, { quantity: FIELD_MESSAGES.quantityMissing }],
    [{ quantity: Number.NaN }, { quantity: FIELD_MESSAGES.quantityMissing }],
    [{ quantity: 1e9 }, { quantity: FIELD_MESSAGES.peopleTooMany }],
    [{ quantity: 25, bookingType: 'perHour' }, { quantity: FIELD_MESSAGES.hoursTooMany }],
    [{ bookingType: 'perDay' }, { bookingType: FIELD_MESSAGES.bookingTypeMissing }],
    [{ fullName: 'Kim\u0000Lee' }, { fullName: FIELD_MESSAGES.unreadable }],
    [{ phone: '04\ud800' }, { phone: FIELD_MESSAGES.unreadable }],
    [{ fullName: 'x'.repeat(81) }, { fullName: FIELD_MESSAGES.tooLong }],
    [{ fullName: 'Kim\u2028Lee' }, { fullName: FIELD_MESSAGES.unreadable }],
    [{ fullName: 'Kim of evil.example' }, { fullName: PERSON_NAME_LINK }],
    [
      { fullName: null, email: 3 },
      { fullName: FIELD_MESSAGES.fullNameMissing, email: FIELD_MESSAGES.emailMissing },
    ],
  ])('refuses %j with a message for each field', (overrides, errors) => {
    expect(errorsOf(overrides)).toEqual(errors)
  })
  it('accepts only a submit key of full length and a well-formed business id', () => {
    const request = { amount: 1, submitKey: crypto.randomUUID(), businessId: 'a-b', booking: {} }
    expect(paymentRequestSchema.safeParse(request).success).toBe(true)
    expect(paymentRequestSchema.safeParse({ ...request, submitKey: 'short' }).success).toBe(false)
    expect(paymentRequestSchema.safeParse({ ...request, businessId: 'a\u0000' }).success).toBe(false)
    expect(paymentRequestSchema.safeParse({ ...request, booking: [] }).success).toBe(false)
  })
})

describe('decisions', () => {
  it('allow these moves and no others', () => {
    const all: BookingStatus[] = ['pending', 'approved', 'declined', 'withdrawn']
    const moves = all.flatMap((from) =>
      (Object.keys(STATUS_MOVES) as (keyof typeof STATUS_MOVES)[])
        .filter((to) => canMove(from, to))
        .map((to) => `${from} to ${to}`),
    )
    expect(moves.sort()).toEqual([
      'approved to declined',
      'approved to withdrawn',
      'declined to approved',
      'pending to approved',
      'pending to declined',
      'pending to withdrawn',
    ])
  })
  it('leave out the present status, and are empty once the status is final', () => {
    const ahead = { isEventOver: false }
    expect(offeredDecisions({ ...ahead, status: 'pending', refund: null })).toEqual(['approved', 'declined'])
    expect(offeredDecisions({ ...ahead, status: 'approved', refund: null })).toEqual(['declined'])
    expect(offeredDecisions({ ...ahead, status: 'declined', refund: { state: 'due' } })).toEqual(['approved'])
    expect(offeredDecisions({ ...ahead, status: 'declined', refund: { state: 'claimed' } })).toEqual([])
    expect(offeredDecisions({ ...ahead, status: 'withdrawn', refund: { state: 'due' } })).toEqual([])
    expect(isFinal({ ...ahead, status: 'declined', refund: { state: 'done' } })).toBe(true)
  })
  it('stand once the event is over, except that a pending booking may still be decided', () => {
    const over = { isEventOver: true }
    expect(offeredDecisions({ ...over, status: 'pending', refund: null })).toEqual(['approved', 'declined'])
    expect(offeredDecisions({ ...over, status: 'approved', refund: null })).toEqual([])
    expect(offeredDecisions({ ...over, status: 'declined', refund: { state: 'due' } })).toEqual([])
  })
  it('need a reason only to decline what was approved', () => {
    expect(needsReason('approved', 'declined')).toBe(true)
    expect(needsReason('pending', 'declined')).toBe(false)
    expect(needsReason('declined', 'approved')).toBe(false)
  })
  it('default to a booking type that the listing takes', () => {
    expect(defaultBookingType(byTheHour)).toBe('perHour')
    expect(defaultBookingType({ ...byTheHour, secondPrice: { unit: 'perPerson', cents: 1 } })).toBe(
      'perPerson',
    )
  })
  it('fall due after two days, a day before the event, or at a near event’s start', () => {
    const created = new Date('2027-01-01T00:00:00Z')
    const until = (event: string) => undecidedUntil(created, new Date(event)).toISOString()
    expect(until('2027-02-01T00:00:00Z')).toBe('2027-01-03T00:00:00.000Z')
    expect(until('2027-01-03T00:00:00Z')).toBe('2027-01-02T00:00:00.000Z')
    expect(until('2027-01-01T12:00:00Z')).toBe('2027-01-01T12:00:00.000Z')
  })
})

describe('the terms beside the payment', () => {
  it('have the time that the vendor has to answer', () => {
    const said = (hours: number) => paymentTerms(hours * 3_600_000)[0]
    expect(said(48)).toMatch(/^The vendor answers within two days\./)
    expect(said(72)).toMatch(/^The vendor answers within 72 hours\./)
    expect(said(1)).toMatch(/^The vendor answers within 1 hour\./)
    expect(said(0.5)).toMatch(/^The vendor answers within 30 minutes\./)
  })
})

describe('an event', () => {
  // Daylight saving ends in Melbourne on 4 April 2027 at 3 am.
  const event = { from: '2027-04-03T07:00:00.000Z', until: '2027-04-03T17:30:00.000Z' }
  const zone = 'Australia/Melbourne'

  it('counts as over from the moment of its end', () => {
    expect(hasEventEnded(event, new Date('2027-04-03T17:29:59.999Z'))).toBe(false)
    expect(hasEventEnded(event, new Date('2027-04-03T17:30:00.000Z'))).toBe(true)
  })

  it('shows the customer’s phone number until a week after its end, unless it was called off', () => {
    const needs = (now: string, status: 'pending' | 'approved' | 'declined' | 'withdrawn' = 'approved') =>
      needsPhone({ status, event }, new Date(now))
    expect(needs('2027-04-10T17:29:59.999Z')).toBe(true)
    expect(needs('2027-04-10T17:30:00.000Z')).toBe(false)
    expect(needs('2027-03-01T00:00:00.000Z', 'pending')).toBe(true)
    expect(needs('2027-03-01T00:00:00.000Z', 'declined')).toBe(false)
    expect(needs('2027-03-01T00:00:00.000Z', 'withdrawn')).toBe(false)
  })

  it('counts as near from exactly 30 days before its beginning, and stays so', () => {
    expect(isNearEvent(event, new Date('2027-03-04T06:59:59.999Z'))).toBe(false)
    expect(isNearEvent(event, new Date('2027-03-04T07:00:00.000Z'))).toBe(true)
    expect(isNearEvent(event, new Date('2027-04-04T00:00:00.000Z'))).toBe(true)
  })

  it('counts the days before it by the venue’s calendar, down to 0', () => {
    // Midnight in Melbourne is 1 pm UTC.
    expect(daysBeforeEvent(new Date('2027-04-01T12:59:59Z'), '2027-04-03', zone)).toBe(2)
    expect(daysBeforeEvent(new Date('2027-04-01T13:00:00Z'), '2027-04-03', zone)).toBe(1)
    expect(daysBeforeEvent(new Date('2027-04-03T12:00:00Z'), '2027-04-03', zone)).toBe(0)
    expect(daysBeforeEvent(new Date('2027-04-05T00:00:00Z'), '2027-04-03', zone)).toBe(0)
  })
})

describe('the reason of a decline', () => {
  const messageOf = (reason: unknown) => {
    const parsed = declineReasonSchema.safeParse({ reason })
    return parsed.success ? parsed.data.reason : parsed.error.issues.map(({ message }) => message)
  }
  it.each([
    ['123456789', [DECLINE_REASON_SHORT]],
    ['1234567890', '1234567890'],
    ['x'.repeat(500), 'x'.repeat(500)],
    ['x'.repeat(501), ['Use at most 500 characters.']],
    ['', [DECLINE_REASON_MISSING]],
    ['          \n', [DECLINE_REASON_MISSING]],
    [undefined, [DECLINE_REASON_MISSING]],
    ['The roof\0 leaks', ['This has a character that we can’t store. Type it again.']],
  ])('needs 10 to 500 characters that can be stored: %j', (typed, answer) => {
    expect(messageOf(typed)).toEqual(answer)
  })

  it('becomes one line, so that it can’t add paragraphs to a mail', () => {
    expect(messageOf('The roof leaks.\r\n\r\nPay me\u202e directly.')).toBe(
      'The roof leaks. Pay me  directly.',
    )
  })
})

describe('toListedBooking', () => {
  it('converts the observed record into the observed list shape', () => {
    const stored: StoredBooking = {
      vendorId: 'walled-garden',
      vendorName: 'The Walled Garden',
      customerName: 'Kim Lee',
      email: 'kim@example.com',
      phone: '0411 222 333',
      date: '2027-03-13',
      time: '16:00',
      quantity: 10,
      bookingType: 'perPerson',
      totalPrice: '455.00',
      paymentStatus: 'paid',
      paymentId: 'sb_1',
      createdAt: '2026-11-20T01:00:00.000Z',
      status: 'pending',
    }
    expect(toListedBooking(stored)).toEqual({
      businessId: 'walled-garden',
      name: 'Kim Lee',
      email: 'kim@example.com',
      date: '2027-03-13',
      time: '16:00',
      message: undefined,
      status: 'pending',
      createdAt: '2026-11-20T01:00:00.000Z',
    })
  })
})

describe('the version of a booking in calendars', () => {
  const bookedAt = new Date('2026-11-20T01:00:00.000Z')
  const since = (ms: number) => new Date(bookedAt.getTime() + ms)
  const of = (decidedMs: number | null, changes = 0, changedMs: number | null = null) =>
    calendarVersion({
      bookedAt,
      decidedAt: decidedMs === null ? null : since(decidedMs),
      changes,
      changedAt: changedMs === null ? null : since(changedMs),
    })

  it('grows with each decision, also when it is taken back, and with each change', () => {
    const steps = [
      of(null),
      of(1),
      of(60_000),
      of(60_000, 1, 90_000),
      of(90_001, 1, 90_000),
      of(3_600_000, 2, 5e6),
    ]
    const sequences = steps.map(({ sequence }) => sequence)
    expect(sequences).toEqual([0, 1, 60, 61, 92, 3_602])
  })

  it('carries the time of the last decision or change', () => {
    expect(of(null).changedAt).toEqual(bookedAt)
    expect(of(60_000, 1, 90_000).changedAt).toEqual(since(90_000))
    expect(of(120_000, 1, 90_000).changedAt).toEqual(since(120_000))
  })
})

describe('the refunds of the end of a booking', () => {
  const refund = (given: Partial<BookingRefund>): BookingRefund => ({
    state: 'done',
    resolution: null,
    amountCents: 100,
    waitingCents: 0,
    dueAt: new Date('2026-11-20T01:00:00Z'),
    doneAt: null,
    reason: 'withdrawn',
    ...given,
  })
  const shown = (...refunds: BookingRefund[]) =>
    mergeRefunds(refunds).map(({ state, amountCents, waitingCents }) => [state, amountCents, waitingCents])

  it('add up to one while they share a state', () => {
    expect(shown()).toEqual([])
    expect(shown(refund({}), refund({ amountCents: 400 }))).toEqual([['done', 500, 0]])
  })

  it('stay apart once the bank has sent one back, or it was paid another way', () => {
    const failed = refund({ state: 'failed' })
    expect(shown(refund({ amountCents: 400 }), failed)).toEqual([
      ['failed', 100, 0],
      ['done', 400, 0],
    ])
    expect(shown(failed, refund({ state: 'failed', resolution: 'paid_otherwise' }))).toHaveLength(2)
  })

  it('stay apart when one was ordered again', () => {
    const again = refund({ dueAt: new Date('2026-11-25T01:00:00Z') })
    expect(shown(refund({ amountCents: 400 }), again)).toEqual([
      ['done', 100, 0],
      ['done', 400, 0],
    ])
  })

  it('tell the part that waits for the bank with the most urgent of the others', () => {
    const waiting = refund({ state: 'due', amountCents: 30, waitingCents: 30 })
    expect(shown(waiting, refund({ amountCents: 400 }), refund({ state: 'sent' }))).toEqual([
      ['sent', 130, 30],
      ['done', 400, 0],
    ])
    expect(shown(waiting, waiting)).toEqual([['due', 60, 60]])
  })
})
