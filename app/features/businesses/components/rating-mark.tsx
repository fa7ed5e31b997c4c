import { Icon } from '../../../ui/icon.tsx'
import { reviewCountText } from '../messages.ts'
import type { BusinessRating } from '../rules.ts'

/** A compact rating: one star, the average and the count. */
export function RatingMark({ rating }: { rating: BusinessRating }) {
  return (
    <span className="figures inline-flex items-center gap-1 whitespace-nowrap text-sm">
      <Icon name="star" className="size-4 fill-glow text-glow" />
      <span className="unseen">Rated </span>
      <span className="font-semibold">{rating.average.toFixed(1)}</span>
      <span className="unseen"> out of 5, {reviewCountText(rating.count)}</span>
      <span className="text-quiet" aria-hidden="true">
        ({rating.count})
      </span>
    </span>
  )
}
