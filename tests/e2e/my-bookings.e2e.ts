import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { decideBooking } from '../../app/features/bookings/decisions/commands.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBookingForm, aBusiness } from '../builders.ts'
import { fillEarnings } from '../earnings.ts'
import { main, PHONE, signUp, USUAL_SIZES, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

const PRICE_CENTS = 10_000

/** Signs a new customer up with bookings ahead and past, one a day. */
async function signUpWithBookings(page: Page, { ahead, past }: { ahead: number; past: number }) {
  const { db } = stage.server.services
  const email = await signUp(page, { origin: stage.server.origin, password: 'under the jacaranda' })
  const customer = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const business = await aBusiness(db, { place_id: 'melbourne-vic' })
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
  const aBooking = (days: number, name: string) => ({
    vendorUserId: business.user_id,
    businessId: business.id,
    businessName: name,
    totalCents: PRICE_CENTS,
    eventUntil: inDays(days),
    bookedAt: inDays(-60),
  })
  const ids = await fillEarnings(db, [
    ...Array.from({ length: ahead }, (_, index) => aBooking(10 + index, `Ahead ${index + 1}`)),
    ...Array.from({ length: past }, (_, index) => aBooking(-10 - index, `Past ${index + 1}`)),
  ])
  await db
    .updateTable('sales')
    .set({ customer_user_id: customer.id })
    .where('id', 'in', (eb) => eb.selectFrom('bookings').select('payment_row_id').where('id', 'in', ids))
    .execute()
}

const section = (page: Page, name: string) =>
  main(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) })
const namesIn = (page: Page, name: string) =>
  section(page, name).getByRole('heading', { level: 4 }).allTextContents()
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}`)
/** The row with the focus. */
const focused = (page: Page) => page.locator('li:focus').getByRole('heading', { level: 4 }).textContent()

it.each(USUAL_SIZES)(
  'My Bookings shows more on request, keeps sums and place, and comes back the same, at $width px',
  async (size) => {
    const { page, leave } = await stage.arrive(size)
    await signUpWithBookings(page, { ahead: 35, past: 12 })
    await visit(page, '/my-bookings')
    const sums = async () => (await main(page).locator('dl').first().innerText()).replace(/\s+/g, ' ')
    const atFirst = await sums()
    expect(atFirst).toContain('$3,500.00')
    expect(await namesIn(page, 'Coming up')).toEqual(numbered('Ahead', 30))
    expect(await namesIn(page, 'Past')).toEqual(numbered('Past', 10))

    // The focus moves to the first new row.
    const more = section(page, 'Coming up').getByRole('link', { name: 'Show more (5)' })
    await more.focus()
    const before = await page.evaluate(() => window.scrollY)
    await page.keyboard.press('Enter')
    await more.waitFor({ state: 'detached' })
    expect(await namesIn(page, 'Coming up')).toEqual(numbered('Ahead', 35))
    await page.locator('li:focus').waitFor()
    expect(await focused(page)).toBe('Ahead 31')
    expect(await page.evaluate(() => window.scrollY)).toBe(before)
    expect(await sums()).toBe(atFirst)
    // The other section stays as it was.
    expect(await namesIn(page, 'Past')).toEqual(numbered('Past', 10))

    await section(page, 'Past').getByRole('link', { name: 'Show more (2)' }).click()
    await section(page, 'Past').getByText('Past 12', { exact: true }).waitFor()
    expect(await namesIn(page, 'Coming up')).toEqual(numbered('Ahead', 35))
    expect(await sums()).toBe(atFirst)

    // The list is as long after a look at another page.
    await page.getByRole('link', { name: 'Jubilee, home' }).first().click()
    await page.waitForURL(`${stage.server.origin}/`)
    await page.goBack()
    await section(page, 'Past').getByText('Past 12', { exact: true }).waitFor()
    expect(await namesIn(page, 'Coming up')).toEqual(numbered('Ahead', 35))
    await leave()
  },
)

it('on paper, the bookings to come and a booking are one A4 page each, without anything to press', async () => {
  const { page, leave } = await stage.arrive(PHONE)
  await signUpWithBookings(page, { ahead: 6, past: 3 })
  await visit(page, '/my-bookings')
  const { services } = stage.server
  const business = await aBusiness(services.db, {
    price_cents: 14_500,
    deposit_basis_points: 2_000,
    balance_days_before: 30,
  })
  const { bookingId, path: booking } = await bookAndPay(services, {
    businessId: business.id,
    amountCents: 870_000,
    booking: aBookingForm({
      date: new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 10),
      quantity: 60,
    }),
  })
  const approval = { userId: business.user_id, bookingId, decision: 'approved' } as const
  expect(await decideBooking(bookingDeps(services), approval)).toMatchObject({ ok: true })
  for (const path of ['/my-bookings', booking]) {
    await visit(page, path)
    const paper = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1')
    expect(paper.match(/\/Type \/Page\b/g), path).toHaveLength(1)
    await page.emulateMedia({ media: 'print' })
    const left = await page
      .locator('nav, button, .button, .skip-link')
      .evaluateAll((all) => all.filter((each) => each.checkVisibility()).map((each) => each.textContent))
    expect(left, path).toEqual([])
    await page.emulateMedia({ media: 'screen' })
  }
  await visit(page, '/my-bookings')
  await page.emulateMedia({ media: 'print' })
  expect(await section(page, 'Coming up').isVisible()).toBe(true)
  expect(await section(page, 'Past').isVisible()).toBe(false)
  await leave()
})
