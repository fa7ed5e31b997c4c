import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { addDays, type LocalDate, type LocalTime, wallTimeAt } from '../../shared/dates.ts'
import type { PriceUnit } from '../../shared/money.ts'
import type { Pricing } from '../businesses/rules.ts'
import { findAvailability, listAvailability } from './hours-queries.server.ts'
import {
  type AvailabilityRules,
  checkSlotRequest,
  eventSpan,
  freeTimes,
  isFree,
  MAX_HORIZON_DAYS,
  NEAREST_WITHIN_DAYS,
  nearestFreeTimes,
  occupiedSpan,
  type SlotRequest,
  type Taken,
  type TimeRefusal,
  type TimeSpan,
  takenRange,
} from './rules.ts'

/** A range as PostgreSQL reads it: half open, in UTC. */
export function rangeText({ from, until }: TimeSpan): string {
  return `[${from.toISOString()},${until.toISOString()})`
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
 * Which of these businesses can be booked as requested, at this moment, by the unit that the search compares. Without a time it is
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
  const isRefused = (rules: AvailabilityRules, slotRequest: SlotRequest) => {
    const key = JSON.stringify([rules, slotRequest])
    const known = refusals.get(key) ?? checkSlotRequest(rules, slotRequest, now) !== null
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
    const slotRequest = { ...length, date, time }
    if (isRefused(rules, slotRequest)) return false
    return own.length === 0 || isFree(rules, own, occupiedSpan(rules, eventSpan(rules, slotRequest)))
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

/** A slot request that can't be had, why, and the free times that are nearest to it. */
export type TimeGone = {
  ok: false
  reason: 'time_gone'
  why: TimeRefusal
  slotRequest: SlotRequest
  rules: AvailabilityRules
  alternatives: { date: LocalDate; time: LocalTime }[]
}

/** A slot request for a business's time; the last two are as in `listTaken`. */
export type SlotQuery = {
  businessId: string
  slotRequest: SlotRequest
  now: Date
  exceptPayments: readonly string[]
  exceptSubmitKey?: string
}

/**
 * Looks whether a business can be booked as requested, at this moment and without taking anything.
 * @returns null when there is no such business; refuses with 'time_gone'
 */
export async function findTime(
  db: Database,
  wanted: SlotQuery,
): Promise<{ ok: true; rules: AvailabilityRules; time: AgreedTime } | TimeGone | null> {
  const rules = await findAvailability(db, wanted.businessId)
  if (!rules) return null
  const refusal = checkSlotRequest(rules, wanted.slotRequest, wanted.now)
  const taken = await listTakenAround(db, wanted, rules)
  if (refusal) return offerOthers(wanted, rules, taken, refusal)
  const event = eventSpan(rules, wanted.slotRequest)
  const occupied = occupiedSpan(rules, event)
  if (!isFree(rules, taken, occupied)) return offerOthers(wanted, rules, taken, 'taken')
  return { ok: true, rules, time: { event, occupied, timeZone: rules.timeZone } }
}

/** The refusal of a slot request that somebody else had a moment before, with the free times that are nearest to it. */
export async function findOtherTimes(
  db: Database,
  wanted: SlotQuery,
  rules: AvailabilityRules,
): Promise<TimeGone> {
  return offerOthers(wanted, rules, await listTakenAround(db, wanted, rules), 'taken')
}

/**
 * What is taken around a slot request, as far as other times are looked for. Read once for both: when many want one time at the
 * same moment, it is the number of reads that makes them wait.
 */
async function listTakenAround(db: Database, wanted: SlotQuery, rules: AvailabilityRules): Promise<Taken[]> {
  const { businessId, slotRequest, now } = wanted
  // Only days that can be booked at all: a slot request can be centuries away.
  const today = wallTimeAt(now, rules.timeZone).date
  const from = later(addDays(slotRequest.date, -NEAREST_WITHIN_DAYS), addDays(today, -1))
  const to = earlier(addDays(slotRequest.date, NEAREST_WITHIN_DAYS), addDays(today, rules.horizonDays + 1))
  return from > to ? [] : listTaken(db, businessId, takenRange(from, to), now, wanted)
}

function offerOthers(
  { slotRequest, now }: SlotQuery,
  rules: AvailabilityRules,
  taken: readonly Taken[],
  why: TimeRefusal,
): TimeGone {
  // No other time lets more guests in.
  const alternatives = why === 'too_many_guests' ? [] : nearestFreeTimes(rules, taken, slotRequest, now)
  return { ok: false, reason: 'time_gone', why, slotRequest, rules, alternatives }
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
