import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness, setsAvailability } from '../../../tests/builders.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { UNPAID_HOLDS_OF_ADDRESS, UNPAID_HOLDS_OF_BROWSER } from '../../features/availability/rules.ts'
import { findBrowserPayment } from '../../features/bookings/checkout/queries.server.ts'
import { bookingLinkToken } from '../../features/bookings/rules.ts'
import { findPaymentBySubmitKey } from '../../features/payments/queries.server.ts'
import {
  BROWSER_PAYMENTS_COOKIE,
  BROWSER_PAYMENTS_KEPT,
  PAYMENT_STARTS_LIMIT,
} from '../../features/payments/rules.ts'
import { POLICIES } from '../../features/terms/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { readSignedList } from '../../shared/signed-cookie.server.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import * as bookingCalendar from './booking-calendar.ts'
import * as createPaymentIntent from './create-payment-intent.ts'
import * as hold from './hold.ts'
import * as paymentReport from './payment-report.ts'
import * as paymentWebhook from './payment-webhook.ts'
import * as receiptRoute from './receipt.ts'
import * as sandboxConfirm from './sandbox-confirm.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let business: Awaited<ReturnType<typeof aBusiness>>
let context: RouterContextProvider
let delivered: { body: string; headers: Headers }[] = []
const realFetch = globalThis.fetch

beforeAll(async () => {
  world = await aBookingWorld()
  const { deps } = world
  context = new RouterContextProvider()
  // Only the services that these routes use.
  context.set(servicesContext, {
    ...deps,
    payments: world.payments,
    sandbox: world.payments,
    rateLimits: createRateLimits(deps.db, deps.now),
    accounts: { findSession: async () => null },
    config: {
      secret: deps.secret,
      brand: deps.brand,
      publicUrl: deps.publicUrl,
      refundGraceMs: deps.refundGraceMs,
      holdMs: deps.holdMs,
      paymentExpiryMs: deps.paymentExpiryMs,
      undecided: deps.undecided,
      operatorEmails: new Set(),
      payouts: { provider: 'off' },
      commissionBasisPoints: 0,
      platform: { abn: null, isGstRegistered: false },
    },
  } as unknown as Services)
})
afterAll(async () => {
  globalThis.fetch = realFetch
  await world.close()
})
beforeEach(async () => {
  business = await aBusiness(world.db)
  delivered = []
  await world.db.deleteFrom('rate_limits').execute()
})

type Module = { action: (args: never) => Promise<Response> }

function call(module: Module, body: BodyInit | null, headers: Record<string, string> = {}, method = 'POST') {
  const request = new Request('http://localhost:3000/', {
    method,
    headers: { 'content-type': 'application/json', 'x-client-address': '10.0.0.1', ...headers },
    body,
  })
  return module.action({ request, context, params: {} } as never)
}
const callJson = (module: Module, body: unknown, headers?: Record<string, string>) =>
  call(module, JSON.stringify(body), headers)

const order = (overrides: object = {}) => ({
  amount: 45_500,
  submitKey: crypto.randomUUID(),
  businessId: business.id,
  booking: aBookingForm(),
  ...overrides,
})

