import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { fieldsOfRow, typedFields } from '../app/features/businesses/schema.ts'
import { placeLabel } from '../app/features/places/rules.ts'
import { toNumericString } from '../app/shared/money.ts'
import { setsAvailability } from '../tests/builders.ts'
import { type Check, compare, listUnfinished } from './chaos/compare.ts'
import { type DatabasePair, startDatabasePair } from './chaos/database.ts'
import { createLedger, type Ledger } from './chaos/ledger.ts'
import { createVisitors, startPeople } from './chaos/people.ts'
import { type Probe, recoveryOf, startProbes } from './chaos/probe.ts'
import { createProduct, type Product } from './chaos/processes.ts'
import {
  type FaultyProvider,
  PROVIDER_SETTINGS,
  type ProviderFault,
  startFaultyProvider,
} from './chaos/provider.ts'
import { fillMarket, type Market } from './load/market.ts'
import { createVisitor } from './load/visitors.ts'
import { percentile } from './measure.ts'
import type { Row } from './run.ts'

/**
 * `npm run bench -- chaos`: for ten minutes people book, decide and edit, while single processes, the whole product and the
 * database's primary are killed, and the payment provider fails in three ways. At the end the provider's list, the
 * database and the acknowledgements must agree. CHAOS_SECONDS shortens it.
 */

const SECONDS = Number(process.env.CHAOS_SECONDS) || 600
/** The time that an operator, or a failover manager, takes to react. */
const NOTICED_AFTER_MS = 3_000
/** How long a fault of the provider lasts, as a share of the run. */
const PROVIDER_FAULT_SHARE = 0.06
/** Sweeps run each minute, and a failed refund is retried after one, two and four minutes. */
const DRAIN_MS = 600_000
const SAID_EVERY_MS = 15_000
const STANDBY_AFTER_SHARE = 0.04
const LISTINGS = 240
const VENDORS = 8
/** Requests of each edited page, each on its own connection, so that both processes answer. */
const LOOKS = 8
const SHOWN_PROBLEMS = 5
const SHOWN_LENGTH = 160

/** Short, so that holds, payments and grace times end within the run. */
const TIMES = { HOLD_SECONDS: '60', PAYMENT_EXPIRY_SECONDS: '90', REFUND_GRACE_SECONDS: '20' }

type World = { product: Product; database: DatabasePair; provider: FaultyProvider }
/** A fault: its name, its start, the moment from which recovery counts, and notes beyond the probes. */
type Fault = { what: string; beganAt: number; from: number; notes: string[] }
type Step = { at: number; what: string; run(world: World): Promise<Pick<Fault, 'from' | 'notes'>> }

const killProcess: Step['run'] = async ({ product }) => {
  const from = performance.now()
  const { untilReady } = await product.killOne()
  return { from, notes: [`both processes ready after ${seconds(await untilReady)}`] }
}

const killProduct: Step['run'] = async ({ product }) => {
  const from = performance.now()
  const { untilReady } = await product.killAll()
  return { from, notes: [`both processes ready after ${seconds(await untilReady)}`] }
}

const failOver: Step['run'] = async ({ database }) => {
  const from = performance.now()
  await database.killPrimary()
  await pause(NOTICED_AFTER_MS)
  await database.promoteStandby()
  const promoted = performance.now() - from
  await pause(SECONDS * 1_000 * STANDBY_AFTER_SHARE)
  const rebuilding = performance.now()
  await database.rebuildStandby()
  return {
    from,
    notes: [
      `promoted after ${seconds(promoted)}`,
      `a new standby follows within ${seconds(performance.now() - rebuilding)}`,
    ],
  }
}

function providerFault(fault: ProviderFault): Step['run'] {
  return async ({ provider }) => {
    const lastsMs = SECONDS * 1_000 * PROVIDER_FAULT_SHARE
    provider.setFault(fault)
    await pause(lastsMs)
    provider.setFault('none')
    // During the fault no payment can begin, so recovery counts from its end.
    return { from: performance.now(), notes: [`it lasted ${seconds(lastsMs)}; back after its end`] }
  }
}

