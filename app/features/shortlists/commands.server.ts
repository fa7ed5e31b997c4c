import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { hashText } from '../../shared/signed.ts'
import { isVisible } from '../businesses/visible-queries.server.ts'
import type { ShortlistDeps } from './deps.server.ts'
import { type FoundList, findList } from './queries.server.ts'
import {
  CREATE_LIMIT,
  isSameNote,
  linkTokenOf,
  MAX_ENTRIES,
  type ShortlistVisitor,
  UNDO_MS,
  UNUSED_LIST_MS,
  USE_RECORDED_MS,
  WRITE_LIMIT,
} from './rules.ts'

/** A visitor who writes. @property address the network address that limits count by */
export type Writer = ShortlistVisitor & { address: string }

type Refused<Reason extends string> = { ok: false; reason: Reason }

/**
 * Adds a business to the visitor's list, or restores a removed one with its note and position. Makes the list if there is
 * none. A business that is on the list stays as it is.
 * @returns the list's id, and whether it was made. Refuses with 'gone' (no visible listing), 'full' and 'too_many'
 */
export async function addEntry(
  deps: ShortlistDeps,
  by: Writer,
  businessId: string,
): Promise<{ ok: true; id: string; isNew: boolean } | Refused<'gone' | 'full' | 'too_many'>> {
  if (!(await mayWrite(deps, by))) return refuse('too_many')
  const isNew = (await findList(deps.db, by)) === null
  if (isNew && !(await deps.rateLimits.take(`shortlist-new:${by.address}`, CREATE_LIMIT)))
    return refuse('too_many')
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockList(tx, by)
    const present =
      found &&
      (await tx
        .selectFrom('shortlist_entries')
        .select('removed_at')
        .where('shortlist_id', '=', found.id)
        .where('business_id', '=', businessId)
        .executeTakeFirst())
    if (present && !present.removed_at) return { ok: true, id: found.id, isNew: false }
    const business = await tx
      .selectFrom('businesses')
      .select('id')
      .where('id', '=', businessId)
      // An entry whose listing was taken down meanwhile can return to the list, which reports it.
      .$if(!present, (query) => query.where(isVisible()))
      .executeTakeFirst()
    if (!business) return refuse('gone')
    if (found && (await countEntries(tx, found.id)) >= MAX_ENTRIES) return refuse('full')
    const list = found ?? (await createList(tx, by, at))
    await tx
      .insertInto('shortlist_entries')
      .values({ shortlist_id: list.id, business_id: businessId, note: '', added_at: at, removed_at: null })
      .onConflict((conflict) =>
        conflict.columns(['shortlist_id', 'business_id']).doUpdateSet({ removed_at: null }),
      )
      .execute()
    await changed(deps, tx, list.id, at)
    return { ok: true, id: list.id, isNew: found === null }
  })
}

/**
 * Removes a business from the visitor's list. Its note and position are kept for a day, for 'Undo'.
 * @returns refuses with 'not_found' (no list) and 'too_many'. A business that isn't on the list is no refusal
 */
export async function removeEntry(
  deps: ShortlistDeps,
  by: Writer,
  businessId: string,
): Promise<{ ok: true; id: string } | Refused<'not_found' | 'too_many'>> {
  if (!(await mayWrite(deps, by))) return refuse('too_many')
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    const list = await lockList(tx, by)
    if (!list) return refuse('not_found')
    await tx
      .updateTable('shortlist_entries')
      .set({ removed_at: at })
      .where('shortlist_id', '=', list.id)
      .where('business_id', '=', businessId)
      .where('removed_at', 'is', null)
      .execute()
    await changed(deps, tx, list.id, at)
    return { ok: true, id: list.id }
  })
}

/**
 * Stores the note of an entry; '' removes it.
 * @param entry `expectedNote` is the note that the writer saw, which is replaced. Without it, any note is
 * @returns refuses with 'not_found' (also for a removed entry), 'too_many', and 'note_changed' with the present note if
 * it is neither the expected note nor the new one
 */
export async function noteEntry(
  deps: ShortlistDeps,
  by: Writer,
  entry: { businessId: string; note: string; expectedNote?: string | undefined },
): Promise<
  { ok: true } | Refused<'not_found' | 'too_many'> | (Refused<'note_changed'> & { present: string })
