import type { Mail } from '../../adapters/mail/port.ts'
import { forgetEndedAlerts, mailQuestion } from './commands.server.ts'
import type { AlertDeps } from './deps.server.ts'
import { type FoundBy, mailAlerts, tellAlerts } from './telling-commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    /** Links and addresses are read when the mail is sent: the queue has only ids. */
    'send-alert-question': { alertId: string }
    'tell-alerts': Record<string, never>
    'send-alerts': { recipientId: string; key: string; found: readonly FoundBy[] }
    'forget-ended-alerts': Record<string, never>
  }
}

const EACH_TEN_MINUTES = '8-59/10 * * * *'
const ONCE_A_DAY = '50 18 * * *'

/** Registers the searches that tell by mail whom they find. Call it before `jobs.start`. */
export function registerAlertJobs(deps: AlertDeps, mail: Mail): void {
  const { jobs } = deps
  jobs.handle('send-alert-question', (data) => mailQuestion({ ...deps, mail }, data))
  jobs.handle('tell-alerts', () => tellAlerts(deps))
  jobs.schedule('tell-alerts', EACH_TEN_MINUTES, {})
  jobs.handle('send-alerts', (data) => mailAlerts({ ...deps, mail }, data))
  jobs.handle('forget-ended-alerts', () => forgetEndedAlerts(deps))
  jobs.schedule('forget-ended-alerts', ONCE_A_DAY, {})
}
