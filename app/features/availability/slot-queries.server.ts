import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { addDays, type LocalDate, type LocalTime, wallTimeAt } from '../../shared/dates.ts'
import type { PriceUnit } from '../../shared/money.ts'
import type { AgreedTime, TimeSpan } from '../../shared/time-span.ts'
import { listedPrice } from '../businesses/price-rules.ts'
import { isBookable, type Pricing } from '../businesses/rules.ts'
import { checkSlotRequest, freeTimes, isFree, nearestFreeTimes } from './free-time-rules.ts'
import { findAvailability, listAvailability } from './hours-queries.server.ts'
import {
  type AvailabilityRules,
  type CurrentSlot,
  eventSpan,
  MAX_HORIZON_DAYS,
  NEAREST_WITHIN_DAYS,
  occupiedSpan,
  rulesFor,
  type SlotRequest,
  type Taken,
  type TimeRefusal,
  takenRange,
} from './rules.ts'

/** Formats a span as a PostgreSQL range: half open, in UTC. */
export function rangeText({ from, until }: TimeSpan): string {
  return `[${from.toISOString()},${until.toISOString()})`
}

/** The time and size of a visitor's search over many businesses; null for what they have not entered. */
export type SearchedTime = {
  /** The days of which one has to be free, in order. */
  days: readonly LocalDate[] | null
  time: LocalTime | null
  guests: number | null
  /** All guests need a seat. */
  isSeated: boolean
  hours: number | null
  /** The price unit that a business would be booked by. */
  unitOf: (pricing: Pricing) => PriceUnit
}

/**
 * Lists which of these businesses can be booked as searched for, right now, by the unit that the search compares. Of
 * several days, one is enough. Without a time, one free time on that day is enough. Without guests or hours, one guest
 * or hour is enough. Without a day, only the guest limit counts, and whether one booking can hold the total.
 */
export async function listBookable(
  db: Database,
  businessIds: readonly string[],
  { days: searched, time, guests, isSeated, hours, unitOf }: SearchedTime,
  now: Date,
): Promise<Set<string>> {
  // No business takes bookings further ahead, and PostgreSQL can't represent dates in ten thousand years.
  const today = wallTimeAt(now, 'UTC').date
  const [earliest, latest] = [addDays(today, -1), addDays(today, MAX_HORIZON_DAYS + 1)]
  const days = searched?.filter((day) => day >= earliest && day <= latest)
  const [first, last] = [days?.[0], days?.at(-1)]
  if ((days && days.length === 0) || businessIds.length === 0) return new Set()
  const [offers, taken] = await Promise.all([
    listAvailability(db, businessIds),
    first && last ? listTakenBy(db, businessIds, takenRange(first, last), now) : new Map<string, Taken[]>(),
  ])
  // Most businesses have their category's default rules, so caching the result saves most checks.
  const refusals = new Map<string, boolean>()
  const isRefused = (rules: AvailabilityRules, slotRequest: SlotRequest) => {
    const key = JSON.stringify([rules, slotRequest])
    const known = refusals.get(key) ?? checkSlotRequest(rules, slotRequest, now) !== null
    refusals.set(key, known)
    return known
  }
  const bookable = businessIds.filter((id) => {
    const offer = offers.get(id)
    if (!offer) return false
    const { rules, pricing, seated } = offer
    // The guest limit holds for bookings by the hour too.
    if (guests !== null && rules.maxGuests !== null && guests > rules.maxGuests) return false
    if (isSeated && guests !== null && seated !== null && guests > seated) return false
    const bookingType = unitOf(pricing)
    const asked = bookingType === 'perPerson' ? guests : hours
    // A price on request is found all the same.
    if (asked !== null && isBookable(pricing) && !listedPrice(pricing, bookingType, asked).ok) return false
    if (!days) return true
    const length = { bookingType, quantity: asked ?? 1 }
    const own = taken.get(id) ?? []
    return days.some((date) => {
      if (time === null) return freeTimes(rules, own, date, length, now).length > 0
      const slotRequest = { ...length, date, time }
      if (isRefused(rules, slotRequest)) return false
      return own.length === 0 || isFree(rules, own, occupiedSpan(rules, eventSpan(rules, slotRequest)))
    })
  })
  return new Set(bookable)
}

