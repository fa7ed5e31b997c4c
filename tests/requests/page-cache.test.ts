import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DatabaseConnection } from '../../app/adapters/database/port.ts'
import { openPostgres } from '../../app/adapters/database/postgres.server.ts'
import { decideBooking } from '../../app/features/bookings/decisions/commands.server.ts'
import { countOpenBookings } from '../../app/features/bookings/open-queries.server.ts'
import {
  changeListing,
  publishListing,
  removeListing,
  showListing,
} from '../../app/features/businesses/commands.server.ts'
import { disableAccount, enableAccount } from '../../app/features/operators/account-commands.server.ts'
import { hideListing, showHiddenListing } from '../../app/features/operators/listing-commands.server.ts'
import { moderateReview } from '../../app/features/operators/review-commands.server.ts'
import {
  deactivateAccount,
  deleteAccount,
  reactivateAccount,
} from '../../app/features/privacy/commands.server.ts'
import { changeRegistration, registerBusiness } from '../../app/features/registrations/commands.server.ts'
import type { Registration } from '../../app/features/registrations/schema.ts'
import { bookingDeps, registerDeps } from '../../app/services/deps.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBusiness, agrees, aListing, aUser } from '../builders.ts'
import { logIn, requestsTo } from '../client.ts'
import { createServerDatabase, openEmbeddedDatabase } from '../database.ts'
import { aDepositBusiness, approves, booksWithDeposit } from '../instalment-stage.ts'
import { findPostgres } from '../postgres.ts'
import { startServer, type TestServer } from '../server.ts'
import { startServerProcess } from '../server-process.ts'

const HIT = 'pages; hit'
const MISS = 'pages; fwd=miss'
const COLLAPSED = 'pages; fwd=miss; collapsed'
const NEWEST = '/venues-vendors?sort=newest'
const EVERYWHERE = [
  '/',
  '/venues-vendors',
  NEWEST,
  '/venues',
  '/vendors',
  '/events',
  '/advice-support',
  '/list-your-business',
]

