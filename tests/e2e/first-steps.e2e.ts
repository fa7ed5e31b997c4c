import { expect, it } from 'vitest'
import { aBusiness } from '../builders.ts'
import { main, PHONE, visit } from './browser.ts'
import { openStage } from './stage.ts'

/** A new vendor on a phone sets up how they get paid, and says when they work. */

const stage = openStage()

const NEW_VENDOR = 'customer@jubilee.example'
/** An ABN of the sandbox's table. */
const TRUST = '79999999904'

async function aNewListing(): Promise<string> {
  const { db } = stage.server.services
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', NEW_VENDOR)
    .executeTakeFirstOrThrow()
  const listing = await aBusiness(db, {
    user_id: id,
    name: 'Tall Poppies',
    category: 'Photographers',
    place_id: 'melbourne-vic',
  })
  await db.deleteFrom('availability_settings').where('business_id', '=', listing.id).execute()
  await db.deleteFrom('acceptances').where('user_id', '=', id).execute()
  return listing.id
}

it('a new vendor reaches the provider’s form in four pages, is led back, and opens weekends in three taps', async () => {
  const listing = await aNewListing()
  const { page, leave } = await stage.arriveAs(NEW_VENDOR, PHONE)
  // The dashboard is the first page.
  await visit(page, '/dashboard')
  const steps = main(page).getByRole('region', { name: 'First steps' })
  expect(await steps.getByRole('listitem').first().textContent()).toContain('List what you offer')
  expect(await steps.getByLabel('Your page', { exact: true }).inputValue()).toBe(
    `${stage.server.origin}/business/${listing}`,
  )

  // The second is the business, filled in from the account and the listing.
  await steps.getByRole('link', { name: 'Set up how you get paid' }).click()
  await main(page).getByRole('heading', { name: 'Your business' }).waitFor()
  const address = new URL(page.url())
  expect(address.pathname).toBe('/dashboard/payouts/setup')
  expect(await page.getByLabel('Owner email').inputValue()).toBe(NEW_VENDOR)
  expect(await page.getByLabel('Industry type').inputValue()).toBe('Photographers')
  expect(await page.getByLabel('Principal address').inputValue()).toContain('Melbourne')
  await page.getByLabel('ABN').fill(TRUST)
  await expect.poll(() => page.getByLabel('Business name').inputValue()).toBe('Tall Poppies Flowers')
  expect(await page.getByLabel('Business structure').inputValue()).toBe('Trust')
  await page.getByLabel('Principal address').fill('1 Sample Street, Melbourne VIC')
  await page.getByLabel('Business phone').fill('(03) 5550-1234')
  await page.getByLabel('Owner phone').fill('0491 570 110')
  await page.getByLabel('Date of birth').fill('1990-02-03')
  await page.getByRole('button', { name: 'Register Business' }).click()
  await page.getByText('Business registered successfully!').waitFor()

  // The third is the agreement, at the same address.
  const heading = main(page).getByRole('heading', { name: 'The vendor agreement', exact: true })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(page.url()).toBe(address.href)
  await main(page).getByLabel('I accept the vendor agreement').check()
  await main(page).getByRole('button', { name: 'Accept and go to the form' }).click()

  // The fourth is the provider's.
  await page.getByLabel('Given name').fill('Kim')
  await page.getByLabel('Surname').fill('Lee')
  await page.getByLabel('Date of birth').fill('1990-02-03')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('BSB').fill('110000')
  await page.getByLabel('Account number').fill('000123456')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Agree and send' }).click()
  await main(page).getByRole('heading', { name: 'Ready' }).waitFor()
  await main(page).getByRole('link', { name: 'Back to My Dashboard' }).last().click()
  await page.waitForURL('**/dashboard')
  await steps.waitFor()
  expect(await steps.getByRole('link', { name: 'Set up how you get paid' }).count()).toBe(0)

  // Three taps: the step, the preset, Save.
  await steps.getByRole('link', { name: 'Say when you work' }).click()
  const weekends = main(page).getByRole('button', { name: 'Saturdays and Sundays' })
  await weekends.click()
  expect(await weekends.getAttribute('aria-pressed')).toBe('true')
  await main(page).getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Your availability is saved.').waitFor()
  const { weekly } = await stage.server.services.db
    .selectFrom('availability_settings')
    .select('weekly')
    .where('business_id', '=', listing)
    .executeTakeFirstOrThrow()
  const open = Object.entries(weekly ?? {}).flatMap(([day, hours]) => (hours.length > 0 ? [day] : []))
  expect(open.sort()).toEqual(['sat', 'sun'])

  // A calendar without entries shows its month, also on a phone.
  await visit(page, `/dashboard/calendar?business=${listing}`)
  await main(page).getByRole('grid').or(main(page).getByRole('table')).first().waitFor()
  await leave()
})
