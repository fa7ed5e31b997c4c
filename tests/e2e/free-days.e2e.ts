import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { addDays, formatDay, formatMonth } from '../../app/shared/dates.ts'
import { aBookingForm } from '../builders.ts'
import { DESKTOP, gate, hydrated, main, nextEventDate, PHONE, visit, WAIT_MS } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { joinStage } from './stage.ts'

/** The free days of a business's page: the answer before 'Book Now'. */

// A venue at $145 per person that takes one event of seven hours a day.
const VENUE = 'harbour-light-pavilion'
// By the hour, at $185.
const HOURLY = 'okafor-and-daughters'

const stage = joinStage()
let eventDate = ''

beforeEach(() => {
  eventDate = nextEventDate()
})

const section = (page: Page) => main(page).getByRole('region', { name: 'Free days and your total' })
const dateField = (page: Page) => section(page).getByLabel('Date')
const day = (page: Page, date: string) =>
  section(page).getByRole('button', { name: new RegExp(`^${formatDay(date)}, `) })
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
const shortDay = (date: string) => formatDay(date).split(' ').slice(1).join(' ')

async function bookOut(date: string): Promise<void> {
  await bookAndPay(stage.server.services, {
    businessId: VENUE,
    amountCents: 14_500,
    booking: aBookingForm({ date, quantity: 1 }),
  })
}

