import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  CARDS,
  decide,
  deps,
  event,
  mailsAbout,
  notificationsOf,
  paymentRow,
  receive,
  refundedCents,
  refundsOf,
  setBookingStage,
  world,
} from '../../../../tests/booking-stage.ts'
import { aBookingForm, setsAvailability } from '../../../../tests/builders.ts'
import {
  agrees,
  amountsBefore,
  asCustomer,
  asVendor,
  type Changeable,
  declines,
  opensProposal,
  paysChange,
  proposes,
  rowOf,
} from '../../../../tests/change-stage.ts'
import { confirms, GOOD_CARD, instalmentDeps } from '../../../../tests/instalment-stage.ts'
import { leavesAsIs } from '../../../../tests/leaves-as-is.ts'
import { cancelsAsOperator, OPERATOR, refundsAsOperator } from '../../../../tests/payout-stage.ts'
import { wallTimeToUtc } from '../../../shared/dates.ts'
import { newId } from '../../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../../shared/time-units.ts'
import { blockTime } from '../../availability/hours-commands.server.ts'
import { storeSavedCards } from '../../instalments/card-commands.server.ts'
import { chargeDueInstalments, openInstalmentPayment } from '../../instalments/charge-commands.server.ts'
import { remindOfInstalments } from '../../instalments/reminder-commands.server.ts'
import { findPaymentTrail } from '../../operators/payment-trail-queries.server.ts'
import { listCharges } from '../../payments/queries.server.ts'
import { performDueRefunds } from '../../payments/refund-sending-commands.server.ts'
import { reportPayment } from '../../payments/settlement-commands.server.ts'
import { sweepPayments } from '../../payments/sweep-commands.server.ts'
import { listEarnings } from '../../payouts/earning-queries.server.ts'
import { exportAccount } from '../../privacy/queries.server.ts'
import { findReceipt } from '../../receipts/queries.server.ts'
import { findReviewable } from '../../reviews/queries.server.ts'
import { cancelBooking } from '../cancellation/commands.server.ts'
import { findCancelling } from '../cancellation/queries.server.ts'
import { withdrawBooking } from '../cancellation/withdrawal-commands.server.ts'
import { startBookingPayment } from '../checkout/commands.server.ts'
import { processPendingBookings, remindOfEvents } from '../decisions/reminder-commands.server.ts'
import { listCalendarEntries } from '../list/calendar-queries.server.ts'
import { bookingLinkToken } from '../rules.ts'
import { acceptChange, declineChange, proposeChange } from './commands.server.ts'
import { expireChanges } from './expiry-commands.server.ts'
import { heldTooLongText, keptPriceText } from './messages.ts'
import { openChangePayment } from './payment-commands.server.ts'
import {
  findChangePage,
  findCurrentSlot,
  findOpenChange,
  listChanges,
  signCurrentSlot,
} from './queries.server.ts'

setBookingStage()

const START = '2026-11-20T01:00:00.000Z'
const UNIT = 4_550
const PRICE = 45_500
// The event is on 13 March 2027 at 16:00 in Melbourne, which is UTC+11, and lasts 7 hours, with 2 before and 1 after.
const EVENT = { from: '2027-03-13T05:00:00.000Z', until: '2027-03-13T12:00:00.000Z' }
const SATURDAY = '2027-03-20'

const setClock = (iso: string) => world.clock.forward(Date.parse(iso) - world.clock.now().getTime())
beforeEach(() => setClock(START))

type Booked = Changeable & { paymentId: string; reference: string }

async function pending(overrides: Parameters<typeof booked>[0] = {}): Promise<Booked> {
  const payment = await booked(overrides)
  return { ...payment, linkToken: await bookingLinkToken(deps.secret, payment.paymentId) }
}

async function approved(overrides: Parameters<typeof booked>[0] = {}): Promise<Booked> {
  const booking = await pending(overrides)
  await decide(booking.bookingId, 'approved')
  return booking
}

/** A booking of which a fifth is paid, and the rest is due on 11 February at 09:00. */
async function withDeposit(): Promise<Booked> {
  await world.db
    .updateTable('businesses')
    .set({ deposit_basis_points: 2_000, balance_days_before: 30 })
    .where('id', '=', business.id)
    .execute()
  const booking = await approved()
  await storeSavedCards(instalmentDeps(world))
  return booking
}

/** Cancels an approved booking as its customer, by the quote of now. */
async function cancels({ bookingId, linkToken }: Changeable) {
  const signed = (await findCancelling(deps, linkToken))?.quote?.signed ?? ''
  return cancelBooking(deps, { bookingId, by: { linkToken }, signed })
}

/** One booking at a time. */
const alone = () => setsAvailability(world.db, business.id, { capacity: 1 })
const vendor = () => asVendor(business.user_id)

const bookingOf = async ({ paymentId }: Booked) => {
  const [row] = await bookingsOf(paymentId)
  if (!row) throw new Error('There is no booking.')
  return row
}
const changesOf = ({ bookingId }: Changeable) => listChanges(world.db, [bookingId])
const instalmentsOf = async ({ paymentId }: Booked) =>
  (
    await world.db
      .selectFrom('instalments')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .orderBy('number')
      .execute()
  ).map((row) => ({ ...row, cents: Number(row.amount_cents) }))

const paymentOf = (reference: string) =>
  world.db
    .selectFrom('payments')
    .selectAll()
    .where('provider_reference', '=', reference)
    .executeTakeFirstOrThrow()

async function slotsOf() {
  const { rows } = await sql<{ kind: string; from: Date; moves: string | null; booking_id: string | null }>`
    select kind, lower(event) as from, moves_payment_id as moves, booking_id from slots
    where business_id = ${business.id} order by kind, event`.execute(world.db)
  return rows
}

const another = (date: string, time = '16:00') =>
  startBookingPayment(deps, {
    amount: PRICE,
    submitKey: crypto.randomUUID(),
    businessId: business.id,
    booking: aBookingForm({ date, time, email: 'rival@example.com' }),
    customerUserId: null,
  })

