import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULT_POINTS } from '../app/adapters/payments/fault-points.ts'
import { proveLedger } from '../app/features/ledger/queries.server.ts'
import { sweepPayouts } from '../app/features/payouts/settlement-commands.server.ts'
import { payoutDeps } from '../app/services/deps.server.ts'
import type { Services } from '../app/services.server.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { pointsOfThisRun } from './crash-points.ts'
import { type CrashStage, openCrashStage } from './crash-stage.ts'
import {
  accountOf,
  aPaidVendor,
  books,
  moneyOf,
  OPERATOR,
  refundsAsOperator,
  sumAtProvider,
} from './payout-stage.ts'

/**
 * A real server process, killed (kill -9) at each point between the claim of a transfer or a reversal and its stored answer,
 * then started again. Each is made once. It runs on PostgreSQL if this machine has one, else on PGlite.
 */

const points = FAULT_POINTS.filter((point) => /^(transfer|reversal)-/.test(point))

/** Past the event and the delay of payouts. */
function* moves() {
  yield { days: 33 }
  while (true) yield { hours: 1 }
}

describe('a server killed in the middle of a payout', () => {
  let stage: CrashStage
  beforeAll(async () => {
    stage = await openCrashStage({ PAYOUTS: 'sandbox' })
  }, 60_000)
  afterAll(() => stage.close())

  const sweep = async (services: Services) => {
    const deps = payoutDeps(services)
    if (!deps) throw new Error('payouts are off')
    await sweepPayouts(deps)
  }

  it.each(pointsOfThisRun(points, 2))(
    'makes it once, after the restart too, at %s',
    { timeout: 60_000 },
    async (point) => {
      const isReversal = point.startsWith('reversal-')
      const booked = await stage.inside(async (world, services) => {
        const { business, userId } = await aPaidVendor(world)
        // The daily payout to the bank would empty the account.
        await world.db.updateTable('sandbox_accounts').set({ is_bank_refused: true }).execute()
        const payment = await books(world, business)
        if (isReversal) {
          world.clock.forward(33 * DAY_MS)
          await sweep(services)
          const { paymentId } = payment
          const order = { operator: OPERATOR, paymentId, amountCents: 435_000, reason: 'The heater failed.' }
          await refundsAsOperator(world.deps, order)
        }
        return { ...payment, userId }
      })

      await stage.killAt(point, moves())

      await stage.inside(async (world, services) => {
        for (let run = 0; run < 3; run++) {
          world.clock.forward(3_600_000)
          await sweep(services)
        }
        const transfers = await world.db
          .selectFrom('sandbox_transfers')
          .innerJoin('transfers', 'transfers.id', 'sandbox_transfers.transfer_id')
          .select(['transfers.state', 'sandbox_transfers.amount_cents'])
          .where('transfers.booking_id', '=', booked.bookingId)
          .execute()
        expect(transfers.map((row) => [row.state, Number(row.amount_cents)])).toEqual([
          [isReversal ? 'partly_reversed' : 'made', 783_000],
        ])
        const leftCents = isReversal ? 391_500 : 783_000
        expect(await sumAtProvider(world, await accountOf(world, booked.userId))).toBe(leftCents)
        expect(await moneyOf(world, booked.bookingId)).toMatchObject({
          payableCents: 0,
          receivableCents: 0,
          earnedCents: leftCents,
        })
        expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])
      })
    },
  )
})
