import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, PASSWORD, requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  // With a trusted proxy, X-Forwarded-For names the client.
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
})
afterAll(() => server.close())

const { post } = requestsTo(() => server)

/** Signs up. Returns only the known-browser cookie, which a browser keeps after signing out. */
async function aKnownBrowser(email: string, address: string): Promise<string> {
  const answer = await new Client(server, address).signUp(email)
  const known = answer.headers.getSetCookie().find((cookie) => cookie.includes('known_browser')) ?? ''
  return known.split(';')[0] ?? ''
}

describe('an attacker who guesses a password', () => {
  const email = 'robin@example.com'
  const attacker = '203.0.113.66'

  it('gets ten tries, and doesn’t lock the owner out', async () => {
    const known = await aKnownBrowser(email, '203.0.113.1')
    const statuses: number[] = []
    let refusal = ''
    for (let tries = 0; tries < 12; tries++) {
      const answer = await post('/login', { email, password: 'guess' }, { address: attacker })
      statuses.push(answer.status)
      refusal = await answer.text()
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429])
    // The refusal offers the owner another way in and keeps the typed email.
    expect(refusal).toContain('reset your password by email: that works right away')
    expect(refusal).toContain(email)
    const right = { email, password: PASSWORD }
    expect((await post('/login', right, { address: '203.0.113.2' })).status).toBe(302)
    // At the attacker's own address, only a known browser gets in.
    expect((await post('/login', right, { address: attacker })).status).toBe(429)
    expect((await post('/login', right, { address: attacker, cookie: known })).status).toBe(302)
  })

  it('learns nothing from reset requests, which send at most three mails', async () => {
    const pages = new Set<string>()
    for (let tries = 0; tries < 6; tries++) {
      const answer = await post('/forgot-password', { email }, { address: `203.0.113.${tries}` })
      expect(answer.status).toBe(200)
      const html = await answer.text()
      pages.add(html.slice(html.indexOf('<main'), html.indexOf('</main>')))
    }
    expect(pages.size).toBe(1)
    const resets = async () =>
      (await server.services.outbox?.list(50))?.filter(({ subject }) => subject.startsWith('Choose a new'))
    await expect.poll(async () => (await resets())?.length, { timeout: 20_000 }).toBe(3)
    const link = new URL(/https?:\/\/\S+/.exec((await resets())?.at(-1)?.text ?? '')?.[0] ?? '')
    const token = link.searchParams.get('token') ?? ''
    const reset = await post(
      '/reset-password',
      { token, password: 'by the river gums' },
      { address: '203.0.113.9' },
    )
    expect(reset.status).toBe(200)
    expect(reset.headers.getSetCookie().join()).toContain('jubilee.known_browser=')
  })
})

describe('a rate limit by IP address', () => {
  it('counts an IPv6 /64 as one visitor', async () => {
    const subscribe = async (address: string) =>
      (
        await post(
          '/newsletter',
          { email: `reader-${address.replaceAll(':', '-')}@example.com` },
          { address },
        )
      ).status
    for (let host = 1; host <= 10; host++) expect(await subscribe(`2001:db8:5:5::${host}`)).toBeLessThan(400)
    expect(await subscribe('2001:db8:5:5:ffff::11')).toBe(429)
    expect(await subscribe('2001:db8:5:6::1')).toBeLessThan(400)
  })

  it('counts an IPv4 address and its IPv6-mapped form as one visitor', async () => {
    const views = (address: string) =>
      post('/newsletter', { email: `mapped-${crypto.randomUUID()}@example.com` }, { address })
    for (let count = 0; count < 10; count++)
      expect((await views(count % 2 ? '192.0.2.8' : '::ffff:192.0.2.8')).status).toBeLessThan(400)
    expect((await views('192.0.2.8')).status).toBe(429)
    expect((await views('::ffff:c000:208')).status).toBe(429)
  })
})
