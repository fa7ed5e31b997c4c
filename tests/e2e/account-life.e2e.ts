import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ageProofs } from '../proofs.ts'
import { hydrated, PHONE, visit } from './browser.ts'
import { openStage } from './stage.ts'

const stage = openStage({ demo: false })

/** Waits for a mail, opens it on the outbox screen and follows its first link. */
async function followMail(page: Page, to: string, subject: RegExp): Promise<void> {
  await expect
    .poll(
      async () =>
        (await stage.server.services.outbox?.list(50))?.some(
          (mail) => mail.to === to && subject.test(mail.subject),
        ),
      { timeout: 20_000 },
    )
    .toBe(true)
  await page.goto(stage.server.printed('/outbox'))
  const mail = page
    .getByRole('listitem')
    .filter({ hasText: `To ${to}` })
    .filter({ has: page.getByRole('heading', { name: subject }) })
    .first()
  await mail.getByText('Plain text').click()
  await mail.getByRole('link').first().click()
  await hydrated(page)
}

async function logInAt(page: Page, email: string, password: string): Promise<void> {
  await visit(page, '/login')
  await page.getByRole('main').getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log In', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}

it('an account works from sign-up to deletion, with the links of its mails', async () => {
  const person = await stage.arrive(PHONE)
  const { page } = person
  const main = page.getByRole('main')

  await visit(page, '/signup')
  await page.getByLabel('Your name').fill('Imogen Hale')
  await main.getByLabel('Email').fill('imogen@example.com')
  await page.getByLabel('Password', { exact: true }).fill('first password')
  await main.getByRole('button', { name: 'Sign Up' }).click()
  await page.waitForURL(`${stage.server.origin}/`)

  await followMail(page, 'imogen@example.com', /^Confirm your email/)
  await main.getByRole('button', { name: 'Confirm my email' }).click()
  await main.getByRole('heading', { name: 'Your email is confirmed' }).waitFor()

  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(`${stage.server.origin}/`)

  await visit(page, '/forgot-password')
  await main.getByLabel('Email').fill('imogen@example.com')
  await main.getByRole('button', { name: 'Send the link' }).click()
  await main.getByRole('heading', { name: 'Check your email' }).waitFor()
  await followMail(page, 'imogen@example.com', /^Choose a new password/)
  await page.getByLabel('New password', { exact: true }).fill('second password')
  await main.getByRole('button', { name: 'Change the password' }).click()
  await main.getByRole('heading', { name: 'Your password is changed' }).waitFor()

  await logInAt(page, 'imogen@example.com', 'second password')
  await visit(page, '/my-profile')
  await main.getByText('Change my email').click()
  await main.getByLabel('New email').fill('imogen.hale@example.com')
  await main.getByRole('button', { name: 'Send the link' }).click()
  await followMail(page, 'imogen.hale@example.com', /^Confirm your new email/)
  await main.getByRole('button', { name: /Confirm/ }).click()
  await main.getByRole('heading', { level: 1 }).waitFor()

  await visit(page, '/confirm-deactivation')
  await main.getByRole('button', { name: /Deactivate/ }).click()
  await page.waitForURL(/account-closed/)
  await logInAt(page, 'imogen.hale@example.com', 'second password')
  await main.getByRole('button', { name: 'Reactivate my account' }).click()
  await page.waitForURL((url) => url.pathname !== '/reactivate')

  await ageProofs(stage.server.services.db, 11)
  await visit(page, '/confirm-deletion')
  await main.getByLabel('Your password or a code').fill('second password')
  await main.getByRole('button', { name: 'Delete my account' }).click()
  await page.waitForURL(/account-closed/)
  const users = await stage.server.services.db.selectFrom('users').select('email').execute()
  expect(users).toEqual([])

  await person.leave()
})
