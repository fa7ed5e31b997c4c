import { describe, expect, it } from 'vitest'
import {
  booked,
  CARDS,
  decide,
  deps,
  event,
  mailsAbout,
  receive,
  refundsOf,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { OPERATOR, SECOND_OPERATOR } from '../../../tests/payout-stage.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { openRefundAccount } from '../operators/payment-commands.server.ts'
import { orderRefund, settleRefund } from '../operators/refund-order-commands.server.ts'
import { refundAgain } from './failed-refund-commands.server.ts'
import { findRefundOrder } from './queries.server.ts'
import {
  findRefundAccounts,
  findWaitingRefund,
  forgetRefundAccounts,
  nameRefundAccount,
} from './refund-account-commands.server.ts'
import type { RefundAccount } from './refund-account-rules.ts'
import { cutWaitingRefunds } from './refund-commands.server.ts'
import { performDueRefunds } from './refund-sending-commands.server.ts'

setBookingStage()

const ACCOUNT: RefundAccount = { kind: 'account', name: 'Kim Lee', bsb: '062-000', account: '123456789' }
const OTHER_OPERATOR = { userId: 'another-operator', email: 'another@jubilee.example' }

/** A declined booking whose refund the customer's bank has sent back. */
async function cameBack() {
  const payment = await booked({}, CARDS.refundFails)
  await decide(payment.bookingId, 'declined')
  world.clock.forward(deps.refundGraceMs)
  await performDueRefunds(deps)
  world.clock.forward(DAY_MS)
  await world.payments.runDueWork()
  await receive(deps, event(payment.reference, newId(), 'refund.failed'))
  const [refund] = await refundsOf(payment.paymentId)
  if (refund?.provider_status !== 'failed') throw new Error('The refund has not come back.')
  return {
    ...payment,
    refundId: refund.id,
    linkToken: await bookingLinkToken(deps.secret, payment.paymentId),
  }
}

const PAY_ID: RefundAccount = { kind: 'payid', name: 'Kim Lee', payId: '0412 345 678' }
const seenOf = async (refundId: string) => (await rowsOf(refundId))[0]?.given_at.toISOString() ?? null
/** Records a refund as paid by bank, as an operator who has seen an account that was named then. */
const pay = (refundId: string, accountGivenAt: string | null, secondOperatorCents = 1_000_000) =>
  orderRefund(
    { ...deps, secondOperatorCents },
    {
      operator: OPERATOR,
      kind: 'paid_otherwise',
      refundId,
      accountGivenAt,
      reference: 'Osko 1',
      reason: 'Paid.',
    },
  )
const rowsOf = (refundId: string) =>
  world.db.selectFrom('refund_accounts').selectAll().where('refund_id', '=', refundId).execute()
const shownTo = async (refundId: string, userId = OPERATOR.userId) =>
  (await findRefundAccounts(deps, [refundId], userId)).get(refundId)

describe('a refund that came back', () => {
  it('asks its customer by a link where to send it, and for nothing by mail', async () => {
    const { bookingId, linkToken } = await cameBack()
    const [mail] = await mailsAbout(`${bookingId}-refund-failed`)
    expect(mail?.subject).toMatch(/^Tell us where to send \$455\.00: /)
    expect(mail?.text).toContain('We never ask for bank details by email.')
    expect(mail?.text).toContain(`/bookings/${linkToken}/refund\n`)
    expect(await findWaitingRefund(world.db, linkToken)).toMatchObject({ amountCents: 45_500, masked: null })
  })

  it('takes an account by its own link alone, and stores it encrypted', async () => {
    const mine = await cameBack()
    const other = await cameBack()
    expect(await nameRefundAccount(deps, { linkToken: 'x'.repeat(43), account: ACCOUNT })).toEqual({
      ok: false,
      reason: 'nothing_waits',
    })
    expect(await nameRefundAccount(deps, { linkToken: mine.linkToken, account: ACCOUNT })).toEqual({
      ok: true,
    })
    expect(await rowsOf(other.refundId)).toEqual([])
    const [row] = await rowsOf(mine.refundId)
    expect(row?.masked).toBe('account ending 789')
    expect(JSON.stringify(row)).not.toMatch(/123456789|062-000|Kim/)
    expect(await findWaitingRefund(world.db, mine.linkToken)).toMatchObject({ masked: 'account ending 789' })
    expect(await findWaitingRefund(world.db, 'x'.repeat(43))).toBeNull()
  })

  it('takes another account in place of the first', async () => {
    const { linkToken, refundId } = await cameBack()
    await nameRefundAccount(deps, { linkToken, account: ACCOUNT })
    const account: RefundAccount = { kind: 'payid', name: 'Kim Lee', payId: 'kim@example.com' }
    expect(await nameRefundAccount(deps, { linkToken, account })).toEqual({ ok: true })
    expect(await rowsOf(refundId)).toMatchObject([{ masked: 'PayID k…@example.com' }])
  })

  it('tells its customer by mail of each account that is named, but not of the same once more', async () => {
    const { linkToken, refundId, paymentId } = await cameBack()
    const told = async () =>
      (await mailsAbout(`refund-account-${paymentId}`)).map(({ subject, text }) => [
        subject,
        text.split('\n').find((line) => line.includes('reply')),
      ])
    await nameRefundAccount(deps, { linkToken, account: ACCOUNT })
    await nameRefundAccount(deps, { linkToken, account: { ...ACCOUNT } })
    const first = [
      expect.stringMatching(/^Account saved for \$455\.00: /),
      'We’ll send $455.00 to your account ending 789. If that wasn’t you, reply to this email.',
    ]
    expect(await told()).toEqual([first])
    expect(await shownTo(refundId)).toMatchObject({ isReplaced: false })
    world.clock.forward(MINUTE_MS)
    await nameRefundAccount(deps, { linkToken, account: PAY_ID })
    expect(await told()).toEqual([
      first,
      [
        expect.stringMatching(/^Account changed for \$455\.00: /),
        'We’ll send $455.00 to your PayID ending 678 instead of the account that was named before. If that wasn’t you, reply to this email.',
      ],
    ])
    expect(await shownTo(refundId)).toMatchObject({ isReplaced: true })
  })

  it('takes no account while its payment is disputed, and isn’t paid by bank meanwhile', async () => {
    const { linkToken, refundId, reference, paymentId } = await cameBack()
    await world.db
      .insertInto('sandbox_disputes')
      .values({
        id: `sbd_${newId()}`,
        sandbox_payment_id: reference,
        amount_cents: 45_500,
        reason: 'fraudulent',
        status: 'needs_response',
        funds: 'withdrawn',
        evidence_due_at: world.clock.now(),
        created_at: world.clock.now(),
      })
      .execute()
    await receive(deps, event(reference, newId(), 'charge.dispute.created'))
    expect(await findWaitingRefund(world.db, linkToken)).toMatchObject({ amountCents: 0 })
    expect(await nameRefundAccount(deps, { linkToken, account: ACCOUNT })).toEqual({
      ok: false,
      reason: 'nothing_waits',
    })
    expect(await rowsOf(refundId)).toEqual([])
    for (const secondOperatorCents of [0, 1_000_000])
      expect(await pay(refundId, null, secondOperatorCents)).toEqual({
        ok: false,
        reason: 'blocked_by_dispute',
      })
    const won = { status: 'won', funds: 'reinstated', closed_at: world.clock.now() } as const
    await world.db.updateTable('disputes').set(won).where('payment_id', '=', paymentId).execute()
    expect(await nameRefundAccount(deps, { linkToken, account: ACCOUNT })).toEqual({ ok: true })
    expect(await pay(refundId, await seenOf(refundId))).toMatchObject({ ok: true })
  })

  it('takes no account of a refund that never came back', async () => {
    const payment = await booked()
    await decide(payment.bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    await performDueRefunds(deps)
    const linkToken = await bookingLinkToken(deps.secret, payment.paymentId)
    expect(await findWaitingRefund(world.db, linkToken)).toMatchObject({ amountCents: 0 })
    expect(await nameRefundAccount(deps, { linkToken, account: ACCOUNT })).toMatchObject({ ok: false })
  })
})

describe('an account for a refund', () => {
  async function named() {
    const refund = await cameBack()
    await nameRefundAccount(deps, { linkToken: refund.linkToken, account: ACCOUNT })
    return refund
  }

  it('stays masked until an operator opens it, who alone sees it for ten minutes and is logged', async () => {
    const { refundId } = await named()
    expect(await shownTo(refundId)).toMatchObject({ masked: 'account ending 789', opened: null })
    expect(await openRefundAccount(deps, { operator: OPERATOR, refundId })).toEqual({ ok: true })
    expect(await shownTo(refundId)).toMatchObject({
      opened: 'BSB 062-000, account 123456789, Kim Lee',
    })
    expect(await shownTo(refundId, OTHER_OPERATOR.userId)).toMatchObject({ opened: null })
    const logged = await world.db
      .selectFrom('operator_log')
      .select(['action', 'reason'])
      .where('subject_id', '=', refundId)
      .execute()
    expect(logged).toEqual([{ action: 'open-refund-account', reason: '' }])
    world.clock.forward(10 * MINUTE_MS - 1)
    expect((await shownTo(refundId))?.opened).not.toBeNull()
    world.clock.forward(1)
    expect(await shownTo(refundId)).toMatchObject({ opened: null })
    expect(await openRefundAccount(deps, { operator: OPERATOR, refundId: 'none' })).toMatchObject({
      ok: false,
    })
  })

  it('disappears once the refund is paid', async () => {
    const { refundId, linkToken } = await named()
    expect(await pay(refundId, await seenOf(refundId))).toMatchObject({ ok: true })
    expect(await rowsOf(refundId)).toEqual([])
    expect(await nameRefundAccount(deps, { linkToken, account: ACCOUNT })).toMatchObject({ ok: false })
  })

  it('is paid as the operator saw it alone, by one or two of them', async () => {
    const { refundId, linkToken } = await named()
    const seen = await seenOf(refundId)
    expect(await pay(refundId, null)).toEqual({ ok: false, reason: 'other_account' })
    expect(await pay(refundId, seen, 0)).toMatchObject({ ok: true, isAsked: true })
    world.clock.forward(MINUTE_MS)
    await nameRefundAccount(deps, { linkToken, account: PAY_ID })
    const { id: orderId } = await world.db
      .selectFrom('approvals')
      .select('id')
      .where('settled_at', 'is', null)
      .executeTakeFirstOrThrow()
    const second = { operator: SECOND_OPERATOR, orderId }
    const using = { ...deps, secondOperatorCents: 0 }
    const refused = { ok: false, reason: 'other_account' }
    expect(await settleRefund(using, { ...second, isConfirmed: true })).toEqual(refused)
    expect(await settleRefund(using, { ...second, isConfirmed: false })).toMatchObject({ ok: true })
    expect(await pay(refundId, seen)).toEqual(refused)
    expect(await rowsOf(refundId)).toHaveLength(1)
    expect(await pay(refundId, await seenOf(refundId))).toMatchObject({ ok: true })
  })

  it('disappears once the refund is cancelled', async () => {
    const { refundId, paymentId } = await named()
    await world.db.transaction().execute((tx) => cutWaitingRefunds(deps, tx, paymentId, 45_500))
    expect(await rowsOf(refundId)).toEqual([])
  })

  it.each([{ resolution: 'paid_otherwise' }, { state: 'cancelled' }] as const)(
    'disappears within a day where the refund was settled without it: %j',
    async (settled) => {
      const { refundId } = await named()
      const other = await named()
      await world.db.updateTable('payment_actions').set(settled).where('id', '=', refundId).execute()
      await forgetRefundAccounts(deps)
      expect(await rowsOf(refundId)).toEqual([])
      expect(await rowsOf(other.refundId)).toHaveLength(1)
    },
  )

  it('disappears once the refund goes to the card again', async () => {
    const { refundId } = await named()
    await world.db.transaction().execute(async (tx) => {
      const refund = await findRefundOrder(tx, refundId)
      if (refund) await refundAgain(deps, tx, refund)
    })
    expect(await rowsOf(refundId)).toEqual([])
  })

  it('disappears after 90 days', async () => {
    const { refundId } = await named()
    world.clock.forward(90 * DAY_MS)
    await forgetRefundAccounts(deps)
    expect(await rowsOf(refundId)).toHaveLength(1)
    world.clock.forward(1)
    await forgetRefundAccounts(deps)
    expect(await rowsOf(refundId)).toEqual([])
  })
})
