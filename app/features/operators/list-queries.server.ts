import type { RawBuilder } from 'kysely'
import { cutPage, isPast, microsOf, type PageKey, writePageKey } from '../../shared/page-keys.server.ts'

/** The tables that operators list by age. Each has an index on `created_at` and `id`, except disputes, which are few. */
type ListedTable = 'payments' | 'bookings' | 'users' | 'businesses' | 'disputes'

/** One page of a list. */
export type ListPage<Row> = {
  rows: Row[]
  /** The cursor of the next page; null on the last. */
  older: string | null
}

/** The age of a row, for its cursor. */
export const cursorMicros = (table: ListedTable) => microsOf(`${table}.created_at`).as('cursor_micros')

/** The position of a row that was selected with `cursorMicros`. */
export const cursorOf = (row: { cursor_micros: string; id: string }) =>
  writePageKey(row.cursor_micros, row.id)

/** The condition that a row comes after a position in a list with the newest first. */
export const isOlder = (table: ListedTable, key: PageKey): RawBuilder<boolean> =>
  isPast(key, { moment: `${table}.created_at`, id: `${table}.id` }, 'desc')

/**
 * Cuts rows to a page.
 * @param rows one more than the page has, if there are more
 */
export function toPage<Row extends { cursor: string }>(rows: readonly Row[], size: number): ListPage<Row> {
  const page = cutPage(rows, size)
  return { rows: page.rows, older: page.last?.cursor ?? null }
}

/** A pattern of `like` for part of a text. */
export function likePart(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`
}
