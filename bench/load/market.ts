import { hashPassword } from 'better-auth/crypto'
import { migrate } from '../../app/adapters/database/migrate.server.ts'
import type { DatabaseConnection } from '../../app/adapters/database/port.ts'
import { CATEGORY_PATHS, landingPath } from '../../app/features/businesses/rules.ts'
import { loadPlaces } from '../../app/features/places/commands.server.ts'
import { fillListings } from '../generate-listings.ts'
import type { Account, Bookable } from './visitors.ts'

const PASSWORD = 'under the jacaranda'
const ROWS_PER_INSERT = 500
const MAX_LANDINGS = 300

/** A market and its accounts, for `visitors.ts`. */
export type Market = {
  customers: Account[]
  /** The bookable businesses, each with the vendor who decides its bookings. */
  bookable: (Bookable & { vendor: Account })[]
  /** Addresses of public pages; businesses and places in order of popularity. */
  pages: { lists: string[]; landings: string[]; businesses: string[] }
  /** Names of businesses. */
  names: string[]
}

/**
 * Fills an empty database before a server opens it. All accounts share one password, hashed once; checking it costs as much
 * as usual.
 * @param count.listings the number of generated listings
 * @param count.vendors the number of owners who can sign in; a generated owner has three listings
 */
export async function fillMarket(
  connection: DatabaseConnection,
  count: { listings: number; customers: number; vendors: number },
): Promise<Market> {
  const { db } = connection
  await migrate(connection, 'database/migrations')
  await loadPlaces(db, 'database/places.tsv')
  await fillListings(db, count.listings)
  const password = await hashPassword(PASSWORD)
  const ids = [
    ...Array.from({ length: count.customers }, (_, index) => `bench-customer-${index}`),
    ...Array.from({ length: count.vendors }, (_, index) => `bench-owner-${index}`),
  ]
  const accountOf = (id: string): Account => ({ email: `${id}@example.com`, password: PASSWORD })
  for (let start = 0; start < ids.length; start += ROWS_PER_INSERT) {
    const some = ids.slice(start, start + ROWS_PER_INSERT)
    await db
      .insertInto('users')
      .values(
        some.map((id) => ({
          id,
          name: `Robin ${id}`,
          email: accountOf(id).email,
          email_verified: true,
          phone: '0400 000 000',
        })),
      )
      .execute()
    await db
      .insertInto('account_credentials')
      .values(some.map((id) => ({ id, user_id: id, account_id: id, provider_id: 'credential', password })))
      .execute()
  }
  const businesses = await db
    .selectFrom('businesses')
    .leftJoin('users', 'users.id', 'businesses.user_id')
    .select([
      'businesses.id',
      'businesses.name',
      'businesses.price_cents',
      'businesses.price_unit',
      'users.id as vendor_id',
    ])
    .orderBy('businesses.id')
    .execute()
  const places = await db
    .selectFrom('businesses')
    .select(['category', 'place_id'])
    .distinct()
    .orderBy('place_id')
    .orderBy('category')
    .limit(MAX_LANDINGS)
    .execute()
  return {
    customers: ids.slice(0, count.customers).map(accountOf),
    bookable: businesses.flatMap(({ id, price_cents, price_unit, vendor_id }) => {
      const priceCents = Number(price_cents)
      return vendor_id && priceCents > 0
        ? [{ id, priceCents, unit: price_unit, vendor: accountOf(vendor_id) }]
        : []
    }),
    pages: {
      lists: ['/venues-vendors', ...Object.values(CATEGORY_PATHS)],
      landings: places.map(({ category, place_id }) => landingPath(category, place_id)),
      businesses: businesses.map(({ id }) => `/business/${id}`),
    },
    names: businesses.map(({ name }) => name),
  }
}
