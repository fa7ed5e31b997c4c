import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBusiness, aClock, aPaymentOf, aPlace, aUser } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { createCalendarReader } from '../../adapters/calendars/http.server.ts'
import { createLiveUpdates } from '../../adapters/live-updates/notify.server.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { findAvailability, listExceptions } from '../../features/availability/hours-queries.server.ts'
import {
  findFeed,
  listOutsideCalendars,
} from '../../features/availability/outside-calendar-queries.server.ts'
import { defaultAvailability, WEEKDAYS } from '../../features/availability/rules.ts'
import { listCalendarEntries } from '../../features/bookings/list/calendar-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { newId } from '../../shared/ids.ts'
import * as availability from './availability.tsx'
import * as calendar from './calendar.tsx'

const NOW = '2026-11-20T01:00:00Z'
const GOOGLE = readFileSync(new URL('../../../tests/calendars/google.ics', import.meta.url))

let connection: Awaited<ReturnType<typeof openTestDatabase>>
let liveUpdates: Awaited<ReturnType<typeof createLiveUpdates>>
let context: RouterContextProvider
let signedIn: string | null = null
let owner: string
let businessId: string
/** The server of an outside calendar, on this machine. */
const elsewhere = createServer((request, response) => answer(request, response))
let answer: RequestListener
let address: string

beforeAll(async () => {
  connection = await openTestDatabase()
  liveUpdates = await createLiveUpdates(connection)
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/basic.ics`
  const { now } = aClock(NOW)
  context = new RouterContextProvider()
  // Only the services that these routes use; each test sets who is signed in.
  context.set(servicesContext, {
    db: connection.db,
    liveUpdates,
    now,
    rateLimits: createRateLimits(connection.db, now),
    config: { publicUrl: new URL('https://jubilee.test') },
    accounts: { findSession: async () => (signedIn ? { id: 's', user: { uid: signedIn } } : null) },
    calendars: createCalendarReader({
      userAgent: 'Jubilee',
      ownUidSuffix: '@jubilee.test',
      isAllowedAddress: (each) => each === '127.0.0.1',
      isAllowedPort: () => true,
    }),
  } as unknown as Services)
})
afterAll(async () => {
  elsewhere.close()
  await liveUpdates.close()
  await connection.close()
})
beforeEach(async () => {
  owner = (await aUser(connection.db)).id
  businessId = (await aBusiness(connection.db, { user_id: owner })).id
  await connection.db.deleteFrom('availability_settings').execute()
  await connection.db.deleteFrom('rate_limits').execute()
  signedIn = owner
  answer = (_, response) => response.end(GOOGLE)
})

type Answer = {
  status: number
  body: { ok?: boolean; reason?: string; location?: string | null; [key: string]: unknown }
}

/** An approved and paid booking of a day. */
async function approved(vendorId: string, date: string): Promise<void> {
  const { user_id: ownerUserId } = await connection.db
    .selectFrom('businesses')
    .select('user_id')
    .where('id', '=', vendorId)
    .executeTakeFirstOrThrow()
  const id = newId()
  const at = new Date(NOW)
  const span = { from: `${date}T05:00:00.000Z`, until: `${date}T12:00:00.000Z` }
  const sale = { id, ownerUserId, businessId: vendorId, event: span, priceCents: 100_00 }
  await aPaymentOf(connection.db, sale, { state: 'paid', paid_at: at })
  await connection.db
    .insertInto('bookings')
    .values({
      id,
      payment_row_id: id,
      vendor_id: vendorId,
      vendor_name: 'The Hall',
      customer_name: 'Kim Lee',
      email: 'kim@example.com',
      phone: '0400 000 000',
      date,
      time: '16:00',
      quantity: 10,
      booking_type: 'perPerson',
      total_price_cents: 100_00,
      payment_id: id,
      status: 'approved',
      decided_at: at,
      reminded_at: null,
      remind_at: at,
      decide_by: at,
    })
    .execute()
}

async function call(
  run: (args: never) => unknown,
  options: { form?: Record<string, string>; query?: string } = {},
): Promise<Answer> {
  const { form, query = '' } = options
  const request = new Request(`http://localhost:3000/dashboard/calendar${query}`, {
    method: form ? 'POST' : 'GET',
    ...(form ? { body: new URLSearchParams(form) } : {}),
  })
  try {
    const given = (await run({ request, url: new URL(request.url), context, params: {} } as never)) as object
    if ('init' in given && 'data' in given) {
      const init = given.init as { status?: number } | null
      return { status: init?.status ?? 200, body: given.data as Answer['body'] }
    }
    return { status: 200, body: given as Answer['body'] }
  } catch (thrown) {
    if (thrown instanceof Response)
      return { status: thrown.status, body: { location: thrown.headers.get('location') } }
    throw thrown
  }
}

