import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBusiness } from '../builders.ts'
import { Client, requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
})
afterAll(() => server.close())

const { get, postJson, send } = requestsTo(() => server)

describe('unknown addresses', () => {
  it.each([
    '/business/no-such-business',
    '/business/..%2f..%2fetc%2fpasswd',
    '/business/%F0%9F%8E%89',
    `/business/${'x'.repeat(3000)}`,
    "/business/'; drop table businesses; --",
  ])('answer 404 with an explanation: %s', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Business not found.')
  })

  it('answer 410 for a deleted business', async () => {
    const business = await aBusiness(server.services.db, { deleted_at: new Date() })
    const response = await get(`/business/${business.id}`)
    expect(response.status).toBe(410)
    expect(await response.text()).toContain('Business not found.')
  })

  it.each(['/nothing', '/dashboards', '/business', '/venues/extra', '/assets/none.js'])(
    'answer 404 for an unknown path: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404)
    },
  )

  it.each(['/%E0%A4%A', '/business/%', '/venues?q=%00', '/a%00b'])(
    'answer 400 for a malformed address: %s',
    async (path) => {
      expect((await get(path)).status).toBe(400)
    },
  )
})

describe('dates at the ends of the calendar', () => {
  it.each(['1000-01-01', '1001-01-01', '9999-12-31', '0999-12-31'])(
    'cause no server error: %s',
    async (date) => {
      const business = await aBusiness(server.services.db)
      const length = 'type=perHour&quantity=4'
      const api = `/api/availability/${business.id}`
      for (const path of [
        `${api}?date=${date}&time=00:00&${length}`,
        `${api}?date=${date}&time=23:59&${length}`,
        `${api}?day=${date}&${length}`,
        `${api}?nearest=${date}&${length}`,
        `${api}?month=${date.slice(0, 7)}&${length}`,
        `${api}?fitting=${date.slice(0, 7)}&weekday=Saturday&${length}`,
        `/venues?date=${date}&from=00:00&until=23:59`,
        `/venues?months=${date.slice(0, 7)}`,
        `/business/${business.id}?date=${date}&time=00:00&hours=4`,
        `/book/${business.id}?date=${date}&time=00:00`,
      ])
        expect((await get(path)).status, path).toBeLessThan(500)
    },
  )
})

describe('forged session cookies', () => {
  it.each([
    'jubilee.session_token=',
    'jubilee.session_token=%00%00',
    'jubilee.session_token=a.b.c; jubilee_signed_in=1',
    `jubilee.session_token=${'A'.repeat(5000)}`,
    '=;=;;;=',
  ])('sign nobody in: %s', async (cookie) => {
    const session = await get('/api/session', { cookie })
    expect(session.status).toBe(200)
    expect(await session.json()).toMatchObject({ user: null })
    expect((await get('/', { cookie })).status).toBe(200)
    const guarded = await get('/my-bookings', { cookie })
    expect([200, 302]).toContain(guarded.status)
    expect(await guarded.text()).not.toContain('Upcoming')
  })
})

describe('malformed requests', () => {
  const bodies: [string, BodyInit, Record<string, string>][] = [
    ['JSON that ends early', '{"amount":', { 'content-type': 'application/json' }],
    ['nested JSON', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, { 'content-type': 'application/json' }],
    [
      'multipart without an end',
      '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\na',
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
    ['multipart without a boundary', 'email=a', { 'content-type': 'multipart/form-data' }],
    ['bytes', new Uint8Array([0, 255, 254, 0]), { 'content-type': 'application/x-www-form-urlencoded' }],
    ['nothing', '', {}],
    [
      'a NUL',
      'email=a%00b%40example.com&password=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
  ]
  const paths = [
    '/login',
    '/signup',
    '/forgot-password',
    '/reset-password',
    '/newsletter',
    '/alerts',
    '/create-payment-intent',
    '/api/payment-report',
    '/api/sandbox/confirm',
  ]

  it.each(paths.flatMap((path) => bodies.map(([name, body, headers]) => ({ path, name, body, headers }))))(
    'to $path with $name get a 4xx',
    async ({ path, body, headers }) => {
      const response = await send(path, { body, headers })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
    },
  )

  it('get 400 as unsigned webhooks', async () => {
    const response = await send('/webhooks/payments', {
      body: '{"id":"evt_1"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(response.status).toBe(400)
  })

  it('get 403 as writes from another site', async () => {
    const response = await send('/login', {
      fields: { email: 'a@example.com', password: 'secret' },
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(response.status).toBe(403)
  })
})

describe('a NUL in a form', () => {
  it.each<[path: string, fields: Record<string, string>]>([
    ['/settings-privacy', { intent: 'passkey-rename', passkey: 'a\0b', passkeyName: 'Phone' }],
    ['/settings-privacy', { intent: 'passkey-remove', passkey: 'a\0b' }],
    ['/notifications', { intent: 'read', id: 'a\0b' }],
    ['/operations/people', { intent: 'remove-operator', id: 'a\0b', seen: 'admin' }],
    ['/operations/accounts', { intent: 'disable-account', id: 'a\0b', reason: 'Because.' }],
  ])('gets 400 at %s, also from an admin', async (path, fields) => {
    const admin = new Client(server)
    const email = `${crypto.randomUUID()}@example.com`
    await admin.signUp(email)
    await server.services.db
      .updateTable('users')
      .set({ email_verified: true, operator_role: 'admin' })
      .where('email', '=', email)
      .execute()
    const refused = await admin.post(path, fields)
    const isExplained = (await refused.text()).includes('This form arrived incomplete.')
    expect([refused.status, isExplained]).toEqual([400, true])
  })
})

describe('an impossible booking', () => {
  const tomorrow = () => new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10)
  const draft = () => ({
    fullName: 'Grace Holloway',
    email: 'grace@example.com',
    phone: '0491 570 110',
    date: tomorrow(),
    time: '16:00',
    quantity: 10,
    bookingType: 'perPerson',
  })

  it.each([
    ['yesterday', { date: '2020-01-01' }, 'date'],
    ['the 31st of February', { date: '2027-02-31' }, 'date'],
    ['a quantity of 0', { quantity: 0 }, 'quantity'],
    ['a quantity of 1.5', { quantity: 1.5 }, 'quantity'],
    ['a quantity of -1', { quantity: -1 }, 'quantity'],
    ['a quantity of 10^9', { quantity: 1e9 }, 'quantity'],
    ['a total over the limit', { quantity: 10_000 }, 'quantity'],
    ['no name', { fullName: '   ' }, 'fullName'],
    ['an email without a host', { email: 'grace@' }, 'email'],
    ['25 o’clock', { time: '25:00' }, 'time'],
    ['a type that the listing does not take', { bookingType: 'perHour' }, 'bookingType'],
  ])('fails with an error on its field: %s', async (_name, change, field) => {
    const business = await aBusiness(server.services.db, {
      price_cents: 45_050,
      price_unit: 'perPerson',
      booking_types: ['perPerson'],
    })
    const booking = { ...draft(), ...change }
    const response = await postJson('/create-payment-intent', {
      amount: Math.round(45_050 * booking.quantity),
      submitKey: crypto.randomUUID(),
      businessId: business.id,
      booking,
    })
    expect(response.status).toBe(422)
    const { error } = (await response.json()) as { error: { fields: Record<string, string> } }
    expect(Object.keys(error.fields)).toContain(field)
    const payments = await server.services.db
      .selectFrom('sales')
      .select('id')
      .where('owner_user_id', '=', business.user_id)
      .execute()
    expect(payments).toEqual([])
  })
})