describe('another date', () => {
  it('takes effect at once, free of charge, when the customer proposes it and the vendor agrees', async () => {
    await alone()
    const booking = await approved()
    expect(await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })).toMatchObject({
      ok: true,
      changed: true,
    })
    expect(await slotsOf()).toMatchObject([
      { kind: 'booking', from: new Date(EVENT.from) },
      { kind: 'hold', from: new Date('2027-03-20T05:00:00.000Z'), moves: booking.paymentId },
    ])
    expect(await agrees(deps, booking, vendor())).toEqual({ ok: true, changed: true, isDue: false })
    expect(await slotsOf()).toMatchObject([
      {
        kind: 'booking',
        from: new Date('2027-03-20T05:00:00.000Z'),
        moves: null,
        booking_id: booking.bookingId,
      },
    ])
    const row = await rowOf(world, booking)
    expect(row).toMatchObject({ date: SATURDAY, time: '16:00', quantity: 10, status: 'approved' })
    expect(row.sale).toMatchObject({
      event: { from: '2027-03-20T05:00:00.000Z', until: '2027-03-20T12:00:00.000Z' },
      occupied: { from: '2027-03-20T03:00:00.000Z', until: '2027-03-20T13:00:00.000Z' },
    })
    expect(await changesOf(booking)).toMatchObject([
      {
        state: 'paid',
        proposed_by: 'customer',
        sale_before: { date: '2027-03-13' },
        sale_after: { date: SATURDAY },
      },
    ])
  })

  it('takes effect when the vendor proposes it and the customer agrees', async () => {
    const booking = await approved()
    await proposes(deps, booking, vendor(), { date: SATURDAY, time: '18:00' })
    expect(await agrees(deps, booking, asCustomer(booking))).toMatchObject({ ok: true, isDue: false })
    expect(await rowOf(world, booking)).toMatchObject({ date: SATURDAY, time: '18:00' })
  })

  it('holds its time from the proposal on, while the booking keeps its own', async () => {
    await alone()
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })
    expect(await another(SATURDAY)).toMatchObject({ ok: false, reason: 'time_gone', why: 'taken' })
    expect(await another('2027-03-13')).toMatchObject({ ok: false, reason: 'time_gone', why: 'taken' })
    await agrees(deps, booking, vendor())
    expect(await another(SATURDAY)).toMatchObject({ ok: false, reason: 'time_gone', why: 'taken' })
    expect(await another('2027-03-13')).toMatchObject({ ok: true })
  })

  it.each([
    ['an hour later', '17:00', '2027-03-13T06:00:00.000Z'],
    ['two hours earlier, into its current slot for setting up', '14:00', '2027-03-13T03:00:00.000Z'],
  ])('may overlap the booking’s current slot: %s', async (_, time, from) => {
    await alone()
    const booking = await approved()
    expect(await proposes(deps, booking, asCustomer(booking), { time })).toMatchObject({ ok: true })
    expect(await slotsOf()).toHaveLength(2)
    await agrees(deps, booking, vendor())
    expect(await slotsOf()).toMatchObject([{ kind: 'booking', from: new Date(from) }])
  })

  it('takes no second place of a larger capacity where it overlaps the booking’s current slot', async () => {
    await setsAvailability(world.db, business.id, { capacity: 2 })
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { time: '17:00' })
    const beside = await another('2027-03-13')
    expect(beside).toMatchObject({ ok: true })
    expect(await another('2027-03-13')).toMatchObject({ ok: false, reason: 'time_gone' })
  })

  it('can’t be sold twice, by a constraint of the database', async () => {
    await alone()
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { time: '17:00' })
    const copy = sql`
      insert into slots (id, business_id, kind, during, event, time_zone, is_exclusive, payment_id, booking_id, created_at)
      select 'copy', business_id, 'booking', during, event, time_zone, true, 'another', 'another', created_at
      from slots where kind = 'hold' and business_id = ${business.id}`.execute(world.db)
    await expect(copy).rejects.toThrow(/slots_booked_once/)
  })

  it('can’t be proposed if it is taken, returns the nearest free times, and holds nothing', async () => {
    await alone()
    const booking = await approved()
    await booked({ booking: aBookingForm({ date: SATURDAY, email: 'rival@example.com' }) })
    const refused = await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })
    expect(refused).toMatchObject({ ok: false, reason: 'time_gone', why: 'taken' })
    expect(refused.ok === false && 'alternatives' in refused && refused.alternatives.length).toBe(3)
    expect(await changesOf(booking)).toEqual([])
    expect((await slotsOf()).filter(({ kind }) => kind === 'hold')).toEqual([])
  })

  it('leaves the booking as it is if its hold was lost and the time was sold', async () => {
    await alone()
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })
    await sql`delete from slots where kind = 'hold' and business_id = ${business.id}`.execute(world.db)
    await booked({ booking: aBookingForm({ date: SATURDAY, email: 'rival@example.com' }) })
    await world.jobs.takeAll()
    expect(await agrees(deps, booking, vendor())).toEqual({ ok: false, reason: 'time_gone' })
    expect(await rowOf(world, booking)).toMatchObject({ date: '2027-03-13' })
    expect(await changesOf(booking)).toMatchObject([{ state: 'expired' }])
    expect(await world.jobs.mails(), 'both are told').toHaveLength(2)
    expect((await slotsOf()).filter(({ booking_id: id }) => id === booking.bookingId)).toHaveLength(1)
  })

  it('keeps the length that was sold, whatever the listing says now', async () => {
    const booking = await approved()
    await setsAvailability(world.db, business.id, { eventMinutes: 120, setupMinutes: 0, cleanupMinutes: 0 })
    await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })
    await agrees(deps, booking, vendor())
    expect((await rowOf(world, booking)).sale).toMatchObject({
      event: { from: '2027-03-20T05:00:00.000Z', until: '2027-03-20T12:00:00.000Z' },
      occupied: { from: '2027-03-20T03:00:00.000Z', until: '2027-03-20T13:00:00.000Z' },
    })
  })

  it('moves the balance and the free cancellation by the venue’s clock, across a clock change too', async () => {
    const booking = await withDeposit()
    // Daylight saving ends on 4 April 2027.
    await proposes(deps, booking, asCustomer(booking), { date: '2027-04-10' })
    await agrees(deps, booking, vendor())
    expect((await rowOf(world, booking)).sale.event.from).toBe('2027-04-10T06:00:00.000Z')
    const [, balance] = await instalmentsOf(booking)
    expect(balance?.due_at).toEqual(wallTimeToUtc('2027-03-11', '09:00', 'Australia/Melbourne'))
    const cancelling = await findCancelling(deps, booking.linkToken)
    // Within the time to change one's mind all of it comes back.
    expect(cancelling?.quote).toMatchObject({ refundCents: 9_100, keptCents: 0 })
    // Thirty days before, the clock is still an hour ahead.
    setClock('2027-03-11T04:59:59.000Z')
    expect((await findCancelling(deps, booking.linkToken))?.quote).toMatchObject({ keptCents: 0 })
    setClock('2027-03-11T05:00:01.000Z')
    expect((await findCancelling(deps, booking.linkToken))?.quote?.keptCents).toBeGreaterThan(0)
  })

  it('can’t be proposed if the clock skips its time, nor in the past, with a message beside its field', async () => {
    const booking = await approved()
    // Clocks go forward at 2 am on 3 October 2027.
    expect(
      await proposes(deps, booking, asCustomer(booking), { date: '2027-10-03', time: '02:30' }),
    ).toMatchObject({ ok: false, reason: 'time_gone', why: 'no_such_time' })
    expect(await proposes(deps, booking, asCustomer(booking), { date: '2026-11-19' })).toMatchObject({
      ok: false,
      reason: 'fields',
      fields: { date: expect.any(String) },
    })
  })
})

