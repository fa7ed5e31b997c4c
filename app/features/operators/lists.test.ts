import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type aBookingForm, aBookingWorld, aBusiness, aPaidBooking, aUser } from '../../../tests/builders.ts'
import { booksWithDeposit } from '../../../tests/instalment-stage.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { withdrawBooking } from '../bookings/cancellation/withdrawal-commands.server.ts'
import { postTransactions } from '../ledger/commands.server.ts'
import { charge } from '../ledger/rules.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { listAccounts } from './account-queries.server.ts'
import { listBookings } from './booking-queries.server.ts'
import { exportList } from './export-commands.server.ts'
import { listJournal } from './ledger-queries.server.ts'
import { CUT_OFF } from './list-csv-rules.ts'
import { toPage } from './list-queries.server.ts'
import { listListings } from './listing-queries.server.ts'
import { listOperatorLog } from './log-queries.server.ts'
import { OPERATIONS_ZONE } from './messages.ts'
import { findVolume, measureWorkload } from './overview-queries.server.ts'
import { listPayments } from './payment-queries.server.ts'
import { jobHealthOf, readWords } from './rules.ts'
import { findById, searchEverything } from './search-queries.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
const operator = { userId: 'operator-1', email: 'operator@example.com' }
const adminEmails: ReadonlySet<string> = new Set()

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

const now = () => world.clock.now()

async function paid(form: Parameters<typeof aBookingForm>[0] = {}, name?: string) {
  const business = await aBusiness(world.db, name ? { name } : {})
  return { ...(await aPaidBooking(world, { businessId: business.id, form })), business }
}

async function fileOf(input: Partial<Parameters<typeof exportList>[1]>) {
  const deps = { db: world.db, now, adminEmails }
  const texts = await exportList(deps, {
    operator,
    list: 'payments',
    show: 'all',
    words: '',
    only: false,
    ...input,
  })
  let file = ''
  for await (const text of texts) file += text
  return file
}

describe('a list in pages', () => {
  it('shows each row once, also those of the same moment, whatever arrives between two pages', async () => {
    const at = new Date(now().getTime() - 40 * DAY_MS)
    const ids: string[] = []
    for (let row = 0; row < 7; row += 1) {
      const user = await aUser(world.db, { name: 'Pageable', created_at: at })
      ids.push(user.id)
    }
    const seen: string[] = []
    let before: string | null = null
    do {
      const found = await listAccounts(world.db, {
        words: 'pageable',
        disabled: false,
        now: now(),
        adminEmails,
        before,
        limit: 4,
      })
      const page: ReturnType<typeof toPage<(typeof found)[number]>> = toPage(found, 3)
      seen.push(...page.rows.map(({ id }) => id))
      before = page.older
      await aUser(world.db, { name: 'Pageable too', created_at: now() })
    } while (before)
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })

  it('begins with the newest row for a malformed cursor', async () => {
    await paid()
    for (const before of ['', 'x', '1-', '99999999999999999-x', "1-x' or 1=1", '-1-x']) {
      const rows = await listPayments(world.db, { filter: 'all', words: '', now: now(), before })
      expect([before, rows.length > 0]).toEqual([before, true])
    }
  })

  it('goes on after the last row of each list', async () => {
    await paid()
    await paid()
    const lists = [
      (range: object) => listPayments(world.db, { filter: 'all', words: '', now: now(), ...range }),
      (range: object) => listBookings(world.db, { filter: 'all', words: '', now: now(), ...range }),
      (range: object) => listListings(world.db, { words: '', hidden: false, now: now(), ...range }),
    ]
    for (const list of lists) {
      const [first, second] = await list({})
      const [next] = await list({ before: first?.cursor })
      expect(next?.id).toBe(second?.id)
    }
  })
})

describe('the bookings', () => {
  it('stand under what their vendors have to do', async () => {
    const { bookingId } = await paid()
    const has = async (filter: Parameters<typeof listBookings>[1]['filter'], at = now()) =>
      (await listBookings(world.db, { filter, words: '', now: at })).some(({ id }) => id === bookingId)
    expect([await has('all'), await has('waiting'), await has('overdue')]).toEqual([true, true, false])
    const later = new Date(now().getTime() + 400 * DAY_MS)
    expect([await has('waiting', later), await has('overdue', later)]).toEqual([false, true])
    await withdrawBooking(world.deps, { bookingId, by: { userId: 'x', verifiedEmail: 'kim@example.com' } })
    expect([await has('waiting'), await has('ended')]).toEqual([false, true])
  })
})

