import { setTimeout as wait } from 'node:timers/promises'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import {
  type AccountantDeps,
  sendMonthMail,
  sendMonthMailOfBefore,
  sendMonthsToAccountants,
  sendQuestion,
} from './accountant-commands.server.ts'
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
    'send-months-to-accountants': Nothing
    /** The links are made when the mails are sent, because the rows are kept for days. */
    'send-accountant-question': { id: string }
    'send-accountant-mail': { id: string; month: string }
    /** Queued by the version before. */
    'send-accountant-month': { id: string; month: string }
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

const HOURLY_TO_ACCOUNTANTS = '50 * * * *'

/** Schedules the mails to vendors' accountants. Call it before `jobs.start`. */
export function registerAccountantJobs(jobs: Jobs, deps: AccountantDeps & { mail: Mail }): void {
  jobs.handle('send-months-to-accountants', () => sendMonthsToAccountants(deps))
  jobs.schedule('send-months-to-accountants', HOURLY_TO_ACCOUNTANTS, {})
  jobs.handle('send-accountant-question', ({ id }) => sendQuestion(deps, id))
  jobs.handle('send-accountant-mail', (month) => sendMonthMail(deps, month))
  jobs.handle('send-accountant-month', (month) => sendMonthMailOfBefore(deps, month))
}
