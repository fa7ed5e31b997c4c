import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { bringAxe, findViolations } from './axe.ts'
import { EITHER_SIZE, main, PHONE, signUp, visit } from './browser.ts'
import { joinStage } from './stage.ts'
import { fillListing } from './vendor-forms.ts'

/** A new vendor's first listing: the form, the dialog with the vendor agreement, and the public page. */

const stage = joinStage()
const NEW = '/dashboard/list-business/new'
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Last step: our vendor agreement' })

/** Arrives as a new vendor with a filled in form, and submits it. */
async function submits(listing: string, size = PHONE, expectedErrors: RegExp[] = []) {
  const vendor = await stage.arrive(size, expectedErrors)
  const { page } = vendor
  await bringAxe(page)
  const email = await signUp(page, { origin: stage.server.origin, password: 'under the jacaranda' })
  await visit(page, NEW)
  await fillListing(page, listing)
  await page.getByRole('button', { name: 'Submit' }).click()
  await dialogOf(page).waitFor()
  return { ...vendor, email }
}
const statusOf = async (page: Page, id: string) =>
  (await page.request.get(`${stage.server.origin}/business/${id}`)).status()
const idOf = async (listing: string) =>
  (
    await stage.server.services.db
      .selectFrom('businesses')
      .select('id')
      .where('name', '=', listing)
      .executeTakeFirstOrThrow()
  ).id

