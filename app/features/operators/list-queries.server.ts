import { type RawBuilder, sql } from 'kysely'

/** The tables that operators list by age. Each has an index on `created_at` and `id`, except disputes, which are few. */
type ListedTable = 'payments' | 'bookings' | 'users' | 'businesses' | 'disputes'

/** One page of a list. */
export type ListPage<Row> = {
  rows: Row[]
  /** The cursor of the next page; null on the last. */
  older: string | null
}

type Position = { micros: string; id: string }

const CURSOR = /^(\d{1,16})-([\w-]{1,100})$/

/** Reads a cursor from an address; a malformed one begins with the newest row. */
export function readCursor(text: string | null): Position | null {
  const [, micros, id] = CURSOR.exec(text ?? '') ?? []
  return micros && id ? { micros, id } : null
}

/** The age of a row in whole microseconds, since a Date has only milliseconds. */
export function cursorMicros(table: ListedTable) {
  return sql<string>`(extract(epoch from ${sql.ref(`${table}.created_at`)}) * 1000000)::bigint::text`.as(
    'cursor_micros',
  )
}

/** The position of a row that was selected with `cursorMicros`. */
export function cursorOf(row: { cursor_micros: string; id: string }): string {
  return `${row.cursor_micros}-${row.id}`
}

/** The condition that a row comes after a position in a list with the newest first. */
export function isOlder(table: ListedTable, { micros, id }: Position): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)})
    < (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::text)`
}

/**
 * Cuts rows to a page.
 * @param rows one more than the page has, if there are more
 */
export function toPage<Row extends { cursor: string }>(rows: readonly Row[], size: number): ListPage<Row> {
  const shown = rows.slice(0, size)
  return { rows: shown, older: rows.length > size ? (shown.at(-1)?.cursor ?? null) : null }
}

/** A pattern of `like` for part of a text. */
export function likePart(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`
}
