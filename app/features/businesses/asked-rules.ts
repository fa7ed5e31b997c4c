import { formatDay, formatTime, isLocalDate, isLocalTime } from '../../shared/dates.ts'
import { type Cents, formatShortMoney, type PriceUnit, type UnitPrice } from '../../shared/money.ts'
import { type Months, periodText, readMonths, readWeekday, writeMonths } from '../../shared/periods.ts'
import { lineCents } from '../pricing/line-rules.ts'
import { MAX_PLACE_LENGTH } from './limits.ts'
import { listedPrice } from './price-rules.ts'
import type { Pricing } from './rules.ts'

/** The parts of a visitor's search that a booking can use. '' or null for what they haven't entered. */
export type Asked = {
  date: string
  time: string
  guests: number | null
  hours: number | null
  /** The months in which any day will do, as `writeMonths` writes them. They stay once a day is chosen. */
  months: string
  /** The weekday of those months, or `WEEKEND`. */
  weekday: string
  /** The place of the event, as it was typed. */
  place: string
}

export const NOTHING_ASKED: Asked = {
  date: '',
  time: '',
  guests: null,
  hours: null,
  months: '',
  weekday: '',
  place: '',
}

/** The parameters that carry it from a search to a business's page. The page is the same with or without them. */
export const ASKED_PARAMETERS = Object.keys(NOTHING_ASKED) as readonly (keyof Asked)[]

/** The key in session storage of a business's booking form as it was typed. */
export const bookingDraftKey = (businessId: string) => `booking-draft:${businessId}`

/** What an earlier page of the visit asked, for a business whose booking form keeps this day; '' for none. */
export function askedBeside(earlier: Asked, keptDate: string): Asked {
  return keptDate ? { ...earlier, date: '', time: '' } : earlier
}

/** The id of the section of a business's page in which they are chosen. */
export const FREE_DAYS_ID = 'free-days'

/** The query string of these parameters, '' for none. */
export function askedQuery(asked: Asked): string {
  const set = ASKED_PARAMETERS.flatMap((name) => (asked[name] ? [[name, String(asked[name])]] : []))
  return set.length > 0 ? `?${new URLSearchParams(set)}` : ''
}

/** Reads these parameters. Ignores values of another shape; the form and the server check them again. */
export function readAsked(queryString: string): Asked {
  const parameters = new URLSearchParams(queryString)
  const text = (name: string, isGood: (value: string) => boolean) => {
    const value = parameters.get(name) ?? ''
    return isGood(value) ? value : ''
  }
  const count = (name: string) => Number(text(name, (value) => /^[1-9]\d{0,4}$/.test(value))) || null
  const months = writeMonths(readMonths(parameters.get('months') ?? ''))
  return {
    date: text('date', isLocalDate),
    time: text('time', isLocalTime),
    guests: count('guests'),
    hours: count('hours'),
    months,
    weekday: months && readWeekday(parameters.get('weekday') ?? ''),
    place: text('place', (value) => value.length <= MAX_PLACE_LENGTH && value.trim() !== ''),
  }
}

/** Months, and perhaps a weekday, in which any day will do. */
export type Period = { months: Months; weekday: string }

/** The period that was asked for; null for none. */
export function periodAsked({ months, weekday }: Pick<Asked, 'months' | 'weekday'>): Period | null {
  const read = readMonths(months)
  return read && { months: read, weekday }
}

/**
 * What was asked, in words: ['Saturdays in March 2027', '90 guests', 'Williamstown']. A day replaces its months.
 * @returns [] for nothing
 */
export function askedTexts(asked: Asked): string[] {
  const period = periodAsked(asked)
  const when = asked.date
    ? formatDay(asked.date)
    : period && capitalised(periodText(period.months, period.weekday))
  return [
    when ?? '',
    asked.time && formatTime(asked.time),
    asked.guests ? guestsText(asked.guests) : '',
    asked.hours ? hoursText(asked.hours) : '',
    asked.place.replace(/,.*/, ''),
  ].filter(Boolean)
}

