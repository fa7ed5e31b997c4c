import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { MANIFEST_PATH } from '../../app/shared/route-discovery.ts'
import { DESKTOP, goOffline, hydrated, main, PHONE, visit } from './browser.ts'
import { openStage } from './stage.ts'

/** The routes of private sections are discovered when somebody goes there (decision 73). */

const VENDOR = 'vendor@jubilee.example'
const CUSTOMER = 'customer@jubilee.example'
const LET_FAIL = [/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to load resource/]

const stage = openStage({ newContexts: true })

/** Lists the discoveries and the documents that a page requests, by their paths. */
function watch(page: Page) {
  const discovered: string[] = []
  const documents: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === MANIFEST_PATH) discovered.push(searchParams.get('paths') ?? '')
    if (request.isNavigationRequest()) documents.push(pathname)
  })
  return { discovered, documents }
}

const isDiscovery = (url: URL) => url.pathname === MANIFEST_PATH
const lost = (page: Page) => page.getByRole('status').filter({ hasText: 'Connection lost.' })

async function openMenu(page: Page) {
  await page.getByRole('button', { name: /^Account of/ }).click()
  const menu = page.getByRole('menu', { name: 'Account' })
  await menu.waitFor()
  return menu
}

async function leadTo(page: Page, label: string) {
  await (await openMenu(page)).getByRole('menuitem', { name: label }).click()
}

const overview = (page: Page) => main(page).getByRole('heading', { level: 1 })

describe('a visitor of public pages', () => {
  it('discovers nothing, neither on arrival nor from page to page', async () => {
    const visitor = await stage.arrive(PHONE)
    const { page } = visitor
    const { discovered, documents } = watch(page)
    await visit(page, '/venues')
    await main(page)
      .getByRole('link', { name: /Harbour Light Pavilion/ })
      .first()
      .click()
    await page.waitForURL(/\/business\/harbour-light-pavilion/)
    await main(page).getByRole('heading', { level: 1, name: 'Harbour Light Pavilion' }).waitFor()
    await page.goBack()
    await page.waitForURL(/\/venues$/)
    expect(documents).toEqual(['/venues'])
    expect(discovered).toEqual([])
    await visitor.leave()
  })
})

describe('a signed-in person', () => {
  it('discovers a section once, when the pointer reaches its link, and goes on without documents', async () => {
    const vendor = await stage.arriveAs(VENDOR, DESKTOP)
    const { page } = vendor
    const { discovered, documents } = watch(page)
    await visit(page, '/')
    const item = (await openMenu(page)).getByRole('menuitem', { name: 'My Dashboard' })
    expect(discovered).not.toContain('/dashboard')
    const arrived = page.waitForResponse((response) => isDiscovery(new URL(response.url())))
    await item.hover()
    expect((await arrived).status()).toBe(200)
    await item.click()
    await page.waitForURL((url) => url.pathname === '/dashboard')
    await overview(page).waitFor()
    await page.getByRole('link', { name: 'Calendar', exact: true }).first().click()
    await page.waitForURL((url) => url.pathname === '/dashboard/calendar')
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/dashboard')
    await page.getByRole('banner').getByRole('link', { name: 'Jubilee' }).first().click()
    await page.waitForURL((url) => url.pathname === '/')
    await leadTo(page, 'My Dashboard')
    await page.waitForURL((url) => url.pathname === '/dashboard')
    expect(discovered.filter((path) => path === '/dashboard')).toEqual(['/dashboard'])
    expect(documents).toEqual(['/'])
    await vendor.leave()
  })

  it('discovers nothing within the section in which the document was opened', async () => {
    const vendor = await stage.arriveAs(VENDOR, DESKTOP)
    const { page } = vendor
    const { discovered, documents } = watch(page)
    await visit(page, '/dashboard/bookings')
    await page.getByRole('link', { name: 'Calendar', exact: true }).first().click()
    await page.waitForURL((url) => url.pathname === '/dashboard/calendar')
    expect(discovered).toEqual([])
    expect(documents).toEqual(['/dashboard/bookings'])
    await vendor.leave()
  })
})

describe('a section that can’t be discovered', () => {
  it('keeps the page without a connection, and opens the next one once it is back', async () => {
    const vendor = await stage.arriveAs(VENDOR, DESKTOP, LET_FAIL)
    const { page, context } = vendor
    await visit(page, '/events')
    const menu = await openMenu(page)
    await goOffline(page)
    await menu.getByRole('menuitem', { name: 'My Dashboard' }).click()
    await lost(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/events')
    await main(page).getByRole('heading', { level: 1, name: 'What are you planning?' }).waitFor()
    await context.setOffline(false)
    await page.waitForURL((url) => url.pathname === '/dashboard')
    await overview(page).waitFor()
    await lost(page).waitFor({ state: 'detached' })
    await vendor.leave()
  })

  it('loads the destination’s document when the server has another release', async () => {
    const vendor = await stage.arriveAs(VENDOR, DESKTOP)
    const { page } = vendor
    const { documents } = watch(page)
    await visit(page, '/events')
    await page.route(isDiscovery, (route) =>
      route.fulfill({ status: 204, headers: { 'x-remix-reload-document': 'true' } }),
    )
    await leadTo(page, 'My Dashboard')
    await page.waitForURL((url) => url.pathname === '/dashboard')
    await hydrated(page)
    await overview(page).waitFor()
    expect(documents).toEqual(['/events', '/dashboard'])
    await vendor.leave()
  })

  it('loads the destination’s document when the answer is broken off', async () => {
    const vendor = await stage.arriveAs(VENDOR, PHONE)
    const { page } = vendor
    const { documents } = watch(page)
    await visit(page, '/events')
    await page.route(isDiscovery, (route) => route.fulfill({ status: 200, body: '{"routes/dash' }))
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'My Dashboard' }).click()
    await page.waitForURL((url) => url.pathname === '/dashboard')
    await hydrated(page)
    expect(documents).toEqual(['/events', '/dashboard'])
    await vendor.leave()
  })

  it('sends no form to another route, and keeps its page', async () => {
    const customer = await stage.arriveAs(CUSTOMER, DESKTOP, LET_FAIL)
    const { page } = customer
    await visit(page, '/events')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
    })
    await page.route(isDiscovery, (route) => route.fulfill({ status: 204 }))
    // No public page has a form of a private section yet: the router is told to send one.
    await page.evaluate(() => {
      const { __reactRouterDataRouter: router } = window as unknown as {
        __reactRouterDataRouter: { navigate(to: string, options: object): void }
      }
      const formData = new FormData()
      formData.set('intent', 'read')
      router.navigate('/notifications', { formMethod: 'post', formData })
    })
    await page.getByText('Part of this page couldn’t load, so nothing was sent.').waitFor()
    expect(sent.filter((path) => path.startsWith('/notifications'))).toEqual([])
    expect(await page.getByText(/Something went wrong on our side/).count()).toBe(0)
    await customer.leave()
  })
})
