import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant } from '../../shared/dates.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import {
  type AgreedTerms,
  agreeTerms,
  cancellationQuote,
  DEFAULT_PLAN,
  daysBeforeStart,
  type EventStart,
  type ListingTerms,
  POLICIES,
  type PolicyName,
  type SaleTerms,
} from './rules.ts'
import { cancellingText, cardConsent, payPlanText, stopText } from './timeline-messages.ts'
import { type LinePayment, type LineStop, timelineBefore, timelineOf } from './timeline-rules.ts'

/** $8,700.00 for a Saturday in October, when Melbourne's clocks have gone forward since the balance was due. */
const PRICE = 870_000
const EVENT: EventStart = { date: '2028-10-21', time: '16:00', timeZone: 'Australia/Melbourne' }
const PAID = new Date('2026-11-23T01:30:00Z')
const days = (count: number) => daysBeforeStart(EVENT, count)
const SITE = { brand: 'Jubilee', timeZone: EVENT.timeZone }
const BALANCE_AT = new Date('2028-09-20T23:00:00Z')

function saleTerms(listing: Partial<ListingTerms> = {}, now = PAID): SaleTerms {
  return agreeTerms({
    listing: { policy: 'moderate', plan: DEFAULT_PLAN, ...listing },
    priceCents: PRICE,
    event: EVENT,
    releasedAt: days(-3),
    now,
    holdLimitMs: null,
  })
}

const DEPOSIT: LinePayment = { cents: 174_000, at: PAID, state: 'paid' }
const BALANCE: LinePayment = { cents: 696_000, at: BALANCE_AT, state: 'scheduled' }

function line(input: Partial<Parameters<typeof timelineOf>[0]> = {}): LineStop[] {
  return timelineOf({
    terms: { event: EVENT, paidAt: PAID, tiers: POLICIES.moderate.tiers },
    payments: [DEPOSIT, BALANCE],
    now: days(200),
    ...input,
  })
}

/** The line as the table has it: 'day, time | what happens | what cancelling costs'. */
function read(stops: readonly LineStop[], isPaid = true): string[] {
  return stops.map(({ at, events, cancelling, mark }, index) =>
    [
      formatInstant(at, EVENT.timeZone).replace(/^\w+ /, ''),
      mark,
      stopText(events),
      cancelling && cancelling !== stops[index - 1]?.cancelling
        ? cancellingText(cancelling, EVENT.timeZone, isPaid)
        : '',
    ].join(' | '),
  )
}

describe('the line before paying', () => {
  it('shows deposit, balance, and what cancelling costs from when on', () => {
    expect(read(timelineBefore(saleTerms(), EVENT, PAID), false)).toEqual([
      '23 November 2026, 12:30 pm | now | Pay $1,740.00 | Cancelling is free until Thursday 21 September 2028, 4:00 pm',
      '21 September 2028, 9:00 am | next | $6,960.00 by the same card | ',
      '21 September 2028, 4:00 pm | next |  | Cancelling costs $4,350.00: you get $4,350.00 back',
      '14 October 2028, 4:00 pm | next |  | Cancelling costs $8,700.00: you get nothing back',
      '21 October 2028, 4:00 pm | next | Your event | ',
    ])
  })

  it('shows one payment where the price is paid in full', () => {
    const full = timelineBefore(saleTerms({ policy: 'flexible', plan: { kind: 'full' } }), EVENT, PAID)
    expect(read(full, false)).toEqual([
      '23 November 2026, 12:30 pm | now | Pay $8,700.00 | Cancelling is free until Saturday 14 October 2028, 4:00 pm',
      '14 October 2028, 4:00 pm | next |  | Cancelling costs $4,350.00: you get $4,350.00 back',
      '20 October 2028, 4:00 pm | next |  | Cancelling costs $8,700.00: you get nothing back',
      '21 October 2028, 4:00 pm | next | Your event | ',
    ])
  })

  it('shows the 48 hours after paying, where nothing else is free', () => {
    const now = days(20)
    expect(read(timelineBefore(saleTerms({}, now), EVENT, now), false)).toEqual([
      '1 October 2028, 4:00 pm | now | Pay $8,700.00 | Cancelling is free for 48 hours after you pay',
      '3 October 2028, 4:00 pm | next |  | Cancelling costs $4,350.00: you get $4,350.00 back',
      '14 October 2028, 4:00 pm | next |  | Cancelling costs $8,700.00: you get nothing back',
      '21 October 2028, 4:00 pm | next | Your event | ',
    ])
  })

  it('shows what cancelling costs at once when the event is near', () => {
    const now = days(3)
    expect(read(timelineBefore(saleTerms({}, now), EVENT, now), false)).toEqual([
      '18 October 2028, 4:00 pm | now | Pay $8,700.00 | Cancelling costs $8,700.00: you get nothing back',
      '21 October 2028, 4:00 pm | next | Your event | ',
    ])
  })

  it('never takes more than the deposit before the balance is due', () => {
    const plan = { kind: 'deposit', depositBasisPoints: 2_000, balanceDaysBefore: 14 } as const
    expect(read(timelineBefore(saleTerms({ plan }), EVENT, PAID), false)).toEqual([
      '23 November 2026, 12:30 pm | now | Pay $1,740.00 | Cancelling is free until Thursday 21 September 2028, 4:00 pm',
      '21 September 2028, 4:00 pm | next |  | Cancelling costs $1,740.00: you get nothing back',
      '7 October 2028, 9:00 am | next | $6,960.00 by the same card | Cancelling costs $4,350.00: you get $4,350.00 back',
      '14 October 2028, 4:00 pm | next |  | Cancelling costs $8,700.00: you get nothing back',
      '21 October 2028, 4:00 pm | next | Your event | ',
    ])
  })

  it('makes one stop of a payment and a tier at the same instant', () => {
    const event = { ...EVENT, time: '09:00' }
    const [, second] = timelineBefore(saleTerms(), event, PAID)
    expect(second?.events.map(({ kind }) => kind)).toEqual(['payment', 'tier'])
    expect(second?.cancelling).toMatchObject({ costCents: 435_000, backCents: 435_000 })
  })
})

