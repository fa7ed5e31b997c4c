import { setTimeout as wait } from 'node:timers/promises'
import type { Jobs } from '../../adapters/jobs/port.ts'
import { type AskingDeps, askAboutSales } from './asking-commands.server.ts'
import { issueSaleDocuments } from './commands.server.ts'
import { issueCommissionDocuments } from './commission-commands.server.ts'
import type { TaxDeps } from './deps.server.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'issue-sale-documents': Nothing
    'issue-commission-documents': Nothing
    'ask-register-about-sales': Nothing
  }
}

const EACH_MINUTE = '* * * * *'
const EACH_TEN_MINUTES = '5-59/10 * * * *'
/** Months end at another hour in each zone. */
const EACH_HOUR = '20 * * * *'

/**
 * Schedules the tax documents: of sales within a minute of their approval, of commission once its month is over. Call it before
 * `jobs.start`.
 * @param register null where none is asked
 */
export function registerTaxJobs(jobs: Jobs, deps: TaxDeps, register: AskingDeps['register']): void {
  jobs.handle('issue-sale-documents', () => issueSaleDocuments(deps))
  jobs.schedule('issue-sale-documents', EACH_MINUTE, {})
  jobs.handle('issue-commission-documents', () => issueCommissionDocuments(deps))
  jobs.schedule('issue-commission-documents', EACH_HOUR, {})
  jobs.handle('ask-register-about-sales', () => askAboutSales({ db: deps.db, now: deps.now, register, wait }))
  jobs.schedule('ask-register-about-sales', EACH_TEN_MINUTES, {})
}
