import { sql } from 'kysely'
import type { Database } from '../../../adapters/database/port.ts'
import { CSV_START, csvRows } from '../../../shared/csv.ts'
import { OPEN_STATES } from '../changes/rules.ts'
import { listBookingsOfBusinesses } from './queries.server.ts'
import { BOOKING_COLUMNS, bookingCells, type VendorPlace } from './vendor-list-rules.ts'

type Vendor = { userId: string; businessId: string | 'all' }

/**
 * Lists where each booking of a vendor's own businesses stands in their list, newest first. A page reads in full only the
 * bookings that it shows.
 * @param vendor.businessId one business, or 'all'. Another owner's business gives an empty list
 */
export async function listVendorPlaces(db: Database, { userId, businessId }: Vendor): Promise<VendorPlace[]> {
  const rows = await db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select((eb) => [
      'bookings.id',
      // As `vendorStatusOf` says.
      eb
        .case()
        .when('bookings.tells_at', 'is', null)
        .then(eb.ref('bookings.status'))
        .else('declined' as const)
        .end()
        .as('status'),
      'bookings.customer_name as name',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      sql<string>`to_char(bookings.time, 'HH24:MI')`.as('time'),
      'sales.time_zone as timeZone',
      'bookings.decide_by',
      eb
        .or([
          eb('bookings.status', '=', 'pending'),
          eb('bookings.tells_at', 'is not', null),
          eb.exists(
            eb
              .selectFrom('changes')
              .select('changes.id')
              .whereRef('changes.booking_id', '=', 'bookings.id')
              .where('changes.state', 'in', OPEN_STATES),
          ),
          eb.exists(
            eb
              .selectFrom('instalments')
              .select('instalments.id')
              .whereRef('instalments.payment_id', '=', 'bookings.payment_row_id')
              .where('instalments.amount_cents', '>', 0)
              .where('instalments.state', 'in', ['failed', 'needs_customer', 'overdue']),
          ),
        ])
        .as('waits'),
      eb('bookings.tells_at', 'is not', null).as('isUntold'),
    ])
    .where('sales.owner_user_id', '=', userId)
    .$if(businessId !== 'all', (query) => query.where('bookings.vendor_id', '=', businessId))
    .orderBy('bookings.created_at', 'desc')
    .orderBy('bookings.id')
    .execute()
  return rows.map(({ decide_by, ...row }) => ({
    ...row,
    waits: Boolean(row.waits),
    isUntold: Boolean(row.isUntold),
    decideBy: decide_by.toISOString(),
  }))
}

/** Bookings that stand in memory at once. */
const STRETCH = 200

/**
 * Writes bookings of a vendor as CSV.
 * @param input.ids in the order of the file
 * @returns the file in stretches, each read from the database only when the one before has been sent
 */
export async function* writeBookingsCsv(
  db: Database,
  { ids, ...about }: Vendor & { ids: readonly string[]; now: Date },
): AsyncGenerator<string> {
  yield CSV_START + csvRows([BOOKING_COLUMNS])
  for (let from = 0; from < ids.length; from += STRETCH) {
    const bookings = await listBookingsOfBusinesses(db, { ...about, ids: ids.slice(from, from + STRETCH) })
    yield csvRows(bookings.map(bookingCells))
  }
}
