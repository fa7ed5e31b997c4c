import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { authenticatorCode } from '../authenticator.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, main, PHONE, signUp, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const PASSWORD = 'under the jacaranda'
const stage = joinStage()

async function givePassword(page: Page, email: string): Promise<void> {
  await visit(page, '/login?next=/my-bookings')
  await main(page).getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
  await main(page).getByRole('heading', { name: 'Enter your code' }).waitFor()
}

const axe = async (page: Page, state: string) => {
  expect(await findViolations(page, state)).toEqual([])
}

it.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const)('two-step login is set up, used and turned off on a %s', async (_name, viewport) => {
  const { page, leave } = await stage.arrive(viewport, [/400/])
  await bringAxe(page)
  const email = await signUp(page, { origin: stage.server.origin, password: PASSWORD })
  await visit(page, '/settings-privacy')
  const section = main(page).getByRole('region', { name: 'Two-step login' })
  await section.getByRole('button', { name: 'Set up two-step login' }).click()
  await section.getByRole('img', { name: /QR code/ }).waitFor()
  await axe(page, 'setting up')
  const key = (await section.locator('.select-all').innerText()).replaceAll(' ', '')
  await section.getByLabel('Code from the app').fill('000000')
  await section.getByRole('button', { name: 'Turn on' }).click()
  await section.getByText('This code isn’t right').first().waitFor()
  expect((await section.locator('.select-all').innerText()).replaceAll(' ', '')).toBe(key)
  await section.getByLabel('Code from the app').fill(authenticatorCode(key))
  await section.getByRole('button', { name: 'Turn on' }).click()
  await section.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  await axe(page, 'recovery codes')
  const download = page.waitForEvent('download')
  await section.getByRole('link', { name: 'Download as text' }).click()
  expect((await download).suggestedFilename()).toBe('jubilee-recovery-codes.txt')
  const codes = await section.locator('li').allInnerTexts()
  expect(codes).toHaveLength(8)
  await page.reload()
  await section.getByText('8 recovery codes left.').waitFor()
  expect(await section.getByText(codes[0] ?? '').count()).toBe(0)

  // Another browser has only the password.
  const other = await stage.arrive(viewport, [/400/])
  await bringAxe(other.page)
  await givePassword(other.page, email)
  await axe(other.page, 'code')
  await main(other.page).getByLabel('Code from the app').fill('12')
  await main(other.page).getByRole('button', { name: 'Log In', exact: true }).click()
  await main(other.page).getByText('Enter the six digits from your app.').first().waitFor()
  await main(other.page).getByLabel('Code from the app').fill(authenticatorCode(key, 1))
  await main(other.page).getByRole('button', { name: 'Log In', exact: true }).click()
  await other.page.waitForURL('**/my-bookings')
  await other.leave()

  const third = await stage.arrive(viewport)
  await givePassword(third.page, email)
  await main(third.page).getByText('Use a recovery code').click()
  await main(third.page)
    .getByLabel('Recovery code')
    .fill(codes[0] ?? '')
  await main(third.page).getByRole('button', { name: 'Log in with it' }).click()
  await third.page.waitForURL('**/my-bookings')
  await visit(third.page, '/settings-privacy')
  const its = main(third.page).getByRole('region', { name: 'Two-step login' })
  await its.getByText('7 recovery codes left.').waitFor()
  await its.getByText('Turn two-step login off').click()
  await its.getByRole('button', { name: 'Turn off' }).click()
  await its.getByRole('button', { name: 'Set up two-step login' }).waitFor()
  await third.leave()
  await leave()
})
