import { formatInstantMonth, HOME_ZONE } from '../../../shared/dates.ts'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { Stars } from '../../../ui/stars.tsx'
import { NO_REVIEWS_TEXT, REVIEWS_HEADING } from '../messages.ts'
import type { BusinessReviews } from '../queries.server.ts'

/** The number of reviews shown at first; the rest open below them. */
const SHOWN_AT_ONCE = 4

/** The approved reviews of a business with their average (Decision 12). */
export function ReviewList(props: BusinessReviews) {
  return <RenderedOnce as="section" aria-labelledby="reviews" inside={ListedReviews} data={props} />
}

function ListedReviews({ average, count, reviews }: BusinessReviews) {
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <h2 id="reviews" className="text-2xl">
          {REVIEWS_HEADING}
        </h2>
        {average === null ? null : (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="price text-3xl leading-none">{average.toFixed(1)}</span>
            <Stars rating={average} note={count === 1 ? '1 review' : `${count} reviews`} />
          </p>
        )}
      </div>
      {reviews.length === 0 ? <p className="mt-4 max-w-prose text-quiet">{NO_REVIEWS_TEXT}</p> : null}
      <Reviews reviews={reviews.slice(0, SHOWN_AT_ONCE)} />
      {reviews.length > SHOWN_AT_ONCE ? (
        <details className="group mt-6">
          <summary className="link inline-flex min-h-11 items-center group-open:hidden">
            Read all {count} reviews
          </summary>
          <Reviews reviews={reviews.slice(SHOWN_AT_ONCE)} />
        </details>
      ) : null}
    </>
  )
}

function Reviews({ reviews }: { reviews: BusinessReviews['reviews'] }) {
  if (reviews.length === 0) return null
  return (
    <ul className="mt-6 grid gap-x-12 sm:grid-cols-2">
      {reviews.map((review) => (
        <li key={review.id} className="border-t border-line py-6">
          <Stars rating={review.rating} />
          <blockquote className="mt-3 wrap-anywhere whitespace-pre-line">{review.body}</blockquote>
          <p className="mt-3 text-sm text-quiet">
            <span className="font-semibold text-ink">{review.authorName}</span>,{' '}
            <time dateTime={review.createdAt}>
              {formatInstantMonth(new Date(review.createdAt), HOME_ZONE)}
            </time>
          </p>
        </li>
      ))}
    </ul>
  )
}
