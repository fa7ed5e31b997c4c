import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refundableCents } from '../../../tests/ledger-model.ts'
import {
  adjustment,
  type BookingMoney,
  type CommissionTerms,
  charge,
  commission,
  commissionOn,
  disputeFee,
  disputeLost,
  disputeOpened,
  disputeReopened,
  disputeWon,
  type Entry,
  earned,
  fee,
  type KeptMoney,
  opening,
  refund,
  refundFailed,
  reversal,
  sharesOf,
  TRANSACTION_KINDS,
  transfer,
  writeOff,
} from './rules.ts'

/** The acceptance example: $8,700.00 at 10 %, GST included. */
const PRICE = 870_000
const TEN_PERCENT: CommissionTerms = { basisPoints: 1_000, isGstRegistered: true }
const NOTHING: KeptMoney = { cents: 0, commissionCents: 0, gstCents: 0 }

function money(overrides: Partial<BookingMoney> = {}): BookingMoney {
  return {
    chargedCents: 0,
    coveredCents: 0,
    refundedCents: 0,
    heldCents: 0,
    earnedCents: 0,
    commissionCents: 0,
    disputedCents: 0,
    lostCents: 0,
    kept: NOTHING,
    payableCents: 0,
    receivableCents: 0,
    ...overrides,
  }
}

const heldMoney = (cents: number) => money({ chargedCents: cents, heldCents: cents })

function earnedMoney(cents: number, terms = TEN_PERCENT): BookingMoney {
  const kept = sharesOf(cents, terms)
  const earnedCents = cents - kept.commissionCents
  const { commissionCents } = kept
  return money({ chargedCents: cents, earnedCents, commissionCents, kept, payableCents: earnedCents })
}

/** The amounts by account. A posting to another booking is listed under both. */
const amounts = ({ postings }: Entry) =>
  Object.fromEntries(
    postings.map(({ account, cents, bookingId }) => [bookingId ? `${account} ${bookingId}` : account, cents]),
  )
const sum = ({ postings }: Entry) => postings.reduce((total, { cents }) => total + cents, 0)

const byVendor = { terms: TEN_PERCENT, borneBy: 'vendor', paidFrom: 'provider_balance' } as const

