import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness, setsAvailability } from '../../../tests/builders.ts'
import { readCalendarText } from '../../adapters/calendars/ical.ts'
import type { CalendarReader } from '../../adapters/calendars/port.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import {
  addOutsideCalendar,
  makeFeed,
  revokeFeed,
  showNamesInFeed,
} from '../../features/availability/outside-calendar-commands.server.ts'
import { findTime } from '../../features/availability/slot-queries.server.ts'
import { startBookingPayment } from '../../features/bookings/checkout/commands.server.ts'
import { decideBooking } from '../../features/bookings/decisions/commands.server.ts'
import { findCustomerNames, listBookingsOf } from '../../features/bookings/list/calendar-queries.server.ts'
import { reportPayment } from '../../features/payments/settlement-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import * as calendarFeed from './calendar-feed.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let context: RouterContextProvider
let business: Awaited<ReturnType<typeof aBusiness>>
let own: { userId: string; businessId: string }

beforeAll(async () => {
  world = await aBookingWorld()
  context = new RouterContextProvider()
  // Only the services that this route uses.
  context.set(servicesContext, {
    ...world.deps,
    rateLimits: createRateLimits(world.db, world.deps.now),
    config: { brand: 'Jubilee', publicUrl: new URL('https://jubilee.test') },
  } as unknown as Services)
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.db.deleteFrom('rate_limits').execute()
  business = await aBusiness(world.db)
  own = { userId: business.user_id, businessId: business.id }
})

async function booked(fullName: string, date: string) {
  const payment = await startBookingPayment(world.deps, {
    amount: 45_500,
    submitKey: crypto.randomUUID(),
    businessId: business.id,
    booking: aBookingForm({ fullName, date }),
    customerUserId: null,
  })
  if (!payment.ok || payment.alreadyPaid) throw new Error(JSON.stringify(payment))
  const { clientSecret } = payment
  await world.payments.confirmCard({
    clientSecret,
    cardNumber: '4242424242424242',
    expiry: '12 / 30',
    cvc: '123',
  })
  const settled = await reportPayment(world.deps, { clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error(JSON.stringify(settled))
  return settled.purchaseId
}

async function aToken(): Promise<string> {
  const made = await makeFeed(world.deps, own)
  if (!made.ok) throw new Error(made.reason)
  return made.token
}

function ask(token: string, headers: Record<string, string> = {}) {
  const request = new Request(`https://jubilee.test/calendar-feed/${token}.ics`, {
    headers: { 'x-client-address': '203.0.113.9', ...headers },
  })
  return calendarFeed.loader({ request, context, params: { token } } as never)
}

/** Parses the feed with a library other than its writer. */
function read(text: string) {
  const answer = readCalendarText({
    text,
    window: { from: new Date('2026-01-01T00:00:00Z'), until: new Date('2028-01-01T00:00:00Z') },
    zone: 'Australia/Perth',
    ownUidSuffix: null,
    ownerAddresses: [],
  })
  if (!answer.ok) throw new Error(answer.reason)
  return answer.events.map(
    ({ from, until, title }) => `${from.toISOString()}/${until.toISOString()} ${title}`,
  )
}

it('contains times, but no personal data', async () => {
  const pending = await booked('Kim Lee', '2027-03-13')
  const approved = await booked('Ida Brandt', '2027-03-20')
  const declined = await booked('Omar Haddad', '2027-03-27')
  for (const [bookingId, decision] of [
    [approved, 'approved'],
    [declined, 'declined'],
  ] as const)
    await decideBooking(world.deps, { userId: own.userId, bookingId, decision, isAtOnce: true })
  const answer = await ask(await aToken())
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-cache',
    'x-robots-tag': 'noindex',
  })
  const text = await answer.text()
  // 4 pm in Melbourne in daylight saving time, for seven hours.
  expect(read(text)).toEqual([
    '2027-03-13T05:00:00.000Z/2027-03-13T12:00:00.000Z Booking (waiting for your answer)',
    '2027-03-20T05:00:00.000Z/2027-03-20T12:00:00.000Z Booking',
  ])
  expect(text).toContain('X-WR-CALNAME:The Walled Garden')
  expect(text).toContain(`UID:${pending}@jubilee.test`)
  expect(text).toContain('STATUS:TENTATIVE')
  for (const personal of ['Kim', 'Ida', 'Omar', 'example.com', '0411']) expect(text).not.toContain(personal)
})

