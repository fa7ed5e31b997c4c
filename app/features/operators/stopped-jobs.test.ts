import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import { aPaidVendor, books, OPERATOR, refundsAsOperator } from '../../../tests/payout-stage.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { sweepDisputes } from '../payments/dispute-commands.server.ts'
import { askAboutRefunds } from '../payments/refund-news-commands.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { compareWithProvider } from './comparison-commands.server.ts'

const MONTHS_MS = 95 * DAY_MS

/** Events at the provider while no job ran and every webhook was lost. */

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeEach(async () => {
  world = await aBookingWorld()
})
afterEach(() => world.close())

async function booked() {
  const { business } = await aPaidVendor(world)
  return books(world, business)
}

describe('after months without a job', () => {
  it('a dispute that was opened meanwhile is found', async () => {
    const { paymentId, reference } = await booked()
    await sweepDisputes(world.deps)
    world.clock.forward(DAY_MS)
    await world.payments.openDispute(reference, 'dispute')
    world.clock.forward(MONTHS_MS)
    await sweepDisputes(world.deps)
    const found = await world.db.selectFrom('disputes').select('payment_id').execute()
    expect(found).toEqual([{ payment_id: paymentId }])
  })

  it('a dispute is found at the next run if the provider does not answer the first', async () => {
    const { paymentId, reference } = await booked()
    await sweepDisputes(world.deps)
    world.clock.forward(DAY_MS)
    await world.payments.openDispute(reference, 'dispute')
    world.clock.forward(MONTHS_MS)
    const silent = {
      ...world.payments,
      listDisputes: async () => ({ ok: false, reason: 'unreachable', message: 'no answer' }) as const,
    }
    await sweepDisputes({ ...world.deps, providers: [silent] })
    world.clock.forward(MONTHS_MS)
    await sweepDisputes(world.deps)
    const found = await world.db.selectFrom('disputes').select('payment_id').execute()
    expect(found).toEqual([{ payment_id: paymentId }])
  })

  it('a refund that the bank has sent back meanwhile has failed', async () => {
    const { paymentId, reference } = await booked()
    await refundsAsOperator(world.deps, {
      operator: OPERATOR,
      paymentId,
      amountCents: 10_000,
      reason: 'The heater failed.',
    })
    await performDueRefunds(world.deps)
    const statusOf = async () =>
      (
        await world.db
          .selectFrom('payment_actions')
          .select('provider_status')
          .where('payment_id', '=', paymentId)
          .executeTakeFirstOrThrow()
      ).provider_status
    expect(await statusOf()).toBe('succeeded')
    await world.payments.moveRefund(reference, 'failed')
    world.clock.forward(MONTHS_MS)
    await askAboutRefunds(world.deps)
    expect(await statusOf()).toBe('failed')
  })

  it('the comparison with the provider includes the payments of those months', async () => {
    await compareWithProvider(world.deps, { operator: null })
    world.clock.forward(10 * DAY_MS)
    const { paymentId } = await booked()
    await world.db.updateTable('payments').set({ amount_cents: 1 }).where('id', '=', paymentId).execute()
    world.clock.forward(MONTHS_MS)
    const { differences, failure } = await compareWithProvider(world.deps, { operator: null })
    expect(failure).toBeNull()
    expect(differences).toBeGreaterThan(0)
    // Once it was complete, the usual days are enough.
    world.clock.forward(MONTHS_MS)
    expect((await compareWithProvider(world.deps, { operator: null })).failure).toBeNull()
    world.clock.forward(DAY_MS)
    expect((await compareWithProvider(world.deps, { operator: null })).differences).toBe(0)
  })
})
