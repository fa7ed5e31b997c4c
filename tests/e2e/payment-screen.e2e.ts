import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  DESKTOP,
  EITHER_SIZE,
  gate,
  main,
  nextEventDate,
  PHONE,
  payWith,
  USUAL_SIZES,
  visit,
} from './browser.ts'
import { openPayment } from './open-payment.ts'
import { joinStage } from './stage.ts'

const OK_CARD = '4242 4242 4242 4242'
const DECLINED_CARD = '4000 0000 0000 0002'

const stage = joinStage()

/** With payouts on, an event this far ahead is booked with the default deposit: 20 % of $1,450.00. */
const DEPOSIT_LABEL = 'Pay $290.00'

const alertWith = (page: Page, text: string) => page.getByRole('alertdialog', { name: text, exact: true })

/** Closes an alert by its button. */
async function readAlert(page: Page, text: string) {
  await alertWith(page, text).getByRole('button', { name: 'OK' }).click()
  await alertWith(page, text).waitFor({ state: 'detached' })
}

/** Fills in the booking form of a business with a price per person, without submitting it. */
async function fillBooking(page: Page, fullName = 'Grace Holloway') {
  await main(page).getByLabel('Full name').fill(fullName)
  await main(page).getByLabel('Email').fill('grace@example.com')
  await main(page).getByLabel('Phone').fill('0491 570 110')
  await main(page).getByLabel('Date').fill(nextEventDate())
  await main(page).getByLabel('Start time').fill('16:00')
  await main(page).getByLabel('Number of Attendees').fill('10')
}

async function goToPayment(page: Page) {
  await visit(page, '/book/harbour-light-pavilion')
  await fillBooking(page)
  await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
  await page.waitForURL(/\/payment$/)
}

