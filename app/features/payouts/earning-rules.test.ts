import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../shared/time-units.ts'
import { NO_COMMISSION, NO_MONEY } from '../ledger/rules.ts'
import {
  addMonths,
  type Earning,
  type EarningTransfer,
  earningAmounts,
  earningState,
  earningSteps,
  financialYearStart,
  monthsSince,
  nextPayout,
  type ShareFacts,
  shareAfterRefunds,
} from './earning-rules.ts'
import { listingTerms, receiveText } from './rate-rules.ts'

const TERMS = { basisPoints: 1_000, isGstRegistered: true }
const NOW = new Date('2027-03-20T02:00:00Z')
const AMOUNTS = { priceCents: 1_000, backCents: 0, commissionCents: 100, gstCents: 9, yoursCents: 900 }
const TRANSFER: EarningTransfer = {
  state: 'made',
  heldReason: null,
  dueAt: new Date('2027-03-19T00:00:00Z'),
  amountCents: 900,
  nettedCents: 0,
  reversedCents: 0,
  madeAt: new Date('2027-03-19T00:01:00Z'),
  bank: null,
}

const KEPT = { cents: 870_000, commissionCents: 87_000, gstCents: 7_909 }

describe('shareAfterRefunds', () => {
  it('shares what is left once the ordered refunds have gone', () => {
    expect(shareAfterRefunds(AMOUNTS, 0, TERMS)).toBe(900)
    expect(shareAfterRefunds(AMOUNTS, 300, TERMS)).toBe(630)
    expect(shareAfterRefunds(AMOUNTS, 1_200, TERMS)).toBe(0)
  })
})

describe('earningAmounts', () => {
  it('shares what is held as it will be shared', () => {
    const money = { ...NO_MONEY, chargedCents: 870_000, heldCents: 870_000 }
    expect(earningAmounts(870_000, money, TERMS)).toEqual({
      priceCents: 870_000,
      backCents: 0,
      commissionCents: 87_000,
      gstCents: 7_909,
      yoursCents: 783_000,
    })
  })

  it('returns the posted commission once all is earned', () => {
    const kept = { cents: 500, commissionCents: 33, gstCents: 3 }
    const money = { ...NO_MONEY, chargedCents: 1_000, refundedCents: 500, kept }
    expect(earningAmounts(1_000, money, TERMS)).toMatchObject({
      backCents: 500,
      commissionCents: 33,
      gstCents: 3,
      yoursCents: 467,
    })
  })

  it.each([
    [
      'a refund that the operator bears, before the event',
      { coveredCents: 100_000, refundedCents: 100_000, heldCents: 870_000 },
      0,
      783_000,
    ],
    [
      'a refund that the operator bears, once the price is earned',
      { coveredCents: 100_000, refundedCents: 100_000, kept: KEPT },
      0,
      783_000,
    ],
    [
      'refunds at both sides’ cost',
      { coveredCents: 100_000, refundedCents: 300_000, heldCents: 670_000 },
      200_000,
      603_000,
    ],
    [
      'the whole price refunded at the operator’s cost',
      { coveredCents: 870_000, refundedCents: 870_000, kept: KEPT },
      0,
      783_000,
    ],
    ['a debt that was written off', { coveredCents: 783_000, refundedCents: 870_000 }, 870_000, 0],
    // A bank may take what was refunded before. The operator loses that.
    [
      'a refund that the bank took as well',
      { coveredCents: 870_000, refundedCents: 870_000, lostCents: 870_000 },
      870_000,
      0,
    ],
  ])('returns a sum that ends at the vendor’s share with %s', (_, given, backCents, yoursCents) => {
    const amounts = earningAmounts(870_000, { ...NO_MONEY, chargedCents: 870_000, ...given }, TERMS)
    expect(amounts).toMatchObject({ backCents, yoursCents })
    expect(amounts.priceCents - amounts.backCents - amounts.commissionCents).toBe(yoursCents)
  })

  it('takes nothing of a sale without commission, or without GST', () => {
    const money = { ...NO_MONEY, chargedCents: 999, heldCents: 999 }
    expect(earningAmounts(999, money, NO_COMMISSION)).toMatchObject({ commissionCents: 0, yoursCents: 999 })
    expect(earningAmounts(999, null, { basisPoints: 1_000, isGstRegistered: false })).toMatchObject({
      commissionCents: 100,
      gstCents: 0,
      yoursCents: 899,
    })
  })
})