const ENTRIES: readonly [title: string, entry: Entry, postings: Record<string, number>][] = [
  ['a charge is held', charge(PRICE), { provider_balance: PRICE, customer_money_held: -PRICE }],
  ['a fee is the operator’s', fee(14_820), { provider_balance: -14_820, provider_fees: 14_820 }],
  [
    'a refund before the event is of held money',
    refund({ ...byVendor, money: heldMoney(PRICE), cents: 435_000 }),
    { provider_balance: -435_000, customer_money_held: 435_000 },
  ],
  [
    'a refund after it is of the vendor’s share and of the commission',
    refund({ ...byVendor, money: earnedMoney(PRICE), cents: 435_000 }),
    {
      provider_balance: -435_000,
      vendor_payable: 391_500,
      commission: 87_000 - 7_909 - (43_500 - 3_955),
      gst_on_commission: 7_909 - 3_955,
    },
  ],
  [
    'a refund takes held money before earned money',
    refund({
      ...byVendor,
      money: { ...earnedMoney(1_000), chargedCents: 1_500, heldCents: 500 },
      cents: 600,
    }),
    {
      provider_balance: -600,
      customer_money_held: 500,
      vendor_payable: 90,
      commission: 9,
      gst_on_commission: 1,
    },
  ],
  [
    'a refund that the operator bears leaves the vendor’s share alone',
    refund({ ...byVendor, borneBy: 'operator', money: earnedMoney(PRICE), cents: PRICE }),
    { provider_balance: -PRICE, losses: PRICE },
  ],
  [
    'a refund past the provider comes from the bank',
    refund({ ...byVendor, paidFrom: 'bank', money: heldMoney(500), cents: 500 }),
    { bank: -500, customer_money_held: 500 },
  ],
  [
    'a refund that came back is held',
    refundFailed({ cents: 500, lossCents: 0 }),
    { provider_balance: 500, customer_money_held: -500 },
  ],
  [
    'a refund that the operator bore and that came back is theirs again',
    refundFailed({ cents: 500, lossCents: 500 }),
    { provider_balance: 500, losses: -500 },
  ],
  [
    'a refund of money that a bank holds waits for the bank’s decision',
    refund({
      ...byVendor,
      money: money({ chargedCents: 1_000, heldCents: 200, disputedCents: 800 }),
      cents: 700,
    }),
    { provider_balance: -700, customer_money_held: 700 },
  ],
  [
    'a refund of more than there is costs the operator the rest',
    refund({
      ...byVendor,
      money: money({ chargedCents: 1_000, heldCents: -500, disputedCents: 800 }),
      cents: 700,
    }),
    { provider_balance: -700, customer_money_held: 300, losses: 400 },
  ],
  [
    'earned money is payable to the vendor',
    earned(PRICE),
    { customer_money_held: PRICE, vendor_payable: -PRICE },
  ],
  [
    'commission comes out of the vendor’s share, GST in it',
    commission({ ...NOTHING, cents: PRICE }, TEN_PERCENT),
    { vendor_payable: 87_000, commission: -79_091, gst_on_commission: -7_909 },
  ],
  [
    'commission has no GST where the operator isn’t registered',
    commission({ ...NOTHING, cents: PRICE }, { ...TEN_PERCENT, isGstRegistered: false }),
    { vendor_payable: 87_000, commission: -87_000 },
  ],
  [
    'commission posts only what was not posted yet',
    commission({ cents: 2_000, commissionCents: 100, gstCents: 9 }, TEN_PERCENT),
    { vendor_payable: 100, commission: -91, gst_on_commission: -9 },
  ],
  [
    'no commission posts nothing',
    commission({ ...NOTHING, cents: 1 }, { ...TEN_PERCENT, basisPoints: 0 }),
    {},
  ],
  ['commission that is up to date posts nothing', commission(sharesOf(PRICE, TEN_PERCENT), TEN_PERCENT), {}],
  [
    'a commission of 100 % leaves the vendor nothing',
    commission({ ...NOTHING, cents: 1_100 }, { basisPoints: 10_000, isGstRegistered: true }),
    { vendor_payable: 1_100, commission: -1_000, gst_on_commission: -100 },
  ],
  [
    'a transfer pays the vendor',
    transfer({ cents: 783_000, debts: [], paidFrom: 'provider_balance' }),
    { vendor_payable: 783_000, provider_balance: -783_000 },
  ],
  [
    'a transfer nets debts of other bookings',
    transfer({
      cents: 1,
      debts: [
        { bookingId: 'old', cents: 391_500 },
        { bookingId: 'older', cents: 1 },
      ],
      paidFrom: 'provider_balance',
    }),
    {
      vendor_payable: 391_502,
      provider_balance: -1,
      'vendor_receivable old': -391_500,
      'vendor_receivable older': -1,
    },
  ],
  [
    'debts may take all of a transfer',
    transfer({ cents: 0, debts: [{ bookingId: 'old', cents: 7 }], paidFrom: 'provider_balance' }),
    { vendor_payable: 7, 'vendor_receivable old': -7 },
  ],
  [
    'a reversal brings money back',
    reversal({ broughtBackCents: 391_500, owedCents: 0 }),
    { vendor_payable: -391_500, provider_balance: 391_500 },
  ],
  [
    'an emptied account owes the rest',
    reversal({ broughtBackCents: 1_500, owedCents: 390_000 }),
    { vendor_payable: -391_500, provider_balance: 1_500, vendor_receivable: 390_000 },
  ],
  [
    'a dispute before the event takes held money',
    disputeOpened({ money: heldMoney(PRICE), cents: PRICE, terms: TEN_PERCENT }),
    { provider_balance: -PRICE, disputed: PRICE },
  ],
  [
    'a dispute after it makes earned money held again',
    disputeOpened({ money: earnedMoney(PRICE), cents: PRICE, terms: TEN_PERCENT }),
    {
      provider_balance: -PRICE,
      disputed: PRICE,
      customer_money_held: -PRICE,
      vendor_payable: 783_000,
      commission: 79_091,
      gst_on_commission: 7_909,
    },
  ],
  [
    'a dispute of more than there is takes back all that was earned',
    disputeOpened({
      money: { ...earnedMoney(1_000), chargedCents: 2_000, refundedCents: 1_000 },
      cents: 2_000,
      terms: { basisPoints: 0, isGstRegistered: false },
    }),
    {
      provider_balance: -2_000,
      disputed: 2_000,
      customer_money_held: -1_000,
      vendor_payable: 900,
      commission: 91,
      gst_on_commission: 9,
    },
  ],
  ['a dispute that is won gives it back', disputeWon(PRICE), { provider_balance: PRICE, disputed: -PRICE }],
  [
    'a dispute that is lost costs the vendor’s booking',
    disputeLost({ money: money({ disputedCents: PRICE }), cents: PRICE, borneBy: 'vendor' }),
    { customer_money_held: PRICE, disputed: -PRICE },
  ],
  [
    'a dispute of more than there was costs the operator the rest',
    disputeLost({
      money: money({ heldCents: -1_000, disputedCents: 2_000 }),
      cents: 2_000,
      borneBy: 'vendor',
    }),
    { customer_money_held: 1_000, losses: 1_000, disputed: -2_000 },
  ],
  [
    'a dispute that the operator bears is a loss',
    disputeLost({ money: money({ disputedCents: 500 }), cents: 500, borneBy: 'operator' }),
    { losses: 500, disputed: -500 },
  ],
  [
    'a lost dispute that is decided again is with the bank',
    disputeReopened({ cents: 500, lossCents: 200 }),
    { disputed: 500, customer_money_held: -300, losses: -200 },
  ],
  ['the fee of a dispute is a loss', disputeFee(2_500), { losses: 2_500, provider_balance: -2_500 }],
  [
    'an adjustment moves money between two accounts',
    adjustment({ from: 'provider_balance', to: 'bank', cents: 100 }),
    { provider_balance: -100, bank: 100 },
  ],
  ['a debt that is written off is a loss', writeOff(39), { losses: 39, vendor_receivable: -39 }],
  [
    'an opening holds an older charge',
    opening({ cents: 45_500, heldAt: 'bank' }),
    { bank: 45_500, customer_money_held: -45_500 },
  ],
]

