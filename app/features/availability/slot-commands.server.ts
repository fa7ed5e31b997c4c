import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import { newId } from '../../shared/ids.ts'
import { lockByName } from '../../shared/locks.server.ts'
import { refuse } from '../../shared/result.ts'
import type { AgreedTime } from '../../shared/time-span.ts'
import { isFree } from './free-time-rules.ts'
import { findAvailability } from './hours-queries.server.ts'
import { UNPAID_HOLDS_OF_ADDRESS, UNPAID_HOLDS_OF_BROWSER } from './rules.ts'
import { isHeld, listTaken, rangeText } from './slot-queries.server.ts'

/**
 * Locks a business's calendar until the transaction ends. Every transaction that takes time (holds, bookings, blocked
 * times, imported events) or changes the capacity takes this lock before it counts, so that its count stays true until the
 * commit. Freeing time needs no lock.
 *
 * With a capacity of one, the exclusion constraint alone prevents overlaps, whatever the code does. A larger capacity
 * is counted, because assigning each slot to one of several lanes would refuse bookings that fit (docs/decisions/0009).
 */
export async function lockCalendar(tx: DatabaseTransaction, businessId: string): Promise<void> {
  await lockByName(tx, 'calendar', businessId)
}

/** The services of the commands that take and free time. */
export type SlotDeps = { liveUpdates: LiveUpdates; now: () => Date }

type NewSlot = {
  businessId: string
  paymentId: string
  time: AgreedTime
  /** Payments of the same browser, whose holds the new slot may replace. */
  exceptPayments: readonly string[]
} & (
  | {
      kind: 'hold'
      expiresAt: Date | null
      heldFrom?: string | null
      /** The first payment of the booking that would move to the held time. Its current slot is free for it. */
      movesPaymentId?: string
    }
  | { kind: 'booking'; bookingId: string }
)

/** The limit of unpaid holds that a new one would pass. */
export type TooManyHeld = 'too_many_held_by_browser' | 'too_many_held_by_address'

/**
 * Takes one place of the business's capacity if one is free, after deleting expired holds in its way.
 * @returns the payments whose holds it replaced. Refuses with 'taken', and a new hold also with `TooManyHeld`
 */
async function takePlace(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  slot: NewSlot,
): Promise<{ ok: true; replaced: string[] } | { ok: false; reason: 'taken' | TooManyHeld }> {
  const { businessId, paymentId, time } = slot
  const now = deps.now()
  const heldFrom = slot.kind === 'hold' ? slot.heldFrom : undefined
  await lockCalendar(tx, businessId)
  // Requests from one address to several businesses don't share a business's lock.
  if (heldFrom) await lockByName(tx, 'held', heldFrom)
  await tx
    .deleteFrom('slots')
    .where('business_id', '=', businessId)
    .where('expires_at', '<=', now)
    .where(sql<boolean>`during && ${rangeText(time.occupied)}::tstzrange`)
    .execute()
  const rules = await findAvailability(tx, businessId)
  // A deleted business has no rules, but keeps its agreed bookings.
  const capacity = rules?.capacity ?? 1
  const { exceptPayments } = slot
  const moves = (slot.kind === 'hold' && slot.movesPaymentId) || null
  const currentSlot = moves ? { firstPaymentId: moves } : null
  const taken = await listTaken(tx, businessId, time.occupied, now, { exceptPayments, currentSlot })
  if (!isFree({ capacity }, taken, time.occupied)) return refuse('taken')
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
      kind: slot.kind,
      during: rangeText(time.occupied),
      event: rangeText(time.event),
      time_zone: time.timeZone,
      is_exclusive: capacity === 1,
      expires_at: slot.kind === 'hold' ? slot.expiresAt : null,
      payment_id: paymentId,
      booking_id: slot.kind === 'booking' ? slot.bookingId : null,
      held_from: heldFrom ?? null,
      moves_payment_id: moves,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) return refuse('taken')
  await deps.liveUpdates.publish(tx, `calendar:${businessId}`)
  return { ok: true, replaced: replaced.flatMap((row) => row.payment_id ?? []) }
}

