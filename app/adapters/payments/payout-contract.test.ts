import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aClock, TEST_SECRET } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { type StripeServer, startStripeServer } from '../../../tests/stripe-server.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { DatabaseConnection } from '../database/port.ts'
import type { BankPayoutSnapshot, PayoutProvider } from './payout-port.ts'
import { createSandboxProvider, type SandboxProvider } from './sandbox.server.ts'
import { createStripeProvider } from './stripe.server.ts'
import { STRIPE_SIGNATURE_HEADER } from './stripe-client.server.ts'
import { createStripePayouts } from './stripe-payouts.server.ts'

let connection: DatabaseConnection
let server: Server
let stripe: StripeServer
let address = ''
let received: { path: string; body: string; headers: Headers }[] = []
const clock = aClock()
const SECRETS = {
  webhookSecret: 'whsec_test0000000000000000000000',
  connectWebhookSecret: 'whsec_test1111111111111111111111',
  accountsWebhookSecret: 'whsec_test2222222222222222222222',
}
/** The path of Stripe's OpenAPI description, which is not part of the repository. */
const descriptionPath = process.env.STRIPE_OPENAPI

beforeAll(async () => {
  connection = await openTestDatabase()
  stripe = await startStripeServer({ descriptionPath, webhookSecret: SECRETS.webhookSecret, now: clock.now })
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      path: request.url ?? '',
      body: Buffer.concat(chunks).toString(),
      headers: toHeaders(request.headers),
    })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await connection.close()
  await stripe.close()
})

function toHeaders(headers: IncomingHttpHeaders): Headers {
  return new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]))
}

function openSandbox(): SandboxProvider {
  return createSandboxProvider({
    db: connection.db,
    secret: TEST_SECRET,
    now: clock.now,
    webhookUrl: (webhook) => `${address}/${webhook}`,
    onboardingUrl: (token) => `${address}/form/${token}`,
  })
}

const atStripe = () => ({
  secretKey: 'sk_test_0000000000000000',
  publishableKey: 'pk_test_0000000000000000',
  ...SECRETS,
  now: clock.now,
  host: '127.0.0.1',
  port: stripe.port,
  protocol: 'http' as const,
  retries: 0,
})

/** An adapter under test, with the provider's own moves. */
type Subject = {
  provider: PayoutProvider
  /** Whether the account shows its bank account before the first payout. */
  showsBankAtOnce: boolean
  settle?(): Promise<void>
  /** Charges a card. @returns the provider's id of the payment and of its group */
  charge(amountCents: number): Promise<{ reference: string; group: string }>
  refund(reference: string, amountCents: number): Promise<string>
  dispute(reference: string): Promise<void>
  /** Lets the vendor fill in the provider's form. */
  complete(account: string, bank?: 'good' | 'returning'): Promise<void>
  restrict(account: string): Promise<void>
  reject(account: string): Promise<void>
  /** Two days later, so that charges are available, with the provider's daily work done. */
  passTwoDays(): Promise<void>
}

