import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookingLinkToken } from '../../app/features/bookings/rules.ts'
import { conversationLinkToken, replyTokenOf } from '../../app/features/enquiries/rules.ts'
import { VIEW_LIFE_MS } from '../../app/features/operators/rules.ts'
import {
  VIEW_FRAME_PATTERNS,
  VIEW_PAGE_PATTERNS,
  VIEW_PUBLIC_PATTERNS,
} from '../../app/routes/view-pages.server.ts'
import { hashText } from '../../app/shared/signed.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { preparePages } from '../e2e/pages.ts'
import { builtRoutes, startServer, type TestServer } from '../server.ts'

const CUSTOMER = 'customer@jubilee.example'
const VENDOR = 'vendor@jubilee.example'
const OPERATOR = 'operator@jubilee.example'
const START = '/operations/see-as'
const STOP = '/operations/see-as/stop'
const FEED_TOKEN = 'feed-token-that-nobody-guesses-0123456789'
const CALENDAR_URL = 'https://calendar.example.com/private/very-secret/basic.ics'
const CALENDAR_NAME = 'My private calendar'
const CALENDAR_ERROR = 'The server of my private calendar answered 401.'
const OUTSIDE_TITLE = 'Appointment with the specialist'
const BLOCK_NOTE = 'Away for the operation'
const EXCEPTION_NOTE = 'Custody hearing'
/** In the future, for the list of exceptions. */
const DAY = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10)
const OWN_PHONE = '0491 570 006'
const FACTOR = 'JBSWY3DPEHPK3PXPSECRET'
const MEMBER_TEXT = 'Please call me on 0400 111 222 about the flowers.'
const REASON_TEXT = 'Our roof leaks above the dance floor.'

let server: TestServer
let operator: Client
let listing = ''
let secrets: [kind: string, secret: string][] = []

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    demo: true,
    env: { TRUSTED_PROXY: '1', PAYOUTS: 'sandbox' },
  })
  await preparePages(server.services)
  await fillSecrets()
  operator = await signedIn(OPERATOR)
})
afterAll(() => server.close())

async function signedIn(email: string, password = 'celebrate'): Promise<Client> {
  const browser = new Client(server)
  browser.email = email
  await browser.post('/login', { email, password })
  return browser
}

