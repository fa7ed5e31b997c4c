import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authenticatorCode, turnTwoStepOn } from '../authenticator.ts'
import { Client, PASSWORD } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { aPasskeyDevice } from '../passkey-device.ts'
import { startServer, type TestServer } from '../server.ts'

const SETTINGS = '/settings-privacy'
const EMAILS = ['one', 'two', 'three', 'four'].map((name) => `operator-${name}@example.com`)

let server: TestServer
let factorFrom = new Date(0)

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { TRUSTED_PROXY: '1', OPERATOR_EMAILS: EMAILS.join(',') },
    // As outside the demo.
    changeConfig: (config) => ({
      ...config,
      get operatorFactorFrom() {
        return factorFrom
      },
    }),
  })
})
afterAll(() => server.close())

async function anOperator(email = ''): Promise<Client> {
  const browser = new Client(server)
  await browser.signUp(email)
  await server.services.db
    .updateTable('users')
    .set({ email_verified: true })
    .where('email', '=', email)
    .execute()
  return browser
}

async function step(browser: Client, body: object): Promise<object> {
  const response = await browser.postJson('/api/passkey', body)
  return ((await response.json()) as { options?: object }).options ?? {}
}

describe('the operations outside the demo', () => {
  it('lead an operator without a second factor to the settings, and perform nothing', async () => {
    const operator = await anOperator(EMAILS[0])
    for (const response of [
      await operator.get('/operations'),
      await operator.post('/operations/reviews', {}),
    ]) {
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe('/settings-privacy?operations=1#two-step')
    }
    const page = await (await operator.get('/settings-privacy?operations=1')).text()
    expect(page).toContain('Operations need a second step')
    await turnTwoStepOn(operator)
    expect((await operator.get('/operations')).status).toBe(200)
  })

  it('stay hidden from nobody and everybody else', async () => {
    const stranger = new Client(server)
    expect((await stranger.get('/operations')).status).toBe(404)
    await stranger.signUp('kim@example.com', { displayName: 'Kim' })
    await turnTwoStepOn(stranger)
    expect((await stranger.get('/operations')).status).toBe(404)
  })

  it('open after a login with a code, and for the session that a change of the password leaves', async () => {
    const operator = await anOperator(EMAILS[1])
    const key = await turnTwoStepOn(operator)
    const elsewhere = new Client(server)
    await elsewhere.post('/login', { email: operator.email, password: PASSWORD })
    expect((await elsewhere.get('/operations')).status).toBe(404)
    await elsewhere.post('/login/code', { intent: 'code', code: authenticatorCode(key, 1) })
    expect((await elsewhere.get('/operations')).status).toBe(200)
    const change = { intent: 'password', currentPassword: PASSWORD, newPassword: `${PASSWORD}!` }
    await elsewhere.post(SETTINGS, change)
    const left = await server.services.db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('is_strong')
      .where('users.email', '=', operator.email)
      .execute()
    expect(left).toEqual([{ is_strong: true }])
  })

  it('open after a login with a passkey, not with the password of the same account', async () => {
    const operator = await anOperator(EMAILS[2])
    const device = aPasskeyDevice({ origin: server.origin })
    await step(operator, {
      step: 'add',
      response: device.make(await step(operator, { step: 'begin-adding' })),
    })
    expect((await operator.get('/operations')).status).toBe(302)
    const elsewhere = new Client(server)
    await step(elsewhere, {
      step: 'sign-in',
      response: device.sign(await step(elsewhere, { step: 'begin-sign-in' })),
    })
    expect((await elsewhere.get('/operations')).status).toBe(200)
  })

  it('open without a second factor until the time of the setting', async () => {
    const operator = await anOperator(EMAILS[3])
    factorFrom = new Date(Date.now() + 3_600_000)
    expect((await operator.get('/operations')).status).toBe(200)
    factorFrom = new Date(0)
    expect((await operator.get('/operations')).status).toBe(302)
  })
})
