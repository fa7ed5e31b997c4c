import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { PAGE_SIZE, type ReviewState, reviewStateOf } from './rules.ts'

export type ModeratedReview = {
  id: string
  businessId: string
  businessName: string
  authorName: string
  rating: number
  body: string
  createdAt: string
  state: ReviewState
  reason: string | null
}

/** Returns the reviews that wait for a moderator, oldest first, or the most recently decided ones. */
export async function listReviews(db: Database, show: 'waiting' | 'decided'): Promise<ModeratedReview[]> {
  const query = db
    .selectFrom('reviews')
    .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
    .select([
      'reviews.id',
      'reviews.business_id',
      'reviews.author_name',
      'reviews.rating',
      'reviews.body',
      'reviews.approved',
      'reviews.rejected_reason',
      'reviews.created_at',
      'businesses.name',
    ])
  const rows =
    show === 'waiting'
      ? await query
          .where('reviews.approved', '=', false)
          .where('reviews.rejected_reason', 'is', null)
          .orderBy('reviews.created_at')
          .limit(PAGE_SIZE)
          .execute()
      : await query
          .where((eb) =>
            eb.or([eb('reviews.approved', '=', true), eb('reviews.rejected_reason', 'is not', null)]),
          )
          .orderBy(sql`coalesce(reviews.moderated_at, reviews.created_at)`, 'desc')
          .limit(PAGE_SIZE)
          .execute()
  return rows.map((row) => ({
    id: row.id,
    businessId: row.business_id,
    businessName: row.name,
    authorName: row.author_name,
    rating: row.rating,
    body: row.body,
    createdAt: row.created_at.toISOString(),
    state: reviewStateOf(row),
    reason: row.rejected_reason,
  }))
}