> {
  if (!(await mayWrite(deps, by))) return refuse('too_many')
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    const list = await lockList(tx, by)
    if (!list) return refuse('not_found')
    const present = await tx
      .selectFrom('shortlist_entries')
      .select('note')
      .where('shortlist_id', '=', list.id)
      .where('business_id', '=', entry.businessId)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    if (!present) return refuse('not_found')
    // A repeated request finds its own note.
    const isKnown = [entry.expectedNote ?? present.note, entry.note].some((note) =>
      isSameNote(note, present.note),
    )
    if (!isKnown) return { ...refuse('note_changed'), present: present.note }
    await tx
      .updateTable('shortlist_entries')
      .set({ note: entry.note })
      .where('shortlist_id', '=', list.id)
      .where('business_id', '=', entry.businessId)
      .execute()
    await changed(deps, tx, list.id, at)
    return { ok: true }
  })
}

/**
 * Makes a link to the visitor's own list. A former link ends, and with it the access of those who joined by it.
 * @returns refuses with 'not_found' (no list of their own) and 'too_many'
 */
export async function shareList(
  deps: ShortlistDeps,
  by: Writer,
): Promise<{ ok: true } | Refused<'not_found' | 'too_many'>> {
  const key = newId()
  return setLink(deps, by, { key, hash: await hashText(await linkTokenOf(deps.secret, key)) })
}

/** Ends the link to the visitor's own list. @returns as `shareList` */
export function endSharing(
  deps: ShortlistDeps,
  by: Writer,
): Promise<{ ok: true } | Refused<'not_found' | 'too_many'>> {
  return setLink(deps, by, null)
}

function setLink(
  deps: ShortlistDeps,
  by: Writer,
  link: { key: string; hash: string } | null,
): Promise<{ ok: true } | Refused<'not_found' | 'too_many'>> {
  return changeOwnList(deps, by, (tx, listId, at) =>
    tx
      .updateTable('shortlists')
      .set({ share_key: link?.key ?? null, share_hash: link?.hash ?? null, shared_at: link ? at : null })
      .where('id', '=', listId)
      .execute(),
  )
}

/** Changes the visitor's own list, which is locked. @returns refuses with 'not_found' (no list of their own) and 'too_many' */
export async function changeOwnList(
  deps: ShortlistDeps,
  by: Writer,
  change: (tx: DatabaseTransaction, listId: string, at: Date) => Promise<unknown>,
): Promise<{ ok: true } | Refused<'not_found' | 'too_many'>> {
  if (!(await mayWrite(deps, by))) return refuse('too_many')
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    const list = await lockList(tx, by)
    if (list?.role !== 'owner') return refuse('not_found')
    await change(tx, list.id, at)
    await changed(deps, tx, list.id, at)
    return { ok: true }
  })
}

/**
 * Moves a browser's list to an account: its entries join those of the account's list, each business once, up to the
 * limit. A note of the account's list stays, and an empty one is filled in. The browser's link moves too unless the
 * account's list has one. Does nothing for a list that isn't there any more or has an account, so that two tabs do no
 * harm.
 */
export async function takeOverList(
  deps: Pick<ShortlistDeps, 'db' | 'liveUpdates' | 'now'>,
  { userId, listId }: { userId: string; listId: string },
): Promise<void> {
  const at = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    // Locks the account first: its deletion waits, and two browsers of one account take turns.
    const user = await tx
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    const own = await tx
      .selectFrom('shortlists')
      .selectAll()
      .where('id', '=', listId)
      .where('user_id', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!user || !own) return
    const target = await tx
      .selectFrom('shortlists')
      .selectAll()
      .where('user_id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (!target) {
      await tx.updateTable('shortlists').set({ user_id: userId }).where('id', '=', own.id).execute()
      return changed(deps, tx, own.id, at)
    }
    // The browser's list fills in what the account's list doesn't say of the event.
    await sql`
      update shortlists target set title = coalesce(nullif(target.title, ''), own.title),
        event_date = coalesce(target.event_date, own.event_date), guests = coalesce(target.guests, own.guests)
      from shortlists own where target.id = ${target.id} and own.id = ${own.id}`.execute(tx)
    await sql`
      insert into shortlist_voters (shortlist_id, voter_hash, name, created_at)
      select ${target.id}, voter_hash, name, created_at from shortlist_voters where shortlist_id = ${own.id}
      on conflict do nothing`.execute(tx)
    await sql`
      insert into shortlist_votes (shortlist_id, voter_hash, business_id, voted_at)
      select ${target.id}, voter_hash, business_id, voted_at from shortlist_votes where shortlist_id = ${own.id}
      on conflict do nothing`.execute(tx)
    await sql`
      update shortlist_entries present set note = moved.note from shortlist_entries moved
      where present.shortlist_id = ${target.id} and present.removed_at is null and present.note = ''
        and moved.shortlist_id = ${own.id} and moved.removed_at is null
        and moved.business_id = present.business_id`.execute(tx)
    const room = MAX_ENTRIES - (await countEntries(tx, target.id))
    await sql`
      insert into shortlist_entries (shortlist_id, business_id, note, added_at)
      select ${target.id}, business_id, note, added_at from shortlist_entries moved
      where shortlist_id = ${own.id} and removed_at is null
        and not exists (select from shortlist_entries present where present.shortlist_id = ${target.id}
          and present.business_id = moved.business_id and present.removed_at is null)
      order by added_at desc, business_id limit ${Math.max(0, room)}
      on conflict (shortlist_id, business_id) do update set removed_at = null, note = excluded.note`.execute(
      tx,
    )
    await tx.deleteFrom('shortlists').where('id', '=', own.id).execute()
    if (own.share_hash && !target.share_hash) {
      await tx
        .updateTable('shortlists')
        .set({ share_key: own.share_key, share_hash: own.share_hash, shared_at: own.shared_at })
        .where('id', '=', target.id)
        .execute()
    }
    await changed(deps, tx, target.id, at)
    await deps.liveUpdates.publish(tx, `shortlist:${own.id}`)
  })
}

