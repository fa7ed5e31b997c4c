import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aBookingForm } from '../builders.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, main, nextEventDate, PHONE, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

/** The demo's booking costs $1,450. */
const stage = openStage({ env: { PAYOUTS: 'sandbox', OPERATOR_SECOND_PERSON_CENTS: '100000' } })

const ADMIN = 'operator@jubilee.example'
const CUSTOMER = 'customer@jubilee.example'
/** The console's lines for a refused role, and for a refused write. */
const REFUSED = /status of (403|409)/

const axe = async (page: Page, state: string) => expect(await findViolations(page, state)).toEqual([])

/** A new person with an account whose address is confirmed. */
async function aColleague(email: string) {
  const { server } = stage
  const person = await stage.arrive(DESKTOP, [REFUSED])
  const answer = await person.page.context().request.post(`${server.origin}/signup`, {
    form: { displayName: 'Noor Haddad', email, password: 'under the jacaranda' },
    headers: { origin: server.origin },
    maxRedirects: 0,
  })
  expect(answer.status()).toBe(302)
  await server.services.db
    .updateTable('users')
    .set({ email_verified: true })
    .where('email', '=', email)
    .execute()
  return person
}

async function name(admin: Page, email: string, role: string): Promise<void> {
  await visit(admin, '/operations/people')
  await main(admin).locator('summary', { hasText: 'Name an operator' }).click()
  await main(admin).getByLabel('Email of their account').fill(email)
  await main(admin).getByLabel('Role').first().selectOption(role)
  await main(admin).getByRole('button', { name: 'Name an operator' }).click()
  await main(admin).getByText(email).waitFor()
}

it('an admin names colleagues, support can’t refund, and two people refund a large amount', async () => {
  const { services } = stage.server
  const { paymentId } = await bookAndPay(services, {
    businessId: 'harbour-light-pavilion',
    amountCents: 145_000,
    booking: aBookingForm({ date: nextEventDate() }),
  })
  const path = `/operations/payments/${paymentId}`
  const admin = await stage.arriveAs(ADMIN, DESKTOP)
  await bringAxe(admin.page)
  const support = await aColleague('support@example.com')
  const finance = await aColleague('finance@example.com')
  await name(admin.page, 'support@example.com', 'support')
  await name(admin.page, 'finance@example.com', 'finance')
  await axe(admin.page, 'people')

  await bringAxe(support.page)
  await visit(support.page, path)
  expect(
    await main(support.page)
      .locator('summary', { hasText: /^Refund/ })
      .count(),
  ).toBe(0)
  await visit(support.page, '/operations/payouts')
  await main(support.page).getByRole('heading', { name: 'Your role can’t do this' }).waitFor()
  await main(support.page).getByText('This needs the role finance or admin.').waitFor()
  await axe(support.page, 'refused role')

  await visit(finance.page, path)
  await main(finance.page)
    .locator('summary', { hasText: /^Refund/ })
    .click()
  const form = main(finance.page).locator('details[open] form')
  await form.getByLabel('Amount').fill('1,200')
  await form.getByLabel('Reason').fill('The heater failed.')
  await form.getByRole('button', { name: /^Refund/ }).click()
  await main(finance.page).getByText('You have proposed: refund, $1,200.00.').waitFor()
  expect(
    await main(finance.page)
      .getByRole('button', { name: /^Confirm/ })
      .count(),
  ).toBe(0)

  await visit(admin.page, '/operations/payments')
  await main(admin.page).getByRole('heading', { name: 'Waiting for a second person' }).waitFor()
  await axe(admin.page, 'waiting orders')
  await main(admin.page)
    .getByRole('link', { name: /^Refund: / })
    .click()
  await main(admin.page).getByRole('button', { name: 'Confirm $1,200.00' }).click()
  // A deposit is paid: what is still due is reduced first.
  await admin.page.getByText('$1,160.00 came off the balance. $40.00 is on its way back.').waitFor()

  // A form whose refund is made is empty when it is opened again.
  await visit(finance.page, path)
  const opener = main(finance.page).locator('summary', { hasText: /^Refund/ })
  await opener.click()
  await form.getByLabel('Amount').fill('10')
  await form.getByLabel('Reason').fill('The rest of it.')
  await form.getByRole('button', { name: /^Refund/ }).click()
  await finance.page.getByText('$10.00 is on its way back.').waitFor()
  await opener.click()
  expect(await form.getByLabel('Amount').inputValue()).toBe('')
  expect(await form.getByLabel('Reason').inputValue()).toBe('')
  await main(finance.page).getByText('partly refunded', { exact: true }).waitFor()
  for (const person of [admin, support, finance]) await person.leave()
})

