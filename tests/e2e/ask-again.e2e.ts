import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { newId } from '../../app/shared/ids.ts'
import { aBookingForm } from '../builders.ts'
import { ageProofs } from '../proofs.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, main, nextEventDate, PHONE, signUp, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'
import { bringDevice } from './virtual-authenticator.ts'

const stage = openStage()

const tenMinutesPass = () => ageProofs(stage.server.services.db, 11)

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
  await form.getByText('That’s neither your password nor a current code.').waitFor()
  expect(await form.getByLabel('Amount').inputValue()).toBe('10.00')
  expect(await form.getByLabel('Reason').inputValue()).toBe('Rain on the day.')
  await proof.fill('celebrate')
  await form.getByRole('button', { name: /^Refund/ }).click()
  await page
    .getByText(/\$10\.00/)
    .first()
    .waitFor()

  await addPasskey(page)
  await visit(page, `/operations/payments/${payment.id}`)
  await tenMinutesPass()
  await main(page)
    .locator('summary', { hasText: /^Refund/ })
    .first()
    .click()
  await form.getByLabel('Amount').fill('11.00')
  await form.getByLabel('Reason').fill('Rain on the day, too.')
  await form.getByRole('button', { name: /^Refund/ }).click()
  await usePasskey(page).click()
  await page
    .getByText(/\$11\.00/)
    .first()
    .waitFor()
  await leave()
})

it('a payout account asks for the password after ten minutes, and keeps the tick', async () => {
  const { page, leave } = await stage.arriveAs('vendor@jubilee.example', PHONE, [/403/])
  await bringAxe(page)
  // The demo's vendor has accepted with a listing, as everyone does since.
  await stage.server.services.db.deleteFrom('acceptances').execute()
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

/** Adds a passkey of a new device to the account that the page is signed in to. */
async function addPasskey(page: Page) {
  const device = await bringDevice(page)
  // The demo's people keep their login from test to test, and an earlier test has aged it.
  await ageProofs(stage.server.services.db, 0)
  await visit(page, '/settings-privacy')
  const section = main(page).getByRole('region', { name: 'Passkeys' })
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await section.getByText('not used yet').waitFor()
  return device
}

const usePasskey = (page: Page) => main(page).getByRole('button', { name: 'Use a passkey' })

it.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const)('a passkey alone changes the email and deletes the account, on a %s', async (_name, viewport) => {
  const { page, leave } = await stage.arrive(viewport, [/400/])
  await bringAxe(page)
  await signUp(page, { origin: stage.server.origin, password: 'under the jacaranda' })
  const device = await addPasskey(page)

  // Nothing was due when the screen was opened, so the form asks once it is sent.
  await visit(page, '/my-profile')
  await main(page).getByText('Change my email').click()
  const to = `${newId(10)}@example.com`
  await main(page).getByLabel('New email').fill(to)
  expect(await main(page).getByLabel('Your password or a code').count()).toBe(0)
  await tenMinutesPass()
  await main(page).getByRole('button', { name: 'Send the link', exact: true }).click()
  await main(page).getByLabel('Your password or a code').waitFor()
  await axe(page, 'a change of email, asked again')
  await device.agrees(false)
  await usePasskey(page).click()
  await usePasskey(page).and(page.locator(':enabled')).waitFor()
  expect(await main(page).getByLabel('New email').inputValue()).toBe(to)
  await device.agrees(true)
  await usePasskey(page).click()
  await main(page).getByText(`We have sent a link to ${to}.`).waitFor()

  await tenMinutesPass()
  await visit(page, '/confirm-deletion')
  await main(page).getByLabel('Your password or a code').waitFor()
  await axe(page, 'a deletion, asked again')
  await usePasskey(page).click()
  await page.waitForURL(/account-closed/)
  await leave()
})

it('a passkey alone opens the payout account’s form', async () => {
  const { page, leave } = await stage.arriveAs('vendor@jubilee.example', DESKTOP, [/403/])
  await addPasskey(page)
  await visit(page, '/dashboard/payouts/setup')
  await tenMinutesPass()
  await main(page)
    .getByRole('button', { name: /form|Continue|Change your/ })
    .click()
  await usePasskey(page).click()
  await page.waitForURL('**/sandbox/account/**')
  await leave()
})
