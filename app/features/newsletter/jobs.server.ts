import type { Jobs } from '../../adapters/jobs/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import { unsubscribeUrl } from './commands.server.ts'
import { welcomeMail } from './mails.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    /** The unsubscribe link is made when the mail is sent, because the row is kept for days. */
    'send-newsletter-welcome': { email: string; messageId: string }
  }
}

/** Registers the job that sends the welcome mail. Call it before `jobs.start`. */
export function registerNewsletterJobs(
  jobs: Jobs,
  mail: Mail,
  site: { brand: string; publicUrl: URL; secret: string },
): void {
  jobs.handle('send-newsletter-welcome', ({ email, messageId }) =>
    mail.send(
      welcomeMail({
        messageId,
        to: email,
        site,
        unsubscribeUrl: unsubscribeUrl(email, site),
      }),
    ),
  )
}
