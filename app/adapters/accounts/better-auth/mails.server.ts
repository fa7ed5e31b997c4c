import type { Database, DatabaseTransaction } from '../../database/port.ts'
import { issueLink } from '../account-links.server.ts'
import type { FactorChange, MailedAccount } from '../port.ts'

/** Account mails, queued so that no response waits for mail or reveals anything by its timing. */
export type AccountMailQueue = {
  /** The address may have no account. The job that works the queue looks it up. */
  passwordReset(email: string): Promise<void>
  verification(userId: string): Promise<void>
  emailChange(userId: string, email: string): Promise<void>
  /** Notifies the address that its account has a new password. */
  passwordChanged(to: MailedAccount): Promise<void>
  /** Notifies the old address, which the account had proved, with a link that undoes the change. */
  emailChanged(tx: DatabaseTransaction, change: EmailChange): Promise<void>
  /** Notifies an old address that was never proved. Its reader may be a stranger, so the mail hides the new address. */
  emailLeft(tx: DatabaseTransaction, to: MailedAccount): Promise<void>
  /** Notifies the address that an undone change removes from the account. */
  emailChangeUndone(tx: DatabaseTransaction, to: MailedAccount): Promise<void>
}

/** @param email the old address. @param changedAt ISO 8601, UTC */
export type EmailChange = { userId: string; email: string; changedAt: string }

export type LinkRequest =
  | { kind: 'reset-password'; email: string }
  | { kind: 'verify-email'; userId: string }
  | { kind: 'change-email'; userId: string; email: string }
  | ({ kind: 'undo-email-change' } & EmailChange)
  /** @param device in words, for the mail */
  | { kind: 'new-device'; userId: string; device: string }
  /** The same link, in the mail about a change of a passkey or second factor. */
  | { kind: 'new-device'; userId: string; factor: FactorChange['kind'] }

/** A link that is about to be mailed. The token is stored nowhere else. */
export type IssuedLink = { to: MailedAccount; token: string }

/**
 * Makes the link of a queued mail.
 * @returns null when there is no one to mail: no account, a disabled one, or an address that needs no proof
 */
export async function issueMailedLink(
  { db, now }: { db: Database; now: () => Date },
  request: LinkRequest,
): Promise<IssuedLink | null> {
  let query = db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'email_verified', 'detached_email'])
    .where('disabled_at', 'is', null)
  query =
    request.kind === 'reset-password'
      ? query.where('email', '=', request.email)
      : query.where('id', '=', request.userId)
  const user = await query.executeTakeFirst()
  if (!user || (request.kind === 'verify-email' && (user.email_verified || user.detached_email))) return null
  const email = 'email' in request ? request.email : user.email
  const since = request.kind === 'undo-email-change' ? new Date(request.changedAt) : now()
  const token = await issueLink(db, { kind: request.kind, userId: user.id, email, now: since })
  // No one has proved a new address yet.
  const emailVerified = user.email_verified && request.kind !== 'change-email'
  return { to: { email, name: user.name, emailVerified }, token }
}
