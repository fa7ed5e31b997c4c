import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { LiveTopic } from '../../app/adapters/live-updates/port.ts'
import { aBookingForm } from '../builders.ts'
import { DESKTOP, hydrated, main, nextEventDate, PHONE, USUAL_SIZES, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

/** Screens with live lists while their queries or their connection fail. */

const BUSINESS = 'harbour-light-pavilion'
const VENDOR = 'vendor@jubilee.example'
const CUSTOMER = 'customer@jubilee.example'
const OUT_OF_DATE = 'This page may be out of date: the last update failed.'
const LET_FAIL = [/ERR_FAILED/, /ERR_INTERNET_DISCONNECTED/, /status of 50\d/]

// Jobs, too, would log errors about the missing tables.
const stage = openStage({ env: { LOG_LEVEL: 'silent' } })

const book = (fullName: string) =>
  bookAndPay(stage.server.services, {
    businessId: BUSINESS,
    amountCents: 1_305_000,
    booking: aBookingForm({ fullName, email: CUSTOMER, date: nextEventDate(), quantity: 90 }),
  })

/** Makes every query of a table fail until the returned function is called. */
async function takeAway(table: 'bookings' | 'notifications'): Promise<() => Promise<void>> {
  const { db } = stage.server.services
  await sql`alter table ${sql.table(table)} rename to table_away`.execute(db)
  return async () => {
    await sql`alter table table_away rename to ${sql.table(table)}`.execute(db)
  }
}

/** Publishes a change, so that open pages reload their data. */
async function announce(topic: LiveTopic): Promise<void> {
  const { db, liveUpdates } = stage.server.services
  await db.transaction().execute((tx) => liveUpdates.publish(tx, topic))
}

async function userId(email: string): Promise<string> {
  const { db } = stage.server.services
  return (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
}

const item = (page: Page, name: string) => main(page).getByRole('listitem').filter({ hasText: name })
const heading = (page: Page, name: string) => main(page).getByRole('heading', { level: 1, name })
const failure = (page: Page, text = 'Error loading bookings') =>
  main(page).getByRole('alert').filter({ hasText: text })
const tryAgain = (page: Page) => main(page).getByRole('button', { name: 'Try again' })

/** A link of the dashboard's menu, which a phone has behind More. */
async function menuLink(page: Page, name: string) {
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  const more = menu.getByText('More', { exact: true })
  if (await more.isVisible()) await more.click()
  return menu.getByRole('link', { name })
}

/** Opens a page, waits for its live stream and marks the document. A reload would remove the mark. */
async function openLive(page: Page, path: string, subject = 'bookings'): Promise<void> {
  const stream = page.waitForResponse(`**/api/live?subject=${subject}*`)
  await visit(page, path)
  await stream
  await page.evaluate(() => Object.assign(window, { isStillThisPage: true }))
}
const isStillThisPage = (page: Page) => page.evaluate(() => 'isStillThisPage' in window)

describe.each(USUAL_SIZES)('the bookings of a vendor, at $width px', (size) => {
  it('show a failure inside the frame, and load on Try again', async () => {
    await book('Framed Guest')
    const vendor = await stage.arriveAs(VENDOR, size, LET_FAIL)
    const { page } = vendor
    await visit(page, '/dashboard')
    // A proxy answers in place of the server, so neither the screen nor its frame gets data.
    await page.route('**/dashboard/bookings.data*', (route) => route.fulfill({ status: 500, body: 'Oh no' }))
    await (await menuLink(page, 'Bookings')).click()
    await failure(page).waitFor()
    await heading(page, 'Your Bookings').waitFor()
    await page.unroute('**/dashboard/bookings.data*')
    await page.getByRole('link', { name: /^(My Dashboard|Today)/ }).click()
    await page.waitForURL('**/dashboard')

    const giveBack = await takeAway('bookings')
    try {
      // By client-side navigation.
      await (await menuLink(page, 'Bookings')).click()
      await failure(page).waitFor()
      await heading(page, 'Your Bookings').waitFor()
      expect(await page.title()).toBe('Your Bookings')
      // As a document.
      const answer = await page.goto('/dashboard/bookings?business=none')
      expect(answer?.status()).toBe(503)
      await hydrated(page)
      await failure(page).waitFor()
      await heading(page, 'Your Bookings').waitFor()
      await (await menuLink(page, 'My Listings')).waitFor()
      // The query still fails, so the text and the button appear again.
      const answered = page.waitForResponse('**/dashboard/bookings.data*')
      await tryAgain(page).click()
      await answered
      await failure(page).waitFor()
    } finally {
      await giveBack()
    }
    await tryAgain(page).click()
    await item(page, 'Framed Guest').first().waitFor()
    expect(await failure(page).count()).toBe(0)
    await vendor.leave()
  })

  it.each(['the query fails', 'the server is away', 'the network is away'])(
    'stay visible when a live reload fails because %s, show a notice, and catch up',
    async (why) => {
      await book('Guest Before')
      const vendor = await stage.arriveAs(VENDOR, size, LET_FAIL)
      const { page } = vendor
      await openLive(page, '/dashboard/bookings')
      await item(page, 'Guest Before').first().waitFor()

      let repair = async () => {}
      if (why === 'the query fails') repair = await takeAway('bookings')
      else {
        await page.route('**/dashboard/bookings.data*', (route) =>
          why === 'the server is away'
            ? route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
            : route.abort('internetdisconnected'),
        )
        repair = () => page.unroute('**/dashboard/bookings.data*')
      }
      try {
        await announce(`bookings:${BUSINESS}`)
        await page.getByRole('status').filter({ hasText: OUT_OF_DATE }).waitFor()
        await item(page, 'Guest Before').first().waitFor()
        expect(await failure(page).count()).toBe(0)
        // Trying again still fails.
        const failed = page.waitForEvent('console', {
          predicate: (message) => /could not be reloaded/.test(message.text()),
        })
        await page.getByRole('button', { name: 'Try again' }).click()
        await failed
        await page.getByRole('status').filter({ hasText: OUT_OF_DATE }).waitFor()
      } finally {
        await repair()
      }
      await book('Guest Meanwhile')
      await item(page, 'Guest Meanwhile').first().waitFor()
      await page.getByText(OUT_OF_DATE).waitFor({ state: 'detached' })
      expect(await isStillThisPage(page)).toBe(true)
      await vendor.leave()
    },
  )
})

it('an outdated list reloads once it is online, without a live update or a press', async () => {
  await book('Guest Alone')
  const vendor = await stage.arriveAs(VENDOR, DESKTOP, LET_FAIL)
  const { page } = vendor
  await openLive(page, '/dashboard/bookings')
  await page.route('**/dashboard/bookings.data*', (route) => route.abort('internetdisconnected'))
  await announce(`bookings:${BUSINESS}`)
  await page.getByText(OUT_OF_DATE).waitFor()
  await page.unroute('**/dashboard/bookings.data*')
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await page.getByText(OUT_OF_DATE).waitFor({ state: 'detached' })
  await item(page, 'Guest Alone').first().waitFor()
  await vendor.leave()
})

it('without JavaScript, Try again is a form that keeps the chosen business', async () => {
  const vendor = await stage.arriveAs(VENDOR, PHONE, LET_FAIL)
  const plain = await stage.browser.newContext({
    baseURL: stage.server.origin,
    javaScriptEnabled: false,
    viewport: PHONE,
    storageState: await vendor.context.storageState(),
  })
  const page = await plain.newPage()
  const giveBack = await takeAway('bookings')
  try {
    await page.goto(`/dashboard/bookings?business=${BUSINESS}`)
    await failure(page).waitFor()
  } finally {
    await giveBack()
  }
  await tryAgain(page).click()
  await page.waitForURL(`**/dashboard/bookings?business=${BUSINESS}`)
  await heading(page, 'Your Bookings').waitFor()
  expect(await failure(page).count()).toBe(0)
  await plain.close()
  await vendor.leave()
})

it('the filter of the bookings follows the address that the menu opens', async () => {
  await book('Noor Haddad')
  const { page, leave } = await stage.arriveAs(VENDOR, DESKTOP)
  await visit(page, '/dashboard/bookings')
  const statuses = main(page).getByRole('group', { name: 'Status' })
  const isChosen = (name: string) => statuses.getByRole('radio', { name, exact: true }).isChecked()
  const csv = () => main(page).getByRole('link', { name: 'Download CSV' }).getAttribute('href')
  await statuses.getByText('Declined', { exact: true }).click()
  await page.waitForURL('**/dashboard/bookings?status=declined')
  expect(await csv()).toBe('/dashboard/bookings.csv?status=declined')
  await page.getByRole('navigation').getByRole('link', { name: 'Bookings', exact: true }).first().click()
  await page.waitForURL('**/dashboard/bookings')
  await item(page, 'Noor Haddad').first().waitFor()
  await expect.poll(() => isChosen('All')).toBe(true)
  expect(await csv()).toBe('/dashboard/bookings.csv')
  // Back opens the filtered list again.
  await page.goBack()
  await expect.poll(() => isChosen('Declined')).toBe(true)
  await statuses.getByText('All', { exact: true }).click()
  // Typing is not disturbed by the list that follows it.
  await main(page)
    .getByRole('searchbox', { name: 'Search by name' })
    .pressSequentially('noor h', { delay: 120 })
  await page.waitForURL('**/dashboard/bookings?name=noor+h')
  expect(await main(page).getByRole('searchbox', { name: 'Search by name' }).inputValue()).toBe('noor h')
  await leave()
})

describe('the account’s lists', () => {
  it.each([
    ['/my-bookings', 'My Bookings', 'bookings', 'Error loading bookings'],
    ['/notifications', 'Notifications', 'notifications', 'Error loading notifications'],
  ] as const)('%s keeps its frame and an open list', async (path, title, table, text) => {
    await book('Isla Brennan')
    const customer = await stage.arriveAs(CUSTOMER, DESKTOP, LET_FAIL)
    const { page } = customer
    await openLive(page, path, 'notifications')
    const items = await main(page).getByRole('listitem').count()
    const giveBack = await takeAway(table)
    try {
      await announce(`notifications:${await userId(CUSTOMER)}`)
      await page.getByText(OUT_OF_DATE).waitFor()
      expect(await main(page).getByRole('listitem').count()).toBe(items)
      expect((await page.reload())?.status()).toBe(503)
      await hydrated(page)
      await failure(page, text).waitFor()
      await heading(page, title).waitFor()
      await page
        .getByRole('navigation', { name: 'Account' })
        .getByRole('link', { name: 'My Profile' })
        .waitFor()
    } finally {
      await giveBack()
    }
    await tryAgain(page).click()
    await failure(page, text).waitFor({ state: 'detached' })
    expect(await main(page).getByRole('listitem').count()).toBe(items)
    await customer.leave()
  })
})