describe('a payment through all its routes', () => {
  it('goes from the intent to the stored booking and its calendar entry', async () => {
    const answer = await callJson(createPaymentIntent, order())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^jubilee\.payments=[\w%.]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/)
    await expect(
      readSignedList(cookie.split(';')[0] ?? '', BROWSER_PAYMENTS_COOKIE, world.deps.secret),
    ).resolves.toEqual([expect.stringMatching(/^[0-9a-z]{26}$/)])
    const started = (await answer.json()) as { clientSecret: string; payment: string }
    expect(started).toEqual({
      clientSecret: expect.stringMatching(/^sb_/),
      payment: expect.stringMatching(/^sb_/),
      provider: { provider: 'sandbox' },
      expiresAt: new Date(world.clock.now().getTime() + 900_000).toISOString(),
      span: expect.stringMatching(/^\w+ \d+ \w+ \d{4}, 4:00 pm to 1\d:00 pm, \w+ time$/),
      // Paid at once, so no card is saved.
      chargedCents: 45_500,
      terms: {
        policy: { name: 'moderate', version: 1, tiers: POLICIES.moderate.tiers },
        priceCents: 45_500,
        instalments: [{ number: 1, cents: 45_500, dueAt: null }],
      },
      answerWithinMs: 48 * HOUR_MS,
      timeZone: 'Australia/Melbourne',
      consent: null,
    })

    const card = {
      clientSecret: started.clientSecret,
      cardNumber: '4242 4242 4242 4242',
      expiry: '12/30',
      cvc: '123',
    }
    const declined = await callJson(sandboxConfirm, { ...card, cardNumber: '4000 0000 0000 0002' })
    expect([declined.status, await declined.json()]).toEqual([
      200,
      { error: { message: 'Your card was declined.' } },
    ])
    const confirmed = await callJson(sandboxConfirm, card)
    expect(await confirmed.json()).toEqual({ payment: { id: started.payment, status: 'succeeded' } })

    const reported = await callJson(paymentReport, { clientSecret: started.clientSecret })
    expect(reported.status).toBe(200)
    expect(await reported.json()).toEqual({ state: 'paid', bookingId: expect.any(String) })

    const cookieHeader = cookie.split(';')[0] ?? ''
    const own = await findBrowserPayment(world.db, {
      cookieHeader,
      secret: world.deps.secret,
      reference: started.payment,
    })
    expect(own).toMatchObject({
      state: 'paid',
      businessName: business.name,
      booking: { stored: { quantity: 10 } },
    })
    const theirs = { cookieHeader: null, secret: world.deps.secret, reference: started.payment }
    expect(await findBrowserPayment(world.db, theirs)).toBeNull()

    const linkToken = await bookingLinkToken(world.deps.secret, own?.paymentId ?? '')
    const calendar = await bookingCalendar.loader({ params: { linkToken }, context } as never)
    expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    const ics = await calendar.text()
    expect(ics).toContain('DTSTART:20270313T050000Z')
    // Per person, the event lasts for the vendor's seven hours.
    expect(ics).toContain('DTEND:20270313T120000Z')
    expect(ics).toContain('STATUS:TENTATIVE')
    expect(ics).toContain('SUMMARY:The Walled Garden')
    expect(ics.endsWith('END:VCALENDAR\r\n')).toBe(true)
    const unfolded = ics.replaceAll('\r\n ', '')
    expect(unfolded).toMatch(/^LOCATION:.+\\, (NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\r$/m)
    for (const token of ['nonsense', `${linkToken.slice(0, -1)}_`, '\u0000']) {
      const none = await bookingCalendar.loader({ params: { linkToken: token }, context } as never)
      expect(none.status).toBe(404)
    }
  })

  it('keeps a browser’s earlier payments in its cookie, newest first', async () => {
    let cookie = ''
    const kept = () => readSignedList(cookie, BROWSER_PAYMENTS_COOKIE, world.deps.secret)
    const started: string[] = []
    for (let each = 0; each < BROWSER_PAYMENTS_KEPT + 2; each++) {
      world.clock.forward(1_000)
      const answer = await callJson(createPaymentIntent, order(), cookie ? { cookie } : {})
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
      started.unshift((await kept())[0] ?? '')
    }
    expect(new Set(started).size).toBe(BROWSER_PAYMENTS_KEPT + 2)
    await expect(kept()).resolves.toEqual(started.slice(0, BROWSER_PAYMENTS_KEPT))
  })
})

