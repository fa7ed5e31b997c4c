import type { DatabaseTransaction } from '../../../adapters/database/port.ts'
import { newId } from '../../../shared/ids.ts'
import { refuse } from '../../../shared/result.ts'
import { findAvailability } from '../../availability/hours-queries.server.ts'
import { holdMove, prolongHold } from '../../availability/slot-commands.server.ts'
import { findOtherTimes, type TimeGone } from '../../availability/slot-queries.server.ts'
import { findPayment, lockPayment } from '../../payments/queries.server.ts'
import type { Replan, ReplanRefusal } from '../../sales/replan-rules.ts'
import { type CustomerProof, isCustomer } from '../cancellation/withdrawal-commands.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { type BookingRow, lockBooking } from '../row-queries.server.ts'
import { refusalOf } from '../row-rules.ts'
import type { ChangeRow } from '../tables.server.ts'
import { applyChange, tellOf } from './effect-commands.server.ts'
import { endChange } from './end-commands.server.ts'
import {
  findEventLimit,
  findOpenChange,
  findPlan,
  findProposedChange,
  type ProposalRefusal,
  type ProposedChange,
} from './queries.server.ts'
import {
  amountsText,
  type BookedEvent,
  bookedEventOf,
  type ChangeRefusal,
  changeExpiresAt,
  currentSlotOf,
  movedSlotRequest,
  movesPastLimit,
  type ProposedEvent,
} from './rules.ts'

/** The side that proposes or answers: the booking's customer or its vendor, with the proof of that. */
export type ChangeParty = { side: 'customer'; by: CustomerProof } | { side: 'vendor'; userId: string }

async function isParty(deps: BookingDeps, row: BookingRow, party: ChangeParty): Promise<boolean> {
  return party.side === 'customer' ? isCustomer(deps, row, party.by) : row.owner_user_id === party.userId
}

/** Why this side can't change a booking; null if it can. A vendor who has declined it has to undo that first. */
function refusalFor({ side }: ChangeParty, row: BookingRow, now: Date): ChangeRefusal | null {
  return side === 'vendor' && row.tells_at ? 'over' : refusalOf(row, now)
}

export type Proposed =
  | { ok: true; changed: boolean; changeId: string }
  | { ok: false; reason: 'not_found' | 'open' | ChangeRefusal }
  | ProposalRefusal
  | ({ ok: false; reason: 'stale' } & ProposedChange)

/**
 * Proposes another date, time or quantity of a booking for one of its sides, and holds the new time until the proposal ends.
 * Until then the booking keeps its current slot, which counts as free for this change.
 * @param input.expectedAmounts what the proposing side saw (`amountsText`)
 * @returns `changed` is false for a second press. Refuses with 'not_found' (also for another's booking), 'open' (one is open
 *   already), the reasons of `changeRefusal` and `findProposedChange`, and 'stale' with the present amounts when others were shown
 */
export async function proposeChange(
  deps: BookingDeps,
  input: { bookingId: string; party: ChangeParty; proposed: ProposedEvent; expectedAmounts: string },
): Promise<Proposed> {
  const { party, proposed } = input
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, input.bookingId)
    if (!row || !(await isParty(deps, row, party))) return refuse('not_found')
    const now = deps.now()
    const refusal = refusalFor(party, row, now)
    if (refusal) return refuse(refusal)
    // Its balance may be charged at the same moment.
    await lockPayment(tx, row.payment_row_id)
    const open = await findOpenChange(tx, row.id)
    if (open) {
      const isRepeat =
        open.proposed_by === party.side && open.state === 'proposed' && isSameProposal(open, proposed)
      return isRepeat ? { ok: true, changed: false, changeId: open.id } : refuse('open')
    }
    const found = await findProposedChange(tx, row, proposed, { now, payoutTimes: deps.payoutTimes })
    if (!found.ok) return found
    const { after, time, plan, expiresAt } = found
    if (amountsText(after, plan) !== input.expectedAmounts) return { ...found, ...refuse('stale') }
    const id = newId()
    if (time) {
      const held = await holdMove(deps, tx, {
        businessId: row.vendor_id,
        changeId: id,
        firstPaymentId: row.payment_row_id,
        time,
        expiresAt,
      })
      if (!held.ok) return timeGone(tx, row, proposed, now)
    }
    await tx
      .insertInto('changes')
      .values({
        id,
        booking_id: row.id,
        proposed_by: party.side,
        state: 'proposed',
        ended_by: null,
        sale_before: JSON.stringify(bookedEventOf(row)),
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

const isSameProposal = ({ sale_after: after }: ChangeRow, proposed: ProposedEvent) =>
  after.date === proposed.date && after.time === proposed.time && after.quantity === proposed.quantity

async function timeGone(
  tx: DatabaseTransaction,
  row: BookingRow,
  proposed: ProposedEvent,
  now: Date,
): Promise<TimeGone | { ok: false; reason: 'listing_gone' }> {
  const rules = await findAvailability(tx, row.vendor_id)
  if (!rules) return refuse('listing_gone')
  const slotRequest = movedSlotRequest(proposed, row.sale)
  const currentSlot = currentSlotOf(row.payment_row_id, row.sale)
  return findOtherTimes(
    tx,
    { businessId: row.vendor_id, slotRequest, now, exceptPayments: [], currentSlot },
    rules,
  )
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
  | { ok: false; reason: 'stale'; after: BookedEvent; plan: Replan }

type ChangeInput = { bookingId: string; changeId: string; party: ChangeParty }

/**
 * Agrees to the other side's proposal. If nothing has to be paid for it, it takes effect at once. Otherwise the customer pays it
 * (`openChangePayment`), and the held time waits for that.
 * @param input.expectedAmounts what the agreeing side saw (`amountsText`)
 * @returns `changed` is false for a second press. Refuses with 'not_found', 'not_yours' (one's own proposal), 'ended', 'time_gone',
 *   'held_too_long' (the booking was paid in between, and its money can't be held until the new date), the reasons of
 *   `changeRefusal` and `replan`, and 'stale' with the present amounts when others were shown
 */
export async function acceptChange(
  deps: BookingDeps,
  input: ChangeInput & { expectedAmounts: string },
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
    const refusal = refusalFor(party, row, now)
    if (refusal) return refuse(refusal)
    const after = change.sale_after
    const limit = await findEventLimit(tx, row, deps.payoutTimes)
    if (movesPastLimit(limit, bookedEventOf(row), after)) return refuse('held_too_long')
    const plan = await findPlan(tx, row, after, now)
    if (!plan.ok) return plan
    if (amountsText(after, plan) !== input.expectedAmounts) return { ...refuse('stale'), after, plan }
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
    // The customer would be told, and the booking's own end ends the change.
    if (side === 'vendor' && row.tells_at) return refuse('ended')
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
