import { startBookingPayment } from '../app/features/bookings/checkout/commands.server.ts'
import { instalmentDepsOf } from '../app/features/bookings/checkout/fulfilment-commands.server.ts'
import { decideBooking } from '../app/features/bookings/decisions/commands.server.ts'
import { bookingLinkToken } from '../app/features/bookings/rules.ts'
import { storeSavedCards } from '../app/features/instalments/card-commands.server.ts'
import { chargeDueInstalments } from '../app/features/instalments/charge-commands.server.ts'
import type { InstalmentDeps } from '../app/features/instalments/deps.server.ts'
import {
  processUnpaidInstalments,
  remindOfInstalments,
} from '../app/features/instalments/reminder-commands.server.ts'
import { reportPayment } from '../app/features/payments/settlement-commands.server.ts'
import { wallTimeToUtc } from '../app/shared/dates.ts'
import { newId } from '../app/shared/ids.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { aBookingForm, type aBookingWorld, aBusiness } from './builders.ts'

/** The stage of the tests of instalments: a booking of $8,700.00 with 20 % paid and the rest due on 11 February 2027. */

type World = Awaited<ReturnType<typeof aBookingWorld>>

export const GOOD_CARD = '4242424242424242'
/** Asks for approval each time. */
export const ASKING_CARD = '4000002760003184'
/** Can be saved, and is refused each time. */
export const REFUSED_CARD = '4000000000000341'
export const VENUE_ZONE = 'Australia/Melbourne'
/** 30 days before the event, at 09:00 by the venue's clock. */
export const DUE_AT = wallTimeToUtc('2027-02-11', '09:00', VENUE_ZONE)
export const DEPOSIT_CENTS = 174_000
export const BALANCE_CENTS = 696_000

/** The services of instalments in a booking world, which wait for nothing. */
export const instalmentDeps = (world: Pick<World, 'deps'>): InstalmentDeps => ({
  ...instalmentDepsOf(world.deps),
  pause: async () => {},
})

/** A venue at $145.00 a person with 20 % now and the rest 30 days before. */
export function aDepositBusiness(world: Pick<World, 'db'>, given: { user_id?: string; facts?: string } = {}) {
  return aBusiness(world.db, {
    ...given,
    name: 'Harbour Light Pavilion',
    price_cents: 14_500,
    deposit_basis_points: 2_000,
    balance_days_before: 30,
  })
}

/** Confirms a card of a payment or of a setup, with its bank's approval. */
export async function confirms(world: World, clientSecret: string, cardNumber: string, expiry = '12 / 30') {
  const card = { clientSecret, cardNumber, expiry, cvc: '123' }
  const first = await world.payments.confirmCard(card)
  return first.ok && first.status === 'requires_action'
    ? world.payments.confirmCard({ ...card, challenge: 'approve' })
    : first
}

/** Books and pays the deposit, and stores the saved card. */
export async function booksWithDeposit(
  world: World,
  given: { businessId?: string; card?: string; expiry?: string; date?: string } = {},
) {
  const businessId = given.businessId ?? (await aDepositBusiness(world)).id
  const started = await startBookingPayment(world.deps, {
    submitKey: newId(),
    amount: 870_000,
    businessId,
    booking: aBookingForm({ quantity: 60, ...(given.date ? { date: given.date } : {}) }),
    customerUserId: null,
  })
  if (!started.ok || started.alreadyPaid) throw new Error('The booking could not be started.')
  await confirms(world, started.clientSecret, given.card ?? GOOD_CARD, given.expiry)
  const settled = await reportPayment(world.deps, { clientSecret: started.clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error('The booking could not be paid.')
  await storeSavedCards(instalmentDeps(world))
  return {
    businessId,
    paymentId: started.paymentId,
    reference: started.reference,
    bookingId: settled.purchaseId,
    linkToken: await bookingLinkToken(world.deps.secret, started.paymentId),
  }
}

/** As many as one business takes for the same time. */
const BOOKINGS_AT_ONCE = 10

/** Books purchases whose balances are all due now, after their reminders. */
export async function booksWithBalancesDue(world: World, count: number): Promise<string[]> {
  const paymentIds: string[] = []
  const date = new Date(world.clock.now().getTime() + 300 * DAY_MS).toISOString().slice(0, 10)
  let businessId = ''
  while (paymentIds.length < count) {
    if (paymentIds.length % BOOKINGS_AT_ONCE === 0) businessId = (await aDepositBusiness(world)).id
    const booked = await booksWithDeposit(world, { businessId, date })
    await approves(world, booked)
    paymentIds.push(booked.paymentId)
  }
  const now = world.clock.now()
  await world.db
    .updateTable('instalments')
    .set({
      state: 'reminded',
      reminded_at: new Date(now.getTime() - 7 * DAY_MS),
      due_at: now,
      try_at: now,
    })
    .where('payment_id', 'in', paymentIds)
    .where('number', '=', 2)
    .execute()
  return paymentIds
}

/** Approves a booking for its vendor. An undecided one would be declined as the clock moves on. */
export async function approves(
  world: World,
  booked: { paymentId: string; bookingId: string },
): Promise<void> {
  const { owner_user_id: userId } = await world.db
    .selectFrom('sales')
    .select('owner_user_id')
    .where('id', '=', booked.paymentId)
    .executeTakeFirstOrThrow()
  await decideBooking(world.deps, { userId, bookingId: booked.bookingId, decision: 'approved' })
}

/** Moves the clock to a moment. */
export function movesTo({ clock }: Pick<World, 'clock'>, at: Date) {
  clock.forward(at.getTime() - clock.now().getTime())
}

/** Runs the minutely jobs once. */
export async function runInstalmentJobs(world: World, deps = instalmentDeps(world)) {
  await remindOfInstalments(deps)
  await chargeDueInstalments(deps)
  await processUnpaidInstalments(deps)
}

/** The balance's row. */
export function balanceOf({ db }: Pick<World, 'db'>, paymentId: string) {
  return db
    .selectFrom('instalments')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('number', '=', 2)
    .executeTakeFirstOrThrow()
}

/** The charges of a purchase at the provider, in cents: each succeeded payment in its group. */
export async function chargesOf({ db }: Pick<World, 'db'>, paymentId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('sandbox_payments')
    .select('amount_cents')
    .where('transfer_group', '=', paymentId)
    .where('state', '=', 'succeeded')
    .orderBy('created_at')
    .execute()
  return rows.map((row) => Number(row.amount_cents))
}
