import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decideBooking } from '../app/features/bookings/decisions/commands.server.ts'
import { issueSaleDocuments } from '../app/features/tax/commands.server.ts'
import { taxDeps } from '../app/services/deps.server.ts'
import { type CrashStage, openCrashStage } from './crash-stage.ts'
import { findMoneyDifferences } from './money-proof.ts'
import { aPaidVendor, books } from './payout-stage.ts'
import { findPostgres } from './postgres.ts'

/**
 * 200 bookings of one vendor that are approved at the same moment, while the server that issues their invoices is killed (kill -9)
 * again and again. It runs on PostgreSQL if this machine has one, else on PGlite.
 */

const APPROVALS = 200
/** As many as one listing takes at a time. */
const AT_ONCE = 10
/** Documents that a process issues before it is killed. */
const BEFORE_KILLED = 20

describe('a server killed while it issues documents', () => {
  let stage: CrashStage
  beforeAll(async () => {
    stage = await openCrashStage()
  }, 60_000)
  afterAll(() => stage.close())

  const numbersOf = () =>
    stage.watch(async (db) => {
      const { rows } = await sql<{
        number: number
      }>`select number from tax_documents order by number`.execute(db)
      return rows.map(({ number }) => number)
    })

  it('leaves the series dense, with one invoice for each of 200 parallel approvals', {
    timeout: 240_000,
  }, async () => {
    await stage.inside(async (world) => {
      const { userId, business } = await aPaidVendor(world)
      await world.db.updateTable('business_registrations').set({ abn: '53004085616' }).execute()
      await sql`
        insert into register_answers (abn, status, status_since, entity_name, entity_type, business_names, gst_since, state,
          first_at, last_at)
        values ('53004085616', 'active', null, '', '', '[]', '2000-07-01', 'VIC', now(), now())`.execute(
        world.db,
      )
      const listings = [business]
      while (listings.length < APPROVALS / AT_ONCE)
        listings.push((await aPaidVendor(world, { userId, isReady: false })).business)
      await sql`update availability_settings set capacity = ${AT_ONCE}`.execute(world.db)
      const booked = await Promise.all(
        listings.map(async (listing) => {
          const bookings: { bookingId: string }[] = []
          while (bookings.length < AT_ONCE) bookings.push(await books(world, listing, { isApproved: false }))
          return bookings
        }),
      )
      const approved = await Promise.all(
        booked
          .flat()
          .map(({ bookingId }) => decideBooking(world.deps, { userId, bookingId, decision: 'approved' })),
      )
      expect(approved.filter(({ ok }) => ok)).toHaveLength(APPROVALS)
      // The job of this process may run at any moment, and is to leave them to the killed ones.
      await sql`update tax_queue set look_at = 'infinity'`.execute(world.db)
    })

    await stage.watch((db) => sql`update tax_queue set look_at = '-infinity'`.execute(db))
    const before = await numbersOf()
    for (const point of ['tax-document-numbered', 'tax-document-stored-uncommitted'])
      await stage.killAt(point, [{ minutes: 1 }, { minutes: 1 }])
    expect(await numbersOf()).toEqual(before)

    // Only PostgreSQL can be looked at beside the server.
    if (findPostgres()) {
      const server = await stage.start()
      void server.move({ minutes: 2 })
      const isIssued = async () => (await numbersOf()).length >= before.length + BEFORE_KILLED
      await expect.poll(isIssued, { timeout: 60_000, interval: 20 }).toBe(true)
      server.child.kill('SIGKILL')
      await server.ended
      const numbers = await numbersOf()
      expect(numbers.length).toBeGreaterThanOrEqual(before.length + BEFORE_KILLED)
      expect(numbers.length).toBeLessThan(APPROVALS)
      expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    }

    await stage.inside(async (world, services) => {
      world.clock.forward(3 * 60_000)
      const issue = () => issueSaleDocuments(taxDeps(services))
      await Promise.all([issue(), issue()])
      await issue()
      const { rows } = await sql<{ bookings: number; cents: string }>`
        select count(distinct booking_id)::int as bookings, sum(cents) as cents from tax_documents`.execute(
        world.db,
      )
      expect(rows.map(({ bookings, cents }) => ({ bookings, cents: Number(cents) }))).toEqual([
        { bookings: APPROVALS, cents: APPROVALS * 870_000 },
      ])
      expect(await findMoneyDifferences(world.db)).toEqual([])
    })
    expect(await numbersOf()).toEqual(Array.from({ length: APPROVALS }, (_, index) => index + 1))
  })
})
