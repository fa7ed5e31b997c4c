import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import { findMoneyDifferences } from '../../../tests/money-proof.ts'
import {
  accountOf,
  aPaidVendor,
  books,
  moneyOf,
  OPERATOR,
  payoutDepsOf,
  paysBalance,
  refundsAsOperator,
  sumAtProvider,
  transfersOf,
} from '../../../tests/payout-stage.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { cancelBooking } from '../bookings/cancellation/commands.server.ts'
import { findCancelling } from '../bookings/cancellation/queries.server.ts'
import { createBookingDeps } from '../bookings/checkout/fulfilment-commands.server.ts'
import { decideBooking, undoDecline } from '../bookings/decisions/commands.server.ts'
import { findBookingByLink } from '../bookings/list/queries.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { listEarningMonths, listEarnings } from './earning-queries.server.ts'
import { sweepPayouts } from './settlement-commands.server.ts'

/**
 * A price that is paid in two payments, a deposit of 20 % and the balance 30 days before the event, through the whole
 * application: charges, ledger, refunds and payouts.
 */

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeAll(async () => {
  world = await aBookingWorld()
  const payoutTimes = { delayMs: 2 * DAY_MS, holdLimitMs: 85 * DAY_MS }
  world.deps = createBookingDeps({ ...world.deps, payoutTimes })
})
afterAll(() => world.close())

const sweep = () => sweepPayouts(payoutDepsOf(world))
const isProved = async () => {
  expect(await findMoneyDifferences(world.db)).toEqual([])
}
const chargesOf = async (firstPaymentId: string) => {
  const rows = await world.db
    .selectFrom('payments')
    .select(['id', 'provider_reference', 'amount_cents', 'state'])
    .where('sale_id', '=', firstPaymentId)
    .orderBy('created_at')
    .orderBy(sql`sale_id <> id`)
    .execute()
  return rows.map((row) => ({ ...row, amount_cents: Number(row.amount_cents) }))
}
const refundsOf = async (firstPaymentId: string) => {
  const rows = await world.db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .select(['payment_actions.payment_id', 'payment_actions.amount_cents', 'payment_actions.state'])
    .where('payments.sale_id', '=', firstPaymentId)
    .orderBy('payments.created_at', 'desc')
    .orderBy('payment_actions.created_at')
    .execute()
  return rows.map((row) => ({ ...row, amount_cents: Number(row.amount_cents) }))
}
const bookingOf = async (paymentId: string) => {
  const booking = await findBookingByLink(world.db, await bookingLinkToken(world.deps.secret, paymentId))
  if (!booking) throw new Error('no booking')
  return booking
}

it('a booking 200 days ahead charges the deposit, and its record has the whole price', async () => {
  const { business } = await aPaidVendor(world, { hasDeposit: true })
  const { paymentId } = await books(world, business, { daysAhead: 200 })
  expect(await chargesOf(paymentId)).toMatchObject([{ amount_cents: 174_000, state: 'paid' }])
  expect((await bookingOf(paymentId)).stored).toMatchObject({ totalPrice: '8700.00', paymentStatus: 'paid' })
  const rows = await world.db
    .selectFrom('instalments')
    .select(['number', 'amount_cents', 'state'])
    .where('payment_id', '=', paymentId)
    .orderBy('number')
    .execute()
  expect(rows.map((row) => [row.number, Number(row.amount_cents), row.state])).toEqual([
    [1, 174_000, 'paid'],
    [2, 696_000, 'scheduled'],
  ])
})

it('the same listing charges all at once where the balance would be due within a week', async () => {
  const { business } = await aPaidVendor(world, { hasDeposit: true })
  const { paymentId } = await books(world, business, { daysAhead: 35 })
  expect(await chargesOf(paymentId)).toMatchObject([{ amount_cents: 870_000 }])
  expect(
    await world.db.selectFrom('instalments').select('id').where('payment_id', '=', paymentId).execute(),
  ).toEqual([])
})

