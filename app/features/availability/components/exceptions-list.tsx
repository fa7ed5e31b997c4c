import { useState } from 'react'
import { formatDay, type LocalDate } from '../../../shared/dates.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { FieldErrors } from '../../../ui/checked-form.ts'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { ModalDialog } from '../../../ui/modal-dialog.tsx'
import { SegmentedControl } from '../../../ui/tabs.tsx'
import type { ListedException } from '../hours-queries.server.ts'
import { openHoursText } from '../messages.ts'
import { exceptionSchema, MAX_NOTE_LENGTH } from '../schema.ts'
import { AddHours, freshRow, HoursFields, type HoursRow } from './hours-fields.tsx'

/** The days whose hours differ from the week's. @param adding whether the form is open */
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
  /** The id of the exception that is being removed. */
  removing: string | null
  problem: string | null
  errors: FieldErrors | null
  onOpen: () => void
  onClose: () => void
  onAdd: (form: FormData) => void
  onRemove: (exception: ListedException) => void
}) {
  const box = useKeptFocus<HTMLDivElement>()
  return (
    <>
      <div ref={box}>
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
                  waiting={removing !== null}
                  onClick={() => onRemove(exception)}
                >
                  <Icon name="trash-2" />
                </IconButton>
              </li>
            ))}
          </ul>
        ) : null}
        <Button icon={<Icon name="calendar-plus" />} onClick={onOpen}>
          Add days off or other hours
        </Button>
      </div>
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

/** 'Friday 25 December 2026' or 'Friday 25 December 2026 to Monday 4 January 2027'. */
export function daysText({ from, to }: { from: LocalDate; to: LocalDate }): string {
  return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`
}

type DialogProps = {
  open: boolean
  today: LocalDate
  pending: boolean
  problem: string | null
  errors: FieldErrors | null
  onAdd: (form: FormData) => void
  onClose: () => void
}

function ExceptionDialog(props: DialogProps) {
  return (
    <ModalDialog open={props.open} title="Days off or other hours" onClose={props.onClose}>
      {props.open ? <ExceptionForm {...props} /> : null}
    </ModalDialog>
  )
}

const KINDS = [
  { value: 'closed', label: 'Closed' },
  { value: 'open', label: 'Open' },
] as const

function ExceptionForm({ today, pending, problem, errors: answered, onAdd, onClose }: DialogProps) {
  const [kind, setKind] = useState<'closed' | 'open'>('closed')
  const [rows, setRows] = useState<HoursRow[]>([freshRow([])])
  const { from, to, changeFrom, changeTo } = useDays()
  return (
    <DialogForm
      intent="exception"
      schema={exceptionSchema}
      answered={answered}
      problem={problem}
      problemTitle="This wasn’t saved"
      leftOut={['kind']}
      submitLabel="Save these days"
      pendingLabel="Saving..."
      pending={pending}
      onChecked={onAdd}
      onClose={onClose}
    >
      {({ id, errors, field }) => (
        <>
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField
              label="First day"
              type="date"
              min={today}
              value={from}
              onChange={(event) => changeFrom(event.currentTarget.value)}
              {...field('from')}
            />
            <TextField
              label="Last day"
              type="date"
              min={from || today}
              value={to}
              onChange={(event) => changeTo(event.currentTarget.value)}
              {...field('to')}
            />
          </div>
          <div>
            <SegmentedControl
              label="On these days"
              name="kind"
              options={KINDS}
              value={kind}
              onChange={setKind}
            />
          </div>
          {kind === 'open' ? (
            <div>
              <HoursFields
                name="hours"
                idPrefix={id}
                dayName="These days"
                rows={rows}
                errors={errors}
                onChange={setRows}
              />
              <AddHours rows={rows} onChange={setRows} />
            </div>
          ) : null}
          <TextField
            label="Note"
            optional
            autoComplete="off"
            hint="Such as ‘Public holiday’. Only you see it."
            maxLength={MAX_NOTE_LENGTH}
            {...field('note')}
          />
        </>
      )}
    </DialogForm>
  )
}

/**
 * The first and the last day. Most exceptions are one day, so the last follows the first until it is chosen, and again
 * once the first is after it.
 */
function useDays() {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [isToChosen, setIsToChosen] = useState(false)
  return {
    from,
    to,
    changeFrom(next: string) {
      setFrom(next)
      if (isToChosen && next <= to) return
      setTo(next)
      setIsToChosen(false)
    },
    changeTo(next: string) {
      setTo(next)
      setIsToChosen(next !== '')
    },
  }
}
