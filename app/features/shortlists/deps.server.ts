import type { Database } from '../../adapters/database/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'

/** The services of the commands of shortlists. */
export type ShortlistDeps = {
  db: Database
  liveUpdates: LiveUpdates
  rateLimits: RateLimits
  now: () => Date
  /** The key that the tokens of links are derived with. */
  secret: string
}
