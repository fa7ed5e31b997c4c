import { parseWithZod } from '@conform-to/zod/v4'
import { X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import type { LocalDate } from '../../../shared/dates.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CheckboxField, TextField } from '../../../ui/field.tsx'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { isBeside, useModal } from '../../../ui/modal.ts'
import { blockSchema } from '../schema.ts'
import '../../../ui/dialog.css'
import './vendor-time.css'

const FIELDS = ['from', 'fromTime', 'to', 'toTime', 'note'] as const

/**
 * Asks which time to block: whole days, or with times.
 * @param range what was marked; null while it is closed
 * @param problem what the server said against the last try
 * @param errors what it said beside the fields
 */
export function BlockDialog({
  range,
  timeZoneLabel,
  pending,
  problem,
  errors,
  onBlock,
  onClose,
}: {
  range: { from: LocalDate; to: LocalDate } | null
  timeZoneLabel: string
  pending: boolean
  problem: string | null
  errors: Record<string, string[] | null> | null
  onBlock: (form: FormData) => void
  onClose: () => void
}) {
  const id = useId()
  const dialog = useModal(range !== null)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as the browser has it
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={`${id}-title`}
      onClose={onClose}
      onClick={(event) => {
        if (isBeside(event)) onClose()
      }}
    >
      <div className="dialog-head">
        <h2 id={`${id}-title`}>Block time</h2>
        <IconButton label="Close" onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {range ? (
        <BlockForm
          key={`${range.from}/${range.to}`}
          range={range}
          timeZoneLabel={timeZoneLabel}
          pending={pending}
          problem={problem}
          errors={errors}
          onBlock={onBlock}
          onClose={onClose}
        />
      ) : null}
    </dialog>
  )
}

function BlockForm({
  range,
  timeZoneLabel,
  pending,
  problem,
  errors,
  onBlock,
  onClose,
}: Omit<Parameters<typeof BlockDialog>[0], 'range'> & { range: { from: LocalDate; to: LocalDate } }) {
  const id = useId()
  const [wholeDays, setWholeDays] = useState(true)
  const [own, setOwn] = useState<Record<string, string[] | null>>({})
  const [attempt, setAttempt] = useState(0)
  const shown = { ...errors, ...own }
  const message = (name: (typeof FIELDS)[number]) => shown[name]?.[0]
  const listed = FIELDS.flatMap((name) => {
    const text = message(name)
    return text ? [{ fieldId: `${id}-${name}`, message: text }] : []
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (pending) return
    const form = new FormData(event.currentTarget)
    const checked = parseWithZod(form, { schema: blockSchema })
    setOwn(checked.status === 'success' ? {} : (checked.error ?? {}))
    setAttempt((count) => count + 1)
    if (checked.status === 'success') onBlock(form)
  }
  return (
    <form method="post" className="grid gap-5" noValidate onSubmit={submit}>
      <input type="hidden" name="intent" value="block" />
      {listed.length > 0 || problem ? (
        <FormSummary
          errors={listed.length > 0 ? listed : [{ message: problem ?? '' }]}
          attempt={attempt}
          {...(listed.length > 0 ? {} : { title: 'This wasn’t blocked' })}
        />
      ) : null}
      <CheckboxField
        label="Whole days"
        checked={wholeDays}
        onChange={(event) => setWholeDays(event.currentTarget.checked)}
      />
      <div className={wholeDays ? 'grid gap-5 sm:grid-cols-2' : 'block-times'}>
        <TextField
          id={`${id}-from`}
          label={wholeDays ? 'First day' : 'From'}
          type="date"
          name="from"
          defaultValue={range.from}
          error={message('from')}
        />
        {wholeDays ? null : (
          <TextField
            id={`${id}-fromTime`}
            label="Time"
            type="time"
            name="fromTime"
            defaultValue="09:00"
            error={message('fromTime')}
          />
        )}
        <TextField
          id={`${id}-to`}
          label={wholeDays ? 'Last day' : 'To'}
          type="date"
          name="to"
          defaultValue={range.to}
          error={message('to')}
        />
        {wholeDays ? null : (
          <TextField
            id={`${id}-toTime`}
            label="Time"
            type="time"
            name="toTime"
            defaultValue="17:00"
            error={message('toTime')}
          />
        )}
      </div>
      <TextField
        id={`${id}-note`}
        label="Note"
        optional
        name="note"
        autoComplete="off"
        hint="Only you see it."
        maxLength={200}
        error={message('note')}
      />
      <p className="text-sm text-quiet">
        Nobody can book then, in {timeZoneLabel}. Bookings that are there already stay.
      </p>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="brand" pending={pending} pendingText="Blocking...">
          Block this time
        </Button>
      </div>
    </form>
  )
}