describe('the postings of each kind', () => {
  it.each(ENTRIES)('%s', (_, entry, postings) => {
    expect(amounts(entry)).toEqual(postings)
    expect(sum(entry)).toBe(0)
  })

  it('every kind is in the table above', () => {
    expect(new Set(ENTRIES.map(([, { kind }]) => kind))).toEqual(new Set(TRANSACTION_KINDS))
  })

  it.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuse %d cents', (cents) => {
    for (const post of [
      () => charge(cents),
      () => fee(cents),
      () => refund({ ...byVendor, money: heldMoney(2 ** 53), cents }),
      () => refundFailed({ cents, lossCents: 0 }),
      () => earned(cents),
      () => transfer({ cents, debts: [], paidFrom: 'bank' }),
      () => transfer({ cents: 1, debts: [{ bookingId: 'old', cents }], paidFrom: 'bank' }),
      () => reversal({ broughtBackCents: cents, owedCents: 0 }),
      () => disputeOpened({ money: heldMoney(1), cents, terms: TEN_PERCENT }),
      () => disputeWon(cents),
      () => disputeLost({ money: heldMoney(1), cents, borneBy: 'vendor' }),
      () => disputeFee(cents),
      () => adjustment({ from: 'bank', to: 'losses', cents }),
      () => writeOff(cents),
      () => opening({ cents, heldAt: 'bank' }),
    ])
      expect(post).toThrow(RangeError)
  })

  it('refuse a negative part of a reversal, and an adjustment within one account', () => {
    expect(() => reversal({ broughtBackCents: 2, owedCents: -1 })).toThrow(RangeError)
    expect(() => transfer({ cents: -1, debts: [{ bookingId: 'old', cents: 2 }], paidFrom: 'bank' })).toThrow(
      RangeError,
    )
    expect(() => adjustment({ from: 'bank', to: 'bank', cents: 1 })).toThrow(RangeError)
  })
})