const idOf = async (email: string) =>
  (
    await server.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id

/** Adds what the pages' data lack, and lists every secret that the database knows of. */
async function fillSecrets(): Promise<void> {
  const { db, config } = server.services
  const [customer, vendor] = [await idOf(CUSTOMER), await idOf(VENDOR)]
  const { id: businessId } = await db
    .selectFrom('businesses')
    .select('id')
    .where('user_id', '=', vendor)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('calendar_feeds')
    .values({ business_id: businessId, token_hash: await hashText(FEED_TOKEN), created_at: new Date() })
    .execute()
  await db
    .insertInto('outside_calendars')
    .values({
      id: 'outside',
      business_id: businessId,
      name: CALENDAR_NAME,
      url: CALENDAR_URL,
      added_at: new Date(),
      next_sync_at: new Date(Date.now() + DAY_MS),
      last_synced_at: null,
      last_error: CALENDAR_ERROR,
      etag: null,
    })
    .execute()
  listing = businessId
  await fillTimes(businessId)
  await db.updateTable('users').set({ phone: OWN_PHONE }).where('id', 'in', [customer, vendor]).execute()
  for (const id of [customer, vendor])
    await db
      .insertInto('second_factors')
      .values({
        id: `factor-${id}`,
        user_id: id,
        secret: FACTOR,
        backup_codes: '["recovery-code-hash"]',
        verified: true,
        last_step: null,
        locked_until: null,
      })
      .execute()
  const texts = {
    title: 'A title',
    body: MEMBER_TEXT,
    link: '/bookings/notification-link-token',
    kind: 'new_message',
  }
  for (const userId of [customer, vendor])
    await db
      .insertInto('notifications')
      .values({
        id: `n-${userId}`,
        user_id: userId,
        event_key: `see-as:${userId}`,
        created_at: new Date(),
        ...texts,
      } as never)
      .execute()
  await db.updateTable('payout_accounts').set({ bank_last4: '9417' }).execute()
  // A cancelled booking with the words of its vendor.
  const booking = await db
    .selectFrom('bookings')
    .select('id')
    .where('email', '=', CUSTOMER)
    .executeTakeFirstOrThrow()
  await db.updateTable('bookings').set({ status: 'declined' }).where('id', '=', booking.id).execute()
  await db.updateTable('payment_actions').set({ note: REASON_TEXT }).execute()
  const rows = {
    payments: await db.selectFrom('payments').select(['id', 'provider_reference']).execute(),
    conversations: await db.selectFrom('conversations').select('id').execute(),
    messages: await db.selectFrom('messages').select('body').execute(),
    files: await db.selectFrom('message_files').select(['name', 'key']).execute(),
    replies: await db.selectFrom('saved_replies').select('body').execute(),
    accounts: await db.selectFrom('payout_accounts').select('provider_account').execute(),
    people: await db.selectFrom('bookings').select(['email', 'phone']).execute(),
  }
  secrets = [
    ['card', '4242'],
    ['bank account', '9417'],
    ['feed', FEED_TOKEN],
    ['calendar', CALENDAR_URL],
    ['calendar name', CALENDAR_NAME],
    ['calendar error', CALENDAR_ERROR],
    ['outside event', OUTSIDE_TITLE],
    ['note of a block', BLOCK_NOTE],
    ['note of an exception', EXCEPTION_NOTE],
    ['own phone', OWN_PHONE],
    ['factor', FACTOR],
    ['recovery code', 'recovery-code-hash'],
    ['notification', MEMBER_TEXT],
    ['notification link', 'notification-link-token'],
    ['reason', REASON_TEXT],
    ...rows.payments.map(({ provider_reference: reference }): [string, string] => [
      'payment',
      reference ?? '',
    ]),
    ...rows.messages.map(({ body }): [string, string] => ['message', body.slice(0, 40)]),
    ...rows.files.flatMap(({ name, key }): [string, string][] => [
      ['file', name],
      ['file', key],
    ]),
    ...rows.replies.map(({ body }): [string, string] => ['saved reply', body.slice(0, 40)]),
    ...rows.accounts.map(({ provider_account: id }): [string, string] => ['payout account', id ?? '']),
    ...rows.people
      .filter(({ email }) => email !== CUSTOMER)
      .map(({ phone }): [string, string] => ['phone', phone]),
  ]
  for (const { id } of rows.payments)
    secrets.push(['booking link', await bookingLinkToken(config.secret, id)])
  for (const { id } of rows.conversations) {
    secrets.push(['conversation link', await conversationLinkToken(config.secret, id)])
    for (const side of ['customer', 'vendor'] as const)
      secrets.push([
        'reply address',
        // Each of a side's addresses begins alike.
        (await replyTokenOf(config.secret, { conversationId: id, side, email: '' })).slice(0, 20),
      ])
  }
  secrets = secrets.filter(([, secret]) => secret.length >= 4)
}

/** A vendor's own words about their time. */
async function fillTimes(businessId: string): Promise<void> {
  const { db } = server.services
  const during = `[${DAY}T01:00:00Z,${DAY}T02:00:00Z)`
  await sql`
    insert into slots (id, business_id, kind, during, event, time_zone, is_exclusive, note, created_at)
    values ('a-block', ${businessId}, 'block', ${during}::tstzrange, ${during}::tstzrange, 'Australia/Sydney', false,
      ${BLOCK_NOTE}, now())`.execute(db)
  await sql`
    insert into outside_events (calendar_id, title, during)
    values ('outside', ${OUTSIDE_TITLE}, ${during}::tstzrange)`.execute(db)
  await sql`
    insert into availability_exceptions (id, business_id, from_day, to_day, hours, note)
    values ('an-exception', ${businessId}, ${DAY}::date, ${DAY}::date, '[]', ${EXCEPTION_NOTE})`.execute(db)
}

/** The secrets that a text has, by kind. A notice above every page of the demo names the test card. */
function secretsIn(text: string): string[] {
  const own = text.replaceAll('4242 4242 4242 4242', '')
  return [...new Set(secrets.filter(([, secret]) => own.includes(secret)).map(([kind]) => kind))]
}

async function seeAs(email: string, browser = operator): Promise<Response> {
  return browser.post(START, { id: await idOf(email), reason: 'They called about a booking.' })
}
const stop = (browser = operator) => browser.post(STOP)
const logged = async (action: 'start-view' | 'see-page' | 'end-view', email: string) =>
  server.services.db
    .selectFrom('operator_log')
    .select(['operator_email', 'reason'])
    .where('action', '=', action)
    .where('subject_id', '=', await idOf(email))
    .execute()

const PARAMETERS: Record<string, string> = { ':category': 'venues', ':place': 'melbourne-vic' }
const concrete = (path: string) =>
  path
    .replace(/\/:\w+\?$/, '')
    .replace(/:\w+/g, (name) => PARAMETERS[name] ?? 'harbour-light-pavilion')
    .replace('*', 'none')

/** A page's address with a listing of the vendor's. */
function addressOf(pattern: string): { path: string; query: string } {
  const isOfTime = /calendar|availability/.test(pattern)
  return {
    path: pattern.replace(':id', listing),
    query: isOfTime ? `?business=${listing}&month=${DAY.slice(0, 7)}` : '',
  }
}

describe.each([CUSTOMER, VENDOR])('the view as %s', (email) => {
  it('shows its pages, announced and without a secret, and logs each', async () => {
    expect((await seeAs(email)).status).toBe(303)
    const before = (await logged('see-page', email)).length
    for (const pattern of VIEW_PAGE_PATTERNS) {
      const { path, query } = addressOf(pattern)
      // Another person's listing isn't there for its customer either.
      const status = pattern.endsWith('/edit') && email === CUSTOMER ? 404 : 200
      const page = await operator.get(path + query)
      const html = await page.text()
      expect([pattern, page.status]).toEqual([pattern, status])
      expect([pattern, html.includes('Nothing can be changed.')]).toEqual([pattern, true])
      expect([pattern, secretsIn(html)]).toEqual([pattern, []])
      // Every button and field of the page is disabled.
      expect([pattern, html.includes('<fieldset role="presentation" disabled=""')]).toEqual([pattern, true])
      const data = await operator.get(`${path}.data${query}`)
      expect([pattern, data.status, secretsIn(await data.text())]).toEqual([pattern, status, []])
    }
    expect((await logged('see-page', email)).length - before).toBe(VIEW_PAGE_PATTERNS.size * 2)
    const session = await (await operator.get('/api/session')).text()
    expect(secretsIn(session)).toEqual([])
    expect(JSON.parse(session)).toMatchObject({
      user: { email, isOperator: false, viewOf: expect.any(String) },
      unreadCount: 0,
    })
    await stop()
  })

  it('refuses every other route, and none of them has a secret', async () => {
    await seeAs(email)
    for (const { path } of builtRoutes) {
      const response = await operator.get(concrete(path))
      const isOpen =
        VIEW_PAGE_PATTERNS.has(path) || VIEW_PUBLIC_PATTERNS.has(path) || VIEW_FRAME_PATTERNS.has(path)
      expect([path, secretsIn(await response.text())]).toEqual([path, []])
      if (isOpen) continue
      expect([path, response.status]).toEqual([path, path === '/api/live' ? 204 : 403])
      const page = await operator.send(concrete(path), { headers: { accept: 'text/html' } })
      if (path !== '/api/live') expect([path, page.headers.get('location')]).toEqual([path, '/not-in-view'])
      const data = await operator.get(`${concrete(path)}.data`)
      expect([path, data.status === 200 && secretsIn(await data.text()).length > 0]).toEqual([path, false])
    }
    await stop()
  })

  it('refuses every write of every route but the route that stops it', async () => {
    await seeAs(email)
    const before = await contents()
    for (const { path } of builtRoutes) {
      if (path === '/operations/see-as/:step?') continue
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const response = await operator.send(concrete(path), {
          method,
          fields: { intent: 'delete', id: 'none', displayName: 'Changed' },
        })
        expect([path, method, response.status]).toEqual([path, method, 403])
      }
    }
    expect((await seeAs(email === VENDOR ? CUSTOMER : VENDOR)).status).toBe(403)
    expect(await contents()).toEqual(before)
    expect((await stop()).status).toBe(303)
  })
})

