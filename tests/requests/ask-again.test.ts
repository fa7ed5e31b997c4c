import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS } from '../../app/features/agreements/rules.ts'
import { authenticatorCode } from '../authenticator.ts'
import { aBookingForm, aBusiness, TYPED_REGISTRATION } from '../builders.ts'
import { openTestDatabase } from '../database.ts'
import { nextEventDate } from '../e2e/browser.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { FormBrowser } from '../form-browser.ts'
import { aPasskeyDevice } from '../passkey-device.ts'
import { startServer, type TestServer } from '../server.ts'

const PASSWORD = 'under the jacaranda'
const SETUP = '/dashboard/payouts/setup'
const OPERATOR = 'operator@example.com'
const ACCEPT = { intent: 'accept', accepted: 'yes', version: DOCUMENTS.vendor_agreement.version }
const ASKS = 'Your password or a code'
const MINUTE_MS = 60_000

let server: TestServer

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { PAYOUTS: 'sandbox', TRUSTED_PROXY: '1', OPERATOR_EMAILS: OPERATOR },
  })
})
afterAll(() => server.close())

let people = 0
async function aPerson(email = `asked-again-${++people}@example.com`): Promise<FormBrowser> {
  const browser = new FormBrowser(server)
  browser.email = email
  await browser.post('/signup', { displayName: 'Robin Vale', email, password: PASSWORD })
  return browser
}

async function aVendor(): Promise<FormBrowser> {
  const browser = await aPerson()
  expect((await browser.post('/dashboard/register-business', TYPED_REGISTRATION)).status).toBe(200)
  return browser
}