describe.each(EITHER_SIZE)('the booking screen at $width px', (size) => {
  it('shows its sections, requires every field, and keeps the total up to date', async () => {
    const guest = await stage.arrive(size)
    const { page } = guest
    await visit(page, '/business/harbour-light-pavilion')
    await main(page).getByRole('link', { name: 'Book Now' }).first().click()
    await main(page).getByRole('heading', { level: 1, name: 'Book Harbour Light Pavilion' }).waitFor()
    await expect(page.title()).resolves.toBe('Book Harbour Light Pavilion')
    await main(page).getByRole('group', { name: 'Your Information' }).waitFor()
    await main(page).getByRole('group', { name: 'Event Details' }).waitFor()
    const quantity = main(page).getByLabel('Number of Attendees')
    await expect(quantity.inputValue()).resolves.toBe('1')
    await main(page).getByText('$145.00').filter({ visible: true }).first().waitFor()
    await quantity.fill('12')
    await main(page).getByText('$1,740.00').filter({ visible: true }).first().waitFor()
    // An invalid quantity has no total, neither in the summary nor beside the button.
    const totals = page.getByText('–', { exact: true }).filter({ visible: true })
    for (const typed of ['', '0', '1.5', '10001']) {
      await quantity.fill(typed)
      await totals.waitFor()
      await expect(
        main(page).getByText('$145.00 per person').filter({ visible: true }).count(),
      ).resolves.toBe(1)
      await quantity.fill('12')
      await totals.waitFor({ state: 'detached' })
    }
    await quantity.fill('0')

    await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
    for (const label of ['Full name', 'Email', 'Phone', 'Date', 'Start time', 'Number of Attendees']) {
      await expect(main(page).getByLabel(label).getAttribute('aria-invalid'), label).resolves.toBe('true')
    }
    await main(page).getByLabel('Email').fill('no address')
    await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
    await main(page).getByText('Enter an email address like name@example.com.').first().waitFor()
    expect(new URL(page.url()).pathname).toBe('/book/harbour-light-pavilion')
    await guest.leave()
  })

  it('counts hours if the price is per hour', async () => {
    const guest = await stage.arrive(size)
    const { page } = guest
    await visit(page, '/book/okafor-and-daughters')
    await expect(main(page).getByLabel('Hours').inputValue()).resolves.toBe('1')
    await expect(main(page).getByLabel('Number of Attendees').count()).resolves.toBe(0)
    await guest.leave()
  })

  it('reports a missing vendor, then goes one page back, or to the listings if there is none', async () => {
    const guest = await stage.arrive(size, [/404 \(Not Found\)/])
    const { page } = guest
    await visit(page, '/events')
    await visit(page, '/book/no-such-business')
    await readAlert(page, 'Vendor not found!')
    await page.waitForURL(/\/events$/)

    await page.addInitScript(() => {
      localStorage.setItem('cart', JSON.stringify([{ id: 'gone', name: 'Gone', price: 5, quantity: 1 }]))
    })
    await visit(page, '/cart')
    await main(page).getByRole('link', { name: 'Book Gone' }).click()
    await readAlert(page, 'Vendor not found!')
    await page.waitForURL(/\/cart$/)

    const direct = await guest.context.newPage()
    await visit(direct, '/book/no-such-business')
    await readAlert(direct, 'Vendor not found!')
    await direct.waitForURL(/\/venues-vendors$/)
    await guest.leave()
  })

  it('reports a vendor that failed to load, if none came with the navigation', async () => {
    const guest = await stage.arrive(size, [/Failed to load resource|TypeError|Unexpected Server/])
    const { page } = guest
    await page.addInitScript(() => {
      const item = { id: 'harbour-light-pavilion', name: 'Harbour Light Pavilion', price: 145, quantity: 1 }
      localStorage.setItem('cart', JSON.stringify([item]))
    })
    await visit(page, '/cart')
    await page.route('**/book/*.data*', (route) => route.abort())
    await main(page).getByRole('link', { name: 'Book Harbour Light Pavilion' }).click()
    await readAlert(page, 'Error fetching vendor!')
    await main(page).getByRole('button', { name: 'Try again' }).waitFor()
    await guest.leave()
  })

  it('stays usable when the vendor from the navigation can’t be loaded again', async () => {
    const guest = await stage.arrive(size, [/Failed to load resource/])
    const { page } = guest
    await visit(page, '/business/harbour-light-pavilion')
    await page.route('**/book/*.data*', (route) => route.abort())
    await main(page).getByRole('link', { name: 'Book Now' }).first().click()
    await main(page).getByRole('heading', { level: 1, name: 'Book Harbour Light Pavilion' }).waitFor()
    await main(page).getByText('We couldn’t check this listing just now.').waitFor()
    await fillBooking(page, 'Ruth Okafor')
    await main(page).getByText('$1,450.00').filter({ visible: true }).first().waitFor()
    await expect(page.getByRole('alertdialog').count()).resolves.toBe(0)
    await main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
    await payWith(page, OK_CARD)
    await page.waitForURL(/\/success/)
    await main(page).getByRole('heading', { level: 1, name: 'Thank you, Ruth' }).waitFor()
    await guest.leave()
  })
})

