import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'

/** The services of alerts. */
export type AlertDeps = {
  db: Database
  jobs: Jobs
  now: () => Date
  /** The radius of 'near' in searches, in km. */
  nearKm: number
  brand: string
  publicUrl: URL
  /** Signs the links. */
  secret: string
}
