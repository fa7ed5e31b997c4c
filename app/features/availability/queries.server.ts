import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { addDays, type LocalDate, type LocalTime, wallTimeAt } from '../../shared/dates.ts'
import type { PriceUnit } from '../../shared/money.ts'
import { hashText } from '../../shared/signed.ts'
import { toSecondPrice } from '../businesses/queries.server.ts'
import type { Pricing } from '../businesses/rules.ts'
import {
  type AvailabilityRules,
  checkWish,
  defaultAvailability,
  eventSpan,
  freeTimes,
  type HoursException,
  isFree,
  MAX_HORIZON_DAYS,
  NEAREST_WITHIN_DAYS,
  nearestFreeTimes,
  occupiedSpan,
  type Taken,
  type TimeRefusal,
  type TimeSpan,
  takenRange,
  type Wish,
} from './rules.ts'

/** A range as PostgreSQL reads it: half open, in UTC. */
export function rangeText({ from, until }: TimeSpan): string {
  return `[${from.toISOString()},${until.toISOString()})`
}

/**
 * What a business offers and when: what its vendor has set, else its category's defaults, in the zone of its place.
 * @returns null when there is no such business (any more)
 */
export async function findAvailability(
  db: Database | DatabaseTransaction,
  businessId: string,
): Promise<AvailabilityRules | null> {
  return (await listAvailability(db, [businessId])).get(businessId)?.rules ?? null
}

/** The same of several businesses, each with its prices. */
async function listAvailability(
  db: Database | DatabaseTransaction,
  businessIds: readonly string[],
): Promise<Map<string, { rules: AvailabilityRules; pricing: Pricing }>> {
  // A place is looked up for each of these businesses, where a plain join reads all there are: 1.1 ms of 1.7 for sixty.
  const rows = await db
    .selectFrom('businesses')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('places')
          .whereRef('places.id', '=', 'businesses.place_id')
          .select('places.time_zone')
          .limit(1)
          .as('place'),
      (join) => join.onTrue(),
    )
    .leftJoin('availability_settings as set', 'set.business_id', 'businesses.id')
    .select([
      'businesses.id',
      'businesses.category',
      'businesses.price_cents',
      'businesses.price_unit',
      'businesses.second_price_cents',
      'businesses.second_price_unit',
      'place.time_zone',
      'set.capacity',
      'set.max_guests',
      'set.weekly',
      'set.event_minutes',
      'set.setup_minutes',
      'set.cleanup_minutes',
      'set.notice_minutes',
      'set.horizon_days',
      sql<HoursException[]>`coalesce((
        select json_agg(json_build_object('from', to_char(from_day, 'YYYY-MM-DD'), 'to', to_char(to_day, 'YYYY-MM-DD'),
          'hours', hours, 'note', note) order by number)
        from availability_exceptions where business_id = businesses.id), '[]')`.as('exceptions'),
    ])
    .where('businesses.id', 'in', businessIds)
    .where('businesses.deleted_at', 'is', null)
    .execute()
  return new Map(
    rows.map((row) => {
      const usual = defaultAvailability(row.category, row.time_zone)
      const rules: AvailabilityRules =
        row.capacity === null
          ? { ...usual, exceptions: row.exceptions }
          : {
              timeZone: row.time_zone,
              capacity: row.capacity,
              maxGuests: row.max_guests,
              weekly: row.weekly ?? usual.weekly,
              exceptions: row.exceptions,
              eventMinutes: row.event_minutes ?? usual.eventMinutes,
              setupMinutes: row.setup_minutes ?? usual.setupMinutes,
              cleanupMinutes: row.cleanup_minutes ?? usual.cleanupMinutes,
              noticeMinutes: row.notice_minutes ?? usual.noticeMinutes,
              horizonDays: row.horizon_days ?? usual.horizonDays,
            }
      const pricing: Pricing = {
        priceCents: Number(row.price_cents),
        priceUnit: row.price_unit,
        secondPrice: toSecondPrice(row),
      }
      return [row.id, { rules, pricing }]
    }),
  )
}

/** What a visitor looks for at many businesses at once; null is what they have not said. */
export type SearchedTime = {
  date: LocalDate | null
  time: LocalTime | null
  guests: number | null
  hours: number | null
  /** By which of its prices a business would be booked. */
  unitOf: (pricing: Pricing) => PriceUnit
}

