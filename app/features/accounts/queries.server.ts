import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { MailPreferences } from './rules.ts'

/**
 * Returns the mail preferences of an account.
 * @param by an address counts only for the account that has confirmed it: no other account may stop its holder's mails
 * @returns null when there is no such account
 */
export async function findMailPreferences(
  db: Database,
  by: { userId: string } | { email: string },
): Promise<MailPreferences | null> {
  const query = db
    .selectFrom('users')
    .select(['mail_sign_ins', 'mail_new_bookings', 'mail_reminders', 'mail_reviews'])
  const row = await ('userId' in by
    ? query.where('id', '=', by.userId)
    : query.where('email', '=', by.email).where('email_verified', '=', true)
  ).executeTakeFirst()
  if (!row) return null
  return {
    signIns: row.mail_sign_ins,
    newBookings: row.mail_new_bookings,
    reminders: row.mail_reminders,
    reviews: row.mail_reviews,
  }
}

/**
 * Returns the addresses that an account had proved and left in the last seven days. Their readers can still undo the
 * change, so they are told what happens to the account.
 */
export async function listFormerEmails(
  db: Database | DatabaseTransaction,
  of: { email: string; now: Date },
): Promise<string[]> {
  const rows = await db
    .selectFrom('account_links')
    .innerJoin('users', 'users.id', 'account_links.user_id')
    .select('account_links.email')
    .distinct()
    .where('users.email', '=', of.email)
    .where('account_links.kind', '=', 'undo-email-change')
    .where('account_links.expires_at', '>', of.now)
    .whereRef('account_links.email', '<>', 'users.email')
    .orderBy('account_links.email')
    .execute()
  return rows.map(({ email }) => email)
}
