import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld, aBusiness, aPaymentOf, aUser, setsAvailability } from '../../../tests/builders.ts'
import type { BusyEvent, CalendarAnswer } from '../../adapters/calendars/port.ts'
import { newId } from '../../shared/ids.ts'
import type { AgreedTime, TimeSpan } from '../../shared/time-span.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import {
  findCustomerNames,
  listBookingsOf,
  listCalendarEntries,
  listFeedBookings,
} from '../bookings/list/calendar-queries.server.ts'
import {
  addException,
  blockTime,
  removeException,
  setAvailability,
  unblockTime,
} from './hours-commands.server.ts'
import { findAvailability, findSettingsVersion, listExceptions } from './hours-queries.server.ts'
import {
  addOutsideCalendar,
  makeFeed,
  type OutsideCalendarDeps,
  removeOutsideCalendar,
  revokeFeed,
  showNamesInFeed,
  syncOutsideCalendarNow,
  syncOutsideCalendars,
} from './outside-calendar-commands.server.ts'
import { findFeed, findFeedByToken, listOutsideCalendars } from './outside-calendar-queries.server.ts'
import { type BlockedTime, defaultAvailability, type HoursException } from './rules.ts'
import type { AvailabilitySettings } from './schema.ts'
import {
  consumeHold,
  extendHold,
  freeSlot,
  releaseHold,
  takeHold,
  takeSlotAgain,
} from './slot-commands.server.ts'
import { findTime, isHeld, listTaken, rangeText } from './slot-queries.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: OutsideCalendarDeps
let business: Awaited<ReturnType<typeof aBusiness>>
/** The response of each calendar address, and the reads so far. */
let answers: Map<string, CalendarAnswer>
let reads: { url: string; zone: string; etag: string | null; window: TimeSpan }[]

beforeAll(async () => {
  world = await aBookingWorld()
  const { db, liveUpdates, now } = world.deps
  const calendars: OutsideCalendarDeps['calendars'] = {
    async read(url, window, zone, etag) {
      reads.push({ url, window, zone, etag })
      return answers.get(url) ?? { ok: false, reason: 'unreachable' }
    },
  }
  deps = { db, liveUpdates, now, calendars, findCustomerNames, listBookingsOf }
})
afterAll(() => world.close())
beforeEach(async () => {
  answers = new Map()
  reads = []
  // A sync would also read the calendars of other tests.
  await world.db.deleteFrom('outside_calendars').execute()
  business = await aBusiness(world.db)
  await setsAvailability(world.db, business.id, { capacity: 1 })
})

const own = () => ({ userId: business.user_id, businessId: business.id })
/** A visitor without an account, a user without a business, and another vendor. */
const strangers = async () => [
  { userId: '', businessId: business.id },
  { userId: (await aUser(world.db)).id, businessId: business.id },
  { userId: (await aBusiness(world.db)).user_id, businessId: business.id },
]

/** A span in UTC hours of Saturday 13 March 2027: 5 is 4 pm in Melbourne. */
const hours = (from: number, until: number): TimeSpan => ({
  from: new Date(Date.parse('2027-03-13') + from * HOUR_MS),
  until: new Date(Date.parse('2027-03-13') + until * HOUR_MS),
})
/** An event without setting up and cleaning. */
const agreed = (from: number, until: number): AgreedTime => ({
  event: hours(from, until),
  occupied: hours(from, until),
  timeZone: 'Australia/Melbourne',
})

type Holding = Partial<Parameters<typeof takeHold>[2]>
async function hold(time: AgreedTime, overrides: Holding = {}) {
  const paymentId = overrides.paymentId ?? newId()
  const held = await world.db.transaction().execute((tx) =>
    takeHold(deps, tx, {
      businessId: business.id,
      paymentId,
      time,
      expiresAt: new Date(deps.now().getTime() + 15 * MINUTE_MS),
      exceptPayments: [],
      ...overrides,
    }),
  )
  return { ...held, paymentId }
}
const taken = { ok: false, reason: 'taken' }
const inTx = <Result>(work: Parameters<ReturnType<typeof world.db.transaction>['execute']>[0]) =>
  world.db.transaction().execute(work) as Promise<Result>

async function book(time: AgreedTime) {
  const { paymentId, ok } = await hold(time)
  expect(ok).toBe(true)
  const bookingId = newId()
  const consumed = await inTx((tx) =>
    consumeHold(deps, tx, { businessId: business.id, paymentId, bookingId, time }),
  )
  expect(consumed).toEqual({ ok: true })
  return { paymentId, bookingId }
}

/** Inserts a payment's row directly, without a checkout. */
async function aPaymentRow(id: string, overrides: object = {}) {
  await aPaymentOf(world.db, { id, ownerUserId: business.user_id, businessId: business.id }, overrides)
}

const slotsOf = (businessId = business.id) =>
  world.db
    .selectFrom('slots')
    .selectAll()
    .where('business_id', '=', businessId)
    .orderBy('created_at')
    .execute()
const forward = (ms: number) => world.clock.forward(ms)

const aDay: BlockedTime = {
  from: '2027-03-13',
  fromTime: null,
  to: '2027-03-13',
  toTime: null,
  note: 'Family',
}
const settings = (overrides: Partial<AvailabilitySettings> = {}): AvailabilitySettings => {
  const { timeZone: _, exceptions: __, ...usual } = defaultAvailability('Venues', 'Australia/Melbourne')
  return { ...usual, ...overrides }
}

