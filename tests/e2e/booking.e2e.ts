import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { openEmbeddedDatabase } from '../database.ts'
import { findPostgres, startPostgres } from '../postgres.ts'
import { startServer, type TestServer } from '../server.ts'
import { arrive, DESKTOP, logIn, PHONE, payWith, visit } from './browser.ts'
import { laneBrowser } from './stage.ts'

/** A date 26 weeks ahead. */
const eventDate = new Date(Date.now() + 26 * 7 * DAY_MS).toISOString().slice(0, 10)

const postgres = findPostgres()
const databases = [
  { name: 'embedded PGlite', available: true },
  { name: 'PostgreSQL', available: postgres !== null },
]
if (!postgres)
  process.stdout.write('No PostgreSQL server on this machine: its half of the booking test is skipped.\n')

describe.each(databases)('a booking from the home page to the approval, on $name', ({ name, available }) => {
  let browser: Browser
  let server: TestServer
  let stopPostgres = () => {}

  beforeAll(async () => {
    if (!available) return
    browser = await laneBrowser()
    const drawnPictures = inject('drawnPictures')
    if (name === 'PostgreSQL' && postgres) {
      const cluster = await startPostgres(postgres)
      stopPostgres = cluster.stop
      server = await startServer({
        listen: true,
        demo: true,
        drawnPictures,
        env: {
          DATABASE_URL: cluster.url,
          PAYMENTS: 'sandbox',
          MAIL: 'outbox',
          SECRET: 'only-for-this-test-only-for-this-test',
        },
      })
    } else {
      server = await startServer({
        openDatabase: openEmbeddedDatabase,
        listen: true,
        demo: true,
        drawnPictures,
      })
    }
  })

  afterAll(async () => {
    await server?.close()
    stopPostgres()
  })

  it.skipIf(!available)(
    'a guest on a phone books and pays, the vendor approves, and the booking link shows it',
    async () => {
      const vendor = await arrive(browser, server.origin, PHONE)
      await logIn(vendor.page, 'vendor@jubilee.example')
      await visit(vendor.page, '/dashboard/bookings')
      await vendor.page.getByRole('heading', { name: 'Your Bookings' }).waitFor()

      const guest = await arrive(browser, server.origin, PHONE)
      const { page } = guest
      await visit(page, '/')
      await page
        .getByRole('main')
        .getByRole('link', { name: /Venues/ })
        .first()
        .click()
      await page.waitForURL(/\/venues$/)
      await page
        .getByRole('link', { name: /Harbour Light Pavilion/ })
        .first()
        .click()
      await page.getByRole('heading', { level: 1, name: 'Harbour Light Pavilion' }).waitFor()
      await page.getByRole('link', { name: 'Book Now' }).first().click()

      await page.getByRole('heading', { level: 1, name: 'Book Harbour Light Pavilion' }).waitFor()
      await page.getByLabel('Full name').fill('Grace Holloway')
      await page
        .getByRole('group', { name: 'Your Information' })
        .getByLabel('Email')
        .fill('grace.holloway@example.com')
      await page.getByLabel('Phone').fill('0491 570 110')
      await page.getByLabel('Date').fill(eventDate)
      await page.getByLabel('Start time').fill('16:00')
      await page.getByLabel('Number of Attendees').fill('90')
      await page.getByText('$13,050.00').filter({ visible: true }).first().waitFor()
      await page.getByRole('button', { name: 'Proceed to Payment' }).click()

      await page.getByRole('heading', { name: 'Complete Your Payment' }).waitFor()
      await page.getByRole('button', { name: 'Pay $13,050.00' }).waitFor()
      await payWith(page, '4242 4242 4242 4242')
      await page.waitForURL(/\/success/)
      await page.getByRole('heading', { level: 1, name: 'Thank you, Grace' }).waitFor()

      // The vendor's list updates without a reload.
      const item = vendor.page.getByRole('listitem').filter({ hasText: 'Grace Holloway' })
      await item.waitFor()
      await expect(item.textContent()).resolves.toMatch(/ at 4:00 pm.*grace\.holloway@example\.com/is)
      await item.getByRole('button', { name: 'Approve' }).click()
      await vendor.page.getByText('Booking approved').waitFor()
      await item.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })

      // Exactly the specification's fields and the status.
      const rows = await server.services.db.selectFrom('bookings').selectAll().execute()
      expect(rows).toHaveLength(1)
      expect(rows[0]).toMatchObject({
        vendor_id: 'harbour-light-pavilion',
        vendor_name: 'Harbour Light Pavilion',
        customer_name: 'Grace Holloway',
        email: 'grace.holloway@example.com',
        phone: '0491 570 110',
        quantity: 90,
        booking_type: 'perPerson',
        payment_status: 'paid',
        status: 'approved',
      })
      expect(Number(rows[0]?.total_price_cents)).toBe(1_305_000)

      // A guest finds the booking again by the link in the mail.
      const mail = await waitForMail(server, 'grace.holloway@example.com', /^Confirmed/)
      const link = /https?:\/\/\S+\/bookings\/[\w-]+/.exec(mail.text)?.[0]
      await page.goto(link ?? 'the mail has no link')
      await page.getByText('Approved', { exact: false }).first().waitFor()

      await guest.leave()
      await vendor.leave()
    },
  )

  it.skipIf(!available)(
    'a new customer signs up, books from the cart and finds the status under My Bookings',
    async () => {
      const customer = await arrive(browser, server.origin, DESKTOP)
      const { page } = customer
      await visit(page, '/signup')
      await page.getByLabel('Your name').fill('Noah Fitzgerald')
      await page.getByRole('main').getByLabel('Email').fill('noah.fitzgerald@example.com')
      await page.getByLabel('Password', { exact: true }).fill('long enough')
      await page.getByRole('main').getByRole('button', { name: 'Sign Up' }).click()
      await page.waitForURL(`${server.origin}/`)

      await visit(page, '/business/okafor-and-daughters')
      await page.getByRole('button', { name: 'Add to Cart' }).first().click()
      await page.getByText('added to cart!').waitFor()
      await page.getByRole('link', { name: 'Cart, 1 vendor' }).click()
      await page.getByRole('main').getByRole('link', { name: /Book/ }).first().click()

      await page.getByLabel('Phone').fill('0491 570 156')
      await page.getByLabel('Date').fill(eventDate)
      await page.getByLabel('Start time').fill('09:30')
      await page.getByLabel('Hours').fill('6')
      await expect(page.getByLabel('Full name').inputValue()).resolves.toBe('Noah Fitzgerald')
      await page.getByRole('button', { name: 'Proceed to Payment' }).click()
      await payWith(page, '4242 4242 4242 4242')
      await page.waitForURL(/\/success/)
      await page.getByRole('heading', { level: 1, name: 'Thank you, Noah' }).waitFor()

      await visit(page, '/my-bookings')
      const item = page.getByRole('listitem').filter({ hasText: 'Okafor' })
      await item.getByText('Pending', { exact: false }).first().waitFor()

      const vendor = await arrive(browser, server.origin, DESKTOP)
      await logIn(vendor.page, 'vendor@jubilee.example')
      await visit(vendor.page, '/dashboard/bookings')
      const received = vendor.page.getByRole('listitem').filter({ hasText: 'Noah Fitzgerald' })
      await received.getByRole('button', { name: 'Approve' }).click()
      await vendor.page.getByText('Booking approved').waitFor()

      // The customer's list updates without a reload.
      await item.getByText('Approved', { exact: false }).first().waitFor()

      await page.getByRole('button', { name: /Noah/ }).click()
      await page.getByRole('menuitem', { name: 'Logout' }).click()
      await page.getByRole('link', { name: 'Log In' }).first().waitFor()
      await vendor.leave()
      await customer.leave()
    },
  )
})

async function waitForMail(server: TestServer, to: string, subject: RegExp) {
  return expect
    .poll(
      async () =>
        (await server.services.outbox?.list(50))?.find(
          (mail) => mail.to === to && subject.test(mail.subject),
        ),
      {
        timeout: 10_000,
      },
    )
    .toBeTruthy()
    .then(async () => {
      const mail = (await server.services.outbox?.list(50))?.find(
        (one) => one.to === to && subject.test(one.subject),
      )
      if (!mail) throw new Error('The mail disappeared')
      return mail
    })
}
