import type { BookingDeps } from '../bookings/deps.server.ts'
import { expireApprovals } from './approval-commands.server.ts'
import { compareWithProvider } from './comparison-commands.server.ts'
import { resendAnswers } from './dispute-answer-commands.server.ts'
import { forgetLetters } from './letter-commands.server.ts'
import { forgetMoves } from './move-commands.server.ts'
import { forgetAdminClaims } from './named-admin-queries.server.ts'
import { jobHealthOf } from './rules.ts'
import { forgetMarks, noteEndedTasks } from './task-commands.server.ts'
import type { TaskReader } from './task-queries.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'compare-with-provider': Record<string, never>
    'resend-dispute-answers': Record<string, never>
    'expire-operator-orders': Record<string, never>
    'forget-admin-claims': Record<string, never>
  }
}

/** 2:30 am in Sydney in winter; cron times are UTC. */
const NIGHTLY = '30 16 * * *'
const DAILY = '35 18 * * *'

/**
 * Compares our payments with the provider's every night, sends answers to disputes again each minute, ends expired
 * orders, forgets the marks of ended tasks and letters of conversations that are gone, and deletes addresses of admins who have left. Call it before `jobs.start`.
 */
export function registerOperatorJobs(
  deps: BookingDeps & { adminEmails: ReadonlySet<string>; payouts: TaskReader['payouts'] },
  log: { error(fields: object, message: string): void },
): void {
  deps.jobs.handle('compare-with-provider', async () => {
    const { differences, failure } = await compareWithProvider(deps, { operator: null })
    if (differences > 0) log.error({ differences }, 'payments differ from the provider')
    if (failure) throw new Error(`The comparison with the provider was cut off: ${failure}`)
  })
  deps.jobs.schedule('compare-with-provider', NIGHTLY, {})
  deps.jobs.handle('resend-dispute-answers', () => resendAnswers(deps))
  deps.jobs.schedule('resend-dispute-answers', '* * * * *', {})
  deps.jobs.handle('expire-operator-orders', async () => {
    await expireApprovals(deps, deps.now())
    await forgetMoves(deps.db, deps.now())
    const jobs = jobHealthOf(await deps.jobs.count())
    await noteEndedTasks(deps.db, { now: deps.now(), payouts: deps.payouts, jobs })
    await forgetMarks(deps.db, deps.now())
    await forgetLetters(deps.db)
  })
  deps.jobs.schedule('expire-operator-orders', '*/10 * * * *', {})
  deps.jobs.handle('forget-admin-claims', () => forgetAdminClaims(deps.db, deps.adminEmails))
  deps.jobs.schedule('forget-admin-claims', DAILY, {})
}
