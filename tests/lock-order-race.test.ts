import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseTransaction } from '../app/adapters/database/port.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { setAvailability } from '../app/features/availability/hours-commands.server.ts'
import { startBookingPayment } from '../app/features/bookings/checkout/commands.server.ts'
import { decideBooking } from '../app/features/bookings/decisions/commands.server.ts'
import { lockBooking } from '../app/features/bookings/row-queries.server.ts'
import { bookingLinkToken } from '../app/features/bookings/rules.ts'
import { lockLedger } from '../app/features/ledger/commands.server.ts'
import { lockMoves } from '../app/features/operators/move-commands.server.ts'
import {
  decidePayoutOrder,
  placeHold,
  placePayoutOrder,
  releaseHold,
} from '../app/features/operators/payout-commands.server.ts'
import { lockPayment } from '../app/features/payments/queries.server.ts'
import { settleRefunds } from '../app/features/payments/refund-news-commands.server.ts'
import { performDueRefunds } from '../app/features/payments/refund-sending-commands.server.ts'
import { refreshPayoutAccount } from '../app/features/payouts/account-commands.server.ts'
import { sweepPayouts } from '../app/features/payouts/settlement-commands.server.ts'
import { deleteAccount } from '../app/features/privacy/commands.server.ts'
import { lockByName } from '../app/shared/locks.server.ts'
import { signText } from '../app/shared/signed.ts'
import { DAY_MS, HOUR_MS } from '../app/shared/time-units.ts'
import { leavesExpiredHold } from './booking-stage.ts'
import {
  ALWAYS_FREE,
  aBookingForm,
  aBookingWorld,
  aBusiness,
  aPaidBooking,
  aUser,
  setsAvailability,
} from './builders.ts'
import { agrees, asCustomer, asVendor, paysChange, proposes } from './change-stage.ts'
import {
  accountOf,
  aPaidVendor,
  books,
  OPERATOR,
  passesEvent,
  payoutDepsOf,
  SECOND_OPERATOR,
} from './payout-stage.ts'
import { findPostgres } from './postgres.ts'
import { untilOneWaits } from './until-one-waits.ts'

/**
 * Commands that once took two locks in the opposite order of other commands. Each waits for the first lock without holding
 * the second. On PGlite transactions take turns, so nothing waits there.
 */

const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: the race of locks is skipped.\n')

