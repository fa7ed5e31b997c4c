import type { ColumnType } from 'kysely'
import type { PriceUnit } from '../../shared/money.ts'
import type { Category } from '../businesses/rules.ts'

/** One row for each business that visitors may see. Only a trigger writes it (0011_search.sql). */
type SearchListingsTable = {
  business_id: string
  /** bigint: read it through BigInt(). */
  position: ColumnType<string, never, never>
  category: ColumnType<Category, never, never>
  /** bigint; NO_PRICE for a price on request. */
  price_cents: ColumnType<string | number, never, never>
  price_unit: ColumnType<PriceUnit, never, never>
  second_price_cents: ColumnType<string | number | null, never, never>
  second_price_unit: ColumnType<PriceUnit | null, never, never>
  latitude: ColumnType<number, never, never>
  longitude: ColumnType<number, never, never>
  name_key: ColumnType<string, never, never>
  words: ColumnType<string, never, never>
  /** 4 to 0, the best first: see search_scores_of() (0039_facts.sql). */
  recommended: ColumnType<number, never, never>
  /** A hundred times the average of the ratings and two more of four stars. */
  rating: ColumnType<number, never, never>
}

type SearchWordsTable = { word: ColumnType<string, never, never> }

declare module '../../adapters/database/port.ts' {
  interface Tables {
    search_listings: SearchListingsTable
    search_words: SearchWordsTable
  }
}
