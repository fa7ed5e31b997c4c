import { setTimeout as wait } from 'node:timers/promises'
import type { Jobs } from '../../adapters/jobs/port.ts'
import {
  askDueRegistrations,
  askRegister,
  forgetAnswers,
  type RegisterDeps,
} from './register-commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'ask-register': { registrationId: string }
    'ask-register-again': Record<string, never>
    'forget-register-answers': Record<string, never>
  }
}

const EACH_MINUTE = '* * * * *'
const DAILY = '40 18 * * *'

/** Registers the work on the Australian Business Register. Call it before `jobs.start`. */
export function registerRegistrationJobs(jobs: Jobs, deps: RegisterDeps): void {
  jobs.handle('ask-register', async ({ registrationId }) => {
    await askRegister(deps, registrationId)
  })
  jobs.handle('ask-register-again', () => askDueRegistrations({ ...deps, wait }))
  jobs.schedule('ask-register-again', EACH_MINUTE, {})
  jobs.handle('forget-register-answers', () => forgetAnswers(deps))
  jobs.schedule('forget-register-answers', DAILY, {})
}
