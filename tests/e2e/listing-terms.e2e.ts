import { expect, it } from 'vitest'
import { bringAxe, findViolations } from './axe.ts'
import { main, PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'
import { fillListing } from './vendor-forms.ts'

/** A vendor chooses how their bookings are cancelled and paid, with an example in their own price. */

const stage = joinStage()
const LISTING = 'The Fernery Rooms'

it('a vendor on a phone chooses a plan, sees the example follow, saves, and the public page says it', async () => {
  const vendor = await stage.arriveAs('vendor@jubilee.example', PHONE)
  const { page } = vendor
  await bringAxe(page)
  await visit(page, '/dashboard/list-business/new')
  await fillListing(page, LISTING)
  const example = main(page).getByRole('region', { name: 'An example with your price' })
  await main(page).getByLabel('Price', { exact: true }).fill('145')
  // With payouts on, payment in full can't be held for so long.
  await example.getByText(/^60 guests at \$145\.00, 200 days ahead: \$1,740\.00 when they book,/).waitFor()
  await main(page)
    .getByText(/^Events within about 12 weeks are paid in full\./)
    .waitFor()
  expect(await main(page).getByLabel('Deposit in percent').isVisible()).toBe(false)

  await main(page).getByRole('radio', { name: 'Deposit and balance' }).check()
  await main(page).getByRole('radio', { name: 'Long' }).check()
  await main(page).getByLabel('Deposit in percent').fill('5')
  await example.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Submit' }).click()
  await main(page).getByText('Enter a deposit from 10 to 30%.').first().waitFor()
  expect(await main(page).getByLabel('Price', { exact: true }).inputValue()).toBe('145')
  await main(page).getByLabel('Deposit in percent').fill('25')
  await example.getByText(/\$2,175\.00 when they book, \$6,525\.00 30 days before/).waitFor()
  const rows = await example.getByRole('row').allInnerTexts()
  expect(rows.slice(1).map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
    'Until 90 days before Everything $0.00 $0.00',
    'Until 30 days before $0.00 $2,175.00 $1,957.50',
    'Until 14 days before $2,175.00 $6,525.00 $5,872.50',
    'After that $0.00 $8,700.00 $7,830.00',
  ])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  const found = await findViolations(page, 'the listing form with its example')

  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL('**/dashboard/list-business')
  const card = main(page).getByRole('article', { name: LISTING })
  await card.getByRole('link', { name: `Edit ${LISTING}` }).click()
  await main(page).getByRole('radio', { name: 'Long', checked: true }).waitFor()
  expect(await main(page).getByLabel('Deposit in percent').inputValue()).toBe('25')
  const id = /list-business\/([^/]+)\/edit/.exec(page.url())?.[1]
  await visit(page, `/business/${id}`)
  await main(page).getByText('Free cancellation until 90 days before · 25% deposit').waitFor()
  expect(found).toEqual([])
  await vendor.leave()
})
