import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aBusiness, aClock, aPlace, aUser, createKeptJobs } from '../../../tests/builders.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { aPayoutAccount, type EarningInput, fillEarnings } from '../../../tests/earnings.ts'
import { OPERATOR } from '../../../tests/payout-stage.ts'
import type { Database } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { gstIncluded } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { type LedgerTransaction, postTransactions } from '../ledger/commands.server.ts'
import { compareAll } from '../ledger/comparison-queries.server.ts'
import {
  type BookingMoney,
  disputeLost,
  disputeOpened,
  type Entry,
  NO_MONEY,
  refund,
  refundFailed,
} from '../ledger/rules.ts'
import {
  askVendor,
  correctLodgedReceipt,
  leaveVendorOut,
  lodgeReport,
  makeReport,
} from '../operators/income-report-commands.server.ts'
import { type DeletionDeps, deleteAccount } from '../privacy/commands.server.ts'
import { listPurchases } from '../sales/queries.server.ts'
import { forgetIdentities, noteDownloaded, saveDetails, saveProperty } from './commands.server.ts'
import { INCOME_REPORT_COMPARISONS } from './comparison-queries.server.ts'
import type { IncomeReportDeps } from './deps.server.ts'
import { standingText } from './file-rules.ts'
import {
  exportIdentity,
  findAnswers,
  findNeeds,
  findNextToLodge,
  findReportXml,
  listHalfYears,
  listReports,
  listVendorTrades,
} from './queries.server.ts'
import { remindOfReports } from './reminder-commands.server.ts'
import { grossOf, type IncomeReport, standingSellers } from './rules.ts'

const HALF = '2026-07-01'
/** Two seconds around the turn of a quarter in Melbourne, and of the half-years. */
const TURN = {
  halfBegins: '2026-06-30T14:00:00Z',
  secondQuarter: '2026-09-30T14:00:00Z',
  halfEnds: '2026-12-31T13:00:00Z',
}
const justBefore = (iso: string) => new Date(new Date(iso).getTime() - 1_000)

let connection: TestConnection
let db: Database
let clock: ReturnType<typeof aClock>
let jobs: Awaited<ReturnType<typeof createKeptJobs>>
let deps: IncomeReportDeps
// A database for each test, since the ledger can't be emptied.
beforeEach(async () => {
  connection = await openTestDatabase()
  db = connection.db
  jobs = await createKeptJobs(db)
  clock = aClock('2027-01-05T01:00:00Z')
  deps = {
    ...{ db, jobs, now: clock.now, brand: 'Jubilee', publicUrl: new URL('https://jubilee.example') },
    platform: { name: 'Jubilee', abn: '51824753556' },
    listReporters: async () => ['finance@jubilee.example', 'admin@jubilee.example'],
  }
})
afterEach(() => connection.close())

/** A registered sole trader with a listing, which is a venue unless said otherwise. */
async function aVendor(
  given: {
    category?: 'Venues' | 'Photographers' | 'Extras'
    structure?: 'Sole Trader' | 'Company'
    isRegistered?: boolean
    services?: string[]
    name?: string
  } = {},
) {
  const {
    category = 'Photographers',
    structure = 'Sole Trader',
    isRegistered = true,
    name = 'Harbour Light',
  } = given
  const user = await aUser(db)
  const business = await aBusiness(db, {
    ...{ user_id: user.id, category, name: 'Harbour Light Pavilion' },
    ...(given.services ? { services_offered: given.services } : {}),
  })
  if (isRegistered)
    await db
      .insertInto('business_registrations')
      .values({
        ...{ id: newId(), user_id: user.id, business_name: name, abn: '51824753556' },
        ...{ business_structure: structure, industry_type: 'Venue', principal_address: '1 Sample Street' },
        ...{
          business_phone: '0355501234',
          business_email: `${user.id}@vendor.example`,
          owner_name: 'Nia Åberg',
        },
        ...{
          owner_dob: '1990-02-03',
          owner_phone: '0400000000',
          owner_email: 'nia@example.com',
          logo_url: null,
        },
      })
      .execute()
  await aPayoutAccount(db, user.id)
  return { userId: user.id, businessId: business.id }
}

type Vendor = Awaited<ReturnType<typeof aVendor>>

/** A booking that was paid at an instant, and earned three days later. */
async function sells(
  { userId, businessId }: Vendor,
  at: string | Date,
  given: Partial<EarningInput> & { isTaxed?: boolean } = {},
) {
  const { isTaxed = false, ...input } = given
  const bookedAt = new Date(at)
  const [bookingId = ''] = await fillEarnings(db, [
    {
      ...{ vendorUserId: userId, businessId, bookedAt, progress: 'held', totalCents: 110_000 },
      eventUntil: new Date(bookedAt.getTime() + 3 * DAY_MS),
      ...input,
    },
  ])
  if (isTaxed) await invoices(bookingId, userId)
  return bookingId
}

/** Stores a tax invoice of a booking, as the report looks for it. */
async function invoices(bookingId: string, userId: string, given: object = {}) {
  const content = JSON.stringify(given)
  await db
    .insertInto('tax_documents')
    .values({
      ...{
        id: newId(),
        issuer: `sales:${bookingId}`,
        number: 1,
        subject: 'sale',
        kind: 'invoice',
        is_taxed: true,
      },
      ...{ vendor_user_id: userId, booking_id: bookingId, month: null, adjusts: null, cents: 110_000 },
      ...{ gst_cents: 10_000, supplied_on: '2026-07-01', issued_at: clock.now(), content },
      sha256: createHash('sha256').update(content).digest('hex'),
    })
    .execute()
}

const HELD = (cents: Cents): BookingMoney => ({ ...NO_MONEY, chargedCents: cents, heldCents: cents })
async function givesBack(
  { userId }: Vendor,
  bookingId: string,
  given: { cents: Cents; at: string | Date; borneBy?: 'vendor' | 'operator'; money?: BookingMoney },
) {
  const { cents, at, borneBy = 'vendor', money = HELD(110_000) } = given
  const terms = { basisPoints: 1_000, isGstRegistered: true }
  await posts(userId, bookingId, refund({ money, cents, terms, borneBy, paidFrom: 'provider_balance' }), at)
}

async function posts(userId: string, bookingId: string, entry: Entry, at: string | Date) {
  const transaction: LedgerTransaction = {
    ...entry,
    ...{ key: `${entry.kind}:${newId()}`, vendorUserId: userId, bookingId, paymentId: null },
    ...{ providerReference: null, at: new Date(at) },
  }
  await db.transaction().execute((tx) => postTransactions(tx, [transaction]))
}

