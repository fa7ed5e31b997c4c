import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AVAILABILITY_LIMIT } from '../../app/features/availability/rules.ts'
import { aBookingForm, aBusiness, setsAvailability } from '../builders.ts'
import { nextAddress, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { startServer, type TestServer } from '../server.ts'

/** The values of a search on the page of a business: the first fitting day, the usual part of the day, the way there. */

let server: TestServer
let businessId: string

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { TRUSTED_PROXY: '1' },
    now: () => new Date('2026-11-20T01:00:00Z'),
  })
  const { db } = server.services
  businessId = (
    await aBusiness(db, {
      place_id: 'geelong-vic',
      category: 'Photographers',
      facts: JSON.stringify({ travelKm: 100 }),
    })
  ).id
  await setsAvailability(db, businessId, { horizonDays: 730 })
})
afterAll(() => server.close())

const LENGTH = 'type=perHour&quantity=4'

async function ask(query: string, address = nextAddress()) {
  const response = await sendTo(server, `/api/availability/${businessId}?${query}&${LENGTH}`, { address })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the first free day of a period', () => {
  it('falls on its weekday, and within the days that can be booked', async () => {
    expect((await ask('fitting=2027-03..2027-05&weekday=Saturday')).body).toEqual({ fitting: '2027-03-06' })
    expect((await ask('fitting=2027-03&weekday=weekend')).body).toEqual({ fitting: '2027-03-06' })
    expect((await ask('fitting=2027-03')).body).toEqual({ fitting: '2027-03-01' })
    expect((await ask('fitting=2026-11')).body).toEqual({ fitting: '2026-11-20' })
    expect((await ask('fitting=2026-01..2026-10')).body).toEqual({ fitting: null })
    expect((await ask('fitting=2099-01')).body).toEqual({ fitting: null })
  })

  it.each(['fitting=', 'fitting=2027-13', 'fitting=2026-01..2027-01', 'fitting=2027-03&weekday=Someday'])(
    'is refused for %s',
    async (query) => {
      expect((await ask(query)).status).toBe(400)
    },
  )
})

describe('the limit of calendar requests', () => {
  it('counts each month of a period', async () => {
    const address = nextAddress()
    const asked = await Promise.all(
      Array.from({ length: AVAILABILITY_LIMIT.max / 12 + 1 }, () => ask('fitting=2027-01..2027-12', address)),
    )
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})

describe('the usual part of the day', () => {
  it('comes with the times of a day, once three bookings show it', async () => {
    expect((await ask('day=2027-03-06')).body.usual).toBeNull()
    for (const [date, time] of [
      ['2027-04-03', '17:00'],
      ['2027-04-04', '18:00'],
      ['2027-04-05', '09:00'],
    ] as const)
      await bookAndPay(server.services, {
        businessId,
        amountCents: 84_000,
        booking: aBookingForm({ date, time, quantity: 4, bookingType: 'perHour' }),
      })
    const { body } = await ask('day=2027-03-06')
    expect(body.usual).toBe('evening')
    expect(body.times).toContain('10:00')
  })
})

describe('the way to the place of an event', () => {
  const travel = async (id: string, query: string, address = nextAddress()) => {
    const response = await sendTo(server, `/api/travel/${id}?${query}`, { address })
    return { status: response.status, body: await response.json() }
  }

  it('comes from the server, since the page is the same for all visitors', async () => {
    expect(await travel(businessId, 'place=Ballarat')).toEqual({
      status: 200,
      body: { text: 'Travels to Ballarat (79 km)' },
    })
    expect(await travel(businessId, 'place=Sydney')).toMatchObject({
      body: { text: expect.stringMatching(/^\d+ km from Sydney. Ask whether they travel there\.$/) },
    })
    expect(await travel(businessId, 'place=%F0%9F%8E%89')).toEqual({ status: 200, body: { text: null } })
    expect(await travel('no-such-business', 'place=Ballarat')).toEqual({ status: 200, body: { text: null } })
  })

  it.each([
    ['a-business', ''],
    ['a-business', 'place=%20'],
    ['a-business', `place=${'a'.repeat(101)}`],
    ['a'.repeat(300), 'place=Geelong'],
  ])('is refused for %s and %s', async (id, query) => {
    expect((await travel(id, query)).status).toBe(400)
  })

  it('can be asked for as often as free times, and no more', async () => {
    const address = nextAddress()
    const asked = await Promise.all(
      Array.from({ length: AVAILABILITY_LIMIT.max + 1 }, () => travel(businessId, 'place=Geelong', address)),
    )
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})
