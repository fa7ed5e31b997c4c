import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness, setsAvailability } from '../../../tests/builders.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { AVAILABILITY_LIMIT, type TimeProblem } from '../../features/availability/rules.ts'
import { startBookingPayment } from '../../features/bookings/checkout/commands.server.ts'
import { BROWSER_PAYMENTS_COOKIE } from '../../features/payments/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { addDays, wallTimeAt } from '../../shared/dates.ts'
import { signedListCookie } from '../../shared/signed-cookie.server.ts'
import * as availability from './availability.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let businessId = ''
let context: RouterContextProvider

beforeAll(async () => {
  world = await aBookingWorld()
  const { deps } = world
  context = new RouterContextProvider()
  // Only the services that this route uses.
  context.set(servicesContext, {
    ...deps,
    rateLimits: createRateLimits(deps.db, deps.now),
    config: { secret: deps.secret },
  } as unknown as Services)
})
afterAll(() => world.close())
beforeEach(async () => {
  const hours = [{ opensMinute: 600, closesMinute: 1_320 }]
  const { id } = await aBusiness(world.db)
  businessId = id
  await setsAvailability(world.db, id, {
    capacity: 1,
    maxGuests: 80,
    weekly: { mon: [], tue: hours, wed: hours, thu: hours, fri: hours, sat: hours, sun: hours },
    eventMinutes: 600,
    setupMinutes: 60,
    cleanupMinutes: 0,
    noticeMinutes: 0,
    horizonDays: 365,
  })
  await world.db.deleteFrom('rate_limits').execute()
})

async function ask(query: string, options: { id?: string; cookie?: string } = {}) {
  const url = new URL(`http://localhost:3000/api/availability/x?${query}`)
  const request = new Request(url, {
    headers: { 'x-client-address': '10.0.0.1', ...(options.cookie ? { cookie: options.cookie } : {}) },
  })
  const answer = await availability.loader({
    request,
    url,
    context,
    params: { businessId: options.id ?? businessId },
  } as never)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return { status: answer.status, body: (await answer.json()) as unknown }
}

/** Starts a payment, which holds Saturday 13 March 2027, 11 am to 9 pm. */
async function hold() {
  const started = await startBookingPayment(world.deps, {
    amount: 45_500,
    submitKey: crypto.randomUUID(),
    businessId,
    booking: aBookingForm({ time: '11:00' }),
    customerUserId: null,
  })
  if (!started.ok || started.alreadyPaid) throw new Error(JSON.stringify(started))
  return started
}

