import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../app/shared/ids.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aSandboxAccount } from '../account-form.ts'
import { type RequestOptions, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let off: TestServer
let account = ''
beforeAll(async () => {
  const settings = { openDatabase: openTestDatabase, demo: true }
  server = await startServer({ ...settings, listen: true, env: { PAYOUTS: 'sandbox' } })
  off = await startServer(settings)
})
afterAll(async () => {
  await server.close()
  await off.close()
})
beforeEach(async () => {
  account = await aSandboxAccount(server.services)
})

function sandboxOf({ services }: TestServer) {
  if (!services.sandbox) throw new Error('The tests run on the sandbox.')
  return services.sandbox
}

async function operate(operation: string, body: object) {
  const answer = await sendTo(server, `/api/sandbox/${operation}`, { json: body, headers: server.keyHeader })
  return { status: answer.status, body: (await answer.json()) as { error?: { code: string } } }
}

async function snapshotOf(reference: string) {
  const answer = await sandboxOf(server).payouts.retrieveAccount(reference)
  if (!answer.ok) throw new Error(answer.message)
  return answer.snapshot
}

/** Pays the account a share of a new charge. */
async function transferTo(reference: string): Promise<void> {
  const sandbox = sandboxOf(server)
  const group = newId()
  const made = await sandbox.create({
    paymentId: group,
    amountCents: 870_000,
    currency: 'aud',
    description: 'The Walled Garden',
    statementSuffix: 'WALLED GARDEN',
    idempotencyKey: newId(),
  })
  if (!made.ok) throw new Error(made.message)
  const card = { cardNumber: '4242424242424242', expiry: '12 / 40', cvc: '123' }
  await sandbox.confirmCard({ ...card, clientSecret: made.clientSecret })
  const input = { account: reference, amountCents: 783_000, charge: made.reference, group }
  expect(await sandbox.payouts.transfer({ ...input, transferId: newId() })).toMatchObject({ ok: true })
}

async function newestPayout(reference: string) {
  const answer = await sandboxOf(server).payouts.listBankPayouts({
    account: reference,
    createdSince: new Date(0),
    after: null,
  })
  return answer.ok ? answer.payouts[0] : undefined
}

describe('the sandbox’s operations of accounts', () => {
  it('complete, restrict and refuse an account', async () => {
    expect((await operate('account', { account, step: 'complete' })).status).toBe(200)
    expect(await snapshotOf(account)).toMatchObject({ transfers: 'active', bankLast4: '3456' })
    expect((await operate('account', { account, step: 'restrict' })).status).toBe(200)
    expect(await snapshotOf(account)).toMatchObject({ transfers: 'restricted', isRejected: false })
    expect((await operate('account', { account, step: 'review' })).status).toBe(200)
    expect(await snapshotOf(account)).toMatchObject({ transfers: 'pending', isRejected: false })
    expect((await operate('account', { account, step: 'reject', webhooks: 'late' })).status).toBe(200)
    expect(await snapshotOf(account)).toMatchObject({ isRejected: true })
    const again = await operate('account', { account, step: 'complete' })
    expect([again.status, again.body.error?.code]).toEqual([409, 'rejected'])
  })

  it('let a payout arrive, or come back even after that', async () => {
    await operate('account', { account, step: 'complete' })
    const none = await operate('payout', { account, step: 'pay' })
    expect([none.status, none.body.error?.code]).toEqual([409, 'no_payout'])
    await transferTo(account)
    await operate('clock', { days: 2 })
    await sandboxOf(server).runDueWork()
    expect(await newestPayout(account)).toMatchObject({ state: 'in_transit', amountCents: 783_000 })
    expect((await operate('payout', { account, step: 'pay' })).status).toBe(200)
    expect(await newestPayout(account)).toMatchObject({ state: 'paid' })
    expect((await operate('payout', { account, step: 'fail' })).status).toBe(200)
    expect(await newestPayout(account)).toMatchObject({ state: 'failed', failureReason: 'account_closed' })
    const [own] = (await sandboxOf(server).payouts.listAccounts(50)).filter(
      ({ reference }) => reference === account,
    )
    expect(own).toMatchObject({ availableCents: 783_000, missing: ['bank'] })
  })

  it('date a payout by the day on which its money became available, however far the clock moves', async () => {
    await operate('account', { account, step: 'complete' })
    await transferTo(account)
    await operate('clock', { days: 30 })
    await sandboxOf(server).runDueWork()
    const payout = await newestPayout(account)
    expect(payout?.state).toBe('paid')
    expect(server.services.now().getTime() - (payout?.createdAt.getTime() ?? 0)).toBeGreaterThan(27 * DAY_MS)
  })

  it('stand on the console with what is missing, unless payouts are off', async () => {
    const page = async (of: TestServer) => (await sendTo(of, '/sandbox', { headers: of.keyHeader })).text()
    const html = await page(server)
    expect(html).toContain('Accounts of vendors')
    expect(html).toContain(account)
    expect(html).toContain('Complete the account')
    await aSandboxAccount(off.services)
    expect(await page(off)).not.toContain('Accounts of vendors')
  })
})

describe('the test provider’s form', () => {
  const returnUrl = () => `${server.origin}/dashboard?back`
  const refreshUrl = () => `${server.origin}/dashboard?again`

  async function aLink(): Promise<string> {
    const link = await sandboxOf(server).payouts.createOnboardingLink({
      account,
      returnUrl: returnUrl(),
      refreshUrl: refreshUrl(),
    })
    return link.ok ? new URL(link.url).pathname : ''
  }

  async function open(path: string, options: RequestOptions = {}) {
    const answer = await sendTo(server, path, options)
    return { status: answer.status, to: answer.headers.get('location'), html: await answer.text() }
  }

  const fill = (path: string, fields: Record<string, string>) => open(path, { fields })

  const person = { step: 'person', givenName: 'Ines', surname: 'Marlow', dateOfBirth: '1990-01-31' }

  it('leads from a link to ‘done’ without JavaScript, and back to the product', async () => {
    const session = (await open(await aLink())).to ?? ''
    expect(session).toMatch(/^\/sandbox\/account\/\w+$/)
    expect((await open(session)).html).toContain('About you')
    expect(await fill(session, person)).toMatchObject({ status: 302, to: session })
    expect((await open(session)).html).toContain('Your bank account')
    expect(await fill(session, { step: 'bank', bsb: '110-000', account: '000 123 456' })).toMatchObject({
      to: session,
    })
    expect((await open(session)).html).toContain('Agree and send')
    expect(await fill(session, { step: 'confirm' })).toMatchObject({ status: 302, to: returnUrl() })
    expect(await snapshotOf(account)).toMatchObject({ transfers: 'active', bankLast4: '3456' })
    expect((await open(session)).html).toContain('Everything is here')
  })

  it('opens a link once, can be reloaded, and is resumed by another link', async () => {
    const link = await aLink()
    expect((await open(link, { method: 'HEAD' })).status).toBe(200)
    const session = (await open(link)).to ?? ''
    expect(await open(link)).toMatchObject({ status: 302, to: refreshUrl() })
    await fill(session, person)
    expect((await open(session)).status).toBe(200)
    const resumed = (await open(await aLink())).to ?? ''
    expect((await open(resumed)).html).toContain('Your bank account')
  })

  it('leads to the refresh address once it has expired', async () => {
    const link = await aLink()
    const session = (await open(await aLink())).to ?? ''
    await operate('clock', { hours: 2 })
    for (const path of [link, session]) expect(await open(path)).toMatchObject({ to: refreshUrl() })
    expect(await fill(session, person)).toMatchObject({ status: 302, to: session })
  })

  it.each([
    [{ ...person, givenName: '' }, 'Enter a given name'],
    [{ ...person, surname: 'x'.repeat(101) }, 'Enter a surname'],
    [{ ...person, dateOfBirth: '2990-01-31' }, 'Enter a date of birth'],
    [{ ...person, dateOfBirth: '1990-02-31' }, 'Enter a date of birth'],
    [{ step: 'bank', bsb: '062000', account: '000123456' }, 'Enter the test BSB'],
    [{ step: 'bank', bsb: '110000', account: '12345678' }, 'Enter one of the two test account numbers'],
    [{ step: 'confirm' }, 'Complete the other steps first'],
  ])('refuses %j beside its field and keeps what was typed', async (fields, message) => {
    const session = (await open(await aLink())).to ?? ''
    const answer = await fill(session, fields)
    expect([422, 409]).toContain(answer.status)
    expect(answer.html).toContain(message)
    for (const [name, value] of Object.entries(fields))
      if (value && name !== 'step') expect(answer.html).toContain(`value="${value}"`)
    expect((await snapshotOf(account)).isSubmitted).toBe(false)
  })

  it('answers 404 for a token that never existed', async () => {
    expect((await open('/sandbox/account/none')).status).toBe(404)
    expect(await fill('/sandbox/account/none', { step: 'confirm' })).toMatchObject({
      status: 302,
      to: '/sandbox/account/none',
    })
  })
})

describe('the webhooks of payouts', () => {
  const paths = ['/webhooks/connected-accounts', '/webhooks/accounts']

  /** Sends an event as a provider does, which is another site. */
  async function statusOf(of: TestServer, path: string, body: string, signature = '', origin?: string) {
    const answer = await sendTo(of, path, {
      body,
      headers: { origin, 'content-type': 'application/json', 'sandbox-signature': signature },
    })
    return answer.status
  }

  it('store the sandbox’s events once, and answer 200', async () => {
    await operate('account', { account, step: 'complete', webhooks: 'twice' })
    await sandboxOf(server).settleDeliveries()
    const stored = await server.services.db
      .selectFrom('payment_events')
      .select(['type', 'provider', 'processed_at'])
      .where('provider_reference', '=', account)
      .orderBy('type')
      .execute()
    expect(stored.map(({ type }) => type)).toEqual([
      'v2.core.account[configuration.recipient].capability_status_updated',
      'v2.core.account[requirements].updated',
    ])
    expect(stored.every(({ provider, processed_at }) => provider === 'sandbox' && processed_at)).toBe(true)
  })

  it.each(paths)('refuse a wrong signature, a huge body and other methods at %s', async (path) => {
    expect(await statusOf(server, path, '{}')).toBe(400)
    expect(await statusOf(server, path, '{}', 't=1,v1=00')).toBe(400)
    // A provider is another site.
    expect(await statusOf(server, path, '{}', '', 'https://stripe.com')).toBe(400)
    // The server refuses it before its signature is checked.
    expect(await statusOf(server, path, 'x'.repeat(300_000))).toBe(413)
    expect((await sendTo(server, path)).status).toBe(405)
  })

  it.each(paths)('don’t exist without payouts at %s', async (path) => {
    expect(await statusOf(off, path, '{}')).toBe(404)
  })
})
