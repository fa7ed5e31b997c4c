import { type RawBuilder, sql } from 'kysely'
import { isLocalDate } from './dates.ts'

/**
 * Paging by key: a page begins after the last row of the page before it, wherever that row has moved to, and costs the same
 * however deep it is. The key is a moment of the row and its id, and stands in an address.
 *
 * Two lists page by keys of their own: search, whose keys are a position or a score and which walks both ways through eras
 * (`features/search/list-queries.server.ts`), and the ledger's journal, by the numbers of its transactions and lines.
 */
export type PageKey = { moment: string; id: string; form: KeyForm }

/** How a list writes the moment. Each keeps the form that its addresses have. */
type KeyForm = keyof typeof FORMS

const FORMS = {
  /** Whole microseconds, as precise as the database; a Date has only milliseconds. */
  micros: {
    pattern: /^(\d{1,16})-([\w-]{1,100})$/,
    toTime: (moment: string) => sql`timestamptz 'epoch' + ${moment}::bigint * interval '1 microsecond'`,
  },
  /** Milliseconds up to the year 5138. The embedded database can't read a year of five digits. */
  millis: {
    pattern: /^(\d{1,14})-([\w-]{1,100})$/,
    toTime: (moment: string) => sql`timestamptz 'epoch' + ${moment}::bigint * interval '1 millisecond'`,
  },
  /** ISO 8601, UTC. */
  iso: {
    pattern: /^(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)_([\w-]{1,64})$/,
    toTime: (moment: string) => sql`${moment}::timestamptz`,
  },
} as const

/** Reads a key from an address. @returns null without one, or for a text that never was one */
export function readPageKey(text: string | null | undefined, form: KeyForm = 'micros'): PageKey | null {
  const [, moment, id] = FORMS[form].pattern.exec(text ?? '') ?? []
  if (!moment || !id) return null
  const isMoment = form !== 'iso' || (isLocalDate(moment.slice(0, 10)) && !Number.isNaN(Date.parse(moment)))
  return isMoment ? { moment, id, form } : null
}

/** Writes a key as `readPageKey` reads it. */
export function writePageKey(moment: string | number, id: string, form: KeyForm = 'micros'): string {
  return `${moment}${form === 'iso' ? '_' : '-'}${id}`
}

/** Selects a moment for a key in microseconds. */
export function microsOf(column: string): RawBuilder<string> {
  return sql<string>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint::text`
}

/**
 * The condition that a row comes after a key.
 * @param order of the list, by both columns
 */
export function isPast(
  key: PageKey,
  columns: { moment: string; id: string },
  order: 'asc' | 'desc',
): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(columns.moment)}, ${sql.ref(columns.id)})
    ${sql.raw(order === 'asc' ? '>' : '<')} (${FORMS[key.form].toTime(key.moment)}, ${key.id}::text)`
}

/**
 * Cuts rows to a page.
 * @param rows one more than the page has, if there are more
 * @returns `last` is the last row of the page if another page follows; otherwise null
 */
export function cutPage<Row>(rows: readonly Row[], size: number): { rows: Row[]; last: Row | null } {
  const page = rows.slice(0, size)
  return { rows: page, last: rows.length > size ? (page.at(-1) ?? null) : null }
}