describe('the line of a booking', () => {
  it('shows today between what was paid and what is due', () => {
    expect(read(line()).slice(0, 3)).toEqual([
      '23 November 2026, 12:30 pm | done | $1,740.00 paid | ',
      '4 April 2028, 4:00 pm | now |  | Cancelling is free until Thursday 21 September 2028, 4:00 pm',
      '21 September 2028, 9:00 am | next | $6,960.00 by the same card | ',
    ])
  })

  it('stays at its payment for the rest of that day, by the venue’s clock', () => {
    // 11:59 pm in Melbourne, and 1 am.
    const sameDay = line({ now: new Date('2026-11-23T12:59:00Z') })
    expect(sameDay[0]).toMatchObject({ mark: 'now', at: PAID })
    const dayAfter = line({ now: new Date('2026-11-23T14:00:00Z') })
    expect(dayAfter.map(({ mark }) => mark)).toEqual(['done', 'now', 'next', 'next', 'next', 'next'])
  })

  it('costs more from the first second after a share of the money back', () => {
    const payments: LinePayment[] = [DEPOSIT, { ...BALANCE, state: 'paid' }]
    const costAt = (at: Date) =>
      line({ now: at, payments }).find(({ mark }) => mark === 'now')?.cancelling?.costCents
    const border = days(30).getTime()
    expect([costAt(new Date(border - 1_000)), costAt(new Date(border + 1_000))]).toEqual([0, 435_000])
  })

  it('marks an overdue balance, and counts it as unpaid', () => {
    const late = line({ now: days(28), payments: [DEPOSIT, { ...BALANCE, state: 'overdue' }] })
    expect(read(late).slice(1, 3)).toEqual([
      '21 September 2028, 9:00 am | late | $6,960.00 overdue | ',
      '23 September 2028, 4:00 pm | now |  | Cancelling costs $1,740.00: you get nothing back',
    ])
  })

  it('leaves out the end of a share that makes cancelling no dearer', () => {
    const late = line({ now: days(28), payments: [DEPOSIT, { ...BALANCE, state: 'failing' }] })
    // Half of the price and all of it are both more than the deposit.
    expect(read(late)).toEqual([
      '23 November 2026, 12:30 pm | done | $1,740.00 paid | ',
      '21 September 2028, 9:00 am | late | $6,960.00 due. Your card wasn’t charged | ',
      '23 September 2028, 4:00 pm | now |  | Cancelling costs $1,740.00: you get nothing back',
      '21 October 2028, 4:00 pm | next | Your event | ',
    ])
    expect(late.find(({ mark }) => mark === 'now')?.cancelling?.until).toEqual(days(0))
  })

  it('says ‘Pay’ for a payment due now, and ‘by the same card’ for a later one', () => {
    const now = days(200)
    const due = (at: Date): LinePayment => ({ cents: 696_000, at, state: 'scheduled' })
    const texts = (payment: LinePayment) => read(line({ now, payments: [DEPOSIT, payment] }))
    expect(texts(due(now)).join()).toContain('| Pay $6,960.00 |')
    expect(texts(due(days(100))).join()).toContain('| $6,960.00 by the same card |')
  })

  it('takes a refund of a part off the price and off what was paid', () => {
    const refunds = [{ cents: 50_000, at: days(300), isDone: true, isByBank: false }]
    const stops = line({
      refunds,
      payments: [DEPOSIT, { ...BALANCE, at: days(250), state: 'paid' }],
      now: days(20),
    })
    expect(stops.find(({ mark }) => mark === 'now')?.cancelling).toMatchObject({
      costCents: 410_000,
      backCents: 410_000,
    })
    expect(stops.map(({ events }) => stopText(events))).toContain('$500.00 refunded')
  })

  it('takes what the bank has returned off what cancelling gives back', () => {
    const stops = line({
      refunds: [{ cents: 870_000, at: days(100), isDone: true, isByBank: true }],
      payments: [DEPOSIT, { ...BALANCE, at: days(250), state: 'paid' }],
      now: days(60),
    })
    expect(stops.find(({ mark }) => mark === 'now')?.cancelling).toMatchObject({ costCents: 0, backCents: 0 })
    expect(stops.map(({ events }) => stopText(events))).toContain('$8,700.00 returned by your bank')
  })

  it('gives a refund no date while it waits for the bank', () => {
    const stops = line({
      refunds: [{ cents: 50_000, at: null, isDone: false, isByBank: false }],
      payments: [DEPOSIT, { ...BALANCE, at: days(250), state: 'paid' }],
      now: days(20),
    })
    expect(stops.flatMap(({ events }) => events.map(({ kind }) => kind))).not.toContain('refund')
    expect(stops.find(({ mark }) => mark === 'now')?.cancelling).toMatchObject({ backCents: 410_000 })
  })

  it('shows no cost of cancelling after the event', () => {
    const after = line({ now: days(0), payments: [DEPOSIT, { ...BALANCE, state: 'paid' }] })
    expect(read(after)).toEqual([
      '23 November 2026, 12:30 pm | done | $1,740.00 paid | ',
      '21 September 2028, 9:00 am | done | $6,960.00 paid | ',
      '21 October 2028, 4:00 pm | done | Your event | ',
    ])
  })

  it('shows what was paid, what came back and what isn’t charged once it is called off', () => {
    const over = line({
      isCalledOff: true,
      payments: [DEPOSIT, { ...BALANCE, state: 'ended' }],
      refunds: [{ cents: 174_000, at: days(199), isDone: false, isByBank: false }],
    })
    expect(read(over)).toEqual([
      '23 November 2026, 12:30 pm | done | $1,740.00 paid | ',
      '5 April 2028, 4:00 pm | next | $1,740.00 to be refunded | ',
      '21 September 2028, 9:00 am | never | $6,960.00 won’t be charged | ',
      '21 October 2028, 4:00 pm | never | Your event | ',
    ])
  })

  it('costs what the quote says at every moment, and never less later while nothing is paid', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(POLICIES) as PolicyName[])),
        fc.constantFrom('Australia/Melbourne', 'Australia/Brisbane', 'Australia/Lord_Howe'),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 400 * 24 }),
        fc.constantFrom<ListingTerms['plan']>({ kind: 'full' }, DEFAULT_PLAN),
        (policy, timeZone, daysAhead, hours, plan) => {
          const event = { ...EVENT, timeZone }
          const now = daysBeforeStart(event, daysAhead)
          const terms: AgreedTerms = { event, paidAt: now, tiers: POLICIES[policy].tiers }
          const { instalments } = agreeTerms({
            listing: { policy, plan },
            priceCents: PRICE,
            event,
            releasedAt: now,
            now,
            holdLimitMs: null,
          })
          const payments = instalments.map(({ cents, dueAt }) => ({
            cents,
            at: dueAt === null ? now : new Date(dueAt),
            state: 'scheduled' as const,
          }))
          const stops = timelineOf({ terms, payments, now })
          expect(stops).toEqual(stops.toSorted((one, other) => one.at.getTime() - other.at.getTime()))
          const at = new Date(now.getTime() + hours * HOUR_MS)
          if (at >= daysBeforeStart(event, 0)) return
          const stretch = stops.findLast((stop, index) => (index === 0 ? stop.at <= at : stop.at < at))
          const paidCents = payments.reduce(
            (sum, { at: due, cents }) => (due < at || due === now ? sum + cents : sum),
            0,
          )
          const quote = cancellationQuote(terms, { priceCents: PRICE, paidCents, by: 'customer' }, at)
          expect(stretch?.cancelling?.costCents).toBe(quote.keptCents)
        },
      ),
    )
  })
})

describe('the words of a plan', () => {
  it('name what is paid today, and the rest with its date', () => {
    expect(payPlanText(saleTerms(), EVENT.timeZone)).toBe(
      'Pay $1,740.00 today, $6,960.00 on 21 September 2028 by the same card',
    )
    expect(cardConsent(saleTerms(), SITE)).toMatch(
      /^You agree that Jubilee .* charges it \$6,960\.00 on 21 September 2028/,
    )
  })

  it('stay empty for a price that is paid at once', () => {
    const full = saleTerms({ plan: { kind: 'full' } })
    expect([payPlanText(full, EVENT.timeZone), cardConsent(full, SITE)]).toEqual(['', null])
  })
})