describe('another number of guests', () => {
  it('keeps the price of each that was agreed, as the page says', async () => {
    const booking = await approved()
    const page = await findChangePage(deps, { linkToken: booking.linkToken }, null)
    expect(page && keptPriceText(page, 'customer')).toBe(
      'You keep the price you booked at: $45.50 per person.',
    )
  })

  it('costs the price that was sold, whatever the listing asks now, and is paid before it takes effect', async () => {
    const booking = await approved()
    await world.db
      .updateTable('businesses')
      .set({ price_cents: 9_900 })
      .where('id', '=', business.id)
      .execute()
    expect(await proposes(deps, booking, asCustomer(booking), { quantity: 12 })).toMatchObject({ ok: true })
    expect(await changesOf(booking)).toMatchObject([
      { due_cents: expect.anything(), refund_cents: expect.anything() },
    ])
    expect(await agrees(deps, booking, vendor())).toEqual({ ok: true, changed: true, isDue: true })
    expect(await bookingOf(booking)).toMatchObject({ quantity: 10 })
    const paid = await paysChange(world, booking)
    expect(paid).toMatchObject({
      amountCents: 2 * UNIT,
      settled: { ok: true, purchaseId: booking.bookingId },
    })
    const row = await rowOf(world, booking)
    expect(row).toMatchObject({ quantity: 12 })
    expect(Number(row.total_price_cents)).toBe(12 * UNIT)
    expect(row.sale.terms).toMatchObject({
      priceCents: 12 * UNIT,
      instalments: [
        { number: 1, cents: PRICE, dueAt: null },
        { number: 2, cents: 2 * UNIT, dueAt: null },
      ],
    })
    expect(await instalmentsOf(booking)).toMatchObject([
      { cents: PRICE, state: 'paid', paid_by: booking.paymentId },
      { cents: 2 * UNIT, state: 'paid' },
    ])
    expect(await changesOf(booking)).toMatchObject([{ state: 'paid' }])
  })

  it('gives the difference back from the newest charge first', async () => {
    const booking = await approved()
    world.clock.forward(1_000)
    await proposes(deps, booking, asCustomer(booking), { quantity: 12 })
    await agrees(deps, booking, vendor())
    const more = await paysChange(world, booking)
    await proposes(deps, booking, asCustomer(booking), { quantity: 7 })
    expect(await agrees(deps, booking, vendor())).toMatchObject({ ok: true, isDue: false })
    await performDueRefunds(deps)
    expect(await refundedCents(more.reference)).toBe(2 * UNIT)
    expect(await refundedCents(booking.reference)).toBe(3 * UNIT)
    expect(await instalmentsOf(booking)).toMatchObject([
      { cents: 7 * UNIT, state: 'paid' },
      { cents: 0, state: 'paid' },
    ])
    expect(await bookingOf(booking)).toMatchObject({ quantity: 7, payment_status: 'paid' })
  })

  it('leaves cancelling with what is paid of the new price, not with what went back before', async () => {
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { quantity: 4 })
    await agrees(deps, booking, vendor())
    await performDueRefunds(deps)
    // Half comes back in the second step of the policy.
    setClock('2027-03-01T00:00:00.000Z')
    const quote = (await findCancelling(deps, booking.linkToken))?.quote
    expect(quote).toMatchObject({
      paidCents: 4 * UNIT,
      refundCents: 2 * UNIT,
      keptCents: 2 * UNIT,
      uncollectedCents: 0,
    })
    await cancelBooking(deps, {
      bookingId: booking.bookingId,
      by: { linkToken: booking.linkToken },
      signed: quote?.signed ?? '',
    })
    await performDueRefunds(deps)
    expect(await refundedCents(booking.reference)).toBe(8 * UNIT)
  })

  it('goes into a balance that is still to come, which is reminded of anew', async () => {
    const booking = await withDeposit()
    setClock('2027-02-05T00:00:00.000Z')
    await remindOfInstalments(instalmentDeps(world))
    expect(await instalmentsOf(booking)).toMatchObject([{}, { state: 'reminded' }])
    await proposes(deps, booking, asCustomer(booking), { quantity: 20 })
    expect(await agrees(deps, booking, vendor())).toEqual({ ok: true, changed: true, isDue: false })
    expect(await instalmentsOf(booking)).toMatchObject([
      { cents: 9_100, state: 'paid' },
      { cents: 81_900, state: 'scheduled', reminded_at: null, try_at: null },
    ])
    setClock('2027-02-10T22:00:00.000Z')
    await chargeDueInstalments(instalmentDeps(world))
    expect(await listCharges(world.db, booking.paymentId)).toHaveLength(1)
    await remindOfInstalments(instalmentDeps(world))
    setClock('2027-02-11T22:00:01.000Z')
    await chargeDueInstalments(instalmentDeps(world))
    expect(await listCharges(world.db, booking.paymentId)).toMatchObject([{ amountCents: 81_900 }, {}])
  })

  it('drops a balance that nothing is left of, and gives back what it can’t take', async () => {
    const booking = await withDeposit()
    await proposes(deps, booking, asCustomer(booking), { quantity: 1 })
    await agrees(deps, booking, vendor())
    expect(await instalmentsOf(booking)).toMatchObject([{ cents: UNIT, state: 'paid' }])
    await performDueRefunds(deps)
    expect(await refundedCents(booking.reference)).toBe(9_100 - UNIT)
  })

  it('refunds a balance that was opened at its old amount and is paid late', async () => {
    const booking = await withDeposit()
    const opened = await openInstalmentPayment(instalmentDeps(world), booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await proposes(deps, booking, asCustomer(booking), { quantity: 11 })
    await agrees(deps, booking, vendor())
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    await performDueRefunds(deps)
    expect(await refundedCents(opened.reference)).toBe(36_400)
    expect(await instalmentsOf(booking)).toMatchObject([
      {},
      { cents: 40_950, state: 'scheduled', paid_by: null },
    ])
    const [mail] = await mailsAbout(`payment-${(await paymentOf(opened.reference)).id}-too-late`)
    expect(mail?.text).toContain('after the balance of your booking had changed. The booking stays as it is.')
    expect(mail?.text).toContain('The balance is now $409.50, due on 11 February 2027.')
    expect(mail?.text).not.toContain('had ended')
  })

  it('waits while the balance is being charged', async () => {
    const booking = await withDeposit()
    await world.db
      .updateTable('instalments')
      .set({ state: 'charging', claimed_at: deps.now() })
      .where('payment_id', '=', booking.paymentId)
      .where('number', '=', 2)
      .execute()
    expect(await proposes(deps, booking, asCustomer(booking), { quantity: 11 })).toEqual({
      ok: false,
      reason: 'balance_unpaid',
    })
  })

  it('never exceeds the guests that the business takes', async () => {
    await setsAvailability(world.db, business.id, { maxGuests: 12 })
    const booking = await approved()
    expect(await proposes(deps, booking, asCustomer(booking), { quantity: 13 })).toMatchObject({
      ok: false,
      reason: 'time_gone',
      why: 'too_many_guests',
    })
    expect(await proposes(deps, booking, asCustomer(booking), { quantity: 12 })).toMatchObject({ ok: true })
  })

  it.each([0, -1, 1.5, 10_001])('can’t be %d, with a message beside its field', async (quantity) => {
    const booking = await approved()
    expect(await proposes(deps, booking, asCustomer(booking), { quantity })).toMatchObject({
      ok: false,
      reason: 'fields',
      fields: { quantity: expect.any(String) },
    })
  })
})

