import { sql } from 'kysely'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { listVendorTasks } from '../app/features/desk/queries.server.ts'
import { DESK_ROWS } from '../app/features/desk/rules.ts'
import { loadPlaces } from '../app/features/places/commands.server.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { aBusiness, aUser } from '../tests/builders.ts'
import { aPayoutAccount, fillEarnings } from '../tests/earnings.ts'
import { findPostgres, startPostgres } from '../tests/postgres.ts'
import { percentile } from './measure.ts'
import type { Row } from './run.ts'

/**
 * Measures the list of what waits for a vendor with 10,000 bookings and 5,000 conversations, among other vendors, on
 * PostgreSQL: the statement and its rows as tasks, one at a time. My Dashboard and the count in the menu ask it.
 */

const BOOKINGS = 10_000
const CONVERSATIONS = 5_000
const OTHER_VENDORS = 40
const OTHER_BOOKINGS = 500
/** Every so many bookings ahead wait for an answer, for an answer to a change, or for their balance. */
const EVERY = 30
const PAST_DAYS = 1_500
const AHEAD_DAYS = 365
const WARM_UP = 30
const RUNS = 300

export async function run(): Promise<Row[]> {
  const programs = findPostgres()
  if (!programs)
    return [{ what: 'a vendor’s desk', result: 'left out: there is no PostgreSQL on this machine' }]
  const cluster = await startPostgres(programs, ['shared_buffers=512MB', 'max_wal_size=4GB'])
  try {
    const connection = openPostgres(cluster.url, () => {})
    await migrate(connection, 'database/migrations')
    await loadPlaces(connection.db, 'database/places.tsv')
    const userId = await fillVendor(connection.db, BOOKINGS, CONVERSATIONS)
    for (let nth = 0; nth < OTHER_VENDORS; nth++)
      await fillVendor(connection.db, OTHER_BOOKINGS, OTHER_BOOKINGS / 2)
    await connection.executeScript('vacuum analyze')
    const times = await measure(connection.db, userId)
    await connection.close()
    const [p50, p95, worst] = [50, 95, 100].map((percent) => percentile(times, percent).toFixed(1))
    return [
      {
        what: `what waits for a vendor with ${BOOKINGS.toLocaleString('en')} bookings`,
        result: `p50 ${p50}, p95 ${p95}, worst ${worst} ms`,
        aim: 'p95 under 30 ms',
      },
    ]
  } finally {
    cluster.stop()
  }
}

async function measure(db: Database, userId: string): Promise<number[]> {
  const times: number[] = []
  for (let nth = -WARM_UP; nth < RUNS; nth++) {
    const started = performance.now()
    const tasks = await listVendorTasks(db, { userId, provider: 'sandbox', now: new Date() })
    if (nth >= 0) times.push(performance.now() - started)
    if (tasks.length !== DESK_ROWS) throw new Error(`The desk has ${tasks.length} rows.`)
  }
  return times
}

/** A vendor with bookings over some years, and of each kind some that wait. @returns the user's id */
async function fillVendor(db: Database, bookings: number, conversations: number): Promise<string> {
  const { id: userId } = await aUser(db)
  const business = await aBusiness(db, { user_id: userId })
  const accountId = await aPayoutAccount(db, userId)
  const now = Date.now()
  const ids = await fillEarnings(
    db,
    Array.from({ length: bookings }, (_, nth) => {
      const days = (nth * (PAST_DAYS + AHEAD_DAYS)) / bookings - PAST_DAYS
      return {
        ...{
          vendorUserId: userId,
          businessId: business.id,
          accountId,
          totalCents: 50_000 + (nth % 90) * 1_000,
        },
        progress: days > 0 ? ('held' as const) : ('at_bank' as const),
        eventUntil: new Date(now + days * DAY_MS),
        bookedAt: new Date(now + (Math.min(days, 0) - 60) * DAY_MS),
      }
    }),
  )
  const ahead = ids.slice(-Math.floor((bookings * AHEAD_DAYS) / (PAST_DAYS + AHEAD_DAYS)))
  const some = (first: number) => ahead.filter((_, nth) => nth % EVERY === first)
  await sql`update bookings set status = 'pending', decide_by = now() + random() * interval '2 days'
    where id = any(${some(0)}::text[])`.execute(db)
  await sql`
    insert into changes (id, booking_id, proposed_by, state, sale_before, sale_after, due_cents, refund_cents, expires_at,
      created_at)
    select id, id, 'customer', 'proposed', '{}', '{"priceCents": 60000}', 0, 0, now() + random() * interval '3 days', now()
    from bookings where id = any(${some(1)}::text[])`.execute(db)
  await sql`
    insert into instalments (id, payment_id, number, amount_cents, due_at, state, attempts, unpaid_since, created_at)
    select id, payment_row_id, 2, 40000, now() - interval '1 day',
      case when id = any(${some(2)}::text[]) then 'needs_customer' else 'paid' end, 1, now() - interval '1 day', now()
    from bookings where id = any(${ids}::text[])`.execute(db)
  await sql`
    insert into conversations (id, business_id, business_name, owner_user_id, customer_name, customer_email, link_hash,
      submit_key, wish, status, verified_at, waiting_since, last_message_at, created_at)
    select ${business.id} || n, ${business.id}, 'Hall', ${userId}, 'Kim', 'kim@example.com', ${business.id} || n,
      ${business.id} || n, 'question', 'open', now(), case when n % 100 = 0 then now() - random() * interval '1 day' end,
      now() - n * interval '1 hour', now() - n * interval '1 hour'
    from generate_series(1, ${conversations}) n`.execute(db)
  return userId
}
