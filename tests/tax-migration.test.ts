import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import type { Database, DatabaseConnection } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { createServerDatabase, openTestDatabase } from './database.ts'
import { findPostgres } from './postgres.ts'
import { untilOneWaits } from './until-one-waits.ts'

/** 0080 and 0081 on a database with bookings, beside a version that doesn't know of tax documents. */

const TABLES = '0080_tax_documents.sql'
const FILL = '0081_tax_queue_of_before.sql'
const AT = '2026-11-20T01:00:00Z'
const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: adding tax documents under load is skipped.\n')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
  cpSync('database/migrations', folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name >= TABLES) rmSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Applies the migrations up to one of these. */
async function migratesTo(connection: DatabaseConnection, name: string): Promise<void> {
  cpSync(join('database/migrations', name), join(folder, name))
  expect(await migrate(connection, folder)).toEqual([name])
}

/** Stores a booking with its payment as the version before does. */
async function aBooking(db: Database, id: string, status: 'pending' | 'approved'): Promise<void> {
  await sql`insert into payments (id, submit_key, provider, amount_cents, state, draft, sold, owner_user_id, link_hash,
      terms_version, expires_at, created_at)
    values (${id}, ${id}, 'sandbox', 45500, 'paid', '{}', '{"businessName": "The Hall"}', 'vendor', ${id}, '', ${AT}, ${AT})
  `.execute(db)
  await sql`insert into bookings (id, payment_row_id, vendor_id, vendor_name, customer_name, email, phone, date, time,
      quantity, booking_type, total_price_cents, payment_id, status, remind_at, decide_by, created_at, decided_at)
    values (${id}, ${id}, 'x', 'The Hall', 'Kim Lee', 'kim@example.com', '1', '2027-03-13', '16:00', 10, 'perPerson',
      45500, ${id}, ${status}, ${AT}, ${AT}, ${AT}, ${status === 'approved' ? '2026-11-21T01:00:00Z' : null})`.execute(
    db,
  )
}

const approves = (db: Database, id: string) =>
  sql`update bookings set status = 'approved', decided_at = '2026-11-22T01:00:00Z' where id = ${id}`.execute(
    db,
  )

it('bookings of before wait behind new approvals, each with the day of its approval', async () => {
  const connection = await openTestDatabase('nothing')
  const { db } = connection
  try {
    await migrate(connection, folder)
    for (const id of ['a-old', 'b-disputed']) await aBooking(db, id, 'approved')
    for (const id of ['c-between', 'd-new', 'e-request']) await aBooking(db, id, 'pending')
    await migratesTo(connection, TABLES)
    // The version before still works between the two.
    await approves(db, 'c-between')
    await sql`insert into disputes (id, payment_id, provider, provider_dispute, status, funds, reason, amount_cents,
        is_charge_refundable, opened_at, checked_at)
      values ('d', 'b-disputed', 'sandbox', 'd', 'needs_response', 'withdrawn', 'general', 45500, false, ${AT}, ${AT})`.execute(
      db,
    )
    await migratesTo(connection, FILL)
    await approves(db, 'd-new')
    const { rows } = await sql`
      select booking_id as id, to_char(approved_at at time zone 'UTC', 'MM-DD') as approved, isfinite(look_at) as "isOld"
      from tax_queue order by look_at, 1`.execute(db)
    expect(rows).toEqual([
      { id: 'b-disputed', approved: '11-21', isOld: false },
      { id: 'c-between', approved: '11-22', isOld: false },
      { id: 'd-new', approved: '11-22', isOld: false },
      { id: 'a-old', approved: '11-21', isOld: true },
    ])
    // They are due at once.
    const due = await sql`select from tax_queue where look_at <= now()`.execute(db)
    expect(due.rows).toHaveLength(4)
  } finally {
    await connection.close()
  }
})

it.skipIf(!hasPostgres)(
  'a command that has a booking posts its money while the tables are added',
  async () => {
    const databaseUrl = await createServerDatabase('nothing')
    const [migrating, older] = [openPostgres(databaseUrl, () => {}), openPostgres(databaseUrl, () => {})]
    try {
      await migrate(migrating, folder)
      await aBooking(older.db, 'a', 'pending')
      let adding: Promise<void> | undefined
      await older.db.transaction().execute(async (tx) => {
        await approves(tx, 'a')
        adding = migratesTo(migrating, TABLES)
        await untilOneWaits(older.db)
        // Waits for the migration if that has locked the ledger already, which waits for the booking.
        await sql`insert into ledger_postings (transaction_id, line, account, cents) select 1, 1, 'losses', 1 where false`.execute(
          tx,
        )
      })
      await adding
    } finally {
      await migrating.close()
      await older.close()
    }
  },
)
