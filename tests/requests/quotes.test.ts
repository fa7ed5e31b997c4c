import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAYMENT_STARTS_LIMIT } from '../../app/features/payments/rules.ts'
import { sendQuote } from '../../app/features/quotes/commands.server.ts'
import { QUOTE_REFUSALS } from '../../app/features/quotes/messages.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBusiness, aGuestConversation, anOffer } from '../builders.ts'
import { requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  // Limits count by the clock's windows, of which none ends within a test.
  const now = new Date()
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { TRUSTED_PROXY: '1' },
    now: () => now,
  })
})
afterAll(() => server.close())

const ADDRESS = '198.51.100.9'
const contact = { fullName: 'Kim Lee', email: 'kim@example.com', phone: '0411 222 333' }

async function aSentQuote() {
  const { services } = server
  const deps = bookingDeps(services)
  const business = await aBusiness(services.db)
  const talk = await aGuestConversation(deps, business)
  const validTo = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10)
  const date = new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 10)
  const sent = await sendQuote(deps, {
    userId: business.user_id,
    conversationId: talk.id,
    version: 1,
    offer: anOffer({ date, validTo }),
  })
  if (!sent.ok) throw new Error(sent.reason)
  return { quoteId: sent.quoteId, path: `/quotes/${sent.quoteId}/${talk.linkToken}`, talk }
}

const { get, post } = requestsTo(
  () => server,
  () => ({ address: '198.51.100.1' }),
)

describe('/quotes/{id}', () => {
  it('asks a visitor without the link to sign in, and answers 404 to another conversation’s link', async () => {
    const { quoteId, path } = await aSentQuote()
    const other = await aSentQuote()
    const page = await get(path)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const signedOut = await get(`/quotes/${quoteId}`)
    expect(signedOut.headers.get('location')).toMatch(/^\/login\?next=/)
    for (const link of [other.talk.linkToken, 'x'.repeat(43), 'x'])
      expect((await get(`/quotes/${quoteId}/${link}`)).status).toBe(404)
  })

  it('refuses every press of nobody and of somebody else', async () => {
    const { quoteId } = await aSentQuote()
    const others = await aSentQuote()
    for (const intent of ['accept', 'continue', 'again', 'decline', 'seen']) {
      const nobody = await post(`/quotes/${quoteId}`, { intent, ...contact })
      expect(nobody.headers.get('location')).toMatch(/^\/login\?next=/)
      const other = await post(`/quotes/${quoteId}/${others.talk.linkToken}`, { intent, ...contact })
      expect(other.status).toBe(404)
    }
    const { state } = await server.services.db
      .selectFrom('quotes')
      .select('state')
      .where('id', '=', quoteId)
      .executeTakeFirstOrThrow()
    expect(state).toBe('sent')
  })

  it('leads to the payment once it is accepted, keeps what was typed when it isn’t, and never fails', async () => {
    const { path } = await aSentQuote()
    const missing = await post(path, { intent: 'accept', ...contact, phone: '' })
    expect(missing.status).toBe(422)
    expect(await missing.text()).toContain('value="kim@example.com"')
    expect((await post(path, { intent: 'accept', line: '2', shown: '479000', ...contact })).status).toBe(409)
    for (const shown of ['-1', 'x', '99999999999999999999', '5240.00'])
      expect((await post(path, { intent: 'total', shown })).status).toBeLessThan(500)
    for (const fields of [{}, { intent: 'sell' }, { intent: 'accept', line: 'x'.repeat(50) }])
      expect((await post(path, fields as Record<string, string>)).status).toBe(404)
    const accepted = await post(path, { intent: 'accept', shown: '479000', ...contact })
    expect([accepted.status, accepted.headers.get('location')]).toEqual([302, '/payment'])
    expect(accepted.headers.get('set-cookie')).toContain('jubilee.payments=')
    // Another choice, in another tab.
    const second = await post(path, { intent: 'accept', line: '2', shown: '524000', ...contact })
    expect(second.status).toBe(409)
    const declined = await post(path, { intent: 'decline' })
    expect(declined.status).toBe(409)
  })

  it('begins as many payments from one network as the booking form does, and keeps what was typed', async () => {
    const { path, quoteId } = await aSentQuote()
    const accept = { intent: 'accept', shown: '479000', ...contact }
    const others = Array.from({ length: PAYMENT_STARTS_LIMIT.max }, () =>
      server.services.rateLimits.take(`payment:${ADDRESS}`, PAYMENT_STARTS_LIMIT),
    )
    expect((await Promise.all(others)).every(Boolean)).toBe(true)
    const refused = await post(path, accept, { address: ADDRESS })
    expect(refused.status).toBe(429)
    const html = await refused.text()
    expect(html).toContain(QUOTE_REFUSALS.rate_limited)
    expect(html).toContain('value="kim@example.com"')
    const { state } = await server.services.db
      .selectFrom('quotes')
      .select('state')
      .where('id', '=', quoteId)
      .executeTakeFirstOrThrow()
    expect(state).toBe('sent')
    // Another network has its own count.
    expect((await post(path, accept)).headers.get('location')).toBe('/payment')
  })
})