it('contains customers’ names only while the vendor allows it', async () => {
  await booked('Kim Lee', '2027-03-13')
  const token = await aToken()
  await showNamesInFeed(world.deps, { ...own, showsNames: true })
  const text = await (await ask(token)).text()
  expect(read(text)).toEqual([
    '2027-03-13T05:00:00.000Z/2027-03-13T12:00:00.000Z Kim Lee (waiting for your answer)',
  ])
  for (const personal of ['kim@example.com', '0411']) expect(text).not.toContain(personal)
  await showNamesInFeed(world.deps, { ...own, showsNames: false })
  expect(await (await ask(token)).text()).not.toContain('Kim')
})

it('blocks the vendor’s other listing when that imports it, and not its own', async () => {
  await booked('Kim Lee', '2027-03-13')
  const text = await (await ask(await aToken())).text()
  const calendars: CalendarReader = {
    async read(_url, window, zone) {
      const read = readCalendarText({ text, window, zone, ownUidSuffix: '@jubilee.test', ownerAddresses: [] })
      return read.ok ? { ...read, unchanged: false, etag: '' } : read
    },
  }
  const tent = await aBusiness(world.db, { user_id: own.userId })
  for (const [businessId, events] of [
    [own.businessId, 0],
    [tent.id, 1],
  ] as const) {
    await setsAvailability(world.db, businessId, { capacity: 1, horizonDays: 900 })
    const added = await addOutsideCalendar(
      { ...world.deps, calendars, findCustomerNames, listBookingsOf },
      { ...own, businessId, name: 'Garden', url: 'https://calendar.example/garden.ics' },
    )
    expect(added).toMatchObject({ ok: true, events })
  }
  const slotRequest = { date: '2027-03-13', time: '16:00', bookingType: 'perHour', quantity: 4 } as const
  const slotQuery = { businessId: tent.id, now: world.deps.now(), exceptPayments: [], slotRequest }
  expect(await findTime(world.db, slotQuery)).toMatchObject({ ok: false, why: 'taken' })
})

