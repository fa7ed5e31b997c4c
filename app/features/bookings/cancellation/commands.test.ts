import { beforeEach, describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  CARDS,
  DECLINE_REASON,
  decide,
  deps,
  event,
  mailsAbout,
  notificationsOf,
  payCard,
  paymentRow,
  receive,
  refundedCents,
  refundsOf,
  setBookingStage,
  world,
} from '../../../../tests/booking-stage.ts'
import { aBusiness, aPlace, aUser, setsAvailability } from '../../../../tests/builders.ts'
import { aDepositBusiness, booksWithDeposit, instalmentDeps } from '../../../../tests/instalment-stage.ts'
import {
  OPERATOR,
  paysBalance,
  refundsAgainAsOperator,
  refundsAsOperator,
} from '../../../../tests/payout-stage.ts'
import type { FileStore } from '../../../adapters/file-store/port.ts'
import { newId } from '../../../shared/ids.ts'
import { DAY_MS, MINUTE_MS } from '../../../shared/time-units.ts'
import { openInstalmentPayment } from '../../instalments/charge-commands.server.ts'
import { askProviderForPayment, storeFollowingPayment } from '../../payments/payment-commands.server.ts'
import { performDueRefunds } from '../../payments/refund-sending-commands.server.ts'
import { reportPayment } from '../../payments/settlement-commands.server.ts'
import { deleteAccount } from '../../privacy/commands.server.ts'
import { nextSentence } from '../components/booking-status.tsx'
import { cancelledText } from '../components/refund-note.tsx'
import { findBookingByLink, listBookingsOfBusinesses } from '../list/queries.server.ts'
import { BOOKING_COLUMNS, bookingCells } from '../list/vendor-list-rules.ts'
import { bookingLinkToken } from '../rules.ts'
import { cancelBooking, endOverdueBooking, endOverdueBookings } from './commands.server.ts'
import { countVendorCancellations, findCancelling, type QuoteView } from './queries.server.ts'
import { signQuote } from './rules.ts'

setBookingStage()

const PRICE = 45_500
const START = '2026-11-20T01:00:00.000Z'
// The event is on 13 March 2027 at 16:00 in Melbourne, which is UTC+11. The policy is 'moderate'.
const EVENT = '2027-03-13T05:00:00.000Z'
const ALL_UNTIL = '2027-02-11T05:00:00.000Z'
const HALF_UNTIL = '2027-03-06T05:00:00.000Z'

const setClock = (iso: string, laterMs = 0) =>
  world.clock.forward(Date.parse(iso) + laterMs - world.clock.now().getTime())

beforeEach(() => setClock(START))

async function approved(overrides: Parameters<typeof booked>[0] = {}) {
  const payment = await booked(overrides)
  await decide(payment.bookingId, 'approved')
  const linkToken = await bookingLinkToken(deps.secret, payment.paymentId)
  return { ...payment, linkToken, by: { linkToken } }
}
type Approved = Awaited<ReturnType<typeof approved>>

async function shown({ linkToken }: Pick<Approved, 'linkToken'>): Promise<QuoteView> {
  const cancelling = await findCancelling(deps, linkToken)
  if (!cancelling?.quote) throw new Error(JSON.stringify(cancelling))
  return cancelling.quote
}

const cancel = (
  { bookingId, by }: Pick<Approved, 'bookingId' | 'by'>,
  { signed }: Pick<QuoteView, 'signed'>,
) => cancelBooking(deps, { bookingId, by, signed })

const cancellationsOf = (bookingId: string) =>
  world.db.selectFrom('cancellations').selectAll().where('booking_id', '=', bookingId).execute()
const instalmentsOf = (paymentId: string) =>
  world.db
    .selectFrom('instalments')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('number')
    .execute()