const quartersOf = async (userId: string, half = HALF) => {
  const [vendor] = await listVendorTrades(db, half, userId)
  return (vendor?.trades ?? []).map((trade) => [
    trade.quarter,
    trade.paidCents,
    trade.refundedCents,
    trade.gstCents,
    trade.commissionCents,
  ])
}
const differences = async () => {
  const checks = await compareAll(db, INCOME_REPORT_COMPARISONS, listPurchases)
  return checks.flatMap(({ differences: found }) => found)
}
const makes = async (
  incomplete: 'wait' | 'leave' = 'wait',
  given: { seen?: string | null; wasNotLodged?: boolean } = {},
) => {
  const draft = (await listReports(db, HALF)).find(({ lodgedAt }) => lodgedAt === null)
  return makeReport(deps, {
    ...{ operator: OPERATOR, half: HALF, leavesOutIncomplete: incomplete === 'leave' },
    ...{ seen: draft?.id ?? null, wasNotLodged: false, ...given },
  })
}
const newest = async () => {
  const report = (await listReports(db, HALF)).at(-1)
  if (!report) throw new Error('no report')
  return report
}
const contentOf = async () => {
  const { id } = await newest()
  const { content } = await db
    .selectFrom('income_reports')
    .select('content')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return JSON.parse(content) as IncomeReport
}
const lodges = async (receipt = 'R-1') =>
  lodgeReport(deps, { operator: OPERATOR, id: (await newest()).id, receipt })