/**
 * Which of these businesses can be booked as wished, at this moment, by the unit that the search compares. Without a time it is
 * enough that one on that day is free; without guests or hours, that one of them can be booked; without a day, that
 * there is room.
 */
export async function listBookable(
  db: Database,
  businessIds: readonly string[],
  { date, time, guests, hours, unitOf }: SearchedTime,
  now: Date,
): Promise<Set<string>> {
  // No business is booked further ahead, and the database has no word for days in ten thousand years.
  const today = wallTimeAt(now, 'UTC').date
  if (date && (date < addDays(today, -1) || date > addDays(today, MAX_HORIZON_DAYS + 1))) return new Set()
  if (businessIds.length === 0) return new Set()
  const [offers, taken] = await Promise.all([
    listAvailability(db, businessIds),
    date ? listTakenBy(db, businessIds, takenRange(date, date), now) : new Map<string, Taken[]>(),
  ])
  // Most businesses have the rules of their category, so most answers are known after a few.
  const refusals = new Map<string, boolean>()
  const isRefused = (rules: AvailabilityRules, wish: Wish) => {
    const key = JSON.stringify([rules, wish])
    const known = refusals.get(key) ?? checkWish(rules, wish, now) !== null
    refusals.set(key, known)
    return known
  }
  const bookable = businessIds.filter((id) => {
    const offer = offers.get(id)
    if (!offer) return false
    const { rules, pricing } = offer
    // However it is paid for, no more may come than there is room.
    if (guests !== null && rules.maxGuests !== null && guests > rules.maxGuests) return false
    if (date === null) return true
    const bookingType = unitOf(pricing)
    const length = { bookingType, quantity: (bookingType === 'perPerson' ? guests : hours) ?? 1 }
    const own = taken.get(id) ?? []
    if (time === null) return freeTimes(rules, own, date, length, now).length > 0
    const wish = { ...length, date, time }
    if (isRefused(rules, wish)) return false
    return own.length === 0 || isFree(rules, own, occupiedSpan(rules, eventSpan(rules, wish)))
  })
  return new Set(bookable)
}

/** What takes time of several businesses within a range, as `listTaken` has it for one. */
async function listTakenBy(
  db: Database,
  businessIds: readonly string[],
  range: TimeSpan,
  now: Date,
): Promise<Map<string, Taken[]>> {
  const within = sql`${rangeText(range)}::tstzrange`
  // One look into the index for each business: all at once, it would go through everything taken on that day.
  const found = await sql<{ id: string; from: Date; until: Date; whole: boolean }>`
    select wanted.id, taken.* from unnest(${[...businessIds]}::text[]) wanted (id)
    cross join lateral (
      select lower(during) as from, upper(during) as until, kind = 'block' as whole
      from slots
      where business_id = wanted.id and during && ${within}
        and (expires_at is null or expires_at > ${now.toISOString()}::timestamptz)
      union all
      select lower(e.during), upper(e.during), true
      from outside_calendars c join outside_events e on e.calendar_id = c.id
      where c.business_id = wanted.id and e.during && ${within}) taken`.execute(db)
  const taken = new Map<string, Taken[]>()
  for (const { id, from, until, whole } of found.rows) {
    taken.set(id, [...(taken.get(id) ?? []), { from, until, wholeCapacity: whole }])
  }
  return taken
}

/**
 * What takes time of a business within a range: bookings, holds that are not void, blocked times, and the events of its
 * outside calendars; the last two take all of the capacity.
 * @param options.exceptPayments this browser's payments (`BROWSER_PAYMENTS_COOKIE`): their holds are not in its way, but
 *   what is being charged already is
 * @param options.exceptSubmitKey the same for the payment of this key: a double click is not in its own way
 */
