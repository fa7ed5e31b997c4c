import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import type { EnquiryDeps } from './deps.server.ts'
import { MAX_SAVED_REPLIES } from './rules.ts'

/** Saves a vendor's reply for later. @param input.id replaces this reply; null adds one */
export async function saveReply(
  { db, now }: Pick<EnquiryDeps, 'db' | 'now'>,
  input: { userId: string; id: string | null; title: string; body: string },
): Promise<{ ok: true; id: string } | { ok: false; reason: 'not_found' | 'too_many_replies' }> {
  const { userId, title, body } = input
  if (input.id !== null) {
    const changed = await db
      .updateTable('saved_replies')
      .set({ title, body })
      .where('id', '=', input.id)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst()
    return changed ? { ok: true, id: changed.id } : refuse('not_found')
  }
  return db.transaction().execute(async (tx) => {
    // Two at once would both count one too few.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    const kept = await tx.selectFrom('saved_replies').select('id').where('user_id', '=', userId).execute()
    if (kept.length >= MAX_SAVED_REPLIES) return refuse('too_many_replies')
    const id = newId()
    await tx
      .insertInto('saved_replies')
      .values({ id, user_id: userId, title, body, created_at: now() })
      .execute()
    return { ok: true, id }
  })
}

/** Deletes a vendor's saved reply. @returns false when there is none, or when it is another vendor's */
export async function deleteReply(
  { db }: Pick<EnquiryDeps, 'db'>,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('saved_replies')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}