describe('POST /create-payment-intent', () => {
  const errorOf = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { error: object }).error,
  ]

  it('refuses the total of the other unit with 409 and the right one, and charges the chosen unit', async () => {
    const perHour = aBookingForm({ bookingType: 'perHour', quantity: 10 })
    const forged = await callJson(createPaymentIntent, order({ booking: perHour, amount: 45_500 }))
    expect(await errorOf(forged)).toEqual([
      409,
      { code: 'amount_differs', message: expect.any(String), amount: 210_000 },
    ])
    expect(await errorOf(await callJson(createPaymentIntent, order({ amount: 210_000 })))).toMatchObject([
      409,
      { code: 'amount_differs', amount: 45_500 },
    ])
    const paid = await callJson(createPaymentIntent, order({ booking: perHour, amount: 210_000 }))
    expect(paid.status).toBe(200)
    // A listing without a second price can only be booked by its first unit.
    await world.db
      .updateTable('businesses')
      .set({ second_price_cents: null, second_price_unit: null })
      .where('id', '=', business.id)
      .execute()
    expect(
      await errorOf(await callJson(createPaymentIntent, order({ booking: perHour, amount: 45_500 }))),
    ).toMatchObject([422, { code: 'fields', fields: { bookingType: expect.any(String) } }])
  })

  it('answers each refusal with its status and code', async () => {
    expect(await errorOf(await callJson(createPaymentIntent, order({ amount: 1 })))).toEqual([
      409,
      { code: 'amount_differs', message: expect.any(String), amount: 45_500 },
    ])
    expect(
      await errorOf(await callJson(createPaymentIntent, order({ businessId: 'nothing' }))),
    ).toMatchObject([404, { code: 'gone' }])
    const past = order({ booking: aBookingForm({ date: '2020-01-01' }) })
    expect(await errorOf(await callJson(createPaymentIntent, past))).toMatchObject([
      422,
      { code: 'fields', fields: { date: expect.any(String) } },
    ])
    const empty = order({ booking: {} })
    expect(await errorOf(await callJson(createPaymentIntent, empty))).toMatchObject([
      422,
      { fields: { fullName: expect.any(String), quantity: expect.any(String) } },
    ])
    const same = order()
    await callJson(createPaymentIntent, same)
    const changed = { ...same, booking: aBookingForm({ time: '11:00' }) }
    expect(await errorOf(await callJson(createPaymentIntent, changed))).toMatchObject([
      409,
      { code: 'submit_key_reused' },
    ])
    world.clock.forward(900_000)
    expect(await errorOf(await callJson(createPaymentIntent, same))).toMatchObject([
      409,
      { code: 'payment_ended' },
    ])
    expect(createPaymentIntent.loader().status).toBe(405)
  })

  it('answers a submit key that was paid with its payment', async () => {
    const same = order()
    const first = (await (await callJson(createPaymentIntent, same)).json()) as {
      clientSecret: string
      payment: string
    }
    await callJson(sandboxConfirm, { ...first, cardNumber: '4242424242424242', expiry: '12/30', cvc: '123' })
    const again = await callJson(createPaymentIntent, same)
    expect([again.status, await again.json()]).toEqual([200, { alreadyPaid: true, payment: first.payment }])
  })

  it('limits the payments that one address starts', async () => {
    await world.db
      .insertInto('rate_limits')
      .values({
        key: 'payment:10.0.0.1',
        window_start: new Date(
          Math.floor(world.clock.now().getTime() / PAYMENT_STARTS_LIMIT.windowMs) *
            PAYMENT_STARTS_LIMIT.windowMs,
        ),
        count: PAYMENT_STARTS_LIMIT.max,
      })
      .execute()
    const limited = await callJson(createPaymentIntent, order())
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '600'])
    expect((await callJson(createPaymentIntent, order(), { 'x-client-address': '10.0.0.2' })).status).toBe(
      200,
    )
  })
})

