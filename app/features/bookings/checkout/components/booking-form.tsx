import { getFormProps, getInputProps, type SubmissionResult } from '@conform-to/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { LocalDate, LocalTime } from '../../../../shared/dates.ts'
import { type Cents, formatMoney, type PriceUnit } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/button.tsx'
import { EMAIL_FIELD, PHONE_FIELD } from '../../../../ui/contact-fields.ts'
import { FieldError, TextField } from '../../../../ui/field.tsx'
import { FormSummary } from '../../../../ui/form-summary.tsx'
import { useSchemaForm } from '../../../../ui/schema-form.ts'
import { setTyped } from '../../../../ui/set-typed.ts'
import { SegmentedControl } from '../../../../ui/tabs.tsx'
import { NEAREST_FREE, nearTimeText } from '../../../availability/messages.ts'
import type { TimeProblem } from '../../../availability/rules.ts'
import { unitPriceText } from '../../../businesses/messages.ts'
import { listedPrice } from '../../../businesses/price-rules.ts'
import { offeredBookingTypes, offeredPrices } from '../../../businesses/rules.ts'
import { MAX_GUESTS } from '../../../pricing/limits.ts'
import { maxQuantity } from '../../../pricing/rules.ts'
import { totalParts } from '../../components/booking-facts.tsx'
import {
  type BookingForm as Booking,
  type BookingFieldErrors,
  type BookingOffer,
  defaultBookingType,
} from '../../form-rules.ts'
import {
  BOOKING_TYPE_LABELS,
  EVENT_DETAILS,
  PROCEED_TO_PAYMENT,
  QUANTITY_LABELS,
  YOUR_INFORMATION,
} from '../../messages.ts'
import type { BookingDraft } from '../../schema.ts'
import { type BookingDraftFields, parseBookingDraft } from '../browser/booking-draft.ts'
import { formSchema } from '../form-schema.ts'

const FORM_ID = 'booking'

/** The server's clock, which goes by this browser's from then on. */
function clockFrom(now: string): () => Date {
  const aheadMs = Date.now() - Date.parse(now)
  return () => new Date(Date.now() - aheadMs)
}

/**
 * The booking form (Specification, sections 2, 3 and 5). The total follows every change and stays in view: on a phone
 * it sticks to the lower edge with the button.
 * @param days the first and the last day that can be booked
 * @param now the server's time when it read the business, ISO 8601
 * @param maxGuests the maximum number of guests that the business takes; null for no limit of its own
 * @param timeProblem why the time in the fields can't be booked
 * @param eventText the event from start to end, in words
 * @param renderPicker renders the picker of free times, which calls back with the chosen one, around the given fields
 * @param typed the initial values of the fields
 * @param serverErrors errors that the server found on the way to payment. Each stays until its field changes
 * @param onTyped called at every change with the values of the fields
 */
export function BookingForm({
  offer,
  days,
  now,
  maxGuests,
  placeLabel,
  timeProblem,
  eventText,
  renderPicker,
  terms,
  payText,
  typed,
  serverErrors,
  onTyped,
  onProceed,
}: {
  offer: BookingOffer
  days: { first: LocalDate; last: LocalDate }
  now: string
  maxGuests: number | null
  placeLabel: string
  timeProblem: TimeProblem | null
  eventText: string | null
  renderPicker: RenderPicker
  /** The due dates and cancellation terms; null until date, time and quantity are chosen. */
  terms: React.ReactNode
  /** The part of the total that is paid today, in words; null for the whole total. */
  payText: string | null
  typed: BookingDraftFields
  serverErrors: BookingFieldErrors | null
  onTyped: (typed: BookingDraftFields) => void
  onProceed: (booking: Booking, totalCents: Cents) => void
}) {
  const { form, fields, attempt, wasPressed, countPress, start } = useBookingForm({
    offer,
    now,
    timeProblem,
    typed,
    serverErrors,
    onProceed,
  })
  const [bookingType, setBookingType] = useState<PriceUnit>(start.bookingType)
  const [quantity, setQuantity] = useState(Number(start.quantity))
  const total = totalParts(offer, quantity, bookingType, maxGuests)
  const formElement = useRef<HTMLFormElement>(null)
  const errors = listErrors(fields, timeProblem)
  const most = Math.min(maxQuantity(bookingType), (bookingType === 'perPerson' && maxGuests) || MAX_GUESTS)
  return (
    <form
      {...getFormProps(form)}
      ref={formElement}
      className="grid gap-12"
      onInput={(event) => {
        const found = parseBookingDraft(Object.fromEntries(new FormData(event.currentTarget)))
        setQuantity(Number(found.quantity))
        onTyped(found)
      }}
    >
      {wasPressed || serverErrors ? <FormSummary errors={errors} attempt={attempt} /> : null}
      <YourInformation fields={fields} />

      <fieldset className="grid gap-6">
        <legend className="mb-6 text-xl">{EVENT_DETAILS}</legend>
        <EventTime
          fields={fields}
          days={days}
          placeLabel={placeLabel}
          timeProblem={timeProblem}
          formElement={formElement}
          renderPicker={renderPicker}
        >
          <BookingType
            offer={offer}
            field={fields.bookingType}
            startType={start.bookingType}
            value={bookingType}
            onChange={setBookingType}
          />
          <TextField
            label={QUANTITY_LABELS[bookingType]}
            hint={`1 to ${most.toLocaleString('en-AU')}`}
            inputMode="numeric"
            autoComplete="off"
            min={1}
            step={1}
            error={fields.quantity.errors ?? problemOf('quantity', timeProblem)}
            control={getInputProps(fields.quantity, { type: 'number' })}
          />
        </EventTime>
        <p className="figures rounded-control bg-brand-soft px-4 py-3 empty:hidden" aria-live="polite">
          {eventText}
        </p>
      </fieldset>

      {terms}
      <ProceedBar total={total} payText={payText} onPress={countPress} />
    </form>
  )
}

