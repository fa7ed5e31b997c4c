import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import {
  accountOf,
  aPaidVendor,
  books,
  cancelsAsOperator,
  finishesAccount,
  moneyOf,
  OPERATOR,
  passesEvent,
  payoutDepsOf,
  refundsAsOperator,
  reversalsOf,
  sumAtProvider,
  transfersOf,
} from '../../../tests/payout-stage.ts'
import type { PayoutProvider } from '../../adapters/payments/payout-port.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { findPolicyRefund } from '../bookings/cancellation/queries.server.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { proveLedger } from '../ledger/queries.server.ts'
import { settleDisputes } from '../payments/dispute-commands.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import {
  applyAccountSnapshot,
  openPayoutAccount,
  refreshPayoutAccount,
  sweepPayoutAccounts,
} from './account-commands.server.ts'
import { sweepBankPayouts } from './bank-commands.server.ts'
import type { PayoutDeps } from './deps.server.ts'
import { receivePayoutEvent } from './event-commands.server.ts'
import { findPayoutAccount, listDebts, selectAccount } from './queries.server.ts'
import { sweepPayouts } from './settlement-commands.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: PayoutDeps

beforeAll(async () => {
  world = await aBookingWorld()
  deps = payoutDepsOf(world)
})
afterAll(() => world.close())
beforeEach(() => {
  deps = payoutDepsOf(world)
})

const sweep = (using = deps) => sweepPayouts(using)
const mailsTo = async (userId: string, prefix: string) =>
  (await world.jobs.mails()).filter(
    ({ to, messageId }) => to.startsWith(userId) && messageId.startsWith(`<payout-${prefix}`),
  )
const refund = (paymentId: string, amountCents: number) =>
  refundsAsOperator(world.deps, { operator: OPERATOR, paymentId, amountCents, reason: 'The heater failed.' })
const dispute = async (
  payment: { paymentId: string; reference: string },
  ...steps: ('open' | 'won' | 'lost')[]
) => {
  for (const step of steps) {
    if (step === 'open') await world.payments.openDispute(payment.reference, 'dispute')
    else await world.payments.decideDispute(payment.reference, step)
    await settleDisputes(world.deps, world.payments, {
      id: payment.paymentId,
      provider_reference: payment.reference,
    })
  }
}
/** A booking of $8,700.00 whose share was sent. */
async function sent(vendor?: Awaited<ReturnType<typeof aPaidVendor>>) {
  const { business, userId } = vendor ?? (await aPaidVendor(world))
  const payment = await books(world, business)
  passesEvent(world)
  await sweep()
  return { ...payment, business, userId, account: await accountOf(world, userId) }
}
/** The provider has paid out all that the account had. */
async function emptied(reference: string) {
  await sql`
    insert into sandbox_movements (id, sandbox_account_id, kind, reference, amount_cents, created_at, available_at)
    select 'empty-' || gen_random_uuid(), ${reference}, 'payout', 'by hand', -sum(amount_cents), ${world.clock.now()},
      ${world.clock.now()}
    from sandbox_movements where sandbox_account_id = ${reference}`.execute(world.db)
}
const isProved = async () =>
  expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])

