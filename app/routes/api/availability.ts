import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { bookableDays, dayStates, freeTimes } from '../../features/availability/free-time-rules.ts'
import { findAvailability } from '../../features/availability/hours-queries.server.ts'
import { AVAILABILITY_ERROR_MESSAGES, timeProblem } from '../../features/availability/messages.ts'
import { daysAround, firstFreeDay, nearestFreeDays } from '../../features/availability/nearest-day-rules.ts'
import { AVAILABILITY_LIMIT, rulesFor, takenRange } from '../../features/availability/rules.ts'
import { availabilityQuerySchema } from '../../features/availability/schema.ts'
import { findTime, listTaken } from '../../features/availability/slot-queries.server.ts'
import { usualPart } from '../../features/availability/start-time-rules.ts'
import { findCurrentSlot } from '../../features/bookings/changes/queries.server.ts'
import { findBookingOffer, listRecentStarts } from '../../features/bookings/checkout/queries.server.ts'
import { BUSINESS_ID } from '../../features/businesses/rules.ts'
import { BROWSER_PAYMENTS_COOKIE } from '../../features/payments/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { LocalDate } from '../../shared/dates.ts'
import { jsonAnswer } from '../../shared/json-body.ts'
import { daysOf, monthsBetween } from '../../shared/periods.ts'
import { readSignedList } from '../../shared/signed-cookie.server.ts'
import type { Route } from './+types/availability'

/**
 * When a business can be booked, without signing in. With `type` and `quantity`, '?month=2027-03' returns `{ days: {
 * '2027-03-01': 'free', … }, first, last, maxGuests }`, where the last three are the first and last bookable day and the
 * guest limit. '?nearest=2027-03-13' returns `{ nearest: ['2027-03-12', …] }`, free days; '?fitting=2027-03..2027-05' with
 * 'weekday=Saturday' returns `{ fitting: '2027-03-06' }`, the first free day of a period or null. '?day=2027-03-13' returns
 * `{ times: ['08:00', …], usual: 'afternoon', maxGuests }`, with the part of the day in which most of the vendor's bookings start. '?date=2027-03-13&time=16:00' returns `{ refusal: null }`, or the reason, its field and
 * alternatives. With `own`, the signed key of a booking that could move, that booking's own time is free.
 */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, config, now, rateLimits } = context.get(servicesContext)
  const parsed = availabilityQuerySchema.safeParse(Object.fromEntries(url.searchParams))
  if (!parsed.success) return refusal(400, 'malformed')
  // Each month is as much work as a page of the calendar.
  const uses =
    'fitting' in parsed.data ? monthsBetween(parsed.data.fitting.first, parsed.data.fitting.last).length : 1
  if (!(await rateLimits.take(`availability:${limitedAddress(request)}`, AVAILABILITY_LIMIT, uses))) {
    return refusal(429, 'rate_limited', { 'retry-after': String(AVAILABILITY_LIMIT.windowMs / 1000) })
  }
  if (!BUSINESS_ID.test(params.businessId)) return refusal(404, 'not_found')
  const query = parsed.data
  const [offer, present, currentSlot] = await Promise.all([
    findBookingOffer(db, params.businessId),
    findAvailability(db, params.businessId),
    query.own
      ? findCurrentSlot({ db, secret: config.secret }, { signed: query.own, businessId: params.businessId })
      : null,
  ])
  // A booking can move although its listing takes no new ones.
  if ((!offer && !currentSlot) || !present) return refusal(404, 'not_found')

  const at = now()
  const rules = rulesFor(present, currentSlot)
  const length = {
    bookingType: query.type,
    quantity: query.quantity,
    ...(currentSlot?.minutes === undefined ? {} : { minutes: currentSlot.minutes }),
  }
  // This browser's own hold doesn't count as taken.
  const exceptPayments = await readSignedList(
    request.headers.get('cookie'),
    BROWSER_PAYMENTS_COOKIE,
    config.secret,
  )
  if ('date' in query) {
    const slotRequest = { ...length, date: query.date, time: query.time }
    const found = await findTime(db, {
      businessId: params.businessId,
      slotRequest,
      now: at,
      exceptPayments,
      currentSlot,
    })
    if (!found) return refusal(404, 'not_found')
    return jsonAnswer(200, found.ok ? { refusal: null } : { refusal: found.why, ...timeProblem(found) })
  }
  const { first, last } = bookableDays(rules, at)
  const days =
    'month' in query
      ? daysOfMonth(query.month)
      : 'fitting' in query
        ? daysOf(query.fitting, query.weekday, first)
        : 'nearest' in query
          ? daysAround(rules, query.nearest, at)
          : [query.day]
  // Look up only days that can be booked, whatever the query asks for.
  const bookable = days.filter((day) => first <= day && day <= last)
  const range = takenRange(bookable[0] ?? first, bookable.at(-1) ?? first)
  const taken = await listTaken(db, params.businessId, range, at, { exceptPayments, currentSlot })
  const { maxGuests } = rules
  if ('day' in query) {
    const times = freeTimes(rules, taken, query.day, length, at)
    const usual = usualPart(await listRecentStarts(db, params.businessId))
    return jsonAnswer(200, { times, usual, maxGuests })
  }
  if ('fitting' in query) {
    return jsonAnswer(200, { fitting: firstFreeDay(rules, taken, bookable, length, at) })
  }
  if ('nearest' in query) {
    return jsonAnswer(200, { nearest: nearestFreeDays(rules, taken, query.nearest, length, at) })
  }
  const states = dayStates(rules, taken, days, length, at)
  return jsonAnswer(200, {
    days: Object.fromEntries(days.map((day, index) => [day, states[index]])),
    first,
    last,
    maxGuests,
  })
}

function daysOfMonth(month: string): LocalDate[] {
  const [year = 0, number = 0] = month.split('-').map(Number)
  // Day 0 of the next month is the last day of this one.
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
