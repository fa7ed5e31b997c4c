import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingWorld, aUser } from '../../../tests/builders.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import {
  accountOf,
  aPaidVendor,
  books,
  moneyOf,
  OPERATOR,
  passesEvent,
  payoutDepsOf,
  paysBalance,
  SECOND_OPERATOR,
  transfersOf,
} from '../../../tests/payout-stage.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { createBookingDeps } from '../bookings/checkout/fulfilment-commands.server.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { findVendorBalances, proveLedger } from '../ledger/queries.server.ts'
import { refreshPayoutAccount } from '../payouts/account-commands.server.ts'
import type { PayoutDeps } from '../payouts/deps.server.ts'
import { countPayoutTasks, findVendorPayouts, listPayoutTasks } from '../payouts/operator-queries.server.ts'
import { findOpenMoney, findStanding, listDebts } from '../payouts/queries.server.ts'
import { sweepPayouts } from '../payouts/settlement-commands.server.ts'
import { deleteAccount } from '../privacy/commands.server.ts'
import { APPROVAL_ACTS } from './act-rules.ts'
import { listOpenApprovals } from './approval-queries.server.ts'
import { listOperatorLog } from './log-queries.server.ts'
import { decidePayoutOrder, placeHold, placePayoutOrder, releaseHold } from './payout-commands.server.ts'
import { orderRefund, settleRefund } from './refund-order-commands.server.ts'
import { ORDER_LIFE_MS, SUM_WINDOW_MS } from './rules.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: PayoutDeps

beforeAll(async () => {
  world = await aBookingWorld()
  deps = payoutDepsOf(world)
})
afterAll(() => world.close())

const tasks = () =>
  listPayoutTasks(world.db, {
    now: world.clock.now(),
    holdLimitMs: deps.holdLimitMs,
    provider: 'sandbox',
  })
const waitingOrders = () => listOpenApprovals(world.db, APPROVAL_ACTS.order)
const loggedActions = async () => (await listOperatorLog(world.db)).map(({ action }) => action)
/** Two operators refund an amount, which then isn't counted as what one alone has moved that day. */
async function refundsAsTwo(paymentId: string, amountCents: number) {
  const using = { ...world.deps, secondOperatorCents: 0 }
  const refund = { kind: 'refund', paymentId, amountCents, borneBy: 'vendor', reason: 'Cold.' } as const
  await orderRefund(using, { operator: OPERATOR, ...refund })
  const orderId = (await listOpenApprovals(world.db, APPROVAL_ACTS.refund)).find(
    ({ subjectId }) => subjectId === paymentId,
  )?.id
  if (!orderId) throw new Error('No order waits.')
  await settleRefund(using, { operator: SECOND_OPERATOR, orderId, isConfirmed: true })
}
/** A vendor who owes $3,915.00 for a booking that was half refunded after its share was sent. */
async function aDebt() {
  const { business, userId } = await aPaidVendor(world)
  const payment = await books(world, business)
  passesEvent(world)
  await sweepPayouts(deps)
  const away = {
    ...deps.payouts,
    reverse: async () => ({ ok: false, reason: 'empty', message: '' }) as const,
  }
  const { paymentId } = payment
  await refundsAsTwo(paymentId, 435_000)
  await sweepPayouts({ ...deps, payouts: away })
  return { ...payment, business, userId }
}
const order = (bookingId: string, given: Partial<Parameters<typeof placePayoutOrder>[1]> = {}) =>
  placePayoutOrder(deps, {
    operator: OPERATOR,
    kind: 'write_off',
    bookingId,
    amountCents: 391_500,
    expectedCents: 391_500,
    reason: 'They have closed.',
    ...given,
  })

