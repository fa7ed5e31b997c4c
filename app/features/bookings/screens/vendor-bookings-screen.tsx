import { type ReactNode, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Cents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { DrawnPicture } from '../../../ui/drawn-picture.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SegmentedControl } from '../../../ui/tabs.tsx'
import { ALL_BUSINESSES } from '../../availability/calendar-rules.ts'
import { businessOptions, VendorTimeHead } from '../../availability/components/vendor-time-head.tsx'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { BookingList } from '../components/booking-list.tsx'
import { ShowMore } from '../components/show-more.tsx'
import { NO_BOOKINGS_FOR_ANY, noBookingsFor, STATUS_LABELS, YOUR_BOOKINGS } from '../messages.ts'
import type { BookingStatus, VendorBooking } from '../rules.ts'
import { bookingsCsv, filterBookings, shownBookings, stepsIn } from '../vendor-list-rules.ts'

const STATUS_OPTIONS = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: STATUS_LABELS.pending },
  { value: 'approved', label: STATUS_LABELS.approved },
  { value: 'declined', label: STATUS_LABELS.declined },
] as const

/**
 * The vendor's bookings, to filter, decide and download (Specification, section 2).
 * @param businessId the business whose bookings are listed, or `ALL_BUSINESSES`
 * @param cancelWarning what cancelling an approved booking means for their listings
 * @param shares the vendor's share of bookings, in cents, by booking; null while vendors aren't paid by us
 * @param refusal why a form that was sent without JavaScript was refused; null for none
 * @param tabs links to the other screens of the vendor's time
 */
export function VendorBookingsScreen({
  businesses,
  businessId,
  bookings,
  graceMs,
  cancelWarning,
  shares,
  now,
  refusal,
  tabs,
}: {
  businesses: readonly { id: string; name: string }[]
  businessId: string
  bookings: readonly VendorBooking[]
  /** How long a refund can still be undone (Decision 7). */
  graceMs: number
  cancelWarning: string
  shares: Readonly<Record<string, Cents>> | null
  /** ISO 8601. */
  now: string
  refusal: string | null
  tabs: ReactNode
}) {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [filter, setFilter] = useState(NO_FILTER)
  useLiveUpdates(['bookings'])
  const pendingCount = bookings.filter(({ listed }) => listed.status === 'pending').length
  const isAll = businessId === ALL_BUSINESSES
  return (
    <>
      <VendorTimeHead
        title={YOUR_BOOKINGS}
        about={
          pendingCount > 0 ? (
            <p className="mt-2 text-quiet" aria-live="polite">
              {pendingCount === 1
                ? '1 is waiting for your answer.'
                : `${pendingCount} are waiting for your answer.`}
            </p>
          ) : null
        }
        options={businessOptions(businesses, { withAll: true })}
        businessId={businessId}
        onSwitch={(id) =>
          void navigate(id === ALL_BUSINESSES ? '.' : `?business=${id}`, { preventScrollReset: true })
        }
        tabs={tabs}
      />

      {refusal ? (
        <div className="mt-6" role="alert">
          <Banner>{refusal}</Banner>
        </div>
      ) : null}
      {bookings.length === 0 ? (
        <EmptyState
          illustration={<DrawnPicture picture="empty-bookings/dashboard" />}
          text={isAll ? NO_BOOKINGS_FOR_ANY : noBookingsFor(businessId)}
        />
      ) : (
        <FilteredBookings
          bookings={bookings}
          graceMs={graceMs}
          cancelWarning={cancelWarning}
          shares={shares}
          showBusiness={isAll}
          now={now}
          steps={stepsIn(search.get('more'))}
          business={search.get('business')}
          filter={filter}
          onFilter={setFilter}
        />
      )}
    </>
  )
}

type Filter = { status: BookingStatus | 'all'; name: string }

const NO_FILTER: Filter = { status: 'all', name: '' }

function FilteredBookings({
  bookings,
  graceMs,
  cancelWarning,
  shares,
  showBusiness,
  now,
  steps,
  business,
  filter,
  onFilter,
}: {
  bookings: readonly VendorBooking[]
  graceMs: number
  cancelWarning: string
  shares: Readonly<Record<string, Cents>> | null
  showBusiness: boolean
  now: string
  /** How often 'Show more' was pressed. */
  steps: number
  /** The listing in the address; null for none. */
  business: string | null
  filter: Filter
  onFilter: (filter: Filter) => void
}) {
  const found = filterBookings(bookings, filter)
  const shown = shownBookings(found, { steps, now })
  const more = new URLSearchParams({ ...(business ? { business } : {}), more: String(steps + 1) })
  return (
    <>
      <div className="mt-6 mb-4 flex flex-wrap items-center gap-x-6 gap-y-4">
        <div className="-mx-(--gutter) max-w-[100vw] overflow-x-auto px-(--gutter) [scrollbar-width:none] sm:mx-0 sm:px-0">
          <SegmentedControl
            label="Status"
            name="status"
            options={STATUS_OPTIONS}
            value={filter.status as (typeof STATUS_OPTIONS)[number]['value']}
            onChange={(status) => onFilter({ ...filter, status })}
          />
        </div>
        <TextField
          label="Search by name"
          labelUnseen
          type="search"
          placeholder="Search by name"
          className="min-w-0 grow basis-40 sm:max-w-64"
          value={filter.name}
          onChange={(event) => onFilter({ ...filter, name: event.currentTarget.value })}
        />
        <Button
          variant="quiet"
          className="ml-auto px-4"
          aria-label="Download CSV"
          icon={<Icon name="download" />}
          onClick={() => download(bookingsCsv(found))}
        >
          <span className="hidden sm:inline">Download </span>CSV
        </Button>
      </div>
      {shown.length > 0 ? (
        <>
          <BookingList
            bookings={shown}
            graceMs={graceMs}
            cancelWarning={cancelWarning}
            shares={shares}
            showBusiness={showBusiness}
          />
          <ShowMore rest={found.length - shown.length} to={`?${more}`} />
        </>
      ) : (
        <EmptyState
          text="No bookings match this filter."
          action={<Button onClick={() => onFilter(NO_FILTER)}>Show all</Button>}
        />
      )}
    </>
  )
}

function download(csv: string) {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'bookings.csv'
  link.click()
  URL.revokeObjectURL(url)
}
