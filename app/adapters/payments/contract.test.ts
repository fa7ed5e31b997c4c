import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aClock, TEST_SECRET } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { type StripeServer, startStripeServer } from '../../../tests/stripe-server.ts'
import { newId } from '../../shared/ids.ts'
import type { DatabaseConnection } from '../database/port.ts'
import type { PaymentProvider, PaymentSnapshot } from './port.ts'
import { createSandboxProvider, type SandboxProvider } from './sandbox.server.ts'
import { CARD_FIELD_MESSAGES, OUTCOME_MESSAGES, SANDBOX_CARDS } from './sandbox-cards.ts'
import { createStripeProvider } from './stripe.server.ts'
import { STRIPE_SIGNATURE_HEADER } from './stripe-client.server.ts'

let connection: DatabaseConnection
let server: Server
let stripe: StripeServer
let address = ''
let received: { body: string; headers: Headers }[] = []
let answerStatus = 200
const clock = aClock()
const WEBHOOK_SECRET = 'whsec_test0000000000000000000000'
/** The path of Stripe's OpenAPI description, which is not part of the repository. */
const descriptionPath = process.env.STRIPE_OPENAPI
if (!descriptionPath)
  process.stdout.write("STRIPE_OPENAPI is not set: the check against Stripe's description is skipped.\n")

