import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DESKTOP, header, main, PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

/** Browsers below the baseline (app/shared/baseline.ts), and those of the baseline that lack what is newer. */

const stage = joinStage({ newContexts: true })

/** A browser in which the test of the head fails. */
const belowBaseline = (context: BrowserContext) =>
  context.addInitScript(() => {
    Reflect.deleteProperty(window, 'CSSPropertyRule')
  })

/** A browser that can't parse the script that hydrates. */
const unableToParse = (context: BrowserContext) =>
  context.route('**/assets/entry.client-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'let a = (1 =!> 2)' }),
  )

/** Runs in the page. @returns whether React has hydrated any element */
const isHydrated = () =>
  [...document.querySelectorAll('a, button')].some((element) =>
    Object.keys(element).some((key) => key.startsWith('__reactProps$')),
  )

async function readAndSearch(page: Page): Promise<void> {
  await page.goto('/')
  await page.locator('html[data-plain=true]').waitFor()
  // Shown by scripts, or without them.
  await header(page).getByRole('link', { name: 'Log In' }).waitFor()
  await main(page).getByLabel('What, where and when?').fill('woolshed')
  await main(page).getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL(/\/venues-vendors\?service=barn$/)
  await main(page).getByRole('link', { name: 'Long Paddock Woolshed' }).click()
  await page.waitForURL(/\/business\/long-paddock-woolshed$/)
  await main(page).getByRole('link', { name: 'Book Now' }).first().click()
  await main(page)
    .getByText(/need JavaScript/)
    .waitFor()
  expect(await page.evaluate(isHydrated)).toBe(false)
}

describe('a browser older than the baseline', () => {
  it('gets every page as it is without scripts, and runs none of them by half', async () => {
    const visitor = await stage.arrive(DESKTOP)
    await belowBaseline(visitor.context)
    await readAndSearch(visitor.page)
    await visitor.page.goto('/login')
    await main(visitor.page).getByLabel('Email', { exact: true }).fill('customer@jubilee.example')
    await main(visitor.page).getByLabel('Password', { exact: true }).fill('celebrate')
    await main(visitor.page).getByRole('button', { name: 'Log In', exact: true }).click()
    await visitor.page.waitForURL(`${stage.server.origin}/`)
    await visitor.leave()
  })

  it('gets the same if it can’t parse a script', async () => {
    const visitor = await stage.arrive(DESKTOP, [/SyntaxError/])
    await unableToParse(visitor.context)
    await readAndSearch(visitor.page)
    await visitor.leave()
  })
})

/** The features that MDN's data names as newer than the baseline, as the oldest browsers lack them. */
const newer = JSON.parse(readFileSync(new URL('../newer-features.json', import.meta.url), 'utf8')) as {
  members: Record<string, string>
}

/** Chromium hides a popover's element also if scripts can't open it, and Playwright asks for visibility itself. */
const STAYS = /popover|checkVisibility/i

describe('a browser of the baseline', () => {
  it('opens and closes menus, adds to the cart and books without anything newer', async () => {
    const visitor = await stage.arrive(DESKTOP)
    const { page, context } = visitor
    await context.addInitScript(
      (names) => {
        for (const name of names)
          for (const key of Object.getOwnPropertyNames(window)) {
            const owner = (window as unknown as Record<string, unknown>)[key]
            if (typeof owner !== 'function') continue
            Reflect.deleteProperty(owner, name)
            const { prototype } = owner as { prototype?: object }
            if (prototype) Reflect.deleteProperty(prototype, name)
          }
      },
      Object.keys(newer.members).filter((name) => !STAYS.test(name)),
    )
    await visit(page, '/business/harbour-light-pavilion')
    expect(await page.evaluate(() => 'canParse' in URL || 'groupBy' in Object)).toBe(false)
    await header(page).getByRole('button', { name: 'Categories' }).click()
    await header(page).getByRole('link', { name: 'Photographers' }).click()
    await page.waitForURL(/\/photographers$/)
    await page.goBack()
    await main(page).getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByText('added to cart!').waitFor()
    await main(page).getByRole('link', { name: 'Book Now' }).first().click()
    await main(page).getByRole('button', { name: 'Proceed to Payment' }).waitFor()
    await visitor.leave()
  })
})

describe('a toast on a phone', () => {
  /** Runs in the page. @returns whether a press in the middle of the button reaches it */
  const isInReach = (name: string) => {
    const button = [...document.querySelectorAll('button, a')].find((one) => one.textContent?.trim() === name)
    if (!button) return false
    const { left, top, width, height } = button.getBoundingClientRect()
    return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  }
  it('stands above the bar with ‘Proceed to Payment’, in text of 16 and 32 px', async () => {
    for (const fontPx of [16, 32]) {
      const visitor = await stage.arrive(PHONE)
      const { page } = visitor
      await page.clock.install()
      await visit(page, '/business/harbour-light-pavilion')
      await main(page).getByRole('button', { name: 'Add to Cart' }).click()
      await page.getByText('added to cart!').waitFor()
      // The toast stays as long as time stands still.
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100))
      await main(page).getByRole('link', { name: 'Book Now' }).first().click()
      const proceed = main(page).getByRole('button', { name: 'Proceed to Payment' })
      await expect
        .poll(async () => {
          // The next page needs frames, too, and few enough for the toast to stay.
          await page.clock.runFor(10)
          return proceed.isVisible()
        })
        .toBe(true)
      await page.evaluate((px) => {
        document.documentElement.style.fontSize = `${px}px`
      }, fontPx)
      // The bar comes into view with its form.
      await main(page)
        .getByLabel('Full name')
        .evaluate((field) => field.scrollIntoView({ block: 'center', behavior: 'instant' }))
      await expect
        .poll(async () => {
          // A few frames, in which the toast finds its place.
          await page.clock.runFor(50)
          return page.evaluate(isInReach, 'Proceed to Payment')
        })
        .toBe(true)
      expect(await page.getByText('added to cart!').isVisible(), `${fontPx} px`).toBe(true)
      await visitor.leave()
    }
  })
})
