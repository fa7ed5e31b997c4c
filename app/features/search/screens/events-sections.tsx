import { Form, href } from 'react-router'
import { formatMonth } from '../../../shared/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { MAX_GUESTS } from '../../pricing/limits.ts'
import { AMOUNT_PATTERN } from '../limits.ts'
import { AMOUNT_TITLE } from '../messages.ts'
import { ANY_MONTH, PLAN_LABEL, PLAN_SUBMIT } from '../occasion-messages.ts'

export type PlanFields = {
  /** The months to choose from: 'YYYY-MM'. */
  offered: readonly string[]
  date: string
  /** One of `offered`, or ''. */
  month: string
  guests: string
  budget: string
}

/** When, how many and roughly how much: a plain form, whose answers every search on the page carries. */
export function PlanForm({ offered, date, month, guests, budget }: PlanFields) {
  return (
    <Form
      // Another address is another form, with its values.
      key={[date, month, guests, budget].join()}
      action={href('/events')}
      preventScrollReset
      aria-label={PLAN_LABEL}
      className="mt-8 grid grid-cols-2 items-end gap-x-4 gap-y-4 rounded-card border border-line bg-surface p-5 md:grid-cols-[repeat(4,minmax(0,1fr))_auto] md:p-6"
    >
      <SelectField
        label="Month"
        name="months"
        defaultValue={month}
        placeholder={ANY_MONTH}
        options={offered.map((each) => ({ value: each, label: formatMonth(each) }))}
        isKept
        className="max-md:col-span-2"
      />
      <TextField label="Or a day" name="date" type="date" defaultValue={date} className="max-md:col-span-2" />
      <TextField
        label="Guests"
        name="guests"
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_GUESTS}
        defaultValue={guests}
      />
      <TextField
        label="Whole budget"
        name="budget"
        inputMode="decimal"
        prefix="$"
        pattern={AMOUNT_PATTERN}
        title={AMOUNT_TITLE}
        defaultValue={budget}
      />
      <Button type="submit" variant="brand" className="max-md:col-span-2">
        {PLAN_SUBMIT}
      </Button>
    </Form>
  )
}
