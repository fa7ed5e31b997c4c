import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Form, href } from 'react-router'
import { addDays, HOME_ZONE, isLocalDate, wallTimeAt } from '../../../shared/dates.ts'
import { formatMoney, type PriceUnit } from '../../../shared/money.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { SegmentedControl } from '../../../ui/tabs.tsx'
import type { MonthDays } from '../../availability/browser/use-availability.ts'
import { useAvailabilityNews } from '../../availability/browser/use-availability-news.ts'
import { FreeCalendar } from '../../availability/components/free-calendar.tsx'
import {
  NEAREST_FREE,
  NEAREST_FREE_DAYS,
  nearTimeText,
  timesTitle,
  tooManyGuestsText,
} from '../../availability/messages.ts'
import { MAX_HORIZON_DAYS } from '../../availability/rules.ts'
import {
  type Asked,
  capitalised,
  FREE_DAYS_ID,
  forQuantityText,
  freeText,
  type Period,
  periodAsked,
  priceAsked,
  totalAsked,
} from '../../businesses/asked-rules.ts'
import {
  type AskedTime,
  changeAsked,
  renewAskedTime,
  setGuestLimit,
  useAsked,
  useAskedTime,
  useGuestLimit,
} from '../../businesses/browser/use-asked.ts'
import { unitPriceText } from '../../businesses/messages.ts'
import type { BusinessView } from '../../businesses/queries.server.ts'
import { isBookable, offeredBookingTypes, unitPriceFor } from '../../businesses/rules.ts'
import { maxQuantity } from '../../pricing/rules.ts'
import {
  FREE_DAYS_TITLE,
  FREE_DAYS_UNITS,
  GO_TO_FORM,
  placeDaysText,
  QUANTITY_NAMES,
  totalMissingText,
} from '../messages.ts'

/** The height of the calendar in free-calendar.css: its head, six weeks, and two lines. */
const CALENDAR_HEIGHT_PX = 422
/** The calendar begins to load this far below the screen. */
const LOAD_AHEAD = '300px'

/**
 * The free days of a business, with the guests or hours and their total. Without JavaScript it is a plain form that
 * leads to the booking form with its fields filled in.
 */
export function FreeDays({ business }: { business: BusinessView }) {
  return isBookable(business) ? <Choices business={business} /> : null
}

/** The form of a date and a number of guests or hours, beside the calendar, with the total and whether the day is free. */
function Choices({ business }: { business: BusinessView }) {
  const asked = useAsked()
  const { unit, quantity, changeUnit } = useUnit(business, asked)
  const { months, weekday } = asked
  const period = useMemo(() => periodAsked({ months, weekday }), [months, weekday])
  const { month, maxGuests, keepMonth } = useMonthBounds(business.id)
  const news = useAvailabilityNews(business.id, asked.date !== '')
  useEffect(() => {
    if (news > 0) renewAskedTime()
  }, [news])
  const found = useAskedTime(business.id, asked, business)
  const form = useChoiceForm(asked, quantity)
  return (
    <section aria-labelledby={FREE_DAYS_ID}>
      <h2 id={FREE_DAYS_ID} className="scroll-mt-24 text-2xl">
        {FREE_DAYS_TITLE}
      </h2>
      <Form
        ref={form}
        action={href('/book/:id', { id: business.id })}
        state={{ business }}
        className="mt-6 grid items-start gap-x-10 gap-y-6 sm:max-md:grid-cols-2 lg:grid-cols-2"
        onInput={({ currentTarget }) => changeAsked(choiceOf(currentTarget))}
      >
        <CalendarInView
          businessId={business.id}
          unit={unit}
          hours={asked.hours}
          date={asked.date}
          period={period}
          news={news}
          onMonth={keepMonth}
        />
        <div className="grid gap-6">
          <UnitChoice types={offeredBookingTypes(business)} unit={unit} onChange={changeUnit} />
          <ChoiceFields unit={unit} quantity={quantity} month={month} maxGuests={maxGuests} />
          {(['time', 'months', 'weekday'] as const).map((name) =>
            asked[name] ? <input key={name} type="hidden" name={name} value={asked[name]} /> : null,
          )}
          <Result business={business} unit={unit} maxGuests={maxGuests} asked={asked} found={found} />
          <p className="text-sm text-quiet">{placeDaysText(business.location)}</p>
          <noscript>
            <Button type="submit" variant="brand">
              {GO_TO_FORM}
            </Button>
          </noscript>
        </div>
      </Form>
    </section>
  )
}

