import type { Generated } from 'kysely'

type RateLimitsTable = { key: string; window_start: Date; count: Generated<number> }

declare module '../database/port.ts' {
  interface Tables {
    rate_limits: RateLimitsTable
  }
}
