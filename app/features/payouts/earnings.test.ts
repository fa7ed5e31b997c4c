import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { aPayoutAccount, type EarningInput, fillEarnings } from '../../../tests/earnings.ts'
import { newId } from '../../shared/ids.ts'
import { readPageKey } from '../../shared/page-keys.server.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { postTransactions } from '../ledger/commands.server.ts'
import { findBookingMoney } from '../ledger/queries.server.ts'
import { commission, disputeOpened, earned, refund, reversal } from '../ledger/rules.ts'
import { earningsCsv } from './earning-csv-rules.ts'
import { earningSumText } from './earning-messages.ts'
import {
  type EarningList,
  findEarningSums,
  findFirstMonth,
  listAllEarnings,
  listEarningMonths,
  listEarnings,
} from './earning-queries.server.ts'
import { findStatement } from './statement-queries.server.ts'
import { statementSums } from './statement-rules.ts'

let connection: Awaited<ReturnType<typeof openTestDatabase>>
let vendor: string

beforeAll(async () => {
  connection = await openTestDatabase()
})
afterAll(() => connection.close())
beforeEach(async () => {
  vendor = (await aUser(connection.db)).id
})

const NOW = new Date('2027-03-20T02:00:00Z')
const DELAY_MS = 2 * DAY_MS
const ZONE = 'Australia/Melbourne'

/** Some days from now. */
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS)

const fill = (...inputs: (Partial<EarningInput> & { eventUntil: Date })[]) =>
  fillEarnings(
    connection.db,
    inputs.map((input) => ({ vendorUserId: vendor, bookedAt: new Date('2027-01-10T00:00:00Z'), ...input })),
  )

const list = (which: EarningList, after: string | null = null, pageSize?: number) =>
  listEarnings(connection.db, {
    userId: vendor,
    list: which,
    after: readPageKey(after, 'iso'),
    now: NOW,
    delayMs: DELAY_MS,
    ...(pageSize ? { pageSize } : {}),
  })

const sums = () => findEarningSums(connection.db, { userId: vendor, timeZone: ZONE, now: NOW })

describe('listEarnings', () => {
  it('shares the price of an event to come as it will be shared', async () => {
    await fill({ eventUntil: inDays(5) })
    const { earnings, next } = await list('coming')
    expect(next).toBeNull()
    expect(earnings).toMatchObject([
      {
        customerName: 'Kim Lee',
        state: 'held',
        heldReason: null,
        priceCents: 870_000,
        backCents: 0,
        commissionCents: 87_000,
        gstCents: 7_909,
        yoursCents: 783_000,
        sentCents: 0,
        isEventOver: false,
        steps: {
          booked: '2027-01-10',
          event: '2027-03-25',
          sent: { date: '2027-03-27', isExpected: true },
          atBank: { date: '2027-03-29', isExpected: true },
        },
      },
    ])
  })

  it('lists money to come by its event, the soonest first, and what the bank has as past', async () => {
    const accountId = await aPayoutAccount(connection.db, vendor)
    const of = { accountId, customerName: '' }
    const [held, waiting, made, due, atBank, older] = await fill(
      { ...of, eventUntil: inDays(9) },
      { ...of, eventUntil: inDays(4), status: 'pending' },
      { ...of, eventUntil: inDays(-3), progress: 'made' },
      { ...of, eventUntil: inDays(-60), progress: 'due', heldReason: 'no_account' },
      { ...of, eventUntil: inDays(-5), progress: 'at_bank' },
      { ...of, eventUntil: inDays(-90), progress: 'at_bank' },
      { ...of, eventUntil: inDays(3), status: 'declined' },
    )
    const shown = ({ earnings }: Awaited<ReturnType<typeof list>>) =>
      earnings.map(({ bookingId, state }) => [bookingId, state])
    expect(shown(await list('coming'))).toEqual([
      [due, 'stopped'],
      [made, 'on_its_way'],
      [waiting, 'to_approve'],
      [held, 'held'],
    ])
    expect(shown(await list('past'))).toEqual([
      [atBank, 'at_bank'],
      [older, 'at_bank'],
    ])
  })

  it.each(['coming', 'past'] as const)('pages %s without a gap or a repeat', async (which) => {
    const accountId = await aPayoutAccount(connection.db, vendor)
    // Several end at the same time.
    const ids = await fill(
      ...Array.from({ length: 13 }, (_, index) =>
        which === 'coming'
          ? { eventUntil: inDays(1 + Math.floor(index / 3)) }
          : { eventUntil: inDays(-9 - Math.floor(index / 3)), progress: 'at_bank' as const, accountId },
      ),
    )
    const seen: string[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(which, after, 4)
      seen.push(...page.earnings.map(({ bookingId }) => bookingId))
      after = page.next
    } while (after)
    expect(seen).toHaveLength(13)
    expect(new Set(seen)).toEqual(new Set(ids))
  })

  it('says why money that is due doesn’t leave', async () => {
    for (const heldReason of ['no_agreement', 'restricted', 'register', 'operator', 'debt'] as const)
      await fill({ eventUntil: inDays(-4), progress: 'due', heldReason })
    const { earnings } = await list('coming')
    expect(earnings.map((earning) => earning.heldReason).sort()).toEqual([
      'debt',
      'no_agreement',
      'operator',
      'register',
      'restricted',
    ])
    expect(earnings.every(({ steps }) => steps.sent === null && steps.atBank === null)).toBe(true)
  })

  it('shows another vendor’s bookings to nobody else', async () => {
    const other = (await aUser(connection.db)).id
    await fill(
      { eventUntil: inDays(5), vendorUserId: other },
      { eventUntil: inDays(-5), progress: 'made', vendorUserId: other },
    )
    expect((await list('coming')).earnings).toEqual([])
    expect((await list('past')).earnings).toEqual([])
    expect(await listAllEarnings(connection.db, { userId: vendor, now: NOW, delayMs: DELAY_MS })).toEqual([])
    expect(await sums()).toMatchObject({ heldCents: 0, onItsWayCents: 0, atBankCents: 0, owedCents: 0 })
  })
})

