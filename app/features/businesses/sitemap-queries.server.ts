import type { Database } from '../../adapters/database/port.ts'
import type { Category } from './rules.ts'
import { isVisible } from './visible-queries.server.ts'

/**
 * Every landing page in the sitemap, with the time of the last change of a business on it. Only pages with a business
 * in the place itself, so at most places times categories.
 */
export async function listLandings(
  db: Database,
): Promise<{ category: Category; placeId: string; changedAt: Date }[]> {
  const rows = await db
    .selectFrom('listed_places')
    .select(['category', 'place_id', 'changed_at'])
    .where('listed', '>', 0)
    .orderBy('category')
    .orderBy('place_id')
    .execute()
  return rows.map((row) => ({ category: row.category, placeId: row.place_id, changedAt: row.changed_at }))
}

/**
 * The last time that a business of each category was added, changed or removed. Omits categories that never had one.
 */
export async function listCategoryChanges(db: Database): Promise<Map<Category, Date>> {
  const rows = await db
    .selectFrom('listed_places')
    .select(['category', (eb) => eb.fn.max('changed_at').as('changed_at')])
    .groupBy('category')
    .execute()
  return new Map(rows.map((row) => [row.category, row.changed_at]))
}

/** A range of ids in ascending order: after the one, up to and including the other. null is unbounded. */
export type IdRange = { after: string | null; to: string | null }

/**
 * Splits the visible businesses into ranges of ids, with one query per range, so that no query reads more than one
 * range.
 * @param size the businesses per range; the last range has fewer
 * @returns ranges without gaps, the first and last unbounded, each with its latest change; none without businesses
 */
export async function* readIdRanges(
  db: Database,
  size: number,
): AsyncGenerator<IdRange & { changedAt: Date }> {
  for (let after: string | null = null; ; ) {
    const row: { last: string | null; changed_at: Date | null; count: string | number } = await db
      .selectFrom(selectListedIds(db, { after, to: null }).orderBy('id').limit(size).as('range'))
      .select((eb) => [
        eb.fn.max('id').as('last'),
        eb.fn.max('updated_at').as('changed_at'),
        eb.fn.countAll<string>().as('count'),
      ])
      .executeTakeFirstOrThrow()
    if (!row.last || !row.changed_at) return
    const isLast = Number(row.count) < size
    yield { after, to: isLast ? null : row.last, changedAt: row.changed_at }
    if (isLast) return
    after = row.last
  }
}

/** The visible businesses of a range in batches. Each batch is read only after the previous one was consumed. */
export async function* readListedIds(
  db: Database,
  range: IdRange,
  batchSize: number,
): AsyncGenerator<{ id: string; changedAt: Date }[]> {
  for (let after = range.after; ; ) {
    const rows: { id: string; updated_at: Date }[] = await selectListedIds(db, { ...range, after })
      .orderBy('id')
      .limit(batchSize)
      .execute()
    if (rows.length > 0) yield rows.map((row) => ({ id: row.id, changedAt: row.updated_at }))
    if (rows.length < batchSize) return
    after = rows.at(-1)?.id ?? null
  }
}

function selectListedIds(db: Database, { after, to }: IdRange) {
  let query = db.selectFrom('businesses').select(['id', 'updated_at']).where(isVisible())
  if (after !== null) query = query.where('id', '>', after)
  if (to !== null) query = query.where('id', '<=', to)
  return query
}