describe('the hold of a payment', () => {
  const other = { booking: aBookingForm({ fullName: 'Ana Reyes' }) }
  const answerOf = async (answer: Response) => [answer.status, await answer.json()]
  const press = (overrides: object = {}, headers?: Record<string, string>) =>
    callJson(createPaymentIntent, order(overrides), headers)
  const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? ''

  beforeEach(() => setsAvailability(world.db, business.id, { capacity: 1 }))

  it('refuses others with the reason, the field and the nearest free times', async () => {
    expect((await press()).status).toBe(200)
    const refused = await press(other)
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect(await answerOf(refused)).toEqual([
      409,
      {
        error: {
          code: 'time_gone',
          message: 'That time is taken. Choose another one.',
          why: 'taken',
          field: 'time',
          alternatives: [
            { date: '2027-03-13', time: '06:00' },
            { date: '2027-03-13', time: '05:30' },
            { date: '2027-03-13', time: '05:00' },
          ],
        },
      },
    ])
    await setsAvailability(world.db, business.id, { maxGuests: 9 })
    expect(await answerOf(await press())).toMatchObject([
      409,
      { error: { code: 'time_gone', why: 'too_many_guests', field: 'quantity', alternatives: [] } },
    ])
  })

  it('allows one payment per browser, identified by its cookie', async () => {
    const first = await press()
    const { payment } = await first.json()
    const second = await press({}, { cookie: cookieOf(first) })
    expect(second.status).toBe(200)
    expect(await world.payments.retrieve(payment)).toMatchObject({ snapshot: { state: 'cancelled' } })
    const tampered = cookieOf(second).replace(/=(.)/, (_, letter) => (letter === 'a' ? '=b' : '=a'))
    expect((await press({}, { cookie: tampered })).status).toBe(409)
    expect((await press({}, { cookie: cookieOf(second) })).status).toBe(200)
  })

  it('can be extended before the card is confirmed, and ends at a beacon', async () => {
    const submitKey = crypto.randomUUID()
    await press({ submitKey })
    const until = new Date(world.clock.now().getTime() + world.deps.paymentExpiryMs).toISOString()
    expect(await answerOf(await callJson(hold, { submitKey, do: 'keep' }))).toEqual([
      200,
      { expiresAt: until },
    ])
    const beacon = { 'content-type': 'text/plain;charset=UTF-8' }
    expect((await press(other)).status).toBe(409)
    for (let time = 0; time < 2; time++) {
      const released = await callJson(hold, { submitKey, do: 'release' }, beacon)
      expect(await answerOf(released)).toEqual([200, { released: true }])
    }
    expect((await press(other)).status).toBe(200)
    expect(await answerOf(await callJson(hold, { submitKey, do: 'keep' }))).toMatchObject([
      409,
      { error: { code: 'payment_ended' } },
    ])
  })

  it('can’t be extended or released by anybody else', async () => {
    await press()
    for (const what of ['keep', 'release']) {
      const answer = await callJson(hold, { submitKey: crypto.randomUUID(), do: what })
      expect(await answerOf(answer)).toMatchObject([404, { error: { code: 'unknown_payment' } }])
    }
    expect((await press(other)).status).toBe(409)
  })

  it('reports that the time is taken or already paid before any card is charged', async () => {
    const lost = { submitKey: crypto.randomUUID() }
    await press(lost)
    await world.db.deleteFrom('slots').where('business_id', '=', business.id).execute()
    const paid = { submitKey: crypto.randomUUID(), ...other }
    const { clientSecret, payment } = await (await press(paid)).json()
    expect(await answerOf(await callJson(hold, { ...lost, do: 'keep' }))).toMatchObject([
      409,
      { error: { code: 'time_gone', why: 'taken', alternatives: [{}, {}, {}] } },
    ])
    await callJson(sandboxConfirm, {
      clientSecret,
      cardNumber: '4242424242424242',
      expiry: '12/30',
      cvc: '123',
    })
    await callJson(paymentReport, { clientSecret })
    const again = await callJson(hold, { submitKey: paid.submitKey, do: 'keep' })
    expect(await answerOf(again)).toMatchObject([409, { error: { code: 'already_paid', payment } }])
  })
})