/** Returns the limit of unpaid holds that one more would pass. Holds that it replaces don't count. The address is locked. */
async function findTooManyHeld(
  tx: DatabaseTransaction,
  hold: { businessId: string; heldFrom: string | null; exceptPayments: readonly string[]; now: Date },
): Promise<TooManyHeld | null> {
  const { businessId, heldFrom, now } = hold
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
 * Holds a time while its payment is made. A browser has one hold per business: a new hold replaces those of its other
 * payments, unless their card is already being charged.
 * @param tx the transaction that stores the payment
 * @param hold.expiresAt when the hold expires; null while a card is being confirmed
 * @param hold.exceptPayments the browser's payments
 * @param hold.heldFrom a hash of the client's address, or null without one. Leave it out when a payment takes its hold
 *   again, which skips the limits of unpaid holds
 * @returns `replaced`: the payments that have lost their hold to this one. Refuses with 'taken' and `TooManyHeld`, and
 *   has then deleted nothing but expired holds
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
 * Extends a hold until its payment ends, because a card is being confirmed.
 * @returns 'gone' when there is no such hold or it has expired, 'before' when it was extended earlier
 */
export async function extendHold(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  paymentId: string,
): Promise<'extended' | 'before' | 'gone'> {
  const extended = await tx
    .updateTable('slots')
    .set({ expires_at: null })
    .where('payment_id', '=', paymentId)
    .where('expires_at', '>', deps.now())
    .returning('id')
    .executeTakeFirst()
  if (extended) return 'extended'
  return (await isHeld(tx, paymentId, deps.now())) ? 'before' : 'gone'
}

/** Expires a hold now, so that others can take its time. A hold whose card is being confirmed stays. */
export async function releaseHold(deps: SlotDeps, tx: DatabaseTransaction, paymentId: string): Promise<void> {
  await tx
    .updateTable('slots')
    .set({ expires_at: deps.now() })
    .where('payment_id', '=', paymentId)
    .where('expires_at', '>', deps.now())
    .execute()
}

/**
 * Turns a payment's hold into the slot of its booking, in the transaction that stores the booking. An expired hold that
 * still exists will do, since its time isn't taken. If the hold is gone, takes the time again if it is still free.
 * @returns refuses with 'taken' when the time is already taken
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

/** Frees the time of a payment that has ended, or of a declined or withdrawn booking. */
export async function freeSlot(deps: SlotDeps, tx: DatabaseTransaction, paymentId: string): Promise<void> {
  const freed = await tx
    .deleteFrom('slots')
    .where('payment_id', '=', paymentId)
    .returning('business_id')
    .executeTakeFirst()
  if (freed) await deps.liveUpdates.publish(tx, `calendar:${freed.business_id}`)
}

/**
 * Takes the time of a declined booking again when it is approved.
 * @returns refuses with 'taken' when the time is already taken
 */
export async function takeSlotAgain(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  slot: { businessId: string; paymentId: string; bookingId: string; time: AgreedTime },
): Promise<{ ok: true } | { ok: false; reason: 'taken' }> {
  const taken = await takePlace(deps, tx, { ...slot, kind: 'booking', exceptPayments: [] })
  return taken.ok ? { ok: true } : refuse('taken')
}

/**
 * Holds another time for a booking until its change takes effect or ends. Until then the booking keeps its current slot.
 * @param move.changeId names the hold, for `extendHold` and `freeSlot` too
 * @returns refuses with 'taken'
 */
export async function holdMove(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  move: {
    businessId: string
    changeId: string
    firstPaymentId: string
    time: AgreedTime
    expiresAt: Date | null
  },
): Promise<{ ok: true } | { ok: false; reason: 'taken' }> {
  const { changeId: paymentId, firstPaymentId: movesPaymentId, ...slot } = move
  const held = await takePlace(deps, tx, {
    ...slot,
    paymentId,
    movesPaymentId,
    kind: 'hold',
    exceptPayments: [],
  })
  return held.ok ? { ok: true } : refuse('taken')
}

/** Lets a hold expire at another time. One whose card is being confirmed stays until its payment ends. */
export async function prolongHold(
  tx: DatabaseTransaction,
  paymentId: string,
  expiresAt: Date,
): Promise<void> {
  await tx
    .updateTable('slots')
    .set({ expires_at: expiresAt })
    .where('payment_id', '=', paymentId)
    .where('expires_at', 'is not', null)
    .execute()
}

/**
 * Moves a booking to the time that its change holds, in the transaction that changes the booking. An expired hold that still
 * exists will do. If it is gone, the time is taken again if it is free. Only then is the old time given up.
 * @returns refuses with 'taken' when the new time is already taken. The booking then keeps its own
 */
export async function moveBooking(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  move: { businessId: string; changeId: string; firstPaymentId: string; bookingId: string; time: AgreedTime },
): Promise<{ ok: true } | { ok: false; reason: 'taken' }> {
  const { bookingId, ...held } = move
  const present = await tx
    .selectFrom('slots')
    .select('id')
    .where('payment_id', '=', move.changeId)
    .forUpdate()
    .executeTakeFirst()
  if (!present) {
    const again = await holdMove(deps, tx, { ...held, expiresAt: null })
    if (!again.ok) return again
  }
  await tx.deleteFrom('slots').where('payment_id', '=', move.firstPaymentId).execute()
  await tx
    .updateTable('slots')
    .set({
      kind: 'booking',
      payment_id: move.firstPaymentId,
      booking_id: bookingId,
      moves_payment_id: null,
      expires_at: null,
    })
    .where('payment_id', '=', move.changeId)
    .execute()
  await deps.liveUpdates.publish(tx, `calendar:${move.businessId}`)
  return { ok: true }
}