/** The settings form as the browser sends it. */
const settings = (overrides: Record<string, string> = {}) => ({
  intent: 'settings',
  businessId,
  seen: '',
  capacity: '2',
  maxGuests: '120',
  eventHours: '5.5',
  setupMinutes: '90',
  cleanupMinutes: '45',
  noticeHours: '72',
  horizonDays: '365',
  'weekly.fri[0].opens': '17:00',
  'weekly.fri[0].closes': '01:00',
  'weekly.sat[0].opens': '09:00',
  'weekly.sat[0].closes': '12:00',
  'weekly.sat[1].opens': '14:00',
  'weekly.sat[1].closes': '23:30',
  ...overrides,
})
const block = (overrides: Record<string, string> = {}) => ({
  intent: 'block',
  businessId,
  from: '2027-03-13',
  to: '2027-03-20',
  note: 'New floor',
  ...overrides,
})
const exception = (overrides: Record<string, string> = {}) => ({
  intent: 'exception',
  businessId,
  from: '2026-12-25',
  to: '2026-12-26',
  note: 'Christmas',
  ...overrides,
})
const outside = (overrides: Record<string, string> = {}) => ({
  intent: 'add-calendar',
  businessId,
  name: 'Google',
  url: address,
  ...overrides,
})

const entries = () =>
  listCalendarEntries(connection.db, {
    businessId,
    range: { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2029-01-01T00:00:00Z') },
    now: new Date(NOW),
  })

/** Everything that these routes can change, as stored in the database. */
async function everything() {
  const [rules, exceptions, calendars, feed, things] = await Promise.all([
    findAvailability(connection.db, businessId),
    listExceptions(connection.db, businessId),
    listOutsideCalendars(connection.db, businessId),
    findFeed(connection.db, businessId),
    entries(),
  ])
  return { rules, exceptions, calendars, feed, things }
}

/** A business with one of each record, and the forms that would change them. */
async function aFullBusiness() {
  await call(calendar.action, { form: block() })
  await call(availability.action, { form: exception() })
  await call(availability.action, { form: outside() })
  await call(availability.action, { form: { intent: 'make-feed', businessId } })
  const before = await everything()
  const id = (list: { id: string }[]) => list[0]?.id ?? ''
  const blockId = id(before.things.filter(({ kind }) => kind === 'block'))
  const writes: [string, (args: never) => unknown, Record<string, string>][] = [
    ['block', calendar.action, block({ from: '2027-05-01', to: '2027-05-01' })],
    ['unblock', calendar.action, { intent: 'unblock', businessId, blockId }],
    ['settings', availability.action, settings()],
    ['exception', availability.action, exception({ from: '2027-01-01', to: '2027-01-01' })],
    [
      'remove exception',
      availability.action,
      { intent: 'remove-exception', businessId, id: id(before.exceptions) },
    ],
    ['add calendar', availability.action, outside({ url: `${address}?other` })],
    ['sync', availability.action, { intent: 'sync-calendar', businessId, id: id(before.calendars) }],
    [
      'remove calendar',
      availability.action,
      { intent: 'remove-calendar', businessId, id: id(before.calendars) },
    ],
    ['make feed', availability.action, { intent: 'make-feed', businessId }],
    ['names', availability.action, { intent: 'feed-names', businessId, showsNames: 'true' }],
    ['revoke feed', availability.action, { intent: 'revoke-feed', businessId }],
  ]
  return { before, writes }
}

it('as nobody: refuses every write, changes nothing, and redirects the screens to login', async () => {
  const { before, writes } = await aFullBusiness()
  signedIn = null
  for (const [what, run, form] of writes) {
    expect(await call(run, { form }), what).toMatchObject({
      status: 401,
      body: { ok: false, reason: 'signed_out' },
    })
  }
  expect(await everything()).toEqual(before)
  for (const { loader } of [calendar, availability]) {
    expect(await call(loader, { query: '?business=x' })).toMatchObject({
      status: 302,
      body: { location: '/login?next=%2Fdashboard%2Fcalendar%3Fbusiness%3Dx' },
    })
  }
})

it('as someone else: refuses every write, changes nothing, and shows only their own businesses', async () => {
  const { before, writes } = await aFullBusiness()
  signedIn = (await aUser(connection.db)).id
  for (const [what, run, form] of writes) {
    expect(await call(run, { form }), what).toMatchObject({
      status: 404,
      body: { ok: false, reason: 'not_found' },
    })
    // No form has a field for the owner.
    expect(await call(run, { form: { ...form, userId: owner } }), what).toMatchObject({ status: 400 })
  }
  expect(await everything()).toEqual(before)
  for (const { loader } of [calendar, availability])
    expect((await call(loader, { query: `?business=${businessId}` })).body).toEqual({
      businesses: [],
      shown: null,
    })
  // Using one's own business does not give access to the records of another.
  const own = (await aBusiness(connection.db, { user_id: signedIn })).id
  for (const [what, run, form] of writes.filter(([, , { id, blockId }]) => id || blockId)) {
    const outcome = await call(run, { form: { ...form, businessId: own } })
    // Removing a missing record is no error, but syncing a missing calendar is one.
    expect(outcome.status, what).toBe(form.intent === 'sync-calendar' ? 404 : 200)
  }
  expect(await everything()).toEqual(before)
})

describe('the calendar', () => {
  it('blocks whole days and times, and unblocks them', async () => {
    expect(await call(calendar.action, { form: block() })).toEqual({ status: 200, body: { ok: true } })
    const timed = block({
      from: '2027-04-01',
      fromTime: '09:00',
      to: '2027-04-01',
      toTime: '12:30',
      note: '',
    })
    expect((await call(calendar.action, { form: timed })).status).toBe(200)
    const blocked = await entries()
    expect(
      blocked.map(({ event, title }) => `${event.from.toISOString()} ${event.until.toISOString()} ${title}`),
    ).toEqual([
      '2027-03-12T13:00:00.000Z 2027-03-20T13:00:00.000Z New floor',
      '2027-03-31T22:00:00.000Z 2027-04-01T01:30:00.000Z ',
    ])
    for (const { id } of blocked) {
      const form = { intent: 'unblock', businessId, blockId: id }
      expect((await call(calendar.action, { form })).status).toBe(200)
    }
    expect(await entries()).toEqual([])
  })

  it('reports an invalid block at its field', async () => {
    for (const [overrides, field] of [
      [{ from: '' }, 'from'],
      [{ from: '2027-02-31' }, 'from'],
      [{ to: '2027-03-12' }, 'to'],
      [{ to: '2037-03-12' }, 'to'],
      [{ fromTime: '25:00' }, 'fromTime'],
      [{ note: 'x'.repeat(201) }, 'note'],
      [{ note: 'a\0b' }, 'note'],
    ] as const) {
      expect(await call(calendar.action, { form: block(overrides) }), field).toMatchObject({
        status: 400,
        body: { reason: 'invalid_fields', errors: { [field]: [expect.any(String)] } },
      })
    }
    expect(await call(calendar.action, { form: { intent: 'explode' } })).toMatchObject({ status: 400 })
    expect(await entries()).toEqual([])
  })

  it('refuses a time that the clock skips', async () => {
    // 2:30 does not exist that night, and its substitute is later than 3:10.
    const skipped = block({ from: '2027-10-03', fromTime: '02:30', to: '2027-10-03', toTime: '03:10' })
    expect(await call(calendar.action, { form: skipped })).toMatchObject({
      status: 400,
      body: { reason: 'no_such_time' },
    })
  })

  it('opens at the next event of all listings, with an address of its own', async () => {
    expect((await call(calendar.loader)).status).toBe(200)
    const other = await aBusiness(connection.db, { user_id: owner })
    const foreign = await aBusiness(connection.db)
    await approved(businessId, '2027-05-08')
    await approved(other.id, '2027-02-13')
    await approved(foreign.id, '2026-12-05')
    await approved(businessId, '2026-11-01')
    const location = '/dashboard/calendar?month=2027-02'
    expect(await call(calendar.loader)).toMatchObject({ status: 302, body: { location } })
    // An address that says what it wants stays.
    expect((await call(calendar.loader, { query: `?business=${businessId}` })).status).toBe(200)
  })

  it('opens at the next event of the only listing, and names it in the address', async () => {
    await approved(businessId, '2027-05-08')
    const location = `/dashboard/calendar?business=${businessId}&month=2027-05`
    expect(await call(calendar.loader)).toMatchObject({ status: 302, body: { location } })
  })

  it('shows the entries of all listings unless one is chosen, each with its own, and never those of others', async () => {
    await aPlace(connection.db, { id: 'perth-wa', time_zone: 'Australia/Perth' })
    const perth = await aBusiness(connection.db, { user_id: owner, name: 'The Pier', place_id: 'perth-wa' })
    const foreign = await aBusiness(connection.db)
    await call(calendar.action, { form: block({ from: '2026-12-27', to: '2026-12-28' }) })
    await call(calendar.action, {
      form: block({ businessId: perth.id, from: '2026-12-31', to: '2026-12-31', note: 'Stocktake' }),
    })
    signedIn = foreign.user_id
    await call(calendar.action, {
      form: block({ businessId: foreign.id, from: '2026-12-29', to: '2026-12-29' }),
    })
    signedIn = owner
    const shownBy = async (query: string) =>
      (
        (await call(calendar.loader, { query })).body as unknown as Awaited<
          ReturnType<typeof calendar.loader>
        >
      ).shown
    const all = await shownBy('?month=2026-12')
    expect(all?.businessId).toBe('all')
    expect(all?.entries.map(({ title, businessId: of }) => [title, of])).toEqual([
      ['New floor', businessId],
      ['Stocktake', perth.id],
    ])
    expect(Object.fromEntries(all?.listings.map(({ id, timeZone }) => [id, timeZone]) ?? [])).toEqual({
      [businessId]: 'Australia/Melbourne',
      [perth.id]: 'Australia/Perth',
    })
    // Entries of one listing never conflict with those of another.
    expect(all?.entries.map(({ isConflict }) => isConflict)).toEqual([false, false])
    expect((await shownBy(`?business=${perth.id}&month=2026-12`))?.entries).toHaveLength(1)
    // A listing of someone else is like none.
    expect((await shownBy(`?business=${foreign.id}&month=2026-12`))?.entries).toHaveLength(2)
  })

  it('refuses to block time without a listing', async () => {
    const { businessId: _, ...unnamed } = block()
    expect(await call(calendar.action, { form: unnamed })).toMatchObject({
      status: 400,
      body: { reason: 'invalid_fields', errors: { businessId: ['Choose the business to block.'] } },
    })
  })

  it('shows the requested month with its hours and unreadable calendars', async () => {
    await call(availability.action, { form: settings() })
    await call(availability.action, { form: exception() })
    await call(calendar.action, { form: block({ from: '2026-12-27', to: '2026-12-28' }) })
    const { shown } = (await call(calendar.loader, { query: `?business=${businessId}&month=2026-12` }))
      .body as unknown as Awaited<ReturnType<typeof calendar.loader>>
    expect(shown).toMatchObject({ month: '2026-12', today: '2026-11-20', businessId })
    expect(shown?.entries.map(({ title }) => title)).toEqual(['New floor'])
    expect(shown?.hours).toMatchObject({
      '2026-12-19': 'Open 9:00 am to 12:00 pm and 2:00 pm to 11:30 pm',
      '2026-12-18': 'Open 5:00 pm to 1:00 am',
      '2026-12-25': 'Closed',
    })
    expect(shown?.closedDays).toContain('2026-12-25')
    expect(shown?.closedDays).not.toContain('2026-12-18')
    expect(shown?.unreadCalendars).toEqual([])
  })

  it('shows the current month at the venue when the address has no valid month', async () => {
    for (const month of ['', 'x', '2026-13', '0001-01', '9999-12', '2026-12-01']) {
      const { shown } = (await call(calendar.loader, { query: `?month=${month}` })).body as {
        shown: { month: string }
      }
      expect(shown.month, month).toBe('2026-11')
    }
  })
})

describe('the availability settings', () => {
  it('save each value as typed', async () => {
    expect(await call(availability.action, { form: settings() })).toMatchObject({
      status: 200,
      body: { ok: true, text: 'Your availability is saved.' },
    })
    const rules = await findAvailability(connection.db, businessId)
    expect(rules).toMatchObject({
      capacity: 2,
      maxGuests: 120,
      eventMinutes: 330,
      setupMinutes: 90,
      cleanupMinutes: 45,
      noticeMinutes: 4_320,
      horizonDays: 365,
    })
    expect(rules?.weekly).toMatchObject({
      mon: [],
      fri: [{ opensMinute: 1_020, closesMinute: 1_500 }],
      sat: [
        { opensMinute: 540, closesMinute: 720 },
        { opensMinute: 840, closesMinute: 1_410 },
      ],
    })
  })

  it('may close every day', async () => {
    const form = Object.fromEntries(Object.entries(settings()).filter(([name]) => !name.startsWith('weekly')))
    expect((await call(availability.action, { form })).status).toBe(200)
    const rules = await findAvailability(connection.db, businessId)
    for (const day of WEEKDAYS) expect(rules?.weekly[day]).toEqual([])
  })

  it('report each invalid field, and save nothing', async () => {
    const before = await findAvailability(connection.db, businessId)
    for (const [overrides, field] of [
      [{ capacity: '0' }, 'capacity'],
      [{ capacity: 'two' }, 'capacity'],
      [{ maxGuests: '1.5' }, 'maxGuests'],
      [{ eventHours: '0' }, 'eventHours'],
      [{ eventHours: '49' }, 'eventHours'],
      [{ setupMinutes: '-1' }, 'setupMinutes'],
      [{ cleanupMinutes: '' }, 'cleanupMinutes'],
      [{ noticeHours: '99999' }, 'noticeHours'],
      [{ horizonDays: '0' }, 'horizonDays'],
      [{ 'weekly.fri[0].opens': '' }, 'weekly.fri[0].opens'],
      [{ 'weekly.fri[0].closes': '24:00' }, 'weekly.fri[0].closes'],
      [{ 'weekly.sat[1].opens': '11:00' }, 'weekly.sat'],
    ] as const) {
      const given = await call(availability.action, { form: settings(overrides) })
      expect(given, field).toMatchObject({ status: 400, body: { reason: 'invalid_fields' } })
      expect(given.body.errors, field).toMatchObject({ [field]: [expect.any(String)] })
    }
    expect(await findAvailability(connection.db, businessId)).toEqual(before)
  })

  it('warn the second of two tabs, which can then save', async () => {
    await call(availability.action, { form: settings() })
    const late = settings({ capacity: '3' })
    const warned = await call(availability.action, { form: late })
    expect(warned).toMatchObject({ status: 409, body: { reason: 'changed_meanwhile' } })
    expect((await findAvailability(connection.db, businessId))?.capacity).toBe(2)
    const again = { ...late, seen: String(warned.body.version) }
    expect((await call(availability.action, { form: again })).status).toBe(200)
    expect((await findAvailability(connection.db, businessId))?.capacity).toBe(3)
  })

  it('default to the usual settings of the category', async () => {
    const look = async () =>
      ((await call(availability.loader)).body as unknown as Awaited<ReturnType<typeof availability.loader>>)
        .shown
    const usual = defaultAvailability('Venues', 'Australia/Melbourne')
    expect(await look()).toMatchObject({ rules: usual, usual, version: null, takesPeople: true })
    await call(availability.action, { form: settings() })
    expect(await look()).toMatchObject({ rules: { capacity: 2 }, usual, version: expect.any(String) })
  })

  it('list upcoming days with other hours until they are removed', async () => {
    expect((await call(availability.action, { form: exception() })).status).toBe(200)
    const sunday = exception({ from: '2026-12-06', to: '2026-12-06', note: '' })
    const open = { ...sunday, 'hours[0].opens': '10:00', 'hours[0].closes': '16:00' }
    expect((await call(availability.action, { form: open })).status).toBe(200)
    await call(availability.action, { form: exception({ from: '2026-01-01', to: '2026-01-02' }) })
    const { shown } = (await call(availability.loader)).body as unknown as Awaited<
      ReturnType<typeof availability.loader>
    >
    expect(shown?.exceptions).toMatchObject([
      { from: '2026-12-06', hours: [{ opensMinute: 600, closesMinute: 960 }] },
      { from: '2026-12-25', to: '2026-12-26', hours: [], note: 'Christmas' },
    ])
    for (const { id } of shown?.exceptions ?? []) {
      const form = { intent: 'remove-exception', businessId, id }
      expect((await call(availability.action, { form })).status).toBe(200)
    }
    expect(await listExceptions(connection.db, businessId)).toHaveLength(1)
    expect(await call(availability.action, { form: exception({ to: '2026-12-24' }) })).toMatchObject({
      status: 400,
      body: { errors: { to: [expect.any(String)] } },
    })
  })

  it('answer an unknown step with 400', async () => {
    expect(await call(availability.action, { form: { intent: 'explode', businessId } })).toMatchObject({
      status: 400,
    })
  })
})

describe('outside calendars', () => {
  it('show their busy times at once, again on demand, and not after their removal', async () => {
    expect(await call(availability.action, { form: outside() })).toMatchObject({
      status: 200,
      // Past events are left out: the tastings of September and October.
      body: { text: 'Added, with 2 busy times.' },
    })
    const [added] = await listOutsideCalendars(connection.db, businessId)
    expect(added).toMatchObject({
      name: 'Google',
      url: address,
      lastSyncedAt: new Date(NOW),
      lastError: null,
    })
    expect((await entries()).map(({ title, calendarName }) => `${title} of ${calendarName}`)).toEqual([
      'Busy of Google',
      'Closed over summer of Google',
    ])

    answer = (_, response) => response.writeHead(410).end()
    const step = { businessId, id: added?.id ?? '' }
    const sync = { form: { intent: 'sync-calendar', ...step } }
    expect(await call(availability.action, sync)).toMatchObject({
      status: 422,
      body: { reason: 'http_error' },
    })
    // Its previous events still count.
    expect(await entries()).toHaveLength(2)
    expect((await listOutsideCalendars(connection.db, businessId))[0]?.lastError).toBe('http_error')
    const { shown } = (await call(calendar.loader)).body as {
      shown: { unreadCalendars: { name: string }[] }
    }
    expect(shown.unreadCalendars).toEqual([{ name: 'Google', businessId }])

    answer = (_, response) => response.end('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n')
    expect((await call(availability.action, sync)).status).toBe(200)
    expect(await entries()).toHaveLength(0)
    expect(await call(availability.action, { form: { intent: 'remove-calendar', ...step } })).toMatchObject({
      status: 200,
    })
    expect(await listOutsideCalendars(connection.db, businessId)).toEqual([])
  })

  it('report why they are refused, and save nothing', async () => {
    for (const [overrides, status, reason] of [
      [{ url: 'calendar.ics' }, 400, 'invalid_fields'],
      [{ name: ' ' }, 400, 'invalid_fields'],
      [{ url: 'http://169.254.169.254/latest' }, 422, 'refused_address'],
      [{ url: 'http://[::1]/admin' }, 422, 'refused_address'],
    ] as const) {
      expect(await call(availability.action, { form: outside(overrides) })).toMatchObject({
        status,
        body: { reason },
      })
    }
    answer = (_, response) => response.end('<!doctype html><title>Sign in</title>')
    expect(await call(availability.action, { form: outside() })).toMatchObject({
      status: 422,
      body: { reason: 'not_a_calendar' },
    })
    expect(await listOutsideCalendars(connection.db, businessId)).toEqual([])
  })

  it('allow a limited number of reads', async () => {
    await connection.db
      .insertInto('rate_limits')
      .values({ key: `calendar-read:${owner}`, window_start: new Date(NOW), count: 20 })
      .execute()
    for (const form of [outside(), { intent: 'sync-calendar', businessId, id: 'x' }])
      expect(await call(availability.action, { form })).toMatchObject({
        status: 429,
        body: { reason: 'too_often' },
      })
  })
})

it('the feed’s secret address is shown once, renewed and revoked, and shows names only on request', async () => {
  const step = (intent: string, more: Record<string, string> = {}) =>
    call(availability.action, { form: { intent, businessId, ...more } })
  const first = await step('make-feed')
  expect(first.body.address).toMatch(/^https:\/\/jubilee\.test\/calendar-feed\/[0-9a-z]{40}\.ics$/)
  const { shown } = (await call(availability.loader)).body as { shown: { feed: unknown } }
  expect(shown.feed).toEqual({ since: '2026-11-20', showsNames: false })
  expect(JSON.stringify(shown)).not.toContain(String(first.body.address).slice(-44, -4))
  const second = await step('make-feed')
  expect(second.body.address).not.toBe(first.body.address)
  expect((await step('feed-names', { showsNames: 'true' })).status).toBe(200)
  expect(await findFeed(connection.db, businessId)).toMatchObject({ showsNames: true })
  expect((await step('revoke-feed')).status).toBe(200)
  expect(await findFeed(connection.db, businessId)).toBeNull()
  expect((await step('feed-names', { showsNames: 'true' })).status).toBe(404)
})
