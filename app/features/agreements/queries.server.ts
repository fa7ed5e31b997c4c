import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { DOCUMENTS } from './rules.ts'

/** Whether a vendor has accepted a version of the vendor agreement, by default the one in force. */
export async function hasAccepted(
  db: Database | DatabaseTransaction,
  userId: string,
  version: string = DOCUMENTS.vendor_agreement.version,
): Promise<boolean> {
  const row = await db
    .selectFrom('acceptances')
    .select('id')
    .where('user_id', '=', userId)
    .where('document', '=', 'vendor_agreement')
    .where('version', '=', version)
    .executeTakeFirst()
  return row !== undefined
}

/** What a person with an account has accepted, oldest first. */
export function listAcceptances(db: Database, userId: string) {
  return db
    .selectFrom('acceptances')
    .select(['document', 'version', 'accepted_at'])
    .where('user_id', '=', userId)
    .orderBy('accepted_at')
    .orderBy('id')
    .execute()
}
