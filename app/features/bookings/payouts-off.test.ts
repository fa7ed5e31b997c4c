import { beforeEach, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness } from '../../../tests/builders.ts'
import { agrees, asCustomer, asVendor, proposes } from '../../../tests/change-stage.ts'
import {
  chargesOf,
  confirms,
  GOOD_CARD,
  instalmentDeps,
  movesTo,
  runInstalmentJobs,
} from '../../../tests/instalment-stage.ts'
import type { PaymentProvider } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { detachIdleCards, storeSavedCards } from '../instalments/card-commands.server.ts'
import { openInstalmentPayment } from '../instalments/charge-commands.server.ts'
import { findInstalmentByLink } from '../instalments/queries.server.ts'
import { proveLedger } from '../ledger/queries.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { reportPayment } from '../payments/settlement-commands.server.ts'
import { sweepPayments } from '../payments/sweep-commands.server.ts'
import { cancelBooking, endOverdueBookings } from './cancellation/commands.server.ts'
import { findCancelling } from './cancellation/queries.server.ts'
import { withdrawBooking } from './cancellation/withdrawal-commands.server.ts'
import { expireChanges } from './changes/expiry-commands.server.ts'
import { startBookingPayment } from './checkout/commands.server.ts'
import { createBookingDeps } from './checkout/fulfilment-commands.server.ts'
import { tellOfComingEvents } from './decisions/coming-up-commands.server.ts'
import { decideBooking } from './decisions/commands.server.ts'
import { tellDeclines } from './decisions/decline-commands.server.ts'
import { processPendingBookings, remindOfEvents } from './decisions/reminder-commands.server.ts'
import { listCalendarEntries } from './list/calendar-queries.server.ts'
import { findVendorOverview } from './list/overview-queries.server.ts'
import { findBookingByLink, listBookingsOfBusinesses } from './list/queries.server.ts'
import { bookingLinkToken } from './rules.ts'

/**
 * A listing that takes no deposit, while vendors aren't paid (PAYOUTS=off): its customers pay all of the price with the booking, as
 * they did before there were plans, however far ahead the event is.
 */

const PRICE_CENTS = 870_000
const DAYS_AHEAD = 699

let world: Awaited<ReturnType<typeof aBookingWorld>>
let business: Awaited<ReturnType<typeof aBusiness>>
/** The payments that the provider was asked to create. */
let created: Parameters<PaymentProvider['create']>[0][]

beforeEach(async () => {
  world = await aBookingWorld()
  created = []
  const { payments } = world
  const savesNoCard = () => {
    throw new Error('No card is saved.')
  }
  world.deps = createBookingDeps({
    ...world.deps,
    providers: [
      {
        ...payments,
        create(input) {
          created.push(input)
          return payments.create(input)
        },
        createCustomer: savesNoCard,
        savedCardOf: savesNoCard,
        chargeSavedCard: savesNoCard,
        detachCard: savesNoCard,
      },
    ],
    payoutTimes: null,
    commission: null,
  })
  business = await aBusiness(world.db, { name: 'Harbour Light Pavilion', price_cents: 14_500 })
  return () => world.close()
})

async function starts() {
  const date = new Date(world.clock.now().getTime() + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10)
  const started = await startBookingPayment(world.deps, {
    amount: PRICE_CENTS,
    submitKey: newId(),
    businessId: business.id,
    booking: aBookingForm({ date, quantity: 60 }),
    customerUserId: null,
  })
  if (!started.ok || started.alreadyPaid) throw new Error(JSON.stringify(started))
  return started
}

