import { useState } from 'react'
import type { LocalDate } from '../../../shared/dates.ts'
import type { FieldErrors } from '../../../ui/checked-form.ts'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { CheckboxField, TextField } from '../../../ui/field.tsx'
import { ModalDialog } from '../../../ui/modal-dialog.tsx'
import { blockSchema, MAX_NOTE_LENGTH } from '../schema.ts'
import './vendor-time.css'

type Range = { from: LocalDate; to: LocalDate }
type Props = {
  range: Range | null
  timeZoneLabel: string
  pending: boolean
  problem: string | null
  errors: FieldErrors | null
  onBlock: (form: FormData) => void
  onClose: () => void
}

/**
 * Asks which time to block: whole days, or with times.
 * @param range what was marked; null while it is closed
 * @param problem what the server said against the last try
 * @param errors what it said beside the fields
 */
export function BlockDialog(props: Props) {
  const { range, onClose } = props
  return (
    <ModalDialog open={range !== null} title="Block time" onClose={onClose}>
      {range ? <BlockForm key={`${range.from}/${range.to}`} {...props} range={range} /> : null}
    </ModalDialog>
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
}: Props & { range: Range }) {
  const [wholeDays, setWholeDays] = useState(true)
  return (
    <DialogForm
      intent="block"
      schema={blockSchema}
      answered={errors}
      problem={problem}
      problemTitle="This wasn’t blocked"
      submitLabel="Block this time"
      pendingLabel="Blocking..."
      pending={pending}
      onChecked={onBlock}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <CheckboxField
            label="Whole days"
            checked={wholeDays}
            onChange={(event) => setWholeDays(event.currentTarget.checked)}
          />
          <div className={wholeDays ? 'grid gap-5 sm:grid-cols-2' : 'block-times'}>
            <TextField
              label={wholeDays ? 'First day' : 'From'}
              type="date"
              defaultValue={range.from}
              {...field('from')}
            />
            {wholeDays ? null : (
              <TextField label="Time" type="time" defaultValue="09:00" {...field('fromTime')} />
            )}
            <TextField
              label={wholeDays ? 'Last day' : 'To'}
              type="date"
              defaultValue={range.to}
              {...field('to')}
            />
            {wholeDays ? null : (
              <TextField label="Time" type="time" defaultValue="17:00" {...field('toTime')} />
            )}
          </div>
          <TextField
            label="Note"
            optional
            autoComplete="off"
            hint="Only you see it."
            maxLength={MAX_NOTE_LENGTH}
            {...field('note')}
          />
          <p className="text-sm text-quiet">
            Nobody can book then, in {timeZoneLabel}. Bookings that are there already stay.
          </p>
        </>
      )}
    </DialogForm>
  )
}