/** A booking of which a fifth is paid, and the rest is due 30 days before the event. */
async function withDeposit() {
  await world.db
    .updateTable('businesses')
    .set({ deposit_basis_points: 2_000, balance_days_before: 30 })
    .where('id', '=', business.id)
    .execute()
  const booking = await approved()
  const [, balance] = await instalmentsOf(booking.paymentId)
  return { ...booking, balanceId: balance?.id ?? '', depositCents: 9_100, balanceCents: 36_400 }
}

/** Begins to charge the balance: the payment is at the provider, and its card not confirmed yet. */
async function chargesBalance({
  paymentId,
  balanceId,
  balanceCents,
}: Awaited<ReturnType<typeof withDeposit>>) {
  const first = await paymentRow(paymentId)
  const payment = await world.db.transaction().execute(async (tx) => {
    const further = await storeFollowingPayment(deps, tx, {
      first,
      submitKey: crypto.randomUUID(),
      amountCents: balanceCents,
      expiresAt: new Date(deps.now().getTime() + DAY_MS),
    })
    await tx
      .updateTable('instalments')
      .set({ state: 'charging', paid_by: further.id })
      .where('id', '=', balanceId)
      .execute()
    return further
  })
  const made = await askProviderForPayment(deps, world.payments, payment)
  if (!made.ok) throw new Error(JSON.stringify(made))
  return {
    reference: made.reference,
    id: payment.id,
    async succeed() {
      await payCard(made.clientSecret)
      return reportPayment(deps, { clientSecret: made.clientSecret })
    },
  }
}

