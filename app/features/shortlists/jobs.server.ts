import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import { forgetUnused } from './commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'forget-unused-shortlists': Record<string, never>
  }
}

const ONCE_A_DAY = '25 18 * * *'

/** Schedules the daily removal of unused lists. Call it before `jobs.start`. */
export function registerShortlistJobs(jobs: Jobs, deps: { db: Database; now: () => Date }): void {
  jobs.handle('forget-unused-shortlists', () => forgetUnused(deps))
  jobs.schedule('forget-unused-shortlists', ONCE_A_DAY, {})
}
