import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { type LedgerTransaction, postTransactions } from '../app/features/ledger/commands.server.ts'
import { proveLedger } from '../app/features/ledger/queries.server.ts'
import { charge, commission, type Entry, earned, fee, transfer } from '../app/features/ledger/rules.ts'
import { findMoneyDifferences } from '../tests/money-proof.ts'
import { findPostgres, makePostgresFolder, startPostgres } from '../tests/postgres.ts'
import { median } from './measure.ts'
import type { Row } from './run.ts'
import {
  captureSettlement,
  createDeps,
  insertPayments,
  settleBooking,
  settleBookingBare,
} from './settle/booking.ts'

/**
 * Measures the postings of a booking from its charge to the transfer, on PostgreSQL: through our command, and the same
 * statements sent by the bare driver and by pgbench. The contestants take turns. Does the same with the whole settlement of a
 * paid booking. Then proves the ledger that they made.
 */

const ROUNDS = 5
const ROUND_MS = 2_000
const CONNECTIONS = 8
const VENDORS = 200
const PRICE = 870_000
const TERMS = { basisPoints: 1_000, isGstRegistered: true }
/** Without colons, which pgbench would take for variables. */
const BOOKING = 'BOOKING_ID'
const VENDOR = 'VENDOR_ID'
/** As many as the aim of the proof is about. */
const PROVED_BOOKINGS = 100_000
const INSERTED_AT_ONCE = 500
/** More than all rounds settle. */
const PAYMENTS = 20_000

export async function run(): Promise<Row[]> {
  const programs = findPostgres()
  if (!programs)
    return [{ what: 'postings on PostgreSQL', result: 'left out: there is none on this machine' }]
  const cluster = await startPostgres(programs, ['shared_buffers=512MB', 'max_wal_size=4GB'])
  const connection = openPostgres(cluster.url, () => {})
  const pool = new pg.Pool({
    connectionString: cluster.url,
    max: CONNECTIONS,
    options: '-c max_parallel_workers_per_gather=0 -c jit=off',
  })
  try {
    await migrate(connection, 'database/migrations')
    const statements = await captureStatements(cluster.url)
    const ours = async () => perSecond((nth) => settle(connection.db, `ours-${nth}`, vendorOf(nth)))
    const bare = async () => perSecond((nth) => settleBare(pool, statements, `bare-${nth}`, vendorOf(nth)))
    await ours()
    await bare()
    const rates: { ours: number; bare: number }[] = []
    // Each contestant is first in every other round.
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 2) {
        const bareRate = await bare()
        rates.push({ ours: await ours(), bare: bareRate })
      } else rates.push({ ours: await ours(), bare: await bare() })
    }
    const whole = await measureSettlement(cluster.url, connection, pool)
    const pgbench = runPgbench(programs, cluster.url, statements)
    const proof = await prove(connection.db)
    return [
      {
        what: `postings of a booking in three transactions, ${CONNECTIONS} at once: bookings/s by our command, bare pg, pgbench`,
        result: `${median(rates.map((rate) => rate.ours)).toFixed(0)}, ${median(rates.map(({ bare }) => bare)).toFixed(0)}, ${pgbench}`,
      },
      {
        what: 'our command against bare pg',
        result: median(rates.map((rate) => rate.ours / rate.bare)).toFixed(2),
        aim: 'at least 0.8',
      },
      ...whole,
      proof,
    ]
  } finally {
    await pool.end()
    await connection.close()
    cluster.stop()
  }
}

/** Measures the settlement of a paid booking with its postings, through the whole code of the application. */
async function measureSettlement(
  url: string,
  connection: ReturnType<typeof openPostgres>,
  pool: pg.Pool,
): Promise<Row[]> {
  await insertPayments(connection.db, PAYMENTS)
  const { deps, close } = await createDeps(connection)
  const first = settled
  const next = (nth: number) => {
    if (nth - first >= PAYMENTS - 1) throw new Error('The bench needs more payments.')
    return nth - first
  }
  try {
    const template = await captureSettlement(url, PAYMENTS - 1)
    const ours = () => perSecond((nth) => settleBooking(deps, next(nth)))
    const bare = () => perSecond((nth) => settleBookingBare(pool, template, next(nth)))
    await ours()
    await bare()
    const rates: { ours: number; bare: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 2) {
        const bareRate = await bare()
        rates.push({ ours: await ours(), bare: bareRate })
      } else rates.push({ ours: await ours(), bare: await bare() })
    }
    const left = (await findMoneyDifferences(connection.db)).length
    if (left > 0) process.exitCode = 1
    return [
      {
        what: `settling a paid booking with its postings (${template.statements.length} statements), ${CONNECTIONS} at once: bookings/s by the application, bare pg`,
        result: `${median(rates.map((rate) => rate.ours)).toFixed(0)}, ${median(rates.map((rate) => rate.bare)).toFixed(0)}`,
      },
      {
        what: 'the application against bare pg',
        result: median(rates.map((rate) => rate.ours / rate.bare)).toFixed(2),
        aim: 'at least 0.8',
      },
    ]
  } finally {
    await close()
  }
}

const vendorOf = (nth: number) => `vendor-${nth % VENDORS}`

