import type { Jobs } from '../../adapters/jobs/port.ts'
import { issueSaleDocuments } from './commands.server.ts'
import { issueCommissionDocuments } from './commission-commands.server.ts'
import type { TaxDeps } from './deps.server.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'issue-sale-documents': Nothing
    'issue-commission-documents': Nothing
  }
}

const EACH_MINUTE = '* * * * *'
/** Months end at another hour in each zone. */
const EACH_HOUR = '20 * * * *'

/** Schedules the tax documents: of sales within a minute of their approval, of commission once its month is over. Call it before `jobs.start`. */
export function registerTaxJobs(jobs: Jobs, deps: TaxDeps): void {
  jobs.handle('issue-sale-documents', () => issueSaleDocuments(deps))
  jobs.schedule('issue-sale-documents', EACH_MINUTE, {})
  jobs.handle('issue-commission-documents', () => issueCommissionDocuments(deps))
  jobs.schedule('issue-commission-documents', EACH_HOUR, {})
}