describe('a booking of $8,700.00', () => {
  it('earns $7,830.00 after its event, sent 48 hours later, and $870.00 of commission', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId, reference } = await books(world, business)
    world.clock.forward(29 * DAY_MS)
    await sweep()
    expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 870_000, earnedCents: 0 })
    world.clock.forward(2 * DAY_MS)
    await sweep()
    expect(await moneyOf(world, bookingId)).toMatchObject({
      heldCents: 0,
      payableCents: 783_000,
      commissionCents: 87_000,
      kept: { cents: 870_000, commissionCents: 87_000, gstCents: 7_909 },
    })
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'due', held_reason: null }])
    world.clock.forward(2 * DAY_MS)
    await Promise.all([sweep(), sweep()])
    await sweep()
    const [row] = await transfersOf(world, bookingId)
    expect(row).toMatchObject({ state: 'made', purpose: 'share-1', attempts: 1 })
    expect(Number(row?.amount_cents)).toBe(783_000)
    expect(await sumAtProvider(world, await accountOf(world, userId))).toBe(783_000)
    expect(await moneyOf(world, bookingId)).toMatchObject({ payableCents: 0, earnedCents: 783_000 })
    const [mail, ...others] = await mailsTo(userId, 'sent')
    expect(others).toEqual([])
    expect(mail?.subject).toBe('$7,830.00 is on its way to you')
    // The person, not the registered business.
    expect(mail?.text).toMatch(/^[^\n]+\n\nHi Robin,\n/)
    const made = await world.db
      .selectFrom('sandbox_transfers')
      .select(['sandbox_payment_id'])
      .where('transfer_id', '=', row?.id ?? '')
      .execute()
    expect(made).toEqual([{ sandbox_payment_id: reference }])
    expect(await world.db.selectFrom('payout_queue').select('booking_id').execute()).toEqual([])
    await isProved()
  })

  it('pays its vendor from our balance if it is from before the ledger, without its charge and without commission', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, business, { isOld: true })
    // Without commission, the provider's fee of the charge comes from the rest of our balance.
    await books(world, business, { isApproved: false })
    const opened = await world.db
      .selectFrom('ledger_transactions')
      .innerJoin('ledger_postings', 'ledger_postings.transaction_id', 'ledger_transactions.id')
      .select('kind')
      .distinct()
      .where('ledger_postings.booking_id', '=', bookingId)
      .execute()
    expect(opened).toEqual([{ kind: 'opening' }])
    passesEvent(world)
    await sweep()
    const [row] = await transfersOf(world, bookingId)
    expect(row).toMatchObject({ state: 'made', purpose: 'share-1' })
    const made = await world.db
      .selectFrom('sandbox_transfers')
      .select(['amount_cents', 'sandbox_payment_id'])
      .where('transfer_id', '=', row?.id ?? '')
      .executeTakeFirstOrThrow()
    expect([Number(made.amount_cents), made.sandbox_payment_id]).toEqual([870_000, null])
    expect(await sumAtProvider(world, await accountOf(world, userId))).toBe(870_000)
    expect(await moneyOf(world, bookingId)).toMatchObject({ commissionCents: 0, payableCents: 0 })
    await isProved()
  })

  it('earns nothing if it isn’t approved', async () => {
    const { business } = await aPaidVendor(world)
    const { bookingId } = await books(world, business, { isApproved: false })
    passesEvent(world)
    await sweep()
    expect(await transfersOf(world, bookingId)).toEqual([])
    expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 870_000 })
  })

  it('approved, declined and approved again inside the grace time is sent once', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, business)
    const reason = 'The marquee is torn.'
    await decideBooking(world.deps, { userId, bookingId, decision: 'declined', reason })
    await decideBooking(world.deps, { userId, bookingId, decision: 'approved' })
    passesEvent(world)
    await sweep()
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made' }])
  })
})

describe('a transfer that is due', () => {
  it('waits without an account, and leaves within a minute of the account’s being ready', async () => {
    const { business, userId } = await aPaidVendor(world, { isReady: false })
    const { bookingId } = await books(world, business)
    passesEvent(world)
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'due', held_reason: 'no_account' }])
    const [held, ...more] = await mailsTo(userId, 'held')
    expect([held?.subject, more]).toEqual(['$7,830.00 is waiting: Harbour Light Pavilion', []])
    await finishesAccount(world, userId)
    expect(await mailsTo(userId, 'account-ready')).toHaveLength(1)
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made', held_reason: null }])
  })

  it('waits for the agreement first', async () => {
    const { business, userId } = await aPaidVendor(world, { isReady: false })
    await world.db.deleteFrom('acceptances').where('user_id', '=', userId).execute()
    const { bookingId } = await books(world, business)
    passesEvent(world)
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ held_reason: 'no_agreement' }])
  })

  it('waits while the account is paused, and its vendor is told what the provider needs', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, business)
    await world.payments.payouts.moveAccount(await accountOf(world, userId), 'restrict')
    await refreshPayoutAccount(deps, { userId })
    await refreshPayoutAccount(deps, { userId })
    passesEvent(world)
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ held_reason: 'restricted' }])
    expect(await mailsTo(userId, 'account-needs')).toHaveLength(1)
  })

  it('leaves later under another id if the provider refuses it', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, business)
    const ids: string[] = []
    deps = payoutDepsOf(world, {
      payouts: {
        ...deps.payouts,
        transfer(input) {
          ids.push(input.transferId)
          return world.payments.payouts.transfer(input)
        },
      },
    })
    // Paused at the provider, and not known here yet.
    await world.payments.payouts.moveAccount(await accountOf(world, userId), 'restrict')
    passesEvent(world)
    await sweep()
    const [refused] = await transfersOf(world, bookingId)
    expect(refused).toMatchObject({ state: 'due', attempts: 1, last_error: expect.any(String) })
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'due', held_reason: 'restricted' }])
    await world.payments.payouts.moveAccount(await accountOf(world, userId), 'complete')
    await refreshPayoutAccount(deps, { userId })
    world.clock.forward(3_600_000)
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made', attempts: 2 }])
    // A provider answers a key that it has refused in the same way.
    expect(new Set(ids).size).toBe(2)
  })
})

