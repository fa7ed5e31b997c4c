import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { sampleOfThisRun } from '../sample.ts'
import { arrive, header, openBrowser, PHONE, signIn, visit } from './browser.ts'
import { lengthenNames, preparePages, showFewBusinesses, type Visits, WHO } from './pages.ts'
import { openStage } from './stage.ts'

/** Larger text that a person has chosen in the browser's settings. Unlike zoom, it leaves the window as wide as it is. */

const stage = openStage()
let visits: Visits

beforeAll(async () => {
  const { services } = stage.server
  await showFewBusinesses(services.db)
  visits = await preparePages(services)
  await lengthenNames(services.db)
})

const PUBLIC = ['/', '/venues', '/business/harbour-light-pavilion', '/help', '/login', '/cart']
const LARGE_PX = 20
const VERY_LARGE_PX = 24
const DOUBLE_PX = 32

/** @returns the paths whose page is wider than the window, each with the elements that make it so */
async function findWidePages(page: Page, paths: readonly string[]): Promise<string[]> {
  const wide = []
  for (const path of paths) {
    await visit(page, path)
    const found = await page.evaluate(findWide)
    if (found) wide.push(`${path}: ${found}`)
  }
  return wide
}

/** Runs in the page. @returns how much wider than the window it is, and why; '' if it isn't */
function findWide(): string {
  const width = document.scrollingElement?.scrollWidth ?? 0
  if (width <= window.innerWidth) return ''
  const isScrolled = (element: Element | null): boolean =>
    element !== null &&
    (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) || isScrolled(element.parentElement))
  const causes = [...document.body.querySelectorAll('*')].filter(
    (element) =>
      element.checkVisibility() &&
      !isScrolled(element.parentElement) &&
      element.getBoundingClientRect().right > window.innerWidth + 1,
  )
  const names = causes.slice(-2).map((element) => element.outerHTML.slice(0, 160))
  return `${width} px of ${window.innerWidth}: ${names.join(' | ')}`
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

  it('fits a phone at twice the size, and its menu opens', () =>
    withTextOf(DOUBLE_PX, async (browser) => {
      const visitor = await arrive(browser, stage.server.origin, PHONE)
      const { page } = visitor
      expect(await findWidePages(page, PUBLIC)).toEqual([])
      await header(page).getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('dialog').getByRole('link', { name: 'Sign Up' }).waitFor()
      await visitor.leave()
    }))

  it.each(WHO)('fits a phone at twice the size on every page for %s', { timeout: 300_000 }, (who) =>
    withTextOf(DOUBLE_PX, async (browser) => {
      const visitor = await arrive(browser, stage.server.origin, PHONE, [/4\d\d \(/])
      if (who !== 'everybody') await signIn(visitor.page, stage.server.origin, `${who}@jubilee.example`)
      expect((await findWidePages(visitor.page, sampleOfThisRun(visits[who], 1 / 3))).join('\n')).toBe('')
      await visitor.leave()
    }),
  )
})