/** The chosen unit, the number of guests or hours, and the change to the other unit. */
function useUnit(business: BusinessView, asked: Asked) {
  // Without a quantity, the address can't say which of two units was chosen.
  const [chosenUnit, setChosenUnit] = useState<PriceUnit | null>(null)
  const hasQuantity = asked.guests !== null || asked.hours !== null
  const unit = hasQuantity || !chosenUnit ? priceAsked(asked, business).unit : chosenUnit
  const quantity = unit === 'perPerson' ? asked.guests : asked.hours
  const changeUnit = (next: PriceUnit) => {
    setChosenUnit(next)
    const own = next === 'perPerson' ? asked.guests : asked.hours
    // The same number counts the other unit, unless it is above that unit's maximum.
    const kept = own ?? (quantity && quantity <= maxQuantity(next) ? quantity : null)
    if (quantity) changeAsked(quantityOf(next, kept))
  }
  return { unit, quantity, changeUnit }
}

/** The bounds of the fields: the bookable days of the month that loaded last, and the guest limit. */
function useMonthBounds(businessId: string) {
  const [month, setMonth] = useState<MonthDays | null>(null)
  const maxGuests = useGuestLimit(businessId)
  const keepMonth = useCallback(
    (loaded: MonthDays) => {
      setMonth(loaded)
      setGuestLimit(businessId, loaded.maxGuests)
    },
    [businessId],
  )
  return { month, maxGuests, keepMonth }
}

/** The choice between guests and hours; a hidden field for a business that offers one of them. */
function UnitChoice({
  types,
  unit,
  onChange,
}: {
  types: readonly PriceUnit[]
  unit: PriceUnit
  onChange: (unit: PriceUnit) => void
}) {
  if (types.length <= 1) return <input type="hidden" name="type" value={unit} />
  return (
    <SegmentedControl
      label={FREE_DAYS_UNITS}
      name="type"
      value={unit}
      onChange={onChange}
      options={types.map((type) => ({ value: type, label: QUANTITY_NAMES[type] }))}
    />
  )
}

/** The fields of the date and of the number of guests or hours. */
function ChoiceFields({
  unit,
  quantity,
  month,
  maxGuests,
}: {
  unit: PriceUnit
  quantity: number | null
  month: MonthDays | null
  maxGuests: number | null
}) {
  const guestLimit = unit === 'perPerson' ? maxGuests : null
  return (
    <div className="flex flex-wrap items-start gap-3 *:first:grow-3 *:first:basis-40 *:last:grow-2 *:last:basis-28">
      <TextField
        label="Date"
        name="date"
        type="date"
        {...(month ? { min: month.first, max: month.last } : {})}
      />
      <TextField
        label={QUANTITY_NAMES[unit]}
        name="quantity"
        type="number"
        inputMode="numeric"
        autoComplete="off"
        min={1}
        max={Math.min(maxQuantity(unit), guestLimit || Number.POSITIVE_INFINITY)}
        step={1}
        error={guestLimit && quantity && quantity > guestLimit ? tooManyGuestsText(guestLimit) : undefined}
      />
    </div>
  )
}

/** Keeps the native fields in step with what is asked. What was typed before the script came counts too. */
function useChoiceForm(asked: Asked, quantity: number | null) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const typed = form.current && new FormData(form.current)
    if (form.current && (typed?.get('date') || typed?.get('quantity'))) {
      changeAsked(dropEmpty(choiceOf(form.current)))
    }
  }, [])
  useEffect(() => {
    setField(form.current, 'date', asked.date)
    setField(form.current, 'quantity', quantity ? String(quantity) : '')
  }, [asked.date, quantity])
  return form
}

/** Fills in a field that isn't in use. */
function setField(form: HTMLFormElement | null, name: 'date' | 'quantity', text: string): void {
  const input = form?.elements.namedItem(name)
  // A field in use keeps what is being typed, '0' and '-' included.
  if (input instanceof HTMLInputElement && input !== document.activeElement) input.value = text
}

