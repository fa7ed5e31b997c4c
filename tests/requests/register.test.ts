import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TYPED_REGISTRATION } from '../builders.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

/** ABNs of the sandbox's table. */
const CANCELLED = '47999999901'
const TRUST = '79999999904'
const OUTAGE = '60999999905'

const FORM = '/dashboard/register-business'

let server: TestServer
let vendor: Client
let other: Client

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
  vendor = await signsUp('nia@example.com')
  other = await signsUp('robin@example.com')
})
afterAll(() => server.close())

async function signsUp(email: string): Promise<Client> {
  const person = new Client(server)
  await person.signUp(email)
  return person
}

async function looksUp(person: Client, abn: string) {
  const answer = await person.get(`/api/business-register?abn=${abn}`)
  return { status: answer.status, cache: answer.headers.get('cache-control'), body: await answer.json() }
}

async function pageOf(person: Client): Promise<string> {
  return (await (await person.get(FORM)).text()).replaceAll('<!-- -->', '')
}

describe('a look-up of an ABN', () => {
  it('answers 401 to a visitor who isn’t signed in', async () => {
    expect(await looksUp(new Client(server), TRUST)).toMatchObject({
      status: 401,
      body: { ok: false, reason: 'signed_out' },
    })
  })

  it('tells a signed-in person what the register has, in an answer that nobody keeps', async () => {
    expect(await looksUp(vendor, TRUST)).toEqual({
      status: 200,
      cache: expect.stringMatching(/no-store/),
      body: {
        ok: true,
        text: 'In the Australian Business Register: The Trustee for the Tall Poppies Trust, Tall Poppies Flowers. Active since 1 July 2000. Registered for GST since 1 July 2000.',
        businessName: 'Tall Poppies Flowers',
        structure: 'Trust',
      },
    })
  })

  it('fills in nothing of a cancelled ABN', async () => {
    const { body } = await looksUp(vendor, CANCELLED)
    expect(body).toMatchObject({
      text: 'In the Australian Business Register: CLOSED DOORS PTY LTD. Cancelled on 1 October 2026.',
      businessName: '',
      structure: null,
    })
  })

  it('answers an outage and wrong digits without a line', async () => {
    expect(await looksUp(vendor, OUTAGE)).toMatchObject({ status: 503, body: { reason: 'unavailable' } })
    for (const abn of ['51824753557', '', '1', '51%20824%20753%20556'])
      expect(await looksUp(vendor, abn)).toMatchObject({ status: 400, body: { reason: 'not_an_abn' } })
  })
})

describe('a registration without JavaScript', () => {
  it('shows what the register denies, to its vendor alone, and asks again', async () => {
    const saved = await vendor.post(FORM, { ...TYPED_REGISTRATION, abn: CANCELLED })
    expect(saved.status).toBe(200)
    // A job asks.
    await expect.poll(() => pageOf(vendor), { timeout: 20_000 }).toContain('Your ABN is cancelled')
    const denied = await pageOf(vendor)
    expect(denied).toContain('Cancelled on 1 October 2026.')
    expect(denied).toContain('Ask again')
    expect(await pageOf(other)).not.toContain('Cancelled on')

    const checkOf = () =>
      server.services.db
        .selectFrom('register_answers')
        .select('last_at')
        .where('abn', '=', CANCELLED)
        .executeTakeFirstOrThrow()
    const before = await checkOf()
    const asStranger = await new Client(server).post(FORM, { intent: 'ask-register' })
    expect([302, 401]).toContain(asStranger.status)
    expect((await other.post(FORM, { intent: 'ask-register' })).status).toBe(404)
    expect(await checkOf()).toEqual(before)
    expect((await vendor.post(FORM, { intent: 'ask-register' })).status).toBe(200)
    expect((await checkOf()).last_at > before.last_at).toBe(true)
  })
})
