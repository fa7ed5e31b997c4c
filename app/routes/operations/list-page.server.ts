import type { Database } from '../../adapters/database/port.ts'
import { findFirstPictures } from '../../features/businesses/queries.server.ts'
import { toPage } from '../../features/operators/list-queries.server.ts'
import { PAGE_SIZE } from '../../features/operators/rules.ts'

/**
 * Reads one page of an operators' list with the pictures of its businesses.
 * @param list returns the rows after a cursor
 */
export async function loadPage<Row extends { cursor: string }>(
  { db, url }: { db: Database; url: URL },
  list: (range: { before: string | null; limit: number }) => Promise<Row[]>,
  businessOf: (row: Row) => string | null,
) {
  const before = url.searchParams.get('before')
  const { rows, older } = toPage(await list({ before, limit: PAGE_SIZE + 1 }), PAGE_SIZE)
  return { rows, older, isFirst: before === null, pictures: await picturesOf(db, rows, businessOf) }
}

/** The first pictures of the businesses of rows. */
export function picturesOf<Row>(db: Database, rows: readonly Row[], businessOf: (row: Row) => string | null) {
  return findFirstPictures(
    db,
    rows.flatMap((row) => businessOf(row) ?? []),
  )
}
