import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../../tests/database.ts'
import { refundableCents } from '../../../tests/ledger-model.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { lockLedger, postTransactions } from './commands.server.ts'
import { findBookingMoney, findTrialBalance, findVendorBalances, proveLedger } from './queries.server.ts'
import {
  type BookingMoney,
  type BorneBy,
  charge,
  commission,
  disputeFee,
  disputeLost,
  disputeOpened,
  disputeWon,
  type Entry,
  earned,
  fee,
  NO_MONEY,
  opening,
  refund,
  refundFailed,
  reversal,
  sharesOf,
  transfer,
  writeOff,
} from './rules.ts'

/**
 * Random histories of two bookings of one vendor, on the real command and real SQL: charged, earned, refunded in parts,
 * disputed, transferred with debts netted, reversed from emptied accounts. Each event may be posted twice. After each step,
 * the proof must find nothing, and the provider's balance must equal the sum of what moved there.
 */

/** Histories per run: a quarter of the payments'. `npm run histories` runs ten times as many. */
const RUNS = Math.ceil(Number(process.env.HISTORIES ?? 200) / 4)
/** A new seed each time. HISTORIES_SEED repeats the histories of another run. */
const SEED = Number(process.env.HISTORIES_SEED ?? randomInt(2 ** 31))

let connection: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  connection = await openTestDatabase()
})
afterAll(() => connection.close())

/** One step of a history. A share is a part of what is possible, in percent. */
type Step = { booking: number; twice: boolean } & (
  | { do: 'refund'; share: number; borneBy: BorneBy; fails: boolean }
  | { do: 'dispute'; share: number }
  | { do: 'decide'; wins: boolean; borneBy: BorneBy }
  | { do: 'earn' | 'transfer' | 'write-off' }
  | { do: 'reverse'; share: number }
)

// Mostly of one booking, so that a history gets far.
const anyStep = { booking: fc.constantFrom(0, 0, 0, 1), twice: fc.boolean() }
const share = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 }))
const borneBy = fc.constantFrom<BorneBy>('vendor', 'vendor', 'operator')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      ...anyStep,
      do: fc.constant('refund' as const),
      share,
      borneBy,
      fails: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ...anyStep, do: fc.constant('dispute' as const), share }) },
  {
    weight: 2,
    arbitrary: fc.record({ ...anyStep, do: fc.constant('decide' as const), wins: fc.boolean(), borneBy }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ ...anyStep, do: fc.constantFrom('earn' as const, 'transfer' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ ...anyStep, do: fc.constant('reverse' as const), share }) },
  { weight: 1, arbitrary: fc.record({ ...anyStep, do: fc.constant('write-off' as const) }) },
)

/** The first steps, so that random steps reach the later stages as often as the early ones. */
const begun: Step[] = []
const earnedThen: Step[] = [{ do: 'earn', booking: 0, twice: false }]
const transferred: Step[] = [...earnedThen, { do: 'transfer', booking: 0, twice: false }]

const history = fc.record({
  prices: fc.tuple(fc.constantFrom(1, 5, 999, 870_000), fc.integer({ min: 1, max: 9_999 })),
  terms: fc.record({
    basisPoints: fc.constantFrom(0, 1, 1_000, 3_333, 10_000),
    isGstRegistered: fc.boolean(),
  }),
  isOld: fc.boolean(),
  opening: fc.constantFrom(begun, earnedThen, transferred),
  steps: fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }),
})

