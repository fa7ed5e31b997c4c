import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { readPageKey } from '../../shared/page-keys.server.ts'
import type { HidingParty } from '../businesses/rules.ts'
import { cursorMicros, cursorOf, isOlder, likePart } from './list-queries.server.ts'
import { type ListingFilter, NEW_MS, PAGE_SIZE } from './rules.ts'

export type OperatorListing = {
  id: string
  /** Its position in a list. */
  cursor: string
  name: string
  category: string
  ownerName: string | null
  ownerEmail: string | null
  hidden: { by: HidingParty; reason: string | null } | null
  /** ISO 8601, UTC. */
  createdAt: string
}

/**
 * Lists listings, newest first.
 * @param input.words part of their name or of the owner's name or email, or their id; '' for all
 * @param input.hidden limits the list to hidden ones
 * @param input.before the cursor of the last row before; null for the first page
 */
export async function listListings(
  db: Database,
  input: {
    words: string
    hidden: boolean
    filter?: ListingFilter
    now: Date
    before?: string | null
    limit?: number
  },
): Promise<OperatorListing[]> {
  const before = readPageKey(input.before)
  let query = db
    .selectFrom('businesses')
    .leftJoin('users', 'users.id', 'businesses.user_id')
    .select([
      'businesses.id',
      'businesses.name',
      'businesses.category',
      'businesses.hidden_by',
      'businesses.operator_reason',
      'businesses.created_at',
      'users.name as owner_name',
      'users.email as owner_email',
      cursorMicros('businesses'),
    ])
    .where('businesses.deleted_at', 'is', null)
  if (input.words !== '') query = query.where(matchesListing(input.words))
  if (input.hidden) query = query.where('businesses.hidden_at', 'is not', null)
  if (input.filter === 'new')
    query = query.where('businesses.created_at', '>', new Date(input.now.getTime() - NEW_MS))
  if (before) query = query.where(isOlder('businesses', before))
  const rows = await query
    .orderBy('businesses.created_at', 'desc')
    .orderBy('businesses.id', 'desc')
    .limit(input.limit ?? PAGE_SIZE)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    cursor: cursorOf(row),
    name: row.name,
    category: row.category,
    ownerName: row.owner_name,
    ownerEmail: row.owner_email,
    hidden: row.hidden_by ? { by: row.hidden_by, reason: row.operator_reason } : null,
    createdAt: row.created_at.toISOString(),
  }))
}

/**
 * The condition that a listing matches the words of a search. One query for each way, since `or` over two tables would
 * read both of them whole.
 */
export function matchesListing(words: string): RawBuilder<boolean> {
  const part = likePart(words)
  return sql<boolean>`businesses.id in (
    select id from businesses as named where named.name ilike ${part} or named.id = ${words}
    union all
    select owned.id from businesses as owned join users as owners on owners.id = owned.user_id
    where owners.name ilike ${part} or owners.email::text ilike ${part})`
}
