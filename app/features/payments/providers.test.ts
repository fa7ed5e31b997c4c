import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness } from '../../../tests/builders.ts'
import { type StripeServer, startStripeServer } from '../../../tests/stripe-server.ts'
import type { PaymentProvider } from '../../adapters/payments/port.ts'
import { createStripeProvider } from '../../adapters/payments/stripe.server.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import { withdrawBooking } from '../bookings/cancellation/withdrawal-commands.server.ts'
import {
  beginConfirmation,
  giveUpPayment,
  startBookingPayment,
} from '../bookings/checkout/commands.server.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { performDueRefunds } from './refund-sending-commands.server.ts'
import { reportPayment } from './settlement-commands.server.ts'
import { sweepPayments } from './sweep-commands.server.ts'

const WEBHOOK_SECRET = 'whsec_test0000000000000000000000'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let stripe: StripeServer
let business: Awaited<ReturnType<typeof aBusiness>>

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  // Jobs look at all payments, so each test begins with none.
  await sql`truncate payments, sandbox_payments cascade`.execute(world.db)
  business = await aBusiness(world.db)
  stripe = await startStripeServer({
    descriptionPath: undefined,
    webhookSecret: WEBHOOK_SECRET,
    now: world.clock.now,
  })
})
afterEach(async () => {
  await stripe.close()
})

/** Records every call that reaches a provider. */
function recordCalls(provider: PaymentProvider): { provider: PaymentProvider; calls: string[] } {
  const calls: string[] = []
  const recorded = <Input, Answer>(name: string, call: (input: Input) => Promise<Answer>) => {
    return (input: Input) => {
      calls.push(name)
      return call(input)
    }
  }
  return {
    calls,
    provider: {
      ...provider,
      create: recorded('create', provider.create),
      retrieve: recorded('retrieve', provider.retrieve),
      cancel: recorded('cancel', provider.cancel),
      refund: recorded('refund', provider.refund),
    },
  }
}

function openProvider(name: PaymentProvider['name']): PaymentProvider {
  if (name === 'sandbox') return world.payments
  return createStripeProvider({
    secretKey: 'sk_test_0000000000000000',
    publishableKey: 'pk_test_0000000000000000',
    webhookSecret: WEBHOOK_SECRET,
    now: world.clock.now,
    host: '127.0.0.1',
    port: stripe.port,
    protocol: 'http',
    retries: 0,
  })
}

async function payCard(provider: PaymentProvider['name'], clientSecret: string) {
  if (provider === 'stripe') return void stripe.pay(clientSecret)
  await world.payments.confirmCard({
    clientSecret,
    cardNumber: '4242424242424242',
    expiry: '12 / 30',
    cvc: '123',
  })
}

