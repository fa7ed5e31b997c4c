import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DESKTOP, gate, header, hydrated, main, OUTSIDE_PAGE, PHONE, signIn, visit } from './browser.ts'
import { openStage } from './stage.ts'

const CUSTOMER = 'customer@jubilee.example'
const VENDOR = 'vendor@jubilee.example'
const FAILED = 'Logging out failed. You are still logged in, so please try again.'

const stage = openStage()

const accountButton = (page: Page) => header(page).getByRole('button', { name: /^Account of/ })
const logInLink = (page: Page) => header(page).getByRole('link', { name: 'Log In' })
const heading = (page: Page, name: string) => main(page).getByRole('heading', { level: 1, name })

async function logOutByHeader(page: Page): Promise<void> {
  await accountButton(page).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
}

async function logOutByDrawer(page: Page): Promise<void> {
  await header(page).getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Logout' }).click()
}

const signedInOn = (page: Page) =>
  page.evaluate(async () => {
    const answer = (await (await fetch('/api/session')).json()) as { user: { email: string } | null }
    return answer.user?.email ?? null
  })

/** Opens another tab of the same browser and waits for its session. A `deaf` tab gets no live updates. */
async function openTab(first: Page, path: string, options: { deaf?: boolean } = {}): Promise<Page> {
  const tab = await first.context().newPage()
  if (options.deaf) {
    await tab.route('**/api/live*', (route) => route.abort())
    await tab.addInitScript(() => {
      Object.defineProperty(BroadcastChannel.prototype, 'onmessage', { set: () => {} })
    })
  }
  const known = tab.waitForResponse('**/api/session')
  await visit(tab, path)
  await known
  return tab
}