type Fields = ReturnType<typeof useSchemaForm<BookingDraft, BookingDraft>>['fields']

/** The state of the form's fields. Passes a valid booking with a free time to `onProceed`, once. */
function useBookingForm({
  offer,
  now,
  timeProblem,
  typed,
  serverErrors,
  onProceed,
}: {
  offer: BookingOffer
  now: string
  timeProblem: TimeProblem | null
  typed: BookingDraftFields
  serverErrors: BookingFieldErrors | null
  onProceed: (booking: Booking, totalCents: Cents) => void
}) {
  const startType =
    offeredBookingTypes(offer).find((type) => type === typed.bookingType) ?? defaultBookingType(offer)
  const [start] = useState({ quantity: '1', ...typed, bookingType: startType })
  const [schema] = useState(() => formSchema(offer, clockFrom(now)))
  const [lastResult] = useState(() => toResult(serverErrors, start))
  const pressed = useRef(false)

  const schemaForm = useSchemaForm<BookingDraft, BookingDraft>({
    id: FORM_ID,
    schema,
    lastResult,
    defaultValue: start,
    checkedOnBlur: true,
    onSubmit(event, { submission }) {
      event.preventDefault()
      if (submission?.status !== 'success' || pressed.current) return
      if (timeProblem) return focusInvalid()
      const price = listedPrice(offer, submission.value.bookingType, submission.value.quantity)
      if (!price.ok) return
      // Ignores a second press before the screen changes.
      pressed.current = true
      onProceed(submission.value, price.totalCents)
    },
  })

  // A customer sent back from the payment screen starts at the first invalid field.
  useEffect(focusInvalid, [])
  return { ...schemaForm, start }
}

function problemOf(field: string, timeProblem: TimeProblem | null): string | undefined {
  return timeProblem?.field === field ? timeProblem.message : undefined
}

function listErrors(fields: Fields, timeProblem: TimeProblem | null) {
  // In the order of the page.
  const errors = [
    fields.fullName,
    fields.email,
    fields.phone,
    fields.quantity,
    fields.date,
    fields.time,
  ].flatMap(({ id, name, errors: own }) => {
    const message = own?.[0] ?? problemOf(name, timeProblem)
    return message ? [{ fieldId: id, message }] : []
  })
  // A vendor can drop a booking type while a customer pays, so its control may be gone and can't be linked.
  const [typeError] = fields.bookingType.errors ?? []
  return typeError ? [{ message: typeError }, ...errors] : errors
}

function YourInformation({ fields }: { fields: Fields }) {
  return (
    <fieldset className="grid gap-6">
      <legend className="mb-6 text-xl">{YOUR_INFORMATION}</legend>
      <TextField
        label="Full name"
        autoComplete="name"
        error={fields.fullName.errors}
        control={getInputProps(fields.fullName, { type: 'text' })}
      />
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField
          label="Email"
          hint="We send the confirmation here."
          {...EMAIL_FIELD}
          error={fields.email.errors}
          control={getInputProps(fields.email, { type: 'email' })}
        />
        <TextField
          label="Phone"
          hint="For the vendor, about this event."
          {...PHONE_FIELD}
          error={fields.phone.errors}
          control={getInputProps(fields.phone, { type: 'tel' })}
        />
      </div>
    </fieldset>
  )
}

/** The choice between people and hours, for a business that offers both. */
function BookingType({
  offer,
  field,
  startType,
  value,
  onChange,
}: {
  offer: BookingOffer
  field: Fields['bookingType']
  startType: PriceUnit
  value: PriceUnit
  onChange: (type: PriceUnit) => void
}) {
  const types = offeredBookingTypes(offer)
  if (types.length <= 1) return <input type="hidden" name={field.name} value={startType} />
  return (
    <div className="field">
      <span className="field-label" aria-hidden="true">
        Booking type
      </span>
      <p className="field-hint figures">
        {offeredPrices(offer)
          .map(({ cents, unit }) => unitPriceText(cents, unit))
          .join(' or ')}
      </p>
      <SegmentedControl
        label="Booking type"
        name={field.name}
        value={value}
        onChange={onChange}
        options={types.map((type) => ({ value: type, label: BOOKING_TYPE_LABELS[type] }))}
      />
      <FieldError id={field.errorId} message={field.errors?.[0]} />
    </div>
  )
}