describe('a provider that does not answer', () => {
  const away = { ok: false, reason: 'unreachable', message: 'No answer.' } as const
  const lost = (payouts: PayoutProvider): PayoutProvider => ({
    ...payouts,
    async transfer(input) {
      await payouts.transfer(input)
      return away
    },
    async reverse(input) {
      await payouts.reverse(input)
      return away
    },
  })

  const repeated = () => {
    throw new Error('The provider was told to do it twice.')
  }

  it('doubles nothing and loses nothing in a day', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, business)
    passesEvent(world)
    const silent: PayoutProvider = {
      ...deps.payouts,
      transfer: async () => away,
      listTransfers: async () => away,
    }
    for (let hour = 0; hour < 24; hour++) {
      await sweep({ ...deps, payouts: silent })
      world.clock.forward(3_600_000)
    }
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'claimed' }])
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made' }])
    expect(await sumAtProvider(world, await accountOf(world, userId))).toBe(783_000)
  })

  it('must say whether it made the transfer before the transfer is repeated', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId, paymentId, ...rest } = await books(world, business)
    passesEvent(world)
    await sweep({ ...deps, payouts: lost(deps.payouts) })
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'claimed' }])
    // The new obstacle doesn't hide that the transfer was made.
    await dispute({ paymentId, ...rest }, 'open')
    world.clock.forward(61_000)
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'reversed' }])
    expect(await sumAtProvider(world, await accountOf(world, userId))).toBe(0)
    await isProved()
  })

  it('gets no second request for the transfer once it has forgotten the key', async () => {
    const { business } = await aPaidVendor(world)
    const { bookingId } = await books(world, business)
    passesEvent(world)
    await sweep({ ...deps, payouts: lost(deps.payouts) })
    world.clock.forward(2 * DAY_MS)
    await sweep({ ...deps, payouts: { ...deps.payouts, transfer: repeated } })
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made' }])
  })

  it('must say whether it brought money back before the reversal is repeated', async () => {
    const { bookingId, paymentId, account } = await sent()
    await refund(paymentId, 435_000)
    await sweep({ ...deps, payouts: lost(deps.payouts) })
    expect(await reversalsOf(world, bookingId)).toMatchObject([{ state: 'claimed' }])
    world.clock.forward(61_000)
    await sweep({ ...deps, payouts: { ...deps.payouts, reverse: repeated } })
    expect(await reversalsOf(world, bookingId)).toMatchObject([{ state: 'done' }])
    expect(await sumAtProvider(world, account)).toBe(391_500)
  })

  it('keeps no claim that something is in the way of, once no answer can come', async () => {
    const { business } = await aPaidVendor(world)
    const payment = await books(world, business)
    passesEvent(world)
    await sweep({ ...deps, payouts: { ...deps.payouts, transfer: async () => away } })
    await dispute(payment, 'open')
    world.clock.forward(61_000)
    await sweep()
    expect(await transfersOf(world, payment.bookingId)).toMatchObject([{ state: 'claimed' }])
    world.clock.forward(3_600_000)
    await sweep()
    expect(await transfersOf(world, payment.bookingId)).toEqual([])
    await dispute(payment, 'won')
    await sweep()
    expect(await transfersOf(world, payment.bookingId)).toMatchObject([{ state: 'made' }])
    await isProved()
  })
})

