import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { createLiveUpdates } from '../app/adapters/live-updates/notify.server.ts'
import { startBookingPayment } from '../app/features/bookings/checkout/commands.server.ts'
import { createBookingDeps } from '../app/features/bookings/checkout/fulfilment-commands.server.ts'
import { decideBooking } from '../app/features/bookings/decisions/commands.server.ts'
import type { BookingDeps } from '../app/features/bookings/deps.server.ts'
import { sweepDisputes } from '../app/features/payments/dispute-commands.server.ts'
import { presentProvider } from '../app/features/payments/providers.server.ts'
import { listRefundsOfPayment } from '../app/features/payments/queries.server.ts'
import { askAboutRefunds } from '../app/features/payments/refund-news-commands.server.ts'
import { performDueRefunds } from '../app/features/payments/refund-sending-commands.server.ts'
import { orderedCents, sumRefunds } from '../app/features/payments/rules.ts'
import { receivePaymentEvent, reportPayment } from '../app/features/payments/settlement-commands.server.ts'
import { newId } from '../app/shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../app/shared/time-units.ts'
import { aBookingForm, aBookingWorld, aBusiness } from './builders.ts'
import { watchTransactions } from './database.ts'
import { cancelsAsOperator, refundsAsOperator } from './payout-stage.ts'
import { findPostgres } from './postgres.ts'

/**
 * Everything that moves money back, at the same moment and on two connection pools: an operator's refund, the vendor's
 * decline, an operator's cancellation, the provider's webhooks and a lost dispute. On PGlite transactions take turns, so
 * only PostgreSQL can deadlock.
 */

const ROUNDS = 50
const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: the race of refunds is skipped.\n')

describe.skipIf(!hasPostgres)('refunds at the same moment, on PostgreSQL', () => {
  let world: Awaited<ReturnType<typeof aBookingWorld>>
  let second: BookingDeps
  let close = async () => {}

  beforeAll(async () => {
    world = await aBookingWorld()
    const { connection, deps } = world
    if (connection.kind === 'pglite') throw new Error('The race needs a PostgreSQL.')
    // A connection that closes while the server stops is not an error.
    const other = watchTransactions(openPostgres(connection.url, () => {}))
    const liveUpdates = await createLiveUpdates(other)
    second = createBookingDeps({ ...deps, db: other.db, liveUpdates })
    close = async () => {
      await liveUpdates.close()
      await other.close()
      await world.close()
    }
  }, 60_000)
  afterAll(() => close())

  async function aBookedPayment(cardNumber: string) {
    const business = await aBusiness(world.db)
    const date = new Date(world.clock.now().getTime() + 30 * DAY_MS).toISOString().slice(0, 10)
    const payment = await startBookingPayment(world.deps, {
      amount: 45_500,
      submitKey: crypto.randomUUID(),
      businessId: business.id,
      booking: aBookingForm({ date }),
      customerUserId: null,
    })
    if (!payment.ok || payment.alreadyPaid) throw new Error('no payment')
    const { clientSecret, paymentId } = payment
    await world.payments.confirmCard({ clientSecret, cardNumber, expiry: '12 / 39', cvc: '123' })
    const settled = await reportPayment(world.deps, { clientSecret })
    const reference = world.payments.referenceOf(clientSecret) ?? ''
    return {
      paymentId,
      reference,
      bookingId: settled.ok ? (settled.purchaseId ?? '') : '',
      userId: business.user_id,
    }
  }

  it('neither deadlock nor send back more than was charged', { timeout: 300_000 }, async () => {
    const operator = { userId: 'operator-1', email: 'operator@example.com' }
    for (let round = 0; round < ROUNDS; round++) {
      const { deps, payments, db, clock } = world
      const card =
        round % 3 === 0 ? '4000000000005126' : round % 3 === 1 ? '4000000000007726' : '4242424242424242'
      const { paymentId, reference, bookingId, userId } = await aBookedPayment(card)
      const refund = (using: BookingDeps, amountCents: number) =>
        refundsAsOperator(using, { operator, paymentId, amountCents, reason: 'The heater failed.' })
      const hear = (using: BookingDeps, type: string) =>
        receivePaymentEvent(using, presentProvider(using), { id: newId(), type, reference, payload: {} })
      await refund(deps, 5_000)
      clock.forward(DAY_MS)
      await payments.runDueWork()
      const dispute = async (using: BookingDeps) => {
        await payments.openDispute(reference, 'dispute')
        await hear(using, 'charge.dispute.created')
        await payments.decideDispute(reference, round % 2 ? 'lost' : 'won')
        await hear(using, 'charge.dispute.closed')
      }
      const answers = await Promise.all([
        refund(deps, 20_000),
        refund(second, 20_000),
        decideBooking(second, {
          userId,
          bookingId,
          decision: 'declined',
          reason: 'The marquee is torn.',
          isAtOnce: true,
        }),
        hear(deps, 'refund.updated'),
        hear(second, 'refund.failed'),
        dispute(round % 4 < 2 ? deps : second),
        round % 5 === 0
          ? cancelsAsOperator(deps, { operator, paymentId, side: 'customer', reason: 'The hall flooded.' })
          : performDueRefunds(second),
      ])
      expect(answers).toHaveLength(7)
      for (let run = 0; run < 3; run++) {
        clock.forward(25 * HOUR_MS)
        await payments.runDueWork()
        await Promise.all([sweepDisputes(deps), askAboutRefunds(second), performDueRefunds(deps)])
      }
      const { rows } = await sql<{
        succeeded: string
        pending: string
        lost: string
        status: string
        paid: string
      }>`
        select coalesce(sum(r.amount_cents) filter (where r.status = 'succeeded'), 0) as succeeded,
          coalesce(sum(r.amount_cents) filter (where r.status = 'pending'), 0) as pending,
          (select coalesce(sum(amount_cents), 0) from sandbox_disputes
            where sandbox_payment_id = ${reference} and status = 'lost') as lost,
          (select status from bookings where id = ${bookingId}) as status,
          (select payment_status from bookings where id = ${bookingId}) as paid
        from sandbox_refunds r where r.sandbox_payment_id = ${reference}`.execute(db)
      const [money] = rows
      const [succeeded, pending, lost] = [money?.succeeded, money?.pending, money?.lost].map(Number)
      expect((succeeded ?? 0) + (pending ?? 0) + (lost ?? 0), 'sent back').toBeLessThanOrEqual(45_500)
      expect(money?.paid === 'refunded', 'refunded exactly while covered').toBe((succeeded ?? 0) >= 45_500)
      const refunds = await listRefundsOfPayment(db, paymentId)
      const waiting = refunds.filter(({ state }) => state === 'due' || state === 'claimed')
      expect(waiting, 'nothing waits any more').toEqual([])
      expect(['declined', 'withdrawn']).toContain(money?.status)
      expect(orderedCents(sumRefunds(refunds)) + (lost ?? 0), 'all is accounted for').toBe(45_500)
    }
  })
})
