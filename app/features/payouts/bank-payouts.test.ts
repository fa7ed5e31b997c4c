import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import {
  accountOf,
  aPaidVendor,
  books,
  finishesAccount,
  passesEvent,
  payoutDepsOf,
  transfersOf,
} from '../../../tests/payout-stage.ts'
import { type StripeServer, startStripeServer } from '../../../tests/stripe-server.ts'
import type { PayoutProvider } from '../../adapters/payments/payout-port.ts'
import { createStripeProvider } from '../../adapters/payments/stripe.server.ts'
import { createStripePayouts } from '../../adapters/payments/stripe-payouts.server.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { refreshPayoutAccount } from './account-commands.server.ts'
import { sweepBankPayouts } from './bank-commands.server.ts'
import type { PayoutDeps } from './deps.server.ts'
import { receivePayoutEvent } from './event-commands.server.ts'
import { sweepPayouts } from './settlement-commands.server.ts'

const MONTHS_MS = 95 * DAY_MS

/** The payouts to a bank of a product whose jobs were stopped for months. */

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: PayoutDeps

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  deps = payoutDepsOf(world)
})

const stateAtBank = async (bookingId: string, using = world) => {
  const [row] = await transfersOf(using, bookingId)
  const payout = await using.db
    .selectFrom('bank_payouts')
    .select('state')
    .where('id', '=', row?.bank_payout_id ?? '')
    .executeTakeFirst()
  return payout?.state ?? null
}

/** A booking whose share was sent just now. */
async function sent() {
  const { business, userId } = await aPaidVendor(world)
  const { bookingId } = await books(world, business)
  passesEvent(world)
  await sweepPayouts(deps)
  await sweepBankPayouts(deps)
  return { bookingId, userId, account: await accountOf(world, userId) }
}

/** The provider's own work, day by day. */
async function providerWorks(days: number) {
  for (let day = 0; day < days; day++) {
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
  }
}

describe('after months without a job, a payout to the bank', () => {
  it('becomes known if it was made in the meantime', async () => {
    const { bookingId } = await sent()
    await providerWorks(4)
    world.clock.forward(MONTHS_MS)
    await sweepBankPayouts(deps)
    expect(await stateAtBank(bookingId)).toBe('paid')
  })

  it('becomes known if it was made by a clock that jumped', async () => {
    const { bookingId } = await sent()
    world.clock.forward(MONTHS_MS)
    await sweepBankPayouts(deps)
    await world.payments.runDueWork()
    await world.payments.runDueWork()
    world.clock.forward(2 * HOUR_MS)
    await sweepBankPayouts(deps)
    expect(await stateAtBank(bookingId)).toBe('paid')
  })

  it('counts as at the bank if it was on its way before', async () => {
    const { bookingId, account } = await sent()
    await world.payments.runDueWork()
    world.clock.forward(2 * HOUR_MS)
    await sweepBankPayouts(deps)
    expect(await stateAtBank(bookingId)).toBe('in_transit')
    world.clock.forward(MONTHS_MS)
    await world.payments.payouts.movePayout(account, 'paid')
    await sweepBankPayouts(deps)
    expect(await stateAtBank(bookingId)).toBe('paid')
  })

  it('stops counting as at the bank if the bank has returned it since', async () => {
    const { bookingId, account } = await sent()
    await providerWorks(2)
    await sweepBankPayouts(deps)
    expect(await stateAtBank(bookingId)).toBe('paid')
    await world.payments.payouts.movePayout(account, 'failed')
    world.clock.forward(MONTHS_MS)
    await sweepBankPayouts(deps)
    expect(await stateAtBank(bookingId)).toBeNull()
  })

  it('stops counting as at the bank by the event that names it, if the bank returns it only then', async () => {
    const { bookingId, account } = await sent()
    await providerWorks(2)
    await sweepBankPayouts(deps)
    // All that a bank may still return has been read since.
    world.clock.forward(MONTHS_MS)
    await sweepBankPayouts(deps)
    world.clock.forward(MONTHS_MS)
    await world.payments.payouts.movePayout(account, 'failed')
    const { id: payout } = await world.db
      .selectFrom('sandbox_payouts')
      .select('id')
      .where('sandbox_account_id', '=', account)
      .executeTakeFirstOrThrow()
    await receivePayoutEvent(deps, { id: newId(), type: 'payout.failed', account, payout, payload: {} })
    expect(await stateAtBank(bookingId)).toBeNull()
  })

  it('becomes known at the next run if the provider didn’t answer the first', async () => {
    const { bookingId } = await sent()
    await providerWorks(4)
    world.clock.forward(MONTHS_MS)
    const silent: PayoutProvider = {
      ...world.payments.payouts,
      listBankPayouts: async () => ({ ok: false, reason: 'unreachable', message: 'no answer' }),
    }
    await sweepBankPayouts({ ...deps, payouts: silent })
    world.clock.forward(MONTHS_MS)
    await sweepBankPayouts(deps)
    expect(await stateAtBank(bookingId)).toBe('paid')
  })
})

