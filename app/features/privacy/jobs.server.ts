import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import { forgetConversations } from '../enquiries/retention-commands.server.ts'
import { listQuoteNotices } from '../quotes/notice-commands.server.ts'
import { blankDeletedCustomers, forgetWhatIsOver } from './commands.server.ts'
import { DELETED_CUSTOMER } from './rules.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'forget-conversations': Record<string, never>
    'blank-deleted-customers': Record<string, never>
    'forget-what-is-over': Record<string, never>
  }
}

// After midnight in all of Australia, when yesterday's events are over.
const ONCE_A_DAY = '20 18 * * *'

/** Schedules the daily removal of personal data: of deleted customers, and data that has served its purpose. */
export function registerPrivacyJobs(
  jobs: Jobs,
  deps: { db: Database; jobs: Jobs; now: () => Date; realNow: () => Date },
): void {
  jobs.handle('blank-deleted-customers', () => blankDeletedCustomers(deps))
  jobs.schedule('blank-deleted-customers', ONCE_A_DAY, {})
  jobs.handle('forget-what-is-over', () => forgetWhatIsOver(deps))
  jobs.schedule('forget-what-is-over', ONCE_A_DAY, {})
  jobs.handle('forget-conversations', () =>
    forgetConversations({ ...deps, listQuoteNotices }, DELETED_CUSTOMER),
  )
  jobs.schedule('forget-conversations', ONCE_A_DAY, {})
}
