import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ageProofs } from '../proofs.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, main, PHONE, signUp, visit } from './browser.ts'
import { openStage } from './stage.ts'
import { bringDevice } from './virtual-authenticator.ts'

const PASSWORD = 'under the jacaranda'
// An own server, so that the browser tells the authenticator this address.
const stage = openStage({ demo: false })

const forget = (page: Page) => page.context().clearCookies()
const tenMinutesPass = () => ageProofs(stage.server.services.db, 11)
const axe = async (page: Page, state: string) => expect(await findViolations(page, state)).toEqual([])

it.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
] as const)('a passkey is added, renamed, used and removed on a %s', async (_name, viewport) => {
  const { page, leave } = await stage.arrive(viewport, [/400/])
  await bringAxe(page)
  const device = await bringDevice(page)
  await signUp(page, { origin: stage.server.origin, password: PASSWORD })
  await visit(page, '/settings-privacy')
  const section = main(page).getByRole('region', { name: 'Passkeys' })
  // The login was long enough ago by the time the button is pressed.
  await section.getByRole('button', { name: 'Add a passkey' }).waitFor()
  expect(await section.getByLabel('Your password or a code').count()).toBe(0)
  await tenMinutesPass()
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  const proof = section.getByLabel('Your password or a code')
  await proof.fill('not it')
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await section.getByText('That’s neither your password nor a current code.').waitFor()
  await axe(page, 'adding a passkey, asked again')
  await proof.fill(PASSWORD)
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await section.getByText('not used yet').waitFor()
  await axe(page, 'a passkey')
  await section.locator('summary', { hasText: 'Rename' }).click()
  await section.getByLabel('Name').fill('Kitchen laptop')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('Kitchen laptop').first().waitFor()

  // One passkey for an account on each device.
  await section.getByRole('button', { name: 'Add a passkey' }).click()
  await section.getByText('This device already has a passkey for your account.').waitFor()

  // The email field offers it, and this person's device takes it at once.
  await forget(page)
  await page.goto('/login?next=/my-bookings')
  await page.waitForURL('**/my-bookings')

  await forget(page)
  await device.responds(false)
  await visit(page, '/login?next=/settings-privacy')
  await main(page).getByRole('button', { name: 'Log in with a passkey' }).waitFor()
  await axe(page, 'login')
  await device.responds(true)
  await main(page).getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.waitForURL('**/settings-privacy')
  await section.getByText('last used', { exact: false }).first().waitFor()

  await section.locator('summary', { hasText: 'Remove' }).click()
  // This person's device proves who they are on the spot.
  await tenMinutesPass()
  await section.getByRole('button', { name: 'Remove' }).click()
  const removal = section.locator('details[open]').filter({ hasText: 'Remove' })
  await removal.getByLabel('Your password or a code').waitFor()
  await axe(page, 'removing a passkey, asked again')
  await removal.getByRole('button', { name: 'Use a passkey' }).click()
  await section.getByText('Kitchen laptop').first().waitFor({ state: 'detached' })

  await forget(page)
  await device.responds(false)
  await visit(page, '/login')
  await device.responds(true)
  await main(page).getByRole('button', { name: 'Log in with a passkey' }).click()
  await main(page).getByText('This passkey doesn’t belong to an account here').waitFor()
  await leave()
})

it('the login screen works with the password in a browser without passkeys', async () => {
  const { page, leave } = await stage.arrive(PHONE)
  const email = await signUp(page, { origin: stage.server.origin, password: PASSWORD })
  await forget(page)
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'))
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await visit(page, '/login')
  await main(page).getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  expect(await main(page).getByRole('button', { name: 'Log in with a passkey' }).count()).toBe(0)
  expect(scripts.filter((url) => url.includes('passkey'))).toEqual([])
  await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
  await page.waitForURL(`${stage.server.origin}/`)
  await leave()
})

it('the login screen says nothing of passkeys that nobody asked for, and that the browser can’t offer', async () => {
  const { page, leave } = await stage.arrive(PHONE)
  // The browser of the tests has no device, so its request fails at once.
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) =>
      get(options).finally(() => setTimeout(() => document.body.setAttribute('data-answered', '')))
  })
  await visit(page, '/login')
  await page.locator('body[data-answered]').waitFor()
  expect(await main(page).getByRole('alert').filter({ hasText: /./ }).count()).toBe(0)
  await leave()
})
