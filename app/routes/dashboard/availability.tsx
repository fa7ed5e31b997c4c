import { parseWithZod } from '@conform-to/zod/v4'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { data, href, useFetcher, useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { CalendarFeed } from '../../features/availability/components/calendar-feed.tsx'
import { daysText, ExceptionsList } from '../../features/availability/components/exceptions-list.tsx'
import { OutsideCalendars } from '../../features/availability/components/outside-calendars.tsx'
import { SettingsForm } from '../../features/availability/components/settings-form.tsx'
import {
  addException,
  removeException,
  setAvailability,
} from '../../features/availability/hours-commands.server.ts'
import {
  findAvailability,
  findSettingsVersion,
  listExceptions,
} from '../../features/availability/hours-queries.server.ts'
import {
  addOutsideCalendar,
  makeFeed,
  removeOutsideCalendar,
  revokeFeed,
  showNamesInFeed,
  syncOutsideCalendarNow,
} from '../../features/availability/outside-calendar-commands.server.ts'
import {
  findFeed,
  listOutsideCalendars,
} from '../../features/availability/outside-calendar-queries.server.ts'
import { CALENDAR_READ_LIMIT, defaultAvailability, zoneLabel } from '../../features/availability/rules.ts'
import { exceptionSchema, outsideCalendarSchema, settingsSchema } from '../../features/availability/schema.ts'
import {
  CALENDAR_PROBLEMS,
  STEP_PROBLEMS,
  VENDOR_TOAST_LIFE_MS,
} from '../../features/availability/wording.ts'
import { listOwnListings } from '../../features/businesses/owner-queries.server.ts'
import { offeredBookingTypes } from '../../features/businesses/rules.ts'
import { useLiveUpdates } from '../../features/notifications/browser/use-live-updates.ts'
import { servicesContext } from '../../request-context.server.ts'
import { availabilityDeps } from '../../services.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { BookingsTabs } from '../../shell/bookings-tabs.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useDialogs } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useAnswer } from '../../ui/use-answer.ts'
import { useLeaveWarning } from '../../ui/use-leave-warning.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/availability'

const TITLE = 'Availability'
const CLOCK_EVERY_MS = 30_000

export const meta: Route.MetaFunction = () => [{ title: TITLE }]

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const at = now()
  const listings = await listOwnListings(db, session.user.uid, at)
  const businesses = listings.map(({ id, name }) => ({ id, name }))
  const business = listings.find(({ id }) => id === url.searchParams.get('business')) ?? listings[0]
  const rules = business ? await findAvailability(db, business.id) : null
  if (!business || !rules) return { businesses, shown: null }
  const today = wallTimeAt(at, rules.timeZone).date
  const [version, exceptions, calendars, feed] = await Promise.all([
    findSettingsVersion(db, business.id),
    listExceptions(db, business.id),
    listOutsideCalendars(db, business.id),
    findFeed(db, business.id),
  ])
  return {
    businesses,
    shown: {
      business: { id: business.id, name: business.name, category: business.category },
      takesPeople: offeredBookingTypes(business).includes('perPerson'),
      rules,
      usual: defaultAvailability(business.category, rules.timeZone),
      version,
      today,
      now: at,
      exceptions: exceptions.filter(({ to }) => to >= today).sort((a, b) => (a.from < b.from ? -1 : 1)),
      calendars,
      feed: feed && {
        since: wallTimeAt(feed.since, rules.timeZone).date,
        showsNames: feed.showsNames,
      },
    },
  }
}

type Problem = keyof typeof STEP_PROBLEMS | keyof typeof CALENDAR_PROBLEMS | 'invalid_fields'

type Answer =
  | { ok: true; text: string; address?: string }
  | {
      ok: false
      reason: Problem
      errors: Record<string, string[] | null> | null
      /** What is saved at this moment, after 'changed_meanwhile'. */
      version?: string | null
    }

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
  unreachable: 422,
  refused_address: 422,
  too_large: 422,
  too_slow: 422,
  not_a_calendar: 422,
  too_many_events: 422,
  http_error: 422,
} as const satisfies Record<Problem, number>

