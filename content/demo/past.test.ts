import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../app/config.server.ts'
import {
  incomeByBooking,
  listHalfYears,
  listVendorTrades,
} from '../../app/features/income-reports/queries.server.ts'
import { grossOf } from '../../app/features/income-reports/rules.ts'
import { prove } from '../../app/features/ledger/proof-commands.server.ts'
import { listOperatorTasks } from '../../app/features/operators/task-queries.server.ts'
import { listPayoutTasks } from '../../app/features/payouts/operator-queries.server.ts'
import { proofDeps } from '../../app/services/deps.server.ts'
import { createServices, type Services } from '../../app/services.server.ts'
import { DAY_MS, HOUR_MS } from '../../app/shared/time-units.ts'
import { cheapPasswords } from '../../tests/cheap-passwords.ts'
import { openTestDatabase } from '../../tests/database.ts'
import { fillDemoData } from './fill.ts'
import { fillDemoPast, findUnfinishedPast, finishDemoPast } from './past.ts'
import { planPast } from './past-plan.ts'

const NOW = new Date('2026-11-23T05:20:00Z')
const ISLA = {
  userId: 'isla',
  name: 'Isla Brennan',
  email: 'customer@jubilee.example',
  phone: '0491 570 110',
}

const planAll = (now: Date) => {
  const { recent, year } = planPast(now, ISLA)
  return [...recent, ...year]
}

describe('the plan of the demo’s past', () => {
  it('is the same for everybody who starts on one day, apart from what was hours ago', () => {
    expect(planAll(NOW)).toEqual(planAll(NOW))
    const morning = planAll(new Date('2026-11-22T20:00:00Z'))
    const withoutHours = (bookings: typeof morning) =>
      bookings.map(({ key, customer, quantity, time }) => [key, customer.name, quantity, time]).sort()
    expect(withoutHours(planAll(NOW))).toEqual(withoutHours(morning))
    expect(withoutHours(planAll(new Date('2026-11-24T05:20:00Z')))).not.toEqual(withoutHours(morning))
  })

  it('has some 150 bookings on every day of a year, with a customer of its own for each but Isla', () => {
    for (let day = 0; day < 365; day += 5) {
      const bookings = planAll(new Date(NOW.getTime() + day * DAY_MS))
      expect(bookings.length).toBeGreaterThan(120)
      expect(bookings.length).toBeLessThan(190)
      const names = bookings.map(({ customer }) => customer.name).filter((name) => name !== ISLA.name)
      expect(new Set(names).size).toBe(names.length)
      expect(new Set(bookings.map(({ key }) => key)).size).toBe(bookings.length)
      // A second would be told to every visitor of the listing.
      expect(bookings.filter(({ end }) => end?.how === 'called off')).toHaveLength(1)
    }
  })
})

