import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { refreshMarkers } from '../businesses/marker-commands.server.ts'
import { findAvailability, findSettingsVersion } from './hours-queries.server.ts'
import { type BlockedTime, blockSpan, type HoursException } from './rules.ts'
import type { AvailabilitySettings } from './schema.ts'
import { lockCalendar, type SlotDeps } from './slot-commands.server.ts'
import { rangeText } from './slot-queries.server.ts'

export type AvailabilityDeps = SlotDeps & { db: Database }

// Far more than any vendor needs. The limits keep a script from filling the tables.
const MAX_EXCEPTIONS = 200
const MAX_BLOCKS = 1_000

export type OwnBusiness = { userId: string; businessId: string }

/** Changes a vendor's own calendar in one transaction, under its lock. Refuses with 'not_found' for anyone else. */
export async function changeCalendar<Answer extends { ok: true } | { ok: false; reason: string }>(
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

export type Changed = { ok: true } | { ok: false; reason: 'not_found' }

/**
 * Sets a business's opening hours and limits. Existing bookings stay, even where the new capacity or hours would refuse
 * them.
 * @param input.expectedVersion the version that the vendor saw (`findSettingsVersion`), so that of two people who save, the second
 *   doesn't unknowingly undo the first
 * @returns refuses with 'not_found' (no such business, or another owner's) and 'changed_meanwhile'
 */
export function setAvailability(
  deps: AvailabilityDeps,
  input: OwnBusiness & { settings: AvailabilitySettings; expectedVersion: string | null },
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
    // Each form copies the guest limit to the other's table by a trigger. The listing's form locks this row too.
    await tx.selectFrom('businesses').select('id').where('id', '=', businessId).forNoKeyUpdate().execute()
    if ((await findSettingsVersion(tx, businessId)) !== input.expectedVersion)
      return refuse('changed_meanwhile')
    await tx
      .insertInto('availability_settings')
      .values({ ...columns, business_id: businessId })
      .onConflict((conflict) => conflict.column('business_id').doUpdateSet(columns))
      .execute()
    await refreshMarkers(tx, businessId)
    // When the capacity drops to one, slots that already overlap can't be exclusive. They still count as taken.
    await sql`
      update slots s set is_exclusive = ${settings.capacity === 1} and not exists (
        select from slots o
        where o.business_id = s.business_id and o.kind <> 'block' and o.during && s.during
          and coalesce(o.moves_payment_id, o.payment_id) <> coalesce(s.moves_payment_id, s.payment_id))
      where s.business_id = ${businessId} and s.kind <> 'block'
    `.execute(tx)
    // A longer horizon has days that no sync has read. Without an ETag, the next sync reads the whole calendar.
    await tx
      .updateTable('outside_calendars')
      .set({ etag: null })
      .where('business_id', '=', businessId)
      .execute()
    return { ok: true } as const
  })
}

/**
 * Adds days whose hours differ from the week's.
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

/** Removes an exception. Succeeds if it is already gone. */
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
 * Blocks a time for the vendor, so that it can't be booked. Bookings in it stay, and show as conflicts.
 * @returns refuses with 'not_found', 'too_many', and 'no_such_time' when the clock skips the whole span
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

/** Unblocks a time. Succeeds if it is already gone. Never deletes a booking or a hold. */
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

/** Locks the calendars of all of a vendor's businesses, in the order of their ids. */
export async function lockCalendarsOf(tx: DatabaseTransaction, userId: string): Promise<void> {
  const own = await tx
    .selectFrom('businesses')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  for (const { id } of own) await lockCalendar(tx, id)
}

/**
 * Deletes the settings, exceptions, feeds, outside calendars and blocked times of all of a vendor's businesses, when
 * their account is deleted. The slots of bookings stay with the bookings. Call `lockCalendarsOf` before.
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