const idOf = async ({ email }: FormBrowser) =>
  (
    await server.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id

/** Moves the sign-in and every proof of a person into the past. */
async function ages(browser: FormBrowser, minutes: number): Promise<void> {
  const at = new Date(Date.now() - minutes * MINUTE_MS)
  const { db } = server.services
  const userId = await idOf(browser)
  await db.updateTable('sessions').set({ created_at: at }).where('user_id', '=', userId).execute()
  await db
    .updateTable('sessions')
    .set({ proved_at: at })
    .where('user_id', '=', userId)
    .where('proved_at', 'is not', null)
    .execute()
}

const isAccepted = async (browser: FormBrowser) => {
  const rows = await server.services.db
    .selectFrom('acceptances')
    .select('version')
    .where('user_id', '=', await idOf(browser))
    .execute()
  return rows.length > 0
}

describe('the payout setup', () => {
  it('doesn’t ask within ten minutes of the login', async () => {
    const vendor = await aVendor()
    await ages(vendor, 9)
    expect((await vendor.post(SETUP, ACCEPT)).status).toBe(303)
  })

  it('asks after ten minutes, changes nothing before, and keeps what was ticked', async () => {
    const vendor = await aVendor()
    expect(await (await vendor.get(SETUP)).text()).not.toContain(ASKS)
    await ages(vendor, 11)
    const asked = await vendor.post(SETUP, ACCEPT)
    expect(asked.status).toBe(403)
    const html = await asked.text()
    expect(html).toContain(ASKS)
    expect(html).toMatch(/<input[^>]*name="accepted"[^>]*checked/)
    const wrong = await vendor.post(SETUP, { ...ACCEPT, proof: 'not it' })
    expect(wrong.status).toBe(403)
    expect(await wrong.text()).toContain('neither your password nor a code')
    expect(await isAccepted(vendor)).toBe(false)
    expect((await vendor.post(SETUP, { ...ACCEPT, proof: PASSWORD })).status).toBe(303)
    expect(await isAccepted(vendor)).toBe(true)
    // The proof lasts ten minutes in turn.
    await server.services.db
      .updateTable('sessions')
      .set({ created_at: new Date(Date.now() - 60 * MINUTE_MS) })
      .where('user_id', '=', await idOf(vendor))
      .execute()
    expect((await vendor.post(SETUP, { intent: 'continue' })).status).toBe(303)
    await ages(vendor, 11)
    expect((await vendor.post(SETUP, { intent: 'continue' })).status).toBe(403)
  })

  it('asks before a fresh link of the provider, too', async () => {
    const vendor = await aVendor()
    await vendor.post(SETUP, ACCEPT)
    expect((await vendor.get('/dashboard/payouts/refresh')).headers.get('location')).toMatch(
      /\/sandbox\/account\//,
    )
    await ages(vendor, 11)
    const led = await vendor.get('/dashboard/payouts/refresh')
    expect(led.headers.get('location')).toBe(`${SETUP}?problem=proof_needed`)
    expect(await (await vendor.get(`${SETUP}?problem=proof_needed`)).text()).toContain(ASKS)
  })

  it('takes a code once, or a passkey, of a vendor with a second factor, and not the password', async () => {
    const vendor = await aVendor()
    const key = await turnTwoStepOn(vendor)
    await ages(vendor, 11)
    // With a second factor the password isn't enough.
    const byPassword = await vendor.post(SETUP, { ...ACCEPT, proof: PASSWORD })
    expect(byPassword.status).toBe(403)
    expect(await byPassword.text()).toContain('your password isn’t enough')
    const code = authenticatorCode(key, 1)
    expect((await vendor.post(SETUP, { ...ACCEPT, proof: code })).status).toBe(303)
    await ages(vendor, 11)
    expect((await vendor.post(SETUP, { intent: 'continue', proof: code })).status).toBe(403)
    const device = aPasskeyDevice({ origin: server.origin })
    await step(vendor, {
      step: 'add',
      response: device.make(await step(vendor, { step: 'begin-adding', password: PASSWORD })),
    })
    await step(vendor, {
      step: 'sign-in',
      response: device.sign(await step(vendor, { step: 'begin-sign-in' })),
    })
    expect((await vendor.post(SETUP, { intent: 'continue' })).status).toBe(303)
  })

  it('takes nobody else’s password, and a proof in one browser is none in another', async () => {
    const vendor = await aVendor()
    const elsewhere = new FormBrowser(server)
    await elsewhere.post('/login', { email: vendor.email, password: PASSWORD })
    await ages(vendor, 11)
    const nobody = await new FormBrowser(server).post(SETUP, { ...ACCEPT, proof: PASSWORD })
    expect(nobody.headers.get('location')).toContain('/login')
    expect((await vendor.post(SETUP, { ...ACCEPT, proof: PASSWORD })).status).toBe(303)
    expect((await elsewhere.post(SETUP, { intent: 'continue' })).status).toBe(403)
  })

  it('limits wrong proofs', async () => {
    const vendor = await aVendor()
    await ages(vendor, 11)
    for (let guess = 0; guess < 10; guess++) await vendor.post(SETUP, { ...ACCEPT, proof: `guess ${guess}` })
    expect((await vendor.post(SETUP, { ...ACCEPT, proof: PASSWORD })).status).toBe(429)
  })
})

describe('an operator’s refund', () => {
  it('asks after ten minutes, and gives nothing back before', async () => {
    const operator = await aPerson(OPERATOR)
    const { db } = server.services
    await db.updateTable('users').set({ email_verified: true }).where('email', '=', OPERATOR).execute()
    const { id: businessId } = await aBusiness(db, { place_id: 'melbourne-vic' })
    await bookAndPay(server.services, {
      businessId,
      amountCents: 45_500,
      booking: aBookingForm({ date: nextEventDate() }),
    })
    const { id } = await db.selectFrom('payments').select('id').executeTakeFirstOrThrow()
    const refund = { intent: 'refund', id, amount: '10.00', borneBy: 'operator', reason: 'Rain on the day.' }
    const refunds = () => db.selectFrom('payment_actions').select('id').where('kind', '=', 'refund').execute()
    await ages(operator, 11)
    expect((await operator.post(`/operations/payments/${id}`, refund)).status).toBe(403)
    expect((await operator.post(`/operations/payments/${id}`, { ...refund, proof: 'not it' })).status).toBe(
      403,
    )
    expect(await refunds()).toHaveLength(0)
    // What gives no money isn't asked for.
    expect((await operator.post(`/operations/payments/${id}`, { intent: 'ask', id })).status).toBe(200)
    const customer = await aPerson()
    const stranger = await customer.post(`/operations/payments/${id}`, { ...refund, proof: PASSWORD })
    expect(stranger.status).toBe(404)
    expect((await operator.post(`/operations/payments/${id}`, { ...refund, proof: PASSWORD })).status).toBe(
      200,
    )
    expect(await refunds()).toHaveLength(1)
  })
})

async function turnTwoStepOn(browser: FormBrowser): Promise<string> {
  const html = await (
    await browser.post('/settings-privacy', { intent: 'two-step-begin', password: PASSWORD })
  ).text()
  const key = (/select-all[^>]*>([A-Z2-7 ]+)</.exec(html)?.[1] ?? '').replaceAll(' ', '')
  await browser.post('/settings-privacy', { intent: 'two-step-on', code: authenticatorCode(key, -1) })
  return key
}

async function step(browser: FormBrowser, body: object): Promise<object> {
  const response = await browser.send('/api/passkey', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', origin: server.origin },
  })
  return ((await response.json()) as { options?: object }).options ?? {}
}
