import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openPglite, type PgliteConnection } from '../app/adapters/database/pglite.server.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { CATEGORIES, OCCASIONS } from '../app/features/businesses/rules.ts'
import { searchHref } from '../app/features/search/schema.ts'
import { newId } from '../app/shared/ids.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { freePort } from '../tests/free-port.ts'
import { findPostgres, startPostgres } from '../tests/postgres.ts'
import { serverSettings } from '../tests/server-process.ts'
import { fillMarket, type Market } from './load/market.ts'
import {
  type Account,
  type BookingOutcome,
  book,
  createVisitor,
  decide,
  listBookings,
  openAccountPages,
  openDashboard,
  openPage,
  reportView,
  type Step,
  searchFor,
  signIn,
  signUp,
} from './load/visitors.ts'
import {
  type Child,
  chosenBy,
  cpuMs,
  memoryMb,
  percentile,
  pinLoad,
  processTree,
  RUN_SERVER,
  startChild,
} from './measure.ts'
import type { Row } from './run.ts'

/**
 * `npm run bench -- load`: many visitors at once on each kind of database. First a closed loop: every connection sends its
 * next request as soon as it has a response, which measures the requests per second and the response times of a saturated
 * server. Then an open loop at half of that rate: visits start whether responses have come or not, which measures the
 * response times without overload. At the end the database must have each acknowledged booking once, with its payment.
 */

const SECONDS = Number(process.env.LOAD_SECONDS) || 300
const CONNECTIONS = Number(process.env.LOAD_CONNECTIONS) || 500
const WARM_UP_MS = Math.min(15_000, SECONDS * 500)
/** The open loop needs less time for stable percentiles. */
const STEADY_MS = Math.min(60_000, SECONDS * 1_000)
const STEADY_SHARE = 0.5

/** The share of business pages among public pages; a browser that shows one reports a view of it. */
const BUSINESS_PAGES = 0.5
const COUNTS = { listings: 5_000, customers: 1_000, vendors: 300 }
/** The percentage of all requests, and the requests of one visit of that kind. */
const MIX = {
  'public pages': { share: 80, requests: 1 + BUSINESS_PAGES },
  search: { share: 10, requests: 3 },
  accounts: { share: 5, requests: 5 },
  booking: { share: 3, requests: 8 },
  'vendor decisions': { share: 2, requests: 4 },
} as const
type Kind = keyof typeof MIX
const KINDS = Object.keys(MIX) as Kind[]
const VISITS = KINDS.map((kind) => MIX[kind].share / MIX[kind].requests)
const REQUESTS_PER_VISIT = 100 / VISITS.reduce((sum, share) => sum + share, 0)

/** The share of visitors whose browser has the page from an earlier visit. */
const RETURNING = 0.25
const SIGN_UPS = 0.1
const APPROVALS = 0.8
const MAX_ERRORS_SHOWN = 20
/** Time for work after the responses: webhooks, mails. */
const SETTLE_MS = 3_000

/** Words of the generated listings. */
const WORDS =
  'wedding guests party sound room table night light garden dinner jacaranda saffron vintage orchard paddock velvet brass ribbon lantern harvest'.split(
    ' ',
  )
const TOWNS = [
  'Geelong, VIC',
  'Sydney, NSW',
  'Byron Bay, NSW',
  'Perth, WA',
  'Brisbane, QLD',
  'Melbourne, VIC',
]

/** `LOAD_ON=pglite` or `postgres` measures one of them. */
export async function run(): Promise<Row[]> {
  const isChosen = chosenBy('LOAD_ON')
  return [
    ...(isChosen('pglite') ? await onPglite() : []),
    ...(isChosen('postgres') ? await onPostgres() : []),
  ]
}