describe('a business’s availability', () => {
  it('defaults to its category’s, in the zone of its place, until the vendor sets it', async () => {
    await world.db.deleteFrom('availability_settings').where('business_id', '=', business.id).execute()
    expect(await findAvailability(world.db, business.id)).toEqual(
      defaultAvailability('Venues', 'Australia/Melbourne'),
    )
    expect(await findSettingsVersion(world.db, business.id)).toBeNull()
    const changed = settings({ capacity: 2, maxGuests: 80, eventMinutes: 300 })
    expect(await setAvailability(deps, { ...own(), settings: changed, expectedVersion: null })).toEqual({
      ok: true,
    })
    expect(await findAvailability(world.db, business.id)).toEqual({
      ...changed,
      timeZone: 'Australia/Melbourne',
      exceptions: [],
    })
  })

  it('lets searches for as many guests find the business at once', async () => {
    const found = async () => {
      const { rows } = await sql<{ marker: string }>`select marker
        from search_listings, unnest(tsvector_to_array(words)) marker
        where business_id = ${business.id} and marker like 'm/%' order by marker`.execute(world.db)
      return rows.map(({ marker }) => marker)
    }
    expect(await found()).toEqual(['m/any'])
    const seen = await findSettingsVersion(world.db, business.id)
    const set = { ...own(), settings: settings({ maxGuests: 150 }), expectedVersion: seen }
    expect(await setAvailability(deps, set)).toEqual({ ok: true })
    expect(await found()).toEqual(['m/100', 'm/150'])
  })

  it('can’t be set by anyone but the owner', async () => {
    const before = await findAvailability(world.db, business.id)
    const seen = await findSettingsVersion(world.db, business.id)
    for (const stranger of await strangers()) {
      const refused = await setAvailability(deps, {
        ...stranger,
        settings: settings({ capacity: 9 }),
        expectedVersion: seen,
      })
      expect(refused).toEqual({ ok: false, reason: 'not_found' })
    }
    expect(await findAvailability(world.db, business.id)).toEqual(before)
  })

  it('can’t be overwritten by a save that has not seen the last one', async () => {
    const seen = await findSettingsVersion(world.db, business.id)
    const set = (capacity: number, version: string | null) =>
      setAvailability(deps, { ...own(), settings: settings({ capacity }), expectedVersion: version })
    expect(await set(2, seen)).toEqual({ ok: true })
    expect(await set(3, seen)).toEqual({ ok: false, reason: 'changed_meanwhile' })
    expect(await set(3, null)).toEqual({ ok: false, reason: 'changed_meanwhile' })
    expect((await findAvailability(world.db, business.id))?.capacity).toBe(2)
    forward(1)
    expect(await set(3, await findSettingsVersion(world.db, business.id))).toEqual({ ok: true })
  })

  it('disappears with the business, whose times can’t be blocked any more', async () => {
    await world.db
      .updateTable('businesses')
      .set({ deleted_at: deps.now() })
      .where('id', '=', business.id)
      .execute()
    expect(await findAvailability(world.db, business.id)).toBeNull()
    expect(await blockTime(deps, { ...own(), block: aDay })).toEqual({ ok: false, reason: 'not_found' })
  })
})

describe('exceptions', () => {
  const closed: HoursException = { from: '2027-03-01', to: '2027-03-14', hours: [], note: 'Away' }

  it('come in order of precedence, and can be removed, even twice', async () => {
    const extra = {
      ...closed,
      to: '2027-03-01',
      hours: [{ opensMinute: 600, closesMinute: 1_500 }],
      note: '',
    }
    for (const exception of [closed, extra]) {
      expect(await addException(deps, { ...own(), exception })).toMatchObject({ ok: true })
    }
    const listed = await listExceptions(world.db, business.id)
    expect(listed.map(({ id: _, ...exception }) => exception)).toEqual([closed, extra])
    expect((await findAvailability(world.db, business.id))?.exceptions).toEqual([closed, extra])
    const exceptionId = listed[0]?.id ?? ''
    for (let time = 0; time < 2; time++) {
      expect(await removeException(deps, { ...own(), exceptionId })).toEqual({ ok: true })
    }
    expect(await listExceptions(world.db, business.id)).toMatchObject([extra])
  })

  it('can’t be added or removed by anyone but the owner', async () => {
    await addException(deps, { ...own(), exception: closed })
    const [listed] = await listExceptions(world.db, business.id)
    for (const stranger of await strangers()) {
      const refused = { ok: false, reason: 'not_found' }
      expect(await addException(deps, { ...stranger, exception: closed })).toEqual(refused)
      expect(await removeException(deps, { ...stranger, exceptionId: listed?.id ?? '' })).toEqual(refused)
    }
    // The owner of another business than the exception's.
    const other = await aBusiness(world.db)
    const elsewhere = { userId: other.user_id, businessId: other.id, exceptionId: listed?.id ?? '' }
    await removeException(deps, elsewhere)
    expect(await listExceptions(world.db, business.id)).toHaveLength(1)
  })

  it('stop at 200 per business', async () => {
    await world.db
      .insertInto('availability_exceptions')
      .values(
        Array.from({ length: 200 }, () => ({
          id: newId(),
          business_id: business.id,
          from_day: '2027-01-01',
          to_day: '2027-01-01',
          hours: '[]',
          note: '',
        })),
      )
      .execute()
    expect(await addException(deps, { ...own(), exception: closed })).toEqual({
      ok: false,
      reason: 'too_many',
    })
  })
})