describe('the demo’s past', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-past-'))
  const opened: Services[] = []
  afterAll(async () => {
    for (const services of opened) await services.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function startDemo(): Promise<Services> {
    const services = await createServices(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }), {
      databaseFolder: 'database',
      passwords: cheapPasswords,
      now: () => NOW,
      openDatabase: () => openTestDatabase(),
    })
    opened.push(services)
    return services
  }

  it('is made once by the product’s commands, survives a crash half-way, and its money is proved', async () => {
    const services = await startDemo()
    const { db } = services
    expect(await findUnfinishedPast(services)).toBeNull()
    await fillDemoData(services, { hasHistory: true })
    expect(await findUnfinishedPast(services)).toEqual(NOW)
    // Once in the transaction of a booking, once between a refund at the sandbox and its row here.
    for (const [part, point, nth] of [
      ['recent', 'booking-inserted', 12],
      ['year', 'refund-made', 6],
    ] as const) {
      let reached = 0
      const faultPoint: Services['faultPoint'] = (at) => {
        if (at === point && ++reached === nth) throw new Error(`died at ${at}`)
      }
      await expect(fillDemoPast({ ...services, faultPoint }, NOW, part)).rejects.toThrow()
      expect(reached).toBe(nth)
    }
    expect(await findUnfinishedPast(services)).toEqual(NOW)
    const leftOut: unknown[] = []
    const log: Services['log'] = { ...services.log, warn: (fields) => leftOut.push(fields) }
    await fillDemoPast({ ...services, log }, NOW, 'recent')
    await fillDemoPast({ ...services, log }, NOW, 'year')
    expect(leftOut).toEqual([])
    await finishDemoPast(services)
    expect(await findUnfinishedPast(services)).toBeNull()

    const planned = planAll(NOW)
    const rows = await db
      .selectFrom('bookings')
      .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
      .select([
        'bookings.id',
        'bookings.status',
        'payment_status',
        'decide_by',
        'bookings.created_at',
        'customer_name',
        'vendor_id',
        'payments.submit_key',
      ])
      .execute()
    expect(rows.map(({ submit_key }) => submit_key).sort()).toEqual(planned.map(({ key }) => key).sort())

    // The states that a visitor looks for, on both sides.
    const count = (status: string, of: (row: (typeof rows)[number]) => boolean = () => true) =>
      rows.filter((row) => row.status === status && of(row)).length
    const isIsla = (row: (typeof rows)[number]) => row.customer_name === ISLA.name
    expect(
      count('pending', (row) => ['harbour-light-pavilion', 'okafor-and-daughters'].includes(row.vendor_id)),
    ).toBe(4)
    for (const status of ['approved', 'declined', 'withdrawn']) {
      expect(count(status), status).toBeGreaterThanOrEqual(6)
      expect(count(status, isIsla), status).toBeGreaterThanOrEqual(1)
    }
    const hoursLeft = rows
      .filter(({ status }) => status === 'pending')
      .map(({ decide_by }) => Math.round((decide_by.getTime() - NOW.getTime()) / HOUR_MS))
    expect(hoursLeft.toSorted((one, other) => one - other)).toEqual([3, 19, 28, 40, 47])
    expect(count('withdrawn', (row) => row.payment_status === 'paid')).toBeGreaterThanOrEqual(1)

    // Each account is older than its first booking.
    const accounts = await db
      .selectFrom('users')
      .innerJoin('bookings', 'bookings.email', 'users.email')
      .select((eb) => ['users.email', 'users.created_at', eb.fn.min('bookings.created_at').as('booked_at')])
      .groupBy(['users.email', 'users.created_at'])
      .execute()
    expect(accounts.length).toBeGreaterThan(40)
    for (const { email, created_at, booked_at } of accounts)
      expect(created_at.getTime(), email).toBeLessThan(booked_at.getTime())

    // Everything lies in the past, also in tables whose rows date themselves.
    for (const { created_at } of rows) expect(created_at.getTime()).toBeLessThan(NOW.getTime())
    const { rows: dates } = await sql<{ what: string; newest: Date }>`
      select 'ledger' as what, max(posted_at) as newest from ledger_transactions
      union all select 'receipts', max(issued_at) from receipt_numbers
      union all select 'notifications', max(created_at) from notifications
      union all select 'reviews', max(created_at) from reviews`.execute(db)
    for (const { what, newest } of dates)
      expect(new Date(newest).getTime(), what).toBeLessThanOrEqual(NOW.getTime())

    const documents = await services.db
      .selectFrom('tax_documents')
      .select(['subject', 'kind', 'is_taxed'])
      .execute()
    const issued = (subject: string, kind: string) =>
      documents.filter((row) => row.subject === subject && row.kind === kind && row.is_taxed).length
    expect(issued('sale', 'invoice')).toBeGreaterThan(40)
    expect(issued('sale', 'adjustment')).toBeGreaterThan(2)
    expect(issued('commission', 'invoice')).toBeGreaterThan(6)
    // A half-year with trade: all vendors but the demo's own have said where their venues stand.
    const vendors = (
      await Promise.all(['2026-01-01', '2026-07-01'].map((half) => listVendorTrades(db, half)))
    ).flat()
    expect(vendors.length).toBeGreaterThan(6)
    const missing = vendors.flatMap(({ missingProperties }) =>
      missingProperties.map(({ businessId }) => businessId),
    )
    expect(new Set(missing)).toEqual(new Set(['harbour-light-pavilion']))
    await agreesWithReports(db)
    const proof = await prove(proofDeps(services))
    expect(proof.failure).toBeNull()
    expect(proof.checks.filter(({ count: differences }) => differences > 0)).toEqual([])
    expect(proof.checks.length).toBeGreaterThanOrEqual(7)

    // Nothing is overdue for the operator. Money near its limit leaves with its event.
    const { holdLimitMs } = services.config
    const tasks = await listPayoutTasks(db, { now: NOW, holdLimitMs, provider: 'sandbox' })
    const past = tasks.limits.filter(({ isPast }) => isPast)
    expect(past.map(({ businessName }) => businessName)).toEqual([])

    // The operator's Monday, in the order of its days, each with its amount.
    const monday = await listOperatorTasks(db, {
      ...{ userId: 'operator', role: 'admin', now: NOW, jobs: [] },
      payouts: { provider: 'sandbox', holdLimitMs },
    })
    // What is near its holding limit depends on the day.
    const made = monday.filter(({ kind }) => kind !== 'hold')
    expect(made.map(({ kind, cents }) => [kind, cents])).toEqual([
      ['refund', 576_000],
      ['unanswered', 870_000],
      ['restricted', 560_700],
      ['report', null],
      ['returned', 220_500],
      ['dispute', 882_000],
    ])
    const dispute = monday.find(({ kind }) => kind === 'dispute')
    expect(Date.parse(dispute?.by ?? '') - NOW.getTime()).toBe(9 * DAY_MS)

    // Only the mails of the last days, at their own times; and no job that would send others.
    const mails = (await services.outbox?.list(500)) ?? []
    expect(mails.length).toBeGreaterThan(15)
    expect(mails.length).toBeLessThan(60)
    for (const { sentAt } of mails) expect(NOW.getTime() - Date.parse(sentAt)).toBeLessThanOrEqual(3 * DAY_MS)
    const unread = await db
      .selectFrom('notifications')
      .innerJoin('users', 'users.id', 'notifications.user_id')
      .select('users.email')
      .where('read_at', 'is', null)
      .where('users.email', 'in', ['vendor@jubilee.example', ISLA.email])
      .execute()
    const unreadOf = (email: string) => unread.filter((row) => row.email === email).length
    expect(unreadOf('vendor@jubilee.example')).toBeGreaterThan(2)
    expect(unreadOf('vendor@jubilee.example')).toBeLessThan(12)

    // A later start changes nothing.
    const before = await snapshot(services)
    await fillDemoPast(services, NOW, 'recent')
    await fillDemoPast(services, NOW, 'year')
    expect(await snapshot(services)).toEqual(before)
  }, 240_000)
})

