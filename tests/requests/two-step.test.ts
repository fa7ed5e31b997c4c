import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueLink } from '../../app/adapters/accounts/account-links.server.ts'
import { authenticatorCode, keyIn } from '../authenticator.ts'
import { Client, PASSWORD } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { ageProofs } from '../proofs.ts'
import { linkIn, mailTo } from '../sent-mails.ts'
import { startServer, type TestServer } from '../server.ts'

const SETTINGS = '/settings-privacy'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
})
afterAll(() => server.close())

let people = 0
async function aPerson(): Promise<Client> {
  const browser = new Client(server)
  await browser.signUp(`two-step-${++people}@example.com`)
  return browser
}

const codesIn = (html: string) =>
  [...html.matchAll(/<li>((?:[0-9a-z]{4}-){5}[0-9a-z]{4})<\/li>/g)].map(([, code]) => code ?? '')

/** Sets two-step login up with forms alone, and lets the codes of this minute be used again. */
async function aCarefulPerson() {
  const browser = await aPerson()
  const key = keyIn(await (await browser.post(SETTINGS, { intent: 'two-step-begin' })).text())
  const page = await (
    await browser.post(SETTINGS, { intent: 'two-step-on', code: authenticatorCode(key) })
  ).text()
  await server.services.db.updateTable('second_factors').set({ last_step: null }).execute()
  return { browser, key, page, recoveryCodes: codesIn(page) }
}

async function givePassword(email: string, next = '/my-bookings') {
  const browser = new Client(server)
  const response = await browser.post(`/login?next=${encodeURIComponent(next)}`, {
    email,
    password: PASSWORD,
  })
  return { browser, response }
}

describe('two-step login in the settings, without script', () => {
  it('shows the key and its QR code to a person who has proved themselves lately', async () => {
    const browser = await aPerson()
    await ageProofs(server.services.db, 11, browser.email)
    const refused = await browser.post(SETTINGS, { intent: 'two-step-begin', proof: 'not it' })
    expect(refused.status).toBe(400)
    const html = await refused.text()
    expect(html).toContain('neither your password nor a current code')
    expect(keyIn(html)).toBe('')
    const begun = await (await browser.post(SETTINGS, { intent: 'two-step-begin', proof: PASSWORD })).text()
    expect(keyIn(begun)).toMatch(/^[A-Z2-7]{32,}$/)
    expect(begun).toContain('QR code with the key below')
    // It is shown by the form's own response alone.
    expect(keyIn(await (await browser.get(SETTINGS)).text())).toBe('')
  })

  it('shows the same key beside the refusal of a wrong code', async () => {
    const browser = await aPerson()
    const begun = await (await browser.post(SETTINGS, { intent: 'two-step-begin' })).text()
    const refused = await browser.post(SETTINGS, { intent: 'two-step-on', code: '000000' })
    expect(refused.status).toBe(400)
    const html = await refused.text()
    expect(html).toContain('This code isn’t right')
    expect(keyIn(html)).toBe(keyIn(begun))
  })

  it('shows the recovery codes once, and as a text file', async () => {
    const { browser, page, recoveryCodes } = await aCarefulPerson()
    expect(recoveryCodes).toHaveLength(8)
    expect(page).toContain('Two-step login is on.')
    const file = decodeURIComponent(/href="data:text\/plain;charset=utf-8,([^"]+)"/.exec(page)?.[1] ?? '')
    for (const code of recoveryCodes) expect(file.split('\n')).toContain(code)
    const later = await (await browser.get(SETTINGS)).text()
    expect(codesIn(later)).toEqual([])
    expect(later).toContain('8 recovery codes left.')
  })

  it.each<Record<string, string>>([
    { intent: 'two-step-begin' },
    { intent: 'two-step-on', code: '123456' },
    { intent: 'two-step-codes' },
    { intent: 'two-step-off' },
  ])('sends nobody to /login for $intent, and changes nothing of another account', async (fields) => {
    const { browser } = await aCarefulPerson()
    const before = await server.services.db.selectFrom('second_factors').selectAll().orderBy('id').execute()
    const response = await new Client(server).post(SETTINGS, fields)
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toContain('/login')
    const stranger = await aPerson()
    await stranger.post(SETTINGS, fields)
    const after = await server.services.db.selectFrom('second_factors').selectAll().orderBy('id').execute()
    const ids = new Set(before.map(({ id }) => id))
    expect(after.filter(({ id }) => ids.has(id))).toEqual(before)
    expect(await (await browser.get(SETTINGS)).text()).toContain('8 recovery codes left.')
  })

  it('appears in the export without any secret', async () => {
    const { browser, key, recoveryCodes } = await aCarefulPerson()
    const text = await (await browser.get('/settings-privacy/my-data.json')).text()
    expect(JSON.parse(text).secondFactor).toEqual({ since: expect.any(String) })
    const row = await server.services.db
      .selectFrom('second_factors')
      .innerJoin('users', 'users.id', 'second_factors.user_id')
      .select(['secret', 'backup_codes'])
      .where('users.email', '=', browser.email)
      .executeTakeFirstOrThrow()
    const hashes = JSON.parse(row.backup_codes) as string[]
    for (const secret of [key, row.secret, ...recoveryCodes, ...hashes]) expect(text).not.toContain(secret)
  })

  it('goes with the account', async () => {
    const { browser } = await aCarefulPerson()
    const count = () => server.services.db.selectFrom('second_factors').selectAll().execute()
    const before = (await count()).length
    await browser.post('/confirm-deletion', { intent: 'delete', password: PASSWORD })
    expect(await count()).toHaveLength(before - 1)
  })
})

