import { type RefObject, useRef, useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { isLocalTime } from '../../../shared/dates.ts'
import { formatMoney, PRICE_UNITS, type PriceUnit, parsePrice } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { CheckboxField, FieldError, SelectField, TextAreaField, TextField } from '../../../ui/field.tsx'
import { FormSummary } from '../../../ui/form-summary.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { nearTimeText } from '../../availability/messages.ts'
import { BOOKING_TYPE_LABELS } from '../../bookings/messages.ts'
import { lineCents } from '../../pricing/line-rules.ts'
import { POLICY_LABELS } from '../../terms/policy-messages.ts'
import { POLICY_NAMES } from '../../terms/rules.ts'
import { useQuoteDraft } from '../browser/use-quote-draft.ts'
import {
  ADD_LINE,
  HOLD_LABELS,
  NEAREST_TIMES,
  SAVE_DRAFT,
  SEND_NEW_VERSION,
  SEND_QUOTE,
  START_FROM_PRICE,
  typedEventText,
  VENDOR_REFUSALS,
} from '../messages.ts'
import { countedIn, endOf, HOLD_HOURS, MAX_LINES, minutesUntil } from '../rules.ts'
import type { ComposerAnswer, ComposerStart } from '../schema.ts'
import './quote-composer.css'

type TypedLine = ComposerStart['lines'][number] & { key: number }

type Props = {
  start: ComposerStart
  answer: ComposerAnswer | undefined
  /** The path of the conversation without the form. */
  backTo: string
  customerName: string
}

/**
 * The form with which a vendor writes a quote in a conversation. The typed values are kept in the tab until the quote is
 * sent or saved. Without JavaScript a refused form comes back as it was sent.
 */
export function QuoteComposer(props: Props) {
  const { start, answer, backTo } = props
  const { form, kept } = useQuoteDraft({ backTo, version: start.version })
  const typed = kept ?? answer?.typed
  // Kept values begin a new form, since the fields have their own state.
  return (
    <ComposerForm
      {...props}
      key={kept ? 'kept' : 'new'}
      form={form}
      start={typed ? { ...start, ...typed } : start}
    />
  )
}

/** The form itself: the lines and their total, the event, the offer and its terms, and the buttons that send or save it. */
function ComposerForm({
  start,
  answer,
  backTo,
  customerName,
  form,
}: Props & { form: RefObject<HTMLFormElement | null> }) {
  const errors = atTypedFields(answer?.errors ?? {})
  const event = useTypedEvent(start)
  return (
    <Form
      ref={form}
      method="post"
      className="quote-composer"
      noValidate
      aria-label={`Quote for ${customerName}`}
    >
      <input type="hidden" name="version" value={start.version} />
      <div className="quote-composer-head">
        <h3 className="text-xl">{start.isReplacing ? 'New quote' : 'Quote'}</h3>
        <Link className="link" to={backTo}>
          Back to messages
        </Link>
      </div>
      {answer && answer.reason !== 'fields' ? (
        <Refusal reason={answer.reason} problem={answer.problem} />
      ) : null}
      <FormSummary
        attempt={answer}
        title="Please check these before you send"
        errors={Object.entries(errors).flatMap(([name, [message]]) =>
          message ? [{ fieldId: idOf(name), message }] : [],
        )}
      />
      <EventFields start={start} errors={errors} event={event} />
      <LinesFields start={start} errors={errors} event={event} />
      <OfferFields start={start} errors={errors} />
      <TermsFields start={start} errors={errors} />
      <ComposerButtons isReplacing={start.isReplacing} />
      <SendFailure />
    </Form>
  )
}

/** The reason why the quote was refused as a whole, with the nearest free times if its own is taken. */
function Refusal({ reason, problem }: Pick<ComposerAnswer, 'reason' | 'problem'>) {
  return (
    <div role="alert">
      <Banner tone="error" title={VENDOR_REFUSALS[reason]}>
        {problem ? (
          <>
            <p>{problem.message}</p>
            {problem.alternatives.length > 0 ? (
              <p className="figures mt-1">
                {NEAREST_TIMES} {problem.alternatives.map(nearTimeText).join(', or ')}
              </p>
            ) : null}
          </>
        ) : null}
      </Banner>
    </div>
  )
}

type FieldsProps = { start: ComposerStart; errors: ComposerAnswer['errors'] }

/** Moves the errors of what follows from other fields to the fields that are typed. */
function atTypedFields({ quantity, minutes, ...errors }: ComposerAnswer['errors']): ComposerAnswer['errors'] {
  return { ...(quantity ? { guests: quantity } : {}), ...(minutes ? { end: minutes } : {}), ...errors }
}

/**
 * The lines of the quote, with the buttons that add one, and their total.
 * @param event gives the hours or guests that lines follow
 */
function LinesFields({ start, errors, event }: FieldsProps & { event: TypedEvent }) {
  const { lines, add, addPriced, remove, type } = useLines(start, event)
  const box = useKeptFocus<HTMLFieldSetElement>()
  return (
    <fieldset ref={box}>
      <legend className="field-label unstyled-legend">Lines</legend>
      <FieldError id={idOf('lines')} message={errors.lines?.[0]} />
      {lines.map((line, index) => (
        <ComposerLine
          key={line.key}
          line={line}
          index={index}
          errors={errors}
          onType={(changed) => type(line.key, changed)}
          onRemove={lines.length > 1 ? () => remove(line.key) : null}
        />
      ))}
      <div className="quote-composer-sum">
        <div className="flex flex-wrap gap-3">
          <Button size="small" disabled={lines.length >= MAX_LINES} onClick={addPriced}>
            {START_FROM_PRICE}
          </Button>
          <Button size="small" icon={<Icon name="plus" />} disabled={lines.length >= MAX_LINES} onClick={add}>
            {ADD_LINE}
          </Button>
        </div>
        <p className="figures" aria-live="polite">
          Total{' '}
          <span className="price text-xl">
            {lines.some(({ optional }) => optional) ? 'from ' : ''}
            {formatMoney(sumOf(lines.filter(({ optional }) => !optional)))}
          </span>
        </p>
      </div>
    </fieldset>
  )
}

/** One line: its subject, quantity and price, whether it is optional, and the button that removes it. */
function ComposerLine({
  line,
  index,
  errors,
  onType,
  onRemove,
}: {
  line: TypedLine
  index: number
  errors: ComposerAnswer['errors']
  onType: (changed: Partial<TypedLine>) => void
  onRemove: (() => void) | null
}) {
  const field = (name: keyof ComposerStart['lines'][number]) => fieldOf(`lines[${index}].${name}`, errors)
  return (
    <div className="quote-composer-line">
      {line.follows ? <input type="hidden" name={`lines[${index}].follows`} value={line.follows} /> : null}
      <TextField
        {...field('label')}
        className="quote-composer-label"
        label="What"
        value={line.label}
        onChange={(event) => onType({ label: event.currentTarget.value })}
      />
      <TextField
        {...field('quantity')}
        label="Quantity"
        inputMode="numeric"
        value={line.quantity}
        onChange={(event) => onType({ quantity: event.currentTarget.value })}
      />
      <TextField
        {...field('unitPrice')}
        label="Price each"
        prefix="$"
        inputMode="decimal"
        value={line.unitPrice}
        onChange={(event) => onType({ unitPrice: event.currentTarget.value })}
      />
      <div className="quote-composer-end">
        <CheckboxField
          {...field('optional')}
          label="Optional"
          checked={line.optional}
          onChange={(event) => onType({ optional: event.currentTarget.checked })}
        />
        {onRemove ? (
          <IconButton label={`Remove line ${index + 1}`} onClick={onRemove}>
            <Icon name="trash-2" />
          </IconButton>
        ) : null}
      </div>
    </div>
  )
}

/** The event's day, start, end and guests, with what follows from them, and its unit where there is one to choose. */
function EventFields({ start, errors, event }: FieldsProps & { event: TypedEvent }) {
  return (
    <>
      {event.isUnitAsked ? null : <input type="hidden" name="bookingType" value={event.bookingType} />}
      <div className="quote-composer-row quote-composer-event">
        <TextField
          {...fieldOf('date', errors)}
          type="date"
          label="Day"
          min={start.today}
          defaultValue={start.date}
        />
        <TextField
          {...fieldOf('time', errors)}
          type="time"
          label="Starts"
          value={event.time}
          onChange={({ currentTarget }) => event.startAt(currentTarget.value)}
        />
        <TextField
          {...fieldOf('end', errors)}
          type="time"
          label="Ends"
          value={event.end}
          onChange={({ currentTarget }) => event.endAt(currentTarget.value)}
        />
        <TextField
          {...fieldOf('guests', errors)}
          label="Guests"
          inputMode="numeric"
          value={event.guests}
          onChange={({ currentTarget }) => event.setGuests(currentTarget.value)}
        />
        {event.isUnitAsked ? (
          <SelectField
            {...fieldOf('bookingType', errors)}
            label="Counted"
            options={PRICE_UNITS.map((value) => ({ value, label: BOOKING_TYPE_LABELS[value] }))}
            value={event.bookingType}
            onChange={({ currentTarget }) => event.setBookingType(currentTarget.value as PriceUnit)}
          />
        ) : null}
      </div>
      <p className="figures text-quiet empty:hidden" aria-live="polite">
        {event.text}
      </p>
    </>
  )
}

/** The event as typed. Until an end is typed, it follows the start by the listing's usual length. */
function useTypedEvent(start: ComposerStart) {
  const [time, setTime] = useState(start.time)
  const [end, setEnd] = useState(start.end)
  const [isEndTyped, setIsEndTyped] = useState(start.end !== '')
  const [guests, setGuests] = useState(start.guests)
  const [bookingType, setBookingType] = useState(start.bookingType)
  // A quote keeps the unit that the listing no longer has, until its vendor chooses the other.
  const [isUnitAsked] = useState(start.units.length > 1 || !start.units.includes(start.bookingType))
  const minutes = isLocalTime(time) && isLocalTime(end) ? minutesUntil(time, end) : null
  const people = /^\d{1,5}$/.test(guests.trim()) && Number(guests) > 0 ? Number(guests) : null
  return {
    time,
    end,
    guests,
    setGuests,
    bookingType,
    setBookingType,
    isUnitAsked,
    /** The event's hours or guests; null while they aren't typed. */
    countOf: (unit: PriceUnit) =>
      unit === 'perPerson' ? people : minutes && countedIn('perHour', minutes, people),
    text: minutes === null ? '' : typedEventText(time, minutes, people),
    startAt(typed: string) {
      setTime(typed)
      if (typed && !isEndTyped) setEnd(endOf(typed, start.usualMinutes))
    },
    endAt(typed: string) {
      setEnd(typed)
      setIsEndTyped(true)
    },
  }
}

type TypedEvent = ReturnType<typeof useTypedEvent>

/** The note to the customer, the last day of the offer, and how long it holds the time. */
function OfferFields({ start, errors }: FieldsProps) {
  return (
    <>
      <TextAreaField
        {...fieldOf('note', errors)}
        label="Message to the customer"
        optional
        rows={2}
        defaultValue={start.note}
      />
      <div className="quote-composer-row">
        <TextField
          {...fieldOf('validTo', errors)}
          type="date"
          label="Valid until the end of"
          min={start.today}
          defaultValue={start.validTo}
        />
        <SelectField
          {...fieldOf('holdHours', errors)}
          label="Hold the time"
          options={HOLD_HOURS.map((hours) => ({ value: String(hours), label: HOLD_LABELS[hours] }))}
          defaultValue={start.holdHours}
        />
      </div>
    </>
  )
}

/** The cancellation policy and the payment plan, folded away unless one of their fields has an error. */
function TermsFields({ start, errors }: FieldsProps) {
  return (
    <details open={Boolean(errors.depositPercent ?? errors.balanceDays ?? errors.policy ?? errors.plan)}>
      <summary className="link">Cancelling and payment</summary>
      <div className="quote-composer-row mt-3">
        <SelectField
          {...fieldOf('policy', errors)}
          label="Cancellation policy"
          options={POLICY_NAMES.map((value) => ({ value, label: POLICY_LABELS[value] }))}
          defaultValue={start.policy}
        />
        <SelectField
          {...fieldOf('plan', errors)}
          label="Customer pays"
          options={[
            { value: 'full', label: 'All at once' },
            { value: 'deposit', label: 'A deposit, then the balance' },
          ]}
          defaultValue={start.plan}
        />
        <TextField
          {...fieldOf('depositPercent', errors)}
          label="Deposit in %"
          inputMode="decimal"
          defaultValue={start.depositPercent}
        />
        <TextField
          {...fieldOf('balanceDays', errors)}
          label="Balance due, days before"
          inputMode="numeric"
          defaultValue={start.balanceDays}
        />
      </div>
    </details>
  )
}

/** The buttons that send the quote or save it as a draft. */
function ComposerButtons({ isReplacing }: Pick<ComposerStart, 'isReplacing'>) {
  const { formData, state } = useNavigation()
  const sending = state === 'idle' ? null : formData?.get('intent')
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        type="submit"
        name="intent"
        value="send-quote"
        variant="primary"
        pending={sending === 'send-quote'}
        waiting={Boolean(sending)}
        pendingText="Sending..."
      >
        {isReplacing ? SEND_NEW_VERSION : SEND_QUOTE}
      </Button>
      <Button
        type="submit"
        name="intent"
        value="save-quote"
        pending={sending === 'save-quote'}
        waiting={Boolean(sending)}
      >
        {SAVE_DRAFT}
      </Button>
    </div>
  )
}

