import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a business is visible: on its page, in lists and searches, and to be booked. A business is hidden by its owner, an
 * operator, or its account's deactivation or disabling; a deleted one stays for its bookings.
 * @param businesses its table's name in the query
 */
export function isVisible(businesses = 'businesses'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${businesses}.${name}`)
  return sql<boolean>`(${column('deleted_at')} is null and ${column('hidden_at')} is null)`
}

/** The same of a row that has been read. */
export function isVisibleRow(business: { deleted_at: Date | null; hidden_at: Date | null }): boolean {
  return business.deleted_at === null && business.hidden_at === null
}