type RenderPicker = (
  onPick: (date: LocalDate, time?: LocalTime) => void,
  fields: React.ReactNode,
) => React.ReactNode

/**
 * The picker, then date and start time for those who prefer to type, and the nearest free times when the chosen one is
 * taken.
 * @param children the fields of type and quantity, which count before the times: hours decide when an event ends
 */
function EventTime({
  fields,
  days,
  placeLabel,
  timeProblem,
  formElement,
  renderPicker,
  children,
}: {
  fields: Fields
  days: { first: LocalDate; last: LocalDate }
  placeLabel: string
  timeProblem: TimeProblem | null
  formElement: RefObject<HTMLFormElement | null>
  renderPicker: RenderPicker
  children: React.ReactNode
}) {
  const setField = (name: 'date' | 'time', text: string) => {
    const input = formElement.current?.elements.namedItem(name)
    if (input instanceof HTMLInputElement) setTyped(input, text)
    return input
  }
  const pick = (date: LocalDate, time?: LocalTime) => {
    setField('date', date)
    if (time) setField('time', time)
  }
  return (
    <>
      {renderPicker(pick, <div className="grid items-start gap-6">{children}</div>)}
      <div className="grid gap-6 sm:grid-cols-2">
        <TextField
          label="Date"
          hint={`In ${placeLabel}.`}
          error={fields.date.errors ?? problemOf('date', timeProblem)}
          control={getInputProps(fields.date, { type: 'date' })}
          min={days.first}
          max={days.last}
        />
        <TextField
          label="Start time"
          hint="Local time."
          error={fields.time.errors ?? problemOf('time', timeProblem)}
          control={getInputProps(fields.time, { type: 'time' })}
        />
      </div>
      <NearTimes
        problem={timeProblem}
        onChoose={({ date, time }) => {
          setField('date', date)
          const input = setField('time', time)
          // The pressed button disappears, so the focus moves to the field.
          if (input instanceof HTMLElement) input.focus()
        }}
      />
    </>
  )
}

/** The total and the button, which stick to the lower edge on a phone. */
function ProceedBar({
  total,
  payText,
  onPress,
}: {
  total: ReturnType<typeof totalParts>
  payText: string | null
  onPress: () => void
}) {
  return (
    <div className="bottom-bar sticky bottom-0 z-10 -mx-(--gutter) flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-line bg-ground px-(--gutter) pt-3 pb-[max(12px,env(safe-area-inset-bottom))] md:static md:mx-0 md:border-0 md:px-0">
      {payText && total ? (
        <p className="figures w-full text-xs md:hidden" aria-hidden="true">
          {payText}
        </p>
      ) : null}
      <p className="md:hidden" aria-hidden="true">
        <span className="block text-xs text-quiet">Total</span>
        <span className="price block text-lg leading-tight">
          {total ? formatMoney(total.totalCents) : '–'}
        </span>
      </p>
      <Button type="submit" variant="primary" size="large" className="grow md:grow-0" onClick={onPress}>
        {PROCEED_TO_PAYMENT}
      </Button>
      <p className="hidden text-sm text-quiet md:block">Nothing is charged yet.</p>
    </div>
  )
}

function focusInvalid() {
  document.querySelector<HTMLElement>(`#${FORM_ID} [aria-invalid='true']`)?.focus()
}

/** The nearest free times when the chosen one is taken. Screen readers announce them. */
function NearTimes({
  problem,
  onChoose,
}: {
  problem: TimeProblem | null
  onChoose: (near: { date: LocalDate; time: LocalTime }) => void
}) {
  return (
    <div role="status" className="grid gap-3 empty:hidden">
      {problem && problem.alternatives.length > 0 ? (
        <>
          <p className="text-sm">
            <span className="unseen">{problem.message} </span>
            {NEAREST_FREE}
          </p>
          <div className="flex flex-wrap gap-3">
            {problem.alternatives.map((near) => (
              <Button key={`${near.date} ${near.time}`} size="small" onClick={() => onChoose(near)}>
                {nearTimeText(near)}
              </Button>
            ))}
          </div>
        </>
      ) : null}
    </div>
  )
}

/** Converts the server's errors into the form's submission result. */
function toResult(
  errors: BookingFieldErrors | null,
  start: BookingDraftFields,
): SubmissionResult<string[]> | null {
  if (!errors || Object.keys(errors).length === 0) return null
  return {
    status: 'error',
    initialValue: start,
    error: Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, [message]])),
  }
}
