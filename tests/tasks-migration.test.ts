import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import { openTestDatabase, type TestConnection } from './database.ts'

/** 0101_operators_tasks.sql on an older database: refunds that came back before it. */

const TASKS = '0101_operators_tasks.sql'
const AT = '2026-11-20T01:00:00Z'
const folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
let connection: TestConnection

beforeAll(async () => {
  cpSync('database/migrations', folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name >= TASKS) rmSync(join(folder, name))
  connection = await openTestDatabase('nothing')
  await migrate(connection, folder)
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})

type DisputeRow = { status: string; funds: string; refundable?: boolean; closedAt?: string | null }

/** Stores a payment whose refund came back. */
async function aReturned(id: string, given: { resolution?: string; dispute?: DisputeRow } = {}) {
  const { db } = connection
  const { resolution = null, dispute } = given
  await sql`insert into payments (id, sale_id, submit_key, provider, amount_cents, state, expires_at)
    values (${id}, ${id}, ${id}, 'sandbox', 45500, 'paid', ${AT})`.execute(db)
  await sql`insert into payment_actions (id, payment_id, kind, amount_cents, reason, due_at, state, done_at, provider_status,
      resolution)
    values (${id}, ${id}, 'refund', 45500, 'declined', ${AT}, 'done', ${AT}, 'failed', ${resolution})`.execute(
    db,
  )
  if (!dispute) return
  const { status, funds, refundable = false, closedAt = null } = dispute
  await sql`insert into disputes (id, payment_id, provider, provider_dispute, amount_cents, reason, status, funds,
      is_charge_refundable, opened_at, checked_at, closed_at)
    values (${id}, ${id}, 'sandbox', ${id}, 45500, 'fraudulent', ${status}, ${funds}, ${refundable}, ${AT}, ${AT},
      ${closedAt})`.execute(db)
}

it('refunds of before count as asked about, unless they wait for a dispute: then they are once it ends', async () => {
  await aReturned('alone')
  await aReturned('settled', { resolution: 'paid_otherwise' })
  await aReturned('disputed', { dispute: { status: 'needs_response', funds: 'withdrawn' } })
  await aReturned('held', { dispute: { status: 'under_review', funds: 'held' } })
  await aReturned('not-yet-back', { dispute: { status: 'won', funds: 'withdrawn', closedAt: AT } })
  await aReturned('inquiry', {
    dispute: { status: 'warning_needs_response', funds: 'held', refundable: true },
  })
  await aReturned('won', { dispute: { status: 'won', funds: 'reinstated', closedAt: AT } })
  await migrate(connection, 'database/migrations')
  const { rows } = await sql<{ id: string }>`
    select id from payment_actions where account_asked_at is not null order by id`.execute(connection.db)
  expect(rows.map(({ id }) => id)).toEqual(['alone', 'inquiry', 'won'])
})
