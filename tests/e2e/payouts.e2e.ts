import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { decideBooking } from '../../app/features/bookings/decisions/commands.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBookingForm, aBusiness } from '../builders.ts'
import { DESKTOP, PHONE } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

/** How a vendor gets paid, from setting up to the money at their bank, on a phone. */

const VENDOR = 'vendor@jubilee.example'
const CUSTOMER = 'Ottilie Marsh'
const DAYS_TO_EVENT = 3

const stage = openStage()

/** Moves the clock on the sandbox's console. */
async function forward(page: Page, days: number) {
  const ahead = page.getByText('ahead of the real time').or(page.getByText('The real time.'))
  const before = await ahead.textContent()
  await page.getByLabel('Days').fill(String(days))
  await page.getByRole('button', { name: 'Move forward' }).click()
  await expect.poll(() => ahead.textContent()).not.toBe(before)
}

async function bookAndApprove() {
  const { services } = stage.server
  const { id: userId } = await services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', VENDOR)
    .executeTakeFirstOrThrow()
  const business = await aBusiness(services.db, { user_id: userId, name: 'The Boat Shed' })
  const date = new Date(Date.now() + DAYS_TO_EVENT * DAY_MS).toISOString().slice(0, 10)
  const { bookingId } = await bookAndPay(services, {
    businessId: business.id,
    amountCents: 45_500,
    booking: aBookingForm({ fullName: CUSTOMER, date, time: '10:00' }),
  })
  const decided = await decideBooking(bookingDeps(services), { userId, bookingId, decision: 'approved' })
  expect(decided).toMatchObject({ ok: true, status: 'approved' })
}

it('a vendor stops half-way, continues, is ready, and follows a booking’s money to their bank', async () => {
  // One who listed before the agreement came with a listing accepts it here.
  await stage.server.services.db.deleteFrom('acceptances').execute()
  const { page, leave } = await stage.arriveAs(VENDOR, PHONE)
  const main = page.getByRole('main')
  await page.goto(`${stage.server.origin}/dashboard/bookings`)
  const bar = page.getByRole('navigation', { name: 'Dashboard' })
  await bar.getByRole('link', { name: 'Payouts' }).click()
  await main.getByText('Set up your payouts').waitFor()
  const last = await bar.getByText('More', { exact: true }).boundingBox()
  expect((last?.x ?? PHONE.width) + (last?.width ?? 0)).toBeLessThanOrEqual(PHONE.width)
  await main.getByRole('link', { name: 'Set up payouts' }).click()
  await main.getByLabel('I accept the vendor agreement').check()
  await main.getByRole('button', { name: 'Accept and go to the form' }).click()
  await page.getByLabel('Given name').fill('Matilda')
  await page.getByLabel('Surname').fill('Okafor')
  await page.getByLabel('Date of birth').fill('1985-04-12')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('BSB').waitFor()

  // The vendor closes the form.
  await page.goto(`${stage.server.origin}/dashboard/payouts`)
  await main.getByRole('link', { name: 'Continue' }).click()
  await main.getByRole('heading', { name: 'Continue' }).waitFor()
  await main.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('BSB').fill('110000')
  await page.getByLabel('Account number').fill('000123456')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Agree and send' }).click()
  await main.getByRole('heading', { name: 'Ready' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard/payouts/return')
  await main.getByText('bank account ending in 3456').waitFor()

  await bookAndApprove()
  await page.goto(`${stage.server.origin}/dashboard/payouts`)
  const money = main.locator('[data-booking]').filter({ hasText: CUSTOMER })
  await money.getByText('Held until the event').waitFor()
  await money.getByText('$409.50').waitFor()
  expect(await main.getByRole('region', { name: 'Next payout' }).textContent()).toContain('$409.50')

  const tester = await stage.arrive(DESKTOP)
  await tester.page.goto(stage.server.printed('/sandbox'))
  // The page hears of each step.
  await forward(tester.page, DAYS_TO_EVENT + 3)
  await money.getByText('On its way', { exact: true }).first().waitFor()
  await money.locator('[data-step=now]').filter({ hasText: 'On its way' }).waitFor()
  await forward(tester.page, 3)
  await main.getByRole('link', { name: 'Past' }).click()
  await money.locator('[data-step=done]').filter({ hasText: 'At your bank' }).waitFor()
  await tester.leave()
  await leave()
})