it('a listing paid in full takes the default deposit where its money could not be held until the event', async () => {
  const { business } = await aPaidVendor(world)
  expect(await chargesOf((await books(world, business, { daysAhead: 200 })).paymentId)).toMatchObject([
    { amount_cents: 174_000 },
  ])
  expect(await chargesOf((await books(world, business, { daysAhead: 60 })).paymentId)).toMatchObject([
    { amount_cents: 870_000 },
  ])
})

it('the deposit of a booking whose decline waits to be told stays with us, and is sent after an undo', async () => {
  const { business, userId } = await aPaidVendor(world, { hasDeposit: true })
  const { bookingId } = await books(world, business, { daysAhead: 200 })
  const account = await accountOf(world, userId)
  await sweep()
  world.clock.forward(2 * DAY_MS - 5 * MINUTE_MS)
  await decideBooking(world.deps, { userId, bookingId, decision: 'declined', reason: 'We are closing.' })
  world.clock.forward(10 * MINUTE_MS)
  await sweep()
  expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 174_000, commissionCents: 0 })
  await undoDecline(world.deps, { userId, bookingId })
  world.clock.forward(10 * MINUTE_MS)
  await sweep()
  expect(await sumAtProvider(world, account)).toBe(156_600)
})

it('the deposit is sent 48 hours after paying, the balance after the event, each from its own charge', async () => {
  const { business, userId } = await aPaidVendor(world, { hasDeposit: true })
  const { bookingId, paymentId } = await books(world, business, { daysAhead: 200 })
  const account = await accountOf(world, userId)
  await sweep()
  expect(await transfersOf(world, bookingId)).toEqual([])
  world.clock.forward(2 * DAY_MS)
  await sweep()
  expect(await sumAtProvider(world, account)).toBe(156_600)
  expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 0, commissionCents: 17_400 })
  world.clock.forward(168 * DAY_MS)
  await paysBalance(world, paymentId)
  await sweep()
  expect(await moneyOf(world, bookingId)).toMatchObject({ chargedCents: 870_000, heldCents: 696_000 })
  expect((await bookingOf(paymentId)).stored.paymentStatus).toBe('paid')
  world.clock.forward(33 * DAY_MS)
  await sweep()
  expect(await sumAtProvider(world, account)).toBe(783_000)
  expect(await moneyOf(world, bookingId)).toMatchObject({
    heldCents: 0,
    payableCents: 0,
    commissionCents: 87_000,
  })
  const made = await world.db
    .selectFrom('sandbox_transfers')
    .select(['sandbox_payment_id'])
    .where(
      'transfer_id',
      'in',
      (await transfersOf(world, bookingId)).map(({ id }) => id),
    )
    .orderBy('created_at')
    .execute()
  expect(made.map((row) => row.sandbox_payment_id)).toEqual(
    (await chargesOf(paymentId)).map((row) => row.provider_reference),
  )
  await isProved()
})

it('an approval after the cooling-off time sends the deposit within a sweep', async () => {
  const { business, userId } = await aPaidVendor(world, { hasDeposit: true })
  const { bookingId } = await books(world, business, { daysAhead: 200, isApproved: false })
  world.clock.forward(2 * DAY_MS - 1)
  await sweep()
  world.clock.forward(1)
  await sweep()
  expect(await transfersOf(world, bookingId)).toEqual([])
  await decideBooking(world.deps, { userId, bookingId, decision: 'approved' })
  await sweep()
  expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made' }])
})