describe('an account that was closed and replaced', () => {
  it('still tells when the money that was sent to it is at the bank', async () => {
    const { bookingId, userId, account } = await sent()
    await world.payments.payouts.moveAccount(account, 'close')
    await refreshPayoutAccount(deps, { userId })
    const other = await finishesAccount(world, userId)
    expect(other).not.toBe(account)
    // The provider pays out what a closed account still has.
    await world.db
      .updateTable('sandbox_accounts')
      .set({ standing: 'good' })
      .where('id', '=', account)
      .execute()
    await providerWorks(3)
    world.clock.forward(MONTHS_MS)
    await sweepBankPayouts(deps)
    expect(await stateAtBank(bookingId)).toBe('paid')
  })

  it('still takes the news of a payout that the bank returned', async () => {
    const { bookingId, userId, account } = await sent()
    await providerWorks(2)
    await sweepBankPayouts(deps)
    await world.payments.payouts.movePayout(account, 'failed')
    await world.payments.payouts.moveAccount(account, 'close')
    await refreshPayoutAccount(deps, { userId })
    await finishesAccount(world, userId)
    const event = { id: newId(), type: 'payout.failed', account, payout: null, payload: {} }
    expect(await receivePayoutEvent(deps, event)).toBe(true)
    expect(await stateAtBank(bookingId)).toBeNull()
    // An event about the account itself changes nothing of the present one.
    expect(await receivePayoutEvent(deps, { ...event, id: newId(), type: 'v2.core.account.closed' })).toBe(
      true,
    )
  })
})

describe('at Stripe, after months without a job', () => {
  let stripe: StripeServer

  beforeAll(async () => {
    stripe = await startStripeServer({
      descriptionPath: process.env.STRIPE_OPENAPI,
      webhookSecret: 'whsec_test0000000000000000000000',
      now: () => world.clock.now(),
    })
  })
  afterAll(() => stripe.close())

  it('a payout that was made meanwhile is at the bank, and a returned one is not', async () => {
    const options = {
      secretKey: 'sk_test_0000000000000000',
      publishableKey: 'pk_test_0000000000000000',
      webhookSecret: 'whsec_test0000000000000000000000',
      connectWebhookSecret: 'whsec_test1111111111111111111111',
      accountsWebhookSecret: 'whsec_test2222222222222222222222',
      now: world.clock.now,
      host: '127.0.0.1',
      port: stripe.port,
      protocol: 'http' as const,
      retries: 0,
    }
    const using = payoutDepsOf(world, { payouts: createStripePayouts(options) })
    const { bookingId } = await sentAtStripe(using, createStripeProvider(options), 'good')
    const returning = await sentAtStripe(using, createStripeProvider(options), 'returning')
    await sweepBankPayouts(using)
    for (let day = 0; day < 4; day++) {
      world.clock.forward(DAY_MS)
      stripe.payouts.runPayouts()
    }
    world.clock.forward(MONTHS_MS)
    await sweepBankPayouts(using)
    expect(await stateAtBank(bookingId)).toBe('paid')
    expect(await stateAtBank(returning.bookingId)).toBeNull()
    const returned = await world.db
      .selectFrom('bank_payouts')
      .innerJoin('payout_accounts', 'payout_accounts.id', 'bank_payouts.payout_account_id')
      .select('bank_payouts.state')
      .where('payout_accounts.vendor_user_id', '=', returning.userId)
      .execute()
    expect(returned).toEqual([{ state: 'failed' }])
  })

  /** A transfer of a charge at Stripe, with the rows that our own commands would have stored. */
  async function sentAtStripe(
    using: PayoutDeps,
    payments: ReturnType<typeof createStripeProvider>,
    bank: 'good' | 'returning',
  ) {
    const made = await payments.create({
      paymentId: newId(),
      amountCents: 10_000,
      currency: 'aud',
      description: 'The Walled Garden',
      statementSuffix: 'WALLED GARDEN',
      idempotencyKey: newId(),
    })
    const userId = newId()
    const opened = await using.payouts.createAccount({
      accountId: newId(),
      email: 'vendor@jubilee.example',
      registeredName: 'Walled Garden Pty Ltd',
      entityType: 'company',
      abn: null,
      idempotencyKey: newId(),
    })
    if (!made.ok || !opened.ok) throw new Error('Stripe did not answer.')
    stripe.pay(made.clientSecret)
    stripe.payouts.complete(opened.reference, bank)
    const [accountId, transferId, bookingId] = [newId(), newId(), newId()]
    const sentTo = await using.payouts.transfer({
      account: opened.reference,
      amountCents: 9_000,
      charge: made.reference,
      group: null,
      transferId,
    })
    if (!sentTo.ok) throw new Error(sentTo.message)
    const now = world.clock.now()
    await world.db
      .insertInto('payout_accounts')
      .values({
        id: accountId,
        vendor_user_id: userId,
        provider: 'stripe',
        provider_account: opened.reference,
        state: 'active',
        bank_last4: null,
        active_since: now,
        checked_at: now,
        created_at: now,
      })
      .execute()
    await world.db
      .insertInto('transfers')
      .values({
        id: transferId,
        booking_id: bookingId,
        purpose: 'share-1',
        vendor_user_id: userId,
        payment_id: newId(),
        provider: 'stripe',
        state: 'made',
        held_reason: null,
        due_at: now,
        amount_cents: 9_000,
        netted_cents: 0,
        payout_account_id: accountId,
        provider_transfer: sentTo.transfer.reference,
        claimed_at: now,
        last_error: null,
        made_at: now,
        bank_payout_id: null,
        created_at: now,
      })
      .execute()
    return { bookingId, userId }
  }
})
