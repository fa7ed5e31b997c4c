import type { Updateable } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  CARDS,
  decide,
  deps,
  event,
  mailsAbout,
  receive,
  refundedCents,
  refundsOf,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import type { Tables } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { listVendorTrades } from '../income-reports/queries.server.ts'
import { halfYearAt } from '../income-reports/rules.ts'
import { settleDisputes, sweepDisputes } from './dispute-commands.server.ts'
import { performDueRefunds } from './refund-sending-commands.server.ts'

setBookingStage()

const disputesOf = (paymentId: string) =>
  world.db.selectFrom('disputes').selectAll().where('payment_id', '=', paymentId).execute()
const hear = (reference: string, type = 'charge.dispute.created') =>
  receive(deps, event(reference, newId(), type))

const changeDispute = (reference: string, change: Updateable<Tables['sandbox_disputes']>) =>
  world.db.updateTable('sandbox_disputes').set(change).where('sandbox_payment_id', '=', reference).execute()
/** A bank may dispute a charge that was refunded, too. */
const insertDispute = (reference: string) =>
  world.db
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

/** A declined booking whose refund is due, and whose charge is disputed. */
async function disputedAndDeclined() {
  const payment = await booked()
  await decide(payment.bookingId, 'declined')
  world.clock.forward(deps.refundGraceMs)
  expect(await world.payments.openDispute(payment.reference, 'dispute')).toEqual({ ok: true })
  await hear(payment.reference)
  return payment
}

/** A declined booking whose refund comes back while its charge is disputed. */
async function cameBackDisputed() {
  const payment = await booked({}, CARDS.refundFails)
  await decide(payment.bookingId, 'declined')
  world.clock.forward(deps.refundGraceMs)
  await performDueRefunds(deps)
  await insertDispute(payment.reference)
  await hear(payment.reference)
  world.clock.forward(DAY_MS)
  await world.payments.runDueWork()
  await hear(payment.reference, 'refund.failed')
  return payment
}

