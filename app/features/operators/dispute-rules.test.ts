import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DISPUTE_STATUSES } from '../../adapters/payments/port.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { DOCUMENTS } from '../agreements/rules.ts'
import { type BookingMoney, NO_COMMISSION, NO_MONEY, sharesOf } from '../ledger/rules.ts'
import { costText, daysLeftText, reasonText, TERMS_QUOTES } from './dispute-messages.ts'
import {
  costOfLoss,
  daysLeft,
  disputeVersion,
  type EvidenceFacts,
  isAnswered,
  proposeEvidence,
  takesAcceptance,
  takesEvidence,
} from './dispute-rules.ts'

const NOW = new Date('2026-11-23T01:00:00Z')
const inMs = (ms: number) => new Date(NOW.getTime() + ms)

describe('a dispute', () => {
  it('takes evidence until its deadline, while the bank waits for it', () => {
    const taking = DISPUTE_STATUSES.filter((status) => takesEvidence({ status, evidenceDueAt: inMs(1) }, NOW))
    expect(taking).toEqual(['warning_needs_response', 'needs_response'])
    expect(takesEvidence({ status: 'needs_response', evidenceDueAt: NOW }, NOW)).toBe(false)
    expect(takesEvidence({ status: 'needs_response', evidenceDueAt: null }, NOW)).toBe(true)
  })

  it('can be accepted only while the bank has the money and waits for us', () => {
    expect(DISPUTE_STATUSES.filter((status) => takesAcceptance({ status }))).toEqual(['needs_response'])
  })

  it.each([
    ['waiting', 'needs_response', true],
    ['claimed', 'needs_response', true],
    ['sent', 'needs_response', true],
    // The inquiry that was answered has become a dispute.
    ['sent', 'warning_needs_response', false],
    ['refused', 'needs_response', false],
    ['dropped', 'needs_response', false],
  ] as const)('with an answer that is %s to %s is answered: %s', (state, answeredStatus, expected) => {
    expect(isAnswered({ status: 'needs_response' }, { state, answeredStatus })).toBe(expected)
    expect(isAnswered({ status: 'needs_response' }, null)).toBe(false)
  })

  it('looks different to operators after each change', () => {
    const before = { status: 'needs_response', funds: 'withdrawn', amountCents: 100 } as const
    const answer = { id: 'a', state: 'waiting' } as const
    const views = [
      disputeVersion(before, null, 0),
      disputeVersion(before, null, 1),
      disputeVersion({ ...before, status: 'under_review' }, null, 0),
      disputeVersion({ ...before, funds: 'held' }, null, 0),
      disputeVersion({ ...before, amountCents: 101 }, null, 0),
      disputeVersion(before, answer, 0),
      disputeVersion(before, { ...answer, state: 'dropped' }, 0),
      disputeVersion(before, { ...answer, id: 'b' }, 0),
    ]
    expect(new Set(views).size).toBe(views.length)
  })

  it.each([
    [10 * DAY_MS, 10, '10 days left'],
    [2 * DAY_MS - 1, 1, '1 day left'],
    [DAY_MS - 1, 0, 'less than a day left'],
    [1, 0, 'less than a day left'],
    [0, null, 'the deadline has passed'],
    [-1, null, 'the deadline has passed'],
  ])('%i ms before its deadline has %s full days', (ms, days, text) => {
    expect(daysLeft(inMs(ms), NOW)).toBe(days)
    expect(daysLeftText(days)).toBe(text)
  })

  it('names a reason that is newer than our list', () => {
    expect(reasonText('fraudulent')).toBe('The customer says that they didn’t make this payment.')
    expect(reasonText('moon_phase')).toBe('The bank’s reason: moon phase.')
    expect(reasonText('constructor')).toBe('The bank’s reason: constructor.')
  })
})

