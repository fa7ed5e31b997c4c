import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aClock, TEST_SECRET } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { type StripeServer, startStripeServer } from '../../../tests/stripe-server.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { DatabaseConnection } from '../database/port.ts'
import { EVIDENCE_TEXT_LIMITS, EVIDENCE_TEXTS } from './dispute-evidence.ts'
import type { DisputeEvidence, PaymentProvider, PaymentSnapshot } from './port.ts'
import { createSandboxProvider, type SandboxProvider } from './sandbox.server.ts'
import {
  CARD_FIELD_MESSAGES,
  CHARGE_MESSAGES,
  OUTCOME_MESSAGES,
  SANDBOX_CARDS,
  type SandboxChargeAnswer,
} from './sandbox-cards.ts'
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
  /** Confirms a card setup, as the card form does in the browser. */
  confirmSetup(clientSecret: string): Promise<void>
  /** Refuses the next charge of the card that a payment has saved. */
  refuseNextCharge(
    saved: { reference: string; customer: string },
    declineCode: SandboxChargeAnswer,
  ): Promise<void>
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
        async confirmSetup(clientSecret) {
          await provider.confirmCard({ ...card, clientSecret, cardNumber: '4242 4242 4242 4242' })
        },
        async refuseNextCharge({ reference }, declineCode) {
          expect(await provider.setNextAnswer(reference, declineCode)).toEqual({ ok: true })
        },
        async payWithRefundTrouble(clientSecret, trouble) {
          const cardNumber = trouble === 'pending' ? '4000 0000 0000 7726' : '4000 0000 0000 5126'
          await provider.confirmCard({ ...card, clientSecret, cardNumber })
        },
        async moveRefunds() {
          clock.forward(DAY_MS)
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
        confirmSetup: async (clientSecret) => stripe.cards.confirmSetup(clientSecret),
        refuseNextCharge: async ({ customer }, declineCode) =>
          stripe.cards.refuseCharges(customer, declineCode),
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

  const evidence: DisputeEvidence = {
    customerName: 'Grace Holloway',
    customerEmail: 'grace@example.com',
    product: 'The Walled Garden, for 10 people',
    serviceDate: 'Saturday 14 March 2027',
    terms: 'Accepted before paying.',
    refusal: '',
    statement: 'The event took place — with music & “rain”.\nNobody complained.',
    receiptFile: null,
  }
  async function disputed(kind: 'dispute' | 'inquiry' = 'dispute') {
    const payment = await paid()
    await subject.dispute(payment, kind)
    return { payment, reference: (await newestDispute(payment))?.reference ?? '' }
  }
  const withReceipt = async () => {
    const bytes = new TextEncoder().encode('%PDF-1.3\r\n\r\nA receipt')
    const uploaded = await provider.uploadReceipt({ name: 'receipt-000007.pdf', bytes })
    if (!uploaded.ok) throw new Error(uploaded.message)
    return { ...evidence, receiptFile: uploaded.file }
  }

  it('returns no evidence for a new dispute', async () => {
    const { payment, reference } = await disputed()
    expect(await provider.retrieveDispute(reference)).toMatchObject({
      ok: true,
      dispute: await newestDispute(payment),
      evidence: { statement: '', customerName: '', receiptFile: null },
      submissionCount: 0,
      answerKey: null,
    })
    expect(await provider.retrieveDispute('du_unknown')).toMatchObject({ ok: false, reason: 'refused' })
  })

  it('stores evidence until it is sent, and sends it once for each key', async () => {
    const { payment, reference } = await disputed()
    const draft = { reference, evidence, submit: false, idempotencyKey: newId() }
    expect(await provider.answerDispute(draft)).toMatchObject({
      ok: true,
      dispute: { status: 'needs_response' },
      evidence,
      submissionCount: 0,
      answerKey: null,
    })
    const answer = { reference, evidence: await withReceipt(), submit: true, idempotencyKey: newId() }
    for (let time = 0; time < 2; time++)
      expect(await provider.answerDispute(answer)).toMatchObject({
        ok: true,
        dispute: { status: 'under_review', funds: 'withdrawn' },
        evidence: answer.evidence,
        submissionCount: 1,
        answerKey: answer.idempotencyKey,
      })
    expect(await provider.retrieveDispute(reference)).toMatchObject({
      evidence: answer.evidence,
      submissionCount: 1,
      answerKey: answer.idempotencyKey,
    })
    for (const again of [
      { ...answer, idempotencyKey: newId() },
      { ...answer, submit: false, idempotencyKey: newId() },
      { ...answer, evidence: { ...evidence, statement: 'Other words.' } },
    ])
      expect(await provider.answerDispute(again)).toMatchObject({ ok: false, reason: 'refused' })
    expect(await provider.acceptDispute({ reference, idempotencyKey: newId() })).toMatchObject({
      ok: false,
      reason: 'refused',
    })
    await subject.decideDispute(payment, 'won')
    expect(await newestDispute(payment)).toMatchObject({ status: 'won', funds: 'reinstated' })
  })

  it('takes evidence of an inquiry, which can’t be given up', async () => {
    const { reference } = await disputed('inquiry')
    expect(await provider.acceptDispute({ reference, idempotencyKey: newId() })).toMatchObject({
      ok: false,
      reason: 'refused',
    })
    const answer = { reference, evidence, submit: true, idempotencyKey: newId() }
    expect(await provider.answerDispute(answer)).toMatchObject({
      ok: true,
      dispute: { status: 'warning_under_review', funds: 'held' },
    })
  })

  it('refuses evidence beyond its limits, and with a file that it doesn’t have', async () => {
    const { reference } = await disputed()
    const send = (changed: Partial<DisputeEvidence>) =>
      provider.answerDispute({
        reference,
        evidence: { ...evidence, ...changed },
        submit: true,
        idempotencyKey: newId(),
      })
    for (const name of EVIDENCE_TEXTS)
      expect(await send({ [name]: 'x'.repeat(EVIDENCE_TEXT_LIMITS[name] + 1) }), name).toMatchObject({
        ok: false,
        reason: 'refused',
      })
    expect(await send({ receiptFile: 'file_unknown' })).toMatchObject({ ok: false, reason: 'refused' })
    const longest = EVIDENCE_TEXTS.map((name) => [name, 'x'.repeat(EVIDENCE_TEXT_LIMITS[name])])
    expect(await send(Object.fromEntries(longest))).toMatchObject({ ok: true })
  })

  it('loses a dispute that is given up, once for each key', async () => {
    const { payment, reference } = await disputed()
    const acceptance = { reference, idempotencyKey: newId() }
    for (let time = 0; time < 2; time++)
      expect(await provider.acceptDispute(acceptance)).toMatchObject({
        ok: true,
        dispute: { status: 'lost', funds: 'withdrawn', evidenceDueAt: null },
        submissionCount: 0,
      })
    expect(await newestDispute(payment)).toMatchObject({ status: 'lost' })
    expect(await provider.acceptDispute({ reference, idempotencyKey: newId() })).toMatchObject({
      ok: false,
      reason: 'refused',
    })
    const answer = { reference, evidence, submit: true, idempotencyKey: newId() }
    expect(await provider.answerDispute(answer)).toMatchObject({ ok: false, reason: 'refused' })
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

  async function saved() {
    const paymentId = newId()
    const made = await provider.createCustomer({ paymentId, idempotencyKey: newId() })
    if (!made.ok) throw new Error(made.message)
    const { customer } = made
    const first = await provider.create(order({ paymentId, card: { customer, use: 'save' } }))
    if (!first.ok) throw new Error(first.message)
    await subject.payWithGoodCard(first.clientSecret)
    const answer = await provider.savedCardOf(first.reference)
    if (!answer.ok || !answer.card) throw new Error('No card was saved.')
    return { paymentId, customer, reference: first.reference, card: answer.card }
  }
  async function balanceOf({ customer, paymentId }: { customer: string; paymentId: string }) {
    const card = { customer, use: 'charge' as const }
    return (await made({ card, group: paymentId, amountCents: 696_000 })).reference
  }

  it('creates one customer per idempotency key', async () => {
    const input = { paymentId: newId(), idempotencyKey: newId() }
    const answer = await provider.createCustomer(input)
    expect(answer).toMatchObject({ ok: true, customer: expect.any(String) })
    expect(await provider.createCustomer(input)).toEqual(answer)
    expect(await provider.createCustomer({ ...input, paymentId: newId() })).toMatchObject({
      ok: false,
      reason: 'refused',
    })
  })

  it('saves the card of a payment only where the payment says so, and only once it is paid', async () => {
    const { card } = await saved()
    expect(card).toEqual({
      method: expect.any(String),
      brand: 'visa',
      lastFour: '4242',
      expiresYear: 2030,
      expiresMonth: 12,
    })
    expect(await provider.retrieveCard(card.method)).toEqual({ ok: true, card })
    const plain = await made()
    await subject.payWithGoodCard(plain.clientSecret)
    expect(await provider.savedCardOf(plain.reference)).toEqual({ ok: true, card: null })
    const customer = await provider.createCustomer({ paymentId: newId(), idempotencyKey: newId() })
    if (!customer.ok) throw new Error(customer.message)
    const unpaid = await made({ card: { customer: customer.customer, use: 'save' } })
    expect(await provider.savedCardOf(unpaid.reference)).toEqual({ ok: true, card: null })
    expect(await provider.create(order({ card: { customer: 'nobody', use: 'save' } }))).toMatchObject({
      ok: false,
      reason: 'refused',
    })
  })

  it('charges a saved card while the customer is away, once however often it is asked', async () => {
    const first = await saved()
    const reference = await balanceOf(first)
    const charge = { reference, method: first.card.method, idempotencyKey: newId() }
    const answers = await Promise.all(Array.from({ length: 5 }, () => provider.chargeSavedCard(charge)))
    for (const answer of answers)
      expect(answer).toMatchObject({ ok: true, snapshot: { state: 'succeeded' }, declineCode: null })
    const again = await provider.chargeSavedCard({ ...charge, idempotencyKey: newId() })
    expect(again).toMatchObject({ ok: true, snapshot: { state: 'succeeded' }, declineCode: null })
    expect(await snapshotOf(reference)).toMatchObject({ state: 'succeeded', amountCents: 696_000 })
  })

  it.each(['authentication_required', 'lost_card', 'insufficient_funds', 'expired_card'] as const)(
    'reports %s of a saved card, and leaves the payment open for another try',
    async (declineCode) => {
      const first = await saved()
      const reference = await balanceOf(first)
      const charge = { reference, method: first.card.method, idempotencyKey: newId() }
      await subject.refuseNextCharge(first, declineCode)
      const refused = await provider.chargeSavedCard(charge)
      expect(refused).toMatchObject({ ok: true, snapshot: { state: 'open' }, declineCode })
      // A repeated call is the same try, whose answer may have been lost.
      expect(await provider.chargeSavedCard(charge)).toMatchObject({ ok: true, declineCode })
      expect((await snapshotOf(reference)).lastError).toEqual(expect.any(String))
      const another = await provider.chargeSavedCard({ ...charge, idempotencyKey: newId() })
      expect(another).toMatchObject({ ok: true, snapshot: { state: 'succeeded' }, declineCode: null })
    },
  )

  it('charges nothing once the customer has paid, and the customer pays after a refused charge', async () => {
    const first = await saved()
    const card = { customer: first.customer, use: 'charge' as const }
    const { reference, clientSecret } = await made({ card, group: first.paymentId })
    const charge = { reference, method: first.card.method, idempotencyKey: newId() }
    await subject.refuseNextCharge(first, 'authentication_required')
    await provider.chargeSavedCard(charge)
    await subject.payWithGoodCard(clientSecret)
    expect((await snapshotOf(reference)).state).toBe('succeeded')
    expect(await provider.chargeSavedCard({ ...charge, idempotencyKey: newId() })).toMatchObject({
      ok: true,
      snapshot: { state: 'succeeded' },
      declineCode: null,
    })
  })

  it('refuses to charge a cancelled payment, another customer’s card, and a detached card', async () => {
    const first = await saved()
    const other = await saved()
    const { method } = first.card
    const cancelled = await balanceOf(first)
    await provider.cancel(cancelled)
    const charge = (reference: string) =>
      provider.chargeSavedCard({ reference, method, idempotencyKey: newId() })
    expect(await charge(cancelled)).toMatchObject({ ok: false, reason: 'refused' })
    expect(await charge(await balanceOf(other))).toMatchObject({ ok: false, reason: 'refused' })
    expect(await charge(subject.unknownReference)).toMatchObject({ ok: false, reason: 'refused' })
    const reference = await balanceOf(first)
    expect(await provider.detachCard(method)).toEqual({ ok: true })
    expect(await provider.detachCard(method)).toEqual({ ok: true })
    expect(await charge(reference)).toMatchObject({ ok: false, reason: 'refused' })
    expect(await provider.retrieveCard(method)).toEqual({ ok: true, card: null })
    expect(await provider.savedCardOf(first.reference)).toEqual({ ok: true, card: null })
  })

  it('keeps another card for a customer by a setup, which then pays', async () => {
    const first = await saved()
    const input = { customer: first.customer, idempotencyKey: newId() }
    const setup = await provider.createCardSetup(input)
    if (!setup.ok) throw new Error(setup.message)
    expect(await provider.createCardSetup(input)).toEqual(setup)
    const { reference, clientSecret } = setup
    const open = { reference, customer: first.customer, state: 'open', card: null }
    expect(await provider.retrieveCardSetup(reference)).toEqual({ ok: true, setup: open, clientSecret })
    await subject.confirmSetup(clientSecret)
    const kept = await provider.retrieveCardSetup(reference)
    if (!kept.ok || !kept.setup.card) throw new Error('No card was kept.')
    expect(kept.setup).toMatchObject({ customer: first.customer, state: 'succeeded' })
    expect(kept.setup.card.method).not.toBe(first.card.method)
    const charge = { reference: await balanceOf(first), method: kept.setup.card.method }
    expect(await provider.chargeSavedCard({ ...charge, idempotencyKey: newId() })).toMatchObject({
      ok: true,
      snapshot: { state: 'succeeded' },
    })
    expect(await provider.createCardSetup({ customer: 'nobody', idempotencyKey: newId() })).toMatchObject({
      ok: false,
      reason: 'refused',
    })
    expect(await provider.retrieveCardSetup('nothing')).toMatchObject({ ok: false, reason: 'refused' })
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

  const disputeCalls = (provider: PaymentProvider) => {
    const about = { reference: 'du_000000000000000000000000', idempotencyKey: newId() }
    const evidence = {
      ...{ customerName: '', customerEmail: '', product: '', serviceDate: '', terms: '', refusal: '' },
      ...{ statement: 'It took place.', receiptFile: null },
    }
    return [
      () => provider.retrieveDispute(about.reference),
      () => provider.uploadReceipt({ name: 'receipt.pdf', bytes: new Uint8Array([37, 80, 68, 70]) }),
      () => provider.answerDispute({ ...about, evidence, submit: true }),
      () => provider.acceptDispute(about),
    ]
  }

  it('names evidence by its key in the metadata, and leaves empty texts out', async () => {
    const provider = openStripe()
    const { reference, clientSecret } = await made(provider)
    stripe.pay(clientSecret)
    stripe.dispute(reference, 'dispute')
    const listed = await provider.listDisputesOf(reference)
    const dispute = listed.ok ? (listed.disputes[0]?.reference ?? '') : ''
    await provider.answerDispute({
      reference: dispute,
      evidence: {
        ...{ customerName: 'Grace', customerEmail: '', product: '', serviceDate: '', terms: '', refusal: '' },
        ...{ statement: 'It took place.', receiptFile: null },
      },
      submit: true,
      idempotencyKey: 'answer-7',
    })
    expect(stripe.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: `/v1/disputes/${dispute}`,
      headers: { 'idempotency-key': 'answer-7' },
    })
    expect(stripe.requests.at(-1)?.body).toEqual({
      evidence: { customer_name: 'Grace', uncategorized_text: 'It took place.' },
      submit: 'true',
      metadata: { jubilee_answer: 'answer-7' },
    })
  })

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

  it('saves a card for charges while the customer is away, and makes them in the group of the first payment', async () => {
    const provider = openStripe()
    const root = newId()
    const made = await provider.createCustomer({ paymentId: root, idempotencyKey: `customer-${root}` })
    if (!made.ok) throw new Error(made.message)
    const { customer } = made
    const bodyOf = () => stripe.requests.at(-1)?.body
    expect(bodyOf()).toEqual({ metadata: { jubilee_payment: root } })
    const first = await provider.create(order({ paymentId: root, card: { customer, use: 'save' } }))
    expect(bodyOf()).toMatchObject({ customer, setup_future_usage: 'off_session', transfer_group: root })
    if (!first.ok) throw new Error(first.message)
    stripe.pay(first.clientSecret)
    const answer = await provider.savedCardOf(first.reference)
    const method = answer.ok ? (answer.card?.method ?? '') : ''
    const second = await provider.create(order({ card: { customer, use: 'charge' }, group: root }))
    if (!second.ok) throw new Error(second.message)
    expect(bodyOf()).toMatchObject({ customer, transfer_group: root })
    expect(bodyOf()).not.toHaveProperty('setup_future_usage')
    await provider.chargeSavedCard({ reference: second.reference, method, idempotencyKey: 'instalment-1-1' })
    expect(stripe.requests.at(-1)).toMatchObject({
      path: `/v1/payment_intents/${second.reference}/confirm`,
      body: { payment_method: method, off_session: 'one_off' },
      headers: { 'idempotency-key': 'instalment-1-1' },
    })
    await provider.createCardSetup({ customer, idempotencyKey: newId() })
    expect(bodyOf()).toMatchObject({ customer, usage: 'off_session', allowed_payment_method_types: ['card'] })
    stripe.cards.renewCard(method, 2034)
    expect(await provider.retrieveCard(method)).toMatchObject({ card: { expiresYear: 2034 } })
  })

  it('charges a saved card once although the answer was lost and Stripe has forgotten the key', async () => {
    const provider = openStripe()
    const paymentId = newId()
    const made = await provider.createCustomer({ paymentId, idempotencyKey: newId() })
    if (!made.ok) throw new Error(made.message)
    const { customer } = made
    const first = await provider.create(order({ paymentId, card: { customer, use: 'save' } }))
    const second = await provider.create(order({ card: { customer, use: 'charge' }, group: paymentId }))
    if (!first.ok || !second.ok) throw new Error('Stripe refused.')
    stripe.pay(first.clientSecret)
    const answer = await provider.savedCardOf(first.reference)
    const method = answer.ok ? (answer.card?.method ?? '') : ''
    const charge = { reference: second.reference, method, idempotencyKey: newId() }
    stripe.fail('answer-lost', 2)
    expect(await provider.chargeSavedCard(charge)).toMatchObject({ ok: false, reason: 'unreachable' })
    stripe.forgetKeys()
    expect(await provider.chargeSavedCard(charge)).toMatchObject({
      ok: true,
      snapshot: { state: 'succeeded' },
      declineCode: null,
    })
  })

  it('returns unreachable after silence, a Stripe error, too many requests, and for a key that Stripe does not take', async () => {
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
      ...disputeCalls(provider),
      () => provider.createCustomer({ paymentId: newId(), idempotencyKey: newId() }),
      () => provider.chargeSavedCard({ reference, method: 'pm_0', idempotencyKey: newId() }),
      () => provider.savedCardOf(reference),
      () => provider.retrieveCard('pm_0'),
      () => provider.createCardSetup({ customer: 'cus_0', idempotencyKey: newId() }),
      () => provider.retrieveCardSetup('seti_0'),
      () => provider.detachCard('pm_0'),
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
    // As a refusal it would end payments and make debts of reversals that were never asked for.
    expect(await wrong.create(order())).toMatchObject({ ok: false, reason: 'unreachable' })
    expect(await wrong.refund(refund)).toMatchObject({ ok: false, reason: 'unreachable' })
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
      for (const call of disputeCalls(provider)) expect(await call()).toMatchObject(open)
      const charge = { reference, method: 'pm_0', idempotencyKey: newId() }
      expect(await provider.chargeSavedCard(charge)).toMatchObject(open)
      expect(await provider.savedCardOf(reference)).toMatchObject(open)
      expect(await provider.retrieveCard('pm_0')).toMatchObject(open)
      expect(await provider.detachCard('pm_0')).toMatchObject(open)
      expect(await provider.retrieveCardSetup('seti_0')).toMatchObject(open)
      const about = { paymentId: newId(), idempotencyKey: newId() }
      expect(await provider.createCustomer(about)).toMatchObject(open)
      const setup = { customer: 'cus_0', idempotencyKey: newId() }
      expect(await provider.createCardSetup(setup)).toMatchObject(open)
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
    expect(
      read(stripe.event('payment_method.automatically_updated', { id: 'pm_0', object: 'payment_method' })),
    ).toMatchObject({ reference: null, card: { method: 'pm_0' } })
    expect(
      read(stripe.event('setup_intent.succeeded', { id: 'seti_0', object: 'setup_intent' })),
    ).toMatchObject({ reference: null, card: { setup: 'seti_0' } })
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

  async function openSaving() {
    const paymentId = newId()
    const made = await sandbox.createCustomer({ paymentId, idempotencyKey: newId() })
    if (!made.ok) throw new Error(made.message)
    const { customer } = made
    const about = {
      paymentId,
      amountCents: 12_300,
      currency: 'aud',
      description: '',
      statementSuffix: 'TEST',
    } as const
    const open = async (use: 'save' | 'charge') => {
      const answer = await sandbox.create({ ...about, card: { customer, use }, idempotencyKey: newId() })
      if (!answer.ok) throw new Error(answer.message)
      return answer
    }
    return { customer, first: await open('save'), balance: await open('charge') }
  }

  it.each([
    ['4242424242424242', null],
    ['4000002500003155', null],
    ['4000002760003184', 'authentication_required'],
  ] as const)(
    'charges a card that was saved with its bank’s approval by its own rules: %s',
    async (number, refusal) => {
      const { first, balance } = await openSaving()
      await card(first.clientSecret, number)
      await card(first.clientSecret, number, { challenge: 'approve' })
      const saved = await sandbox.savedCardOf(first.reference)
      const method = (saved.ok && saved.card?.method) || ''
      const charge = { reference: balance.reference, method, idempotencyKey: newId() }
      expect(await sandbox.chargeSavedCard(charge)).toMatchObject({
        declineCode: refusal,
        snapshot: { lastError: refusal && CHARGE_MESSAGES[refusal] },
      })
      if (refusal) {
        // At /pay its bank asks again, and then it pays.
        const confirm = { clientSecret: balance.clientSecret, method }
        expect(await sandbox.confirmCard(confirm)).toMatchObject({ status: 'requires_action' })
        expect(await sandbox.confirmCard({ ...confirm, challenge: 'approve' })).toMatchObject({
          status: 'succeeded',
        })
      }
      expect(await sandbox.retrieve(balance.reference)).toMatchObject({ snapshot: { state: 'succeeded' } })
      await sandbox.settleDeliveries()
    },
  )

  it('keeps 4000 0000 0000 0341 by a setup, and refuses every charge of it', async () => {
    const { customer, first, balance } = await openSaving()
    expect(await card(first.clientSecret, '4000000000000341')).toMatchObject({ reason: 'card_refused' })
    const setup = await sandbox.createCardSetup({ customer, idempotencyKey: newId() })
    if (!setup.ok) throw new Error(setup.message)
    expect(await card(setup.clientSecret, '4000000000000341')).toMatchObject({ status: 'succeeded' })
    const kept = await sandbox.retrieveCardSetup(setup.reference)
    const method = (kept.ok && kept.setup.card?.method) || ''
    for (let tries = 0; tries < 2; tries++) {
      const charge = { reference: balance.reference, method, idempotencyKey: newId() }
      expect(await sandbox.chargeSavedCard(charge)).toMatchObject({ declineCode: 'generic_decline' })
    }
    expect(await sandbox.confirmCard({ clientSecret: balance.clientSecret, method })).toMatchObject({
      reason: 'card_refused',
    })
    await sandbox.settleDeliveries()
    const about = received.map(({ body, headers }) => sandbox.parseWebhook(body, headers)?.card)
    expect(about).toContainEqual({ setup: setup.reference })
  })

  it('refuses a saved card that has expired by its clock, and one for another customer’s payment', async () => {
    const { first, balance } = await openSaving()
    const other = await openSaving()
    await card(first.clientSecret, '4242424242424242', { expiry: '12 / 26' })
    const saved = await sandbox.savedCardOf(first.reference)
    const method = (saved.ok && saved.card?.method) || ''
    expect(await sandbox.confirmCard({ clientSecret: other.balance.clientSecret, method })).toMatchObject({
      reason: 'card_refused',
    })
    expect(await sandbox.confirmCard({ clientSecret: (await open()).clientSecret, method })).toMatchObject({
      reason: 'card_refused',
    })
    clock.forward(60 * DAY_MS)
    const charge = { reference: balance.reference, method, idempotencyKey: newId() }
    expect(await sandbox.chargeSavedCard(charge)).toMatchObject({ declineCode: 'expired_card' })
    await sandbox.settleDeliveries()
  })

  it('sets the next charge only of a payment that saves its card', async () => {
    expect(await sandbox.setNextAnswer((await open()).reference, 'lost_card')).toEqual({
      ok: false,
      reason: 'no_card',
    })
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
    clock.forward(DAY_MS)
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