describe('cached pages', () => {
  let server: TestServer
  let clock: Date
  let customerCookies = ''

  beforeAll(async () => {
    clock = new Date('2026-11-20T01:00:00Z')
    server = await startServer({ openDatabase: openEmbeddedDatabase, demo: true, now: () => clock })
    customerCookies = await logIn(server, 'customer@jubilee.example')
    expect(customerCookies).toContain('session')
  })
  afterAll(() => server.close())

  const { get } = requestsTo(() => server)
  const status = (answer: Response) => answer.headers.get('cache-status')
  const forget = () => sql`select pg_notify('jubilee_changes', 'pages:all')`.execute(server.services.db)

  it('come from one render, identical in every encoding', async () => {
    const first = await get('/catering', { headers: { 'accept-encoding': 'br' } })
    expect(status(first)).toBe(MISS)
    const plain = await get('/catering')
    const zipped = await get('/catering', { headers: { 'accept-encoding': 'gzip' } })
    const small = await get('/catering', { headers: { 'accept-encoding': 'gzip, deflate, br' } })
    expect([plain, zipped, small].map(status)).toEqual([HIT, HIT, HIT])
    const text = await plain.text()
    expect(text).toContain('</html>')
    expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(text)
    for (const answer of [small, first]) {
      expect(answer.headers.get('content-encoding')).toBe('br')
      expect(answer.headers.get('vary')).toBe('accept-encoding')
      expect(brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString()).toBe(text)
    }
    // The same page, rendered for one request: a page with an unknown parameter is never cached.
    const alone = await get('/catering?alone=1')
    expect(status(alone)).toBeNull()
    expect(await alone.text()).toBe(text)
  })

  it('have a policy for exactly their scripts, and every header of a rendered page', async () => {
    const rendered = await get('/photographers?alone=1')
    await get('/photographers')
    const kept = await get('/photographers')
    expect(status(kept)).toBe(HIT)
    const policy = kept.headers.get('content-security-policy') ?? ''
    expect(policy).toBe(rendered.headers.get('content-security-policy'))
    // Structured data is never executed, so the policy does not list it.
    const scripts = [
      ...(await kept.text()).matchAll(
        /<script(?![^>]*\s(?:src=|type="application\/))[^>]*>([\s\S]*?)<\/script>/g,
      ),
    ]
    expect(scripts.length).toBeGreaterThan(2)
    for (const [, script = ''] of scripts)
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    for (const name of rendered.headers.keys()) expect([...kept.headers.keys(), 'vary']).toContain(name)
    expect(kept.headers.get('x-request-id')).toMatch(/./)
    expect(kept.headers.get('x-request-id')).not.toBe(rendered.headers.get('x-request-id'))
  })

  it('contain nothing of the visitor whose request rendered them', async () => {
    await forget()
    for (const path of [
      ...EVERYWHERE,
      '/business/harbour-light-pavilion',
      '/vendorsprofile?id=demo-hamish-boyd',
    ]) {
      const first = await get(path, {
        cookie: customerCookies,
        headers: {
          authorization: 'Bearer something',
          'accept-language': 'de',
          'user-agent': 'Somebody in particular',
        },
      })
      expect(status(first)).toBe(MISS)
      expect(first.headers.getSetCookie()).toEqual([])
      const nobody = await get(path)
      expect(status(nobody)).toBe(HIT)
      expect(await nobody.text()).toBe(await first.text())
    }
  })

  it('come from one render for 1,000 concurrent requests', async () => {
    await forget()
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => get('/venues', { headers: { 'accept-encoding': 'br' } })),
    )
    const counts = Map.groupBy(answers, status)
    expect(counts.get(MISS)).toHaveLength(1)
    expect(counts.get(COLLAPSED)).toHaveLength(999)
    expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1)
    expect(status(await get('/venues'))).toBe(HIT)
  })

  it('answer 304 to a browser that has them', async () => {
    const tag = (await get('/events')).headers.get('etag') ?? ''
    const again = await get('/events', { headers: { 'if-none-match': tag } })
    expect(again.status).toBe(304)
    expect(again.headers.get('cache-control')).toBe('no-cache')
    await forget()
    // Rendered again, the page has the same ETag.
    expect((await get('/events', { headers: { 'if-none-match': tag } })).status).toBe(304)
    expect((await get('/events', { headers: { 'if-none-match': 'W/"older"' } })).status).toBe(200)
  })

  it('answer HEAD, and ignore a range', async () => {
    await forget()
    for (const expected of [MISS, HIT]) {
      const head = await get('/venues-vendors', { method: 'HEAD' })
      expect(status(head)).toBe(expected)
      expect(await head.text()).toBe('')
      expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10_000)
    }
    const part = await get('/venues-vendors', { headers: { range: 'bytes=0-99' } })
    expect(part.status).toBe(200)
    expect((await part.text()).length).toBeGreaterThan(10_000)
  })

  it('serve client-side navigation, too', async () => {
    const path = '/venues.data?_routes=venues'
    await forget()
    const first = await get(path, { cookie: customerCookies })
    expect(status(first)).toBe(MISS)
    const second = await get(path)
    expect(status(second)).toBe(HIT)
    expect(second.headers.get('content-type')).toContain('text/x-script')
    expect(await second.text()).toBe(await first.text())
    expect(status(await get('/_.data'))).toBe(MISS)
    expect(status(await get('/_.data'))).toBe(HIT)
  })

  it.each([
    ['/nothing', 404],
    ['/business/nobody-here', 404],
    ['/vendorsprofile?id=nobody', 404],
    ['/vendorsprofile', 302],
    ['/venues?q=garden', 200],
    ['/venues?colour=red', 200],
    ['/login', 200],
    ['/cart', 200],
    ['/my-profile', 302],
    ['/dashboard', 302],
    ['/book/harbour-light-pavilion', 200],
    ['/api/session', 200],
  ])('do not include %s', async (path, code) => {
    for (let time = 0; time < 2; time++) {
      const answer = await get(path)
      expect(answer.status).toBe(code)
      expect(status(answer)).not.toBe(HIT)
      expect(answer.headers.get('etag')).toBeNull()
      await answer.arrayBuffer()
    }
  })

  it('never answer a write', async () => {
    await get('/newsletter')
    await get('/')
    for (const path of ['/', '/venues', '/newsletter']) {
      const answer = await get(path, { method: 'POST' })
      expect(status(answer)).toBeNull()
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
    }
  })

  it('expire after ten minutes', async () => {
    await get('/')
    expect(status(await get('/'))).toBe(HIT)
    clock = new Date(clock.getTime() + 600_000)
    expect(status(await get('/'))).toBe(MISS)
  })

  describe('show every change at once', () => {
    const operator = { userId: 'operator', email: 'operator@example.com' }
    let businessId = ''
    let ownerId = ''
    let reviewerId = ''
    let reviewId = ''
    const kept = () => [...EVERYWHERE, `/business/${businessId}`, `/vendorsprofile?id=${ownerId}`]
    const own = () => ({ userId: ownerId, businessId })
    const deps = () => ({
      ...bookingDeps(server.services),
      files: server.services.files,
      payouts: null,
      leavesAnAdmin: async () => true,
      countOpenBookings,
      maxListings: 50,
    })
    const listing = aListing({
      name: 'The Tilting Barn',
      description: 'A barn that leans a little, and has done for ninety years.',
      priceCents: 5_000,
      secondPrice: null,
      location: 'Geelong, VIC',
      servicesOffered: ['Tables'],
    })
    const registration: Registration = {
      businessName: 'Tilt Pty Ltd',
      abn: '51824753556',
      acn: '',
      businessStructure: 'Company',
      industryType: 'Venues',
      gstRegistered: true,
      principalAddress: '1 Barn Road',
      postalAddress: '1 Barn Road',
      businessPhone: '03 5550 0100',
      businessEmail: 'tilt@example.com',
      website: '',
      ownerName: 'Kim Tilt',
      ownerDob: '1980-01-01',
      ownerPhone: '0400 000 000',
      ownerEmail: 'kim@example.com',
      logoUrl: '',
      businessDescription: 'We lean.',
    }

    beforeAll(async () => {
      const { db } = server.services
      ownerId = (await aUser(db)).id
      await agrees(db, ownerId)
      reviewerId = (await aUser(db)).id
      const published = await publishListing(deps(), ownerId, listing)
      if (!published.ok) throw new Error(published.reason)
      businessId = published.id
      reviewId = newId()
      await db
        .insertInto('reviews')
        .values({
          id: reviewId,
          business_id: businessId,
          booking_id: null,
          user_id: reviewerId,
          author_name: 'Jo Quill',
          rating: 5,
          body: 'It leaned all night and nobody fell.',
          rejected_reason: null,
          moderated_at: null,
          created_at: clock,
        })
        .execute()
    })

    /** Caches every page, makes a change, and expects each page to equal a fresh render. Returns their texts. */
    async function textsAfter(change: () => Promise<unknown>): Promise<Map<string, string>> {
      for (const path of kept()) await (await get(path)).text()
      const outcome = await change()
      if (typeof outcome === 'object' && outcome && 'ok' in outcome)
        expect(outcome).toMatchObject({ ok: true })
      const texts = new Map<string, string>()
      for (const path of kept()) {
        const text = await (await get(path)).text()
        const alone = await get(`${path}${path.includes('?') ? '&' : '?'}alone=1`)
        expect(text, path).toBe(await alone.text())
        texts.set(path, text)
      }
      return texts
    }
    const ofBusiness = (texts: Map<string, string>) => texts.get(`/business/${businessId}`)
    const ofVendor = (texts: Map<string, string>) => texts.get(`/vendorsprofile?id=${ownerId}`)

    it('a new listing', async () => {
      const texts = await textsAfter(() =>
        publishListing(deps(), ownerId, { ...listing, name: 'The Second Barn' }),
      )
      for (const path of ['/', '/venues', NEWEST]) expect(texts.get(path), path).toContain('The Second Barn')
      expect(ofBusiness(texts)).toContain('The Second Barn')
    })

    it('a changed listing', async () => {
      const texts = await textsAfter(() =>
        changeListing(deps(), own(), { ...listing, name: 'The Upright Barn', priceCents: 6_125 }),
      )
      expect(ofBusiness(texts)).toContain('The Upright Barn')
      expect(texts.get('/venues')).toContain('$61.25')
      expect(texts.get('/venues')).not.toContain('The Tilting Barn')
    })

    it('the second booking within a year that its vendor has cancelled, until the year is over', async () => {
      const { services } = server
      const world = { ...services, payments: services.sandbox, deps: deps() } as unknown as Parameters<
        typeof booksWithDeposit
      >[0]
      const barn = await aDepositBusiness(world, { user_id: ownerId })
      const date = '2027-10-16'
      const books = async () => {
        const booked = await booksWithDeposit(world, { businessId: barn.id, date })
        await approves(world, booked)
        return booked.bookingId
      }
      const decides = (bookingId: string, decision: 'approved' | 'declined') => () =>
        decideBooking(deps(), {
          userId: ownerId,
          bookingId,
          decision,
          reason: 'The roof leaks.',
          isAtOnce: true,
        })
      const [first, second] = [await books(), await books()]
      const NOTICE = 'This vendor has cancelled 2 approved bookings in the last 12 months.'
      expect(ofBusiness(await textsAfter(decides(first, 'declined')))).not.toContain('has cancelled')
      expect(ofBusiness(await textsAfter(decides(second, 'declined')))).toContain(NOTICE)
      // Until the refund is claimed, they can still approve after all.
      expect(ofBusiness(await textsAfter(decides(second, 'approved')))).not.toContain('has cancelled')
      expect(ofBusiness(await textsAfter(decides(second, 'declined')))).toContain(NOTICE)
      const before = clock
      const yearLater = async () => {
        clock = new Date(before.getTime() + 365 * DAY_MS)
      }
      expect(ofBusiness(await textsAfter(yearLater))).not.toContain('has cancelled')
      clock = before
      // Those of next year.
      await forget()
    })

    it('an approved and a rejected review', async () => {
      const approved = await textsAfter(() =>
        moderateReview(deps(), { operator, reviewId, decision: 'approve' }),
      )
      expect(ofBusiness(approved)).toContain('It leaned all night')
      const rejected = await textsAfter(() =>
        moderateReview(deps(), { operator, reviewId, decision: 'reject', reason: 'Not about this place' }),
      )
      expect(ofBusiness(rejected)).not.toContain('It leaned all night')
      await textsAfter(() => moderateReview(deps(), { operator, reviewId, decision: 'approve' }))
    })

    it('a reviewer’s deleted account', async () => {
      const texts = await textsAfter(() => deleteAccount(deps(), reviewerId))
      expect(ofBusiness(texts)).toContain('It leaned all night')
      expect(ofBusiness(texts)).not.toContain('Jo Quill')
    })

    it('a new and a changed registration', async () => {
      const registered = await textsAfter(() =>
        registerBusiness(registerDeps(server.services), ownerId, registration),
      )
      expect(ofVendor(registered)).toContain('Tilt Pty Ltd')
      const changed = await textsAfter(() =>
        changeRegistration(registerDeps(server.services), ownerId, {
          ...registration,
          businessName: 'Plumb Pty Ltd',
        }),
      )
      expect(ofVendor(changed)).toContain('Plumb Pty Ltd')
      expect(changed.get('/vendors')).not.toContain('Tilt Pty Ltd')
    })

    it('a listing hidden and shown by an operator', async () => {
      const hidden = await textsAfter(() =>
        hideListing(deps(), { operator, businessId, reason: 'Looking into it' }),
      )
      expect(ofBusiness(hidden)).toContain('Business not found.')
      expect((await get(`/business/${businessId}`)).status).toBe(410)
      const shown = await textsAfter(() => showHiddenListing(deps(), { operator, businessId }))
      expect(ofBusiness(shown)).toContain('The Upright Barn')
    })

    it('a disabled and re-enabled account', async () => {
      const disabled = await textsAfter(() =>
        disableAccount(deps(), {
          operator,
          userId: ownerId,
          reason: 'Fraud',
          protectedEmails: new Set(),
          adminEmails: new Set<string>(),
        }),
      )
      expect(disabled.get('/venues')).not.toContain('The Upright Barn')
      const enabled = await textsAfter(() => enableAccount(deps(), { operator, userId: ownerId }))
      expect(enabled.get('/venues')).toContain('The Upright Barn')
    })

    it('a deactivated and reactivated account', async () => {
      const gone = await textsAfter(() => deactivateAccount(deps(), ownerId))
      expect(gone.get('/venues')).not.toContain('The Upright Barn')
      const back = await textsAfter(() => reactivateAccount(deps(), ownerId))
      expect(back.get('/venues')).toContain('The Upright Barn')
    })

    it('a listing deleted by its owner', async () => {
      const texts = await textsAfter(() => removeListing(deps(), own()))
      expect(ofBusiness(texts)).toContain('Business not found.')
      expect((await get(`/business/${businessId}`)).status).toBe(410)
      expect(texts.get('/venues')).not.toContain('The Upright Barn')
      await textsAfter(() => showListing(deps(), own()).then(() => null))
    })

    it('a correction made directly in the database', async () => {
      const texts = await textsAfter(() =>
        sql`update businesses set name = 'Corrected By Hand' where name = 'The Second Barn'`.execute(
          server.services.db,
        ),
      )
      expect(texts.get('/venues')).toContain('Corrected By Hand')
    })

    it('a deleted account with its listings', async () => {
      const texts = await textsAfter(() => deleteAccount(deps(), ownerId))
      expect(texts.get('/venues')).not.toContain('Corrected By Hand')
      expect((await get(`/vendorsprofile?id=${ownerId}`)).status).toBe(404)
    })
  })
})