const idOf = (name: string) => `quote-${name}`

/** The name, id and errors of a field: of the quote, or of a line such as `lines[0].label`. */
function fieldOf(name: keyof ComposerStart | `lines[${number}].${string}`, errors: ComposerAnswer['errors']) {
  return { name, id: idOf(name), error: errors[name] }
}

/** The lines as typed. Each keeps its key, so that removing one doesn't move the others' values. */
function useLines(start: ComposerStart, { bookingType, countOf }: TypedEvent) {
  const [typed, setLines] = useState<TypedLine[]>(() => start.lines.map((line, key) => ({ ...line, key })))
  const nextKey = useRef(start.lines.length)
  const lines = typed.map((line) => {
    const counted = line.follows ? countOf(line.follows) : null
    return counted === null ? line : { ...line, quantity: String(counted) }
  })
  const append = (line: Omit<TypedLine, 'key'>) => {
    const key = nextKey.current++
    // A line that is still empty makes room.
    setLines((before) => [
      ...before.filter(({ label, unitPrice }) => !line.label || label || unitPrice),
      { ...line, key },
    ])
  }
  return {
    lines,
    add: () => append({ label: '', quantity: '1', unitPrice: '', optional: false }),
    addPriced: () =>
      append({ ...start.prices[bookingType], quantity: '1', optional: false, follows: bookingType }),
    remove: (key: number) => setLines((before) => before.filter((line) => line.key !== key)),
    type: (key: number, changed: Partial<TypedLine>) =>
      setLines((before) =>
        before.map((line) =>
          line.key === key
            ? { ...line, ...changed, ...(changed.quantity === undefined ? {} : { follows: undefined }) }
            : line,
        ),
      ),
  }
}

/** The total of the lines that are complete. */
function sumOf(lines: readonly TypedLine[]): number {
  return lines.reduce((sum, { quantity, unitPrice }) => {
    const cents = parsePrice(unitPrice)
    return cents !== null && /^\d{1,5}$/.test(quantity)
      ? sum + lineCents({ quantity: Number(quantity), unitPriceCents: cents })
      : sum
  }, 0)
}
