import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPglite } from '../app/adapters/database/pglite.server.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { FAULT_POINTS, type FaultPointName } from '../app/adapters/payments/fault-points.ts'
import { readConfig } from '../app/config.server.ts'
import { listPaymentTransactions } from '../app/features/ledger/queries.server.ts'
import { sweepDisputes } from '../app/features/payments/dispute-commands.server.ts'
import { performDueRefunds } from '../app/features/payments/refund-sending-commands.server.ts'
import { sweepPayments } from '../app/features/payments/sweep-commands.server.ts'
import { bookingDeps } from '../app/services/deps.server.ts'
import { createServices } from '../app/services.server.ts'
import { aBookingForm, aBusiness } from './builders.ts'
import { requestsTo } from './client.ts'
import { pointsOfThisRun } from './crash-points.ts'
import { endDeliveries } from './crash-stage.ts'
import { createServerDatabase, holdEngine } from './database.ts'
import { freePort } from './free-port.ts'
import { findMoneyDifferences } from './money-proof.ts'
import { findPostgres } from './postgres.ts'
import { PROCESS_KEY_HEADER, prepareDatabase, serverSettings, startServerProcess } from './server-process.ts'

/**
 * A real server process on a durable database, killed (kill -9) at fault points between the card's confirmation
 * and the stored booking, then started again. Every paid booking ends with exactly one booking or one full refund,
 * and every booking has its payment.
 */

const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: its half of the crash test is skipped.\n')

/** Refunds and disputes come after the booking. */
const moneyBackPoints = [
  'refund-moved-uncommitted',
  'refund-moved',
  'dispute-stored-uncommitted',
  'dispute-stored',
] as const satisfies readonly FaultPointName[]
/**
 * The property test of bookings crashes at the other points of refunds, tests/payouts-crash.test.ts at those of payouts,
 * tests/tax-crash.test.ts at those of tax documents, which follow an approval that nobody gives here.
 */
const points = FAULT_POINTS.filter(
  (point) => !/^(refund|dispute|transfer|reversal|instalment|change|tax)-/.test(point),
)
/** Points before the charge is committed, where nothing has been paid. */
const beforeCharge: readonly FaultPointName[] = ['card-checked', 'card-charged-uncommitted']

const killedAt = pointsOfThisRun(points, 2)
const killedLaterAt = pointsOfThisRun(moneyBackPoints, 1)

const kinds = [
  { name: 'embedded PGlite', available: true },
  { name: 'PostgreSQL', available: hasPostgres },
]

