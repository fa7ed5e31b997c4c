import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { decideBooking } from '../../app/features/bookings/decision-commands.server.ts'
import { bookingDeps } from '../../app/services.server.ts'
import { aBookingForm, aBusiness } from '../builders.ts'
import { DESKTOP, nextEventDate, PHONE } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

/** Refunds, disputes and the sandbox's console, as the customer, the vendor's side and the operators see them. */

const OPERATOR = 'operator@jubilee.example'
const VENDOR = 'vendor@jubilee.example'
const PRICE = '$455.00'
const CARDS = {
  plain: '4242424242424242',
  pending: '4000000000007726',
  failing: '4000000000005126',
  disputed: '4000000000000259',
}

/** The console's line for a form with an error. */
const REFUSED = /status of 422/

const stage = openStage()

/** A paid booking of a new listing of the demo's vendor. */
async function book(name: string, cardNumber: string) {
  const { db } = stage.server.services
  const { id: vendor } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', VENDOR)
    .executeTakeFirstOrThrow()
  const business = await aBusiness(db, { user_id: vendor, name })
  const email = `${name.toLowerCase().replaceAll(' ', '-')}@example.com`
  const booking = aBookingForm({ email, date: nextEventDate() })
  const paid = await bookAndPay(stage.server.services, {
    businessId: business.id,
    amountCents: 45_500,
    booking,
    cardNumber,
  })
  return { ...paid, email, vendor }
}

async function decline({ bookingId, vendor }: { bookingId: string; vendor: string }) {
  const decided = await decideBooking(bookingDeps(stage.server.services), {
    userId: vendor,
    bookingId,
    decision: 'declined',
  })
  expect(decided).toMatchObject({ ok: true, status: 'declined' })
}

/** A customer with their booking's page, which hears of changes. */
async function openBooking(path: string) {
  const customer = await stage.arrive(PHONE)
  const heard = customer.page.waitForResponse((answer) => answer.url().includes('/api/live'))
  await customer.page.goto(stage.server.origin + path)
  await heard
  return customer
}

/** Presses a button that moves the clock, on the console. */
async function forward(page: Page, button: string) {
  const ahead = page.getByText('ahead of the real time').or(page.getByText('The real time.'))
  const before = await ahead.textContent()
  await page.getByRole('button', { name: button }).click()
  await expect.poll(() => ahead.textContent()).not.toBe(before)
}

const mailsTo = async (email: string, subject: RegExp) =>
  ((await stage.server.services.outbox?.list(300)) ?? []).filter(
    (mail) => mail.to === email && subject.test(mail.subject),
  ).length

it('a refund is on its way until the bank has it, and then refunded, with one mail', async () => {
  const booking = await book('Pending Palace', CARDS.pending)
  await decline(booking)
  const tester = await stage.arrive(DESKTOP)
  await tester.page.goto(`${stage.server.origin}/sandbox`)
  const customer = await openBooking(booking.path)
  await forward(tester.page, '1 hour forward')
  await customer.page.getByText('Refund on its way', { exact: true }).waitFor()
  expect(await mailsTo(booking.email, /^Refunded: /)).toBe(0)

  await forward(tester.page, '1 day forward')
  await customer.page.getByText('Refunded', { exact: true }).waitFor()
  await expect.poll(() => mailsTo(booking.email, /^Refunded: /)).toBe(1)
  await customer.leave()
  await tester.leave()
})