describe('cancelling an approved booking', () => {
  it.each([
    ['within the time to change one’s mind', START, 48 * 60 * MINUTE_MS, PRICE],
    ['at the last instant of the first tier', ALL_UNTIL, 0, PRICE],
    ['one millisecond later', ALL_UNTIL, 1, 22_750],
    ['at the last instant of the second tier', HALF_UNTIL, 0, 22_750],
    ['one millisecond after that', HALF_UNTIL, 1, 0],
    ['at the last instant before the event', EVENT, -1, 0],
  ])('gives back what its policy says %s', async (_, instant, laterMs, refundCents) => {
    const booking = await approved()
    setClock(instant, laterMs)
    const quote = await shown(booking)
    expect(quote).toMatchObject({ paidCents: PRICE, refundCents, keptCents: PRICE - refundCents })
    expect(await cancel(booking, quote)).toEqual({ ok: true, changed: true })
    await performDueRefunds(deps)
    expect(await refundedCents(booking.reference)).toBe(refundCents)
    expect(await bookingsOf(booking.paymentId)).toMatchObject([
      { status: 'withdrawn', payment_status: refundCents === PRICE ? 'refunded' : 'paid' },
    ])
    expect(await cancellationsOf(booking.bookingId)).toMatchObject([
      { cancelled_by: 'customer', shown_at: deps.now(), reason: null },
    ])
  })

  it('leaves the vendor what was kept, less what an operator refunds after it at the vendor’s cost alone', async () => {
    const booking = await approved()
    setClock(HALF_UNTIL)
    await cancel(booking, await shown(booking))
    await performDueRefunds(deps)
    const kept = async () => {
      const [listed] = await listBookingsOfBusinesses(world.db, {
        userId: business.user_id,
        businessId: 'all',
        now: deps.now(),
        ids: [booking.bookingId],
      })
      if (!listed?.cancellation) throw new Error('There is no cancellation.')
      return cancelledText(listed.cancellation, listed)
    }
    const refund = { operator: OPERATOR, paymentId: booking.paymentId, amountCents: 5_000, reason: 'Sorry.' }
    setClock(HALF_UNTIL, 60_000)
    await refundsAsOperator(deps, { ...refund, borneBy: 'operator' })
    expect(await kept()).toContain('You keep $227.50')
    await refundsAsOperator(deps, { ...refund, borneBy: 'vendor' })
    expect(await kept()).toContain('You keep $177.50')
  })

  it('frees the time, and tells both sides what goes back and what is kept', async () => {
    const booking = await approved()
    setClock(HALF_UNTIL)
    await cancel(booking, await shown(booking))
    const slots = await world.db
      .selectFrom('slots')
      .select('id')
      .where('booking_id', '=', booking.bookingId)
      .execute()
    expect(slots).toEqual([])
    const [mail] = await mailsAbout(`${booking.bookingId}-cancelled@`)
    expect(mail?.text).toContain('You’ll get $227.50 back.')
    expect(mail?.text).toContain('The Walled Garden keeps $227.50')
    const [toVendor] = await mailsAbout(`${booking.bookingId}-customer-cancelled@`)
    expect(toVendor?.text).toContain('You keep $227.50')
    const notes = await notificationsOf(business.user_id)
    expect(notes.map(({ title }) => title)).toContain('Kim Lee cancelled their booking')
    expect(await findBookingByLink(world.db, booking.linkToken)).toMatchObject({
      cancellation: { by: 'customer', refundCents: 22_750, keptCents: 22_750 },
      refund: { amount: '227.50' },
    })
  })

  it('says plainly by mail that nothing comes back', async () => {
    const booking = await approved()
    setClock(HALF_UNTIL, 1)
    await cancel(booking, await shown(booking))
    const [mail] = await mailsAbout(`${booking.bookingId}-cancelled@`)
    expect(mail?.text).toContain('You get nothing back.')
    expect(await refundsOf(booking.paymentId)).toEqual([])
  })

  it('refuses anyone but the booking’s customer', async () => {
    const customer = await aUser(world.db)
    const booking = await approved({ customerUserId: customer.id })
    const other = await approved()
    const quote = await shown(booking)
    const strangers = [
      { linkToken: '' },
      { linkToken: other.linkToken },
      { userId: business.user_id, verifiedEmail: 'vendor@example.com' },
      { userId: 'nobody', verifiedEmail: null },
    ]
    for (const by of strangers)
      expect(await cancel({ ...booking, by } as Approved, quote)).toEqual({ ok: false, reason: 'not_found' })
    expect(await cancel({ ...booking, bookingId: 'nothing' }, quote)).toEqual({
      ok: false,
      reason: 'not_found',
    })
    expect(await cancellationsOf(booking.bookingId)).toEqual([])
    const asAccount = { userId: customer.id, verifiedEmail: null }
    expect(await cancel({ ...booking, by: asAccount } as unknown as Approved, quote)).toMatchObject({
      ok: true,
    })
  })

  it('refunds once when it is pressed in two tabs at the same moment', async () => {
    const booking = await approved()
    setClock(HALF_UNTIL)
    const tabs = [await shown(booking), await shown(booking)]
    const answers = await Promise.all(tabs.map((quote) => cancel(booking, quote)))
    expect(answers).toHaveLength(2)
    for (const changed of [true, false]) expect(answers).toContainEqual({ ok: true, changed })
    await performDueRefunds(deps)
    expect(await refundedCents(booking.reference)).toBe(22_750)
    expect(await cancellationsOf(booking.bookingId)).toHaveLength(1)
  })

  it('wins or loses as a whole against a decline at the same moment, with one refund', async () => {
    const booking = await approved()
    setClock(HALF_UNTIL)
    const quote = await shown(booking)
    const [cancelled, declined] = await Promise.all([
      cancel(booking, quote),
      decide(booking.bookingId, 'declined'),
    ])
    expect([cancelled.ok, declined.ok].sort()).toEqual([false, true])
    setClock(HALF_UNTIL, DAY_MS)
    await performDueRefunds(deps)
    expect(await refundedCents(booking.reference)).toBe(cancelled.ok ? 22_750 : PRICE)
    expect(await cancellationsOf(booking.bookingId)).toMatchObject([
      { cancelled_by: cancelled.ok ? 'customer' : 'vendor' },
    ])
  })

  it('refuses a pending or declined booking, one without terms, and one whose event has begun', async () => {
    const pending = await booked()
    const link = { linkToken: await bookingLinkToken(deps.secret, pending.paymentId) }
    const reasonFor = async (booking: { bookingId: string; by: { linkToken: string } }) => {
      const outcome = await cancel(booking, { signed: '' })
      const cancelling = await findCancelling(deps, booking.by.linkToken)
      expect(cancelling).toEqual({ quote: null, refusal: outcome.ok ? null : outcome.reason })
      return outcome
    }
    expect(await reasonFor({ ...pending, by: link })).toEqual({ ok: false, reason: 'pending' })
    const declined = await approved()
    await decide(declined.bookingId, 'declined')
    expect(await reasonFor(declined)).toEqual({ ok: false, reason: 'over' })
    const before = await approved()
    await world.db
      .updateTable('sales')
      .set({ policy: null, instalments: null })
      .where('id', '=', before.paymentId)
      .execute()
    expect(await reasonFor(before)).toEqual({ ok: false, reason: 'no_terms' })
    const begun = await approved()
    setClock(EVENT)
    expect(await reasonFor(begun)).toEqual({ ok: false, reason: 'event_begun' })
  })

  it('stays possible while the provider is away, and is refunded later', async () => {
    const booking = await approved()
    setClock(HALF_UNTIL)
    const away = { ...deps, providers: [] } as unknown as typeof deps
    const quote = await shown(booking)
    expect(
      await cancelBooking(away, { bookingId: booking.bookingId, by: booking.by, signed: quote.signed }),
    ).toEqual({ ok: true, changed: true })
    expect(await refundsOf(booking.paymentId)).toMatchObject([{ state: 'due', reason: 'withdrawn' }])
    await performDueRefunds(deps)
    expect(await refundedCents(booking.reference)).toBe(22_750)
  })
})

