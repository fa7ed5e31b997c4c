import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { VendorReader } from './rules.ts'

/**
 * Finds the vendors' contact details for customers who have paid (Decision 20): the registration's, else the account's.
 * Mails to the vendor greet the account's owner.
 * @returns contacts by owner's user id; a deleted account has no entry
 */
export async function findVendorContacts(
  db: Database | DatabaseTransaction,
  ownerUserIds: readonly string[],
): Promise<Map<string, VendorReader>> {
  if (ownerUserIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .leftJoin('business_registrations', 'business_registrations.user_id', 'users.id')
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.phone',
      'business_registrations.business_name',
      'business_registrations.business_email',
      'business_registrations.business_phone',
    ])
    .where('users.id', 'in', [...new Set(ownerUserIds)])
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        name: row.business_name ?? row.name,
        person: row.name,
        phone: row.business_phone ?? row.phone,
        email: row.business_email ?? row.email,
      },
    ]),
  )
}