describe.each(USUAL_SIZES)('the payment screen at $width px', (size) => {
  it('redirects to the home page without a booking, and says why', async () => {
    const guest = await stage.arrive(size)
    const { page } = guest
    await page.goto('/payment')
    await page.waitForURL(`${stage.server.origin}/`)
    await page.getByText('No payment is waiting.').waitFor()
    await guest.leave()
  })

  it('loads, explains why a card was refused, and accepts another', async () => {
    const guest = await stage.arrive(size, [/402/])
    const { page } = guest
    const secret = gate()
    await page.route('**/create-payment-intent', async (route) => {
      expect(route.request().postDataJSON()).toMatchObject({ amount: 145_000 })
      await secret.opened
      await route.continue()
    })
    await goToPayment(page)
    await page.getByText('Loading payment...', { exact: true }).waitFor()
    await expect(page.getByText('Complete Your Payment').count()).resolves.toBe(0)
    secret.open()
    await main(page).getByRole('heading', { level: 1, name: 'Complete Your Payment' }).waitFor()
    const pay = main(page).getByRole('button', { name: DEPOSIT_LABEL, exact: true })
    await pay.waitFor()
    if (size === DESKTOP) {
      // The summary stays beside the button.
      await pay.evaluate((button) => button.scrollIntoView({ block: 'end' }))
      const summary = main(page).getByRole('complementary', { name: 'Your booking' })
      await expect.poll(async () => (await summary.boundingBox())?.y).toBeGreaterThan(0)
    }
    // The start, the end and the time zone.
    await main(page)
      .getByText(/, 4:00 pm to \d+:\d\d [ap]m, \w+ time/)
      .filter({ visible: true })
      .waitFor()

    const card = gate()
    await page.route('**/api/sandbox/confirm', async (route) => {
      await card.opened
      await route.continue()
    })
    await payWith(page, DECLINED_CARD)
    const processing = main(page).getByRole('button', { name: 'Processing...', exact: true })
    await processing.waitFor()
    await expect(processing.isDisabled()).resolves.toBe(true)
    card.open()
    await readAlert(page, 'Your card was declined.')
    await expect(pay.isEnabled()).resolves.toBe(true)

    await payWith(page, OK_CARD)
    await page.waitForURL(/\/success/)
    await main(page).getByRole('heading', { level: 1, name: 'Thank you, Grace' }).waitFor()

    // A reload does not book again.
    const bookings = () => stage.server.services.db.selectFrom('bookings').select('id').execute()
    const stored = (await bookings()).length
    await page.reload()
    await main(page).getByRole('heading', { level: 1, name: 'Thank you, Grace' }).waitFor()
    expect(await bookings()).toHaveLength(stored)
    await main(page)
      .getByRole('link', { name: /calendar/i })
      .waitFor()
    // Back leads to the form, which says that it is booked.
    const booking = await main(page).getByRole('link', { name: 'See your booking' }).getAttribute('href')
    await page.goBack()
    await main(page)
      .getByText(/^You booked this for \w+day \d+ \w+ \d{4}\./)
      .waitFor()
    expect(
      await main(page).getByRole('link', { name: 'See your booking', exact: true }).getAttribute('href'),
    ).toBe(booking)
    await guest.leave()
  })

  it('leads to the success screen if this press is already paid', async () => {
    const guest = await stage.arrive(size, [/409/])
    const { page } = guest
    await openPayment(page, 'Grace Holloway')
    await main(page).getByRole('heading', { name: 'Complete Your Payment' }).waitFor()
    const state = await page.evaluate(() => window.history.state as unknown)
    await payWith(page, OK_CARD)
    await page.waitForURL(/\/success/)
    const paid = page.url()
    // The same navigation state again, as from the back button or a second tab.
    await page.evaluate((kept) => window.history.pushState(kept, '', '/payment'), state)
    await page.reload()
    await page.waitForURL(paid)
    await main(page).getByRole('heading', { level: 1, name: 'Thank you, Grace' }).waitFor()
    await guest.leave()
  })

  it('reports a payment that failed to start, and tries again', async () => {
    const guest = await stage.arrive(size)
    const { page } = guest
    let answers = 0
    await page.route('**/create-payment-intent', async (route) => {
      answers += 1
      // A missing secret is an error, too.
      if (answers === 1) await route.fulfill({ json: {} })
      else await route.continue()
    })
    await openPayment(page, 'Grace Holloway')
    await readAlert(page, 'Failed to initialize payment. Try again.')
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await main(page).getByRole('button', { name: DEPOSIT_LABEL }).waitFor()
    await guest.leave()
  })

  it('reports a booking that was not saved after the charge, and that it is saved once it is', async () => {
    const guest = await stage.arrive(size, [/503|ERR_FAILED/])
    const { page } = guest
    await openPayment(page, 'Grace Holloway')
    await page.route('**/api/payment-report', (route) => route.abort())
    await payWith(page, OK_CARD)
    await readAlert(page, 'Payment successful but booking not saved. Contact support.')
    await page.waitForURL(/\/success/)
    await main(page).getByRole('heading', { level: 1, name: 'Thank you, Grace' }).waitFor()
    const afterAll = main(page).getByText('Your booking is saved after all.')
    await afterAll.waitFor()
    await page.reload()
    await afterAll.waitFor()
    await guest.leave()
  })

  it('never reports a booking as saved after all unless it reported it as not saved', async () => {
    const guest = await stage.arrive(size)
    const { page } = guest
    await openPayment(page, 'Grace Holloway')
    await payWith(page, OK_CARD)
    await page.waitForURL(/\/success/)
    await main(page).getByRole('heading', { level: 1, name: 'Thank you, Grace' }).waitFor()
    await expect(main(page).getByText('after all').count()).resolves.toBe(0)
    await guest.leave()
  })

  it('reports a card form that failed to load, on the console too', async () => {
    const guest = await stage.arrive(size, [/card form couldn’t be loaded|ERR_FAILED/])
    const { page } = guest
    const logged: string[] = []
    page.on('console', (message) => logged.push(message.text()))
    await page.route(/\/assets\/sandbox-card-form-.*\.js/, (route) => route.abort())
    await openPayment(page, 'Grace Holloway')
    await main(page).getByRole('button', { name: 'Try again' }).waitFor()
    expect(logged.join('\n')).toContain('The card form couldn’t be loaded.')
    await guest.leave()
  })
})

