import type { ReactNode } from 'react'
import { href, useNavigate, useNavigation } from 'react-router'
import type { Cents } from '../../../../shared/money.ts'
import { Banner } from '../../../../ui/banner.tsx'
import { Button, ButtonLink, buttonClass } from '../../../../ui/button.tsx'
import { DrawnPicture } from '../../../../ui/drawn-picture.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { HelpLink } from '../../../../ui/help-link.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { useIsReadOnly } from '../../../../ui/read-only.tsx'
import { SegmentedControl } from '../../../../ui/tabs.tsx'
import { ALL_BUSINESSES } from '../../../availability/calendar-rules.ts'
import {
  BusinessChoice,
  businessOptions,
  VendorTimeHead,
} from '../../../availability/components/vendor-time-head.tsx'
import { useLiveUpdates } from '../../../notifications/browser/use-live-updates.ts'
import {
  NO_BOOKINGS_FOR_ANY,
  NO_BOOKINGS_TEXT,
  NO_BOOKINGS_TITLE,
  noBookingsFor,
  SHARE_PAGE,
  STATUS_LABELS,
  YOUR_BOOKINGS,
} from '../../messages.ts'
import type { VendorBooking } from '../../rules.ts'
import { type ListFilterState, useListFilter } from '../browser/use-list-filter.ts'
import { BookingList } from '../components/booking-list.tsx'
import { ShowMore } from '../components/show-more.tsx'
import { FILTERED_STATUSES, listQuery, NO_FILTER } from '../vendor-list-rules.ts'

const STATUS_OPTIONS = FILTERED_STATUSES.map((status) => ({
  value: status,
  label: status === 'all' ? 'All' : STATUS_LABELS[status],
}))

/**
 * The vendor's bookings, to filter, decide and download (Specification, section 2).
 * @param businessId the business whose bookings are listed, or `ALL_BUSINESSES`
 * @param bookings the shown part of those that the filter finds
 * @param cancelWarning what cancelling an approved booking means for their listings
 * @param shares the vendor's share of bookings, in cents, by booking; null while vendors aren't paid by us
 * @param refusal why a form that was sent without JavaScript was refused; null for none
 */
export function VendorBookingsScreen({
  businesses,
  businessId,
  bookings,
  counts,
  graceMs,
  cancelWarning,
  shares,
  refusal,
}: {
  businesses: readonly { id: string; name: string }[]
  businessId: string
  bookings: readonly VendorBooking[]
  /** The bookings of the business, those that wait for an answer, and those that the filter finds beyond the shown. */
  counts: { all: number; pending: number; rest: number }
  /** How long a refund can still be undone (Decision 7). */
  graceMs: number
  cancelWarning: string
  shares: Readonly<Record<string, Cents>> | null
  refusal: string | null
}) {
  const navigate = useNavigate()
  const filter = useListFilter()
  useLiveUpdates(['bookings'])
  const { pending: pendingCount } = counts
  const isAll = businessId === ALL_BUSINESSES
  const choice = (
    <BusinessChoice
      options={businessOptions(businesses, { withAll: true })}
      businessId={businessId}
      onSwitch={(id) =>
        void navigate(
          { search: listQuery(id === ALL_BUSINESSES ? null : id, filter.value) },
          { preventScrollReset: true },
        )
      }
    />
  )
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
        choice={<div className="wide-only">{choice}</div>}
      />

      {refusal ? (
        <div className="mt-6" role="alert">
          <Banner>{refusal}</Banner>
        </div>
      ) : null}
      {counts.all === 0 ? (
        <NoBookings businessId={isAll ? null : businessId} hasBusiness={businesses.length > 0} />
      ) : (
        <FilteredBookings
          choice={choice}
          bookings={bookings}
          rest={counts.rest}
          graceMs={graceMs}
          cancelWarning={cancelWarning}
          shares={shares}
          showBusiness={isAll}
          filter={filter}
        />
      )}
      <HelpLink article="answer-bookings">How answering bookings works</HelpLink>
    </>
  )
}

