import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  booked,
  business,
  CARDS,
  decide,
  deps,
  event,
  payCard,
  receive,
  refundsOf,
  setBookingStage,
  started,
  world,
} from '../../../tests/booking-stage.ts'
import { findMoneyDifferences } from '../../../tests/money-proof.ts'
import { paysOtherwiseAsOperator, refundsAsOperator } from '../../../tests/payout-stage.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { postTransactions } from '../ledger/commands.server.ts'
import { findBookingMoney, findUnfulfilledMoney, listPaymentTransactions } from '../ledger/queries.server.ts'
import { commission, earned } from '../ledger/rules.ts'
import { applyDisputeSnapshot } from './dispute-commands.server.ts'
import { postMissingMoney, recordMoney } from './posting-commands.server.ts'
import { listDifferingPayments } from './posting-queries.server.ts'
import { settleRefunds } from './refund-news-commands.server.ts'
import { performDueRefunds } from './refund-sending-commands.server.ts'
import { applySnapshot } from './settlement-commands.server.ts'

setBookingStage()

const PRICE = 45_500
const operator = { userId: 'operator-1', email: 'operator@example.com' }

const keysOf = async (paymentId: string) =>
  (await listPaymentTransactions(world.db, paymentId)).map(({ key }) => key)
const kindsOf = async (paymentId: string) =>
  (await listPaymentTransactions(world.db, paymentId)).map(({ kind }) => kind)
const moneyOf = async (bookingId: string) => (await findBookingMoney(world.db, [bookingId])).get(bookingId)
const hear = (reference: string, type: string) => receive(deps, event(reference, newId(), type))
const refundByOperator = (paymentId: string, amountCents: Cents, borneBy?: 'vendor' | 'operator') =>
  refundsAsOperator(deps, {
    operator,
    paymentId,
    amountCents,
    reason: 'The heater failed.',
    ...(borneBy ? { borneBy } : {}),
  })

/** Proves the ledger and that it has what the payments' tables have. */
async function expectProof(): Promise<void> {
  expect(await findMoneyDifferences(world.db)).toEqual([])
}

/** Makes held money earned at 10 %, as after the event. */
async function earns(bookingId: string, paymentId: string): Promise<void> {
  const terms = { basisPoints: 1_000, isGstRegistered: true }
  const before = await moneyOf(bookingId)
  if (!before) throw new Error('nothing is posted')
  const cents = before.heldCents
  const about = {
    vendorUserId: business.user_id,
    bookingId,
    paymentId,
    providerReference: null,
    at: world.clock.now(),
  }
  const kept = { ...before.kept, cents: before.kept.cents + cents }
  await world.db.transaction().execute((tx) =>
    postTransactions(tx, [
      { ...about, ...earned(cents), key: `earned:${newId()}` },
      { ...about, ...commission(kept, terms), key: `commission:${newId()}` },
    ]),
  )
}

describe('posting a charge', () => {
  it('names the booking and the vendor, and happens once', async () => {
    const { paymentId, bookingId, reference } = await booked()
    const [posted] = await world.db
      .selectFrom('ledger_transactions')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .execute()
    expect(posted).toMatchObject({
      key: `charge:${paymentId}:1`,
      kind: 'charge',
      vendor_user_id: business.user_id,
      booking_id: bookingId,
      provider_reference: reference,
    })
    await world.db.transaction().execute((tx) => recordMoney(deps, tx, paymentId))
    expect(await keysOf(paymentId)).toHaveLength(1)
    expect(await moneyOf(bookingId)).toMatchObject({ chargedCents: PRICE, heldCents: PRICE })
    await expectProof()
  })

  it('uses the provider’s amount and names no vendor if the payment is unfulfilled', async () => {
    const payment = await started()
    await payCard(payment.clientSecret)
    const found = await world.payments.retrieve(payment.reference)
    if (!found.ok) throw new Error(found.message)
    await applySnapshot(deps, world.payments, { ...found.snapshot, amountCents: 40_000 })
    expect(await findUnfulfilledMoney(world.db, payment.paymentId)).toMatchObject({ chargedCents: 40_000 })
    await performDueRefunds(deps)
    expect(await findUnfulfilledMoney(world.db, payment.paymentId)).toMatchObject({
      refundedCents: 40_000,
      heldCents: 0,
    })
    const vendors = await world.db
      .selectFrom('ledger_transactions')
      .select('vendor_user_id')
      .distinct()
      .where('payment_id', '=', payment.paymentId)
      .execute()
    expect(vendors).toEqual([{ vendor_user_id: '' }])
    await expectProof()
  })

  it('skips open payments', async () => {
    const { paymentId } = await started()
    await world.db.transaction().execute((tx) => recordMoney(deps, tx, paymentId))
    expect(await keysOf(paymentId)).toEqual([])
  })
})

