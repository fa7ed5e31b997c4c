import { parseWithZod } from '@conform-to/zod/v4'
import { ChevronLeft, ChevronRight, Lock } from 'lucide-react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { data, href, Link, useFetcher, useNavigate } from 'react-router'
import { z } from 'zod'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import type { CalendarEntry } from '../../features/availability/calendar-rules.ts'
import { BlockDialog } from '../../features/availability/components/block-dialog.tsx'
import {
  EntryDetails,
  type ShownEntry,
  spanText,
  titleOf,
} from '../../features/availability/components/calendar-entry.tsx'
import { DayDialog } from '../../features/availability/components/day-dialog.tsx'
import { VendorAgenda } from '../../features/availability/components/vendor-agenda.tsx'
import { type DayRange, VendorMonth } from '../../features/availability/components/vendor-month.tsx'
import { blockTime, unblockTime } from '../../features/availability/hours-commands.server.ts'
import { findAvailability } from '../../features/availability/hours-queries.server.ts'
import { isWholeDays, monthWeeks, shownDays } from '../../features/availability/month-layout-rules.ts'
import { addMonths } from '../../features/availability/month-rules.ts'
import { listOutsideCalendars } from '../../features/availability/outside-calendar-queries.server.ts'
import { hoursOf, zoneLabel } from '../../features/availability/rules.ts'
import { blockSchema } from '../../features/availability/schema.ts'
import {
  ENTRY_LABELS,
  openHoursText,
  STEP_PROBLEMS,
  VENDOR_TOAST_LIFE_MS,
} from '../../features/availability/wording.ts'
import { listCalendarEntries } from '../../features/bookings/calendar-queries.server.ts'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { useLiveUpdates } from '../../features/notifications/browser/use-live-updates.ts'
import { servicesContext } from '../../request-context.server.ts'
import { availabilityDeps } from '../../services.server.ts'
import {
  addDays,
  formatMonth,
  isLocalDate,
  type LocalDate,
  wallTimeAt,
  wallTimeToUtc,
} from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { BookingsTabs } from '../../shell/bookings-tabs.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useArriving } from '../../ui/connection.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { SegmentedControl } from '../../ui/tabs.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useAnswer } from '../../ui/use-answer.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/calendar'

const TITLE = 'Calendar'
const DAY_MS = 86_400_000
/** As far as anything can be booked. */
const DECIDE_AHEAD_MS = 1_100 * DAY_MS
const YEARS_AROUND = 5

export const meta: Route.MetaFunction = () => [{ title: TITLE }]

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const at = now()
  const businesses = (await listOwnListings(db, session.user.uid, at)).map(({ id, name }) => ({ id, name }))
  const business = businesses.find(({ id }) => id === url.searchParams.get('business')) ?? businesses[0]
  const rules = business ? await findAvailability(db, business.id) : null
  if (!business || !rules) return { businesses, shown: null }
  const today = wallTimeAt(at, rules.timeZone).date
  const month = askedMonth(url.searchParams.get('month'), today)
  const days = monthWeeks(month).flat()
  const instant = (day: LocalDate) => wallTimeToUtc(day, '00:00', rules.timeZone)
  const range = { from: instant(days[0] as LocalDate), until: instant(addDays(days.at(-1) as LocalDate, 1)) }
  const ahead = { from: at, until: new Date(at.getTime() + DECIDE_AHEAD_MS) }
  const [entries, coming, calendars] = await Promise.all([
    listCalendarEntries(db, { businessId: business.id, range, now: at }),
    listCalendarEntries(db, { businessId: business.id, range: ahead, now: at }),
    listOutsideCalendars(db, business.id),
  ])
  return {
    businesses,
    shown: {
      business,
      timeZone: rules.timeZone,
      today,
      month,
      entries,
      hours: Object.fromEntries(days.map((day) => [day, openHoursText(hoursOf(rules, day))])),
      closedDays: days.filter((day) => hoursOf(rules, day).length === 0),
      toDecide: coming.filter(({ kind, isConflict }) => kind === 'booking' && isConflict),
      unreadCalendars: calendars.filter(({ lastError }) => lastError !== null).map(({ name }) => name),
    },
  }
}