describe('a refund of $4,350.00', () => {
  it('after the transfer brings back $3,915.00 and halves the commission', async () => {
    const { bookingId, paymentId, account } = await sent()
    await refund(paymentId, 435_000)
    await sweep()
    expect((await reversalsOf(world, bookingId)).map((row) => [row.state, Number(row.amount_cents)])).toEqual(
      [['done', 391_500]],
    )
    expect(await moneyOf(world, bookingId)).toMatchObject({
      refundedCents: 435_000,
      commissionCents: 43_500,
      payableCents: 0,
      receivableCents: 0,
      earnedCents: 391_500,
    })
    expect(await sumAtProvider(world, account)).toBe(391_500)
    const [row] = await transfersOf(world, bookingId)
    expect([row?.state, Number(row?.reversed_cents)]).toEqual(['partly_reversed', 391_500])
    await isProved()
  })

  it('before the transfer leaves $3,915.00 to send', async () => {
    const { business } = await aPaidVendor(world)
    const { bookingId, paymentId } = await books(world, business)
    await refund(paymentId, 435_000)
    passesEvent(world)
    await sweep()
    const [row] = await transfersOf(world, bookingId)
    expect([row?.state, Number(row?.amount_cents)]).toEqual(['made', 391_500])
  })

  it('becomes a debt of $3,915.00 with an emptied account, which the next booking pays', async () => {
    const first = await sent()
    await emptied(first.account)
    await refund(first.paymentId, 435_000)
    await sweep()
    expect(await reversalsOf(world, first.bookingId)).toMatchObject([{ state: 'impossible' }])
    expect(await listDebts(world.db, first.userId)).toEqual([{ bookingId: first.bookingId, cents: 391_500 }])
    const [mail] = await mailsTo(first.userId, 'debt')
    expect(mail?.subject).toBe('You owe $3,915.00: Harbour Light Pavilion')
    const second = await books(world, first.business)
    passesEvent(world)
    await sweep()
    const [row] = await transfersOf(world, second.bookingId)
    expect([row?.state, Number(row?.amount_cents), Number(row?.netted_cents)]).toEqual([
      'made',
      391_500,
      391_500,
    ])
    expect(await listDebts(world.db, first.userId)).toEqual([])
    await isProved()
  })

  it('holds the transfer while it is due', async () => {
    const { business } = await aPaidVendor(world)
    const { bookingId, paymentId } = await books(world, business)
    passesEvent(world, -2 * DAY_MS)
    await sweep()
    await sql`
      insert into payment_actions (id, payment_id, line, kind, amount_cents, reason, due_at)
      values (${`due-${paymentId}`}, ${paymentId}, 1, 'refund', 435000, 'operator', ${new Date('2100-01-01')})`.execute(
      world.db,
    )
    world.clock.forward(2 * DAY_MS)
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'due', held_reason: 'refund' }])
    await sql`update payment_actions set due_at = ${world.clock.now()} where payment_id = ${paymentId}`.execute(
      world.db,
    )
    await performDueRefunds(world.deps)
    await sweep()
    const [row] = await transfersOf(world, bookingId)
    expect([row?.state, Number(row?.amount_cents)]).toEqual(['made', 391_500])
  })
})

