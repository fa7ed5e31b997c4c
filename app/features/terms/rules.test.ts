import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, wallTimeAt } from '../../shared/dates.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import {
  type AgreedTerms,
  agreedTermsOf,
  cancellationQuote,
  cancellationSteps,
  coolingOffUntil,
  DEFAULT_PLAN,
  daysBeforeStart,
  type EventStart,
  instalmentsOf,
  isQuoteGood,
  POLICIES,
  type PolicyName,
  planFor,
  QUOTE_LASTS_MS,
} from './rules.ts'

/** The acceptance example of the plan: $8,700.00 for a Saturday in October. */
const PRICE = 870_000
const EVENT: EventStart = { date: '2028-10-21', time: '16:00', timeZone: 'Australia/Melbourne' }
const PAID = new Date('2027-01-10T02:00:00Z')

function terms(policy: PolicyName, overrides: Partial<AgreedTerms> = {}): AgreedTerms {
  return { event: EVENT, paidAt: PAID, tiers: POLICIES[policy].tiers, ...overrides }
}

const allPaid = { priceCents: PRICE, paidCents: PRICE, by: 'customer' } as const
const secondsAfter = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1_000)

describe('a day before the event', () => {
  it('ends at the event’s own time of day, also where clocks change in between', () => {
    // Melbourne's clocks go forward on 1 October 2028.
    for (const days of [1, 7, 30, 90])
      expect(wallTimeAt(daysBeforeStart(EVENT, days), EVENT.timeZone)).toEqual({
        date: addDays(EVENT.date, -days),
        time: '16:00',
      })
    const hours = (daysBeforeStart(EVENT, 0).getTime() - daysBeforeStart(EVENT, 30).getTime()) / HOUR_MS
    expect(hours).toBe(30 * 24 - 1)
  })

  it('moves past an hour that the clock skips', () => {
    const event = { date: '2028-10-08', time: '02:30', timeZone: 'Australia/Melbourne' }
    expect(wallTimeAt(daysBeforeStart(event, 7), event.timeZone)).toEqual({
      date: '2028-10-01',
      time: '03:30',
    })
  })
})

