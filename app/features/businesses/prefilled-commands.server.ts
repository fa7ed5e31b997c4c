import type { Database } from '../../adapters/database/port.ts'
import { type Facts, factsOf } from './fact-rules.ts'
import { refreshMarkers } from './marker-commands.server.ts'
import { lockOwnListing } from './owner-queries.server.ts'

/**
 * Ends the question about the facts that the form of a listing had once filled in (migration 0100).
 * @param input.isRight publishes those that the listing doesn't state otherwise by now; false forgets them
 */
export async function answerPrefilled(
  deps: { db: Database; now: () => Date },
  { userId, businessId, isRight }: { userId: string; businessId: string; isRight: boolean },
): Promise<{ ok: true; outcome: 'facts' } | { ok: false; reason: 'not_found' }> {
  return deps.db.transaction().execute(async (tx) => {
    const listing = await lockOwnListing(tx, { userId, businessId })
    if (!listing) return { ok: false as const, reason: 'not_found' as const }
    const prefilled = await tx
      .deleteFrom('prefilled_facts')
      .where('business_id', '=', businessId)
      .returning('facts')
      .executeTakeFirst()
    // A second press, or another tab's.
    if (!prefilled || !isRight) return { ok: true as const, outcome: 'facts' as const }
    const facts: Facts = { ...factsOf(listing.category, prefilled.facts), ...listing.facts }
    await tx
      .updateTable('businesses')
      .set({ facts: JSON.stringify(facts), updated_at: deps.now() })
      .where('id', '=', businessId)
      .execute()
    await refreshMarkers(tx, businessId)
    return { ok: true as const, outcome: 'facts' as const }
  })
}
