import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withdrawBooking } from '../../app/features/bookings/cancellation/withdrawal-commands.server.ts'
import { decideBooking } from '../../app/features/bookings/decisions/commands.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { aBookingForm } from '../builders.ts'
import { sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { nextEventDate } from '../e2e/browser.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
})
afterAll(() => server.close())

const read = async (path: string) => (await sendTo(server, path)).text()
const book = () =>
  bookAndPay(server.services, {
    businessId: 'harbour-light-pavilion',
    amountCents: 145_000,
    booking: aBookingForm({ date: nextEventDate(), quantity: 10 }),
  })

/** The link of a page to venues that are free on the day of a booking, and what it finds. */
async function venuesFrom(path: string) {
  const [, to = ''] = /href="(\/venues\?date=[^"]+)"[^>]*>Venues free on /.exec(await read(path)) ?? []
  return to ? read(to.replaceAll('&amp;', '&')) : null
}

describe('a booking that won’t take place', () => {
  it('leads to venues of its day and place that are free, once it was withdrawn', async () => {
    const { bookingId, path } = await book()
    expect(await venuesFrom(path)).toBeNull()
    await withdrawBooking(bookingDeps(server.services), {
      bookingId,
      by: { linkToken: path.split('/').at(-1) ?? '' },
    })
    const found = await venuesFrom(path)
    expect(found).toContain('can be booked then')
    expect(found).not.toContain('Nothing matches all of that')
  })

  it('leads there once it was declined', async () => {
    const { bookingId, path } = await book()
    const { user_id: userId } = await server.services.db
      .selectFrom('businesses')
      .select('user_id')
      .where('id', '=', 'harbour-light-pavilion')
      .executeTakeFirstOrThrow()
    await decideBooking(bookingDeps(server.services), {
      userId,
      bookingId,
      decision: 'declined',
      isAtOnce: true,
    })
    expect(await venuesFrom(path)).toContain('can be booked then')
  })
})

describe('the occasions', () => {
  it('lead to each category with the occasion, and count what the list then finds', async () => {
    const html = await read('/events')
    expect(html).toContain('href="/photographers?occasion=wedding"')
    expect(html).not.toMatch(/href="\/venues"[^>]*class="group/)
    const [, count] =
      /href="\/photographers\?occasion=wedding"[^>]*>.*?<span class="figures[^>]*>(\d+)</.exec(html) ?? []
    const list = await read('/photographers?occasion=wedding')
    expect(list).toContain('aria-label="Your search terms"')
    expect(list).toContain(`>${count} businesses<`)
  })
})