describe('findEarningSums', () => {
  it('adds up what is held, on its way and at the bank', async () => {
    const accountId = await aPayoutAccount(connection.db, vendor)
    await fill(
      { eventUntil: inDays(9) },
      { eventUntil: inDays(-1), progress: 'earned', totalCents: 100_000 },
      { eventUntil: inDays(-4), progress: 'due', totalCents: 10_000 },
      { eventUntil: inDays(-4), progress: 'made', totalCents: 20_000, accountId },
      { eventUntil: inDays(-9), progress: 'at_bank', totalCents: 30_000, accountId },
      // In the financial year before.
      { eventUntil: inDays(-300), progress: 'at_bank', totalCents: 40_000, accountId },
    )
    expect(await sums()).toEqual({
      heldCents: 870_000,
      onItsWayCents: 90_000 + 9_000 + 18_000,
      atBankCents: 27_000,
      since: '2026-07-01',
      owedCents: 0,
      disputedCents: 0,
    })
  })

  it('counts no money as held for the vendor that its customer is to get back', async () => {
    const [off] = await fill({ eventUntil: inDays(9) }, { eventUntil: inDays(9), totalCents: 10_000 })
    const payment = await connection.db
      .updateTable('bookings')
      .set({ status: 'declined' })
      .returning('payment_row_id')
      .where('id', '=', off ?? '')
      .executeTakeFirstOrThrow()
    expect(await sums()).toMatchObject({ heldCents: 880_000 })
    const id = newId()
    await connection.db
      .insertInto('payment_actions')
      .values({
        id,
        payment_id: payment.payment_row_id,
        kind: 'refund',
        reason: 'declined',
        amount_cents: 870_000,
        state: 'due',
        due_at: NOW,
      })
      .execute()
    expect(await sums()).toMatchObject({ heldCents: 10_000 })
    // It has left, so the ledger tells.
    await connection.db
      .updateTable('payment_actions')
      .set({ state: 'done', provider_status: 'succeeded', done_at: NOW })
      .where('id', '=', id)
      .execute()
    expect(await sums()).toMatchObject({ heldCents: 880_000 })
    // It came back, and the customer is still owed it.
    await connection.db
      .updateTable('payment_actions')
      .set({ provider_status: 'failed' })
      .where('id', '=', id)
      .execute()
    expect(await sums()).toMatchObject({ heldCents: 10_000 })
  })
})

