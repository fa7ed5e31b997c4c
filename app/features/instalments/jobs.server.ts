import type { Jobs } from '../../adapters/jobs/port.ts'
import { detachIdleCards, storeSavedCards } from './card-commands.server.ts'
import { chargeDueInstalments } from './charge-commands.server.ts'
import type { InstalmentDeps } from './deps.server.ts'
import { processUnpaidInstalments, remindOfInstalments } from './reminder-commands.server.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'tend-saved-cards': Nothing
    'remind-of-instalments': Nothing
    'charge-instalments': Nothing
    'tend-unpaid-instalments': Nothing
  }
}

const EACH_MINUTE = '* * * * *'

/** Schedules reminders and charges of instalments, each minute. Call it before `jobs.start`. */
export function registerInstalmentJobs(jobs: Jobs, deps: InstalmentDeps): void {
  jobs.handle('tend-saved-cards', async () => {
    await storeSavedCards(deps)
    await detachIdleCards(deps)
  })
  jobs.schedule('tend-saved-cards', EACH_MINUTE, {})
  jobs.handle('remind-of-instalments', () => remindOfInstalments(deps))
  jobs.schedule('remind-of-instalments', EACH_MINUTE, {})
  jobs.handle('charge-instalments', () => chargeDueInstalments(deps))
  jobs.schedule('charge-instalments', EACH_MINUTE, {})
  jobs.handle('tend-unpaid-instalments', () => processUnpaidInstalments(deps))
  jobs.schedule('tend-unpaid-instalments', EACH_MINUTE, {})
}