/** Lists the taken times of several businesses within a range, as `listTaken` does for one. */
async function listTakenBy(
  db: Database,
  businessIds: readonly string[],
  range: TimeSpan,
  now: Date,
): Promise<Map<string, Taken[]>> {
  const within = sql`${rangeText(range)}::tstzrange`
  // The lateral join does one index scan per business. A single scan would read everything taken on that day.
  const found = await sql<{ id: string; from: Date; until: Date; whole: boolean }>`
    select wanted.id, taken.* from unnest(${[...businessIds]}::text[]) wanted (id)
    cross join lateral (
      select lower(during) as from, upper(during) as until, kind = 'block' as whole
      from slots
      where business_id = wanted.id and during && ${within} and moves_payment_id is null
        and (expires_at is null or expires_at > ${now.toISOString()}::timestamptz)
      union all
      ${movingTimes(sql`wanted.id`, within, now)}
      union all
      select lower(e.during), upper(e.during), true
      from outside_calendars c join outside_events e on e.calendar_id = c.id
      where c.business_id = wanted.id and e.during && ${within}) taken`.execute(db)
  const taken = new Map<string, Taken[]>()
  for (const { id, from, until, whole } of found.rows) {
    const ofBusiness = taken.get(id) ?? []
    ofBusiness.push({ from, until, wholeCapacity: whole })
    taken.set(id, ofBusiness)
  }
  return taken
}

/**
 * Selects the holds of proposed times, without what their own bookings take already, so that nothing counts twice.
 * @param businessId the business's id, in the query around it
 */
function movingTimes(businessId: RawBuilder<unknown>, within: RawBuilder<unknown>, now: Date) {
  return sql`
    select lower(piece), upper(piece), false
    from slots moving
    left join slots own on own.payment_id = moving.moves_payment_id
    cross join lateral unnest(
      tstzmultirange(moving.during) - coalesce(tstzmultirange(own.during), '{}'::tstzmultirange)) piece
    where moving.business_id = ${businessId} and moving.moves_payment_id is not null and moving.during && ${within}
      and (moving.expires_at is null or moving.expires_at > ${now.toISOString()}::timestamptz)`
}

/**
 * Lists the taken times of a business within a range: bookings, holds that have not expired, blocked times, and the
 * events of its outside calendars. The last two take the whole capacity.
 * @param options.exceptPayments this browser's payments (`BROWSER_PAYMENTS_COOKIE`), whose holds are left out unless
 *   their card is already being charged
 * @param options.exceptSubmitKey the submit key whose payment's hold is left out too, so that a double click doesn't
 *   block itself
 * @param options.currentSlot of the booking that would move: that slot, and its hold of another one, are free for it
 */
export async function listTaken(
  db: Database | DatabaseTransaction,
  businessId: string,
  range: TimeSpan,
  now: Date,
  options: {
    exceptPayments?: readonly string[]
    exceptSubmitKey?: string
    currentSlot?: Pick<CurrentSlot, 'firstPaymentId'> | null
  } = {},
): Promise<Taken[]> {
  const within = sql`${rangeText(range)}::tstzrange`
  const except = sql`${[...(options.exceptPayments ?? [])]}::text[]`
  const ownPayment = sql`${options.currentSlot?.firstPaymentId ?? null}::text`
  const found = await sql<{ from: Date; until: Date; whole: boolean }>`
    select lower(during) as from, upper(during) as until, kind = 'block' as whole
    from slots
    where business_id = ${businessId} and during && ${within} and moves_payment_id is null
      and (${ownPayment} is null or payment_id is distinct from ${ownPayment})
      and (expires_at is null or (expires_at > ${now.toISOString()}::timestamptz and payment_id <> all (${except})
        and payment_id not in (select id from payments where submit_key = ${options.exceptSubmitKey ?? ''})))
    union all
    ${movingTimes(sql`${businessId}`, within, now)} and moving.moves_payment_id is distinct from ${ownPayment}
    union all
    select lower(e.during), upper(e.during), true
    from outside_calendars c join outside_events e on e.calendar_id = c.id
    where c.business_id = ${businessId} and e.during && ${within}
  `.execute(db)
  return found.rows.map(({ from, until, whole }) => ({ from, until, wholeCapacity: whole }))
}

