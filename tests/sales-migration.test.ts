import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import type { Database, DatabaseConnection, DatabaseTransaction } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { compareAll } from '../app/features/ledger/comparison-queries.server.ts'
import { PAYMENT_COMPARISONS } from '../app/features/payments/comparison-queries.server.ts'
import { listInstalments } from '../app/features/sales/plan-queries.server.ts'
import { findSale, listPurchases } from '../app/features/sales/queries.server.ts'
import { aSale } from './builders.ts'
import { createServerDatabase, openEmbeddedDatabase } from './database.ts'
import { findPostgres } from './postgres.ts'
import { untilOneWaits } from './until-one-waits.ts'

const FILL = '0075_sales_of_before.sql'
/** They drop the bridge to the version that had copies of sales in payments. */
const WITHOUT_THE_BRIDGE = ['0082_orders_of_before.sql', '0083_copies_of_sales.sql'] as const
const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: filling sales under a change is skipped.\n')

const event = (day: string) => ({ from: `${day}T05:00:00.000Z`, until: `${day}T12:00:00.000Z` })

it.skipIf(!hasPostgres)(
  'sales of older payments have what an older process changes while they are filled',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
    cpSync('database/migrations', folder, { recursive: true })
    for (const name of readdirSync(folder)) if (name >= '0074_sales.sql') rmSync(join(folder, name))
    const databaseUrl = await createServerDatabase('nothing')
    const [migrating, older] = [openPostgres(databaseUrl, () => {}), openPostgres(databaseUrl, () => {})]
    try {
      await migrate(migrating, folder)
      const sold = {
        businessId: 'b',
        businessName: 'The Hall',
        timeZone: 'Australia/Melbourne',
        event: event('2027-03-13'),
      }
      for (const id of ['during', 'after'])
        await sql`insert into payments (id, submit_key, provider, amount_cents, draft, sold, owner_user_id, link_hash,
          terms_version, expires_at)
        values (${id}, ${id}, 'sandbox', 45500, '{"quantity": 10}', ${JSON.stringify(sold)}, 'v', ${id}, '1', now())`.execute(
          older.db,
        )
      cpSync('database/migrations/0074_sales.sql', join(folder, '0074_sales.sql'))
      await migrate(migrating, folder)
      cpSync(join('database/migrations', FILL), join(folder, FILL))

      let filling: Promise<string[]> | undefined
      await older.db.transaction().execute(async (tx) => {
        await sql`update payments set sold = sold || ${JSON.stringify({ event: event('2027-03-20') })} where id = 'during'`.execute(
          tx,
        )
        filling = migrate(migrating, folder)
        await untilOneWaits(older.db)
      })
      expect(await filling).toEqual([FILL])
      await sql`update payments set sold = sold || ${JSON.stringify({ event: event('2027-03-27') })} where id = 'after'`.execute(
        older.db,
      )
      await migrate(migrating, 'database/migrations')
      expect((await findSale(older.db, 'during'))?.event).toEqual(event('2027-03-20'))
      expect((await findSale(older.db, 'after'))?.event).toEqual(event('2027-03-27'))
    } finally {
      await migrating.close()
      await older.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

/** Makes a folder of the migrations before this one, and a way to apply the next ones. */
function migrationsBefore(end: string) {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-migrations-'))
  cpSync('database/migrations', folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name >= end) rmSync(join(folder, name))
  return {
    begins: (connection: DatabaseConnection) => migrate(connection, folder),
    async applies(connection: DatabaseConnection, name: string) {
      cpSync(join('database/migrations', name), join(folder, name))
      expect(await migrate(connection, folder)).toEqual([name])
    },
    removes: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const terms = {
  policy: { name: 'moderate', version: 1, tiers: [{ daysBefore: 30, shareBasisPoints: 10_000 }] },
  priceCents: 45_500,
  instalments: [
    { number: 1, cents: 9_100, dueAt: null },
    { number: 2, cents: 36_400, dueAt: '2027-02-10T22:00:00.000Z' },
  ],
} as const

const paymentOf = (db: Database | DatabaseTransaction, id: string, saleId: string) =>
  sql`insert into payments (id, sale_id, submit_key, provider, amount_cents, expires_at)
    values (${id}, ${saleId}, ${id}, 'sandbox', 9100, '2026-11-20T01:00:00Z')`.execute(db)

/** Stores a sale in two parts by the columns that the version before 0082 knows. */
function saleOf(db: Database | DatabaseTransaction, id: string) {
  const sale = aSale({ id })
  return sql`
    insert into sales (id, owner_user_id, link_hash, terms_version, customer_name, customer_email, customer_phone, business_id,
      business_name, place, time_zone, gst_registered, date, time, quantity, booking_type, event_from, event_until,
      occupied_from, occupied_until, unit_price_cents, price_cents, policy, instalments, created_at)
    values (${id}, ${sale.ownerUserId}, ${id}, '1', ${sale.customer.fullName}, ${sale.customer.email}, ${sale.customer.phone},
      ${sale.businessId}, ${sale.businessName}, ${sale.place}, ${sale.timeZone}, false, ${sale.date}, ${sale.time}, 5,
      'perPerson', ${sale.event.from}, ${sale.event.until}, ${sale.occupied.from}, ${sale.occupied.until}, 4550, 45500,
      ${JSON.stringify(terms.policy)}, ${JSON.stringify(terms.instalments)}, '2026-11-20T01:00:00Z')`.execute(
    db,
  )
}

/** Stores and changes a sale with two payments as the version before 0082 does. */
async function sellsAsBefore(db: Database, id: string): Promise<void> {
  await saleOf(db, id)
  await paymentOf(db, id, id)
  await paymentOf(db, `${id}-further`, id)
  await sql`insert into instalments (id, payment_id, number, amount_cents, due_at, state, created_at)
    values (${id}, ${id}, 2, 36400, '2027-02-10T22:00:00Z', 'scheduled', '2026-11-20T01:00:00Z')`.execute(db)
  await sql`update sales set quantity = ${aSale().quantity}, customer_user_id = 'kim' where id = ${id}`.execute(
    db,
  )
}

it.each([
  ['the embedded database', () => openEmbeddedDatabase('nothing')],
  ...(hasPostgres
    ? [['PostgreSQL', async () => openPostgres(await createServerDatabase('nothing'), () => {})] as const]
    : []),
] as const)('%s loses nothing but the copies, and the version before goes on', async (_, opens) => {
  const { begins, applies, removes } = migrationsBefore(WITHOUT_THE_BRIDGE[0])
  const connection = await opens()
  const { db } = connection
  try {
    await begins(connection)
    await sellsAsBefore(db, 'at-first')
    for (const name of WITHOUT_THE_BRIDGE) {
      await applies(connection, name)
      await sellsAsBefore(db, `after-${name}`)
    }
    const ids = ['at-first', ...WITHOUT_THE_BRIDGE.map((name) => `after-${name}`)]
    for (const id of ids) {
      expect(await findSale(db, id)).toEqual(aSale({ id, customerUserId: 'kim', terms }))
      const [balance, ...none] = await listInstalments(db, id)
      expect([balance?.state, Number(balance?.amount_cents), none]).toEqual(['scheduled', 36_400, []])
    }
    const payments = await db.selectFrom('payments').select(['id', 'sale_id']).orderBy('id').execute()
    expect(payments).toEqual(
      ids
        .flatMap((id) => [id, `${id}-further`].map((one) => ({ id: one, sale_id: id })))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    )
    const ofSales = PAYMENT_COMPARISONS.filter(({ name }) => /sales/.test(name))
    const checks = await compareAll(db, ofSales, listPurchases)
    expect(checks.filter(({ count }) => count > 0)).toEqual([])
    const { rows } = await sql<{ name: string }>`
      select proname as name from pg_proc where pronamespace = 'public'::regnamespace
        and prosrc ~ '\\m(sold|draft|follows|refund_orders|cancellation_orders|sale_of)\\M|\\m(payments|paid|first|p)\\.(owner_user_id|customer_user_id|link_hash|terms_version)\\M'`.execute(
      db,
    )
    expect(rows).toEqual([])
  } finally {
    await connection.close()
    removes()
  }
})

type Step = (tx: DatabaseTransaction) => Promise<unknown>

/** Commands take both tables in either order. */
const COMMANDS: readonly [string, Step, Step][] = [
  [
    'changes the sale of a payment that it has locked',
    (tx) => sql`select from payments where id = 'a' for update`.execute(tx),
    (tx) => sql`update sales set quantity = 7 where id = 'a'`.execute(tx),
  ],
  ['stores a sale, then its payment', (tx) => saleOf(tx, 'b'), (tx) => paymentOf(tx, 'b', 'b')],
]
const MEANWHILE = COMMANDS.flatMap(([what, first, second]) =>
  WITHOUT_THE_BRIDGE.map((name) => ({ name, what, first, second })),
)

it.skipIf(!hasPostgres).each(MEANWHILE)(
  '$name and a command that $what don’t wait for each other',
  async ({ name, first, second }) => {
    const { begins, applies, removes } = migrationsBefore(name)
    const databaseUrl = await createServerDatabase('nothing')
    const [migrating, older] = [openPostgres(databaseUrl, () => {}), openPostgres(databaseUrl, () => {})]
    try {
      await begins(migrating)
      await saleOf(older.db, 'a')
      await paymentOf(older.db, 'a', 'a')
      let tries = 0
      let isApplied = false
      let applying: Promise<void> | undefined
      await older.db.transaction().execute(async (tx) => {
        tries += 1
        await first(tx)
        applying ??= applies(migrating, name).finally(() => {
          isApplied = true
        })
        await untilOneWaits(older.db, () => isApplied)
        await second(tx)
      })
      await applying
      // After a deadlock it would have been repeated.
      expect(tries).toBe(1)
    } finally {
      await migrating.close()
      await older.close()
      removes()
    }
  },
)