/** Rows that a write would change. */
async function contents() {
  const { db } = server.services
  return {
    users: await db
      .selectFrom('users')
      .select(['id', 'name', 'email', 'deactivated_at'])
      .orderBy('id')
      .execute(),
    bookings: await db.selectFrom('bookings').select(['id', 'status']).orderBy('id').execute(),
    messages: (await db.selectFrom('messages').select('id').execute()).length,
    // The server's own jobs add others meanwhile.
    read: (await db.selectFrom('notifications').select('id').where('read_at', 'is not', null).execute())
      .length,
    views: await db.selectFrom('operator_views').select(['id', 'ended_at']).orderBy('id').execute(),
  }
}

describe('the secrets of this test', () => {
  it('appear on the pages of their own people, so that the test would find them', async () => {
    // Their accounts ask for a code otherwise.
    await server.services.db.deleteFrom('second_factors').execute()
    const customer = await signedIn(CUSTOMER)
    const own = secretsIn(await (await customer.get('/my-bookings')).text())
    expect(own).toEqual(expect.arrayContaining(['booking link']))
    expect(secretsIn(await (await customer.get('/userdashboard/user')).text())).toContain('notification')
    const vendor = await signedIn(VENDOR)
    const ownOf = async (path: string) => secretsIn(await (await vendor.get(path)).text())
    expect(await ownOf('/dashboard/bookings')).toContain('phone')
    expect(await ownOf('/my-profile')).toContain('own phone')
    const { path, query } = addressOf('/dashboard/calendar')
    expect(await ownOf(path + query)).toEqual(
      expect.arrayContaining(['note of a block', 'outside event', 'calendar name']),
    )
    expect(await ownOf(`/dashboard/availability${query}`)).toEqual(
      expect.arrayContaining(['note of an exception', 'calendar', 'calendar name']),
    )
    expect(await (await vendor.get('/my-profile')).text()).not.toContain('disabled=""')
    const form = `/dashboard/list-business/${listing}/edit`
    expect(await (await vendor.get(`${form}.data`)).text()).toContain('defaultBasisPoints')
    await seeAs(VENDOR)
    expect(await (await operator.get(`${form}.data`)).text()).not.toContain('BasisPoints')
    await stop()
  })
})

