import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { isEventOver } from '../bookings/open-queries.server.ts'
import { isVisible } from '../businesses/visible-queries.server.ts'
import { saleJson } from '../sales/queries.server.ts'
import { INVITE_AFTER_MIDNIGHT_MS, INVITE_AGAIN_WITHIN_MS, INVITE_WITHIN_MS } from './invitation-rules.ts'

const INVITATIONS_PER_RUN = 100

const at = (time: number) => sql`${new Date(time).toISOString()}::timestamptz`

/**
 * Whether a booking's customer is its vendor, by account or by address. `bookings`, `sales` and `businesses`
 * are in the query.
 */
export function isByItsVendor(): RawBuilder<boolean> {
  return sql<boolean>`(sales.customer_user_id is not null
      and sales.customer_user_id in (sales.owner_user_id, coalesce(businesses.user_id, ''))
    or exists (select from users as owners where owners.id in (sales.owner_user_id, coalesce(businesses.user_id, ''))
      and lower(owners.email) = lower(bookings.email)))`
}

/**
 * Selects the bookings whose customers may be asked for a review: approved, paid, past and not reviewed; none that the bank
 * disputes or disputed, none whose customer or listing is gone, and none of vendors about themselves.
 */
function selectInvitable(db: Database | DatabaseTransaction, now: Date) {
  return (
    db
      .selectFrom('bookings')
      .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
      .innerJoin('businesses', 'businesses.id', 'bookings.vendor_id')
      .where('bookings.status', '=', 'approved')
      .where('bookings.payment_status', '=', 'paid')
      .where('bookings.tells_at', 'is', null)
      .where('bookings.email', '<>', '')
      .where(isEventOver(now))
      // The form opens on the day after (`reviewRefusal`).
      .where(
        sql<boolean>`(${at(now.getTime() - INVITE_AFTER_MIDNIGHT_MS)} at time zone sales.time_zone)::date > bookings.date`,
      )
      .where(isVisible())
      .where(({ not }) => not(isByItsVendor()))
      // Skips deleted and disabled accounts, and people who turned mails about reviews off.
      .where(
        sql<boolean>`(sales.customer_user_id is null
        or exists (select from users where users.id = sales.customer_user_id and users.disabled_at is null))`,
      )
      .where(
        sql<boolean>`not exists (select from users where not users.mail_reviews
        and (users.id = sales.customer_user_id or users.email_verified and users.email = bookings.email))`,
      )
      .where(
        sql<boolean>`not exists (select from disputes join payments on payments.id = disputes.payment_id
        where payments.sale_id = sales.id)`,
      )
      .where(sql<boolean>`not exists (select from reviews where reviews.booking_id = bookings.id)`)
  )
}

/** Lists bookings that no invitation was sent for, the oldest event first. */
export async function listFirstInvitable(db: Database, now: Date): Promise<string[]> {
  const rows = await selectInvitable(db, now)
    .select('bookings.id')
    .where('sales.event_until', '>', new Date(now.getTime() - INVITE_WITHIN_MS))
    // The index narrows by day. An event lasts a day at most, and no zone is more than 14 hours from UTC.
    .where(
      'bookings.date',
      '>',
      new Date(now.getTime() - INVITE_WITHIN_MS - 3 * DAY_MS).toISOString().slice(0, 10),
    )
    .where(
      sql<boolean>`not exists (select from review_invitations where review_invitations.booking_id = bookings.id)`,
    )
    .orderBy('bookings.date')
    .orderBy('bookings.id')
    .limit(INVITATIONS_PER_RUN)
    .execute()
  return rows.map(({ id }) => id)
}

/** Lists bookings whose second invitation is due. */
export async function listDueAgain(db: Database, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('review_invitations')
    .select('booking_id')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(INVITATIONS_PER_RUN)
    .execute()
  return rows.map(({ booking_id: id }) => id)
}

/** Finds the facts of an invitation; null if the booking's customer isn't asked (any more). */
export async function findInvitable(
  db: Database | DatabaseTransaction,
  { bookingId, now }: { bookingId: string; now: Date },
) {
  const row = await selectInvitable(db, now)
    .select([
      'bookings.id',
      'bookings.vendor_id',
      'bookings.vendor_name',
      'bookings.customer_name',
      'bookings.email',
      'bookings.payment_row_id',
      saleJson().as('sale'),
    ])
    .where('bookings.id', '=', bookingId)
    .where('sales.event_until', '>', new Date(now.getTime() - INVITE_AGAIN_WITHIN_MS))
    .executeTakeFirst()
  return row ?? null
}
