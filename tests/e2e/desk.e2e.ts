import { expect, it } from 'vitest'
import { MINUTE_MS } from '../../app/shared/time-units.ts'
import { aBookingForm } from '../builders.ts'
import { main, nextEventDate, PHONE, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

/** A vendor's desk on a phone. */

const stage = openStage()

it('a request arrives on My Dashboard, is answered in two taps, and is gone from list and count', async () => {
  const { services } = stage.server
  const { page, leave } = await stage.arriveAs('vendor@jubilee.example', PHONE)
  await visit(page, '/dashboard')
  const bar = page.getByRole('navigation', { name: 'Dashboard' })
  const rows = main(page)
    .getByRole('region', { name: /^Waiting for you/ })
    .getByRole('listitem')
  const before = await rows.count()
  const isCounted = (count: number) =>
    expect
      .poll(() => bar.getByRole('link', { name: count > 0 ? `Today ${count} waiting` : 'Today' }).count())
      .toBe(1)
  await isCounted(before)

  // It arrives while the page is open, and is the most urgent by its clock.
  const { bookingId } = await bookAndPay(services, {
    businessId: 'harbour-light-pavilion',
    amountCents: 870_000,
    booking: aBookingForm({ fullName: 'Ida Brandt', date: nextEventDate(), quantity: 60 }),
  })
  await services.db
    .updateTable('bookings')
    .set({ decide_by: new Date(services.now().getTime() + 119 * MINUTE_MS) })
    .where('id', '=', bookingId)
    .execute()
  const first = rows.filter({ hasText: 'Ida Brandt wants to book' }).filter({ hasText: '1 hour left' })
  await first.getByText('$8,700.00').waitFor()
  await isCounted(before + 1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)

  await first.getByRole('link', { name: /^Answer/ }).click()
  await page.waitForURL(/\/dashboard\/bookings\?status=pending/)
  const items = main(page).getByRole('article')
  await items.first().getByRole('heading', { name: 'Ida Brandt' }).waitFor()
  // The first name stands below one row of controls.
  const name = await items.first().getByRole('heading').boundingBox()
  const title = await main(page).getByRole('heading', { level: 1 }).boundingBox()
  expect((name?.y ?? 0) - (title?.y ?? 0)).toBeLessThan(260)
  await items.first().getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Booking approved').waitFor()

  await bar.getByRole('link', { name: /^Today/ }).click()
  await main(page).getByRole('heading', { level: 1, name: 'My Dashboard' }).waitFor()
  await first.waitFor({ state: 'detached' })
  await isCounted(before)
  await leave()
})

it('the rest of the menu opens behind More, and closes with Escape and with its link', async () => {
  const { page, leave } = await stage.arriveAs('vendor@jubilee.example', PHONE)
  await visit(page, '/dashboard')
  const bar = page.getByRole('navigation', { name: 'Dashboard' })
  const more = bar.getByText('More', { exact: true })
  const listings = bar.getByRole('link', { name: 'My Listings' })
  await more.click()
  expect(await bar.locator('.tab-more').getByRole('link').allTextContents()).toEqual([
    'Bookings',
    'Availability',
    'My Listings',
    'Register Business',
  ])
  await page.keyboard.press('Escape')
  await listings.waitFor({ state: 'hidden' })
  await more.click()
  await listings.click()
  await page.waitForURL('**/dashboard/list-business')
  await listings.waitFor({ state: 'hidden' })
  await leave()
})