describe('a lost dispute', () => {
  const terms = { basisPoints: 1_000, isGstRegistered: true }
  const money = (given: Partial<BookingMoney>): BookingMoney => ({
    ...NO_MONEY,
    chargedCents: 45_500,
    ...given,
  })

  it('costs the vendor their share and us the commission', () => {
    const cost = { vendorCents: 40_950, commissionCents: 4_550, oursCents: 0 }
    expect(costOfLoss(45_500, money({ disputedCents: 45_500 }), terms)).toEqual(cost)
    // An inquiry, whose money is still held or earned.
    expect(costOfLoss(45_500, money({ heldCents: 45_500 }), terms)).toEqual(cost)
    expect(costOfLoss(45_500, money({ kept: sharesOf(45_500, terms) }), terms)).toEqual(cost)
    expect(costText(cost)).toBe(
      'The vendor bears $409.50, and we give up $45.50 of commission. We also bear the provider’s dispute fee.',
    )
  })

  it('costs the vendor all of it without commission', () => {
    expect(costOfLoss(45_500, money({ disputedCents: 45_500 }), NO_COMMISSION)).toEqual({
      vendorCents: 45_500,
      commissionCents: 0,
      oursCents: 0,
    })
  })

  it('costs us what the booking no longer has', () => {
    // $300.00 was refunded before the bank took the whole price.
    const cost = costOfLoss(
      45_500,
      money({ refundedCents: 30_000, heldCents: -30_000, disputedCents: 45_500 }),
      terms,
    )
    expect(cost).toEqual({ vendorCents: 13_950, commissionCents: 1_550, oursCents: 30_000 })
    expect(costText(cost)).toContain('$300.00 is our loss, since the booking no longer has it.')
    const gone = costOfLoss(45_500, money({ refundedCents: 45_500 }), terms)
    expect(gone).toEqual({ vendorCents: 0, commissionCents: 0, oursCents: 45_500 })
    expect(costText(gone)).toMatch(/^\$455\.00 is our loss/)
  })

  it('costs the parts that add up to the amount, for a part and at odd cents', () => {
    for (const amountCents of [1, 99, 10_001, 45_499, 45_501]) {
      const { vendorCents, commissionCents, oursCents } = costOfLoss(
        amountCents,
        money({ disputedCents: 45_500 }),
        { basisPoints: 1_333, isGstRegistered: false },
      )
      expect(vendorCents + commissionCents + oursCents).toBe(amountCents)
      expect(Math.min(vendorCents, commissionCents, oursCents)).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('the proposed evidence', () => {
  const facts: EvidenceFacts = {
    brand: 'Jubilee',
    businessName: 'Harbour Light',
    place: 'Williamstown VIC',
    span: 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time',
    quantity: '10 people',
    total: '$455.00',
    isEventOver: true,
    bookingStatus: 'approved',
    terms: { version: '2026-11-01', acceptedAt: 'Monday 23 November 2026, 9:00 am', quote: 'No.' },
    refunds: [],
    events: [
      { at: 'Monday', what: 'The customer paid', detail: 'pi_1' },
      { at: 'Tuesday', what: 'It was approved', detail: '' },
    ],
    vendorWords: [],
  }

  it('states the sale, the accepted terms and what happened', () => {
    const texts = proposeEvidence(facts)
    expect(texts.product).toContain('Harbour Light, Williamstown VIC: Saturday 14 March 2027')
    expect(texts.product).toContain('for 10 people. The customer paid $455.00.')
    expect(texts.serviceDate).toBe(facts.span)
    expect(texts.terms).toContain('version 2026-11-01 of our Terms of Service on Monday 23 November 2026')
    expect(texts.terms).toContain('They say: “No.”')
    expect(texts.statement).toBe('Monday: The customer paid. pi_1\nTuesday: It was approved')
  })

  it('claims nothing about a booking that was not approved, or terms that are not known', () => {
    const texts = proposeEvidence({ ...facts, bookingStatus: 'pending', terms: null })
    expect([texts.refusal, texts.terms]).toEqual(['', ''])
    expect(proposeEvidence({ ...facts, bookingStatus: null }).refusal).toBe('')
    const unquoted = { version: 'v', acceptedAt: 'today', quote: null }
    expect(proposeEvidence({ ...facts, terms: unquoted }).terms).not.toContain('They say')
  })

  it('says whether the event is over, and what was refunded', () => {
    expect(proposeEvidence(facts).refusal).toMatch(/the time of the event is over.* Nothing was refunded\.$/)
    const before = proposeEvidence({
      ...facts,
      isEventOver: false,
      refunds: ['$1.00 on Monday', '$2.00 on Friday'],
    })
    expect(before.refusal).toMatch(/keeps the time .* We refunded \$1\.00 on Monday, \$2\.00 on Friday\.$/)
  })

  it('quotes the terms in force word for word', () => {
    const text = readFileSync('legal/terms-of-service.md', 'utf8').replaceAll(/\s+/g, ' ')
    for (const part of (TERMS_QUOTES[DOCUMENTS.customer_terms.version] ?? '').split(' […] '))
      expect(text).toContain(part)
  })
})
