import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { tellDeclines } from '../../app/features/bookings/decisions/decline-commands.server.ts'
import { bookingLinkToken } from '../../app/features/bookings/rules.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { aBookingForm } from '../builders.ts'
import { main, nextEventDate, OUTSIDE_PAGE, PHONE, payWith, signIn, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'
import { addPictures, aPicture, fillListing, fillRegistration } from './vendor-forms.ts'

const LISTING = 'Nia’s Glasshouse'
const EMAIL = 'nia.glasshouse@example.com'

// Without payouts, a listing that takes no deposit is paid in full however far ahead the event is.
const stage = openStage({ env: { PAYOUTS: 'off' } })

it('a vendor works through a day on a phone, from signing up to logging out', async () => {
  const vendor = await stage.arrive(PHONE)
  const { page } = vendor

  await visit(page, '/signup')
  await page.getByLabel('Your name').fill('Nia Vale')
  await page.getByRole('main').getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill('long enough')
  await page.getByRole('main').getByRole('button', { name: 'Sign Up' }).click()
  await page.waitForURL(`${stage.server.origin}/`)

  await register(page)
  await list(page)

  // A guest finds the listing in its category and books.
  const ida = await bookAsGuest('Ida Brandt')
  const item = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await tab(page, 'Bookings')
  await item('Ida Brandt').waitFor()

  // The next booking arrives while the list is open.
  const omar = await bookAsGuest('Omar Haddad')
  await item('Omar Haddad').waitFor()
  for (const name of ['Ida Brandt', 'Omar Haddad']) {
    await item(name).getByRole('button', { name: 'Approve' }).click()
    await item(name).getByText('approved', { exact: true }).waitFor()
    await item(name).getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })
  }
  await page.getByText('Booking approved').first().waitFor()

  // Before a decline, the screen shows the refund, and afterwards its time.
  await item('Omar Haddad').getByText('More', { exact: true }).click()
  await item('Omar Haddad').getByRole('button', { name: 'Cancel this booking' }).click()
  const question = page.getByRole('dialog', { name: 'Decline Omar Haddad?' })
  await question
    .getByText(
      'Declining refunds the customer in full. We’ll refund $600.00 in 15 minutes, and tell them then.',
    )
    .waitFor()
  await question.getByLabel('Reason').fill('The glasshouse lost its roof in the storm.')
  await question.getByRole('button', { name: 'Other' }).click()
  await page.getByText('Booking declined').waitFor()
  await item('Omar Haddad')
    .getByText(/^Omar Haddad hasn’t been told yet\. We’ll tell them at /)
    .waitFor()
  await item('Omar Haddad')
    .getByRole('button', { name: 'Cancel this booking' })
    .waitFor({ state: 'detached' })

  // The list can be filtered by name.
  await main(page).getByText('Filter: All').click()
  await main(page).getByRole('searchbox', { name: 'Search by name' }).fill('ida')
  await item('Omar Haddad').waitFor({ state: 'detached' })
  await main(page).getByRole('searchbox', { name: 'Search by name' }).fill('')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('bookings.csv')

  // There is one notification for each of the two bookings.
  await openMenu(page)
  await page
    .getByRole('dialog', { name: 'Menu' })
    .getByRole('link', { name: /Notifications/ })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  await page.getByRole('status').filter({ hasText: '2 unread' }).waitFor()
  expect(await page.getByRole('link', { name: `New booking for ${LISTING}` }).count()).toBe(2)
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('status').filter({ hasText: 'All read' }).waitFor()
  await openMenu(page)
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'My Dashboard' }).click()
  await page.getByRole('heading', { level: 1, name: 'My Dashboard' }).waitFor()
  await page.getByText('$600.00').first().waitFor()
  // Guests' views are counted, but not the vendor's own.
  await page.getByText('2 views in the last 30 days').waitFor()

  await edit(page)
  await takeDown(page)

  await openMenu(page)
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(`${stage.server.origin}/`)
  await openMenu(page)
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Log In' }).waitFor()
  await vendor.leave()

  // Both guests get a mail with the decision, the declined one once the grace is over.
  const { services } = stage.server
  await services.db
    .updateTable('bookings')
    .set({ tells_at: services.now() })
    .where('email', '=', omar)
    .where('tells_at', 'is not', null)
    .execute()
  await tellDeclines(bookingDeps(services))
  for (const [guest, subject] of [
    [ida, /^Confirmed: /],
    [omar, /^Declined: /],
  ] as const) {
    await expect
      .poll(async () =>
        (await stage.server.services.outbox?.list(200))?.some(
          (mail) => mail.to === guest && subject.test(mail.subject),
        ),
      )
      .toBe(true)
  }
})

