import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import { endSnoozes } from './commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'end-snoozes': Record<string, never>
  }
}

const EACH_MINUTE = '* * * * *'

/** Registers the return of rows that were put off. Call it before `jobs.start`. */
export function registerDeskJobs(jobs: Jobs, deps: { db: Database; now: () => Date }): void {
  jobs.handle('end-snoozes', () => endSnoozes(deps))
  jobs.schedule('end-snoozes', EACH_MINUTE, {})
}