describe('cancelling', () => {
  it.each([
    ['flexible', 7, 10_000, 5_000],
    ['flexible', 1, 5_000, 0],
    ['moderate', 30, 10_000, 5_000],
    ['moderate', 7, 5_000, 0],
    ['long', 90, 10_000, 5_000],
    ['long', 30, 5_000, 2_500],
    ['long', 14, 2_500, 0],
  ] as const)(
    'under %s gives a share until %i days before, and less a second later',
    (policy, days, share, next) => {
      const border = daysBeforeStart(EVENT, days)
      const shareAt = (at: Date) => cancellationQuote(terms(policy), allPaid, at).shareBasisPoints
      expect([shareAt(border), shareAt(secondsAfter(border, 1))]).toEqual([share, next])
    },
  )

  it('20 days ahead under moderate gives half of $8,700.00 back', () => {
    const at = daysBeforeStart(EVENT, 20)
    expect(cancellationQuote(terms('moderate'), allPaid, at)).toEqual({
      shareBasisPoints: 5_000,
      refundCents: 435_000,
      keptCents: 435_000,
      uncollectedCents: 0,
      until: daysBeforeStart(EVENT, 7),
    })
  })

  it('keeps no more than was paid, and never charges the rest', () => {
    const deposit = { ...allPaid, paidCents: 174_000 }
    expect(cancellationQuote(terms('moderate'), deposit, daysBeforeStart(EVENT, 20))).toMatchObject({
      refundCents: 0,
      keptCents: 174_000,
      uncollectedCents: 696_000,
    })
  })

  it('rounds a cent in the customer’s favour', () => {
    const odd = { priceCents: 101, paidCents: 101, by: 'customer' } as const
    expect(cancellationQuote(terms('moderate'), odd, daysBeforeStart(EVENT, 20)).refundCents).toBe(51)
  })

  it('gives everything back when the vendor cancels, even an hour before', () => {
    const at = secondsAfter(daysBeforeStart(EVENT, 0), -3_600)
    const quote = cancellationQuote(terms('long'), { ...allPaid, by: 'vendor' }, at)
    expect(quote).toMatchObject({ refundCents: PRICE, keptCents: 0 })
  })

  it('costs nothing for 48 hours after paying, if the event was 14 days or more away then', () => {
    const paidAt = daysBeforeStart(EVENT, 14)
    const near = terms('moderate', { paidAt })
    const until = new Date(paidAt.getTime() + 48 * HOUR_MS)
    expect(coolingOffUntil(near)).toEqual(until)
    expect(cancellationQuote(near, allPaid, until).refundCents).toBe(PRICE)
    expect(cancellationQuote(near, allPaid, secondsAfter(until, 1)).refundCents).toBe(PRICE / 2)
    expect(coolingOffUntil(terms('moderate', { paidAt: secondsAfter(paidAt, 1) }))).toBeNull()
  })

  it('refuses more that was paid than agreed', () => {
    const wrong = { ...allPaid, paidCents: PRICE + 1 }
    expect(() => cancellationQuote(terms('moderate'), wrong, PAID)).toThrow(RangeError)
  })

  it('never gives more back later, gives back what the steps say, and keeps the rest', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(POLICIES) as PolicyName[])),
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.nat(10_000),
        fc.constantFrom(
          'Australia/Melbourne',
          'Australia/Brisbane',
          'Australia/Lord_Howe',
          'Australia/Eucla',
        ),
        fc.integer({ min: 0, max: 700 }),
        fc.array(fc.integer({ min: 0, max: 700 * 24 }), { minLength: 2, maxLength: 8 }),
        (policy, priceCents, paidShare, timeZone, daysAhead, hours) => {
          const event = { ...EVENT, timeZone }
          const paidAt = daysBeforeStart(event, daysAhead)
          const agreed = terms(policy, { event, paidAt })
          const booking = {
            priceCents,
            paidCents: Math.floor((priceCents * paidShare) / 10_000),
            by: 'customer',
          } as const
          const refunds = hours
            .toSorted((one, other) => one - other)
            .map((hour) => {
              const quote = cancellationQuote(agreed, booking, new Date(paidAt.getTime() + hour * HOUR_MS))
              expect(quote.refundCents + quote.keptCents).toBe(booking.paidCents)
              expect(quote.keptCents).toBeGreaterThanOrEqual(0)
              expect(quote.refundCents).toBeGreaterThanOrEqual(0)
              return quote.refundCents
            })
          expect(refunds).toEqual(refunds.toSorted((one, other) => other - one))
          const steps = cancellationSteps(agreed)
          expect(steps.at(-1)).toEqual({ until: null, shareBasisPoints: 0 })
          const shares = steps.map(({ shareBasisPoints }) => shareBasisPoints)
          // Each step gives less than the one before it.
          expect(new Set(shares).size).toBe(shares.length)
          expect(shares).toEqual(shares.toSorted((one, other) => other - one))
        },
      ),
    )
  })
})

describe('a quote that was shown', () => {
  const shown = { refundCents: 100, keptCents: 50, at: new Date('2028-09-01T00:00:00Z') }
  const isGood = (ms: number, refundCents = 100, keptCents = 50) =>
    isQuoteGood(shown, { quote: { refundCents, keptCents }, at: new Date(shown.at.getTime() + ms) })

  it('holds for 15 minutes, unless it would now be lower', () => {
    expect(isGood(QUOTE_LASTS_MS)).toBe(true)
    expect(isGood(QUOTE_LASTS_MS, 101)).toBe(true)
    expect(isGood(QUOTE_LASTS_MS + 1)).toBe(false)
    expect(isGood(0, 99)).toBe(false)
  })

  it('stops holding once more is kept, as after a balance was charged', () => {
    expect(isGood(0, 100, 51)).toBe(false)
    expect(isGood(0, 400, 51)).toBe(false)
    expect(isGood(0, 150, 0)).toBe(true)
  })
})

