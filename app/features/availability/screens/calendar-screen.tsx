import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { LocalDate } from '../../../shared/dates.ts'
import { useArriving } from '../../../ui/connection.ts'
import { useIsReadOnly } from '../../../ui/read-only.tsx'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import type { DayRange } from '../browser/use-day-marking.ts'
import { ALL_BUSINESSES, type CalendarEntry } from '../calendar-rules.ts'
import { BlockDialog } from '../components/block-dialog.tsx'
import { EntryDetails, type ShownEntry, zoneLabelOf } from '../components/calendar-entry.tsx'
import { DayDialog } from '../components/day-dialog.tsx'
import {
  BusinessChoice,
  businessOptions,
  NothingToBook,
  VendorTimeHead,
} from '../components/vendor-time-head.tsx'
import { CALENDAR_TITLE } from '../messages.ts'
import { shownDays } from '../month-layout-rules.ts'
import {
  CalendarDays,
  CalendarNotices,
  MonthBar,
  monthPath,
  type ShownCalendar,
  useSteps,
  type View,
  viewIn,
} from './calendar-sections.tsx'

type Props = { businesses: readonly { id: string; name: string }[] }

/**
 * The vendor's calendar: a month of one listing or of all, with the bookings to decide.
 * @param shown null while there is no business
 */
export function CalendarScreen({ businesses, shown }: Props & { shown: ShownCalendar | null }) {
  useLiveUpdates(shown ? ['bookings', 'calendars'] : [])
  if (!shown)
    return <NothingToBook title={CALENDAR_TITLE} text="List your business to see its calendar here." />
  return <BusinessCalendar key={shown.businessId} businesses={businesses} shown={shown} />
}

/** The calendar of one listing or of all, with the dialogs of a day and of a new block. */
function BusinessCalendar({ businesses, shown }: Props & { shown: ShownCalendar }) {
  const { businessId, listings, today, month, hours } = shown
  const isAll = businessId === ALL_BUSINESSES
  const navigate = useNavigate()
  const isLoading = useArriving() !== null
  const [view, setView] = useView(month, shown.entries.length === 0)
  const [openDay, setOpenDay] = useState<LocalDate | null>(null)
  const steps = useSteps()
  const [marked, setMarked] = useMarkedDays(steps.blocked)
  const entries = useMemo(() => withListings(shown.entries, listings), [shown.entries, listings])

  const show = (ofBusiness: string, ofMonth: string) =>
    void navigate(monthPath(ofBusiness, ofMonth), { preventScrollReset: true })
  const goTo = (day: LocalDate) => {
    if (!day.startsWith(month)) show(businessId, day.slice(0, 7))
  }

  const details = (entry: ShownEntry, showsDay: boolean) => (
    <EntryDetails
      entry={entry}
      others={entries}
      showsDay={showsDay}
      showsListing={isAll}
      unblocking={steps.unblocking === entry.id}
      onUnblock={steps.unblock}
    />
  )

  return (
    <>
      <CalendarHead businesses={businesses} shown={shown} onSwitch={(id) => show(id, month)} />

      <CalendarNotices
        toDecide={withListings(shown.toDecide, listings)}
        unreadCalendars={shown.unreadCalendars}
        showsListings={isAll}
        steps={steps}
        onLook={(day) => {
          goTo(day)
          setOpenDay(day)
        }}
      />
      <MonthBar
        businessId={businessId}
        month={month}
        today={today}
        view={view}
        onView={setView}
        onBlock={() => setMarked({ from: firstDayOf(month, today), to: firstDayOf(month, today) })}
      />

      <div aria-busy={isLoading || undefined}>
        <CalendarDays
          shown={shown}
          entries={entries}
          view={view}
          onOpen={setOpenDay}
          onRange={setMarked}
          onMonth={goTo}
        >
          {(entry) => details(entry, false)}
        </CalendarDays>
      </div>

      <DayDialog
        day={openDay}
        entries={entriesOn(openDay, entries)}
        hoursText={openDay ? (hours[openDay] ?? '') : ''}
        onBlock={(day) => {
          setOpenDay(null)
          setMarked({ from: day, to: day })
        }}
        onClose={() => setOpenDay(null)}
      >
        {(entry) => details(entry, entry.days.first !== entry.days.last)}
      </DayDialog>
      <BlockDialog
        range={marked}
        listings={listings}
        pending={steps.pending}
        problem={steps.problem}
        errors={steps.errors}
        onBlock={steps.block}
        onClose={() => setMarked(null)}
      />
    </>
  )
}

/** The days that are marked for a new block. A successful one unmarks them. */
function useMarkedDays(blocked: object | null) {
  const [marked, setMarked] = useState<DayRange | null>(null)
  useEffect(() => {
    if (blocked) setMarked(null)
  }, [blocked])
  return [marked, setMarked] as const
}

/** The title, the listing's name and zone, and the choice of a listing. */
function CalendarHead({
  businesses,
  shown: { businessId, listings },
  onSwitch,
}: Props & { shown: ShownCalendar; onSwitch: (id: string) => void }) {
  return (
    <VendorTimeHead
      title={CALENDAR_TITLE}
      about={
        <p className="mt-2 text-quiet">
          {businesses.length > 1 ? '' : `${listings[0]?.name} · `}
          {zoneLabelOf(listings)}
        </p>
      }
      choice={
        <BusinessChoice
          options={businessOptions(businesses, { withAll: true })}
          businessId={businessId}
          onSwitch={onSwitch}
        />
      }
    />
  )
}

/** The entries of a day; none without a day. */
function entriesOn(day: LocalDate | null, entries: readonly ShownEntry[]): readonly ShownEntry[] {
  return day ? entries.filter(({ days }) => days.first <= day && day <= days.last) : []
}

/** Adds to each entry its listing, and its days by the clock there. */
function withListings(entries: readonly CalendarEntry[], listings: ShownCalendar['listings']): ShownEntry[] {
  const byId = new Map(listings.map((listing) => [listing.id, listing]))
  return entries.flatMap((entry) => {
    const listing = byId.get(entry.businessId)
    return listing ? [{ ...entry, listing, days: shownDays(entry.event, listing.timeZone) }] : []
  })
}

/** The first day of a new block: today, or the first of the shown month. */
function firstDayOf(month: string, today: LocalDate): LocalDate {
  return today.startsWith(month) ? today : `${month}-01`
}

/**
 * The chosen view, else the view that suits the width; null while the width is unknown.
 * @param isEmpty whether there is nothing to list: the month then says more than an empty agenda. Emptied while it is on the
 *   screen, the agenda stays, with Undo
 */
function useView(month: string, isEmpty: boolean) {
  const [params] = useSearchParams()
  const [chosen, setChosen] = useState<View | null>(viewIn(params))
  const [listedMonth, setListedMonth] = useState<string | null>(null)
  if (!isEmpty && listedMonth !== month) setListedMonth(month)
  const showsMonth = isEmpty && listedMonth !== month
  const isReadOnly = useIsReadOnly()
  const isPhone = useIsPhone()
  const view =
    (isReadOnly ? viewIn(params) : chosen) ??
    (showsMonth ? 'month' : isPhone === null ? null : isPhone ? 'agenda' : 'month')
  return [view, setChosen] as const
}

const PHONE_QUERY = '(width < 769px)'

/** Whether this is the phone layout; null while the width is unknown, as on the server. */
function useIsPhone(): boolean | null {
  return useSyncExternalStore<boolean | null>(
    (onChange) => {
      const query = window.matchMedia(PHONE_QUERY)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => window.matchMedia(PHONE_QUERY).matches,
    () => null,
  )
}