describe('the income of a half-year', () => {
  it('counts by Melbourne’s clock: the last second before a quarter belongs to the one before', async () => {
    const vendor = await aVendor()
    for (const turn of Object.values(TURN)) {
      await sells(vendor, justBefore(turn), { totalCents: 1_000 })
      await sells(vendor, turn, { totalCents: 20_000 })
    }
    expect(await quartersOf(vendor.userId, '2026-01-01')).toEqual([['2026-04-01', 1_000, 0, 0, 0]])
    expect(await quartersOf(vendor.userId)).toEqual([
      ['2026-07-01', 21_000, 0, 0, 0],
      ['2026-10-01', 21_000, 0, 0, 0],
    ])
    expect(await quartersOf(vendor.userId, '2027-01-01')).toEqual([['2027-01-01', 20_000, 0, 0, 0]])
  })

  it('counts a refund in the quarter in which it left, with the GST that goes back', async () => {
    const vendor = await aVendor()
    const bookingId = await sells(vendor, '2026-09-20T00:00:00Z', { isTaxed: true })
    await givesBack(vendor, bookingId, { cents: 33_333, at: TURN.secondQuarter })
    await givesBack(vendor, bookingId, { cents: 6_667, at: '2027-02-01T00:00:00Z', money: HELD(76_667) })
    expect(await quartersOf(vendor.userId)).toEqual([
      ['2026-07-01', 110_000, 0, 10_000, 0],
      // 76,667 carries 6,970 of GST: 3,030 less.
      ['2026-10-01', 0, 33_333, gstIncluded(76_667) - 10_000, 0],
    ])
    expect(await quartersOf(vendor.userId, '2027-01-01')).toEqual([
      ['2027-01-01', 0, 6_667, gstIncluded(70_000) - gstIncluded(76_667), 0],
    ])
  })

  it('isn’t lowered by a refund that the operator bears, and has commission when it was earned', async () => {
    const vendor = await aVendor()
    const bookingId = await sells(vendor, '2026-09-29T00:00:00Z', { progress: 'earned' })
    await givesBack(vendor, bookingId, { cents: 5_000, at: '2026-10-10T00:00:00Z', borneBy: 'operator' })
    expect(await quartersOf(vendor.userId)).toEqual([
      ['2026-07-01', 110_000, 0, 0, 0],
      ['2026-10-01', 0, 0, 0, 11_000],
    ])
  })

  it('comes to the ledger’s sums, to the cent', async () => {
    const vendors = [
      await aVendor(),
      await aVendor({ category: 'Venues' }),
      await aVendor({ category: 'Extras' }),
    ]
    for (const [index, vendor] of vendors.entries()) {
      const cents = 98_765 + index
      const bookingId = await sells(vendor, '2026-08-01T00:00:00Z', {
        totalCents: cents,
        isTaxed: index === 0,
      })
      await sells(vendor, '2026-11-01T00:00:00Z', { totalCents: 3_333 * (index + 1), progress: 'earned' })
      await givesBack(vendor, bookingId, { cents: 1_111, at: '2026-12-01T00:00:00Z', money: HELD(cents) })
    }
    const trades = (await listVendorTrades(db, HALF)).map(({ sums }) => sums)
    const total = (key: 'paidCents' | 'refundedCents' | 'commissionCents') =>
      trades.reduce((sum, one) => sum + one[key], 0)
    const posted = async (where: string) =>
      Number(
        (
          await sql<{ cents: string }>`select coalesce(sum(p.cents), 0) as cents from ledger_postings p
            join ledger_transactions t on t.id = p.transaction_id where ${sql.raw(where)}`.execute(db)
        ).rows[0]?.cents,
      )
    expect(total('paidCents')).toBe(await posted("p.account = 'provider_balance' and t.kind = 'charge'"))
    expect(total('refundedCents')).toBe(
      -(await posted("p.account = 'provider_balance' and t.kind = 'refund'")),
    )
    expect(total('commissionCents')).toBe(-(await posted("p.account in ('commission', 'gst_on_commission')")))
  })

  it('tells a venue with its street, a hired object and a service apart', async () => {
    const venue = await aVendor({ category: 'Venues' })
    const hire = await aVendor({ category: 'Extras', services: ['Marquee hire'] })
    const service = await aVendor()
    for (const vendor of [venue, hire, service]) await sells(vendor, '2026-08-01T00:00:00Z')
    expect(
      await saveProperty({ db, now: clock.now }, venue.userId, {
        businessId: venue.businessId,
        address: '2 Pier Road',
      }),
    ).toEqual({ ok: true })
    const activities = Object.fromEntries(
      (await listVendorTrades(db, HALF)).map(({ identity, trades }) => [
        identity.userId,
        [trades[0]?.activity, trades[0]?.property],
      ]),
    )
    expect(activities).toEqual({
      [venue.userId]: ['Fixed location asset', '2 Pier Road'],
      [hire.userId]: ['Movable asset', null],
      [service.userId]: ['Service', null],
    })
  })

  it('takes each sale’s activity and street from the time when it began', async () => {
    const venue = await aVendor({ category: 'Venues' })
    const hire = await aVendor({ category: 'Extras', services: ['Marquee hire'] })
    const save = (address: string) =>
      saveProperty({ db, now: clock.now }, venue.userId, { businessId: venue.businessId, address })
    await db
      .updateTable('businesses')
      .set({ updated_at: new Date('2026-07-01T00:00:00Z') })
      .execute()
    await save('2 Pier Road')
    for (const vendor of [venue, hire]) await sells(vendor, '2026-08-01T00:00:00Z', { totalCents: 1_000 })
    const change = (id: string, to: Record<string, unknown>, at: string) =>
      db
        .updateTable('businesses')
        .set({ ...to, updated_at: new Date(at) })
        .where('id', '=', id)
        .execute()
    await change(hire.businessId, { services_offered: ['Event styling'] }, '2026-08-10T00:00:00Z')
    await aPlace(db, { id: 'torquay-vic', name: 'Torquay' })
    await change(venue.businessId, { place_id: 'torquay-vic' }, '2026-08-10T00:00:00Z')
    for (const vendor of [venue, hire]) await sells(vendor, '2026-08-20T00:00:00Z', { totalCents: 20_000 })
    // Its vendor is asked where it is now.
    expect((await findNeeds(db, venue.userId, clock.now()))?.missingProperties).toHaveLength(1)
    await save('7 Beach Road')
    await change(venue.businessId, { category: 'Extras' }, '2026-08-30T00:00:00Z')
    await sells(venue, '2026-09-20T00:00:00Z', { totalCents: 300_000 })
    const soldBy = async ({ userId }: Vendor) =>
      (await listVendorTrades(db, HALF, userId))
        .flatMap(({ trades }) => trades)
        .map(({ activity, property, paidCents }) => [paidCents, activity, property])
        .toSorted(([one], [other]) => Number(one) - Number(other))
    expect(await soldBy(hire)).toEqual([
      [1_000, 'Movable asset', null],
      [20_000, 'Service', null],
    ])
    expect(await soldBy(venue)).toEqual([
      [1_000, 'Fixed location asset', '2 Pier Road'],
      [20_000, 'Fixed location asset', '7 Beach Road'],
      [300_000, 'Service', '7 Beach Road'],
    ])
    expect((await exportIdentity(db, venue.userId)).propertyAddresses).toMatchObject([
      { address: '7 Beach Road' },
      { address: '2 Pier Road' },
    ])
  })

  it('counts the services that a sale keeps, whatever its listing says since', async () => {
    const hire = await aVendor({ category: 'Extras', services: ['Event styling'] })
    const bookingId = await sells(hire, '2026-08-01T00:00:00Z')
    await sql`update sales set facts = '{"services": ["marquee"]}'
      where id = (select payment_row_id from bookings where id = ${bookingId})`.execute(db)
    const [vendor] = await listVendorTrades(db, HALF, hire.userId)
    expect(vendor?.trades.map(({ activity }) => activity)).toEqual(['Movable asset'])
  })

  it('stays with the ABN and the name under which it was sold', async () => {
    const vendor = await aVendor()
    const before = await sells(vendor, '2026-08-01T00:00:00Z', { totalCents: 1_000 })
    await sells(vendor, '2026-08-02T00:00:00Z', { totalCents: 20_000 })
    const sold = (abn: string) =>
      sql`update sales set abn = ${abn} where id = (select payment_row_id from bookings where id = ${before})`.execute(
        db,
      )
    await sold('33102417032')
    await invoices(before, vendor.userId, { supplier: { name: 'Light Pty Ltd', abn: '33102417032' } })
    const recordsOf = async () => {
      await makes()
      return [...standingSellers([await contentOf()]).values()].map(
        ({ kind, abn, businessName, activities }) => [
          ...[kind, abn, businessName],
          activities.flatMap(({ quarters }) => quarters).reduce((sum, { paidCents }) => sum + paidCents, 0),
        ],
      )
    }
    expect(await recordsOf()).toEqual([
      ['individual', '51824753556', 'Harbour Light', 20_000],
      ['individual', '33102417032', 'Light Pty Ltd', 1_000],
    ])
    const says = (status: 'active' | 'unknown') =>
      sql`insert into register_answers (abn, status, entity_name, entity_type, business_names, state, first_at, last_at)
        values ('33102417032', ${status}, '', 'Australian Private Company', '[]', 'VIC', now(), now())`.execute(
        db,
      )
    await says('active')
    expect((await recordsOf())[1]).toEqual(['organisation', '33102417032', 'Light Pty Ltd', 1_000])
    await lodges()
    expect(await differences()).toEqual([])
    // The register doesn't know this ABN: it was a slip.
    await says('unknown')
    expect(await makes()).toMatchObject({ ok: true, vendors: 2 })
    expect((await contentOf()).sellers.map(({ abn, change }) => [abn, change])).toEqual([
      ['51824753556', 'amend'],
      ['33102417032', 'cancel'],
    ])
    await lodges()
    expect(await differences()).toEqual([])
  })

  it('never counts a refund that came back: its money is owed to the customer until it leaves again', async () => {
    const vendor = await aVendor()
    const bookingId = await sells(vendor, '2026-07-05T00:00:00Z', { totalCents: 100_000 })
    await givesBack(vendor, bookingId, { cents: 30_000, at: '2026-07-10T00:00:00Z', money: HELD(100_000) })
    await givesBack(vendor, bookingId, { cents: 5_000, at: '2026-07-11T00:00:00Z', money: HELD(70_000) })
    const kept = [['2026-07-01', 100_000, 35_000, 0, 0]]
    expect(await quartersOf(vendor.userId)).toEqual(kept)
    await posts(
      vendor.userId,
      bookingId,
      refundFailed({ cents: 30_000, lossCents: 0 }),
      '2026-08-01T00:00:00Z',
    )
    expect(await quartersOf(vendor.userId)).toEqual(kept)
    await givesBack(vendor, bookingId, { cents: 30_000, at: '2026-12-01T00:00:00Z', money: HELD(95_000) })
    await givesBack(vendor, bookingId, { cents: 1_000, at: '2026-12-02T00:00:00Z', money: HELD(65_000) })
    expect(await quartersOf(vendor.userId)).toEqual([...kept, ['2026-10-01', 0, 1_000, 0, 0]])
  })

  describe('whose refund came back and is owed no more', () => {
    /** A refund of 30,000 of 100,000 that came back, as its own row has it. */
    const aReturned = async (row: { state: 'done' | 'cancelled'; resolution?: 'refunded_again' }) => {
      const vendor = await aVendor()
      const bookingId = await sells(vendor, '2026-07-05T00:00:00Z', { totalCents: 100_000 })
      const { payment_row_id: paymentId } = await db
        .selectFrom('bookings')
        .select('payment_row_id')
        .where('id', '=', bookingId)
        .executeTakeFirstOrThrow()
      const orders = async (given: typeof row, at: string) => {
        const id = newId()
        const by = new Date(at)
        await db
          .insertInto('payment_actions')
          .values({
            ...{
              id,
              payment_id: paymentId,
              line: 1,
              kind: 'refund',
              amount_cents: 30_000,
              reason: 'declined',
            },
            ...{
              state: given.state,
              due_at: by,
              claimed_at: null,
              last_error: null,
              created_at: by,
              done_at: by,
            },
            ...{
              provider_refund: null,
              provider_status: 'failed',
              pending_reason: null,
              failure_reason: null,
            },
            ...{
              asked_at: null,
              note: null,
              resolution: given.resolution ?? null,
              resolution_reference: null,
            },
            ...{ resolved_at: given.resolution ? by : null, borne_by: null },
          })
          .execute()
        return id
      }
      const id = await orders(row, '2026-07-08T00:00:00Z')
      const post = (key: string, entry: Entry, at: string) =>
        db.transaction().execute((tx) =>
          postTransactions(tx, [
            {
              ...{ ...entry, key, vendorUserId: vendor.userId, bookingId, paymentId },
              ...{ providerReference: null, at: new Date(at) },
            },
          ]),
        )
      const leaves = (cents: Cents, at: string, key = `refund:${newId()}`) =>
        post(
          key,
          refund({
            money: HELD(100_000),
            cents,
            terms: TERMS,
            borneBy: 'vendor',
            paidFrom: 'provider_balance',
          }),
          at,
        )
      await leaves(30_000, '2026-07-10T00:00:00Z', `refund:${id}`)
      await post(`refund_failed:${id}`, refundFailed({ cents: 30_000, lossCents: 0 }), '2026-08-01T00:00:00Z')
      const loses = async (cents: Cents, at: string) => {
        await post(
          `dispute_opened:${newId()}`,
          disputeOpened({ money: HELD(100_000), cents, terms: TERMS }),
          at,
        )
        const money = { ...HELD(100_000), heldCents: 100_000 - cents, disputedCents: cents }
        await post(`dispute_lost:${newId()}`, disputeLost({ money, cents, borneBy: 'vendor' }), at)
      }
      return { vendor, orders, leaves, loses }
    }
    const TERMS = { basisPoints: 1_000, isGstRegistered: true }
    const FIRST = ['2026-07-01', 100_000, 30_000, 0, 0]

    it('isn’t lowered twice by a dispute that took its money, and stays as lodged before', async () => {
      const { vendor, loses } = await aReturned({ state: 'cancelled' })
      await loses(100_000, '2026-10-20T00:00:00Z')
      expect(await quartersOf(vendor.userId)).toEqual([FIRST, ['2026-10-01', 0, 70_000, 0, 0]])
    })

    it('counts the rest of one that a dispute took in part, once it leaves', async () => {
      const { vendor, leaves, loses } = await aReturned({ state: 'cancelled' })
      await loses(10_000, '2026-10-20T00:00:00Z')
      await leaves(20_000, '2026-11-20T00:00:00Z')
      expect(await quartersOf(vendor.userId)).toEqual([FIRST, ['2026-10-01', 0, 0, 0, 0]])
      // Another refund of the same amount isn’t the one that came back.
      await leaves(30_000, '2026-11-21T00:00:00Z')
      expect(await quartersOf(vendor.userId)).toEqual([FIRST, ['2026-10-01', 0, 30_000, 0, 0]])
    })

    it('counts those that were sent by hand in its place', async () => {
      const { vendor, leaves } = await aReturned({ state: 'cancelled' })
      await leaves(90_000, '2026-10-20T00:00:00Z')
      expect(await quartersOf(vendor.userId)).toEqual([FIRST, ['2026-10-01', 0, 60_000, 0, 0]])
    })

    it('isn’t lowered by one that was ordered again and never left', async () => {
      const { vendor, orders, loses } = await aReturned({ state: 'done', resolution: 'refunded_again' })
      await orders({ state: 'cancelled' }, '2026-08-02T00:00:00Z')
      await loses(100_000, '2026-08-20T00:00:00Z')
      expect(await quartersOf(vendor.userId)).toEqual([])
    })
  })

  it('isn’t lowered by a refund of the operator’s that came back, nor twice once a bank has taken its money', async () => {
    const [borne, taken] = [await aVendor(), await aVendor()]
    const operators = await sells(borne, '2026-07-05T00:00:00Z', { totalCents: 100_000 })
    await givesBack(borne, operators, { cents: 30_000, at: '2026-07-10T00:00:00Z', borneBy: 'operator' })
    await posts(
      borne.userId,
      operators,
      refundFailed({ cents: 30_000, lossCents: 30_000 }),
      '2026-08-01T00:00:00Z',
    )
    expect(await quartersOf(borne.userId)).toEqual([['2026-07-01', 100_000, 0, 0, 0]])
    const lost = await sells(taken, '2026-07-05T00:00:00Z', { totalCents: 100_000 })
    await givesBack(taken, lost, { cents: 30_000, at: '2026-07-10T00:00:00Z', money: HELD(100_000) })
    const terms = { basisPoints: 1_000, isGstRegistered: true }
    const cents = 100_000
    await posts(
      taken.userId,
      lost,
      disputeOpened({ money: HELD(70_000), cents, terms }),
      '2026-07-12T00:00:00Z',
    )
    const money = { ...HELD(70_000), heldCents: -30_000, disputedCents: cents }
    await posts(taken.userId, lost, disputeLost({ money, cents, borneBy: 'vendor' }), '2026-07-20T00:00:00Z')
    expect(await quartersOf(taken.userId)).toEqual([])
    // The operator's loss of what the customer got twice is made up for.
    await posts(
      taken.userId,
      lost,
      refundFailed({ cents: 30_000, lossCents: 30_000 }),
      '2026-08-01T00:00:00Z',
    )
    expect(await quartersOf(taken.userId)).toEqual([])
  })

  it('waits for the business register: its GST isn’t 0 because nobody has answered', async () => {
    const vendor = await aVendor()
    const bookingId = await sells(vendor, '2026-08-01T00:00:00Z')
    const waits = (since: Date | null) =>
      db.updateTable('tax_queue').set({ waits_since: since }).where('booking_id', '=', bookingId).execute()
    await waits(clock.now())
    const [waiting] = await listVendorTrades(db, HALF)
    expect(waiting && standingText(waiting)).toBe('Missing: the business register’s answer about GST')
    // The vendor has given everything: they aren't asked, and may delete their account.
    expect(await findNeeds(db, vendor.userId, clock.now())).toEqual({ missing: [], missingProperties: [] })
    expect(await makes()).toMatchObject({ reason: 'details_missing' })
    await remindOfReports(deps)
    expect((await jobs.mails())[0]?.text).toContain('Details of one vendor are missing.')
    expect(await makes('leave')).toMatchObject({ ok: true, vendors: 0 })
    expect((await contentOf()).leftOut).toEqual([{ userId: vendor.userId, reason: 'incomplete' }])
    await lodges()
    await invoices(bookingId, vendor.userId)
    await waits(null)
    expect(await makes()).toMatchObject({ ok: true, vendors: 1 })
    expect((await contentOf()).sellers[0]?.activities[0]?.quarters).toMatchObject([{ gstCents: 10_000 }])
  })

  it('lists the half-years since the first money', async () => {
    expect(await listHalfYears(db, '2027-01-05')).toEqual(['2027-01-01'])
    await sells(await aVendor(), '2026-03-01T00:00:00Z')
    expect(await listHalfYears(db, '2027-01-05')).toEqual(['2027-01-01', '2026-07-01', '2026-01-01'])
  })
})

