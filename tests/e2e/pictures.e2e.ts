import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DESKTOP, main, PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage({ newContexts: true })

const BUSINESS = 'harbour-light-pavilion'
const NAME = 'Harbour Light Pavilion'
const SECOND_PICTURE = 'Guests at a long table outdoors, under string lights'

/** The card of the business in a list. */
const cardIn = (page: Page) => main(page).getByRole('article').filter({ hasText: NAME }).first()

/** The numbers of the business's pictures that the browser has asked for. */
function watchPictures(page: Page): Set<string> {
  const asked = new Set<string>()
  page.on('request', (request) => {
    const [, number] = new RegExp(`${BUSINESS}-(\\d)\\?`).exec(request.url()) ?? []
    if (number) asked.add(number)
  })
  return asked
}

/** The number of the picture whose dot is marked. */
const dotOf = (page: Page) =>
  cardIn(page)
    .locator('.card-dots > i')
    .evaluateAll((dots) => dots.findIndex((dot) => (dot as HTMLElement).dataset.shown === 'true') + 1)

type Point = [x: number, y: number]

/** Touches the page along these positions of one finger or two, and lets go. */
async function swipe(page: Page, positions: readonly (readonly Point[])[]) {
  const session = await page.context().newCDPSession(page)
  for (const [index, fingers] of positions.entries())
    await session.send('Input.dispatchTouchEvent', {
      type: index === 0 ? 'touchStart' : 'touchMove',
      touchPoints: fingers.map(([x, y], id) => ({ x, y, id })),
    })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

describe('the pictures of a card', () => {
  it('follow a swipe at 390 px, load then, and lead to the business', async () => {
    const visitor = await stage.arrive(PHONE)
    const { page } = visitor
    const asked = watchPictures(page)
    await visit(page, '/venues')
    const strip = cardIn(page).locator('.card-strip')
    await strip.scrollIntoViewIfNeeded()
    await expect.poll(() => [...asked]).toEqual(['1'])
    const box = await strip.boundingBox()
    if (!box) throw new Error('The pictures are not shown')
    const y = box.y + box.height / 2
    await swipe(
      page,
      [300, 260, 200, 140, 80].map((x) => [[box.x + x, y]]),
    )
    await expect.poll(() => dotOf(page)).toBe(2)
    await expect.poll(() => asked.has('2')).toBe(true)
    await strip.click()
    await page.waitForURL(new RegExp(`/business/${BUSINESS}$`))
    await visitor.leave()
  })

  it('have arrows under the pointer at 1440 px, and arrow keys for the card’s one tab stop', async () => {
    const visitor = await stage.arrive(DESKTOP)
    const { page } = visitor
    const asked = watchPictures(page)
    await visit(page, '/venues')
    const card = cardIn(page)
    await card.scrollIntoViewIfNeeded()
    await expect.poll(() => [...asked]).toEqual(['1'])
    const link = card.getByRole('link')
    await expect(link.count()).resolves.toBe(1)
    await link.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => dotOf(page)).toBe(2)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => dotOf(page)).toBe(1)
    // After its name, the heart.
    await page.keyboard.press('Tab')
    await expect(card.locator('button[aria-pressed]:focus').count()).resolves.toBe(1)
    await page.keyboard.press('Tab')
    await expect(card.locator(':focus').count()).resolves.toBe(0)

    await card.locator('.card-strip').hover()
    await card.locator('.card-arrow').filter({ visible: true }).click()
    await expect.poll(() => dotOf(page)).toBe(2)
    expect(new URL(page.url()).pathname).toBe('/venues')
    await visitor.leave()
  })
})

describe('the pictures of a business', () => {
  it('stand beside the carousel at 1440 px, and open full screen for keys', async () => {
    const visitor = await stage.arrive(DESKTOP)
    const { page } = visitor
    await visit(page, `/business/${BUSINESS}`)
    const small = main(page).getByRole('link', { name: SECOND_PICTURE })
    const [large, beside] = await Promise.all([
      main(page).locator('.fade-frame').boundingBox(),
      small.boundingBox(),
    ])
    if (!large || !beside) throw new Error('The pictures are not shown')
    expect(beside.x).toBeGreaterThanOrEqual(large.x + large.width)
    expect(large.width).toBeGreaterThan(3 * beside.width)

    await small.focus()
    await page.keyboard.press('Enter')
    const viewer = page.getByRole('dialog', { name: `Pictures of ${NAME}` })
    await viewer.getByText('2 / 3').waitFor()
    for (const [key, count] of [
      ['ArrowRight', '3 / 3'],
      ['ArrowRight', '1 / 3'],
      ['ArrowLeft', '3 / 3'],
      ['Home', '1 / 3'],
    ] as const) {
      await page.keyboard.press(key)
      await viewer.getByText(count).waitFor()
    }
    await page.keyboard.press('+')
    await viewer.locator('[data-zoomed=true]').waitFor()
    await page.keyboard.press('0')
    await viewer.locator('[data-zoomed=false]').waitFor()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await expect(small.and(page.locator(':focus')).count()).resolves.toBe(1)
    await visitor.leave()
  })

  it('open full screen at 390 px, zoom by a double tap and two fingers, and are swiped', async () => {
    const visitor = await stage.arrive(PHONE)
    const { page } = visitor
    await visit(page, `/business/${BUSINESS}`)
    await expect(main(page).getByRole('link', { name: SECOND_PICTURE }).isVisible()).resolves.toBe(false)
    await main(page).getByRole('link', { name: 'View the pictures full screen' }).tap()
    const viewer = page.getByRole('dialog', { name: `Pictures of ${NAME}` })
    await viewer.getByText('1 / 3').waitFor()
    const scale = () =>
      viewer
        .locator('.picture-viewer-zoom')
        .first()
        .evaluate((element) => new DOMMatrix((element as HTMLElement).style.transform).a)
    await page.touchscreen.tap(195, 420)
    await page.touchscreen.tap(195, 420)
    await expect.poll(scale).toBe(2.5)
    await page.touchscreen.tap(195, 420)
    await page.touchscreen.tap(195, 420)
    await expect.poll(scale).toBe(1)

    await swipe(
      page,
      [20, 40, 60].map((half) => [
        [195 - half, 420],
        [195 + half, 420],
      ]),
    )
    await expect.poll(scale).toBeCloseTo(3, 0)
    await page.keyboard.press('0')
    await expect.poll(scale).toBe(1)

    await swipe(
      page,
      [340, 300, 220, 140, 60].map((x) => [[x, 420]]),
    )
    await viewer.getByText('2 / 3').waitFor()
    await viewer.getByRole('button', { name: 'Close' }).tap()
    await viewer.waitFor({ state: 'detached' })
    await visitor.leave()
  })

  it('lead to the picture files without JavaScript', async () => {
    const context = await stage.browser.newContext({
      baseURL: stage.server.origin,
      javaScriptEnabled: false,
      viewport: PHONE,
    })
    const page = await context.newPage()
    await page.goto(`/business/${BUSINESS}`)
    await main(page).getByRole('link', { name: 'View the pictures full screen' }).click()
    await page.waitForURL(new RegExp(`/illustrations/.*${BUSINESS}-1\\?w=1600`))
    await context.close()
  })
})
