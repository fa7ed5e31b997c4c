import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bringAxe, findViolations } from './axe.ts'
import { arrive, DESKTOP, EITHER_SIZE, main, openBrowser, PHONE, visit, WEBGL_SWITCHES } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()
let browser: Browser

// The lanes' browsers have no WebGL: this one draws it in software.
beforeAll(async () => {
  browser = await openBrowser(WEBGL_SWITCHES)
})
afterAll(() => browser.close())

let visitors = 0
const come = (size: { width: number; height: number }, options: Parameters<typeof arrive>[4] = {}) => {
  visitors += 1
  return arrive(browser, stage.server.origin, size, [], {
    ...options,
    extraHTTPHeaders: { 'x-forwarded-for': `198.19.7.${visitors}` },
  })
}

const mapSwitch = (page: Page) => main(page).getByRole('group', { name: 'View' })
const markers = (page: Page) => page.locator('.map-marker')
const marker = (page: Page, name: RegExp) => page.getByRole('button', { name })
const panel = (page: Page) => main(page).getByRole('region', { name: 'Map of the businesses' }).first()
const count = (page: Page) =>
  main(page)
    .getByText(/^\d+ business(es)?$/)
    .first()

async function openMap(page: Page) {
  // The input itself is unseen.
  await mapSwitch(page).locator('label', { hasText: 'Map' }).click()
  await markers(page).first().waitFor()
}

