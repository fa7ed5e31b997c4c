import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PurchasePages } from '../ledger/comparison-queries.server.ts'
import type { Sale } from './rules.ts'
import { PLAIN_COLUMNS } from './tables.server.ts'

/** The columns of a sale as one value. `sales` is in the query. */
export function saleJson(): RawBuilder<Sale> {
  return SALE
}

const PLAIN = Object.entries(PLAIN_COLUMNS).flatMap(([name, column]) => [
  sql.lit(name),
  sql.ref(`sales.${column}`),
])

const span = (name: 'event' | 'occupied') => sql`jsonb_build_object(
  'from', iso_of(${sql.ref(`sales.${name}_from`)}), 'until', iso_of(${sql.ref(`sales.${name}_until`)}))`

const SALE = sql<Sale>`jsonb_build_object(${sql.join(PLAIN)},
  'customer', jsonb_build_object('fullName', sales.customer_name, 'email', sales.customer_email,
    'phone', sales.customer_phone),
  'date', to_char(sales.date, 'YYYY-MM-DD'), 'time', to_char(sales.time, 'HH24:MI'),
  'event', ${span('event')}, 'occupied', ${span('occupied')},
  'terms', case when sales.policy is not null then jsonb_build_object('policy', sales.policy,
    'priceCents', sales.price_cents, 'instalments', sales.instalments) end)`

/** Finds a sale; null for an unknown one. */
export async function findSale(db: Database | DatabaseTransaction, saleId: string): Promise<Sale | null> {
  const row = await db
    .selectFrom('sales')
    .select(saleJson().as('sale'))
    .where('id', '=', saleId)
    .executeTakeFirst()
  return row?.sale ?? null
}

/** The purchases of a proof, by their sale. */
export const listPurchases: PurchasePages = (after, limit) =>
  sql`select id from sales where id > ${after} order by id limit ${limit}`