describe('signing out with other tabs open', () => {
  it.each([
    ['at /logout', DESKTOP, (page: Page) => visit(page, '/logout')],
    ['in the header', DESKTOP, logOutByHeader],
    ['in the drawer', PHONE, logOutByDrawer],
  ] as const)(
    '%s signs out every tab: guarded screens go to /login, others show Log In',
    async (_where, size, logOut) => {
      const vendor = await stage.arrive(size)
      const { page } = vendor
      await signIn(page, stage.server.origin, VENDOR)
      await visit(page, '/')
      const guarded = await openTab(page, '/dashboard/bookings')
      await heading(guarded, 'Your Bookings').waitFor()
      const account = await openTab(page, '/my-profile')
      await heading(account, 'My Profile').waitFor()
      const shop = await openTab(page, '/events')
      // The phone's header has its account in the drawer.
      if (size === DESKTOP) await accountButton(shop).waitFor()

      await page.bringToFront()
      await logOut(page)
      await page.waitForURL(`${stage.server.origin}/`)
      await guarded.waitForURL(/\/login\?next=%2Fdashboard%2Fbookings$/)
      await account.waitForURL(/\/login\?next=%2Fmy-profile$/)
      if (size === DESKTOP) for (const tab of [page, shop]) await logInLink(tab).waitFor()
      expect(await signedInOn(shop)).toBeNull()

      // 'Back' shows no private screen.
      await account.goBack().catch(() => {})
      await account.reload()
      expect(await heading(account, 'My Profile').count()).toBe(0)
      await vendor.leave()
    },
  )

  it('reaches a tab without a live stream, as on a network that blocks it', async () => {
    const customer = await stage.arrive(DESKTOP, [/ERR_FAILED/])
    const { page } = customer
    await page.route('**/api/live*', (route) => route.abort())
    await signIn(page, stage.server.origin, CUSTOMER)
    const tab = await page.context().newPage()
    await tab.route('**/api/live*', (route) => route.abort())
    await visit(tab, '/events')
    await accountButton(tab).waitFor()
    await visit(page, '/logout')
    await logInLink(tab).waitFor()
    await customer.leave()
  })

  it('reaches a tab by the live stream alone, after a sign-out without JavaScript', async () => {
    const customer = await stage.arrive(DESKTOP)
    const { page } = customer
    await signIn(page, stage.server.origin, CUSTOMER)
    const held = page.waitForResponse('**/api/live*')
    await visit(page, '/my-bookings')
    await heading(page, 'My Bookings').waitFor()
    await held
    // Uses the browser's cookies, but none of the site's scripts.
    const answer = await page.context().request.post(`${stage.server.origin}/logout`, {
      headers: { origin: stage.server.origin },
      maxRedirects: 0,
      ...OUTSIDE_PAGE,
    })
    expect(answer.status()).toBe(302)
    await page.waitForURL(/\/login\?next=%2Fmy-bookings$/)
    await customer.leave()
  })

  it('removes a private screen at once, even if /login loads slowly', async () => {
    const customer = await stage.arrive(DESKTOP)
    const { page } = customer
    await signIn(page, stage.server.origin, CUSTOMER)
    const tab = await openTab(page, '/my-profile')
    await heading(tab, 'My Profile').waitFor()
    const way = gate()
    await tab.route('**/login.data*', async (route) => {
      await way.opened
      await route.continue()
    })
    await visit(page, '/logout')
    await heading(tab, 'My Profile').waitFor({ state: 'detached' })
    await tab.getByText('Loading...').waitFor()
    expect(new URL(tab.url()).pathname).toBe('/my-profile')
    way.open()
    await tab.waitForURL(/\/login\?next=%2Fmy-profile$/)
    await customer.leave()
  })

  it('removes a screen from the back/forward cache that missed the sign-out', async () => {
    const customer = await stage.arrive(DESKTOP, [/ERR_FAILED/])
    const { page } = customer
    await signIn(page, stage.server.origin, CUSTOMER)
    const tab = await openTab(page, '/my-profile', { deaf: true })
    await heading(tab, 'My Profile').waitFor()
    await page.bringToFront()
    await visit(page, '/logout')
    await page.waitForURL(`${stage.server.origin}/`)
    expect(await heading(tab, 'My Profile').count()).toBe(1)
    await tab.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await tab.waitForURL(/\/login\?next=%2Fmy-profile$/)
    await customer.leave()
  })

  it('does not ask about unsaved changes in another tab', async () => {
    const customer = await stage.arrive(DESKTOP)
    const { page } = customer
    await signIn(page, stage.server.origin, CUSTOMER)
    const tab = await openTab(page, '/dashboard/register-business')
    await main(tab).getByLabel('Business name').fill('Nia & Co')
    await visit(page, '/logout')
    await tab.waitForURL(/\/login\?next=/)
    await customer.leave()
  })
})

describe('signing out everywhere', () => {
  it('leads to its confirmation page, even if this tab first learns that its session has ended', async () => {
    const vendor = await stage.arrive(DESKTOP)
    const { page } = vendor
    await signIn(page, stage.server.origin, VENDOR)
    const live = page.waitForResponse('**/api/live*')
    await visit(page, '/settings-privacy')
    await live
    const farewell = gate()
    await page.route('**/account-closed.data*', async (route) => {
      await farewell.opened
      await route.continue()
    })
    await main(page).getByRole('button', { name: 'Log out everywhere' }).click()
    await logInLink(page).waitFor()
    farewell.open()
    await heading(page, 'You are logged out everywhere').waitFor()
    await vendor.leave()
  })
})

