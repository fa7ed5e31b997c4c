import type { PriceUnit } from '../../../../shared/money.ts'
import { keepTimesWhole } from '../../components/booking-facts.tsx'
import { changedFacts } from '../messages.ts'
import type { BookedEvent } from '../rules.ts'

/** The facts that a change alters: before and after side by side, or one below the other on a phone. */
export function ChangeFacts({
  change,
  timeZone,
  bookingType,
}: {
  change: { before: BookedEvent; after: BookedEvent }
  timeZone: string
  bookingType: PriceUnit
}) {
  return (
    <dl className="figures mt-4 grid gap-3">
      {changedFacts(change, { timeZone, bookingType }).map(({ label, before, after }) => (
        <div key={label} className="grid gap-x-6 sm:grid-cols-[6rem_1fr]">
          <dt className="text-quiet">{label}</dt>
          <dd className="min-w-0">
            <del className="block text-sm text-quiet">
              <span className="unseen">Before: </span>
              {keepTimesWhole(before)}
            </del>
            <ins className="block font-semibold text-balance no-underline">
              <span className="unseen">Instead: </span>
              {keepTimesWhole(after)}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
