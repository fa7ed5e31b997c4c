import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { sampleOfThisRun } from '../sample.ts'
import { EITHER_SIZE, PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

/** The limit of a page's layout shift without input: a fifth of the score that counts as good. */
const MAX_SHIFT = 0.02

const PUBLIC_PAGES = [
  '/',
  '/venues-vendors',
  '/venues-vendors?q=hall&place=Melbourne%2C+VIC&near=1',
  '/venues-vendors?q=quokka-polo',
  '/venues',
  '/hairdressers?place=VIC',
  '/venues/in/melbourne-vic',
  '/venues/in/williamstown-vic',
  '/business/harbour-light-pavilion',
  '/business/no-such-business',
  '/book/harbour-light-pavilion',
  '/events',
  '/vendors',
  '/vendorsprofile?id=demo-hamish-boyd',
  '/advice-support',
  '/list-your-business',
  '/newsletter',
  '/cart',
  '/login',
  '/signup',
  '/forgot-password',
  '/no/such/screen',
]

const stage = joinStage({ newContexts: true })

type Shift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Element | null }[]
}

/** Scrolls a page from top to bottom and waits for every picture that comes into view. */
async function readToTheEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await document.fonts.ready
    for (let top = 0; top < document.documentElement.scrollHeight; top += window.innerHeight / 2) {
      window.scrollTo(0, top)
      // One frame for lazy pictures to start loading, one for the layout of those that have loaded.
      await frame()
      await frame()
      const inView = [...document.images].filter((image) => {
        const { top, right, bottom, left } = image.getBoundingClientRect()
        // A slider has pictures beside the screen, which load only when they slide in.
        const isBeside = right <= 0 || left >= window.innerWidth
        return image.checkVisibility() && bottom > 0 && top < window.innerHeight && !isBeside
      })
      await Promise.all(inView.map((image) => image.decode().catch(() => {})))
      await frame()
    }
    await frame()
  })
}

/** Fetches the fonts of every page in advance, since their first arrival depends on the machine. */
async function bringFonts(page: Page): Promise<void> {
  await page.goto('/robots.txt')
  const fonts = await page.evaluate(async (path) => {
    const html = await (await fetch(path)).text()
    const links = new DOMParser().parseFromString(html, 'text/html').querySelectorAll('link[as=font]')
    const fonts = [...links].map((link) => link.getAttribute('href') ?? '')
    await Promise.all(fonts.map(async (font) => (await fetch(font)).arrayBuffer()))
    return fonts.length
  }, '/newsletter/unsubscribe')
  expect(fonts).toBeGreaterThan(0)
}

/** Pictures without dimensions, without `sizes`, or loaded eagerly far below the viewport. */
function findCarelessPictures(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.images]
      .filter((image) => {
        const isMeasured = image.hasAttribute('width') && image.hasAttribute('height')
        const isFar = image.getBoundingClientRect().top > 2 * window.innerHeight
        return (
          !isMeasured || (image.srcset !== '' && image.sizes === '') || (isFar && image.loading !== 'lazy')
        )
      })
      .map((image) => image.outerHTML),
  )
}

/** The sum of all shifts since the page loaded, and the moved elements, largest shift first. */
async function readShifts(page: Page): Promise<{ total: number; moved: string }> {
  return page.evaluate(async () => {
    const shifts = await new Promise<Shift[]>((resolve) => {
      // Buffered entries arrive in one call, within two frames.
      const seen: Shift[] = []
      const observer = new PerformanceObserver((list) => seen.push(...(list.getEntries() as Shift[])))
      observer.observe({ type: 'layout-shift', buffered: true })
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(seen)))
    })
    const unasked = shifts.filter(({ hadRecentInput }) => !hadRecentInput)
    return {
      total: unasked.reduce((sum, { value }) => sum + value, 0),
      moved: unasked
        .sort((one, other) => other.value - one.value)
        .map(({ value, sources }) => {
          const names = sources.map(({ node }) =>
            node instanceof Element ? node.outerHTML.slice(0, 90) : '?',
          )
          return `${value.toFixed(4)} ${names.join(' | ')}`
        })
        .join('\n'),
    }
  })
}

describe.each(EITHER_SIZE)('nothing jumps at $width px', (size) => {
  it.each(sampleOfThisRun(PUBLIC_PAGES, 1 / 3))('on %s', async (path) => {
    const visitor = await stage.arrive(size, [/404/])
    const { page } = visitor
    await bringFonts(page)
    await visit(page, path)
    expect(await findCarelessPictures(page)).toEqual([])
    await readToTheEnd(page)
    const { total, moved } = await readShifts(page)
    expect(total, moved).toBeLessThan(MAX_SHIFT)
    await visitor.leave()
  })
})

it('a jump is detected', async () => {
  const visitor = await stage.arrive(PHONE)
  const { page } = visitor
  await visit(page, '/venues')
  await page.evaluate(async () => {
    document.querySelector('main')?.before(Object.assign(document.createElement('p'), { textContent: 'New' }))
    const [added] = document.querySelectorAll('p')
    if (added) added.style.height = '200px'
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })
  expect((await readShifts(page)).total).toBeGreaterThan(MAX_SHIFT)
  await visitor.leave()
})
