import { useEffect, useState } from 'react'
import { href, useFetcher } from 'react-router'
import type { LocalDate } from '../../../shared/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { useDialogs } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import type { Category } from '../../businesses/rules.ts'
import { CalendarFeed } from '../components/calendar-feed.tsx'
import { daysText, ExceptionsList } from '../components/exceptions-list.tsx'
import { OutsideCalendars } from '../components/outside-calendars.tsx'
import { SettingsForm } from '../components/settings-form.tsx'
import type { ListedException } from '../hours-queries.server.ts'
import { CALENDAR_PROBLEMS, stepProblemText } from '../messages.ts'
import type { OutsideCalendar } from '../outside-calendar-queries.server.ts'
import type { AvailabilityRules } from '../rules.ts'
import type { AvailabilityAnswer, StepRefusal } from '../schema.ts'

const CLOCK_EVERY_MS = 30_000

/** One business's availability, as its screen shows it. */
export type ShownAvailability = {
  business: { id: string; name: string; category: Category }
  /** Whether the business takes bookings per person, whose length the vendor sets. */
  takesPeople: boolean
  rules: AvailabilityRules
  /** The defaults of its category. */
  usual: AvailabilityRules
  /** The version of the saved settings; null while the business has the defaults. */
  version: string | null
  today: LocalDate
  now: Date
  exceptions: readonly ListedException[]
  calendars: readonly OutsideCalendar[]
  feed: { since: LocalDate; showsNames: boolean } | null
}

/** Sends one step at a time. Shows a toast for each success, once. */
function useStep(businessId: string, onAnswer?: (answer: AvailabilityAnswer) => void) {
  const fetcher = useFetcher<AvailabilityAnswer>()
  const answer = fetcher.state === 'idle' ? fetcher.data : undefined
  useAnswer<AvailabilityAnswer>(fetcher, (given) => {
    if (given.ok) showToast({ type: 'success', text: given.text })
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
    /** The form that is being sent; null when idle. */
    sending: fetcher.state === 'idle' ? null : fetcher.formData,
    pending: fetcher.state !== 'idle',
    problem: answer && !answer.ok ? stepProblemText(answer) : null,
    errors: answer && !answer.ok ? answer.errors : null,
  }
}

const toastProblem = (answer: AvailabilityAnswer) => {
  if (!answer.ok) showToast({ type: 'error', text: stepProblemText(answer) ?? '' })
}

/** Opening hours and how the business is booked. */
export function Settings({
  titleId,
  shown,
  dirty,
  onDirty,
}: {
  titleId: string
  shown: ShownAvailability
  dirty: boolean
  onDirty: (dirty: boolean) => void
}) {
  const { business, rules, usual, version, takesPeople } = shown
  // The version that filled the form. A save names it, and is refused if another save came in between.
  const [start, setStart] = useState({ rules, version })
  const [sent, setSent] = useState<FormData | null>(null)
  const [justSaved, setJustSaved] = useState(false)
  const step = useStep(business.id, (answer) => {
    if (!answer.ok) return
    onDirty(false)
    setJustSaved(true)
  })
  // Shows another tab's save here, unless this form has unsaved changes.
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
      titleId={titleId}
      saved={start.rules}
      usual={usual}
      usualLabel={business.category.toLowerCase()}
      takesPeople={takesPeople}
      errors={step.errors}
      pending={step.pending}
      dirty={dirty}
      problem={
        refusal && step.problem ? (
          <SettingsRefusal
            refusal={refusal}
            text={step.problem}
            onSaveAnyway={sent ? () => save(sent, refusal.version ?? null) : null}
            onShowSaved={() => {
              onDirty(false)
              setStart({ rules, version })
            }}
          />
        ) : null
      }
      onTyped={() => onDirty(true)}
      onSave={(form) => save(form, start.version)}
    />
  )
}

/** Why the settings were not saved, with the vendor's options. */
function SettingsRefusal({
  refusal,
  text,
  onSaveAnyway,
  onShowSaved,
}: {
  refusal: StepRefusal
  text: string
  onSaveAnyway: (() => void) | null
  onShowSaved: () => void
}) {
  return (
    <div className="notice notice-error" role="alert">
      <Icon name="circle-alert" />
      <div>
        <p>{text}</p>
        {refusal.reason === 'signed_out' ? (
          <a className="link" href={href('/login')} target="_blank" rel="noreferrer">
            Log in in a new tab, then save again
          </a>
        ) : null}
        {refusal.reason === 'changed_meanwhile' && onSaveAnyway ? (
          <div className="mt-3 flex flex-wrap gap-3">
            <Button size="small" onClick={onSaveAnyway}>
              Save mine instead
            </Button>
            <Button size="small" variant="quiet" onClick={onShowSaved}>
              Show saved settings
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  )
}

/** The days whose hours differ from the week's. */
export function Exceptions({ shown }: { shown: ShownAvailability }) {
  const { business, exceptions, today } = shown
  const dialogs = useDialogs()
  const [adding, setAdding] = useState(false)
  const add = useStep(business.id, (answer) => {
    if (answer.ok) setAdding(false)
  })
  const remove = useStep(business.id, toastProblem)
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

/** The outside calendars whose events count as taken. */
export function Calendars({ shown }: { shown: ShownAvailability }) {
  const { business, calendars } = shown
  const dialogs = useDialogs()
  const now = useNow(shown.now)
  const [added, setAdded] = useState(0)
  const add = useStep(business.id, (answer) => {
    if (answer.ok) setAdded((count) => count + 1)
  })
  // Problems with reading a calendar are shown beside it, so they need no toast.
  const change = useStep(business.id, (answer) => {
    if (!answer.ok && !(answer.reason in CALENDAR_PROBLEMS)) toastProblem(answer)
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
          body: 'Customers can then book the times of its events.',
          confirmLabel: 'Remove calendar',
          danger: true,
        })
        if (agreed) change.send({ intent: 'remove-calendar', id: calendar.id })
      }}
    />
  )
}

/** The secret address of the business's bookings. */
export function Feed({ shown }: { shown: ShownAvailability }) {
  const { business, feed } = shown
  const dialogs = useDialogs()
  const [address, setAddress] = useState<string | null>(null)
  // Optimistic: the switch flips at once, and flips back if saving fails.
  const [wantsNames, setWantsNames] = useState<boolean | null>(null)
  const step = useStep(business.id, (answer) => {
    setWantsNames(null)
    toastProblem(answer)
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
            body: 'The old address stops working at once.',
            confirmLabel: 'Renew address',
          }))
        if (agreed) step.send({ intent: 'make-feed' })
      }}
      onRevoke={async () => {
        const agreed = await dialogs.confirm({
          title: 'Revoke the address?',
          body: 'It stops working at once.',
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

/** The current time by the server's clock, counted on from when the page was loaded. */
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
