import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import { changed, changeOwnList, mayWrite, type Writer } from './commands.server.ts'
import type { ShortlistDeps } from './deps.server.ts'
import { findSharedList } from './queries.server.ts'
import { MAX_VOTERS, VOTER_LIMIT } from './rules.ts'
import { type ListAbout, voterHash } from './vote-queries.server.ts'

type Refused<Reason extends string> = { ok: false; reason: Reason }

/** Stores what the owner says of the event. @returns refuses with 'not_found' (no list of their own) and 'too_many' */
export function describeList(
  deps: ShortlistDeps,
  by: Writer,
  about: ListAbout,
): Promise<{ ok: true } | Refused<'not_found' | 'too_many'>> {
  return changeOwnList(deps, by, (tx, listId) =>
    tx
      .updateTable('shortlists')
      .set({ title: about.title, event_date: about.date || null, guests: about.guests })
      .where('id', '=', listId)
      .execute(),
  )
}

/** A browser that has opened a list's link. @property voterId from its own cookie */
export type Voter = { linkHash: string; voterId: string; address: string }

/**
 * Takes the name by which a browser votes on a shared list, or another one for it.
 * @returns refuses with 'not_found' (the link has ended), 'voters_full' and 'too_many'
 */
export async function nameVoter(
  deps: ShortlistDeps,
  by: Voter,
  name: string,
): Promise<{ ok: true } | Refused<'not_found' | 'voters_full' | 'too_many'>> {
  if (!(await mayWrite(deps, by))) return refuse('too_many')
  if (!(await deps.rateLimits.take(`shortlist-voter:${by.address}`, VOTER_LIMIT))) return refuse('too_many')
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    const listId = await lockSharedList(tx, by.linkHash)
    if (!listId) return refuse('not_found')
    const hash = await voterHash(by.voterId)
    const others = await tx
      .selectFrom('shortlist_voters')
      .select('voter_hash')
      .where('shortlist_id', '=', listId)
      .where('voter_hash', '!=', hash)
      .execute()
    if (others.length >= MAX_VOTERS) return refuse('voters_full')
    await tx
      .insertInto('shortlist_voters')
      .values({ shortlist_id: listId, voter_hash: hash, name, created_at: at })
      .onConflict((conflict) => conflict.columns(['shortlist_id', 'voter_hash']).doUpdateSet({ name }))
      .execute()
    await changed(deps, tx, listId, at)
    return { ok: true }
  })
}

/**
 * Gives a business of a shared list the browser's one heart, or takes it back. Repeating it changes nothing.
 * @returns refuses with 'not_found' (the link has ended), 'no_name' (the browser has none there), 'unlisted' (the business isn't on the
 *   list) and 'too_many'
 */
export async function castVote(
  deps: ShortlistDeps,
  by: Voter,
  vote: { businessId: string; wanted: boolean },
): Promise<{ ok: true } | Refused<'not_found' | 'no_name' | 'unlisted' | 'too_many'>> {
  if (!(await mayWrite(deps, by))) return refuse('too_many')
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    const listId = await lockSharedList(tx, by.linkHash)
    if (!listId) return refuse('not_found')
    const hash = await voterHash(by.voterId)
    const named = await tx
      .selectFrom('shortlist_voters')
      .select('voter_hash')
      .where('shortlist_id', '=', listId)
      .where('voter_hash', '=', hash)
      .executeTakeFirst()
    if (!named) return refuse('no_name')
    const entry = await tx
      .selectFrom('shortlist_entries')
      .select('business_id')
      .where('shortlist_id', '=', listId)
      .where('business_id', '=', vote.businessId)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (!entry) return refuse('unlisted')
    const row = { shortlist_id: listId, voter_hash: hash, business_id: vote.businessId }
    if (vote.wanted)
      await tx
        .insertInto('shortlist_votes')
        .values({ ...row, voted_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    else
      await tx
        .deleteFrom('shortlist_votes')
        .where('shortlist_id', '=', listId)
        .where('voter_hash', '=', hash)
        .where('business_id', '=', vote.businessId)
        .execute()
    await changed(deps, tx, listId, at)
    return { ok: true }
  })
}

/** Removes someone who votes, with all of their hearts. @returns refuses with 'not_found' (no list of their own) and 'too_many' */
export function removeVoter(
  deps: ShortlistDeps,
  by: Writer,
  key: string,
): Promise<{ ok: true } | Refused<'not_found' | 'too_many'>> {
  return changeOwnList(deps, by, (tx, listId) =>
    tx
      .deleteFrom('shortlist_voters')
      .where('shortlist_id', '=', listId)
      .where('voter_hash', '=', key)
      .execute(),
  )
}

/** Locks the list of a link, so that its voters can't exceed their number. @returns its id; null if the link has ended */
async function lockSharedList(tx: DatabaseTransaction, linkHash: string): Promise<string | null> {
  const found = await findSharedList(tx, linkHash)
  if (!found) return null
  await tx.selectFrom('shortlists').select('id').where('id', '=', found.id).forUpdate().execute()
  // It may have ended while this waited.
  return (await findSharedList(tx, linkHash))?.id ?? null
}