/** Records that a list is in use, at most once a day. */
export async function recordUse(
  deps: Pick<ShortlistDeps, 'db' | 'now'>,
  list: Pick<FoundList, 'id' | 'usedAt'>,
): Promise<void> {
  const at = deps.now()
  if (at.getTime() - list.usedAt.getTime() < USE_RECORDED_MS) return
  await deps.db.updateTable('shortlists').set({ used_at: at }).where('id', '=', list.id).execute()
}

/**
 * Deletes lists without an account after a year without use, and entries once their removal can't be undone, with their hearts.
 */
export async function forgetUnused(deps: Pick<ShortlistDeps, 'db' | 'now'>): Promise<void> {
  const before = (ms: number) => new Date(deps.now().getTime() - ms)
  await deps.db
    .deleteFrom('shortlists')
    .where('user_id', 'is', null)
    .where('used_at', '<', before(UNUSED_LIST_MS))
    .execute()
  await deps.db.deleteFrom('shortlist_entries').where('removed_at', '<', before(UNDO_MS)).execute()
  await deps.db
    .deleteFrom('shortlist_votes')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('shortlist_entries')
            .select('business_id')
            .whereRef('shortlist_entries.shortlist_id', '=', 'shortlist_votes.shortlist_id')
            .whereRef('shortlist_entries.business_id', '=', 'shortlist_votes.business_id'),
        ),
      ),
    )
    .execute()
}

/** Counts a write from a network address. @returns false over the limit */
export function mayWrite(deps: ShortlistDeps, { address }: { address: string }): Promise<boolean> {
  return deps.rateLimits.take(`shortlist:${address}`, WRITE_LIMIT)
}

/** Locks the visitor's list, so that two presses at once can't exceed its limit. */
async function lockList(tx: DatabaseTransaction, by: ShortlistVisitor): Promise<FoundList | null> {
  const found = await findList(tx, by)
  if (!found) return null
  await tx.selectFrom('shortlists').select('id').where('id', '=', found.id).forUpdate().execute()
  // Its link may have ended, or its account may have been deleted, while this waited.
  return findList(tx, by)
}

async function createList(tx: DatabaseTransaction, by: ShortlistVisitor, at: Date): Promise<{ id: string }> {
  const id = newId()
  await tx
    .insertInto('shortlists')
    .values({
      id,
      user_id: by.userId,
      created_at: at,
      used_at: at,
      share_key: null,
      share_hash: null,
      shared_at: null,
    })
    // Another tab of the account made it in the meantime.
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
  const list = await lockList(tx, by.userId ? by : { ...by, ownId: id })
  return list ?? { id }
}

async function countEntries(tx: DatabaseTransaction, listId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('shortlist_entries')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('shortlist_id', '=', listId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Notes that a list was used, and tells its open pages. */
export async function changed(
  deps: Pick<ShortlistDeps, 'liveUpdates'>,
  tx: DatabaseTransaction,
  listId: string,
  at: Date,
): Promise<void> {
  await tx.updateTable('shortlists').set({ used_at: at }).where('id', '=', listId).execute()
  await deps.liveUpdates.publish(tx, `shortlist:${listId}`)
}
