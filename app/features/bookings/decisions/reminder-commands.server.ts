import { eachOf } from '../../../shared/each-of.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import { freeSlot } from '../../availability/slot-commands.server.ts'
import { endInstalments } from '../../instalments/commands.server.ts'
import { addNotification } from '../../notifications/commands.server.ts'
import { addRefundOfPurchase } from '../../payments/refund-commands.server.ts'
import { spanText } from '../../sales/rules.ts'
import { fullRefundText } from '../bank-messages.ts'
import { endOpenChange } from '../changes/end-commands.server.ts'
import { listChanges } from '../changes/queries.server.ts'
import { findVendorContacts } from '../contact-queries.server.ts'
import type { BookingDeps } from '../deps.server.ts'
import { declinedForVendorMail, eventReminderForVendorMail, reminderMail, undecidedMail } from '../mails.ts'
import {
  DASHBOARD_BOOKINGS_PATH,
  mailed,
  notifyCustomer,
  publishBooking,
  sendMail,
} from '../notice-commands.server.ts'
import { findRefundParts } from '../refund-queries.server.ts'
import { lockBooking } from '../row-queries.server.ts'
import { lineOf, setStatus } from './status-commands.server.ts'

const BOOKINGS_PER_RUN = 100

/**
 * Reminds vendors of bookings that have waited for a day, and declines with a refund those whose time to answer is over
 * (Decision 7).
 */
export async function processPendingBookings(deps: BookingDeps): Promise<void> {
  const now = deps.now()
  const rows = await deps.db
    .selectFrom('bookings')
    .select('id')
    .where('status', '=', 'pending')
    // A decline in its grace is told in its own time, at the latest at `decide_by`.
    .where('tells_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('decide_by', '<=', now),
        eb.and([eb('remind_at', '<=', now), eb('reminded_at', 'is', null)]),
      ]),
    )
    .orderBy('created_at')
    .limit(BOOKINGS_PER_RUN)
    .execute()
  await eachOf(rows, ({ id }) => processPendingBooking(deps, id))
}

async function processPendingBooking(deps: BookingDeps, bookingId: string): Promise<void> {
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, bookingId)
    if (row?.status !== 'pending' || row.tells_at) return
    const booking = mailed(row)
    const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id)
    if (row.decide_by <= now) {
      const refundCents = await addRefundOfPurchase(deps, tx, {
        ...lineOf(row),
        amountCents: null,
        reason: 'undecided',
        dueAt: now,
      })
      await endInstalments(tx, row.payment_row_id)
      await endOpenChange(deps, tx, row)
      await freeSlot(deps, tx, row.payment_row_id)
      await setStatus(tx, row, {
        status: 'declined',
        decided_at: now,
      })
      const refund = await findRefundParts(tx, row, { refundCents, reason: 'undecided', dueAt: now })
      await sendMail(deps, tx, undecidedMail(booking, refund, deps))
      if (contact) await sendMail(deps, tx, declinedForVendorMail(booking, contact, refund, deps))
      await notifyCustomer(deps, tx, row, {
        kind: 'declined',
        title: `${row.vendor_name} didn’t answer in time`,
        body: fullRefundText(refund),
        eventKey: `booking-undecided:${row.id}`,
      })
      await publishBooking(deps, tx, row, [row.customer_user_id])
      return
    }
    if (row.remind_at > now) return
    const reminded = await tx
      .updateTable('bookings')
      .set({ reminded_at: now })
      .where('id', '=', row.id)
      .where('reminded_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!reminded) return
    await addNotification(
      tx,
      {
        userId: row.owner_user_id,
        kind: 'reminder',
        title: `${row.customer_name} is waiting for your answer`,
        body: `Approve or decline their booking with ${row.vendor_name}.`,
        link: DASHBOARD_BOOKINGS_PATH,
        eventKey: `booking-reminder:${row.id}`,
      },
      now,
    )
    if (contact) {
      const mail = reminderMail(booking, contact, row.decide_by, deps)
      await sendMail(deps, tx, mail, { preference: 'reminders', preferenceOf: row.owner_user_id })
    }
    await deps.liveUpdates.publish(tx, `notifications:${row.owner_user_id}`)
  })
}

/**
 * Reminds the vendors of approved bookings whose event is near by mail and notification, and notifies the customers' accounts.
 * Sends each reminder once, however many processes run this. The customers' mails are `tellOfComingEvents`.
 */
export async function remindOfEvents(deps: BookingDeps): Promise<void> {
  const now = deps.now()
  const until = new Date(now.getTime() + deps.remindBeforeEventMs)
  const rows = await deps.db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select('bookings.id')
    .where('bookings.status', '=', 'approved')
    .where('bookings.tells_at', 'is', null)
    .where('bookings.event_reminded_at', 'is', null)
    // The index narrows by day. No zone is more than 14 hours from UTC, so a day's margin is enough.
    .where('bookings.date', '>=', dayOf(now.getTime() - DAY_MS))
    .where('bookings.date', '<=', dayOf(until.getTime() + DAY_MS))
    .where('sales.event_from', '>', now)
    .where('sales.event_from', '<=', until)
    .orderBy('bookings.date')
    .orderBy('bookings.time')
    .limit(BOOKINGS_PER_RUN)
    .execute()
  await eachOf(rows, ({ id }) => remindOfEvent(deps, id))
}

function dayOf(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10)
}

async function remindOfEvent(deps: BookingDeps, bookingId: string): Promise<void> {
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const row = await lockBooking(tx, bookingId)
    // The booking may have been declined, or its reminder sent by another process, since it was selected.
    const reminded = await tx
      .updateTable('bookings')
      .set({ event_reminded_at: now })
      .where('id', '=', bookingId)
      .where('status', '=', 'approved')
      .where('tells_at', 'is', null)
      .where('event_reminded_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!row || !reminded) return
    const booking = mailed(row)
    const isMoved = (await listChanges(tx, [row.id])).some(({ state }) => state === 'paid')
    const again = isMoved ? `:${row.date}` : ''
    const contact = (await findVendorContacts(tx, [row.owner_user_id])).get(row.owner_user_id) ?? null
    if (contact) {
      const mail = eventReminderForVendorMail(booking, contact, isMoved, deps)
      await sendMail(deps, tx, mail, { preference: 'reminders', preferenceOf: row.owner_user_id })
    }
    const when = spanText(row.sale)
    await addNotification(
      tx,
      {
        userId: row.owner_user_id,
        kind: 'reminder',
        title: `${row.customer_name}’s event is coming up`,
        body: `${row.vendor_name}, ${when}.`,
        link: DASHBOARD_BOOKINGS_PATH,
        eventKey: `booking-event-vendor:${row.id}${again}`,
      },
      now,
    )
    await notifyCustomer(deps, tx, row, {
      kind: 'reminder',
      title: `Your event with ${row.vendor_name} is coming up`,
      body: `${when}.`,
      eventKey: `booking-event-customer:${row.id}${again}`,
    })
    for (const userId of [row.owner_user_id, row.customer_user_id]) {
      if (userId) await deps.liveUpdates.publish(tx, `notifications:${userId}`)
    }
  })
}