describe('the terms of a sale', () => {
  it('have the event by the venue’s clock, on both sides of a change of clocks', () => {
    const sale = { timeZone: EVENT.timeZone, terms: { policy: { name: 'long', ...POLICIES.long } } } as const
    for (const [from, time] of [
      ['2028-09-30T06:00:00Z', '16:00'],
      ['2028-10-01T05:00:00Z', '16:00'],
    ] as const) {
      const agreed = agreedTermsOf({ ...sale, event: { from } }, PAID)
      expect(agreed).toEqual({
        event: { date: wallTimeAt(new Date(from), EVENT.timeZone).date, time, timeZone: EVENT.timeZone },
        paidAt: PAID,
        tiers: POLICIES.long.tiers,
      })
      expect(agreed && daysBeforeStart(agreed.event, 0)).toEqual(new Date(from))
    }
  })

  it('don’t exist for a sale from before there were terms', () => {
    expect(
      agreedTermsOf({ event: { from: '2028-10-01T05:00:00Z' }, timeZone: EVENT.timeZone, terms: null }, PAID),
    ).toBeNull()
  })
})

describe('the instalments', () => {
  it('split $8,700.00 with 20% now into $1,740.00, and $6,960.00 at 09:00 by the venue’s clock 30 days before', () => {
    const [deposit, balance] = instalmentsOf(PRICE, DEFAULT_PLAN, EVENT)
    expect(deposit).toEqual({ number: 1, cents: 174_000, dueAt: null })
    expect(balance).toMatchObject({ number: 2, cents: 696_000 })
    expect(wallTimeAt(balance?.dueAt ?? PAID, EVENT.timeZone)).toEqual({ date: '2028-09-21', time: '09:00' })
  })

  it('round the deposit to the nearest cent, and half of one up', () => {
    const deposit = (price: number, depositBasisPoints: number) =>
      instalmentsOf(price, { ...DEFAULT_PLAN, depositBasisPoints }, EVENT)[0]?.cents
    expect(deposit(8_702, 2_000)).toBe(1_740)
    expect(deposit(8_703, 2_000)).toBe(1_741)
    expect(deposit(1_020, 1_250)).toBe(128)
  })

  it('shrink to one where the deposit would be less than a card can be charged', () => {
    const cents = (price: number) =>
      instalmentsOf(price, { ...DEFAULT_PLAN, depositBasisPoints: 1_000 }, EVENT).map((one) => one.cents)
    expect(cents(500)).toEqual([50, 450])
    expect(cents(494)).toEqual([494])
  })

  it('always add up to the price, and none is empty', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.integer({ min: 1_000, max: 3_000 }),
        (priceCents, depositBasisPoints) => {
          const plan = { kind: 'deposit', depositBasisPoints, balanceDaysBefore: 30 } as const
          const parts = instalmentsOf(priceCents, plan, EVENT)
          expect(parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(priceCents)
          for (const { cents } of parts) expect(cents).toBeGreaterThan(0)
        },
      ),
    )
  })
})

describe('the plan that applies', () => {
  const days = (count: number) => daysBeforeStart(EVENT, count)
  const releasedAt = new Date(days(0).getTime() + (7 + 48) * HOUR_MS)
  const plan = (paidAt: Date, input: Partial<Parameters<typeof planFor>[0]> = {}) =>
    planFor({
      plan: { kind: 'full' },
      event: EVENT,
      releasedAt,
      paidAt,
      holdLimitMs: 85 * DAY_MS,
      ...input,
    })

  it('allows payment in full only where the money is held no longer than the limit', () => {
    const limit = new Date(releasedAt.getTime() - 85 * DAY_MS)
    expect(plan(limit)).toEqual({ kind: 'full' })
    expect(plan(secondsAfter(limit, -1))).toEqual(DEFAULT_PLAN)
    expect(plan(days(600), { holdLimitMs: null })).toEqual({ kind: 'full' })
  })

  it('requires payment in full where the balance would be due within a week', () => {
    const own = { kind: 'deposit', depositBasisPoints: 1_000, balanceDaysBefore: 14 } as const
    // By the venue's day: late in its evening, the day in UTC is still the one before.
    expect(plan(daysBeforeStart({ ...EVENT, time: '23:30' }, 21), { plan: own })).toEqual(own)
    expect(plan(daysBeforeStart({ ...EVENT, time: '00:30' }, 20), { plan: own })).toEqual({ kind: 'full' })
  })
})