describe('the search over all lists', () => {
  const search = (words: string, role: 'support' | 'finance' | 'admin' = 'admin') =>
    searchEverything(world.db, { words, role, now: now(), adminEmails })

  it('finds a part of a name in every list', async () => {
    const payment = await paid({ fullName: 'Wilhelmina Zander', email: 'zander@example.com' }, 'Zanderhaus')
    await aUser(world.db, { name: 'Otto Zander' })
    const found = await search('ZANDER')
    expect(found.accounts?.rows.map(({ name }) => name)).toEqual(['Otto Zander'])
    expect(found.bookings?.rows.map(({ id }) => id)).toEqual([payment.bookingId])
    expect(found.payments?.rows.map(({ id }) => id)).toEqual([payment.paymentId])
    expect(found.listings?.rows.map(({ id }) => id)).toEqual([payment.business.id])
    expect(found.listings?.count).toBe(1)
  })

  it('takes %, _ and backslashes as text', async () => {
    await aUser(world.db, { name: '100%_off \\o/' })
    expect((await search('100%_off')).accounts?.count).toBe(1)
    expect((await search('\\o/')).accounts?.count).toBe(1)
    for (const words of ['%%%', '___', '1__%']) expect((await search(words)).accounts?.count).toBe(0)
  })

  it('counts beyond the rows that it shows', async () => {
    for (let row = 0; row < 23; row += 1) await aUser(world.db, { name: 'Countable' })
    const { accounts } = await search('countable')
    expect([accounts?.rows.length, accounts?.count]).toEqual([20, 23])
  })

  it('leaves out the lists that a role may not open', async () => {
    const { business } = await paid({}, 'Rolesbury Hall')
    expect((await search('rolesbury', 'finance')).listings).toBeNull()
    expect((await search('rolesbury', 'finance')).bookings?.count).toBe(1)
    expect((await search('rolesbury', 'support')).listings?.count).toBe(1)
    expect(await findById(world.db, business.id, 'finance')).toBeNull()
  })

  it('leads from an id to what it names', async () => {
    const { paymentId, bookingId, business, reference } = await paid()
    const user = await aUser(world.db)
    const to = (id: string) => findById(world.db, id, 'admin')
    for (const id of [paymentId, bookingId, reference])
      expect([id, await to(id)]).toEqual([id, `/operations/payments/${paymentId}`])
    expect(await to(user.id)).toBe(`/operations/accounts?q=${user.id}`)
    expect(await to(business.id)).toBe(`/operations/listings?q=${business.id}`)
    for (const words of ['nothing-of-ours', 'Zander', 'a name', '%%%%%%%%%'])
      expect(await to(words)).toBeNull()
  })

  it.each([
    ['a null byte', 'kim\u0000x', 'kim x'],
    ['half a surrogate pair', 'kim\ud83d', 'kim\ufffd'],
    ['300 characters', 'k'.repeat(300), 'k'.repeat(100)],
    ['nothing', null, ''],
  ])('can take %s', async (_name, typed, read) => {
    expect(readWords(typed)).toBe(read)
    expect((await search(readWords(typed))).payments).not.toBeNull()
  })
})

