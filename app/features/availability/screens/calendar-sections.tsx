import { type ReactNode, useState } from 'react'
import { href, Link, useFetcher } from 'react-router'
import { formatMonth, type LocalDate, wallTimeAt } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useIsReadOnly } from '../../../ui/read-only.tsx'
import { SegmentedControl } from '../../../ui/tabs.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import type { DayRange } from '../browser/use-day-marking.ts'
import { ALL_BUSINESSES, type CalendarEntry } from '../calendar-rules.ts'
import { type ShownEntry, type ShownListing, spanText, titleOf } from '../components/calendar-entry.tsx'
import { ChoiceLinks } from '../components/choice-links.tsx'
import { VendorAgenda } from '../components/vendor-agenda.tsx'
import { VendorMonth } from '../components/vendor-month.tsx'
import { ENTRY_LABELS, stepProblemText } from '../messages.ts'
import { isWholeDays } from '../month-layout-rules.ts'
import { addMonths } from '../month-rules.ts'
import type { BlockAnswer } from '../schema.ts'

/** A month of the calendar of one listing or of all. */
export type ShownCalendar = {
  /** The chosen listing's id, or `ALL_BUSINESSES`. */
  businessId: string
  /** The listings whose entries are shown. */
  listings: readonly ShownListing[]
  today: LocalDate
  /** As '2027-03'. */
  month: string
  entries: readonly CalendarEntry[]
  /** Texts such as 'Open 8:00 am to 2:00 am', by day; empty for all listings. */
  hours: Record<LocalDate, string>
  /** Those on which none of the listings opens. */
  closedDays: readonly LocalDate[]
  /** Upcoming bookings that conflict with other entries. */
  toDecide: readonly CalendarEntry[]
  /** The outside calendars whose last reading failed. */
  unreadCalendars: readonly { name: string; businessId: string }[]
}

/** The path to another month or business in the calendar. */
export const monthPath = (business: string, month: string) =>
  `?${new URLSearchParams({ ...(business === ALL_BUSINESSES ? {} : { business }), month })}`

/** The notices above the month: bookings to decide, calendars that can't be read, and Undo after unblocking. */
export function CalendarNotices({
  toDecide,
  unreadCalendars,
  showsListings,
  steps,
  onLook,
}: {
  toDecide: readonly ShownEntry[]
  unreadCalendars: ShownCalendar['unreadCalendars']
  showsListings: boolean
  steps: ReturnType<typeof useSteps>
  onLook: (day: LocalDate) => void
}) {
  const [firstUnread] = unreadCalendars
  return (
    <div className="mt-6 grid gap-3 empty:hidden" role="status">
      {toDecide.length > 0 ? (
        <ToDecide bookings={toDecide} showsListings={showsListings} onLook={onLook} />
      ) : null}
      {firstUnread ? (
        <Banner
          tone="glow"
          title={`We couldn’t read ${unreadCalendars.map(({ name }) => name).join(' and ')}`}
        >
          The events we read before still count.{' '}
          <Link
            className="link"
            to={`${href('/dashboard/availability')}?business=${firstUnread.businessId}#calendars`}
          >
            See why
          </Link>
        </Banner>
      ) : null}
      {steps.undoable ? (
        <Banner
          action={
            <Button size="small" waiting={steps.pending} onClick={steps.undo}>
              Undo
            </Button>
          }
        >
          Unblocked: {spanText(steps.undoable.event, steps.undoable.listing.timeZone)}.
        </Banner>
      ) : null}
    </div>
  )
}