describe('unpaid holds', () => {
  const BUSY = 'Too many unpaid times are held from your network'
  const MANY = 'You’re holding 5 unpaid times'

  beforeEach(async () => {
    // Lets the holds of the other tests expire.
    world.clock.forward(world.deps.holdMs)
    await world.db.deleteFrom('slots').execute()
  })

  /** Presses the button for one day of a business, as a browser with this cookie. */
  async function press(day: number, { cookie = '', address = '10.0.0.1', at = business.id, key = '' } = {}) {
    const date = new Date(Date.UTC(2027, 2, 13 + day)).toISOString().slice(0, 10)
    const submitKey = key || crypto.randomUUID()
    const answer = await callJson(
      createPaymentIntent,
      order({ submitKey, businessId: at, booking: aBookingForm({ date }) }),
      { 'x-client-address': address, ...(cookie ? { cookie } : {}) },
    )
    const body = (await answer.json()) as {
      clientSecret?: string
      error?: { code: string; message: string }
    }
    return {
      submitKey,
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? cookie,
      ...body,
    }
  }

  async function pay(clientSecret: string | undefined) {
    const card = { clientSecret, cardNumber: '4242424242424242', expiry: '12/30', cvc: '123' }
    await callJson(sandboxConfirm, card)
    expect((await callJson(paymentReport, { clientSecret })).status).toBe(200)
  }

  it('stop at five for a browser, over all businesses, until one is paid, released or expired', async () => {
    const held: Awaited<ReturnType<typeof press>>[] = []
    let cookie = ''
    const pressElsewhere = async () => press(0, { cookie, at: (await aBusiness(world.db)).id })
    for (let count = 0; count < UNPAID_HOLDS_OF_BROWSER; count++) {
      const pressed = await pressElsewhere()
      expect(pressed.status).toBe(200)
      held.push(pressed)
      cookie = pressed.cookie
    }
    const refused = {
      status: 429,
      retryAfter: '900',
      error: { code: 'too_many_held_by_browser', message: expect.stringContaining(MANY) },
      cookie,
    }
    expect(await pressElsewhere()).toMatchObject(refused)
    // Continuing one of them is not a new hold, nor is another time of the same business instead of the first.
    const [first, second, third] = held
    if (!first || !second || !third) throw new Error('nothing is held')
    const payment = await findPaymentBySubmitKey(world.db, third.submitKey)
    const moved = await press(7, { cookie, at: payment?.sale.businessId ?? '' })
    expect(moved.status).toBe(200)
    cookie = moved.cookie
    expect(await pressElsewhere()).toMatchObject({ ...refused, cookie })

    await pay(first.clientSecret)
    cookie = (await expectHeld(pressElsewhere())).cookie
    expect(await pressElsewhere()).toMatchObject({ ...refused, cookie })
    await callJson(hold, { submitKey: second.submitKey, do: 'release' })
    cookie = (await expectHeld(pressElsewhere())).cookie
    expect(await pressElsewhere()).toMatchObject({ ...refused, cookie })
    world.clock.forward(world.deps.holdMs)
    await expectHeld(pressElsewhere())
  })

  async function expectHeld(pressing: ReturnType<typeof press>) {
    const pressed = await pressing
    expect(pressed.status).toBe(200)
    return pressed
  }

  it('stop at twenty for an address without cookies, over all businesses', async () => {
    const other = (await aBusiness(world.db)).id
    const held: Awaited<ReturnType<typeof press>>[] = []
    for (let day = 0; day < UNPAID_HOLDS_OF_ADDRESS; day++) {
      held.push(await expectHeld(press(day, day % 2 ? { at: other } : {})))
    }
    const refused = {
      status: 429,
      retryAfter: '900',
      error: { code: 'too_many_held_by_address', message: expect.stringContaining(BUSY) },
    }
    expect(await press(30)).toMatchObject(refused)
    expect(await press(30, { at: (await aBusiness(world.db)).id })).toMatchObject(refused)
    // Reloading a held payment is not a new hold. A card that is being confirmed keeps its time, still unpaid.
    expect((await press(0, { key: held[0]?.submitKey ?? '' })).status).toBe(200)
    await callJson(hold, { submitKey: held[0]?.submitKey, do: 'keep' })
    expect(await press(30)).toMatchObject(refused)
    await expectHeld(press(30, { address: '10.0.0.2' }))
    await pay(held[0]?.clientSecret)
    await expectHeld(press(31))
    expect(await press(32)).toMatchObject(refused)
    world.clock.forward(world.deps.holdMs)
    await expectHeld(press(33))
  })

  it('exclude paid times, so a phone network behind one address keeps booking', async () => {
    for (let person = 0; person < 2 * UNPAID_HOLDS_OF_ADDRESS; person++) {
      const { clientSecret } = await expectHeld(press(person))
      await pay(clientSecret)
      if (person === UNPAID_HOLDS_OF_ADDRESS) world.clock.forward(PAYMENT_STARTS_LIMIT.windowMs)
    }
  })

  it('stop at the limit when all requests arrive at once', async () => {
    const pressed = await Promise.all(Array.from({ length: 30 }, (_, day) => press(day)))
    const statuses = pressed.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(10).fill(429)])
  })

  it('store the address as a keyed hash, deleted with the hold', async () => {
    const { clientSecret } = await expectHeld(press(0))
    const slot = () =>
      world.db
        .selectFrom('slots')
        .select(['kind', 'held_from'])
        .where('business_id', '=', business.id)
        .executeTakeFirstOrThrow()
    expect(await slot()).toEqual({ kind: 'hold', held_from: expect.stringMatching(/^[\w-]{43}$/) })
    await pay(clientSecret)
    expect(await slot()).toEqual({ kind: 'booking', held_from: null })
  })
})

