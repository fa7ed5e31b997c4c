import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { NearDecline } from '../decline-queries.server.ts'
import { daysBeforeText, NEAR_DECLINES, NEAR_DECLINES_HINT, OPERATIONS_ZONE } from '../messages.ts'

/** The approved bookings that were declined shortly before their events. Renders nothing when there are none. */
export function NearDeclines({ declines }: { declines: readonly NearDecline[] }) {
  if (declines.length === 0) return null
  return (
    <section className="mt-8 rounded-card bg-sunk p-5" aria-labelledby="near-declines">
      <h2 id="near-declines" className="text-lg">
        {NEAR_DECLINES}
      </h2>
      <p className="mt-1 text-sm text-quiet">{NEAR_DECLINES_HINT}</p>
      <ul className="mt-4 grid gap-4">
        {declines.map(({ bookingId, paymentId, vendorName, customerName, span, daysBefore, ...decline }) => (
          <li key={bookingId} className="relative border-t border-line pt-4">
            <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
              <h3 className="min-w-0 text-base [overflow-wrap:anywhere]">
                <Link className="cover-link" to={href('/operations/payments/:id', { id: paymentId })}>
                  {vendorName}
                </Link>
              </h3>
              <Tag tone="glow">{daysBeforeText(daysBefore)}</Tag>
            </div>
            <p className="figures text-sm text-quiet">{span}</p>
            <p className="mt-2 max-w-prose [overflow-wrap:anywhere]">‘{decline.reason}’</p>
            <p className="figures mt-1 text-sm text-quiet [overflow-wrap:anywhere]">
              {customerName}, declined {formatInstant(new Date(decline.declinedAt), OPERATIONS_ZONE)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