it('a guest books a listing without a plan far ahead, and pays all of it at once', async () => {
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await visit(page, '/book/harbour-light-pavilion')
  await page.getByLabel('Full name').fill('Nora Whitlam')
  const email = page.getByRole('group', { name: 'Your Information' }).getByLabel('Email')
  await email.fill('nora.whitlam@example.com')
  await page.getByLabel('Phone').fill('0491 570 110')
  await page.getByLabel('Number of Attendees').fill('60')
  await page.getByLabel('Date', { exact: true }).fill(nextEventDate())
  await page.getByLabel('Start time').fill('16:00')
  const timeline = page.getByRole('main').getByRole('table', { name: /^Payments and cancelling/ })
  await timeline.getByText('Pay $8,700.00').waitFor()
  const parts = /deposit|same card|saves this card|too far ahead|still due|\$1,740/i
  expect(await page.getByRole('main').innerText()).not.toMatch(parts)
  await page.getByRole('button', { name: 'Proceed to Payment' }).click()
  await page.getByRole('button', { name: 'Pay $8,700.00', exact: true }).waitFor()
  expect(await page.getByRole('main').innerText()).not.toMatch(parts)
  await payWith(page, '4242 4242 4242 4242')
  await page.waitForURL(/\/success/)
  expect(await page.getByRole('main').innerText()).not.toMatch(parts)
  await page.getByRole('link', { name: 'See your booking' }).click()
  await timeline.getByText('$8,700.00 paid').waitFor()
  expect(await page.getByRole('main').innerText()).not.toMatch(parts)
  expect(await page.getByRole('link', { name: /^(Pay now|Change card)$/ }).count()).toBe(0)
  await guest.leave()
})

it('the second of two decisions on a booking is refused, and shows the first', async () => {
  const guest = 'ines.duarte@example.com'
  await bookAndPay(stage.server.services, {
    businessId: 'harbour-light-pavilion',
    amountCents: 435_000,
    booking: aBookingForm({ fullName: 'Ines Duarte', email: guest, date: nextEventDate(), quantity: 30 }),
  })
  const second = await stage.arrive(PHONE, [/ERR_FAILED/, /status of 409/])
  const { page } = second
  // This phone gets no live updates.
  await page.route('**/api/live*', (route) => route.abort())
  await signIn(page, stage.server.origin, 'vendor@jubilee.example')
  await visit(page, '/dashboard/bookings')
  const item = (on: Page) => on.getByRole('listitem').filter({ hasText: 'Ines Duarte' })
  await item(page).getByText('pending', { exact: true }).waitFor()

  const first = await stage.arrive(PHONE)
  await signIn(first.page, stage.server.origin, 'vendor@jubilee.example')
  await visit(first.page, '/dashboard/bookings')
  await item(first.page).getByRole('button', { name: 'Approve' }).click()
  await first.page.getByText('Booking approved').waitFor()
  await first.leave()

  await item(page).getByRole('button', { name: 'Decline' }).click()
  const asked = page.getByRole('dialog', { name: 'Decline Ines Duarte?' })
  await asked.getByRole('button', { name: 'Other' }).click()
  await asked.getByText(/your answer wasn’t saved/).waitFor()
  await asked.getByRole('button', { name: 'Keep the booking' }).click()
  await item(page).getByText('approved', { exact: true }).waitFor()
  const row = await stage.server.services.db
    .selectFrom('bookings')
    .select(['status', 'payment_status'])
    .where('email', '=', guest)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ status: 'approved', payment_status: 'paid' })
  await second.leave()
})

