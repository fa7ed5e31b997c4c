import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { UNPAID_HOLDS_OF_ADDRESS, UNPAID_HOLDS_OF_BROWSER } from '../payments/rules.ts'
import { findAvailability } from './hours-queries.server.ts'
import { isFree } from './rules.ts'
import { type AgreedTime, isHeld, listTaken, rangeText } from './slot-queries.server.ts'

/**
 * Who takes time, and in which order they wait for each other. Whoever takes any (holds, bookings, blocked times, imported
 * events) and whoever changes how much there is takes the business's lock first, so that what is counted stays true until
 * the commit; giving time back needs no lock. Where a transaction locks more, the order is everywhere the same: the
 * payment, the booking, the business's lock, the lock of an address that holds times, slots, the seller's series of
 * receipts.
 *
 * Where one booking is taken at a time the exclusion constraint holds that by itself, whatever the code does. For more
 * there is the count: one slot in one of several lanes would be refused what fits (docs/decisions/0009).
 */
export async function lockCalendar(tx: DatabaseTransaction, businessId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`calendar:${businessId}`}, 0))`.execute(tx)
}

/** What the commands that take and give back time work with. */
export type SlotDeps = { liveUpdates: LiveUpdates; now: () => Date }

type WantedSlot = {
  businessId: string
  paymentId: string
  time: AgreedTime
  /** Payments of the same browser, whose holds are in nobody else's way. */
  exceptPayments: readonly string[]
} & (
  | { kind: 'hold'; expiresAt: Date | null; heldFrom?: string | null }
  | { kind: 'booking'; bookingId: string }
)

/** The limit of unpaid holds that a new one would pass. */
export type TooManyHeld = 'too_many_held_by_browser' | 'too_many_held_by_address'

/**
 * Takes a place of the business's capacity, if one is free: void holds in the way are deleted first.
 * @returns the payments whose holds it has replaced. Refuses with 'taken', and a new hold also with `TooManyHeld`
 */
async function takePlace(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  wanted: WantedSlot,
): Promise<{ ok: true; replaced: string[] } | { ok: false; reason: 'taken' | TooManyHeld }> {
  const { businessId, paymentId, time } = wanted
  const now = deps.now()
  await lockCalendar(tx, businessId)
  await tx
    .deleteFrom('slots')
    .where('business_id', '=', businessId)
    .where('expires_at', '<=', now)
    .where(sql<boolean>`during && ${rangeText(time.occupied)}::tstzrange`)
    .execute()
  const rules = await findAvailability(tx, businessId)
  // A business that is deleted keeps what was agreed before.
  const capacity = rules?.capacity ?? 1
  const { exceptPayments } = wanted
  const taken = await listTaken(tx, businessId, time.occupied, now, { exceptPayments })
  if (!isFree({ capacity }, taken, time.occupied)) return refuse('taken')
  const heldFrom = wanted.kind === 'hold' ? wanted.heldFrom : undefined
  if (heldFrom !== undefined) {
    const tooMany = await findTooManyHeld(tx, { businessId, heldFrom, exceptPayments, now })
    if (tooMany) return refuse(tooMany)
  }
  const replaced = await tx
    .deleteFrom('slots')
    .where('business_id', '=', businessId)
    .where('expires_at', 'is not', null)
    .where('payment_id', 'in', ['', ...exceptPayments])
    .returning('payment_id')
    .execute()
  const added = await tx
    .insertInto('slots')
    .values({
      id: newId(),
      business_id: businessId,
      kind: wanted.kind,
      during: rangeText(time.occupied),
      event: rangeText(time.event),
      time_zone: time.timeZone,
      is_exclusive: capacity === 1,
      expires_at: wanted.kind === 'hold' ? wanted.expiresAt : null,
      payment_id: paymentId,
      booking_id: wanted.kind === 'booking' ? wanted.bookingId : null,
      held_from: heldFrom ?? null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return refuse('taken')
  await deps.liveUpdates.publish(tx, `calendar:${businessId}`)
  return { ok: true, replaced: replaced.flatMap((row) => row.payment_id ?? []) }
}

/** Returns the limit of unpaid holds that one more would pass. Holds that it replaces don't count. */
async function findTooManyHeld(
  tx: DatabaseTransaction,
  hold: { businessId: string; heldFrom: string | null; exceptPayments: readonly string[]; now: Date },
): Promise<TooManyHeld | null> {
  const { businessId, heldFrom, now } = hold
  // Requests of one address at several businesses don't share the business's lock.
  if (heldFrom !== null)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`held:${heldFrom}`}, 0))`.execute(tx)
  const rows = await tx
    .selectFrom('slots')
    .select(['business_id', 'payment_id', 'expires_at', 'held_from'])
    .where('kind', '=', 'hold')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .where((eb) =>
      eb.or([eb('held_from', '=', heldFrom), eb('payment_id', 'in', ['', ...hold.exceptPayments])]),
    )
    .execute()
  const own = new Set<string | null>(hold.exceptPayments)
  const held = rows.filter(
    (row) => !(own.has(row.payment_id) && row.business_id === businessId && row.expires_at !== null),
  )
  if (held.filter((row) => own.has(row.payment_id)).length >= UNPAID_HOLDS_OF_BROWSER)
    return 'too_many_held_by_browser'
  if (held.filter((row) => row.held_from === heldFrom).length >= UNPAID_HOLDS_OF_ADDRESS && heldFrom !== null)
    return 'too_many_held_by_address'
  return null
}