beforeAll(async () => {
  connection = await openTestDatabase()
  stripe = await startStripeServer({ descriptionPath, webhookSecret: WEBHOOK_SECRET, now: clock.now })
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ body: Buffer.concat(chunks).toString(), headers: toHeaders(request.headers) })
    response.statusCode = answerStatus
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/payments`
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
    webhookUrl: () => address,
  })
}

function openStripe(options: { retries?: number; timeoutMs?: number; port?: number } = {}): PaymentProvider {
  return createStripeProvider({
    secretKey: 'sk_test_0000000000000000',
    publishableKey: 'pk_test_0000000000000000',
    webhookSecret: WEBHOOK_SECRET,
    now: clock.now,
    host: '127.0.0.1',
    port: stripe.port,
    protocol: 'http',
    retries: 0,
    ...options,
  })
}

/** An adapter under test, with its own way to pay by card. */
type Subject = {
  provider: PaymentProvider
  /** A payment id that this provider has never issued. */
  unknownReference: string
  /** Resolves once the adapter has no work in progress. */
  settle?(): Promise<void>
  payWithGoodCard(clientSecret: string): Promise<void>
  payWithDeclinedCard(clientSecret: string): Promise<void>
  /** Pays with a card whose refunds stay pending at first, or come back. */
  payWithRefundTrouble(clientSecret: string, trouble: 'pending' | 'fails'): Promise<void>
  /** Lets the refunds with trouble move on. */
  moveRefunds(): Promise<void>
  dispute(reference: string, kind: 'dispute' | 'inquiry'): Promise<void>
  decideDispute(reference: string, decision: 'won' | 'lost'): Promise<void>
}

const subjects: { name: string; open: () => Subject }[] = [
  {
    name: 'sandbox',
    open() {
      const provider = openSandbox()
      const card = { expiry: '12 / 30', cvc: '123' }
      return {
        provider,
        unknownReference: 'sb_nothing',
        settle: () => provider.settleDeliveries(),
        async payWithGoodCard(clientSecret) {
          await provider.confirmCard({ ...card, clientSecret, cardNumber: '4242 4242 4242 4242' })
        },
        async payWithDeclinedCard(clientSecret) {
          await provider.confirmCard({ ...card, clientSecret, cardNumber: '4000 0000 0000 0002' })
        },
        async payWithRefundTrouble(clientSecret, trouble) {
          const cardNumber = trouble === 'pending' ? '4000 0000 0000 7726' : '4000 0000 0000 5126'
          await provider.confirmCard({ ...card, clientSecret, cardNumber })
        },
        async moveRefunds() {
          clock.forward(86_400_000)
          await provider.runDueWork()
        },
        async dispute(reference, kind) {
          expect(await provider.openDispute(reference, kind)).toEqual({ ok: true })
        },
        async decideDispute(reference, decision) {
          expect(await provider.decideDispute(reference, decision)).toEqual({ ok: true })
        },
      }
    },
  },
  {
    name: 'Stripe, with its own library',
    open() {
      return {
        provider: openStripe(),
        unknownReference: 'pi_000000000000000000000000',
        payWithGoodCard: async (clientSecret) => void stripe.pay(clientSecret),
        payWithDeclinedCard: async (clientSecret) => stripe.decline(clientSecret),
        payWithRefundTrouble: async (clientSecret, trouble) => void stripe.pay(clientSecret, trouble),
        moveRefunds: async () => stripe.moveRefunds(),
        dispute: async (reference, kind) => stripe.dispute(reference, kind),
        decideDispute: async (reference, decision) => stripe.decideDispute(reference, decision),
      }
    },
  },
]

describe.each(subjects)('the payment provider contract: $name', ({ open }) => {
  let subject: Subject
  let provider: PaymentProvider

  beforeEach(() => {
    subject = open()
    provider = subject.provider
  })
  afterEach(() => subject.settle?.())

  const order = (overrides: object = {}) => ({
    paymentId: newId(),
    amountCents: 45_500,
    currency: 'aud' as const,
    description: 'The Walled Garden',
    statementSuffix: 'WALLED GARDEN',
    idempotencyKey: newId(),
    ...overrides,
  })

  async function made(overrides: object = {}) {
    const input = order(overrides)
    const answer = await provider.create(input)
    if (!answer.ok) throw new Error(answer.message)
    return { ...answer, input }
  }

  async function snapshotOf(reference: string): Promise<PaymentSnapshot> {
    const answer = await provider.retrieve(reference)
    if (!answer.ok) throw new Error(answer.message)
    return answer.snapshot
  }

  it('creates an open payment with our payment’s id', async () => {
    const { reference, clientSecret, input } = await made()
    expect(await snapshotOf(reference)).toEqual({
      reference,
      state: 'open',
      amountCents: 45_500,
      currency: 'aud',
      refundedCents: 0,
      paymentId: input.paymentId,
      lastError: null,
    })
    expect(provider.referenceOf(clientSecret)).toBe(reference)
  })

  it('creates one payment per idempotency key, even concurrently', async () => {
    const input = order()
    const answers = await Promise.all(Array.from({ length: 10 }, () => provider.create(input)))
    expect(new Set(answers.map((answer) => (answer.ok ? answer.clientSecret : answer.reason))).size).toBe(1)
    expect(answers[0]?.ok).toBe(true)
  })

  it('refuses an idempotency key that was used with other values', async () => {
    const { input } = await made()
    expect(await provider.create({ ...input, amountCents: 1_000 })).toMatchObject({
      ok: false,
      reason: 'refused',
    })
  })

  it('refuses an amount outside the chargeable range', async () => {
    expect(await provider.create(order({ amountCents: 49 }))).toMatchObject({ ok: false, reason: 'refused' })
    expect(await provider.create(order({ amountCents: 100_000_000 }))).toMatchObject({ reason: 'refused' })
    expect((await provider.create(order({ amountCents: 50 }))).ok).toBe(true)
  })

  it('keeps a payment open with the reason after a declined card, and completes it with a good one', async () => {
    const { reference, clientSecret } = await made()
    await subject.payWithDeclinedCard(clientSecret)
    expect(await snapshotOf(reference)).toMatchObject({ state: 'open', lastError: expect.any(String) })
    await subject.payWithGoodCard(clientSecret)
    expect(await snapshotOf(reference)).toMatchObject({ state: 'succeeded', lastError: null })
  })

  it('cancels an open payment, even repeatedly, but never a paid one', async () => {
    const open = await made()
    expect(await provider.cancel(open.reference)).toEqual({ ok: true })
    expect(await provider.cancel(open.reference)).toEqual({ ok: true })
    await subject.payWithGoodCard(open.clientSecret)
    expect((await snapshotOf(open.reference)).state).toBe('cancelled')

    const paid = await made()
    await subject.payWithGoodCard(paid.clientSecret)
    expect(await provider.cancel(paid.reference)).toMatchObject({ ok: false, reason: 'refused' })
    expect((await snapshotOf(paid.reference)).state).toBe('succeeded')
  })

  it('refunds once per idempotency key, and never more than was paid', async () => {
    const { reference, clientSecret } = await made()
    const refund = { reference, amountCents: 45_500, idempotencyKey: newId() }
    expect(await provider.refund(refund)).toMatchObject({ ok: false, reason: 'refused' })
    await subject.payWithGoodCard(clientSecret)
    const answers = await Promise.all(Array.from({ length: 5 }, () => provider.refund(refund)))
    expect(answers.every((answer) => answer.ok)).toBe(true)
    expect((await snapshotOf(reference)).refundedCents).toBe(45_500)
    expect(await provider.refund({ ...refund, amountCents: 1, idempotencyKey: newId() })).toMatchObject({
      ok: false,
      reason: 'refused',
    })
  })

  async function paid(trouble?: 'pending' | 'fails') {
    const { reference, clientSecret } = await made()
    if (trouble) await subject.payWithRefundTrouble(clientSecret, trouble)
    else await subject.payWithGoodCard(clientSecret)
    return reference
  }
  const newestRefund = async (reference: string) => {
    const answer = await provider.listRefunds(reference)
    if (!answer.ok) throw new Error(answer.message)
    return answer.refunds[0]
  }
  const newestDispute = async (reference: string) => {
    const answer = await provider.listDisputesOf(reference)
    if (!answer.ok) throw new Error(answer.message)
    return answer.disputes[0]
  }

  it('refunds in parts, and names each by its key', async () => {
    const reference = await paid()
    const keys = [newId(), newId()] as const
    for (const idempotencyKey of keys)
      expect(await provider.refund({ reference, amountCents: 22_750, idempotencyKey })).toMatchObject({
        ok: true,
        refund: { idempotencyKey, amountCents: 22_750, status: 'succeeded', failureReason: null },
      })
    expect(await provider.refund({ reference, amountCents: 1, idempotencyKey: newId() })).toMatchObject({
      reason: 'refused',
    })
    const listed = await provider.listRefunds(reference)
    if (!listed.ok) throw new Error(listed.message)
    expect(listed.refunds.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual([...keys].sort())
    expect((await snapshotOf(reference)).refundedCents).toBe(45_500)
  })

  it('lists all refunds of a payment, however many pages they take', async () => {
    const reference = await paid()
    for (let count = 0; count < 101; count++)
      expect(await provider.refund({ reference, amountCents: 1, idempotencyKey: newId() })).toMatchObject({
        ok: true,
      })
    const listed = await provider.listRefunds(reference)
    if (!listed.ok) throw new Error(listed.message)
    expect(new Set(listed.refunds.map((refund) => refund.reference)).size).toBe(101)
  })

  it('says that a refund is pending until the bank has it', async () => {
    const reference = await paid('pending')
    const order = { reference, amountCents: 45_500, idempotencyKey: newId() }
    expect(await provider.refund(order)).toMatchObject({
      ok: true,
      refund: { status: 'pending', pendingReason: 'processing' },
    })
    await subject.moveRefunds()
    expect(await newestRefund(reference)).toMatchObject({ status: 'succeeded', pendingReason: null })
    // The same order again returns the first refund's current state.
    expect(await provider.refund(order)).toMatchObject({ ok: true, refund: { status: 'succeeded' } })
  })

  it('says that a refund came back, and can refund again', async () => {
    const reference = await paid('fails')
    const order = { reference, amountCents: 45_500, idempotencyKey: newId() }
    expect(await provider.refund(order)).toMatchObject({ ok: true, refund: { status: 'succeeded' } })
    await subject.moveRefunds()
    expect(await newestRefund(reference)).toMatchObject({
      status: 'failed',
      failureReason: 'expired_or_canceled_card',
    })
    expect((await snapshotOf(reference)).refundedCents).toBe(0)
    expect(await provider.refund(order)).toMatchObject({ ok: true, refund: { status: 'failed' } })
    expect(await provider.refund({ ...order, idempotencyKey: newId() })).toMatchObject({ ok: true })
  })

  it('withdraws a disputed amount, refuses refunds meanwhile, and reinstates what is won', async () => {
    const reference = await paid()
    expect(await newestDispute(reference)).toBeUndefined()
    await subject.dispute(reference, 'dispute')
    expect(await newestDispute(reference)).toMatchObject({
      paymentReference: reference,
      amountCents: 45_500,
      status: 'needs_response',
      funds: 'withdrawn',
      isChargeRefundable: false,
      evidenceDueAt: expect.any(Date),
    })
    const order = { reference, amountCents: 45_500, idempotencyKey: newId() }
    expect(await provider.refund(order)).toMatchObject({ ok: false, reason: 'refused' })
    await subject.decideDispute(reference, 'won')
    expect(await newestDispute(reference)).toMatchObject({
      status: 'won',
      funds: 'reinstated',
      isChargeRefundable: true,
      evidenceDueAt: null,
    })
    expect(await provider.refund({ ...order, idempotencyKey: newId() })).toMatchObject({ ok: true })
  })

  it('keeps what a lost dispute took', async () => {
    const reference = await paid()
    await subject.dispute(reference, 'dispute')
    await subject.decideDispute(reference, 'lost')
    expect(await newestDispute(reference)).toMatchObject({ status: 'lost', funds: 'withdrawn' })
    const order = { reference, amountCents: 45_500, idempotencyKey: newId() }
    expect(await provider.refund(order)).toMatchObject({ ok: false, reason: 'refused' })
  })

  it('takes no money for an inquiry, which a refund answers', async () => {
    const reference = await paid()
    await subject.dispute(reference, 'inquiry')
    expect(await newestDispute(reference)).toMatchObject({
      status: 'warning_needs_response',
      funds: 'held',
      isChargeRefundable: true,
    })
    expect(await provider.refund({ reference, amountCents: 45_500, idempotencyKey: newId() })).toMatchObject({
      ok: true,
    })
  })

  it('lists the disputes that were opened since a moment, newest first and page by page', async () => {
    clock.forward(10_000)
    const createdSince = clock.now()
    const references: string[] = []
    for (let count = 0; count < 101; count++) {
      const reference = await paid()
      await subject.dispute(reference, 'inquiry')
      references.push(reference)
      clock.forward(1_000)
    }
    const listed: string[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<PaymentProvider['listDisputes']>> = await provider.listDisputes({
        createdSince,
        after,
      })
      if (!page.ok) throw new Error(page.message)
      listed.push(...page.disputes.map(({ paymentReference }) => paymentReference))
      after = page.next
    } while (after)
    expect(listed).toEqual(references.reverse())
  })

  it('finds no payment that it did not create', async () => {
    expect(await provider.retrieve(subject.unknownReference)).toMatchObject({
      ok: false,
      reason: 'unknown_payment',
    })
    expect((await provider.cancel(subject.unknownReference)).ok).toBe(false)
    const nowhere = { reference: subject.unknownReference, amountCents: 100, idempotencyKey: newId() }
    expect(await provider.refund(nowhere)).toMatchObject({ ok: false, reason: 'refused' })
    expect(provider.referenceOf('nonsense')).toBeNull()
    expect(provider.parseWebhook('{}', new Headers())).toBeNull()
  })

  it('lists the payments since a moment, newest first and page by page', async () => {
    clock.forward(10_000)
    const since = clock.now()
    const references: string[] = []
    for (let count = 0; count < 101; count++) references.push((await made()).reference)
    clock.forward(10_000)
    const newest = await made()
    await subject.payWithGoodCard(newest.clientSecret)
    const listed: PaymentSnapshot[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<PaymentProvider['list']>> = await provider.list({
        createdSince: since,
        after,
      })
      if (!page.ok) throw new Error(page.message)
      listed.push(...page.snapshots)
      after = page.next
    } while (after)
    expect(listed[0]).toMatchObject({ reference: newest.reference, state: 'succeeded', refundedCents: 0 })
    expect(new Set(listed.map((one) => one.reference))).toEqual(new Set([newest.reference, ...references]))
    expect(listed).toHaveLength(102)
  })
})

describe('the Stripe adapter', () => {
  const order = (overrides: object = {}) => ({
    paymentId: newId(),
    amountCents: 12_300,
    currency: 'aud' as const,
    description: 'The Walled Garden',
    statementSuffix: 'WALLED GARDEN',
    idempotencyKey: newId(),
    ...overrides,
  })
  async function made(provider: PaymentProvider) {
    const answer = await provider.create(order())
    if (!answer.ok) throw new Error(answer.message)
    return answer
  }

  it('requests a card payment in Australian dollars, captured automatically, with our payment’s id', async () => {
    const input = order()
    await openStripe().create(input)
    expect(stripe.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/payment_intents',
      body: {
        amount: '12300',
        currency: 'aud',
        allowed_payment_method_types: ['card'],
        capture_method: 'automatic',
        metadata: { jubilee_payment: input.paymentId },
        transfer_group: input.paymentId,
        statement_descriptor_suffix: 'WALLED GARDEN',
      },
      headers: { 'idempotency-key': input.idempotencyKey },
    })
  })

  it('returns unreachable after silence, a Stripe error or too many requests, and refused for a wrong key', async () => {
    const provider = openStripe()
    for (const how of ['silence', 500, 503, 429, 409] as const) {
      // The library retries once after a dropped connection, even with retries set to 0.
      stripe.fail(how, how === 'silence' ? 2 : 1)
      expect(await provider.create(order()), String(how)).toMatchObject({ ok: false, reason: 'unreachable' })
    }
    const { reference } = await made(provider)
    stripe.fail('silence', 2)
    expect(await provider.retrieve(reference)).toMatchObject({ ok: false, reason: 'unreachable' })
    stripe.fail('silence', 2)
    expect(await provider.cancel(reference)).toMatchObject({ ok: false, reason: 'unreachable' })
    const refund = { reference, amountCents: 100, idempotencyKey: newId() }
    for (const call of [
      () => provider.refund(refund),
      () => provider.listRefunds(reference),
      () => provider.listDisputesOf(reference),
      () => provider.listDisputes({ createdSince: clock.now(), after: null }),
    ]) {
      stripe.fail(429)
      expect(await call()).toMatchObject({ ok: false, reason: 'unreachable' })
    }
    const wrong = createStripeProvider({
      secretKey: 'rk_test_nothing',
      publishableKey: 'pk_test_0',
      webhookSecret: WEBHOOK_SECRET,
      now: clock.now,
      host: '127.0.0.1',
      port: stripe.port,
      protocol: 'http',
      retries: 0,
    })
    expect(await wrong.create(order())).toMatchObject({ ok: false, reason: 'refused' })
  })

  it('retries an unanswered request with the same idempotency key, which creates one payment', async () => {
    const provider = openStripe({ retries: 2 })
    stripe.fail('answer-lost')
    const input = order()
    const before = stripe.requests.length
    const answer = await provider.create(input)
    expect(answer.ok).toBe(true)
    expect(stripe.requests.length - before).toBe(2)
    expect(await provider.create(input)).toEqual(answer)
  })

  it('makes one refund although the answer was lost and Stripe has forgotten the key', async () => {
    const provider = openStripe()
    const { reference, clientSecret } = await made(provider)
    stripe.pay(clientSecret)
    const refund = { reference, amountCents: 12_300, idempotencyKey: `refund-${newId()}` }
    stripe.fail('answer-lost', 2)
    expect(await provider.refund(refund)).toMatchObject({ ok: false, reason: 'unreachable' })
    expect(await provider.refund(refund)).toMatchObject({ ok: true, refund: { status: 'succeeded' } })
    // The refund is still recognised by its metadata.
    stripe.forgetKeys()
    expect(await provider.refund(refund)).toMatchObject({ ok: true, refund: { status: 'succeeded' } })
    expect(await provider.refund({ ...refund, idempotencyKey: 'refund-another' })).toMatchObject({
      ok: false,
      reason: 'refused',
    })
    expect(await provider.retrieve(reference)).toMatchObject({ snapshot: { refundedCents: 12_300 } })
  })

  it.each([
    '{}',
    '[]',
    '{"status":"ok"}',
    '{"id":"pi_another000000","object":"payment_intent"}',
    '<h1>Welcome</h1>',
  ])('returns unreachable when the response does not come from Stripe: %s', async (body) => {
    const impostor = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(body)
    })
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve))
    const provider = openStripe({ port: (impostor.address() as AddressInfo).port })
    const reference = 'pi_000000000000000000000000'
    const open = { ok: false, reason: 'unreachable' }
    try {
      expect(await provider.retrieve(reference)).toMatchObject(open)
      expect(await provider.cancel(reference)).toMatchObject(open)
      expect(await provider.list({ createdSince: clock.now(), after: null })).toMatchObject(open)
      expect(await provider.create(order())).toMatchObject({ ok: false })
      // Such a response must not pass for a refund.
      const refund = { reference, amountCents: 12_300, idempotencyKey: 'refund-nowhere' }
      expect(await provider.refund(refund)).toMatchObject(open)
      expect(await provider.listRefunds(reference)).toMatchObject(open)
      expect(await provider.listDisputesOf(reference)).toMatchObject(open)
      expect(await provider.listDisputes({ createdSince: clock.now(), after: null })).toMatchObject(open)
    } finally {
      impostor.closeAllConnections()
      await new Promise((resolve) => impostor.close(resolve))
    }
  })

  it('accepts events whose signature matches the raw body, and finds their payment', () => {
    const provider = openStripe()
    const { body, header } = stripe.event('payment_intent.succeeded', {
      id: 'pi_0000000000',
      object: 'payment_intent',
    })
    const headers = new Headers({ [STRIPE_SIGNATURE_HEADER]: header })
    expect(provider.parseWebhook(body, headers)).toMatchObject({
      type: 'payment_intent.succeeded',
      reference: 'pi_0000000000',
    })
    expect(provider.parseWebhook(`${body} `, headers)).toBeNull()
    expect(provider.parseWebhook(body, new Headers({ [STRIPE_SIGNATURE_HEADER]: 'nonsense' }))).toBeNull()
    const refunded = stripe.event('charge.refunded', {
      id: 'ch_0',
      object: 'charge',
      payment_intent: 'pi_0000000000',
    })
    const read = (event: typeof refunded) =>
      provider.parseWebhook(event.body, new Headers({ [STRIPE_SIGNATURE_HEADER]: event.header }))
    expect(read(refunded)?.reference).toBe('pi_0000000000')
    for (const [type, object] of [
      ['refund.failed', 'refund'],
      ['charge.dispute.created', 'dispute'],
    ] as const) {
      const moved = stripe.event(type, { id: 'x_0', object, payment_intent: 'pi_0000000000' })
      expect(read(moved)?.reference).toBe('pi_0000000000')
    }
    expect(read(stripe.event('customer.created', { id: 'cus_0', object: 'customer' }))?.reference).toBeNull()
    clock.forward(301_000)
    expect(provider.parseWebhook(body, headers)).toBeNull()
  })

  it('gives the browser only the publishable key', () => {
    expect(openStripe().publicConfig()).toEqual({
      provider: 'stripe',
      publishableKey: 'pk_test_0000000000000000',
    })
  })

  it.skipIf(!descriptionPath)(
    "has only sent and received messages that match Stripe's own description",
    async () => {
      expect(stripe.problems).toEqual([])
      expect(stripe.checked().requests).toBeGreaterThan(100)
      expect(stripe.checked().responses).toBeGreaterThan(100)

      // Prove that the check can fail.
      await fetch(`http://127.0.0.1:${stripe.port}/v1/payment_intents`, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test_0' },
        body: 'amount=ten&currency=aud&colour=red&metadata[a][b]=1',
      })
      expect(stripe.problems.join()).toMatch(/unknown parameter colour.*amount must be integer/)
      expect(stripe.problems.join()).toMatch(/POST \/v1\/payment_intents 200: \/amount/)
    },
  )
})