const PROBLEMS: Record<string, string> = { ...STEP_PROBLEMS, ...CALENDAR_PROBLEMS }

/** The fields of the steps that have no schema of their own, and those of every step. */
const stepSchema = z.object({
  intent: z.string(),
  businessId: z.string(),
  id: z.string(),
  seen: z.string(),
  showsNames: z.string(),
})

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('signed_out')
  const form = await readForm(request, [settingsSchema, exceptionSchema, outsideCalendarSchema, stepSchema])
  if (!(await mayWrite(services.rateLimits, session.user.uid))) return refuse('too_often')
  const userId = session.user.uid
  const own = { userId, businessId: String(form.get('businessId')) }
  const deps = availabilityDeps(services)
  const mayRead = () => services.rateLimits.take(`calendar-read:${userId}`, CALENDAR_READ_LIMIT)
  const done = (text: string) => data<Answer>({ ok: true, text })

  switch (form.get('intent')) {
    case 'settings': {
      const submission = parseWithZod(form, { schema: settingsSchema })
      if (submission.status !== 'success') return refuse('invalid_fields', submission.error)
      const seen = String(form.get('seen') ?? '') || null
      const outcome = await setAvailability(deps, { ...own, settings: submission.value, seen })
      if (outcome.ok) return done('Your availability is saved.')
      if (outcome.reason !== 'changed_meanwhile') return refuse(outcome.reason)
      const version = await findSettingsVersion(services.db, own.businessId)
      const { reason } = outcome
      return data<Answer>({ ok: false, reason, errors: null, version }, { status: STATUSES[reason] })
    }
    case 'exception': {
      const submission = parseWithZod(form, { schema: exceptionSchema })
      if (submission.status !== 'success') return refuse('invalid_fields', submission.error)
      const outcome = await addException(deps, { ...own, exception: submission.value })
      return outcome.ok ? done('These days are saved.') : refuse(outcome.reason)
    }
    case 'remove-exception': {
      const outcome = await removeException(deps, { ...own, exceptionId: String(form.get('id')) })
      return outcome.ok ? done('The usual hours are back on these days.') : refuse(outcome.reason)
    }
    case 'add-calendar': {
      const submission = parseWithZod(form, { schema: outsideCalendarSchema })
      if (submission.status !== 'success') return refuse('invalid_fields', submission.error)
      if (!(await mayRead())) return refuse('too_often')
      const outcome = await addOutsideCalendar(deps, { ...own, ...submission.value })
      return outcome.ok ? done(addedText(outcome.events)) : refuse(outcome.reason)
    }
    case 'sync-calendar': {
      if (!(await mayRead())) return refuse('too_often')
      const outcome = await syncOutsideCalendarNow(deps, { ...own, calendarId: String(form.get('id')) })
      return outcome.ok ? done('Synced.') : refuse(outcome.reason)
    }
    case 'remove-calendar': {
      const outcome = await removeOutsideCalendar(deps, { ...own, calendarId: String(form.get('id')) })
      return outcome.ok ? done('The calendar is removed.') : refuse(outcome.reason)
    }
    case 'make-feed': {
      const outcome = await makeFeed(deps, own)
      if (!outcome.ok) return refuse(outcome.reason)
      const address = new URL(
        href('/calendar-feed/:token.ics', { token: outcome.token }),
        services.config.publicUrl,
      ).href
      return data<Answer>({ ok: true, text: 'The address is made. Copy it now.', address })
    }
    case 'revoke-feed': {
      const outcome = await revokeFeed(deps, own)
      return outcome.ok ? done('The address opens nothing any more.') : refuse(outcome.reason)
    }
    case 'feed-names': {
      const showsNames = form.get('showsNames') === 'true'
      const outcome = await showNamesInFeed(deps, { ...own, showsNames })
      if (!outcome.ok) return refuse(outcome.reason)
      return done(showsNames ? 'Names are shown from now on.' : 'Names are no longer shown.')
    }
    default:
      return refuse('invalid_fields')
  }
}

