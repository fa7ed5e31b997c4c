import { sql } from 'kysely'
import { href } from 'react-router'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { newReviewMail, ratingText, reviewRejectedMail } from '../reviews/mails.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { type ReviewState, reviewStateOf } from './rules.ts'

/**
 * Approves a review, or removes it from the page with a reason for its author (Decision 12). Either decision can be
 * reversed.
 * @param input.expectedState where the review stood when the operator looked at it; left out where nothing was shown
 * @returns refuses with 'not_found', and with 'changed' when another decision has been made since it was seen
 */
export async function moderateReview(
  deps: BookingDeps,
  input: { operator: Operator; reviewId: string; expectedState?: ReviewState } & (
    | { decision: 'approve' }
    | { decision: 'reject'; reason: string }
  ),
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not_found' | 'changed' }> {
  return deps.db.transaction().execute(async (tx) => {
    const review = await tx
      .selectFrom('reviews')
      .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
      .select([
        'reviews.id',
        'reviews.user_id',
        'reviews.booking_id',
        'reviews.business_id',
        'reviews.approved',
        'reviews.rejected_reason',
        'reviews.author_name',
        'reviews.rating',
        'reviews.body',
        'businesses.name',
        'businesses.user_id as owner_user_id',
      ])
      .where('reviews.id', '=', input.reviewId)
      .forUpdate('reviews')
      .executeTakeFirst()
    if (!review) return refuse('not_found')
    const reason = input.decision === 'reject' ? input.reason : null
    // A second tap.
    if (input.decision === 'approve' ? review.approved : review.rejected_reason === reason)
      return { ok: true, changed: false } as const
    if (input.expectedState !== undefined && input.expectedState !== reviewStateOf(review))
      return refuse('changed')
    const at = deps.now()
    await tx
      .updateTable('reviews')
      .set({ approved: input.decision === 'approve', rejected_reason: reason, moderated_at: at })
      .where('id', '=', review.id)
      .execute()
    await logAction(tx, {
      operator: input.operator,
      action: input.decision === 'approve' ? 'approve-review' : 'reject-review',
      subject: { kind: 'review', id: review.id, label: review.name },
      reason: reason ?? '',
      at,
    })
    if (review.user_id) {
      await addNotification(
        tx,
        {
          userId: review.user_id,
          kind: 'review',
          title:
            reason === null
              ? `Your review of ${review.name} is published`
              : `Your review of ${review.name} wasn’t published`,
          body: reason ?? 'Thank you for telling others.',
          link: href('/business/:id', { id: review.business_id }),
          eventKey: `review-moderated:${review.id}:${at.getTime()}`,
        },
        at,
      )
      await deps.liveUpdates.publish(tx, `notifications:${review.user_id}`)
    }
    await mailAboutReview(deps, tx, review, { reason, at })
    return { ok: true, changed: true } as const
  })
}

/**
 * The first approval notifies and mails the owner; a rejection also mails the author. Both can turn these mails off.
 */
async function mailAboutReview(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  review: {
    id: string
    user_id: string | null
    booking_id: string | null
    business_id: string
    author_name: string
    rating: number
    body: string
    name: string
    owner_user_id: string
  },
  decided: { reason: string | null; at: Date },
): Promise<void> {
  const mailed = {
    id: review.id,
    businessId: review.business_id,
    businessName: review.name,
    authorName: review.author_name,
    rating: review.rating,
    body: review.body,
  }
  if (decided.reason !== null) {
    const author = review.user_id ? await findMailbox(tx, review.user_id) : await findGuest(tx, review)
    if (!author) return
    const mail = reviewRejectedMail(mailed, author, { reason: decided.reason, at: decided.at }, deps)
    await deps.jobs.enqueue(tx, 'send-mail', {
      ...mail,
      preference: 'reviews',
      ...(author.id === null ? {} : { preferenceOf: author.id }),
    })
    return
  }
  const isNews = await addNotification(
    tx,
    {
      userId: review.owner_user_id,
      kind: 'review',
      title: `New review of ${review.name}`,
      body: `${review.author_name} gave it ${ratingText(review.rating)}.`,
      link: href('/business/:id', { id: review.business_id }),
      eventKey: `review-published:${review.id}`,
    },
    decided.at,
  )
  const owner = isNews ? await findMailbox(tx, review.owner_user_id) : undefined
  if (!owner) return
  await deps.jobs.enqueue(tx, 'send-mail', {
    ...newReviewMail(mailed, owner, deps),
    preference: 'reviews',
    preferenceOf: owner.id,
  })
  await deps.liveUpdates.publish(tx, `notifications:${owner.id}`)
}

/** The guest who wrote a review by their booking's link; undefined for an account that is deleted. */
function findGuest(tx: DatabaseTransaction, review: { booking_id: string | null }) {
  return tx
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select(['bookings.email', 'bookings.customer_name as name', sql<null>`null`.as('id')])
    .where('bookings.id', '=', review.booking_id)
    .where('sales.customer_user_id', 'is', null)
    .where('bookings.email', '<>', '')
    .executeTakeFirst()
}

function findMailbox(tx: DatabaseTransaction, userId: string) {
  return tx.selectFrom('users').select(['id', 'email', 'name']).where('id', '=', userId).executeTakeFirst()
}
