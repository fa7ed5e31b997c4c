import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Sale } from './rules.ts'

/** The columns of a sale as one value. `sales` is in the query. */
export function saleJson(): RawBuilder<Sale> {
  return SALE
}

const SALE = sql<Sale>`jsonb_build_object(
  'id', sales.id, 'ownerUserId', sales.owner_user_id, 'customerUserId', sales.customer_user_id,
  'termsVersion', sales.terms_version,
  'customer', jsonb_build_object('fullName', sales.customer_name, 'email', sales.customer_email,
    'phone', sales.customer_phone),
  'businessId', sales.business_id, 'businessName', sales.business_name, 'place', sales.place,
  'timeZone', sales.time_zone, 'abn', sales.abn, 'gstRegistered', sales.gst_registered,
  'date', to_char(sales.date, 'YYYY-MM-DD'), 'time', to_char(sales.time, 'HH24:MI'), 'quantity', sales.quantity,
  'bookingType', sales.booking_type,
  'event', jsonb_build_object('from', iso_of(sales.event_from), 'until', iso_of(sales.event_until)),
  'occupied', jsonb_build_object('from', iso_of(sales.occupied_from), 'until', iso_of(sales.occupied_until)),
  'unitPriceCents', sales.unit_price_cents, 'priceCents', sales.price_cents, 'commission', sales.commission,
  'terms', case when sales.policy is not null then jsonb_build_object('policy', sales.policy,
    'priceCents', sales.price_cents, 'instalments', sales.instalments) end,
  'quote', sales.quote, 'answerWithinMs', sales.answer_within_ms)`

/** Finds a sale; null for an unknown one. */
export async function findSale(db: Database | DatabaseTransaction, saleId: string): Promise<Sale | null> {
  const row = await db
    .selectFrom('sales')
    .select(saleJson().as('sale'))
    .where('id', '=', saleId)
    .executeTakeFirst()
  return row?.sale ?? null
}