/** The expectation and the next step, above the observed message. @param businessId null for all of the vendor's */
function NoBookings({ businessId, hasBusiness }: { businessId: string | null; hasBusiness: boolean }) {
  // A vendor who has never been booked shares the page from the first steps, with its code to print.
  const to =
    businessId === null || !hasBusiness
      ? `${href('/dashboard')}#first-steps`
      : href('/business/:id', { id: businessId })
  return (
    <EmptyState
      illustration={<DrawnPicture picture="empty-bookings/dashboard" />}
      title={NO_BOOKINGS_TITLE}
      text={NO_BOOKINGS_TEXT}
      action={
        <>
          <ButtonLink to={to}>{SHARE_PAGE}</ButtonLink>
          <p className="mt-4 text-sm text-quiet">
            {businessId === null ? NO_BOOKINGS_FOR_ANY : noBookingsFor(businessId)}
          </p>
        </>
      }
    />
  )
}

function FilteredBookings({
  bookings,
  rest,
  filter,
  choice,
  ...about
}: {
  bookings: readonly VendorBooking[]
  rest: number
  graceMs: number
  cancelWarning: string
  shares: Readonly<Record<string, Cents>> | null
  showBusiness: boolean
  filter: ListFilterState
  choice: ReactNode
}) {
  const isLoading = useNavigation().state === 'loading'
  return (
    <>
      <div className="wide-only">
        <ListFilterForm filter={filter} />
      </div>
      <PhoneFilter filter={filter} choice={choice} />
      {bookings.length > 0 ? (
        <section aria-label={YOUR_BOOKINGS} aria-busy={isLoading}>
          <BookingList bookings={bookings} {...about} />
          <ShowMore rest={rest} to={filter.moreTo} />
        </section>
      ) : (
        <EmptyState
          text="No bookings match this filter."
          action={<Button onClick={() => filter.change(NO_FILTER)}>Show all</Button>}
        />
      )}
    </>
  )
}

/** The same behind one row of a phone: it says what the list is filtered by. */
function PhoneFilter({ filter, choice }: { filter: ListFilterState; choice: ReactNode }) {
  const { status, name } = filter.value
  const label = STATUS_OPTIONS.find(({ value }) => value === status)?.label ?? ''
  return (
    <details className="phone-only mt-3 mb-1">
      <summary className="link inline-flex min-h-11 max-w-full items-center gap-2.5">
        <Icon name="sliders-horizontal" className="size-5 flex-none" />
        <span className="truncate">Filter: {name.trim() ? `${label}, ‘${name.trim()}’` : label}</span>
      </summary>
      <div className="pt-3">{choice}</div>
      <ListFilterForm filter={filter} />
    </details>
  )
}

/** Filters by status and name while one types. Without scripts, it is sent by a button. */
function ListFilterForm({ filter: { value, business, query, change } }: { filter: ListFilterState }) {
  const isReadOnly = useIsReadOnly()
  return (
    <form
      className="mt-6 mb-4 flex flex-wrap items-center gap-x-6 gap-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        change(value)
      }}
    >
      {business ? <input type="hidden" name="business" value={business} /> : null}
      <div className="-mx-(--gutter) max-w-[100vw] overflow-x-auto px-(--gutter) [scrollbar-width:none] sm:mx-0 sm:px-0">
        <SegmentedControl
          label="Status"
          name="status"
          options={STATUS_OPTIONS}
          value={value.status}
          onChange={(status) => change({ ...value, status })}
        />
      </div>
      <TextField
        label="Search by name"
        labelUnseen
        type="search"
        name="name"
        placeholder="Search by name"
        className="min-w-0 grow basis-40 sm:max-w-64"
        value={value.name}
        onChange={(event) => change({ ...value, name: event.currentTarget.value })}
      />
      <noscript>
        <Button type="submit">Show</Button>
      </noscript>
      {isReadOnly ? null : (
        <a
          className={`${buttonClass({ variant: 'quiet' })} ml-auto px-4`}
          aria-label="Download CSV"
          href={`${href('/dashboard/bookings.csv')}${query}`}
        >
          <Icon name="download" />
          <span>
            <span className="hidden lg:inline">Download </span>CSV
          </span>
        </a>
      )}
    </form>
  )
}