function addedText(events: number): string {
  if (events === 0) return 'Added. There is no busy time in it.'
  return events === 1
    ? 'Added, with 1 busy time.'
    : `Added, with ${events.toLocaleString('en-AU')} busy times.`
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

export default function AvailabilityRoute({ loaderData }: Route.ComponentProps) {
  const { businesses, shown } = loaderData
  useLiveUpdates(shown ? ['calendars'] : [])
  if (!shown) {
    return (
      <>
        <h1 className="text-3xl md:text-4xl">{TITLE}</h1>
        <EmptyState
          title="Nothing to book yet"
          text="List your business first, then say here when it can be booked."
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

function Screen({ businesses, shown }: { businesses: { id: string; name: string }[]; shown: Shown }) {
  const { business, rules } = shown
  const navigate = useNavigate()
  const dialogs = useDialogs()
  const [dirty, setDirty] = useState(false)
  const letGo = useLeaveWarning(dirty, LEAVE_WORDS)
  useScrollToPart()

  const switchTo = async (id: string) => {
    // The same page with another business: the warning at leaving does not see that.
    if (dirty && !(await dialogs.confirm(LEAVE_WORDS))) return
    letGo()
    await navigate(`?${new URLSearchParams({ business: id })}`)
  }

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className="text-3xl md:text-4xl">{TITLE}</h1>
          <p className="mt-2 text-quiet">
            {businesses.length > 1 ? '' : `${business.name} · `}
            {zoneLabel(rules.timeZone)}, from the place of your listing
          </p>
        </div>
        {businesses.length > 1 ? (
          <SelectField
            label="Business"
            className="w-full sm:w-72"
            value={business.id}
            onChange={(event) => void switchTo(event.currentTarget.value)}
            options={businesses.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
      </div>
      <div className="mt-4">
        <BookingsTabs businessId={business.id} />
      </div>

      <div className="time-parts mt-10">
        <Settings shown={shown} dirty={dirty} onDirty={setDirty} />
        <Part
          id="other-days"
          title="Other days"
          text="A holiday, a fortnight off, an extra Sunday: days with other hours than the week’s."
        >
          <Exceptions shown={shown} />
        </Part>
        <Part
          id="calendars"
          title="Your other calendars"
          text="What is in them can’t be booked here. We read them every 15 minutes and keep only when you are busy and what it is called."
        >
          <Calendars shown={shown} />
        </Part>
        <Part
          id="feed"
          title="Your bookings in another calendar"
          text="A secret address that Google, Apple and Outlook can subscribe to."
        >
          <Feed shown={shown} />
        </Part>
      </div>
    </>
  )
}

const LEAVE_WORDS = {
  title: 'Leave without saving?',
  body: 'Your changes to hours and bookings are not saved yet.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay here',
}

function Part({
  id,
  title,
  text,
  children,
}: {
  id: string
  title: string
  text: string
  children: ReactNode
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="mb-1 text-xl">
        {title}
      </h2>
      <p className="mb-5 max-w-prose text-quiet">{text}</p>
      {children}
    </section>
  )
}

/** A link to a part of this page leads there after the page is there, too. */
function useScrollToPart() {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash.length > 1) document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])
}

/** One step after another: what was answered last, told once. */
function useStep(businessId: string, onAnswer?: (answer: Answer) => void) {
  const fetcher = useFetcher<typeof clientAction>()
  const answer = fetcher.state === 'idle' ? (fetcher.data as Answer | undefined) : undefined
  useAnswer<Answer>(fetcher, (given) => {
    if (given.ok) showToast({ type: 'success', text: given.text, lifeMs: VENDOR_TOAST_LIFE_MS })
    onAnswer?.(given)
  })
  const send = (form: FormData | Record<string, string>) => {
    const body = form instanceof FormData ? form : new FormData()
    if (!(form instanceof FormData)) for (const [name, value] of Object.entries(form)) body.set(name, value)
    body.set('businessId', businessId)
    void fetcher.submit(body, { method: 'post' })
  }
  return {
    send,
    answer,
    /** What is being sent at this moment. */
    sending: fetcher.state === 'idle' ? null : fetcher.formData,
    pending: fetcher.state !== 'idle',
    problem:
      answer && !answer.ok && answer.reason !== 'invalid_fields' ? (PROBLEMS[answer.reason] ?? null) : null,
    errors: answer && !answer.ok ? answer.errors : null,
  }
}

const tellProblem = (answer: Answer) => {
  if (!answer.ok)
    showToast({ type: 'error', text: PROBLEMS[answer.reason] ?? '', lifeMs: VENDOR_TOAST_LIFE_MS })
}

function Settings({
  shown,
  dirty,
  onDirty,
}: {
  shown: Shown
  dirty: boolean
  onDirty: (dirty: boolean) => void
}) {
  const { business, rules, usual, version, takesPeople } = shown
  // What the form was filled from: a save says so, and is refused when somebody else has saved since.
  const [start, setStart] = useState({ rules, version })
  const [sent, setSent] = useState<FormData | null>(null)
  const [justSaved, setJustSaved] = useState(false)
  const step = useStep(business.id, (answer) => {
    if (!answer.ok) return
    onDirty(false)
    setJustSaved(true)
  })
  // What another tab saved appears here, unless something is being typed.
  useEffect(() => {
    if (version === start.version || (dirty && !justSaved)) return
    setStart({ rules, version })
    setJustSaved(false)
  }, [version, rules, start.version, dirty, justSaved])

  const save = (form: FormData, seen: string | null) => {
    form.set('seen', seen ?? '')
    setSent(form)
    step.send(form)
  }
  const refusal = step.answer && !step.answer.ok ? step.answer : null
  return (
    <SettingsForm
      key={start.version ?? 'usual'}
      saved={start.rules}
      usual={usual}
      usualLabel={business.category.toLowerCase()}
      takesPeople={takesPeople}
      errors={step.errors}
      pending={step.pending}
      dirty={dirty}
      problem={
        step.problem ? (
          <div className="notice notice-error" role="alert">
            <CircleAlert aria-hidden="true" />
            <div>
              <p>{step.problem}</p>
              {refusal?.reason === 'signed_out' ? (
                <a className="link" href={href('/login')} target="_blank" rel="noreferrer">
                  Log in in a new tab, then save again
                </a>
              ) : null}
              {refusal?.reason === 'changed_meanwhile' && sent ? (
                <div className="mt-3 flex flex-wrap gap-3">
                  <Button size="small" onClick={() => save(sent, refusal.version ?? null)}>
                    Save mine instead
                  </Button>
                  <Button
                    size="small"
                    variant="quiet"
                    onClick={() => {
                      onDirty(false)
                      setStart({ rules, version })
                    }}
                  >
                    Show what is saved
                  </Button>
                </div>
              ) : null}
            </div>
          </div>
        ) : null
      }
      onTyped={() => onDirty(true)}
      onSave={(form) => save(form, start.version)}
    />
  )
}

function Exceptions({ shown }: { shown: Shown }) {
  const { business, exceptions, today } = shown
  const dialogs = useDialogs()
  const [adding, setAdding] = useState(false)
  const add = useStep(business.id, (answer) => {
    if (answer.ok) setAdding(false)
  })
  const remove = useStep(business.id, tellProblem)
  return (
    <ExceptionsList
      exceptions={exceptions}
      adding={adding}
      today={today}
      pending={add.pending}
      removing={remove.sending ? String(remove.sending.get('id')) : null}
      problem={add.problem}
      errors={add.errors}
      onOpen={() => setAdding(true)}
      onClose={() => setAdding(false)}
      onAdd={add.send}
      onRemove={async (exception) => {
        const agreed = await dialogs.confirm({
          title: 'Go back to the usual hours?',
          body: daysText(exception),
          confirmLabel: 'Remove these days',
          danger: true,
        })
        if (agreed) remove.send({ intent: 'remove-exception', id: exception.id })
      }}
    />
  )
}

function Calendars({ shown }: { shown: Shown }) {
  const { business, calendars } = shown
  const dialogs = useDialogs()
  const now = useNow(shown.now)
  const [added, setAdded] = useState(0)
  const add = useStep(business.id, (answer) => {
    if (answer.ok) setAdded((count) => count + 1)
  })
  // What a reading said against it stands beside the calendar.
  const change = useStep(business.id, (answer) => {
    if (!answer.ok && !(answer.reason in CALENDAR_PROBLEMS)) tellProblem(answer)
  })
  return (
    <OutsideCalendars
      calendars={calendars}
      now={now}
      adding={add.pending}
      added={added}
      problem={add.problem}
      busy={
        change.sending
          ? {
              id: String(change.sending.get('id')),
              step: change.sending.get('intent') === 'sync-calendar' ? 'sync' : 'remove',
            }
          : null
      }
      onAdd={add.send}
      onSync={(calendar) => change.send({ intent: 'sync-calendar', id: calendar.id })}
      onRemove={async (calendar) => {
        const agreed = await dialogs.confirm({
          title: `Remove ${calendar.name}?`,
          body: 'Its events no longer keep your time: it can be booked.',
          confirmLabel: 'Remove calendar',
          danger: true,
        })
        if (agreed) change.send({ intent: 'remove-calendar', id: calendar.id })
      }}
    />
  )
}

function Feed({ shown }: { shown: Shown }) {
  const { business, feed } = shown
  const dialogs = useDialogs()
  const [address, setAddress] = useState<string | null>(null)
  // The switch follows the finger, and goes back if it is not saved.
  const [wantsNames, setWantsNames] = useState<boolean | null>(null)
  const step = useStep(business.id, (answer) => {
    setWantsNames(null)
    tellProblem(answer)
    if (answer.ok && answer.address) setAddress(answer.address)
  })
  const intent = step.sending?.get('intent')
  return (
    <CalendarFeed
      feed={feed}
      address={address}
      pending={
        intent === 'make-feed' ? 'make' : intent === 'revoke-feed' ? 'revoke' : intent ? 'names' : null
      }
      wantsNames={wantsNames}
      onMake={async () => {
        const agreed =
          !feed ||
          (await dialogs.confirm({
            title: 'Renew the address?',
            body: 'Calendars that read the old one stop at once.',
            confirmLabel: 'Renew address',
          }))
        if (agreed) step.send({ intent: 'make-feed' })
      }}
      onRevoke={async () => {
        const agreed = await dialogs.confirm({
          title: 'Revoke the address?',
          body: 'Calendars that read it stop at once.',
          confirmLabel: 'Revoke address',
          danger: true,
        })
        if (!agreed) return
        setAddress(null)
        step.send({ intent: 'revoke-feed' })
      }}
      onNames={(showsNames) => {
        setWantsNames(showsNames)
        step.send({ intent: 'feed-names', showsNames: String(showsNames) })
      }}
    />
  )
}

/** The server's clock when the page was loaded, and on from there. */
function useNow(loaded: Date): Date {
  const [now, setNow] = useState(loaded)
  useEffect(() => {
    setNow(loaded)
    const began = performance.now()
    const timer = setInterval(
      () => setNow(new Date(loaded.getTime() + performance.now() - began)),
      CLOCK_EVERY_MS,
    )
    return () => clearInterval(timer)
  }, [loaded])
  return now
}
