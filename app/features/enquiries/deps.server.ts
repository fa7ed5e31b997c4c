import type { Database } from '../../adapters/database/port.ts'
import type { FileStore } from '../../adapters/file-store/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'

/** The services of the commands of conversations. */
export type EnquiryDeps = {
  db: Database
  jobs: Jobs
  liveUpdates: LiveUpdates
  files: FileStore
  rateLimits: RateLimits
  now: () => Date
  /** The key that the tokens of links and reply addresses are derived with. */
  secret: string
  brand: string
  publicUrl: URL
  /** The domain of reply addresses; null while replies by mail are off. */
  mailInbound: string | null
  /** Whether contact details stay masked until a booking is paid. */
  masksContacts: boolean
}
