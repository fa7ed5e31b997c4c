import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticatorCode, turnTwoStepOn } from '../authenticator.ts'
import { Client, PASSWORD } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { aPasskeyDevice } from '../passkey-device.ts'
import { ageProofs } from '../proofs.ts'
import { linkIn, mailTo } from '../sent-mails.ts'
import { startServer, type TestServer } from '../server.ts'

const SETTINGS = '/settings-privacy'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
})
afterAll(() => server.close())

type Answer = { options: object; to?: string; message?: string }

/** A browser that can also send the steps of its passkeys' script. */
class Browser extends Client {
  constructor() {
    super(server)
  }
  async step(body: object, query = ''): Promise<{ status: number; answer: Answer }> {
    const response = await this.postJson(`/api/passkey${query}`, body)
    return { status: response.status, answer: (await response.json()) as Answer }
  }
}

const aDevice = (origin = server.origin) => aPasskeyDevice({ origin })
type Device = ReturnType<typeof aDevice>

let people = 0
async function aPerson(): Promise<Browser> {
  const browser = new Browser()
  await browser.signUp(`passkeys-${++people}@example.com`)
  return browser
}

async function adds(browser: Browser, device: Device) {
  const { answer } = await browser.step({ step: 'begin-adding' })
  return browser.step({ step: 'add', response: device.make(answer.options) })
}

async function aPersonWithPasskey() {
  const [browser, device] = [await aPerson(), aDevice()]
  expect((await adds(browser, device)).status).toBe(200)
  return { browser, device }
}

async function signsIn(device: Device, browser = new Browser()) {
  const { answer } = await browser.step({ step: 'begin-sign-in' })
  const done = await browser.step(
    { step: 'sign-in', response: device.sign(answer.options) },
    '?next=/my-bookings',
  )
  return { browser, ...done }
}

const rowsOf = ({ email }: Client) =>
  server.services.db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .selectAll('passkeys')
    .where('users.email', '=', email)
    .execute()

describe('adding a passkey', () => {
  it('needs a signed-in person, who proves themselves again after ten minutes', async () => {
    expect((await new Browser().step({ step: 'begin-adding' })).status).toBe(401)
    const browser = await aPerson()
    await ageProofs(server.services.db, 11, browser.email)
    for (const proof of [undefined, '', 'not it']) {
      const refused = await browser.step({ step: 'begin-adding', proof })
      expect(refused).toMatchObject({ status: 400, answer: { field: 'proof' } })
      expect(refused.answer.options).toBeUndefined()
    }
    expect((await browser.step({ step: 'begin-adding', proof: PASSWORD })).status).toBe(200)
    expect((await adds(browser, aDevice())).status).toBe(200)
  })

  it('names it after the browser, and shows it in the settings', async () => {
    const { browser } = await aPersonWithPasskey()
    expect(await rowsOf(browser)).toMatchObject([{ name: 'Firefox on Linux', last_used_at: null }])
    const html = await (await browser.get(SETTINGS)).text()
    expect(html).toContain('Firefox on Linux')
    expect(html).toContain('not used yet')
  })

  it('fails without the device’s own check of the person', async () => {
    const [browser, device] = [await aPerson(), aDevice()]
    device.stopVerifying()
    expect((await adds(browser, device)).status).toBe(400)
    expect(await rowsOf(browser)).toHaveLength(0)
  })

  it('fails for another site, and for another person’s challenge', async () => {
    const [browser, other] = [await aPerson(), await aPerson()]
    expect((await adds(browser, aDevice('https://evil.example'))).status).toBe(400)
    const { answer } = await browser.step({ step: 'begin-adding' })
    for (const [name, value] of browser.cookies)
      if (name.includes('passkey_challenge')) other.cookies.set(name, value)
    const stolen = await other.step({ step: 'add', response: aDevice().make(answer.options) })
    expect(stolen.status).toBe(400)
    expect(await rowsOf(browser)).toHaveLength(0)
    expect(await rowsOf(other)).toHaveLength(0)
  })

  it('works once for each challenge', async () => {
    const browser = await aPerson()
    const { answer } = await browser.step({ step: 'begin-adding' })
    const again = browser.copy()
    expect((await browser.step({ step: 'add', response: aDevice().make(answer.options) })).status).toBe(200)
    expect((await again.step({ step: 'add', response: aDevice().make(answer.options) })).status).toBe(400)
    expect(await rowsOf(browser)).toHaveLength(1)
  })

  it('ends at 20 for an account', async () => {
    const { browser } = await aPersonWithPasskey()
    const [row] = await rowsOf(browser)
    if (!row) throw new Error('no passkey')
    const more = Array.from({ length: 19 }, (_, index) => ({
      ...row,
      id: `${row.id}-${index}`,
      credential_id: `${row.id}-${index}`,
    }))
    await server.services.db.insertInto('passkeys').values(more).execute()
    const refused = await browser.step({ step: 'begin-adding' })
    expect(refused.answer.message).toContain('as many passkeys')
  })
})

