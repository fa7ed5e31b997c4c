import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookingLinkToken } from '../../app/features/bookings/rules.ts'
import { aBookingForm, aBusiness } from '../builders.ts'
import { requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
})
afterAll(() => server.close())

/** Sends a request as one of our pages would, with or without cookies. */
const { send, postJson } = requestsTo(() => server)

describe('POST /api/view', () => {
  const viewsOf = async (businessId: string) => {
    const found = await sql<{ views: number }>`select views from business_views
      where business_id = ${businessId}`.execute(server.services.db)
    return found.rows.map(({ views }) => views)
  }

  it('counts visitors, signed in or not, but never the owner, and sets no cookie', async () => {
    const owner = await signUp(server, 'owner-of-views@example.com')
    const visitor = await signUp(server, 'visitor-of-views@example.com')
    const business = await aBusiness(server.services.db, { user_id: owner.userId })
    for (const cookie of [undefined, undefined, visitor.cookie, owner.cookie]) {
      const answer = await send('/api/view', { body: business.id, ...(cookie ? { cookie } : {}) })
      expect(answer.status).toBe(204)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect(await viewsOf(business.id)).toEqual([3])
  })

  it('ignores invalid bodies and counts nothing for them', async () => {
    const before = await sql<{ count: string }>`select count(*) from business_views`.execute(
      server.services.db,
    )
    for (const body of ['', 'no-such-business', 'a\0b', "'; drop table businesses; --", 'x'.repeat(60_000)]) {
      expect((await send('/api/view', { body })).status).toBe(204)
    }
    expect((await send('/api/view', { body: 'x'.repeat(100_000) })).status).toBe(413)
    expect((await send('/api/view')).status).toBe(405)
    const after = await sql<{ count: string }>`select count(*) from business_views`.execute(
      server.services.db,
    )
    expect(after.rows).toEqual(before.rows)
  })

  it('counts no views from other sites, and at most sixty a minute per address', async () => {
    const business = await aBusiness(server.services.db)
    expect(
      (await send('/api/view', { body: business.id, headers: { origin: 'https://elsewhere.example' } }))
        .status,
    ).toBe(403)
    const minute = () => Math.floor(server.services.realNow().getTime() / 60_000)
    const began = minute()
    const view = { body: business.id, address: '203.0.113.7' }
    await Promise.all(Array.from({ length: 70 }, () => send('/api/view', view)))
    const [views = 0] = await viewsOf(business.id)
    // The requests may span two minutes.
    expect(views).toBeGreaterThanOrEqual(60)
    expect(views).toBeLessThanOrEqual(70)
    if (minute() === began) expect(views).toBe(60)
  })
})

describe('/addservice', () => {
  const form = '/dashboard/list-business/new'

  it('redirects to the listing form, after signing in if needed', async () => {
    const guest = await send('/addservice')
    expect([guest.status, guest.headers.get('location')]).toEqual([
      302,
      `/login?next=${encodeURIComponent(form)}`,
    ])
    const page = await (await send('/list-your-business')).text()
    for (const way of ['/signup', '/login'])
      expect(page).toContain(`href="${way}?next=${encodeURIComponent(form)}"`)
    const { cookie } = await signUp(server, 'adds-a-service@example.com')
    const vendor = await send('/addservice', { cookie })
    expect([vendor.status, vendor.headers.get('location')]).toEqual([302, form])
    expect((await send(form, { cookie })).status).toBe(200)
  })
})

describe('/api/live', () => {
  it('serves a vendor without a business and reports their first booking', async () => {
    expect((await send('/api/live?subject=bookings')).status).toBe(204)
    const { cookie, userId } = await signUp(server, 'listens-early@example.com')
    const answer = await send('/api/live?subject=bookings', { cookie })
    expect(answer.status).toBe(200)
    const stream = answer.body?.getReader()
    const read = async () => new TextDecoder().decode((await stream?.read())?.value)
    expect(await read()).toContain('retry')
    const business = await aBusiness(server.services.db, { user_id: userId })
    await book(business.id)
    expect(await read()).toContain('data: bookings')
    await stream?.cancel()
  })

  it('reports to everybody that the free times of a listed business have changed, and nothing more', async () => {
    const business = await aBusiness(server.services.db)
    const subject = `availability-${business.id}`
    const stream = (await send(`/api/live?subject=${subject}`)).body?.getReader()
    const read = async () => new TextDecoder().decode((await stream?.read())?.value)
    expect(await read()).toContain('retry')
    await book(business.id)
    expect(await read()).toMatch(new RegExp(`^(data: ${subject}\\n\\n)+$`))
    await stream?.cancel()
    const hidden = await aBusiness(server.services.db, { hidden_at: new Date() })
    for (const id of [hidden.id, 'no-such-business', '..%2f', '']) {
      expect((await send(`/api/live?subject=availability-${id}`)).status, id).toBe(204)
    }
  })
})

describe('a visitor without an account', () => {
  it('keeps at most 20 live streams open: the next one closes the oldest', async () => {
    const { db, config, liveUpdates } = server.services
    const business = await aBusiness(db)
    const bookingId = await book(business.id)
    const { payment_row_id } = await db
      .selectFrom('bookings')
      .select('payment_row_id')
      .where('id', '=', bookingId)
      .executeTakeFirstOrThrow()
    const path = `/api/live?subject=booking-${await bookingLinkToken(config.secret, payment_row_id)}`
    const before = liveUpdates.subscribers()
    const streams = []
    for (let count = 0; count < 25; count++) {
      const stream = (await send(path)).body?.getReader()
      await stream?.read()
      streams.push(stream)
    }
    expect(liveUpdates.subscribers() - before).toBe(20)
    // News of the booking may still come before.
    let words = ''
    for (let part = await streams[0]?.read(); part?.value; part = await streams[0]?.read())
      words += new TextDecoder().decode(part.value)
    expect(words).toMatch(/event: over\ndata: crowded\s*$/)
    for (const stream of streams) await stream?.cancel()
    expect(liveUpdates.subscribers()).toBe(before)
  })
})

describe('lists whose query fails', () => {
  it.each([
    ['/dashboard/bookings?business=one', 'bookings', 'Your Bookings', 'Error loading bookings'],
    ['/my-bookings', 'bookings', 'My Bookings', 'Error loading bookings'],
    ['/notifications', 'notifications', 'Notifications', 'Error loading notifications'],
  ] as const)(
    '%s answers 503 in its own frame, to signed-in people only',
    async (path, table, title, text) => {
      const { db } = server.services
      const { cookie } = await signUp(server, `reads-${title.replace(' ', '-').toLowerCase()}@example.com`)
      await sql`alter table ${sql.table(table)} rename to table_away`.execute(db)
      try {
        const answer = await send(path, { cookie })
        expect(answer.status).toBe(503)
        const html = await answer.text()
        expect(html).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
        expect(html).toContain(text)
        expect(html).toMatch(/<nav aria-label="(Dashboard|Account)"/)
        const [screen = '', query] = path.split('?')
        const form = /<form ([^>]*)>((?:<input[^>]*>)*)<button[^>]*>[^<]*Try again/.exec(html)
        expect(form?.[1]).toContain('method="get"')
        expect(form?.[1]).toContain(`action="${screen}"`)
        if (query) expect(form?.[2]).toMatch(/name="business" value="one"/)
        const asData = await send(`${screen}.data${query ? `?${query}` : ''}`, { cookie })
        expect(asData.status).toBe(503)
        const nobody = await send(path)
        expect([nobody.status, nobody.headers.get('location')]).toEqual([
          302,
          `/login?next=${encodeURIComponent(path)}`,
        ])
      } finally {
        await sql`alter table table_away rename to ${sql.table(table)}`.execute(db)
      }
      const answer = await send(path, { cookie })
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toContain(text)
    },
  )
})

describe('a second decision on a booking', () => {
  it('fails with a status and the reason', async () => {
    const { cookie, userId } = await signUp(server, 'decides@example.com')
    const business = await aBusiness(server.services.db, { user_id: userId })
    const bookingId = await book(business.id)
    const decide = async (decision: string, seen: string, as = cookie) => {
      const answer = await send('/dashboard/bookings.data', {
        body: new URLSearchParams({ bookingId, decision, seen }),
        cookie: as,
      })
      return { status: answer.status, text: await answer.text() }
    }
    const stranger = await signUp(server, 'decides-for-others@example.com')
    expect((await decide('approved', 'pending', stranger.cookie)).status).toBe(404)
    expect((await decide('approved', 'pending')).status).toBe(200)
    const second = await decide('declined', 'pending')
    expect(second.status).toBe(409)
    expect(second.text).toContain('changed')
    // A form without the status that the vendor saw is malformed.
    expect((await decide('declined', '')).status).toBe(400)
    const row = await server.services.db
      .selectFrom('bookings')
      .select(['status', 'payment_status'])
      .where('id', '=', bookingId)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ status: 'approved', payment_status: 'paid' })
  })
})

/** Books and pays with the same calls as a browser. Returns the booking's id. */
async function book(businessId: string): Promise<string> {
  const made = await postJson('/create-payment-intent', {
    amount: 45_500,
    submitKey: crypto.randomUUID(),
    businessId,
    booking: aBookingForm({ date: '2037-03-14' }),
  })
  const { clientSecret } = (await made.json()) as { clientSecret: string }
  const card = { clientSecret, cardNumber: '4242 4242 4242 4242', expiry: '12 / 39', cvc: '123' }
  expect((await postJson('/api/sandbox/confirm', card)).status).toBe(200)
  expect((await postJson('/api/payment-report', { clientSecret })).status).toBe(200)
  const booking = await server.services.db
    .selectFrom('bookings')
    .select('id')
    .where('vendor_id', '=', businessId)
    .executeTakeFirstOrThrow()
  return booking.id
}