describe('a downloaded list', () => {
  it('contains the rows of its filter, and leaves an entry in the log', async () => {
    await paid({ fullName: '=cmd|"/C calc"!A0', email: 'export@example.com' })
    const file = await fileOf({ words: 'export@example.com' })
    expect(file.split('\r\n')).toHaveLength(3)
    expect(file).toContain(`"'=cmd|""/C calc""!A0"`)
    const [entry] = await listOperatorLog(world.db)
    expect(entry).toMatchObject({
      action: 'export-list',
      subjectKind: 'list',
      subjectId: 'payments',
      subjectLabel: 'payments, ‘export@example.com’',
    })
    const event = await world.db
      .selectFrom('security_events')
      .select(['kind', 'user_id', 'actor_user_id'])
      .where('detail', '=', 'export-list')
      .executeTakeFirst()
    expect(event).toEqual({ kind: 'operator-act', user_id: operator.userId, actor_user_id: operator.userId })
  })

  it.each([
    ['exactly the limit', 2, false],
    ['fewer than there are', 1, true],
  ])('says whether its rows are cut off: %s', async (_name, limit, isCut) => {
    const words = `cut-${newId()}@example.com`
    for (let row = 0; row < 2; row += 1) await aUser(world.db, { name: words })
    const file = await fileOf({ list: 'accounts', words, limit })
    expect(file.split('\r\n').length).toBe(limit + (isCut ? 3 : 2))
    expect(file.includes(CUT_OFF)).toBe(isCut)
  })

  it('reads longer lists in stretches, with each row once', async () => {
    const values = Array.from({ length: 2_003 }, (_, index) => ({
      id: newId(),
      name: 'Stretchable',
      email: `stretch-${index}@example.com`,
      created_at: new Date(now().getTime() - 90 * DAY_MS + Math.floor(index / 3)),
    }))
    await world.db.insertInto('users').values(values).execute()
    const file = await fileOf({ list: 'accounts', words: 'Stretchable' })
    const ids = file
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0])
    expect(ids).toHaveLength(values.length)
    expect(new Set(ids).size).toBe(values.length)
  })

  it('gives each booking or listing a row below its head', async () => {
    const { business, bookingId } = await paid({}, 'Downloadable')
    expect(await fileOf({ list: 'bookings', words: 'downloadable' })).toContain(`\r\n${bookingId},`)
    expect(await fileOf({ list: 'listings', words: 'downloadable' })).toContain(`\r\n${business.id},`)
  })
})

describe('a download of bookings', () => {
  it('says what is paid and what is still due of a price in parts', async () => {
    const { bookingId, businessId } = await booksWithDeposit(world)
    const file = await fileOf({ list: 'bookings', words: bookingId })
    const [head = [], row = []] = file.split('\r\n').map((line) => line.split(','))
    const cell = (column: string) => row[head.indexOf(column)]
    expect(cell('Listing')).toBe(businessId)
    expect(['Payment status', 'Price (AUD)', 'Paid (AUD)', 'Still due (AUD)'].map(cell)).toEqual([
      'deposit paid',
      '8700.00',
      '1740.00',
      '6960.00',
    ])
    expect(head.at(-1)).toBe('Still due (AUD)')
    const whole = await paid({}, 'Paid at once')
    expect(await fileOf({ list: 'bookings', words: whole.bookingId })).toMatch(/,paid,.*,455\.00,0\.00\r\n$/)
  })
})

describe('a download for the books', () => {
  const cellsOf = (file: string) =>
    file
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','))

  it('lists each posting of the month under debit or credit, with equal totals', async () => {
    const { paymentId } = await paid()
    const month = wallTimeAt(now(), OPERATIONS_ZONE).date.slice(0, 7)
    const rows = cellsOf(await fileOf({ list: 'ledger', show: month }))
    const all = cellsOf(await fileOf({ list: 'ledger' }))
    expect(all).toEqual(rows)
    const { count } = await world.db
      .selectFrom('ledger_postings')
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    expect(rows).toHaveLength(Number(count))
    const sum = (column: number) =>
      rows.reduce((cents, row) => cents + Math.round(Number(row[column]) * 100), 0)
    expect(sum(5)).toBeGreaterThan(0)
    expect(sum(5)).toBe(sum(6))
    const posted = rows.filter((row) => row[9] === paymentId)
    expect(posted.map(([, , kind, , account, debit, credit]) => [kind, account, debit, credit])).toEqual([
      ['charge', 'customer_money_held', '', '455.00'],
      ['charge', 'provider_balance', '455.00', ''],
    ])
    expect(cellsOf(await fileOf({ list: 'ledger', show: '2020-01' }))).toEqual([])
  })

  it('reads a long journal in stretches, with each posting once', async () => {
    const at = new Date('2019-03-15T00:00:00Z')
    const transactions = Array.from({ length: 600 }, (_, index) => ({
      ...charge(100 + index),
      key: `journal:${index}`,
      vendorUserId: 'journal',
      bookingId: null,
      paymentId: `journal-${index}`,
      providerReference: null,
      at,
    }))
    await world.db.transaction().execute((tx) => postTransactions(tx, transactions))
    const rows = cellsOf(await fileOf({ list: 'ledger', show: '2019-03' }))
    expect(rows).toHaveLength(1_200)
    expect(new Set(rows.map((row) => `${row[0]} ${row[4]}`)).size).toBe(1_200)
    // The cursor goes on within a transaction, too.
    const lines = await listJournal(world.db, { month: '2019-03', before: null, limit: 1 })
    const next = await listJournal(world.db, { month: '2019-03', before: lines[0]?.cursor ?? '', limit: 1 })
    expect(next[0]?.transactionId).toBe(lines[0]?.transactionId)
    expect(next[0]?.account).not.toBe(lines[0]?.account)
  })

  it('lists the disputes of its filter', async () => {
    const { paymentId, business } = await paid({ fullName: 'Disputing' })
    const values = ['open', 'shut'].map((name) => ({
      id: newId(),
      payment_id: paymentId,
      provider: 'sandbox',
      provider_dispute: `dp_${name}`,
      amount_cents: 45_500,
      reason: 'fraudulent',
      status: name === 'open' ? ('needs_response' as const) : ('lost' as const),
      funds: 'withdrawn' as const,
      is_charge_refundable: false,
      opened_at: now(),
      checked_at: now(),
      closed_at: name === 'open' ? null : now(),
    }))
    await world.db.insertInto('disputes').values(values).execute()
    const references = async (show: string) =>
      cellsOf(await fileOf({ list: 'disputes', show }))
        .filter((row) => row[11] === business.name)
        .map((row) => row[1])
        .sort()
    expect(await references('all')).toEqual(['dp_open', 'dp_shut'])
    expect(await references('open')).toEqual(['dp_open'])
    expect(await references('closed')).toEqual(['dp_shut'])
    expect(await fileOf({ list: 'disputes', limit: 1 })).toContain(CUT_OFF)
  })
})

