import type { Database } from '../../adapters/database/port.ts'
import type { Category } from './rules.ts'

/**
 * Every landing page that search engines are told of, and when a business on it last changed: those with a business in
 * the place itself. There are at most as many as places times categories.
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

/** When a business of each category last changed, came or went; a category that never had one is missing. */
export async function listCategoryChanges(db: Database): Promise<Map<Category, Date>> {
  const rows = await db
    .selectFrom('listed_places')
    .select(['category', (eb) => eb.fn.max('changed_at').as('changed_at')])
    .groupBy('category')
    .execute()
  return new Map(rows.map((row) => [row.category, row.changed_at]))
}

/** A stretch of the businesses in the order of their ids: after the one, up to the other; null is open. */
export type IdRange = { after: string | null; to: string | null }

/**
 * Parts the businesses that visitors may see into stretches, one query for each, so that however many there are no query
 * reads more than one stretch.
 * @param size businesses in a stretch; the last has fewer
 * @returns stretches without gaps, the first and the last open, each with its newest change; none without businesses
 */
export async function* readIdRanges(
  db: Database,
  size: number,
): AsyncGenerator<IdRange & { changedAt: Date }> {
  for (let after: string | null = null; ; ) {
    const row: { last: string | null; changed_at: Date | null; count: string | number } = await db
      .selectFrom(selectListedIds(db, { after, to: null }).orderBy('id').limit(size).as('stretch'))
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

/** The businesses of a stretch that visitors may see, in batches, each read when the one before has been used. */
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
  let query = db
    .selectFrom('businesses')
    .select(['id', 'updated_at'])
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
  if (after !== null) query = query.where('id', '>', after)
  if (to !== null) query = query.where('id', '<=', to)
  return query
}