describe('two-step login at /login, without script', () => {
  it('asks for the code, and leads to where the visitor was going', async () => {
    const { browser: owner, key } = await aCarefulPerson()
    const { browser, response } = await givePassword(owner.email)
    expect(response.status).toBe(302)
    const step = response.headers.get('location') ?? ''
    expect(step).toBe('/login/code?next=%2Fmy-bookings')
    expect(await browser.user()).toBeNull()
    expect(browser.cookies.has('jubilee_signed_in')).toBe(false)
    const screen = await browser.get(step)
    expect(await screen.text()).toContain('Enter your code')
    const wrong = await browser.post(step, { intent: 'code', code: '000000' })
    expect(wrong.status).toBe(400)
    const html = await wrong.text()
    expect(html).toContain('This code isn’t right')
    expect(html).not.toContain('value="000000"')
    const right = await browser.post(step, { intent: 'code', code: authenticatorCode(key) })
    expect(right.headers.get('location')).toBe('/my-bookings')
    expect((await browser.user())?.email).toBe(owner.email)
  })

  it('takes a recovery code', async () => {
    const { browser: owner, recoveryCodes } = await aCarefulPerson()
    const { browser } = await givePassword(owner.email)
    const enter = () =>
      browser.post('/login/code', { intent: 'recovery-code', recoveryCode: recoveryCodes[0] ?? '' })
    expect((await enter()).status).toBe(302)
    const again = (await givePassword(owner.email)).browser
    const refused = await again.post('/login/code', {
      intent: 'recovery-code',
      recoveryCode: recoveryCodes[0] ?? '',
    })
    expect(await refused.text()).toContain('This recovery code isn’t right, or has already been used')
  })

  it('leads nobody past the password', async () => {
    const { key } = await aCarefulPerson()
    const nobody = new Client(server)
    expect(await (await nobody.get('/login/code')).text()).toContain('Log in again')
    const response = await nobody.post('/login/code', { intent: 'code', code: authenticatorCode(key) })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Log in again')
    expect(await nobody.user()).toBeNull()
  })

  it('ends the session that the browser had', async () => {
    const { browser: owner } = await aCarefulPerson()
    const other = await aPerson()
    const before = other.copy()
    await other.post('/login', { email: owner.email, password: PASSWORD })
    expect(await before.user()).toBeNull()
  })

  it('leads a deactivated account to its reactivation', async () => {
    const { browser: owner, key } = await aCarefulPerson()
    await server.services.db
      .updateTable('users')
      .set({ deactivated_at: new Date() })
      .where('email', '=', owner.email)
      .execute()
    const { browser } = await givePassword(owner.email)
    const done = await browser.post('/login/code?next=%2Fmy-bookings', {
      intent: 'code',
      code: authenticatorCode(key),
    })
    expect(done.headers.get('location')).toBe('/reactivate?next=%2Fmy-bookings')
  })

  it('tells the person about a new device only after the code', async () => {
    const { browser: owner, key } = await aCarefulPerson()
    const devices = () =>
      server.services.db
        .selectFrom('known_devices')
        .innerJoin('users', 'users.id', 'known_devices.user_id')
        .select('device')
        .where('users.email', '=', owner.email)
        .where('device', '=', 'Safari on Mac')
        .execute()
    const agent = { headers: { 'user-agent': 'Mozilla/5.0 (Macintosh) Version/19.0 Safari/605.1.15' } }
    const browser = new Client(server)
    await browser.post('/login', { email: owner.email, password: PASSWORD }, agent)
    expect(await devices()).toHaveLength(0)
    await browser.post('/login/code', { intent: 'code', code: authenticatorCode(key) }, agent)
    expect(await devices()).toHaveLength(1)
  })
})

describe('a mail about a change of how somebody logs in', () => {
  const SUBJECT = /^How you log in to Jubilee has changed/

  it('carries a link that removes the second factor of a thief, signs everybody out, and leads to a new password', async () => {
    const { browser: thief } = await aCarefulPerson()
    const mail = await mailTo(server, thief.email, SUBJECT)
    expect(mail.text).toContain('Two-step login was turned on for your account.')
    const token = linkIn(mail).split('token=')[1] ?? ''
    const owner = new Client(server)
    expect((await owner.post('/not-me', { token: 'of another' })).status).toBe(400)
    expect((await thief.user())?.email).toBe(thief.email)

    const pressed = await owner.post('/not-me', { token })
    expect(await thief.user()).toBeNull()
    const reset = pressed.headers.get('location') ?? ''
    const fields = { token: reset.split('token=')[1] ?? '', password: 'a second password' }
    expect((await owner.post('/reset-password', fields)).status).toBe(200)
    // No code is asked for.
    await owner.post('/login', { email: thief.email, password: 'a second password' })
    expect((await owner.user())?.email).toBe(thief.email)
  })

  it('also goes, without a link into the account, to an address that the account has just left', async () => {
    const { browser } = await aCarefulPerson()
    const { db } = server.services
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', browser.email)
      .executeTakeFirstOrThrow()
    const left = `left-${browser.email}`
    await issueLink(db, { kind: 'undo-email-change', userId: id, email: left, now: new Date() })
    await browser.post(SETTINGS, { intent: 'two-step-off' })
    const mail = await mailTo(server, left, SUBJECT)
    expect(mail.text).toContain('Two-step login was turned off for your account.')
    expect(mail.text).not.toContain('token=')
    expect((await mailTo(server, browser.email, SUBJECT)).text).toContain('/not-me?token=')
  })
})
