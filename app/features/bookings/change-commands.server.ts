import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PublicPaymentConfig } from '../../adapters/payments/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { findAvailability } from '../availability/hours-queries.server.ts'
import { extendHold, holdMove, moveBooking, prolongHold } from '../availability/slot-commands.server.ts'
import { findOtherTimes, type TimeGone } from '../availability/slot-queries.server.ts'
import { findSavedCard } from '../instalments/queries.server.ts'
import { replanInstalments } from '../instalments/replan-commands.server.ts'
import type { Replan, ReplanRefusal } from '../instalments/replan-rules.ts'
import {
  changeSale,
  giveUpFollowingPayments,
  ONLY_LINE_ITEM,
  openAtProvider,
  storeFollowingPayment,
} from '../payments/payment-commands.server.ts'
import { providerOf } from '../payments/providers.server.ts'
import { findMoneyStatus, findPayment, lockPayment } from '../payments/queries.server.ts'
import { addRefundOfPurchase, insertRefund } from '../payments/refund-commands.server.ts'
import { isUnsettled, type UnfulfilledReason } from '../payments/rules.ts'
import { applySnapshot } from '../payments/settlement-commands.server.ts'
import type { PaymentRow } from '../payments/tables.server.ts'
import { endChange } from './change-end-commands.server.ts'
import { type ChangeNews, tellOfChange } from './change-notice-commands.server.ts'
import {
  findEventLimit,
  findOpenChange,
  findPlan,
  findWanted,
  movedTime,
  type WantedChange,
  type WantedRefusal,
} from './change-queries.server.ts'
import {
  type ChangeRefusal,
  changeExpiresAt,
  movedDecideBy,
  movedSlotRequest,
  movesPastLimit,
  OPEN_STATES,
  ownTimeOf,
  type Sale,
  saleOf,
  shownText,
  type WantedSale,
} from './change-rules.ts'
import { lineOf } from './decision-commands.server.ts'
import type { BookingDeps, BookingServices } from './deps.server.ts'
import { publishBooking } from './notice-commands.server.ts'
import { type BookingRow, findRowByLink, lockBooking, refusalOf } from './queries.server.ts'
import { undecidedUntil } from './rules.ts'
import type { ChangeRow } from './tables.server.ts'
import { type CustomerProof, isCustomer } from './withdrawal-commands.server.ts'

const CHANGES_PER_RUN = 100

/** The side that proposes or answers: the booking's customer or its vendor, with the proof of that. */
export type ChangeParty = { side: 'customer'; by: CustomerProof } | { side: 'vendor'; userId: string }

async function isParty(deps: BookingDeps, row: BookingRow, party: ChangeParty): Promise<boolean> {
  return party.side === 'customer' ? isCustomer(deps, row, party.by) : row.owner_user_id === party.userId
}

export type Proposed =
  | { ok: true; changed: boolean; changeId: string }
  | { ok: false; reason: 'not_found' | 'open' | ChangeRefusal }
  | WantedRefusal
  | ({ ok: false; reason: 'stale' } & WantedChange)

/**
 * Proposes another date, time or quantity of a booking for one of its sides, and holds the new time until the proposal ends.
 * Until then the booking keeps its own time, which counts as free for this change.
 * @param input.shown what the proposing side saw (`shownText`)
 * @returns `changed` is false for a second press. Refuses with 'not_found' (also for another's booking), 'open' (one is open
 *   already), the reasons of `changeRefusal` and `findWanted`, and 'stale' with the present amounts when others were shown
 */
