import type { Jobs } from '../../adapters/jobs/port.ts'
import { sweepPayoutAccounts } from './account-commands.server.ts'
import { sweepBankPayouts } from './bank-commands.server.ts'
import type { PayoutDeps } from './deps.server.ts'
import { tellOfNewAgreement } from './notice-commands.server.ts'
import { sweepPayouts } from './settlement-commands.server.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'sweep-payouts': Nothing
    'sweep-payout-accounts': Nothing
    'sweep-bank-payouts': Nothing
  }
}

const EACH_MINUTE = '* * * * *'

/** Schedules the work on vendors' accounts and money, each minute. Call it before `jobs.start`. */
export function registerPayoutJobs(jobs: Jobs, deps: PayoutDeps): void {
  jobs.handle('sweep-payouts', () => sweepPayouts(deps))
  jobs.schedule('sweep-payouts', EACH_MINUTE, {})
  jobs.handle('sweep-payout-accounts', async () => {
    await sweepPayoutAccounts(deps)
    await tellOfNewAgreement(deps)
  })
  jobs.schedule('sweep-payout-accounts', EACH_MINUTE, {})
  jobs.handle('sweep-bank-payouts', () => sweepBankPayouts(deps))
  jobs.schedule('sweep-bank-payouts', EACH_MINUTE, {})
}
