import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { HidingParty } from '../businesses/rules.ts'
import { PAGE_SIZE } from './rules.ts'

export type OperatorListing = {
  id: string
  name: string
  category: string
  ownerName: string | null
  ownerEmail: string | null
  hidden: { by: HidingParty; reason: string | null } | null
}

/** Lists listings by part of their name or of the owner's name or email. `hidden` limits the list to hidden ones. */
export async function listListings(
  db: Database,
  input: { words: string; hidden: boolean },
): Promise<OperatorListing[]> {
  const part = `%${input.words.replace(/[\\%_]/g, '\\$&')}%`
  let query = db
    .selectFrom('businesses')
    .leftJoin('users', 'users.id', 'businesses.user_id')
    .select([
      'businesses.id',
      'businesses.name',
      'businesses.category',
      'businesses.hidden_by',
      'businesses.operator_reason',
      'users.name as owner_name',
      'users.email as owner_email',
    ])
    .where('businesses.deleted_at', 'is', null)
  if (input.words !== '')
    query = query.where((eb) =>
      eb.or([
        eb('businesses.name', 'ilike', part),
        eb('businesses.id', '=', input.words),
        eb('users.name', 'ilike', part),
        eb(sql<string>`users.email::text`, 'ilike', part),
      ]),
    )
  if (input.hidden) query = query.where('businesses.hidden_at', 'is not', null)
  const rows = await query.orderBy('businesses.name').orderBy('businesses.id').limit(PAGE_SIZE).execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    category: row.category,
    ownerName: row.owner_name,
    ownerEmail: row.owner_email,
    hidden: row.hidden_by ? { by: row.hidden_by, reason: row.operator_reason } : null,
  }))
}
