import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import { PREPARED } from '../../shared/prepared.server.ts'
import { placeLabel } from '../places/rules.ts'
import type { Category } from './rules.ts'
import { isVisible } from './visible-queries.server.ts'

/** Enough for a suggestion list. The field accepts any other place too. */
const SUGGESTED_PLACES = 100

/** The number of businesses in each category, without empty categories. */
export async function countBusinessesByCategory(db: Database): Promise<Map<Category, number>> {
  const rows = await db
    .selectFrom('listed_places')
    .select(['category', (eb) => eb.fn.sum<string | number>('listed').as('count')])
    .where('listed', '>', 0)
    .groupBy('category')
    .execute()
  return new Map(rows.map((row) => [row.category, Number(row.count)]))
}

export type PriceRange = {
  category: Category
  priceUnit: PriceUnit
  lowest: Cents
  middle: Cents
  highest: Cents
  count: number
}

/** The lowest, median and highest price by category and unit, without prices on request. */
export async function listPriceRanges(db: Database): Promise<PriceRange[]> {
  const rows = await db
    .selectFrom('businesses')
    .innerJoinLateral(ASKED_PRICES, (join) => join.onTrue())
    .select(['category', 'asked.unit', ...PRICE_RANGE])
    .where(isVisible())
    .where('asked.cents', '>', 0)
    .groupBy(['category', 'asked.unit'])
    .execute()
  return rows.map(toPriceRange)
}

/** One row for each price of a business. */
export const ASKED_PRICES = sql<{ unit: PriceUnit; cents: string | number }>`(values
  (businesses.price_unit, businesses.price_cents),
  (businesses.second_price_unit, businesses.second_price_cents))`.as<'asked'>(sql`asked(unit, cents)`)

/** The columns of a `PriceRange`, over the rows of `ASKED_PRICES`. */
export const PRICE_RANGE = [
  sql<string | number>`min(asked.cents)`.as('lowest'),
  // percentile_disc returns an actual price, not the mean of two.
  sql<string | number>`percentile_disc(0.5) within group (order by asked.cents)`.as('middle'),
  sql<string | number>`max(asked.cents)`.as('highest'),
  sql<string | number>`count(*)`.as('count'),
]

export function toPriceRange(row: {
  category: Category
  unit: PriceUnit
  lowest: string | number
  middle: string | number
  highest: string | number
  count: string | number
}): PriceRange {
  return {
    category: row.category,
    priceUnit: row.unit,
    lowest: Number(row.lowest),
    middle: Number(row.middle),
    highest: Number(row.highest),
    count: Number(row.count),
  }
}

/** The largest places with businesses, such as 'Geelong, VIC', to suggest in a place field. */
export async function listBusinessPlaces(db: Database, limit = SUGGESTED_PLACES): Promise<string[]> {
  const rows = await db
    .selectFrom('places')
    .select(['name', 'state'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('listed_places')
          .whereRef('place_id', '=', 'places.id')
          // A literal, as in the index's condition.
          .where('listed', '>', sql.lit(0)),
      ),
    )
    .orderBy('population', 'desc')
    .orderBy('name')
    .orderBy('state')
    .limit(limit)
    .modifyEnd(PREPARED)
    .execute()
  return rows.map(placeLabel)
}