describe('an operator’s hold', () => {
  it('keeps a transfer until it is released, each once and logged', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, business)
    const hold = () =>
      placeHold(deps, {
        operator: OPERATOR,
        vendorUserId: userId,
        bookingId: null,
        reason: 'Two complaints.',
      })
    expect(await hold()).toEqual({ ok: true })
    expect(await hold()).toEqual({ ok: false, reason: 'held' })
    passesEvent(world)
    await sweepPayouts(deps)
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'due', held_reason: 'operator' }])
    const { held, holds } = await tasks()
    expect(held).toMatchObject([{ bookingId, reason: 'operator', amountCents: 783_000 }])
    const [placed] = holds
    const release = (operator: typeof OPERATOR) =>
      releaseHold(deps, { operator, holdId: placed?.id ?? '', reason: 'Settled.' })
    const answers = await Promise.all([release(OPERATOR), release(SECOND_OPERATOR)])
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers).toContainEqual({ ok: false, reason: 'released' })
    await sweepPayouts(deps)
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'made' }])
    expect(await loggedActions()).toEqual(expect.arrayContaining(['hold-payouts', 'release-payouts']))
  })

  it('stops one booking and leaves the others, and is refused for another vendor’s booking', async () => {
    const { business, userId } = await aPaidVendor(world)
    const other = await aPaidVendor(world)
    const first = await books(world, business)
    const second = await books(world, business)
    const { bookingId } = first
    const held = { operator: OPERATOR, bookingId, reason: 'One complaint.' }
    expect(await placeHold(deps, { ...held, vendorUserId: other.userId })).toEqual({
      ok: false,
      reason: 'not_found',
    })
    expect(await placeHold(deps, { ...held, vendorUserId: userId })).toEqual({ ok: true })
    passesEvent(world)
    await sweepPayouts(deps)
    expect(await transfersOf(world, bookingId)).toMatchObject([{ state: 'due', held_reason: 'operator' }])
    expect(await transfersOf(world, second.bookingId)).toMatchObject([{ state: 'made' }])
  })
})

describe('an operator’s order', () => {
  it('writes off a debt that was seen, and no more than is open', async () => {
    const { bookingId, userId } = await aDebt()
    expect((await tasks()).debts).toContainEqual({
      bookingId,
      vendorUserId: userId,
      businessName: 'Harbour Light Pavilion',
      cents: 391_500,
    })
    expect(await order(bookingId, { amountCents: 391_501 })).toEqual({
      ok: false,
      reason: 'exceeds',
      leftCents: 391_500,
    })
    expect(await order(bookingId, { amountCents: 100_000 })).toEqual({ ok: true, waits: false })
    // Another operator's page still shows the whole debt.
    expect(await order(bookingId, { operator: SECOND_OPERATOR })).toEqual({ ok: false, reason: 'changed' })
    expect(
      await order(bookingId, { kind: 'debt_paid', amountCents: 291_500, expectedCents: 291_500 }),
    ).toMatchObject({ ok: true })
    expect(await listDebts(world.db, userId)).toEqual([])
    expect(await findVendorBalances(world.db, userId)).toMatchObject({ losses: 100_000, bank: 291_500 })
    expect((await proveLedger(world.db)).every(({ count }) => count === 0)).toBe(true)
    expect(await order('nothing')).toEqual({ ok: false, reason: 'not_found' })
  })

  it('above the limit waits for another operator, who confirms it once', async () => {
    const { bookingId, userId } = await aDebt()
    const strict = { ...deps, secondOperatorCents: 391_499 }
    const placed = { operator: OPERATOR, kind: 'write_off', bookingId, amountCents: 391_500 } as const
    const place = () =>
      placePayoutOrder(strict, { ...placed, expectedCents: 391_500, reason: 'They have closed.' })
    expect(await place()).toEqual({ ok: true, waits: true })
    expect(await place()).toEqual({ ok: false, reason: 'waiting' })
    expect(await listDebts(world.db, userId)).toEqual([{ bookingId, cents: 391_500 }])
    const orderId = (await waitingOrders()).at(-1)?.id ?? ''
    const confirm = (operator: typeof OPERATOR) =>
      decidePayoutOrder(strict, { operator, orderId, isConfirmed: true })
    expect(await confirm(OPERATOR)).toEqual({ ok: false, reason: 'own_order' })
    const answers = await Promise.all([confirm(SECOND_OPERATOR), confirm(SECOND_OPERATOR)])
    expect(answers).toContainEqual({ ok: true })
    expect(answers).toContainEqual({ ok: false, reason: 'settled' })
    expect(await listDebts(world.db, userId)).toEqual([])
  })

  it('pays a share by bank where there is no account', async () => {
    const { business, userId } = await aPaidVendor(world, { isReady: false })
    const { bookingId } = await books(world, business)
    passesEvent(world)
    await sweepPayouts(deps)
    const paid = { kind: 'paid_by_bank', amountCents: 400_000, expectedCents: 783_000 } as const
    expect(await order(bookingId, paid)).toEqual({ ok: true, waits: false })
    expect(await moneyOf(world, bookingId)).toMatchObject({ payableCents: 383_000, earnedCents: 783_000 })
    expect(await findVendorBalances(world.db, userId)).toMatchObject({ bank: -400_000 })
  })

  it('needs a second person for parts above the limit together, and expires after three days', async () => {
    const { business } = await aPaidVendor(world, { isReady: false })
    const { bookingId } = await books(world, business)
    passesEvent(world)
    await sweepPayouts(deps)
    const part = (amountCents: number, expectedCents: number) =>
      order(bookingId, { kind: 'paid_by_bank', amountCents, expectedCents })
    expect(await part(400_000, 783_000)).toEqual({ ok: true, waits: false })
    expect(await part(383_000, 383_000)).toEqual({ ok: true, waits: true })
    expect(await moneyOf(world, bookingId)).toMatchObject({ payableCents: 383_000 })
    const orderId = (await waitingOrders()).at(-1)?.id ?? ''
    world.clock.forward(ORDER_LIFE_MS)
    const refused = await leavesAsIs(world.db, 'placePayoutOrder', () => part(1, 1))
    expect(refused).toEqual({ ok: false, reason: 'changed' })
    const confirm = { operator: SECOND_OPERATOR, orderId, isConfirmed: true }
    expect(await decidePayoutOrder(deps, confirm)).toEqual({ ok: false, reason: 'expired' })
    // The first part is already older than a day.
    expect(await part(383_000, 383_000)).toEqual({ ok: true, waits: false })
    expect(await moneyOf(world, bookingId)).toMatchObject({ payableCents: 0 })
  })
})