/** The bookings that conflict with other entries. The vendor decides; nothing is cancelled automatically. */
function ToDecide({
  bookings,
  showsListings,
  onLook,
}: {
  bookings: readonly ShownEntry[]
  showsListings: boolean
  onLook: (day: LocalDate) => void
}) {
  return (
    <Banner
      tone="error"
      title={bookings.length === 1 ? 'One booking to decide' : `${bookings.length} bookings to decide`}
    >
      <p>You have something else at the same time. Nothing has been changed.</p>
      <ul className="mt-1">
        {bookings.map((booking) => (
          <li key={booking.id}>
            <button
              type="button"
              className="link min-h-11 text-left"
              onClick={() => onLook(booking.days.first)}
            >
              {titleOf(booking)}, {showsListings ? `${booking.listing.name}, ` : ''}
              {spanText(booking.event, booking.listing.timeZone)}
            </button>
          </li>
        ))}
      </ul>
    </Banner>
  )
}

export type View = 'month' | 'agenda'

const VIEWS = [
  { value: 'month', label: 'Month' },
  { value: 'agenda', label: 'Agenda' },
] as const satisfies { value: View; label: string }[]

/** The view that a link asks for, where buttons are disabled. */
export const viewIn = (params: URLSearchParams): View | null =>
  VIEWS.find(({ value }) => value === params.get('view'))?.value ?? null

/** The month navigation, the choice of a view, and 'Block time'. */
export function MonthBar({
  businessId,
  month,
  today,
  view,
  onView,
  onBlock,
}: {
  businessId: string
  month: string
  today: LocalDate
  /** Null while the browser's width is unknown. */
  view: View | null
  onView: (view: View) => void
  onBlock: () => void
}) {
  const step = (months: number) => addMonths(`${month}-01`, months).slice(0, 7)
  const isReadOnly = useIsReadOnly()
  return (
    <div className="mt-6 mb-4 flex flex-wrap items-center gap-x-3 gap-y-3">
      <div className="flex w-full items-center gap-1 sm:w-auto">
        <Link
          className="icon-button"
          to={monthPath(businessId, step(-1))}
          preventScrollReset
          aria-label={`Back to ${formatMonth(step(-1))}`}
        >
          <Icon name="chevron-left" />
        </Link>
        <h2 className="px-1 text-center text-lg md:min-w-54 md:text-xl" aria-live="polite">
          {formatMonth(month)}
        </h2>
        <Link
          className="icon-button"
          to={monthPath(businessId, step(1))}
          preventScrollReset
          aria-label={`On to ${formatMonth(step(1))}`}
        >
          <Icon name="chevron-right" />
        </Link>
        {today.startsWith(month) ? null : (
          <Link
            className="button button-quiet ml-auto px-4"
            to={monthPath(businessId, today.slice(0, 7))}
            preventScrollReset
          >
            Today
          </Link>
        )}
      </div>
      <div className="sm:ml-auto">
        {isReadOnly ? (
          <ChoiceLinks
            label="View"
            options={VIEWS}
            value={view}
            toOf={(value) => `${monthPath(businessId, month)}&view=${value}`}
          />
        ) : (
          <SegmentedControl
            label="View"
            name="view"
            options={VIEWS}
            value={view ?? ('' as View)}
            onChange={onView}
          />
        )}
      </div>
      <Button variant="brand" className="grow sm:grow-0" icon={<Icon name="lock" />} onClick={onBlock}>
        Block time
      </Button>
    </div>
  )
}

/** The month as a grid or a list. Renders both until the browser's width is known, and CSS shows the right one. */
export function CalendarDays({
  shown: { businessId, month, today, closedDays },
  entries,
  view,
  onOpen,
  onRange,
  onMonth,
  children,
}: {
  shown: ShownCalendar
  entries: readonly ShownEntry[]
  view: View | null
  onOpen: (day: LocalDate) => void
  onRange: (range: DayRange) => void
  onMonth: (day: LocalDate) => void
  /** Renders an entry of the list in full. */
  children: (entry: ShownEntry) => ReactNode
}) {
  const agenda = (
    <VendorAgenda key={month} month={month} today={today} entries={entries}>
      {children}
    </VendorAgenda>
  )
  const grid = (
    <>
      <VendorMonth
        month={month}
        today={today}
        entries={entries}
        closedDays={closedDays}
        showsListings={businessId === ALL_BUSINESSES}
        onOpen={onOpen}
        onRange={onRange}
        onMonth={onMonth}
      />
      <Legend />
    </>
  )
  if (view) return view === 'month' ? grid : agenda
  return (
    <>
      <div className="wide-only">{grid}</div>
      <div className="phone-only">{agenda}</div>
    </>
  )
}