describe('posting a refund', () => {
  it('happens once, as soon as the refund leaves', async () => {
    const { paymentId, bookingId, reference } = await booked({}, CARDS.refundPending)
    await refundByOperator(paymentId, 10_000)
    expect(await moneyOf(bookingId)).toMatchObject({ refundedCents: 10_000, heldCents: 35_500 })
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await hear(reference, 'refund.updated')
    expect(await kindsOf(paymentId)).toEqual(['charge', 'refund'])
    await expectProof()
  })

  it('waits while our own balance is too small', async () => {
    const { paymentId, reference } = await booked({}, CARDS.refundPending)
    const waiting = {
      ...world.payments,
      refund: async (input: Parameters<typeof world.payments.refund>[0]) => {
        const made = await world.payments.refund(input)
        return made.ok ? { ...made, refund: { ...made.refund, pendingReason: 'insufficient_funds' } } : made
      },
    }
    await refundsAsOperator(
      { ...deps, providers: [waiting] },
      { operator, paymentId, amountCents: 10_000, reason: 'The heater failed.' },
    )
    expect(await kindsOf(paymentId)).toEqual(['charge'])
    await settleRefunds(deps, world.payments, { id: paymentId, provider_reference: reference })
    expect(await kindsOf(paymentId)).toEqual(['charge', 'refund'])
    await expectProof()
  })

  it('reduces the vendor’s share and the commission after the event', async () => {
    const { paymentId, bookingId } = await booked()
    await earns(bookingId, paymentId)
    await refundByOperator(paymentId, 22_750)
    expect(await moneyOf(bookingId)).toMatchObject({
      refundedCents: 22_750,
      commissionCents: 2_275,
      earnedCents: 20_475,
      coveredCents: 0,
    })
    await expectProof()
  })

  it('leaves the vendor’s share alone if the operator bears it', async () => {
    const { paymentId, bookingId } = await booked()
    await earns(bookingId, paymentId)
    await refundByOperator(paymentId, 22_750, 'operator')
    expect(await moneyOf(bookingId)).toMatchObject({
      refundedCents: 22_750,
      coveredCents: 22_750,
      earnedCents: 40_950,
      commissionCents: 4_550,
    })
    await expectProof()
  })

  it.each(['vendor', 'operator'] as const)(
    'takes a refund that came back from our bank, and charges the %s once',
    async (borneBy) => {
      const { paymentId, bookingId, reference } = await booked({}, CARDS.refundFails)
      await refundByOperator(paymentId, 10_000, borneBy)
      world.clock.forward(DAY_MS)
      await world.payments.runDueWork()
      await hear(reference, 'refund.failed')
      expect(await moneyOf(bookingId)).toMatchObject({ refundedCents: 0, heldCents: PRICE, coveredCents: 0 })
      const [refund] = await refundsOf(paymentId)
      const order = { operator, refundId: refund?.id ?? '', reference: 'BSB 062-000', reason: 'By transfer' }
      expect(await paysOtherwiseAsOperator(deps, order)).toMatchObject({ ok: true, isAsked: false })
      const coveredCents = borneBy === 'operator' ? 10_000 : 0
      expect(await moneyOf(bookingId)).toMatchObject({
        refundedCents: 10_000,
        coveredCents,
        heldCents: PRICE - 10_000 + coveredCents,
      })
      const posted = await listPaymentTransactions(world.db, paymentId)
      expect(posted.at(-1)?.cents.bank).toBe(-10_000)
      await expectProof()
    },
  )

  it('includes refunds that were made by hand at the provider', async () => {
    const { paymentId, bookingId, reference } = await booked()
    await world.payments.refund({ reference, amountCents: 500, idempotencyKey: `by-hand-${newId()}` })
    await hear(reference, 'refund.created')
    expect(await moneyOf(bookingId)).toMatchObject({ refundedCents: 500, heldCents: PRICE - 500 })
    expect(await kindsOf(paymentId)).toEqual(['charge', 'refund'])
  })
})

