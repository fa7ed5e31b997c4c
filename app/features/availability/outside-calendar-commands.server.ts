import { sql } from 'kysely'
import { href } from 'react-router'
import type { BusyEvent, CalendarAnswer, CalendarReader } from '../../adapters/calendars/port.ts'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { hashText } from '../../shared/signed.ts'
import type { TimeSpan } from '../../shared/time-span.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { mergeBusyTimes } from './busy-time-rules.ts'
import {
  type AvailabilityDeps,
  type Changed,
  changeCalendar,
  type OwnBusiness,
} from './hours-commands.server.ts'
import { findAvailability } from './hours-queries.server.ts'
import { lockCalendar } from './slot-commands.server.ts'
import { rangeText } from './slot-queries.server.ts'

/**
 * A conflict names the customer, and a reading leaves out the business's own bookings. Bookings is a later feature, so
 * it passes these queries in.
 */
export type OutsideCalendarDeps = AvailabilityDeps & {
  calendars: CalendarReader
  findCustomerNames(
    tx: DatabaseTransaction,
    bookingIds: readonly string[],
  ): Promise<ReadonlyMap<string, string>>
  listBookingsOf(
    tx: DatabaseTransaction,
    businessId: string,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>>
}

// Far more than any vendor needs. The limit keeps a script from filling the table.
const MAX_OUTSIDE_CALENDARS = 5

const SYNC_EVERY_MS = 15 * MINUTE_MS
/** After a day without a successful read, a calendar is tried less often, to spare the other server. */
const LOST_AFTER_MS = DAY_MS
const SYNC_LOST_EVERY_MS = 6 * 60 * MINUTE_MS
const CALENDARS_PER_SYNC = 100
const READ_AT_ONCE = 5
/** Every sync reads a day of the past, to include current events, and everything up to the horizon. */
const SYNC_BACK_MS = DAY_MS
const SYNC_MARGIN_MS = 3 * DAY_MS
const FEED_TOKEN_LENGTH = 40

/**
 * Makes the secret address of a business's calendar feed, which replaces the previous one.
 * @returns the token. It can't be read again, since only its hash is stored
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

/** Revokes the feed's secret address. */
export function revokeFeed(deps: AvailabilityDeps, input: OwnBusiness): Promise<Changed> {
  return changeCalendar(deps, input, async (tx) => {
    await tx.deleteFrom('calendar_feeds').where('business_id', '=', input.businessId).execute()
    return { ok: true } as const
  })
}

/** Sets whether the feed names customers. By default it doesn't. */
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

type ReadRefusal = Extract<CalendarAnswer, { ok: false }>

/** The event that made a calendar unreadable; null for any other refusal. */
const eventOf = (answer: ReadRefusal) => (answer.reason === 'unreadable_event' ? answer.event : null)

/**
 * Adds an outside calendar and reads it at once, so that a wrong address is refused while the vendor is looking.
 * @returns the number of its events, without the business's own bookings. Refuses with 'not_found', 'too_many',
 *   'already_there', and the reader's refusal
 */
export async function addOutsideCalendar(
  deps: OutsideCalendarDeps,
  input: OwnBusiness & { name: string; url: string },
): Promise<
  | { ok: true; id: string; events: number }
  | { ok: false; reason: 'not_found' | 'too_many' | 'already_there' }
  | ReadRefusal
> {
  const { businessId, name, url } = input
  // Checked before the fetch, and again after it, since the fetch takes time.
  const wanted = await changeCalendar(deps, input, (tx) => checkCalendar(tx, businessId, url))
  if (!wanted.ok) return wanted
  const rules = await findAvailability(deps.db, businessId)
  if (!rules) return refuse('not_found')
  const now = deps.now()
  const answer = await deps.calendars.read(url, syncWindow(rules, now), rules.timeZone, null)
  if (!answer.ok) return answer
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
        last_error_event: null,
        etag: null,
      })
      .execute()
    const events = await storeReading(deps, tx, { id, businessId, name }, answer)
    return { ok: true, id, events } as const
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

/** Removes an outside calendar and its busy times. Succeeds if it is already gone. */
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
 * Syncs the outside calendars that are due, a few at a time. A calendar's new events replace its old ones. If it can't
 * be read it keeps them, since losing a busy time could double-book it.
 * @throws AggregateError when some syncs fail because of a bug; the others are done
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
 * Syncs one outside calendar now, for 'Sync now'.
 * @returns refuses with 'not_found', and with the reader's refusal
 */