/** The month that the address asks for, if it is one and near; else the present one at the place. */
function askedMonth(asked: string | null, today: LocalDate): string {
  if (!asked || !isLocalDate(`${asked}-01`)) return today.slice(0, 7)
  const years = Number(asked.slice(0, 4)) - Number(today.slice(0, 4))
  return Math.abs(years) <= YEARS_AROUND ? asked : today.slice(0, 7)
}

type Problem = keyof typeof STEP_PROBLEMS | 'invalid_fields'

type Answer = { ok: true } | { ok: false; reason: Problem; errors: Record<string, string[] | null> | null }

const STATUSES = {
  signed_out: 401,
  not_found: 404,
  too_many: 409,
  already_there: 409,
  changed_meanwhile: 409,
  no_such_time: 400,
  invalid_fields: 400,
  too_often: 429,
  failed: 503,
} as const satisfies Record<Problem, number>

/** The fields of the steps that have no schema of their own, and those of every step. */
const stepSchema = z.object({ intent: z.string(), businessId: z.string(), blockId: z.string() })

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('signed_out')
  const form = await readForm(request, [blockSchema, stepSchema])
  if (!(await mayWrite(services.rateLimits, session.user.uid))) return refuse('too_often')
  const own = { userId: session.user.uid, businessId: String(form.get('businessId')) }
  const deps = availabilityDeps(services)
  if (form.get('intent') === 'unblock') {
    const outcome = await unblockTime(deps, { ...own, blockId: String(form.get('blockId')) })
    return outcome.ok ? data<Answer>({ ok: true }) : refuse(outcome.reason)
  }
  const submission = parseWithZod(form, { schema: blockSchema })
  if (submission.status !== 'success') return refuse('invalid_fields', submission.error ?? null)
  const outcome = await blockTime(deps, { ...own, block: submission.value })
  return outcome.ok ? data<Answer>({ ok: true }) : refuse(outcome.reason)
}

function refuse(reason: Problem, errors: Record<string, string[] | null> | null = null) {
  return data<Answer>({ ok: false, reason, errors }, { status: STATUSES[reason] })
}