describe('a hold', () => {
  it('refuses overlapping times and leaves adjacent ones free', async () => {
    expect(await hold(agreed(5, 12))).toMatchObject({ ok: true })
    for (const [from, until] of [
      [5, 12],
      [4, 6],
      [11.5, 13],
      [6, 7],
      [0, 24],
    ] as const) {
      expect(await hold(agreed(from, until))).toMatchObject(taken)
    }
    expect(await hold(agreed(12, 14))).toMatchObject({ ok: true })
    expect(await hold(agreed(3, 5))).toMatchObject({ ok: true })
    expect(await slotsOf()).toHaveLength(3)
  })

  it('includes the time for setting up and cleaning', async () => {
    await hold({ ...agreed(5, 12), occupied: hours(3, 13) })
    expect(await hold(agreed(12, 13))).toMatchObject(taken)
    expect(await hold({ ...agreed(14, 15), occupied: hours(12, 16) })).toMatchObject(taken)
    expect(await hold({ ...agreed(14, 15), occupied: hours(13, 16) })).toMatchObject({ ok: true })
  })

  it('leaves the same time free at another business', async () => {
    await hold(agreed(5, 12))
    const other = await aBusiness(world.db)
    expect(await hold(agreed(5, 12), { businessId: other.id })).toMatchObject({ ok: true })
  })

  it('counts against a larger capacity, so that a booking that fits is never refused', async () => {
    await setsAvailability(world.db, business.id, { capacity: 2 })
    // Crew 1 is busy from 10 to 12, crew 2 from 11 to 11:30 and 12 to 14. From 11:30 to 13 fits by count, but in no
    // lane.
    for (const [from, until] of [
      [10, 12],
      [11, 11.5],
      [12, 14],
    ] as const) {
      expect(await hold(agreed(from, until))).toMatchObject({ ok: true })
    }
    expect(await hold(agreed(11.5, 13))).toMatchObject({ ok: true })
    expect(await hold(agreed(11.75, 12.25))).toMatchObject(taken)
  })

  it('ends after its time: the next hold deletes it, but no expired hold elsewhere', async () => {
    const first = await hold(agreed(5, 12))
    const elsewhere = await hold(agreed(20, 22))
    forward(15 * MINUTE_MS - 1)
    expect(await hold(agreed(5, 12))).toMatchObject(taken)
    forward(1)
    expect(await isHeld(world.db, first.paymentId, deps.now())).toBe(false)
    expect(await hold(agreed(5, 12))).toMatchObject({ ok: true })
    const left = (await slotsOf()).map((slot) => slot.payment_id)
    expect(left).not.toContain(first.paymentId)
    expect(left).toContain(elsewhere.paymentId)
  })

  it('lasts until its payment ends once a card is being confirmed, and is extended once', async () => {
    const { paymentId } = await hold(agreed(5, 12))
    expect(await inTx((tx) => extendHold(deps, tx, paymentId))).toBe('extended')
    expect(await inTx((tx) => extendHold(deps, tx, paymentId))).toBe('before')
    forward(DAY_MS)
    expect(await hold(agreed(5, 12))).toMatchObject(taken)
    await inTx((tx) => releaseHold(deps, tx, paymentId))
    expect(await hold(agreed(5, 12)), 'releasing waits for the card').toMatchObject(taken)
    for (let time = 0; time < 2; time++) await inTx((tx) => freeSlot(deps, tx, paymentId))
    expect(await hold(agreed(5, 12))).toMatchObject({ ok: true })
    expect(await inTx((tx) => extendHold(deps, tx, paymentId))).toBe('gone')
  })

  it('can’t be extended after its time', async () => {
    const { paymentId } = await hold(agreed(5, 12))
    forward(15 * MINUTE_MS)
    expect(await inTx((tx) => extendHold(deps, tx, paymentId))).toBe('gone')
  })

  it('frees its time when it is released', async () => {
    const { paymentId } = await hold(agreed(5, 12))
    for (let time = 0; time < 2; time++) await inTx((tx) => releaseHold(deps, tx, paymentId))
    expect(await hold(agreed(5, 12))).toMatchObject({ ok: true })
  })

  it('replaces the other holds of its browser, unless their card is being charged', async () => {
    const [one, two, charged] = [await hold(agreed(1, 2)), await hold(agreed(3, 4)), await hold(agreed(5, 6))]
    await inTx((tx) => extendHold(deps, tx, charged.paymentId))
    const exceptPayments = [one.paymentId, two.paymentId, charged.paymentId]
    const next = await hold(agreed(1.5, 3.5), { exceptPayments })
    if (!next.ok) throw new Error(next.reason)
    expect(next.replaced.toSorted()).toEqual([one.paymentId, two.paymentId].toSorted())
    expect((await slotsOf()).map((slot) => slot.payment_id).toSorted()).toEqual(
      [charged.paymentId, next.paymentId].toSorted(),
    )
    expect(await hold(agreed(5, 6), { exceptPayments })).toMatchObject(taken)
    // After a refusal the browser keeps its hold.
    expect(await isHeld(world.db, next.paymentId, deps.now())).toBe(true)
  })

  it('becomes its booking’s slot, even when it has expired but still exists', async () => {
    const { paymentId } = await hold(agreed(5, 12))
    forward(HOUR_MS)
    const bookingId = newId()
    const booking = { businessId: business.id, paymentId, bookingId, time: agreed(5, 12) }
    expect(await inTx((tx) => consumeHold(deps, tx, booking))).toEqual({ ok: true })
    expect(await slotsOf()).toMatchObject([{ kind: 'booking', booking_id: bookingId, expires_at: null }])
    forward(DAY_MS)
    expect(await hold(agreed(5, 12))).toMatchObject(taken)
  })

  it('takes a free time again for its booking if it is gone, and refuses a taken one', async () => {
    const time = agreed(5, 12)
    const late = { businessId: business.id, paymentId: newId(), bookingId: newId(), time }
    expect(await inTx((tx) => consumeHold(deps, tx, late))).toEqual({ ok: true })
    const tooLate = { businessId: business.id, paymentId: newId(), bookingId: newId(), time }
    expect(await inTx((tx) => consumeHold(deps, tx, tooLate))).toEqual(taken)
    expect(await slotsOf()).toHaveLength(1)
  })
})

