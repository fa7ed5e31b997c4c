import { sql } from 'kysely'

/** The comment that `PREPARED` adds to a statement. */
export const PREPARED_MARK = '/* prepared */'
/**
 * Marks a statement outside a transaction that takes longer to plan than to run, and has one good plan for all values. Pass it to
 * `modifyEnd`, or begin an `sql` template with its text. Each connection to PostgreSQL then plans the statement once.
 */
export const PREPARED = sql.raw(PREPARED_MARK)
