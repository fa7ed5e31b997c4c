import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WRITE_LIMIT } from '../../app/features/accounts/rules.ts'
import { DOCUMENTS } from '../../app/features/agreements/rules.ts'
import { aBusiness, aTypedListing, TYPED_REGISTRATION } from '../builders.ts'
import { nextAddress, requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

const MAX_LISTINGS = 3
const LISTING = aTypedListing()

const A_QUOTE = {
  intent: 'send-quote',
  version: '1',
  'lines[0].label': 'Long-table dinner',
  'lines[0].quantity': '80',
  'lines[0].unitPrice': '55',
  note: 'Typed at length',
}

let server: TestServer
let cookie = ''
let userId = ''

beforeAll(async () => {
  const now = new Date('2026-11-20T01:00:00Z')
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { MAX_LISTINGS: String(MAX_LISTINGS), TRUSTED_PROXY: '1' },
    now: () => now,
  })
})
afterAll(() => server.close())

beforeEach(async () => {
  const email = `${crypto.randomUUID()}@example.com`
  ;({ cookie, userId } = await signUp(server, email, { address: nextAddress() }))
})

const { post } = requestsTo(
  () => server,
  () => ({ cookie }),
)

const countListings = async () =>
  Number(
    (
      await sql<{ count: string }>`select count(*) as count from businesses
        where user_id = ${userId} and deleted_at is null`.execute(server.services.db)
    ).rows[0]?.count,
  )

/** Uses up the account's writes of the current window. */
const useUpWrites = () =>
  server.services.db
    .insertInto('rate_limits')
    .values({
      key: `write:${userId}`,
      window_start: new Date('2026-11-20T01:00:00Z'),
      count: WRITE_LIMIT.max,
    })
    .execute()

describe('the listings of an account', () => {
  it('stop at the limit of the setting, hidden ones included, and the refused form keeps its values', async () => {
    await aBusiness(server.services.db, { user_id: userId, hidden_at: new Date() })
    for (let listed = 1; listed < MAX_LISTINGS; listed++)
      expect((await post('/dashboard/list-business/new', LISTING)).status).toBe(200)
    const refused = await post('/dashboard/list-business/new.data', { ...LISTING, name: 'One too many' })
    expect(refused.status).toBe(409)
    const text = await refused.text()
    expect(text).toContain('An account can have up to 3 listings.')
    expect(text).toContain('One too many')
    expect(await countListings()).toBe(MAX_LISTINGS)
  })

  it('can be edited at the limit, and deleting one makes room for another', async () => {
    const ids: string[] = []
    for (let listed = 0; listed < MAX_LISTINGS; listed++)
      ids.push((await aBusiness(server.services.db, { user_id: userId })).id)
    const edited = await post(`/dashboard/list-business/${ids[0]}/edit`, { ...LISTING, name: 'Edited' })
    expect(edited.status).toBe(200)
    expect((await post('/dashboard/list-business/new', LISTING)).status).toBe(409)
    const deleted = await post('/dashboard/list-business', { intent: 'delete', businessId: ids[1] ?? '' })
    expect(deleted.status).toBe(200)
    expect((await post('/dashboard/list-business/new', LISTING)).status).toBe(200)
    expect(await countListings()).toBe(MAX_LISTINGS)
  })
})

describe('an account that writes far faster than anyone types', () => {
  it('gets a refusal for every kind of write, with a message and the typed values', async () => {
    const { id } = await aBusiness(server.services.db, { user_id: userId, name: 'Before' })
    await useUpWrites()
    const writes: [path: string, fields: Record<string, string>, typed?: string][] = [
      ['/dashboard/list-business/new', { ...LISTING, name: 'Too often' }, 'Too often'],
      [`/dashboard/list-business/${id}/edit`, { ...LISTING, name: 'Too often' }, 'Too often'],
      ['/dashboard/list-business', { intent: 'delete', businessId: id }],
      ['/dashboard/list-business', { intent: 'hide', businessId: id }],
      ['/dashboard/list-business', { intent: 'show', businessId: id }],
      ['/dashboard/agreement', { version: DOCUMENTS.vendor_agreement.version }],
      ['/dashboard/register-business', TYPED_REGISTRATION],
      ['/dashboard/availability', { intent: 'exception', businessId: id, from: '2026-12-24' }],
      ['/dashboard/availability', { intent: 'make-feed', businessId: id }],
      ['/dashboard/calendar', { intent: 'unblock', businessId: id, blockId: 'x' }],
      ['/my-profile', { intent: 'profile', displayName: 'Too Often', phone: '0400 111 222' }, 'Too Often'],
      ['/settings-privacy', { intent: 'mails', newsletter: 'on' }],
      ['/dashboard/inbox/none?quote=new', A_QUOTE, 'Typed at length'],
      ['/dashboard/inbox/none?quote=withdraw', { intent: 'withdraw-quote', quoteId: 'none' }],
      ['/my-bookings/none/review', { rating: '5', body: 'Lovely, and typed at length.' }, 'Lovely'],
    ]
    for (const [path, fields, typed] of writes) {
      const answer = await post(path.replace(/\?|$/, '.data$&'), fields)
      expect(answer.status, path).toBe(429)
      if (typed) expect(await answer.text(), path).toContain(typed)
      // Without JavaScript, the browser gets the whole page in the site's own design.
      const page = await post(path, fields)
      expect(page.status, path).toBe(429)
      expect(await page.text(), path).toContain('</html>')
    }
    const { db } = server.services
    expect(await db.selectFrom('businesses').select('name').where('user_id', '=', userId).execute()).toEqual([
      { name: 'Before' },
    ])
    const user = await db
      .selectFrom('users')
      .select('name')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(user.name).toBe('Robin Vale')
    const profile = await post('/my-profile', { intent: 'profile', displayName: 'Too Often' })
    const html = await profile.text()
    expect(html).toContain('You have saved too often in a short time. Try again in ten minutes.')
    expect(html).toContain('value="Too Often"')
  })

  it('gets a count of its own over all kinds of writes', async () => {
    await server.services.db
      .insertInto('rate_limits')
      .values({
        key: `write:${userId}`,
        window_start: new Date('2026-11-20T01:00:00Z'),
        count: WRITE_LIMIT.max - 2,
      })
      .execute()
    const write = () => post('/my-profile', { intent: 'profile', displayName: 'Nia' })
    expect((await write()).status).toBe(200)
    expect((await post('/dashboard/list-business/new', LISTING)).status).toBe(200)
    expect((await write()).status).toBe(429)
  })
})
