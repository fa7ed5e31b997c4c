import type { Database } from '../../adapters/database/port.ts'
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