describe('takeSlotAgain', () => {
  it('takes a free time, and refuses a taken one, which the calendar lists', async () => {
    const time = agreed(5, 12)
    const first = await book(time)
    await inTx((tx) => freeSlot(deps, tx, first.paymentId))
    const again = { ...first, businessId: business.id, time }
    expect(await inTx((tx) => takeSlotAgain(deps, tx, again))).toEqual({ ok: true })
    await inTx((tx) => freeSlot(deps, tx, first.paymentId))
    await blockTime(deps, { ...own(), block: { ...aDay, fromTime: '17:00', toTime: '18:00' } })
    expect(await inTx((tx) => takeSlotAgain(deps, tx, again))).toEqual({ ok: false, reason: 'taken' })
    const asked = { businessId: business.id, range: time.occupied, now: deps.now() }
    expect(await listCalendarEntries(world.db, asked)).toMatchObject([
      { kind: 'block', title: 'Family', event: hours(6, 7) },
    ])
  })
})

describe('a blocked time', () => {
  it('takes the whole capacity, by the place’s clock, and can be unblocked, even twice', async () => {
    await setsAvailability(world.db, business.id, { capacity: 3 })
    const blocked = await blockTime(deps, { ...own(), block: aDay })
    if (!blocked.ok) throw new Error(blocked.reason)
    // Saturday in Melbourne lasts from 13:00 UTC on Friday to 13:00 UTC on Saturday.
    expect(await hold(agreed(12.5, 13.5))).toMatchObject(taken)
    expect(await hold(agreed(-11.5, -10.5))).toMatchObject(taken)
    expect(await hold(agreed(13, 14))).toMatchObject({ ok: true })
    expect(await hold(agreed(-12, -11))).toMatchObject({ ok: true })
    for (let time = 0; time < 2; time++) {
      expect(await unblockTime(deps, { ...own(), blockId: blocked.id })).toEqual({ ok: true })
    }
    expect(await hold(agreed(12.5, 13.5))).toMatchObject({ ok: true })
  })

  it('leaves bookings in place, as conflicts to decide', async () => {
    const booked = await book(agreed(5, 12))
    const blocked = await blockTime(deps, { ...own(), block: aDay })
    expect(await blockTime(deps, { ...own(), block: aDay })).toMatchObject({ ok: true })
    const range = hours(-24, 48)
    const entries = await listCalendarEntries(world.db, { businessId: business.id, range, now: deps.now() })
    expect(entries.map(({ kind, isConflict }) => [kind, isConflict])).toEqual([
      ['block', true],
      ['block', true],
      ['booking', true],
    ])
    expect(entries.at(-1)).toMatchObject({ bookingId: booked.bookingId })
    expect(blocked.ok).toBe(true)
  })

  it('can’t be added or removed by anyone but the owner, and unblocking never frees a booking', async () => {
    const blocked = await blockTime(deps, { ...own(), block: aDay })
    if (!blocked.ok) throw new Error(blocked.reason)
    for (const stranger of await strangers()) {
      const refused = { ok: false, reason: 'not_found' }
      expect(await blockTime(deps, { ...stranger, block: aDay })).toEqual(refused)
      expect(await unblockTime(deps, { ...stranger, blockId: blocked.id })).toEqual(refused)
    }
    await unblockTime(deps, { ...own(), blockId: blocked.id })
    await book(agreed(5, 12))
    const [slot] = await slotsOf()
    expect(await unblockTime(deps, { ...own(), blockId: slot?.id ?? '' })).toEqual({ ok: true })
    expect(await slotsOf()).toHaveLength(1)
  })

  it('can’t be added where the clock skips it', async () => {
    const block = { ...aDay, from: '2026-10-04', fromTime: '02:00', to: '2026-10-04', toTime: '03:00' }
    expect(await blockTime(deps, { ...own(), block })).toEqual({ ok: false, reason: 'no_such_time' })
  })

  it('can’t be added beyond a thousand per business', async () => {
    const block = {
      time_zone: 'UTC',
      is_exclusive: false,
      expires_at: null,
      payment_id: null,
      booking_id: null,
    }
    const span = rangeText(hours(0, 1))
    await world.db
      .insertInto('slots')
      .values(
        Array.from({ length: 1_000 }, () => ({
          ...block,
          id: newId(),
          business_id: business.id,
          kind: 'block' as const,
          during: span,
          event: span,
          created_at: deps.now(),
        })),
      )
      .execute()
    expect(await blockTime(deps, { ...own(), block: aDay })).toEqual({ ok: false, reason: 'too_many' })
  })
})

