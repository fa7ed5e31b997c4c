import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { bringAxe, findViolations } from './axe.ts'
import { main, nextEventDate, PHONE, payWith, visit } from './browser.ts'
import { joinStage } from './stage.ts'

/** With payouts on, an event this far ahead is booked with the default plan: 20 % now, the rest 30 days before. */

const stage = joinStage()

const timeline = (page: Page) => main(page).getByRole('table', { name: /^Payments and cancelling/ })

/** The rows of the table as a screen reader has them, without its line. */
async function rowsOf(page: Page): Promise<string[]> {
  const rows = await timeline(page).getByRole('row').allInnerTexts()
  return rows.map((row) => row.replace(/\s+/g, ' ').trim())
}

it('a guest on a phone sees what is due when and what cancelling costs, pays the deposit, and finds the same line again', async () => {
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await bringAxe(page)
  const found: string[] = []
  await visit(page, '/book/harbour-light-pavilion')
  await page.getByLabel('Full name').fill('Nora Whitlam')
  await page
    .getByRole('group', { name: 'Your Information' })
    .getByLabel('Email')
    .fill('nora.whitlam@example.com')
  await page.getByLabel('Phone').fill('0491 570 110')
  await page.getByLabel('Number of Attendees').fill('60')
  expect(await timeline(page).count()).toBe(0)
  await page.getByLabel('Date', { exact: true }).fill(nextEventDate())
  await page.getByLabel('Start time').fill('16:00')

  await timeline(page).waitFor()
  const offered = await rowsOf(page)
  const timesOf = (row: string) => row.replaceAll(/ ?\d+ \w+ \d{4},? ?/g, ' ').trim()
  expect(offered.slice(1).map(timesOf)).toEqual([
    expect.stringMatching(/^Today Pay \$1,740\.00 Cancelling is free until \w+day 4:00 pm$/),
    '9:00 am $6,960.00 by the same card',
    '4:00 pm Cancelling costs $4,350.00: you get $4,350.00 back',
    '4:00 pm Cancelling costs $8,700.00: you get nothing back',
    '4:00 pm Your event',
  ])
  const plan = main(page).getByText(
    /^Pay \$1,740\.00 today, \$6,960\.00 on \d+ \w+ \d{4} by the same card\.$/,
  )
  await plan.waitFor()
  // The line follows what is typed.
  await page.getByLabel('Number of Attendees').fill('30')
  await timeline(page).getByText('Pay $870.00').waitFor()
  await page.getByLabel('Number of Attendees').fill('60')
  await timeline(page).getByText('Pay $1,740.00').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  found.push(...(await findViolations(page, 'the booking form with its line')))
  await page.getByRole('button', { name: 'Proceed to Payment' }).click()

  const pay = main(page).getByRole('button', { name: 'Pay $1,740.00', exact: true })
  await pay.waitFor()
  expect((await rowsOf(page)).slice(1)).toEqual(offered.slice(1))
  await plan.waitFor()
  await main(page)
    .getByText(/saves this card and charges it \$6,960\.00 on/)
    .waitFor()
  // The whole price is never smaller than the deposit.
  const sizeOf = (text: Element) => Number.parseFloat(getComputedStyle(text).fontSize)
  const total = main(page).getByText('$8,700.00', { exact: true }).filter({ visible: true }).first()
  expect(await total.evaluate(sizeOf)).toBeGreaterThanOrEqual(await pay.evaluate(sizeOf))
  found.push(...(await findViolations(page, 'the payment with its line')))
  await payWith(page, '4242 4242 4242 4242')

  await page.waitForURL(/\/success/)
  await main(page).getByText('Deposit paid: $1,740.00 of $8,700.00 went through').waitFor()
  await timeline(page).getByText('$1,740.00 paid').waitFor()
  await main(page).getByText('Still due').waitFor()
  await page.getByRole('link', { name: 'See your booking' }).click()
  await page.getByRole('heading', { level: 1, name: /^Your booking with/ }).waitFor()
  const again = await rowsOf(page)
  expect(again[1]).toMatch(/^Today .* \$1,740\.00 paid Cancelling is free until/)
  expect(again.slice(2)).toEqual(offered.slice(2))
  found.push(...(await findViolations(page, 'the booking with its line')))
  expect(found.join('\n')).toBe('')
  await guest.leave()
})

it('a customer sees under My Bookings where the payments of each booking are', async () => {
  const customer = await stage.arriveAs('customer@jubilee.example', PHONE)
  const { page } = customer
  await visit(page, '/book/harbour-light-pavilion')
  await page.getByLabel('Phone').fill('0491 570 110')
  await page.getByLabel('Number of Attendees').fill('41')
  await page.getByLabel('Date', { exact: true }).fill(nextEventDate())
  await page.getByLabel('Start time').fill('16:00')
  await timeline(page).waitFor()
  await page.getByRole('button', { name: 'Proceed to Payment' }).click()
  await payWith(page, '4242 4242 4242 4242')
  await page.waitForURL(/\/success/)
  await visit(page, '/my-bookings')
  const item = main(page).getByRole('listitem').filter({ hasText: '41 people' })
  await item
    .getByRole('table', { name: 'Payments and cancelling: Harbour Light Pavilion' })
    .getByText('$1,189.00 paid')
    .waitFor()
  await item.getByText('$4,756.00 by the same card').waitFor()

  // Before the vendor has approved, there is nothing to pay earlier.
  expect(await item.getByRole('link', { name: 'Pay now' }).count()).toBe(0)
  const { db } = stage.server.services
  await db.updateTable('bookings').set({ status: 'approved' }).where('quantity', '=', 41).execute()
  await page.reload()
  const link = (name: string) => item.getByRole('link', { name }).getAttribute('href')
  await item.getByRole('link', { name: 'Pay now' }).waitFor()
  expect(await link('Pay now')).toBe(`${await link('Details')}/pay`)
  expect(await link('Change card')).toBe(`${await link('Details')}/card`)
  const listed = async (heading: string) =>
    main(page)
      .locator('section')
      .filter({ has: page.getByRole('heading', { level: 2, name: heading }) })
      .getByText('41 people')
      .count()
  expect(await listed('Coming up')).toBe(1)

  // A booking that doesn't take place stands apart. Its time is free again, as after a real decision.
  const ours = db.selectFrom('bookings').select('id').where('quantity', '=', 41)
  await db.deleteFrom('slots').where('booking_id', 'in', ours).execute()
  await db.updateTable('bookings').set({ status: 'declined' }).where('quantity', '=', 41).execute()
  await page.reload()
  await main(page).getByRole('heading', { level: 2, name: 'Declined or cancelled' }).waitFor()
  expect([await listed('Coming up'), await listed('Declined or cancelled')]).toEqual([0, 1])
  await customer.leave()
})
