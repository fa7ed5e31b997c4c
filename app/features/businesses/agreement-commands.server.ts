import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { acceptAgreement } from '../agreements/commands.server.ts'
import { lockListingsOf } from './commands.server.ts'

/**
 * Stores that a vendor accepts the vendor agreement, and publishes the listings that waited for it. Repeats, as by a
 * second tab, do no harm. Listings that their owner or an operator has hidden stay hidden.
 * @param input.version the version that the vendor read
 * @returns how many listings became public. Refuses with 'other_version' when another one is in force now
 */
export async function acceptAndPublish(
  deps: { db: Database; now: () => Date },
  input: { userId: string; version: string },
): Promise<{ ok: true; published: number } | { ok: false; reason: 'other_version' }> {
  const { userId } = input
  return deps.db.transaction().execute(async (tx) => {
    // A listing that is being saved at this moment is either published here, or sees the acceptance.
    await lockListingsOf(tx, userId)
    // Commands that hide or show all listings of an account lock this row.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forShare().execute()
    const accepted = await acceptAgreement({ db: tx, now: deps.now }, input)
    if (!accepted.ok) return accepted
    // Their version stays the same, so a form that is open meanwhile can still be saved.
    const freed = await tx
      .updateTable('businesses')
      .set({
        waiting_since: null,
        hidden_at: sql`case when hidden_by <> 'agreement' then hidden_at end`,
        hidden_by: sql`nullif(hidden_by, 'agreement')`,
      })
      .where('user_id', '=', userId)
      .where('waiting_since', 'is not', null)
      .where('deleted_at', 'is', null)
      .returning('hidden_at')
      .execute()
    return { ok: true as const, published: freed.filter((row) => row.hidden_at === null).length }
  })
}
