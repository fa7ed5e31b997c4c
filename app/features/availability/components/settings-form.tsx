import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { type FieldErrors, useCheckedForm } from '../../../ui/checked-form.ts'
import { TextField } from '../../../ui/field.tsx'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { WEEKDAY_NAMES } from '../messages.ts'
import { presetWeek, WEEK_PRESETS } from '../preset-rules.ts'
import { type AvailabilityRules, timeOfMinute, WEEKDAYS, type Weekday, type WeeklyHours } from '../rules.ts'
import { settingsSchema } from '../schema.ts'
import { NUMBERS_TITLE, PRESET_LABELS } from '../vendor-messages.ts'
import { type HoursRow, WeekFields } from './hours-fields.tsx'

const LABELS = {
  capacity: 'Bookings at once',
  maxGuests: 'Maximum guests',
  eventHours: 'Length of an event (hours)',
  setupMinutes: 'Set-up time (minutes)',
  cleanupMinutes: 'Clean-up time (minutes)',
  noticeHours: 'Shortest notice (hours)',
  horizonDays: 'Furthest date (days)',
} as const
type NumberField = keyof typeof LABELS

/** The field that an error of this name links to. An error of a whole day links to its first field. */
const fieldOf = (name: string) => (/^weekly\.\w+$/.test(name) ? `${name}[0].opens` : name)

function labelOf(name: string): string {
  const day = WEEKDAYS.find((each) => name.startsWith(`weekly.${each}`))
  return day ? WEEKDAY_NAMES[day] : name in LABELS ? LABELS[name as NumberField] : 'Opening hours'
}

type Typed = { numbers: Record<NumberField, string>; week: Record<Weekday, HoursRow[]> }

/** Converts the settings into the form's values, with lengths in the form's units. */
export function typedSettings(rules: AvailabilityRules): Typed {
  return {
    numbers: {
      capacity: String(rules.capacity),
      maxGuests: rules.maxGuests === null ? '' : String(rules.maxGuests),
      eventHours: String(rules.eventMinutes / 60),
      setupMinutes: String(rules.setupMinutes),
      cleanupMinutes: String(rules.cleanupMinutes),
      noticeHours: String(rules.noticeMinutes / 60),
      horizonDays: String(rules.horizonDays),
    },
    week: typedWeek(rules.weekly),
  }
}

function typedWeek(weekly: WeeklyHours): Typed['week'] {
  const days = WEEKDAYS.map((day) => [
    day,
    weekly[day].map(({ opensMinute, closesMinute }, index) => ({
      key: index,
      opens: timeOfMinute(opensMinute),
      closes: timeOfMinute(closesMinute),
    })),
  ])
  return Object.fromEntries(days) as Typed['week']
}

/**
 * The form for a business's opening hours and limits. It saves only on Save, and keeps its values if saving fails.
 * @param saved the initial values
 * @param usual the category's defaults, for 'Use the usual settings'
 * @param errors the server's messages by field
 * @param problem the server's message about the whole form
 */