describe('money near its limit', () => {
  it('becomes a task 14 days before, until it is paid out', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, business)
    await placeHold(deps, { operator: OPERATOR, vendorUserId: userId, bookingId, reason: 'A complaint.' })
    world.clock.forward(71 * DAY_MS - 1)
    await sweepPayouts(deps)
    const isListed = async () => (await tasks()).limits.some((one) => one.bookingId === bookingId)
    expect(await isListed()).toBe(false)
    world.clock.forward(1)
    expect(await isListed()).toBe(true)
    const hold = (await tasks()).holds.find((one) => one.bookingId === bookingId)
    await releaseHold(deps, { operator: OPERATOR, holdId: hold?.id ?? '', reason: 'Settled.' })
    await sweepPayouts(deps)
    expect(await isListed()).toBe(false)
  })
})

describe('a balance near its limit', () => {
  it('becomes a task by the day of its own payment, once the vendor has the deposit', async () => {
    const { business, userId } = await aPaidVendor(world, { hasDeposit: true })
    const { bookingId, paymentId } = await books(world, business, { daysAhead: 200 })
    const isListed = async () => (await tasks()).limits.some((one) => one.bookingId === bookingId)
    world.clock.forward(3 * DAY_MS)
    await sweepPayouts(deps)
    // The deposit is at the vendor, and the balance is paid 30 days before the event.
    world.clock.forward(167 * DAY_MS)
    await paysBalance(world, paymentId)
    await sweepPayouts(deps)
    expect(await moneyOf(world, bookingId)).toMatchObject({ heldCents: 696_000, payableCents: 0 })
    expect(await isListed()).toBe(false)
    await placeHold(deps, { operator: OPERATOR, vendorUserId: userId, bookingId, reason: 'A complaint.' })
    world.clock.forward(72 * DAY_MS)
    await sweepPayouts(deps)
    expect(await isListed()).toBe(true)
  })
})

describe('a booking near its limit behind a hundred older ones that are not', () => {
  it('still appears among the tasks', async () => {
    const { business } = await aPaidVendor(world, { hasDeposit: true })
    const older: Awaited<ReturnType<typeof books>>[] = []
    for (let count = 0; count < 100; count++)
      older.push(await books(world, business, { daysAhead: 120 + count }))
    world.clock.forward(3 * DAY_MS)
    await sweepPayouts(deps)
    // Their deposits are at the vendor, so only their balances count, which are paid later.
    const { business: another, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, another)
    await placeHold(deps, { operator: OPERATOR, vendorUserId: userId, bookingId, reason: 'A complaint.' })
    world.clock.forward(72 * DAY_MS)
    for (const { paymentId } of older) await paysBalance(world, paymentId)
    const { limits } = await tasks()
    expect(limits.map((one) => one.bookingId)).toContain(bookingId)
  })
})

describe('a vendor whom the provider refuses', () => {
  it('takes no more bookings, and their open money is a task', async () => {
    const { business, userId } = await aPaidVendor(world)
    const { bookingId } = await books(world, business)
    await world.payments.payouts.moveAccount(await accountOf(world, userId), 'reject')
    await refreshPayoutAccount(deps, { userId })
    await expect(books(world, business)).rejects.toThrow('vendor_paused')
    expect((await tasks()).rejected).toMatchObject([{ bookingId, amountCents: 870_000 }])
    const vendor = await findVendorPayouts(world.db, { userId, provider: 'sandbox', now: world.clock.now() })
    expect(vendor).toMatchObject({ account: { state: 'rejected' }, heldCents: 870_000, payableCents: 0 })
    expect(JSON.stringify(vendor)).not.toContain(await accountOf(world, userId))
  })
})