it('declining gives both payments back, newest first, and approving again takes both back and reopens nothing paid', async () => {
  const { business, userId } = await aPaidVendor(world, { hasDeposit: true })
  const { bookingId, paymentId } = await books(world, business, { daysAhead: 200 })
  await paysBalance(world, paymentId)
  const [deposit, balance] = await chargesOf(paymentId)
  const decline = () =>
    decideBooking(world.deps, {
      userId,
      bookingId,
      decision: 'declined',
      reason: 'The roof leaks.',
      isAtOnce: true,
    })
  await decline()
  expect(await refundsOf(paymentId)).toEqual([
    { payment_id: balance?.id, amount_cents: 696_000, state: 'due' },
    { payment_id: deposit?.id, amount_cents: 174_000, state: 'due' },
  ])
  expect(await bookingOf(paymentId)).toMatchObject({
    stored: { paymentStatus: 'refund due' },
    refund: { amount: '8700.00', state: 'due' },
  })
  expect(await decideBooking(world.deps, { userId, bookingId, decision: 'approved' })).toMatchObject({
    ok: true,
  })
  expect(await bookingOf(paymentId)).toMatchObject({ stored: { paymentStatus: 'paid' }, refund: null })
  await decline()
  world.clock.forward(3_600_001)
  await performDueRefunds(world.deps)
  expect((await bookingOf(paymentId)).stored.paymentStatus).toBe('refunded')
  expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 0, refundedCents: 870_000 })
  await isProved()
})

it('a decline whose refunds have left in part is final', async () => {
  const { business, userId } = await aPaidVendor(world, { hasDeposit: true })
  const { bookingId, paymentId } = await books(world, business, { daysAhead: 200 })
  await paysBalance(world, paymentId)
  await decideBooking(world.deps, {
    userId,
    bookingId,
    decision: 'declined',
    reason: 'The roof leaks.',
    isAtOnce: true,
  })
  const [, balance] = await chargesOf(paymentId)
  await world.db
    .updateTable('payment_actions')
    .set({ state: 'claimed' })
    .where('payment_id', '=', balance?.id ?? '')
    .execute()
  expect(await decideBooking(world.deps, { userId, bookingId, decision: 'approved' })).toEqual({
    ok: false,
    reason: 'refund_claimed',
  })
})

it('a booking with a refunded balance is not refunded, and says so', async () => {
  const { business } = await aPaidVendor(world, { hasDeposit: true })
  const { bookingId, paymentId } = await books(world, business, { daysAhead: 200 })
  await paysBalance(world, paymentId)
  const [, balance] = await chargesOf(paymentId)
  await refundsAsOperator(world.deps, {
    operator: OPERATOR,
    paymentId: balance?.id ?? '',
    amountCents: 696_000,
    reason: 'The heater failed.',
  })
  expect(await bookingOf(paymentId)).toMatchObject({
    stored: { paymentStatus: 'paid' },
    otherRefunds: [{ amount: '6960.00', state: 'done' }],
  })
  expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 174_000, refundedCents: 696_000 })
  await isProved()
})

it('a balance that is paid after the end of its booking goes back', async () => {
  const { business, userId } = await aPaidVendor(world, { hasDeposit: true })
  const { bookingId, paymentId } = await books(world, business, { daysAhead: 200 })
  await paysBalance(world, paymentId, async () => {
    await decideBooking(world.deps, {
      userId,
      bookingId,
      decision: 'declined',
      reason: 'The roof leaks.',
      isAtOnce: true,
    })
  })
  world.clock.forward(3_600_001)
  await performDueRefunds(world.deps)
  expect((await refundsOf(paymentId)).map(({ amount_cents: cents }) => cents)).toEqual([696_000, 174_000])
  expect((await bookingOf(paymentId)).stored.paymentStatus).toBe('refunded')
  expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 0, refundedCents: 870_000 })
  await isProved()
})