/** A lost connection is told in words; what was typed stays. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    if (error instanceof Response) throw error
    return refuse('failed')
  }
}

export default function CalendarRoute({ loaderData }: Route.ComponentProps) {
  const { businesses, shown } = loaderData
  useLiveUpdates(shown ? ['bookings', 'calendars'] : [])
  if (!shown) {
    return (
      <>
        <h1 className="text-3xl md:text-4xl">{TITLE}</h1>
        <EmptyState
          title="Nothing to book yet"
          text="List your business, and its calendar is here."
          action={
            <ButtonLink variant="primary" to={href('/dashboard/list-business/new')}>
              List Your Business
            </ButtonLink>
          }
        />
      </>
    )
  }
  return <Screen key={shown.business.id} businesses={businesses} shown={shown} />
}

type Shown = NonNullable<Route.ComponentProps['loaderData']['shown']>
type View = 'month' | 'agenda'

const VIEWS = [
  { value: 'month', label: 'Month' },
  { value: 'agenda', label: 'Agenda' },
] as const satisfies { value: View; label: string }[]

function Screen({ businesses, shown }: { businesses: { id: string; name: string }[]; shown: Shown }) {
  const { business, timeZone, today, month, hours, closedDays, toDecide, unreadCalendars } = shown
  const navigate = useNavigate()
  const isLoading = useArriving() !== null
  const [chosenView, setView] = useState<View | null>(null)
  const isPhone = useIsPhone()
  // Until the browser has told its width, both are there and the style sheet shows the right one.
  const view = chosenView ?? (isPhone === null ? null : isPhone ? 'agenda' : 'month')
  const [openDay, setOpenDay] = useState<LocalDate | null>(null)
  const [marked, setMarked] = useState<DayRange | null>(null)
  const steps = useSteps(business.id, timeZone)
  const entries = useMemo(
    () => shown.entries.map((entry) => ({ ...entry, days: shownDays(entry.event, timeZone) })),
    [shown.entries, timeZone],
  )

  const monthPath = (to: string) => `?${new URLSearchParams({ business: business.id, month: to })}`
  const step = (months: number) => addMonths(`${month}-01`, months).slice(0, 7)
  const goTo = (day: LocalDate) => {
    if (!day.startsWith(month)) void navigate(monthPath(day.slice(0, 7)), { preventScrollReset: true })
  }
  const { blocked } = steps
  useEffect(() => {
    if (blocked) setMarked(null)
  }, [blocked])

  const details = (entry: ShownEntry, showsDay: boolean) => (
    <EntryDetails
      entry={entry}
      others={entries}
      timeZone={timeZone}
      businessId={business.id}
      showsDay={showsDay}
      unblocking={steps.unblocking === entry.id}
      onUnblock={steps.unblock}
    />
  )
  const agenda = (
    <VendorAgenda key={month} month={month} today={today} entries={entries}>
      {(entry) => details(entry, false)}
    </VendorAgenda>
  )
  const grid = (
    <>
      <VendorMonth
        month={month}
        today={today}
        entries={entries}
        closedDays={closedDays}
        onOpen={setOpenDay}
        onRange={setMarked}
        onMonth={goTo}
      />
      <Legend />
    </>
  )

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className="text-3xl md:text-4xl">{TITLE}</h1>
          <p className="mt-2 text-quiet">
            {businesses.length > 1 ? '' : `${business.name} · `}
            {zoneLabel(timeZone)}
          </p>
        </div>
        {businesses.length > 1 ? (
          <SelectField
            label="Business"
            className="w-full sm:w-72"
            value={business.id}
            onChange={(event) =>
              void navigate(`?${new URLSearchParams({ business: event.currentTarget.value, month })}`, {
                preventScrollReset: true,
              })
            }
            options={businesses.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
      </div>

      <div className="mt-4">
        <BookingsTabs businessId={business.id} />
      </div>

      <div className="mt-6 grid gap-3 empty:hidden" role="status">
        {toDecide.length > 0 ? (
          <ToDecide
            bookings={toDecide}
            timeZone={timeZone}
            onLook={(day) => {
              goTo(day)
              setOpenDay(day)
            }}
          />
        ) : null}
        {unreadCalendars.length > 0 ? (
          <Banner tone="glow" title={`We couldn’t read ${unreadCalendars.join(' and ')}`}>
            What it said before still counts.{' '}
            <Link
              className="link"
              to={`${href('/dashboard/availability')}?business=${business.id}#calendars`}
            >
              See why
            </Link>
          </Banner>
        ) : null}
        {steps.undoable ? (
          <Banner
            action={
              <Button size="small" disabled={steps.pending} onClick={steps.undo}>
                Undo
              </Button>
            }
          >
            Unblocked: {spanText(steps.undoable.event, timeZone)}.
          </Banner>
        ) : null}
      </div>

      <div className="mt-6 mb-4 flex flex-wrap items-center gap-x-3 gap-y-3">
        <div className="flex w-full items-center gap-1 sm:w-auto">
          <Link
            className="icon-button"
            to={monthPath(step(-1))}
            preventScrollReset
            aria-label={`Back to ${formatMonth(step(-1))}`}
          >
            <ChevronLeft aria-hidden="true" />
          </Link>
          <h2 className="px-1 text-center text-lg md:min-w-54 md:text-xl" aria-live="polite">
            {formatMonth(month)}
          </h2>
          <Link
            className="icon-button"
            to={monthPath(step(1))}
            preventScrollReset
            aria-label={`On to ${formatMonth(step(1))}`}
          >
            <ChevronRight aria-hidden="true" />
          </Link>
          {today.startsWith(month) ? null : (
            <Link
              className="button button-quiet ml-auto px-4"
              to={monthPath(today.slice(0, 7))}
              preventScrollReset
            >
              Today
            </Link>
          )}
        </div>
        <div className="sm:ml-auto">
          <SegmentedControl
            label="View"
            name="view"
            options={VIEWS}
            value={view ?? ('' as View)}
            onChange={setView}
          />
        </div>
        <Button
          variant="brand"
          className="grow sm:grow-0"
          icon={<Lock aria-hidden="true" />}
          onClick={() => setMarked({ from: firstDayOf(month, today), to: firstDayOf(month, today) })}
        >
          Block time
        </Button>
      </div>

      <div aria-busy={isLoading || undefined}>
        {view === null ? (
          <>
            <div className="wide-only">{grid}</div>
            <div className="phone-only">{agenda}</div>
          </>
        ) : view === 'month' ? (
          grid
        ) : (
          agenda
        )}
      </div>

      <DayDialog
        day={openDay}
        entries={openDay ? entries.filter(({ days }) => days.first <= openDay && openDay <= days.last) : []}
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
        timeZoneLabel={zoneLabel(timeZone)}
        pending={steps.pending}
        problem={steps.problem}
        errors={steps.errors}
        onBlock={steps.block}
        onClose={() => setMarked(null)}
      />
    </>
  )
}

/** Where a new block begins: today, or on the first day of the month that is shown. */
function firstDayOf(month: string, today: LocalDate): LocalDate {
  return today.startsWith(month) ? today : `${month}-01`
}