export async function listTaken(
  db: Database | DatabaseTransaction,
  businessId: string,
  range: TimeSpan,
  now: Date,
  options: { exceptPayments?: readonly string[]; exceptSubmitKey?: string } = {},
): Promise<Taken[]> {
  const within = sql`${rangeText(range)}::tstzrange`
  const except = sql`${[...(options.exceptPayments ?? [])]}::text[]`
  const found = await sql<{ from: Date; until: Date; whole: boolean }>`
    select lower(during) as from, upper(during) as until, kind = 'block' as whole
    from slots
    where business_id = ${businessId} and during && ${within}
      and (expires_at is null or (expires_at > ${now.toISOString()}::timestamptz and payment_id <> all (${except})
        and payment_id not in (select id from payments where submit_key = ${options.exceptSubmitKey ?? ''})))
    union all
    select lower(e.during), upper(e.during), true
    from outside_calendars c join outside_events e on e.calendar_id = c.id
    where c.business_id = ${businessId} and e.during && ${within}
  `.execute(db)
  return found.rows.map(({ from, until, whole }) => ({ from, until, wholeCapacity: whole }))
}

/** A time as it is agreed: the event, what it takes with setting up and cleaning, and the zone of the place. */
export type AgreedTime = { event: TimeSpan; occupied: TimeSpan; timeZone: string }

/** A wish that can't be had, why, and the free times that are nearest to it. */
export type TimeGone = {
  ok: false
  reason: 'time_gone'
  why: TimeRefusal
  wish: Wish
  rules: AvailabilityRules
  alternatives: { date: LocalDate; time: LocalTime }[]
}

/** A wish for a business's time; the last two are as in `listTaken`. */
export type TimeWish = {
  businessId: string
  wish: Wish
  now: Date
  exceptPayments: readonly string[]
  exceptSubmitKey?: string
}

/**
 * Looks whether a business can be booked as wished, at this moment and without taking anything.
 * @returns null when there is no such business; refuses with 'time_gone'
 */
export async function findTime(
  db: Database,
  wanted: TimeWish,
): Promise<{ ok: true; rules: AvailabilityRules; time: AgreedTime } | TimeGone | null> {
  const rules = await findAvailability(db, wanted.businessId)
  if (!rules) return null
  const refusal = checkWish(rules, wanted.wish, wanted.now)
  const taken = await listTakenAround(db, wanted, rules)
  if (refusal) return offerOthers(wanted, rules, taken, refusal)
  const event = eventSpan(rules, wanted.wish)
  const occupied = occupiedSpan(rules, event)
  if (!isFree(rules, taken, occupied)) return offerOthers(wanted, rules, taken, 'taken')
  return { ok: true, rules, time: { event, occupied, timeZone: rules.timeZone } }
}

/** The refusal of a wish that somebody else had a moment before, with the free times that are nearest to it. */
export async function findOtherTimes(
  db: Database,
  wanted: TimeWish,
  rules: AvailabilityRules,
): Promise<TimeGone> {
  return offerOthers(wanted, rules, await listTakenAround(db, wanted, rules), 'taken')
}

/**
 * What is taken around a wish, as far as other times are looked for. Read once for both: when many want one time at the
 * same moment, it is the number of reads that makes them wait.
 */
async function listTakenAround(db: Database, wanted: TimeWish, rules: AvailabilityRules): Promise<Taken[]> {
  const { businessId, wish, now } = wanted
  // Only days that can be booked at all: a wish can be centuries away.
  const today = wallTimeAt(now, rules.timeZone).date
  const from = later(addDays(wish.date, -NEAREST_WITHIN_DAYS), addDays(today, -1))
  const to = earlier(addDays(wish.date, NEAREST_WITHIN_DAYS), addDays(today, rules.horizonDays + 1))
  return from > to ? [] : listTaken(db, businessId, takenRange(from, to), now, wanted)
}

function offerOthers(
  { wish, now }: TimeWish,
  rules: AvailabilityRules,
  taken: readonly Taken[],
  why: TimeRefusal,
): TimeGone {
  // No other time lets more guests in.
  const alternatives = why === 'too_many_guests' ? [] : nearestFreeTimes(rules, taken, wish, now)
  return { ok: false, reason: 'time_gone', why, wish, rules, alternatives }
}

const later = (one: LocalDate, other: LocalDate) => (one > other ? one : other)
const earlier = (one: LocalDate, other: LocalDate) => (one < other ? one : other)

/** Whether a payment's time is kept free for it. */
export async function isHeld(
  db: Database | DatabaseTransaction,
  paymentId: string,
  now: Date,
): Promise<boolean> {
  const hold = await db
    .selectFrom('slots')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  return hold !== undefined
}