it('a cancellation 20 days ahead leaves the vendor half, which is earned at once and sent 48 hours later', async () => {
  const { business, userId } = await aPaidVendor(world, { hasDeposit: true })
  const { bookingId, paymentId } = await books(world, business, { daysAhead: 60 })
  world.clock.forward(30 * DAY_MS)
  await paysBalance(world, paymentId)
  world.clock.forward(10 * DAY_MS)
  const linkToken = await bookingLinkToken(world.deps.secret, paymentId)
  const quote = (await findCancelling(world.deps, linkToken))?.quote
  expect(quote).toMatchObject({ paidCents: 870_000, refundCents: 435_000, keptCents: 435_000 })
  const cancelled = await cancelBooking(world.deps, {
    bookingId,
    by: { linkToken },
    signed: quote?.signed ?? '',
  })
  expect(cancelled).toEqual({ ok: true, changed: true })
  await sweep()
  expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 870_000 })
  await performDueRefunds(world.deps)
  await sweep()
  expect(await moneyOf(world, bookingId)).toMatchObject({
    heldCents: 0,
    refundedCents: 435_000,
    payableCents: 391_500,
    commissionCents: 43_500,
  })
  const account = await accountOf(world, userId)
  expect(await sumAtProvider(world, account)).toBe(0)
  const listed = async (list: 'coming' | 'past') => {
    const about = { userId, list, after: null, now: world.clock.now(), delayMs: 2 * DAY_MS }
    return (await listEarnings(world.db, about)).earnings.map(({ state, yoursCents }) => [state, yoursCents])
  }
  expect(await listed('coming')).toEqual([['earned', 391_500]])
  world.clock.forward(2 * DAY_MS)
  await sweep()
  expect(await sumAtProvider(world, account)).toBe(391_500)
  expect(await listed('coming')).toEqual([['on_its_way', 391_500]])
  await isProved()
})

it('a cancellation that gives nothing back leaves the vendor the whole price, without waiting for the event', async () => {
  const { business } = await aPaidVendor(world)
  const { bookingId, paymentId } = await books(world, business, { daysAhead: 30 })
  world.clock.forward(28 * DAY_MS)
  const linkToken = await bookingLinkToken(world.deps.secret, paymentId)
  const quote = (await findCancelling(world.deps, linkToken))?.quote
  expect(quote).toMatchObject({ refundCents: 0, keptCents: 870_000 })
  await sweep()
  await cancelBooking(world.deps, { bookingId, by: { linkToken }, signed: quote?.signed ?? '' })
  await sweep()
  expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 0, payableCents: 783_000 })
  await isProved()
})

it('a deposit that was sent early stays in the vendor’s list, beside the days of the balance', async () => {
  const { business, userId } = await aPaidVendor(world, { hasDeposit: true })
  const { paymentId } = await books(world, business, { daysAhead: 200 })
  world.clock.forward(2 * DAY_MS)
  await sweep()
  const find = async () => {
    const about = { userId, now: world.clock.now(), delayMs: 2 * DAY_MS }
    const { earnings } = await listEarnings(world.db, { ...about, list: 'coming', after: null })
    const months = await listEarningMonths(world.db, { ...about, timeZone: 'Australia/Sydney' })
    return { earnings, expectedCents: months.reduce((sum, month) => sum + month.expectedCents, 0) }
  }
  const sent = await find()
  expect(sent.earnings).toMatchObject([
    { state: 'deposit_sent', sentCents: 156_600, yoursCents: 156_600, yoursDueCents: 626_400 },
  ])
  const [deposit] = sent.earnings
  expect(deposit?.steps.early).not.toBeNull()
  expect(deposit?.steps.sent?.isExpected).toBe(true)
  expect((deposit?.steps.sent?.date ?? '') > (deposit?.steps.event ?? '')).toBe(true)
  expect(sent.expectedCents).toBe(0)
  world.clock.forward(168 * DAY_MS)
  await paysBalance(world, paymentId)
  await sweep()
  const paid = await find()
  expect(paid.earnings).toMatchObject([{ state: 'held', sentCents: 156_600, yoursCents: 783_000 }])
  expect(paid.earnings[0]?.steps).toEqual(deposit?.steps)
  expect(paid.expectedCents).toBe(626_400)
})
