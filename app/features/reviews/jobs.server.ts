import type { Mail } from '../../adapters/mail/port.ts'
import { mailReviewReceived } from './commands.server.ts'
import { type InvitationDeps, inviteReviews, mailInvitation } from './invitation-commands.server.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    'invite-reviews': Record<string, never>
    /** The booking's link and address are read when the mail is sent: the queue has only ids. */
    'send-review-invitation': { bookingId: string; number: 1 | 2 }
    'send-review-received': { reviewId: string }
  }
}

const EACH_TEN_MINUTES = '3-59/10 * * * *'

/** Registers the invitations to write a review, and the confirmations of reviews. Call it before `jobs.start`. */
export function registerReviewJobs(deps: InvitationDeps, mail: Mail): void {
  const { jobs } = deps
  jobs.handle('invite-reviews', () => inviteReviews(deps))
  jobs.schedule('invite-reviews', EACH_TEN_MINUTES, {})
  jobs.handle('send-review-invitation', (data) => mailInvitation(deps, mail, data))
  jobs.handle('send-review-received', (data) => mailReviewReceived(deps, mail, data))
}