describe('earningState', () => {
  const stateOf = (facts: Partial<ShareFacts>) =>
    earningState(
      {
        status: 'approved',
        eventUntil: new Date(NOW.getTime() - HOUR_MS),
        amounts: AMOUNTS,
        transfer: null,
        settledCents: 0,
        hasOpenDispute: false,
        hasRefundDue: false,
        ...facts,
      },
      NOW,
    )
  const ahead = new Date(NOW.getTime() + HOUR_MS)
  const nothingLeft = { ...AMOUNTS, backCents: 1_000, yoursCents: 0 }
  const bank = (state: 'paid' | 'failed' | 'pending') => ({ state, arrivesAt: NOW })

  it.each<[string, Partial<ShareFacts>, string]>([
    ['undecided', { status: 'pending' }, 'to_approve'],
    ['declined', { status: 'declined' }, 'refunded'],
    ['before its event', { eventUntil: new Date(NOW.getTime() + 1) }, 'held'],
    [
      'ahead, with its deposit sent',
      { eventUntil: ahead, transfer: TRANSFER, settledCents: 900 },
      'deposit_sent',
    ],
    ['ahead, with its balance paid', { eventUntil: ahead, transfer: TRANSFER, settledCents: 180 }, 'held'],
    [
      'ahead, with its deposit sent back by the bank',
      { eventUntil: ahead, transfer: { ...TRANSFER, bank: bank('failed') }, settledCents: 900 },
      'returned',
    ],
    ['at the end of its event', { eventUntil: NOW }, 'earned'],
    ['claimed', { transfer: { ...TRANSFER, state: 'claimed', madeAt: null } }, 'on_its_way'],
    ['sent', { transfer: TRANSFER }, 'on_its_way'],
    ['in transit', { transfer: { ...TRANSFER, bank: bank('pending') } }, 'on_its_way'],
    ['at the bank', { transfer: { ...TRANSFER, bank: bank('paid') } }, 'at_bank'],
    ['returned', { transfer: { ...TRANSFER, bank: bank('failed') } }, 'returned'],
    ['netted', { transfer: { ...TRANSFER, amountCents: 0, nettedCents: 900 } }, 'netted'],
    ['refunded', { amounts: nothingLeft }, 'refunded'],
    ['reversed', { transfer: { ...TRANSFER, state: 'reversed' }, amounts: nothingLeft }, 'refunded'],
    ['won back', { transfer: { ...TRANSFER, state: 'reversed' } }, 'earned'],
  ])('a booking that is %s', (_, facts, state) => {
    expect(stateOf(facts)).toEqual({ state, heldReason: null })
  })

  it('names what is in the way, a dispute before anything else', () => {
    const due = { ...TRANSFER, state: 'due' as const, madeAt: null }
    const stopped = (facts: Partial<ShareFacts>) => stateOf(facts).heldReason
    expect(stopped({ transfer: { ...due, heldReason: 'no_account' } })).toBe('no_account')
    expect(stopped({ transfer: { ...due, heldReason: 'no_account' }, hasOpenDispute: true })).toBe('dispute')
    expect(stopped({ hasRefundDue: true })).toBe('refund')
    expect(stateOf({ transfer: due })).toEqual({ state: 'earned', heldReason: null })
  })
})

describe('earningSteps', () => {
  const stepsOf = (facts: Partial<Parameters<typeof earningSteps>[0]>) =>
    earningSteps(
      {
        eventUntil: new Date('2027-03-25T12:00:00Z'),
        transfer: null,
        state: 'held',
        bookedAt: new Date('2027-01-31T20:00:00Z'),
        eventDate: '2027-03-25',
        timeZone: 'Australia/Perth',
        delayMs: 48 * HOUR_MS,
        ...facts,
      },
      NOW,
    )

  it('counts days on the clock of the venue', () => {
    expect(stepsOf({})).toEqual({
      booked: '2027-02-01',
      event: '2027-03-25',
      sent: { date: '2027-03-27', isExpected: true },
      atBank: { date: '2027-03-29', isExpected: true },
      early: null,
    })
  })

  it('returns the days of the balance, and beside them those of a deposit that was sent early', () => {
    const { early, sent, atBank } = stepsOf({ transfer: TRANSFER })
    expect(early).toEqual({
      sent: { date: '2027-03-19', isExpected: false },
      atBank: { date: '2027-03-21', isExpected: true },
    })
    expect([sent, atBank]).toEqual([
      { date: '2027-03-27', isExpected: true },
      { date: '2027-03-29', isExpected: true },
    ])
    expect(stepsOf({}).early).toBeNull()
    expect(stepsOf({ state: 'on_its_way', transfer: TRANSFER }).early).toBeNull()
  })

  it('promises no day that has passed', () => {
    const late = { ...TRANSFER, state: 'due' as const, madeAt: null, dueAt: new Date('2027-03-01T00:00:00Z') }
    expect(stepsOf({ state: 'earned', transfer: late }).sent).toEqual({
      date: '2027-03-20',
      isExpected: true,
    })
  })

  it('returns no days for stopped money, and no day at the bank for what the bank sent back', () => {
    expect(stepsOf({ state: 'stopped' })).toMatchObject({ sent: null, atBank: null })
    const failed = { state: 'failed' as const, arrivesAt: NOW }
    const returned = stepsOf({ state: 'returned', transfer: { ...TRANSFER, bank: failed } })
    expect(returned).toMatchObject({ sent: { date: '2027-03-19', isExpected: false }, atBank: null })
  })
})

