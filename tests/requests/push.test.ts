import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPushSender } from '../../app/adapters/push/web-push.server.ts'
import { sendMessage } from '../../app/features/enquiries/commands.server.ts'
import { enquiryDeps } from '../../app/services/deps.server.ts'
import { aBookingForm, aBusiness, aConversation, aMessage } from '../builders.ts'
import { Client, PASSWORD, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { aPushTarget, openPushReceiver, TO_THIS_MACHINE } from '../push-receiver.ts'
import { startServer, type TestServer } from '../server.ts'

const SETTINGS = '/settings-privacy'
const TITLE = 'Notifications on this device'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
  const keys = server.services.config.pushKeys
  if (!keys) throw new Error('The demo has no keys.')
  // The real push services aren't reachable from a test.
  server.services.push = createPushSender({ keys, subject: 'mailto:a@example.com', ...TO_THIS_MACHINE })
})
afterAll(() => server.close())

let people = 0
async function aPerson() {
  const browser = new Client(server)
  await browser.signUp(`push-${++people}@example.com`)
  const { id } = await server.services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', browser.email)
    .executeTakeFirstOrThrow()
  return { browser, userId: id }
}

async function aVendor() {
  const person = await aPerson()
  const business = await aBusiness(server.services.db, { user_id: person.userId })
  return { ...person, business }
}

const turnsOn = (browser: Client, target: { endpoint: string; p256dh: string; auth: string }) =>
  browser.post(SETTINGS, { intent: 'push-on', ...target })

const devicesOf = (userId: string) =>
  server.services.db.selectFrom('push_subscriptions').selectAll().where('user_id', '=', userId).execute()

describe('notifications on a device', () => {
  it('appear in the settings of vendors alone', async () => {
    const { browser } = await aPerson()
    expect(await (await browser.get(SETTINGS)).text()).not.toContain(TITLE)
    const vendor = await aVendor()
    expect(await (await vendor.browser.get(SETTINGS)).text()).toContain(TITLE)
  })

  it('tell of a new booking and a new message by a kind and a link, encrypted for the device', async () => {
    const { browser, userId, business } = await aVendor()
    const receiver = await openPushReceiver()
    try {
      expect((await turnsOn(browser, receiver.target)).status).toBe(200)
      expect(await devicesOf(userId)).toHaveLength(1)
      await bookAndPay(server.services, {
        businessId: business.id,
        amountCents: 45_500,
        booking: aBookingForm({ fullName: 'Wilhelmina Featherstone', email: 'w@example.com' }),
      })
      await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(1)
      const deps = enquiryDeps(server.services)
      const customer = await aPerson()
      const { id, customer: by } = await aConversation(
        { deps, db: server.services.db },
        { business, customer: { id: customer.userId, name: 'Wilhelmina', email: customer.browser.email } },
      )
      await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(2)
      // While the first is unread, a burst says nothing new.
      expect(await sendMessage(deps, { id, by, message: aMessage('One more thing.') })).toMatchObject({
        ok: true,
      })
      const waiting = async () =>
        (await server.services.jobs.count()).filter(({ name }) => name === 'send-push')
      await expect.poll(waiting, { timeout: 30_000 }).toEqual([])
      expect(receiver.received.map(({ payload }) => JSON.parse(payload))).toEqual([
        { kind: 'booking', link: '/dashboard/bookings' },
        { kind: 'message', link: `/dashboard/inbox/${id}` },
      ])
      expect(receiver.received[0]?.senderKey).toBe(server.services.config.pushKeys?.publicKey)
    } finally {
      await receiver.close()
    }
  })

  it('end when the push service has ended them', async () => {
    const { browser, userId, business } = await aVendor()
    const receiver = await openPushReceiver()
    try {
      await turnsOn(browser, receiver.target)
      receiver.answers(410)
      await bookAndPay(server.services, {
        businessId: business.id,
        amountCents: 45_500,
        booking: aBookingForm(),
      })
      await expect.poll(() => devicesOf(userId), { timeout: 30_000 }).toEqual([])
    } finally {
      await receiver.close()
    }
  })

  it('end on a browser that signs out, and stay on the others', async () => {
    const { browser, userId } = await aVendor()
    const other = new Client(server)
    await other.post('/login', { email: browser.email, password: PASSWORD })
    await turnsOn(browser, aPushTarget('http://127.0.0.1/one'))
    await turnsOn(other, aPushTarget('http://127.0.0.1/two'))
    expect(await devicesOf(userId)).toHaveLength(2)
    await browser.post('/logout', {})
    expect((await devicesOf(userId)).map(({ endpoint }) => endpoint)).toEqual(['http://127.0.0.1/two'])
  })

  it('have the device’s name, and are turned off by it without JavaScript', async () => {
    const { browser, userId } = await aVendor()
    const sent = await browser.send(SETTINGS, {
      fields: { intent: 'push-on', ...aPushTarget('http://127.0.0.1/phone') },
      headers: { 'user-agent': ANDROID },
    })
    expect(sent.status).toBe(200)
    const html = await (await browser.get(SETTINGS)).text()
    expect(html).toContain('Chrome on Android')
    expect(html.replaceAll('<!-- -->', '')).toContain('Turned on just now')
    const [device] = await devicesOf(userId)
    const off = await browser.post(SETTINGS, { intent: 'push-off', pushDevice: device?.id ?? '' })
    expect([off.status, await devicesOf(userId)]).toEqual([200, []])
  })

  it('say without JavaScript what they need', async () => {
    const { browser } = await aVendor()
    const html = await (await browser.get(SETTINGS)).text()
    expect(/<noscript>.*?To turn notifications on, allow JavaScript.*?<\/noscript>/s.test(html)).toBe(true)
  })
})

