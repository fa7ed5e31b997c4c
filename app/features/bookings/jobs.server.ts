import {
  type BookingDeps,
  performDueRefunds,
  remindOfEvents,
  sweepPayments,
  tendPendingBookings,
} from './commands.server.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'sweep-payments': Nothing
    'perform-due-refunds': Nothing
    'tend-pending-bookings': Nothing
    'remind-of-events': Nothing
    'run-provider-work': Nothing
  }
}

const EACH_MINUTE = '* * * * *'

/** What happens to payments and bookings without anybody asking, each minute. Call it before `jobs.start`. */
export function registerBookingJobs(deps: BookingDeps): void {
  const { jobs, payments } = deps
  jobs.handle('sweep-payments', async () => {
    await sweepPayments(deps)
  })
  jobs.schedule('sweep-payments', EACH_MINUTE, {})
  jobs.handle('perform-due-refunds', () => performDueRefunds(deps))
  jobs.schedule('perform-due-refunds', EACH_MINUTE, {})
  jobs.handle('tend-pending-bookings', () => tendPendingBookings(deps))
  jobs.schedule('tend-pending-bookings', EACH_MINUTE, {})
  jobs.handle('remind-of-events', () => remindOfEvents(deps))
  jobs.schedule('remind-of-events', EACH_MINUTE, {})
  const runDueWork = payments.runDueWork?.bind(payments)
  if (runDueWork) {
    jobs.handle('run-provider-work', runDueWork)
    jobs.schedule('run-provider-work', EACH_MINUTE, {})
  }
}