describe('a dispute', () => {
  it('before the transfer holds it', async () => {
    const { business, userId } = await aPaidVendor(world)
    const payment = await books(world, business)
    passesEvent(world, -2 * DAY_MS)
    await sweep()
    await dispute(payment, 'open')
    world.clock.forward(2 * DAY_MS)
    await sweep()
    expect((await transfersOf(world, payment.bookingId)).filter(({ state }) => state !== 'due')).toEqual([])
    expect(await mailsTo(userId, 'dispute')).toHaveLength(1)
  })

  it('brings the transfer back, once, if it is lost afterwards', async () => {
    const { account, bookingId, userId, ...payment } = await sent()
    await dispute(payment, 'open')
    await sweep()
    await dispute(payment, 'lost')
    await sweep()
    await sweep()
    expect(await reversalsOf(world, bookingId)).toMatchObject([{ state: 'done' }])
    expect(await sumAtProvider(world, account)).toBe(0)
    expect(await moneyOf(world, bookingId)).toMatchObject({
      lostCents: 870_000,
      commissionCents: 0,
      payableCents: 0,
    })
    expect((await mailsTo(userId, 'dispute')).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(
        /^Send proof by \w{3} \d{1,2} \w+: \$8,700\.00 disputed, Harbour Light Pavilion$/,
      ),
      'Decided in the customer’s favour: Harbour Light Pavilion',
    ])
    await isProved()
  })

  it('lets the transfer be sent again, once, if it is won afterwards', async () => {
    const { account, bookingId, ...payment } = await sent()
    await dispute(payment, 'open')
    await sweep()
    expect(await sumAtProvider(world, account)).toBe(0)
    await dispute(payment, 'won')
    await sweep()
    await sweep()
    expect((await transfersOf(world, bookingId)).map(({ purpose, state }) => [purpose, state])).toEqual([
      ['share-1', 'reversed'],
      ['share-2', 'made'],
    ])
    expect(await sumAtProvider(world, account)).toBe(783_000)
    expect(await moneyOf(world, bookingId)).toMatchObject({ commissionCents: 87_000, payableCents: 0 })
    await isProved()
  })

  it('clears the debt that it made on an emptied account if it is won', async () => {
    const { account, bookingId, userId, ...payment } = await sent()
    await emptied(account)
    await dispute(payment, 'open')
    await sweep()
    expect(await listDebts(world.db, userId)).toEqual([{ bookingId, cents: 783_000 }])
    await dispute(payment, 'won')
    await sweep()
    expect(await listDebts(world.db, userId)).toEqual([])
    expect(await sumAtProvider(world, account)).toBe(0)
    await isProved()
  })
})

describe('a payout to the bank', () => {
  it('puts a transfer at the bank the next day', async () => {
    const { bookingId } = await sent()
    await world.payments.runDueWork()
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await sweepBankPayouts(deps)
    const [row] = await transfersOf(world, bookingId)
    const payout = await world.db
      .selectFrom('bank_payouts')
      .select(['state', 'amount_cents'])
      .where('id', '=', row?.bank_payout_id ?? '')
      .executeTakeFirst()
    expect([payout?.state, Number(payout?.amount_cents)]).toEqual(['paid', 783_000])
  })

  it('sends the vendor one mail if the bank returns it, and leaves the ledger as it is', async () => {
    const { bookingId, userId, account } = await sent()
    const before = await moneyOf(world, bookingId)
    await world.payments.runDueWork()
    await world.payments.payouts.movePayout(account, 'failed')
    await sweepBankPayouts(deps)
    world.clock.forward(2 * HOUR_MS)
    await sweepBankPayouts(deps)
    expect(await mailsTo(userId, 'returned')).toHaveLength(1)
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made', bank_payout_id: null }])
    expect(await moneyOf(world, bookingId)).toEqual(before)
    // A new bank account.
    await world.payments.payouts.moveAccount(account, 'complete')
    world.clock.forward(2 * DAY_MS)
    await world.payments.runDueWork()
    world.clock.forward(2 * DAY_MS)
    await world.payments.runDueWork()
    await sweepBankPayouts(deps)
    const [row] = await transfersOf(world, bookingId)
    expect(row?.bank_payout_id).toEqual(expect.any(String))
  })
})

describe('applyAccountSnapshot', () => {
  it('drops an answer that a later one has overtaken', async () => {
    const { userId } = await aPaidVendor(world)
    const { payouts } = world.payments
    const row = await selectAccount(world.db, { userId, provider: 'sandbox' })
    const late = await payouts.retrieveAccount(row?.provider_account ?? '')
    if (!row || !late.ok) throw new Error('no account')
    const askedAt = world.clock.now()
    world.clock.forward(1_000)
    await payouts.moveAccount(late.snapshot.reference, 'restrict')
    await refreshPayoutAccount(deps, { userId })
    await applyAccountSnapshot(deps, { ...row, askedAt }, late.snapshot)
    expect(await findPayoutAccount(world.db, { userId, provider: 'sandbox' })).toMatchObject({
      state: 'restricted',
    })
  })
})