describe('listEarningMonths', () => {
  it('returns what was sent and what is expected by the month in which it leaves', async () => {
    const accountId = await aPayoutAccount(connection.db, vendor)
    await fill(
      { eventUntil: new Date('2027-01-30T12:00:00Z'), progress: 'at_bank', accountId },
      { eventUntil: inDays(-4), progress: 'made', accountId, totalCents: 10_000 },
      { eventUntil: inDays(5), totalCents: 20_000 },
      { eventUntil: new Date('2027-03-30T12:00:00Z'), totalCents: 30_000 },
      { eventUntil: new Date('2027-03-31T12:00:00Z'), totalCents: 50_000, status: 'pending' },
    )
    const months = await listEarningMonths(connection.db, {
      userId: vendor,
      timeZone: ZONE,
      now: NOW,
      delayMs: DELAY_MS,
    })
    expect(months.map(({ month }) => month)).toEqual([
      '2026-10',
      '2026-11',
      '2026-12',
      '2027-01',
      '2027-02',
      '2027-03',
      '2027-04',
      '2027-05',
      '2027-06',
      '2027-07',
      '2027-08',
      '2027-09',
    ])
    expect(months.filter(({ sentCents, expectedCents }) => sentCents + expectedCents > 0)).toEqual([
      { month: '2027-02', sentCents: 783_000, expectedCents: 0 },
      { month: '2027-03', sentCents: 9_000, expectedCents: 18_000 },
      { month: '2027-04', sentCents: 0, expectedCents: 27_000 },
    ])
  })
})

describe('a refund that the operator bears', () => {
  it('isn’t taken off the vendor’s sum, on the page or in the download', async () => {
    const accountId = await aPayoutAccount(connection.db, vendor)
    const [bookingId = ''] = await fill({ eventUntil: inDays(-9), progress: 'made', accountId })
    const money = (await findBookingMoney(connection.db, [bookingId])).get(bookingId)
    if (!money) throw new Error('not posted')
    const terms = { basisPoints: 1_000, isGstRegistered: true }
    await connection.db.transaction().execute((tx) =>
      postTransactions(tx, [
        {
          ...refund({ money, cents: 100_000, terms, borneBy: 'operator', paidFrom: 'provider_balance' }),
          ...{ vendorUserId: vendor, bookingId, paymentId: null, providerReference: null, at: NOW },
          key: `refund:${bookingId}`,
        },
      ]),
    )
    const earnings = await listAllEarnings(connection.db, { userId: vendor, now: NOW, delayMs: DELAY_MS })
    const [earning] = earnings
    if (!earning) throw new Error('not listed')
    expect(earning.yoursCents).toBe(783_000)
    expect(earningSumText(earning)).toBe('Paid $8,700.00 − commission $870.00 (including $79.09 GST)')
    expect(earningsCsv(earnings)).toContain(',8700.00,0.00,870.00,79.09,7830.00,')
  })
})