export async function proposeChange(
  deps: BookingDeps,
  input: { bookingId: string; party: ChangeParty; wanted: WantedSale; shown: string },
): Promise<Proposed> {
  const { party, wanted } = input
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, input.bookingId)
    if (!row || !(await isParty(deps, row, party))) return refuse('not_found')
    const now = deps.now()
    const refusal = refusalOf(row, now)
    if (refusal) return refuse(refusal)
    // Its balance may be charged at the same moment.
    await lockPayment(tx, row.payment_row_id)
    const open = await findOpenChange(tx, row.id)
    if (open) {
      const isRepeat = open.proposed_by === party.side && open.state === 'proposed' && isWanted(open, wanted)
      return isRepeat ? { ok: true, changed: false, changeId: open.id } : refuse('open')
    }
    const found = await findWanted(tx, row, wanted, { now, payoutTimes: deps.payoutTimes })
    if (!found.ok) return found
    const { after, time, plan, expiresAt } = found
    if (shownText(after, plan) !== input.shown) return { ...found, ...refuse('stale') }
    const id = newId()
    if (time) {
      const held = await holdMove(deps, tx, {
        businessId: row.vendor_id,
        changeId: id,
        firstPaymentId: row.payment_row_id,
        time,
        expiresAt,
      })
      if (!held.ok) return timeGone(tx, row, wanted, now)
    }
    await tx
      .insertInto('changes')
      .values({
        id,
        booking_id: row.id,
        proposed_by: party.side,
        state: 'proposed',
        ended_by: null,
        sale_before: JSON.stringify(saleOf(row)),
        sale_after: JSON.stringify(after),
        due_cents: plan.dueCents,
        refund_cents: plan.refundCents,
        payment_id: null,
        expires_at: expiresAt,
        created_at: now,
        answered_at: null,
        ended_at: null,
      })
      .execute()
    await tellOf(deps, tx, row, id, { kind: 'proposed', plan })
    deps.faultPoint('change-proposed-uncommitted')
    return { ok: true, changed: true, changeId: id }
  })
}

const isWanted = ({ sale_after: after }: ChangeRow, wanted: WantedSale) =>
  after.date === wanted.date && after.time === wanted.time && after.quantity === wanted.quantity

async function timeGone(
  tx: DatabaseTransaction,
  row: BookingRow,
  wanted: WantedSale,
  now: Date,
): Promise<TimeGone | { ok: false; reason: 'listing_gone' }> {
  const rules = await findAvailability(tx, row.vendor_id)
  if (!rules) return refuse('listing_gone')
  const slotRequest = movedSlotRequest(wanted, row.sold)
  const own = ownTimeOf(row.payment_row_id, row.sold)
  return findOtherTimes(tx, { businessId: row.vendor_id, slotRequest, now, exceptPayments: [], own }, rules)
}

export type ChangeAnswered =
  /** `isDue`: agreed, and waits for its payment. */
  | { ok: true; changed: boolean; isDue: boolean }
  | {
      ok: false
      reason:
        | 'not_found'
        | 'not_yours'
        | 'ended'
        | 'time_gone'
        | 'held_too_long'
        | ReplanRefusal
        | ChangeRefusal
    }
  | { ok: false; reason: 'stale'; after: Sale; plan: Replan }

type ChangeInput = { bookingId: string; changeId: string; party: ChangeParty }

/**
 * Agrees to the other side's proposal. If nothing has to be paid for it, it takes effect at once. Otherwise the customer pays it
 * (`openChangePayment`), and the held time waits for that.
 * @param input.shown what the agreeing side saw (`shownText`)
 * @returns `changed` is false for a second press. Refuses with 'not_found', 'not_yours' (one's own proposal), 'ended', 'time_gone',
 *   'held_too_long' (the booking was paid in between, and its money can't be held until the new date), the reasons of
 *   `changeRefusal` and `replan`, and 'stale' with the present amounts when others were shown
 */
export async function acceptChange(
  deps: BookingDeps,
  input: ChangeInput & { shown: string },
): Promise<ChangeAnswered> {
  const { party } = input
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockChange(deps, tx, input)
    if (!found) return refuse('not_found')
    const { row, change } = found
    if (change.proposed_by === party.side) return refuse('not_yours')
    // A second press of the button, or another tab.
    if (change.state === 'accepted' || change.state === 'paid')
      return { ok: true, changed: false, isDue: change.state === 'accepted' }
    const now = deps.now()
    if (change.state !== 'proposed' || change.expires_at <= now) return refuse('ended')
    const refusal = refusalOf(row, now)
    if (refusal) return refuse(refusal)
    const after = change.sale_after
    const limit = await findEventLimit(tx, row, deps.payoutTimes)
    if (movesPastLimit(limit, saleOf(row), after)) return refuse('held_too_long')
    const plan = await findPlan(tx, row, after, now)
    if (!plan.ok) return plan
    if (shownText(after, plan) !== input.shown) return { ...refuse('stale'), after, plan }
    if (plan.dueCents === 0) {
      const applied = await applyChange(deps, tx, row, change, { plan, paidBy: null })
      return applied.ok ? { ok: true, changed: true, isDue: false } : applied
    }
    const expiresAt = changeExpiresAt(now, change.sale_before, after)
    await prolongHold(tx, change.id, expiresAt)
    await tx
      .updateTable('changes')
      .set({
        state: 'accepted',
        due_cents: plan.dueCents,
        refund_cents: 0,
        answered_at: now,
        expires_at: expiresAt,
      })
      .where('id', '=', change.id)
      .execute()
    await tellOf(deps, tx, row, change.id, { kind: 'accepted', plan })
    return { ok: true, changed: true, isDue: true }
  })
}