describe('the details of a vendor', () => {
  it('come from the registration, or else from their own answer', async () => {
    const vendor = await aVendor({ isRegistered: false })
    expect(await findNeeds(db, vendor.userId, clock.now())).toBeNull()
    await sells(vendor, '2026-08-01T00:00:00Z')
    expect(await findNeeds(db, vendor.userId, clock.now())).toEqual({
      missing: ['fullName', 'birthDate', 'address'],
      missingProperties: [],
    })
    await saveDetails({ db, now: clock.now }, vendor.userId, {
      ...{ fullName: 'Nia Lee', birthDate: '1990-02-03', address: '1 Sample Street' },
      ...{ businessName: '', email: '', phone: '' },
    })
    expect(await findNeeds(db, vendor.userId, clock.now())).toEqual({ missing: [], missingProperties: [] })
    expect(await exportIdentity(db, vendor.userId)).toMatchObject({
      details: { fullName: 'Nia Lee', birthDate: '1990-02-03', address: '1 Sample Street' },
      propertyAddresses: [],
    })
  })

  it('lack a name until it is given in English letters', async () => {
    const vendor = await aVendor({ structure: 'Company', name: '港灯有限公司' })
    await sells(vendor, '2026-08-01T00:00:00Z')
    expect((await findNeeds(db, vendor.userId, clock.now()))?.missing).toEqual(['businessName'])
    await saveDetails({ db, now: clock.now }, vendor.userId, {
      ...{ fullName: '', birthDate: '', address: '', businessName: 'Gangdeng Pty Ltd', email: '', phone: '' },
    })
    const [reported] = await listVendorTrades(db, HALF, vendor.userId)
    expect(reported?.identity).toMatchObject({ kind: 'organisation', businessName: 'Gangdeng Pty Ltd' })
    expect(reported?.missing).toEqual([])
  })

  it('bring one mail a week at most, and none when they are complete', async () => {
    const vendor = await aVendor({ isRegistered: false })
    const ask = () => askVendor(deps, { operator: OPERATOR, userId: vendor.userId })
    expect(await ask()).toMatchObject({ ok: false, reason: 'nothing_missing' })
    await sells(vendor, '2026-08-01T00:00:00Z')
    expect(await ask()).toEqual({ ok: true })
    clock.forward(7 * DAY_MS - 1)
    expect(await ask()).toMatchObject({ ok: false, reason: 'asked_lately' })
    expect(await jobs.mails()).toHaveLength(1)
    clock.forward(1)
    expect(await ask()).toEqual({ ok: true })
    const mails = await jobs.mails()
    expect(mails).toHaveLength(2)
    expect(mails[0]).toMatchObject({ to: expect.stringContaining('@example.com') })
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2)
  })

  it('can be seen as they were typed: nobody else’s, and not what the registration has', async () => {
    const [vendor, other] = [await aVendor({ category: 'Venues' }), await aVendor({ category: 'Venues' })]
    await saveDetails({ db, now: clock.now }, vendor.userId, {
      ...{ fullName: 'Nia Lee', birthDate: '1990-02-03', address: '' },
      ...{ businessName: '', email: '', phone: '' },
    })
    const property = { businessId: vendor.businessId, address: '2 Pier Road' }
    await saveProperty({ db, now: clock.now }, vendor.userId, property)
    expect(await findAnswers(db, vendor.userId)).toEqual({
      details: [
        { detail: 'fullName', value: 'Nia Lee' },
        { detail: 'birthDate', value: '1990-02-03' },
      ],
      properties: [{ ...property, businessName: 'Harbour Light Pavilion' }],
    })
    expect(await findAnswers(db, other.userId)).toEqual({ details: [], properties: [] })
  })

  it('include the street of a venue that has another category since', async () => {
    const [vendor, other] = [await aVendor({ category: 'Venues' }), await aVendor()]
    await sells(vendor, '2026-08-01T00:00:00Z')
    await db
      .updateTable('businesses')
      .set({ category: 'Extras', updated_at: new Date('2026-08-20T00:00:00Z') })
      .where('id', '=', vendor.businessId)
      .execute()
    expect((await findNeeds(db, vendor.userId, clock.now()))?.missingProperties).toHaveLength(1)
    const property = { businessId: vendor.businessId, address: '2 Pier Road' }
    const save = ({ userId }: Vendor) => saveProperty({ db, now: clock.now }, userId, property)
    expect(await save(other)).toMatchObject({ reason: 'not_found' })
    expect(await save(vendor)).toEqual({ ok: true })
    expect(await findNeeds(db, vendor.userId, clock.now())).toEqual({ missing: [], missingProperties: [] })
    expect((await findAnswers(db, vendor.userId)).properties).toMatchObject([property])
  })

  it('include no street address of another vendor’s venue, nor of other listings', async () => {
    const [owner, other] = [await aVendor({ category: 'Venues' }), await aVendor()]
    const save = (userId: string, businessId: string) =>
      saveProperty({ db, now: clock.now }, userId, { businessId, address: '2 Pier Road' })
    expect(await save(other.userId, owner.businessId)).toMatchObject({ reason: 'not_found' })
    expect(await save(other.userId, other.businessId)).toMatchObject({ reason: 'not_found' })
    expect((await exportIdentity(db, other.userId)).propertyAddresses).toEqual([])
  })
})