describe('an event that moves near', () => {
  it('takes its balance with the change, once', async () => {
    const booking = await withDeposit()
    await proposes(deps, booking, asCustomer(booking), { date: '2026-12-19', quantity: 12 })
    expect(await agrees(deps, booking, vendor())).toMatchObject({ ok: true, isDue: true })
    const paid = await paysChange(world, booking)
    expect(paid.amountCents).toBe(36_400 + 2 * UNIT)
    expect(await instalmentsOf(booking)).toMatchObject([
      { cents: 9_100, state: 'paid' },
      { cents: 36_400 + 2 * UNIT, state: 'paid', paid_by: expect.any(String) },
    ])
    expect(await rowOf(world, booking)).toMatchObject({ date: '2026-12-19', quantity: 12 })
    setClock('2026-12-18T22:00:00.000Z')
    await remindOfInstalments(instalmentDeps(world))
    await chargeDueInstalments(instalmentDeps(world))
    expect(await listCharges(world.db, booking.paymentId)).toHaveLength(2)
  })

  it('falls due for a decision earlier, and gets a second reminder once it moves again', async () => {
    const booking = await pending()
    const before = (await bookingOf(booking)).decide_by
    await proposes(deps, booking, asCustomer(booking), { date: '2026-11-22' })
    await agrees(deps, booking, vendor())
    const after = (await bookingOf(booking)).decide_by
    expect(after < before).toBe(true)
    // A day before the event begins, which is at 16:00 in Melbourne.
    expect(after).toEqual(new Date('2026-11-21T05:00:00.000Z'))
    await decide(booking.bookingId, 'approved')
    setClock('2026-11-20T06:00:00.000Z')
    await remindOfEvents(deps)
    const reminded = () => mailsAbout(`${booking.bookingId}-event-vendor`)
    expect(await reminded()).toHaveLength(1)
    await proposes(deps, booking, asCustomer(booking), { date: '2026-12-05' })
    await agrees(deps, booking, vendor())
    await remindOfEvents(deps)
    expect(await reminded()).toHaveLength(1)
    setClock('2026-12-04T05:00:00.000Z')
    await remindOfEvents(deps)
    expect(await reminded()).toHaveLength(2)
  })
})

