import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import { placeLabel } from '../places/rules.ts'
import { CATEGORIES, type Category } from './rules.ts'

/** Enough for a list that drops down; the field takes any other too. */
const SUGGESTED_PLACES = 100

/** How many businesses each category has; a category without any is missing. */
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

/** What businesses ask for, by category and unit: lowest, middle and highest, without those at price on request. */
export async function listPriceRanges(db: Database): Promise<PriceRange[]> {
  const rows = await db
    .selectFrom('businesses')
    .innerJoinLateral(ASKED_PRICES, (join) => join.onTrue())
    .select(['category', 'asked.unit', ...PRICE_RANGE])
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
    .where('asked.cents', '>', 0)
    .groupBy(['category', 'asked.unit'])
    .execute()
  return rows.map(toPriceRange)
}

/** Each price of a business in a row of its own. */
export const ASKED_PRICES = sql<{ unit: PriceUnit; cents: string | number }>`(values
  (businesses.price_unit, businesses.price_cents),
  (businesses.second_price_unit, businesses.second_price_cents))`.as<'asked'>(sql`asked(unit, cents)`)

/** The columns of a `PriceRange`, over the rows of `ASKED_PRICES`. */
export const PRICE_RANGE = [
  sql<string | number>`min(asked.cents)`.as('lowest'),
  // percentile_disc gives a price that somebody really asks, not one between two.
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

/** The largest places where businesses are, as 'Geelong, VIC', for suggestions beside a field. */
export async function listBusinessPlaces(db: Database, limit = SUGGESTED_PLACES): Promise<string[]> {
  const rows = await db
    .selectFrom('places')
    .select(['name', 'state'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('listed_places')
          .whereRef('place_id', '=', 'places.id')
          .where('category', 'in', CATEGORIES)
          .where('listed', '>', 0),
      ),
    )
    .orderBy('population', 'desc')
    .orderBy('name')
    .orderBy('state')
    .limit(limit)
    .execute()
  return rows.map(placeLabel)
}
