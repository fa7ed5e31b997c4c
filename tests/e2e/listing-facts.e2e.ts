import { expect, it } from 'vitest'
import { aBusiness } from '../builders.ts'
import { bringAxe, findViolations } from './axe.ts'
import { main, PHONE, USUAL_SIZES, visit } from './browser.ts'
import { joinStage } from './stage.ts'
import { fillListing } from './vendor-forms.ts'

/** A vendor states facts in the listing form. A visitor sees them and filters by them. */

const stage = joinStage()

it.each(USUAL_SIZES)(
  'a vendor states facts at $width px, and visitors find the listing by them',
  async (size) => {
    const listing = `The Facts Rooms ${size.width}`
    const vendor = await stage.arriveAs('vendor@jubilee.example', size)
    const { page } = vendor
    await bringAxe(page)
    await visit(page, '/dashboard/list-business/new')
    const form = main(page)
    // Without a category there is only the number that every listing has.
    expect(await form.getByLabel('Maximum guests').isVisible()).toBe(true)
    expect(await form.getByLabel('Guests seated').isVisible()).toBe(false)
    await form.getByText('Choose a category to see the questions that fit it.').waitFor()

    // The questions and the examples follow the category. An example is no answer.
    await form.getByLabel('Category').selectOption('Photographers')
    await expect
      .poll(() => form.getByLabel('How far you travel').getAttribute('placeholder'))
      .toBe('For example 100')
    expect(await form.getByLabel('How far you travel').inputValue()).toBe('')
    expect(await form.getByLabel('Guests seated').isVisible()).toBe(false)
    await fillListing(page, listing)
    await form.getByLabel('Guests seated').waitFor()
    expect(await form.getByLabel('How far you travel').isVisible()).toBe(false)
    expect(await form.getByLabel('Shortest booking').inputValue()).toBe('')

    await form.getByLabel('Maximum guests').fill('90')
    await form.getByLabel('Guests seated').fill('120')
    await form.getByLabel('Step-free access').selectOption('Yes')
    await form.getByLabel('Outdoors').check()
    await form.getByLabel('Kosher').check()
    for (const part of ['Room', 'Food']) await form.getByLabel(part, { exact: true }).check()
    await form.getByText('Languages besides English', { exact: true }).first().click()
    await form.getByLabel('Auslan').check()
    await page.getByRole('button', { name: 'Submit' }).click()
    await form.getByText('You can’t have more guests seated than your maximum of 90.').first().waitFor()
    await form.getByLabel('Guests seated').fill('80')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width)
    const found = await findViolations(page, 'the listing form with its facts')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.waitForURL('**/dashboard/list-business')

    // The form has them again.
    await main(page)
      .getByRole('link', { name: `Edit ${listing}` })
      .click()
    await expect.poll(() => form.getByLabel('Guests seated').inputValue()).toBe('80')
    expect(await form.getByLabel('Kosher').isChecked()).toBe(true)
    expect(await form.getByLabel('Step-free access').inputValue()).toBe('yes')
    const id = /list-business\/([^/]+)\/edit/.exec(page.url())?.[1]

    await visit(page, `/business/${id}`)
    const facts = main(page).getByRole('region', { name: 'At a glance' })
    await facts.getByText('80 guests').waitFor()
    await facts.getByText('Auslan').waitFor()
    await facts.getByText('Room and food').waitFor()

    await visit(page, '/venues')
    await main(page)
      .getByLabel('What, where and when?')
      .fill('kosher step-free venue near Geelong, food included, seated 80')
    await main(page).getByRole('button', { name: 'Search', exact: true }).click()
    const terms = page.getByRole('list', { name: 'Your search terms' })
    for (const name of ['kosher', 'food included', 'step-free access', '80 guests seated'])
      await terms.getByRole('link', { name: `Without ${name}` }).waitFor()
    const card = main(page).getByRole('article').filter({ hasText: listing })
    await card.getByText('Up to 90 guests').waitFor()
    await card.getByText('Room and food').waitFor()
    // On a phone the list begins in the first screen instead.
    const orderNote = main(page).getByText('Recommended: well reviewed first')
    expect(await orderNote.isVisible()).toBe(size.width > 768)
    await main(page).getByText('More filters').click()
    expect(await main(page).getByLabel('Dietary needs').inputValue()).toBe('kosher')
    expect(found).toEqual([])
    await vendor.leave()
  },
)

it.each([
  ['Yes, show it', true],
  ['No, leave it out', false],
] as const)('a vendor says of facts that the form had filled in: %s', async (answer, isShown) => {
  const { db } = stage.server.services
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'vendor@jubilee.example')
    .executeTakeFirstOrThrow()
  const { id, name } = await aBusiness(db, {
    user_id: owner.id,
    name: `Filled In ${isShown}`,
    category: 'Photographers',
    place_id: 'melbourne-vic',
  })
  await db
    .insertInto('prefilled_facts')
    .values({ business_id: id, facts: JSON.stringify({ minHours: 2, travelKm: 100 }) })
    .execute()
  const vendor = await stage.arriveAs('vendor@jubilee.example', PHONE)
  const { page } = vendor
  await visit(page, '/dashboard/list-business')
  const card = main(page).getByRole('article', { name })
  await card.getByText('Travels: Up to 100 km').waitFor()
  await visit(page, `/business/${id}`)
  expect(await main(page).getByText('Up to 100 km').isVisible()).toBe(false)
  await visit(page, '/dashboard/list-business')
  await card.getByRole('button', { name: answer }).click()
  await card.getByText('Is this right?').waitFor({ state: 'detached' })
  await visit(page, `/business/${id}`)
  await expect.poll(() => main(page).getByText('Up to 100 km').isVisible()).toBe(isShown)
  await vendor.leave()
})