describe('signing in with a passkey', () => {
  it('needs neither password nor code, and leads to where the visitor was going', async () => {
    const { browser: owner, device } = await aPersonWithPasskey()
    const key = await turnTwoStepOn(owner)
    expect(authenticatorCode(key)).toMatch(/^\d{6}$/)
    const { browser, status, answer } = await signsIn(device)
    expect({ status, to: answer.to }).toEqual({ status: 200, to: '/my-bookings' })
    expect((await browser.user())?.email).toBe(owner.email)
    expect((await rowsOf(owner))[0]?.last_used_at).toBeInstanceOf(Date)
  })

  it('refuses an unknown device, another site, and a device that didn’t check the person', async () => {
    const { device } = await aPersonWithPasskey()
    expect((await signsIn(aDevice())).status).toBe(400)
    const browser = new Browser()
    const { answer } = await browser.step({ step: 'begin-sign-in' })
    const response = device.sign(answer.options)
    const data = JSON.parse(Buffer.from(response.response.clientDataJSON ?? '', 'base64url').toString())
    response.response.clientDataJSON = Buffer.from(
      JSON.stringify({ ...data, origin: 'https://evil.example' }),
    ).toString('base64url')
    expect((await browser.step({ step: 'sign-in', response })).status).toBe(400)
    expect(await browser.user()).toBeNull()
  })

  it.each(['a\0b', 'a b', '', 'x'.repeat(2_001)])('refuses an id that no device makes: %j', async (id) => {
    const { browser: owner, device } = await aPersonWithPasskey()
    const browser = new Browser()
    const { answer } = await browser.step({ step: 'begin-sign-in' })
    const response = { ...device.sign(answer.options), id }
    for (const step of ['sign-in', 'prove', 'add']) {
      expect((await browser.step({ step, response })).status).toBe(400)
      expect((await owner.step({ step, response })).status).toBe(400)
    }
  })

  it('refuses a known device without its check of the person', async () => {
    const { device } = await aPersonWithPasskey()
    device.stopVerifying()
    const refused = await signsIn(device)
    expect(refused.status).toBe(400)
    expect(await refused.browser.user()).toBeNull()
  })

  it('refuses a response that was used before', async () => {
    const { device } = await aPersonWithPasskey()
    const browser = new Browser()
    const { answer } = await browser.step({ step: 'begin-sign-in' })
    const response = device.sign(answer.options)
    const thief = browser.copy()
    expect((await browser.step({ step: 'sign-in', response })).status).toBe(200)
    expect((await thief.step({ step: 'sign-in', response })).status).toBe(400)
    expect(await thief.user()).toBeNull()
  })

  it('refuses a disabled account, and leads a deactivated one to its reactivation', async () => {
    const { browser: owner, device } = await aPersonWithPasskey()
    const { db } = server.services
    await db
      .updateTable('users')
      .set({ deactivated_at: new Date() })
      .where('email', '=', owner.email)
      .execute()
    expect((await signsIn(device)).answer.to).toBe('/reactivate?next=%2Fmy-bookings')
    await db.updateTable('users').set({ disabled_at: new Date() }).where('email', '=', owner.email).execute()
    const refused = await signsIn(device)
    expect(refused.answer.message).toContain('disabled')
    expect(await refused.browser.user()).toBeNull()
  })

  it.each([
    {},
    { step: 'sign-in' },
    { step: 'sign-in', response: { id: 'x' } },
    { step: 'add', response: { id: '\u0000' } },
    'text',
  ])('answers %j with a refusal', async (body) => {
    const { status } = await new Browser().step(body as object)
    expect([400, 401]).toContain(status)
  })
})

