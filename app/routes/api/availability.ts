import { CLIENT_ADDRESS_HEADER } from '../../adapters/accounts/port.ts'
import { findAvailability, listTaken } from '../../features/availability/queries.server.ts'
import {
  AVAILABILITY_LIMIT,
  type AvailabilityRules,
  bookableDays,
  checkWish,
  dayStates,
  eventSpan,
  freeTimes,
  isFree,
  NEAREST_WITHIN_DAYS,
  nearestFreeTimes,
  occupiedSpan,
  type Taken,
  takenRange,
  type Wish,
} from '../../features/availability/rules.ts'
import { availabilityQuerySchema } from '../../features/availability/schema.ts'
import {
  AVAILABILITY_ERROR_MESSAGES,
  REFUSAL_FIELDS,
  refusalText,
} from '../../features/availability/wording.ts'
import { findBookingOffer } from '../../features/bookings/queries.server.ts'
import { BUSINESS_ID } from '../../features/businesses/rules.ts'
import { BROWSER_PAYMENTS_COOKIE } from '../../features/payments/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { addDays, type LocalDate } from '../../shared/dates.ts'
import { jsonAnswer } from '../../shared/json-body.ts'
import { readSignedList } from '../../shared/signed.ts'
import type { Route } from './+types/availability'

/** What takes a business's time around some days, as this browser sees it. */
type TakenAround = (first: LocalDate, last: LocalDate) => Promise<Taken[]>

/**
 * When a business can be booked, for everybody. With `type` and `quantity` it answers
 * '?month=2027-03' with `{ days: { '2027-03-01': 'free', … } }`, '?day=2027-03-13' with `{ times: ['08:00', …] }`, and
 * '?date=2027-03-13&time=16:00' with `{ refusal: null }` or why not, beside which field, and what is free instead.
 */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, config, now, rateLimits } = context.get(servicesContext)
  const asked = availabilityQuerySchema.safeParse(Object.fromEntries(url.searchParams))
  if (!asked.success) return refusal(400, 'malformed')
  const address = request.headers.get(CLIENT_ADDRESS_HEADER) ?? 'unknown'
  if (!(await rateLimits.take(`availability:${address.slice(0, 100)}`, AVAILABILITY_LIMIT))) {
    return refusal(429, 'rate_limited', { 'retry-after': String(AVAILABILITY_LIMIT.windowMs / 1000) })
  }
  if (!BUSINESS_ID.test(params.businessId)) return refusal(404, 'not_found')
  const [offer, rules] = await Promise.all([
    findBookingOffer(db, params.businessId),
    findAvailability(db, params.businessId),
  ])
  if (!offer || !rules) return refusal(404, 'not_found')

  const at = now()
  const { first, last } = bookableDays(rules, at)
  const query = asked.data
  const length = { bookingType: query.type, quantity: query.quantity }
  // This browser's own hold is not in its way.
  const exceptPayments = await readSignedList(
    request.headers.get('cookie'),
    BROWSER_PAYMENTS_COOKIE,
    config.secret,
  )
  const takenAround: TakenAround = async (from, to) => {
    if (from > last || to < first) return []
    const range = takenRange(from < first ? first : from, to > last ? last : to)
    return await listTaken(db, params.businessId, range, at, { exceptPayments })
  }
  if ('month' in query) {
    const days = daysOfMonth(query.month)
    const taken = await takenAround(days[0] ?? '', days.at(-1) ?? '')
    const states = dayStates(rules, taken, days, length, at)
    return jsonAnswer(200, { days: Object.fromEntries(days.map((day, index) => [day, states[index]])) })
  }
  if ('day' in query) {
    const taken = await takenAround(query.day, query.day)
    return jsonAnswer(200, { times: freeTimes(rules, taken, query.day, length, at) })
  }
  return jsonAnswer(
    200,
    await check(rules, { ...length, date: query.date, time: query.time }, at, takenAround),
  )
}

async function check(rules: AvailabilityRules, wish: Wish, at: Date, takenAround: TakenAround) {
  const taken = await takenAround(
    addDays(wish.date, -NEAREST_WITHIN_DAYS),
    addDays(wish.date, NEAREST_WITHIN_DAYS),
  )
  const fits = () => isFree(rules, taken, occupiedSpan(rules, eventSpan(rules, wish)))
  const why = checkWish(rules, wish, at) ?? (fits() ? null : 'taken')
  if (!why) return { refusal: null }
  return {
    refusal: why,
    field: REFUSAL_FIELDS[why],
    message: refusalText(why, rules, wish),
    // Another time is no help for too many guests.
    alternatives: why === 'too_many_guests' ? [] : nearestFreeTimes(rules, taken, wish, at),
  }
}

function daysOfMonth(month: string): LocalDate[] {
  const [year = 0, number = 0] = month.split('-').map(Number)
  // The day before the first of the next month.
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`)
}

function refusal(
  status: number,
  code: keyof typeof AVAILABILITY_ERROR_MESSAGES,
  headers?: HeadersInit,
): Response {
  return jsonAnswer(status, { error: { code, message: AVAILABILITY_ERROR_MESSAGES[code] } }, headers)
}