describe('a deleted account', () => {
  const deletes = ({ userId }: Vendor, payouts: DeletionDeps['payouts'] = null) =>
    deleteAccount(
      {
        ...{ db, jobs, now: clock.now, brand: 'Jubilee', publicUrl: new URL('https://jubilee.example') },
        ...{ liveUpdates: { publish: async () => {} } as unknown as DeletionDeps['liveUpdates'] },
        ...{
          payouts,
          leavesAnAdmin: async () => true,
          secret: 'a secret of at least thirty-two letters',
        },
      },
      userId,
    )

  it('stays in the file of its half-year, and its details go after five years', async () => {
    const vendor = await aVendor({ category: 'Venues' })
    await sells(vendor, '2026-08-01T00:00:00Z')
    await saveProperty({ db, now: clock.now }, vendor.userId, {
      businessId: vendor.businessId,
      address: '2 Pier Road',
    })
    expect(await deletes(vendor)).toEqual({ ok: true })
    expect(await makes()).toMatchObject({ ok: true, vendors: 1 })
    const { xml } = (await findReportXml(db, { half: HALF, version: 1 })) ?? { xml: '' }
    for (const text of [
      '<GivenName>Nia</GivenName>',
      '<FamilyName>Aberg</FamilyName>',
      '1990-02-03',
      '2 Pier Road',
      '1 Sample Street',
    ])
      expect(xml).toContain(text)
    await lodges()
    clock = aClock('2032-01-05T00:59:59Z')
    await forgetIdentities({ db, now: clock.now })
    expect((await exportIdentity(db, vendor.userId)).details).not.toBeNull()
    expect(await listReports(db, HALF)).toHaveLength(1)
    clock.forward(1_000)
    await forgetIdentities({ db, now: clock.now })
    expect(await exportIdentity(db, vendor.userId)).toEqual({ details: null, propertyAddresses: [] })
    expect(await listReports(db, HALF)).toEqual([])
  })

  it('has given what the reports need of it first, if customers ever paid it', async () => {
    const payouts = {} as NonNullable<DeletionDeps['payouts']>
    const [vendor, unpaid] = [await aVendor({ isRegistered: false }), await aVendor({ isRegistered: false })]
    const bookingId = await sells(vendor, '2026-08-01T00:00:00Z')
    // Nothing is held any more, and the quarter still has income.
    await givesBack(vendor, bookingId, { cents: 110_000, at: '2027-01-02T00:00:00Z' })
    expect(await deletes(vendor, payouts)).toMatchObject({ reason: 'details_missing' })
    expect(await deletes(unpaid, payouts)).toEqual({ ok: true })
    await saveDetails({ db, now: clock.now }, vendor.userId, {
      ...{ fullName: 'Nia Lee', birthDate: '1990-02-03', address: '1 Sample Street' },
      ...{ businessName: '', email: '', phone: '0400 000 000' },
    })
    expect(await deletes(vendor, payouts)).toEqual({ ok: true })
    expect(await makes()).toMatchObject({ ok: true, vendors: 1 })
  })

  it('leaves no name and date of birth of a company’s director', async () => {
    const vendor = await aVendor({ structure: 'Company' })
    await sells(vendor, '2026-08-01T00:00:00Z')
    expect(await deletes(vendor)).toEqual({ ok: true })
    expect((await exportIdentity(db, vendor.userId)).details).toMatchObject({
      ...{ fullName: null, birthDate: null, businessName: 'Harbour Light', abn: '51824753556' },
      address: '1 Sample Street',
    })
    expect(await makes()).toMatchObject({ ok: true, vendors: 1 })
  })

  it('keeps the name and date of birth that a company’s director sold with before', async () => {
    const vendor = await aVendor({ structure: 'Company' })
    const before = await sells(vendor, '2026-08-01T00:00:00Z')
    await sql`update sales set abn = '33102417032'
      where id = (select payment_row_id from bookings where id = ${before})`.execute(db)
    await sql`insert into register_answers (abn, status, entity_name, entity_type, business_names, state, first_at, last_at)
      values ('33102417032', 'active', '', 'Individual/Sole Trader', '[]', 'VIC', now(), now())`.execute(db)
    expect(await deletes(vendor)).toEqual({ ok: true })
    expect(await makes()).toMatchObject({ ok: true, vendors: 1 })
    expect((await contentOf()).sellers).toMatchObject([
      { kind: 'individual', abn: '33102417032', familyName: 'Aberg', birthDate: '1990-02-03' },
    ])
  })

  it('leaves nothing if customers never paid it', async () => {
    const vendor = await aVendor({ isRegistered: false })
    await saveDetails({ db, now: clock.now }, vendor.userId, {
      ...{ fullName: 'Nia', birthDate: '', address: '', businessName: '', email: '', phone: '' },
    })
    expect(await deletes(vendor)).toEqual({ ok: true })
    expect((await exportIdentity(db, vendor.userId)).details).toBeNull()
  })
})