/** One thing in a vendor's calendar. */
export type CalendarEntry = {
  /** Of the slot; of an outside event one that changes with every reading. */
  id: string
  kind: 'booking' | 'hold' | 'block' | 'outside'
  event: TimeSpan
  /** With setting up and cleaning. */
  occupied: TimeSpan
  /** The customer's name, the note of a blocked time, or what an outside calendar calls it; '' for a hold. */
  title: string
  /** Of a booking. */
  bookingId: string | null
  status: 'pending' | 'approved' | null
  /** The outside calendar that it comes from. */
  calendarName: string | null
  /** More is going on then than the vendor takes at once, and somebody has to decide. */
  isConflict: boolean
}

/**
 * Everything in a business's calendar within a range, in order of time. The caller has shown that it is the vendor's.
 */
export async function listCalendarEntries(
  db: Database | DatabaseTransaction,
  input: { businessId: string; range: TimeSpan; now: Date },
): Promise<CalendarEntry[]> {
  const within = sql`${rangeText(input.range)}::tstzrange`
  const rules = await findAvailability(db, input.businessId)
  const found = await sql<{
    id: string
    kind: CalendarEntry['kind']
    taken_from: Date
    taken_until: Date
    event_from: Date
    event_until: Date
    title: string
    booking_id: string | null
    status: CalendarEntry['status']
    calendar_name: string | null
  }>`
    select s.id, s.kind, lower(s.during) as taken_from, upper(s.during) as taken_until,
      lower(s.event) as event_from, upper(s.event) as event_until,
      coalesce(b.customer_name, s.note) as title, s.booking_id, b.status, null as calendar_name
    from slots s left join bookings b on b.id = s.booking_id
    where s.business_id = ${input.businessId} and s.during && ${within}
      and (s.expires_at is null or s.expires_at > ${input.now.toISOString()}::timestamptz)
    union all
    select 'outside-' || e.id, 'outside', lower(e.during), upper(e.during), lower(e.during), upper(e.during),
      e.title, null, null, c.name
    from outside_calendars c join outside_events e on e.calendar_id = c.id
    where c.business_id = ${input.businessId} and e.during && ${within}
    order by taken_from, id
  `.execute(db)
  const entries = found.rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    event: { from: row.event_from, until: row.event_until },
    occupied: { from: row.taken_from, until: row.taken_until },
    title: row.title,
    bookingId: row.booking_id,
    status: row.status,
    calendarName: row.calendar_name,
  }))
  const overbooked = overbookedSpans(entries, rules?.capacity ?? 1)
  return entries.map((entry) => ({
    ...entry,
    isConflict: overbooked.some(
      (span) => span.from < entry.occupied.until && entry.occupied.from < span.until,
    ),
  }))
}

/**
 * When customers are in a business's calendar and more is going on than it takes at once. Blocked and outside times may
 * overlap each other: where no customer is in it, there is nothing to decide.
 */
function overbookedSpans(
  entries: readonly Pick<CalendarEntry, 'kind' | 'occupied'>[],
  capacity: number,
): TimeSpan[] {
  const changes = entries.flatMap(({ kind, occupied }) => {
    const isCustomers = kind === 'booking' || kind === 'hold'
    const change = isCustomers ? { customers: 1, places: 1 } : { customers: 0, places: capacity }
    return [
      { at: occupied.from, ...change },
      { at: occupied.until, customers: -change.customers, places: -change.places },
    ]
  })
  changes.sort((one, other) => one.at.getTime() - other.at.getTime() || one.places - other.places)
  const spans: TimeSpan[] = []
  let customers = 0
  let places = 0
  let since: Date | null = null
  for (const change of changes) {
    customers += change.customers
    places += change.places
    const isOverbooked = customers > 0 && places > capacity
    if (isOverbooked) since ??= change.at
    else if (since) {
      spans.push({ from: since, until: change.at })
      since = null
    }
  }
  return spans
}

/** A booking as a calendar elsewhere is told of it. */
export type FeedBooking = {
  bookingId: string
  event: TimeSpan
  status: 'pending' | 'approved'
  customerName: string
  createdAt: Date
}

