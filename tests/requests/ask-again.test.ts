import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DOCUMENTS } from '../../app/features/agreements/rules.ts'
import { MINUTE_MS } from '../../app/shared/time-units.ts'
import { authenticatorCode, turnTwoStepOn } from '../authenticator.ts'
import { aBookingForm, aBusiness, TYPED_REGISTRATION } from '../builders.ts'
import { Client, PASSWORD } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { nextEventDate } from '../e2e/browser.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { aPasskeyDevice } from '../passkey-device.ts'
import { ageProofs } from '../proofs.ts'
import { startServer, type TestServer } from '../server.ts'

const SETUP = '/dashboard/payouts/setup'
const OPERATOR = 'operator@example.com'
const ACCEPT = { intent: 'accept', accepted: 'yes', version: DOCUMENTS.vendor_agreement.version }
const ASKS = 'Your password or a code'

let server: TestServer

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { PAYOUTS: 'sandbox', TRUSTED_PROXY: '1', OPERATOR_EMAILS: OPERATOR },
  })
})
afterAll(() => server.close())

let people = 0
async function aPerson(email = `asked-again-${++people}@example.com`): Promise<Client> {
  const browser = new Client(server)
  await browser.signUp(email)
  return browser
}

async function aVendor(): Promise<Client> {
  const browser = await aPerson()
  expect((await browser.post('/dashboard/register-business', TYPED_REGISTRATION)).status).toBe(200)
  return browser
}

