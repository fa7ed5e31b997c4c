import type { Jobs } from '../../adapters/jobs/port.ts'
import { type OutsideCalendarDeps, syncOutsideCalendars } from './outside-calendar-commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'sync-outside-calendars': Record<string, never>
  }
}

// Each calendar has its own quarter of an hour, so that they don't all come at once.
const EACH_MINUTE = '* * * * *'

/** Reads the calendars that vendors keep elsewhere. Call it before `jobs.start`. */
export function registerAvailabilityJobs(jobs: Jobs, deps: OutsideCalendarDeps): void {
  jobs.handle('sync-outside-calendars', () => syncOutsideCalendars(deps))
  jobs.schedule('sync-outside-calendars', EACH_MINUTE, {})
}
