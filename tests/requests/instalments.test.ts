import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepCardOfSetup, startCardSetup } from '../../app/features/instalments/card-commands.server.ts'
import { findSavedCard } from '../../app/features/instalments/queries.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { aClock } from '../builders.ts'
import { requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import {
  aDepositBusiness,
  BALANCE_CENTS,
  balanceOf,
  booksWithDeposit,
  confirms,
  GOOD_CARD,
  instalmentDeps,
} from '../instalment-stage.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let booked: Awaited<ReturnType<typeof booksWithDeposit>>
let other: Awaited<ReturnType<typeof booksWithDeposit>>

function world() {
  const { db, sandbox: payments } = server.services
  if (!payments) throw new Error('The tests run on the sandbox.')
  payments.setWebhookFault('never')
  return { db, payments, deps: bookingDeps(server.services) } as Parameters<typeof booksWithDeposit>[0]
}

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, now: aClock().now })
  booked = await booksWithDeposit(world())
  other = await booksWithDeposit(world())
})
afterAll(() => server.close())

const { get, post, postJson } = requestsTo(() => server)

const opens = (shownCents: number) => ({ intent: 'open', shownCents: String(shownCents) })

describe('the balance of a booking by its link', () => {
  it('shows amount, day and card to whoever has the link, without an account and uncached', async () => {
    for (const [step, title] of [
      ['pay', 'Pay $6,960.00'],
      ['card', 'Use another card'],
    ]) {
      const response = await get(`/bookings/${booked.linkToken}/${step}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      expect(response.headers.get('x-robots-tag')).toContain('noindex')
      const page = await response.text()
      expect(page).toContain(title)
      expect(page).toContain('Your card ending 4242, valid until 12/30.')
      expect(page).toContain('11 February 2027')
      // Neither the card's nor the customer's id at the provider.
      expect(page).not.toMatch(/sb[kc]_/)
    }
  })

  it.each([
    ['pay', [{ intent: 'open' }], [{ intent: 'setup', setupKey: newId() }]],
    [
      'card',
      [
        { intent: 'setup', setupKey: newId() },
        { intent: 'keep', reference: 'sbs_1' },
      ],
      [{ intent: 'open' }],
    ],
  ])('answers 404 without its link: %s', async (step, forms, formsOfTheOther) => {
    const stranger = `/bookings/${'x'.repeat(43)}/${step}`
    expect((await get(stranger)).status).toBe(404)
    for (const fields of forms)
      expect((await post(stranger, fields as Record<string, string>)).status).toBe(404)
    for (const fields of formsOfTheOther)
      expect([400, 422]).toContain((await post(stranger, fields as Record<string, string>)).status)
    expect((await get(`/bookings/${booked.paymentId}/${step}`)).status).toBe(404)
    expect((await get(`/bookings/${booked.bookingId}/${step}`)).status).toBe(404)
  })

  it.each(['steal', 'Pay%00', '..', 'receipt'])('answers 404 or 400 for another step: %s', async (step) => {
    const { status } = await get(`/bookings/${booked.linkToken}/${step}`)
    expect([200, 400, 404]).toContain(status)
    if (step === 'steal' || step === 'receipt') expect(status).toBe(404)
  })

  it.each([
    {},
    { intent: 'nothing' },
    { intent: 'setup' },
    { intent: 'setup', setupKey: '\u0000'.repeat(20) },
    { intent: 'keep', reference: "'; drop table payments; --" },
    { intent: 'keep', reference: 'x'.repeat(5_000) },
  ])('refuses what makes no sense: %j', async (fields) => {
    const { status } = await post(`/bookings/${booked.linkToken}/card`, fields as Record<string, string>)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })

  it('opens one payment, however often it is asked', async () => {
    for (let press = 0; press < 3; press++)
      expect((await post(`/bookings/${booked.linkToken}/pay`, opens(BALANCE_CENTS))).status).toBe(200)
    const { db } = server.services
    const payments = await db
      .selectFrom('payments')
      .select('id')
      .where('sale_id', '=', booked.paymentId)
      .where('id', '<>', booked.paymentId)
      .execute()
    expect(payments).toHaveLength(1)
  })

  it.each([
    ['the page shows what it was before a change', { intent: 'open', shownCents: '659500' }],
    ['the page shows nothing of it', { intent: 'open', shownCents: '' }],
    ['the page is of an earlier version, which doesn’t send it', { intent: 'open' }],
  ])('opens nothing that a card could pay where the amount has changed and %s', async (_, fields) => {
    const response = await post(`/bookings/${booked.linkToken}/pay`, fields)
    expect(response.status).toBe(409)
    expect(await response.text()).not.toContain('_secret_')
  })

  it('keeps no card that was set up for another booking', async () => {
    const deps = instalmentDeps(world())
    const setup = await startCardSetup(deps, { linkToken: other.linkToken, setupKey: newId() })
    if (!setup.ok) throw new Error(setup.reason)
    await confirms(world(), setup.clientSecret, '4000002500003155')
    const keep = { intent: 'keep', reference: setup.reference }
    expect((await post(`/bookings/${booked.linkToken}/card`, keep)).status).toBe(409)
    expect((await findSavedCard(server.services.db, booked.paymentId))?.last_four).toBe('4242')
    expect((await post(`/bookings/${other.linkToken}/card`, keep)).status).toBe(200)
    expect((await findSavedCard(server.services.db, other.paymentId))?.last_four).toBe('3155')
    expect(await keepCardOfSetup(deps, world().payments, setup.reference)).toMatchObject({ ok: true })
  })

  it('says that nothing is due once it is paid', async () => {
    const path = `/bookings/${booked.linkToken}/pay`
    await post(path, opens(BALANCE_CENTS))
    const { paid_by } = await balanceOf(world(), booked.paymentId)
    const payment = await server.services.db
      .selectFrom('payments')
      .innerJoin('sandbox_payments', 'sandbox_payments.id', 'payments.provider_reference')
      .select('client_secret')
      .where('payments.id', '=', paid_by)
      .executeTakeFirstOrThrow()
    await confirms(world(), payment.client_secret, GOOD_CARD)
    const report = await postJson('/api/payment-report', { clientSecret: payment.client_secret })
    expect(await report.json()).toMatchObject({ state: 'paid' })
    expect(await (await get(path)).text()).toContain('Nothing is due')
    expect((await post(path, opens(BALANCE_CENTS))).status).toBe(409)
  })
})

describe('an unpaid balance in its vendor’s bookings', () => {
  it('gets more time by a form that works without JavaScript, once', async () => {
    const vendor = await signUp(server, 'gives-time@example.com')
    const { db } = server.services
    const { id: businessId } = await aDepositBusiness({ db }, { user_id: vendor.userId })
    const { bookingId, paymentId } = await booksWithDeposit(world(), { businessId })
    await db
      .updateTable('instalments')
      .set({ state: 'needs_customer', due_at: server.services.now() })
      .where('payment_id', '=', paymentId)
      .where('number', '=', 2)
      .execute()
    const path = '/dashboard/bookings'
    const press = () => post(path, { intent: 'extend', bookingId }, vendor)
    const shown = await (await get(path, vendor)).text()
    expect(shown).toContain('Give 7 more days')
    expect(shown).toContain(`name="bookingId" value="${bookingId}"`)

    expect((await post(path, { intent: 'extend', bookingId })).headers.get('location')).toMatch(/^\/login/)
    expect((await post(path, { intent: 'extend' }, vendor)).status).toBe(400)
    const first = await press()
    expect(first.status).toBe(200)
    const after = await first.text()
    expect(after).toContain('More time until Friday 4 December 2026, 9:00 am.')
    expect(after).not.toContain('Give 7 more days')
    const second = await press()
    expect(second.status).toBe(409)
    expect(await second.text()).toContain('You can’t give more time for this balance any more.')
  })
})
