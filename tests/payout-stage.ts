import { sql } from 'kysely'
import { acceptAgreement } from '../app/features/agreements/commands.server.ts'
import { DOCUMENTS } from '../app/features/agreements/rules.ts'
import { startBookingPayment } from '../app/features/bookings/checkout/commands.server.ts'
import { decideBooking } from '../app/features/bookings/decisions/commands.server.ts'
import type { BookingDeps } from '../app/features/bookings/deps.server.ts'
import { findBookingMoney } from '../app/features/ledger/queries.server.ts'
import type { BorneBy } from '../app/features/ledger/rules.ts'
import { orderCancellation } from '../app/features/operators/cancellation-commands.server.ts'
import type { Operator } from '../app/features/operators/log-commands.server.ts'
import { orderRefund } from '../app/features/operators/refund-order-commands.server.ts'
import {
  askProviderForPayment,
  storeFollowingPayment,
} from '../app/features/payments/payment-commands.server.ts'
import { findPayment } from '../app/features/payments/queries.server.ts'
import { reportPayment } from '../app/features/payments/settlement-commands.server.ts'
import { openPayoutAccount, refreshPayoutAccount } from '../app/features/payouts/account-commands.server.ts'
import type { PayoutDeps } from '../app/features/payouts/deps.server.ts'
import { newId } from '../app/shared/ids.ts'
import type { Cents } from '../app/shared/money.ts'
import { DAY_MS, HOUR_MS } from '../app/shared/time-units.ts'
import { aBookingForm, type aBookingWorld, aBusiness, setsAvailability } from './builders.ts'

/** The stage of the tests of vendors' money: accounts, and bookings whose event can be over. */

type World = Awaited<ReturnType<typeof aBookingWorld>>

export const OPERATOR = { userId: 'operator-1', email: 'operator@example.com' }
export const SECOND_OPERATOR = { userId: 'operator-2', email: 'second@example.com' }

/** Cancels a booking as an operator who needs no second one, whatever it is about. */
export function cancelsAsOperator(deps: BookingDeps, order: Parameters<typeof orderCancellation>[1]) {
  return orderCancellation({ ...deps, secondOperatorCents: Number.MAX_SAFE_INTEGER }, order)
}

/** Gives a part of a purchase back as an operator who needs no second one. It costs the vendor, unless told otherwise. */
export function refundsAsOperator(
  deps: BookingDeps,
  order: { operator: Operator; paymentId: string; amountCents: Cents; reason: string; borneBy?: BorneBy },
) {
  return ordersAlone(deps, { kind: 'refund', borneBy: 'vendor', ...order })
}

/** Orders a refund that came back once more, as an operator who needs no second one. */
export function refundsAgainAsOperator(deps: BookingDeps, order: { operator: Operator; refundId: string }) {
  return ordersAlone(deps, { kind: 'refund_again', ...order })
}

/** Records that a refund that came back was paid another way, as an operator who needs no second one. */
export function paysOtherwiseAsOperator(
  deps: BookingDeps,
  order: { operator: Operator; refundId: string; reference: string; reason: string },
) {
  return ordersAlone(deps, { kind: 'paid_otherwise', accountGivenAt: null, ...order })
}

function ordersAlone(deps: BookingDeps, order: Parameters<typeof orderRefund>[1]) {
  return orderRefund({ ...deps, secondOperatorCents: Number.MAX_SAFE_INTEGER }, order)
}

/** The dependencies of the payout commands in a booking world. */
export function payoutDepsOf(world: World, overrides: Partial<PayoutDeps> = {}): PayoutDeps {
  const { db, jobs, liveUpdates, now, brand, publicUrl, faultPoint } = world.deps
  return {
    ...{ db, jobs, liveUpdates, now, brand, publicUrl, faultPoint },
    payouts: world.payments.payouts,
    payoutDelayMs: 48 * HOUR_MS,
    holdLimitMs: 85 * DAY_MS,
    secondOperatorCents: 500_000,
    ...overrides,
  }
}