describe('a changed capacity', () => {
  const setCapacity = async (capacity: number) => {
    forward(1)
    const seen = await findSettingsVersion(world.db, business.id)
    expect(
      await setAvailability(deps, { ...own(), settings: settings({ capacity }), expectedVersion: seen }),
    ).toEqual({
      ok: true,
    })
  }
  const exclusive = async () => (await slotsOf()).map((slot) => slot.is_exclusive)

  it('allows more bookings at once, and fewer from when it is lowered', async () => {
    await book(agreed(5, 12))
    expect(await exclusive()).toEqual([true])
    await setCapacity(2)
    expect(await exclusive()).toEqual([false])
    forward(1)
    expect(await hold(agreed(6, 8))).toMatchObject({ ok: true })
    expect(await hold(agreed(7, 9))).toMatchObject(taken)
    forward(1)
    expect(await hold(agreed(20, 21))).toMatchObject({ ok: true })
    await setCapacity(1)
    // The two that overlap stay, and no new one overlaps either of them.
    expect(await exclusive()).toEqual([false, false, true])
    for (const [from, until] of [
      [5, 6],
      [6, 7],
      [8, 9],
      [20, 21],
    ] as const) {
      expect(await hold(agreed(from, until))).toMatchObject(taken)
    }
    expect(await hold(agreed(12, 13))).toMatchObject({ ok: true })
  })
})

describe('the database itself', () => {
  const slot = (overrides: object) => ({
    id: newId(),
    business_id: business.id,
    kind: 'booking' as const,
    during: rangeText(hours(5, 12)),
    event: rangeText(hours(5, 12)),
    time_zone: 'Australia/Melbourne',
    is_exclusive: true,
    expires_at: null,
    payment_id: newId(),
    booking_id: newId(),
    created_at: deps.now(),
    ...overrides,
  })
  const insert = (overrides: object = {}) => world.db.insertInto('slots').values(slot(overrides)).execute()

  it('refuses overlapping exclusive slots, whatever the commands do', async () => {
    await insert()
    await expect(
      insert({ during: rangeText(hours(4, 24)), event: rangeText(hours(11, 13)) }),
    ).rejects.toMatchObject({
      code: '23P01',
    })
    await insert({ during: rangeText(hours(12, 13)), event: rangeText(hours(12, 13)) })
    await insert({ business_id: (await aBusiness(world.db)).id })
  })

  it('refuses a second slot for a payment', async () => {
    const payment_id = newId()
    const free = { is_exclusive: false }
    await insert({ ...free, payment_id })
    await expect(insert({ ...free, payment_id })).rejects.toMatchObject({ code: '23505' })
  })
})

describe('taken times', () => {
  it('leave out this browser’s own holds, unless their card is being charged', async () => {
    const mine = await hold(agreed(5, 6))
    const charged = await hold(agreed(7, 8))
    await inTx((tx) => extendHold(deps, tx, charged.paymentId))
    const exceptPayments = [mine.paymentId, charged.paymentId]
    const range = hours(0, 24)
    expect(await listTaken(world.db, business.id, range, deps.now())).toHaveLength(2)
    expect(await listTaken(world.db, business.id, range, deps.now(), { exceptPayments })).toEqual([
      { ...hours(7, 8), wholeCapacity: false },
    ])
  })

  it('leave out the hold of the same submit key', async () => {
    const mine = await hold(agreed(5, 6))
    const submitKey = newId()
    await aPaymentRow(mine.paymentId, { submit_key: submitKey })
    const list = (exceptSubmitKey: string) =>
      listTaken(world.db, business.id, hours(0, 24), deps.now(), { exceptSubmitKey })
    expect(await list(submitKey)).toEqual([])
    expect(await list(newId())).toHaveLength(1)
  })

  it('refuse a slot request with the nearest free times, and with none centuries away', async () => {
    await setsAvailability(world.db, business.id, {
      capacity: 1,
      setupMinutes: 0,
      cleanupMinutes: 0,
      horizonDays: 365,
    })
    await hold(agreed(5, 12))
    const find = (overrides: object = {}) =>
      findTime(world.db, {
        businessId: business.id,
        slotRequest: { date: '2027-03-13', time: '16:00', bookingType: 'perHour', quantity: 2, ...overrides },
        now: deps.now(),
        exceptPayments: [],
      })
    expect(await find()).toMatchObject({
      ok: false,
      reason: 'time_gone',
      why: 'taken',
      alternatives: [
        { date: '2027-03-13', time: '14:00' },
        { date: '2027-03-13', time: '13:30' },
        { date: '2027-03-13', time: '13:00' },
      ],
    })
    expect(await find({ time: '14:00' })).toMatchObject({ ok: true, time: { event: hours(3, 5) } })
    expect(await find({ date: '9999-12-31' })).toMatchObject({ why: 'too_far', alternatives: [] })
    expect(await find({ date: '1001-01-01' })).toMatchObject({ ok: false, alternatives: [] })
    await setsAvailability(world.db, business.id, { maxGuests: 5 })
    expect(await find({ bookingType: 'perPerson', quantity: 6 })).toMatchObject({
      why: 'too_many_guests',
      alternatives: [],
    })
    expect(await findTime(world.db, { ...(await requestFor('nothing')), exceptPayments: [] })).toBeNull()
  })
  const requestFor = async (businessId: string) => ({
    businessId,
    slotRequest: { date: '2027-03-13', time: '16:00', bookingType: 'perHour' as const, quantity: 2 },
    now: deps.now(),
  })
})