describe.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('the free days of a business, on %s', (_, size) => {
  it('lead from a day and a number to the total, and by keyboard alone to the form with both', async () => {
    const guest = await stage.arrive(size)
    const { page } = guest
    const documents: string[] = []
    page.on('request', (request) => {
      if (/\/business\//.test(request.url())) documents.push(request.url())
    })
    await visit(page, `/business/${VENUE}`)
    await main(page).getByRole('link', { name: 'See free days and your total' }).focus()
    await page.keyboard.press('Enter')
    await section(page).getByRole('grid').waitFor()
    await section(page)
      .getByText(/(days? free|Nothing is free) in/)
      .waitFor()
    // Two months ahead, then the first free day.
    const isInGrid = () => page.evaluate(() => document.activeElement?.closest('table') !== null)
    for (let presses = 0; presses < 6 && !(await isInGrid()); presses++) await page.keyboard.press('Tab')
    await page.keyboard.press('PageDown')
    await page.keyboard.press('PageDown')
    await section(page)
      .getByText(/days? free in/)
      .waitFor()
    await page.keyboard.press('Home')
    const isFree = () => page.evaluate(() => document.activeElement?.getAttribute('data-state') === 'free')
    for (let days = 0; days < 28 && !(await isFree()); days++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => dateField(page).inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/)
    const date = await dateField(page).inputValue()
    await section(page)
      .getByText(`Free on ${shortDay(date)}.`)
      .waitFor()

    const guests = section(page).getByLabel('Guests')
    for (let presses = 0; presses < 12 && !(await isFocused(guests)); presses++)
      await page.keyboard.press('Tab')
    await page.keyboard.type('90')
    await section(page).getByText('$13,050.00').waitFor()
    await main(page)
      .getByText(`$13,050 for 90 guests · free on ${shortDay(date)}`)
      .waitFor()
    expect([parameter(page, 'date'), parameter(page, 'guests')]).toEqual([date, '90'])

    // A reload keeps the choice, which is in the address. The document is the one of all visitors.
    expect(documents).toHaveLength(1)
    await page.reload()
    await expect.poll(() => guests.inputValue()).toBe('90')
    await expect(dateField(page).inputValue()).resolves.toBe(date)
    await day(page, date).waitFor()
    await expect.poll(() => day(page, date).getAttribute('aria-pressed')).toBe('true')

    await guests.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/book\/harbour-light-pavilion\?/)
    await expect.poll(() => main(page).getByLabel('Number of Attendees').inputValue()).toBe('90')
    await expect(main(page).getByLabel('Date').inputValue()).resolves.toBe(date)

    // Typed values stay on the way back and forth; another choice on the business's page replaces the earlier one.
    await main(page).getByLabel('Full name').fill('Grace Holloway')
    await main(page).getByLabel('Number of Attendees').fill('70')
    await page.reload()
    await expect.poll(() => main(page).getByLabel('Number of Attendees').inputValue()).toBe('70')
    await page.goBack()
    await page.waitForURL(/\/business\//)
    await hydrated(page)
    await expect.poll(() => guests.inputValue()).toBe('90')
    await guests.fill('80')
    await section(page).getByText('$11,600.00').waitFor()
    const bookNow = main(page).getByRole('link', { name: 'Book Now' }).first()
    // The panel may take over its part of the page later than the calendar below it.
    await expect.poll(() => bookNow.getAttribute('href')).toContain('quantity=80')
    await bookNow.click()
    await expect.poll(() => main(page).getByLabel('Number of Attendees').inputValue()).toBe('80')
    await expect(main(page).getByLabel('Full name').inputValue()).resolves.toBe('Grace Holloway')
    await guest.leave()
  })

  it('say that a day is taken, and lead to the nearest free one', async () => {
    await bookOut(eventDate)
    const guest = await stage.arrive(size)
    const { page } = guest
    await visit(page, `/business/${VENUE}?date=${eventDate}&guests=10&utm_source=mail`)
    await section(page).scrollIntoViewIfNeeded()
    await section(page)
      .getByText(`Not free on ${shortDay(eventDate)}.`)
      .waitFor()
    await day(page, eventDate).waitFor()
    await expect.poll(() => day(page, eventDate).getAttribute('data-state')).toBe('full')
    await expect(day(page, eventDate).getAttribute('aria-disabled')).resolves.toBe('true')
    const near = section(page).getByRole('button', { name: formatDay(addDays(eventDate, 1)), exact: true })
    await near.click()
    await section(page)
      .getByText(`Free on ${shortDay(addDays(eventDate, 1))}.`)
      .waitFor()
    await expect(dateField(page).inputValue()).resolves.toBe(addDays(eventDate, 1))
    await expect(dateField(page).evaluate((field) => field === document.activeElement)).resolves.toBe(true)
    // The other choices, and the parameters of others, stay in the address.
    expect([parameter(page, 'guests'), parameter(page, 'utm_source')]).toEqual(['10', 'mail'])
    await guest.leave()
  })

  it('notice that the chosen day is taken while the page is open, here and in the form', async () => {
    const guest = await stage.arrive(size)
    const { page } = guest
    await visit(page, `/business/${VENUE}?date=${eventDate}`)
    await section(page)
      .getByText(`Free on ${shortDay(eventDate)}.`)
      .waitFor()
    await section(page).scrollIntoViewIfNeeded()
    await day(page, eventDate).waitFor()

    const form = await stage.arrive(size)
    await visit(form.page, `/book/${VENUE}?date=${eventDate}&time=16:00`)
    await main(form.page)
      .getByText(`${formatDay(eventDate)}, 4:00 pm to 11:00 pm, Melbourne time (7 hours)`)
      .waitFor()
    await bookOut(eventDate)
    await section(page)
      .getByText(`Not free on ${shortDay(eventDate)}.`)
      .waitFor()
    await expect.poll(() => day(page, eventDate).getAttribute('data-state')).toBe('full')
    await main(form.page).getByText('The nearest free times:').waitFor()
    await guest.leave()
    await form.leave()
  })
})

it('the free days of a business by the hour ask for hours, and the form begins with them', async () => {
  const guest = await stage.arrive(DESKTOP)
  const { page } = guest
  await visit(page, `/business/${HOURLY}`)
  await section(page).getByText('Enter your hours to see the total.').waitFor()
  await section(page).getByLabel('Hours').fill('6')
  const total = await section(page).getByText('for 6 hours').textContent()
  expect(total).toMatch(/^\$[\d,]+\.00 for 6 hours/)
  expect(parameter(page, 'hours')).toBe('6')
  // A number that can’t be booked has no total, and stays as it was typed.
  await section(page).getByLabel('Hours').fill('0')
  await section(page).getByText('Enter your hours to see the total.').waitFor()
  await expect(section(page).getByLabel('Hours').inputValue()).resolves.toBe('0')
  await section(page).getByLabel('Hours').fill('6')
  await main(page).getByRole('link', { name: 'Book Now' }).first().click()
  await expect.poll(() => main(page).getByLabel('Hours').inputValue()).toBe('6')
  await guest.leave()
})

it('the calendar keeps its place while it loads, fails and loads again, and the total needs no connection', async () => {
  const guest = await stage.arrive(PHONE, [/ERR_FAILED|Failed to load resource/])
  const { page } = guest
  const held = gate()
  let fails = true
  await page.route('**/api/availability/**', async (route) => {
    await held.opened
    if (fails) await route.abort()
    else await route.continue()
  })
  await visit(page, `/business/${VENUE}`)
  await section(page).scrollIntoViewIfNeeded()
  await section(page).getByText('Loading the calendar...').waitFor()
  const topOfFields = () =>
    dateField(page).evaluate((field) => field.getBoundingClientRect().top + window.scrollY)
  const before = await topOfFields()
  await section(page).getByLabel('Guests').fill('10')
  await section(page).getByText('$1,450.00').waitFor()
  held.open()
  await section(page)
    .getByText('The free times couldn’t be loaded. Check your connection and try again.')
    .waitFor()
  fails = false
  await section(page).getByRole('button', { name: 'Try again' }).click()
  await section(page)
    .getByText(/(days? free|Nothing is free) in/)
    .waitFor()
  expect(await topOfFields()).toBeCloseTo(before, 0)
  await section(page).getByRole('button', { name: 'Next month' }).click()
  await section(page)
    .getByText(/days? free in/)
    .waitFor()
  expect(await topOfFields()).toBeCloseTo(before, 0)
  await guest.leave()
})

it('more guests than the vendor takes have a reason instead of a total, everywhere on the page', async () => {
  const guest = await stage.arrive(DESKTOP)
  const { page } = guest
  await visit(page, `/business/${VENUE}?guests=221`)
  await section(page).scrollIntoViewIfNeeded()
  await section(page).getByText('This vendor takes at most 220 guests.').waitFor()
  await expect(section(page).getByLabel('Guests').getAttribute('aria-invalid')).resolves.toBe('true')
  await expect(main(page).getByText('for 221 guests').count()).resolves.toBe(0)
  await section(page).getByLabel('Guests').fill('220')
  await section(page).getByText('$31,900.00').waitFor()
  await main(page).getByText('$31,900 for 220 guests').waitFor()
  await guest.leave()
})

it('on a phone, the bar at the lower edge shows the total of what was chosen', async () => {
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await visit(page, `/business/${VENUE}`)
  await section(page).getByLabel('Guests').fill('90')
  await main(page)
    .getByRole('heading', { name: 'About' })
    .evaluate((heading) => heading.scrollIntoView({ block: 'start' }))
  await page.locator('.book-bar[data-shown=true]').getByText('$13,050.00').waitFor()
  await page.locator('.book-bar').getByText('for 90 guests').waitFor()
  await guest.leave()
})

describe('what was said in a search', () => {
  it('opens both calendars at the first fitting month, outlines the days, and stays for the next vendor', async () => {
    const months = eventDate.slice(0, 7)
    const guest = await stage.arrive(PHONE)
    const { page } = guest
    await visit(page, `/venues?months=${months}&weekday=Saturday&guests=90&place=Melbourne%2C+VIC`)
    const card = main(page).getByRole('article').first()
    await card.getByRole('link').first().click()
    await page.waitForURL(/\/business\//)
    expect(parameter(page, 'months')).toBe(months)
    expect([parameter(page, 'weekday'), parameter(page, 'guests'), parameter(page, 'place')]).toEqual([
      'Saturday',
      '90',
      'Melbourne',
    ])
    await main(page)
      .getByText(`Your event: Saturdays in ${formatMonth(months)} · 90 guests · Melbourne`)
      .waitFor()
    await section(page).scrollIntoViewIfNeeded()
    await section(page)
      .getByRole('grid', { name: formatMonth(months) })
      .waitFor()
    const fitting = section(page).getByRole('button', { name: /^Saturday .*, free, fits your search$/ })
    await fitting.first().waitFor()
    // The calendar's one tab stop is the first of them.
    await expect(fitting.first().getAttribute('tabindex')).resolves.toBe('0')
    expect(await section(page).locator('.calendar-day[data-fits]').count()).toBe(await fitting.count())

    const bookNow = main(page).getByRole('link', { name: 'Book Now' }).first()
    await expect.poll(() => bookNow.getAttribute('href')).toContain(`months=${months}`)
    await bookNow.click()
    await main(page)
      .getByRole('grid', { name: formatMonth(months) })
      .waitFor()
    await main(page)
      .getByRole('button', { name: /, fits your search$/ })
      .first()
      .waitFor()

    // Another vendor of the visit, by a link that says nothing.
    await visit(page, `/business/${VENUE}`)
    await expect.poll(() => parameter(page, 'months')).toBe(months)
    await main(page).getByText('$13,050 for 90 guests').waitFor()
    await main(page).getByText('from Melbourne').waitFor()
    await main(page).getByRole('button', { name: 'Clear' }).click()
    await main(page).getByText('Your event:').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    await page.reload()
    await hydrated(page)
    await main(page).getByRole('link', { name: 'See free days and your total' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await guest.leave()
  })

  it('says what is paid today, beside the price, on the bar and in the form', async () => {
    const guest = await stage.arrive(PHONE)
    const { page } = guest
    await visit(page, `/business/${VENUE}?date=${eventDate}&guests=110`)
    const rest = shortDay(addDays(eventDate, -30))
    await main(page).getByText(`20% deposit: $3,190.00 today, the rest on ${rest}`).waitFor()
    await main(page).getByText('You pay a 20% deposit when you book.').waitFor()
    await main(page)
      .getByRole('heading', { name: 'About' })
      .evaluate((heading) => heading.scrollIntoView({ block: 'start' }))
    await page.locator('.book-bar[data-shown=true]').getByText('$3,190.00 today').waitFor()
    await page.locator('.book-bar').getByRole('link', { name: 'Book Now' }).click()
    await main(page).getByText(`$3,190.00 today, the rest on ${rest}`).filter({ visible: true }).waitFor()
    await guest.leave()
  })
})

it('the month’s title is a picker', async () => {
  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await visit(page, `/business/${VENUE}`)
  await section(page).scrollIntoViewIfNeeded()
  const month = eventDate.slice(0, 7)
  await section(page).getByLabel('Month', { exact: true }).selectOption(formatMonth(month))
  await section(page)
    .getByRole('grid', { name: formatMonth(month) })
    .waitFor()
  await section(page)
    .getByText(/days? free in/)
    .waitFor()
  await guest.leave()
})

it('the calendar fits a screen of 320 px', async () => {
  const guest = await stage.arrive({ width: 320, height: 640 })
  const { page } = guest
  for (const path of [
    `/business/${VENUE}?date=${eventDate}`,
    `/book/${VENUE}?date=${eventDate}&time=16:00`,
  ]) {
    await visit(page, path)
    // On the business's page, the calendar loads once it comes near the screen.
    await main(page).getByLabel('Date').scrollIntoViewIfNeeded()
    await main(page)
      .getByRole('grid', { name: formatMonth(eventDate.slice(0, 7)) })
      .scrollIntoViewIfNeeded()
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overhang, path).toBeLessThanOrEqual(0)
    const outside = await main(page)
      .getByRole('gridcell')
      .evaluateAll(
        (cells) => cells.filter((cell) => cell.getBoundingClientRect().right > window.innerWidth).length,
      )
    expect(outside, path).toBe(0)
  }
  await guest.leave()
})

it('without JavaScript a plain form leads to the booking form with its fields filled in', async () => {
  const context = await stage.browser.newContext({ baseURL: stage.server.origin, javaScriptEnabled: false })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  await page.goto(`/business/${VENUE}`)
  await expect(page.getByRole('grid').count()).resolves.toBe(0)
  await dateField(page).fill(eventDate)
  await section(page).getByLabel('Guests').fill('90')
  await section(page).getByRole('button', { name: 'Go to the booking form' }).click()
  await page.waitForURL(/\/book\/harbour-light-pavilion\?/)
  await expect(main(page).getByLabel('Date').inputValue()).resolves.toBe(eventDate)
  await expect(main(page).getByLabel('Number of Attendees').inputValue()).resolves.toBe('90')
  await context.close()
})

/** Whether the element has the focus. */
function isFocused(element: ReturnType<Page['getByLabel']>): Promise<boolean> {
  return element.evaluate((field) => field === document.activeElement)
}