/** Harbour Light Pavilion at $145 a person, of a vendor who is registered and has accepted the agreement. */
export async function aPaidVendor(
  world: World,
  given: { userId?: string; isReady?: boolean; hasDeposit?: boolean } = {},
) {
  const { db, clock } = world
  const business = await aBusiness(db, {
    name: 'Harbour Light Pavilion',
    price_cents: 14_500,
    ...(given.userId ? { user_id: given.userId } : {}),
    ...(given.hasDeposit ? { deposit_basis_points: 2_000, balance_days_before: 30 } : {}),
  })
  await setsAvailability(db, business.id)
  const userId = business.user_id
  await db
    .insertInto('business_registrations')
    .values({
      id: newId(),
      user_id: userId,
      business_name: 'Harbour Light',
      abn: '51824753556',
      business_structure: 'Sole Trader',
      industry_type: 'Venue',
      principal_address: '1 Sample Street',
      business_phone: '0355501234',
      business_email: `${userId}@vendor.example`,
      owner_name: 'Nia',
      owner_dob: '1990-02-03',
      owner_phone: '0400000000',
      owner_email: 'nia@example.com',
      logo_url: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { version } = DOCUMENTS.vendor_agreement
  await acceptAgreement({ db, now: clock.now }, { userId, version })
  if (given.isReady !== false) await finishesAccount(world, userId)
  return { business, userId }
}

/** Opens a vendor's account and finishes the provider's form. */
export async function finishesAccount(world: World, userId: string): Promise<string> {
  const deps = payoutDepsOf(world)
  const opened = await openPayoutAccount(deps, { userId, email: `${userId}@example.com` })
  if (!opened.ok) throw new Error(opened.reason)
  const reference = await accountOf(world, userId)
  await world.payments.payouts.moveAccount(reference, 'complete')
  await refreshPayoutAccount(deps, { userId })
  return reference
}

/** The provider's id of a vendor's account. */
export async function accountOf({ db }: World, userId: string): Promise<string> {
  const row = await db
    .selectFrom('payout_accounts')
    .select('provider_account')
    .where('vendor_user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.provider_account ?? ''
}

/**
 * Books a listing in 30 days for 60 people, unless said otherwise: $8,700.00.
 * @param given.isOld as a version without the ledger began the payment, without terms of commission
 */
export async function books(
  world: World,
  listing: { id: string; user_id: string; price_cents: number | string },
  given: {
    quantity?: number
    card?: string
    isApproved?: boolean
    using?: BookingDeps
    isOld?: boolean
    daysAhead?: number
  } = {},
) {
  const deps = given.using ?? world.deps
  const quantity = given.quantity ?? 60
  const date = new Date(world.clock.now().getTime() + (given.daysAhead ?? 30) * DAY_MS)
    .toISOString()
    .slice(0, 10)
  const payment = await startBookingPayment(deps, {
    amount: Number(listing.price_cents) * quantity,
    submitKey: crypto.randomUUID(),
    businessId: listing.id,
    booking: aBookingForm({ date, quantity }),
    customerUserId: null,
  })
  if (!payment.ok || payment.alreadyPaid) throw new Error(JSON.stringify(payment))
  const { clientSecret, paymentId } = payment
  if (given.isOld) await sql`update sales set commission = null where id = ${paymentId}`.execute(world.db)
  await world.payments.confirmCard({
    clientSecret,
    cardNumber: given.card ?? '4242424242424242',
    expiry: '12 / 99',
    cvc: '123',
  })
  const settled = await reportPayment(deps, { clientSecret })
  const bookingId = settled.ok ? (settled.purchaseId ?? '') : ''
  const reference = world.payments.referenceOf(clientSecret) ?? ''
  if (given.isApproved !== false)
    await decideBooking(deps, { userId: listing.user_id, bookingId, decision: 'approved' })
  return { bookingId, paymentId, reference, amountCents: Number(listing.price_cents) * quantity }
}

/**
 * Pays the open instalments of a purchase, each by a payment of its own.
 * @param meanwhile happens before the card is charged
 */
export async function paysBalance(
  world: World,
  firstPaymentId: string,
  meanwhile = async () => {},
): Promise<void> {
  const { db, clock, deps, payments } = world
  // A real clock goes on between two payments.
  clock.forward(1_000)
  const first = await findPayment(db, firstPaymentId)
  const open = await db
    .selectFrom('instalments')
    .selectAll()
    .where('payment_id', '=', firstPaymentId)
    .where('state', 'not in', ['paid', 'ended'])
    .execute()
  for (const { id, amount_cents: cents } of open) {
    if (!first) throw new Error('no such payment')
    const payment = await db.transaction().execute(async (tx) => {
      const expiresAt = new Date(clock.now().getTime() + DAY_MS)
      const submitKey = `instalment:${id}`
      const row = await storeFollowingPayment(deps, tx, {
        first,
        submitKey,
        amountCents: Number(cents),
        expiresAt,
      })
      await tx.updateTable('instalments').set({ paid_by: row.id }).where('id', '=', id).execute()
      return row
    })
    const made = await askProviderForPayment(deps, payments, payment)
    if (!made.ok) throw new Error(made.reason)
    await meanwhile()
    const { clientSecret } = made
    await payments.confirmCard({
      clientSecret,
      cardNumber: '4242424242424242',
      expiry: '12 / 39',
      cvc: '123',
    })
    await reportPayment(deps, { clientSecret })
  }
}

/** Moves the clock past a booking's event and the pause after it. */
export function passesEvent(world: World, restMs = 0): void {
  world.clock.forward(33 * DAY_MS + restMs)
}

export async function moneyOf({ db }: World, bookingId: string) {
  const money = (await findBookingMoney(db, [bookingId])).get(bookingId)
  if (!money) throw new Error('no money')
  return money
}

export const transfersOf = ({ db }: World, bookingId: string) =>
  db.selectFrom('transfers').selectAll().where('booking_id', '=', bookingId).orderBy('created_at').execute()

export const reversalsOf = ({ db }: World, bookingId: string) =>
  db
    .selectFrom('transfer_reversals')
    .innerJoin('transfers', 'transfers.id', 'transfer_reversals.transfer_id')
    .selectAll('transfer_reversals')
    .where('transfers.booking_id', '=', bookingId)
    .execute()

/** The balance of a vendor's account at the sandbox, in cents. */
export async function sumAtProvider({ db }: World, reference: string): Promise<Cents> {
  const row = await db
    .selectFrom('sandbox_movements')
    .select((eb) => eb.fn.sum<string>('amount_cents').as('cents'))
    .where('sandbox_account_id', '=', reference)
    .executeTakeFirst()
  return Number(row?.cents ?? 0)
}

/** Later than any history lasts. */
const NEVER = '2999-01-01T00:00:00Z'

/**
 * Removes the finished parts of a world from the jobs' work. Histories share a database and each lasts for months, so the jobs
 * would ask about the accounts and refunds of earlier histories. Jobs still ask about money that moves at the provider: the money
 * of a won dispute, for example, comes back later.
 */
export async function restsPast({ db }: Pick<World, 'db'>): Promise<void> {
  await sql`delete from kept_jobs`.execute(db)
  await sql`delete from payout_queue`.execute(db)
  await sql`update payout_accounts set checked_at = ${NEVER}, payouts_asked_at = ${NEVER}`.execute(db)
  await sql`update payment_actions set asked_at = ${NEVER} where provider_status = 'succeeded'`.execute(db)
  await sql`update sandbox_accounts set is_bank_refused = true`.execute(db)
  await sql`update sandbox_events set delivered_at = created_at where delivered_at is null`.execute(db)
}
