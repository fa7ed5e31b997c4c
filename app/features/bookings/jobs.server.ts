import type { Mail } from '../../adapters/mail/port.ts'
import {
  type BookingDeps,
  performDueRefunds,
  remindOfEvents,
  sweepPayments,
  tendPendingBookings,
} from './commands.server.ts'
import { type BookingLinkMail, withBookingLink } from './mails.ts'
import { bookingLinkToken } from './rules.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    /** A job of its own, so that a process of the version before never sends it without its link. */
    'send-booking-mail': BookingLinkMail
    'sweep-payments': Nothing
    'perform-due-refunds': Nothing
    'tend-pending-bookings': Nothing
    'remind-of-events': Nothing
    'run-provider-work': Nothing
  }
}

const EACH_MINUTE = '* * * * *'

/** Customers' mails, and what happens to payments and bookings each minute by itself. Call it before `jobs.start`. */
export function registerBookingJobs(deps: BookingDeps, mail: Mail): void {
  const { jobs, payments } = deps
  jobs.handle('send-booking-mail', async (message) => {
    await mail.send(withBookingLink(message, await bookingLinkToken(deps.secret, message.paymentId)))
  })
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
