import { parseWithZod } from '@conform-to/zod/v4'
import { CalendarPlus, Trash2, X } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { formatDay, type LocalDate } from '../../../shared/dates.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { isBeside, useModal } from '../../../ui/modal.ts'
import { SegmentedControl } from '../../../ui/tabs.tsx'
import type { ListedException } from '../queries.server.ts'
import { exceptionSchema } from '../schema.ts'
import { openHoursText } from '../wording.ts'
import { AddHours, freshRow, HoursFields, type HoursRow } from './hours-fields.tsx'
import '../../../ui/dialog.css'

type Errors = Record<string, string[] | null>

/** The days with other hours than the week's. @param adding whether the form is open */
export function ExceptionsList({
  exceptions,
  adding,
  today,
  pending,
  removing,
  problem,
  errors,
  onOpen,
  onClose,
  onAdd,
  onRemove,
}: {
  exceptions: readonly ListedException[]
  adding: boolean
  today: LocalDate
  pending: boolean
  /** The one that is being removed. */
  removing: string | null
  problem: string | null
  errors: Errors | null
  onOpen: () => void
  onClose: () => void
  onAdd: (form: FormData) => void
  onRemove: (exception: ListedException) => void
}) {
  return (
    <>
      {exceptions.length > 0 ? (
        <ul className="mb-5 border-b border-line">
          {exceptions.map((exception) => (
            <li
              key={exception.id}
              className="flex items-start justify-between gap-4 border-t border-line py-3"
            >
              <div className="min-w-0">
                <p className="figures font-semibold">{daysText(exception)}</p>
                <p className="figures text-quiet [overflow-wrap:anywhere]">
                  {openHoursText(exception.hours)}
                  {exception.note ? ` · ${exception.note}` : ''}
                </p>
              </div>
              <IconButton
                label={`Remove ${daysText(exception)}`}
                disabled={removing !== null}
                onClick={() => onRemove(exception)}
              >
                <Trash2 aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <Button icon={<CalendarPlus aria-hidden="true" />} onClick={onOpen}>
        Add other days
      </Button>
      <ExceptionDialog
        open={adding}
        today={today}
        pending={pending}
        problem={problem}
        errors={errors}
        onAdd={onAdd}
        onClose={onClose}
      />
    </>
  )
}

/** 'Friday 25 December 2026', 'Friday 25 December 2026 to Monday 4 January 2027'. */
export function daysText({ from, to }: { from: LocalDate; to: LocalDate }): string {
  return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`
}

type DialogProps = {
  open: boolean
  today: LocalDate
  pending: boolean
  problem: string | null
  errors: Errors | null
  onAdd: (form: FormData) => void
  onClose: () => void
}

function ExceptionDialog(props: DialogProps) {
  const id = useId()
  const dialog = useModal(props.open)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as the browser has it
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      onClose={props.onClose}
      onClick={(event) => {
        if (isBeside(event)) props.onClose()
      }}
    >
      <div className="dialog-head">
        <h2 id={`${id}-title`}>Other days</h2>
        <IconButton label="Close" onClick={props.onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {props.open ? <ExceptionForm {...props} /> : null}
    </dialog>
  )
}

const KINDS = [
  { value: 'closed', label: 'Closed' },
  { value: 'open', label: 'Open' },
] as const

function ExceptionForm({ today, pending, problem, errors, onAdd, onClose }: DialogProps) {
  const id = useId()
  const [kind, setKind] = useState<'closed' | 'open'>('closed')
  const [rows, setRows] = useState<HoursRow[]>([freshRow([])])
  const [from, setFrom] = useState('')
  const [own, setOwn] = useState<Errors>({})
  const [attempt, setAttempt] = useState(0)
  const said = useRef(errors)
  useEffect(() => {
    if (!errors || said.current === errors) return
    said.current = errors
    setOwn(errors)
    setAttempt((count) => count + 1)
  }, [errors])
  const listed = Object.entries(own).flatMap(([name, messages]) =>
    messages?.[0] ? [{ fieldId: `${id}-${name}`, message: messages[0] }] : [],
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    const form = new FormData(event.currentTarget)
    form.delete('kind')
    const checked = parseWithZod(form, { schema: exceptionSchema })
    setOwn(checked.status === 'success' ? {} : (checked.error ?? {}))
    setAttempt((count) => count + 1)
    if (checked.status === 'success') onAdd(form)
  }
  return (
    <form method="post" className="grid gap-5" noValidate onSubmit={submit}>
      <input type="hidden" name="intent" value="exception" />
      {listed.length > 0 || problem ? (
        <FormSummary
          errors={listed.length > 0 ? listed : [{ message: problem ?? '' }]}
          attempt={attempt}
          {...(listed.length > 0 ? {} : { title: 'This wasn’t saved' })}
        />
      ) : null}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          id={`${id}-from`}
          label="First day"
          type="date"
          name="from"
          min={today}
          error={own.from?.[0]}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        {/* One day is what most are: the last follows the first until it is changed. */}
        <TextField
          key={from}
          id={`${id}-to`}
          label="Last day"
          type="date"
          name="to"
          min={from || today}
          error={own.to?.[0]}
          defaultValue={from}
        />
      </div>
      <div>
        <SegmentedControl label="On these days" name="kind" options={KINDS} value={kind} onChange={setKind} />
      </div>
      {kind === 'open' ? (
        <div>
          <HoursFields
            name="hours"
            idPrefix={id}
            dayName="These days"
            rows={rows}
            errors={own}
            onChange={setRows}
          />
          <AddHours rows={rows} onChange={setRows} />
        </div>
      ) : null}
      <TextField
        id={`${id}-note`}
        label="Note"
        optional
        name="note"
        autoComplete="off"
        hint="Such as ‘Public holiday’. Only you see it."
        maxLength={200}
        error={own.note?.[0]}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="brand" pending={pending} pendingText="Saving...">
          Save these days
        </Button>
      </div>
    </form>
  )
}
