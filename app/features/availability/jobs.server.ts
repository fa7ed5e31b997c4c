import type { Jobs } from '../../adapters/jobs/port.ts'
import { type OutsideCalendarDeps, syncOutsideCalendars } from './outside-calendar-commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'sync-outside-calendars': Record<string, never>
  }
}

// Each calendar is due every quarter of an hour from its own start, so the job runs each minute to spread them.
const EACH_MINUTE = '* * * * *'

/** Schedules the sync of outside calendars. Call it before `jobs.start`. */
export function registerAvailabilityJobs(jobs: Jobs, deps: OutsideCalendarDeps): void {
  jobs.handle('sync-outside-calendars', () => syncOutsideCalendars(deps))
  jobs.schedule('sync-outside-calendars', EACH_MINUTE, {})
}