const LEGEND = Object.entries({ ...ENTRY_LABELS, closed: 'Closed' })

/** The legend of the entries' looks, and how to mark days, for who may block them. */
function Legend() {
  const isReadOnly = useIsReadOnly()
  return (
    <>
      <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-1.5 text-sm text-quiet">
        {LEGEND.map(([look, label]) => (
          <li key={label} className="inline-flex items-center gap-2">
            <span aria-hidden="true" className={`month-swatch look-${look}`} />
            {label}
          </li>
        ))}
      </ul>
      {isReadOnly ? null : (
        <p className="mt-3 text-sm text-quiet">
          <span className="wide-only">
            Drag over days to block them, or mark them with Shift and the arrow keys.
          </span>
          <span className="phone-only">
            Press and hold a day until it lights up, then drag to block days.
          </span>
        </p>
      )}
    </>
  )
}

/** Blocks and unblocks time, with undo. */
export function useSteps() {
  const blocking = useFetcher<BlockAnswer>()
  const unblocking = useFetcher<BlockAnswer>()
  const [last, setLast] = useState<ShownEntry | null>(null)
  const [undoable, setUndoable] = useState<ShownEntry | null>(null)
  const [blocked, setBlocked] = useState<object | null>(null)

  useAnswer<BlockAnswer>(blocking, (answer) => {
    if (!answer.ok) return
    setBlocked(answer)
    showToast({
      type: 'success',
      text: 'Blocked. Customers can’t book this time.',
    })
  })
  useAnswer<BlockAnswer>(unblocking, (answer) => {
    if (answer.ok) setUndoable(last)
    else showToast({ type: 'error', text: problemText(answer) ?? '' })
  })

  const pending = blocking.state !== 'idle'
  const blockAnswer = pending ? undefined : blocking.data
  const block = (form: FormData) => void blocking.submit(form, { method: 'post' })
  return {
    pending,
    /** A new object after each successful block. */
    blocked,
    problem: problemText(blockAnswer),
    errors: blockAnswer && !blockAnswer.ok ? blockAnswer.errors : null,
    block,
    unblocking: unblocking.state === 'idle' ? null : (last?.id ?? null),
    unblock: (entry: ShownEntry) => {
      if (unblocking.state !== 'idle') return
      setLast(entry)
      setUndoable(null)
      void unblocking.submit(
        { intent: 'unblock', businessId: entry.businessId, blockId: entry.id },
        { method: 'post' },
      )
    },
    undoable,
    undo: () => {
      if (!undoable) return
      block(blockAgain(undoable))
      setUndoable(null)
    },
  }
}

function problemText(answer: BlockAnswer | undefined): string | null {
  return !answer || answer.ok ? null : stepProblemText(answer)
}

/** The form that makes the same block again. */
function blockAgain(entry: ShownEntry): FormData {
  const { timeZone } = entry.listing
  const form = new FormData()
  form.set('businessId', entry.businessId)
  form.set('intent', 'block')
  form.set('note', entry.title)
  if (isWholeDays(entry.event, timeZone)) {
    form.set('from', entry.days.first)
    form.set('to', entry.days.last)
    return form
  }
  const from = wallTimeAt(entry.event.from, timeZone)
  const until = wallTimeAt(entry.event.until, timeZone)
  for (const [name, value] of [
    ['from', from.date],
    ['fromTime', from.time],
    ['to', until.date],
    ['toTime', until.time],
  ] as const)
    form.set(name, value)
  return form
}