/** The choices in the fields. Values that can't be asked for count as empty. */
function choiceOf(form: HTMLFormElement): Partial<Asked> {
  const fields = new FormData(form)
  const unit = fields.get('type') === 'perHour' ? 'perHour' : 'perPerson'
  const date = String(fields.get('date') ?? '')
  const quantity = String(fields.get('quantity') ?? '')
  return {
    date: isLocalDate(date) ? date : '',
    ...quantityOf(unit, /^[1-9]\d{0,4}$/.test(quantity) ? Number(quantity) : null),
  }
}

const quantityOf = (unit: PriceUnit, quantity: number | null): Pick<Asked, 'guests' | 'hours'> =>
  unit === 'perPerson' ? { guests: quantity, hours: null } : { guests: null, hours: quantity }

const dropEmpty = (change: Partial<Asked>): Partial<Asked> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value))

/** The calendar, once it comes near the screen: until then nothing asks the server. */
function CalendarInView({
  businessId,
  unit,
  hours,
  date,
  period,
  news,
  onMonth,
}: {
  businessId: string
  unit: PriceUnit
  hours: number | null
  date: string
  period: Period | null
  news: number
  onMonth: (month: MonthDays) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setNear(true)
      },
      { rootMargin: LOAD_AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const [bounds, setBounds] = useState<{ first: string; last: string } | null>(null)
  const keep = useCallback(
    (month: MonthDays) => {
      setBounds((before) => before ?? { first: month.first, last: month.last })
      onMonth(month)
    },
    [onMonth],
  )
  return (
    <div ref={box}>
      {isNear ? (
        <FreeCalendar
          businessId={businessId}
          length={{
            bookingType: unit,
            quantity: unit === 'perHour' ? Math.min(hours ?? 1, maxQuantity(unit)) : 1,
          }}
          {...(bounds ?? unknownBounds())}
          date={date}
          period={period}
          news={news}
          onChoose={(day) => changeAsked({ date: day })}
          onMonth={keep}
        />
      ) : (
        <Skeleton height={CALENDAR_HEIGHT_PX} />
      )}
    </div>
  )
}

/** Until the server has said which days can be booked. */
function unknownBounds() {
  const first = wallTimeAt(new Date(), HOME_ZONE).date
  return { first, last: addDays(first, MAX_HORIZON_DAYS) }
}

/** The total, whether the day is free, and the nearest days or times if it isn't. */
function Result({
  business,
  unit,
  maxGuests,
  asked,
  found,
}: {
  business: BusinessView
  unit: PriceUnit
  maxGuests: number | null
  asked: Asked
  found: AskedTime | null
}) {
  const total = totalAsked(asked, business, maxGuests)
  // Beside the field of the guests, its error says so.
  const isTooManyForHours = unit === 'perHour' && maxGuests !== null && (asked.guests ?? 0) > maxGuests
  const price = unitPriceFor(business, unit)
  return (
    <div className="grid gap-3">
      <p role="status" className="figures">
        {total ? (
          <>
            <span className="flex flex-wrap items-baseline gap-x-2">
              <span className="price text-2xl">{formatMoney(total.cents)}</span>{' '}
              {forQuantityText(total.quantity, total.unit)}
            </span>
            {price === null ? null : (
              <span className="block text-sm text-quiet">{unitPriceText(price, unit)}</span>
            )}
          </>
        ) : (
          <span className="text-quiet">
            {isTooManyForHours ? tooManyGuestsText(maxGuests) : totalMissingText(unit)}
          </span>
        )}
        {asked.date && found ? (
          <span className="mt-2 block font-semibold">{`${capitalised(freeText(found.isFree, asked.date, asked.time))}.`}</span>
        ) : null}
      </p>
      {found && !found.isFree && found.nearest.length > 0 ? (
        <div className="grid gap-3">
          <p className="text-sm">{found.nearest[0]?.time ? NEAREST_FREE : NEAREST_FREE_DAYS}</p>
          <div className="flex flex-wrap gap-3">
            {found.nearest.map(({ date, time }) => (
              <Button
                key={`${date} ${time}`}
                size="small"
                onClick={({ currentTarget }) => {
                  // The pressed button disappears, so the focus moves to the date.
                  setField(currentTarget.form, 'date', date)
                  currentTarget.form?.querySelector<HTMLElement>('[name="date"]')?.focus()
                  changeAsked(time ? { date, time } : { date })
                }}
              >
                {time ? nearTimeText({ date, time }) : timesTitle(date)}
              </Button>
            ))}
          </div>
        </div>
      ) : null}
    </div>
  )
}
