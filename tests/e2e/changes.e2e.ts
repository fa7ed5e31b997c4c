import { expect, it } from 'vitest'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { aClock } from '../builders.ts'
import { agrees, asCustomer, asVendor, proposes } from '../change-stage.ts'
import {
  aDepositBusiness,
  approves,
  booksWithDeposit,
  chargesOf,
  DEPOSIT_CENTS,
} from '../instalment-stage.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, main, PHONE, visit } from './browser.ts'
import { openStage } from './stage.ts'

/** A booking of $8,700.00 with 20 % paid, whose date and guests are changed. */

const clock = aClock()
const stage = openStage({ now: clock.now })

function world() {
  const { services } = stage.server
  const payments = services.sandbox
  if (!payments) throw new Error('The tests run on the sandbox.')
  payments.setWebhookFault('never')
  return { ...services, clock, payments, deps: bookingDeps(services) } as unknown as Parameters<
    typeof booksWithDeposit
  >[0]
}

const VENDOR = 'vendor@jubilee.example'

/** An approved booking of a business of the demo's vendor. */
async function approvedBooking(date?: string) {
  const { id: vendorId } = await world()
    .db.selectFrom('users')
    .select('id')
    .where('email', '=', VENDOR)
    .executeTakeFirstOrThrow()
  const { id: businessId } = await aDepositBusiness(world(), { user_id: vendorId })
  const booked = await booksWithDeposit(world(), { businessId, ...(date ? { date } : {}) })
  await approves(world(), booked)
  return { ...booked, vendorId, list: `/dashboard/bookings?business=${businessId}` }
}

it('a customer proposes a nearer date for more guests, the vendor agrees, and the customer pays what is due', async () => {
  const booked = await approvedBooking()
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await bringAxe(page)
  await visit(page, `/bookings/${booked.linkToken}`)
  await main(page).getByRole('link', { name: 'Change date or guests' }).click()
  await page.waitForURL(/\/change$/)
  await main(page)
    .getByRole('heading', { level: 1, name: /^Change your booking with/ })
    .waitFor()
  await main(page).getByLabel('Date').fill('2026-12-19')
  await main(page).getByLabel('Number of Attendees').fill('70')
  await main(page).getByRole('button', { name: 'Show what changes' }).click()
  await main(page).getByRole('heading', { name: 'What changes' }).waitFor()
  await main(page).getByText('The price rises by $1,450.00.').waitFor()
  // 60 people at $145.00 less the deposit, and ten more.
  await main(page)
    .getByText(/^You pay \$8,410\.00 once it’s agreed\. That includes the balance, due this week anyway\./)
    .waitFor()
  expect(await findViolations(page, 'what changes')).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  await main(page).getByRole('button', { name: 'Propose this change' }).click()
  await main(page).getByText('Your proposal is sent.').waitFor()

  const host = await stage.arriveAs(VENDOR, DESKTOP)
  await bringAxe(host.page)
  await visit(host.page, booked.list)
  const item = main(host.page).getByRole('region', { name: 'What changes' })
  await item.getByText('Kim Lee proposes a change.', { exact: false }).waitFor()
  expect(await findViolations(host.page, 'the list with a proposal')).toEqual([])
  await item.getByRole('button', { name: 'Agree' }).click()
  await item.getByText('Agreed. The booking changes once the customer has paid.', { exact: false }).waitFor()

  // The customer's open page follows.
  await main(page)
    .getByText(/^Both sides agree\. Pay by/)
    .waitFor()
  await main(page)
    .getByText(/^You pay \$8,410\.00\. That includes the balance/)
    .waitFor()
  await main(page).getByRole('button', { name: 'Pay $8,410.00 with card ending 4242' }).click()
  await main(page).getByText('In effect').waitFor()
  expect(await chargesOf(world(), booked.paymentId)).toEqual([DEPOSIT_CENTS, 841_000])
  await visit(page, `/bookings/${booked.linkToken}`)
  await main(page).getByText('19 December 2026', { exact: false }).first().waitFor()
  await main(host.page).getByText('Details', { exact: true }).first().click()
  await main(host.page).getByText('70 people', { exact: false }).first().waitFor()
  await guest.leave()
  await host.leave()
})

it('a vendor proposes another date, and the customer agrees without JavaScript', async () => {
  const booked = await approvedBooking('2027-05-15')
  const host = await stage.arriveAs(VENDOR, PHONE)
  await visit(host.page, booked.list)
  await main(host.page).getByRole('article').getByText('More', { exact: true }).first().click()
  await main(host.page).getByRole('link', { name: 'Propose another date' }).click()
  await main(host.page).getByLabel('Date').fill('2027-05-22')
  await main(host.page).getByRole('button', { name: 'Show what changes' }).click()
  await main(host.page).getByText('The price stays the same.').waitFor()
  await main(host.page).getByRole('button', { name: 'Propose this change' }).click()
  await main(host.page).getByText('Your proposal is sent.').waitFor()
  await host.leave()

  const context = await stage.browser.newContext({
    baseURL: stage.server.origin,
    viewport: PHONE,
    javaScriptEnabled: false,
  })
  const page = await context.newPage()
  expect((await page.goto(`/bookings/${'x'.repeat(43)}/change`))?.status()).toBe(404)
  await page.goto(`/bookings/${booked.linkToken}/change`)
  await main(page)
    .getByText(/^Harbour Light Pavilion proposes a change/)
    .waitFor()
  await main(page).getByRole('button', { name: 'Agree' }).click()
  await main(page).getByText('Agreed. The booking has changed.').waitFor()
  await context.close()
  const [row] = await world()
    .db.selectFrom('instalments')
    .select('due_at')
    .where('payment_id', '=', booked.paymentId)
    .where('number', '=', 2)
    .execute()
  // Thirty days before the new date at 09:00 in Melbourne.
  expect(row?.due_at.toISOString()).toBe('2027-04-21T23:00:00.000Z')
})

it('a proposal that was overtaken is shown anew, and nothing typed is lost', async () => {
  const booked = await approvedBooking('2027-06-12')
  const guest = await stage.arrive(DESKTOP)
  const { page } = guest
  await visit(page, `/bookings/${booked.linkToken}/change?date=2027-06-19&time=16:00&quantity=60`)
  await main(page).getByRole('button', { name: 'Propose this change' }).waitFor()
  await proposes(world().deps, booked, asVendor(booked.vendorId), { quantity: 50 })
  await main(page)
    .getByText(/^Harbour Light Pavilion proposes a change/)
    .waitFor()
  await agrees(world().deps, booked, asCustomer(booked))
  await main(page).getByRole('button', { name: 'Propose this change' }).waitFor()
  expect(await main(page).getByLabel('Date').inputValue()).toBe('2027-06-19')
  await visit(page, `/bookings/${booked.linkToken}/change?date=2020-01-01&time=16:00&quantity=0`)
  await main(page).getByText('Enter a whole number of 1 or more.').waitFor()
  await guest.leave()
})