describe('a report', () => {
  it('waits for the last day of its half-year, for a name and ABN of the operator, and for the vendors’ details', async () => {
    const vendor = await aVendor({ isRegistered: false })
    await sells(vendor, '2026-08-01T00:00:00Z')
    clock = aClock('2026-12-31T12:59:59Z')
    deps = { ...deps, now: clock.now }
    expect(await makes()).toMatchObject({ reason: 'not_over' })
    clock.forward(1_000)
    expect(await makes()).toMatchObject({ reason: 'details_missing' })
    deps = { ...deps, platform: { name: null, abn: '51824753556' } }
    expect(await makes('leave')).toMatchObject({ reason: 'no_reporter' })
    deps = { ...deps, platform: { name: 'Jubilee', abn: '51824753556' } }
    expect(await makes('leave')).toMatchObject({ ok: true, vendors: 0 })
    expect((await contentOf()).leftOut).toEqual([{ userId: vendor.userId, reason: 'incomplete' }])
  })

  it('can be made again until it is lodged, and then never changes', async () => {
    const vendor = await aVendor()
    await sells(vendor, '2026-08-01T00:00:00Z')
    await makes()
    const first = await newest()
    await sells(vendor, '2026-08-02T00:00:00Z')
    await makes()
    expect(await listReports(db, HALF)).toHaveLength(1)
    expect((await newest()).sha256).not.toBe(first.sha256)
    expect(await lodgeReport(deps, { operator: OPERATOR, id: first.id, receipt: 'R' })).toMatchObject({
      reason: 'not_found',
    })
    expect(await lodges('R-77')).toEqual({ ok: true })
    expect(await lodges()).toMatchObject({ reason: 'settled' })
    expect(await newest()).toMatchObject({ version: 1, lodgedBy: OPERATOR.email, receipt: 'R-77' })
    await expect(sql`update income_reports set receipt = 'other'`.execute(db)).rejects.toThrow(
      /never changed/,
    )
    await expect(
      sql`insert into income_reports (id, half_year, version, content, xml, sha256, made_at, made_by)
        values ('x', '2026-07-01', 9, '{}', 'a', 'b', now(), 'c')`.execute(db),
    ).rejects.toThrow(/income_reports_have_their_hash/)
    expect(await makes()).toMatchObject({ reason: 'nothing_changed' })
  })

  it('can get another receipt after a slip: the one before stays in the log, and the report as it was', async () => {
    await sells(await aVendor(), '2026-08-01T00:00:00Z')
    const corrects = async (seen: string, receipt: string) =>
      correctLodgedReceipt(deps, { operator: OPERATOR, id: (await newest()).id, seen, receipt })
    await makes()
    expect(await corrects('', 'R-2')).toMatchObject({ reason: 'not_found' })
    await lodges('R-1')
    expect(await corrects('R-0', 'R-2')).toMatchObject({ reason: 'changed' })
    expect(await corrects('R-1', 'R-2')).toEqual({ ok: true })
    expect(await corrects('R-1', 'R-3')).toMatchObject({ reason: 'changed' })
    expect(await corrects('R-2', 'R-3')).toEqual({ ok: true })
    expect(await newest()).toMatchObject({ receipt: 'R-3', lodgedBy: OPERATOR.email })
    const logged = await db
      .selectFrom('operator_log')
      .select('reason')
      .where('action', '=', 'correct-income-receipt')
      .execute()
    expect(logged.map(({ reason }) => reason).toSorted()).toEqual(['R-1 became R-2', 'R-2 became R-3'])
    expect(await makes()).toMatchObject({ reason: 'nothing_changed' })
  })

  it('stays with its corrections until five years after the last of them was lodged', async () => {
    const vendor = await aVendor()
    await sells(vendor, '2026-08-01T00:00:00Z')
    await makes()
    await lodges()
    await sells(vendor, '2026-08-02T00:00:00Z')
    clock.forward(300 * DAY_MS)
    await makes()
    await lodges()
    const keptAt = async (at: string) => {
      await forgetIdentities({ db, now: () => new Date(at) })
      return (await listReports(db, HALF)).length
    }
    expect(await keptAt('2032-01-05T01:00:00Z')).toBe(2)
    expect(await keptAt('2032-11-01T00:59:59Z')).toBe(2)
    expect(await keptAt('2032-11-01T01:00:00Z')).toBe(0)
  })

  it('isn’t replaced by an operator who saw another one, nor after its download unless it was not lodged', async () => {
    await sells(await aVendor(), '2026-08-01T00:00:00Z')
    await makes()
    const first = await newest()
    for (const seen of [null, 'another'])
      expect(await makes('wait', { seen })).toMatchObject({ reason: 'made_again' })
    await makes()
    expect((await newest()).id).not.toBe(first.id)
    expect(await makes('wait', { seen: first.id })).toMatchObject({ reason: 'made_again' })
    const { id } = await newest()
    await noteDownloaded(deps, { half: HALF, version: 1 })
    expect(await makes()).toMatchObject({ reason: 'downloaded' })
    expect((await newest()).id).toBe(id)
    expect(await makes('wait', { wasNotLodged: true })).toMatchObject({ ok: true })
    await noteDownloaded(deps, { half: HALF, version: 1 })
    expect(await lodges()).toEqual({ ok: true })
    // A lodged report can be read without a change.
    await noteDownloaded(deps, { half: HALF, version: 1 })
  })

  it('leads to a correction with only what has changed', async () => {
    const [one, other, late] = [await aVendor(), await aVendor(), await aVendor({ isRegistered: false })]
    for (const vendor of [one, other, late]) await sells(vendor, '2026-08-01T00:00:00Z')
    await makes('leave')
    await lodges()
    await saveDetails({ db, now: clock.now }, late.userId, {
      ...{
        fullName: 'Late Lee',
        birthDate: '1980-01-01',
        address: '3 Sample Street',
        businessName: '',
        email: '',
        phone: '',
      },
    })
    await db
      .updateTable('business_registrations')
      .set({ principal_address: '9 New Street' })
      .where('user_id', '=', one.userId)
      .execute()
    await leaveVendorOut(deps, {
      operator: OPERATOR,
      userId: other.userId,
      seen: null,
      leftOut: 'goods',
      reason: 'Cakes.',
    })
    expect(await makes()).toMatchObject({ ok: true, vendors: 3 })
    expect((await newest()).version).toBe(2)
    const { sellers } = await contentOf()
    const changes = Object.fromEntries(sellers.map(({ userId, change }) => [userId, change]))
    expect(changes).toEqual({ [one.userId]: 'amend', [other.userId]: 'cancel', [late.userId]: 'new' })
    await lodges()
    expect(await makes()).toMatchObject({ reason: 'nothing_changed' })
    expect(await differences()).toEqual([])
  })

  it('keeps what was lodged of a vendor whose details are incomplete since', async () => {
    const [vendor, other] = [await aVendor(), await aVendor()]
    const bookingId = await sells(vendor, '2026-08-01T00:00:00Z')
    await sells(other, '2026-08-01T00:00:00Z')
    await makes()
    await lodges()
    await db.deleteFrom('business_registrations').where('user_id', '=', vendor.userId).execute()
    await sells(other, '2026-08-02T00:00:00Z')
    expect(await makes()).toMatchObject({ reason: 'details_missing' })
    expect(await makes('leave')).toMatchObject({ ok: true, vendors: 1 })
    expect((await contentOf()).sellers).toMatchObject([{ userId: other.userId, change: 'amend' }])
    await lodges()
    expect(await differences()).toEqual([])
    await givesBack(vendor, bookingId, { cents: 10_000, at: '2026-12-30T00:00:00Z' })
    expect(await differences()).toMatchObject([{ cents: 10_000 }])
  })

  it('leaves out vendors by an operator’s flag, which another operator may have changed', async () => {
    const vendor = await aVendor()
    const flag = (seen: 'listed' | null, leftOut: 'listed' | null) =>
      leaveVendorOut(deps, {
        operator: OPERATOR,
        userId: vendor.userId,
        seen,
        leftOut,
        reason: 'On the ASX.',
      })
    expect(await flag(null, 'listed')).toMatchObject({ reason: 'not_found' })
    await sells(vendor, '2026-08-01T00:00:00Z')
    expect(await flag(null, 'listed')).toEqual({ ok: true })
    expect(await flag(null, 'listed')).toMatchObject({ reason: 'changed' })
    expect((await listVendorTrades(db, HALF))[0]?.leftOut).toBe('listed')
    expect(await findNeeds(db, vendor.userId, clock.now())).toBeNull()
    expect(await flag('listed', null)).toEqual({ ok: true })
    expect((await listVendorTrades(db, HALF))[0]?.leftOut).toBeNull()
  })

  it('leaves out a vendor of $1,000,000.00, and has one of $999,999.99', async () => {
    const [below, at] = [await aVendor(), await aVendor()]
    await sells(below, '2026-08-01T00:00:00Z', { totalCents: 99_999_999 })
    await sells(at, '2026-08-01T00:00:00Z', { totalCents: 100_000_000 })
    expect(await makes()).toMatchObject({ ok: true, vendors: 1 })
    const content = await contentOf()
    expect(content.sellers.map(({ userId }) => userId)).toEqual([below.userId])
    expect(content.leftOut).toEqual([{ userId: at.userId, reason: 'substantial' }])
  })

  it('says nil for a half-year without trade', async () => {
    expect(await makes()).toMatchObject({ ok: true, vendors: 0 })
    expect((await findReportXml(db, { half: HALF, version: 1 }))?.xml).toContain(
      '<MessageType>Nil</MessageType>',
    )
    expect(await lodges()).toEqual({ ok: true })
    expect(await differences()).toEqual([])
  })

  it('comes into being once when two operators press at the same moment', async () => {
    await sells(await aVendor(), '2026-08-01T00:00:00Z')
    const both = await Promise.all([makes(), makes()])
    expect(both.some(({ ok }) => ok)).toBe(true)
    expect(await listReports(db, HALF)).toHaveLength(1)
  })
})

