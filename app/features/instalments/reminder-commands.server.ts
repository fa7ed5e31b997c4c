import { type RawBuilder, sql } from 'kysely'
import { eachOf } from '../../shared/each-of.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { findPayment, lockPayment } from '../payments/queries.server.ts'
import { deadlineOf } from '../sales/plan-queries.server.ts'
import {
  canExtend,
  expiresBefore,
  firstTryAt,
  overdueAt,
  REMIND_DAYS_BEFORE,
  remindAt,
  unpaidFrom,
  vendorNoticesDue,
} from '../sales/plan-rules.ts'
import type { InstalmentRow } from '../sales/tables.server.ts'
import { refreshSavedCard } from './card-commands.server.ts'
import type { InstalmentDeps } from './deps.server.ts'
import { instalmentReminderMail, unpaidInstalmentMail } from './mails.ts'
import { findSavedCard, mailedInstalment } from './queries.server.ts'

const ROWS_PER_RUN = 200

/** Reminds customers of the instalments that are charged within 7 days. Nothing is charged before its reminder. */
export async function remindOfInstalments(deps: InstalmentDeps): Promise<void> {
  // A day more than 7, as a clock may change in between; the rule decides.
  const before = new Date(deps.now().getTime() + (REMIND_DAYS_BEFORE + 1) * DAY_MS)
  const rows = await deps.db
    .selectFrom('instalments')
    .select(['instalments.id', 'instalments.payment_id'])
    .where('state', '=', 'scheduled')
    .where('due_at', '<=', before)
    .orderBy('due_at')
    .orderBy('id')
    .limit(ROWS_PER_RUN)
    .execute()
  await eachOf(rows, (row) => remindOfInstalment(deps, row))
}

async function remindOfInstalment(
  deps: InstalmentDeps,
  { id, payment_id }: Pick<InstalmentRow, 'id' | 'payment_id'>,
): Promise<void> {
  const first = await findPayment(deps.db, payment_id)
  if (!first) return
  const { timeZone } = first.sale
  const now = deps.now()
  const due = await deps.db.selectFrom('instalments').select('due_at').where('id', '=', id).executeTakeFirst()
  // A change of the booking may have replaced it.
  if (!due || now < remindAt(due.due_at, timeZone)) return
  const saved = await findSavedCard(deps.db, payment_id)
  const card = saved && (await refreshSavedCard(deps, saved))
  await deps.db.transaction().execute(async (tx) => {
    await lockPayment(tx, payment_id)
    const chargedAt = firstTryAt(due.due_at, now, timeZone)
    const row = await tx
      .updateTable('instalments')
      .set({ state: 'reminded', reminded_at: now, try_at: chargedAt })
      .where('id', '=', id)
      .where('state', '=', 'scheduled')
      .returningAll()
      .executeTakeFirst()
    if (!row) return
    const mailed = mailedInstalment(row, first, card)
    const { expires_year: year, expires_month: month } = card ?? {}
    const cardExpires = Boolean(year && month && expiresBefore({ year, month }, chargedAt, timeZone))
    if (mailed.customerEmail)
      await deps.jobs.enqueue(
        tx,
        'send-booking-mail',
        instalmentReminderMail(mailed, { chargedAt, cardExpires }, deps),
      )
    await deps.publish(tx, payment_id)
    deps.faultPoint('instalment-reminded-uncommitted')
  })
}

const isUnpaid: RawBuilder<boolean> = sql`instalments.state in ('failed', 'needs_customer')`

/**
 * Tells vendors of unpaid instalments on days 0, 3 and 6, and makes them overdue on day 7, or 14 with an extension. Once the
 * event has begun, its booking doesn't end for them any more.
 */
export async function processUnpaidInstalments(deps: InstalmentDeps): Promise<void> {
  const rows = await deps.db
    .selectFrom('instalments')
    .innerJoin('sales', 'sales.id', 'instalments.payment_id')
    .selectAll('instalments')
    .where(isUnpaid)
    .where('instalments.due_at', '<=', deps.now())
    .where('sales.event_from', '>', deps.now())
    .orderBy('instalments.due_at')
    .orderBy('instalments.id')
    .limit(ROWS_PER_RUN)
    .execute()
  await eachOf(rows, (row) => processUnpaidInstalment(deps, row))
}

async function processUnpaidInstalment(deps: InstalmentDeps, found: InstalmentRow): Promise<void> {
  const first = await findPayment(deps.db, found.payment_id)
  if (!first) return
  const { timeZone } = first.sale
  const now = deps.now()
  const deadline = deadlineOf(found, first)
  const endsAt = overdueAt(deadline, timeZone)
  // A try that was promised comes first, though no job may have run at its time.
  const isOverdue =
    endsAt !== null &&
    endsAt <= now &&
    now < deadline.eventFrom &&
    !(found.state === 'failed' && found.try_at)
  const notices = vendorNoticesDue(unpaidFrom(deadline), now, timeZone)
  if (!isOverdue && notices <= found.vendor_notices) return
  await deps.db.transaction().execute(async (tx) => {
    await lockPayment(tx, found.payment_id)
    const row = await tx
      .updateTable('instalments')
      .set({ vendor_notices: notices, ...(isOverdue ? { state: 'overdue' as const, try_at: null } : {}) })
      .where('id', '=', found.id)
      .where(isUnpaid)
      .where('vendor_notices', '=', found.vendor_notices)
      // An extension that came in between.
      .where((eb) => eb('extended_at', 'is not distinct from', found.extended_at))
      .returningAll()
      .executeTakeFirst()
    if (!row) return
    await deps.publish(tx, first.id)
    // Both sides are told with the amounts once the booking has ended.
    if (isOverdue) return
    const mailed = mailedInstalment(row, first, await findSavedCard(tx, first.id))
    const vendor = await deps.findVendor(tx, first.sale.ownerUserId)
    if (!vendor) return
    const state = {
      notice: notices,
      overdueAt: endsAt,
      canExtend: canExtend({ ...deadline, state: row.state }, { now, timeZone }),
    }
    await deps.jobs.enqueue(tx, 'send-mail', unpaidInstalmentMail(mailed, vendor, state, deps))
  })
}