describe('a quote', () => {
  it('follows the terms of the sale after the listing has changed its policy, plan and price', async () => {
    const booking = await withDeposit()
    setClock(HALF_UNTIL)
    const before = await shown(booking)
    expect(before).toMatchObject({ paidCents: 9_100, keptCents: 9_100 })
    await world.db
      .updateTable('businesses')
      .set({ policy: 'flexible', deposit_basis_points: null, balance_days_before: null, price_cents: 9_900 })
      .where('id', '=', business.id)
      .execute()
    expect(await shown(booking)).toMatchObject({
      refundCents: before.refundCents,
      keptCents: before.keptCents,
    })
    const { terms } = (await paymentRow(booking.paymentId)).sale
    expect(terms).toMatchObject({ policy: { name: 'moderate', version: 1 }, priceCents: PRICE })
    expect(await instalmentsOf(booking.paymentId)).toMatchObject([
      {},
      { state: 'scheduled', amount_cents: '36400' },
    ])
  })

  it('opens by the link after its customer has deleted their account, and so does the balance', async () => {
    const customerId = (await aUser(world.db)).id
    const booking = await withDeposit()
    await world.db
      .updateTable('sales')
      .set({ customer_user_id: customerId })
      .where('id', '=', booking.paymentId)
      .execute()
    // A customer here has no uploads.
    const leaving = { ...deps, files: {} as FileStore, payouts: null, leavesAnAdmin: async () => true }
    expect(await deleteAccount(leaving, customerId)).toEqual({ ok: true })
    expect(await openInstalmentPayment(instalmentDeps(world), booking.linkToken)).toMatchObject({
      ok: true,
      amountCents: 36_400,
    })
    expect(await cancel(booking, await shown(booking))).toMatchObject({ ok: true })
    expect(await refundsOf(booking.paymentId)).toMatchObject([{ amount_cents: '9100' }])
  })

  it('holds for 15 minutes, and is shown again after that', async () => {
    const booking = await approved()
    const quote = await shown(booking)
    setClock(START, 15 * MINUTE_MS + 1)
    const answer = await cancel(booking, quote)
    expect(answer).toMatchObject({ ok: false, reason: 'stale', quote: { refundCents: PRICE } })
    expect(await bookingsOf(booking.paymentId)).toMatchObject([{ status: 'approved' }])
    setClock(START, 15 * MINUTE_MS)
    expect(await cancel(booking, quote)).toMatchObject({ ok: true })
  })

  it('gives way to a new one when the refund has fallen, and the new one is accepted', async () => {
    const booking = await approved()
    setClock(ALL_UNTIL)
    const quote = await shown(booking)
    setClock(ALL_UNTIL, 1)
    const answer = await cancel(booking, quote)
    expect(answer).toMatchObject({ ok: false, reason: 'stale', quote: { refundCents: 22_750 } })
    expect(await refundsOf(booking.paymentId)).toEqual([])
    if (answer.ok || answer.reason !== 'stale') throw new Error('not refused')
    expect(await cancel(booking, answer.quote)).toMatchObject({ ok: true })
  })

  it('counts only with our signature, and only for its own booking', async () => {
    const booking = await approved()
    const other = await approved()
    setClock(HALF_UNTIL)
    const quote = await shown(booking)
    const forged = [
      '',
      'nothing',
      quote.signed.replace('22750', '45500'),
      quote.signed.slice(0, -1),
      `${quote.signed}x`,
      (await shown(other)).signed,
      await signQuote('another secret', booking.bookingId, {
        refundCents: 0,
        keptCents: PRICE,
        at: deps.now(),
      }),
    ]
    for (const signed of forged)
      expect(await cancel(booking, { signed })).toMatchObject({ ok: false, reason: 'stale' })
    expect(await cancellationsOf(booking.bookingId)).toEqual([])
  })

  it('counts an operator’s refund as taken off price and payment alike', async () => {
    const booking = await approved()
    const operator = { userId: 'operator-1', email: 'operator@example.com' }
    await refundsAsOperator(deps, {
      operator,
      paymentId: booking.paymentId,
      amountCents: 10_000,
      reason: 'The heater failed.',
    })
    setClock(HALF_UNTIL)
    const quote = await shown(booking)
    expect(quote).toMatchObject({ paidCents: 35_500, refundCents: 17_750, keptCents: 17_750 })
    await cancel(booking, quote)
    await performDueRefunds(deps)
    expect(await refundedCents(booking.reference)).toBe(27_750)
  })

  it('gives way to a new one when an operator has refunded a part in between', async () => {
    const booking = await approved()
    const operator = { userId: 'operator-1', email: 'operator@example.com' }
    setClock(HALF_UNTIL)
    const quote = await shown(booking)
    const order = { operator, paymentId: booking.paymentId, amountCents: 10_000, reason: 'A leak.' }
    await refundsAsOperator(deps, order)
    expect(await cancel(booking, quote)).toMatchObject({
      ok: false,
      reason: 'stale',
      quote: { refundCents: 17_750 },
    })
  })
})

