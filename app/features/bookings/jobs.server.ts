import type { Mail } from '../../adapters/mail/port.ts'
import { endOverdueBookings } from './cancellation/commands.server.ts'
import { expireChanges } from './changes/expiry-commands.server.ts'
import { tellOfComingEvents } from './decisions/coming-up-commands.server.ts'
import { tellDeclines } from './decisions/decline-commands.server.ts'
import { processPendingBookings, remindOfEvents } from './decisions/reminder-commands.server.ts'
import type { BookingDeps } from './deps.server.ts'
import { type BookingLinkMail, withBookingLink } from './frame-mails.ts'
import { bookingLinkToken } from './rules.ts'

type Nothing = Record<string, never>

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    /** A separate job, so that a process of the previous version never sends the mail without its link. */
    'send-booking-mail': BookingLinkMail
    'tell-declines': Nothing
    'tend-pending-bookings': Nothing
    'remind-of-events': Nothing
    'tell-of-coming-events': Nothing
    'end-overdue-bookings': Nothing
    'expire-changes': Nothing
  }
}

const EACH_MINUTE = '* * * * *'

/** Registers customers' mails and the jobs that run each minute. Call it before `jobs.start`. */
export function registerBookingJobs(deps: BookingDeps, mail: Mail): void {
  const { jobs } = deps
  jobs.handle('send-booking-mail', async (message) => {
    await mail.send(withBookingLink(message, await bookingLinkToken(deps.secret, message.paymentId)))
  })
  jobs.handle('tell-declines', () => tellDeclines(deps))
  jobs.schedule('tell-declines', EACH_MINUTE, {})
  jobs.handle('tend-pending-bookings', () => processPendingBookings(deps))
  jobs.schedule('tend-pending-bookings', EACH_MINUTE, {})
  jobs.handle('remind-of-events', () => remindOfEvents(deps))
  jobs.schedule('remind-of-events', EACH_MINUTE, {})
  jobs.handle('tell-of-coming-events', () => tellOfComingEvents(deps))
  jobs.schedule('tell-of-coming-events', EACH_MINUTE, {})
  jobs.handle('end-overdue-bookings', () => endOverdueBookings(deps))
  jobs.schedule('end-overdue-bookings', EACH_MINUTE, {})
  jobs.handle('expire-changes', () => expireChanges(deps))
  jobs.schedule('expire-changes', EACH_MINUTE, {})
}