async function books() {
  const started = await starts()
  await confirms(world, started.clientSecret, GOOD_CARD)
  const settled = await reportPayment(world.deps, { clientSecret: started.clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error(JSON.stringify(settled))
  const linkToken = await bookingLinkToken(world.deps.secret, started.paymentId)
  return {
    paymentId: started.paymentId,
    reference: started.reference,
    bookingId: settled.purchaseId,
    linkToken,
  }
}
type Booked = Awaited<ReturnType<typeof books>>

const decides = ({ bookingId }: Booked, decision: 'approved' | 'declined') =>
  decideBooking(world.deps, {
    userId: business.user_id,
    bookingId,
    decision,
    reason: 'The roof leaks since the storm.',
  })

/** Runs each job that runs each minute. */
async function runsJobs(): Promise<void> {
  const { deps } = world
  await storeSavedCards(instalmentDeps(world))
  await runInstalmentJobs(world)
  await endOverdueBookings(deps)
  await expireChanges(deps)
  await tellDeclines(deps)
  await processPendingBookings(deps)
  await remindOfEvents(deps)
  await tellOfComingEvents(deps)
  await sweepPayments(deps)
  await performDueRefunds(deps)
  await detachIdleCards(instalmentDeps(world))
}

async function refundedOf({ reference }: Booked): Promise<number | null> {
  const found = await world.payments.retrieve(reference)
  return found.ok ? found.snapshot.refundedCents : null
}

const bookingOf = async ({ linkToken }: Booked) => {
  const booking = await findBookingByLink(world.db, linkToken)
  if (!booking) throw new Error('There is no such booking.')
  return booking
}

const countRows = async (table: 'instalments' | 'saved_cards') =>
  (await world.db.selectFrom(table).selectAll().execute()).length

describe('a listing without a plan while vendors aren’t paid', () => {
  it('charges the whole price with the booking, and saves no card', async () => {
    const started = await starts()
    expect(started).toMatchObject({ chargedCents: PRICE_CENTS, consent: null })
    expect(started.terms?.instalments).toEqual([{ number: 1, cents: PRICE_CENTS, dueAt: null }])
    expect(created).toMatchObject([{ amountCents: PRICE_CENTS }])
    expect(created[0]).not.toHaveProperty('card')
    await confirms(world, started.clientSecret, GOOD_CARD)
    await reportPayment(world.deps, { clientSecret: started.clientSecret })
    await runsJobs()
    expect(await chargesOf(world, started.paymentId)).toEqual([PRICE_CENTS])
    expect([await countRows('instalments'), await countRows('saved_cards')]).toEqual([0, 0])
  })

  it('shows nothing due in a booking’s record, lists and pages', async () => {
    const booked = await books()
    const booking = await bookingOf(booked)
    expect(booking.stored).toMatchObject({ totalPrice: '8700.00', paymentStatus: 'paid', status: 'pending' })
    expect(booking.due).toBeNull()
    expect(booking.terms?.payments).toMatchObject([{ cents: PRICE_CENTS, state: 'paid' }])
    const now = world.clock.now()
    const vendor = { userId: business.user_id, businessId: 'all', now }
    expect(await listBookingsOfBusinesses(world.db, vendor)).toMatchObject([
      { leftCents: PRICE_CENTS, due: null, stored: { totalPrice: '8700.00' } },
    ])
    expect(await findVendorOverview(world.db, business.user_id, now)).toMatchObject({
      unpaid: [],
      paidThisMonthCents: PRICE_CENTS,
    })
    const range = { from: now, until: new Date(now.getTime() + 730 * DAY_MS) }
    expect(await listCalendarEntries(world.db, { businessId: business.id, range, now })).toMatchObject([
      { due: null },
    ])
    expect(await findInstalmentByLink(world.deps, booked.linkToken)).toMatchObject({ next: null, card: null })
    expect(await openInstalmentPayment(instalmentDeps(world), booked.linkToken)).toEqual({
      ok: false,
      reason: 'nothing_due',
    })
  })

  it('mails what it mailed before there were plans, and what cancelling costs', async () => {
    await books()
    const mails = await world.jobs.mails()
    expect(mails.map(({ subject }) => subject.split(',')[0])).toEqual([
      expect.stringMatching(/^Sent to Harbour Light Pavilion: answer by /),
      expect.stringMatching(/^New booking: \w{3} \d/),
    ])
    const [paid, told] = mails.map(({ text }) => text)
    expect(paid).toContain(
      'We’ve received your payment of $8,700.00, and Harbour Light Pavilion has your booking.',
    )
    expect(paid).toMatch(/Once they’ve approved it, cancelling is free until .* 2028/)
    expect(told).toContain('Kim Lee has booked and paid for Harbour Light Pavilion.')
    for (const text of [paid, told])
      expect(text).not.toMatch(/deposit|balance|instalment|still due|paid now|same card|by card ending/i)
  })

  it('gives the jobs of plans nothing to do until after the event', async () => {
    const booked = await books()
    await decides(booked, 'approved')
    const start = world.clock.now()
    for (const days of [1, 2, 30, 85, 90, 600, 662, 669, 670, 676, 683, 692, 698, 699, 702, 760]) {
      movesTo(world, new Date(start.getTime() + days * DAY_MS))
      await runsJobs()
    }
    expect(await chargesOf(world, booked.paymentId)).toEqual([PRICE_CENTS])
    expect(await refundedOf(booked)).toBe(0)
    expect((await bookingOf(booked)).stored).toMatchObject({ status: 'approved', paymentStatus: 'paid' })
    expect(created).toHaveLength(1)
    const subjects = (await world.jobs.mails()).map(({ subject }) => subject.split(/:| to /)[0])
    expect(subjects).toEqual(['Sent', 'New booking', 'Confirmed', 'Coming up', 'Coming up'])
    const transfers = await world.db.selectFrom('transfers').selectAll().execute()
    expect(transfers).toEqual([])
    expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])
  })

  it.each(['declined', 'withdrawn', 'undecided'] as const)(
    'gives the whole charge back once when the booking is %s',
    async (how) => {
      const booked = await books()
      if (how === 'declined') await decides(booked, 'declined')
      else if (how === 'withdrawn')
        expect(
          await withdrawBooking(world.deps, {
            bookingId: booked.bookingId,
            by: { linkToken: booked.linkToken },
          }),
        ).toMatchObject({ ok: true })
      world.clock.forward(3 * DAY_MS)
      await runsJobs()
      await runsJobs()
      expect(await refundedOf(booked)).toBe(PRICE_CENTS)
      expect((await bookingOf(booked)).stored).toMatchObject({
        status: how === 'withdrawn' ? 'withdrawn' : 'declined',
        paymentStatus: 'refunded',
      })
    },
  )

  it.each([
    [1, PRICE_CENTS],
    [680, PRICE_CENTS / 2],
    [695, 0],
  ])(
    'cancels an approved booking after %d days by its policy, from its one charge',
    async (days, backCents) => {
      const booked = await books()
      await decides(booked, 'approved')
      world.clock.forward(days * DAY_MS)
      const quote = (await findCancelling(world.deps, booked.linkToken))?.quote
      expect(quote).toMatchObject({
        refundCents: backCents,
        keptCents: PRICE_CENTS - backCents,
        uncollectedCents: 0,
      })
      const order = { bookingId: booked.bookingId, by: { linkToken: booked.linkToken } }
      expect(await cancelBooking(world.deps, { ...order, signed: quote?.signed ?? '' })).toMatchObject({
        ok: true,
        changed: true,
      })
      await runsJobs()
      expect(await refundedOf(booked)).toBe(backCents)
      expect((await proveLedger(world.db)).filter(({ count }) => count > 0)).toEqual([])
    },
  )

  it('moves to any day that the listing offers, and stays paid', async () => {
    const booked = await books()
    await decides(booked, 'approved')
    const { date } = (await bookingOf(booked)).stored
    const later = new Date(Date.parse(date) + 30 * DAY_MS).toISOString().slice(0, 10)
    expect(await proposes(world.deps, booked, asCustomer(booked), { date: later })).toMatchObject({
      ok: true,
    })
    expect(await agrees(world.deps, booked, asVendor(business.user_id))).toEqual({
      ok: true,
      changed: true,
      isDue: false,
    })
    await runsJobs()
    expect((await bookingOf(booked)).stored).toMatchObject({ date: later, paymentStatus: 'paid' })
    expect(await chargesOf(world, booked.paymentId)).toEqual([PRICE_CENTS])
    expect(await countRows('instalments')).toBe(0)
  })
})