describe('a payment that could not be begun', () => {
  const refusal = (status: number, code: string) => ({ status, json: { error: { code, message: 'No.' } } })

  it.each([
    ['without a secret', { json: {} }, 'The payment service isn’t answering at the moment.'],
    ['without a connection', null, 'The connection was lost.'],
    [
      'when the service is unavailable',
      refusal(503, 'provider_unavailable'),
      'The payment service isn’t answering at the moment.',
    ],
    [
      'after too many starts',
      refusal(429, 'rate_limited'),
      'Too many payments were started from your network. Wait a few minutes.',
    ],
    [
      'when the browser holds too many times',
      refusal(429, 'too_many_held_by_browser'),
      'You’re holding 5 unpaid times. Pay for one, or wait a few minutes until one is released.',
    ],
    [
      'when the network holds too many times',
      refusal(429, 'too_many_held_by_address'),
      'Too many unpaid times are held from your network. Wait a few minutes, or use another connection.',
    ],
  ])('shows the reason %s, and can be tried again', async (_when, answer, reason) => {
    const guest = await stage.arrive(PHONE, [/Failed to load resource/])
    const { page } = guest
    let answers = 0
    await page.route('**/create-payment-intent', async (route) => {
      answers += 1
      if (answers > 1) await route.continue()
      else if (answer) await route.fulfill(answer)
      else await route.abort()
    })
    await openPayment(page, 'Grace Holloway')
    await alertWith(page, 'Failed to initialize payment. Try again.')
      .getByText(reason, { exact: true })
      .waitFor()
    await readAlert(page, 'Failed to initialize payment. Try again.')
    await main(page)
      .getByRole('heading', { level: 1, name: 'Failed to initialize payment. Try again.' })
      .waitFor()
    await main(page).getByText(reason).waitFor()
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await main(page).getByRole('button', { name: DEPOSIT_LABEL }).waitFor()
    await guest.leave()
  })

  it('says so if the business no longer takes bookings', async () => {
    const guest = await stage.arrive(PHONE, [/404/])
    const { page } = guest
    await page.route('**/create-payment-intent', (route) => route.fulfill(refusal(404, 'gone')))
    await openPayment(page, 'Grace Holloway')
    const alert = alertWith(page, 'Failed to initialize payment. Try again.')
    await alert.getByText('This business no longer takes bookings.').waitFor()
    await readAlert(page, 'Failed to initialize payment. Try again.')
    await main(page).getByRole('link', { name: 'Back to the booking' }).waitFor()
    await guest.leave()
  })
})

it('/success ignores a result in its address', async () => {
  const stranger = await stage.arrive(PHONE, [/404 \(Not Found\)/])
  const { page } = stranger
  const paid = await stage.server.services.db
    .selectFrom('bookings')
    .select('payment_id')
    .executeTakeFirstOrThrow()
  await visit(page, `/success?payment_intent=${paid.payment_id}&redirect_status=succeeded`)
  await main(page).getByRole('heading', { level: 1, name: 'We can’t find this payment' }).waitFor()
  await stranger.leave()
})