describe('a session that ends elsewhere', () => {
  it('closes private screens, whether another device or an operator ended it', async () => {
    const laptop = await stage.arrive(DESKTOP)
    const phone = await stage.arrive(PHONE)
    const screens: [path: string, name: string][] = [
      ['/my-bookings', 'My Bookings'],
      ['/dashboard/bookings', 'Your Bookings'],
    ]
    const endings = [
      async () => {
        await visit(phone.page, '/settings-privacy')
        await main(phone.page).getByRole('button', { name: 'Log out everywhere' }).click()
      },
      async () => {
        const { db, liveUpdates } = stage.server.services
        const { id } = await db
          .updateTable('users')
          .set({ disabled_at: new Date(), disabled_reason: 'a test' })
          .where('email', '=', CUSTOMER)
          .returning('id')
          .executeTakeFirstOrThrow()
        await db.transaction().execute((tx) => liveUpdates.publish(tx, `session:${id}`))
      },
    ]
    for (const [path, name] of screens) {
      await signIn(laptop.page, stage.server.origin, CUSTOMER)
      const live = laptop.page.waitForResponse('**/api/live*')
      await visit(laptop.page, path)
      await heading(laptop.page, name).waitFor()
      await live
      await phone.context.clearCookies()
      await signIn(phone.page, stage.server.origin, CUSTOMER)
      await endings.shift()?.()
      await laptop.page.waitForURL((url) => url.pathname === '/login')
    }
    await laptop.leave()
    await phone.leave()
  })
})

describe('a sign-out that fails', () => {
  /** Makes deleting sessions fail until the returned function is called. */
  async function refuseSignOut(): Promise<() => Promise<void>> {
    const { db } = stage.server.services
    await sql`create function refuse_deletion() returns trigger language plpgsql as
      $$ begin raise exception 'sessions can not be deleted'; end $$`.execute(db)
    await sql`create trigger refuse_deletion before delete on sessions
      for each row execute function refuse_deletion()`.execute(db)
    return async () => {
      await sql`drop trigger refuse_deletion on sessions`.execute(db)
      await sql`drop function refuse_deletion`.execute(db)
    }
  }

  it.each([
    ['in the header', DESKTOP, logOutByHeader],
    ['in the drawer', PHONE, logOutByDrawer],
  ] as const)('%s is reported, and the person stays signed in on the page', async (_where, size, logOut) => {
    const vendor = await stage.arrive(size, [/status of 503/, /ERR_FAILED/])
    const { page } = vendor
    await signIn(page, stage.server.origin, VENDOR)
    await visit(page, '/dashboard/bookings')
    await heading(page, 'Your Bookings').waitFor()
    const allow = await refuseSignOut()
    try {
      await logOut(page)
      await page.getByText(FAILED).waitFor()
    } finally {
      await allow()
    }
    expect(new URL(page.url()).pathname).toBe('/dashboard/bookings')
    await heading(page, 'Your Bookings').waitFor()
    expect(await signedInOn(page)).toBe(VENDOR)
    await page.getByRole('button', { name: 'Dismiss' }).click()

    // The same for a lost connection.
    await page.route('**/logout', (route) => route.abort())
    await logOut(page)
    await page.getByText(FAILED).waitFor()
    expect(await signedInOn(page)).toBe(VENDOR)
    await page.unroute('**/logout')

    await page.reload()
    await hydrated(page)
    await heading(page, 'Your Bookings').waitFor()
    await logOut(page)
    await page.waitForURL(`${stage.server.origin}/`)
    expect(await signedInOn(page)).toBeNull()
    await vendor.leave()
  })

  it('at /logout is reported with an offer to try again', async () => {
    const customer = await stage.arrive(PHONE, [/status of 503/])
    const { page } = customer
    await signIn(page, stage.server.origin, CUSTOMER_WHO_STAYS)
    const allow = await refuseSignOut()
    try {
      await visit(page, '/logout')
      await heading(page, 'You are still logged in').waitFor()
      await main(page)
        .getByRole('alert')
        .filter({ hasText: 'Logging out failed. Check your connection and try again.' })
        .waitFor()
      expect(await signedInOn(page)).toBe(CUSTOMER_WHO_STAYS)
    } finally {
      await allow()
    }
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(`${stage.server.origin}/`)
    expect(await signedInOn(page)).toBeNull()
    await customer.leave()
  })
})

/** The operator, since a test above disables the customer's account. */
const CUSTOMER_WHO_STAYS = 'operator@jubilee.example'