describe('findStatement', () => {
  it('leads from the opening to the closing balance by its lines', async () => {
    const accountId = await aPayoutAccount(connection.db, vendor)
    const [before, inMonth] = await fill(
      { eventUntil: new Date('2027-02-27T12:00:00Z'), progress: 'made', accountId, totalCents: 100_000 },
      { eventUntil: new Date('2027-03-10T12:00:00Z'), progress: 'made', accountId, customerName: 'Ada Cole' },
      { eventUntil: inDays(30), totalCents: 55_000 },
    )
    const statement = await findStatement(connection.db, { userId: vendor, timeZone: ZONE, month: '2027-03' })
    expect(statement).toMatchObject({ openingCents: 90_000, closingCents: 0, heldCents: 55_000 })
    expect(statement.lines).toMatchObject([
      { date: '2027-03-01', kind: 'transfer', cents: -90_000 },
      { date: '2027-03-10', kind: 'earned', cents: 870_000, booking: { customerName: 'Ada Cole' } },
      { date: '2027-03-10', kind: 'commission', cents: -87_000, gstCents: 7_909 },
      { date: '2027-03-12', kind: 'transfer', cents: -783_000 },
    ])
    expect(statementSums(statement)).toEqual({
      earnedCents: 870_000,
      commissionCents: 87_000,
      gstCents: 7_909,
      otherCents: 0,
      sentCents: 873_000,
    })
    expect(before).not.toBe(inMonth)
    expect(await findFirstMonth(connection.db, { userId: vendor, timeZone: ZONE })).toBe('2027-01')
  })

  it('includes a refund after the transfer, its reversal and the debt that is left', async () => {
    const accountId = await aPayoutAccount(connection.db, vendor)
    const [bookingId = ''] = await fill({ eventUntil: inDays(-9), progress: 'made', accountId })
    const money = (await findBookingMoney(connection.db, [bookingId])).get(bookingId)
    if (!money) throw new Error('not posted')
    const terms = { basisPoints: 1_000, isGstRegistered: true }
    const about = { vendorUserId: vendor, bookingId, paymentId: null, providerReference: null, at: NOW }
    await connection.db.transaction().execute((tx) =>
      postTransactions(tx, [
        {
          ...refund({ money, cents: 435_000, terms, borneBy: 'vendor', paidFrom: 'provider_balance' }),
          ...about,
          key: `refund:${bookingId}`,
        },
        { ...reversal({ broughtBackCents: 0, owedCents: 391_500 }), ...about, key: `reversal:${bookingId}` },
      ]),
    )
    const statement = await findStatement(connection.db, { userId: vendor, timeZone: ZONE, month: '2027-03' })
    expect(statement).toMatchObject({ openingCents: 0, closingCents: -391_500 })
    expect(statement.lines.slice(-2)).toMatchObject([
      { kind: 'refund', cents: -435_000, gstCents: 0 },
      { kind: 'commission_back', cents: 43_500, gstCents: -3_954 },
    ])
    expect(statementSums(statement)).toEqual({
      earnedCents: 870_000,
      commissionCents: 43_500,
      gstCents: 3_955,
      otherCents: -435_000,
      sentCents: 783_000,
    })
    expect(statement.lines.reduce((sum, { cents }) => sum + cents, statement.openingCents)).toBe(-391_500)
    expect(await sums()).toMatchObject({ owedCents: 391_500, onItsWayCents: 783_000 })
    const [earning] = (await list('coming')).earnings
    expect(earning).toMatchObject({
      commissionCents: 43_500,
      backCents: 435_000,
      yoursCents: 391_500,
      owedCents: 391_500,
    })
  })

  it('gives the commission back with money that is held for a dispute, also when nothing else is the vendor’s', async () => {
    const [bookingId = ''] = await fill({ eventUntil: inDays(-9), totalCents: 870_000 })
    const about = { vendorUserId: vendor, bookingId, paymentId: null, providerReference: null, at: NOW }
    const terms = { basisPoints: 10_000, isGstRegistered: true }
    const kept = { cents: 870_000, commissionCents: 0, gstCents: 0 }
    const post = (
      key: string,
      entry: ReturnType<typeof refund | typeof earned | typeof disputeOpened | typeof commission>,
    ) =>
      connection.db
        .transaction()
        .execute((tx) => postTransactions(tx, [{ ...entry, ...about, key: `${key}:${bookingId}` }]))
    await post('earned', earned(870_000))
    await post('commission', commission(kept, terms))
    const money = (await findBookingMoney(connection.db, [bookingId])).get(bookingId)
    if (!money) throw new Error('not posted')
    await post('dispute', disputeOpened({ money, cents: 870_000, terms }))
    const statement = await findStatement(connection.db, { userId: vendor, timeZone: ZONE, month: '2027-03' })
    expect(statement.lines).toMatchObject([
      { kind: 'earned', cents: 870_000 },
      { kind: 'commission', cents: -870_000, gstCents: 79_091 },
      { kind: 'dispute_opened', cents: -870_000, gstCents: 0 },
      { kind: 'commission_back', cents: 870_000, gstCents: -79_091 },
    ])
    expect(statementSums(statement)).toMatchObject({ commissionCents: 0, gstCents: 0, otherCents: -870_000 })
    expect(statement.closingCents).toBe(0)
  })
})