it(`every sum and every booking stays accounted for (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ prices, terms, isOld, opening: first, steps }) => {
      const { db } = connection
      const vendorUserId = newId()
      const bookings = prices.map((cents) => ({ id: newId(), cents }))
      let expectedAtProvider = 0

      const run = (
        bookingId: string,
        twice: boolean,
        entriesFor: (money: BookingMoney) => readonly Entry[],
      ) =>
        db.transaction().execute(async (tx) => {
          await lockLedger(tx, [vendorUserId])
          const money = (await findBookingMoney(tx, [bookingId])).get(bookingId) ?? NO_MONEY
          const transactions = entriesFor(money).map((entry) => ({
            ...entry,
            key: newId(),
            vendorUserId,
            bookingId,
            paymentId: null,
            providerReference: null,
            at: new Date(),
          }))
          await postTransactions(tx, transactions)
          if (twice) expect((await postTransactions(tx, transactions)).size).toBe(0)
          for (const { postings } of transactions)
            for (const { account, cents } of postings)
              if (account === 'provider_balance') expectedAtProvider += cents
        })
      const moneyOf = async () => {
        const found = await findBookingMoney(
          db,
          bookings.map(({ id }) => id),
        )
        return bookings.map(({ id }) => found.get(id) ?? NO_MONEY)
      }

      for (const { id, cents } of bookings)
        await run(id, true, () =>
          isOld ? [opening({ cents, heldAt: 'provider_balance' })] : [charge(cents), fee(30)],
        )
      for (const one of [...first, ...steps]) {
        const bookingId = bookings[one.booking]?.id ?? ''
        const money = await moneyOf()
        const debts = bookings.flatMap(({ id }, index) =>
          id !== bookingId && (money[index]?.receivableCents ?? 0) > 0
            ? [{ bookingId: id, cents: money[index]?.receivableCents ?? 0 }]
            : [],
        )
        await run(bookingId, one.twice, (present) => entriesOf(one, present, terms, debts))

        expect((await proveLedger(db)).filter(({ count }) => count > 0)).toEqual([])
        const balances = await findTrialBalance(db)
        expect(Object.values(balances).reduce((sum, cents) => sum + cents, 0)).toBe(0)
        const own = await findVendorBalances(db, vendorUserId)
        expect(own.provider_balance).toBe(expectedAtProvider)
        for (const after of await moneyOf()) {
          // Commission ends at its rate of what is kept, whatever the order. The vendor has the rest.
          expect(after.kept).toEqual(sharesOf(after.kept.cents, terms))
          expect(after.commissionCents).toBe(after.kept.commissionCents)
          expect(after.refundedCents).toBeLessThanOrEqual(after.chargedCents)
          // A bank may dispute more than a booking still has, but then nothing of it counts as earned.
          if (after.heldCents < 0) expect(after.kept.cents).toBe(0)
        }
      }
    }),
    { numRuns: RUNS, seed: SEED },
  )
}, 300_000)

const partOf = (cents: Cents, percent: number): Cents => Math.ceil((cents * percent) / 100)

/** The entries of a step, or none where it isn't possible now. */
function entriesOf(
  step: Step,
  money: BookingMoney,
  terms: { basisPoints: number; isGstRegistered: boolean },
  debts: readonly { bookingId: string; cents: Cents }[],
): Entry[] {
  switch (step.do) {
    case 'refund': {
      const cents = partOf(refundableCents(money), step.share)
      if (cents === 0) return []
      const paid = refund({ money, cents, terms, borneBy: step.borneBy, paidFrom: 'provider_balance' })
      return step.fails
        ? [paid, refundFailed({ cents, lossCents: step.borneBy === 'operator' ? cents : 0 })]
        : [paid]
    }
    case 'dispute': {
      // A bank doesn't know of refunds, so it may take more than is left.
      const cents = partOf(money.chargedCents - money.disputedCents - money.lostCents, step.share)
      return cents > 0 ? [disputeOpened({ money, cents, terms }), disputeFee(2_500)] : []
    }
    case 'decide': {
      const cents = money.disputedCents
      if (cents === 0) return []
      return [step.wins ? disputeWon(cents) : disputeLost({ money, cents, borneBy: step.borneBy })]
    }
    case 'earn': {
      const cents = money.heldCents
      if (cents <= 0 || money.disputedCents > 0) return []
      const kept = { ...money.kept, cents: money.kept.cents + cents }
      return [earned(cents), commission(kept, terms)]
    }
    case 'transfer': {
      const netted = []
      let leftCents = Math.max(0, money.payableCents)
      if (leftCents === 0) return []
      for (const debt of debts) {
        const cents = Math.min(debt.cents, leftCents)
        if (cents > 0) netted.push({ ...debt, cents })
        leftCents -= cents
      }
      return [transfer({ cents: leftCents, debts: netted, paidFrom: 'provider_balance' })]
    }
    case 'reverse': {
      const dueCents = Math.max(0, -money.payableCents)
      const broughtBackCents = partOf(dueCents, step.share)
      return dueCents > 0 ? [reversal({ broughtBackCents, owedCents: dueCents - broughtBackCents })] : []
    }
    case 'write-off':
      return money.receivableCents > 0 ? [writeOff(money.receivableCents)] : []
  }
}
