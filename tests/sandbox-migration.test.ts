import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import { createSandboxProvider } from '../app/adapters/payments/sandbox.server.ts'
import { TEST_SECRET } from './builders.ts'
import { openTestDatabase, type TestConnection } from './database.ts'

/** 0026_sandbox_payouts.sql on an older database: it writes the movements of what the sandbox has done before. */

const MOVEMENTS = '0026_sandbox_payouts.sql'
const folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
let connection: TestConnection

beforeAll(async () => {
  cpSync('database/migrations', folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name >= MOVEMENTS) rmSync(join(folder, name))
  connection = await openTestDatabase('nothing')
  await migrate(connection, folder)
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})

it('the migration gives the sandbox the balance of its charges, refunds and disputes from before', async () => {
  const { db } = connection
  const payment = (id: string, cents: number, state: string) =>
    sql`insert into sandbox_payments (id, client_secret, idempotency_key, amount_cents, currency, description, state,
        payment_id, created_at)
      values (${id}, ${id}, ${id}, ${cents}, 'aud', '', ${state}, ${id}, '2026-11-01T00:00:00Z')`.execute(db)
  await payment('sb_paid', 870_000, 'succeeded')
  await payment('sb_smallest', 50, 'succeeded')
  await payment('sb_open', 10_000, 'requires_payment_method')
  await payment('sb_given_up', 10_000, 'canceled')
  await sql`insert into sandbox_refunds (id, sandbox_payment_id, idempotency_key, amount_cents, status, created_at)
    values ('sbr_done', 'sb_paid', 'a', 1000, 'succeeded', '2026-11-02T00:00:00Z'),
      ('sbr_pending', 'sb_paid', 'b', 200, 'pending', '2026-11-02T00:00:00Z'),
      ('sbr_failed', 'sb_paid', 'c', 30, 'failed', '2026-11-02T00:00:00Z')`.execute(db)
  await sql`insert into sandbox_disputes (id, sandbox_payment_id, amount_cents, reason, status, funds, created_at)
    values ('sbd_lost', 'sb_smallest', 50, 'fraudulent', 'lost', 'withdrawn', '2026-11-03T00:00:00Z'),
      ('sbd_won', 'sb_paid', 5000, 'fraudulent', 'won', 'reinstated', '2026-11-03T00:00:00Z'),
      ('sbd_inquiry', 'sb_paid', 5000, 'fraudulent', 'warning_needs_response', 'held', '2026-11-03T00:00:00Z')`.execute(
    db,
  )

  expect(await migrate(connection, 'database/migrations')).toContain(MOVEMENTS)

  const { payouts } = createSandboxProvider({
    db,
    secret: TEST_SECRET,
    now: () => new Date('2026-11-22T00:00:00Z'),
    webhookUrl: () => 'http://localhost/webhooks',
  })
  const answer = await payouts.listMovements({ since: new Date(0), after: null })
  const movements = answer.ok ? answer.movements : []
  const seen = movements.map((one) => [one.kind, one.reference, one.amountCents, one.feeCents].join(' '))
  expect(seen.sort()).toEqual(
    [
      'charge sb_paid 870000 14820',
      'charge sb_smallest 50 31',
      'refund sbr_done -1000 0',
      'refund sbr_pending -200 0',
      'refund sbr_failed -30 0',
      'refund_failed sbr_failed 30 0',
      'dispute sbd_lost -50 2500',
      'dispute sbd_won -5000 2500',
      'dispute_reversal sbd_won 5000 0',
    ].sort(),
  )
  expect(await payouts.retrieveBalance()).toEqual({
    ok: true,
    availableCents: 870_000 + 50 - 1_000 - 200 - 50 - 14_820 - 31 - 5_000,
    pendingCents: 0,
  })
})