it('a refund that comes back reopens the money, and an operator records another way', async () => {
  const booking = await book('Failing Farm', CARDS.failing)
  await decline(booking)
  const tester = await stage.arrive(DESKTOP)
  await tester.page.goto(`${stage.server.origin}/sandbox`)
  const customer = await openBooking(booking.path)
  await forward(tester.page, '1 hour forward')
  await customer.page.getByText('Refunded', { exact: true }).waitFor()

  await forward(tester.page, '1 day forward')
  await customer.page.getByText('The refund came back', { exact: true }).waitFor()
  await expect.poll(() => mailsTo(booking.email, /^Your refund came back: /)).toBe(1)
  await expect.poll(() => mailsTo(OPERATOR, /Failing Farm|came back/)).toBeGreaterThan(0)

  const { page, leave } = await stage.arriveAs(OPERATOR, PHONE)
  await page.goto(`${stage.server.origin}/operations/payments/${booking.paymentId}`)
  await page.getByText(`The refund of ${PRICE} came back`).waitFor()
  await page.getByText('Record another way…').click()
  await page.getByRole('button', { name: 'Record another way' }).click()
  await page.getByLabel('Reference').fill('BSB 062-000, transfer 8841')
  await page.getByLabel('How it was paid').fill('Paid by bank transfer.')
  await page.getByRole('button', { name: 'Record another way' }).click()
  await page.getByText('Recorded as paid back').waitFor()
  await customer.page.getByText('We paid it back another way.').waitFor()
  await leave()
  await customer.leave()
  await tester.leave()
})

it('half a refund twice leaves nothing for a third, which is refused with what is left', async () => {
  const booking = await book('Halfway House', CARDS.plain)
  const { page, leave } = await stage.arriveAs(OPERATOR, DESKTOP, [REFUSED])
  const path = `${stage.server.origin}/operations/payments/${booking.paymentId}`
  await page.goto(path)
  const other = await stage.arriveAs(OPERATOR, PHONE, [REFUSED])
  await other.page.goto(path)

  async function refund(on: Page, amount: string) {
    await on.getByText('Refund…', { exact: true }).click()
    await on.getByLabel('Amount').fill(amount)
    const form = on.locator('form').filter({ has: on.getByRole('button', { name: 'Refund', exact: true }) })
    await form.getByLabel('Reason').fill('The band was late.')
    await form.getByRole('button').click()
  }
  await refund(page, '227.50')
  await page.getByText('$227.50 is on its way back.').waitFor()
  await page.getByText('up to $227.50').waitFor({ state: 'attached' })
  await refund(page, 'half')
  await page.getByText('Enter an amount in dollars, such as 120 or 85.50.').waitFor()
  expect(await page.getByLabel('Amount').inputValue()).toBe('half')
  await page.getByLabel('Amount').fill('227.50')
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByText('Refund…', { exact: true }).waitFor({ state: 'detached' })

  // A page that was opened before still offers the whole price.
  await refund(other.page, '0.50')
  await other.page.getByText('Nothing is left to refund of this payment.').waitFor()
  expect(await other.page.getByLabel('Amount').inputValue()).toBe('0.50')
  await other.leave()
  await leave()
})

it('a dispute whose webhooks are lost is on the operators’ list within a minute, and holds refunds until it is won', async () => {
  stage.server.services.sandbox?.setWebhookFault('never')
  const booking = await book('Disputed Dome', CARDS.disputed)
  stage.server.services.sandbox?.setWebhookFault('none')
  // The sweep runs each minute.
  const tester = await stage.arrive(DESKTOP)
  await tester.page.goto(`${stage.server.origin}/sandbox`)
  await tester.page.getByLabel('Minutes').fill('1')
  await forward(tester.page, 'Move forward')
  const { page, leave } = await stage.arriveAs(OPERATOR, PHONE)
  await expect
    .poll(async () => {
      await page.goto(`${stage.server.origin}/operations/disputes`)
      return page.getByRole('link', { name: 'Disputed Dome' }).count()
    })
    .toBe(1)
  await page.getByText('Answer by').waitFor()
  await expect.poll(() => mailsTo(OPERATOR, /disput/i)).toBeGreaterThan(0)

  await decline(booking)
  await forward(tester.page, '1 day forward')
  const row = tester.page.getByRole('listitem').filter({ hasText: 'Disputed Dome' })
  await row.getByText('Dispute: needs response').waitFor()
  const customer = await openBooking(booking.path)
  await customer.page.getByText('Refund due', { exact: true }).waitFor()

  await row.getByRole('button', { name: 'Win the dispute' }).click()
  await tester.page.getByText('Dispute won').waitFor()
  await forward(tester.page, '1 hour forward')
  await customer.page.getByText('Refunded', { exact: true }).waitFor()
  await customer.leave()
  await tester.leave()
  await leave()
})
