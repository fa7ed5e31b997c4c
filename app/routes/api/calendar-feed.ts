import { createHash } from 'node:crypto'
import { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency, default as ical } from 'ical-generator'
import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { feedTitle } from '../../features/availability/messages.ts'
import { findFeedByToken } from '../../features/availability/outside-calendar-queries.server.ts'
import { type FeedBooking, listFeedBookings } from '../../features/bookings/list/calendar-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { addDays, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import { toOneLine } from '../../shared/one-line.ts'
import type { Route } from './+types/calendar-feed'

/** A calendar reads its feed a few times an hour, but one address may serve many vendors' calendars. */
const FEED_LIMIT = { max: 300, windowMs: 60_000 }
const TOKEN = /^[0-9a-z]{20,100}$/
const BACK_DAYS = 90
const AHEAD_DAYS = 1_100
const HOUR_S = 3_600

const statuses = {
  pending: ICalEventStatus.TENTATIVE,
  approved: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
} as const satisfies Record<FeedBooking['status'], ICalEventStatus>

const notThere = () =>
  new Response('There is no such calendar.', {
    status: 404,
    headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
  })

/**
 * A business's bookings for the vendor's calendar elsewhere, by its secret address. The feed contains times, and names
 * only if the vendor allows it: anyone who has the address can read it.
 */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { db, config, now, rateLimits } = context.get(servicesContext)
  if (!(await rateLimits.take(`calendar-feed:${limitedAddress(request)}`, FEED_LIMIT))) {
    return new Response('Too many requests for this calendar. Try again in a minute.', {
      status: 429,
      headers: { 'retry-after': String(FEED_LIMIT.windowMs / 1000), 'cache-control': 'no-store' },
    })
  }
  const { token } = params
  const feed = TOKEN.test(token) ? await findFeedByToken(db, token) : null
  if (!feed) return notThere()
  // Whole days, so that the same bookings give the same file all day long.
  const today = wallTimeAt(now(), feed.timeZone).date
  const bookings = await listFeedBookings(db, {
    businessId: feed.businessId,
    range: {
      from: wallTimeToUtc(addDays(today, -BACK_DAYS), '00:00', feed.timeZone),
      until: wallTimeToUtc(addDays(today, AHEAD_DAYS), '00:00', feed.timeZone),
    },
    now: now(),
  })
  const calendar = ical({
    name: toOneLine(feed.businessName),
    prodId: { company: config.brand, product: 'bookings', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: HOUR_S,
  })
  for (const booking of bookings) {
    calendar.createEvent({
      id: `${booking.bookingId}@${config.publicUrl.hostname}`,
      sequence: booking.version.sequence,
      stamp: booking.version.changedAt,
      start: booking.event.from,
      end: booking.event.until,
      summary: feedTitle(booking.status, feed.showsNames ? toOneLine(booking.customerName) : null),
      status: statuses[booking.status],
      // Some calendar apps show a cancelled event, and its time is free.
      ...(booking.status === 'cancelled' ? { transparency: ICalEventTransparency.TRANSPARENT } : {}),
    })
  }
  // The library leaves out the last line's end (RFC 5545, 3.1).
  const body = `${calendar.toString()}\r\n`
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = {
    etag,
    'cache-control': 'private, no-cache',
    'x-robots-tag': 'noindex',
  }
  if (namesTag(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  return new Response(body, {
    headers: {
      ...headers,
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="bookings.ics"',
    },
  })
}

/** Compression by a proxy turns a strong ETag into a weak one; the calendar is the same. */
function namesTag(header: string | null, etag: string): boolean {
  return (header ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
}
