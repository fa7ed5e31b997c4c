import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { saleJson } from '../../app/features/sales/queries.server.ts'
import { aBusiness } from '../builders.ts'
import { DESKTOP, main, nextEventDate, PHONE, payWith, USUAL_SIZES, visit, WAIT_MS } from './browser.ts'
import { openStage } from './stage.ts'
import { fillListing } from './vendor-forms.ts'

/** A listing that takes bookings per person and per hour has a price for each. */

// Without payouts, a listing that takes no deposit is paid in full however far ahead the event is.
const stage = openStage({ env: { PAYOUTS: 'off' } })
const LISTING = 'The Tide Rooms'
const VENDOR = 'vendor@jubilee.example'

const secondPrice = (page: Page) => main(page).getByLabel('Price per hour')
const total = (page: Page) => main(page).getByRole('complementary', { name: 'Your booking' })

it('a vendor sets prices per person and per hour, and a guest books and pays by the hour', async () => {
  const vendor = await stage.arriveAs(VENDOR, PHONE)
  {
    const { page } = vendor
    await visit(page, '/dashboard/list-business/new')
    await fillListing(page, LISTING)
    await main(page).getByLabel('Price', { exact: true }).fill('84')
    await main(page).getByText('Customers pay $84.00 per person.').waitFor()
    expect(await secondPrice(page).isVisible()).toBe(false)
    await main(page).getByRole('checkbox', { name: 'Per hour' }).check()
    await secondPrice(page).waitFor()

    // Without the second price, nothing is listed and all typed values stay.
    await page.getByRole('button', { name: 'Submit' }).click()
    await main(page).getByText('Please fill in all required fields.').waitFor()
    expect(await secondPrice(page).getAttribute('aria-invalid')).toBe('true')
    expect(await secondPrice(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await main(page).getByLabel('Price', { exact: true }).inputValue()).toBe('84')
    await secondPrice(page).fill('0')
    await main(page).getByText('Enter a price above $0, or take bookings of one kind only.').first().waitFor()
    await secondPrice(page).fill('450')
    await main(page).getByText('Customers pay $84.00 per person, or $450.00 per hour.').waitFor()

    // Each amount keeps its unit when the other becomes the first.
    const first = main(page).getByRole('group', { name: 'The price is' })
    await first.getByText('Per hour', { exact: true }).click()
    await main(page).getByLabel('Price per person').waitFor()
    expect(await main(page).getByLabel('Price', { exact: true }).inputValue()).toBe('450')
    expect(await main(page).getByLabel('Price per person').inputValue()).toBe('84')
    await main(page).getByText('Customers pay $84.00 per person, or $450.00 per hour.').waitFor()
    await first.getByText('Per person', { exact: true }).click()
    await secondPrice(page).waitFor()
    expect(await secondPrice(page).inputValue()).toBe('450')

    // A reload keeps everything typed, the second price too.
    await visit(page, '/dashboard/list-business/new')
    await main(page).getByText('We kept what you typed earlier.').waitFor()
    expect(await secondPrice(page).inputValue()).toBe('450')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Your business is listed.').waitFor()
    await page.waitForURL('**/dashboard/list-business')
    await main(page)
      .getByRole('article', { name: LISTING })
      .getByText('from $84.00 per person · $450.00 per hour')
      .waitFor()
  }
  await vendor.leave()

  const guest = await stage.arrive(DESKTOP)
  const { page } = guest
  await visit(page, '/venues?hours=4')
  const card = main(page).getByRole('article').filter({ hasText: LISTING })
  await card.getByText('$1,800.00 for 4 hours').waitFor()
  await card.getByText('from $84.00 per person · $450.00 per hour').waitFor()
  await card.getByRole('link', { name: LISTING }).click()
  await page.getByRole('heading', { level: 1, name: LISTING }).waitFor()
  await main(page).getByText('Starting Price: $84.00', { exact: true }).waitFor()
  await main(page).getByText('or $450.00 per hour').waitFor()
  await main(page).getByRole('link', { name: 'Book Now' }).first().click()
  await page.getByRole('heading', { level: 1, name: `Book ${LISTING}` }).waitFor()
  await page.getByLabel('Full name').fill('Ida Brandt')
  await page.getByRole('group', { name: 'Your Information' }).getByLabel('Email').fill('ida@example.com')
  await page.getByLabel('Phone').fill('0491 570 156')
  await page.getByLabel('Date').fill(nextEventDate())
  await page.getByLabel('Start time').fill('16:00')
  // The search asked for hours, and the form begins with them.
  await expect(page.getByLabel('Hours', { exact: true }).inputValue()).resolves.toBe('4')
  await main(page).getByText('Per person', { exact: true }).click()
  await page.getByLabel('Number of Attendees').fill('4')
  await total(page).getByText('$336.00', { exact: true }).waitFor()
  await total(page).getByRole('definition').filter({ hasText: '4 people × $84.00' }).waitFor()
  // From here on, the same number counts hours, at the hourly price.
  await main(page).getByText('Per hour', { exact: true }).click()
  await total(page).getByText('$1,800.00', { exact: true }).waitFor()
  await total(page).getByRole('definition').filter({ hasText: '4 hours × $450.00' }).waitFor()
  await page.getByLabel('Hours', { exact: true }).fill('5')
  await total(page).getByText('$2,250.00', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Proceed to Payment' }).click()
  await page.getByRole('button', { name: 'Pay $2,250.00' }).waitFor()
  await payWith(page, '4242 4242 4242 4242')
  await page.waitForURL(/\/success/)
  await main(page).getByText('$2,250.00').first().waitFor()
  await main(page).getByText('5 hours').first().waitFor()
  await guest.leave()

  const booking = await stage.server.services.db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select([
      'bookings.quantity',
      'bookings.booking_type',
      'bookings.total_price_cents',
      saleJson().as('sale'),
    ])
    .where('email', '=', 'ida@example.com')
    .executeTakeFirstOrThrow()
  expect(booking).toMatchObject({
    quantity: 5,
    booking_type: 'perHour',
    sale: { unitPriceCents: 45_000, bookingType: 'perHour' },
  })
  expect(Number(booking.total_price_cents)).toBe(225_000)
})

it('a listing without a second price takes only its first unit, and its form says what to add', async () => {
  const { services } = stage.server
  const { id: user_id } = await services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', VENDOR)
    .executeTakeFirstOrThrow()
  await aBusiness(services.db, {
    id: 'once-one-price',
    user_id,
    name: 'Once One Price',
    second_price_cents: null,
    second_price_unit: null,
  })
  const vendor = await stage.arriveAs(VENDOR, PHONE)
  const { page } = vendor
  await visit(page, '/book/once-one-price')
  await page.getByLabel('Number of Attendees').waitFor()
  expect(await page.getByRole('radio', { name: 'Per hour' }).count()).toBe(0)

  await visit(page, '/dashboard/list-business')
  await main(page).getByRole('link', { name: 'Add a price per hour to take bookings by the hour.' }).click()
  await page.getByRole('heading', { level: 1, name: 'Edit Business' }).waitFor()
  const told = main(page).getByText('Add a price per hour to take bookings by the hour.')
  await told.waitFor()
  expect(await main(page).getByRole('checkbox', { name: 'Per person' }).isChecked()).toBe(true)
  expect(await main(page).getByRole('checkbox', { name: 'Per hour' }).isChecked()).toBe(false)
  await main(page).getByRole('checkbox', { name: 'Per hour' }).check()
  await told.waitFor({ state: 'detached' })
  await secondPrice(page).fill('210.50')
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByText('Your changes are saved.').waitFor()
  await page.waitForURL('**/dashboard/list-business')
  await visit(page, '/book/once-one-price')
  await page.getByText('$45.50 per person or $210.50 per hour').waitFor()
  await vendor.leave()
})

describe.each(USUAL_SIZES)('without JavaScript at $width px', (viewport) => {
  it('the form asks for the second price beside its field, and nothing typed is lost', async () => {
    const context = await stage.browser.newContext({
      baseURL: stage.server.origin,
      viewport,
      locale: 'en-AU',
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_MS)
    await page.goto('/login')
    await main(page).getByLabel('Email', { exact: true }).fill(VENDOR)
    await main(page).getByLabel('Password', { exact: true }).fill('celebrate')
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await page.waitForURL(`${stage.server.origin}/`)

    const name = `Plain Rooms ${viewport.width}`
    await page.goto('/dashboard/list-business/new')
    await main(page).getByLabel('Name', { exact: true }).fill(name)
    await main(page).getByLabel('Category').selectOption('Catering')
    await main(page).getByLabel('Description').fill('A kitchen by the water.')
    await main(page).getByLabel('Services offered').fill('Tables, Heaters')
    await main(page).getByLabel('Location').fill('Geelong, VIC')
    await main(page).getByLabel('Price', { exact: true }).fill('84')
    const second = main(page).getByLabel(/^Price (per hour|of the other booking type)$/)
    expect(await second.isVisible()).toBe(false)
    await main(page).getByRole('checkbox', { name: 'Per person' }).check()
    await main(page).getByRole('checkbox', { name: 'Per hour' }).check()
    expect(await second.isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Submit' }).click()

    await main(page).getByText('Please fill in all required fields.').first().waitFor()
    expect(await second.getAttribute('aria-invalid')).toBe('true')
    await main(page).getByText('Enter a price per hour, or untick ‘Per hour’.').last().waitFor()
    expect(await main(page).getByLabel('Name', { exact: true }).inputValue()).toBe(name)
    expect(await main(page).getByLabel('Category').inputValue()).toBe('Catering')
    expect(await main(page).getByLabel('Price', { exact: true }).inputValue()).toBe('84')
    expect(await main(page).getByRole('checkbox', { name: 'Per hour' }).isChecked()).toBe(true)
    await second.fill('450')
    await page.getByRole('button', { name: 'Submit' }).click()
    await main(page).getByText('Your business is listed.').waitFor()
    await main(page).getByRole('link', { name: 'Back to My Listings' }).click()
    await main(page)
      .getByRole('article', { name })
      .getByText('from $84.00 per person · $450.00 per hour')
      .waitFor()
    await context.close()
  })
})
