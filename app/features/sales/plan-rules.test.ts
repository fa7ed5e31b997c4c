import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { cancellationQuote, MIN_INSTALMENT_CENTS, POLICIES } from '../terms/rules.ts'
import {
  canExtend,
  expiresBefore,
  firstTryAt,
  isPayable,
  nextTryAt,
  overdueAt,
  reductionOf,
  remindAt,
  unpaidSinceAfter,
  vendorNoticesDue,
} from './plan-rules.ts'

const MELBOURNE = 'Australia/Melbourne'
const at = (date: string, time = '09:00', timeZone = MELBOURNE) => wallTimeToUtc(date, time, timeZone)
const wall = (instant: Date | null) => instant && wallTimeAt(instant, MELBOURNE)
/** Melbourne's clocks go forward on 1 October 2028 and back on 1 April 2029. */
const DUE = at('2028-09-29')
const secondsAfter = (instant: Date, seconds: number) => new Date(instant.getTime() + seconds * 1_000)

describe('the reminder', () => {
  it('leaves at 09:00 by the venue’s clock 7 days before, also across a clock change', () => {
    expect(wall(remindAt(at('2028-10-03'), MELBOURNE))).toEqual({ date: '2028-09-26', time: '09:00' })
    expect(wall(remindAt(at('2029-04-03'), MELBOURNE))).toEqual({ date: '2029-03-27', time: '09:00' })
  })
})

describe('the first charge', () => {
  it('happens when the instalment is due', () => {
    expect(firstTryAt(DUE, remindAt(DUE, MELBOURNE), MELBOURNE)).toEqual(DUE)
    expect(firstTryAt(DUE, secondsAfter(DUE, -86_400), MELBOURNE)).toEqual(DUE)
  })

  it('waits for a morning at least 24 hours after a late reminder', () => {
    expect(wall(firstTryAt(DUE, secondsAfter(DUE, -86_399), MELBOURNE))).toEqual({
      date: '2028-09-30',
      time: '09:00',
    })
    expect(wall(firstTryAt(DUE, DUE, MELBOURNE))).toEqual({ date: '2028-09-30', time: '09:00' })
    // The day of the clock change has 23 hours.
    expect(wall(firstTryAt(DUE, at('2028-09-30'), MELBOURNE))).toEqual({ date: '2028-10-02', time: '09:00' })
  })
})

describe('a refused card', () => {
  const declined = (attempts: number, now: Date, declineCode = 'generic_decline') =>
    wall(nextTryAt({ dueAt: DUE, unpaidSince: null, attempts, declineCode }, { now, timeZone: MELBOURNE }))

  it('gets another try at 09:00 by the venue’s clock after 1, 3 and 5 days, then no more', () => {
    expect(declined(1, DUE)).toEqual({ date: '2028-09-30', time: '09:00' })
    expect(declined(2, at('2028-09-30'))).toEqual({ date: '2028-10-02', time: '09:00' })
    expect(declined(3, at('2028-10-02'))).toEqual({ date: '2028-10-04', time: '09:00' })
    expect(declined(4, at('2028-10-04'))).toBeNull()
  })

  it('skips the mornings that passed while nothing could be tried', () => {
    expect(declined(1, at('2028-10-01', '12:00'))).toEqual({ date: '2028-10-02', time: '09:00' })
    expect(declined(1, at('2028-10-04'))).toBeNull()
  })

  it.each(['lost_card', 'stolen_card', 'expired_card', 'authentication_required'])(
    'gets no other try after %s',
    (declineCode) => {
      expect(declined(1, DUE, declineCode)).toBeNull()
    },
  )
})

