import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aBookingForm } from '../builders.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, main, nextEventDate, PHONE, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

const stage = openStage()

/** Moves every login and proof eleven minutes into the past. */
async function tenMinutesPass(): Promise<void> {
  const at = new Date(Date.now() - 11 * 60_000)
  await stage.server.services.db.updateTable('sessions').set({ created_at: at, proved_at: null }).execute()
}

const axe = async (page: Page, state: string) => expect(await findViolations(page, state)).toEqual([])

it('an operator’s refund asks for the password after ten minutes, and keeps what was typed', async () => {
  const { services } = stage.server
  await bookAndPay(services, {
    businessId: 'harbour-light-pavilion',
    amountCents: 145_000,
    booking: aBookingForm({ date: nextEventDate() }),
  })
  const payment = await services.db
    .selectFrom('payments')
    .select('id')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  const { page, leave } = await stage.arriveAs('operator@jubilee.example', DESKTOP, [/403/])
  await bringAxe(page)
  await visit(page, `/operations/payments/${payment.id}`)
  await tenMinutesPass()
  await main(page)
    .locator('summary', { hasText: /^Refund/ })
    .first()
    .click()
  const form = main(page).locator('details[open] form').first()
  await form.getByLabel('Amount').fill('10.00')
  await form.getByLabel('Reason').fill('Rain on the day.')
  await form.getByRole('button', { name: /^Refund/ }).click()
  const proof = form.getByLabel('Your password or a code')
  await proof.waitFor()
  await axe(page, 'asked again')
  await proof.fill('not it')
  await form.getByRole('button', { name: /^Refund/ }).click()
  await form.getByText('This is neither your password nor a code of now.').waitFor()
  expect(await form.getByLabel('Amount').inputValue()).toBe('10.00')
  expect(await form.getByLabel('Reason').inputValue()).toBe('Rain on the day.')
  await proof.fill('celebrate')
  await form.getByRole('button', { name: /^Refund/ }).click()
  await page
    .getByText(/\$10\.00/)
    .first()
    .waitFor()
  await leave()
})

it('a payout account asks for the password after ten minutes, and keeps the tick', async () => {
  const { page, leave } = await stage.arriveAs('vendor@jubilee.example', PHONE, [/403/])
  await bringAxe(page)
  await visit(page, '/dashboard/payouts/setup')
  await tenMinutesPass()
  await main(page).getByLabel('I accept the vendor agreement').check()
  await main(page).getByRole('button', { name: 'Accept and go to the form' }).click()
  await main(page).getByLabel('Your password or a code').waitFor()
  expect(await main(page).getByLabel('I accept the vendor agreement').isChecked()).toBe(true)
  await axe(page, 'asked again')
  await main(page).getByLabel('Your password or a code').fill('celebrate')
  await main(page).getByRole('button', { name: 'Accept and go to the form' }).click()
  await page.waitForURL('**/sandbox/account/**')
  await leave()
})
