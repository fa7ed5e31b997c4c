import type { Browser, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrive, header, openBrowser, PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

/** Larger text that a person has chosen in the browser's settings. Unlike zoom, it leaves the window as wide as it is. */

const stage = joinStage()

const PUBLIC = ['/', '/venues', '/business/old-ink-works', '/help', '/login', '/cart']
const LARGE_PX = 20
const VERY_LARGE_PX = 24
const DOUBLE_PX = 32

/** @returns the paths whose page is wider than the window */
async function findWidePages(page: Page, paths: readonly string[]): Promise<string[]> {
  const wide = []
  for (const path of paths) {
    await visit(page, path)
    const byPx = await page.evaluate(() => (document.scrollingElement?.scrollWidth ?? 0) - window.innerWidth)
    if (byPx > 0) wide.push(`${path} by ${byPx} px`)
  }
  return wide
}

async function withTextOf(px: number, look: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await openBrowser([`--blink-settings=defaultFontSize=${px}`])
  try {
    await look(browser)
  } finally {
    await browser.close()
  }
}

describe('a page in larger text', () => {
  it.each([LARGE_PX, VERY_LARGE_PX])(
    'of %i px fits windows of each width, with Sign Up or the menu in view',
    (px) =>
      withTextOf(px, async (browser) => {
        for (const width of [PHONE.width, 800, 1024, 1280, 1440]) {
          const visitor = await arrive(browser, stage.server.origin, { width, height: 900 })
          const { page } = visitor
          expect(await findWidePages(page, PUBLIC), `${width} px`).toEqual([])
          const ways = [
            header(page).getByRole('button', { name: 'Open menu' }),
            header(page).getByRole('link', { name: 'Sign Up' }),
          ]
          const shown = await Promise.all(ways.map((way) => way.isVisible()))
          expect(shown.filter(Boolean), `${width} px`).toHaveLength(1)
          await visitor.leave()
        }
      }),
  )

  it('of twice the size fits a phone, whose menu opens', () =>
    withTextOf(DOUBLE_PX, async (browser) => {
      const visitor = await arrive(browser, stage.server.origin, PHONE)
      const { page } = visitor
      expect(await findWidePages(page, PUBLIC)).toEqual([])
      await header(page).getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'Sign Up' }).waitFor()
      await visitor.leave()
    }))
})
