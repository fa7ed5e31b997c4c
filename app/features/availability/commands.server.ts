import { sql } from 'kysely'
import { href } from 'react-router'
import type { CalendarAnswer, CalendarReader } from '../../adapters/calendars/port.ts'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { hashText } from '../../shared/signed.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { UNPAID_HOLDS_OF_ADDRESS, UNPAID_HOLDS_OF_BROWSER } from '../payments/rules.ts'
import {
  type AgreedTime,
  type CalendarEntry,
  findAvailability,
  findSettingsVersion,
  isHeld,
  listCalendarEntries,
  listTaken,
  rangeText,
} from './queries.server.ts'
import { type BlockedTime, blockSpan, type HoursException, isFree, type TimeSpan } from './rules.ts'
import type { AvailabilitySettings } from './schema.ts'

export type AvailabilityDeps = SlotDeps & { db: Database }
export type OutsideCalendarDeps = AvailabilityDeps & { calendars: CalendarReader }

// Far more than anybody needs; they keep a script from filling the tables.
const MAX_EXCEPTIONS = 200
const MAX_BLOCKS = 1_000
const MAX_OUTSIDE_CALENDARS = 5

const DAY_MS = 86_400_000
const SYNC_EVERY_MS = 15 * 60_000
/** What could not be read for a day is tried less often: nobody's server is knocked at for ever. */
const LOST_AFTER_MS = DAY_MS
const SYNC_LOST_EVERY_MS = 6 * 60 * 60_000
const CALENDARS_PER_SYNC = 100
const READ_AT_ONCE = 5
/** A little of the past, so that what goes on at this moment is in it, and all that can be booked. */
const SYNC_BACK_MS = DAY_MS
const SYNC_MARGIN_MS = 3 * DAY_MS
const FEED_TOKEN_LENGTH = 40

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
async function lockCalendar(tx: DatabaseTransaction, businessId: string): Promise<void> {
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
 * @returns refuses with 'taken', and says by what
 */
export async function takeSlotAgain(
  deps: SlotDeps,
  tx: DatabaseTransaction,
  slot: { businessId: string; paymentId: string; bookingId: string; time: AgreedTime },
): Promise<{ ok: true } | { ok: false; reason: 'taken'; takenBy: CalendarEntry[] }> {
  const taken = await takePlace(deps, tx, { ...slot, kind: 'booking', exceptPayments: [] })
  if (taken.ok) return { ok: true }
  const { businessId, time } = slot
  const takenBy = await listCalendarEntries(tx, { businessId, range: time.occupied, now: deps.now() })
  return { ok: false, reason: 'taken', takenBy }
}

type OwnBusiness = { userId: string; businessId: string }

/** Runs a change of a vendor's own calendar in one transaction, under its lock. */
async function changeCalendar<Answer extends { ok: true } | { ok: false; reason: string }>(
  deps: AvailabilityDeps,
  { userId, businessId }: OwnBusiness,
  change: (tx: DatabaseTransaction) => Promise<Answer>,
): Promise<Answer | { ok: false; reason: 'not_found' }> {
  return deps.db.transaction().execute(async (tx) => {
    await lockCalendar(tx, businessId)
    const own = await tx
      .selectFrom('businesses')
      .select('id')
      .where('id', '=', businessId)
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!own) return refuse('not_found')
    const answer = await change(tx)
    if (answer.ok) await deps.liveUpdates.publish(tx, `calendar:${businessId}`)
    return answer
  })
}

type Changed = { ok: true } | { ok: false; reason: 'not_found' }

/**
 * Sets what a business offers and when. Bookings that are there stay as they are, also where fewer at once or other hours
 * would not let them in any more.
 * @param input.seen the version that the vendor had before them (`findSettingsVersion`): of two who save, the second must
 *   not undo the first unseen
 * @returns refuses with 'not_found' (no such business, or another owner's) and 'changed_meanwhile'
 */