describe('the calendar feed', () => {
  it('opens by its token, stored only as a hash, until it is renewed or revoked', async () => {
    expect(await findFeed(world.db, business.id)).toBeNull()
    const made = await makeFeed(deps, own())
    if (!made.ok) throw new Error(made.reason)
    expect(await findFeedByToken(world.db, made.token)).toEqual({
      businessId: business.id,
      businessName: business.name,
      timeZone: 'Australia/Melbourne',
      showsNames: false,
    })
    const row = await world.db
      .selectFrom('calendar_feeds')
      .selectAll()
      .where('business_id', '=', business.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(made.token)
    expect(await showNamesInFeed(deps, { ...own(), showsNames: true })).toEqual({ ok: true })
    const again = await makeFeed(deps, own())
    if (!again.ok) throw new Error(again.reason)
    expect(await findFeedByToken(world.db, made.token)).toBeNull()
    expect(await findFeedByToken(world.db, again.token)).toMatchObject({ showsNames: true })
    for (let time = 0; time < 2; time++) expect(await revokeFeed(deps, own())).toEqual({ ok: true })
    expect(await findFeedByToken(world.db, again.token)).toBeNull()
    expect(await showNamesInFeed(deps, { ...own(), showsNames: true })).toEqual({
      ok: false,
      reason: 'not_found',
    })
  })

  it('can’t be made, revoked or changed by anyone but the owner', async () => {
    const made = await makeFeed(deps, own())
    if (!made.ok) throw new Error(made.reason)
    for (const stranger of await strangers()) {
      const refused = { ok: false, reason: 'not_found' }
      expect(await makeFeed(deps, stranger)).toEqual(refused)
      expect(await revokeFeed(deps, stranger)).toEqual(refused)
      expect(await showNamesInFeed(deps, { ...stranger, showsNames: true })).toEqual(refused)
    }
    expect(await findFeedByToken(world.db, made.token)).toMatchObject({ showsNames: false })
  })

  it('lists neither holds, blocked times nor slots without a booking', async () => {
    await hold(agreed(1, 2))
    await blockTime(deps, { ...own(), block: { ...aDay, from: '2027-03-20', to: '2027-03-20' } })
    await book(agreed(5, 12))
    // The feed lists slots with a stored booking. This slot has none.
    expect(
      await listFeedBookings(world.db, { businessId: business.id, range: hours(0, 400), now: deps.now() }),
    ).toEqual([])
  })
})

describe('outside calendars', () => {
  const url = 'https://calendar.example/busy.ics'
  const busy = (...events: [from: number, until: number, title?: string][]): BusyEvent[] =>
    events.map(([from, until, title = 'Busy']) => ({ ...hours(from, until), title }))
  const reading = (events: BusyEvent[], overrides: object = {}): CalendarAnswer => ({
    ok: true,
    unchanged: false,
    etag: 'one',
    events,
    ...overrides,
  })
  const add = (overrides: object = {}) =>
    addOutsideCalendar(deps, { ...own(), name: 'Private', url, ...overrides })
  const due = () => forward(15 * MINUTE_MS)
  const titles = async () => {
    const range = hours(-500, 500)
    const entries = await listCalendarEntries(world.db, { businessId: business.id, range, now: deps.now() })
    return entries.filter(({ kind }) => kind === 'outside').map(({ title }) => title)
  }

  it('take the whole capacity with their events from when they are added', async () => {
    await setsAvailability(world.db, business.id, { capacity: 4, horizonDays: 100 })
    answers.set(url, reading(busy([5, 12, 'Wedding fair'], [20, 20, 'Nothing'])))
    expect(await add()).toMatchObject({ ok: true, events: 2 })
    expect(reads).toMatchObject([{ url, zone: 'Australia/Melbourne', etag: null }])
    const [read] = reads
    expect(read?.window.from.getTime()).toBeLessThan(deps.now().getTime())
    expect(read?.window.until.getTime()).toBeGreaterThan(deps.now().getTime() + 100 * DAY_MS)
    expect(await hold(agreed(11, 13))).toMatchObject(taken)
    expect(await hold(agreed(12, 13))).toMatchObject({ ok: true })
    expect(await listOutsideCalendars(world.db, business.id)).toMatchObject([
      { name: 'Private', url, lastSyncedAt: deps.now(), lastError: null },
    ])
    expect(await titles()).toEqual(['Wedding fair'])
  })

  it.each(['unreachable', 'refused_address', 'too_large', 'not_a_calendar'] as const)(
    'can’t be added when reading them fails with %s',
    async (reason) => {
      answers.set(url, { ok: false, reason })
      expect(await add()).toEqual({ ok: false, reason })
      expect(await listOutsideCalendars(world.db, business.id)).toEqual([])
    },
  )

  it('name the event that can’t be read, until they can be read again', async () => {
    const unreadable = { ok: false, reason: 'unreadable_event', event: 'Fair' } as const
    answers.set(url, unreadable)
    expect(await add()).toEqual(unreadable)
    answers.set(url, reading(busy([5, 12])))
    const added = await add()
    if (!added.ok) throw new Error(added.reason)
    answers.set(url, unreadable)
    const input = { ...own(), calendarId: added.id }
    expect(await syncOutsideCalendarNow(deps, input)).toEqual(unreadable)
    expect(await listOutsideCalendars(world.db, business.id)).toMatchObject([
      { lastError: 'unreadable_event', lastErrorEvent: 'Fair' },
    ])
    // Its events of the last reading still count.
    expect(await hold(agreed(11, 13))).toMatchObject(taken)
    answers.set(url, reading(busy([5, 12])))
    await syncOutsideCalendarNow(deps, input)
    expect(await listOutsideCalendars(world.db, business.id)).toMatchObject([
      { lastError: null, lastErrorEvent: null },
    ])
  })

  it('store at most 96 busy times a day', async () => {
    const events = Array.from({ length: 1000 }, (_, index) => {
      const [from, until] = [index / 100, index / 100 + 0.005]
      return [from, until, 'Busy'] as [number, number, string]
    })
    answers.set(url, reading(busy(...events)))
    expect(await add()).toMatchObject({ ok: true, events: 1000 })
    expect((await titles()).length).toBeLessThanOrEqual(41)
  })

  it('can’t be added, synced or removed by anyone but the owner, and cause no fetch for others', async () => {
    answers.set(url, reading([]))
    for (const stranger of await strangers()) {
      expect(await add(stranger)).toEqual({ ok: false, reason: 'not_found' })
    }
    expect(reads).toEqual([])
    const added = await add()
    if (!added.ok) throw new Error(added.reason)
    for (const stranger of await strangers()) {
      const input = { ...stranger, calendarId: added.id }
      expect(await removeOutsideCalendar(deps, input)).toEqual({ ok: false, reason: 'not_found' })
      expect(await syncOutsideCalendarNow(deps, input)).toEqual({ ok: false, reason: 'not_found' })
    }
    const other = await aBusiness(world.db)
    const elsewhere = { userId: other.user_id, businessId: other.id, calendarId: added.id }
    await removeOutsideCalendar(deps, elsewhere)
    expect(await syncOutsideCalendarNow(deps, elsewhere)).toEqual({ ok: false, reason: 'not_found' })
    expect(await listOutsideCalendars(world.db, business.id)).toHaveLength(1)
  })

  it('can be added once each, five at most, and free their times when removed, even twice', async () => {
    answers.set(url, reading(busy([5, 12])))
    const added = await add()
    if (!added.ok) throw new Error(added.reason)
    expect(await add()).toEqual({ ok: false, reason: 'already_there' })
    for (let more = 0; more < 4; more++) {
      answers.set(`${url}?${more}`, reading([]))
      expect(await add({ url: `${url}?${more}` })).toMatchObject({ ok: true })
    }
    expect(await add({ url: `${url}?5` })).toEqual({ ok: false, reason: 'too_many' })
    for (let time = 0; time < 2; time++) {
      expect(await removeOutsideCalendar(deps, { ...own(), calendarId: added.id })).toEqual({ ok: true })
    }
    expect(await hold(agreed(5, 12))).toMatchObject({ ok: true })
  })

  it('sync each quarter of an hour in one process, which replaces their events', async () => {
    answers.set(url, reading(busy([5, 12, 'Old'])))
    await add()
    reads = []
    forward(14 * MINUTE_MS)
    await syncOutsideCalendars(deps)
    expect(reads).toEqual([])
    due()
    answers.set(url, reading(busy([15, 16, 'New']), { etag: 'two' }))
    await Promise.all([syncOutsideCalendars(deps), syncOutsideCalendars(deps)])
    await syncOutsideCalendars(deps)
    expect(reads).toMatchObject([{ etag: 'one' }])
    expect(await titles()).toEqual(['New'])
    expect(await hold(agreed(5, 12))).toMatchObject({ ok: true })
    due()
    answers.set(url, reading([], { unchanged: true, etag: 'two' }))
    await syncOutsideCalendars(deps)
    expect(reads).toMatchObject([{ etag: 'one' }, { etag: 'two' }])
    expect(await titles()).toEqual(['New'])
    expect(await listOutsideCalendars(world.db, business.id)).toMatchObject([{ lastSyncedAt: deps.now() }])
  })

  it('keep their events while they can’t be read, with the last sync and the error', async () => {
    answers.set(url, reading(busy([5, 12])))
    await add()
    const syncedAt = deps.now()
    answers.set(url, { ok: false, reason: 'too_slow' })
    due()
    await syncOutsideCalendars(deps)
    expect(await hold(agreed(5, 12))).toMatchObject(taken)
    expect(await listOutsideCalendars(world.db, business.id)).toMatchObject([
      { lastSyncedAt: syncedAt, lastError: 'too_slow' },
    ])
    answers.set(url, reading([]))
    due()
    await syncOutsideCalendars(deps)
    expect(await listOutsideCalendars(world.db, business.id)).toMatchObject([{ lastError: null }])
    expect(await hold(agreed(5, 12))).toMatchObject({ ok: true })
  })

  it('sync four times a day after a day of failures, until a read succeeds', async () => {
    answers.set(url, reading(busy([5, 12])))
    await add()
    answers.set(url, { ok: false, reason: 'http_error' })
    const readsIn = async (minutes: number) => {
      reads = []
      for (let quarter = 0; quarter < minutes; quarter += 15) {
        due()
        await syncOutsideCalendars(deps)
      }
      return reads.length
    }
    expect(await readsIn(24 * 60)).toBe(96)
    expect(await readsIn(24 * 60)).toBe(4)
    answers.set(url, reading(busy([5, 12])))
    expect(await readsIn(6 * 60)).toBeGreaterThan(0)
    expect(await readsIn(60)).toBe(4)
  })

  it('sync when the vendor asks, and without an ETag after a longer horizon is set', async () => {
    answers.set(url, reading([]))
    const added = await add()
    if (!added.ok) throw new Error(added.reason)
    const calendarId = added.id
    answers.set(url, { ok: false, reason: 'http_error' })
    expect(await syncOutsideCalendarNow(deps, { ...own(), calendarId })).toEqual({
      ok: false,
      reason: 'http_error',
    })
    const seen = await findSettingsVersion(world.db, business.id)
    await setAvailability(deps, { ...own(), settings: settings({ horizonDays: 900 }), expectedVersion: seen })
    answers.set(url, reading(busy([5, 12])))
    expect(await syncOutsideCalendarNow(deps, { ...own(), calendarId })).toEqual({ ok: true })
    expect(reads.map(({ etag }) => etag)).toEqual([null, 'one', null])
  })

  it('block a time by a booking of the vendor’s other listing, also of a listing that is unknown here', async () => {
    const { bookingId } = await aStoredBooking()
    const tent = await aBusiness(world.db, { user_id: business.user_id })
    await setsAvailability(world.db, tent.id, { capacity: 1 })
    const booked = busy([5, 12, 'Booking']).map((event) => ({ ...event, ownId: bookingId }))
    const unknown = busy([20, 21, 'Booking']).map((event) => ({ ...event, ownId: 'gone' }))
    answers.set(url, reading([...booked, ...unknown]))
    expect(await add({ businessId: tent.id })).toMatchObject({ ok: true, events: 2 })
    expect(await hold(agreed(11, 13), { businessId: tent.id })).toMatchObject(taken)
    expect(await hold(agreed(20, 21), { businessId: tent.id })).toMatchObject(taken)
  })

  it('leave out the business’s own bookings, also those that are declined', async () => {
    const { bookingId } = await aStoredBooking()
    const booked = busy([5, 12, 'Booking']).map((event) => ({ ...event, ownId: bookingId }))
    answers.set(url, reading([...booked, ...busy([20, 21, 'Dentist'])]))
    expect(await add()).toMatchObject({ ok: true, events: 1 })
    expect(await titles()).toEqual(['Dentist'])
    expect(
      await world.db
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', business.user_id)
        .where('kind', '=', 'conflict')
        .execute(),
    ).toEqual([])
    await world.db.updateTable('bookings').set({ status: 'declined' }).where('id', '=', bookingId).execute()
    await world.db.deleteFrom('slots').where('booking_id', '=', bookingId).execute()
    due()
    await syncOutsideCalendars(deps)
    expect(await hold(agreed(5, 12))).toMatchObject({ ok: true })
  })

  it('change no booking that they overlap, but notify the vendor of the conflict once', async () => {
    const { bookingId } = await aStoredBooking()
    answers.set(url, reading(busy([6, 7, 'Dentist'])))
    await add()
    due()
    answers.set(url, reading(busy([6, 8, 'Dentist'])))
    await syncOutsideCalendars(deps)
    const notifications = await world.db
      .selectFrom('notifications')
      .selectAll()
      .where('user_id', '=', business.user_id)
      .where('kind', '=', 'conflict')
      .execute()
    expect(notifications).toMatchObject([
      { event_key: `booking-conflict:${bookingId}`, link: '/dashboard/calendar' },
    ])
    expect(notifications[0]?.title).toContain('Kim Lee')
    const entries = await listCalendarEntries(world.db, {
      businessId: business.id,
      range: hours(0, 24),
      now: deps.now(),
    })
    expect(entries).toMatchObject([
      { kind: 'booking', title: 'Kim Lee', status: 'approved', isConflict: true },
      { kind: 'outside', title: 'Dentist', calendarName: 'Private', isConflict: true },
    ])
    expect(
      await listFeedBookings(world.db, { businessId: business.id, range: hours(0, 24), now: deps.now() }),
    ).toMatchObject([{ bookingId, customerName: 'Kim Lee', status: 'approved', event: hours(5, 12) }])
  })

  it('disappear with their business', async () => {
    answers.set(url, reading([]))
    await add()
    await world.db
      .updateTable('businesses')
      .set({ deleted_at: deps.now() })
      .where('id', '=', business.id)
      .execute()
    await syncOutsideCalendars(deps)
    expect(await listOutsideCalendars(world.db, business.id)).toEqual([])
  })

  /** Inserts a booking with its slot directly, without a checkout. */
  async function aStoredBooking() {
    const { paymentId, bookingId } = await book(agreed(5, 12))
    await aPaymentRow(paymentId, { state: 'paid' })
    await world.db
      .insertInto('bookings')
      .values({
        id: bookingId,
        payment_row_id: paymentId,
        vendor_id: business.id,
        vendor_name: business.name,
        customer_name: 'Kim Lee',
        email: 'kim@example.com',
        phone: '0411 222 333',
        date: '2027-03-13',
        time: '16:00',
        quantity: 10,
        booking_type: 'perPerson',
        total_price_cents: 45_500,
        payment_id: newId(),
        status: 'approved',
        decided_at: null,
        reminded_at: null,
        remind_at: deps.now(),
        decide_by: deps.now(),
      })
      .execute()
    return { paymentId, bookingId }
  }
})