describe.each(kinds)('a server killed in the middle of a payment, on $name', ({ name, available }) => {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-crash-'))
  let databaseUrl = ''
  let businessId = ''
  let server: ChildProcess | null = null

  const place = () => ({ folder, databaseUrl: databaseUrl || null })

  const connect = () =>
    databaseUrl
      ? openPostgres(databaseUrl, (error) => {
          throw error
        })
      : openPglite(folder)

  /** Looks while no process of the product runs. */
  async function isCharged(submitKey: string): Promise<boolean> {
    const connection = await connect()
    const charged = await connection.db
      .selectFrom('sandbox_payments')
      .innerJoin('payments', 'payments.id', 'sandbox_payments.payment_id')
      .select('sandbox_payments.id')
      .where('payments.submit_key', '=', submitKey)
      .where('sandbox_payments.state', '=', 'succeeded')
      .executeTakeFirst()
    await connection.close()
    return charged !== undefined
  }

  beforeAll(async () => {
    if (!available) return
    if (name === 'PostgreSQL') databaseUrl = await createServerDatabase()
    else {
      await holdEngine()
      await prepareDatabase(folder)
    }
    const connection = await connect()
    businessId = (await aBusiness(connection.db)).id
    await connection.close()
  })
  afterAll(async () => {
    server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  /** Starts the product again in this process and calls its minutely jobs directly instead of waiting. */
  async function restart<Result>(look: (db: Database) => Promise<Result>): Promise<Result> {
    let aheadMs = 0
    const config = readConfig(serverSettings(place(), await freePort()))
    const services = await createServices(config, {
      databaseFolder: 'database',
      now: () => new Date(Date.now() + aheadMs),
    })
    try {
      await services.startJobs()
      const deps = bookingDeps(services)
      // Past the expiry of unpaid payments and past every retry delay.
      for (let round = 0; round < 2; round++) {
        await sweepPayments(deps)
        await sweepDisputes(deps)
        await performDueRefunds(deps)
        aheadMs += 3_600_000
      }
      const seen = await look(services.db)
      await endDeliveries(services)
      return seen
    } finally {
      await services.close()
    }
  }

  it.skipIf(!available).each(killedAt)(
    'loses neither a payment nor a booking at %s',
    async (point) => {
      let killed = await startServerProcess(place(), { CRASH_AT: point })
      const { postJson } = requestsTo(() => killed)
      server = killed.child
      const submitKey = crypto.randomUUID()
      const made = await postJson('/create-payment-intent', {
        amount: 45_500,
        submitKey,
        businessId,
        booking: aBookingForm({ date: '2037-03-14' }),
      })
      expect(made.status).toBe(200)
      const { clientSecret } = (await made.json()) as { clientSecret: string }
      // From here on, any response may be missing.
      const card = { clientSecret, cardNumber: '4242 4242 4242 4242', expiry: '12 / 39', cvc: '123' }
      const pay = async () => {
        await postJson('/api/sandbox/confirm', card).catch(() => null)
        await postJson('/api/payment-report', { clientSecret }).catch(() => null)
        expect(await killed.ended).toBe('SIGKILL')
        server = null
      }
      await pay()
      // The minutely sweep asks for open payments too, and may have come to the point before the card was charged.
      while (!beforeCharge.includes(point) && !(await isCharged(submitKey))) {
        killed = await startServerProcess(place(), { CRASH_AT: point })
        server = killed.child
        await pay()
      }

      const found = await restart(async (db) => {
        const payment = await db
          .selectFrom('payments')
          .select(['id', 'state'])
          .where('submit_key', '=', submitKey)
          .executeTakeFirstOrThrow()
        const atProvider = await db
          .selectFrom('sandbox_payments')
          .select(['id', 'state', 'amount_cents', 'refunded_cents'])
          .where('payment_id', '=', payment.id)
          .execute()
        const bookings = await db
          .selectFrom('bookings')
          .select(['id', 'payment_id', 'payment_status'])
          .where('payment_row_id', '=', payment.id)
          .execute()
        const bookingIds = ['', ...bookings.map((booking) => booking.id)]
        const numbers = await db
          .selectFrom('receipt_numbers')
          .select('number')
          .where('booking_id', 'in', bookingIds)
          .execute()
        const told = await db
          .selectFrom('notifications')
          .select('id')
          .where(
            'event_key',
            'in',
            bookingIds.map((id) => `booking-new:${id}`),
          )
          .execute()
        const all = await db.selectFrom('receipt_numbers').select('number').orderBy('number').execute()
        const slots = await db
          .selectFrom('slots')
          .select(['kind', 'booking_id'])
          .where('payment_id', '=', payment.id)
          .execute()
        const posted = (await listPaymentTransactions(db, payment.id)).map(({ key }) => key)
        const differences = await findMoneyDifferences(db)
        return {
          payment,
          atProvider,
          bookings,
          numbers,
          told,
          slots,
          posted,
          differences,
          all: all.map((row) => row.number),
        }
      })
      expect(found.differences).toEqual([])
      expect(found.atProvider).toHaveLength(1)
      const [atProvider] = found.atProvider
      expect(found.all).toEqual(found.all.map((_, index) => index + 1))
      if (beforeCharge.includes(point)) {
        expect(atProvider?.state).toBe('canceled')
        expect(found.payment.state).toBe('expired')
        expect(found.bookings).toEqual([])
        expect(found.slots).toEqual([])
        expect(found.posted).toEqual([])
        return
      }
      expect(atProvider?.state).toBe('succeeded')
      expect(found.payment.state).toBe('paid')
      expect(Number(atProvider?.refunded_cents)).toBe(0)
      expect(found.bookings).toMatchObject([{ payment_id: atProvider?.id, payment_status: 'paid' }])
      expect(found.slots).toEqual([{ kind: 'booking', booking_id: found.bookings[0]?.id }])
      expect(found.numbers).toHaveLength(1)
      expect(found.told).toHaveLength(1)
      expect(found.posted).toEqual([`charge:${found.payment.id}:1`])
    },
    60_000,
  )

  it.skipIf(!available).each(killedLaterAt)(
    'neither loses nor repeats what follows at %s',
    async (point) => {
      // The moved clock would also decline, and refund, the bookings of the tests before.
      await restart((db) =>
        db
          .updateTable('bookings')
          .set({ status: 'approved', decided_at: new Date() })
          .where('status', '=', 'pending')
          .execute(),
      )
      const { origin, ended, child } = await startServerProcess(place(), { CRASH_AT: point })
      server = child
      const { postJson } = requestsTo(
        () => ({ origin }),
        () => ({ headers: PROCESS_KEY_HEADER }),
      )
      const submitKey = crypto.randomUUID()
      const booking = aBookingForm({ date: '2037-03-14' })
      const made = await postJson('/create-payment-intent', {
        amount: 45_500,
        submitKey,
        businessId,
        booking,
      })
      const { clientSecret } = (await made.json()) as { clientSecret: string }
      const card = { clientSecret, cardNumber: '4242 4242 4242 4242', expiry: '12 / 39', cvc: '123' }
      expect((await postJson('/api/sandbox/confirm', card)).status).toBe(200)
      expect((await postJson('/api/payment-report', { clientSecret })).status).toBe(200)
      // Nobody answers the booking in time, so it is refunded; or the cardholder's bank disputes it.
      const [payment] = clientSecret.split('_secret_')
      let isOver = false
      void ended.then(() => {
        isOver = true
      })
      if (point.startsWith('refund-')) {
        // Each move runs the jobs once: one declines the booking, another refunds it.
        await postJson('/api/sandbox/clock', { days: 3 }).catch(() => null)
        while (!isOver) await postJson('/api/sandbox/clock', { hours: 1 }).catch(() => null)
      } else await postJson('/api/sandbox/dispute', { payment, step: 'open' }).catch(() => null)
      expect(await ended).toBe('SIGKILL')
      server = null

      const found = await restart(async (db) => ({
        refunds: await db
          .selectFrom('sandbox_refunds')
          .select(['status', 'amount_cents'])
          .where('sandbox_payment_id', '=', payment ?? '')
          .execute(),
        ours: await db
          .selectFrom('payment_actions')
          .innerJoin('bookings', 'bookings.payment_row_id', 'payment_actions.payment_id')
          .select(['state', 'provider_status', 'bookings.payment_status'])
          .where('bookings.payment_id', '=', payment ?? '')
          .execute(),
        mails: await sql`
          select from jobs.job where data->>'messageId' like (
            select '<booking-' || id || '-refunded-%' from bookings where payment_id = ${payment ?? ''})`.execute(
          db,
        ),
        disputes: await db
          .selectFrom('disputes')
          .innerJoin('payments', 'payments.id', 'disputes.payment_id')
          .select(['disputes.status', 'disputes.funds'])
          .where('payments.provider_reference', '=', payment ?? '')
          .execute(),
        kinds: await db
          .selectFrom('ledger_transactions')
          .innerJoin('payments', 'payments.id', 'ledger_transactions.payment_id')
          .select('kind')
          .where('payments.provider_reference', '=', payment ?? '')
          .orderBy('ledger_transactions.id')
          .execute(),
        differences: await findMoneyDifferences(db),
      }))
      expect(found.differences).toEqual([])
      expect(found.kinds.map(({ kind }) => kind)).toEqual([
        'charge',
        point.startsWith('dispute-') ? 'dispute_opened' : 'refund',
      ])
      if (point.startsWith('dispute-')) {
        expect(found.disputes).toEqual([{ status: 'needs_response', funds: 'withdrawn' }])
        expect(found.refunds).toEqual([])
        return
      }
      expect(found.refunds).toMatchObject([{ status: 'succeeded' }])
      expect(found.ours).toMatchObject([
        { state: 'done', provider_status: 'succeeded', payment_status: 'refunded' },
      ])
      expect(found.mails.rows).toHaveLength(1)
    },
    60_000,
  )
})
