import type { ColumnType, Generated } from 'kysely'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import type { BusinessImage, Category, HidingParty } from './rules.ts'

type BusinessesTable = {
  id: string
  user_id: string
  name: string
  category: Category
  description: string
  /** bigint arrives as text from one driver and as a number from the other: read it through Number(). */
  price_cents: ColumnType<string | number, Cents, Cents>
  price_unit: PriceUnit
  /** The price per the other unit; the database keeps it only while it counts (0018_second_price.sql). */
  second_price_cents: ColumnType<string | number | null, string | number | null | undefined, Cents | null>
  second_price_unit: ColumnType<PriceUnit | null, PriceUnit | null | undefined, PriceUnit | null>
  /** As the vendor ticked them. Only those that have a price can be booked: `offeredPrices`. */
  booking_types: PriceUnit[]
  place_id: string
  services_offered: string[]
  images: ColumnType<BusinessImage[], string, string>
  seo_title: string
  seo_description: string
  hidden_at: Date | null
  /** Null while the listing is shown. A trigger writes the text that the version before reads (migration 0019). */
  hidden_by: HidingParty | null
  /** An operator's own words; null unless one hid it. */
  operator_reason: string | null
  deleted_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

type BusinessViewsTable = { business_id: string; day: string; views: Generated<number> }

/** How many visible businesses a category has in a place; triggers of the database keep it. */
type ListedPlacesTable = {
  place_id: string
  category: Category
  /** 0 where the last one has gone. */
  listed: number
  changed_at: Date
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    businesses: BusinessesTable
    business_views: BusinessViewsTable
    listed_places: ListedPlacesTable
  }
}