it('a decline in one tap is undone, made again and told once its grace is over', async () => {
  const email = 'lena.okafor@example.com'
  const { services } = stage.server
  const { db } = services
  await bookAndPay(services, {
    businessId: 'harbour-light-pavilion',
    amountCents: 435_000,
    booking: aBookingForm({ fullName: 'Lena Okafor', email, date: nextEventDate(), quantity: 30 }),
  })
  const { id, payment_row_id: paymentId } = await db
    .selectFrom('bookings')
    .select(['id', 'payment_row_id'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const customer = await stage.arrive(PHONE)
  const linkToken = await bookingLinkToken(services.config.secret, paymentId)
  await visit(customer.page, `/bookings/${linkToken}`)
  const { page, leave } = await stage.arriveAs('vendor@jubilee.example', PHONE)
  await visit(page, '/dashboard/bookings')
  const item = page.getByRole('listitem').filter({ hasText: 'Lena Okafor' })
  const declines = async (reason: string) => {
    await item.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('dialog').getByRole('button', { name: reason }).click()
    await item.getByText('declined', { exact: true }).waitFor()
  }
  await declines('Price')
  await item.getByText('Your reason: ‘We can’t do it at this price.’').waitFor()
  await item.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Decline undone. The customer wasn’t told.').waitFor()
  await item.getByText('pending', { exact: true }).waitFor()

  await declines('Already booked')
  await item.getByRole('button', { name: /^Block / }).click()
  await page.getByText('Blocked. Customers can’t book this day.').waitFor()
  await item.getByRole('button', { name: /^Block / }).waitFor({ state: 'detached' })
  // The customer knows of nothing.
  await visit(customer.page, `/bookings/${linkToken}`)
  await customer.page.getByText('pending', { exact: true }).first().waitFor()

  await db.updateTable('bookings').set({ tells_at: services.now() }).where('id', '=', id).execute()
  await tellDeclines(bookingDeps(services))
  await customer.page
    .getByText(/can’t take this booking\. The reason: ‘Already booked at that time\.’/)
    .first()
    .waitFor()
  await item.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  const told = await db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(told).toMatchObject({ status: 'declined', tells_at: null, decline_code: 'already_booked' })
  await leave()
  await customer.leave()
})

async function register(page: Page): Promise<void> {
  await visit(page, '/dashboard/register-business')
  const abn = page.getByLabel('ABN')
  await abn.pressSequentially('51824753557')
  await page.getByText('Invalid ABN', { exact: true }).waitFor()
  await abn.press('Backspace')
  await page.getByText('Invalid ABN', { exact: true }).waitFor({ state: 'detached' })
  await abn.pressSequentially('6')
  await page.getByText('Valid ABN', { exact: true }).waitFor()
  expect(await abn.inputValue()).toBe('51 824 753 556')
  await fillRegistration(page, { name: 'Nia Vale', email: EMAIL })
  await page.getByRole('button', { name: 'Register Business' }).click()
  await page.getByText('Business registered successfully!').waitFor()
  const next = page.getByRole('link', { name: 'Next: list it' })
  await expect(next.getAttribute('href')).resolves.toBe('/dashboard/list-business/new')
}

async function list(page: Page): Promise<void> {
  await tab(page, 'My Listings')
  await page.getByText('No businesses listed yet.').waitFor()
  await page.getByRole('link', { name: '+ List Your Business' }).click()
  await page.getByRole('heading', { level: 1, name: 'List Your Business' }).waitFor()
  await fillListing(page, LISTING)
  await addPictures(page, [await aPicture('front.png', '#2f5d50'), await aPicture('inside.png', '#c96f4a')])
  const pictures = page.getByRole('list', { name: 'Images in order' }).getByRole('listitem')
  expect(await pictures.count()).toBe(2)
  await page.getByRole('button', { name: 'Submit' }).click()
  // A first listing is public once its vendor has accepted the agreement.
  await page.getByRole('button', { name: 'Accept and publish' }).click()
  await page.getByText('Your business is listed.').waitFor()
  // The form closes on its own, and the list is reloaded.
  await page.waitForURL('**/dashboard/list-business')
  await page.getByRole('heading', { level: 2, name: LISTING }).waitFor()
  const seen = await page.getByRole('link', { name: 'See your page' }).getAttribute('href')
  expect(seen).toMatch(/^\/business\/[\w-]+$/)
  // The browser keeps navigation state over a reload, which the server knows nothing of.
  await page.reload()
  await page.getByRole('link', { name: 'See your page' }).waitFor()
}

/** @returns the guest's email */
async function bookAsGuest(name: string): Promise<string> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await visit(page, '/venues')
  await page
    .getByRole('link', { name: new RegExp(LISTING) })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: LISTING }).waitFor()
  await page.getByRole('link', { name: 'Book Now' }).first().click()
  await page.getByLabel('Full name').fill(name)
  await page.getByRole('group', { name: 'Your Information' }).getByLabel('Email').fill(email)
  await page.getByLabel('Phone').fill('0491 570 156')
  await page.getByLabel('Date').fill(nextEventDate())
  await page.getByLabel('Start time').fill('16:00')
  await page.getByLabel('Number of Attendees').fill('30')
  await page.getByRole('button', { name: 'Proceed to Payment' }).click()
  await page.getByRole('button', { name: 'Pay $600.00' }).waitFor()
  await payWith(page, '4242 4242 4242 4242')
  await page.waitForURL(/\/success/)
  await guest.leave()
  return email
}

async function edit(page: Page): Promise<void> {
  await tab(page, 'My Listings')
  await page.getByRole('link', { name: `Edit ${LISTING}` }).click()
  await page.getByRole('heading', { level: 1, name: 'Edit Business' }).waitFor()
  await page.getByLabel('Description').fill('A glasshouse for a hundred, among ferns.')
  await page.getByLabel('Move image 2 forward').click()
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByText('Your changes are saved.').waitFor()
  await page.waitForURL('**/dashboard/list-business')
  await page.getByText('A glasshouse for a hundred, among ferns.').waitFor()
}

/** Takes a listing down. With an open booking it can only be hidden, as the screen says before and after. */
async function takeDown(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Delete ${LISTING}` }).click()
  const question = page.getByRole('alertdialog', { name: 'Hide this business instead?' })
  await question.getByText('It has 2 open bookings').waitFor()
  await question.getByRole('button', { name: 'Hide' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await page.getByText('Hidden', { exact: true }).waitFor()
  const seen = await page.request.get('/venues', OUTSIDE_PAGE)
  expect(await seen.text()).not.toContain(LISTING)
}

function openMenu(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Open menu' }).click()
}

/** A phone's bar has the screens of every day, and the rest of the menu behind its last item. */
async function tab(page: Page, name: string): Promise<void> {
  const bar = page.getByRole('navigation', { name: 'Dashboard' })
  await bar.getByText('More', { exact: true }).click()
  await bar.getByRole('link', { name }).click()
}
