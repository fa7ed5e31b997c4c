import type { Jobs } from '../../adapters/jobs/port.ts'
import { forgetIdentities } from './commands.server.ts'
import type { IncomeReportDeps } from './deps.server.ts'
import { remindOfReports } from './reminder-commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'remind-of-income-reports': Record<string, never>
    'forget-identities': Record<string, never>
  }
}

/** In the morning of eastern Australia. */
const REMINDERS = '40 21 * * *'
const ONCE_A_DAY = '45 18 * * *'

/**
 * Schedules the operators' reminders, and the end of what is kept: that comes also where payouts were switched off. Call it before
 * `jobs.start`.
 */
export function registerIncomeReportJobs(
  jobs: Jobs,
  deps: IncomeReportDeps,
  { hasPayouts }: { hasPayouts: boolean },
): void {
  jobs.handle('forget-identities', () => forgetIdentities(deps))
  jobs.schedule('forget-identities', ONCE_A_DAY, {})
  if (!hasPayouts) return
  jobs.handle('remind-of-income-reports', () => remindOfReports(deps))
  jobs.schedule('remind-of-income-reports', REMINDERS, {})
}