describe('a dispute', () => {
  it('keeps its deadline, and alerts the operators once', async () => {
    const { paymentId, reference } = await booked({}, CARDS.disputed)
    await Promise.all([hear(reference), hear(reference, 'charge.dispute.funds_withdrawn')])
    const [dispute, ...others] = await disputesOf(paymentId)
    expect(others).toEqual([])
    expect(dispute).toMatchObject({ status: 'needs_response', funds: 'withdrawn', closed_at: null })
    expect(dispute?.evidence_due_at?.getTime()).toBe(world.clock.now().getTime() + 10 * DAY_MS)
    const mails = await mailsAbout(`dispute-${dispute?.provider_dispute}`)
    expect(mails).toMatchObject([{ subject: expect.stringContaining('Dispute of $455.00') }])
  })

  it('becomes known without its webhook', async () => {
    const { paymentId } = await booked({}, CARDS.disputed)
    await sweepDisputes(deps)
    await sweepDisputes(deps)
    expect(await disputesOf(paymentId)).toHaveLength(1)
  })

  it('lets no refund leave while the bank has the money', async () => {
    const { paymentId, reference } = await disputedAndDeclined()
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(0)
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'due', attempts: 0 }])
  })

  it('lets the refund leave once it is won', async () => {
    const { paymentId, reference } = await disputedAndDeclined()
    await world.payments.decideDispute(reference, 'won')
    await hear(reference, 'charge.dispute.closed')
    expect(await disputesOf(paymentId)).toMatchObject([{ status: 'won', funds: 'reinstated' }])
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })

  it('cancels the refund that waits once it is lost, since the bank has given the money back', async () => {
    const { paymentId, reference } = await disputedAndDeclined()
    await world.payments.decideDispute(reference, 'lost')
    await hear(reference, 'charge.dispute.closed')
    world.clock.forward(3_600_000)
    await performDueRefunds(deps)
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'cancelled' }])
    expect(await refundedCents(reference)).toBe(0)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'paid' }])
  })

  it('becomes known as lost without its webhook, by asking about open disputes', async () => {
    const { paymentId, reference } = await disputedAndDeclined()
    await world.payments.decideDispute(reference, 'lost')
    world.clock.forward(4 * DAY_MS)
    await sweepDisputes(deps)
    expect(await disputesOf(paymentId)).toMatchObject([{ status: 'lost', closed_at: expect.any(Date) }])
  })

  it('may be answered by a refund while it is only an inquiry', async () => {
    const { paymentId, reference, bookingId } = await booked()
    await world.payments.openDispute(reference, 'inquiry')
    await hear(reference)
    await decide(bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await disputesOf(paymentId)).toMatchObject([{ status: 'warning_needs_response', funds: 'held' }])
  })

  it('blocks refunds after it is won until its money is found to be back', async () => {
    const { paymentId, reference } = await disputedAndDeclined()
    await world.payments.decideDispute(reference, 'won')
    await changeDispute(reference, { funds: 'withdrawn' })
    await hear(reference, 'charge.dispute.closed')
    await performDueRefunds(deps)
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'due', attempts: 0 }])
    await changeDispute(reference, { funds: 'reinstated' })
    world.clock.forward(4 * DAY_MS)
    await sweepDisputes(deps)
    await performDueRefunds(deps)
    expect(await refundedCents(reference)).toBe(45_500)
  })

  it('reduces a waiting refund by the part that it loses, and keeps its time', async () => {
    const { paymentId, bookingId, reference } = await booked()
    await decide(bookingId, 'declined')
    const [ordered] = await refundsOf(paymentId)
    await world.payments.openDispute(reference, 'dispute')
    await changeDispute(reference, { amount_cents: 10_000 })
    await world.payments.decideDispute(reference, 'lost')
    await hear(reference, 'charge.dispute.closed')
    const waiting = (await refundsOf(paymentId)).filter(({ state }) => state !== 'cancelled')
    expect(waiting.map(({ amount_cents }) => Number(amount_cents))).toEqual([35_500])
    expect(waiting[0]?.due_at).toEqual(ordered?.due_at)
    // The vendor may still change their mind.
    expect(await decide(bookingId, 'approved')).toMatchObject({ ok: true, paymentStatus: 'paid' })
  })

  it('takes nothing more from a charge that was refunded before it', async () => {
    const { paymentId, bookingId, reference } = await booked()
    await decide(bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    await performDueRefunds(deps)
    await insertDispute(reference)
    await hear(reference)
    await changeDispute(reference, { status: 'lost', evidence_due_at: null })
    await hear(reference, 'charge.dispute.closed')
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
    // The bank sends the refund back, but the customer has the money from the dispute.
    await world.db
      .updateTable('sandbox_refunds')
      .set({ status: 'failed' })
      .where('sandbox_payment_id', '=', reference)
      .execute()
    await hear(reference, 'refund.failed')
    await hear(reference, 'refund.failed')
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'cancelled', provider_status: 'failed' }])
    expect(await mailsAbout(`${bookingId}-refund-failed`)).toEqual([])
    expect(await mailsAbout(`refund-failed-`)).toEqual([])
  })

  it('settles a refund that came back, once it is lost', async () => {
    const { paymentId, bookingId, reference } = await booked({}, CARDS.refundFails)
    await decide(bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    await performDueRefunds(deps)
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await hear(reference, 'refund.failed')
    await world.payments.openDispute(reference, 'dispute')
    await world.payments.decideDispute(reference, 'lost')
    await hear(reference, 'charge.dispute.closed')
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'cancelled', provider_status: 'failed' }])
  })

  it('asks about a refund that came back only once the bank has decided', async () => {
    const { paymentId, bookingId, reference } = await cameBackDisputed()
    const [refund] = await refundsOf(paymentId)
    expect(refund).toMatchObject({ provider_status: 'failed', account_asked_at: null })
    expect(await mailsAbout(`${bookingId}-refund-failed`)).toEqual([])
    expect(await mailsAbout(`refund-failed-${refund?.id}`)).toEqual([])
    await world.payments.decideDispute(reference, 'won')
    await hear(reference, 'charge.dispute.closed')
    await hear(reference, 'charge.dispute.closed')
    await sweepDisputes(deps)
    expect(await mailsAbout(`${bookingId}-refund-failed`)).toHaveLength(1)
    expect(await mailsAbout(`refund-failed-${refund?.id}-operator`)).toHaveLength(1)
  })

  it('asks nobody about a refund that came back once it is lost', async () => {
    const { paymentId, bookingId, reference } = await cameBackDisputed()
    await world.payments.decideDispute(reference, 'lost')
    await hear(reference, 'charge.dispute.closed')
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'cancelled' }])
    expect(await mailsAbout(`${bookingId}-refund-failed`)).toEqual([])
    // The vendor had nothing of it: their income isn’t lowered twice.
    const { owner_user_id: vendor } = await world.db
      .selectFrom('sales')
      .select('owner_user_id')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    expect(await listVendorTrades(world.db, halfYearAt(world.clock.now()), vendor)).toEqual([])
  })

  it('blocks refunds on its own when it follows another', async () => {
    const { paymentId, reference } = await disputedAndDeclined()
    await world.payments.decideDispute(reference, 'won')
    expect(await world.payments.openDispute(reference, 'dispute')).toEqual({ ok: true })
    await hear(reference)
    await performDueRefunds(deps)
    expect(await disputesOf(paymentId)).toHaveLength(2)
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'due', attempts: 0 }])
  })

  it('stays decided when an outdated answer arrives late', async () => {
    const { paymentId, reference } = await disputedAndDeclined()
    const before = await world.payments.listDisputesOf(reference)
    await world.payments.decideDispute(reference, 'lost')
    await hear(reference, 'charge.dispute.closed')
    const slow = { ...world.payments, listDisputesOf: async () => before }
    await settleDisputes(deps, slow, { id: paymentId, provider_reference: reference })
    expect(await disputesOf(paymentId)).toMatchObject([{ status: 'lost' }])
  })
})