describe('GET /bookings/:linkToken/receipt.pdf', () => {
  const receiptAs = (linkToken: string, uid: string | null) => {
    const own = new RouterContextProvider()
    const session = uid ? { user: { uid, email: 'somebody@example.com', emailVerified: true } } : null
    own.set(servicesContext, {
      ...context.get(servicesContext),
      accounts: { findSession: async () => session },
    } as unknown as Services)
    const request = new Request('http://localhost:3000/')
    return receiptRoute.loader({ request, context: own, params: { linkToken } } as never) as Promise<Response>
  }

  it('opens with the link, or with the id for the vendor and the customer, and for nobody else', async () => {
    const { clientSecret } = await (await callJson(createPaymentIntent, order())).json()
    await callJson(sandboxConfirm, {
      clientSecret,
      cardNumber: '4242424242424242',
      expiry: '12/30',
      cvc: '123',
    })
    const { bookingId } = await (await callJson(paymentReport, { clientSecret })).json()
    const row = await world.db
      .selectFrom('bookings')
      .select('payment_row_id')
      .where('id', '=', bookingId)
      .executeTakeFirstOrThrow()
    const byLink = await receiptAs(await bookingLinkToken(world.deps.secret, row.payment_row_id), null)
    expect([byLink.status, byLink.headers.get('content-type'), byLink.headers.get('cache-control')]).toEqual([
      200,
      'application/pdf',
      'private, no-store',
    ])
    expect((await byLink.text()).startsWith('%PDF')).toBe(true)
    expect((await receiptAs(bookingId, business.user_id)).status).toBe(200)
    expect((await receiptAs(bookingId, 'somebody-else')).status).toBe(404)
    expect((await receiptAs(bookingId, null)).status).toBe(404)
    expect((await receiptAs('nonsense', null)).status).toBe(404)
  })
})