it('a role that moves money waits for another admin, who confirms it, on a phone and on a desktop', async () => {
  const { db } = stage.server.services
  const other = await aColleague('second-admin@example.com')
  const colleague = await aColleague('margaret.featherstonehaugh-cholmondeley@example.com')
  await db
    .updateTable('users')
    .set({ operator_role: 'admin' })
    .where('email', '=', 'second-admin@example.com')
    .execute()
  const admin = await stage.arriveAs(ADMIN, PHONE)
  await bringAxe(admin.page)
  await name(admin.page, 'margaret.featherstonehaugh-cholmondeley@example.com', 'finance')
  const waiting = (page: Page) => main(page).getByRole('region', { name: 'Waiting for another admin' })
  await waiting(admin.page).getByText('You want to give', { exact: false }).waitFor()
  expect(
    await waiting(admin.page)
      .getByRole('button', { name: /^Confirm/ })
      .count(),
  ).toBe(0)
  await axe(admin.page, 'own role that waits, at 390 px')
  const width = await admin.page.evaluate(() => document.scrollingElement?.scrollWidth)
  expect(width).toBe(PHONE.width)
  expect((await colleague.page.request.get(`${stage.server.origin}/operations`)).status()).toBe(404)

  await bringAxe(other.page)
  await visit(other.page, '/operations/people')
  await axe(other.page, 'role to confirm, at 1440 px')
  await waiting(other.page).getByRole('button', { name: 'Confirm finance' }).click()
  await waiting(other.page).waitFor({ state: 'detached' })
  expect((await colleague.page.request.get(`${stage.server.origin}/operations/payouts`)).status()).toBe(200)
  for (const person of [admin, other, colleague]) await person.leave()
})

it('an operator sees the product as a person, is told so on each page, and changes nothing', async () => {
  const { page, leave } = await stage.arriveAs(ADMIN, PHONE, [REFUSED])
  await bringAxe(page)
  await visit(page, `/operations/accounts?q=${CUSTOMER}`)
  await main(page).locator('summary', { hasText: 'See as this person' }).click()
  await main(page).locator('details[open]').getByLabel('Reason').fill('They called about a booking.')
  await main(page)
    .getByRole('button', { name: /^See as / })
    .click()
  const banner = page.getByRole('complementary', { name: 'You are seeing another account' })
  await banner.getByText('Nothing can be changed.').waitFor()
  await axe(page, 'the view')
  // By a link of the page, without a new document.
  await main(page).getByRole('link', { name: 'My Bookings' }).first().click()
  await main(page).getByRole('heading', { name: 'My Bookings' }).waitFor()
  await banner.getByText('Nothing can be changed.').waitFor()
  await visit(page, '/venues')
  await banner.getByText('Nothing can be changed.').waitFor()
  await visit(page, '/messages')
  await main(page).getByRole('heading', { name: 'You don’t see this page' }).waitFor()
  await axe(page, 'not part of the view')
  await banner.getByRole('button', { name: 'Stop' }).click()
  await page.waitForURL('**/operations/accounts')
  expect(await banner.count()).toBe(0)
  await leave()
})