describe('an unpaid instalment', () => {
  const UNPAID = { dueAt: DUE, unpaidSince: null, extendedAt: null, eventFrom: at('2029-01-01') }

  it('becomes overdue in the morning 7 days after it was due, and 7 days later with an extension', () => {
    const wallOf = (extendedAt: Date | null) => wall(overdueAt({ ...UNPAID, extendedAt }, MELBOURNE))
    expect(wallOf(null)).toEqual({ date: '2028-10-06', time: '09:00' })
    expect(wallOf(DUE)).toEqual({ date: '2028-10-13', time: '09:00' })
  })

  it('counts its days from the first refusal, where the first card was tried late', () => {
    const late = { ...UNPAID, unpaidSince: at('2028-10-10', '11:30') }
    expect(wall(overdueAt(late, MELBOURNE))).toEqual({ date: '2028-10-17', time: '09:00' })
    const refused = { ...late, attempts: 1, declineCode: 'generic_decline' }
    expect(wall(nextTryAt(refused, { now: at('2028-10-10', '11:30'), timeZone: MELBOURNE }))).toEqual({
      date: '2028-10-11',
      time: '09:00',
    })
  })

  it('becomes overdue a day before its event at the latest, and never with less than a day left', () => {
    const eventFrom = at('2028-10-13', '16:00')
    const endOf = (unpaidSince: Date) => overdueAt({ ...UNPAID, eventFrom, unpaidSince }, MELBOURNE)
    expect(wall(endOf(at('2028-10-06')))).toEqual({ date: '2028-10-13', time: '09:00' })
    expect(wall(endOf(at('2028-10-08')))).toEqual({ date: '2028-10-12', time: '16:00' })
    expect(wall(endOf(at('2028-10-11', '16:00')))).toEqual({ date: '2028-10-12', time: '16:00' })
    expect(endOf(at('2028-10-11', '16:01'))).toBeNull()
    expect(endOf(at('2028-10-20'))).toBeNull()
  })

  it('gets a new deadline only from a refusal that leaves less than a day of the old one', () => {
    const since = (refused: { unpaidSince: Date | null; attempts: number }, now: Date) =>
      unpaidSinceAfter({ ...UNPAID, ...refused }, { now, timeZone: MELBOURNE })
    expect(since({ unpaidSince: null, attempts: 1 }, at('2028-12-01'))).toEqual(at('2028-12-01'))
    expect(since({ unpaidSince: DUE, attempts: 2 }, at('2028-10-05'))).toEqual(DUE)
    expect(since({ unpaidSince: DUE, attempts: 2 }, at('2028-10-05', '09:01'))).toEqual(
      at('2028-10-05', '09:01'),
    )
    // Refused by an earlier version, which stored no day.
    expect(since({ unpaidSince: null, attempts: 2 }, at('2028-10-01'))).toEqual(DUE)
  })

  it('sends the vendor a notice on days 0, 3 and 6', () => {
    const due = (instant: Date) => vendorNoticesDue(DUE, instant, MELBOURNE)
    expect([secondsAfter(DUE, -1), DUE].map(due)).toEqual([0, 1])
    expect([secondsAfter(at('2028-10-02'), -1), at('2028-10-02')].map(due)).toEqual([1, 2])
    expect([secondsAfter(at('2028-10-05'), -1), at('2028-10-05'), at('2028-12-01')].map(due)).toEqual([
      2, 3, 3,
    ])
  })

  it('can be extended once, while the customer has to act and before it is overdue', () => {
    const extendable = (input: Partial<Parameters<typeof canExtend>[0]>, now = DUE) =>
      canExtend({ ...UNPAID, state: 'needs_customer', ...input }, { now, timeZone: MELBOURNE })
    expect(extendable({})).toBe(true)
    expect(extendable({ state: 'failed' })).toBe(true)
    expect(extendable({ extendedAt: DUE })).toBe(false)
    for (const state of ['scheduled', 'reminded', 'charging', 'paid', 'overdue', 'ended'] as const)
      expect(extendable({ state })).toBe(false)
    const end = overdueAt(UNPAID, MELBOURNE) ?? DUE
    expect([secondsAfter(end, -1), end].map((now) => extendable({}, now))).toEqual([true, false])
    expect(extendable({ eventFrom: DUE })).toBe(false)
  })

  it('can be paid until the booking is over', () => {
    expect((['scheduled', 'charging', 'overdue'] as const).map(isPayable)).toEqual([true, true, true])
    expect((['paid', 'ended'] as const).map(isPayable)).toEqual([false, false])
  })
})

describe('a saved card', () => {
  it('stays valid until the end of its month by the venue’s clock', () => {
    const card = { year: 2028, month: 9 }
    expect(expiresBefore(card, at('2028-09-30', '23:59'), MELBOURNE)).toBe(false)
    expect(expiresBefore(card, at('2028-10-01', '00:00'), MELBOURNE)).toBe(true)
    expect(expiresBefore({ year: 2027, month: 12 }, DUE, MELBOURNE)).toBe(true)
    expect(expiresBefore({ year: 2029, month: 1 }, DUE, MELBOURNE)).toBe(false)
  })
})

describe('a refund of a part', () => {
  const cents = fc.integer({ min: 1, max: 5_000_000 })

  it('comes off what is due, to nothing or to what a card can be charged', () => {
    const due = fc.integer({ min: MIN_INSTALMENT_CENTS, max: 5_000_000 })
    fc.assert(
      fc.property(due, cents, (dueCents, refundCents) => {
        const off = reductionOf(dueCents, refundCents)
        const left = dueCents - off
        expect(off).toBeLessThanOrEqual(refundCents)
        expect(left === 0 || left >= MIN_INSTALMENT_CENTS).toBe(true)
        // Less than the least charge is all that can go back instead.
        if (left > 0) expect(refundCents - off).toBeLessThan(MIN_INSTALMENT_CENTS)
      }),
    )
  })

  it('leaves a customer who cancels no worse off than before it', () => {
    const event = { date: '2028-10-21', time: '16:00', timeZone: MELBOURNE }
    const terms = { event, paidAt: new Date('2027-01-10T02:00:00Z'), tiers: POLICIES.moderate.tiers }
    const moment = fc
      .integer({ min: 0, max: 60 })
      .map((days) => new Date(at('2028-10-21', '15:00').getTime() - days * DAY_MS))
    fc.assert(
      fc.property(cents, cents, cents, moment, (paidCents, dueCents, refundCents, now) => {
        const off = reductionOf(dueCents, Math.min(refundCents, dueCents))
        const quote = (priceCents: number) =>
          cancellationQuote(terms, { priceCents, paidCents, by: 'customer' }, now)
        const before = quote(paidCents + dueCents)
        const after = quote(paidCents + dueCents - off)
        expect(after.refundCents + after.keptCents).toBe(paidCents)
        expect(after.keptCents).toBeLessThanOrEqual(before.keptCents)
        expect(after.uncollectedCents).toBe(dueCents - off)
      }),
    )
  })
})