describe('the proof', () => {
  it('finds nothing after lodging, whoever was left out', async () => {
    const [one, big] = [await aVendor(), await aVendor()]
    const bookingId = await sells(one, '2026-08-01T00:00:00Z', { progress: 'earned' })
    await sells(big, '2026-08-01T00:00:00Z', { totalCents: 100_000_000 })
    await givesBack(one, bookingId, { cents: 1, at: '2026-12-01T00:00:00Z', borneBy: 'operator' })
    await makes()
    await lodges()
    expect(await differences()).toEqual([])
    const [vendor] = await listVendorTrades(db, HALF, one.userId)
    expect(vendor && grossOf(vendor.sums)).toBe(110_000)
  })

  it('finds money that was posted into a lodged half-year, until a correction is lodged', async () => {
    const [vendor, unknown] = [await aVendor(), await aVendor()]
    const bookingId = await sells(vendor, '2026-08-01T00:00:00Z')
    await makes()
    await lodges()
    await givesBack(vendor, bookingId, { cents: 10_000, at: '2026-12-30T00:00:00Z' })
    await sells(unknown, '2026-10-10T00:00:00Z', { totalCents: 500 })
    expect((await differences()).map(({ cents }) => cents).toSorted((one, other) => one - other)).toEqual([
      -500, 10_000,
    ])
    expect((await differences())[0]?.detail).toContain('lodge a correction')
    await makes()
    await lodges()
    expect(await differences()).toEqual([])
  })
})