describe('GET /api/availability/:businessId', () => {
  it('returns the state of each day of a month', async () => {
    await hold()
    const { status, body } = await ask('month=2027-03&type=perPerson&quantity=10')
    expect(status).toBe(200)
    const { days } = body as { days: Record<string, string> }
    expect(Object.keys(days)).toHaveLength(31)
    expect(days).toMatchObject({
      '2027-03-01': 'closed',
      '2027-03-12': 'free',
      '2027-03-13': 'full',
      '2027-03-14': 'free',
      '2027-03-31': 'free',
    })
  })

  it('names the first and last bookable day and the guest limit beside a month', async () => {
    const { body } = await ask('month=2027-03&type=perPerson&quantity=10')
    const { time_zone } = await world.db
      .selectFrom('businesses')
      .innerJoin('places', 'places.id', 'businesses.place_id')
      .select('places.time_zone')
      .where('businesses.id', '=', businessId)
      .executeTakeFirstOrThrow()
    const today = wallTimeAt(world.deps.now(), time_zone).date
    expect(body).toMatchObject({ first: today, last: addDays(today, 365), maxGuests: 80 })
  })

  it('names the free days nearest to a taken one, one of them on the same weekday', async () => {
    await hold()
    // Mondays are closed, and setting up for Friday and Sunday stays clear of the Saturday.
    await expect(ask('nearest=2027-03-13&type=perPerson&quantity=10')).resolves.toMatchObject({
      status: 200,
      body: { nearest: ['2027-03-06', '2027-03-12', '2027-03-14'] },
    })
    const { nearest } = (await ask('nearest=9999-12-31&type=perPerson&quantity=1')).body as {
      nearest: string[]
    }
    expect(nearest).toHaveLength(3)
  })

  it('lists the free times of a day for the requested length', async () => {
    await hold()
    const times = async (query: string) => (await ask(query)).body
    await expect(times('day=2027-03-12&type=perPerson&quantity=1')).resolves.toEqual({
      times: ['10:00', '10:30', '11:00', '11:30', '12:00'],
      maxGuests: 80,
      usual: null,
    })
    await expect(times('day=2027-03-13&type=perPerson&quantity=1')).resolves.toEqual({
      times: [],
      maxGuests: 80,
      usual: null,
    })
    // The hold ends at 9 pm, and setting up takes until 10 pm.
    await expect(times('day=2027-03-13&type=perHour&quantity=1')).resolves.toEqual({
      times: [],
      maxGuests: 80,
      usual: null,
    })
    await expect(times('day=2027-03-14&type=perHour&quantity=12')).resolves.toEqual({
      times: ['10:00'],
      maxGuests: 80,
      usual: null,
    })
  })

  it('explains why a time can’t be booked, for which field, and offers alternatives', async () => {
    await hold()
    const about = async (query: string) =>
      (await ask(query)).body as { refusal: string | null } & Partial<TimeProblem>
    await expect(about('date=2027-03-14&time=11:00&type=perPerson&quantity=80')).resolves.toEqual({
      refusal: null,
    })
    await expect(about('date=2027-03-13&time=11:00&type=perPerson&quantity=80')).resolves.toEqual({
      refusal: 'taken',
      field: 'time',
      message: 'That time is taken. Choose another one.',
      alternatives: [
        { date: '2027-03-06', time: '11:00' },
        { date: '2027-03-20', time: '11:00' },
        { date: '2027-02-27', time: '11:00' },
      ],
    })
    await expect(about('date=2027-03-14&time=11:00&type=perPerson&quantity=81')).resolves.toEqual({
      refusal: 'too_many_guests',
      field: 'quantity',
      message: 'This vendor takes at most 80 guests.',
      alternatives: [],
    })
    await expect(about('date=9999-12-31&time=11:00&type=perPerson&quantity=1')).resolves.toMatchObject({
      refusal: 'too_far',
      alternatives: [],
    })
  })

  it('ignores this browser’s own hold, but no other', async () => {
    const { paymentId } = await hold()
    const [cookie = ''] = (
      await signedListCookie([paymentId], BROWSER_PAYMENTS_COOKIE, world.deps.secret, {
        maxAgeS: 60,
        isSecure: false,
      })
    ).split(';')
    const query = 'date=2027-03-13&time=11:00&type=perPerson&quantity=1'
    await expect(ask(query, { cookie })).resolves.toMatchObject({ body: { refusal: null } })
    await expect(ask(query, { cookie: `${cookie}x` })).resolves.toMatchObject({ body: { refusal: 'taken' } })
    await expect(ask(query)).resolves.toMatchObject({ body: { refusal: 'taken' } })
  })

  it.each([
    '',
    'month=2027-03',
    'month=2027-13&type=perPerson&quantity=1',
    'month=2027-3&type=perPerson&quantity=1',
    'day=2027-02-31&type=perPerson&quantity=1',
    'nearest=2027-02-31&type=perPerson&quantity=1',
    'nearest=2027-03-13',
    'date=2027-03-13&time=25:00&type=perPerson&quantity=1',
    'date=2027-03-13&type=perPerson&quantity=1',
    'day=2027-03-13&type=perWeek&quantity=1',
    'day=2027-03-13&type=perPerson&quantity=0',
    'day=2027-03-13&type=perPerson&quantity=1.5',
    'day=2027-03-13&type=perPerson&quantity=many',
    'day=2027-03-13&type=perHour&quantity=49',
    'day=%00&type=perPerson&quantity=1',
  ])('answers 400 to a malformed query: %j', async (query) => {
    await expect(ask(query)).resolves.toMatchObject({ status: 400, body: { error: { code: 'malformed' } } })
  })

  it.each(['0001-01', '1000-12', '1001-01', '2026-11', '9999-12'])(
    'answers for any month: %s',
    async (month) => {
      const { status, body } = await ask(`month=${month}&type=perPerson&quantity=1`)
      if (month < '1001') return expect(status).toBe(400)
      expect(status).toBe(200)
      expect(Object.values((body as { days: object }).days).length).toBeGreaterThan(27)
    },
  )

  it('answers 404 for a hidden, deleted or unknown business', async () => {
    const query = 'month=2027-03&type=perPerson&quantity=1'
    const hidden = await aBusiness(world.db, { hidden_at: new Date() })
    const deleted = await aBusiness(world.db, { deleted_at: new Date() })
    for (const id of [hidden.id, deleted.id, 'no-such-business', '..%2f', 'a\0b', 'x'.repeat(500)]) {
      await expect(ask(query, { id }), id).resolves.toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      })
    }
  })

  it('limits the requests of one address', async () => {
    const query = 'day=2027-03-13&type=perPerson&quantity=1'
    const { max } = AVAILABILITY_LIMIT
    const answers = await Promise.all(Array.from({ length: max + 1 }, () => ask(query)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(max)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})
