import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newId } from '../../app/shared/ids.ts'
import { aBookingForm } from '../builders.ts'
import { DESKTOP, EITHER_SIZE, header, nextEventDate, PHONE, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

const stage = openStage()

const accountButton = (page: Page) => header(page).getByRole('button', { name: /^Account of/ })

/** Replaces a user's notifications with unread ones, as bookings would create them. */
async function notify(email: string, count: number) {
  const { db } = stage.server.services
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('notifications').where('user_id', '=', id).execute()
  for (let number = 1; number <= count; number++) {
    await db
      .insertInto('notifications')
      .values({
        id: newId(),
        user_id: id,
        kind: 'booking_received',
        title: `Booking ${number}`,
        link: '/dashboard/bookings',
        event_key: newId(),
        read_at: null,
      })
      .execute()
  }
}

const MENU = ['My Profile', 'My Dashboard', 'My Bookings', 'Notifications', 'Settings & Privacy', 'Logout']

describe('the header for a signed-out visitor', () => {
  it('shows the logo, search on Enter, the cart count, Log In and Sign Up on a wide screen', async () => {
    const visitor = await stage.arrive(DESKTOP)
    const { page } = visitor
    await visit(page, '/events')
    const bar = header(page)
    await expect(bar.getByRole('link', { name: 'Log In' }).getAttribute('href')).resolves.toBe('/login')
    await expect(bar.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).resolves.toBe('/signup')
    await expect(accountButton(page).count()).resolves.toBe(0)
    await expect(bar.getByRole('button', { name: 'Open menu' }).isVisible()).resolves.toBe(false)

    // Typing alone does not search. Suggestions are tested in tests/e2e/search.
    await bar.getByRole('button', { name: 'Open search' }).click()
    const box = bar.getByPlaceholder('Search...', { exact: true }).filter({ visible: true })
    await box.pressSequentially('woolshed')
    await bar.getByRole('option').first().waitFor()
    expect(page.url()).toMatch(/\/events$/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Open search' }).click()
    await box.fill('lanolin')
    await box.press('Enter')
    await page.waitForURL(/\/venues-vendors\?q=lanolin$/)

    await bar.getByRole('button', { name: 'Open search' }).click()
    await page.getByRole('heading', { level: 1 }).click()
    await bar.getByRole('button', { name: 'Open search' }).waitFor()

    await bar.getByRole('link', { name: 'Cart, 0 vendors' }).waitFor()
    await page.evaluate(() => {
      localStorage.setItem(
        'cart',
        JSON.stringify([
          { id: 'a', quantity: 2 },
          { id: 'b', quantity: 1 },
        ]),
      )
    })
    await page.reload()
    await bar.getByRole('link', { name: 'Cart, 2 vendors' }).click()
    await page.waitForURL(/\/cart$/)

    // The header also links to /dashboard and /payment.
    await expect(
      bar.getByRole('link', { name: 'List your business' }).first().getAttribute('href'),
    ).resolves.toBe('/list-your-business')
    await bar.getByRole('button', { name: 'Categories' }).click()
    await expect(bar.getByRole('link', { name: 'Vendor dashboard' }).getAttribute('href')).resolves.toBe(
      '/dashboard',
    )
    await expect(bar.getByRole('link', { name: 'Finish payment' }).getAttribute('href')).resolves.toBe(
      '/payment',
    )
    await page.keyboard.press('Escape')

    await bar.getByRole('link', { name: 'Jubilee, home' }).click()
    await page.waitForURL(`${stage.server.origin}/`)
    await visitor.leave()
  })

  it('uses the drawer at 768 px but not at 769 px', async () => {
    const visitor = await stage.arrive({ width: 769, height: 900 })
    const { page } = visitor
    await visit(page, '/')
    const menu = header(page).getByRole('button', { name: 'Open menu' })
    await expect(menu.isVisible()).resolves.toBe(false)
    await header(page).getByRole('link', { name: 'Log In' }).waitFor()
    await page.setViewportSize({ width: 768, height: 900 })
    await menu.waitFor()
    await expect(header(page).getByRole('link', { name: 'Log In' }).isVisible()).resolves.toBe(false)
    await menu.click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await drawer.getByRole('link', { name: 'Log In' }).waitFor()
    await drawer.getByRole('link', { name: 'Sign Up' }).waitFor()
    await expect(drawer.getByText('Welcome,').count()).resolves.toBe(0)
    await expect(drawer.getByRole('link', { name: 'List your business' }).getAttribute('href')).resolves.toBe(
      '/list-your-business',
    )
    await expect(drawer.getByRole('link', { name: 'Vendor dashboard' }).getAttribute('href')).resolves.toBe(
      '/dashboard',
    )
    await expect(drawer.getByRole('link', { name: 'Finish payment' }).getAttribute('href')).resolves.toBe(
      '/payment',
    )
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    // A press beside the drawer closes it.
    await menu.click()
    await drawer.waitFor()
    await page.mouse.click(5, 450)
    await drawer.waitFor({ state: 'hidden' })
    await menu.click()
    await drawer.getByRole('link', { name: 'Catering' }).click()
    await page.waitForURL(/\/catering$/)
    await drawer.waitFor({ state: 'hidden' })
    await visitor.leave()
  })
})

describe('the header for a signed-in user', () => {
  it('opens a dropdown of six entries with the unread count, closed by Escape or a press outside', async () => {
    const vendor = await stage.arriveAs('vendor@jubilee.example', DESKTOP)
    const { page } = vendor
    await notify('vendor@jubilee.example', 3)
    await visit(page, '/')
    const button = accountButton(page)
    await button.click()
    const menu = page.getByRole('menu', { name: 'Account' })
    await expect(menu.getByRole('menuitem').allInnerTexts()).resolves.toEqual(
      MENU.map((label) => (label === 'Notifications' ? expect.stringMatching(/^Notifications\s*3/) : label)),
    )
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await button.click()
    await menu.waitFor()
    await page.mouse.click(300, 500)
    await menu.waitFor({ state: 'hidden' })

    for (const [label, path] of [
      ['My Profile', '/my-profile'],
      ['My Dashboard', '/dashboard'],
      ['My Bookings', '/my-bookings'],
      ['Settings & Privacy', '/settings-privacy'],
      ['Notifications 3 unread', '/notifications'],
    ] as const) {
      await button.click()
      await menu.getByRole('menuitem', { name: label, exact: true }).click()
      await page.waitForURL(`${stage.server.origin}${path}`)
      await menu.waitFor({ state: 'hidden' })
    }
    await button.click()
    await menu.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL(`${stage.server.origin}/`)
    await header(page).getByRole('link', { name: 'Log In' }).waitFor()
    await vendor.leave()
  })

  it('counts a new notification in every tab, by one stream of the browser', async () => {
    const vendor = await stage.arriveAs('vendor@jubilee.example', DESKTOP)
    const { page, context } = vendor
    await notify('vendor@jubilee.example', 3)
    const streams: Page[] = []
    context.on('request', (request) => {
      if (request.url().includes('/api/live?subject=notifications')) streams.push(request.frame().page())
    })
    await visit(page, '/')
    await expect.poll(() => streams).toEqual([page])
    const other = await context.newPage()
    await visit(other, '/events')
    // The second waits for its turn to hold the stream.
    const waiting = () =>
      other.evaluate(async () => (await navigator.locks.query()).pending?.map(({ name }) => name))
    await expect.poll(waiting).toEqual(['jubilee-live'])
    await bookAndPay(stage.server.services, {
      businessId: 'harbour-light-pavilion',
      amountCents: 1_305_000,
      booking: aBookingForm({ date: nextEventDate(), quantity: 90 }),
    })
    for (const tab of [page, other])
      await expect
        .poll(async () => {
          await accountButton(tab).click()
          const text = await tab.getByRole('menuitem', { name: /^Notifications/ }).innerText()
          await tab.keyboard.press('Escape')
          return text
        })
        .toMatch(/^Notifications\s*4/)
    expect(streams).toEqual([page])
    // The tab that is left takes over.
    await page.close()
    await expect.poll(() => streams.at(-1) === other).toBe(true)
    await vendor.leave()
  })

  it('shows the logo of the registration whose owner has this email', async () => {
    const { db } = stage.server.services
    const vendor = await stage.arriveAs('vendor@jubilee.example', DESKTOP)
    const { page } = vendor
    await visit(page, '/')
    await accountButton(page).waitFor()
    await expect(accountButton(page).locator('img').count()).resolves.toBe(0)
    await db
      .updateTable('business_registrations')
      .set({ logo_url: '/illustrations/venue-bay-pavilion/harbour-light-pavilion-1' })
      .where('user_id', '=', (q) =>
        q.selectFrom('users').select('id').where('email', '=', 'vendor@jubilee.example'),
      )
      .where('owner_email', '=', 'vendor@jubilee.example')
      .execute()
    await page.reload()
    await accountButton(page)
      .locator('img[src^="/illustrations/venue-bay-pavilion/harbour-light-pavilion-1"]')
      .waitFor()
    await vendor.leave()
  })

  it.each([PHONE, { width: 768, height: 1024 }])('greets by name in the drawer, $width px', async (size) => {
    const customer = await stage.arriveAs('customer@jubilee.example', size)
    const { page } = customer
    await notify('customer@jubilee.example', 2)
    await visit(page, '/')
    await header(page).getByRole('button', { name: 'Open menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await drawer.getByText('Welcome, Isla Brennan', { exact: true }).waitFor()
    const entries = drawer.getByRole('navigation', { name: 'Account' }).getByRole('listitem')
    await entries.first().waitFor()
    await expect(entries.allInnerTexts()).resolves.toEqual(
      MENU.map((label) => (label === 'Notifications' ? expect.stringMatching(/^Notifications\s*2/) : label)),
    )
    await drawer.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL(`${stage.server.origin}/`)
    await header(page).getByRole('button', { name: 'Open menu' }).click()
    await drawer.getByRole('link', { name: 'Log In' }).waitFor()
    await customer.leave()
  })

  it('greets by the part of the email before the @ if there is no display name', async () => {
    const { db } = stage.server.services
    await db.updateTable('users').set({ name: '' }).where('email', '=', 'operator@jubilee.example').execute()
    const operator = await stage.arriveAs('operator@jubilee.example', PHONE)
    await visit(operator.page, '/')
    await header(operator.page).getByRole('button', { name: 'Open menu' }).click()
    await operator.page.getByText('Welcome, operator', { exact: true }).waitFor()
    await operator.leave()
  })
})

describe.each(EITHER_SIZE)('the header while the page scrolls, at $width px', (size) => {
  it('hides after more than 15 px down, and shows on any scroll up and at the top', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/')
    const bar = page.locator('header.site-header')
    const scrollTo = (y: number) =>
      page.evaluate(
        (top) =>
          new Promise<void>((done) => {
            window.addEventListener('scroll', () => requestAnimationFrame(() => done()), { once: true })
            window.scrollTo(0, top)
          }),
        y,
      )
    const hidden = () => bar.getAttribute('data-hidden')
    await scrollTo(15)
    await expect(hidden()).resolves.toBe('false')
    await scrollTo(16)
    await expect.poll(hidden).toBe('true')
    await expect.poll(async () => (await bar.boundingBox())?.y ?? 0).toBeLessThanOrEqual(-50)
    await scrollTo(700)
    await expect(hidden()).resolves.toBe('true')
    await scrollTo(699)
    await expect.poll(hidden).toBe('false')
    await scrollTo(714)
    await expect(hidden()).resolves.toBe('false')
    await scrollTo(715)
    await expect.poll(hidden).toBe('true')
    await scrollTo(0)
    await expect.poll(hidden).toBe('false')
    await visitor.leave()
  })

  it('does not jump when the sign-in state arrives', async () => {
    const customer = await stage.arriveAs('customer@jubilee.example', size)
    const { page } = customer
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/session', async (route) => {
      await asked
      await route.continue()
    })
    await visit(page, '/')
    const places = async () =>
      Promise.all(
        [
          header(page).getByRole('link', { name: /^Cart/ }),
          header(page).getByRole('button', { name: 'Open search' }),
          page.getByRole('heading', { level: 1 }),
        ].map((part) => part.boundingBox()),
      )
    const before = await places()
    answer()
    await page.locator('.site-session[aria-busy=false]').waitFor({ state: 'attached' })
    expect(await places()).toEqual(before)
    await customer.leave()
  })
})
