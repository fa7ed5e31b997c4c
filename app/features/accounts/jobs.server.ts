import type { LinkRequest } from '../../adapters/accounts/better-auth/mails.server.ts'
import type { BetterAuthAccounts } from '../../adapters/accounts/better-auth.server.ts'
import type { Database } from '../../adapters/database/port.ts'
import type { FileStore } from '../../adapters/file-store/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { Mail, MailMessage } from '../../adapters/mail/port.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { deleteUnusedPhoto } from './commands.server.ts'
import {
  emailChangedMail,
  emailChangeMail,
  factorChangedMail,
  newDeviceMail,
  passwordResetMail,
  verificationMail,
} from './mails.ts'
import { findMailPreferences } from './queries.server.ts'
import type { MailPreference } from './rules.ts'

declare module '../../adapters/jobs/port.ts' {
  interface JobData {
    /**
     * Never contains a secret link, because the row is kept for days. Such a mail has its own job, which makes the link
     * when the mail is sent.
     * @param preference the setting with which the recipient's account can turn this mail off
     * @param preferenceOf that account's id, when the mail goes to another address, such as a business's
     */
    'send-mail': MailMessage & { preference?: MailPreference; preferenceOf?: string }
    /** The token is made when the mail is sent: the queue never stores one. */
    'send-account-link': LinkRequest
    'delete-unused-photo': { userId: string; url: string }
  }
}

const MAIL_OF_LINK = {
  'reset-password': passwordResetMail,
  'verify-email': verificationMail,
  'change-email': emailChangeMail,
  'undo-email-change': emailChangedMail,
} as const

/** Sends mails from a job, so that a crash or an unreachable mail server loses none. */
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

/** Sends the mails that contain a link. After a failure the job retries with a new link; the old one expires unseen. */
export function registerAccountJobs(
  jobs: Jobs,
  mail: Mail,
  db: Database,
  accounts: Pick<BetterAuthAccounts, 'issueLink'>,
  site: { brand: string; publicUrl: URL },
): void {
  jobs.handle('send-account-link', async (request) => {
    if (request.kind === 'new-device' && 'device' in request) {
      const preferences = await findMailPreferences(db, request)
      if (!preferences?.signIns) return
    }
    const issued = await accounts.issueLink(request)
    if (!issued) return
    const { to, token } = issued
    if (isPlaceholderEmail(to.email)) return
    if (request.kind !== 'new-device') await mail.send(MAIL_OF_LINK[request.kind](to, token, site))
    else if ('device' in request) await mail.send(newDeviceMail(to, token, site, request.device))
    else await mail.send(factorChangedMail(to, token, site, request.factor))
  })
}

/** Registers the deletion of profile photos that were replaced or removed, or whose account is deleted. */
export function registerPhotoJob(jobs: Jobs, deps: { db: Database; files: FileStore }): void {
  jobs.handle('delete-unused-photo', (photo) => deleteUnusedPhoto(deps, photo))
}
