import type { Database } from '../../adapters/database/port.ts'
import type { FileStore } from '../../adapters/file-store/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import { sweepPayoutAccounts } from './account-commands.server.ts'
import { type AgreementNoticeDeps, tellOfNewAgreement } from './agreement-commands.server.ts'
import { sweepBankPayouts } from './bank-commands.server.ts'
import type { PayoutDeps } from './deps.server.ts'
import { deleteUnusedProofFiles } from './proof-commands.server.ts'
import { sweepPayouts } from './settlement-commands.server.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'sweep-payouts': Nothing
    'sweep-payout-accounts': Nothing
    'sweep-bank-payouts': Nothing
    'tell-of-agreement': Nothing
    'delete-proof-files': { keys: string[] }
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

/** Registers the deletion of files that were stored for a proof which was then refused. */
export function registerProofJobs(jobs: Jobs, deps: { db: Database; files: FileStore }): void {
  jobs.handle('delete-proof-files', ({ keys }) => deleteUnusedProofFiles(deps, keys))
}

/** Schedules the notice of a new vendor agreement, each minute, also while vendors aren't paid by us. */
export function registerAgreementJobs(jobs: Jobs, deps: AgreementNoticeDeps): void {
  jobs.handle('tell-of-agreement', () => tellOfNewAgreement(deps))
  jobs.schedule('tell-of-agreement', EACH_MINUTE, {})
}