describe('a booking with an unpaid balance', () => {
  it('keeps of its deposit what the policy says, and its balance is never charged', async () => {
    const booking = await withDeposit()
    setClock(HALF_UNTIL)
    const quote = await shown(booking)
    expect(quote).toMatchObject({
      paidCents: 9_100,
      refundCents: 0,
      keptCents: 9_100,
      uncollectedCents: 36_400,
    })
    expect(await cancel(booking, quote)).toMatchObject({ ok: true })
    expect(await instalmentsOf(booking.paymentId)).toMatchObject([{ state: 'paid' }, { state: 'ended' }])
    const [mail] = await mailsAbout(`${booking.bookingId}-cancelled@`)
    expect(mail?.text).toContain('$364.00 will never be charged.')
    const [toVendor] = await mailsAbout(`${booking.bookingId}-customer-cancelled@`)
    expect(toVendor?.text).toContain('The balance of $364.00 won’t be charged.')
  })

  it('gives the deposit back in full while cancelling is free', async () => {
    const booking = await withDeposit()
    await cancel(booking, await shown(booking))
    await performDueRefunds(deps)
    expect(await refundedCents(booking.reference)).toBe(booking.depositCents)
    expect(await bookingsOf(booking.paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })

  it('shows its quote again when the balance was charged in between, since more is kept', async () => {
    const booking = await withDeposit()
    setClock(HALF_UNTIL)
    const charge = await chargesBalance(booking)
    const quote = await shown(booking)
    expect(await charge.succeed()).toMatchObject({ ok: true, state: 'paid' })
    const answer = await cancel(booking, quote)
    expect(answer).toMatchObject({
      ok: false,
      reason: 'stale',
      quote: { paidCents: PRICE, refundCents: 22_750, keptCents: 22_750, uncollectedCents: 0 },
    })
    if (answer.ok || answer.reason !== 'stale') throw new Error('not refused')
    expect(await cancel(booking, answer.quote)).toMatchObject({ ok: true })
    await performDueRefunds(deps)
    // The newest charge goes back first.
    expect(await refundedCents(charge.reference)).toBe(22_750)
    expect(await refundedCents(booking.reference)).toBe(0)
  })

  it('refunds over both charges, newest first, when everything goes back', async () => {
    const booking = await withDeposit()
    const charge = await chargesBalance(booking)
    await charge.succeed()
    await cancel(booking, await shown(booking))
    await performDueRefunds(deps)
    expect(await refundedCents(charge.reference)).toBe(booking.balanceCents)
    expect(await refundedCents(booking.reference)).toBe(booking.depositCents)
    expect(await bookingsOf(booking.paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })

  it('refunds a balance in full that succeeds after the booking was cancelled', async () => {
    const booking = await withDeposit()
    setClock(HALF_UNTIL)
    const charge = await chargesBalance(booking)
    expect(await cancel(booking, await shown(booking))).toMatchObject({ ok: true })
    await charge.succeed()
    await performDueRefunds(deps)
    expect(await refundedCents(charge.reference)).toBe(booking.balanceCents)
    expect(await refundedCents(booking.reference)).toBe(0)
    expect(await refundsOf(charge.id)).toMatchObject([{ reason: 'paid_too_late' }])
    const [mail] = await mailsAbout(`payment-${charge.id}-too-late`)
    expect(mail?.text).toContain('after the booking had ended')
  })

  it('costs no more than the policy says when it is cancelled while its balance is being charged', async () => {
    const booking = await withDeposit()
    setClock(HALF_UNTIL)
    const charge = await chargesBalance(booking)
    const quote = await shown(booking)
    const [cancelled] = await Promise.all([cancel(booking, quote), charge.succeed()])
    await performDueRefunds(deps)
    const back =
      ((await refundedCents(charge.reference)) ?? 0) + ((await refundedCents(booking.reference)) ?? 0)
    // Either the cancelling came first and the balance goes back whole, or its quote is out of date.
    expect(back).toBe(cancelled.ok ? booking.balanceCents : 0)
  })
})

describe('a booking whose balance is overdue', () => {
  async function overdue() {
    const booking = await withDeposit()
    const set = (state: 'failed' | 'overdue') =>
      world.db.updateTable('instalments').set({ state }).where('id', '=', booking.balanceId).execute()
    await set('overdue')
    // Seven days after the balance was due, which is the first instant after the whole price was refundable.
    setClock(ALL_UNTIL, 7 * DAY_MS)
    return { ...booking, set }
  }

  it('ends once by its policy, and both sides are told', async () => {
    const booking = await overdue()
    await booking.set('failed')
    expect(await endOverdueBooking(deps, booking.bookingId)).toBe(false)
    await endOverdueBookings(deps)
    expect(await bookingsOf(booking.paymentId)).toMatchObject([{ status: 'approved' }])
    await booking.set('overdue')
    const quote = await shown(booking)
    await Promise.all([endOverdueBookings(deps), endOverdueBooking(deps, booking.bookingId)])
    expect(await bookingsOf(booking.paymentId)).toMatchObject([{ status: 'withdrawn' }])
    const [row, ...more] = await cancellationsOf(booking.bookingId)
    expect(more).toEqual([])
    expect(row).toMatchObject({ cancelled_by: 'overdue', shown_at: null, reason: null })
    const { refundCents, keptCents, uncollectedCents } = quote
    expect({ refundCents, keptCents, uncollectedCents }, 'as the customer was shown').toEqual({
      refundCents: Number(row?.refund_cents),
      keptCents: Number(row?.kept_cents),
      uncollectedCents: Number(row?.uncollected_cents),
    })
    const slots = world.db.selectFrom('slots').select('id').where('business_id', '=', business.id)
    expect(await slots.execute(), 'the time is free again').toEqual([])
    // Half of the price is refundable, which is less than what was never paid.
    expect([row?.refund_cents, row?.kept_cents, row?.uncollected_cents].map(Number)).toEqual([
      0, 9_100, 36_400,
    ])
    expect(await instalmentsOf(booking.paymentId)).toMatchObject([{ state: 'paid' }, { state: 'ended' }])
    const [mail] = await mailsAbout(`${booking.bookingId}-overdue-ended@`)
    expect(mail?.text).toContain('$364.00 will never be charged.')
    expect(mail?.text).toContain('unpaid a week after it was due')
    expect(await mailsAbout(`${booking.bookingId}-overdue-ended-for-vendor@`)).toHaveLength(1)
  })

  it('was unpaid for two weeks where its vendor had extended it, and its mails say so', async () => {
    const booking = await overdue()
    await world.db
      .updateTable('instalments')
      .set({ extended_at: world.clock.now() })
      .where('id', '=', booking.balanceId)
      .execute()
    await endOverdueBooking(deps, booking.bookingId)
    const mails = await mailsAbout(`${booking.bookingId}-overdue-ended`)
    expect(mails).toHaveLength(2)
    for (const { text } of mails) expect(text).toContain('unpaid two weeks after it was due')
  })

  it('goes on when the balance has been paid', async () => {
    const booking = await overdue()
    const charge = await chargesBalance(booking)
    expect(await endOverdueBooking(deps, booking.bookingId)).toBe(false)
    await charge.succeed()
    await endOverdueBookings(deps)
    expect(await bookingsOf(booking.paymentId)).toMatchObject([{ status: 'approved' }])
  })

  it('doesn’t end again once it is declined', async () => {
    const booking = await overdue()
    await decide(booking.bookingId, 'declined')
    expect(await endOverdueBooking(deps, booking.bookingId)).toBe(false)
    expect(await endOverdueBooking(deps, 'nothing')).toBe(false)
  })
})

describe('a vendor’s cancellation', () => {
  it('stores its reason, and gives everything back', async () => {
    const booking = await withDeposit()
    await decide(booking.bookingId, 'declined')
    const [row, ...more] = await cancellationsOf(booking.bookingId)
    expect(more).toEqual([])
    expect(row).toMatchObject({ cancelled_by: 'vendor', reason: DECLINE_REASON })
    expect([row?.refund_cents, row?.kept_cents, row?.uncollected_cents].map(Number)).toEqual([
      9_100, 0, 36_400,
    ])
  })

  it('counts for twelve months, over all businesses of its vendor and for no other', async () => {
    const booking = await approved()
    await decide(booking.bookingId, 'declined')
    const other = await approved()
    await cancel(other, await shown(other))
    const count = (laterMs: number, userId = business.user_id) =>
      countVendorCancellations(world.db, { userId, now: new Date(Date.parse(START) + laterMs) })
    expect(await count(0)).toBe(1)
    expect(await count(365 * DAY_MS - 1)).toBe(1)
    expect(await count(365 * DAY_MS)).toBe(0)
    expect(await count(0, 'nobody')).toBe(0)
  })

  it('tells the customer of up to three others of the category, nearest first, that are free at that time', async () => {
    const booking = await approved()
    const category = 'Extras'
    await world.db.updateTable('businesses').set({ category }).where('id', '=', business.id).execute()
    const inPlace = async (name: string, longitude: number) => {
      const place = await aPlace(world.db, { id: `place-${newId(6)}`, name: `${name} Town`, longitude })
      return aBusiness(world.db, { name, category, place_id: place.id })
    }
    const names = ['Fourth', 'Third', 'Second', 'First']
    for (const [index, name] of names.entries()) await inPlace(name, 145.6 - index * 0.1)
    const full = await inPlace('Nearest', 145)
    await setsAvailability(world.db, full.id, { maxGuests: 5 })
    await decide(booking.bookingId, 'declined')
    const [mail] = await mailsAbout(`${booking.bookingId}-declined-`)
    const [, offered = ''] = mail?.text.split('These are free at the same time:') ?? []
    expect(offered.match(/^\w+(?=, \w+ Town)/gm)).toEqual(['First', 'Second', 'Third'])
  })

  it('counts no more once they have approved the booking again', async () => {
    const booking = await approved()
    await decide(booking.bookingId, 'declined')
    await decide(booking.bookingId, 'approved')
    expect(await cancellationsOf(booking.bookingId)).toEqual([])
  })

  it('isn’t counted when it declines a booking that was still pending', async () => {
    const { bookingId } = await booked()
    await decide(bookingId, 'declined')
    expect(await cancellationsOf(bookingId)).toEqual([])
  })
})

describe('a refund of two charges, of which one came back', () => {
  const paidInTwo = async () => {
    const date = new Date(world.clock.now().getTime() + 80 * DAY_MS).toISOString().slice(0, 10)
    const { id: businessId, user_id: userId } = await aDepositBusiness(world)
    const { bookingId, paymentId, linkToken, reference } = await booksWithDeposit(world, {
      businessId,
      card: CARDS.refundFails,
      date,
    })
    await decide(bookingId, 'approved', userId)
    await paysBalance(world, paymentId)
    return { bookingId, paymentId, linkToken, reference, userId }
  }
  const cellsOf = async ({ bookingId, userId }: Awaited<ReturnType<typeof paidInTwo>>) => {
    const now = world.clock.now()
    const [row] = await listBookingsOfBusinesses(world.db, {
      userId,
      businessId: 'all',
      now,
      ids: [bookingId],
    })
    if (!row) throw new Error('There is no booking.')
    return bookingCells(row)[BOOKING_COLUMNS.indexOf('Refunds (AUD)')]
  }

  it('tells the customer where each part is, until it has been refunded again', async () => {
    const booking = await paidInTwo()
    const { bookingId, paymentId, linkToken, reference, userId } = booking
    const sentence = async () => {
      const found = await findBookingByLink(world.db, linkToken)
      return found ? nextSentence(found, world.clock.now()) : ''
    }
    await decide(bookingId, 'declined', userId)
    world.clock.forward(deps.refundGraceMs)
    await performDueRefunds(deps)
    expect(await sentence()).toContain('We sent your refund of $8,700.00 on')
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await receive(deps, event(reference, newId(), 'refund.failed'))

    const cameBack = await sentence()
    expect(cameBack).toContain('We sent your refund of $6,960.00 on')
    expect(cameBack).toContain('Your refund of $1,740.00 came back')
    expect((await findBookingByLink(world.db, linkToken))?.refund).toMatchObject({
      state: 'failed',
      amount: '1740.00',
    })
    expect(await cellsOf(booking)).toBe('8700.00')

    const [refund] = await refundsOf(paymentId)
    await refundsAgainAsOperator(deps, { operator: OPERATOR, refundId: refund?.id ?? '' })
    const again = await sentence()
    expect(again).toContain('We sent your refund of $6,960.00 on')
    expect(again).toContain('We sent your refund of $1,740.00 on')
    expect(again).not.toContain('came back')
    expect(await cellsOf(booking)).toBe('8700.00')
  })
})
