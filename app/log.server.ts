import { pino } from 'pino'
import type { Config } from './config.server.ts'
import { requestLog } from './request-log.server.ts'

/** Writes structured log lines. Fields never contain personal data. */
export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Pino's number for the level 'error'. */
const ERROR_LEVEL = 50

/**
 * Creates a log that writes JSON lines to standard output.
 * @param traceId returns the current trace's id
 */
export function createLog(level: Config['logLevel'], traceId: () => string | null = () => null): Log {
  return pino({
    level,
    serializers: { err: describeError },
    // Every line that is logged during a request has its id.
    mixin(_fields, level) {
      const request = requestLog.getStore()
      if (request && level >= ERROR_LEVEL) request.hasErrorLine = true
      const { hasErrorLine: _, ...about } = request ?? {}
      const id = traceId()
      return { ...about, ...(id ? { traceId: id } : {}) }
    },
  })
}

/**
 * Picks an error's useful fields. Drivers attach whole connections to their errors, including settings. The job queue
 * reports errors as plain objects.
 */
function describeError(error: unknown): object {
  if (typeof error !== 'object' || error === null) return { message: String(error) }
  const { name, message, stack, code, cause } = error as Partial<Error> & { code?: unknown }
  return { name, message, code, stack, ...(cause ? { cause: describeError(cause) } : {}) }
}
