import type { Database } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import { newId } from '../../shared/ids.ts'
import type { MailSite } from '../../shared/mail.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { refuse } from '../../shared/result.ts'
import { reviewReceivedMail } from './mails.ts'
import type { REVIEW_REFUSALS } from './messages.ts'
import { findReviewable, type Reviewer } from './queries.server.ts'
import { reviewerName } from './rules.ts'

export type ReviewRefusal = keyof typeof REVIEW_REFUSALS

/**
 * Saves a customer's review of a past booking, to wait for a moderator (Decision 12). One by the booking's link is told to
 * the booking's address: others may hold the link.
 * @returns refuses with 'not_found' (also for another customer's booking), 'not_approved', 'not_over', 'own_business',
 * 'already_written' and 'business_gone'
 */
export async function writeReview(
  deps: { db: Database; jobs: Jobs; now: () => Date },
  { by, rating, body }: { by: Reviewer; rating: number; body: string },
): Promise<{ ok: true; reviewId: string } | { ok: false; reason: ReviewRefusal }> {
  const found = await findReviewable(deps.db, { by, now: deps.now() })
  if (!found.ok) return refuse(found.reason)
  const { booking } = found
  const id = newId()
  const isByLink = 'linkToken' in by
  const isAdded = await deps.db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto('reviews')
      .values({
        id,
        business_id: booking.businessId,
        booking_id: booking.bookingId,
        // With the link alone, the person who holds it may not be the account that is signed in.
        user_id: isByLink ? booking.customerUserId : by.userId,
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
    if (added && isByLink) await deps.jobs.enqueue(tx, 'send-review-received', { reviewId: id })
    return added !== undefined
  })
  return isAdded ? { ok: true, reviewId: id } : refuse('already_written')
}

/** Tells a booking's address of a review that was written by its link. The queue has only the review's id. */
export async function mailReviewReceived(
  deps: { db: Database } & MailSite,
  mail: Mail,
  { reviewId }: { reviewId: string },
): Promise<void> {
  const row = await deps.db
    .selectFrom('reviews')
    .innerJoin('bookings', 'bookings.id', 'reviews.booking_id')
    .select(['reviews.business_id', 'reviews.rating', 'bookings.vendor_name'])
    .select(['bookings.customer_name', 'bookings.email'])
    .where('reviews.id', '=', reviewId)
    .where('bookings.email', '<>', '')
    .executeTakeFirst()
  if (!row || isPlaceholderEmail(row.email)) return
  await mail.send(
    reviewReceivedMail(
      { id: reviewId, businessId: row.business_id, businessName: row.vendor_name, rating: row.rating },
      { email: row.email, name: row.customer_name },
      deps,
    ),
  )
}