/** `at` is a share of the run. */
const TIMETABLE: readonly Step[] = [
  { at: 0.05, what: 'kill -9 of a process', run: killProcess },
  { at: 0.13, what: 'the provider returns 500', run: providerFault('answers 500') },
  { at: 0.25, what: 'kill -9 of a process', run: killProcess },
  { at: 0.32, what: 'kill -9 of the primary, standby promoted', run: failOver },
  { at: 0.46, what: 'the provider hangs', run: providerFault('hangs') },
  { at: 0.6, what: 'kill -9 of the whole product, restarted', run: killProduct },
  { at: 0.67, what: 'the provider loses responses', run: providerFault('loses answers') },
  { at: 0.77, what: 'kill -9 of the new primary, new standby promoted', run: failOver },
  { at: 0.92, what: 'kill -9 of a process', run: killProcess },
]

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-chaos-'))
  const database = await startDatabasePair()
  if (!database) return [{ what: 'chaos', result: 'left out: there is no PostgreSQL on this machine' }]
  let product: Product | null = null
  const provider = await startFaultyProvider(() => `http://127.0.0.1:${product?.port}/webhooks/payments`)
  try {
    const market = await withDatabase(database, (connection) =>
      fillMarket(connection, { listings: LISTINGS, customers: 0, vendors: VENDORS }),
    )
    const listings = await withDatabase(database, (connection) => findListings(connection, market))
    product = await createProduct({
      folder,
      databaseUrl: database.url,
      env: {
        ...PROVIDER_SETTINGS,
        ...TIMES,
        CHAOS_STRIPE_PORT: String(provider.port),
        NODE_OPTIONS: `--import ${pathToFileURL('bench/chaos/stripe-address.ts').href}`,
      },
    })
    await product.start()
    const business = market.bookable.find(({ vendor }) => !listings.has(vendor.email))
    if (!business) throw new Error('There is no business for the probes.')
    await withDatabase(database, ({ db }) => setsAvailability(db, business.id))
    const world = { product, database, provider }

    const ledger = createLedger()
    const newVisitor = createVisitors(product.port, ledger)
    const people = startPeople({ newVisitor, market, listings, provider, ledger })
    const probes = startProbes({ newVisitor, ledger, business })
    const faults = await goThrough(world)
    await probes.stop()
    await people.stop()
    print('the load is over; waiting for the queues to drain')
    const drained = await drain(database, provider)
    const checks = await withDatabase(database, async ({ db }) =>
      compare(db, await provider.listPayments(), ledger),
    )
    checks.push(await lookAtEdits(product.port, ledger))
    const rows = tableOf({ faults, probes: probes.all, ledger, checks, drained, provider, product })
    if (checks.some(({ wrong }) => wrong.length > 0) || !drained.isDone) process.exitCode = 1
    return rows
  } finally {
    await product?.stop()
    await provider.close()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withDatabase<Result>(
  database: DatabasePair,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  const connection = openPostgres(database.primaryUrl(), () => {})
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/** The fields of the edit forms of the run's vendors, by their account's email. */
async function findListings({ db }: PostgresConnection, market: Market) {
  const rows = await db
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .selectAll('businesses')
    .select(['places.name as place', 'places.state'])
    .where(
      'businesses.id',
      'in',
      market.bookable.map(({ id }) => id),
    )
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const vendors = [...Map.groupBy(market.bookable, ({ vendor }) => vendor.email)]
  // The last vendor's businesses are for the probes.
  return new Map(
    vendors.slice(0, -1).map(([email, theirs]) => [
      email,
      theirs.flatMap(({ id }) => {
        const row = byId.get(id)
        if (!row) return []
        const fields = {
          ...typedFields(fieldsOfRow(row)),
          price: toNumericString(Number(row.price_cents)),
          priceUnit: row.price_unit,
          bookingTypes: row.price_unit,
          location: placeLabel({ name: row.place, state: row.state as never }),
        }
        return [{ id, fields }]
      }),
    ]),
  )
}

/** Runs each fault at its time. @returns the faults in their order */
async function goThrough(world: World): Promise<Fault[]> {
  const startedAt = performance.now()
  const untilAt = (share: number) =>
    pause(Math.max(0, startedAt + share * SECONDS * 1_000 - performance.now()))
  const faults: Fault[] = [{ what: 'before the first', beganAt: startedAt, from: startedAt, notes: [] }]
  for (const { at, what, run } of TIMETABLE) {
    await untilAt(at)
    print(what)
    const beganAt = performance.now()
    const { from, notes } = await run(world)
    print(`  ${notes.join('; ')}`)
    faults.push({ what, beganAt, from, notes })
  }
  await untilAt(1)
  return faults
}

/** Waits until no payment is open, no refund due, no mail unsent and no webhook undelivered. */
async function drain(database: DatabasePair, provider: FaultyProvider) {
  const startedAt = performance.now()
  let saidAt = startedAt
  for (;;) {
    const left = await withDatabase(database, ({ db }) => listUnfinished(db))
    const waits = { ...left, webhooks: provider.webhooks().waiting }
    const ms = performance.now() - startedAt
    const isDone = Object.values(waits).every((count) => count === 0)
    if (isDone || ms > DRAIN_MS) return { isDone, ms, waits }
    if (performance.now() - saidAt > SAID_EVERY_MS) {
      saidAt = performance.now()
      print(`  ${listCounts(waits).join(', ')}`)
    }
    await pause(1_000)
  }
}

/** Checks that both processes show the last edit of each edited listing: no cached page may be stale. */
async function lookAtEdits(port: number, ledger: Ledger): Promise<Check> {
  const wrong: string[] = []
  for (const [id, { told }] of ledger.edits) {
    if (told === null) continue
    const edition = /^Edition \d+\./.exec(told)?.[0] ?? ''
    for (let look = 0; look < LOOKS; look++) {
      const agent = new Agent()
      const origin = `http://127.0.0.1:${port}`
      const visitor = createVisitor({ origin, agent, address: '10.0.0.1', onStep: () => {} })
      const path = `/business/${id}`
      const { text } = await visitor.ask({ kind: 'look', what: 'GET', path, expect: [200], reads: true })
      agent.destroy()
      if (!text.includes(edition)) wrong.push(`${id}: not ${edition}`)
    }
  }
  return {
    what: 'pages of edited listings: not the last edit',
    count: ledger.edits.size,
    wrong,
  }
}

function tableOf(all: {
  faults: Fault[]
  probes: Probe[]
  ledger: Ledger
  checks: Check[]
  drained: Awaited<ReturnType<typeof drain>>
  provider: FaultyProvider
  product: Product
}): Row[] {
  const { faults, probes, ledger, checks, drained, provider, product } = all
  const { events, lost } = provider.webhooks()
  return [
    {
      what: 'after each fault',
      result: `time until ${probes.map(({ name }) => name).join(', ')} have recovered; failures of each`,
    },
    ...faults.map(({ what, beganAt, from, notes }, index) => {
      const until = faults[index + 1]?.beganAt ?? Number.POSITIVE_INFINITY
      const seen = probes.map((probe) => recoveryOf(probe, { beganAt, from, until }))
      const back = seen.map(({ recoveredMs }) => (recoveredMs === null ? 'never' : seconds(recoveredMs)))
      const failed = seen.map((one) => `${one.failed}/${one.asked}`)
      return { what, result: [back.join(', '), failed.join(', '), ...notes].join('; ') }
    }),
    {
      what: `requests in ${SECONDS} s: by result`,
      result: `${ledger.requests()}: ${listCounts(Object.fromEntries(ledger.answers)).join(', ')}`,
    },
    ...[...ledger.times].map(([what, times]) => ({
      what: `${what}: ms at 50, 95 and 100 %`,
      result: [50, 95, 100].map((percent) => percentile(times, percent).toFixed(0)).join(', '),
    })),
    ...listOrNone('an invalid response', ledger.faults, 'none'),
    ...listOrNone('an error in the log', product.errors),
    {
      what: 'webhooks: sent, lost on the way',
      result: `${events}, ${lost}`,
    },
    {
      what: 'after the load: time until no payment, refund, mail or webhook was waiting',
      result: drained.isDone ? seconds(drained.ms) : `never: ${listCounts(drained.waits).join(', ')}`,
      aim: `within ${seconds(DRAIN_MS)}`,
    },
    ...checks.map(({ what, count, wrong }) => ({
      what,
      result: `${wrong.length} of ${count}${wrong.length > 0 ? `: ${wrong.slice(0, SHOWN_PROBLEMS).join('; ')}` : ''}`,
      aim: '0',
    })),
  ]
}

function listCounts(counts: Record<string, number>): string[] {
  return Object.entries(counts).map(([name, count]) => `${name} ${count}`)
}

/** A row for each message, the most frequent first. */
function listOrNone(what: string, counts: ReadonlyMap<string, number>, aim?: string): Row[] {
  if (counts.size === 0) return [{ what, result: 'none', ...(aim ? { aim } : {}) }]
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([about, count]) => ({ what, result: `${count} × ${about.slice(0, SHOWN_LENGTH)}`, aim }))
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function print(text: string): void {
  process.stderr.write(`  ${new Date().toISOString().slice(11, 19)} ${text}\n`)
}