export function setAvailability(
  deps: AvailabilityDeps,
  input: OwnBusiness & { settings: AvailabilitySettings; seen: string | null },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'changed_meanwhile' }> {
  const { businessId, settings } = input
  const columns = {
    capacity: settings.capacity,
    max_guests: settings.maxGuests,
    weekly: JSON.stringify(settings.weekly),
    event_minutes: settings.eventMinutes,
    setup_minutes: settings.setupMinutes,
    cleanup_minutes: settings.cleanupMinutes,
    notice_minutes: settings.noticeMinutes,
    horizon_days: settings.horizonDays,
    updated_at: deps.now(),
  }
  return changeCalendar(deps, input, async (tx) => {
    if ((await findSettingsVersion(tx, businessId)) !== input.seen) return refuse('changed_meanwhile')
    await tx
      .insertInto('availability_settings')
      .values({ ...columns, business_id: businessId })
      .onConflict((conflict) => conflict.column('business_id').doUpdateSet(columns))
      .execute()
    // From many at once to one: what overlaps already can't claim to be alone, and counts all the same.
    await sql`
      update slots s set is_exclusive = ${settings.capacity === 1} and not exists (
        select from slots o
        where o.business_id = s.business_id and o.id <> s.id and o.kind <> 'block' and o.during && s.during)
      where s.business_id = ${businessId} and s.kind <> 'block'
    `.execute(tx)
    // A further horizon has days in it that no reading has looked at: the next one reads all.
    await tx
      .updateTable('outside_calendars')
      .set({ etag: null })
      .where('business_id', '=', businessId)
      .execute()
    return { ok: true } as const
  })
}

/**
 * Adds days with other hours than the week's.
 * @returns refuses with 'not_found' and 'too_many'
 */
export function addException(
  deps: AvailabilityDeps,
  input: OwnBusiness & { exception: HoursException },
): Promise<{ ok: true; id: string } | { ok: false; reason: 'not_found' | 'too_many' }> {
  const { businessId, exception } = input
  return changeCalendar(deps, input, async (tx) => {
    const { count } = await tx
      .selectFrom('availability_exceptions')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('business_id', '=', businessId)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_EXCEPTIONS) return refuse('too_many')
    const id = newId()
    await tx
      .insertInto('availability_exceptions')
      .values({
        id,
        business_id: businessId,
        from_day: exception.from,
        to_day: exception.to,
        hours: JSON.stringify(exception.hours),
        note: exception.note,
      })
      .execute()
    return { ok: true, id } as const
  })
}

/** Takes an exception back; one that is gone already is as good. */
export function removeException(
  deps: AvailabilityDeps,
  input: OwnBusiness & { exceptionId: string },
): Promise<Changed> {
  return changeCalendar(deps, input, async (tx) => {
    await tx
      .deleteFrom('availability_exceptions')
      .where('id', '=', input.exceptionId)
      .where('business_id', '=', input.businessId)
      .execute()
    return { ok: true } as const
  })
}

/**
 * Keeps a time for the vendor: nobody can book it. Bookings that are in it stay, and show as a conflict.
 * @returns refuses with 'not_found', 'too_many', and 'no_such_time' when the clock skips all of it
 */
export function blockTime(
  deps: AvailabilityDeps,
  input: OwnBusiness & { block: BlockedTime },
): Promise<{ ok: true; id: string } | { ok: false; reason: 'not_found' | 'too_many' | 'no_such_time' }> {
  const { businessId, block } = input
  return changeCalendar(deps, input, async (tx) => {
    const { count } = await tx
      .selectFrom('slots')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('business_id', '=', businessId)
      .where('kind', '=', 'block')
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_BLOCKS) return refuse('too_many')
    const rules = await findAvailability(tx, businessId)
    if (!rules) throw new Error('a business vanished under its lock')
    const span = blockSpan(block, rules.timeZone)
    if (span.from >= span.until) return refuse('no_such_time')
    const id = newId()
    await tx
      .insertInto('slots')
      .values({
        id,
        business_id: businessId,
        kind: 'block',
        during: rangeText(span),
        event: rangeText(span),
        time_zone: rules.timeZone,
        is_exclusive: false,
        expires_at: null,
        payment_id: null,
        booking_id: null,
        note: block.note,
        created_at: deps.now(),
      })
      .execute()
    return { ok: true, id } as const
  })
}