const paymentRow = (id: string) =>
  world.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const refundOf = (paymentId: string) =>
  world.db
    .selectFrom('payment_actions')
    .select(['state', 'attempts', 'last_error'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow()

const order = (submitKey: string = crypto.randomUUID()) => ({
  amount: 45_500,
  submitKey,
  businessId: business.id,
  booking: aBookingForm(),
  customerUserId: null,
})

describe.each([
  ['sandbox', 'stripe'],
  ['stripe', 'sandbox'],
] as const)('a payment made with %s, once the product is set up for %s', (made, present) => {
  let before: BookingDeps
  let after: BookingDeps
  let asked: string[]

  beforeEach(() => {
    const { provider, calls } = recordCalls(openProvider(present))
    asked = calls
    before = { ...world.deps, providers: [openProvider(made)] }
    after = { ...world.deps, providers: [provider] }
  })

  async function started({ submitKey, using = before }: { submitKey?: string; using?: BookingDeps } = {}) {
    const payment = await startBookingPayment(using, order(submitKey))
    if (!payment.ok || payment.alreadyPaid) throw new Error(JSON.stringify(payment))
    return payment
  }

  async function withdrawn({
    using = before,
    card = made,
  }: {
    using?: BookingDeps
    card?: typeof made | typeof present
  } = {}) {
    const payment = await started({ using })
    await payCard(card, payment.clientSecret)
    const settled = await reportPayment(using, { clientSecret: payment.clientSecret })
    if (!settled.ok || !settled.purchaseId) throw new Error(JSON.stringify(settled))
    const by = { linkToken: await bookingLinkToken(world.deps.secret, payment.paymentId) }
    expect(await withdrawBooking(using, { bookingId: settled.purchaseId, by })).toEqual({ ok: true })
    return payment
  }

  it('keeps its refund due, without a try, until its own provider is back', async () => {
    const payment = await withdrawn()
    await performDueRefunds(after)
    world.clock.forward(HOUR_MS)
    await performDueRefunds(after)
    expect(asked).toEqual([])
    expect(await refundOf(payment.paymentId)).toEqual({ state: 'due', attempts: 0, last_error: null })
    await performDueRefunds(before)
    expect(await refundOf(payment.paymentId)).toMatchObject({ state: 'done', attempts: 1 })
    const found = await openProvider(made).retrieve(payment.reference)
    expect(found).toMatchObject({ snapshot: { refundedCents: 45_500 } })
  })

  it('never delays the refunds of the present provider', async () => {
    const old = await withdrawn()
    await world.db
      .insertInto('payment_actions')
      .values(
        // More refunds than one run of the job takes.
        Array.from({ length: 60 }, (_, index) => ({
          id: `${old.paymentId}-${index}`,
          payment_id: old.paymentId,
          line: 100 + index,
          kind: 'refund' as const,
          amount_cents: 100,
          reason: 'withdrawn',
          due_at: world.clock.now(),
          claimed_at: null,
          last_error: null,
          done_at: null,
        })),
      )
      .execute()
    world.clock.forward(HOUR_MS)
    const payment = await withdrawn({ using: after, card: present })
    await performDueRefunds(after)
    expect(await refundOf(payment.paymentId)).toMatchObject({ state: 'done' })
  })

  it('stays open through the sweep and through giving up, without a call to the present provider', async () => {
    const payment = await started()
    const { submit_key: submitKey } = await paymentRow(payment.paymentId)
    expect(await giveUpPayment(after, { submitKey })).toEqual({ ok: true })
    world.clock.forward(HOUR_MS)
    await sweepPayments(after)
    expect(asked).toEqual([])
    expect(await paymentRow(payment.paymentId)).toMatchObject({ state: 'open' })
    await sweepPayments(before)
    expect(await paymentRow(payment.paymentId)).toMatchObject({ state: 'expired' })
  })

  it('asks for a new press of the button, and confirms no card whose charge would go unnoticed', async () => {
    const submitKey = crypto.randomUUID()
    await started({ submitKey })
    expect(await startBookingPayment(after, order(submitKey))).toEqual({ ok: false, reason: 'payment_ended' })
    expect(await beginConfirmation(after, { submitKey, exceptPayments: [] })).toEqual({
      ok: false,
      reason: 'payment_ended',
    })
    expect(asked).toEqual([])
  })
})

it('calls each provider about its own payments alone, while several are set up', async () => {
  const sandbox = recordCalls(openProvider('sandbox'))
  const stripeToo = recordCalls(openProvider('stripe'))
  const before: BookingDeps = { ...world.deps, providers: [stripeToo.provider] }
  const both: BookingDeps = { ...world.deps, providers: [sandbox.provider, stripeToo.provider] }
  const start = async (using: BookingDeps) => {
    const payment = await startBookingPayment(using, order())
    if (!payment.ok || payment.alreadyPaid) throw new Error(JSON.stringify(payment))
    return payment
  }
  const old = await start(before)
  const present = await start(both)
  expect((await paymentRow(present.paymentId)).provider, 'the first takes new payments').toBe('sandbox')
  await payCard('stripe', old.clientSecret)
  const settled = await reportPayment(both, { clientSecret: old.clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error(JSON.stringify(settled))
  const by = { linkToken: await bookingLinkToken(world.deps.secret, old.paymentId) }
  await withdrawBooking(both, { bookingId: settled.purchaseId, by })
  world.clock.forward(HOUR_MS)
  await performDueRefunds(both)
  await sweepPayments(both)
  expect(await refundOf(old.paymentId)).toMatchObject({ state: 'done' })
  expect(await paymentRow(present.paymentId)).toMatchObject({ state: 'expired' })
  expect(stripeToo.calls).toEqual(['create', 'retrieve', 'refund'])
  expect(sandbox.calls).toEqual(['create', 'retrieve', 'cancel'])
})
