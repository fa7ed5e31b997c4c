import { href } from 'react-router'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { ListedBooking } from '../booking-queries.server.ts'
import { FilterLinks, ListFoot, type Pictures } from '../components/list-parts.tsx'
import { BookingRows } from '../components/list-rows.tsx'
import { SearchForm } from '../components/search-form.tsx'
import { BOOKING_FILTER_EMPTY, BOOKING_FILTER_LABELS } from '../messages.ts'
import { BOOKING_FILTERS, type BookingFilter } from '../rules.ts'

/** The list of bookings, with filters and a search. */
export function BookingsScreen({
  filter,
  words,
  bookings,
  pictures,
  older,
  isFirst,
  now,
}: {
  filter: BookingFilter
  words: string
  bookings: readonly ListedBooking[]
  pictures: Pictures
  /** The cursor of the next page; null on the last. */
  older: string | null
  isFirst: boolean
  /** ISO 8601. */
  now: string
}) {
  const hrefFor = (show: BookingFilter) =>
    `${href('/operations/bookings')}?${new URLSearchParams({ show, ...(words ? { q: words } : {}) })}`
  return (
    <>
      <h1>Bookings</h1>
      <div className="mt-6 grid gap-5">
        <FilterLinks
          label="Filter bookings"
          names={BOOKING_FILTERS}
          labels={BOOKING_FILTER_LABELS}
          current={filter}
          hrefFor={hrefFor}
        />
        <SearchForm
          label="Name, email, business or id"
          words={words}
          keep={filter === 'all' ? {} : { show: filter }}
        />
      </div>
      {bookings.length === 0 ? (
        <EmptyState text={words ? 'No booking matches these words.' : BOOKING_FILTER_EMPTY[filter]} />
      ) : (
        <BookingRows bookings={bookings} pictures={pictures} now={now} />
      )}
      <ListFoot
        path={href('/operations/bookings')}
        filter={{ ...(filter === 'all' ? {} : { show: filter }), ...(words ? { q: words } : {}) }}
        older={older}
        isFirst={isFirst}
        exportPath={href('/operations/export/:list', { list: 'bookings' })}
      />
    </>
  )
}