/** Opens a blocked time again; one that is gone already is as good. Bookings and holds are never touched by it. */
export function unblockTime(
  deps: AvailabilityDeps,
  input: OwnBusiness & { blockId: string },
): Promise<Changed> {
  return changeCalendar(deps, input, async (tx) => {
    await tx
      .deleteFrom('slots')
      .where('id', '=', input.blockId)
      .where('business_id', '=', input.businessId)
      .where('kind', '=', 'block')
      .execute()
    return { ok: true } as const
  })
}

/**
 * Makes the secret address of a business's calendar, in place of the one before.
 * @returns the token, this once: only its hash is stored
 */
export function makeFeed(
  deps: AvailabilityDeps,
  input: OwnBusiness,
): Promise<{ ok: true; token: string } | { ok: false; reason: 'not_found' }> {
  return changeCalendar(deps, input, async (tx) => {
    const token = newId(FEED_TOKEN_LENGTH)
    const columns = { token_hash: await hashText(token), created_at: deps.now() }
    await tx
      .insertInto('calendar_feeds')
      .values({ ...columns, business_id: input.businessId })
      .onConflict((conflict) => conflict.column('business_id').doUpdateSet(columns))
      .execute()
    return { ok: true, token } as const
  })
}

/** Makes the secret address open nothing any more. */
export function revokeFeed(deps: AvailabilityDeps, input: OwnBusiness): Promise<Changed> {
  return changeCalendar(deps, input, async (tx) => {
    await tx.deleteFrom('calendar_feeds').where('business_id', '=', input.businessId).execute()
    return { ok: true } as const
  })
}

/** Whether the feed names customers; it does not unless the vendor says so. */
export function showNamesInFeed(
  deps: AvailabilityDeps,
  input: OwnBusiness & { showsNames: boolean },
): Promise<Changed> {
  return changeCalendar(deps, input, async (tx) => {
    const changed = await tx
      .updateTable('calendar_feeds')
      .set({ shows_names: input.showsNames })
      .where('business_id', '=', input.businessId)
      .returning('business_id')
      .executeTakeFirst()
    return changed ? ({ ok: true } as const) : refuse('not_found')
  })
}

/**
 * Forgets what a vendor has set and linked about the time of all their businesses, when their account is deleted. The
 * slots of bookings stay with the bookings.
 */
export async function forgetCalendars(tx: DatabaseTransaction, userId: string): Promise<void> {
  const own = tx.selectFrom('businesses').select('id').where('user_id', '=', userId)
  for (const table of [
    'availability_settings',
    'availability_exceptions',
    'calendar_feeds',
    'outside_calendars',
  ] as const) {
    await tx.deleteFrom(table).where('business_id', 'in', own).execute()
  }
  await tx.deleteFrom('slots').where('business_id', 'in', own).where('kind', '=', 'block').execute()
}

type ReadRefusal = Extract<CalendarAnswer, { ok: false }>['reason']

/**
 * Adds a calendar elsewhere and reads it at once, so that a wrong address is refused while the vendor is looking.
 * @returns how many events it has. Refuses with 'not_found', 'too_many', 'already_there', and with why it can't be read
 */
export async function addOutsideCalendar(
  deps: OutsideCalendarDeps,
  input: OwnBusiness & { name: string; url: string },
): Promise<
  | { ok: true; id: string; events: number }
  | { ok: false; reason: 'not_found' | 'too_many' | 'already_there' | ReadRefusal }
> {
  const { businessId, name, url } = input
  // Before anything is fetched for them, and once more below, since that takes its time.
  const wanted = await changeCalendar(deps, input, (tx) => checkCalendar(tx, businessId, url))
  if (!wanted.ok) return wanted
  const rules = await findAvailability(deps.db, businessId)
  if (!rules) return refuse('not_found')
  const now = deps.now()
  const answer = await deps.calendars.read(url, syncWindow(rules, now), rules.timeZone, null)
  if (!answer.ok) return refuse(answer.reason)
  return changeCalendar(deps, input, async (tx) => {
    const checked = await checkCalendar(tx, businessId, url)
    if (!checked.ok) return checked
    const id = newId()
    await tx
      .insertInto('outside_calendars')
      .values({
        id,
        business_id: businessId,
        name,
        url,
        added_at: now,
        next_sync_at: new Date(now.getTime() + SYNC_EVERY_MS),
        last_synced_at: null,
        last_error: null,
        etag: null,
      })
      .execute()
    await storeReading(deps, tx, { id, businessId, name }, answer)
    return { ok: true, id, events: answer.events.length } as const
  })
}

