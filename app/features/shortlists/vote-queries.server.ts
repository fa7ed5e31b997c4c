import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { hashText } from '../../shared/signed.ts'

/** The owner's title, day and guests of a list. '' or null for those that they haven't entered. */
export type ListAbout = { title: string; date: string; guests: number | null }

export const NO_ABOUT: ListAbout = { title: '', date: '', guests: null }

export async function findAbout(db: Database, listId: string): Promise<ListAbout> {
  const row = await db
    .selectFrom('shortlists')
    .select(['title', 'guests', sql<string | null>`to_char(event_date, 'YYYY-MM-DD')`.as('date')])
    .where('id', '=', listId)
    .executeTakeFirst()
  return row ? { title: row.title, date: row.date ?? '', guests: row.guests } : NO_ABOUT
}

/** A browser as lists know it. */
export function voterHash(voterId: string): Promise<string> {
  return hashText(`shortlist-voter:${voterId}`)
}

/** The hearts of a list. @property me the name that this browser votes by; null until it has said one */
export type ListVotes = {
  me: string | null
  /** The names of each business's voters, the first vote first, and whether this browser's is among them. */
  byBusiness: Record<string, { names: string[]; isMine: boolean }>
  /** All who vote, for the owner. @property key names the voter in a form */
  voters: { key: string; name: string; count: number }[]
}

export const NO_VOTES: ListVotes = { me: null, byBusiness: {}, voters: [] }

/**
 * Lists the votes of a list.
 * @param about.voterId the browser's, which no one else knows; null for one that hasn't voted anywhere
 * @param about.isOwner whether each voter can be removed
 */
export async function findVotes(
  db: Database | DatabaseTransaction,
  listId: string,
  { voterId, isOwner }: { voterId: string | null; isOwner: boolean },
): Promise<ListVotes> {
  const mine = voterId && (await voterHash(voterId))
  const [voters, votes] = await Promise.all([
    db
      .selectFrom('shortlist_voters')
      .select(['voter_hash', 'name'])
      .where('shortlist_id', '=', listId)
      .orderBy('created_at')
      .orderBy('voter_hash')
      .execute(),
    db
      .selectFrom('shortlist_votes')
      .select(['business_id', 'voter_hash'])
      .where('shortlist_id', '=', listId)
      // A removed entry keeps its hearts for a day, for 'Undo'.
      .where('business_id', 'in', (eb) =>
        eb
          .selectFrom('shortlist_entries')
          .select('business_id')
          .where('shortlist_id', '=', listId)
          .where('removed_at', 'is', null),
      )
      .orderBy('voted_at')
      .orderBy('voter_hash')
      .execute(),
  ])
  const nameOf = new Map(voters.map(({ voter_hash, name }) => [voter_hash, name]))
  const byBusiness: ListVotes['byBusiness'] = {}
  for (const { business_id, voter_hash } of votes) {
    const found = byBusiness[business_id] ?? { names: [], isMine: false }
    found.names.push(nameOf.get(voter_hash) ?? '')
    if (voter_hash === mine) found.isMine = true
    byBusiness[business_id] = found
  }
  return {
    me: (mine && nameOf.get(mine)) || null,
    byBusiness,
    voters: isOwner
      ? voters.map(({ voter_hash, name }) => ({
          key: voter_hash,
          name,
          count: votes.filter((vote) => vote.voter_hash === voter_hash).length,
        }))
      : [],
  }
}
