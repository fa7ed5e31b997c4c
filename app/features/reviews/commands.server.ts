import type { Database } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import type { REVIEW_REFUSALS } from './messages.ts'
import { findReviewable } from './queries.server.ts'
import { reviewerName } from './rules.ts'

export type ReviewRefusal = keyof typeof REVIEW_REFUSALS

/**
 * Saves a customer's review of a past booking, to wait for a moderator (Decision 12).
 * @param input.verifiedEmail the account's email, only if it is verified: it also claims bookings made as a guest
 * @returns refuses with 'not_found' (also for another customer's booking), 'not_approved', 'not_over', 'own_business',
 * 'already_written' and 'business_gone'
 */
export async function writeReview(
  deps: { db: Database; now: () => Date },
  input: { userId: string; verifiedEmail: string | null; bookingId: string; rating: number; body: string },
): Promise<{ ok: true; reviewId: string } | { ok: false; reason: ReviewRefusal }> {
  const found = await findReviewable(deps.db, { ...input, now: deps.now() })
  if (!found.ok) return refuse(found.reason)
  const id = newId()
  const added = await deps.db
    .insertInto('reviews')
    .values({
      id,
      business_id: found.booking.businessId,
      booking_id: input.bookingId,
      user_id: input.userId,
      author_name: reviewerName(found.booking.customerName),
      rating: input.rating,
      body: input.body,
      rejected_reason: null,
      moderated_at: null,
      created_at: deps.now(),
    })
    // Pressed twice, or in two tabs.
    .onConflict((conflict) => conflict.column('booking_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added ? { ok: true, reviewId: id } : refuse('already_written')
}