describe('the proof of GST', () => {
  it('finds a tax invoice that came after the lodging, until a correction is lodged', async () => {
    const vendor = await aVendor()
    const bookingId = await sells(vendor, '2026-08-01T00:00:00Z')
    await makes()
    await lodges()
    expect(await differences()).toEqual([])
    await invoices(bookingId, vendor.userId)
    expect(await differences()).toMatchObject([
      { cents: 0, detail: expect.stringContaining('the ledger has $1,100.00, $100.00 GST') },
    ])
    await makes()
    await lodges()
    expect(await differences()).toEqual([])
  })
})

describe('the reminders', () => {
  it('reach the operators 60, 30 and 7 days before the last day and weekly after it, each once, even from two processes', async () => {
    await sells(await aVendor({ isRegistered: false }), '2026-08-01T00:00:00Z')
    const sent: string[][] = []
    for (const day of [
      '2026-12-01',
      '2026-12-02',
      '2026-12-15',
      '2027-01-01',
      '2027-01-02',
      '2027-01-24',
      '2027-01-31',
      '2027-02-01',
      '2027-02-07',
      '2027-02-08',
    ]) {
      deps = { ...deps, now: () => new Date(`${day}T01:00:00Z`) }
      await Promise.all([remindOfReports(deps), remindOfReports(deps)])
      sent.push((await jobs.takeAll()).map(({ data }) => (data as { subject: string; to: string }).to))
    }
    const both = ['finance@jubilee.example', 'admin@jubilee.example']
    expect(sent).toEqual([[], both, [], both, [], both, [], both, [], both])
  })

  it('say how many vendors’ details are missing, and end once the report is lodged with them', async () => {
    const vendor = await aVendor({ isRegistered: false })
    await sells(vendor, '2026-08-01T00:00:00Z')
    await remindOfReports(deps)
    const [mail] = await jobs.mails()
    expect(mail?.text).toContain('Details of one vendor are missing.')
    expect(mail?.subject).toBe('Income report due by 31 January 2027')
    await makes('leave')
    await lodges()
    await jobs.takeAll()
    deps = { ...deps, now: () => new Date('2027-01-28T01:00:00Z') }
    await remindOfReports(deps)
    expect((await jobs.mails()).at(-1)?.subject).toBe(
      'Income report for July to December 2026 lacks one vendor',
    )
    expect(await findNextToLodge(db, '2027-02-08')).toBe('2027-01-01')
    await saveDetails(deps, vendor.userId, {
      ...{ fullName: 'Nia Lee', birthDate: '1990-02-03', address: '1 Sample Street' },
      ...{ businessName: '', email: '', phone: '' },
    })
    deps = { ...deps, now: () => new Date('2027-02-08T01:00:00Z') }
    await jobs.takeAll()
    await remindOfReports(deps)
    expect(await jobs.takeAll()).toHaveLength(2)
    await makes()
    await lodges()
    deps = { ...deps, now: () => new Date('2027-02-15T01:00:00Z') }
    await remindOfReports(deps)
    expect(await jobs.takeAll()).toEqual([])
  })

  it('name the half-year that is overdue first, until it is lodged', async () => {
    await sells(await aVendor(), '2026-08-01T00:00:00Z')
    expect(await findNextToLodge(db, '2027-02-08')).toBe(HALF)
    deps = { ...deps, now: () => new Date('2027-02-08T01:00:00Z') }
    await remindOfReports(deps)
    expect((await jobs.mails()).at(-1)?.subject).toBe('Income report overdue since 31 January 2027')
    await makes()
    await lodges()
    expect(await findNextToLodge(db, '2027-02-08')).toBe('2027-01-01')
  })
})
