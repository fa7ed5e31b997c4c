import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Stars } from '../../../ui/stars.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { OperationForm } from '../components/operation-form.tsx'
import { OPERATIONS_ZONE } from '../messages.ts'
import type { ModeratedReview } from '../review-queries.server.ts'

/** Reviews that wait for a moderator, or those already decided. */
export function ReviewsScreen({
  show,
  reviews,
}: {
  show: 'waiting' | 'decided'
  reviews: readonly ModeratedReview[]
}) {
  return (
    <>
      <h1>Reviews</h1>
      <p className="mt-4 flex flex-wrap gap-x-6">
        {show === 'waiting' ? (
          <Link
            className="link inline-flex min-h-11 items-center"
            to={`${href('/operations/reviews')}?show=decided`}
          >
            See decided reviews
          </Link>
        ) : (
          <Link className="link inline-flex min-h-11 items-center" to={href('/operations/reviews')}>
            See waiting reviews
          </Link>
        )}
      </p>
      {reviews.length === 0 ? (
        <EmptyState
          text={show === 'waiting' ? 'No reviews are waiting.' : 'No reviews have been decided yet.'}
        />
      ) : (
        <ul className="mt-4 border-t border-line">
          {reviews.map((review) => (
            <li key={review.id} className="border-b border-line py-6">
              <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
                <h2 className="text-lg">
                  <Link className="link" to={href('/business/:id', { id: review.businessId })}>
                    {review.businessName}
                  </Link>
                </h2>
                {review.state === 'waiting' ? null : (
                  <Tag tone={review.state === 'approved' ? 'success' : 'error'}>{review.state}</Tag>
                )}
              </div>
              <p className="mt-2">
                <Stars rating={review.rating} />
              </p>
              <blockquote className="mt-2 max-w-prose wrap-anywhere whitespace-pre-line">
                {review.body}
              </blockquote>
              <p className="mt-2 text-sm text-quiet">
                {review.authorName}, {formatInstant(new Date(review.createdAt), OPERATIONS_ZONE)}
              </p>
              {review.reason ? <p className="mt-2 text-sm">Rejected: {review.reason}</p> : null}
              <div className="mt-4 flex flex-wrap items-start gap-x-6 gap-y-3">
                {review.state === 'approved' ? null : (
                  <OperationForm act="approve-review" id={review.id} values={{ seen: review.state }} />
                )}
                {review.state === 'rejected' ? null : (
                  <OperationForm act="reject-review" id={review.id} values={{ seen: review.state }} />
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