const subjects: { name: string; open: () => Subject }[] = [
  {
    name: 'sandbox',
    open() {
      const sandbox = openSandbox()
      return {
        provider: sandbox.payouts,
        showsBankAtOnce: true,
        settle: () => sandbox.settleDeliveries(),
        async charge(amountCents) {
          const group = newId()
          const made = await sandbox.create({
            paymentId: group,
            amountCents,
            currency: 'aud',
            description: 'The Walled Garden',
            statementSuffix: 'WALLED GARDEN',
            idempotencyKey: newId(),
          })
          if (!made.ok) throw new Error(made.message)
          const card = { cardNumber: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123' }
          await sandbox.confirmCard({ ...card, clientSecret: made.clientSecret })
          return { reference: made.reference, group }
        },
        async refund(reference, amountCents) {
          const made = await sandbox.refund({ reference, amountCents, idempotencyKey: newId() })
          if (!made.ok) throw new Error(made.message)
          return made.refund.reference
        },
        async dispute(reference) {
          expect(await sandbox.openDispute(reference, 'dispute')).toEqual({ ok: true })
        },
        async complete(account, bank = 'good') {
          const { payouts } = sandbox
          const link = await payouts.createOnboardingLink({
            account,
            returnUrl: 'https://jubilee.test/return',
            refreshUrl: 'https://jubilee.test/refresh',
          })
          const linkToken = link.ok ? link.url.split('/').at(-1) : undefined
          const opened = await payouts.openAccountForm(linkToken ?? '')
          if (opened?.outcome !== 'session') throw new Error('The form did not open.')
          const { token } = opened
          const person = { givenName: 'Ines', surname: 'Marlow', dateOfBirth: '1990-01-31' }
          await payouts.saveAccountStep(token, { step: 'person', ...person })
          const number = bank === 'good' ? '000123456' : '111111116'
          await payouts.saveAccountStep(token, { step: 'bank', bsb: '110000', account: number })
          const done = await payouts.saveAccountStep(token, { step: 'confirm' })
          expect(done).toEqual({ ok: true, isComplete: true, returnUrl: 'https://jubilee.test/return' })
        },
        async restrict(account) {
          expect(await sandbox.payouts.moveAccount(account, 'restrict')).toEqual({ ok: true })
        },
        async reject(account) {
          expect(await sandbox.payouts.moveAccount(account, 'reject')).toEqual({ ok: true })
        },
        async passTwoDays() {
          clock.forward(2 * DAY_MS)
          await sandbox.runDueWork()
        },
      }
    },
  },
  {
    name: 'Stripe, with its own library',
    open() {
      const payments = createStripeProvider(atStripe())
      return {
        provider: createStripePayouts(atStripe()),
        showsBankAtOnce: false,
        async charge(amountCents) {
          const group = newId()
          const made = await payments.create({
            paymentId: group,
            amountCents,
            currency: 'aud',
            description: 'The Walled Garden',
            statementSuffix: 'WALLED GARDEN',
            idempotencyKey: newId(),
          })
          if (!made.ok) throw new Error(made.message)
          stripe.pay(made.clientSecret)
          return { reference: made.reference, group }
        },
        async refund(reference, amountCents) {
          const made = await payments.refund({ reference, amountCents, idempotencyKey: newId() })
          if (!made.ok) throw new Error(made.message)
          return made.refund.reference
        },
        dispute: async (reference) => stripe.dispute(reference, 'dispute'),
        complete: async (account, bank = 'good') => stripe.payouts.complete(account, bank),
        restrict: async (account) => stripe.payouts.setStanding(account, 'restricted'),
        reject: async (account) => stripe.payouts.setStanding(account, 'rejected'),
        async passTwoDays() {
          clock.forward(2 * DAY_MS)
          stripe.payouts.runPayouts()
        },
      }
    },
  },
]

describe.each(subjects)('the payout provider contract: $name', ({ open }) => {
  let subject: Subject
  let provider: PayoutProvider

  beforeEach(() => {
    subject = open()
    provider = subject.provider
    clock.forward(DAY_MS)
  })
  afterEach(() => subject.settle?.())

  const aVendor = () => ({
    accountId: newId(),
    email: 'vendor@jubilee.example',
    registeredName: 'Walled Garden Pty Ltd',
    entityType: 'company' as const,
    abn: '51824753556',
    idempotencyKey: newId(),
  })

  async function anAccount(bank?: 'good' | 'returning'): Promise<string> {
    const made = await provider.createAccount(aVendor())
    if (!made.ok) throw new Error(made.message)
    await subject.complete(made.reference, bank)
    return made.reference
  }

  async function snapshotOf(reference: string) {
    const answer = await provider.retrieveAccount(reference)
    if (!answer.ok) throw new Error(answer.message)
    return answer.snapshot
  }

  async function transfer(input: Parameters<PayoutProvider['transfer']>[0]) {
    const made = await provider.transfer(input)
    if (!made.ok) throw new Error(made.message)
    return made.transfer
  }

  async function payoutsOf(account: string): Promise<BankPayoutSnapshot[]> {
    const answer = await provider.listBankPayouts({ account, createdSince: new Date(0), after: null })
    if (!answer.ok) throw new Error(answer.message)
    return answer.payouts
  }

  describe('an account', () => {
    it('opens once for each key, waits for its vendor, and names our account', async () => {
      const input = aVendor()
      const answers = await Promise.all([1, 2, 3].map(() => provider.createAccount(input)))
      const references = new Set(answers.map((answer) => (answer.ok ? answer.reference : answer.message)))
      expect(references.size).toBe(1)
      const [reference = ''] = references
      const snapshot = await snapshotOf(reference)
      expect(snapshot).toMatchObject({
        reference,
        accountId: input.accountId,
        transfers: 'restricted',
        isSubmitted: false,
        isClosed: false,
        isRejected: false,
        bankLast4: null,
      })
      expect(snapshot.requirements.length).toBeGreaterThan(0)
      expect(snapshot.requirements.every(({ awaiting }) => awaiting === 'vendor')).toBe(true)
    })

    it('takes transfers once its form is complete', async () => {
      const account = await anAccount()
      expect(await snapshotOf(account)).toMatchObject({
        transfers: 'active',
        isSubmitted: true,
        requirements: [],
        bankLast4: subject.showsBankAtOnce ? '3456' : null,
      })
      expect(await provider.prepareAccount(account)).toEqual({ ok: true })
      expect(await provider.prepareAccount(account)).toEqual({ ok: true })
    })

    it('stops when the provider wants a document, with the time, and goes on afterwards', async () => {
      const account = await anAccount()
      await subject.restrict(account)
      const snapshot = await snapshotOf(account)
      expect(snapshot).toMatchObject({ transfers: 'restricted', isSubmitted: true, isRejected: false })
      expect(snapshot.requirements[0]?.dueAt).toBeInstanceOf(Date)
    })

    it('can be refused for good', async () => {
      const account = await anAccount()
      await subject.reject(account)
      expect(await snapshotOf(account)).toMatchObject({ isRejected: true })
    })

    it('can’t be found by another reference', async () => {
      expect(await provider.retrieveAccount('acct_nothing')).toMatchObject({
        ok: false,
        reason: 'unknown_account',
      })
    })
  })

  describe('a transfer', () => {
    it('moves a share of a charge before the charge is available, once for each id', async () => {
      const account = await anAccount()
      const { reference: charge, group } = await subject.charge(870_000)
      const transferId = newId()
      const input = { account, amountCents: 783_000, charge, group, transferId }
      const made = await Promise.all([1, 2, 3].map(() => transfer(input)))
      expect(new Set(made.map(({ reference }) => reference)).size).toBe(1)
      expect(made[0]).toMatchObject({ transferId, amountCents: 783_000, reversedCents: 0 })
      expect(await provider.listTransfers(group)).toEqual({ ok: true, transfers: [made[0]] })
      expect(await provider.transfer({ ...input, amountCents: 1 })).toMatchObject({
        ok: false,
        reason: 'refused',
      })
    })

    it('never exceeds its charge together with the others, even at the same time', async () => {
      const account = await anAccount()
      const { reference: charge, group } = await subject.charge(10_000)
      const made = await Promise.all(
        [1, 2, 3].map(() =>
          provider.transfer({ account, amountCents: 4_000, charge, group, transferId: newId() }),
        ),
      )
      expect(made.filter(({ ok }) => ok)).toHaveLength(2)
    })

    it('fails to an account that takes none', async () => {
      const { reference: charge, group } = await subject.charge(10_000)
      const made = await provider.createAccount(aVendor())
      const restricted = await anAccount()
      await subject.restrict(restricted)
      for (const account of ['acct_nothing', made.ok ? made.reference : '', restricted])
        expect(
          await provider.transfer({ account, amountCents: 100, charge, group, transferId: newId() }),
        ).toMatchObject({ ok: false, reason: 'refused' })
    })

    it('without a charge takes only what is available', async () => {
      const account = await anAccount()
      const { availableCents } = await balance()
      const input = { account, charge: null, group: null, transferId: newId() }
      expect(
        await provider.transfer({ ...input, amountCents: Math.max(availableCents, 0) + 1 }),
      ).toMatchObject({ ok: false, reason: 'refused' })
      await subject.charge(50_000)
      await subject.passTwoDays()
      expect(await provider.transfer({ ...input, amountCents: 10_000 })).toMatchObject({ ok: true })
    })
  })

  async function balance() {
    const answer = await provider.retrieveBalance()
    if (!answer.ok) throw new Error(answer.message)
    return answer
  }

  describe('a reversal', () => {
    it('brings parts of a transfer back, once for each id, and never more than it', async () => {
      const account = await anAccount()
      const { reference: charge, group } = await subject.charge(870_000)
      const made = await transfer({ account, amountCents: 783_000, charge, group, transferId: newId() })
      const input = { transfer: made.reference, amountCents: 391_500, reversalId: newId() }
      const first = await provider.reverse(input)
      expect(first).toMatchObject({
        ok: true,
        reversal: { reversalId: input.reversalId, transferReference: made.reference, amountCents: 391_500 },
      })
      expect(await provider.reverse(input)).toEqual(first)
      expect(await provider.reverse({ ...input, amountCents: 391_501, reversalId: newId() })).toMatchObject({
        ok: false,
        reason: 'refused',
      })
      const second = await provider.reverse({ ...input, reversalId: newId() })
      expect(second.ok).toBe(true)
      const listed = await provider.listReversals(made.reference)
      expect(listed.ok && listed.reversals.map(({ amountCents }) => amountCents)).toEqual([391_500, 391_500])
      expect(await provider.listTransfers(group)).toMatchObject({
        transfers: [{ reference: made.reference, reversedCents: 783_000 }],
      })
    })

    it('fails and moves nothing when the account is empty', async () => {
      const account = await anAccount()
      const { reference: charge, group } = await subject.charge(870_000)
      const made = await transfer({ account, amountCents: 783_000, charge, group, transferId: newId() })
      await subject.passTwoDays()
      expect(await payoutsOf(account)).toHaveLength(1)
      const before = await balance()
      expect(
        await provider.reverse({ transfer: made.reference, amountCents: 100, reversalId: newId() }),
      ).toMatchObject({ ok: false, reason: 'empty' })
      expect(await balance()).toEqual(before)
      expect(await provider.listReversals(made.reference)).toEqual({ ok: true, reversals: [] })
    })
  })

  describe('a payout', () => {
    it('takes the transfers of a day to the bank', async () => {
      const account = await anAccount()
      const { reference: charge, group } = await subject.charge(870_000)
      const input = { account, charge, group }
      const one = await transfer({ ...input, amountCents: 500_000, transferId: newId() })
      const other = await transfer({ ...input, amountCents: 283_000, transferId: newId() })
      expect(await payoutsOf(account)).toEqual([])
      await subject.passTwoDays()
      await subject.passTwoDays()
      const [payout, ...rest] = await payoutsOf(account)
      expect(rest).toEqual([])
      expect(payout).toMatchObject({ amountCents: 783_000, state: 'paid', failureReason: null })
      const taken = await provider.listTransfersOfPayout({ account, payout: payout?.reference ?? '' })
      expect(taken.ok && new Set(taken.transfers)).toEqual(new Set([one.reference, other.reference]))
      expect(await snapshotOf(account)).toMatchObject({ bankLast4: '3456' })
    })

    it('leaves the money on the account when it comes back, and pays it to the next bank account', async () => {
      const account = await anAccount('returning')
      const { reference: charge, group } = await subject.charge(870_000)
      const made = await transfer({ account, amountCents: 783_000, charge, group, transferId: newId() })
      await subject.passTwoDays()
      await subject.passTwoDays()
      expect(await payoutsOf(account)).toMatchObject([{ state: 'failed', amountCents: 783_000 }])
      expect((await snapshotOf(account)).requirements.length).toBeGreaterThan(0)
      await subject.complete(account, 'good')
      await subject.passTwoDays()
      await subject.passTwoDays()
      const [newest] = await payoutsOf(account)
      expect(newest).toMatchObject({ state: 'paid', amountCents: 783_000 })
      const taken = await provider.listTransfersOfPayout({ account, payout: newest?.reference ?? '' })
      expect(taken).toEqual({ ok: true, transfers: [made.reference] })
    })
  })

  describe('our balance', () => {
    it('moves with charges, refunds, disputes, transfers and reversals, to the cent', async () => {
      expect(await provider.preparePlatform()).toEqual({ ok: true })
      const before = await balance()
      const since = clock.now()
      const account = await anAccount()
      const { reference: charge, group } = await subject.charge(870_000)
      const made = await transfer({ account, amountCents: 783_000, charge, group, transferId: newId() })
      const refund = await subject.refund(charge, 435_000)
      const back = await provider.reverse({
        transfer: made.reference,
        amountCents: 391_500,
        reversalId: newId(),
      })
      const { reference: disputed } = await subject.charge(50)
      await subject.dispute(disputed)

      const answer = await provider.listMovements({ since, after: null })
      if (!answer.ok) throw new Error(answer.message)
      const seen = answer.movements.map(({ kind, reference, amountCents, feeCents }) => [
        kind,
        reference,
        amountCents,
        feeCents,
      ])
      expect(seen.reverse()).toEqual([
        ['charge', charge, 870_000, 14_820],
        ['transfer', made.reference, -783_000, 0],
        ['refund', refund, -435_000, 0],
        ['reversal', back.ok ? back.reversal.reference : '', 391_500, 0],
        ['charge', disputed, 50, 31],
        ['dispute', expect.any(String), -50, 2_500],
      ])
      const after = await balance()
      const moved = answer.movements.reduce((sum, one) => sum + one.amountCents - one.feeCents, 0)
      expect(after.availableCents + after.pendingCents - before.availableCents - before.pendingCents).toBe(
        moved,
      )
      expect(new Set(answer.movements.map(({ id }) => id)).size).toBe(6)
    })

    it('lists its movements since a moment page by page, each once, the newest first', async () => {
      await subject.charge(99)
      clock.forward(1_000)
      const since = clock.now()
      const made: string[] = []
      for (let count = 1; count <= 101; count++) made.unshift((await subject.charge(100 + count)).reference)
      const first = await provider.listMovements({ since, after: null })
      if (!first.ok || !first.next) throw new Error('There should be another page.')
      const second = await provider.listMovements({ since, after: first.next })
      if (!second.ok) throw new Error(second.message)
      expect(second.next).toBeNull()
      const seen = [...first.movements, ...second.movements].map(({ reference }) => reference)
      expect(seen).toEqual(made)
    })
  })
})

describe('the sandbox’s webhooks of payouts', () => {
  it('arrive at their own addresses, signed for that address alone', async () => {
    received = []
    const sandbox = openSandbox()
    const [, account] = await aSandboxAccount(sandbox)
    await sandbox.settleDeliveries()
    await sandbox.payouts.moveAccount(account, 'restrict')
    await sandbox.settleDeliveries()
    expect(received.some(({ body }) => body.includes(account))).toBe(true)
    for (const { path, body, headers } of received.filter((one) => one.body.includes(account))) {
      expect(path).toBe('/accounts')
      expect(sandbox.payouts.parseWebhook('accounts', body, headers)).toMatchObject({ account })
      expect(sandbox.payouts.parseWebhook('connected', body, headers)).toBeNull()
      expect(sandbox.parseWebhook(body, headers)).toBeNull()
      expect(sandbox.payouts.parseWebhook('accounts', `${body} `, headers)).toBeNull()
    }
  })

  it.each(['late', 'twice', 'never'] as const)('can arrive %s', async (fault) => {
    const sandbox = openSandbox()
    const [, account] = await aSandboxAccount(sandbox)
    await sandbox.settleDeliveries()
    await sandbox.runDueWork()
    received = []
    await sandbox.payouts.moveAccount(account, 'reject', fault)
    await sandbox.settleDeliveries()
    const delivered = () => received.filter(({ body }) => body.includes(account)).length
    const atOnce = delivered()
    await sandbox.runDueWork()
    const times = { late: [0, 1], twice: [2, 2], never: [0, 0] }
    expect([atOnce, delivered()]).toEqual(times[fault])
  })

  it('tell that an account is closed or looked at again', async () => {
    const sandbox = openSandbox()
    const [, account] = await aSandboxAccount(sandbox)
    await sandbox.settleDeliveries()
    received = []
    await sandbox.payouts.moveAccount(account, 'review')
    expect(await sandbox.payouts.retrieveAccount(account)).toMatchObject({
      snapshot: { transfers: 'pending', isSubmitted: true, requirements: [{ awaiting: 'provider' }] },
    })
    await sandbox.payouts.moveAccount(account, 'close')
    expect(await sandbox.payouts.retrieveAccount(account)).toMatchObject({ snapshot: { isClosed: true } })
    expect(await sandbox.payouts.moveAccount(account, 'complete')).toEqual({ ok: false, reason: 'rejected' })
    await sandbox.settleDeliveries()
    const events = received
      .filter(({ path, body }) => path === '/accounts' && body.includes(account))
      .map(({ body, headers }) => sandbox.payouts.parseWebhook('accounts', body, headers)?.type)
    expect(events).toContain('v2.core.account.closed')
    expect(events).toContain('v2.core.account[requirements].updated')
  })

  it('tell about payouts with their account', async () => {
    const sandbox = openSandbox()
    const [, account] = await aSandboxAccount(sandbox)
    await charge(sandbox, account)
    received = []
    clock.forward(2 * DAY_MS)
    await sandbox.runDueWork()
    await sandbox.settleDeliveries()
    const events = received
      .filter(({ path, body }) => path === '/connected' && body.includes(account))
      .map(({ body, headers }) => sandbox.payouts.parseWebhook('connected', body, headers))
    expect(events).toMatchObject([{ type: 'payout.created', account }])
  })
})

async function aSandboxAccount(sandbox: SandboxProvider): Promise<[string, string]> {
  const accountId = newId()
  const made = await sandbox.payouts.createAccount({
    accountId,
    email: 'vendor@jubilee.example',
    registeredName: 'Walled Garden',
    entityType: 'individual',
    abn: null,
    idempotencyKey: newId(),
  })
  if (!made.ok) throw new Error(made.message)
  expect(await sandbox.payouts.moveAccount(made.reference, 'complete')).toEqual({ ok: true })
  return [accountId, made.reference]
}

async function charge(sandbox: SandboxProvider, account: string) {
  const group = newId()
  const made = await sandbox.create({
    paymentId: group,
    amountCents: 10_000,
    currency: 'aud',
    description: 'The Walled Garden',
    statementSuffix: 'WALLED GARDEN',
    idempotencyKey: newId(),
  })
  if (!made.ok) throw new Error(made.message)
  const card = { cardNumber: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123' }
  await sandbox.confirmCard({ ...card, clientSecret: made.clientSecret })
  const input = { account, amountCents: 9_000, charge: made.reference, group, transferId: newId() }
  expect(await sandbox.payouts.transfer(input)).toMatchObject({ ok: true })
}

describe('the sandbox’s form of an account', () => {
  const urls = { returnUrl: 'https://jubilee.test/return', refreshUrl: 'https://jubilee.test/refresh' }

  async function aLink(sandbox: SandboxProvider, account: string): Promise<string> {
    const made = await sandbox.payouts.createOnboardingLink({ account, ...urls })
    if (!made.ok) throw new Error(made.message)
    return made.url.split('/').at(-1) ?? ''
  }

  it('opens a link once, even at the same time, and then leads to the refresh address', async () => {
    const sandbox = openSandbox()
    const [, account] = await aSandboxAccount(sandbox)
    const token = await aLink(sandbox, account)
    const opened = await Promise.all([1, 2, 3].map(() => sandbox.payouts.openAccountForm(token)))
    expect(opened.map((one) => one?.outcome).sort()).toEqual(['left', 'left', 'session'])
    expect(await sandbox.payouts.openAccountForm(token)).toEqual({ outcome: 'left', url: urls.refreshUrl })
    expect(await sandbox.payouts.openAccountForm('nothing')).toBeNull()
  })

  it('closes a link after five minutes, and its session after an hour', async () => {
    const sandbox = openSandbox()
    const [, account] = await aSandboxAccount(sandbox)
    const late = await aLink(sandbox, account)
    clock.forward(300_000)
    expect(await sandbox.payouts.openAccountForm(late)).toMatchObject({ outcome: 'left' })
    const opened = await sandbox.payouts.openAccountForm(await aLink(sandbox, account))
    const token = opened?.outcome === 'session' ? opened.token : ''
    expect(await sandbox.payouts.openAccountForm(token)).toMatchObject({ outcome: 'form' })
    clock.forward(3_600_000)
    expect(await sandbox.payouts.openAccountForm(token)).toMatchObject({ outcome: 'left' })
    expect(await sandbox.payouts.saveAccountStep(token, { step: 'confirm' })).toEqual({
      ok: false,
      reason: 'no_session',
    })
  })

  it('keeps the steps that are done, and can’t be sent before all of them are', async () => {
    const sandbox = openSandbox()
    const made = await sandbox.payouts.createAccount({
      accountId: newId(),
      email: 'vendor@jubilee.example',
      registeredName: 'Walled Garden',
      entityType: 'individual',
      abn: null,
      idempotencyKey: newId(),
    })
    const account = made.ok ? made.reference : ''
    const open = async () => {
      const opened = await sandbox.payouts.openAccountForm(await aLink(sandbox, account))
      return opened?.outcome === 'session' ? opened.token : ''
    }
    const first = await open()
    await sandbox.payouts.saveAccountStep(first, {
      step: 'person',
      givenName: 'Ines',
      surname: 'Marlow',
      dateOfBirth: '1990-01-31',
    })
    expect(await sandbox.payouts.saveAccountStep(first, { step: 'confirm' })).toEqual({
      ok: false,
      reason: 'incomplete',
    })
    const second = await sandbox.payouts.openAccountForm(await open())
    expect(second).toMatchObject({ form: { givenName: 'Ines', missing: ['bank', 'confirm'] } })
  })
})

describe('the Stripe adapter of payouts', () => {
  const vendor = () => ({
    accountId: newId(),
    email: 'vendor@jubilee.example',
    registeredName: 'Walled Garden Pty Ltd',
    entityType: 'company' as const,
    abn: '51824753556',
    idempotencyKey: newId(),
  })

  it('sends the account, its link and the settings of balances as agreed', async () => {
    const provider = createStripePayouts(atStripe())
    stripe.requests.length = 0
    const input = vendor()
    const made = await provider.createAccount(input)
    const account = made.ok ? made.reference : ''
    await provider.createOnboardingLink({
      account,
      returnUrl: 'https://jubilee.test/return',
      refreshUrl: 'https://jubilee.test/refresh',
    })
    await provider.prepareAccount(account)
    await provider.preparePlatform()
    expect(stripe.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      [
        'POST',
        '/v2/core/accounts',
        {
          contact_email: 'vendor@jubilee.example',
          display_name: 'Walled Garden Pty Ltd',
          dashboard: 'express',
          identity: {
            country: 'au',
            entity_type: 'company',
            business_details: {
              registered_name: 'Walled Garden Pty Ltd',
              id_numbers: [{ type: 'au_abn', value: '51824753556' }],
            },
          },
          configuration: {
            recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
          },
          defaults: {
            currency: 'aud',
            responsibilities: { fees_collector: 'application', losses_collector: 'application' },
          },
          metadata: { jubilee_account: input.accountId },
        },
      ],
      [
        'POST',
        '/v2/core/account_links',
        {
          account,
          use_case: {
            type: 'account_onboarding',
            account_onboarding: {
              refresh_url: 'https://jubilee.test/refresh',
              return_url: 'https://jubilee.test/return',
              collection_options: { fields: 'eventually_due' },
            },
          },
        },
      ],
      [
        'POST',
        '/v1/balance_settings',
        { payments: { debit_negative_balances: 'true', payouts: { schedule: { interval: 'daily' } } } },
      ],
      ['POST', '/v1/balance_settings', { payments: { payouts: { schedule: { interval: 'manual' } } } }],
    ])
    expect(stripe.requests.map(({ headers }) => headers['stripe-account'])).toEqual([
      undefined,
      undefined,
      account,
      undefined,
    ])
    expect(stripe.requests[0]?.headers['idempotency-key']).toBe(input.idempotencyKey)
  })

  it('makes one transfer and one reversal although the answers were lost and Stripe has forgotten the keys', async () => {
    const provider = createStripePayouts(atStripe())
    const payments = createStripeProvider(atStripe())
    const made = await provider.createAccount(vendor())
    const account = made.ok ? made.reference : ''
    stripe.payouts.complete(account, 'good')
    const group = newId()
    const paid = await payments.create({
      paymentId: group,
      amountCents: 20_000,
      currency: 'aud',
      description: 'The Walled Garden',
      statementSuffix: 'WALLED GARDEN',
      idempotencyKey: newId(),
    })
    if (!paid.ok) throw new Error(paid.message)
    stripe.pay(paid.clientSecret)
    const input = { account, amountCents: 5_000, charge: paid.reference, group, transferId: newId() }
    stripe.loseAnswerOf('POST /v1/transfers')
    expect(await provider.transfer(input)).toMatchObject({ ok: false, reason: 'unreachable' })
    stripe.forgetKeys()
    const found = await provider.transfer(input)
    expect(found).toMatchObject({ ok: true, transfer: { transferId: input.transferId } })
    expect(await provider.listTransfers(group)).toMatchObject({ transfers: { length: 1 } })

    const transfer = found.ok ? found.transfer.reference : ''
    const back = { transfer, amountCents: 2_000, reversalId: newId() }
    stripe.loseAnswerOf(`POST /v1/transfers/${transfer}/reversals`)
    expect(await provider.reverse(back)).toMatchObject({ reason: 'unreachable' })
    stripe.forgetKeys()
    expect(await provider.reverse(back)).toMatchObject({ ok: true })
    expect(await provider.listReversals(transfer)).toMatchObject({ reversals: { length: 1 } })
  })

  it('takes an answer that doesn’t come from Stripe for silence', async () => {
    const other = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{"hello":"there"}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const provider = createStripePayouts({ ...atStripe(), port })
    const transfer = { account: 'acct_1', amountCents: 1, charge: null, group: 'g', transferId: newId() }
    const calls = [
      provider.createAccount(vendor()),
      provider.createOnboardingLink({ account: 'acct_1', returnUrl: 'https://a', refreshUrl: 'https://b' }),
      provider.retrieveAccount('acct_1'),
      provider.prepareAccount('acct_1'),
      provider.preparePlatform(),
      provider.transfer(transfer),
      provider.listTransfers('g'),
      provider.reverse({ transfer: 'tr_1', amountCents: 1, reversalId: newId() }),
      provider.listReversals('tr_1'),
      provider.listBankPayouts({ account: 'acct_1', createdSince: new Date(0), after: null }),
      provider.listTransfersOfPayout({ account: 'acct_1', payout: 'po_1' }),
      provider.retrieveBalance(),
      provider.listMovements({ since: new Date(0), after: null }),
    ]
    for (const answer of await Promise.all(calls))
      expect(answer).toMatchObject({ ok: false, reason: 'unreachable' })
    other.closeAllConnections()
    await new Promise((resolve) => other.close(resolve))
  })

  it.each([429, 500, 503, 'silence'] as const)('doesn’t know what happened after %s', async (how) => {
    const provider = createStripePayouts(atStripe())
    // The library sends a request again whose connection was cut.
    stripe.fail(how, how === 'silence' ? 2 : 1)
    expect(await provider.createAccount(vendor())).toMatchObject({ ok: false, reason: 'unreachable' })
    // The library sends a request again whose connection was cut.
    stripe.fail(how, how === 'silence' ? 2 : 1)
    expect(await provider.retrieveBalance()).toMatchObject({ ok: false, reason: 'unreachable' })
  })

  it('reads events of accounts and payouts, each with its own secret', () => {
    const provider = createStripePayouts(atStripe())
    const read = (webhook: 'connected' | 'accounts', { body, header }: { body: string; header: string }) =>
      provider.parseWebhook(webhook, body, new Headers({ [STRIPE_SIGNATURE_HEADER]: header }))
    const payout = { id: 'po_1', object: 'payout' }
    const about = { id: 'acct_1', type: 'v2.core.account' }
    const type = 'v2.core.account[requirements].updated'
    const { connectWebhookSecret, accountsWebhookSecret, webhookSecret } = SECRETS

    const paid = stripe.event('payout.paid', payout, { account: 'acct_1', secret: connectWebhookSecret })
    expect(read('connected', paid)).toMatchObject({ type: 'payout.paid', account: 'acct_1' })
    const news = stripe.notification(type, about, accountsWebhookSecret)
    expect(read('accounts', news)).toMatchObject({ type, account: 'acct_1', payload: { type } })
    const ping = stripe.notification(
      'v2.core.event_destination.ping',
      { id: 'ed_1', type: 'v2.core.event_destination' },
      accountsWebhookSecret,
    )
    expect(read('accounts', ping)).toMatchObject({ account: null })

    for (const secret of [webhookSecret, accountsWebhookSecret])
      expect(read('connected', stripe.event('payout.paid', payout, { secret }))).toBeNull()
    for (const secret of [webhookSecret, connectWebhookSecret])
      expect(read('accounts', stripe.notification(type, about, secret))).toBeNull()
    clock.forward(301_000)
    expect(read('connected', paid)).toBeNull()
    expect(read('accounts', news)).toBeNull()
  })

  it.skipIf(!descriptionPath)('exchanges only messages that conform to Stripe’s description', () => {
    expect(stripe.problems).toEqual([])
    expect(stripe.checked().requests).toBeGreaterThan(50)
  })
})