describe('commission', () => {
  it.each([
    [0, 1_000, 0],
    [1, 1_000, 0],
    [4, 1_000, 0],
    [5, 1_000, 1],
    [14, 1_000, 1],
    [15, 1_000, 2],
    [1, 5_000, 1],
    [1, 4_999, 0],
    [3, 5_000, 2],
    [PRICE, 1_000, 87_000],
    [12_345, 1_250, 1_543],
    [99_999_999, 0, 0],
    [99_999_999, 10_000, 99_999_999],
    [900_000_000_000, 9_999, 899_910_000_000],
  ])('on %d cents at %d basis points is %d, half cents up', (keptCents, basisPoints, cents) => {
    expect(commissionOn(keptCents, basisPoints)).toBe(cents)
  })

  it.each([-1, 10_001, 0.5, Number.NaN])('refuses a rate of %d basis points', (basisPoints) => {
    expect(() => commissionOn(100, basisPoints)).toThrow(RangeError)
  })

  it('takes back no more than was kept', () => {
    const money = { ...earnedMoney(100), chargedCents: 200 }
    expect(amounts(refund({ ...byVendor, money, cents: 101 }))).toEqual({
      provider_balance: -101,
      vendor_payable: 90,
      commission: 9,
      gst_on_commission: 1,
      losses: 1,
    })
  })

  it('ends at its rate of what is kept, whatever the order of refunds and disputes', () => {
    const rate = fc.oneof(fc.constantFrom(0, 1, 1_000, 3_333, 5_000, 10_000), fc.nat(10_000))
    const step = fc.record({
      cents: fc.integer({ min: 1, max: 2_000 }),
      by: fc.constantFrom('refund', 'dispute'),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20_000 }),
        rate,
        fc.boolean(),
        fc.array(step, { maxLength: 12 }),
        (priceCents, basisPoints, isGstRegistered, steps) => {
          const terms = { basisPoints, isGstRegistered }
          let present = earnedMoney(priceCents, terms)
          for (const { cents, by } of steps) {
            if (cents > refundableCents(present)) continue
            const entry =
              by === 'refund'
                ? refund({ ...byVendor, terms, money: present, cents })
                : disputeOpened({ money: present, cents, terms })
            expect(sum(entry)).toBe(0)
            present = after(present, entry, cents)
          }
          expect(present.kept).toEqual(sharesOf(present.kept.cents, terms))
          expect(present.payableCents).toBe(present.kept.cents - present.kept.commissionCents)
        },
      ),
    )
  })
})

/** The booking's money after an entry that takes from it. */
function after(before: BookingMoney, entry: Entry, cents: number): BookingMoney {
  const posted = amounts(entry)
  const of = (account: string) => posted[account] ?? 0
  const gstCents = before.kept.gstCents - of('gst_on_commission')
  const commissionCents = before.kept.commissionCents - of('commission') - of('gst_on_commission')
  const payableCents = before.payableCents - of('vendor_payable')
  const isRefund = entry.kind === 'refund'
  return {
    ...before,
    refundedCents: before.refundedCents + (isRefund ? cents : 0),
    disputedCents: before.disputedCents + (isRefund ? 0 : cents),
    heldCents: before.heldCents - of('customer_money_held') - of('disputed'),
    payableCents,
    earnedCents: payableCents,
    commissionCents,
    kept: { cents: payableCents + commissionCents, commissionCents, gstCents },
  }
}

describe('what can be refunded', () => {
  it.each([
    ['the charge', heldMoney(100), 100],
    ['the rest after refunds', { ...heldMoney(100), refundedCents: 30 }, 70],
    ['nothing of what a bank disputes', { ...heldMoney(100), disputedCents: 100 }, 0],
    ['nothing of what a bank has kept', { ...heldMoney(100), lostCents: 60, refundedCents: 60 }, 0],
  ])('includes %s', (_, of, cents) => {
    expect(refundableCents(of)).toBe(cents)
  })

  it('bounds what a refund costs the vendor', () => {
    const money = heldMoney(100)
    expect(amounts(refund({ ...byVendor, money, cents: 101 }))).toEqual({
      provider_balance: -101,
      customer_money_held: 100,
      losses: 1,
    })
  })
})
