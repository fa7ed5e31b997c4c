import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../../adapters/database/port.ts'
import { eachOf } from '../../../shared/each-of.ts'
import { refuse } from '../../../shared/result.ts'
import { hashText } from '../../../shared/signed.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import { deadlineOf } from '../../sales/plan-queries.server.ts'
import { isClosed, overdueAt } from '../../sales/plan-rules.ts'
import { findVendorContacts } from '../contact-queries.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { comingUpMail } from '../mails.ts'
import { mailed, sendMail } from '../notice-commands.server.ts'
import { type BookingRow, lockBooking } from '../row-queries.server.ts'
import { COMING_UP_DAYS, type ComingUpDays, daysBeforeEvent } from './rules.ts'

const BOOKINGS_PER_RUN = 100
/** A mail that no job could send in time is still sent so long after, and left out after that. */
const LATE_MS = 3 * DAY_MS

/**
 * Tells customers of approved bookings that their event comes up, six weeks, a week and a day before. Each mail is sent once,
 * however many processes run this. What was due before the booking was approved, or before its event moved, is left out.
 * @param steps the days before the event that are looked at
 */
export async function tellOfComingEvents(
  deps: BookingDeps,
  steps: readonly ComingUpDays[] = COMING_UP_DAYS,
): Promise<void> {
  for (const days of steps) {
    const rows = await selectDue(deps.db, days, deps.now())
      .orderBy('bookings.date')
      .orderBy('bookings.time')
      .limit(BOOKINGS_PER_RUN)
      .execute()
    await eachOf(rows, ({ id }) => tellOfComingEvent(deps, id, days))
  }
}

/** Selects the bookings whose customer is due a mail so many days before the event. */
function selectDue(db: Database | DatabaseTransaction, days: ComingUpDays, now: Date) {
  const until = new Date(now.getTime() + days * DAY_MS)
  const next = COMING_UP_DAYS.find((each) => each < days) ?? 0
  const from = new Date(Math.max(until.getTime() - LATE_MS, now.getTime() + next * DAY_MS))
  const dueAt = sql<Date>`sales.event_from - make_interval(hours => ${days * 24}::int)`
  return (
    db
      .selectFrom('bookings')
      .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
      .select('bookings.id')
      .where('bookings.status', '=', 'approved')
      .where('bookings.tells_at', 'is', null)
      .where('bookings.reminders_ended_at', 'is', null)
      // The index narrows by day. No zone is more than 14 hours from UTC, so a day's margin is enough.
      .where('bookings.date', '>=', dayOf(from.getTime() - DAY_MS))
      .where('bookings.date', '<=', dayOf(until.getTime() + DAY_MS))
      .where('sales.event_from', '>', from)
      .where('sales.event_from', '<=', until)
      .where((eb) => eb(eb.fn.coalesce('bookings.decided_at', 'bookings.created_at'), '<=', dueAt))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('changes')
              .select('changes.id')
              .whereRef('changes.booking_id', '=', 'bookings.id')
              .where('changes.state', '=', 'paid')
              .where(
                sql<boolean>`changes.sale_after #>> '{event,from}' <> changes.sale_before #>> '{event,from}'`,
              )
              .where('changes.ended_at', '>', dueAt),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('event_reminders')
              .select('event_reminders.booking_id')
              .whereRef('event_reminders.booking_id', '=', 'bookings.id')
              .whereRef('event_reminders.event_from', '=', 'sales.event_from')
              .where('event_reminders.days_before', '=', days),
          ),
        ),
      )
  )
}

async function tellOfComingEvent(deps: BookingDeps, bookingId: string, days: ComingUpDays): Promise<void> {
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, bookingId)
    // The booking may have ended or moved, or its mail been sent by another process, since it was selected.
    const due = await selectDue(tx, days, now).where('bookings.id', '=', bookingId).executeTakeFirst()
    if (!row || !due) return
    const eventFrom = new Date(row.sale.event.from)
    await tx
      .insertInto('event_reminders')
      .values({ booking_id: bookingId, event_from: eventFrom, days_before: days, sent_at: now })
      .execute()
    const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id) ?? null
    const isToday = daysBeforeEvent(now, row.date, row.sale.timeZone) === 0
    // The address of a deleted account is gone.
    if (!row.email) return
    const near = { days, isToday, endsAt: endsAtOf(row), now }
    await sendMail(deps, tx, comingUpMail(mailed(row), contact, near, deps))
  })
}

/** When the booking ends if its next payment stays unpaid; null where it stands, or once nothing is due. */
function endsAtOf(row: BookingRow): Date | null {
  const next = row.instalments.find((instalment) => !isClosed(instalment))
  return next ? overdueAt(deadlineOf(next, row), row.sale.timeZone) : null
}

function dayOf(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10)
}

/**
 * Ends the mails about a coming event, by the booking's unguessable link. Ending them twice is no error.
 * @returns refuses with 'not_found'
 */
export async function endReminders(
  deps: Pick<BookingDeps, 'db' | 'now'>,
  linkToken: string,
): Promise<{ ok: true } | { ok: false; reason: 'not_found' }> {
  const linkHash = await hashText(linkToken)
  const ended = await deps.db
    .updateTable('bookings')
    .from('sales')
    .set((eb) => ({ reminders_ended_at: eb.fn.coalesce('bookings.reminders_ended_at', eb.val(deps.now())) }))
    .whereRef('sales.id', '=', 'bookings.payment_row_id')
    .where('sales.link_hash', '=', linkHash)
    .returning('bookings.id')
    .execute()
  return ended.length > 0 ? { ok: true } : refuse('not_found')
}
