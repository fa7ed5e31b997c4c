import { useRef, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { FieldErrors } from '../../../ui/checked-form.ts'
import { CheckboxField, FieldError } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { ModalDialog } from '../../../ui/modal-dialog.tsx'
import { WEEKDAY_NAMES } from '../messages.ts'
import { MAX_OPENINGS_A_DAY, WEEKDAYS, type Weekday } from '../rules.ts'
import './vendor-time.css'

/** One opening as typed, both times as 'HH:mm'. The key keeps its fields stable when rows are added or removed. */
export type HoursRow = { key: number; opens: string; closes: string }

const FIRST_HOURS = { opens: '09:00', closes: '17:00' }
const EVENING_HOURS = { opens: '18:00', closes: '23:00' }

export function freshRow(rows: readonly HoursRow[]): HoursRow {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
  return { key, ...(rows.length === 0 ? FIRST_HOURS : EVENING_HOURS) }
}

/** The week's opening hours. Each day is open or closed, has one or more openings, and can be copied to other days. */
export function WeekFields({
  idPrefix,
  week,
  errors,
  onChange,
}: {
  idPrefix: string
  week: Record<Weekday, HoursRow[]>
  errors: FieldErrors
  onChange: (week: Record<Weekday, HoursRow[]>) => void
}) {
  const [copied, setCopied] = useState<Weekday | null>(null)
  // Reopening a day restores the hours that it had.
  const before = useRef<Partial<Record<Weekday, HoursRow[]>>>({})
  const list = useKeptFocus<HTMLUListElement>()
  return (
    <>
      <ul ref={list} className="border-b border-line">
        {WEEKDAYS.map((day) => {
          const rows = week[day]
          const isOpen = rows.length > 0
          return (
            <li key={day} className="hours-day">
              <CheckboxField
                label={WEEKDAY_NAMES[day]}
                checked={isOpen}
                onChange={(event) => {
                  if (!event.currentTarget.checked) before.current[day] = rows
                  const opened = before.current[day] ?? [freshRow([])]
                  onChange({ ...week, [day]: event.currentTarget.checked ? opened : [] })
                }}
              />
              <div className="hours">
                {isOpen ? (
                  <HoursFields
                    name={`weekly.${day}`}
                    idPrefix={idPrefix}
                    dayName={WEEKDAY_NAMES[day]}
                    rows={rows}
                    errors={errors}
                    onChange={(next) => onChange({ ...week, [day]: next })}
                  />
                ) : (
                  <p className="hidden py-2.5 text-quiet sm:block">Closed</p>
                )}
              </div>
              {isOpen ? (
                <div className="flex">
                  <IconButton
                    label={`Add hours on ${WEEKDAY_NAMES[day]}`}
                    disabled={rows.length >= MAX_OPENINGS_A_DAY}
                    onClick={() => onChange({ ...week, [day]: [...rows, freshRow(rows)] })}
                  >
                    <Icon name="plus" />
                  </IconButton>
                  <IconButton
                    label={`Copy ${WEEKDAY_NAMES[day]}’s hours to other days`}
                    onClick={() => setCopied(day)}
                  >
                    <Icon name="copy" />
                  </IconButton>
                </div>
              ) : (
                <p className="py-2.5 text-quiet sm:hidden" aria-hidden="true">
                  Closed
                </p>
              )}
            </li>
          )
        })}
      </ul>
      <CopyDialog
        from={copied}
        onClose={() => setCopied(null)}
        onCopy={(days) => {
          if (!copied) return
          const rows = week[copied]
          onChange({
            ...week,
            ...Object.fromEntries(days.map((day) => [day, rows.map((row) => ({ ...row }))])),
          })
          setCopied(null)
        }}
      />
    </>
  )
}

/** The openings of one day, as pairs of times. A closing time at or before the opening is on the next day. */
export function HoursFields({
  name,
  idPrefix,
  dayName,
  rows,
  errors,
  onChange,
}: {
  /** The list's name in the form: 'weekly.mon'. */
  name: string
  idPrefix: string
  dayName: string
  rows: HoursRow[]
  errors: FieldErrors
  onChange: (rows: HoursRow[]) => void
}) {
  const set = (index: number, part: Partial<HoursRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  const overlap = errors[name]?.[0]
  return (
    <div className="grid grid-cols-1 gap-2">
      {rows.map((row, index) => {
        const input = (part: 'opens' | 'closes', label: string) => {
          const path = `${name}[${index}].${part}`
          const id = `${idPrefix}-${path}`
          const message = errors[path]?.[0] ?? overlap
          return (
            <input
              id={id}
              name={path}
              type="time"
              className="control figures"
              aria-label={`${dayName} ${label}${rows.length > 1 ? `, ${index + 1}` : ''}`}
              value={row[part]}
              aria-invalid={message ? true : undefined}
              aria-describedby={message ? `${idPrefix}-${name}-${index}-error` : undefined}
              onChange={(event) => set(index, { [part]: event.currentTarget.value })}
            />
          )
        }
        const message = errors[`${name}[${index}].opens`]?.[0] ?? errors[`${name}[${index}].closes`]?.[0]
        return (
          <div key={row.key}>
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1 min-[768px]:flex-nowrap">
              <div className="flex min-w-0 grow flex-wrap items-center gap-2 sm:grow-0 min-[768px]:flex-nowrap">
                {input('opens', 'opens')}
                <span aria-hidden="true" className="text-quiet">
                  to
                </span>
                {input('closes', 'closes')}
              </div>
              {row.opens && row.closes && row.closes <= row.opens ? (
                <span className="text-sm whitespace-nowrap text-quiet">next day</span>
              ) : null}
              {rows.length > 1 ? (
                <IconButton
                  label={`Remove ${dayName}’s hours ${index + 1}`}
                  className="ml-auto"
                  onClick={() => onChange(rows.filter((_, at) => at !== index))}
                >
                  <Icon name="x" />
                </IconButton>
              ) : null}
            </div>
            <div className="mt-1 empty:hidden">
              <FieldError
                id={`${idPrefix}-${name}-${index}-error`}
                message={message ?? (index === 0 ? overlap : undefined)}
              />
            </div>
          </div>
        )
      })}
    </div>
  )
}

/** The button for another opening, in forms without their own. */
export function AddHours({ rows, onChange }: { rows: HoursRow[]; onChange: (rows: HoursRow[]) => void }) {
  if (rows.length >= MAX_OPENINGS_A_DAY) return null
  return (
    <Button
      size="small"
      className="mt-2"
      icon={<Icon name="plus" />}
      onClick={() => onChange([...rows, freshRow(rows)])}
    >
      Add hours
    </Button>
  )
}

function CopyDialog({
  from,
  onCopy,
  onClose,
}: {
  from: Weekday | null
  onCopy: (days: Weekday[]) => void
  onClose: () => void
}) {
  return (
    <ModalDialog
      open={from !== null}
      title={from && `Copy ${WEEKDAY_NAMES[from]}’s hours to`}
      closeButton={false}
      onClose={onClose}
    >
      {from ? <CopyChoice key={from} from={from} onCopy={onCopy} onClose={onClose} /> : null}
    </ModalDialog>
  )
}

/** Not a form, because it is nested in the settings form. */
function CopyChoice({
  from,
  onCopy,
  onClose,
}: {
  from: Weekday
  onCopy: (days: Weekday[]) => void
  onClose: () => void
}) {
  const others = WEEKDAYS.filter((day) => day !== from)
  const [chosen, setChosen] = useState<readonly Weekday[]>(others)
  return (
    <>
      <div className="mt-3 grid sm:grid-cols-2">
        {others.map((day) => (
          <CheckboxField
            key={day}
            label={WEEKDAY_NAMES[day]}
            checked={chosen.includes(day)}
            onChange={(event) =>
              setChosen(
                event.currentTarget.checked ? [...chosen, day] : chosen.filter((each) => each !== day),
              )
            }
          />
        ))}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="brand" onClick={() => onCopy([...chosen])}>
          Copy
        </Button>
      </div>
    </>
  )
}
