import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBusiness, aClock, setsAvailability } from '../builders.ts'
import { agrees, amountsBefore, asCustomer, asVendor, proposes, rowOf } from '../change-stage.ts'
import { requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { aDepositBusiness, approves, booksWithDeposit } from '../instalment-stage.ts'
import { refundsAsOperator } from '../payout-stage.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let booked: Awaited<ReturnType<typeof booksWithDeposit>>
let vendor: Awaited<ReturnType<typeof signUp>>
let stranger: typeof vendor

function world() {
  const { db, sandbox: payments } = server.services
  if (!payments) throw new Error('The tests run on the sandbox.')
  payments.setWebhookFault('never')
  return { db, payments, deps: bookingDeps(server.services) } as Parameters<typeof booksWithDeposit>[0]
}

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, now: aClock().now })
  vendor = await signUp(server, 'vendor@example.com')
  stranger = await signUp(server, 'stranger@example.com')
})
beforeEach(async () => {
  const { id: businessId } = await aDepositBusiness(world(), { user_id: vendor.userId })
  booked = await booksWithDeposit(world(), { businessId })
  await approves(world(), booked)
})
afterAll(() => server.close())

const { get, post } = requestsTo(() => server)

const changesOf = () =>
  world().db.selectFrom('changes').selectAll().where('booking_id', '=', booked.bookingId).execute()
const byLink = () => `/bookings/${booked.linkToken}/change`
const byId = () => `/bookings/${booked.bookingId}/change`

async function proposal(change: { date?: string; quantity?: number }) {
  const { date, time, quantity } = await rowOf(world(), booked)
  const proposed = { date, time, quantity, ...change }
  const shown = await amountsBefore(world().deps, booked, proposed)
  return { intent: 'propose', ...proposed, quantity: String(proposed.quantity), shown }
}

describe('the page on which a booking is changed', () => {
  it('shows its price by the sale to the holder of the link, uncached and unlisted', async () => {
    const response = await get(`${byLink()}?date=2027-03-20&time=16:00&quantity=70`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('x-robots-tag')).toContain('noindex')
    const page = await response.text()
    expect(page).toContain('The price rises by $1,450.00.')
    expect(page).toContain('Saturday 20 March 2027')
    expect(page).not.toMatch(/sb[kc]_/)
  })

  it('offers back after the change what is left once an operator has refunded a part', async () => {
    const { id: businessId } = await aBusiness(world().db, { user_id: vendor.userId, price_cents: 14_500 })
    const paid = await booksWithDeposit(world(), { businessId })
    await approves(world(), paid)
    await refundsAsOperator(world().deps, {
      operator: { userId: 'operator-1', email: 'operator@example.com' },
      paymentId: paid.paymentId,
      amountCents: 10_000,
      reason: 'The heater failed.',
    })
    const cancel = await (await get(`/bookings/${paid.linkToken}/cancel`)).text()
    expect(cancel).toContain('$8,600.00')
    const page = await (
      await get(`/bookings/${paid.linkToken}/change?date=2027-03-20&time=16:00&quantity=60`)
    ).text()
    const afterwards = page.slice(page.indexOf('Payments and cancelling after the change'))
    expect(afterwards).toContain('$8,600.00')
    expect(afterwards).not.toContain('$8,700.00 back')
  })

  it('asks for no payment once nothing is left to pay, and applies the change instead', async () => {
    const { deps } = world()
    const today = (await rowOf(world(), booked)).created_at
    const near = new Date(today.getTime() + 20 * DAY_MS).toISOString().slice(0, 10)
    await proposes(deps, booked, asCustomer(booked), { date: near })
    await agrees(deps, booked, asVendor(vendor.userId))
    expect(await (await get(byLink())).text()).toContain('Pay $6,960.00')
    await refundsAsOperator(deps, {
      operator: { userId: 'operator-1', email: 'operator@example.com' },
      paymentId: booked.paymentId,
      amountCents: 696_000,
      reason: 'The heater failed.',
    })
    const page = await (await get(byLink())).text()
    expect(page).toContain('Apply the change')
    expect(page).not.toContain('Pay $')
    await post(byLink(), { intent: 'open' })
    expect(await changesOf()).toMatchObject([{ state: 'paid' }])
    expect(await rowOf(world(), booked)).toMatchObject({ date: near })
  })

  it('opens its payment only for the amount that the page shows', async () => {
    const { deps } = world()
    const today = (await rowOf(world(), booked)).created_at
    const near = new Date(today.getTime() + 20 * DAY_MS).toISOString().slice(0, 10)
    await proposes(deps, booked, asCustomer(booked), { date: near })
    await agrees(deps, booked, asVendor(vendor.userId))
    const stale = await post(byLink(), { intent: 'open', shownCents: '686000' })
    expect(stale.status).toBe(409)
    expect(await stale.text()).not.toContain('_secret_')
    const opened = await post(byLink(), { intent: 'open', shownCents: '696000' })
    expect(opened.status).toBe(200)
    expect(await opened.text()).toContain('_secret_')
  })

  it('opens with the booking’s id for its signed-in vendor alone', async () => {
    expect((await get(byId())).headers.get('location')).toMatch(/^\/login/)
    expect((await get(byId(), stranger)).status).toBe(404)
    const own = await get(byId(), vendor)
    expect(own.status).toBe(200)
    // The customer's link permits more than the vendor may do.
    expect(await own.text()).not.toContain(booked.linkToken)
    expect((await get(`/bookings/${booked.paymentId}/change`, vendor)).status).toBe(404)
    expect((await get(`/bookings/${'x'.repeat(43)}/change`)).status).toBe(404)
  })

  it('refuses every press as nobody and as another vendor', async () => {
    await proposes(world().deps, booked, asCustomer(booked), { quantity: 70 })
    const [change] = await changesOf()
    const presses: Record<string, string>[] = [
      await proposal({ quantity: 80 }),
      { intent: 'agree', changeId: change?.id ?? '', shown: '1' },
      { intent: 'decline', changeId: change?.id ?? '' },
      { intent: 'open' },
    ]
    for (const press of presses) {
      // Nobody is led to sign in, and nothing happens.
      expect((await post(byId(), press)).headers.get('location')).toMatch(/^\/login/)
      expect((await post(byId(), press, stranger)).status).toBe(404)
      expect((await post(`/bookings/${'x'.repeat(43)}/change`, press)).status).toBe(404)
    }
    expect(await changesOf()).toMatchObject([{ state: 'proposed' }])
    // Only a customer pays.
    expect((await post(byId(), { intent: 'open' }, vendor)).status).toBe(404)
  })

  it('leads from a proposal of the customer to a changed booking', async () => {
    expect((await post(byLink(), await proposal({ date: '2027-03-20' }))).status).toBe(200)
    const [change] = await changesOf()
    const list = await (await get('/dashboard/bookings', vendor)).text()
    expect(list).toContain('Kim Lee proposes a change. Please answer by')
    const answer = { intent: 'agree', changeId: change?.id ?? '', shown: 'what stood there before' }
    const stale = await post(byId(), answer, vendor)
    expect(stale.status).toBe(409)
    expect(await stale.text()).toContain('The amounts have changed since you saw them.')
    await agrees(world().deps, booked, asVendor(vendor.userId))
    expect(await (await get(`/bookings/${booked.linkToken}`)).text()).toContain('Saturday 20 March 2027')
    const calendar = await (await get(`/bookings/${booked.linkToken}/calendar.ics`)).text()
    expect(calendar).toContain('DTSTART:20270320T050000Z')
    expect(calendar).toContain('SEQUENCE:1')
    expect((await get(`/bookings/${booked.linkToken}/receipt.pdf`)).status).toBe(200)
  })

  it.each([
    ['no fields', {}],
    ['an unknown intent', { intent: 'steal' }],
    [
      'letters for a number',
      { intent: 'propose', date: '2027-03-20', time: '16:00', quantity: 'ten', shown: '' },
    ],
    [
      'a day that doesn’t exist',
      { intent: 'propose', date: '2027-02-30', time: '16:00', quantity: '10', shown: '' },
    ],
    [
      '10^20 people',
      { intent: 'propose', date: '2027-03-20', time: '16:00', quantity: `1${'0'.repeat(20)}`, shown: '' },
    ],
    ['another name', { intent: 'decline', changeId: 'x', extra: 'y' }],
  ])('answers %s with a refusal and changes nothing', async (_, fields) => {
    const { status } = await post(byLink(), fields as Record<string, string>)
    expect([400, 409, 422]).toContain(status)
    expect(await changesOf()).toEqual([])
  })

  it.each([
    'date=2020-01-01&time=16:00&quantity=60',
    'quantity=x',
    'date=%00',
    'date=2027-03-20&time=25:99&quantity=-1',
  ])('keeps what was typed, with the reason beside it: %s', async (typed) => {
    const response = await get(`${byLink()}?${typed}`)
    expect([200, 400]).toContain(response.status)
    if (response.status === 200) expect(await response.text()).toContain('aria-invalid="true"')
  })
})