it('answers 304 while it is unchanged', async () => {
  await booked('Kim Lee', '2027-03-13')
  const token = await aToken()
  const etag = (await ask(token)).headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{20,}"$/)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const same = await ask(token, { 'if-none-match': known })
    expect(same.status).toBe(304)
    expect(same.headers.get('etag')).toBe(etag)
  }
  await booked('Ida Brandt', '2027-03-20')
  const changed = await ask(token, { 'if-none-match': etag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
})

it('opens only with the newest address', async () => {
  const first = await aToken()
  const second = await aToken()
  expect((await ask(first)).status).toBe(404)
  expect((await ask(second)).status).toBe(200)
  await revokeFeed(world.deps, own)
  expect((await ask(second)).status).toBe(404)
})

it('answers 404 to a malformed token or for a deleted business', async () => {
  for (const token of ['', 'x', '../../etc/passwd', 'a'.repeat(40), `${'a'.repeat(39)}%`])
    expect((await ask(token)).status, token).toBe(404)
  const token = await aToken()
  await world.db
    .updateTable('businesses')
    .set({ deleted_at: new Date() })
    .where('id', '=', business.id)
    .execute()
  expect((await ask(token)).status).toBe(404)
})

it('limits the requests of one address', async () => {
  const token = await aToken()
  await world.db
    .insertInto('rate_limits')
    .values({ key: 'calendar-feed:203.0.113.9', window_start: new Date('2026-11-20T01:00:00Z'), count: 300 })
    .execute()
  const answer = await ask(token)
  expect(answer.status).toBe(429)
  expect(answer.headers.get('retry-after')).toBe('60')
  expect((await ask(token, { 'x-client-address': '203.0.113.10' })).status).toBe(200)
})

it('stays valid when a stored name contains line breaks', async () => {
  const bookingId = await booked('Kim Lee', '2027-03-13')
  const text = 'Hall\r\nX-INJECTED:1\nBEGIN:VEVENT\rSUMMARY:x\u2028y'
  await world.db.updateTable('businesses').set({ name: text }).where('id', '=', business.id).execute()
  await world.db.updateTable('bookings').set({ customer_name: text }).where('id', '=', bookingId).execute()
  await showNamesInFeed(world.deps, { ...own, showsNames: true })
  const feed = await (await ask(await aToken())).text()
  // No line of the feed begins with text from the name, whichever characters a reader treats as line breaks.
  expect(feed.split(/\r\n|[\r\n\u2028]/).filter((line) => /^(X-INJECTED|SUMMARY:x)/.test(line))).toEqual([])
  expect(feed).not.toMatch(/\r(?!\n)|(?<!\r)\n/)
  expect(read(feed)).toHaveLength(1)
})

describe('a cancelled booking', () => {
  /** The lines of one event of the feed; none if the feed doesn't have it. */
  async function eventOf(bookingId: string): Promise<string[]> {
    const text = await (await ask(await aToken())).text()
    const events = text.split('BEGIN:VEVENT').slice(1)
    return events.find((event) => event.includes(`UID:${bookingId}@`))?.split('\r\n') ?? []
  }
  const sequenceIn = (lines: string[]) =>
    Number(lines.find((line) => line.startsWith('SEQUENCE:'))?.slice('SEQUENCE:'.length))

  it('stays in the feed as cancelled, and each decision raises its sequence', async () => {
    const bookingId = await booked('Kim Lee', '2027-03-13')
    const decide = (decision: 'approved' | 'declined') => {
      world.clock.forward(60_000)
      return decideBooking(world.deps, {
        userId: own.userId,
        bookingId,
        decision,
        reason: 'The roof leaks.',
        isAtOnce: true,
      })
    }
    const versions = [await eventOf(bookingId)]
    for (const decision of ['approved', 'declined', 'approved', 'declined'] as const) {
      expect(await decide(decision)).toMatchObject({ ok: true })
      versions.push(await eventOf(bookingId))
    }
    const statuses = ['TENTATIVE', 'CONFIRMED', 'CANCELLED', 'CONFIRMED', 'CANCELLED']
    for (const [nth, lines] of versions.entries()) {
      expect(lines).toContain(`STATUS:${statuses[nth]}`)
      expect(lines).toContain('DTSTART:20270313T050000Z')
    }
    const sequences = versions.map(sequenceIn)
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b))
    const cancelled = versions.at(-1)
    expect(cancelled).toContain('SUMMARY:Booking (cancelled)')
    expect(cancelled).toContain('TRANSP:TRANSPARENT')
    // Readers of the feed see the time as free again.
    expect(read(await (await ask(await aToken())).text())).toEqual([])
  })

  it('leaves the feed 30 days after it was cancelled', async () => {
    const bookingId = await booked('Kim Lee', '2027-03-13')
    await decideBooking(world.deps, { userId: own.userId, bookingId, decision: 'declined', isAtOnce: true })
    world.clock.forward(30 * DAY_MS - 1)
    expect(await eventOf(bookingId)).toContain('STATUS:CANCELLED')
    world.clock.forward(1)
    expect(await eventOf(bookingId)).toEqual([])
  })

  it('appears in no other business’s feed', async () => {
    const bookingId = await booked('Kim Lee', '2027-03-13')
    await decideBooking(world.deps, { userId: own.userId, bookingId, decision: 'declined', isAtOnce: true })
    business = await aBusiness(world.db)
    own = { userId: business.user_id, businessId: business.id }
    expect(await eventOf(bookingId)).toEqual([])
  })
})