describe('a proposal', () => {
  it('allows no other while it is open, and a second press changes nothing', async () => {
    const booking = await approved()
    const first = await proposes(deps, booking, asCustomer(booking), { quantity: 12 })
    expect(await proposes(deps, booking, asCustomer(booking), { quantity: 12 })).toEqual({
      ...first,
      changed: false,
    })
    expect(await proposes(deps, booking, asCustomer(booking), { quantity: 13 })).toEqual({
      ok: false,
      reason: 'open',
    })
    expect(await proposes(deps, booking, vendor(), { quantity: 12 })).toEqual({ ok: false, reason: 'open' })
  })

  it('allows no other when both sides propose at the same moment', async () => {
    const booking = await approved()
    const all = await Promise.all([
      proposes(deps, booking, asCustomer(booking), { date: SATURDAY }),
      proposes(deps, booking, vendor(), { date: '2027-03-27' }),
      proposes(deps, booking, asCustomer(booking), { date: SATURDAY }),
    ])
    expect(all.filter((one) => one.ok && one.changed)).toHaveLength(1)
    expect(await changesOf(booking)).toHaveLength(1)
  })

  it('can’t be made or answered by a stranger, another customer or another vendor', async () => {
    const booking = await approved()
    const other = await approved({
      booking: aBookingForm({ date: '2027-04-10', email: 'other@example.com' }),
    })
    for (const party of [
      asCustomer({ linkToken: 'x'.repeat(43) }),
      asCustomer(other),
      { side: 'customer', by: { userId: 'somebody', verifiedEmail: 'somebody@example.com' } } as const,
      asVendor('somebody'),
    ]) {
      expect(await proposes(deps, booking, party, { quantity: 12 })).toEqual({
        ok: false,
        reason: 'not_found',
      })
      await proposes(deps, booking, asCustomer(booking), { quantity: 12 })
      expect(await agrees(deps, booking, party)).toEqual({ ok: false, reason: 'not_found' })
      expect(await declines(deps, booking, party)).toEqual({ ok: false, reason: 'not_found' })
      expect(await declines(deps, booking, asCustomer(booking))).toMatchObject({ ok: true })
    }
    // A change of another booking isn't this one's.
    await proposes(deps, other, asCustomer(other), { quantity: 12 })
    const change = await findOpenChange(world.db, other.bookingId)
    expect(
      await declineChange(deps, {
        bookingId: booking.bookingId,
        changeId: change?.id ?? '',
        party: asCustomer(booking),
      }),
    ).toEqual({ ok: false, reason: 'not_found' })
  })

  it('takes an answer from the other side alone', async () => {
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { quantity: 12 })
    expect(await agrees(deps, booking, asCustomer(booking))).toEqual({ ok: false, reason: 'not_yours' })
    await agrees(deps, booking, vendor())
    expect(await declines(deps, booking, vendor())).toEqual({ ok: false, reason: 'not_yours' })
  })

  it('can’t be made on amounts that are out of date, and returns the present ones', async () => {
    const booking = await withDeposit()
    const proposed = { date: SATURDAY, time: '16:00', quantity: 12 }
    const shown = await amountsBefore(deps, booking, proposed)
    setClock('2027-02-05T00:00:00.000Z')
    await remindOfInstalments(instalmentDeps(world))
    setClock('2027-02-11T00:00:00.000Z')
    await chargeDueInstalments(instalmentDeps(world))
    const input = { bookingId: booking.bookingId, party: asCustomer(booking), proposed }
    expect(await proposeChange(deps, { ...input, expectedAmounts: shown })).toMatchObject({
      ok: false,
      reason: 'stale',
      plan: { dueCents: 2 * UNIT, balance: null },
    })
    expect(
      await proposeChange(deps, { ...input, expectedAmounts: await amountsBefore(deps, booking, proposed) }),
    ).toMatchObject({
      ok: true,
    })
  })

  it('can be agreed only on the amounts that the other side saw, also when the balance was paid meanwhile', async () => {
    const booking = await withDeposit()
    setClock('2027-02-10T21:00:00.000Z')
    await remindOfInstalments(instalmentDeps(world))
    await proposes(deps, booking, asCustomer(booking), { quantity: 9 })
    const change = await findOpenChange(world.db, booking.bookingId)
    const opened = await openInstalmentPayment(instalmentDeps(world), booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    const input = { bookingId: booking.bookingId, changeId: change?.id ?? '', party: vendor() }
    expect(await acceptChange(deps, { ...input, expectedAmounts: 'what stood there before' })).toMatchObject({
      reason: 'stale',
      plan: { refundCents: UNIT, balance: null },
    })
    expect(await agrees(deps, booking, vendor())).toMatchObject({ ok: true, isDue: false })
  })

  it.each([
    ['declined by the vendor', vendor, 'vendor'],
    ['taken back by the customer', null, 'customer'],
  ] as const)('frees its time at once when it is %s', async (_, party, endedBy) => {
    await alone()
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })
    const change = await findOpenChange(world.db, booking.bookingId)
    const by = party?.() ?? asCustomer(booking)
    expect(await declines(deps, booking, by)).toEqual({ ok: true, changed: true })
    const again = { bookingId: booking.bookingId, changeId: change?.id ?? '', party: by }
    expect(await declineChange(deps, again)).toEqual({ ok: true, changed: false })
    expect(await changesOf(booking)).toMatchObject([{ state: 'declined', ended_by: endedBy }])
    expect(await another(SATURDAY)).toMatchObject({ ok: true })
    expect(await acceptChange(deps, { ...again, party: vendor(), expectedAmounts: '' })).toEqual({
      ok: false,
      reason: 'ended',
    })
  })

  it('lasts 72 hours, or until the earlier event begins, and then frees its time', async () => {
    await alone()
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })
    world.clock.forward(72 * HOUR_MS - 1)
    await expireChanges(deps)
    expect(await changesOf(booking)).toMatchObject([{ state: 'proposed' }])
    world.clock.forward(1)
    expect(await agrees(deps, booking, vendor())).toEqual({ ok: false, reason: 'ended' })
    await expireChanges(deps)
    expect(await changesOf(booking)).toMatchObject([{ state: 'expired', ended_by: null }])
    expect(await another(SATURDAY)).toMatchObject({ ok: true })
    await proposes(deps, booking, asCustomer(booking), { date: '2026-11-24' })
    expect((await changesOf(booking)).at(-1)?.expires_at).toEqual(new Date('2026-11-24T05:00:00.000Z'))
  })

  it.each([
    ['declines the booking', (booking: Booked) => decide(booking.bookingId, 'declined')],
    [
      'withdraws it',
      (booking: Booked) =>
        withdrawBooking(deps, { bookingId: booking.bookingId, by: { linkToken: booking.linkToken } }),
    ],
    [
      'doesn’t answer it',
      async () => {
        world.clock.forward(48 * HOUR_MS)
        await processPendingBookings(deps)
      },
    ],
  ])('ends, and frees both times, when somebody %s', async (_, end) => {
    const booking = await pending()
    await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })
    await end(booking)
    expect(await changesOf(booking)).toMatchObject([{ state: 'expired' }])
    expect(await slotsOf()).toEqual([])
    expect(await proposes(deps, booking, asCustomer(booking), { quantity: 3 })).toEqual({
      ok: false,
      reason: 'over',
    })
  })

  it.each([
    ['its customer', cancels],
    [
      'an operator',
      ({ paymentId }: Booked) =>
        cancelsAsOperator(deps, { operator: OPERATOR, paymentId, side: 'customer', reason: 'Ill.' }),
    ],
  ])('ends, and frees both times, when its approved booking is cancelled by %s', async (_, end) => {
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })
    expect(await end(booking)).toMatchObject({ ok: true })
    expect(await changesOf(booking)).toMatchObject([{ state: 'expired' }])
    expect(await slotsOf()).toEqual([])
  })

  it('can’t be made once the event has begun, or for a booking from before there were terms', async () => {
    const booking = await approved()
    setClock(EVENT.from)
    expect(await proposes(deps, booking, asCustomer(booking), { quantity: 12 })).toEqual({
      ok: false,
      reason: 'event_begun',
    })
    setClock(START)
    await sql`update sales set policy = null, instalments = null where id = ${booking.paymentId}`.execute(
      world.db,
    )
    expect(await proposes(deps, booking, asCustomer(booking), { quantity: 12 })).toEqual({
      ok: false,
      reason: 'no_terms',
    })
  })

  it('tells the other side once, and both once it is in effect', async () => {
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { date: SATURDAY })
    const change = await findOpenChange(world.db, booking.bookingId)
    const told = async () => (await mailsAbout(`change-${change?.id}`)).map(({ to }) => to)
    const { email } = await world.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', business.user_id)
      .executeTakeFirstOrThrow()
    expect(await told()).toEqual([email])
    await agrees(deps, booking, vendor())
    expect(await told()).toEqual([email, 'kim@example.com', email])
    expect((await notificationsOf(business.user_id)).filter(({ kind }) => kind === 'change')).toHaveLength(2)
  })
})

describe('agreeing', () => {
  const shown = 'what the page showed'

  it.each([
    ['is free of charge', { date: SATURDAY }, { state: 'paid', isDue: false }],
    ['waits for its payment', { date: SATURDAY, quantity: 12 }, { state: 'accepted', isDue: true }],
  ])('counts once however often it is pressed, where the change %s', async (_, change, { state, isDue }) => {
    await alone()
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), change)
    const input = { bookingId: booking.bookingId, changeId: (await changesOf(booking))[0]?.id ?? '' }
    const page = await opensProposal(deps, booking)
    const answers = await Promise.all([page.agree(vendor()), page.agree(vendor())])
    const told = await mailsAbout(`change-${input.changeId}`)
    // The page that is pressed later still shows the amounts from before.
    answers.push(await acceptChange(deps, { ...input, party: vendor(), expectedAmounts: shown }))
    expect(answers.map((answer) => answer.ok && answer.changed).sort()).toEqual([false, false, true])
    expect(answers).toEqual(
      answers.map((answer) => ({ ok: true, changed: answer.ok && answer.changed, isDue })),
    )
    expect(await changesOf(booking)).toMatchObject([{ state }])
    expect(await mailsAbout(`change-${input.changeId}`)).toEqual(told)
    expect(new Set(told.map(({ messageId }) => messageId)).size).toBe(told.length)
  })
})