/** The refusal of a slot request: why, and the nearest free times. */
export type TimeGone = {
  ok: false
  reason: 'time_gone'
  why: TimeRefusal
  slotRequest: SlotRequest
  rules: AvailabilityRules
  alternatives: { date: LocalDate; time: LocalTime }[]
}

/** A slot request for a business's time. The last three fields are those of `listTaken`. */
export type SlotQuery = {
  businessId: string
  slotRequest: SlotRequest
  now: Date
  exceptPayments: readonly string[]
  exceptSubmitKey?: string
  currentSlot?: CurrentSlot | null
}

/**
 * Checks whether a business can be booked as requested right now, without taking the time.
 * @returns the agreed time, or null when there is no such business. Refuses with 'time_gone'
 */
export async function findTime(
  db: Database | DatabaseTransaction,
  query: SlotQuery,
): Promise<{ ok: true; rules: AvailabilityRules; time: AgreedTime } | TimeGone | null> {
  const present = await findAvailability(db, query.businessId)
  if (!present) return null
  const rules = rulesFor(present, query.currentSlot)
  const refusal = checkSlotRequest(rules, query.slotRequest, query.now)
  const taken = await listTakenAround(db, query, rules)
  if (refusal) return offerOthers(query, rules, taken, refusal)
  const event = eventSpan(rules, query.slotRequest)
  const occupied = occupiedSpan(rules, event)
  if (!isFree(rules, taken, occupied)) return offerOthers(query, rules, taken, 'taken')
  return { ok: true, rules, time: { event, occupied, timeZone: rules.timeZone } }
}

/** Builds the refusal of a slot request whose time was just taken, with the nearest free times. */
export async function findOtherTimes(
  db: Database | DatabaseTransaction,
  query: SlotQuery,
  rules: AvailabilityRules,
): Promise<TimeGone> {
  return offerOthers(query, rules, await listTakenAround(db, query, rules), 'taken')
}

/**
 * Lists the taken times in the range around a slot request in which alternatives are searched. One read serves the
 * check and the alternatives, because under contention for one time the number of reads decides how long everyone waits.
 */
async function listTakenAround(
  db: Database | DatabaseTransaction,
  query: SlotQuery,
  rules: AvailabilityRules,
): Promise<Taken[]> {
  const { businessId, slotRequest, now } = query
  // Limited to bookable days, because a slot request can be centuries away.
  const today = wallTimeAt(now, rules.timeZone).date
  const from = maxDate(addDays(slotRequest.date, -NEAREST_WITHIN_DAYS), addDays(today, -1))
  const to = minDate(addDays(slotRequest.date, NEAREST_WITHIN_DAYS), addDays(today, rules.horizonDays + 1))
  return from > to ? [] : listTaken(db, businessId, takenRange(from, to), now, query)
}

function offerOthers(
  { slotRequest, now }: SlotQuery,
  rules: AvailabilityRules,
  taken: readonly Taken[],
  why: TimeRefusal,
): TimeGone {
  // Another time would not admit more guests.
  const alternatives = why === 'too_many_guests' ? [] : nearestFreeTimes(rules, taken, slotRequest, now)
  return { ok: false, reason: 'time_gone', why, slotRequest, rules, alternatives }
}

const maxDate = (one: LocalDate, other: LocalDate) => (one > other ? one : other)
const minDate = (one: LocalDate, other: LocalDate) => (one < other ? one : other)

/** Whether a payment's time is held for it. */
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