export function SettingsForm({
  titleId,
  saved,
  usual,
  usualLabel,
  takesPeople,
  errors,
  problem,
  pending,
  dirty,
  onTyped,
  onSave,
}: {
  /** The id of its heading. */
  titleId: string
  saved: AvailabilityRules
  usual: AvailabilityRules
  /** The category in lower case: 'venues'. */
  usualLabel: string
  /** Whether the business takes bookings per person, whose length the vendor sets. */
  takesPeople: boolean
  errors: FieldErrors | null
  problem: ReactNode
  pending: boolean
  dirty: boolean
  onTyped: () => void
  onSave: (form: FormData) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState(() => typedSettings(saved))
  const {
    errors: own,
    attempt,
    onSubmit,
    messageOf,
  } = useCheckedForm({ schema: settingsSchema, pending, answered: errors, onChecked: onSave })

  const change = (next: Typed) => {
    setTyped(next)
    onTyped()
  }
  // In the order of the page, where the hours come first.
  const listed = Object.entries(own)
    .sort(([one], [other]) => Number(other.startsWith('weekly')) - Number(one.startsWith('weekly')))
    .flatMap(([name, messages]) =>
      messages?.[0]
        ? [{ fieldId: `${id}-${fieldOf(name)}`, message: `${labelOf(name)}: ${messages[0]}` }]
        : [],
    )

  return (
    <form method="post" className="grid gap-6" noValidate onSubmit={onSubmit}>
      <input type="hidden" name="intent" value="settings" />
      {listed.length > 0 ? <FormSummary errors={listed} attempt={attempt} /> : null}

      <div>
        <h2 id={titleId} className="text-xl">
          When you work
        </h2>
        <p className="mt-1 mb-4 max-w-prose text-quiet">
          Events must fit within these hours. Setting up and cleaning can be outside them.
        </p>
        <Presets week={typed.week} usual={usual} onChange={(week) => change({ ...typed, week })} />
        <WeekFields
          idPrefix={id}
          week={typed.week}
          errors={own}
          onChange={(week) => change({ ...typed, week })}
        />
      </div>

      <LimitFields
        id={id}
        numbers={typed.numbers}
        takesPeople={takesPeople}
        messageOf={messageOf}
        onChange={(numbers) => change({ ...typed, numbers })}
      />
      <Button size="small" className="justify-self-start" onClick={() => change(typedSettings(usual))}>
        Use the usual settings for {usualLabel}
      </Button>

      <SaveBar problem={problem} pending={pending} dirty={dirty} />
    </form>
  )
}

const isSameWeek = (one: Typed['week'], other: Typed['week']) =>
  WEEKDAYS.every(
    (day) =>
      one[day].length === other[day].length &&
      one[day].every(
        ({ opens, closes }, index) =>
          opens === other[day][index]?.opens && closes === other[day][index]?.closes,
      ),
  )

/** The weeks that one press fills in, with the one that is in the fields pressed. */
function Presets({
  week,
  usual,
  onChange,
}: {
  week: Typed['week']
  usual: AvailabilityRules
  onChange: (week: Typed['week']) => void
}) {
  return (
    <fieldset className="mb-5 flex flex-wrap gap-2">
      <legend className="unseen">Fill in the week</legend>
      {WEEK_PRESETS.map((preset) => {
        const filled = typedWeek(presetWeek(preset, usual.weekly))
        const isChosen = isSameWeek(week, filled)
        return (
          <Button
            key={preset}
            size="small"
            variant={isChosen ? 'brand' : 'secondary'}
            aria-pressed={isChosen}
            onClick={() => onChange(filled)}
          >
            {PRESET_LABELS[preset]}
          </Button>
        )
      })}
    </fieldset>
  )
}

/** The fields for capacity, guests, lengths, notice and horizon. Folded until one has an error or the vendor unfolds them. */
function LimitFields({
  id,
  numbers,
  takesPeople,
  messageOf,
  onChange,
}: {
  id: string
  numbers: Typed['numbers']
  takesPeople: boolean
  messageOf: ReturnType<typeof useCheckedForm>['messageOf']
  onChange: (numbers: Typed['numbers']) => void
}) {
  const field = (name: NumberField) => ({
    id: `${id}-${name}`,
    name,
    value: numbers[name],
    inputMode: name === 'eventHours' ? ('decimal' as const) : ('numeric' as const),
    autoComplete: 'off',
    error: messageOf(name),
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      onChange({ ...numbers, [name]: event.currentTarget.value }),
  })
  const [isUnfolded, setUnfolded] = useState(false)
  // A field with an error is in view, so that the summary's link reaches it.
  const isWrong = Object.keys(LABELS).some((name) => messageOf(name as NumberField) !== undefined)
  return (
    <details
      className="border-t border-line pt-2"
      open={isUnfolded || isWrong}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-3 font-semibold">
        {NUMBERS_TITLE}
        <Icon name="chevron-down" className="flex-none" />
      </summary>
      <div className="mt-3 grid items-start gap-6 sm:grid-cols-2">
        <TextField label={LABELS.capacity} hint="One for each room or crew." {...field('capacity')} />
        <TextField
          label={LABELS.maxGuests}
          optional
          hint="Leave empty for no limit."
          {...field('maxGuests')}
        />
        {takesPeople ? (
          <TextField
            label={LABELS.eventHours}
            hint="For bookings per person. Bookings per hour last as long as booked."
            className="sm:col-span-2"
            {...field('eventHours')}
          />
        ) : (
          <input type="hidden" name="eventHours" value={numbers.eventHours} />
        )}
        <TextField
          label={LABELS.setupMinutes}
          hint="Kept free before each event."
          {...field('setupMinutes')}
        />
        <TextField
          label={LABELS.cleanupMinutes}
          hint="Kept free after each event."
          {...field('cleanupMinutes')}
        />
        <TextField label={LABELS.noticeHours} hint="From booking to the event." {...field('noticeHours')} />
        <TextField
          label={LABELS.horizonDays}
          hint="How far ahead: 730 is two years."
          {...field('horizonDays')}
        />
      </div>
    </details>
  )
}

/** The Save button, which stays in view below the long form, with the reason why the last save failed. */
function SaveBar({ problem, pending, dirty }: { problem: ReactNode; pending: boolean; dirty: boolean }) {
  return (
    <div className="save-bar" data-unsaved={dirty || undefined}>
      {problem}
      <div className="flex items-center gap-4">
        <Button
          type="submit"
          variant="primary"
          className="grow sm:min-w-36 sm:grow-0"
          pending={pending}
          pendingText="Saving..."
        >
          Save
        </Button>
        <p className="flex-none text-sm text-quiet empty:hidden" aria-live="polite">
          {dirty ? 'Not saved yet' : ''}
        </p>
      </div>
    </div>
  )
}
