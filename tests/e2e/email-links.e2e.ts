import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aBookingForm, aBusiness } from '../builders.ts'
import { mailTo } from '../sent-mails.ts'
import { DESKTOP, hydrated, main, PHONE, sendSignUp, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

const stage = openStage({ demo: false })

const VICTIM = 'imogen@example.com'
const PASSWORDS = { attacker: 'not my address', victim: 'under the jacaranda' }

/** Signs up with the address that is in the form already. */
async function signUpAsIs(page: Page, name: string, password: string): Promise<void> {
  await sendSignUp(page, { name, password })
  await page.waitForURL(`${stage.server.origin}/`)
}

/** Opens the first link of a mail, as a mail program does. @param unlike the id of an earlier mail to skip */
async function followMail(page: Page, to: string, subject: RegExp, unlike?: string): Promise<string> {
  const mail = await mailTo(stage.server, to, subject, unlike)
  await page.goto(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? '')
  await hydrated(page)
  return mail.messageId
}

it('a person reclaims their address from a stranger’s account and keeps their bookings', async () => {
  const { services } = stage.server
  const business = await aBusiness(services.db)
  await bookAndPay(services, {
    businessId: business.id,
    amountCents: Number(business.price_cents) * 10,
    booking: aBookingForm({ email: VICTIM }),
  })
  const attacker = await stage.arrive(DESKTOP)
  await visit(attacker.page, '/signup')
  await main(attacker.page).getByLabel('Email').fill(VICTIM)
  await signUpAsIs(attacker.page, 'Somebody Else', PASSWORDS.attacker)

  const victim = await stage.arrive(PHONE, [/status of 400/])
  const { page } = victim
  const first = await followMail(page, VICTIM, /^Confirm your email/)
  await main(page).getByRole('heading', { level: 1, name: 'Is this account yours?' }).waitFor()
  await main(page).getByLabel('Password of that account', { exact: true }).fill('a guess')
  await main(page).getByRole('button', { name: 'Confirm my email' }).click()
  await main(page).getByText('This isn’t that account’s password. Check it and try again.').first().waitFor()
  await main(page).getByRole('button', { name: 'Use this address for a new account' }).click()
  await main(page).getByRole('heading', { level: 1, name: 'Sign Up' }).waitFor()
  expect(await main(page).getByLabel('Email').inputValue()).toBe(VICTIM)
  await signUpAsIs(page, 'Imogen Hale', PASSWORDS.victim)

  await visit(page, '/my-bookings')
  expect(await main(page).getByText(business.name).count()).toBe(0)
  await followMail(page, VICTIM, /^Confirm your email/, first)
  await main(page).getByRole('heading', { level: 1, name: 'Confirm your email' }).waitFor()
  await main(page).getByRole('button', { name: 'Confirm my email' }).click()
  await main(page).getByRole('heading', { level: 1, name: 'Your email is confirmed' }).waitFor()
  await main(page).getByRole('link', { name: 'My Bookings' }).click()
  await main(page).getByText(business.name).first().waitFor()

  // The other account continues without the address.
  await visit(attacker.page, '/my-bookings')
  await attacker.page.waitForURL(({ pathname }) => pathname === '/new-email')
  await main(attacker.page).getByLabel('New email').fill('somebody@example.com')
  await main(attacker.page).getByRole('button', { name: 'Send the link' }).click()
  await main(attacker.page).getByRole('status').filter({ hasText: 'We have sent a link' }).waitFor()
  await followMail(attacker.page, 'somebody@example.com', /^Confirm your new email/)
  await main(attacker.page).getByRole('button', { name: 'Confirm my email' }).click()
  await main(attacker.page).getByRole('heading', { level: 1, name: 'Your email is changed' }).waitFor()
  await visit(attacker.page, '/my-bookings')
  await main(attacker.page).getByRole('heading', { level: 1, name: 'My Bookings' }).waitFor()
  expect(await main(attacker.page).getByText(business.name).count()).toBe(0)

  await attacker.leave()
  await victim.leave()
})

it('a person undoes a change of their email from the notice and chooses a new password', async () => {
  const email = 'noah@example.com'
  const to = 'thief@example.com'
  const thief = await stage.arrive(DESKTOP, [/status of 400/])
  const { page } = thief
  await visit(page, '/signup')
  await main(page).getByLabel('Email').fill(email)
  await signUpAsIs(page, 'Noah Fitzgerald', PASSWORDS.victim)
  await followMail(page, email, /^Confirm your email/)
  await main(page).getByRole('button', { name: 'Confirm my email' }).click()
  await main(page).getByRole('heading', { level: 1, name: 'Your email is confirmed' }).waitFor()
  await visit(page, '/my-profile')
  await main(page).getByText('Change my email').click()
  await main(page).getByLabel('New email').fill(to)
  await main(page).getByRole('button', { name: 'Send the link' }).click()
  await followMail(page, to, /^Confirm your new email/)
  await main(page).getByRole('button', { name: 'Confirm my email' }).click()
  await main(page).getByRole('heading', { level: 1, name: 'Your email is changed' }).waitFor()

  const owner = await stage.arrive(PHONE)
  await followMail(owner.page, email, /email was changed$/)
  await main(owner.page).getByRole('button', { name: 'Undo the change' }).click()
  await owner.page.waitForURL(({ pathname }) => pathname === '/reset-password')
  await owner.page.getByLabel('New password', { exact: true }).fill('by the river gums')
  await main(owner.page).getByRole('button', { name: 'Change the password' }).click()
  await main(owner.page).getByRole('heading', { level: 1, name: 'Your password is changed' }).waitFor()

  await visit(page, '/my-profile')
  await page.waitForURL(({ pathname }) => pathname === '/login')
  await main(page).getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORDS.victim)
  await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
  await main(page).getByText('Email or password is not right.', { exact: false }).first().waitFor()

  await owner.leave()
  await thief.leave()
})