describe('odd requests on a connection', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ openDatabase: openEmbeddedDatabase, listen: true })
  })
  afterAll(() => server.close())

  /** Sends a request that fetch would refuse or normalise. */
  const raw = (path: string, options: { method?: string; headers?: Record<string, string> } = {}) =>
    new Promise<{ status: number; kept: string | undefined; length: number }>((resolve, reject) => {
      const url = new URL(server.origin)
      const request = httpGet(
        {
          host: url.hostname,
          port: url.port,
          path,
          method: options.method ?? 'GET',
          headers: options.headers,
        },
        (answer) => {
          let length = 0
          answer.on('data', (chunk: Buffer) => {
            length += chunk.length
          })
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              kept: answer.headers['cache-status']?.toString(),
              length,
            }),
          )
        },
      )
      request.on('error', reject)
    })

  it('never get a cached page of another address, nor a server error', async () => {
    await raw('/events')
    expect(await raw('/events')).toMatchObject({ status: 200, kept: HIT })
    expect(await raw('/events', { method: 'HEAD' })).toMatchObject({ status: 200, kept: HIT, length: 0 })
    for (const path of [
      '/events/',
      '/%65vents',
      '/./events',
      '/events%00',
      '/events?%',
      '/events?a=%ff',
      '/assets/../events',
      '/assets/..%2f..%2fpackage.json',
      '/assets/nothing.js',
      '//events',
      `${server.origin}/events`,
    ]) {
      const answer = await raw(path)
      expect(answer.status, path).toBeLessThan(500)
      expect(answer.kept, path).not.toBe(HIT)
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])
      expect((await raw('/events', { method })).kept, method).toBeUndefined()
    for (const value of [', ,;q=,br;;', '*;q=0', 'x'.repeat(4_000)]) {
      const answer = await raw('/events', { headers: { 'accept-encoding': value, 'if-none-match': value } })
      expect(answer.status).toBe(200)
    }
  })

  it('get build files in an accepted encoding, and 304 for a known ETag', async () => {
    const html = await (await fetch(`${server.origin}/events`)).text()
    const script = /\/assets\/[\w-]+\.js/.exec(html)?.[0] ?? ''
    const answer = await fetch(`${server.origin}${script}`, { headers: { 'accept-encoding': 'br' } })
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const tag = answer.headers.get('etag') ?? ''
    expect((await fetch(`${server.origin}/favicon.svg?v=2`)).headers.get('content-type')).toContain('svg')
    expect(
      await fetch(`${server.origin}${script}`, { headers: { 'if-none-match': tag } }).then((a) => a.status),
    ).toBe(304)
    expect((await raw(script, { method: 'POST' })).status).toBeGreaterThanOrEqual(400)
  })
})