describe('nextPayout', () => {
  const earning = (atBank: string, overrides: Partial<Earning> = {}): Earning => ({
    ...AMOUNTS,
    bookingId: atBank,
    customerName: 'Kim Lee',
    businessName: 'The Walled Garden',
    status: 'approved',
    state: 'held',
    heldReason: null,
    isEventOver: false,
    nettedCents: 0,
    sentCents: 0,
    movingCents: 0,
    yoursAfterRefundsCents: 900,
    yoursDueCents: 0,
    owedCents: 0,
    steps: {
      booked: '2027-01-01',
      event: '2027-03-21',
      sent: { date: '2027-03-23', isExpected: true },
      atBank: { date: atBank, isExpected: true },
      early: null,
    },
    ...overrides,
  })

  it('adds up what reaches the bank first, on one day', () => {
    const next = nextPayout([earning('2027-03-26'), earning('2027-03-25'), earning('2027-03-25')])
    expect(next).toMatchObject({ cents: 1_800, atBankOn: '2027-03-25', isSent: false })
    expect(next?.from).toHaveLength(2)
  })

  it('counts a deposit that is on its way, and its balance without it', () => {
    const early = {
      sent: { date: '2027-03-19', isExpected: false },
      atBank: { date: '2027-03-21', isExpected: true },
    }
    const partly = earning('2027-03-25', { sentCents: 180, movingCents: 180 })
    const steps = { ...partly.steps, early }
    expect(nextPayout([{ ...partly, steps }])).toMatchObject({
      cents: 180,
      atBankOn: '2027-03-21',
      isSent: true,
    })
    const there = { ...early, atBank: { date: '2027-03-21', isExpected: false } }
    const arrived = { ...partly, movingCents: 0, steps: { ...steps, early: there } }
    expect(nextPayout([arrived])).toMatchObject({ cents: 720, atBankOn: '2027-03-25', isSent: false })
  })

  it('counts only what is on its way of a booking whose deposit has long arrived', () => {
    const { steps } = earning('2027-03-25')
    const sent = { date: '2027-03-23', isExpected: false }
    const moved = earning('2027-03-25', { sentCents: 900, movingCents: 720, steps: { ...steps, sent } })
    expect(nextPayout([moved])?.cents).toBe(720)
  })

  it('returns null without money on its way or expected', () => {
    expect(nextPayout([])).toBeNull()
    const { steps } = earning('2027-03-25')
    expect(nextPayout([earning('2027-03-25', { steps: { ...steps, sent: null, atBank: null } })])).toBeNull()
    expect(nextPayout([earning('2027-03-25', { yoursCents: 0 })])).toBeNull()
  })
})

describe('months', () => {
  it('follow each other across years', () => {
    expect([addMonths('2026-12', 1), addMonths('2027-01', -1), addMonths('2027-03', 24)]).toEqual([
      '2027-01',
      '2026-12',
      '2029-03',
    ])
    expect(monthsSince('2026-11', '2027-01')).toEqual(['2027-01', '2026-12', '2026-11'])
    expect(monthsSince('2027-02', '2027-01')).toEqual([])
  })

  it('begin a financial year in July', () => {
    expect(financialYearStart('2027-06-30')).toBe('2026-07-01')
    expect(financialYearStart('2027-07-01')).toBe('2027-07-01')
  })
})

describe('what a vendor receives of a price', () => {
  const rates = {
    ofVendor: null,
    ofCategories: { Venues: 1_250 },
    defaultBasisPoints: 1_000,
    isGstRegistered: true,
  }

  it('goes by the vendor’s rate, else the category’s, else the default', () => {
    expect(listingTerms(rates, 'Venues').basisPoints).toBe(1_250)
    expect(listingTerms(rates, '').basisPoints).toBe(1_000)
    expect(listingTerms({ ...rates, ofVendor: 0 }, 'Venues').basisPoints).toBe(0)
  })

  it('names the share of one price or of both, and the commission once', () => {
    const perPerson = { unit: 'perPerson' as const, cents: 4_550 }
    const perHour = { unit: 'perHour' as const, cents: 21_000 }
    expect(receiveText([perPerson, perHour], TERMS)).toBe(
      'You receive $40.95 of $45.50 per person, or $189.00 of $210.00 per hour. Our commission is 10%, GST included.',
    )
    expect(receiveText([perHour], { basisPoints: 850, isGstRegistered: false })).toBe(
      'You receive $192.15 of $210.00 per hour. Our commission is 8.5%.',
    )
    expect(receiveText([], TERMS)).toBe('')
  })
})