describe('approving', () => {
  it('needs an active account only where the settings ask for one', async () => {
    const { business, userId } = await aPaidVendor(world, { isReady: false })
    const { bookingId } = await books(world, business, { isApproved: false })
    const strict = createBookingDeps({
      ...world.deps,
      findStanding: (tx, vendor) =>
        findStanding(tx, { userId: vendor, provider: 'sandbox', isAccountRequired: true }),
    })
    const approve = (using: typeof world.deps) =>
      decideBooking(using, { userId, bookingId, decision: 'approved' })
    expect(await approve(strict)).toEqual({ ok: false, reason: 'payouts_missing' })
    expect(await approve(world.deps)).toMatchObject({ ok: true })
  })
})

describe('deleting an account', () => {
  const remove = (userId: string) =>
    deleteAccount({ ...world.deps, payouts: deps.payouts, leavesAnAdmin: async () => true }, userId)

  it('fails while money is held, earned and not sent, or owed', async () => {
    const { business, userId } = await aPaidVendor(world, { isReady: false })
    const { bookingId } = await books(world, business)
    passesEvent(world)
    expect(await remove(userId)).toEqual({ ok: false, reason: 'open_money' })
    await sweepPayouts(deps)
    expect(await findOpenMoney(world.db, userId)).toEqual({ heldCents: 783_000, owedCents: 0 })
    expect(await remove(userId)).toEqual({ ok: false, reason: 'open_money' })
    await order(bookingId, { kind: 'paid_by_bank', amountCents: 400_000, expectedCents: 783_000 })
    // Parts of an amount need a second person within a day.
    world.clock.forward(SUM_WINDOW_MS)
    await order(bookingId, { kind: 'paid_by_bank', amountCents: 383_000, expectedCents: 383_000 })
    expect(await findOpenMoney(world.db, userId)).toBeNull()
    const debt = await aDebt()
    expect(await remove(debt.userId)).toEqual({ ok: false, reason: 'open_money' })
  })
})

it('a customer who is no vendor has no open money', async () => {
  const customer = await aUser(world.db)
  expect(await findOpenMoney(world.db, customer.id)).toBeNull()
})

describe('the list of stopped payouts', () => {
  it('names paused accounts and payouts that came back from the bank', async () => {
    const paused = await aPaidVendor(world)
    const returned = await aPaidVendor(world)
    const account = await world.db
      .updateTable('payout_accounts')
      .set({ state: 'restricted' })
      .where('vendor_user_id', '=', paused.userId)
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: accountId } = await world.db
      .selectFrom('payout_accounts')
      .select('id')
      .where('vendor_user_id', '=', returned.userId)
      .executeTakeFirstOrThrow()
    const paysOut = (payoutAccountId: string, state: 'failed' | 'in_transit') => {
      world.clock.forward(1_000)
      const [id, at] = [newId(), world.clock.now()]
      return world.db
        .insertInto('bank_payouts')
        .values({
          ...{ id, payout_account_id: payoutAccountId, provider_payout: id, amount_cents: 234_500, state },
          ...{ failure_reason: null, arrives_at: at, checked_at: at, created_at: at },
        })
        .execute()
    }
    await paysOut(accountId, 'failed')
    const about = { now: world.clock.now(), holdLimitMs: deps.holdLimitMs, provider: 'sandbox' }
    const own = async () =>
      (await tasks()).stopped
        .filter(({ vendorUserId }) => [paused.userId, returned.userId].includes(vendorUserId))
        .map(({ vendorUserId, why, amountCents }) => ({ vendorUserId, why, amountCents }))
    expect(await own()).toEqual(
      expect.arrayContaining([
        { vendorUserId: paused.userId, why: 'paused', amountCents: null },
        { vendorUserId: returned.userId, why: 'returned', amountCents: 234_500 },
      ]),
    )
    const before = await countPayoutTasks(world.db, about)
    await paysOut(accountId, 'in_transit')
    await world.db
      .updateTable('payout_accounts')
      .set({ state: 'active' })
      .where('id', '=', account.id)
      .execute()
    expect(await own()).toEqual([])
    const after = await countPayoutTasks(world.db, about)
    expect([before.paused - after.paused, before.returned - after.returned]).toEqual([1, 1])
  })
})
