import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashPassword } from 'better-auth/crypto'
import { migrate } from '../app/adapters/database/migrate.server.ts'
import type { Database } from '../app/adapters/database/port.ts'
import { openPostgres } from '../app/adapters/database/postgres.server.ts'
import { loadPlaces } from '../app/features/places/commands.server.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { aBusiness, aUser } from '../tests/builders.ts'
import { aPayoutAccount, type EarningInput, fillEarnings, type Progress } from '../tests/earnings.ts'
import { freePort } from '../tests/free-port.ts'
import { findPostgres, startPostgres } from '../tests/postgres.ts'
import { serverSettings } from '../tests/server-process.ts'
import { cpuMs, percentile, pinLoad, RUN_SERVER, startChild } from './measure.ts'
import type { Row } from './run.ts'

/**
 * Measures /dashboard/payouts of a vendor with 10,000 bookings, among other vendors, on PostgreSQL: from the request to the
 * end of the rendered page, one request at a time.
 */

const BOOKINGS = 10_000
/** The number of the vendor's bookings whose event is still ahead. */
const TO_COME = 1_500
const OTHER_VENDORS = 40
const OTHER_BOOKINGS = 500
const PASSWORD = 'under the jacaranda'
const EMAIL = 'bench-payouts@example.com'
const WARM_UP = 30
const REQUESTS = 200
/** The vendor's bookings go back so far, and the furthest event to come is a year ahead. */
const PAST_DAYS = 1_500
const AHEAD_DAYS = 365

export async function run(): Promise<Row[]> {
  const programs = findPostgres()
  if (!programs)
    return [{ what: '/dashboard/payouts', result: 'left out: there is no PostgreSQL on this machine' }]
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-payouts-'))
  const cluster = await startPostgres(programs, ['shared_buffers=512MB', 'max_wal_size=4GB'])
  const unpin = pinLoad()
  try {
    const connection = openPostgres(cluster.url, () => {})
    await migrate(connection, 'database/migrations')
    await loadPlaces(connection.db, 'database/places.tsv')
    await fillMarket(connection.db)
    await connection.executeScript('vacuum analyze')
    await connection.close()
    const port = await freePort()
    const server = await startChild(RUN_SERVER, {
      env: {
        ...serverSettings({ folder, databaseUrl: cluster.url }, port),
        NODE_ENV: 'production',
        PAYOUTS: 'sandbox',
      },
      isReady: / is at /,
      pinned: true,
    })
    try {
      const origin = `http://localhost:${port}`
      const cookie = await logIn(origin)
      const first = await measure(server.pid, origin, cookie, '/dashboard/payouts')
      const past = await measure(server.pid, origin, cookie, '/dashboard/payouts?show=past')
      const next = /href="([^"]*after=[^"]*)"/.exec(past.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const further = await measure(server.pid, origin, cookie, next)
      const about = `of a vendor with ${BOOKINGS.toLocaleString('en')} bookings`
      return [
        { what: `/dashboard/payouts ${about}`, result: inWords(first), aim: 'p95 under 50 ms' },
        { what: `its past bookings ${about}`, result: inWords(past), aim: 'p95 under 50 ms' },
        { what: `their second page ${about}`, result: inWords(further), aim: 'p95 under 50 ms' },
      ]
    } finally {
      await server.stop()
    }
  } finally {
    unpin()
    cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fillMarket(db: Database): Promise<void> {
  const vendor = await aUser(db, { email: EMAIL })
  await db
    .insertInto('account_credentials')
    .values({
      id: vendor.id,
      user_id: vendor.id,
      account_id: vendor.id,
      provider_id: 'credential',
      password: await hashPassword(PASSWORD),
    })
    .execute()
  await aBusiness(db, { user_id: vendor.id })
  await fillVendor(db, vendor.id, BOOKINGS, TO_COME)
  for (let nth = 0; nth < OTHER_VENDORS; nth++)
    await fillVendor(db, (await aUser(db)).id, OTHER_BOOKINGS, OTHER_BOOKINGS / 5)
}

/** Spreads bookings evenly over the years. The bank has the money of those that were over a week ago. */
async function fillVendor(db: Database, vendorUserId: string, count: number, toCome: number): Promise<void> {
  const accountId = await aPayoutAccount(db, vendorUserId)
  const now = Date.now()
  const over = count - toCome
  const inputs = Array.from({ length: count }, (_, nth): EarningInput => {
    const days = nth < over ? -((over - nth) * PAST_DAYS) / over : ((nth - over + 1) * AHEAD_DAYS) / toCome
    const progress: Progress = days > 0 ? 'held' : days > -2 ? 'earned' : days > -7 ? 'made' : 'at_bank'
    return {
      vendorUserId,
      accountId,
      progress,
      customerName: `Guest ${nth}`,
      totalCents: 50_000 + (nth % 90) * 1_000,
      eventUntil: new Date(now + days * DAY_MS),
      bookedAt: new Date(now + (Math.min(days, 0) - 60) * DAY_MS),
    }
  })
  await fillEarnings(db, inputs)
}

async function logIn(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: EMAIL, password: PASSWORD }),
    headers: { origin },
    redirect: 'manual',
  })
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

type Measured = { times: number[]; cpuMs: number; html: string }

async function measure(pid: number, origin: string, cookie: string, path: string): Promise<Measured> {
  const times: number[] = []
  let html = ''
  let cpuBefore = 0
  for (let nth = -WARM_UP; nth < REQUESTS; nth++) {
    if (nth === 0) cpuBefore = cpuMs(pid)
    const started = performance.now()
    const answer = await fetch(origin + path, { headers: { cookie }, redirect: 'manual' })
    html = await answer.text()
    if (answer.status !== 200 || !html.includes('Guest '))
      throw new Error(`${path} answered ${answer.status}`)
    if (nth >= 0) times.push(performance.now() - started)
  }
  return { times, cpuMs: (cpuMs(pid) - cpuBefore) / REQUESTS, html }
}

function inWords({ times, cpuMs }: Measured): string {
  const [p50, p95, worst] = [50, 95, 100].map((percent) => percentile(times, percent).toFixed(1))
  return `p50 ${p50}, p95 ${p95}, worst ${worst} ms; ${cpuMs.toFixed(1)} ms of the server's processor`
}
