import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Database, DatabaseTransaction } from '../app/adapters/database/port.ts'
import type { WebhookEvent } from '../app/adapters/payments/port.ts'
import { startBookingPayment } from '../app/features/bookings/checkout/commands.server.ts'
import { decideBooking } from '../app/features/bookings/decisions/commands.server.ts'
import type { BookingDeps } from '../app/features/bookings/deps.server.ts'
import { presentProvider } from '../app/features/payments/providers.server.ts'
import { selectPayments } from '../app/features/payments/queries.server.ts'
import { receivePaymentEvent, reportPayment } from '../app/features/payments/settlement-commands.server.ts'
import { newId } from '../app/shared/ids.ts'
import { aBookingForm, aBookingWorld, aBusiness } from './builders.ts'

/** The stage of the payment and booking tests: one world per file and one business per test. */

export let world: Awaited<ReturnType<typeof aBookingWorld>>
export let deps: BookingDeps
export let business: Awaited<ReturnType<typeof aBusiness>>

/** Opens the world before the file's first test and closes it after the last one. */
export function setBookingStage(): void {
  beforeAll(async () => {
    world = await aBookingWorld()
    deps = world.deps
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    business = await aBusiness(world.db)
  })
}

export type Order = Partial<Parameters<typeof startBookingPayment>[1]>

/** A checked booking of the current business, for ten people. */
export function order(overrides: Order = {}) {
  return {
    amount: 45_500,
    submitKey: crypto.randomUUID(),
    businessId: business.id,
    booking: aBookingForm(),
    customerUserId: null,
    ...overrides,
  }
}

/** Starts a payment that awaits its card. */
export async function started(overrides: Order = {}, using: BookingDeps = deps) {
  const payment = await startBookingPayment(using, order(overrides))
  if (!payment.ok || payment.alreadyPaid) throw new Error(JSON.stringify(payment))
  return payment
}

/** Test cards by what happens after the charge. */
export const CARDS = {
  plain: '4242424242424242',
  refundPending: '4000000000007726',
  refundFails: '4000000000005126',
  disputed: '4000000000000259',
} as const

export async function payCard(clientSecret: string, cardNumber: string = CARDS.plain) {
  const confirmed = await world.payments.confirmCard({
    clientSecret,
    cardNumber,
    expiry: '12 / 30',
    cvc: '123',
  })
  expect(confirmed).toMatchObject({ ok: true, status: 'succeeded' })
}

/** Creates a paid and stored booking. */
export async function booked(overrides: Order = {}, cardNumber: string = CARDS.plain) {
  const payment = await started(overrides)
  await payCard(payment.clientSecret, cardNumber)
  const settled = await reportPayment(deps, { clientSecret: payment.clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error(JSON.stringify(settled))
  return { ...payment, bookingId: settled.purchaseId }
}

export const paymentRow = (id: string) =>
  selectPayments(world.db).where('payments.id', '=', id).executeTakeFirstOrThrow()
export const bookingsOf = (paymentId: string) =>
  world.db.selectFrom('bookings').selectAll().where('payment_row_id', '=', paymentId).execute()
export const refundsOf = (paymentId: string) =>
  world.db.selectFrom('payment_actions').selectAll().where('payment_id', '=', paymentId).execute()
export const notificationsOf = (userId: string) =>
  world.db.selectFrom('notifications').selectAll().where('user_id', '=', userId).execute()
export const mailsAbout = async (id: string) =>
  (await world.jobs.mails()).filter((mail) => mail.messageId.includes(id))
export const refundedCents = async (reference: string) => {
  const found = await world.payments.retrieve(reference)
  return found.ok ? found.snapshot.refundedCents : null
}
/** The words that `decide` states where a decline needs some. */
export const DECLINE_REASON = 'The roof leaks since the storm.'
/** Decides as the vendor. A decline stands at once: its grace has tests of its own. */
export async function decide(
  bookingId: string,
  decision: 'approved' | 'declined',
  userId = business.user_id,
) {
  const row = await world.db
    .selectFrom('bookings')
    .select('status')
    .where('id', '=', bookingId)
    .executeTakeFirst()
  const reason = row?.status === 'approved' ? { reason: DECLINE_REASON } : {}
  return decideBooking(deps, { userId, bookingId, decision, isAtOnce: true, ...reason })
}
export const event = (reference: string, id = newId(), type = 'payment_intent.succeeded'): WebhookEvent => ({
  id,
  type,
  reference,
  payload: { id },
})
export const receive = (using: BookingDeps, delivered: WebhookEvent) =>
  receivePaymentEvent(using, presentProvider(using), delivered)

/** Leaves a hold over all of a business's days that has expired: the next who takes a time deletes it. */
export async function leavesExpiredHold(
  businessId = business.id,
  { db }: { db: Database | DatabaseTransaction } = world,
): Promise<void> {
  await sql`
    insert into slots (id, business_id, kind, during, event, time_zone, is_exclusive, expires_at, payment_id, created_at)
    values (${newId()}, ${businessId}, 'hold', '[2026-01-01,2029-01-01)', '[2026-01-01,2029-01-01)', 'Australia/Melbourne',
      false, '2026-01-01', ${newId()}, '2026-01-01')`.execute(db)
}
