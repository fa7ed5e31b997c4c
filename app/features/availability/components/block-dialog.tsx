import { useState } from 'react'
import type { LocalDate } from '../../../shared/dates.ts'
import type { FieldErrors } from '../../../ui/checked-form.ts'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { CheckboxField, SelectField, TextField } from '../../../ui/field.tsx'
import { ModalDialog } from '../../../ui/modal-dialog.tsx'
import { blockSchema, MAX_NOTE_LENGTH } from '../schema.ts'
import { type ShownListing, zoneLabelOf } from './calendar-entry.tsx'
import './vendor-time.css'

type Range = { from: LocalDate; to: LocalDate }
type Props = {
  range: Range | null
  /** The listings that can be blocked; with several, one has to be chosen. */
  listings: readonly ShownListing[]
  pending: boolean
  problem: string | null
  errors: FieldErrors | null
  onBlock: (form: FormData) => void
  onClose: () => void
}

/**
 * The dialog for blocking whole days, or a time within them.
 * @param range the marked days; null while the dialog is closed
 * @param problem why the server refused the last try
 * @param errors the server's messages by field
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
  listings,
  pending,
  problem,
  errors,
  onBlock,
  onClose,
}: Props & { range: Range }) {
  const [wholeDays, setWholeDays] = useState(true)
  const [only, another] = listings
  const [chosenId, setChosenId] = useState(only && !another ? only.id : '')
  const zone = zoneLabelOf(listings.filter(({ id }) => !chosenId || id === chosenId))
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
          {another ? (
            <SelectField
              label="Business"
              hint="A block is for one business. The others can still be booked."
              placeholder="Choose one"
              options={listings.map(({ id, name }) => ({ value: id, label: name }))}
              defaultValue=""
              onChange={(event) => setChosenId(event.currentTarget.value)}
              {...field('businessId')}
            />
          ) : (
            <input type="hidden" name="businessId" value={chosenId} />
          )}
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
            Customers can’t book this time ({zone}). Existing bookings stay.
          </p>
        </>
      )}
    </DialogForm>
  )
}