/** How many rows each table has that the past fills. */
async function snapshot({ db }: Services): Promise<unknown> {
  const { rows } = await sql`
    select (select count(*) from bookings)::int as bookings, (select count(*) from payments)::int as payments,
      (select count(*) from payment_actions)::int as refunds, (select count(*) from transfers)::int as transfers,
      (select count(*) from ledger_transactions)::int as posted, (select count(*) from receipt_numbers)::int as receipts,
      (select count(*) from tax_documents)::int as documents,
      (select count(*) from notifications)::int as notifications, (select count(*) from reviews)::int as reviews,
      (select count(*) from bank_payouts)::int as payouts, (select sum(views) from business_views)::int as views`.execute(
    db,
  )
  return rows
}

/**
 * Expects the reports of all half-years to come to the ledger, to the cent: what customers paid, less what left and what is owed to them
 * since a refund came back. And the GST of each booking that is paid in full to be that of its documents.
 */
async function agreesWithReports(db: Services['db']) {
  const halves = await listHalfYears(db, '2026-11-23')
  const sums = (await Promise.all(halves.map((half) => listVendorTrades(db, half))))
    .flat()
    .map((one) => one.sums)
  const { rows } = await sql<{ gross: string; commission: string }>`
    select sum(case when t.kind in ('charge', 'opening', 'refund', 'refund_failed') and p.account in ('provider_balance', 'bank')
        or t.kind = 'dispute_lost' and p.account = 'disputed'
        or t.kind not in ('dispute_fee', 'write_off') and p.account = 'losses' then p.cents else 0 end) - (
          select coalesce(sum(amount_cents), 0) from payment_actions where kind = 'refund' and state = 'done' and line is not null
            and provider_status in ('failed', 'canceled') and resolution is null and borne_by is distinct from 'operator') as gross,
      -sum(case when p.account in ('commission', 'gst_on_commission') then p.cents else 0 end) as commission
    from ledger_postings p join ledger_transactions t on t.id = p.transaction_id where t.vendor_user_id <> ''`.execute(
    db,
  )
  expect({
    gross: sums.reduce((sum, one) => sum + grossOf(one), 0),
    commission: sums.reduce((sum, one) => sum + one.commissionCents, 0),
  }).toEqual({ gross: Number(rows[0]?.gross), commission: Number(rows[0]?.commission) })
  const always = { from: sql`'-infinity'::timestamptz`, before: sql`'infinity'::timestamptz` }
  const { rows: taxed } = await sql<{ is_same: boolean; count: string }>`
    select i.gst = d.gst as is_same, count(*) as count from (
      select booking_id, sum(gst) as gst, sum(paid - refunded) as kept from (${incomeByBooking(always)}) income group by 1
    ) i join (
      select booking_id, sum(cents) as cents, sum(gst_cents) as gst from tax_documents where booking_id is not null and is_taxed group by 1
    ) d using (booking_id) where d.cents = i.kept group by 1`.execute(db)
  expect(taxed.map(({ is_same: isSame }) => isSame)).toEqual([true])
  expect(Number(taxed[0]?.count)).toBeGreaterThan(30)
}