const idOf = async ({ email }: Client) =>
  (
    await server.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id

const ages = (browser: Client, minutes: number) => ageProofs(server.services.db, minutes, browser.email)

const isAccepted = async (browser: Client) => {
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
    expect(await wrong.text()).toContain('neither your password nor a current code')
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
    const device = await aPasskey(vendor)
    await ages(vendor, 11)
    // With a second factor the password isn't enough.
    const byPassword = await vendor.post(SETUP, { ...ACCEPT, proof: PASSWORD })
    expect(byPassword.status).toBe(403)
    expect(await byPassword.text()).toContain('your password isn’t enough')
    const code = authenticatorCode(key, 1)
    expect((await vendor.post(SETUP, { ...ACCEPT, proof: code })).status).toBe(303)
    await ages(vendor, 11)
    expect((await vendor.post(SETUP, { intent: 'continue', proof: code })).status).toBe(403)
    await step(vendor, {
      step: 'sign-in',
      response: device.sign(await step(vendor, { step: 'begin-sign-in' })),
    })
    expect((await vendor.post(SETUP, { intent: 'continue' })).status).toBe(303)
  })

  it('takes nobody else’s password, and a proof in one browser is none in another', async () => {
    const vendor = await aVendor()
    const elsewhere = new Client(server)
    await elsewhere.post('/login', { email: vendor.email, password: PASSWORD })
    await ages(vendor, 11)
    const nobody = await new Client(server).post(SETUP, { ...ACCEPT, proof: PASSWORD })
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
    const what = { amount: '10.00', borneBy: 'operator', reason: 'Rain on the day.' }
    const refund = { intent: 'refund', id, seen: '45500', ...what }
    const refunds = () => db.selectFrom('payment_actions').select('id').where('kind', '=', 'refund').execute()
    await ages(operator, 11)
    expect((await operator.post(`/operations/payments/${id}`, refund)).status).toBe(403)
    expect((await operator.post(`/operations/payments/${id}`, { ...refund, proof: 'not it' })).status).toBe(
      403,
    )
    expect(await refunds()).toHaveLength(0)
    // An operation that moves no money asks for no proof.
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

describe('a change of email', () => {
  const PROFILE = '/my-profile'
  const asks = (to: string) => ({ intent: 'email', email: to })
  const SENT = 'We have sent a link to'
  let asked = 0
  const anAddress = () => `asked-for-${++asked}@example.com`

  it('asks for nothing within ten minutes of the login', async () => {
    const person = await aPerson()
    expect(await (await person.get(PROFILE)).text()).not.toContain(ASKS)
    const sent = await person.post(PROFILE, asks(anAddress()))
    expect(await sent.text()).toContain(SENT)
  })

  it('asks after ten minutes, keeps what was typed but no proof, and takes the password', async () => {
    const person = await aPerson()
    await ages(person, 11)
    expect(await (await person.get(PROFILE)).text()).toContain(ASKS)
    const to = anAddress()
    const refused = await person.post(PROFILE, asks(to))
    expect(refused.status).toBe(400)
    const html = await refused.text()
    expect(html).toContain('To go on, enter your password or a code from your app.')
    expect(html).toContain(`value="${to}"`)
    const wrong = await person.post(PROFILE, { ...asks(to), proof: 'not it' })
    expect(wrong.status).toBe(400)
    const shown = await wrong.text()
    expect(shown).toContain('neither your password nor a current code')
    expect(shown).not.toContain('value="not it"')
    // An address that can't be taken is refused before anything is asked.
    const same = await person.post(PROFILE, asks(person.email))
    expect(await same.text()).not.toContain('To go on, enter')
    expect(await (await person.post(PROFILE, { ...asks(to), proof: PASSWORD })).text()).toContain(SENT)
  })

  it('takes a code, also where the account has no address of its own', async () => {
    const person = await aPerson()
    const key = await turnTwoStepOn(person)
    await server.services.db
      .updateTable('users')
      .set({ detached_email: person.email })
      .where('email', '=', person.email)
      .execute()
    await ages(person, 11)
    expect(await (await person.get('/new-email')).text()).toContain(ASKS)
    const to = anAddress()
    expect((await person.post('/new-email', { email: to })).status).toBe(400)
    const sent = await person.post('/new-email', { email: to, proof: authenticatorCode(key, 1) })
    expect(await sent.text()).toContain(SENT)
  })

  it('takes a passkey', async () => {
    const person = await aPerson()
    const device = await aPasskey(person)
    await ages(person, 11)
    expect((await proves(person, device)).status).toBe(200)
    expect(await (await person.post(PROFILE, asks(anAddress()))).text()).toContain(SENT)
  })

  it('doesn’t make a password a proof for the payout account of a vendor with a second factor', async () => {
    const vendor = await aVendor()
    await turnTwoStepOn(vendor)
    await ages(vendor, 11)
    const sent = await vendor.post(PROFILE, { ...asks(anAddress()), proof: PASSWORD })
    expect(await sent.text()).toContain(SENT)
    expect((await vendor.post(SETUP, ACCEPT)).status).toBe(403)
    // Nor does the new session of a changed password.
    const changed = { intent: 'password', currentPassword: PASSWORD, newPassword: 'a jacaranda in bloom' }
    await vendor.post('/settings-privacy.data', changed)
    expect(await vendor.user()).not.toBeNull()
    expect((await vendor.post(SETUP, ACCEPT)).status).toBe(403)
    expect(await isAccepted(vendor)).toBe(false)
  })

  it('sends a visitor to the login, and takes nobody else’s proof', async () => {
    const to = anAddress()
    const nobody = await new Client(server).post(PROFILE, { ...asks(to), proof: PASSWORD })
    expect(nobody.headers.get('location')).toContain('/login')
    const person = await aPerson()
    await ages(person, 11)
    await aPerson()
    expect((await person.post(PROFILE, asks(to))).status).toBe(400)
  })
})

describe('the deletion of an account', () => {
  const DELETE = '/confirm-deletion'
  const exists = async ({ email }: Client) => {
    const rows = await server.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .execute()
    return rows.length > 0
  }

  it('asks for nothing within ten minutes of the login', async () => {
    const person = await aPerson()
    expect(await (await person.get(DELETE)).text()).not.toContain(ASKS)
    expect((await person.post(DELETE, { intent: 'delete' })).status).toBe(302)
    expect(await exists(person)).toBe(false)
  })

  it.each<Record<string, string>>([{}, { intent: '' }, { intent: 'x' }, { proof: PASSWORD }])(
    'isn’t what a form without its intent asks for: %j',
    async (fields) => {
      const person = await aPerson()
      expect((await person.post(DELETE, fields)).status).toBe(400)
      expect(await exists(person)).toBe(true)
    },
  )

  it('asks after ten minutes, and takes the password or a passkey', async () => {
    for (const way of ['password', 'passkey'] as const) {
      const person = await aPerson()
      const device = await aPasskey(person)
      await ages(person, 11)
      expect(await (await person.get(DELETE)).text()).toContain(ASKS)
      for (const proof of ['', 'not it']) {
        expect((await person.post(DELETE, { intent: 'delete', proof })).status).toBe(400)
        expect(await exists(person)).toBe(true)
      }
      if (way === 'passkey') expect((await proves(person, device)).status).toBe(200)
      const proof = way === 'password' ? PASSWORD : ''
      expect((await person.post(DELETE, { intent: 'delete', proof })).status).toBe(302)
      expect(await exists(person)).toBe(false)
    }
  })
})

describe('a proof by passkey', () => {
  it('counts for this session alone, opens no other, and is noted with the passkey', async () => {
    const vendor = await aVendor()
    const device = await aPasskey(vendor)
    const elsewhere = new Client(server)
    await elsewhere.post('/login', { email: vendor.email, password: PASSWORD })
    await ages(vendor, 11)
    const cookies = new Map(vendor.cookies)
    const { db } = server.services
    const sessions = () => db.selectFrom('sessions').select('id').orderBy('id').execute()
    const before = await sessions()
    expect((await proves(vendor, device)).status).toBe(200)
    expect(await sessions()).toEqual(before)
    expect(vendor.cookies).toEqual(cookies)
    expect((await vendor.post(SETUP, ACCEPT)).status).toBe(303)
    expect((await elsewhere.post(SETUP, { intent: 'continue' })).status).toBe(403)
    const used = await db
      .selectFrom('passkeys')
      .select('last_used_at')
      .where('user_id', '=', await idOf(vendor))
      .executeTakeFirstOrThrow()
    expect(used.last_used_at).toBeInstanceOf(Date)
  })

  it('counts as two factors', async () => {
    const vendor = await aVendor()
    await turnTwoStepOn(vendor)
    const device = await aPasskey(vendor)
    await ages(vendor, 11)
    expect((await proves(vendor, device)).status).toBe(200)
    expect((await vendor.post(SETUP, ACCEPT)).status).toBe(303)
  })

  it('answers 401 to a visitor, and 400 to an account without passkeys', async () => {
    const nobody = new Client(server)
    expect((await sendStep(nobody, { step: 'begin-proof' })).status).toBe(401)
    expect((await sendStep(nobody, { step: 'prove', response: { id: 'x' } })).status).toBe(401)
    const person = await aPerson()
    expect((await sendStep(person, { step: 'begin-proof' })).status).toBe(400)
    expect(await (await person.get('/confirm-deletion')).text()).not.toContain('Use a passkey')
  })

  it.each<[attack: string, attempt: (person: Client, device: Device) => Promise<Step>]>([
    [
      'another account’s passkey',
      async (person) => {
        const stranger = await aPerson()
        return proves(person, await aPasskey(stranger))
      },
    ],
    [
      'a used challenge',
      async (person, device) => {
        const options = await step(person, { step: 'begin-proof' })
        const response = device.sign(options)
        expect((await sendStep(person, { step: 'prove', response })).status).toBe(200)
        await ages(person, 11)
        return sendStep(person, { step: 'prove', response: device.sign(options) })
      },
    ],
    [
      'the challenge of another session of the account',
      async (person, device) => {
        const elsewhere = new Client(server)
        await elsewhere.post('/login', { email: person.email, password: PASSWORD })
        const options = await step(elsewhere, { step: 'begin-proof' })
        await step(person, { step: 'begin-proof' })
        return sendStep(person, { step: 'prove', response: device.sign(options) })
      },
    ],
    [
      'the challenge of a login',
      async (person, device) => {
        const options = await step(person, { step: 'begin-sign-in' })
        await step(person, { step: 'begin-proof' })
        return sendStep(person, { step: 'prove', response: device.sign(options) })
      },
    ],
    [
      'a challenge that wasn’t asked for',
      (person, device) =>
        sendStep(person, {
          step: 'prove',
          response: device.sign({ challenge: 'bWFkZS11cA', rpId: new URL(server.origin).hostname }),
        }),
    ],
    [
      'a challenge older than five minutes',
      async (person, device) => {
        const options = await step(person, { step: 'begin-proof' })
        await server.services.db
          .updateTable('sessions')
          .set({ proof_challenge_ends_at: new Date(Date.now() - 1_000) })
          .where('user_id', '=', await idOf(person))
          .execute()
        return sendStep(person, { step: 'prove', response: device.sign(options) })
      },
    ],
    [
      'a device that didn’t check the person',
      (person, device) => {
        device.stopVerifying()
        return proves(person, device)
      },
    ],
    [
      'another site',
      async (person, device) => {
        const response = device.sign(await step(person, { step: 'begin-proof' }))
        const text = Buffer.from(response.response.clientDataJSON ?? '', 'base64url').toString()
        const data = { ...JSON.parse(text), origin: 'https://evil.example' }
        response.response.clientDataJSON = Buffer.from(JSON.stringify(data)).toString('base64url')
        return sendStep(person, { step: 'prove', response })
      },
    ],
    [
      'a malformed response',
      async (person, device) => {
        await step(person, { step: 'begin-proof' })
        return sendStep(person, { step: 'prove', response: { id: device.id } })
      },
    ],
  ])('refuses %s, and notes it', async (_attack, attempt) => {
    const person = await aPerson()
    const device = await aPasskey(person)
    await ages(person, 11)
    expect((await attempt(person, device)).status).toBe(400)
    expect((await person.post('/confirm-deletion', { intent: 'delete' })).status).toBe(400)
    const noted = await server.services.db
      .selectFrom('security_events')
      .select('detail')
      .where('user_id', '=', await idOf(person))
      .where('kind', '=', 'proof-refused')
      .execute()
    expect(noted).toHaveLength(1)
  })

  it('lets one of two answers at the same moment through', async () => {
    const person = await aPerson()
    const device = await aPasskey(person)
    const options = await step(person, { step: 'begin-proof' })
    const answers = await Promise.all(
      [device.sign(options), device.sign(options)].map((response) =>
        sendStep(person, { step: 'prove', response }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('offers a passkey in the form that asks, of an account that has one', async () => {
    const person = await aPerson()
    await aPasskey(person)
    await ages(person, 11)
    // The button comes with the script: the document has the flag for it.
    expect(await (await person.get('/confirm-deletion')).text()).toContain('byPasskey')
  })
})

describe('a change of how an account logs in', () => {
  const SETTINGS = '/settings-privacy'

  type Act = (browser: Client, passkey: string, proof?: string) => Promise<{ status: number }>
  const acts: Record<string, Act> = {
    'adding a passkey': (browser, _passkey, proof) => sendStep(browser, { step: 'begin-adding', proof }),
    'renaming a passkey': (browser, passkey, proof = '') =>
      browser.post(SETTINGS, { intent: 'passkey-rename', passkey, passkeyName: 'Changed', proof }),
    'removing a passkey': (browser, passkey, proof = '') =>
      browser.post(SETTINGS, { intent: 'passkey-remove', passkey, proof }),
    'setting two-step login up': (browser, _passkey, proof = '') =>
      browser.post(SETTINGS, { intent: 'two-step-begin', proof }),
    'making new recovery codes': (browser, _passkey, proof = '') =>
      browser.post(SETTINGS, { intent: 'two-step-codes', proof }),
    'turning two-step login off': (browser, _passkey, proof = '') =>
      browser.post(SETTINGS, { intent: 'two-step-off', proof }),
  }
  const NEEDS_FACTOR = ['making new recovery codes', 'turning two-step login off']
  const cases = Object.entries(acts)

  async function stateOf(browser: Client) {
    const { db } = server.services
    const userId = await idOf(browser)
    const passkeys = db.selectFrom('passkeys').select(['id', 'name']).where('user_id', '=', userId)
    const factors = db.selectFrom('second_factors').selectAll().where('user_id', '=', userId)
    return { passkeys: await passkeys.execute(), factors: await factors.execute() }
  }

  async function aCarefulPerson({ hasFactor }: { hasFactor: boolean }) {
    const person = await aPerson()
    const device = await aPasskey(person)
    const key = hasFactor ? await turnTwoStepOn(person) : ''
    const passkey = (await stateOf(person)).passkeys[0]?.id ?? ''
    return { person, device, key, passkey }
  }

  it.each(cases)('asks for nothing within ten minutes of a proof: %s', async (name, act) => {
    const { person, passkey } = await aCarefulPerson({ hasFactor: NEEDS_FACTOR.includes(name) })
    expect(await (await person.get(SETTINGS)).text()).not.toContain(ASKS)
    expect((await act(person, passkey)).status).toBe(200)
  })

  it.each(cases.filter(([name]) => !NEEDS_FACTOR.includes(name)))(
    'asks an account without a second factor for its password after ten minutes: %s',
    async (_name, act) => {
      const { person, passkey } = await aCarefulPerson({ hasFactor: false })
      await ages(person, 11)
      const before = await stateOf(person)
      expect((await act(person, passkey)).status).toBe(400)
      expect((await act(person, passkey, 'not it')).status).toBe(400)
      expect(await stateOf(person)).toEqual(before)
      expect((await act(person, passkey, PASSWORD)).status).toBe(200)
    },
  )

  it.each(cases.filter(([name]) => name !== 'setting two-step login up'))(
    'takes a code or a passkey, not the password, of an account with a second factor: %s',
    async (_name, act) => {
      const { person, device, key, passkey } = await aCarefulPerson({ hasFactor: true })
      await ages(person, 11)
      const before = await stateOf(person)
      for (const proof of [undefined, PASSWORD, '000000'])
        expect((await act(person, passkey, proof)).status).toBe(400)
      expect(await stateOf(person)).toEqual(before)
      // A password that was given for something else doesn't count either.
      await person.post('/my-profile', { intent: 'email', email: 'else@example.com', proof: PASSWORD })
      expect((await act(person, passkey)).status).toBe(400)
      expect((await act(person, passkey, authenticatorCode(key, 1))).status).toBe(200)

      const other = await aCarefulPerson({ hasFactor: true })
      await ages(other.person, 11)
      expect((await proves(other.person, other.device)).status).toBe(200)
      expect((await act(other.person, other.passkey)).status).toBe(200)
      expect(device.id).not.toBe(other.device.id)
    },
  )

  it.each(cases)('does nothing for nobody, nor to someone else’s account: %s', async (_name, act) => {
    const { person, passkey } = await aCarefulPerson({ hasFactor: true })
    const before = await stateOf(person)
    expect([302, 401]).toContain((await act(new Client(server), passkey, PASSWORD)).status)
    const { person: stranger } = await aCarefulPerson({ hasFactor: true })
    await act(stranger, passkey)
    expect(await stateOf(person)).toEqual(before)
  })

  it('says which proof is enough', async () => {
    const { person } = await aCarefulPerson({ hasFactor: true })
    await ages(person, 11)
    const html = await (await person.get(SETTINGS)).text()
    expect(html).toContain('Code from your app')
    expect(html).not.toContain(ASKS)
    const refused = await person.post(SETTINGS, { intent: 'two-step-off', proof: PASSWORD })
    expect(await refused.text()).toContain('Your password isn’t enough here.')
  })

  it('doesn’t show the key of a set-up that was left open to a person who comes later', async () => {
    const person = await aPerson()
    await person.post(SETTINGS, { intent: 'two-step-begin' })
    await server.services.db
      .updateTable('second_factors')
      .set({ created_at: new Date(Date.now() - 16 * MINUTE_MS) })
      .where('user_id', '=', await idOf(person))
      .execute()
    const late = await person.post(SETTINGS, { intent: 'two-step-on', code: '000000' })
    expect(late.status).toBe(400)
    const html = await late.text()
    expect(html).toContain('longer than 15 minutes')
    expect(html).not.toContain('select-all')
    expect(html).toContain('Set up two-step login')
  })
})

type Step = { status: number; options: object; message: string | undefined }

async function sendStep(browser: Client, body: object): Promise<Step> {
  const response = await browser.postJson('/api/passkey', body)
  const { options = {}, message } = (await response.json()) as { options?: object; message?: string }
  return { status: response.status, options, message }
}

const step = async (browser: Client, body: object) => (await sendStep(browser, body)).options

type Device = ReturnType<typeof aPasskeyDevice>

async function aPasskey(browser: Client): Promise<Device> {
  const device = aPasskeyDevice({ origin: server.origin })
  const options = await step(browser, { step: 'begin-adding' })
  expect((await sendStep(browser, { step: 'add', response: device.make(options) })).status).toBe(200)
  return device
}

const proves = async (browser: Client, device: Device) =>
  sendStep(browser, {
    step: 'prove',
    response: device.sign(await step(browser, { step: 'begin-proof' })),
  })