async function onPglite(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-load-'))
  try {
    return await measure({
      name: 'PGlite, 1 process',
      place: { folder, databaseUrl: null },
      open: () => openPglite(folder),
      processes: 1,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onPostgres(): Promise<Row[]> {
  const programs = findPostgres()
  if (!programs) return [{ what: 'load on PostgreSQL', result: 'left out: there is none on this machine' }]
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-load-'))
  const cluster = await startPostgres(programs, ['max_connections=200', 'shared_buffers=512MB'])
  try {
    return await measure({
      name: 'PostgreSQL, 2 processes',
      place: { folder, databaseUrl: cluster.url },
      open: async () => openPostgres(cluster.url, () => {}),
      processes: 2,
    })
  } finally {
    cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(options: {
  name: string
  place: { folder: string; databaseUrl: string | null }
  open: () => Promise<PgliteConnection | PostgresConnection>
  processes: number
}): Promise<Row[]> {
  const { name, place, open, processes } = options
  process.stderr.write(`  ${name}: filling …\n`)
  const filled = await open()
  const market = await fillMarket(filled, COUNTS)
  await filled.close()

  // A single process has a core of its own; several share all cores with the load.
  const unpin = processes === 1 ? pinLoad() : () => {}
  const port = await freePort()
  let server: Child | null = null
  const crowd = createCrowd(market, `http://localhost:${port}`)
  const rows: Row[] = []
  try {
    server = await startChild(RUN_SERVER, {
      // With a trusted proxy each visitor has an address of their own, so limits don't count this machine as one.
      env: {
        ...serverSettings(place, port),
        NODE_ENV: 'production',
        LOG_LEVEL: 'info',
        TRUSTED_PROXY: '1',
        WEB_CONCURRENCY: String(processes),
      },
      isReady: / is at /,
      pinned: processes === 1,
    })
    const { pid } = server
    const logged = new Set<string>()
    server.process.stdout?.on('data', (chunk: Buffer) => {
      if (!chunk.includes('"level":50')) return
      for (const line of chunk.toString().split('\n')) if (line.includes('"level":50')) logged.add(line)
    })
    const inAll = (of: (pid: number) => number) => () =>
      processTree(pid).reduce((sum, one) => sum + of(one), 0)
    const memory = inAll((one) => memoryMb(one).now)
    const cpu = inAll(cpuMs)

    process.stderr.write(`  ${name}: warming up …\n`)
    await crowd.rush(WARM_UP_MS)
    const warm = crowd.takeSteps()
    const atStart = memory()

    process.stderr.write(`  ${name}: ${CONNECTIONS} connections, ${SECONDS} s …\n`)
    const rush = await timed(() => crowd.rush(SECONDS * 1_000), cpu)
    const rushed = crowd.takeSteps()
    const atEnd = memory()
    const perSecond = rushed.length / rush.seconds

    const rate = perSecond * STEADY_SHARE
    process.stderr.write(`  ${name}: ${rate.toFixed(0)} requests a second …\n`)
    const steady = await timed(() => crowd.flow(STEADY_MS, rate), cpu)
    const flowed = crowd.takeSteps()
    await pause(SETTLE_MS)
    const atRest = memory()

    rows.push(
      ...tableOf(`${name}, saturated`, rushed, rush.seconds),
      ...tableOf(`${name}, half of that rate`, flowed, steady.seconds),
      {
        what: `${name}: memory of the server in MB: before, after, and after the half rate and ${SETTLE_MS / 1_000} s at rest`,
        result: [atStart, atEnd, atRest].map((mb) => mb.toFixed(0)).join(', '),
      },
      {
        what: `${name}: cores used by the server and by the load (${processes === 1 ? 'a core for each' : `all on the same ${availableParallelism()} cores, with the database`})`,
        result: [rush, steady]
          .map(
            (one) =>
              `${(one.serverMs / one.seconds / 1_000).toFixed(2)} and ${(one.loadMs / one.seconds / 1_000).toFixed(2)}`,
          )
          .join('; '),
      },
    )
    showErrors([...warm, ...rushed, ...flowed])
    for (const line of [...logged].slice(0, MAX_ERRORS_SHOWN)) process.stderr.write(`  logged: ${line}\n`)
    rows.push({ what: `${name}: errors that the server logged`, result: String(logged.size), aim: '0' })
  } finally {
    crowd.close()
    await server?.stop()
    unpin()
  }
  const left = await open()
  try {
    rows.push(...(await compare(name, left, crowd)))
  } finally {
    await left.close()
  }
  return rows
}

async function timed(
  work: () => Promise<void>,
  serverCpuMs: () => number,
): Promise<{ seconds: number; serverMs: number; loadMs: number }> {
  const own = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
  const [started, serverBefore, ownBefore] = [performance.now(), serverCpuMs(), own()]
  await work()
  return {
    seconds: (performance.now() - started) / 1_000,
    serverMs: serverCpuMs() - serverBefore,
    loadMs: own() - ownBefore,
  }
}

type Crowd = ReturnType<typeof createCrowd>

/** Visitors who each do one thing, from an address of their own. */
function createCrowd(market: Market, origin: string) {
  let steps: Step[] = []
  let visits = 0
  const etags = new Map<string, string>()
  const vendorCookies = new Map<string, Map<string, string>>()
  const outcomes: BookingOutcome[] = []
  const decisions = new Map<string, 'approved' | 'declined'>()
  const counts = { listed: 0, missing: 0, refusedDecisions: 0 }
  /** Undecided bookings, the oldest first. */
  const waiting: { bookingId: string; vendor: Account }[] = []
  const vendors = [...new Map(market.bookable.map(({ vendor }) => [vendor.email, vendor])).values()]
  const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))

  const pick = <One>(list: readonly One[]): One => list[Math.floor(Math.random() * list.length)] as One
  /** Picks with a skewed popularity: a few entries often, most of them rarely. */
  const pickPopular = <One>(list: readonly One[]): One =>
    list[Math.floor(Math.random() ** 3 * list.length)] as One
  const chance = (share: number) => Math.random() < share

  /** @param waitedMs the wait for a free connection, which counts towards the first response time */
  function arrive(agent: Agent, waitedMs: number, cookies?: Map<string, string>) {
    visits++
    let isFirst = true
    return createVisitor({
      origin,
      agent,
      address: `10.${(visits >> 16) & 255}.${(visits >> 8) & 255}.${visits & 255}`,
      ...(cookies ? { cookies } : {}),
      onStep(step) {
        if (isFirst) step.ms += waitedMs
        isFirst = false
        steps.push(step)
      },
    })
  }

  function pickPage(): string {
    const at = Math.random()
    if (at < BUSINESS_PAGES) return pickPopular(market.pages.businesses)
    if (at < 0.65) return '/'
    if (at < 0.9) return pick(market.pages.lists)
    return pickPopular(market.pages.landings)
  }

  /** Mostly words, often with a place; a business's name stands alone. */
  function makeSearch(): { typed: string[]; path: string } {
    const name = pick(market.names)
    const q = chance(0.5) ? pick(WORDS) : `${pick(WORDS)} ${pick(WORDS)}`
    const place = pick(TOWNS)
    const search = pick([
      { q },
      { q: chance(0.5) ? name : (name.split(' ')[0] ?? name) },
      { q, category: pick(CATEGORIES), minCents: 5_000, maxCents: 20_000 },
      { q: chance(0.5) ? q : '', place, near: true },
      { q: '', place, near: true, date: dayAhead(), guests: 90, budgetCents: 800_000 },
      { q: '', occasion: pick(OCCASIONS), place },
    ])
    const line = search.q || place
    return { typed: [line.slice(0, 3), line.slice(0, 8)], path: searchHref('/venues-vendors', search) }
  }

  const dayAhead = () =>
    new Date(Date.now() + (30 + Math.floor(Math.random() * 400)) * DAY_MS).toISOString().slice(0, 10)

  const VISIT: Record<Kind, (agent: Agent, waitedMs: number) => Promise<void>> = {
    async 'public pages'(agent, waitedMs) {
      const path = pickPage()
      const etag = chance(RETURNING) ? etags.get(path) : undefined
      const visitor = arrive(agent, waitedMs)
      const answer = await openPage(visitor, path, etag)
      if (answer.headers.etag) etags.set(path, answer.headers.etag)
      const [, businessId] = path.split('/business/')
      if (businessId) await reportView(visitor, businessId)
    },
    search: (agent, waitedMs) => searchFor(arrive(agent, waitedMs), makeSearch()),
    async accounts(agent, waitedMs) {
      const visitor = arrive(agent, waitedMs)
      const known = pick(market.customers)
      const isIn = chance(SIGN_UPS)
        ? await signUp(visitor, { ...known, displayName: 'Kim Lee', email: `${newId()}@example.com` })
        : await signIn(visitor, known)
      if (isIn) await openAccountPages(visitor, 2)
    },
    async booking(agent, waitedMs) {
      const business = pick(market.bookable)
      const outcome = await book(arrive(agent, waitedMs), business, {
        month: dayAhead().slice(0, 7),
        at: Math.random(),
        quantity: business.unit === 'perHour' ? 3 : 40,
        fullName: 'Kim Lee',
        email: pick(market.customers).email,
      })
      outcomes.push(outcome)
      if (outcome.outcome === 'booked')
        waiting.push({ bookingId: outcome.bookingId, vendor: business.vendor })
    },
    async 'vendor decisions'(agent, waitedMs) {
      const next = waiting.shift()
      const vendor = next?.vendor ?? pick(vendors)
      const cookies = vendorCookies.get(vendor.email) ?? new Map<string, string>()
      vendorCookies.set(vendor.email, cookies)
      const visitor = arrive(agent, waitedMs, cookies)
      // A vendor signs in once and stays signed in.
      if (cookies.size === 0 && !(await signIn(visitor, vendor))) return
      await openDashboard(visitor)
      const listed = await listBookings(visitor)
      if (!next || !listed) return
      counts.listed++
      if (!listed.some(({ id, isPending }) => id === next.bookingId && isPending)) {
        counts.missing++
        return
      }
      const decision = chance(APPROVALS) ? 'approved' : 'declined'
      const decided = await decide(visitor, next.bookingId, decision)
      if (decided === 'decided') decisions.set(next.bookingId, decision)
      if (decided === 'refused') counts.refusedDecisions++
      await listBookings(visitor)
    },
  }

  function pickKind(): Kind {
    let at = Math.random() * VISITS.reduce((sum, share) => sum + share, 0)
    return KINDS.find((_, index) => {
      at -= VISITS[index] ?? 0
      return at < 0
    }) as Kind
  }

  return {
    outcomes,
    decisions,
    counts,
    takeSteps() {
      const taken = steps
      steps = []
      return taken
    },
    /** The closed loop: all connections at once, each with its next request as soon as it has a response. */
    async rush(ms: number) {
      const until = performance.now() + ms
      await Promise.all(
        agents.map(async (agent) => {
          while (performance.now() < until) await VISIT[pickKind()](agent, 0)
        }),
      )
    },
    /** The open loop: visits arrive at random, at an average of this many requests per second. */
    async flow(ms: number, perSecond: number) {
      const idle = [...agents]
      const queue: ((agent: Agent) => void)[] = []
      const running = new Set<Promise<void>>()
      const visit = async (dueAt: number) => {
        const agent = idle.pop() ?? (await new Promise<Agent>((resolve) => queue.push(resolve)))
        await VISIT[pickKind()](agent, performance.now() - dueAt)
        const next = queue.shift()
        if (next) next(agent)
        else idle.push(agent)
      }
      const gapMs = 1_000 / (perSecond / REQUESTS_PER_VISIT)
      const end = performance.now() + ms
      for (let due = performance.now(); due < end; due += -Math.log(1 - Math.random()) * gapMs) {
        if (due > performance.now()) await pause(due - performance.now())
        const one: Promise<void> = visit(due).finally(() => running.delete(one))
        running.add(one)
      }
      await Promise.all(running)
    },
    close() {
      for (const agent of agents) agent.destroy()
    },
  }
}

function tableOf(name: string, steps: readonly Step[], seconds: number): Row[] {
  const row = (what: string, some: readonly Step[]): Row => {
    const times = some.map(({ ms }) => ms).sort((a, b) => a - b)
    const at = (percent: number) => percentile(times, percent).toFixed(times.length > 0 ? 1 : 0)
    const errors = some.filter(({ error }) => error !== null).length
    return {
      what: `${name}: ${what}`,
      result: `${times.length}, ${(times.length / seconds).toFixed(1)}/s; p50 ${at(50)}, p95 ${at(95)}, p99 ${at(99)} ms; ${errors} errors`,
      aim: '0 errors',
    }
  }
  const all = row('all requests', steps)
  const passwords = steps.filter(({ what }) => what === 'POST /login' || what === 'POST /signup')
  const views = steps.filter(({ what }) => what === 'POST /api/view')
  return [
    all,
    ...KINDS.map((kind) =>
      row(
        kind,
        steps.filter((step) => step.kind === kind),
      ),
    ),
    row('public pages: reported views of businesses', views),
    row('accounts: passwords checked or set', passwords),
  ]
}

function showErrors(steps: readonly Step[]): void {
  const kinds = new Map<string, { count: number; text: string }>()
  for (const { kind, what, status, error } of steps) {
    if (error === null) continue
    const key = `${kind}, ${what}: ${status || 'no response'}`
    const known = kinds.get(key)
    if (known) known.count++
    else kinds.set(key, { count: 1, text: error })
  }
  for (const [key, { count, text }] of [...kinds].slice(0, MAX_ERRORS_SHOWN))
    process.stderr.write(`  ${count} × ${key}: ${text}\n`)
}

/** Compares the acknowledgements with the database. */
async function compare(
  name: string,
  { db }: PgliteConnection | PostgresConnection,
  { outcomes, decisions, counts }: Crowd,
): Promise<Row[]> {
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'submit_key', 'provider_reference', 'state', 'amount_cents'])
    .execute()
  const bookings = await db
    .selectFrom('bookings')
    .select(['id', 'payment_row_id', 'status', 'payment_status', 'total_price_cents'])
    .execute()
  const charges = await db
    .selectFrom('sandbox_payments')
    .select(['id', 'payment_id', 'amount_cents'])
    .where('state', '=', 'succeeded')
    .execute()
  const paymentsByKey = Map.groupBy(payments, (row) => row.submit_key)
  const bookingsByPayment = Map.groupBy(bookings, (row) => row.payment_row_id)
  const chargesByPayment = Map.groupBy(charges, (row) => row.payment_id)

  const booked = outcomes.filter((one) => one.outcome === 'booked')
  const wrong = booked.filter((one) => {
    const [payment, ...otherPayments] = paymentsByKey.get(one.submitKey) ?? []
    const [booking, ...otherBookings] = bookingsByPayment.get(payment?.id ?? '') ?? []
    const [charge, ...otherCharges] = chargesByPayment.get(payment?.id ?? '') ?? []
    const isOne = otherPayments.length + otherBookings.length + otherCharges.length === 0
    const isPaid =
      payment?.state === 'paid' &&
      payment.provider_reference === one.reference &&
      charge?.id === one.reference
    const amounts = [payment?.amount_cents, booking?.total_price_cents, charge?.amount_cents].map(Number)
    const isDecided = booking?.status === (decisions.get(one.bookingId) ?? 'pending')
    const isSame = amounts.every((cents) => cents === one.amountCents)
    return !(isOne && isPaid && isSame && isDecided && booking?.id === one.bookingId)
  })
  const unbooked = charges.filter(({ payment_id }) => bookingsByPayment.get(payment_id)?.length !== 1)
  const count = (outcome: BookingOutcome['outcome']) =>
    outcomes.filter((one) => one.outcome === outcome).length
  for (const one of wrong.slice(0, MAX_ERRORS_SHOWN))
    process.stderr.write(`  wrong: ${JSON.stringify(one)}\n`)
  return [
    {
      what: `${name}: bookings acknowledged; not stored once with their payment, amount and decision`,
      result: `${booked.length}; ${wrong.length}`,
      aim: 'all stored once',
    },
    {
      what: `${name}: cards charged without exactly one booking`,
      result: String(unbooked.length),
      aim: '0',
    },
    {
      what: `${name}: bookings refused because the time was taken; failed`,
      result: `${count('refused')}; ${count('failed') + count('failed-early')}`,
      aim: 'none failed',
    },
    {
      what: `${name}: decisions acknowledged; refused; bookings missing in the vendor's list`,
      result: `${decisions.size}; ${counts.refusedDecisions}; ${counts.missing}`,
      aim: 'none refused or missing',
    },
  ]
}
