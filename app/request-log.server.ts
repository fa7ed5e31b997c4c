import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The request that is being answered, for every line that is logged meanwhile. The route is its pattern, as
 * '/bookings/:linkToken': paths themselves are never logged, since some open things for whoever has them.
 */
export const requestLog = new AsyncLocalStorage<RequestLog>()

export type RequestLog = {
  requestId: string
  route: string
  /** Where the request is traced. */
  traceId?: string
  /** What fails now fails because the database or the file store can't be reached. */
  isDependencyUnavailable?: boolean
  /** An error was logged, so a failure of this request has left its trace. */
  hasErrorLine?: boolean
}