/**
 * Ends an open change: the other side declines it, or a side takes its own back. A customer can also leave one unpaid that is
 * agreed. The held time is free at once.
 * @returns `changed` is false for a second press. Refuses with 'not_found', 'not_yours' (a vendor, once it is agreed), 'ended', and
 *   'paying' while a card is being charged for it
 */
export async function declineChange(
  deps: BookingDeps,
  input: ChangeInput,
): Promise<
  { ok: true; changed: boolean } | { ok: false; reason: 'not_found' | 'not_yours' | 'ended' | 'paying' }
> {
  const { side } = input.party
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockChange(deps, tx, input)
    if (!found) return refuse('not_found')
    const { row, change } = found
    if (change.state === 'declined') return { ok: true, changed: false }
    if (change.state !== 'proposed' && change.state !== 'accepted') return refuse('ended')
    if (change.state === 'accepted' && side === 'vendor') return refuse('not_yours')
    const payment = change.payment_id ? await findPayment(tx, change.payment_id) : undefined
    if (payment?.state === 'processing') return refuse('paying')
    await endChange(deps, tx, row, change, { state: 'declined', by: side })
    await tellOf(deps, tx, row, change.id, { kind: change.proposed_by === side ? 'taken_back' : 'declined' })
    return { ok: true, changed: true }
  })
}

/** Locks booking, purchase and change, in this order. @returns null where one of them isn't this party's */
async function lockChange(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  input: ChangeInput,
): Promise<{ row: BookingRow; change: ChangeRow } | null> {
  const row = await lockBooking(tx, input.bookingId)
  if (!row || !(await isParty(deps, row, input.party))) return null
  await lockPayment(tx, row.payment_row_id)
  const change = await tx
    .selectFrom('changes')
    .selectAll()
    .where('id', '=', input.changeId)
    .where('booking_id', '=', row.id)
    .executeTakeFirst()
  return change ? { row, change } : null
}

/**
 * Lets an agreed change take effect in the transaction that has locked the booking and its purchase: the new time is taken before
 * the old one is given up, then the sale, its instalments and its refund follow.
 * @param how.paidBy the payment that has paid for it; null where nothing was due
 * @returns refuses with 'time_gone' when its hold was lost and the time is taken. The change has then ended
 */
async function applyChange(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: BookingRow,
  change: ChangeRow,
  { plan, paidBy }: { plan: Replan; paidBy: string | null },
): Promise<{ ok: true } | { ok: false; reason: 'time_gone' }> {
  const now = deps.now()
  const before = saleOf(row)
  const after = change.sale_after
  const { payment_row_id: firstPaymentId } = row
  const time = movedTime(row, after)
  const first = await findPayment(tx, firstPaymentId)
  if (!first?.sold.terms) throw new Error('a booking without terms has a change')
  if (time) {
    const move = { businessId: row.vendor_id, changeId: change.id, firstPaymentId, bookingId: row.id, time }
    const moved = await moveBooking(deps, tx, move)
    if (!moved.ok) {
      await endChange(deps, tx, row, change, { state: 'expired', by: null })
      await tellOf(deps, tx, row, change.id, { kind: 'expired' })
      return refuse('time_gone')
    }
  }
  const priceCents = before.priceCents
  const instalments = await replanInstalments(tx, { first, priceCents, plan, paidBy, now })
  const { date, time: start, quantity, event, occupied } = after
  await changeSale(tx, first, {
    draft: { date, time: start, quantity },
    sold: {
      ...first.sold,
      event,
      occupied,
      terms: { ...first.sold.terms, priceCents: after.priceCents, instalments },
    },
  })
  const refundCents =
    plan.refundCents > 0
      ? await addRefundOfPurchase(deps, tx, {
          ...lineOf(row),
          amountCents: plan.refundCents,
          reason: 'changed',
          dueAt: now,
        })
      : 0
  const eventFrom = new Date(event.from)
  const isMoved = event.from !== before.event.from
  const decideBy = isMoved
    ? movedDecideBy(undecidedUntil(row.created_at, eventFrom, deps.undecided), eventFrom, now)
    : row.decide_by
  await tx
    .updateTable('bookings')
    .set({
      date,
      time: start,
      quantity,
      total_price_cents: after.priceCents,
      payment_status: await findMoneyStatus(tx, firstPaymentId),
      decide_by: decideBy,
      // The new day is reminded of too.
      ...(isMoved ? { event_reminded_at: null } : {}),
    })
    .where('id', '=', row.id)
    .execute()
  await tx
    .updateTable('changes')
    .set({
      state: 'paid',
      due_cents: plan.dueCents,
      refund_cents: refundCents,
      answered_at: change.answered_at ?? now,
      ended_at: now,
    })
    .where('id', '=', change.id)
    .execute()
  deps.faultPoint('change-applied-uncommitted')
  const changed = await lockBooking(tx, row.id)
  if (!changed) throw new Error('a booking vanished under its lock')
  await tellOf(deps, tx, changed, change.id, { kind: 'paid', plan: { ...plan, refundCents } })
  return { ok: true }
}

