import type { Jobs } from '../../adapters/jobs/port.ts'
import type { PaymentDeps } from './deps.server.ts'
import { sweepDisputes } from './dispute-commands.server.ts'
import { postMissingMoney } from './posting-commands.server.ts'
import { forgetRefundAccounts } from './refund-account-commands.server.ts'
import { askAboutRefunds } from './refund-news-commands.server.ts'
import { performDueRefunds } from './refund-sending-commands.server.ts'
import { sweepPayments } from './sweep-commands.server.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'sweep-payments': Nothing
    'perform-due-refunds': Nothing
    'ask-about-refunds': Nothing
    'sweep-disputes': Nothing
    'post-missing-money': Nothing
    'run-provider-work': Nothing
    'forget-refund-accounts': Nothing
  }
}

const EACH_MINUTE = '* * * * *'
const EACH_TEN_MINUTES = '*/10 * * * *'
const EACH_DAY = '47 17 * * *'

/** Schedules the sweep, due refunds and the providers' own work, each minute. Call it before `jobs.start`. */
export function registerPaymentJobs(jobs: Jobs, deps: PaymentDeps): void {
  jobs.handle('sweep-payments', async () => {
    await sweepPayments(deps)
  })
  jobs.schedule('sweep-payments', EACH_MINUTE, {})
  jobs.handle('perform-due-refunds', () => performDueRefunds(deps))
  jobs.schedule('perform-due-refunds', EACH_MINUTE, {})
  jobs.handle('ask-about-refunds', () => askAboutRefunds(deps))
  jobs.schedule('ask-about-refunds', EACH_MINUTE, {})
  jobs.handle('sweep-disputes', () => sweepDisputes(deps))
  jobs.schedule('sweep-disputes', EACH_MINUTE, {})
  jobs.handle('post-missing-money', async () => {
    await postMissingMoney(deps)
  })
  jobs.schedule('post-missing-money', EACH_TEN_MINUTES, {})
  jobs.handle('forget-refund-accounts', () => forgetRefundAccounts(deps))
  jobs.schedule('forget-refund-accounts', EACH_DAY, {})
  const withWork = deps.providers.filter(({ runDueWork }) => runDueWork !== undefined)
  if (withWork.length > 0) {
    jobs.handle('run-provider-work', async () => {
      for (const provider of withWork) await provider.runDueWork?.()
    })
    jobs.schedule('run-provider-work', EACH_MINUTE, {})
  }
}