describe('posting a dispute', () => {
  it('happens when the bank takes the money, so not for an inquiry', async () => {
    const { paymentId, reference } = await booked()
    await world.payments.openDispute(reference, 'inquiry')
    await hear(reference, 'charge.dispute.created')
    expect(await kindsOf(paymentId)).toEqual(['charge'])
    await world.payments.decideDispute(reference, 'inquiry_closed')
    await world.payments.openDispute(reference, 'dispute')
    await hear(reference, 'charge.dispute.created')
    expect(await kindsOf(paymentId)).toEqual(['charge', 'dispute_opened'])
    await expectProof()
  })

  it('returns won money when the bank does, not when it decides', async () => {
    const { paymentId, bookingId, reference } = await booked()
    await earns(bookingId, paymentId)
    await world.payments.openDispute(reference, 'dispute')
    await hear(reference, 'charge.dispute.created')
    expect(await moneyOf(bookingId)).toMatchObject({
      disputedCents: PRICE,
      earnedCents: 0,
      commissionCents: 0,
    })
    await world.payments.decideDispute(reference, 'won')
    await sql`update sandbox_disputes set funds = 'withdrawn' where sandbox_payment_id = ${reference}`.execute(
      world.db,
    )
    await hear(reference, 'charge.dispute.closed')
    expect(await moneyOf(bookingId)).toMatchObject({ disputedCents: PRICE })
    await sql`update sandbox_disputes set funds = 'reinstated' where sandbox_payment_id = ${reference}`.execute(
      world.db,
    )
    await hear(reference, 'charge.dispute.funds_reinstated')
    expect(await moneyOf(bookingId)).toMatchObject({ disputedCents: 0, heldCents: PRICE })
    await expectProof()
  })

  it('follows the last decision after two appeals', async () => {
    const { paymentId, bookingId, reference } = await booked()
    await world.payments.openDispute(reference, 'dispute')
    const listed = await world.payments.listDisputesOf(reference)
    const [snapshot] = listed.ok ? listed.disputes : []
    if (!snapshot) throw new Error('no dispute')
    const decide = (change: Partial<typeof snapshot>) =>
      applyDisputeSnapshot(deps, world.payments, paymentId, { ...snapshot, ...change })
    await decide({})
    await decide({ status: 'lost' })
    expect(await moneyOf(bookingId)).toMatchObject({ lostCents: PRICE, heldCents: 0 })
    await decide({ status: 'won', funds: 'reinstated' })
    expect(await moneyOf(bookingId)).toMatchObject({ lostCents: 0, disputedCents: 0, heldCents: PRICE })
    await expectProof()
    await decide({ status: 'lost', funds: 'withdrawn', amountCents: 40_000 })
    expect(await moneyOf(bookingId)).toMatchObject({ lostCents: 40_000, heldCents: 5_500, coveredCents: 0 })
    expect(new Set(await keysOf(paymentId)).size).toBe(7)
    await expectProof()
  })

  it('charges the operator for a refunded charge until its refund comes back', async () => {
    const { paymentId, bookingId, reference } = await booked()
    await decide(bookingId, 'declined')
    world.clock.forward(deps.refundGraceMs)
    await performDueRefunds(deps)
    await world.db
      .insertInto('sandbox_disputes')
      .values({
        id: `sbd_${newId()}`,
        sandbox_payment_id: reference,
        amount_cents: PRICE,
        reason: 'fraudulent',
        status: 'needs_response',
        funds: 'withdrawn',
        evidence_due_at: world.clock.now(),
        created_at: world.clock.now(),
      })
      .execute()
    await hear(reference, 'charge.dispute.created')
    expect(await moneyOf(bookingId)).toMatchObject({ heldCents: -PRICE, disputedCents: PRICE })
    await world.payments.decideDispute(reference, 'lost')
    await hear(reference, 'charge.dispute.closed')
    expect(await moneyOf(bookingId)).toMatchObject({ heldCents: 0, coveredCents: PRICE, lostCents: PRICE })
    await sql`update sandbox_refunds set status = 'failed' where sandbox_payment_id = ${reference}`.execute(
      world.db,
    )
    await hear(reference, 'refund.failed')
    // The customer already has the money from the bank.
    expect(await moneyOf(bookingId)).toMatchObject({ heldCents: 0, coveredCents: 0, refundedCents: 0 })
    expect(await kindsOf(paymentId)).toEqual([
      'charge',
      'refund',
      'dispute_opened',
      'dispute_lost',
      'refund_failed',
    ])
    await expectProof()
  })
})

describe('opening older payments', () => {
  /** Removes a payment's terms and postings, as the previous version would have stored it. */
  async function forget(paymentId: string): Promise<void> {
    await world.db.transaction().execute(async (tx) => {
      await sql`update sales set commission = null where id = ${paymentId}`.execute(tx)
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`delete from ledger_postings where transaction_id in (
        select id from ledger_transactions where payment_id = ${paymentId})`.execute(tx)
      await sql`delete from ledger_transactions where payment_id = ${paymentId}`.execute(tx)
      await sql`delete from ledger_balances where vendor_user_id = ${business.user_id}`.execute(tx)
    })
  }

  it('posts their refunds and disputes too, once for all processes', async () => {
    const { paymentId, bookingId, reference } = await booked({}, CARDS.refundFails)
    await refundByOperator(paymentId, 10_000)
    await world.payments.openDispute(reference, 'dispute')
    await hear(reference, 'charge.dispute.created')
    const before = await moneyOf(bookingId)
    await forget(paymentId)
    expect(await listDifferingPayments(world.db, { after: '', limit: 9 })).toEqual([paymentId])
    await Promise.all([postMissingMoney(deps), postMissingMoney(deps)])
    expect(await postMissingMoney(deps)).toBe(0)
    const kinds = await kindsOf(paymentId)
    expect(kinds).toEqual(['opening', 'refund', 'dispute_opened'])
    expect(await moneyOf(bookingId)).toEqual(before)
    await expectProof()
    // The refund comes back later, like any other.
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await hear(reference, 'refund.failed')
    expect(await kindsOf(paymentId)).toEqual([...kinds, 'refund_failed'])
    await expectProof()
  })

  it('happens with the next refund if that comes before the job', async () => {
    const { paymentId, bookingId } = await booked()
    await forget(paymentId)
    await refundByOperator(paymentId, 10_000)
    expect(await kindsOf(paymentId)).toEqual(['opening', 'refund'])
    expect(await moneyOf(bookingId)).toMatchObject({ chargedCents: PRICE, heldCents: PRICE - 10_000 })
  })
})
