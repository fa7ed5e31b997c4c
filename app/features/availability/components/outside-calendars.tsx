import { useId, useMemo } from 'react'
import { agoText } from '../../../shared/ago.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { useCheckedForm } from '../../../ui/checked-form.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { calendarProblem } from '../messages.ts'
import type { OutsideCalendar } from '../outside-calendar-queries.server.ts'
import { MAX_CALENDAR_NAME_LENGTH, outsideCalendarSchema } from '../schema.ts'
import { CALENDAR_STEPS } from '../vendor-messages.ts'
import './vendor-time.css'

/**
 * The outside calendars whose events count as taken.
 * @param now the reference for 'Last synced 3 minutes ago'
 * @param added the number of calendars added so far; the form resets when it changes
 */
export function OutsideCalendars({
  calendars,
  now,
  adding,
  added,
  problem,
  busy,
  onAdd,
  onSync,
  onRemove,
}: {
  calendars: readonly OutsideCalendar[]
  now: Date
  adding: boolean
  added: number
  /** Why the last calendar was not added. */
  problem: string | null
  /** The calendar that is being synced or removed. */
  busy: { id: string; step: 'sync' | 'remove' } | null
  onAdd: (form: FormData) => void
  onSync: (calendar: OutsideCalendar) => void
  onRemove: (calendar: OutsideCalendar) => void
}) {
  const list = useKeptFocus<HTMLDivElement>()
  const addition = useKeptFocus<HTMLDivElement>()
  return (
    <>
      <div ref={list}>
        {calendars.length > 0 ? (
          <ul className="mb-8 border-b border-line">
            {calendars.map((calendar) => {
              const step = busy?.id === calendar.id ? busy.step : null
              return (
                <li key={calendar.id} className="flex items-start gap-4 border-t border-line py-4">
                  <div className="min-w-0 grow">
                    <p className="font-semibold [overflow-wrap:anywhere]">{calendar.name}</p>
                    <p className="text-sm text-quiet [overflow-wrap:anywhere]">{hostOf(calendar.url)}</p>
                    <div aria-live="polite">
                      {calendar.lastError ? (
                        <p className="mt-1 flex max-w-prose gap-2 text-sm font-medium text-error">
                          <Icon name="circle-alert" className="mt-0.5 size-4.5 flex-none" />
                          {calendarProblem(calendar.lastError, calendar.lastErrorEvent)}
                        </p>
                      ) : null}
                      <p className="figures mt-1 text-sm">
                        {calendar.lastSyncedAt
                          ? `Last synced ${agoText(calendar.lastSyncedAt, now)}${calendar.lastError ? '. Its events from then still count.' : ''}`
                          : 'Not synced yet'}
                      </p>
                    </div>
                  </div>
                  <div className="flex flex-none">
                    <IconButton
                      label={step === 'sync' ? `Syncing ${calendar.name}` : `Sync ${calendar.name} now`}
                      aria-busy={step === 'sync' || undefined}
                      waiting={busy !== null}
                      onClick={() => onSync(calendar)}
                    >
                      <Icon name="refresh-cw" className={step === 'sync' ? 'turning' : ''} />
                    </IconButton>
                    <IconButton
                      label={`Remove ${calendar.name}`}
                      waiting={busy !== null}
                      onClick={() => onRemove(calendar)}
                    >
                      <Icon name="trash-2" />
                    </IconButton>
                  </div>
                </li>
              )
            })}
          </ul>
        ) : null}
      </div>
      <div ref={addition}>
        <AddCalendar key={added} pending={adding} problem={problem} onAdd={onAdd} />
      </div>
    </>
  )
}

/** Shows the host alone, because the full address is a secret. */
function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? ''
}

function AddCalendar({
  pending,
  problem,
  onAdd,
}: {
  pending: boolean
  problem: string | null
  onAdd: (form: FormData) => void
}) {
  const id = useId()
  const { attempt, onSubmit, messageOf } = useCheckedForm({
    schema: outsideCalendarSchema,
    pending,
    onChecked: onAdd,
  })
  const listed = (['name', 'url'] as const).flatMap((name) => {
    const message = messageOf(name) ?? (name === 'url' ? problem : null)
    return message ? [{ fieldId: `${id}-${name}`, message }] : []
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new object for each press and each answer
  const round = useMemo(() => ({}), [attempt, problem])
  return (
    <form method="post" className="grid max-w-column gap-5" noValidate onSubmit={onSubmit}>
      <input type="hidden" name="intent" value="add-calendar" />
      <FormSummary errors={listed} attempt={round} />
      <FindAddress />
      <TextField
        id={`${id}-name`}
        label="Name"
        name="name"
        autoComplete="off"
        placeholder="Google, family"
        maxLength={MAX_CALENDAR_NAME_LENGTH}
        error={messageOf('name')}
      />
      <TextField
        id={`${id}-url`}
        label="Address in iCal format"
        name="url"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="It starts with https:// or webcal:// and often ends with .ics."
        error={messageOf('url') ?? problem ?? undefined}
      />
      <div>
        <Button type="submit" pending={pending} pendingText="Reading the calendar...">
          Add calendar
        </Button>
      </div>
    </form>
  )
}

/** How to find the address of a calendar, step by step for each service. Opening one closes the others. */
function FindAddress() {
  const name = useId()
  return (
    <div>
      <p className="font-semibold">Where is your calendar?</p>
      <div className="mt-2 border-b border-line">
        {CALENDAR_STEPS.map((service) => (
          <details key={service.name} name={name} className="border-t border-line">
            <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3">
              {service.name}
              <Icon name="chevron-down" className="flex-none" />
            </summary>
            <ol className="mb-4 list-decimal pl-6">
              {service.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </details>
        ))}
      </div>
    </div>
  )
}