describe('turning notifications on or off', () => {
  it('as nobody leads to the login', async () => {
    const nobody = new Client(server)
    const forms: Record<string, string>[] = [
      { intent: 'push-on', ...aPushTarget('http://127.0.0.1/nobody') },
      { intent: 'push-off', pushDevice: 'any' },
    ]
    for (const fields of forms) {
      const answer = await nobody.post(SETTINGS, fields)
      expect([answer.status, answer.headers.get('location')]).toEqual([
        302,
        expect.stringMatching(/^\/login/),
      ])
    }
  })

  it('as someone else changes nothing', async () => {
    const { browser, userId } = await aVendor()
    await turnsOn(browser, aPushTarget('http://127.0.0.1/mine'))
    const [device] = await devicesOf(userId)
    const other = await aVendor()
    const answer = await other.browser.post(SETTINGS, { intent: 'push-off', pushDevice: device?.id ?? '' })
    expect(answer.status).toBe(404)
    expect(await devicesOf(userId)).toHaveLength(1)
  })

  it('fails for an account without a listing', async () => {
    const { browser, userId } = await aPerson()
    expect((await turnsOn(browser, aPushTarget('http://127.0.0.1/guest'))).status).toBe(403)
    expect(await devicesOf(userId)).toEqual([])
  })

  it('fails for an address in a private network', async () => {
    const { browser, userId } = await aVendor()
    const answer = await turnsOn(browser, aPushTarget('http://10.0.0.1/inside'))
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('push service can’t be used')
    expect(await devicesOf(userId)).toEqual([])
  })
})

describe('an account’s data', () => {
  it('includes its devices, which go with the account', async () => {
    const { browser, userId } = await aVendor()
    await turnsOn(browser, aPushTarget('http://127.0.0.1/a-secret-address'))
    const exported = await (await browser.get('/settings-privacy/my-data.json')).text()
    expect(JSON.parse(exported).notificationDevices).toEqual([
      { device: expect.any(String), service: '127.0.0.1', createdAt: expect.any(String) },
    ])
    expect(exported).not.toContain('a-secret-address')
    await browser.post('/confirm-deletion', { password: PASSWORD, intent: 'delete' })
    expect(await devicesOf(userId)).toEqual([])
  })
})

describe('the worker', () => {
  it('runs a script of our own that can’t touch pages', async () => {
    const answer = await sendTo(server, '/push-worker.js')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const script = await answer.text()
    expect(script).toBe(readFileSync('public/push-worker.js', 'utf8'))
    expect(script).not.toMatch(/'fetch'|caches/)
  })

  it('may run by the policy of the page that registers it', async () => {
    const { browser } = await aVendor()
    const policy = (await browser.get(SETTINGS)).headers.get('content-security-policy')
    expect(policy).toContain("worker-src 'self';")
  })
})
