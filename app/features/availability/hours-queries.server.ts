import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { PREPARED } from '../../shared/prepared.server.ts'
import type { TimeSpan } from '../../shared/time-span.ts'
import { toSecondPrice } from '../businesses/queries.server.ts'
import type { Pricing } from '../businesses/rules.ts'
import { type AvailabilityRules, defaultAvailability, type HoursException } from './rules.ts'

/**
 * Finds a business's opening hours and limits: its vendor's settings, else its category's defaults, in the zone of its
 * place.
 * @returns null when there is no such business, or it is deleted
 */
export async function findAvailability(
  db: Database | DatabaseTransaction,
  businessId: string,
): Promise<AvailabilityRules | null> {
  return (await listAvailability(db, [businessId])).get(businessId)?.rules ?? null
}

/** Lists the opening hours and limits of several businesses, each with its prices and the guests that it seats. */
export async function listAvailability(
  db: Database | DatabaseTransaction,
  businessIds: readonly string[],
): Promise<Map<string, { rules: AvailabilityRules; pricing: Pricing; seated: number | null }>> {
  // The lateral join looks up one place per business. A plain join reads all places: 1.1 ms of 1.7 for sixty
  // businesses.
  const rows = await db
    .selectFrom('businesses')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('places')
          .whereRef('places.id', '=', 'businesses.place_id')
          .select('places.time_zone')
          .limit(1)
          .as('place'),
      (join) => join.onTrue(),
    )
    .leftJoin('availability_settings as set', 'set.business_id', 'businesses.id')
    .select([
      'businesses.id',
      'businesses.category',
      'businesses.max_guests',
      'businesses.facts',
      'businesses.price_cents',
      'businesses.price_unit',
      'businesses.second_price_cents',
      'businesses.second_price_unit',
      'place.time_zone',
      'set.capacity',
      'set.weekly',
      'set.event_minutes',
      'set.setup_minutes',
      'set.cleanup_minutes',
      'set.notice_minutes',
      'set.horizon_days',
      sql<HoursException[]>`coalesce((
        select json_agg(json_build_object('from', to_char(from_day, 'YYYY-MM-DD'), 'to', to_char(to_day, 'YYYY-MM-DD'),
          'hours', hours, 'note', note) order by number)
        from availability_exceptions where business_id = businesses.id), '[]')`.as('exceptions'),
    ])
    .where('businesses.id', 'in', businessIds)
    .where('businesses.deleted_at', 'is', null)
    .modifyEnd(PREPARED)
    .execute()
  return new Map(
    rows.map((row) => {
      const usual = defaultAvailability(row.category, row.time_zone)
      const rules: AvailabilityRules =
        row.capacity === null
          ? { ...usual, maxGuests: row.max_guests, exceptions: row.exceptions }
          : {
              timeZone: row.time_zone,
              capacity: row.capacity,
              maxGuests: row.max_guests,
              weekly: row.weekly ?? usual.weekly,
              exceptions: row.exceptions,
              eventMinutes: row.event_minutes ?? usual.eventMinutes,
              setupMinutes: row.setup_minutes ?? usual.setupMinutes,
              cleanupMinutes: row.cleanup_minutes ?? usual.cleanupMinutes,
              noticeMinutes: row.notice_minutes ?? usual.noticeMinutes,
              horizonDays: row.horizon_days ?? usual.horizonDays,
            }
      const pricing: Pricing = {
        priceCents: Number(row.price_cents),
        priceUnit: row.price_unit,
        secondPrice: toSecondPrice(row),
      }
      return [row.id, { rules, pricing, seated: row.facts.seated ?? null }]
    }),
  )
}

/** A blocked time, as the calendar lists it. */
export type ListedBlock = TimeSpan & { id: string; note: string }

/** Lists the blocked times of a business, by time. */
export async function listBlocks(db: Database, businessId: string): Promise<ListedBlock[]> {
  return db
    .selectFrom('slots')
    .select(['id', 'note', sql<Date>`lower(during)`.as('from'), sql<Date>`upper(during)`.as('until')])
    .where('business_id', '=', businessId)
    .where('kind', '=', 'block')
    .orderBy('from')
    .orderBy('id')
    .execute()
}

/**
 * Finds the version of a business's settings, which a save must hand back.
 * @returns null while the business has the defaults
 */
export async function findSettingsVersion(
  db: Database | DatabaseTransaction,
  businessId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('businesses')
    .leftJoin('availability_settings as set', 'set.business_id', 'businesses.id')
    .select(['set.updated_at', 'businesses.max_guests'])
    .where('businesses.id', '=', businessId)
    .executeTakeFirst()
  if (row?.updated_at) return row.updated_at.toISOString()
  // The listing form sets the maximum number of guests of a business without settings.
  return row?.max_guests ? `${row.max_guests} guests` : null
}

/** An exception as the settings screen lists it. */
export type ListedException = HoursException & { id: string }

/** Lists the exceptions to a business's weekly hours in order of precedence: of two for a day, the later wins. */
export async function listExceptions(db: Database, businessId: string): Promise<ListedException[]> {
  const rows = await db
    .selectFrom('availability_exceptions')
    .select([
      'id',
      'hours',
      'note',
      sql<string>`to_char(from_day, 'YYYY-MM-DD')`.as('from'),
      sql<string>`to_char(to_day, 'YYYY-MM-DD')`.as('to'),
    ])
    .where('business_id', '=', businessId)
    .orderBy('number')
    .execute()
  return rows.map(({ id, from, to, hours, note }) => ({ id, from, to, hours, note }))
}

/** Those of these businesses whose vendor has set when they can be booked. */
export async function listBusinessesWithHours(db: Database, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('availability_settings')
    .select('business_id')
    .where('business_id', 'in', ids)
    .execute()
  return new Set(rows.map((row) => row.business_id))
}
