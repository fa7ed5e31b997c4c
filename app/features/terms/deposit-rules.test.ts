import { describe, expect, it } from 'vitest'
import { readMonths } from '../../shared/periods.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { depositText, payTodayText, payWhenText } from './deposit-messages.ts'
import { depositOf, depositOfTerms } from './deposit-rules.ts'
import type { PaymentPlan } from './rules.ts'

const now = new Date('2026-11-28T01:00:00Z')
const payoutTimes = { delayMs: 2 * DAY_MS, holdLimitMs: 85 * DAY_MS }
const IN_FULL: PaymentPlan = { kind: 'full' }
const A_FIFTH: PaymentPlan = { kind: 'deposit', depositBasisPoints: 2_000, balanceDaysBefore: 30 }
const PRICE = 1_595_000

const of = (
  date: string,
  {
    plan = A_FIFTH as PaymentPlan,
    time = '',
    priceCents = PRICE,
    paid = payoutTimes as typeof payoutTimes | null,
  } = {},
) => depositOf({ plan, priceCents, event: { date, time }, payoutTimes: paid, now })

describe('the deposit of a price', () => {
  it('adds up to the price with the rest, whose day it names', () => {
    const deposit = of('2027-11-13')
    expect(deposit).toEqual({
      basisPoints: 2_000,
      nowCents: 319_000,
      restCents: 1_276_000,
      rest: { daysBefore: 30, day: '2027-10-14' },
    })
    expect(deposit && depositText(deposit)).toBe('20% deposit: $3,190.00 today, the rest on 14 October 2027')
    expect(deposit && payTodayText(deposit)).toBe('$3,190.00 today, the rest on 14 October 2027')
  })

  it('follows the listing’s own plan while the day is unknown', () => {
    const deposit = of('')
    expect(deposit && depositText(deposit)).toBe('20% deposit: $3,190.00 today, the rest 30 days before')
    expect(of('', { plan: IN_FULL })).toBeNull()
  })

  it('ends 37 days before the event, when the rest would be due within a week', () => {
    expect(of('2027-01-04')?.rest.day).toBe('2026-12-05')
    expect(of('2027-01-03')).toBeNull()
  })

  it('is promised for a period only if its first and its last day have it, and the same', () => {
    const during = (months: string, weekday = '', plan: PaymentPlan = A_FIFTH) =>
      depositOf({
        plan,
        priceCents: PRICE,
        event: { date: '', time: '' },
        period: { months: readMonths(months) ?? { first: '', last: '' }, weekday },
        payoutTimes,
        now,
      })
    // Each day of December is less than 37 days ahead, and some of January are.
    expect(during('2026-12')).toBeNull()
    expect(during('2027-01')).toBeNull()
    expect(during('2027-01', 'Friday')).toBeNull()
    expect(during('2027-01', 'Monday')).toMatchObject({ nowCents: 319_000, rest: { day: null } })
    expect(during('2026-12..2027-11')).toBeNull()
    expect(during('2027-11')).toEqual(of(''))
    // Only the end of February is too far ahead to hold the whole price.
    expect(during('2027-01', '', IN_FULL)).toBeNull()
    expect(during('2027-02', '', IN_FULL)).toBeNull()
    expect(during('2027-03', 'Saturday', IN_FULL)).toEqual(of(''))
  })

  it('applies to every listing beyond the time for which money can be held, if we pay the vendors', () => {
    // The day ends 83 days from now at most, with two days until the vendor is paid.
    expect(of('2027-02-17', { plan: IN_FULL })).toBeNull()
    expect(of('2027-02-19', { plan: IN_FULL })?.basisPoints).toBe(2_000)
    expect(of('2027-02-19', { plan: IN_FULL, paid: null })).toBeNull()
  })

  it('needs a price large enough to divide', () => {
    expect(of('2027-11-13', { priceCents: 249 })?.nowCents).toBe(50)
    expect(of('2027-11-13', { priceCents: 245 })).toBeNull()
  })

  it('needs a day that hasn’t passed, up to the last one of the calendar', () => {
    expect(of('1001-01-01')).toBeNull()
    expect(of('9999-12-31')?.rest.day).toBe('9999-12-01')
  })

  it('comes from agreed terms once there are some', () => {
    const instalments = [
      { number: 1, cents: 319_000, dueAt: null },
      { number: 2, cents: 1_276_000, dueAt: '2027-10-13T22:00:00.000Z' },
    ]
    expect(depositOfTerms({ instalments }, 'Australia/Melbourne')).toMatchObject({
      nowCents: 319_000,
      rest: { day: '2027-10-14' },
    })
    expect(depositOfTerms({ instalments: instalments.slice(0, 1) }, 'Australia/Melbourne')).toBeNull()
  })
})

describe('when a booking is paid', () => {
  it('says that it is paid at once only where it is', () => {
    const say = (plan: PaymentPlan, date: string, paid: typeof payoutTimes | null = payoutTimes) =>
      payWhenText(plan, { deposit: of(date, { plan, paid }), isDated: date !== '', payoutTimes: paid })
    expect(say(A_FIFTH, '')).toBe('You pay a 20% deposit when you book.')
    expect(say(A_FIFTH, '2027-11-13')).toBe('You pay a 20% deposit when you book.')
    expect(say(A_FIFTH, '2026-12-24')).toBe('You pay when you book.')
    expect(say(IN_FULL, '2026-12-24')).toBe('You pay when you book.')
    expect(say(IN_FULL, '2027-11-13')).toBe('You pay a 20% deposit when you book.')
    expect(say(IN_FULL, '')).toBe('You pay when you book, or a 20% deposit for events far ahead.')
    expect(say(IN_FULL, '', null)).toBe('You pay when you book.')
    const inMonths = { deposit: null, isDated: false, hasMonths: true, payoutTimes }
    expect(payWhenText(A_FIFTH, inMonths)).toBe(
      'You pay when you book, or a 20% deposit for events far ahead.',
    )
  })
})
