import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { PREPARED } from '../../shared/prepared.server.ts'
import type { BusinessCardView } from './queries.server.ts'
import { PAGE_SIZE } from './rules.ts'
import { isVisible } from './visible-queries.server.ts'

/** A vendor: the owner of businesses, with the public part of the registration (Decision 20). */
export type VendorView = {
  userId: string
  /** The registered business name, or the name of the first listing. Never the name of the account. */
  name: string
  logoUrl: string | null
  description: string
  website: string | null
  /** Eleven digits. null without a registration. */
  abn: string | null
}

/**
 * Reads one page of the vendors with listings, by name, each with its listings.
 * @param listCardsOf reads the cards of vendors' listings by owner; passed in because ratings belong to a later feature
 */
export async function listVendors(
  db: Database,
  wantedPage: number,
  listCardsOf: (db: Database, userIds: readonly string[]) => Promise<ReadonlyMap<string, BusinessCardView[]>>,
): Promise<{
  vendors: (VendorView & { businesses: BusinessCardView[] })[]
  total: number
  page: number
  pageCount: number
}> {
  const counted = await db
    .selectFrom('businesses')
    .select((eb) => eb.fn.count<string>('user_id').distinct().as('count'))
    .where(isVisible())
    .executeTakeFirstOrThrow()
  const total = Number(counted.count)
  const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE))
  const page = wantedPage > pageCount ? 1 : wantedPage
  const rows = await selectVendors(db)
    .orderBy(sql`lower(coalesce(business_registrations.business_name, listed.first_name))`)
    .orderBy('listed.user_id')
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
    .execute()
  const cards = await listCardsOf(
    db,
    rows.map((row) => row.user_id),
  )
  const vendors = rows.map((row) => ({ ...toVendor(row), businesses: cards.get(row.user_id) ?? [] }))
  return { vendors, total, page, pageCount }
}

/**
 * Reads a vendor's public profile.
 * @param userId the owner of the listings
 * @returns null for a user without a visible listing, so that no account is revealed
 */
export async function findVendor(db: Database, userId: string): Promise<VendorView | null> {
  const row = await selectVendors(db)
    .where('listed.user_id', '=', userId)
    .modifyEnd(PREPARED)
    .executeTakeFirst()
  return row ? toVendor(row) : null
}

function selectVendors(db: Database) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('businesses')
        .where(isVisible())
        .groupBy('user_id')
        .select(['user_id', sql<string>`(array_agg(name order by created_at, id))[1]`.as('first_name')])
        .as('listed'),
    )
    .leftJoin('business_registrations', 'business_registrations.user_id', 'listed.user_id')
    .select([
      'listed.user_id',
      'listed.first_name',
      'business_registrations.business_name',
      'business_registrations.logo_url',
      'business_registrations.business_description',
      'business_registrations.website',
      'business_registrations.abn',
      'business_registrations.register_problem',
    ])
}

type VendorRow = Awaited<ReturnType<ReturnType<typeof selectVendors>['executeTakeFirstOrThrow']>>

function toVendor(row: VendorRow): VendorView {
  return {
    userId: row.user_id,
    name: row.business_name ?? row.first_name,
    logoUrl: row.logo_url,
    description: row.business_description ?? '',
    website: webAddress(row.website),
    // Without the register's consent it isn't shown as theirs.
    abn: row.register_problem === null ? row.abn : null,
  }
}

/** The vendor's website if it's an http or https address, else null. Other schemes, such as javascript:, are unsafe. */
function webAddress(text: string | null): string | null {
  if (!text || !URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
