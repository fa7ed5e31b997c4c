import type { Jobs } from '../../adapters/jobs/port.ts'
import { sweepPayoutAccounts } from './account-commands.server.ts'
import { type AgreementNoticeDeps, tellOfNewAgreement } from './agreement-commands.server.ts'
import { sweepBankPayouts } from './bank-commands.server.ts'
import type { PayoutDeps } from './deps.server.ts'
import { sweepPayouts } from './settlement-commands.server.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'sweep-payouts': Nothing
    'sweep-payout-accounts': Nothing
    'sweep-bank-payouts': Nothing
    'tell-of-agreement': Nothing
  }
}

const EACH_MINUTE = '* * * * *'

/** Schedules the work on vendors' accounts and money, each minute. Call it before `jobs.start`. */
export function registerPayoutJobs(jobs: Jobs, deps: PayoutDeps): void {
  jobs.handle('sweep-payouts', () => sweepPayouts(deps))
  jobs.schedule('sweep-payouts', EACH_MINUTE, {})
  jobs.handle('sweep-payout-accounts', () => sweepPayoutAccounts(deps))
  jobs.schedule('sweep-payout-accounts', EACH_MINUTE, {})
  jobs.handle('sweep-bank-payouts', () => sweepBankPayouts(deps))
  jobs.schedule('sweep-bank-payouts', EACH_MINUTE, {})
}

/** Schedules the notice of a new vendor agreement, each minute, also while vendors aren't paid by us. */
export function registerAgreementJobs(jobs: Jobs, deps: AgreementNoticeDeps): void {
  jobs.handle('tell-of-agreement', () => tellOfNewAgreement(deps))
  jobs.schedule('tell-of-agreement', EACH_MINUTE, {})
}