export type ChangePayment =
  | {
      ok: true
      clientSecret: string
      reference: string
      provider: PublicPaymentConfig
      amountCents: Cents
      /** The saved card; null where none can be charged. */
      method: string | null
    }
  | {
      ok: false
      reason: 'unknown_booking' | 'nothing_due' | 'time_gone' | 'provider_unavailable' | ReplanRefusal
    }

/**
 * Opens the payment of an agreed change, so that its customer pays it. From here on the held time waits until that payment ends.
 * @returns refuses with 'unknown_booking', 'nothing_due' (also once it has expired), 'time_gone', 'provider_unavailable' and the
 *   reasons of `replan`
 */
export async function openChangePayment(deps: BookingDeps, linkToken: string): Promise<ChangePayment> {
  const booking = await findRowByLink(deps.db, linkToken)
  if (!booking) return refuse('unknown_booking')
  const opened = await deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, booking.id)
    const change = row && (await findOpenChange(tx, row.id))
    const now = deps.now()
    if (!row || change?.state !== 'accepted' || change.expires_at <= now || refusalOf(row, now))
      return refuse('nothing_due')
    await lockPayment(tx, row.payment_row_id)
    const plan = await findPlan(tx, row, change.sale_after, now)
    if (!plan.ok) return plan
    if (plan.dueCents === 0) {
      // The balance was reduced or paid in the meantime, so the change has nothing left to wait for.
      if (change.payment_id) await giveUpFollowingPayments(tx, row.payment_row_id, change.payment_id)
      const applied = await applyChange(deps, tx, row, change, { plan, paidBy: null })
      return applied.ok ? refuse('nothing_due') : applied
    }
    const time = movedTime(row, change.sale_after)
    if (time && (await extendHold(deps, tx, change.id)) === 'gone') {
      const { payment_row_id: firstPaymentId, vendor_id: businessId } = row
      const held = await holdMove(deps, tx, {
        businessId,
        changeId: change.id,
        firstPaymentId,
        time,
        expiresAt: null,
      })
      if (!held.ok) return refuse('time_gone')
    }
    return { ok: true, payment: await ensurePayment(deps, tx, row, change, plan.dueCents) } as const
  })
  if (!opened.ok) return opened
  const { payment } = opened
  const provider = providerOf(deps, payment)
  if (!provider) return refuse('nothing_due')
  const asked = await openAtProvider(deps, provider, payment, (snapshot) =>
    applySnapshot(deps, provider, snapshot),
  )
  if (!asked.ok) return asked
  const card = await findSavedCard(deps.db, booking.payment_row_id)
  return {
    ok: true,
    clientSecret: asked.clientSecret,
    reference: asked.reference,
    provider: provider.publicConfig(),
    amountCents: Number(payment.amount_cents),
    method: card?.provider_method ?? null,
  }
}

