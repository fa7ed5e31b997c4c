import type { Jobs } from '../../adapters/jobs/port.ts'
import { type PushDeps, sendPush } from './push-commands.server.ts'
import type { PushNews } from './push-rules.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'send-push': PushNews & { subscriptionId: string }
  }
}

/** Registers the sending of news to devices. Call it before `jobs.start`. */
export function registerNotificationJobs(jobs: Jobs, deps: PushDeps): void {
  jobs.handle('send-push', (data) => sendPush(deps, data))
}
