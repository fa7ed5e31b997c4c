import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { bringAxe, findViolations } from './axe.ts'
import { main, PHONE, USUAL_SIZES, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

/** Waits until the heading of a part has the focus, and expects it on the screen below the header. */
async function expectPart(page: Page, name: string): Promise<void> {
  await page.locator('h2:focus').filter({ hasText: name }).waitFor()
  const box = await page.locator('h2:focus').boundingBox()
  const headerHeight = await page.evaluate(
    () => document.querySelector('.site-header')?.getBoundingClientRect().bottom ?? 0,
  )
  expect(box?.y).toBeGreaterThanOrEqual(headerHeight)
  expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
}

it.each(USUAL_SIZES)(
  'a link to a part of an article leads to its heading, within the site and by its address, at $width px',
  async (size) => {
    const { page, leave } = await stage.arriveAs('vendor@jubilee.example', size)
    await visit(page, '/dashboard/payouts')
    await page.evaluate(() => Object.assign(window, { isStillThisPage: true }))
    await main(page).getByRole('link', { name: 'How payouts work' }).click()
    await page.waitForURL('**/help/payouts#when-money-leaves')
    await expectPart(page, 'When money leaves')
    expect(await page.evaluate(() => 'isStillThisPage' in window)).toBe(true)

    // Tab moves to the next link after the heading.
    await page.keyboard.press('Tab')
    const isAfter = await page.evaluate(() => {
      const heading = document.getElementById('when-money-leaves')
      const { activeElement } = document
      return Boolean(
        heading &&
          activeElement &&
          heading.compareDocumentPosition(activeElement) & Node.DOCUMENT_POSITION_FOLLOWING,
      )
    })
    expect(isAfter).toBe(true)

    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor()
    await page.goto('/help/book-and-pay#what-you-pay')
    await expectPart(page, 'What you pay')
    await leave()
  },
)

it('the search of the help finds an article by its words', async () => {
  const { page, leave } = await stage.arrive(PHONE)
  await bringAxe(page)
  await visit(page, '/advice-support')
  await main(page).getByRole('link', { name: 'Help articles' }).click()
  await page.waitForURL('**/help')
  await main(page).getByLabel('Search help articles').fill('refunds')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/help?q=refunds')
  await main(page)
    .getByRole('status')
    .getByRole('heading', { level: 2, name: /article/ })
    .waitFor()
  expect((await findViolations(page, 'articles that were found')).join('\n')).toBe('')
  await main(page)
    .getByRole('link', { name: /^Refunds/ })
    .click()
  await page.waitForURL('**/help/refunds')
  await main(page).getByRole('heading', { level: 1, name: 'Refunds' }).waitFor()
  await leave()
})