/** Drags the map by a part of its width. */
async function drag(page: Page, share: number) {
  await page.locator('.map-pane').scrollIntoViewIfNeeded()
  const box = await page.locator('.map-pane').boundingBox()
  if (!box) throw new Error('There is no map.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.8]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + (box.width * share) / 2, y, { steps: 5 })
  await page.mouse.move(x + box.width * share, y, { steps: 5 })
  await page.mouse.up()
}

const boundsIn = (page: Page) => new URL(page.url()).searchParams.get('bounds')

describe('the map beside a list at 1440 px', () => {
  it('loads nothing of itself before it is opened, and its worker is a file of ours', async () => {
    const visitor = await come(DESKTOP)
    const { page } = visitor
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const workers: string[] = []
    page.on('worker', (worker) => workers.push(worker.url()))
    await visit(page, '/venues')
    const isOfMap = (url: string) => /list-map|maplibre|australia|\/api\/map/.test(url)
    expect(requests.filter(isOfMap)).toEqual([])
    await openMap(page)
    expect(requests.filter(isOfMap).length).toBeGreaterThan(3)
    for (const url of [...requests, ...workers]) expect(new URL(url).origin).toBe(stage.server.origin)
    await expect.poll(() => workers.length).toBeGreaterThan(0)
    for (const url of workers) expect(new URL(url).pathname).toMatch(/^\/assets\/maplibre-gl-worker/)
    await visitor.leave()
  })

  it('shows the number of listings, and searches where it is moved to', async () => {
    const visitor = await come(DESKTOP)
    const { page } = visitor
    await visit(page, '/venues')
    const all = await count(page).textContent()
    await openMap(page)
    await marker(page, /^Darwin, NT: 1 listing$/).waitFor()
    expect(boundsIn(page)).toBeNull()
    // A cluster comes apart.
    await marker(page, / more places?: \d+ listings$/)
      .first()
      .click()
    await page.waitForURL(/bounds=/)
    await expect.poll(() => count(page).textContent()).not.toBe(all)
    const shown = await main(page).locator('.listed').getByRole('article').count()
    await expect
      .poll(async () => (await count(page).textContent()) ?? '')
      .toMatch(new RegExp(`^${shown} business`))
    await main(page).getByText('in this part of the map').first().waitFor()
    // A move by hand searches there; one step back leads to the list before the first.
    const before = boundsIn(page)
    await drag(page, -0.4)
    await expect.poll(() => boundsIn(page)).not.toBe(before)
    await page.goBack()
    await page.waitForURL(/\/venues$/)
    await expect.poll(() => count(page).textContent()).toBe(all)
    await visitor.leave()
  })

  it('waits for a press if it does not follow', async () => {
    const visitor = await come(DESKTOP)
    const { page } = visitor
    await visit(page, '/venues')
    await openMap(page)
    await page.getByLabel('Search as I move the map').uncheck()
    await drag(page, -0.4)
    await page.getByRole('button', { name: 'Search this area' }).click()
    await page.waitForURL(/bounds=/)
    await page.getByRole('button', { name: 'Search this area' }).waitFor({ state: 'hidden' })
    // Opened again from its address, with the map.
    await page.reload()
    await markers(page).first().waitFor()
    await visitor.leave()
  })

  it('opens the listings of a suburb, by keyboard too, and can be skipped', async () => {
    const visitor = await come(DESKTOP)
    const { page } = visitor
    await bringAxe(page)
    await visit(page, '/venues')
    await mapSwitch(page).getByRole('radio', { name: 'List' }).focus()
    await page.keyboard.press('ArrowRight')
    await markers(page).first().waitFor()
    // All markers together are one stop.
    await expect(
      markers(page).evaluateAll((all) => all.filter(({ tabIndex }) => tabIndex === 0).length),
    ).resolves.toBe(1)
    await page.locator('.map-marker[tabindex="0"]').focus()
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    const isSuburb = (name: string) => /^[^:]+, [A-Z]+: \d/.test(name)
    const seen = new Set<string>()
    for (let name = await focused(); !isSuburb(name); name = await focused()) {
      expect(seen).not.toContain(name)
      seen.add(name)
      await page.keyboard.press('ArrowRight')
    }
    const suburb = (await focused()).split(':')[0] ?? ''
    expect(boundsIn(page)).toBeNull()
    await page.keyboard.press('Enter')
    const cards = page.getByRole('region', { name: suburb })
    await cards.getByRole('link').first().waitFor()
    await expect(marker(page, new RegExp(`^${suburb}: `)).getAttribute('aria-expanded')).resolves.toBe('true')
    expect(await findViolations(page, 'the map at 1440 px')).toEqual([])
    await page.keyboard.press('Escape')
    await cards.waitFor({ state: 'hidden' })
    await expect.poll(focused).toContain(suburb)
    await page.getByRole('button', { name: 'Skip the map' }).press('Enter')
    await page.keyboard.press('Tab')
    await expect(panel(page).locator(':focus').count()).resolves.toBe(0)
    await visitor.leave()
  })

  it('leads to the suburb of a position only when pressed', async () => {
    const visitor = await come(DESKTOP, {
      permissions: ['geolocation'],
      geolocation: { latitude: -37.7985, longitude: 144.979 },
    })
    const { page } = visitor
    await visit(page, '/venues')
    await openMap(page)
    await page.getByRole('button', { name: 'Near my location' }).click()
    await page.waitForURL(/\/venues\?near=1&place=Fitzroy%2C\+VIC$/)
    await visitor.leave()
  })
})

describe('the map at 390 px', () => {
  it('covers the list, leads to a business and back, and gives way to the list of its part', async () => {
    const visitor = await come(PHONE)
    const { page } = visitor
    await bringAxe(page)
    await visit(page, '/venues-vendors?place=NT')
    await openMap(page)
    const map = page.getByRole('dialog', { name: 'Map of the businesses' })
    await map.waitFor()
    expect(await findViolations(page, 'the map at 390 px')).toEqual([])
    const single = map.getByRole('button', { name: /^[^,]+, [A-Z]+: / }).first()
    const name = (await single.getAttribute('aria-label'))?.split(':')[0] ?? ''
    await single.press('Enter')
    await map.getByRole('region', { name }).getByRole('link').first().click()
    await page.waitForURL(/\/business\//)
    await page.goBack()
    await map.waitFor()
    await markers(page).first().waitFor()
    await map.getByRole('button', { name: 'Zoom in' }).click()
    await page.waitForURL(/bounds=/)
    await map.getByText('List', { exact: true }).click()
    await map.waitFor({ state: 'hidden' })
    expect(boundsIn(page)).not.toBeNull()
    await main(page).getByText('in this part of the map').first().waitFor()
    await visitor.leave()
  })

  it('gives way to the list of its part before that list has loaded', async () => {
    const visitor = await come(PHONE)
    const { page } = visitor
    await visit(page, '/venues-vendors?place=NT')
    await openMap(page)
    const map = page.getByRole('dialog', { name: 'Map of the businesses' })
    await markers(page).first().waitFor()
    const asked = Promise.withResolvers<void>()
    const pressed = Promise.withResolvers<void>()
    await page.route(/\.data\?.*bounds=/, async (route) => {
      asked.resolve()
      await pressed.promise
      // A search that is given up has no answer.
      await route.continue().catch(() => {})
    })
    await map.getByRole('button', { name: 'Zoom in' }).click()
    await asked.promise
    await map.getByText('List', { exact: true }).click()
    pressed.resolve()
    await map.waitFor({ state: 'hidden' })
    await main(page).getByText('in this part of the map').first().waitFor()
    expect(boundsIn(page)).not.toBeNull()
    await visitor.leave()
  })

  it('closes by Escape and by Back', async () => {
    const visitor = await come(PHONE)
    const { page } = visitor
    await visit(page, '/venues')
    const map = page.getByRole('dialog', { name: 'Map of the businesses' })
    await openMap(page)
    await page.keyboard.press('Escape')
    await map.waitFor({ state: 'hidden' })
    await openMap(page)
    await page.goBack()
    await map.waitFor({ state: 'hidden' })
    await page.waitForURL(/\/venues$/)
    await visitor.leave()
  })
})

describe('a browser without WebGL', () => {
  it.each(EITHER_SIZE)('keeps the list at $width px, and one sentence says so', async (size) => {
    const visitor = await come(size)
    const { page } = visitor
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null
    })
    await visit(page, '/venues')
    const all = await count(page).textContent()
    await mapSwitch(page).locator('label', { hasText: 'Map' }).click()
    await main(page).getByText('This browser can’t draw the map. The list has the same businesses.').waitFor()
    await expect.poll(() => mapSwitch(page).getByRole('radio', { name: 'List' }).isChecked()).toBe(true)
    await expect(count(page).textContent()).resolves.toBe(all)
    await main(page).getByRole('article').first().waitFor()
    await visitor.leave()
  })
})

it('the fields of a search offer distances from 5 to 100 km', async () => {
  const visitor = await come(DESKTOP)
  const { page } = visitor
  await visit(page, '/venues?place=Geelong%2C+VIC')
  await main(page).getByText('More filters').click()
  const distance = main(page).getByLabel('How far', { exact: true })
  expect(await distance.locator('option').allTextContents()).toEqual([
    'This place only',
    'Within 5 km',
    'Within 10 km',
    'Within 25 km',
    'Within 50 km',
    'Within 100 km',
  ])
  await distance.selectOption({ label: 'Within 50 km' })
  await main(page).getByRole('button', { name: 'Show businesses' }).click()
  await page.waitForURL(/near=50/)
  await main(page).getByText('within 50 km of Geelong VIC').first().waitFor()
  await visitor.leave()
})