/**
 * The one price of a listing that counts for a number of guests, hours or both (Decision 28). It's the price of the
 * quantity that was given. With both it's the one with the lower total, and in all other cases the first.
 */
export function priceAsked(
  { guests, hours }: Pick<Asked, 'guests' | 'hours'>,
  { priceCents, priceUnit, secondPrice }: Pricing,
): UnitPrice {
  const first = { unit: priceUnit, cents: priceCents }
  if (!secondPrice || (guests === null && hours === null)) return first
  if (guests === null || hours === null)
    return secondPrice.unit === (hours === null ? 'perPerson' : 'perHour') ? secondPrice : first
  const total = ({ unit, cents }: UnitPrice) =>
    lineCents({ quantity: unit === 'perPerson' ? guests : hours, unitPriceCents: cents })
  return total(secondPrice) < total(first) ? secondPrice : first
}

/**
 * The total for what was asked.
 * @param maxGuests the most people that the business takes, whichever unit counts; null for no limit of its own
 * @returns null without a price or its quantity, and for what can't be booked
 */
export function totalAsked(
  asked: Pick<Asked, 'guests' | 'hours'>,
  pricing: Pricing,
  maxGuests: number | null,
): { cents: Cents; quantity: number; unit: PriceUnit } | null {
  if (maxGuests !== null && asked.guests !== null && asked.guests > maxGuests) return null
  const { unit } = priceAsked(asked, pricing)
  const quantity = unit === 'perPerson' ? asked.guests : asked.hours
  const price = listedPrice(pricing, unit, quantity)
  return price.ok && quantity !== null ? { cents: price.totalCents, quantity, unit } : null
}

const whole = new Intl.NumberFormat('en-AU')

/** '1 guest', '90 guests'. */
export function guestsText(guests: number): string {
  return guests === 1 ? '1 guest' : `${whole.format(guests)} guests`
}

/** '1 hour', '7 hours'. */
export function hoursText(hours: number): string {
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/** The quantity of a total: 'for 90 guests', 'for 7 hours'. */
export function forQuantityText(quantity: number, unit: PriceUnit): string {
  return `for ${unit === 'perPerson' ? guestsText(quantity) : hoursText(quantity)}`
}

/** '$7,560 for 90 guests', without cents if there are none. null without a total. */
export function totalAskedText(
  asked: Pick<Asked, 'guests' | 'hours'>,
  pricing: Pricing,
  maxGuests: number | null,
): string | null {
  const total = totalAsked(asked, pricing, maxGuests)
  if (!total) return null
  return `${formatShortMoney(total.cents)} ${forQuantityText(total.quantity, total.unit)}`
}

/** The query string of the booking form for what was asked, '' for nothing: its fields are filled in. */
export function bookingQuery(asked: Asked, pricing: Pricing): string {
  const { unit } = priceAsked(asked, pricing)
  const quantity = unit === 'perPerson' ? asked.guests : asked.hours
  const fields = {
    date: asked.date,
    time: asked.time,
    months: asked.months,
    weekday: asked.weekday,
    ...(quantity ? { quantity: String(quantity), type: unit } : {}),
  }
  const set = Object.entries(fields).filter(([, value]) => value)
  return set.length > 0 ? `?${new URLSearchParams(set)}` : ''
}

/** Begins a text with a capital. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * 'free on 13 March 2027', 'not free on 13 March 2027'. With a time that isn't free, 'not free at 4:00 pm on 13 March
 * 2027', since another time of that day may be.
 */
export function freeText(isFree: boolean, date: string, time = ''): string {
  const day = formatDay(date).split(' ').slice(1).join(' ')
  if (isFree) return `free on ${day}`
  return `not free ${time ? `at ${formatTime(time)} ` : ''}on ${day}`
}