describe('POST /webhooks/payments', () => {
  it('stores the booking only after a signed event', async () => {
    const started = (await (await callJson(createPaymentIntent, order())).json()) as {
      clientSecret: string
      payment: string
    }
    // Captures what the sandbox posts, to pass it to the route below.
    globalThis.fetch = async (_input, init) => {
      delivered.push({ body: String(init?.body), headers: new Headers(init?.headers) })
      return new Response(null, { status: 200 })
    }
    world.payments.setWebhookFault('none')
    await callJson(sandboxConfirm, {
      ...started,
      cardNumber: '4242424242424242',
      expiry: '12/30',
      cvc: '123',
    })
    await world.payments.settleDeliveries()
    world.payments.setWebhookFault('never')
    globalThis.fetch = realFetch

    const [sent] = delivered
    if (!sent) throw new Error('nothing was delivered')
    const stored = () =>
      world.db.selectFrom('bookings').select('id').where('payment_id', '=', started.payment).execute()
    expect((await call(paymentWebhook, sent.body)).status).toBe(400)
    expect((await call(paymentWebhook, `${sent.body} `, Object.fromEntries(sent.headers))).status).toBe(400)
    expect(await stored()).toHaveLength(0)
    for (let time = 0; time < 2; time++) {
      expect((await call(paymentWebhook, sent.body, Object.fromEntries(sent.headers))).status).toBe(200)
      expect(await stored()).toHaveLength(1)
    }
  })
})

describe('malformed requests', () => {
  const strange: unknown[] = [
    null,
    true,
    42,
    'text',
    [],
    [[]],
    {},
    { clientSecret: null },
    { clientSecret: '\u0000'.repeat(40) },
    { clientSecret: '\ud800'.repeat(40) },
    { clientSecret: 'x'.repeat(5_000) },
    { clientSecret: { toString: 1 } },
    { amount: '45500', submitKey: 1, businessId: [], booking: 'no' },
    { submitKey: 'x'.repeat(40), do: 'keep' },
    { submitKey: 'x'.repeat(40), do: 'release' },
    { submitKey: 'x'.repeat(40), do: 'else' },
    { submitKey: '\u0000'.repeat(40), do: 'keep' },
    { clientSecret: 'sb_x', cardNumber: 1, expiry: {}, cvc: [] },
    { clientSecret: '\u0000', cardNumber: '4242424242424242', expiry: '12/30', cvc: '123' },
    { clientSecret: 'sb_x', cardNumber: '4242424242424242', expiry: '12/30', cvc: '123', challenge: 'maybe' },
    { __proto__: { amount: 1 } },
  ]
  const strangeFields: unknown[] = [
    '\u0000',
    '\ud800',
    '',
    null,
    {},
    [],
    1e308,
    -0,
    'x'.repeat(10_000),
    true,
    '𝒳'.repeat(99),
  ]
  const modules = { createPaymentIntent, hold, paymentReport, paymentWebhook, sandboxConfirm }

  it('always get a 4xx status', async () => {
    for (const [name, module] of Object.entries(modules)) {
      for (const value of strange) {
        const answer = await callJson(module, value)
        expect([name, value, answer.status >= 400 && answer.status < 500]).toEqual([name, value, true])
      }
      const bodies: (BodyInit | null)[] = [
        null,
        '',
        '{',
        '\u0000',
        '['.repeat(15_000),
        `{"a":${'['.repeat(7_000)}${']'.repeat(7_000)}}`,
        'x'.repeat(400_000),
        new Uint8Array([0xff, 0xfe, 0x00]),
        '\ufeff{}',
      ]
      for (const body of bodies) {
        const { status } = await call(module, body)
        expect([name, status >= 400 && status < 500]).toEqual([name, true])
      }
      expect((await call(module, '{}', {}, 'PUT')).status).toBe(405)
      expect((await call(module, '{}', {}, 'DELETE')).status).toBe(405)
    }
  })

  it('never cause a 5xx status, whatever a field of a payment contains', async () => {
    for (const field of ['amount', 'submitKey', 'businessId', 'booking']) {
      for (const value of strangeFields) {
        const { status } = await callJson(createPaymentIntent, order({ [field]: value }))
        expect([field, value, status >= 400 && status < 500]).toEqual([field, value, true])
      }
    }
    await world.db.deleteFrom('rate_limits').execute()
    for (const field of Object.keys(aBookingForm())) {
      for (const value of strangeFields) {
        const { status } = await callJson(
          createPaymentIntent,
          order({ booking: { ...aBookingForm(), [field]: value } }),
        )
        expect([field, value, status < 500]).toEqual([field, value, true])
      }
    }
  })
})