describe('a view', () => {
  it('works for the operator’s own session and browser alone', async () => {
    await seeAs(CUSTOMER)
    const cookie = operator.cookies.get('see_as') ?? ''
    expect(cookie.length).toBeGreaterThan(25)
    const elsewhere = await signedIn(OPERATOR)
    const vendor = await signedIn(VENDOR)
    const nobody = new Client(server)
    for (const browser of [elsewhere, vendor, nobody]) {
      browser.cookies.set('see_as', cookie)
      const page = await browser.send('/my-bookings', { headers: { accept: 'text/html' } })
      expect([page.status, page.headers.get('location')]).toEqual([303, '/operations/accounts?view=ended'])
      expect(browser.cookies.has('see_as')).toBe(false)
    }
    await stop()
  })

  it('starts for no operator’s account, not for one’s own, and not without a reason', async () => {
    await server.services.db
      .updateTable('users')
      .set({ operator_role: 'support' })
      .where('email', '=', VENDOR)
      .execute()
    expect((await seeAs(VENDOR)).headers.get('location')).toContain('view=is_operator')
    expect((await seeAs(OPERATOR)).headers.get('location')).toContain('view=own_account')
    const id = await idOf(CUSTOMER)
    expect((await operator.post(START, { id, reason: ' ' })).headers.get('location')).toContain(
      'reason_missing',
    )
    expect((await operator.post(START, { id: 'none', reason: 'x' })).headers.get('location')).toContain(
      'not_found',
    )
    expect(operator.cookies.has('see_as')).toBe(false)
    await server.services.db
      .updateTable('users')
      .set({ operator_role: null })
      .where('email', '=', VENDOR)
      .execute()
  })

  it('starts for support and admins, not for finance, nobody or someone else', async () => {
    const { db } = server.services
    const id = await idOf(CUSTOMER)
    const person = new Client(server)
    await person.signUp('kim@example.com', { displayName: 'Kim' })
    await db
      .updateTable('users')
      .set({ email_verified: true })
      .where('email', '=', 'kim@example.com')
      .execute()
    const start = async (browser: Client) =>
      (await browser.post(START, { id, reason: 'They called.' })).status
    expect([await start(person), await start(new Client(server))]).toEqual([404, 404])
    for (const [role, status] of [
      ['finance', 403],
      ['support', 303],
    ] as const) {
      await db
        .updateTable('users')
        .set({ operator_role: role })
        .where('email', '=', 'kim@example.com')
        .execute()
      expect([role, await start(person)]).toEqual([role, status])
    }
    // The role goes while the view lasts.
    expect((await person.get('/my-bookings')).status).toBe(200)
    await db
      .updateTable('users')
      .set({ operator_role: 'finance' })
      .where('email', '=', 'kim@example.com')
      .execute()
    const page = await person.send('/my-bookings', { headers: { accept: 'text/html' } })
    expect(page.status).toBe(303)
  })

  it('ends when its account becomes an operator’s', async () => {
    await seeAs(CUSTOMER)
    const setRole = (role: 'support' | null) =>
      server.services.db
        .updateTable('users')
        .set({ operator_role: role })
        .where('email', '=', CUSTOMER)
        .execute()
    await setRole('support')
    expect((await operator.send('/my-bookings', { headers: { accept: 'text/html' } })).status).toBe(303)
    await setRole(null)
  })

  it('ends after 30 minutes, and a write from its last page isn’t the operator’s own', async () => {
    await seeAs(CUSTOMER)
    const ago = new Date(Date.now() - VIEW_LIFE_MS)
    const expire = () =>
      server.services.db.updateTable('operator_views').set({ expires_at: new Date() }).execute()
    const { started_at: startedAt, expires_at: expiresAt } = await server.services.db
      .selectFrom('operator_views')
      .select(['started_at', 'expires_at'])
      .where('ended_at', 'is', null)
      .orderBy('started_at', 'desc')
      .executeTakeFirstOrThrow()
    expect(expiresAt.getTime() - startedAt.getTime()).toBe(VIEW_LIFE_MS)
    expect(startedAt.getTime()).toBeGreaterThan(ago.getTime())
    await expire()
    const write = await operator.post('/my-profile', { intent: 'profile', displayName: 'Somebody Else' })
    expect(write.status).toBe(403)
    expect((await operator.user())?.email).toBe(OPERATOR)
    await seeAs(CUSTOMER)
    await expire()
    const page = await operator.send('/my-bookings', { headers: { accept: 'text/html' } })
    expect(page.headers.get('location')).toBe('/operations/accounts?view=ended')
  })

  it('shows the calendar in both views, without the hint how to block days, which its own vendor reads', async () => {
    const { path, query } = addressOf('/dashboard/calendar')
    const hint = 'Drag over days to block them'
    expect(await (await (await signedIn(VENDOR)).get(path + query)).text()).toContain(hint)
    await seeAs(VENDOR)
    const html = await (await operator.get(path + query)).text()
    expect(html).toContain('class="month"')
    expect(html).not.toContain(hint)
    // The other view is a link, since fields are disabled.
    expect(html).toMatch(/<nav aria-label="View"[\s\S]*?view=agenda"[^>]*>Agenda<\/a>/)
    const agenda = await (await operator.get(`${path}${query}&view=agenda`)).text()
    expect(agenda).not.toContain('class="month"')
    expect(agenda).toContain('Not shown')
    await stop()
  })

  it('logs its start and its end, and the person’s export has it without the operator', async () => {
    const before = (await logged('end-view', CUSTOMER)).length
    await seeAs(CUSTOMER)
    await stop()
    expect((await operator.user())?.email).toBe(OPERATOR)
    expect((await logged('start-view', CUSTOMER)).at(-1)).toEqual({
      operator_email: OPERATOR,
      reason: 'They called about a booking.',
    })
    expect((await logged('end-view', CUSTOMER)).length).toBe(before + 1)
    const customer = await signedIn(CUSTOMER)
    const text = await (await customer.get('/settings-privacy/my-data.json')).text()
    expect(JSON.parse(text).operatorViews.at(-1)).toMatchObject({ reason: 'They called about a booking.' })
    expect(text).not.toContain(OPERATOR)
  })

  it('leaves public pages as they are for everybody', async () => {
    await seeAs(CUSTOMER)
    const html = await (await operator.get('/venues')).text()
    expect(html).toBe(await (await new Client(server).get('/venues')).text())
    await stop()
  })
})