const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: pages of two processes are not tested.\n')

describe.skipIf(!hasPostgres)('two processes on one PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-two-'))
  const children: ChildProcess[] = []
  let connection: DatabaseConnection
  let origins: string[] = []
  let businessId = ''

  beforeAll(async () => {
    const databaseUrl = await createServerDatabase()
    connection = openPostgres(databaseUrl, (error) => {
      throw error
    })
    businessId = (await aBusiness(connection.db)).id
    origins = await Promise.all([start(databaseUrl, 'one'), start(databaseUrl, 'two')])
  }, 120_000)
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await connection?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function start(databaseUrl: string, name: string): Promise<string> {
    const { origin, child } = await startServerProcess({ folder: join(folder, name), databaseUrl })
    children.push(child)
    return origin
  }

  const look = async (origin: string, path = `/business/${businessId}`) => {
    const answer = await fetch(`${origin}${path}`)
    return { code: answer.status, kept: answer.headers.get('cache-status'), text: await answer.text() }
  }
  const keptIn = (origin: string) =>
    expect.poll(async () => (await look(origin)).kept, { timeout: 20_000, interval: 20 }).toBe(HIT)
  const rename = (name: string) =>
    connection.db.updateTable('businesses').set({ name }).where('id', '=', businessId).execute()

  it('both show an edit made directly in the database', async () => {
    for (const name of ['First Name', 'Second Name', 'Third Name']) {
      for (const origin of origins) await keptIn(origin)
      await rename(name)
      for (const origin of origins)
        await expect
          .poll(async () => (await look(origin)).text, { timeout: 20_000, interval: 20 })
          .toContain(name)
    }
  })

  it('stop caching pages while they receive no notifications, then resume', async () => {
    for (const origin of origins) await keptIn(origin)
    const { rows: ended } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen "jubilee_changes"%'`.execute(connection.db)
    expect(ended).toHaveLength(origins.length)
    await rename('Fourth Name')
    for (const origin of origins) {
      await expect
        .poll(async () => (await look(origin)).text, { timeout: 20_000, interval: 20 })
        .toContain('Fourth Name')
      await keptIn(origin)
    }
    await rename('Fifth Name')
    for (const origin of origins)
      await expect
        .poll(async () => (await look(origin)).text, { timeout: 20_000, interval: 20 })
        .toContain('Fifth Name')
  })

  it('both drop a hidden and a deleted business', async () => {
    for (const origin of origins) await keptIn(origin)
    const set = (column: 'hidden_at' | 'deleted_at') =>
      connection.db
        .updateTable('businesses')
        .set({ [column]: new Date() })
        .where('id', '=', businessId)
        .execute()
    await set('hidden_at')
    for (const origin of origins)
      await expect.poll(async () => (await look(origin)).code, { timeout: 20_000, interval: 20 }).toBe(410)
    await connection.db
      .updateTable('businesses')
      .set({ hidden_at: null })
      .where('id', '=', businessId)
      .execute()
    for (const origin of origins) await keptIn(origin)
    await set('deleted_at')
    for (const origin of origins) {
      await expect.poll(async () => (await look(origin)).code, { timeout: 20_000, interval: 20 }).toBe(410)
      await expect
        .poll(async () => (await look(origin, '/venues')).text, { timeout: 20_000, interval: 20 })
        .not.toContain(businessId)
    }
  })
})