describe('the overview', () => {
  it('counts a payment on its day in Sydney, and its refund beside it', async () => {
    // Shortly after midnight in Sydney, the evening before in UTC.
    world.clock.forward(new Date('2027-02-01T13:30:00Z').getTime() - now().getTime())
    const before = await findVolume(world.db, now())
    const { bookingId } = await paid({ date: '2027-08-14' })
    await withdrawBooking(world.deps, { bookingId, by: { userId: 'x', verifiedEmail: 'kim@example.com' } })
    world.clock.forward(2 * DAY_MS)
    await performDueRefunds(world.deps)
    const { days } = await findVolume(world.db, now())
    const on = (day: string, volume = days) => volume.find((one) => one.day === day)
    const earlier = on('2027-02-02', before.days)
    expect((on('2027-02-02')?.paidCents ?? 0) - (earlier?.paidCents ?? 0)).toBe(45_500)
    expect((on('2027-02-02')?.payments ?? 0) - (earlier?.payments ?? 0)).toBe(1)
    expect(on('2027-02-04')?.refundedCents).toBeGreaterThanOrEqual(45_500)
    expect(days).toHaveLength(30)
    expect(days.at(-1)?.day).toBe('2027-02-04')
  })

  it('counts the rows of the lists that its numbers lead to', async () => {
    const workload = await measureWorkload(world.db, now())
    const rows = { words: '', now: now(), limit: 10_000 }
    expect(workload.answersOverdue).toBe(
      (await listBookings(world.db, { ...rows, filter: 'overdue' })).length,
    )
    expect(workload.answersWaiting).toBe(
      (await listBookings(world.db, { ...rows, filter: 'waiting' })).length,
    )
    expect(workload.refundsDue).toBe((await listPayments(world.db, { ...rows, filter: 'due' })).length)
    expect(workload.refundsFailing).toBe(
      (await listPayments(world.db, { ...rows, filter: 'failing' })).length,
    )
    expect(workload.paymentsStuck).toBe((await listPayments(world.db, { ...rows, filter: 'stuck' })).length)
    const accounts = { ...rows, disabled: false, adminEmails }
    expect(workload.newAccounts).toBe((await listAccounts(world.db, { ...accounts, filter: 'new' })).length)
    const listings = await listListings(world.db, { ...rows, hidden: false, filter: 'new' })
    expect(workload.newListings).toBe(listings.length)
  })

  it('names the jobs that failed first', () => {
    expect(
      jobHealthOf([
        { name: 'a', state: 'waiting', count: 2 },
        { name: 'b', state: 'failed', count: 1 },
        { name: 'b', state: 'running', count: 1 },
      ]),
    ).toEqual([
      { name: 'b', waiting: 0, running: 1, failed: 1 },
      { name: 'a', waiting: 2, running: 0, failed: 0 },
    ])
  })
})
