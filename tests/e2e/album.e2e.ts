import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { bringAxe, findViolations } from './axe.ts'
import { main, PHONE, visit } from './browser.ts'
import { openStage } from './stage.ts'
import { aPicture } from './vendor-forms.ts'

const VENDOR = 'vendor@jubilee.example'
const BUSINESS = 'harbour-light-pavilion'
const ALBUM = `/dashboard/list-business/${BUSINESS}/album`
/** Console errors of requests that these tests let fail. */
const LET_FAIL = [/ERR_FAILED/, /ERR_INTERNET_DISCONNECTED/]

const stage = openStage()

/** The number of pictures, once the screen shows them. */
async function countShown(page: Page): Promise<number> {
  const text = await main(page)
    .getByText(/^\d+ pictures of 30$/)
    .textContent()
  return Number.parseInt(text ?? '', 10)
}
const rows = (page: Page) =>
  main(page).getByRole('list', { name: 'Pictures in order' }).locator(':scope > li')
const captions = (page: Page) =>
  main(page)
    .getByRole('textbox', { name: /^Caption, picture/ })
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
const isSaved = (page: Page) => main(page).getByText('All changes saved').waitFor()
const choose = async (page: Page, ...names: string[]) =>
  page
    .locator('input[type=file]')
    .setInputFiles(await Promise.all(names.map((name) => aPicture(name, '#b92b3a'))))

describe('the album of a listing', () => {
  it('takes pictures, captions and an order on a phone, and its page shows them', async () => {
    const { page, leave } = await stage.arriveAs(VENDOR, PHONE)
    await bringAxe(page)
    await visit(page, '/dashboard/list-business')
    await page.getByRole('link', { name: 'Album of Harbour Light Pavilion' }).click()
    await page.waitForURL(`**${ALBUM}`)
    const before = await countShown(page)
    await choose(page, 'tent.png', 'table.png')
    await main(page)
      .getByText(`${before + 2} pictures of 30`)
      .waitFor()
    await page.getByLabel(`Caption, picture ${before + 1}`, { exact: true }).fill('A tent for 80')
    await page.getByLabel(`Caption, picture ${before + 1}`, { exact: true }).blur()
    await isSaved(page)
    expect(await findViolations(page, 'the album')).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)

    // By keyboard: the pressed button keeps the focus.
    const earlier = page.getByRole('button', { name: `Move picture ${before + 1} earlier` })
    await earlier.focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await captions(page)).indexOf('A tent for 80')).toBe(before - 1)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe(`Move picture ${before} earlier`)
    await page.getByLabel(`Place of picture ${before}`, { exact: true }).selectOption('1')
    await expect.poll(async () => (await captions(page))[0]).toBe('A tent for 80')
    await isSaved(page)

    await page.getByRole('button', { name: 'Remove picture 1', exact: true }).click()
    await main(page).getByText('Removed A tent for 80.').waitFor()
    await expect.poll(async () => (await captions(page)).includes('A tent for 80')).toBe(false)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await captions(page))[0]).toBe('A tent for 80')
    await isSaved(page)
    await visit(page, ALBUM)
    await countShown(page)
    expect((await captions(page))[0]).toBe('A tent for 80')

    await visit(page, `/business/${BUSINESS}`)
    expect(await findViolations(page, 'the page with its album')).toEqual([])
    const album = main(page).getByRole('region', { name: 'Album' })
    await album.getByRole('link', { name: 'A tent for 80' }).click()
    const viewer = page.getByRole('dialog', { name: 'Pictures of Harbour Light Pavilion' })
    await viewer.getByText(`1 / ${before + 2}`).waitFor()
    await viewer.getByText('A tent for 80').waitFor()
    await viewer.getByRole('button', { name: 'Close' }).click()
    await leave()
  })

  it('loses nothing without a connection, and sends it when it is back', async () => {
    const { page, leave } = await stage.arriveAs(VENDOR, PHONE, LET_FAIL)
    await visit(page, ALBUM)
    const before = await countShown(page)
    await page.context().setOffline(true)
    await page.getByLabel('Caption, picture 2', { exact: true }).fill('Typed in a tunnel')
    await page.getByRole('button', { name: 'Move picture 3 later' }).click()
    await choose(page, 'tunnel.png')
    await main(page).getByText('No connection. Your changes are kept here').waitFor()
    await main(page).getByText('Waiting', { exact: true }).waitFor()
    await page.context().setOffline(false)
    await isSaved(page)
    await main(page)
      .getByText(`${before + 1} pictures of 30`)
      .waitFor()
    await visit(page, ALBUM)
    expect((await captions(page))[1]).toBe('Typed in a tunnel')
    expect(await rows(page).count()).toBe(before + 1)
    await leave()
  })

  it('keeps what two tabs move at once', async () => {
    const [one, other] = [await stage.arriveAs(VENDOR, PHONE), await stage.arriveAs(VENDOR, PHONE)]
    await visit(one.page, ALBUM)
    await visit(other.page, ALBUM)
    const urls = (page: Page) =>
      rows(page).evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.url))
    const [first, second, third, ...rest] = await urls(one.page)
    await one.page.getByLabel('Place of picture 1', { exact: true }).selectOption('3')
    await isSaved(one.page)
    // It knows nothing of that yet.
    const last = rest.length + 3
    await other.page.getByRole('button', { name: `Move picture ${last} earlier` }).click()
    await isSaved(other.page)
    const moved = [...rest.slice(0, -2), rest.at(-1), rest.at(-2)]
    expect(await urls(other.page)).toEqual([second, third, first, ...moved])
    await one.leave()
    await other.leave()
  })

  it('leads to the picture files without JavaScript, and fetches no folded picture', async () => {
    const context = await stage.browser.newContext({
      baseURL: stage.server.origin,
      javaScriptEnabled: false,
      viewport: PHONE,
    })
    const page = await context.newPage()
    await page.goto(`/business/${BUSINESS}`)
    const album = main(page).getByRole('region', { name: 'Album' })
    await album.getByText(/^Show all \d+ pictures$/).click()
    await album.getByRole('link').last().click()
    await page.waitForURL(/\?w=1600&f=jpeg$/)
    await context.close()
  })
})