describe('a first listing', () => {
  it.each(EITHER_SIZE)('goes public once its vendor accepts in the dialog, at $width px', async (size) => {
    const listing = `The Kelp Rooms ${size.width}`
    const vendor = await submits(listing, size)
    const { page } = vendor
    const dialog = dialogOf(page)
    await dialog.getByText('Your listing is saved. It becomes public when you accept').waitFor()
    await dialog.getByText('The operator of this website hasn’t set their own name').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
    const found = await findViolations(page, 'the dialog with the vendor agreement')
    await dialog.getByText('Read all of it').click()
    await dialog.getByRole('heading', { name: '6. Claims after the event' }).waitFor()
    const id = await idOf(listing)
    expect(await statusOf(page, id)).toBe(410)

    await dialog.getByRole('button', { name: 'Accept and publish' }).dblclick()
    await page.getByText('Your business is listed.').waitFor()
    await page.waitForURL('**/dashboard/list-business')
    await main(page).getByText('Your page is live').waitFor()
    await main(page).getByText('Customers can find your business now.').waitFor()
    const shared = await main(page).getByLabel('Your page', { exact: true }).inputValue()
    expect(shared).toBe(`${stage.server.origin}/business/${id}`)
    await main(page).getByRole('button', { name: 'Copy link' }).waitFor()
    await main(page).getByRole('link', { name: 'See your page' }).click()
    await page.waitForURL(`**/business/${id}`)
    await main(page).getByRole('heading', { level: 1, name: listing }).waitFor()
    expect(found).toEqual([])

    // The next listing needs no dialog.
    await visit(page, NEW)
    await fillListing(page, `${listing} two`)
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Your business is listed.').waitFor()
    expect(await dialogOf(page).isVisible()).toBe(false)
    await vendor.leave()
  })

  it('stays saved after Escape, says so on My Listings, and is published from there in one of two tabs', async () => {
    const listing = 'The Escape Rooms'
    const vendor = await submits(listing)
    const { page, context } = vendor
    await page.keyboard.press('Escape')
    await page.getByText('Your listing is saved. It isn’t public yet.').waitFor()
    expect(await page.getByText('Your listing is saved. It isn’t public yet.').count()).toBe(1)
    await page.waitForURL('**/dashboard/list-business')
    const card = main(page).getByRole('article', { name: listing })
    await card.getByText('Not public yet').waitFor()
    expect(await main(page).getByText('Customers can find your business now.').count()).toBe(0)
    const id = await idOf(listing)
    expect(await statusOf(page, id)).toBe(410)

    const other = await context.newPage()
    await visit(other, '/dashboard/agreement')
    await card.getByRole('link', { name: 'Read and accept' }).click()
    await main(page).getByRole('heading', { level: 1, name: 'Vendor agreement' }).waitFor()
    await main(page).getByRole('button', { name: 'Accept and publish' }).click()
    await main(page).getByText('Your listing is public now.').waitFor()
    expect(await statusOf(page, id)).toBe(200)
    // The other tab still shows the button.
    await main(other).getByRole('button', { name: 'Accept and publish' }).click()
    await main(other).getByText('You’ve accepted the vendor agreement.').waitFor()
    await other.close()
    await page.goBack()
    await main(page).getByRole('article', { name: listing }).waitFor()
    await vendor.leave()
  })

  it('stays saved when the way back is pressed in the dialog, and isn’t listed twice', async () => {
    const listing = 'The Return Rooms'
    const vendor = await submits(listing)
    const { page } = vendor
    await page.goBack()
    await visit(page, NEW)
    // Nothing is left to be sent again.
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
    await visit(page, '/dashboard/list-business')
    await main(page).getByRole('article', { name: listing }).getByText('Not public yet').waitFor()
    await vendor.leave()
  })

  it('says in the dialog that the connection failed, and is published by the next press', async () => {
    const listing = 'The Torn Line Rooms'
    const vendor = await submits(listing, PHONE, [/ERR_FAILED|Failed to load/])
    const { page } = vendor
    const isAcceptance = (url: URL) => url.pathname.startsWith('/dashboard/agreement')
    await page.route(isAcceptance, (route) => route.abort('failed'))
    await dialogOf(page).getByRole('button', { name: 'Accept and publish' }).click()
    await dialogOf(page).getByRole('alert').getByText('We couldn’t be reached.').waitFor()
    await page.unroute(isAcceptance)
    await dialogOf(page).getByRole('button', { name: 'Accept and publish' }).click()
    await page.getByText('Your business is listed.').waitFor()
    expect(await statusOf(page, await idOf(listing))).toBe(200)
    await vendor.leave()
  })

  it('stays saved if the vendor leaves the dialog while the connection fails', async () => {
    const listing = 'The Impatient Rooms'
    const vendor = await submits(listing, PHONE, [/ERR_FAILED|Failed to load/])
    const { page } = vendor
    let fail = () => {}
    const held = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route(
      (url) => url.pathname.startsWith('/dashboard/agreement'),
      async (route) => {
        await held
        await route.abort('failed')
      },
    )
    await dialogOf(page).getByRole('button', { name: 'Accept and publish' }).click()
    await dialogOf(page).getByRole('button', { name: 'Accepting...' }).waitFor()
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'hidden' })
    fail()
    await page.getByText('Your listing is saved. It isn’t public yet.').waitFor()
    await page.waitForURL('**/dashboard/list-business')
    await main(page).getByRole('article', { name: listing }).getByText('Not public yet').waitFor()
    await vendor.leave()
  })

  it('goes public after a login if the session has ended in the dialog', async () => {
    const listing = 'The Late Rooms'
    const vendor = await submits(listing, PHONE, [/401/])
    const { page, email } = vendor
    const { db } = stage.server.services
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
    await dialogOf(page).getByRole('button', { name: 'Accept and publish' }).click()
    await dialogOf(page).getByRole('alert').getByRole('link', { name: 'Log In' }).click()
    await page.waitForURL(/\/login\?next=/)
    await main(page).getByLabel('Email', { exact: true }).fill(email)
    await main(page).getByLabel('Password', { exact: true }).fill('under the jacaranda')
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await page.waitForURL('**/dashboard/agreement')
    await main(page).getByRole('button', { name: 'Accept and publish' }).click()
    await main(page).getByText('Your listing is public now.').waitFor()
    expect(await statusOf(page, await idOf(listing))).toBe(200)
    await vendor.leave()
  })
})