describe('a passkey that a stranger or a thief made', () => {
  const tokenIn = (link: string) => new URL(link, server.origin).searchParams.get('token') ?? ''
  /** Presses the button of a mailed link. */
  const press = (browser: Browser, link: string, fields: Record<string, string> = {}) =>
    browser.post(link, { token: tokenIn(link), ...fields })
  const password = 'a quite new phrase'
  const RESET = /^Choose a new password/

  it('stops working once the holder of an address that was never proved resets the password', async () => {
    const { browser: stranger, device } = await aPersonWithPasskey()
    const holder = new Browser()
    await holder.post('/forgot-password', { email: stranger.email })
    const mail = await mailTo(server, stranger.email, RESET)
    expect((await press(holder, linkIn(mail), { password })).status).toBe(200)
    expect((await signsIn(device)).status).toBe(400)
    // A passkey of somebody who has proved the address stays.
    const own = aDevice()
    await holder.post('/login', { email: stranger.email, password })
    expect((await adds(holder, own)).status).toBe(200)
    await holder.post('/forgot-password', { email: stranger.email })
    const next = await mailTo(server, stranger.email, RESET, mail.messageId)
    expect((await press(holder, linkIn(next), { password: `${password} 2` })).status).toBe(200)
    expect((await signsIn(own)).status).toBe(200)
  })

  it('stops working after the undoing of an email change, even if it was made before the change', async () => {
    const { browser: owner } = await aPersonWithPasskey()
    await press(owner, linkIn(await mailTo(server, owner.email, /^Confirm your email/)), {
      intent: 'confirm',
    })
    const [thief, device] = [new Browser(), aDevice()]
    await thief.post('/login', { email: owner.email, password: PASSWORD })
    expect((await adds(thief, device)).status).toBe(200)
    const address = `thief-of-${owner.email}`
    await thief.post('/my-profile', { intent: 'email', email: address })
    await press(thief, linkIn(await mailTo(server, address, /^Confirm your new email/)), {
      intent: 'confirm',
    })
    const undo = linkIn(await mailTo(server, owner.email, /email was changed/))
    const reset = (await press(owner, undo)).headers.get('location') ?? ''
    expect((await press(owner, reset, { password })).status).toBe(200)
    expect((await signsIn(device)).status).toBe(400)
    // The mails about the change of how the thief logs in can still be answered.
    const refuse = linkIn(await mailTo(server, owner.email, /^How you log in/))
    expect((await press(owner, refuse)).headers.get('location')).toContain('/reset-password')
  })
})

describe('the passkeys in the settings, without script', () => {
  it('can be renamed and removed', async () => {
    const { browser, device } = await aPersonWithPasskey()
    const id = (await rowsOf(browser))[0]?.id ?? ''
    const empty = await browser.post(SETTINGS, { intent: 'passkey-rename', passkey: id, passkeyName: ' ' })
    expect(await empty.text()).toContain('Give it a name.')
    await browser.post(SETTINGS, { intent: 'passkey-rename', passkey: id, passkeyName: 'Kitchen laptop' })
    expect(await (await browser.get(SETTINGS)).text()).toContain('Kitchen laptop')
    await browser.post(SETTINGS, { intent: 'passkey-remove', passkey: id })
    expect(await rowsOf(browser)).toHaveLength(0)
    expect((await signsIn(device)).status).toBe(400)
  })

  it('can be renamed and removed after ten minutes only with a proof', async () => {
    const { browser } = await aPersonWithPasskey()
    const [row] = await rowsOf(browser)
    const rename = { intent: 'passkey-rename', passkey: row?.id ?? '', passkeyName: 'Work phone' }
    const remove = { intent: 'passkey-remove', passkey: row?.id ?? '' }
    for (const change of [rename, remove]) {
      await ageProofs(server.services.db, 11, browser.email)
      for (const proof of ['', 'not it'])
        expect((await browser.post(SETTINGS, { ...change, proof })).status).toBe(400)
      expect(await rowsOf(browser)).toHaveLength(1)
      expect((await browser.post(SETTINGS, { ...change, proof: PASSWORD })).status).toBe(200)
      expect((await rowsOf(browser)).map(({ name }) => name)).toEqual(change === rename ? ['Work phone'] : [])
    }
  })

  it('can’t be renamed or removed by a visitor or by someone else', async () => {
    const { browser } = await aPersonWithPasskey()
    const [row] = await rowsOf(browser)
    const passkey = row?.id ?? ''
    for (const stranger of [new Browser(), await aPerson()]) {
      await stranger.post(SETTINGS, { intent: 'passkey-rename', passkey, passkeyName: 'Mine' })
      await stranger.post(SETTINGS, { intent: 'passkey-remove', passkey })
      expect(await (await stranger.get(SETTINGS)).text()).not.toContain('Firefox on Linux, ')
    }
    expect(await rowsOf(browser)).toEqual([row])
  })

  it('appear in the export without their keys, and go with the account', async () => {
    const { browser, device } = await aPersonWithPasskey()
    const text = await (await browser.get('/settings-privacy/my-data.json')).text()
    expect(JSON.parse(text).passkeys).toMatchObject([{ name: 'Firefox on Linux', lastUsedAt: null }])
    const [row] = await rowsOf(browser)
    for (const part of [device.id, row?.public_key ?? '']) expect(text).not.toContain(part)
    await browser.post('/confirm-deletion', { intent: 'delete', password: PASSWORD })
    const left = await server.services.db
      .selectFrom('passkeys')
      .select('id')
      .where('id', '=', row?.id ?? '')
      .execute()
    expect(left).toEqual([])
  })
})