describe('openPayoutAccount', () => {
  it('opens one account for two presses at once, and refuses without a registration', async () => {
    const { userId } = await aPaidVendor(world, { isReady: false })
    const open = () => openPayoutAccount(deps, { userId, email: 'a@example.com' })
    const answers = await Promise.all([open(), open()])
    expect(answers.map(({ ok }) => ok)).toEqual([true, true])
    const account = await accountOf(world, userId)
    const made = await world.db
      .selectFrom('sandbox_accounts')
      .select(['id', 'entity_type', 'registered_name', 'abn'])
      .where('email', '=', 'a@example.com')
      .execute()
    expect(made).toEqual([
      { id: account, entity_type: 'individual', registered_name: 'Harbour Light', abn: '51824753556' },
    ])
    expect(await openPayoutAccount(deps, { userId: 'nobody', email: '' })).toEqual({
      ok: false,
      reason: 'not_registered',
    })
  })

  it('leads back to where the vendor began', async () => {
    const { userId } = await aPaidVendor(world, { isReady: false })
    await openPayoutAccount(deps, { userId, email: 'back@example.com', from: 'dashboard' })
    const account = await accountOf(world, userId)
    const link = await world.db
      .selectFrom('sandbox_account_links')
      .select(['return_url', 'refresh_url'])
      .where('sandbox_account_id', '=', account ?? '')
      .executeTakeFirstOrThrow()
    expect(link.return_url).toMatch(/\/dashboard\/payouts\/return\?from=dashboard$/)
    expect(link.refresh_url).toMatch(/\/dashboard\/payouts\/refresh\?from=dashboard$/)
  })

  it('replaces a closed account by another one', async () => {
    const { userId } = await aPaidVendor(world)
    const before = await accountOf(world, userId)
    await world.db
      .updateTable('payout_accounts')
      .set({ state: 'closed' })
      .where('vendor_user_id', '=', userId)
      .execute()
    expect(await openPayoutAccount(deps, { userId, email: 'b@example.com' })).toMatchObject({ ok: true })
    expect(await accountOf(world, userId)).not.toBe(before)
  })
})

