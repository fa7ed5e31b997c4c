import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The current request, for every line that is logged during it. The route is a pattern such as '/bookings/:linkToken'.
 * Paths themselves are never logged, because some contain secrets.
 */
export const requestLog = new AsyncLocalStorage<RequestLog>()

export type RequestLog = {
  requestId: string
  route: string
  /** The id of the request's trace. */
  traceId?: string
  /** Whether the database or the file store was unavailable during this request, which explains its failure. */
  isDependencyUnavailable?: boolean
  /** Whether an error was logged for this request. */
  hasErrorLine?: boolean
}
