import { type ComponentProps, useRef, useState } from 'react'
import { Form, useNavigation } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { setTyped } from '../../../../ui/set-typed.ts'
import { TimePicker } from '../../../availability/components/time-picker.tsx'
import { NEAREST_FREE, nearTimeText } from '../../../availability/messages.ts'
import { maxQuantity } from '../../../pricing/rules.ts'
import { QUANTITY_LABELS } from '../../messages.ts'
import { SHOW_CHANGE } from '../messages.ts'
import type { ChangePage, ChangeProblem } from '../queries.server.ts'

/** The form for another date, time or number. The picker and the nearest free times fill in its fields. */
export function ProposalForm({ page, problem }: { page: ChangePage; problem: ChangeProblem | null }) {
  const form = useRef<HTMLFormElement>(null)
  const asked = `${page.typed.date} ${page.typed.time} ${page.typed.quantity}`
  const [edited, setEdited] = useState({ asked, proposed: page.typed })
  const shown = edited.asked === asked ? edited.proposed : page.typed
  const navigation = useNavigation()
  return (
    <Form
      ref={form}
      method="get"
      preventScrollReset
      className="mt-8 grid grid-cols-1 gap-6"
      onInput={(event) => setEdited({ asked, proposed: readProposal(event.currentTarget) })}
    >
      {/* Another address has other values. The picker below stays, so that what follows it isn't pushed about. */}
      <ProposalFields key={asked} page={page} problem={problem} />
      {problem && problem.alternatives.length > 0 ? (
        <div role="status" className="grid gap-3">
          <p className="text-sm">{NEAREST_FREE}</p>
          <div className="flex flex-wrap gap-3">
            {problem.alternatives.map((near) => (
              <Button
                key={`${near.date} ${near.time}`}
                size="small"
                onClick={() => {
                  setField(form.current, 'date', near.date)
                  setField(form.current, 'time', near.time)?.focus()
                }}
              >
                {nearTimeText(near)}
              </Button>
            ))}
          </div>
        </div>
      ) : null}
      <ProposalPicker
        page={page}
        shown={shown}
        onPick={(date, time) => {
          setField(form.current, 'date', date)
          if (time) setField(form.current, 'time', time)
        }}
      />
      <div>
        <Button
          type="submit"
          variant="brand"
          pending={navigation.state === 'loading'}
          pendingText="Looking..."
        >
          {SHOW_CHANGE}
        </Button>
      </div>
    </Form>
  )
}

/** The fields of the proposed date, start time and number. */
function ProposalFields({
  page: { typed, days, bookingType },
  problem,
}: {
  page: ChangePage
  problem: ChangeProblem | null
}) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 sm:grid-cols-3">
      <TextField
        label="Date"
        name="date"
        type="date"
        defaultValue={typed.date}
        {...(days ? { min: days.first, max: days.last } : {})}
        error={problem?.fields.date}
      />
      <TextField
        label="Start time"
        name="time"
        type="time"
        defaultValue={typed.time}
        error={problem?.fields.time}
      />
      <TextField
        label={QUANTITY_LABELS[bookingType]}
        name="quantity"
        type="number"
        inputMode="numeric"
        autoComplete="off"
        min={1}
        step={1}
        defaultValue={typed.quantity}
        error={problem?.fields.quantity}
      />
    </div>
  )
}

/** The free days and times for the proposed number of hours; nothing while the bookable days are unknown. */
function ProposalPicker({
  page: { businessId, bookingType, own, days, timeZone },
  shown,
  onPick,
}: {
  page: ChangePage
  shown: ChangePage['typed']
} & Pick<ComponentProps<typeof TimePicker>, 'onPick'>) {
  if (!days) return null
  const quantity = Number(shown.quantity)
  const isQuantity = Number.isInteger(quantity) && quantity >= 1 && quantity <= maxQuantity(bookingType)
  return (
    <TimePicker
      period={null}
      businessId={businessId}
      length={{ bookingType, quantity: bookingType === 'perHour' && isQuantity ? quantity : 1, own }}
      first={days.first}
      last={days.last}
      date={shown.date}
      time={shown.time}
      event={bookingType === 'perHour' ? { timeZone, eventMinutes: 60 } : null}
      news={0}
      onPick={onPick}
    />
  )
}

/** The typed date, time and number. */
function readProposal(form: HTMLFormElement): ChangePage['typed'] {
  const fields = new FormData(form)
  const text = (name: string) => String(fields.get(name) ?? '')
  return { date: text('date'), time: text('time'), quantity: text('quantity') }
}

/** Fills in a field as if it were typed. @returns its input */
function setField(
  form: HTMLFormElement | null,
  name: 'date' | 'time',
  text: string,
): HTMLInputElement | null {
  const input = form?.elements.namedItem(name)
  if (!(input instanceof HTMLInputElement)) return null
  setTyped(input, text)
  return input
}