describe('the sandbox', () => {
  let sandbox: SandboxProvider

  beforeEach(async () => {
    answerStatus = 200
    sandbox = openSandbox()
    // Events that another test left behind.
    await sandbox.runDueWork()
    received = []
  })

  async function open() {
    const answer = await sandbox.create({
      paymentId: newId(),
      amountCents: 12_300,
      currency: 'aud',
      description: 'Test',
      statementSuffix: 'TEST',
      idempotencyKey: newId(),
    })
    if (!answer.ok) throw new Error(answer.message)
    return answer
  }
  const card = (clientSecret: string, cardNumber: string, more: object = {}) =>
    sandbox.confirmCard({ clientSecret, cardNumber, expiry: '12 / 30', cvc: '123', ...more })
  const eventsAbout = (reference: string) =>
    received
      .map(({ body, headers }) => sandbox.parseWebhook(body, headers))
      .filter((event) => event?.reference === reference)

  it.each(SANDBOX_CARDS.map(({ number, outcome }) => [outcome, number] as const))(
    'gives each test card its outcome: %s',
    async (outcome, number) => {
      const { clientSecret, reference } = await open()
      const result = await card(clientSecret, number)
      if (outcome === 'approved') expect(result).toEqual({ ok: true, status: 'succeeded', id: reference })
      else if (outcome === 'challenge') expect(result).toMatchObject({ ok: true, status: 'requires_action' })
      else expect(result).toEqual({ ok: false, reason: 'card_refused', message: OUTCOME_MESSAGES[outcome] })
      await sandbox.settleDeliveries()
    },
  )

  it('charges the challenge card only after its approval', async () => {
    const challenged = '4000002760003184'
    const { clientSecret, reference } = await open()
    // An approval before the challenge doesn't count.
    expect(await card(clientSecret, challenged, { challenge: 'approve' })).toMatchObject({
      status: 'requires_action',
    })
    expect(await card(clientSecret, challenged, { challenge: 'fail' })).toMatchObject({
      reason: 'card_refused',
    })
    expect(await card(clientSecret, challenged, { challenge: 'approve' })).toMatchObject({
      status: 'requires_action',
    })
    expect(await card(clientSecret, challenged, { challenge: 'approve' })).toMatchObject({
      status: 'succeeded',
    })
    expect(await sandbox.retrieve(reference)).toMatchObject({ snapshot: { state: 'succeeded' } })
    await sandbox.settleDeliveries()
  })

  it('refuses every other card number without storing it', async () => {
    const { clientSecret, reference } = await open()
    expect(await card(clientSecret, '5555 5555 5555 4444')).toMatchObject({
      reason: 'fields',
      fields: { cardNumber: CARD_FIELD_MESSAGES.numberNotTest },
    })
    expect(await card(clientSecret, '4242')).toMatchObject({
      fields: { cardNumber: CARD_FIELD_MESSAGES.numberIncomplete },
    })
    expect(await card(clientSecret, '4242424242424242', { expiry: '10 / 26', cvc: '1' })).toMatchObject({
      fields: { expiry: CARD_FIELD_MESSAGES.expiryPast, cvc: CARD_FIELD_MESSAGES.cvcIncomplete },
    })
    const row = await connection.db
      .selectFrom('sandbox_payments')
      .selectAll()
      .where('id', '=', reference)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ card_last4: null, state: 'requires_payment_method' })
  })

  it('refuses an unknown secret, and a payment that has ended', async () => {
    expect(await card('nonsense', '4242424242424242')).toMatchObject({ reason: 'unknown_payment' })
    const { clientSecret, reference } = await open()
    await sandbox.cancel(reference)
    expect(await card(clientSecret, '4242424242424242')).toMatchObject({ reason: 'ended' })
    await sandbox.settleDeliveries()
  })

  it('delivers a signed webhook right after the card', async () => {
    const { clientSecret, reference } = await open()
    await card(clientSecret, '4242424242424242')
    await sandbox.settleDeliveries()
    expect(eventsAbout(reference)).toMatchObject([{ type: 'payment_intent.succeeded', reference }])
    const [{ body, headers } = { body: '', headers: new Headers() }] = received
    expect(sandbox.parseWebhook(`${body} `, headers)).toBeNull()
    expect(sandbox.parseWebhook(body, new Headers({ 'sandbox-signature': 't=1,v1=00' }))).toBeNull()
    clock.forward(301_000)
    expect(sandbox.parseWebhook(body, headers)).toBeNull()
    await sandbox.runDueWork()
    expect(eventsAbout(reference)).toHaveLength(0)
    expect(received).toHaveLength(1)
  })

  it('redelivers a webhook with growing pauses until it is accepted, even from another process', async () => {
    answerStatus = 500
    const { clientSecret } = await open()
    await card(clientSecret, '4242424242424242')
    await sandbox.settleDeliveries()
    expect(received).toHaveLength(1)
    await sandbox.runDueWork()
    expect(received).toHaveLength(1)
    clock.forward(60_000)
    await sandbox.runDueWork()
    expect(received).toHaveLength(2)
    clock.forward(60_000)
    await sandbox.runDueWork()
    expect(received).toHaveLength(2)
    clock.forward(60_000)
    answerStatus = 200
    await Promise.all([openSandbox().runDueWork(), sandbox.runDueWork()])
    expect(received).toHaveLength(3)
    clock.forward(86_400_000)
    await sandbox.runDueWork()
    expect(received).toHaveLength(3)
  })

  it('delivers webhooks late, twice, out of order or never, as tests set it', async () => {
    sandbox.setWebhookFault('late')
    const late = await open()
    await card(late.clientSecret, '4242424242424242')
    await sandbox.settleDeliveries()
    expect(received).toHaveLength(0)
    await sandbox.runDueWork()
    expect(eventsAbout(late.reference)).toHaveLength(1)

    sandbox.setWebhookFault('twice')
    const twice = await open()
    await card(twice.clientSecret, '4242424242424242')
    await sandbox.settleDeliveries()
    const [one, other] = eventsAbout(twice.reference)
    expect(one?.id).toBe(other?.id)
    expect(other).toBeDefined()

    sandbox.setWebhookFault('out_of_order')
    const disordered = await open()
    await card(disordered.clientSecret, '4000000000000002')
    await card(disordered.clientSecret, '4242424242424242')
    await sandbox.runDueWork()
    expect(eventsAbout(disordered.reference).map((event) => event?.type)).toEqual([
      'payment_intent.succeeded',
      'payment_intent.payment_failed',
    ])

    received = []
    sandbox.setWebhookFault('never')
    await card((await open()).clientSecret, '4242424242424242')
    await sandbox.runDueWork()
    expect(received).toHaveLength(0)
  })
})
