import type { LinkRequest } from '../../adapters/accounts/better-auth/mails.server.ts'
import type { BetterAuthAccounts } from '../../adapters/accounts/better-auth.server.ts'
import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { Mail, MailMessage } from '../../adapters/mail/port.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { emailChangedMail, emailChangeMail, passwordResetMail, verificationMail } from './mails.ts'
import { findMailPreferences } from './queries.server.ts'
import type { MailPreference } from './rules.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    /**
     * Never with a secret link: the row is kept for days. Such a mail has a job that makes its link when it is sent.
     * @param preference the recipient's account can turn this mail off
     * @param preferenceOf that account's id, where the mail goes to another address, as a business's may be
     */
    'send-mail': MailMessage & { preference?: MailPreference; preferenceOf?: string }
    /** Its token is made when the mail is: the queue never holds one. */
    'send-account-link': LinkRequest
  }
}

const MAIL_OF_LINK = {
  'reset-password': passwordResetMail,
  'verify-email': verificationMail,
  'change-email': emailChangeMail,
  'undo-email-change': emailChangedMail,
} as const

/** Mails leave by a job, so that none is lost with a process or a mail server that is down. */
export function registerMailJob(jobs: Jobs, mail: Mail, db: Database): void {
  jobs.handle('send-mail', async ({ preference, preferenceOf, ...message }) => {
    if (isPlaceholderEmail(message.to)) return
    if (preference) {
      const preferences = await findMailPreferences(
        db,
        preferenceOf ? { userId: preferenceOf } : { email: message.to },
      )
      if (preferences && !preferences[preference]) return
    }
    await mail.send(message)
  })
}

/** The mails with a link. One that fails is tried again with a new link; the old one runs out unseen. */
export function registerAccountJobs(
  jobs: Jobs,
  mail: Mail,
  accounts: Pick<BetterAuthAccounts, 'issueLink'>,
  site: { brand: string; publicUrl: URL },
): void {
  jobs.handle('send-account-link', async (request) => {
    const issued = await accounts.issueLink(request)
    if (issued) await mail.send(MAIL_OF_LINK[request.kind](issued.to, issued.token, site))
  })
}
