import { reportConversation } from '../app/features/enquiries/status-commands.server.ts'
import { orderRefund } from '../app/features/operators/refund-order-commands.server.ts'
import { newId } from '../app/shared/ids.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { booked, CARDS, deps, event, receive, world } from './booking-stage.ts'
import { aBusiness, aConversation, enquiryDepsOf } from './builders.ts'
import { fillEarnings } from './earnings.ts'
import { aPaidVendor, OPERATOR, refundsAsOperator } from './payout-stage.ts'

/** The stage of the operators' Monday. Each function makes one thing that waits for them. */

const now = () => world.clock.now()
const inDays = (days: number) => new Date(now().getTime() + days * DAY_MS)

/** A disputed charge of $455.00, with the evidence due in some days. */
export async function aDispute(days = 9) {
  const payment = await booked({}, CARDS.disputed)
  await receive(deps, event(payment.reference, newId(), 'charge.dispute.created'))
  const { id } = await world.db
    .updateTable('disputes')
    .set({ evidence_due_at: inDays(days) })
    .where('payment_id', '=', payment.paymentId)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...payment, disputeId: id }
}

/** A refund that the customer's bank has just sent back. It moves the clock by a day. */
export async function aReturnedRefund(amountCents = 45_500) {
  const payment = await booked({}, CARDS.refundFails)
  const refund = { operator: OPERATOR, paymentId: payment.paymentId, amountCents, reason: 'No power.' }
  await refundsAsOperator(deps, refund)
  world.clock.forward(DAY_MS)
  await world.payments.runDueWork()
  await receive(deps, event(payment.reference, newId(), 'refund.failed'))
  const { id } = await world.db
    .selectFrom('payment_actions')
    .select('id')
    .where('payment_id', '=', payment.paymentId)
    .executeTakeFirstOrThrow()
  return { ...payment, refundId: id }
}

/**
 * A vendor whom the provider has paused.
 * @param dueAt until when it wants something; null for no time
 * @param totalCents the price of a booking whose share, nine tenths, waits for them; 0 for none
 */
export async function aRestrictedVendor(dueAt: Date | null = null, totalCents = 10_000) {
  const vendor = await aPaidVendor(world)
  await world.db
    .updateTable('payout_accounts')
    .set({
      state: 'restricted',
      requirements: JSON.stringify([
        { code: 'individual.verification.document', awaiting: 'vendor', dueAt: dueAt?.toISOString() ?? null },
        { code: 'company.review', awaiting: 'provider', dueAt: inDays(-40).toISOString() },
      ]),
    })
    .where('vendor_user_id', '=', vendor.userId)
    .execute()
  if (totalCents > 0)
    await fillEarnings(world.db, [
      {
        ...{ vendorUserId: vendor.userId, totalCents, progress: 'earned' },
        ...{ eventUntil: inDays(-4), bookedAt: inDays(-30) },
      },
    ])
  return vendor
}

/** A vendor whose bank has just returned a payout of $2,345.00. */
export async function aReturnedPayout() {
  const vendor = await aPaidVendor(world)
  const payout = await addPayout(vendor.userId, 'failed')
  return { ...vendor, ...payout }
}

/** The next payout of a vendor to their bank. */
export async function addPayout(userId: string, state: 'failed' | 'in_transit') {
  world.clock.forward(1_000)
  const account = await world.db
    .selectFrom('payout_accounts')
    .select('id')
    .where('vendor_user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const [payoutId, at] = [newId(), now()]
  await world.db
    .insertInto('bank_payouts')
    .values({
      ...{
        id: payoutId,
        payout_account_id: account.id,
        provider_payout: payoutId,
        amount_cents: 234_500,
        state,
      },
      ...{ failure_reason: null, arrives_at: at, checked_at: at, created_at: at },
    })
    .execute()
  return { payoutId }
}

/** A conversation that its vendor has just reported. */
export async function aReport() {
  const enquiries = enquiryDepsOf(deps)
  const business = await aBusiness(world.db, { name: 'Sailmakers’ Loft' })
  const talk = await aConversation({ deps: enquiries, db: world.db }, { business })
  await reportConversation(enquiries, { id: talk.id, by: talk.vendor, reason: 'Wants cash.' })
  const { id } = await world.db
    .selectFrom('conversation_reports')
    .select('id')
    .where('conversation_id', '=', talk.id)
    .executeTakeFirstOrThrow()
  return { ...talk, reportId: id }
}

/** A refund of $100.00 that waits for a second person. */
export async function aWaitingRefund() {
  const payment = await booked()
  const refund = {
    kind: 'refund',
    paymentId: payment.paymentId,
    amountCents: 10_000,
    borneBy: 'operator',
  } as const
  const asked = await orderRefund(
    { ...deps, secondOperatorCents: 0 },
    { ...refund, reason: 'Cold.', operator: OPERATOR },
  )
  if (!asked.ok) throw new Error(asked.reason)
  return payment
}
