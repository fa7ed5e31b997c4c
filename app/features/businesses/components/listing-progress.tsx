import { href, Link } from 'react-router'
import { useCompletedOnce } from '../browser/use-completed-once.ts'
import { ALL_COMPLETE_TEXT, COMPLETENESS_LABELS, completeText } from '../completeness-messages.ts'
import type { Completeness, CompletenessStep } from '../completeness-rules.ts'
import type { Category } from '../rules.ts'

/** A listing's score with its next step. A complete listing says so once, then nothing. */
export function ListingProgress({
  listing,
  completeness: { percent, next },
}: {
  listing: { id: string; category: Category; name: string }
  completeness: Completeness
}) {
  const saysComplete = useCompletedOnce(listing.id, next === null)
  if (!next)
    return saysComplete ? (
      <p className="text-sm text-success" role="status">
        {ALL_COMPLETE_TEXT}
      </p>
    ) : null
  return (
    <div className="mt-1.5 grid gap-1.5 text-sm">
      <div
        className="h-1.5 max-w-60 overflow-hidden rounded-full bg-sunk"
        role="progressbar"
        aria-label={`${listing.name}, complete`}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div className="h-full rounded-full bg-brand" style={{ width: `${percent}%` }} />
      </div>
      <p className="text-quiet">
        <span className="figures">{completeText(percent)}</span>. Next:{' '}
        <Link className="link inline-block py-1" to={stepHref(next, listing)}>
          {COMPLETENESS_LABELS[next]}
        </Link>
      </p>
    </div>
  )
}

/** The screen of a step, at the very field if it is one of the listing form. */
function stepHref(step: CompletenessStep, { id, category }: { id: string; category: Category }): string {
  const field = (name: string) => `${href('/dashboard/list-business/:id/edit', { id })}#listing-${name}`
  switch (step) {
    case 'picture':
    case 'morePictures':
      return field('images')
    case 'facts':
      // The first number of the category's facts.
      return field(category === 'Venues' ? 'seated' : 'minHours')
    case 'hours':
      return `${href('/dashboard/availability')}?business=${id}`
    case 'terms':
      return field('policy')
    case 'registration':
      return href('/dashboard/register-business')
    case 'payouts':
      return href('/dashboard/payouts/setup')
    default:
      return field(step)
  }
}
