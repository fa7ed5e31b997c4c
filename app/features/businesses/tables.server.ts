import type { ColumnType, Generated } from 'kysely'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import type { PolicyName } from '../terms/rules.ts'
import type { Facts } from './fact-rules.ts'
import type { BusinessImage, Category, HidingParty } from './rules.ts'

type BusinessesTable = {
  id: string
  user_id: string
  name: string
  category: Category
  description: string
  /** One driver returns a bigint as text, the other as a number, so read it through Number(). */
  price_cents: ColumnType<string | number, Cents, Cents>
  price_unit: PriceUnit
  /** The price per the other unit. A trigger clears it once it no longer applies (0018_second_price.sql). */
  second_price_cents: ColumnType<string | number | null, string | number | null | undefined, Cents | null>
  second_price_unit: ColumnType<PriceUnit | null, PriceUnit | null | undefined, PriceUnit | null>
  /** The booking types that the vendor ticked. Only those with a price can be booked: see `offeredPrices`. */
  booking_types: PriceUnit[]
  place_id: string
  services_offered: string[]
  /** The maximum number of guests in one booking. null for no limit. A trigger copies it to and from the availability settings. */
  max_guests: ColumnType<number | null, number | null | undefined, number | null>
  /** Read it with `factsOf`. */
  facts: ColumnType<Facts, string | undefined, string>
  /** Its facts and words as terms of the search index: see `markerColumns`. */
  markers: ColumnType<string[], string[] | undefined, string[]>
  markers_version: Generated<number>
  images: ColumnType<BusinessImage[], string, string>
  /** The cancellation policy and payment plan of new bookings. Both plan columns are null for payment in full. */
  policy: Generated<PolicyName>
  deposit_basis_points: ColumnType<number | null, number | null | undefined, number | null>
  balance_days_before: ColumnType<number | null, number | null | undefined, number | null>
  /** Whether the vendor has chosen these terms, or they are the defaults of an older listing. */
  chose_terms: Generated<boolean>
  seo_title: string
  seo_description: string
  hidden_at: Date | null
  /** null while the listing is shown. A trigger writes the text that the previous version reads (migration 0019). */
  hidden_by: HidingParty | null
  /** The operator's own words. null unless an operator hid the listing. */
  operator_reason: string | null
  /** When the owner hid it, of a listing that an operator has hidden as well. */
  owner_hidden_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Since when it waits for its owner to accept the vendor agreement; null once it may be public. It is hidden until then. */
  waiting_since: ColumnType<Date | null, Date | null | undefined, Date | null>
  deleted_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** A picture of a listing's album. Written only under the listing's row. */
type AlbumPicturesTable = {
  business_id: string
  url: string
  /** From 0. A removed picture keeps its own. */
  position: number
  width: number
  height: number
  colour: string
  caption: string
  alt: string
  added_at: Date
  /** null while it is shown; then its row stays for a day, so that it can be put back. */
  removed_at: Date | null
}

/** Facts that the form had once filled in, which the vendor hasn't confirmed. They aren't published (migration 0100). */
type PrefilledFactsTable = {
  business_id: string
  facts: ColumnType<Record<string, unknown>, string, never>
}

type BusinessViewsTable = { business_id: string; day: string; views: Generated<number> }

/** The number of visible businesses of a category in a place. Database triggers maintain it. */
type ListedPlacesTable = {
  place_id: string
  category: Category
  /** 0 once the last one is gone. */
  listed: number
  changed_at: Date
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    businesses: BusinessesTable
    album_pictures: AlbumPicturesTable
    business_views: BusinessViewsTable
    listed_places: ListedPlacesTable
    prefilled_facts: PrefilledFactsTable
  }
}