/** The bookings in a business's calendar within a range, in order of time. */
export async function listFeedBookings(
  db: Database,
  input: { businessId: string; range: TimeSpan },
): Promise<FeedBooking[]> {
  const found = await sql<{
    id: string
    from: Date
    until: Date
    status: FeedBooking['status']
    customer_name: string
    created_at: Date
  }>`
    select b.id, lower(s.event) as from, upper(s.event) as until, b.status, b.customer_name, b.created_at
    from slots s join bookings b on b.id = s.booking_id
    where s.business_id = ${input.businessId} and s.during && ${rangeText(input.range)}::tstzrange
    order by lower(s.event), b.id
  `.execute(db)
  return found.rows.map((row) => ({
    bookingId: row.id,
    event: { from: row.from, until: row.until },
    status: row.status,
    customerName: row.customer_name,
    createdAt: row.created_at,
  }))
}

/** A time that a vendor keeps for themselves. */
export type ListedBlock = TimeSpan & { id: string; note: string }

/** The blocked times of a business, in order of time. */
export async function listBlocks(db: Database, businessId: string): Promise<ListedBlock[]> {
  return db
    .selectFrom('slots')
    .select(['id', 'note', sql<Date>`lower(during)`.as('from'), sql<Date>`upper(during)`.as('until')])
    .where('business_id', '=', businessId)
    .where('kind', '=', 'block')
    .orderBy('from')
    .orderBy('id')
    .execute()
}

/**
 * Which version of its settings a business has, to be handed back when they are saved.
 * @returns null while it has the defaults
 */
export async function findSettingsVersion(
  db: Database | DatabaseTransaction,
  businessId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('availability_settings')
    .select('updated_at')
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return row?.updated_at.toISOString() ?? null
}

/** An exception as the settings screen lists it. */
export type ListedException = HoursException & { id: string }

/** The exceptions to a business's weekly hours, in the order in which they count: of two for a day the later wins. */
export async function listExceptions(db: Database, businessId: string): Promise<ListedException[]> {
  const rows = await db
    .selectFrom('availability_exceptions')
    .select([
      'id',
      'hours',
      'note',
      sql<string>`to_char(from_day, 'YYYY-MM-DD')`.as('from'),
      sql<string>`to_char(to_day, 'YYYY-MM-DD')`.as('to'),
    ])
    .where('business_id', '=', businessId)
    .orderBy('number')
    .execute()
  return rows.map(({ id, from, to, hours, note }) => ({ id, from, to, hours, note }))
}

/** An outside calendar as its vendor sees it. */
export type OutsideCalendar = {
  id: string
  name: string
  url: string
  /** The last reading that went well. */
  lastSyncedAt: Date | null
  /** Why the reading after that did not; null when it did. */
  lastError: string | null
}

/** The calendars elsewhere whose events keep a business's time. */
export async function listOutsideCalendars(db: Database, businessId: string): Promise<OutsideCalendar[]> {
  const rows = await db
    .selectFrom('outside_calendars')
    .select(['id', 'name', 'url', 'last_synced_at', 'last_error'])
    .where('business_id', '=', businessId)
    .orderBy('added_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    lastSyncedAt: row.last_synced_at,
    lastError: row.last_error,
  }))
}

/** Whether a business's calendar can be read at a secret address, since when, and whether names are in it. */
export async function findFeed(
  db: Database,
  businessId: string,
): Promise<{ since: Date; showsNames: boolean } | null> {
  const row = await db
    .selectFrom('calendar_feeds')
    .select(['created_at', 'shows_names'])
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return row ? { since: row.created_at, showsNames: row.shows_names } : null
}

/** The business whose calendar a secret address opens; null for a token that opens nothing (any more). */
export async function findFeedByToken(
  db: Database,
  token: string,
): Promise<{ businessId: string; businessName: string; timeZone: string; showsNames: boolean } | null> {
  const row = await db
    .selectFrom('calendar_feeds')
    .innerJoin('businesses', 'businesses.id', 'calendar_feeds.business_id')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select(['businesses.id', 'businesses.name', 'places.time_zone', 'calendar_feeds.shows_names'])
    .where('calendar_feeds.token_hash', '=', await hashText(token))
    .where('businesses.deleted_at', 'is', null)
    .executeTakeFirst()
  return row
    ? {
        businessId: row.id,
        businessName: row.name,
        timeZone: row.time_zone,
        showsNames: row.shows_names,
      }
    : null
}