export async function syncOutsideCalendarNow(
  deps: OutsideCalendarDeps,
  input: OwnBusiness & { calendarId: string },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' } | ReadRefusal> {
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
  return answer === null || answer.ok ? { ok: true } : answer
}

/** Syncs one calendar that is due. Returns null when another process is reading it, or it is gone. */
async function syncOutsideCalendar(
  deps: OutsideCalendarDeps,
  calendarId: string,
): Promise<CalendarAnswer | null> {
  const now = deps.now()
  // Postponing the next sync claims the calendar, so that no other process reads it too.
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
          last_error_event: eventOf(answer),
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

/**
 * Replaces a calendar's events. The caller holds the business's lock, so no hold slips in between.
 * @returns the number of its new events, without the business's own bookings
 */
async function storeReading(
  deps: OutsideCalendarDeps,
  tx: DatabaseTransaction,
  calendar: { id: string; businessId: string; name: string },
  answer: Extract<CalendarAnswer, { ok: true }>,
): Promise<number> {
  const stored = await tx
    .updateTable('outside_calendars')
    .set({ last_synced_at: deps.now(), last_error: null, last_error_event: null, etag: answer.etag })
    .where('id', '=', calendar.id)
    .returning('id')
    .executeTakeFirst()
  // The calendar was removed while it was read, or it is unchanged.
  if (!stored || answer.unchanged) return 0
  await tx.deleteFrom('outside_events').where('calendar_id', '=', calendar.id).execute()
  const foreign = await withoutOwnBookings(deps, tx, calendar.businessId, answer.events)
  const events = mergeBusyTimes(foreign)
  if (events.length === 0) return foreign.length
  const ranges = events.map(rangeText)
  const titles = events.map(({ title }) => title)
  await sql`
    insert into outside_events (calendar_id, during, title)
    select ${calendar.id}, r::tstzrange, t from unnest(${ranges}::text[], ${titles}::text[]) as e (r, t)
  `.execute(tx)
  await notifyConflicts(deps, tx, calendar)
  return foreign.length
}

/**
 * Leaves out the business's own bookings, which return through a calendar that subscribes to its feed: a booking would
 * conflict with itself, and a cancelled one would keep its time until that calendar notices. A booking of the vendor's
 * other listing stays, since the vendor has imported it so that it blocks this one.
 */
async function withoutOwnBookings(
  { listBookingsOf }: OutsideCalendarDeps,
  tx: DatabaseTransaction,
  businessId: string,
  events: readonly BusyEvent[],
): Promise<BusyEvent[]> {
  const ids = new Set(events.flatMap(({ ownId }) => ownId ?? []))
  const own = await listBookingsOf(tx, businessId, [...ids])
  return events.filter(({ ownId }) => ownId === undefined || !own.has(ownId))
}

/** Notifies the vendor of bookings that imported events overlap, once per booking. */
async function notifyConflicts(
  deps: OutsideCalendarDeps,
  tx: DatabaseTransaction,
  calendar: { id: string; businessId: string; name: string },
): Promise<void> {
  const now = deps.now()
  const found = await sql<{ user_id: string; booking_id: string }>`
    select distinct businesses.user_id, s.booking_id
    from slots s
    join businesses on businesses.id = s.business_id
    join outside_events e on e.calendar_id = ${calendar.id} and e.during && s.during
    where s.business_id = ${calendar.businessId} and s.booking_id is not null and upper(s.during) > ${now.toISOString()}::timestamptz
  `.execute(tx)
  const names = await deps.findCustomerNames(
    tx,
    found.rows.map((row) => row.booking_id),
  )
  let notified = false
  for (const { user_id, booking_id } of found.rows) {
    const name = names.get(booking_id)
    if (name === undefined) continue
    const added = await addNotification(
      tx,
      {
        userId: user_id,
        kind: 'conflict',
        title: `${name}’s booking is at the same time as an event in ${calendar.name}`,
        body: 'Nothing has been changed. Check your calendar and decide.',
        link: href('/dashboard/calendar'),
        eventKey: `booking-conflict:${booking_id}`,
      },
      now,
    )
    if (added) notified = true
  }
  const [first] = found.rows
  if (notified && first) await deps.liveUpdates.publish(tx, `notifications:${first.user_id}`)
}