/** Finds or stores the payment of an agreed change. One of another amount, or that has ended, is followed by another one. */
async function ensurePayment(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  change: ChangeRow,
  dueCents: Cents,
): Promise<PaymentRow> {
  const present = change.payment_id ? await findPayment(tx, change.payment_id) : undefined
  if (present && isUnsettled(present.state)) {
    if (Number(present.amount_cents) === dueCents) return present
    await giveUpFollowingPayments(tx, row.payment_row_id, present.id)
  }
  const first = await findPayment(tx, row.payment_row_id)
  if (!first) throw new Error('a booking has no payment')
  const payment = await storeFollowingPayment(deps, tx, {
    first,
    submitKey: `${CHANGE_KEY}${change.id}:${newId()}`,
    amountCents: dueCents,
    expiresAt: change.expires_at,
  })
  await tx
    .updateTable('changes')
    .set({ payment_id: payment.id, due_cents: dueCents })
    .where('id', '=', change.id)
    .execute()
  return payment
}

const CHANGE_KEY = 'change:'

/** Whether a further payment of a purchase pays for a change. */
export function paysForChange({ submit_key }: Pick<PaymentRow, 'submit_key'>): boolean {
  return submit_key.startsWith(CHANGE_KEY)
}

/**
 * Applies an agreed change whose payment has succeeded, under locks of booking and purchase. If the change now costs less than
 * was paid, the difference is refunded.
 * @returns refuses with 'paid_too_late' (the change has ended, or now costs more or nothing) and 'time_gone'. The payment is then
 *   refunded
 */
export async function settleChange(
  deps: BookingServices,
  tx: DatabaseTransaction,
  payment: PaymentRow,
  bookingId: string,
): Promise<{ ok: true } | { ok: false; reason: UnfulfilledReason }> {
  const row = await lockBooking(tx, bookingId)
  const change = row && (await findOpenChange(tx, row.id))
  if (!row || change?.state !== 'accepted' || change.payment_id !== payment.id) return refuse('paid_too_late')
  const now = deps.now()
  const plan = await findPlan(tx, row, change.sale_after, now)
  const paidCents = Number(payment.amount_cents)
  // The balance that this payment included has been charged in between.
  if (!plan.ok || plan.dueCents === 0 || plan.dueCents > paidCents) {
    await endChange(deps, tx, row, change, { state: 'expired', by: null })
    await tellOf(deps, tx, row, change.id, { kind: 'expired' })
    return refuse('paid_too_late')
  }
  // An operator has taken something off the balance while the customer had the payment open.
  const excess = { line: ONLY_LINE_ITEM, reason: 'operator', amountCents: paidCents - plan.dueCents } as const
  if (excess.amountCents > 0) await insertRefund(deps, tx, { ...excess, paymentId: payment.id, dueAt: now })
  return applyChange(deps, tx, row, change, { plan, paidBy: payment.id })
}

/**
 * Expires the changes that nobody has answered or paid in time, and frees their times. One whose payment is still open waits for the
 * sweep, which asks the provider first.
 */
export async function expireChanges(deps: BookingDeps): Promise<void> {
  const rows = await deps.db
    .selectFrom('changes')
    .select(['id', 'booking_id'])
    .where('state', 'in', OPEN_STATES)
    .where('expires_at', '<=', deps.now())
    .orderBy('expires_at')
    .limit(CHANGES_PER_RUN)
    .execute()
  await eachOf(rows, (row) => expireChange(deps, row))
}

async function expireChange(
  deps: BookingDeps,
  { id, booking_id: bookingId }: Pick<ChangeRow, 'id' | 'booking_id'>,
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, bookingId)
    if (!row) return
    await lockPayment(tx, row.payment_row_id)
    const change = await findOpenChange(tx, bookingId)
    if (change?.id !== id || change.expires_at > deps.now()) return
    const payment = change.payment_id ? await findPayment(tx, change.payment_id) : undefined
    if (payment && isUnsettled(payment.state) && payment.provider_reference) return
    await endChange(deps, tx, row, change, { state: 'expired', by: null })
    await tellOf(deps, tx, row, change.id, { kind: 'expired' })
  })
}

/** Tells both sides and their open pages about a change. */
async function tellOf(
  deps: BookingServices,
  tx: DatabaseTransaction,
  row: BookingRow,
  changeId: string,
  news: ChangeNews,
): Promise<void> {
  const change = await tx
    .selectFrom('changes')
    .selectAll()
    .where('id', '=', changeId)
    .executeTakeFirstOrThrow()
  await tellOfChange(deps, tx, row, change, news)
  await publishBooking(deps, tx, row, [row.owner_user_id, row.customer_user_id])
}