/**
 * Keeps a time free while its payment is made. A browser has one hold of a business: the new one takes the place of
 * those of its other payments, unless their card is being charged already.
 * @param tx the transaction that stores the payment
 * @param hold.expiresAt when it is void; null while a card is being confirmed
 * @param hold.exceptPayments the browser's payments
 * @param hold.heldFrom a hash of the client's address, or null without one; leave it out to take a hold again, past the
 *   limits of unpaid holds
 * @returns `replaced`: the payments that have lost their hold to this one. Refuses with 'taken' and `TooManyHeld`;
 *   nothing but void holds is then gone
 */
export async function takeHold(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  hold: {
    businessId: string
    paymentId: string
    time: AgreedTime
    expiresAt: Date | null
    exceptPayments: readonly string[]
    heldFrom?: string | null
  },
): Promise<{ ok: true; replaced: string[] } | { ok: false; reason: 'taken' | TooManyHeld }> {
  return takePlace(deps, tx, { ...hold, kind: 'hold' })
}

/**
 * Lets a hold last until its payment ends: a card is being confirmed.
 * @returns 'gone' when there is no such hold (any more) or its time is over, 'before' when it lasts that long already
 */
export async function keepHold(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  paymentId: string,
): Promise<'kept' | 'before' | 'gone'> {
  const kept = await tx
    .updateTable('slots')
    .set({ expires_at: null })
    .where('payment_id', '=', paymentId)
    .where('expires_at', '>', deps.now())
    .returning('id')
    .executeTakeFirst()
  if (kept) return 'kept'
  return (await isHeld(tx, paymentId, deps.now())) ? 'before' : 'gone'
}

/** Lets anybody take a hold's time from now on; one whose card is being confirmed waits for its payment's end. */
export async function releaseHold(deps: SlotDeps, tx: DatabaseTransaction, paymentId: string): Promise<void> {
  await tx
    .updateTable('slots')
    .set({ expires_at: deps.now() })
    .where('payment_id', '=', paymentId)
    .where('expires_at', '>', deps.now())
    .execute()
}

/**
 * Makes a payment's hold the slot of its booking, in the transaction that stores the booking. Void but still there is as
 * good as new: nobody has taken it. If it is gone, the time is taken again if it is still free.
 * @returns refuses with 'taken' when somebody else has it now
 */
export async function consumeHold(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  hold: { businessId: string; paymentId: string; bookingId: string; time: AgreedTime },
): Promise<{ ok: true } | { ok: false; reason: 'taken' }> {
  const consumed = await tx
    .updateTable('slots')
    .set({ kind: 'booking', booking_id: hold.bookingId, expires_at: null, held_from: null })
    .where('payment_id', '=', hold.paymentId)
    .where('kind', '=', 'hold')
    .returning('id')
    .executeTakeFirst()
  if (consumed) {
    await deps.liveUpdates.publish(tx, `calendar:${hold.businessId}`)
    return { ok: true }
  }
  const taken = await takePlace(deps, tx, { ...hold, kind: 'booking', exceptPayments: [] })
  return taken.ok ? { ok: true } : refuse('taken')
}

/** Gives back the time of a payment that has ended, or of a booking that is declined or withdrawn. */
export async function freeSlot(deps: SlotDeps, tx: DatabaseTransaction, paymentId: string): Promise<void> {
  const freed = await tx
    .deleteFrom('slots')
    .where('payment_id', '=', paymentId)
    .returning('business_id')
    .executeTakeFirst()
  if (freed) await deps.liveUpdates.publish(tx, `calendar:${freed.business_id}`)
}

/**
 * Takes the time of a declined booking again, which is approved after all.
 * @returns refuses with 'taken' when somebody else has it now
 */
export async function takeSlotAgain(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  slot: { businessId: string; paymentId: string; bookingId: string; time: AgreedTime },
): Promise<{ ok: true } | { ok: false; reason: 'taken' }> {
  const taken = await takePlace(deps, tx, { ...slot, kind: 'booking', exceptPayments: [] })
  return taken.ok ? { ok: true } : refuse('taken')
}