describe.skipIf(!hasPostgres)('in the order of locks, on PostgreSQL', () => {
  let world: Awaited<ReturnType<typeof aBookingWorld>>
  let other: PostgresConnection

  beforeAll(async () => {
    world = await aBookingWorld()
    if (world.connection.kind === 'pglite') throw new Error('The race needs a PostgreSQL.')
    // A connection that closes while the server stops is not an error.
    other = openPostgres(world.connection.url, () => {})
  }, 60_000)
  afterAll(async () => {
    await other.close()
    await world.close()
  })

  /**
   * Runs a command while another transaction holds its first lock.
   * @param isFree a statement of that transaction that fails, rather than waits, if the command holds its second lock
   */
  async function waits<Result>(
    lockFirst: (tx: DatabaseTransaction) => Promise<unknown>,
    command: () => Promise<Result>,
    isFree: (tx: DatabaseTransaction) => Promise<unknown>,
  ): Promise<Result> {
    const running: Promise<Result>[] = []
    await other.db.transaction().execute(async (tx) => {
      await lockFirst(tx)
      const result = command()
      running.push(result)
      const early = result.then((value) => {
        throw new Error(`The command did not wait: ${JSON.stringify(value)}`)
      })
      await Promise.race([untilOneWaits(other.db), early])
      early.catch(() => {})
      await isFree(tx)
    })
    const [result] = await Promise.all(running)
    return result as Result
  }

  it('a paid change locks its vendor’s ledger before it enters the payout queue', async () => {
    const business = await aBusiness(world.db)
    const booking = await aPaidBooking(world, { businessId: business.id })
    await decideBooking(world.deps, {
      userId: business.user_id,
      bookingId: booking.bookingId,
      decision: 'approved',
    })
    const changeable = { ...booking, linkToken: await bookingLinkToken(world.deps.secret, booking.paymentId) }
    await proposes(world.deps, changeable, asCustomer(changeable), { quantity: 20 })
    expect(await agrees(world.deps, changeable, asVendor(business.user_id))).toMatchObject({ ok: true })
    const paid = await waits(
      (tx) => lockLedger(tx, [business.user_id]),
      () => paysChange(world, changeable),
      (tx) =>
        sql`select from payout_queue where booking_id = ${booking.bookingId} for update nowait`.execute(tx),
    )
    expect(paid.settled).toMatchObject({ ok: true })
  })

  it('an account’s news locks its vendor’s ledger before the payout queue, and lets transfers refer to it', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, business)
    const account = await accountOf(world, userId)
    await world.payments.payouts.moveAccount(account, 'restrict')
    const deps = payoutDepsOf(world)
    world.clock.forward(1_000)
    await waits(
      (tx) => lockLedger(tx, [userId]),
      () => refreshPayoutAccount(deps, { userId }),
      async (tx) => {
        await sql`select from payout_queue where booking_id = ${bookingId} for update nowait`.execute(tx)
        await sql`select from payout_accounts where provider_account = ${account} for key share nowait`.execute(
          tx,
        )
      },
    )
  })

  it('the end of a hold locks its vendor’s ledger before the hold', async () => {
    const { userId } = await aPaidVendor(world)
    const deps = payoutDepsOf(world)
    await placeHold(deps, { operator: OPERATOR, vendorUserId: userId, bookingId: null, reason: 'They call.' })
    const { id: holdId } = await world.db
      .selectFrom('payout_holds')
      .select('id')
      .where('vendor_user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const released = await waits(
      (tx) => lockLedger(tx, [userId]),
      () => releaseHold(deps, { operator: OPERATOR, holdId, reason: 'They called.' }),
      (tx) => sql`select from payout_holds where id = ${holdId} for update nowait`.execute(tx),
    )
    expect(released).toEqual({ ok: true })
  })

  it('opening hours lock the listing before their settings', async () => {
    const business = await aBusiness(world.db)
    await setsAvailability(world.db, business.id, { maxGuests: 10 })
    const { id: businessId, user_id: userId } = business
    const { updated_at: at } = await world.db
      .selectFrom('availability_settings')
      .select('updated_at')
      .where('business_id', '=', businessId)
      .executeTakeFirstOrThrow()
    const set = await waits(
      (tx) => sql`select from businesses where id = ${businessId} for update`.execute(tx),
      () =>
        setAvailability(world.deps, {
          userId,
          businessId,
          settings: { ...ALWAYS_FREE, maxGuests: 20 },
          expectedVersion: at.toISOString(),
        }),
      (tx) =>
        sql`select from availability_settings where business_id = ${businessId} for update nowait`.execute(
          tx,
        ),
    )
    expect(set).toEqual({ ok: true })
  })

  it('a second operator’s answer locks the purchase’s moves before its booking', async () => {
    const { business } = await aPaidVendor(world, { isReady: false })
    const { bookingId, paymentId: firstPaymentId } = await books(world, business)
    passesEvent(world)
    const deps = payoutDepsOf(world, { secondOperatorCents: 0 })
    await sweepPayouts(deps)
    const placed = { operator: OPERATOR, kind: 'paid_by_bank', bookingId, reason: 'No account.' } as const
    const cents = { amountCents: 783_000, expectedCents: 783_000 }
    expect(await placePayoutOrder(deps, { ...placed, ...cents })).toEqual({ ok: true, waits: true })
    const { id: orderId } = await world.db
      .selectFrom('approvals')
      .select('id')
      .where('subject_id', '=', bookingId)
      .executeTakeFirstOrThrow()
    const decided = await waits(
      (tx) => lockMoves(tx, { firstPaymentId, now: world.clock.now() }),
      () => decidePayoutOrder(deps, { operator: SECOND_OPERATOR, orderId, isConfirmed: true }),
      (tx) => sql`select from bookings where id = ${bookingId} for update nowait`.execute(tx),
    )
    expect(decided).toEqual({ ok: true })
  })

  it('a hold locks its network address before it deletes holds that have expired', async () => {
    const business = await aBusiness(world.db)
    await leavesExpiredHold(business.id, world)
    const heldFrom = await signText(world.deps.secret, 'held-from:203.0.113.7')
    const date = new Date(world.clock.now().getTime() + 30 * DAY_MS).toISOString().slice(0, 10)
    const started = await waits(
      (tx) => lockByName(tx, 'held', heldFrom),
      () =>
        startBookingPayment(world.deps, {
          amount: 45_500,
          submitKey: crypto.randomUUID(),
          businessId: business.id,
          booking: aBookingForm({ date }),
          customerUserId: null,
          heldFrom: '203.0.113.7',
        }),
      (tx) => sql`select from slots where business_id = ${business.id} for update nowait`.execute(tx),
    )
    expect(started).toMatchObject({ ok: true })
  })

  it('a booking that is approved again locks its purchase before the refund that it takes back', async () => {
    const business = await aBusiness(world.db)
    const { bookingId, paymentId } = await aPaidBooking(world, { businessId: business.id })
    const decides = (decision: 'approved' | 'declined') =>
      decideBooking(world.deps, { userId: business.user_id, bookingId, decision, reason: '' })
    await decideBooking(world.deps, {
      userId: business.user_id,
      bookingId,
      decision: 'declined',
      isAtOnce: true,
    })
    const decided = await waits(
      (tx) => lockPayment(tx, paymentId),
      () => decides('approved'),
      (tx) => sql`select from payment_actions where payment_id = ${paymentId} for update nowait`.execute(tx),
    )
    expect(decided).toMatchObject({ ok: true })
  })

  it('news of a payment’s refunds waits for the payment before it writes any of them', async () => {
    const business = await aBusiness(world.db)
    const { bookingId, paymentId, reference } = await aPaidBooking(world, { businessId: business.id })
    await decideBooking(world.deps, {
      userId: business.user_id,
      bookingId,
      decision: 'declined',
      isAtOnce: true,
    })
    world.clock.forward(2 * HOUR_MS)
    await performDueRefunds(world.deps)
    await world.db
      .updateTable('payment_actions')
      .set({ asked_at: null })
      .where('payment_id', '=', paymentId)
      .execute()
    await waits(
      (tx) => lockPayment(tx, paymentId),
      () => settleRefunds(world.deps, world.payments, { id: paymentId, provider_reference: reference }),
      async (tx) => {
        const asked = await tx
          .selectFrom('payment_actions')
          .select('asked_at')
          .where('payment_id', '=', paymentId)
          .execute()
        expect(asked).toEqual([{ asked_at: null }])
      },
    )
  })

  it('a deleted account locks its purchases: the bookings before the payments', async () => {
    const business = await aBusiness(world.db)
    const customer = await aUser(world.db, { email_verified: true })
    const booking = await aPaidBooking(world, { businessId: business.id, form: { email: customer.email } })
    passesEvent(world, 365 * DAY_MS)
    const leaving = { ...world.deps, payouts: null, leavesAnAdmin: async () => true }
    const deleted = await waits(
      (tx) => lockBooking(tx, booking.bookingId),
      () => deleteAccount(leaving, customer.id),
      (tx) => sql`select from payments where id = ${booking.paymentId} for update nowait`.execute(tx),
    )
    expect(deleted).toEqual({ ok: true })
  })
})