describe('the free times of a booking that would move', () => {
  it('leave its own time out for the holder of its key alone', async () => {
    await world()
      .db.updateTable('availability_settings')
      .set({ capacity: 1 })
      .where('business_id', '=', booked.businessId)
      .execute()
    const ask = async (own: string) =>
      (
        (await (
          await get(
            `/api/availability/${booked.businessId}?day=2027-03-13&type=perPerson&quantity=1${own ? `&own=${encodeURIComponent(own)}` : ''}`,
          )
        ).json()) as { times: string[] }
      ).times
    const page = await (await get(byLink())).text()
    const [own = ''] = new RegExp(`${booked.bookingId}\\.[\\w-]{43}`).exec(page) ?? []
    expect(own).not.toBe('')
    expect(await ask('')).not.toContain('16:00')
    expect(await ask(own)).toContain('16:00')
    expect(await ask(`${own.slice(0, -1)}x`)).not.toContain('16:00')
  })

  it('have the length of the quoted event, whatever its hours', async () => {
    const open = [{ opensMinute: 600, closesMinute: 1_440 }]
    await setsAvailability(world().db, booked.businessId, {
      weekly: { mon: open, tue: open, wed: open, thu: open, fri: open, sat: open, sun: open },
    })
    const ask = async (own: string, type: string) => {
      const path = `/api/availability/${booked.businessId}?day=2027-03-20&type=${type}&quantity=1&own=${own}`
      return ((await (await get(path)).json()) as { times: string[] }).times
    }
    const page = await (await get(byLink())).text()
    const [own = ''] = new RegExp(`${booked.bookingId}\\.[\\w-]{43}`).exec(page) ?? []
    const ofItsLength = await ask(own, 'perPerson')
    expect((await ask(own, 'perHour')).length).toBeGreaterThan(ofItsLength.length)
    await sql`update sales set quote = '{"id": "q"}' where id = ${booked.paymentId}`.execute(world().db)
    expect(await ask(own, 'perHour')).toEqual(ofItsLength)
  })
})
