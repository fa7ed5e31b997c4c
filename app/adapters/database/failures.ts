/**
 * PostgreSQL's error codes for an unavailable database, as opposed to a faulty statement (PostgreSQL, appendix A): connection
 * exceptions, a full disk, too little memory or too many connections, shutdown or startup, a cancelled statement, a read-only
 * server, and a file that can't be read or written.
 */
const UNAVAILABLE = /^(08|53|57P|57014|25006|58030)/

/** Two transactions waited for each other, or saw each other's writes. The same work succeeds when it is repeated. */
const REPEATABLE: readonly string[] = ['40P01', '40001']

/** The code of a database's error; '' for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Whether an error says that the database can't serve now, whatever it is asked. */
export function isUnavailable(error: unknown): boolean {
  return UNAVAILABLE.test(codeOf(error))
}

/** Whether a transaction that failed so succeeds when it is repeated. */
export function isRepeatable(error: unknown): boolean {
  return REPEATABLE.includes(codeOf(error))
}
