import type { Database } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import type { REVIEW_REFUSALS } from './messages.ts'
import { findReviewable, type Reviewer } from './queries.server.ts'
import { reviewerName } from './rules.ts'

export type ReviewRefusal = keyof typeof REVIEW_REFUSALS

/**
 * Saves a customer's review of a past booking, to wait for a moderator (Decision 12).
 * @returns refuses with 'not_found' (also for another customer's booking), 'not_approved', 'not_over', 'own_business',
 * 'already_written' and 'business_gone'
 */
export async function writeReview(
  deps: { db: Database; now: () => Date },
  { by, rating, body }: { by: Reviewer; rating: number; body: string },
): Promise<{ ok: true; reviewId: string } | { ok: false; reason: ReviewRefusal }> {
  const found = await findReviewable(deps.db, { by, now: deps.now() })
  if (!found.ok) return refuse(found.reason)
  const { booking } = found
  const id = newId()
  const added = await deps.db
    .insertInto('reviews')
    .values({
      id,
      business_id: booking.businessId,
      booking_id: booking.bookingId,
      // With the link alone, the person who holds it may not be the account that is signed in.
      user_id: 'linkToken' in by ? booking.customerUserId : by.userId,
      author_name: reviewerName(booking.customerName),
      rating,
      body,
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