/** Bookings that stand at the same time as something else: the vendor decides, nothing is cancelled for them. */
function ToDecide({
  bookings,
  timeZone,
  onLook,
}: {
  bookings: readonly CalendarEntry[]
  timeZone: string
  onLook: (day: LocalDate) => void
}) {
  return (
    <Banner
      tone="error"
      title={bookings.length === 1 ? 'One booking to decide' : `${bookings.length} bookings to decide`}
    >
      <p>Something else is at the same time. Nothing has been changed.</p>
      <ul className="mt-1">
        {bookings.map((booking) => (
          <li key={booking.id}>
            <button
              type="button"
              className="link min-h-11 text-left"
              onClick={() => onLook(shownDays(booking.event, timeZone).first)}
            >
              {titleOf(booking)}, {spanText(booking.event, timeZone)}
            </button>
          </li>
        ))}
      </ul>
    </Banner>
  )
}

const LEGEND = Object.entries({ ...ENTRY_LABELS, closed: 'Closed' })

function Legend() {
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
      <p className="mt-3 text-sm text-quiet">
        <span className="wide-only">
          Drag over days to block them, or mark them with Shift and the arrow keys.
        </span>
        <span className="phone-only">Press a day until it lights up and drag to block days.</span>
      </p>
    </>
  )
}

const PHONE_QUERY = '(width < 769px)'

/** Whether this is a phone's layout; null before the browser has said. */
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

/** Blocking, unblocking and taking that back. */
function useSteps(businessId: string, timeZone: string) {
  const blocking = useFetcher<typeof clientAction>()
  const unblocking = useFetcher<typeof clientAction>()
  const [last, setLast] = useState<ShownEntry | null>(null)
  const [undoable, setUndoable] = useState<ShownEntry | null>(null)
  const [blocked, setBlocked] = useState<object | null>(null)

  useAnswer<Answer>(blocking, (answer) => {
    if (!answer.ok) return
    setBlocked(answer)
    showToast({ type: 'success', text: 'Blocked. Nobody can book then.', lifeMs: VENDOR_TOAST_LIFE_MS })
  })
  useAnswer<Answer>(unblocking, (answer) => {
    if (answer.ok) setUndoable(last)
    else showToast({ type: 'error', text: problemText(answer) ?? '', lifeMs: VENDOR_TOAST_LIFE_MS })
  })

  const pending = blocking.state !== 'idle'
  const blockAnswer = pending ? undefined : (blocking.data as Answer | undefined)
  const block = (form: FormData) => {
    form.set('businessId', businessId)
    void blocking.submit(form, { method: 'post' })
  }
  return {
    pending,
    /** Another object after each block that was made. */
    blocked,
    problem: problemText(blockAnswer),
    errors: blockAnswer && !blockAnswer.ok ? blockAnswer.errors : null,
    block,
    unblocking: unblocking.state === 'idle' ? null : (last?.id ?? null),
    unblock: (entry: ShownEntry) => {
      if (unblocking.state !== 'idle') return
      setLast(entry)
      setUndoable(null)
      void unblocking.submit({ intent: 'unblock', businessId, blockId: entry.id }, { method: 'post' })
    },
    undoable,
    undo: () => {
      if (!undoable) return
      block(blockAgain(undoable, timeZone))
      setUndoable(null)
    },
  }
}

function problemText(answer: Answer | undefined): string | null {
  if (!answer || answer.ok || answer.reason === 'invalid_fields') return null
  return STEP_PROBLEMS[answer.reason]
}

/** What makes the same block once more. */
function blockAgain(entry: ShownEntry, timeZone: string): FormData {
  const form = new FormData()
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