async function checkCalendar(
  tx: DatabaseTransaction,
  businessId: string,
  url: string,
): Promise<{ ok: true } | { ok: false; reason: 'already_there' | 'too_many' }> {
  const there = await tx
    .selectFrom('outside_calendars')
    .select('url')
    .where('business_id', '=', businessId)
    .execute()
  if (there.some((row) => row.url === url)) return refuse('already_there')
  return there.length < MAX_OUTSIDE_CALENDARS ? { ok: true } : refuse('too_many')
}

/** Takes an outside calendar and its busy times away; one that is gone already is as good. */
export function removeOutsideCalendar(
  deps: AvailabilityDeps,
  input: OwnBusiness & { calendarId: string },
): Promise<Changed> {
  return changeCalendar(deps, input, async (tx) => {
    await tx
      .deleteFrom('outside_calendars')
      .where('id', '=', input.calendarId)
      .where('business_id', '=', input.businessId)
      .execute()
    return { ok: true } as const
  })
}

/**
 * Reads the outside calendars that are due, a few at a time. What one of them says replaces what it said before; one that
 * can't be read keeps it, since forgetting a busy time could book it twice.
 * @throws AggregateError when some of them failed for a reason of ours; the others are done
 */
export async function syncOutsideCalendars(deps: OutsideCalendarDeps): Promise<void> {
  const { db } = deps
  await db
    .deleteFrom('outside_calendars')
    .using('businesses')
    .whereRef('businesses.id', '=', 'outside_calendars.business_id')
    .where('businesses.deleted_at', 'is not', null)
    .execute()
  const due = await db
    .selectFrom('outside_calendars')
    .select('id')
    .where('next_sync_at', '<=', deps.now())
    .orderBy('next_sync_at')
    .limit(CALENDARS_PER_SYNC)
    .execute()
  const errors: unknown[] = []
  for (let done = 0; done < due.length; done += READ_AT_ONCE) {
    const batch = due.slice(done, done + READ_AT_ONCE).map(({ id }) => syncOutsideCalendar(deps, id))
    for (const outcome of await Promise.allSettled(batch)) {
      if (outcome.status === 'rejected') errors.push(outcome.reason)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${due.length} failed`)
}

/**
 * Reads one outside calendar at once, as its vendor asks.
 * @returns refuses with 'not_found', and with why it can't be read
 */
export async function syncOutsideCalendarNow(
  deps: OutsideCalendarDeps,
  input: OwnBusiness & { calendarId: string },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | ReadRefusal }> {
  const own = await changeCalendar(deps, input, async (tx) => {
    const due = await tx
      .updateTable('outside_calendars')
      .set({ next_sync_at: deps.now() })
      .where('id', '=', input.calendarId)
      .where('business_id', '=', input.businessId)
      .returning('id')
      .executeTakeFirst()
    return due ? ({ ok: true } as const) : refuse('not_found')
  })
  if (!own.ok) return own
  const answer = await syncOutsideCalendar(deps, input.calendarId)
  return answer === null || answer.ok ? { ok: true } : refuse(answer.reason)
}

/** @returns null when another process reads it, or it is gone */
async function syncOutsideCalendar(
  deps: OutsideCalendarDeps,
  calendarId: string,
): Promise<CalendarAnswer | null> {
  const now = deps.now()
  // Taken by moving its next reading on, so that no other process reads it too.
  const calendar = await deps.db
    .updateTable('outside_calendars')
    .set({ next_sync_at: new Date(now.getTime() + SYNC_EVERY_MS) })
    .where('id', '=', calendarId)
    .where('next_sync_at', '<=', now)
    .returning(['id', 'business_id', 'name', 'url', 'etag', 'added_at', 'last_synced_at'])
    .executeTakeFirst()
  const rules = calendar && (await findAvailability(deps.db, calendar.business_id))
  if (!rules) return null
  const window = syncWindow(rules, now)
  const answer = await deps.calendars.read(calendar.url, window, rules.timeZone, calendar.etag)
  await deps.db.transaction().execute(async (tx) => {
    await lockCalendar(tx, calendar.business_id)
    const { id, name, business_id: businessId } = calendar
    if (answer.ok) await storeReading(deps, tx, { id, businessId, name }, answer)
    else {
      const lastRead = calendar.last_synced_at ?? calendar.added_at
      const isLost = now.getTime() - lastRead.getTime() > LOST_AFTER_MS
      await tx
        .updateTable('outside_calendars')
        .set({
          last_error: answer.reason,
          ...(isLost ? { next_sync_at: new Date(now.getTime() + SYNC_LOST_EVERY_MS) } : {}),
        })
        .where('id', '=', id)
        .execute()
    }
    await deps.liveUpdates.publish(tx, `calendar:${businessId}`)
  })
  return answer
}

function syncWindow({ horizonDays }: { horizonDays: number }, now: Date): TimeSpan {
  return {
    from: new Date(now.getTime() - SYNC_BACK_MS),
    until: new Date(now.getTime() + horizonDays * DAY_MS + SYNC_MARGIN_MS),
  }
}

/** Replaces what a calendar said before. The business's lock is held, so no hold slips in between. */
async function storeReading(
  deps: AvailabilityDeps,
  tx: DatabaseTransaction,
  calendar: { id: string; businessId: string; name: string },
  answer: Extract<CalendarAnswer, { ok: true }>,
): Promise<void> {
  const stored = await tx
    .updateTable('outside_calendars')
    .set({ last_synced_at: deps.now(), last_error: null, etag: answer.etag })
    .where('id', '=', calendar.id)
    .returning('id')
    .executeTakeFirst()
  // Taken away while it was read.
  if (!stored || answer.unchanged) return
  await tx.deleteFrom('outside_events').where('calendar_id', '=', calendar.id).execute()
  const events = answer.events.filter(({ from, until }) => from < until)
  if (events.length === 0) return
  const ranges = events.map(rangeText)
  const titles = events.map(({ title }) => title)
  await sql`
    insert into outside_events (calendar_id, during, title)
    select ${calendar.id}, r::tstzrange, t from unnest(${ranges}::text[], ${titles}::text[]) as e (r, t)
  `.execute(tx)
  await tellOfConflicts(deps, tx, calendar)
}

/** A booking that an imported event overlaps is the vendor's to decide: they are told, once for each booking. */
async function tellOfConflicts(
  deps: AvailabilityDeps,
  tx: DatabaseTransaction,
  calendar: { id: string; businessId: string; name: string },
): Promise<void> {
  const now = deps.now()
  const found = await sql<{ user_id: string; customer_name: string; booking_id: string }>`
    select distinct businesses.user_id, bookings.customer_name, s.booking_id
    from slots s
    join businesses on businesses.id = s.business_id
    join bookings on bookings.id = s.booking_id
    join outside_events e on e.calendar_id = ${calendar.id} and e.during && s.during
    where s.business_id = ${calendar.businessId} and upper(s.during) > ${now.toISOString()}::timestamptz
  `.execute(tx)
  let told = false
  for (const { user_id, customer_name, booking_id } of found.rows) {
    const added = await addNotification(
      tx,
      {
        userId: user_id,
        kind: 'conflict',
        title: `${customer_name}’s booking is at the same time as an event of ${calendar.name}`,
        body: 'Nothing has been changed. Look at your calendar and decide.',
        link: href('/dashboard/calendar'),
        eventKey: `booking-conflict:${booking_id}`,
      },
      now,
    )
    if (added) told = true
  }
  const [first] = found.rows
  if (told && first) await deps.liveUpdates.publish(tx, `notifications:${first.user_id}`)
}