describe('faults that other marketplaces had (spree/spree, pull request 14622)', () => {
  it('lost webhooks: an account becomes ready, and its vendor is paid, without any of them', async () => {
    const { business, userId } = await aPaidVendor(world, { isReady: false })
    const { bookingId } = await books(world, business)
    await openPayoutAccount(deps, { userId, email: 'lost@example.com' })
    await world.payments.payouts.moveAccount(await accountOf(world, userId), 'complete', 'never')
    passesEvent(world)
    await sweepPayoutAccounts(deps)
    await sweep()
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made' }])
  })

  it('a forged event: an account is ready when the provider says so, not when an event does', async () => {
    const { userId } = await aPaidVendor(world, { isReady: false })
    await openPayoutAccount(deps, { userId, email: 'forged@example.com' })
    const account = await accountOf(world, userId)
    const forged = { id: newId(), type: 'v2.core.account.updated', account, payout: null, payload: {} }
    expect(await receivePayoutEvent(deps, forged)).toBe(true)
    expect(await findPayoutAccount(world.db, { userId, provider: 'sandbox' })).toMatchObject({
      state: 'started',
    })
    expect(await receivePayoutEvent(deps, { ...forged, id: newId(), account: 'another' })).toBe(true)
  })

  it('another vendor’s lines: a transfer has its own booking’s commission alone', async () => {
    const one = await aPaidVendor(world)
    const other = await aPaidVendor(world)
    const first = await books(world, one.business)
    const second = await books(world, other.business, { quantity: 10 })
    passesEvent(world)
    await sweep()
    const amounts = [first, second].map(async ({ bookingId }) => {
      const [row] = await transfersOf(world, bookingId)
      return [row?.vendor_user_id, Number(row?.amount_cents)]
    })
    expect(await Promise.all(amounts)).toEqual([
      [one.userId, 783_000],
      [other.userId, 130_500],
    ])
  })

  it('a fully refunded booking: nothing is sent, and its status says so', async () => {
    const { business } = await aPaidVendor(world)
    const { bookingId, paymentId } = await books(world, business)
    await refund(paymentId, 870_000)
    passesEvent(world)
    await sweep()
    expect(await transfersOf(world, bookingId)).toEqual([])
    const row = await world.db
      .selectFrom('bookings')
      .select('payment_status')
      .where('id', '=', bookingId)
      .executeTakeFirst()
    expect(row?.payment_status).toBe('refunded')
    expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 0, commissionCents: 0 })
  })

  it('more than the account has: nothing is asked for twice, and the rest is a debt', async () => {
    const { bookingId, paymentId, account, userId } = await sent()
    await emptied(account)
    await refund(paymentId, 870_000)
    await sweep()
    await sweep()
    expect(await reversalsOf(world, bookingId)).toMatchObject([{ state: 'impossible', attempts: 1 }])
    expect(await listDebts(world.db, userId)).toEqual([{ bookingId, cents: 783_000 }])
  })

  it('a payout that the bank returns after it arrived: it no longer reads as at the bank', async () => {
    const { bookingId, account } = await sent()
    await world.payments.runDueWork()
    await world.payments.payouts.movePayout(account, 'paid')
    await sweepBankPayouts(deps)
    expect(await transfersOf(world, bookingId)).toMatchObject([{ bank_payout_id: expect.any(String) }])
    await world.payments.payouts.movePayout(account, 'failed')
    const event = { id: newId(), type: 'payout.failed', account, payout: null, payload: {} }
    await receivePayoutEvent(deps, event)
    await receivePayoutEvent(deps, event)
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made', bank_payout_id: null }])
  })
})

describe('a refund that we bore, of a booking that ends without its event', () => {
  const bear = (paymentId: string, amountCents: number) =>
    refundsAsOperator(world.deps, {
      operator: OPERATOR,
      paymentId,
      amountCents,
      reason: 'For the wait.',
      borneBy: 'operator',
    })

  it('comes back to us when the vendor declines and everything goes back', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId, paymentId } = await books(world, business)
    await bear(paymentId, 8_700)
    await sweep()
    expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 870_000, coveredCents: 8_700 })
    await decideBooking(world.deps, {
      userId,
      bookingId,
      decision: 'declined',
      reason: 'It is torn.',
      isAtOnce: true,
    })
    // While the decline can be taken back, nothing moves.
    await sweep()
    expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 870_000, coveredCents: 8_700 })
    world.clock.forward(DAY_MS)
    await performDueRefunds(world.deps)
    await sweep()
    await sweep()
    expect(await moneyOf(world, bookingId)).toMatchObject({
      refundedCents: 870_000,
      heldCents: 0,
      coveredCents: 0,
      earnedCents: 0,
    })
    expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])
  })

  it('leaves the vendor what the cancellation does, and no more', async () => {
    const { business } = await aPaidVendor(world)
    const { bookingId, paymentId } = await books(world, business, { daysAhead: 20 })
    await bear(paymentId, 8_700)
    world.clock.forward(3 * DAY_MS)
    const expectedCents = await findPolicyRefund(world.db, bookingId, world.clock.now())
    const order = { operator: OPERATOR, paymentId, reason: 'Ill.' }
    const cancelled = cancelsAsOperator(world.deps, {
      ...order,
      side: 'customer',
      refund: 'policy',
      expectedCents,
    })
    expect(await cancelled).toMatchObject({ ok: true })
    await performDueRefunds(world.deps)
    const kept = await world.db
      .selectFrom('cancellations')
      .select('kept_cents')
      .where('booking_id', '=', bookingId)
      .executeTakeFirstOrThrow()
    await sweep()
    const money = await moneyOf(world, bookingId)
    expect(money.kept.cents).toBe(Number(kept.kept_cents))
    expect(money).toMatchObject({ heldCents: 0, coveredCents: 0 })
    expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])
  })
})