/** The three transactions of a booking: paid, earned, and transferred. */
function transactionsOf(bookingId: string, vendorUserId: string): LedgerTransaction[][] {
  const about = (entry: Entry): LedgerTransaction => ({
    ...entry,
    key: `${entry.kind}-${bookingId}`,
    vendorUserId,
    bookingId,
    paymentId: bookingId,
    providerReference: `${entry.kind}-reference-${bookingId}`,
    at: new Date('2027-03-13T00:00:00Z'),
  })
  return [
    [about(charge(PRICE)), about(fee(14_820))],
    [about(earned(PRICE)), about(commission({ cents: PRICE, commissionCents: 0, gstCents: 0 }, TERMS))],
    [about(transfer({ cents: 783_000, debts: [], paidFrom: 'provider_balance' }))],
  ]
}

async function settle(db: Database, bookingId: string, vendorUserId: string): Promise<void> {
  for (const transactions of transactionsOf(bookingId, vendorUserId))
    await db.transaction().execute((tx) => postTransactions(tx, transactions))
}

/** The statements that our command sends for one booking, its begins and commits included. */
type Statement = { text: string; parameter: string | null }

async function captureStatements(url: string): Promise<Statement[]> {
  const statements: Statement[] = []
  const connection = openPostgres(url, () => {}, {
    onStatement({ query }) {
      statements.push({
        text: query.sql,
        parameter: query.parameters.length > 0 ? String(query.parameters[0]) : null,
      })
    },
  })
  try {
    await settle(connection.db, BOOKING, VENDOR)
    return statements
  } finally {
    await connection.close()
  }
}

/** The statement's parameter for another booking. */
function fill(parameter: string, bookingId: string, vendorUserId: string): string {
  return parameter.replaceAll(BOOKING, bookingId).replaceAll(VENDOR, vendorUserId)
}

async function settleBare(
  pool: pg.Pool,
  statements: readonly Statement[],
  bookingId: string,
  vendorUserId: string,
): Promise<void> {
  let client: pg.PoolClient | null = null
  for (const { text, parameter } of statements) {
    client ??= await pool.connect()
    await client.query(text, parameter === null ? [] : [fill(parameter, bookingId, vendorUserId)])
    if (text !== 'commit') continue
    client.release()
    client = null
  }
}

let settled = 0
/** How many bookings a second are settled by `CONNECTIONS` callers, each with one at a time. */
async function perSecond(settleOne: (nth: number) => Promise<void>): Promise<number> {
  const before = settled
  const started = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < started + ROUND_MS) await settleOne(settled++)
    }),
  )
  return ((settled - before) / (performance.now() - started)) * 1_000
}

/** The same statements by pgbench, which has no JavaScript to run. */
function runPgbench(programs: string, url: string, statements: readonly Statement[]): string {
  const { folder, identity } = makePostgresFolder()
  const script = statements.map(({ text, parameter }) => {
    // A colon before a letter or a digit would be a variable of pgbench.
    const json = parameter?.replaceAll(':', ': ').replaceAll(': 00: 00.000Z', '').replaceAll('T00', '')
    const value = `replace(replace('${json}', '${BOOKING}', 'pgbench-' || :booking), '${VENDOR}', 'vendor-' || :vendor)`
    return `${text.replaceAll('$1', value)};`
  })
  const file = join(folder, 'settle.sql')
  writeFileSync(
    file,
    `\\set booking random(1, 1000000000000)\n\\set vendor random(0, ${VENDORS - 1})\n${script
      .map((statement) => statement.replaceAll('\n', ' '))
      .join('\n')}\n`,
  )
  const result = spawnSync(
    join(programs, 'pgbench'),
    ['-n', '-f', file, '-c', String(CONNECTIONS), '-j', '2', '-T', String(ROUND_MS / 1_000), url],
    { encoding: 'utf8', ...identity },
  )
  const rate = /tps = ([\d.]+)/.exec(result.stdout)?.[1]
  return result.status === 0 && rate
    ? Number(rate).toFixed(0)
    : `no pgbench (${result.stderr.split('\n')[0]})`
}

/** Fills the ledger up to 100,000 bookings and measures the proof of all of them. */
async function prove(db: Database): Promise<Row> {
  const { count } = await db
    .selectFrom('ledger_transactions')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('kind', '=', 'charge')
    .executeTakeFirstOrThrow()
  for (let nth = Number(count); nth < PROVED_BOOKINGS; nth += INSERTED_AT_ONCE) {
    const bookings = Array.from({ length: INSERTED_AT_ONCE }, (_, index) =>
      transactionsOf(`filled-${nth + index}`, vendorOf(index)).flat(),
    )
    await db.transaction().execute((tx) => postTransactions(tx, bookings.flat()))
  }
  const started = performance.now()
  const checks = await proveLedger(db)
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  const differences = checks.reduce((sum, check) => sum + check.count, 0)
  if (differences > 0) process.exitCode = 1
  return {
    what: `proof of at least ${PROVED_BOOKINGS.toLocaleString('en')} bookings against their postings: seconds, differences`,
    result: `${seconds}, ${differences}`,
    aim: 'under 60; none',
  }
}