describe('the payment of a change', () => {
  async function agreed(change: Parameters<typeof proposes>[3] = { date: SATURDAY, quantity: 12 }) {
    await alone()
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), change)
    await agrees(deps, booking, vendor())
    return booking
  }

  it('stays the same however often it is opened, and changes the booking once', async () => {
    const booking = await agreed()
    const [one, other] = await Promise.all([
      openChangePayment(deps, booking.linkToken),
      openChangePayment(deps, booking.linkToken),
    ])
    if (!one.ok || !other.ok) throw new Error('not opened')
    expect(one.reference).toBe(other.reference)
    await confirms(world, one.clientSecret, GOOD_CARD)
    await Promise.all([one, other].map(({ clientSecret }) => reportPayment(deps, { clientSecret })))
    expect(await changesOf(booking)).toMatchObject([{ state: 'paid' }])
    expect(await instalmentsOf(booking)).toHaveLength(2)
    expect(await openChangePayment(deps, booking.linkToken)).toEqual({ ok: false, reason: 'nothing_due' })
  })

  it('can be tried again after a refused card', async () => {
    const booking = await agreed()
    const opened = await openChangePayment(deps, booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await confirms(world, opened.clientSecret, '4000000000000002')
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    expect(await changesOf(booking)).toMatchObject([{ state: 'accepted' }])
    expect((await paysChange(world, booking)).settled).toMatchObject({
      ok: true,
      purchaseId: booking.bookingId,
    })
  })

  it('keeps the change while its card is being charged, so that nobody can leave it', async () => {
    const booking = await agreed()
    const opened = await openChangePayment(deps, booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    const change = await findOpenChange(world.db, booking.bookingId)
    const moves = (state: 'processing' | 'open') =>
      world.db
        .updateTable('payments')
        .set({ state })
        .where('id', '=', change?.payment_id ?? '')
        .execute()
    await moves('processing')
    expect(await declines(deps, booking, asCustomer(booking))).toEqual({ ok: false, reason: 'paying' })
    expect(await changesOf(booking)).toMatchObject([{ state: 'accepted' }])
    await moves('open')
    expect(await declines(deps, booking, asCustomer(booking))).toMatchObject({ ok: true, changed: true })
  })

  it('can’t be opened once the hold has expired and the time is blocked, and leaves the change as it is', async () => {
    const booking = await agreed()
    await sql`update slots set expires_at = ${deps.now()} where kind = 'hold' and business_id = ${business.id}`.execute(
      world.db,
    )
    const block = { from: SATURDAY, fromTime: null, to: SATURDAY, toTime: null, note: '' }
    await blockTime(deps, { userId: business.user_id, businessId: business.id, block })
    const refused = await leavesAsIs(world.db, 'openChangePayment', () =>
      openChangePayment(deps, booking.linkToken),
    )
    expect(refused).toEqual({ ok: false, reason: 'time_gone' })
    expect(await changesOf(booking)).toMatchObject([{ state: 'accepted' }])
  })

  it('lets the change expire and frees the time if it isn’t made in time', async () => {
    const booking = await agreed()
    const opened = await openChangePayment(deps, booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    world.clock.forward(71 * HOUR_MS)
    expect(await another(SATURDAY)).toMatchObject({ ok: false, reason: 'time_gone' })
    world.clock.forward(HOUR_MS)
    await expireChanges(deps)
    // Its payment may have been made a moment ago, so the provider is asked first.
    expect(await changesOf(booking)).toMatchObject([{ state: 'accepted' }])
    await sweepPayments(deps)
    await expireChanges(deps)
    expect(await changesOf(booking)).toMatchObject([{ state: 'expired' }])
    expect(await another(SATURDAY)).toMatchObject({ ok: true })
    expect(await rowOf(world, booking)).toMatchObject({ date: '2027-03-13', quantity: 10 })
  })

  it('counts if it was made before the change expired, even without a report', async () => {
    const booking = await agreed()
    const opened = await openChangePayment(deps, booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await confirms(world, opened.clientSecret, GOOD_CARD)
    world.clock.forward(72 * HOUR_MS)
    await expireChanges(deps)
    await sweepPayments(deps)
    expect(await changesOf(booking)).toMatchObject([{ state: 'paid' }])
    expect(await rowOf(world, booking)).toMatchObject({ date: SATURDAY, quantity: 12 })
  })

  it.each([
    ['was left unpaid by the customer', (booking: Booked) => declines(deps, booking, asCustomer(booking))],
    ['ended with its booking', (booking: Booked) => decide(booking.bookingId, 'declined')],
    ['ended as its customer cancelled', cancels],
  ])('goes back in full if it arrives after the change %s', async (_, end) => {
    const booking = await agreed()
    const opened = await openChangePayment(deps, booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await end(booking)
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    await performDueRefunds(deps)
    expect(await refundedCents(opened.reference)).toBe(2 * UNIT)
    const row = await rowOf(world, booking)
    expect(row).toMatchObject({ date: '2027-03-13', quantity: 10 })
    expect(
      (await world.jobs.mails()).filter(({ text }) => text.includes('change of your booking had ended')),
    ).toHaveLength(1)
    await sql`delete from kept_jobs`.execute(world.db)
  })

  it('takes nothing off what cancelling gives back if it arrives too late and is lost to a dispute', async () => {
    const booking = await agreed()
    const opened = await openChangePayment(deps, booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await declines(deps, booking, asCustomer(booking))
    await confirms(world, opened.clientSecret, CARDS.disputed)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    const hears = (type: string) => receive(deps, event(opened.reference, newId(), type))
    await hears('charge.dispute.created')
    await world.payments.decideDispute(opened.reference, 'lost')
    await hears('charge.dispute.closed')
    const [refund] = await refundsOf((await paymentOf(opened.reference)).id)
    expect(refund, 'the bank has given the money back').toMatchObject({ state: 'cancelled', line: null })
    expect(await listCharges(world.db, booking.paymentId)).toMatchObject([{ paymentId: booking.paymentId }])
    expect((await findCancelling(deps, booking.linkToken))?.quote).toMatchObject({ refundCents: PRICE })
  })

  it('takes no card any more once the change has ended and the sweep has run', async () => {
    const booking = await agreed()
    const opened = await openChangePayment(deps, booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await declines(deps, booking, asCustomer(booking))
    await sweepPayments(deps)
    expect(await confirms(world, opened.clientSecret, GOOD_CARD)).toMatchObject({
      ok: false,
      reason: 'ended',
    })
  })

  it('goes back when the balance that it includes was charged meanwhile', async () => {
    const booking = await withDeposit()
    await proposes(deps, booking, asCustomer(booking), { date: '2026-12-19' })
    await agrees(deps, booking, vendor())
    const opened = await openChangePayment(deps, booking.linkToken)
    const balance = await openInstalmentPayment(instalmentDeps(world), booking.linkToken)
    if (!opened.ok || !balance.ok) throw new Error('not opened')
    await confirms(world, balance.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: balance.clientSecret })
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    await performDueRefunds(deps)
    expect(await refundedCents(opened.reference)).toBe(36_400)
    expect(await refundedCents(balance.reference)).toBe(0)
    expect(await instalmentsOf(booking)).toMatchObject([{ cents: 9_100 }, { cents: 36_400, state: 'paid' }])
    expect(await changesOf(booking)).toMatchObject([{ state: 'expired' }])
  })
})

describe('cancelling after a change for which too much was paid', () => {
  /** Two more people, on a day so near that the balance of $364.00 is paid with the change. */
  async function opened() {
    const booking = await withDeposit()
    await proposes(deps, booking, asCustomer(booking), { date: '2026-12-19', quantity: 12 })
    await agrees(deps, booking, vendor())
    const payment = await openChangePayment(deps, booking.linkToken)
    if (!payment.ok) throw new Error(payment.reason)
    return { booking, payment }
  }
  async function pays({ clientSecret }: { clientSecret: string }) {
    await confirms(world, clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret })
    await performDueRefunds(deps)
  }
  const quoted = async ({ linkToken }: Changeable) => (await findCancelling(deps, linkToken))?.quote

  it('gives back the whole new price where the balance was paid in another tab', async () => {
    const { booking, payment } = await opened()
    const balance = await openInstalmentPayment(instalmentDeps(world), booking.linkToken)
    if (!balance.ok) throw new Error(balance.reason)
    await pays(balance)
    await pays(payment)
    expect(await refundedCents(payment.reference)).toBe(36_400)
    expect(await changesOf(booking)).toMatchObject([{ state: 'paid' }])
    expect(await quoted(booking)).toMatchObject({ paidCents: 54_600, refundCents: 54_600, keptCents: 0 })
    const receipt = await findReceipt(world.db, { linkToken: booking.linkToken })
    expect(receipt?.refunds, 'it lists refunds of the price').toEqual([])
  })

  it('gives back the whole new price where an earlier version refunded the excess', async () => {
    const { booking, payment } = await opened()
    const balance = await openInstalmentPayment(instalmentDeps(world), booking.linkToken)
    if (!balance.ok) throw new Error(balance.reason)
    await pays(balance)
    await pays(payment)
    const { id } = await paymentOf(payment.reference)
    // As that version stored it. Beside it, a refund that an operator made.
    const asOperator = { reason: 'operator' } as const
    await world.db.updateTable('payment_actions').set(asOperator).where('payment_id', '=', id).execute()
    await world.db.updateTable('changes').set({ refund_cents: 0 }).where('payment_id', '=', id).execute()
    const off = { amountCents: 1_000, reason: 'The heater failed.' }
    await refundsAsOperator(deps, { operator: OPERATOR, paymentId: booking.paymentId, ...off })
    expect(await quoted(booking)).toMatchObject({ refundCents: 17_200 })
    const migration = readFileSync('database/migrations/0060_overpaid_changes.sql', 'utf8')
    // A second run finds nothing more.
    for (const _ of [1, 2]) await sql.raw(migration).execute(world.db)
    expect(await quoted(booking)).toMatchObject({ paidCents: 53_600, refundCents: 53_600, keptCents: 0 })
    const charges = [id, (await paymentOf(balance.reference)).id, booking.paymentId]
    const refunds = (await Promise.all(charges.map(refundsOf))).flat()
    expect(refunds.map(({ reason }) => reason).sort()).toEqual(['changed', 'operator'])
  })

  it('gives back what is left of the new price where an operator took $100.00 off the balance', async () => {
    const { booking, payment } = await opened()
    const off = { amountCents: 10_000, reason: 'The heater failed.' }
    await refundsAsOperator(deps, { operator: OPERATOR, paymentId: booking.paymentId, ...off })
    await pays(payment)
    expect(await refundedCents(payment.reference)).toBe(10_000)
    expect(await quoted(booking)).toMatchObject({ paidCents: 44_600, refundCents: 44_600, keptCents: 0 })
  })
})

describe('a change after an operator has taken something off the balance', () => {
  const NEAR = '2026-12-05'
  const off = (paymentId: string, amountCents: number) =>
    refundsAsOperator(deps, { operator: OPERATOR, paymentId, amountCents, reason: 'The heater failed.' })

  /** Moved so near that its balance of $364.00 is paid with it, and for two more people. */
  async function agreedNear(quantity = 12) {
    const booking = await withDeposit()
    await proposes(deps, booking, asCustomer(booking), { date: NEAR, quantity })
    await agrees(deps, booking, vendor())
    const opened = await openChangePayment(deps, booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    return { booking, opened }
  }

  it('keeps its own payment, and gives back what it now costs less', async () => {
    const { booking, opened } = await agreedNear()
    expect(opened.amountCents).toBe(45_500)
    const balance = await openInstalmentPayment(instalmentDeps(world), booking.linkToken)
    await off(booking.paymentId, 36_400)
    if (!balance.ok) throw new Error(balance.reason)
    expect(await confirms(world, balance.clientSecret, GOOD_CARD)).toMatchObject({ ok: true })
    await reportPayment(deps, { clientSecret: balance.clientSecret })
    const change = await findOpenChange(world.db, booking.bookingId)
    const payment = await paymentRow(change?.payment_id ?? '')
    expect(payment.expires_at.getTime(), 'it is not given up').toBeGreaterThan(payment.created_at.getTime())
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    await performDueRefunds(deps)
    expect(await refundedCents(balance.reference), 'the balance’s own payment is given up').toBe(36_400)
    expect(await refundedCents(opened.reference)).toBe(36_400)
    expect(await changesOf(booking)).toMatchObject([{ state: 'paid' }])
    expect(await rowOf(world, booking)).toMatchObject({ date: NEAR, quantity: 12 })
    expect(await instalmentsOf(booking)).toMatchObject([
      { cents: 9_100, state: 'paid' },
      { cents: 0, state: 'ended' },
      { cents: 9_100, state: 'paid' },
    ])
  })

  it('waits for its new payment when the one before is paid late, which goes back in full', async () => {
    const { booking, opened } = await agreedNear()
    await off(booking.paymentId, 10_000)
    const again = await openChangePayment(deps, booking.linkToken)
    if (!again.ok) throw new Error(again.reason)
    for (const { clientSecret } of [opened, again]) {
      await confirms(world, clientSecret, GOOD_CARD)
      await reportPayment(deps, { clientSecret })
      await performDueRefunds(deps)
      const state = clientSecret === again.clientSecret ? 'paid' : 'accepted'
      expect(await changesOf(booking)).toMatchObject([{ state }])
    }
    expect(await refundedCents(opened.reference)).toBe(45_500)
    expect(await refundedCents(again.reference)).toBe(0)
  })

  it('goes back in full if it is less than the change now costs', async () => {
    const { booking, opened } = await agreedNear()
    await sql`update instalments set amount_cents = amount_cents + 10000
      where payment_id = ${booking.paymentId} and number = 2`.execute(world.db)
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    await performDueRefunds(deps)
    expect(await refundedCents(opened.reference)).toBe(45_500)
    expect(await changesOf(booking)).toMatchObject([{ state: 'expired' }])
    expect(await rowOf(world, booking)).toMatchObject({ date: '2027-03-13', quantity: 10 })
  })

  it('charges the new amount once its payment is opened again', async () => {
    const { booking } = await agreedNear()
    await off(booking.paymentId, 10_000)
    const again = await openChangePayment(deps, booking.linkToken)
    if (!again.ok) throw new Error(again.reason)
    expect(again.amountCents).toBe(35_500)
    await confirms(world, again.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: again.clientSecret })
    expect(await changesOf(booking)).toMatchObject([{ state: 'paid' }])
    expect(await refundedCents(again.reference)).toBe(0)
  })

  it('takes effect when its payment is opened and nothing is left to pay', async () => {
    const { booking, opened } = await agreedNear(10)
    await off(booking.paymentId, 36_400)
    expect(await openChangePayment(deps, booking.linkToken)).toEqual({ ok: false, reason: 'nothing_due' })
    expect(await changesOf(booking)).toMatchObject([{ state: 'paid' }])
    expect(await rowOf(world, booking)).toMatchObject({ date: NEAR })
    expect(await confirms(world, opened.clientSecret, GOOD_CARD)).toMatchObject({ ok: true })
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    await performDueRefunds(deps)
    expect(await refundedCents(opened.reference)).toBe(36_400)
  })
})

describe('a booking whose payment can only be held for so long', () => {
  const held = (days: number) => ({
    ...deps,
    payoutTimes: { delayMs: 2 * DAY_MS, holdLimitMs: (days + 2) * DAY_MS },
  })

  it('can’t move further away, and says until when it could', async () => {
    const booking = await approved()
    const until = held(118)
    const far = await proposes(until, booking, asCustomer(booking), { date: SATURDAY })
    expect(far).toEqual({
      ok: false,
      reason: 'fields',
      fields: {
        date: heldTooLongText(new Date('2027-03-18T01:00:00.000Z'), 'Australia/Melbourne'),
      },
    })
    expect(await changesOf(booking)).toEqual([])
    const page = await findChangePage(
      until,
      { linkToken: booking.linkToken },
      { date: SATURDAY, time: '16:00', quantity: '10' },
    )
    expect(page?.days?.last).toBe('2027-03-18')
    expect(page?.problem?.fields.date).toMatch(/ends by .*18 March 2027/)
    expect(await proposes(until, booking, vendor(), { date: '2027-03-17' })).toMatchObject({ ok: true })
    expect(await agrees(until, booking, asCustomer(booking))).toMatchObject({ ok: true })
  })

  it('may move nearer from beyond the limit, and change its number there', async () => {
    const booking = await approved()
    const until = held(30)
    expect(await proposes(until, booking, asCustomer(booking), { date: '2027-03-12' })).toMatchObject({
      ok: true,
    })
    expect(await agrees(until, booking, vendor())).toMatchObject({ ok: true })
    expect(await proposes(until, booking, asCustomer(booking), { quantity: 9 })).toMatchObject({ ok: true })
  })

  it('may move anywhere while its balance is to come, and no more once that was paid meanwhile', async () => {
    const booking = await withDeposit()
    const until = held(83)
    setClock('2027-02-10T21:00:00.000Z')
    await remindOfInstalments(instalmentDeps(world))
    expect(await proposes(until, booking, asCustomer(booking), { date: '2027-06-12' })).toMatchObject({
      ok: true,
    })
    const opened = await openInstalmentPayment(instalmentDeps(world), booking.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    expect(await agrees(until, booking, vendor())).toEqual({ ok: false, reason: 'held_too_long' })
    expect(await rowOf(world, booking)).toMatchObject({ date: '2027-03-13' })
    // Vendors who aren't paid by us hold the money themselves.
    expect(await agrees(deps, booking, vendor())).toMatchObject({ ok: true })
  })
})

describe('the free times of a booking that could move', () => {
  it('appear only with its signed key, at its own business', async () => {
    const booking = await approved()
    const signed = await signCurrentSlot(deps.secret, booking.bookingId)
    expect(await findCurrentSlot(deps, { signed, businessId: business.id })).toMatchObject({
      firstPaymentId: booking.paymentId,
      eventMinutes: 420,
      setupMinutes: 120,
      cleanupMinutes: 60,
    })
    for (const [text, businessId] of [
      [`${signed}x`, business.id],
      [booking.bookingId, business.id],
      [undefined, business.id],
      [signed, 'another-business'],
    ] as const)
      expect(await findCurrentSlot(deps, { signed: text, businessId })).toBeNull()
  })
})

describe('a changed booking', () => {
  it('returns to the front of the payouts’ work list, and ends by its new date for reviews and earnings', async () => {
    const booking = await approved()
    const isNext = async () => {
      const { rows } = await sql<{ next: boolean }>`
        select look_at = '-infinity' as next from payout_queue where booking_id = ${booking.bookingId}`.execute(
        world.db,
      )
      return rows[0]?.next
    }
    await sql`update payout_queue set look_at = '2030-01-01' where booking_id = ${booking.bookingId}`.execute(
      world.db,
    )
    expect(await isNext()).toBe(false)
    await proposes(deps, booking, asCustomer(booking), { date: '2026-12-05' })
    await agrees(deps, booking, vendor())
    expect(await isNext()).toBe(true)
    const asked = { userId: 'somebody', verifiedEmail: 'kim@example.com', bookingId: booking.bookingId }
    const reviewableAt = (iso: string) => findReviewable(world.db, { by: asked, now: new Date(iso) })
    expect(await reviewableAt('2026-12-05T12:00:00Z')).toMatchObject({ ok: false, reason: 'not_over' })
    expect(await reviewableAt('2026-12-06T01:00:00Z')).toMatchObject({
      ok: true,
      booking: { date: '2026-12-05' },
    })
    const { earnings } = await listEarnings(world.db, {
      userId: business.user_id,
      list: 'coming',
      after: null,
      now: new Date('2026-12-05T13:00:00Z'),
      delayMs: 48 * HOUR_MS,
    })
    expect(earnings).toMatchObject([{ bookingId: booking.bookingId, isEventOver: true }])
  })

  it('appears with its changes in the vendor’s export and the operators’ trail, and as it is now on the receipt', async () => {
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { date: SATURDAY, quantity: 7 })
    await agrees(deps, booking, vendor())
    await performDueRefunds(deps)
    const exported = await exportAccount(world.db, {
      userId: business.user_id,
      verifiedEmail: null,
      now: deps.now(),
    })
    expect(exported).toMatchObject({
      bookingsOfMyBusinesses: [
        {
          date: SATURDAY,
          quantity: 7,
          totalPrice: '318.50',
          changes: [
            {
              proposedBy: 'customer',
              state: 'paid',
              before: { date: '2027-03-13', quantity: 10, totalPrice: '455.00' },
              after: { date: SATURDAY, quantity: 7, totalPrice: '318.50' },
            },
          ],
        },
      ],
    })
    const trail = await findPaymentTrail(world.db, booking.paymentId, deps.now())
    expect(trail?.trail.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['Change proposed by the customer', 'Change: in effect']),
    )
    expect(await findReceipt(world.db, { linkToken: booking.linkToken })).toMatchObject({
      event: { date: SATURDAY },
      quantity: 7,
      totalCents: 7 * UNIT,
      refunds: [],
    })
  })

  it('isn’t marked as a conflict in its vendor’s calendar when its proposed time overlaps its own', async () => {
    await alone()
    const booking = await approved()
    await proposes(deps, booking, asCustomer(booking), { time: '17:00' })
    const range = { from: new Date('2027-03-12T00:00:00Z'), until: new Date('2027-03-15T00:00:00Z') }
    const entries = await listCalendarEntries(world.db, { businessId: business.id, range, now: deps.now() })
    expect(entries).toMatchObject([
      { kind: 'booking', title: 'Kim Lee', isConflict: false },
      { kind: 'hold', title: 'Kim Lee', isConflict: false },
    ])
  })
})
