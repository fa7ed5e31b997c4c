import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { decideBooking } from '../../app/features/bookings/decisions/commands.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBookingForm, aBusiness } from '../builders.ts'
import { DESKTOP, PHONE } from './browser.ts'
import { bookAndDispute, bookAndPay } from './paid-booking.ts'
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

/** A page that was opened before another operator answered. */
const STALE = /status of (409|422)/

/** A new listing of the demo's vendor, and a booking of it that can be paid. */
async function list(name: string) {
  const { db } = stage.server.services
  const { id: vendor } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', VENDOR)
    .executeTakeFirstOrThrow()
  const business = await aBusiness(db, { user_id: vendor, name })
  const email = `${name.toLowerCase().replaceAll(' ', '-')}@example.com`
  // Near enough to be paid at once.
  const date = new Date(Date.now() + 45 * DAY_MS).toISOString().slice(0, 10)
  const booking = aBookingForm({ email, date })
  return { order: { businessId: business.id, amountCents: 45_500, booking }, email, vendor }
}

/** A paid booking of a new listing of the demo's vendor. */
async function book(name: string, cardNumber: string) {
  const { order, email, vendor } = await list(name)
  return { ...(await bookAndPay(stage.server.services, { ...order, cardNumber })), email, vendor }
}

async function decline({ bookingId, vendor }: { bookingId: string; vendor: string }) {
  const decided = await decideBooking(bookingDeps(stage.server.services), {
    userId: vendor,
    bookingId,
    decision: 'declined',
    isAtOnce: true,
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
  await tester.page.goto(stage.server.printed('/sandbox'))
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
  await tester.page.goto(stage.server.printed('/sandbox'))
  const customer = await openBooking(booking.path)
  await forward(tester.page, '1 hour forward')
  await customer.page.getByText('Refunded', { exact: true }).waitFor()

  await forward(tester.page, '1 day forward')
  await customer.page.getByText('The refund came back', { exact: true }).waitFor()
  await expect.poll(() => mailsTo(booking.email, /^Tell us where to send /)).toBe(1)
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

it('half a refund twice leaves nothing for a third, which a page that was opened before is refused', async () => {
  const booking = await book('Halfway House', CARDS.plain)
  const { page, leave } = await stage.arriveAs(OPERATOR, DESKTOP, [REFUSED])
  const path = `${stage.server.origin}/operations/payments/${booking.paymentId}`
  await page.goto(path)
  const other = await stage.arriveAs(OPERATOR, PHONE, [/409/])
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
  await other.page.getByText('Another amount is left of this payment than you saw').waitFor()
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
  await tester.page.goto(stage.server.printed('/sandbox'))
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
  await customer.page.getByText('Waits for the bank', { exact: true }).waitFor()

  await row.getByRole('button', { name: 'Win the dispute' }).click()
  await tester.page.getByText('Dispute won').waitFor()
  await forward(tester.page, '1 hour forward')
  await customer.page.getByText('Refunded', { exact: true }).waitFor()
  await customer.leave()
  await tester.leave()
  await leave()
})

it('operators submit evidence once: the second one is told, and the bank decides', async () => {
  const { order, vendor } = await list('Evidence Estate')
  const { bookingId } = await bookAndDispute(stage.server.services, order)
  const approval = { userId: vendor, bookingId, decision: 'approved' } as const
  expect(await decideBooking(bookingDeps(stage.server.services), approval)).toMatchObject({ ok: true })
  const { page, leave } = await stage.arriveAs(OPERATOR, PHONE, [STALE])
  const main = page.getByRole('main')
  await page.goto(`${stage.server.origin}/operations/disputes`)
  await main.getByRole('link', { name: 'Evidence Estate' }).click()
  await main.getByText('9 days left').waitFor()
  await main.getByText('The customer says that they didn’t make this payment.').waitFor()
  const statement = main.getByLabel('What happened')
  expect(await statement.inputValue()).toMatch(
    /^.*The customer accepted [\s\S]*paid \$455\.00 by card[\s\S]*The vendor approved the booking/,
  )
  const receipt = await main.getByRole('link', { name: /No\. \d{6} \(PDF\)/ }).getAttribute('href')
  expect((await page.request.get(stage.server.origin + receipt)).headers()['content-type']).toBe(
    'application/pdf',
  )

  const other = await stage.arriveAs(OPERATOR, DESKTOP, [STALE])
  await other.page.goto(page.url())

  const reason = main.getByLabel('Why are you answering it?')
  const submit = main.getByRole('button', { name: 'Submit evidence' })
  const question = page.getByRole('alertdialog')
  await statement.fill(' ')
  await reason.fill('They came, and left a review.')
  await submit.click()
  await question.getByRole('button', { name: 'Submit evidence' }).click()
  await main.getByText('Say what happened. The bank reads this first.').first().waitFor()
  expect(await reason.inputValue()).toBe('They came, and left a review.')
  await statement.fill('They came, and danced until late.')
  // Typed text outlives the page.
  await page.reload()
  await expect.poll(() => statement.inputValue()).toBe('They came, and danced until late.')
  await submit.click()
  await question.getByText('You can send evidence only once').waitFor()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await submit.click()
  await question.getByRole('button', { name: 'Submit evidence' }).click()
  await main.getByText('under review').waitFor()
  await submit.waitFor({ state: 'detached' })
  await main.getByRole('region', { name: 'Evidence' }).getByText('Sent', { exact: true }).waitFor()

  const late = other.page.getByRole('main')
  await late.getByLabel('What happened').fill('The caterer remembers them.')
  await late.getByLabel('Why are you answering it?').fill('I was there.')
  await late.getByRole('button', { name: 'Submit evidence' }).click()
  await other.page.getByRole('alertdialog').getByRole('button', { name: 'Submit evidence' }).click()
  await late.getByText(`${OPERATOR} has submitted evidence since you opened this page.`).waitFor()
  expect(await late.getByLabel('Your text wasn’t sent').inputValue()).toContain('The caterer remembers them.')
  await late.getByText('under review').waitFor()

  const tester = await stage.arrive(DESKTOP)
  await tester.page.goto(stage.server.printed('/sandbox'))
  const row = tester.page.getByRole('listitem').filter({ hasText: 'Evidence Estate' })
  await row.getByText('Dispute: under review').waitFor()
  await row.getByRole('button', { name: 'Win the dispute' }).click()
  await tester.page.getByText('Dispute won').waitFor()
  await expect
    .poll(async () => {
      await page.reload()
      return main.getByText('We won. The bank decided in our favour.').count()
    })
    .toBe(1)
  // The search over all lists is on every screen.
  expect(await main.getByRole('button', { name: /^(?!Search)/ }).count()).toBe(0)
  await tester.leave()
  await other.leave()
  await leave()
})

it('an operator accepts a dispute from its payment’s page, at the cost that it names', async () => {
  const { order } = await list('Accepted Arcade')
  const { paymentId } = await bookAndDispute(stage.server.services, order)
  const { page, leave } = await stage.arriveAs(OPERATOR, PHONE)
  const main = page.getByRole('main')
  await page.goto(`${stage.server.origin}/operations/payments/${paymentId}`)
  await main.getByRole('link', { name: '$455.00, needs response' }).click()
  await main.getByText('The vendor bears $409.50, and we give up $45.50 of commission.').waitFor()
  await main.getByText('Accept the dispute…').click()
  await main.getByLabel('Why are you accepting it?').fill('The vendor never opened.')
  const accept = main.getByRole('button', { name: 'Accept the dispute' })
  await accept.click()
  const question = page.getByRole('alertdialog')
  await question.getByText('You lose the dispute at once').waitFor()
  await question.getByRole('button', { name: 'Keep it open' }).click()
  await accept.click()
  await question.getByRole('button', { name: 'Accept the dispute' }).click()
  await main.getByText('We lost. The customer has the money back.').waitFor()
  expect(await accept.count()).toBe(0)
  await page.goto(`${stage.server.origin}/operations/disputes?show=closed`)
  await main.getByRole('link', { name: 'Accepted Arcade' }).waitFor()
  await page.goto(`${stage.server.origin}/operations/log`)
  await main.getByText('$455.00: The vendor never opened.').waitFor()
  await leave()
})

it('an operator proves the ledger, which names exactly what was changed at the provider', async () => {
  const { paymentId } = await book('Ledger Lodge', CARDS.plain)
  // Younger movements may still be on their way into the ledger.
  const tester = await stage.arrive(DESKTOP)
  await tester.page.goto(stage.server.printed('/sandbox'))
  for (let hour = 0; hour < 2; hour++) await forward(tester.page, '1 hour forward')
  await tester.leave()
  const { page, leave } = await stage.arriveAs(OPERATOR, PHONE, [REFUSED])
  const main = page.getByRole('main')
  await page.goto(`${stage.server.origin}/operations/ledger`)
  // The screen may show an earlier proof's result while this one still reads.
  const prove = async () => {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await main.getByRole('button', { name: 'Prove now' }).click()
    await answered
  }
  await prove()
  await main.getByText('Every check agrees.').first().waitFor()
  const sum = main.getByRole('region', { name: 'Trial balance' }).getByRole('row', { name: /^Sum/ })
  expect(await sum.textContent()).toBe('Sum$0.00')

  const { db } = stage.server.services
  const movement = await db
    .selectFrom('sandbox_movements')
    .innerJoin('payments', 'payments.provider_reference', 'sandbox_movements.reference')
    .select(['sandbox_movements.id', 'sandbox_movements.amount_cents'])
    .where('payments.id', '=', paymentId)
    .where('sandbox_movements.kind', '=', 'charge')
    .executeTakeFirstOrThrow()
  const change = (cents: number) =>
    db
      .updateTable('sandbox_movements')
      .set({ amount_cents: Number(movement.amount_cents) + cents })
      .where('id', '=', movement.id)
      .execute()
  await change(12_345)
  await prove()
  const proof = main.getByRole('region', { name: 'Last proof' })
  await proof.getByText(': 1 difference.').waitFor()
  await proof.getByText('$123.45').waitFor()
  await change(0)

  await main.getByText('Set the rate of a category…').click()
  const set = page.getByRole('button', { name: 'Set the rate of a category' })
  const form = main.locator('form').filter({ has: set })
  const rate = form.getByLabel('Rate in percent')
  await rate.fill('101')
  await form.getByLabel('Reason').fill('Agreed for the summer.')
  await set.click()
  await form.getByText('Enter a rate from 0 to 100 percent, such as 10 or 12.5.').waitFor()
  expect(await rate.inputValue()).toBe('101')
  await rate.fill('12.5')
  await set.click()
  await main.getByRole('region', { name: 'Commission' }).getByText('12.5%').waitFor()
  await leave()
})
