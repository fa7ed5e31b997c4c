import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCalendarReader } from '../../app/adapters/calendars/http.server.ts'
import { tellDeclines } from '../../app/features/bookings/decisions/decline-commands.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { addDays, formatDay } from '../../app/shared/dates.ts'
import { HOUR_MS } from '../../app/shared/time-units.ts'
import { aBookingForm, aBusiness } from '../builders.ts'
import { DESKTOP, main, nextEventDate, OUTSIDE_PAGE, PHONE, visit } from './browser.ts'
import { bookAndPay } from './paid-booking.ts'
import { openStage } from './stage.ts'

const NAME = 'The Walled Garden'

/** A venue of the demo vendor, for one test: one event of seven hours at a time, from 8 am to 2 am, in Melbourne. */
let venue = ''
let calendarPath = ''
let availabilityPath = ''

const stage = openStage()
/** The content of the vendor's outside calendar. */
let outsideText = ''
const elsewhere = createServer((_, response) => response.end(outsideText))
let outsideAddress: string

beforeAll(async () => {
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  outsideAddress = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/private/basic.ics`
  // By default, the product refuses to connect to this machine.
  stage.server.services.calendars = createCalendarReader({
    userAgent: 'Jubilee',
    ownUidSuffix: '@localhost',
    isAllowedAddress: (address) => address === '127.0.0.1',
    isAllowedPort: () => true,
  })
})
beforeEach(async () => {
  const { db } = stage.server.services
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'vendor@jubilee.example')
    .executeTakeFirstOrThrow()
  venue = (await aBusiness(db, { user_id: owner.id, place_id: 'melbourne-vic' })).id
  // Without stored settings, a venue's defaults apply.
  await db.deleteFrom('availability_settings').where('business_id', '=', venue).execute()
  calendarPath = `/dashboard/calendar?business=${venue}`
  availabilityPath = `/dashboard/availability?business=${venue}`
})
afterEach(async () => {
  await stage.server.services.db
    .updateTable('businesses')
    .set({ deleted_at: new Date() })
    .where('id', '=', venue)
    .execute()
})
afterAll(() => elsewhere.close())

/** The screens of every day, in the dashboard's menu. */
const menu = (page: Page) => page.getByRole('navigation', { name: 'Every day' })
const monthOf = (date: string) => `${calendarPath}&month=${date.slice(0, 7)}`
const day = (page: Page, date: string, what = '') =>
  main(page).getByRole('button', { name: `${formatDay(date)}${what}` })
const toast = (page: Page, text: string) => page.getByRole('region', { name: 'Notices' }).getByText(text)

async function vendor(size = DESKTOP, expected: RegExp[] = []) {
  const person = await stage.arriveAs('vendor@jubilee.example', size, expected)
  return person
}

/** A guest books for one person at 4 pm, and pays. */
async function bookAsGuest(fullName: string, date: string): Promise<void> {
  await bookAndPay(stage.server.services, {
    businessId: venue,
    amountCents: 4_550,
    booking: aBookingForm({ fullName, date, quantity: 1 }),
  })
}

/** Ends the grace of a decline, and keeps its refund from leaving, so that the decline can still be taken back. */
async function isTold(customerName: string): Promise<void> {
  const { services } = stage.server
  const { payment_row_id: paymentId } = await services.db
    .updateTable('bookings')
    .set({ tells_at: services.now() })
    .where('customer_name', '=', customerName)
    .where('tells_at', 'is not', null)
    .returning('payment_row_id')
    .executeTakeFirstOrThrow()
  await tellDeclines(bookingDeps(services))
  await services.db
    .updateTable('payment_actions')
    .set({ due_at: new Date(services.now().getTime() + HOUR_MS) })
    .where('payment_id', '=', paymentId)
    .where('state', '=', 'due')
    .execute()
}

/** The state of a day in the booking form's calendar. */
async function stateOf(page: Page, date: string): Promise<string> {
  const answer = await page.request.get(
    `/api/availability/${venue}?month=${date.slice(0, 7)}&type=perPerson&quantity=10`,
    OUTSIDE_PAGE,
  )
  return (await answer.json()).days[date]
}

/** Opens the fold with the numbers. Each save folds it again. */
const unfoldNumbers = (page: Page) => main(page).getByText('Guests, set-up, notice and more').click()

it('a vendor sets their availability, and the booking form follows it', async () => {
  const { page, leave } = await vendor(PHONE)
  await visit(page, '/dashboard/list-business')
  await page.getByRole('link', { name: `Availability of ${NAME}` }).click()
  await page.getByRole('heading', { level: 1, name: 'Availability' }).waitFor()
  await main(page).getByText('Melbourne time').waitFor()
  const tuesday = firstOf(2, nextEventDate())
  expect(await stateOf(page, tuesday)).toBe('free')

  // An error appears at its field, and nothing typed is lost.
  await main(page).getByLabel('Tuesday', { exact: true }).uncheck()
  await unfoldNumbers(page)
  await main(page).getByLabel('Bookings at once').fill('0')
  await main(page).getByLabel('Wednesday closes').fill('22:00')
  await main(page).getByRole('button', { name: 'Save', exact: true }).click()
  await main(page).getByText('Enter a whole number from 1 to 50.', { exact: true }).waitFor()
  expect(await main(page).getByLabel('Wednesday closes').inputValue()).toBe('22:00')
  await main(page).getByLabel('Bookings at once').fill('1')
  await main(page).getByRole('button', { name: 'Copy Wednesday’s hours to other days' }).click()
  const copy = page.getByRole('dialog', { name: 'Copy Wednesday’s hours to' })
  for (const name of ['Monday', 'Tuesday', 'Friday', 'Saturday', 'Sunday'])
    await copy.getByLabel(name).uncheck()
  await copy.getByRole('button', { name: 'Copy', exact: true }).click()
  expect(await main(page).getByLabel('Thursday closes').inputValue()).toBe('22:00')
  await main(page).getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'Your availability is saved.').waitFor()

  await visit(page, availabilityPath)
  expect(await main(page).getByLabel('Tuesday', { exact: true }).isChecked()).toBe(false)
  expect(await main(page).getByLabel('Thursday closes').inputValue()).toBe('22:00')
  expect(await stateOf(page, tuesday)).toBe('closed')

  // A day with other hours than its weekday's.
  await main(page).getByRole('button', { name: 'Add days off or other hours' }).click()
  const other = page.getByRole('dialog', { name: 'Days off or other hours' })
  await other.getByLabel('First day').fill(tuesday)
  await other.getByText('Open', { exact: true }).click()
  await other.getByRole('button', { name: 'Save these days' }).click()
  await toast(page, 'These days are saved.').waitFor()
  await main(page).getByText(formatDay(tuesday), { exact: true }).waitFor()
  expect(await stateOf(page, tuesday)).toBe('free')

  await main(page).getByRole('button', { name: 'Use the usual settings for venues' }).click()
  expect(await main(page).getByLabel('Thursday closes').inputValue()).toBe('02:00')
  await main(page).getByRole('button', { name: 'Save', exact: true }).click()
  await toast(page, 'Your availability is saved.').waitFor()
  await leave()
})

it('special dates keep the chosen last day when the first is corrected', async () => {
  const { page, leave } = await vendor()
  await visit(page, availabilityPath)
  await main(page).getByRole('button', { name: 'Add days off or other hours' }).click()
  const dialog = page.getByRole('dialog', { name: 'Days off or other hours' })
  const [first, last] = [dialog.getByLabel('First day'), dialog.getByLabel('Last day')]
  // The last day follows the first until it is chosen.
  await first.fill('2027-12-20')
  expect(await last.inputValue()).toBe('2027-12-20')
  await first.fill('2027-12-24')
  expect(await last.inputValue()).toBe('2027-12-24')
  await last.fill('2028-01-04')
  await first.fill('2027-12-23')
  expect(await last.inputValue()).toBe('2028-01-04')
  // It is never before the first, and then follows it again.
  await first.fill('2028-01-10')
  expect(await last.inputValue()).toBe('2028-01-10')
  await first.fill('2028-01-09')
  expect(await last.inputValue()).toBe('2028-01-09')
  await leave()
})

it('the second of two tabs that save is warned of the conflict', async () => {
  const { page, context, leave } = await vendor(DESKTOP, [/ERR_FAILED/, /status of 409/])
  // This tab gets no live updates.
  await page.route('**/api/live*', (route) => route.abort())
  await visit(page, availabilityPath)
  const other = await context.newPage()
  await visit(other, availabilityPath)
  await unfoldNumbers(other)
  await other.getByLabel('Maximum guests').fill('150')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await toast(other, 'Your availability is saved.').waitFor()

  await unfoldNumbers(page)
  await page.getByLabel('Maximum guests').fill('80')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const told = main(page).getByRole('alert')
  await told.getByText('These settings were changed somewhere else').waitFor()
  expect(await page.getByLabel('Maximum guests').inputValue()).toBe('80')
  await told.getByRole('button', { name: 'Save mine instead' }).click()
  await toast(page, 'Your availability is saved.').waitFor()
  // The other tab gets the update and shows it.
  await expect.poll(() => other.getByLabel('Maximum guests').inputValue()).toBe('80')
  await other.close()
  await unfoldNumbers(page)
  await page.getByLabel('Maximum guests').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(async () => {
      const { db } = stage.server.services
      const settings = db.selectFrom('availability_settings').select('max_guests')
      return (await settings.where('business_id', '=', venue).executeTakeFirstOrThrow()).max_guests
    })
    .toBeNull()
  await leave()
})

describe('a vendor blocks time', () => {
  it('by the form, with times, and unblocks it', async () => {
    const date = nextEventDate()
    const { page, leave } = await vendor(PHONE)
    await visit(page, monthOf(date))
    await main(page).getByRole('button', { name: 'Block time' }).click()
    const form = page.getByRole('dialog', { name: 'Block time' })
    await form.getByLabel('Whole days').uncheck()
    await form.getByLabel('From', { exact: true }).fill(date)
    await form.getByLabel('To', { exact: true }).fill(addDays(date, -1))
    await form.getByRole('button', { name: 'Block this time' }).click()
    await form.getByText('The end must be after the start. Choose a later end.').first().waitFor()
    await form.getByLabel('To', { exact: true }).fill(date)
    await form.getByLabel('Note').fill('Wiring')
    await form.getByRole('button', { name: 'Block this time' }).click()
    await toast(page, 'Blocked. Customers can’t book this time.').waitFor()

    // A phone shows the agenda first.
    const item = main(page).getByRole('listitem').filter({ hasText: 'Wiring' }).last()
    await item.getByText('9:00 am to 5:00 pm').waitFor()
    await item.getByRole('button', { name: /^Unblock Wiring/ }).click()
    await main(page)
      .getByText(/^Unblocked: /)
      .waitFor()
    await item.waitFor({ state: 'detached' })
    await main(page).getByRole('button', { name: 'Undo' }).click()
    await item.waitFor()
    await leave()
  })

  it('by dragging over days with a mouse, or selecting them with the keyboard', async () => {
    const date = nextEventDate()
    const first = `${date.slice(0, 7)}-10`
    const { page, leave } = await vendor()
    await visit(page, monthOf(date))
    await dragMouse(page, addDays(first, 2), first)
    const form = page.getByRole('dialog', { name: 'Block time' })
    await form.waitFor()
    expect(await form.getByLabel('First day').inputValue()).toBe(first)
    expect(await form.getByLabel('Last day').inputValue()).toBe(addDays(first, 2))
    await form.getByLabel('Note').fill('Painters')
    await form.getByRole('button', { name: 'Block this time' }).click()
    await toast(page, 'Blocked. Customers can’t book this time.').waitFor()
    for (const days of [0, 1, 2]) await day(page, addDays(first, days), ', 1 blocked').waitFor()
    expect(await stateOf(page, addDays(first, 1))).toBe('full')
    expect(await stateOf(page, addDays(first, 4))).toBe('free')

    const start = addDays(first, 9)
    await day(page, start).press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Enter')
    await form.waitFor()
    expect(await form.getByLabel('First day').inputValue()).toBe(start)
    expect(await form.getByLabel('Last day').inputValue()).toBe(addDays(start, 8))
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })

    // A click opens the day, where the time can be unblocked.
    await day(page, first).click()
    const opened = page.getByRole('dialog', { name: formatDay(first) })
    await opened.getByRole('button', { name: /^Unblock Painters/ }).click()
    await opened.getByText('Nothing on this day.').waitFor()
    await page.keyboard.press('Escape')
    expect(await stateOf(page, addDays(first, 1))).toBe('free')
    await leave()
  })

  it('by a long press on a day and dragging, while a swipe scrolls', async () => {
    const date = nextEventDate()
    const first = `${date.slice(0, 7)}-10`
    const { page, leave } = await vendor(PHONE)
    await visit(page, monthOf(date))
    await main(page).getByText('Month', { exact: true }).click()
    await toMiddle(page, first)
    const touch = await touches(page)

    const top = await page.evaluate(() => window.scrollY)
    const from = await middleOf(page, first)
    await touch('touchStart', from)
    for (let step = 1; step <= 8; step++) await touch('touchMove', { x: from.x, y: from.y - step * 20 })
    await touch('touchEnd')
    // A touch on a page that still scrolls only stops it, so the test waits.
    await atRest(page)
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(top)
    expect(await page.getByRole('dialog').count()).toBe(0)

    await toMiddle(page, first)
    const start = await middleOf(page, first)
    await touch('touchStart', start)
    await main(page).locator('td[aria-selected=true]').waitFor()
    const end = await middleOf(page, addDays(first, 7))
    const before = await page.evaluate(() => window.scrollY)
    for (let step = 1; step <= 4; step++) {
      await touch('touchMove', {
        x: start.x + ((end.x - start.x) * step) / 4,
        y: start.y + ((end.y - start.y) * step) / 4,
      })
    }
    await expect.poll(() => main(page).locator('td[aria-selected=true]').count()).toBe(8)
    expect(await page.evaluate(() => window.scrollY)).toBe(before)
    await touch('touchEnd')
    const form = page.getByRole('dialog', { name: 'Block time' })
    await form.waitFor()
    expect(await form.getByLabel('First day').inputValue()).toBe(first)
    expect(await form.getByLabel('Last day').inputValue()).toBe(addDays(first, 7))
    await leave()
  })
})

it('the calendar shows all listings by default, names each, and blocks the chosen one', async () => {
  const { page, leave } = await vendor(DESKTOP, [/ERR_FAILED/])
  // News of other bookings would load the page again in between.
  await page.route('**/api/live*', (route) => route.abort())
  const date = nextEventDate()
  await bookAsGuest('Odessa Finch', date)
  await visit(page, '/dashboard/calendar')
  expect(new URL(page.url()).searchParams.has('business')).toBe(false)
  await visit(page, `/dashboard/calendar?month=${date.slice(0, 7)}`)
  expect(await main(page).getByLabel('Business').inputValue()).toBe('all')
  // Its accessible name has the listing before its entries, and the bar shows both.
  await day(page, date)
    .and(page.getByRole('button', { name: `${NAME}: 1 waiting` }))
    .waitFor()
  await main(page)
    .locator('.month-bar')
    .filter({ hasText: 'Odessa Finch' })
    .filter({ hasText: NAME })
    .waitFor()
  await day(page, date).click()
  const opened = page.getByRole('dialog', { name: formatDay(date) })
  await opened.getByText('Odessa Finch').waitFor()
  await opened.getByText(NAME, { exact: true }).waitFor()

  await opened.getByRole('button', { name: 'Block time' }).click()
  const blocking = page.getByRole('dialog', { name: 'Block time' })
  await blocking.getByLabel('Note').fill('Repainting')
  await blocking.getByRole('button', { name: 'Block this time' }).click()
  await blocking.getByText('Choose the business to block.').first().waitFor()
  await blocking.getByLabel('Business').selectOption(venue)
  await blocking.getByText('Melbourne time').waitFor()
  await blocking.getByRole('button', { name: 'Block this time' }).click()
  await toast(page, 'Blocked. Customers can’t book this time.').waitFor()
  const { db } = stage.server.services
  expect(
    await db.selectFrom('slots').select('business_id').where('note', '=', 'Repainting').execute(),
  ).toEqual([{ business_id: venue }])

  // One listing has an address of its own, and the menu keeps it.
  await main(page).getByLabel('Business').selectOption(venue)
  await page.waitForURL((url) => url.searchParams.get('business') === venue)
  await menu(page).getByRole('link', { name: 'Availability' }).click()
  await page.waitForURL((url) => url.pathname.endsWith('/availability') && url.search.includes(venue))
  await leave()
})

it('an outside event over a booking is left for the vendor to decide', async () => {
  const date = nextEventDate()
  const { page, leave } = await vendor(DESKTOP, [/status of 422/])
  await visit(page, monthOf(date))
  await day(page, date).waitFor()
  // A booking arrives while the calendar is open.
  await bookAsGuest('Ida Brandt', date)
  await day(page, date, ', 1 waiting for your answer').waitFor()

  await menu(page).getByRole('link', { name: 'Availability' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Family')
  await page.getByLabel('Address in iCal format').fill(outsideAddress)
  outsideText = '<!doctype html><title>Sign in</title>'
  await page.getByRole('button', { name: 'Add calendar' }).click()
  await main(page).getByText('There’s no calendar at this address').first().waitFor()
  expect(await page.getByLabel('Address in iCal format').inputValue()).toBe(outsideAddress)
  outsideText = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', 'BEGIN:VEVENT', 'UID:fete'],
    ...[`DTSTART;VALUE=DATE:${date.replaceAll('-', '')}`, 'SUMMARY:School fete', 'END:VEVENT'],
    ...['END:VCALENDAR', ''],
  ].join('\r\n')
  await page.getByRole('button', { name: 'Add calendar' }).click()
  await toast(page, 'Added, with 1 busy time.').waitFor()
  await main(page).getByText('Last synced just now').waitFor()

  await menu(page).getByRole('link', { name: 'Calendar', exact: true }).click()
  await main(page).getByText('One booking to decide').waitFor()
  await main(page)
    .getByRole('button', { name: /^Ida Brandt, / })
    .click()
  const opened = page.getByRole('dialog', { name: formatDay(date) })
  await opened.getByText('School fete', { exact: true }).waitFor()
  expect(await opened.getByText('To decide', { exact: true }).count()).toBe(2)
  await opened.getByRole('link', { name: 'Decide' }).click()
  await page.waitForURL(/dashboard\/bookings/)
  await page.getByRole('listitem').filter({ hasText: 'Ida Brandt' }).waitFor()

  // An event that no longer blocks time in the outside calendar disappears here.
  outsideText = outsideText.replace('SUMMARY', 'TRANSP:TRANSPARENT\r\nSUMMARY')
  await menu(page).getByRole('link', { name: 'Availability' }).click()
  await page.getByRole('button', { name: 'Sync Family now' }).click()
  await toast(page, 'Synced.').waitFor()
  await menu(page).getByRole('link', { name: 'Calendar', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
  await visit(page, monthOf(date))
  await day(page, date, ', 1 waiting for your answer').waitFor()
  expect(await main(page).getByText('One booking to decide').count()).toBe(0)

  await visit(page, availabilityPath)
  await page.getByRole('button', { name: 'Remove Family' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove calendar' }).click()
  await toast(page, 'The calendar is removed.').waitFor()
  await leave()
})

it('approving after declining reports that the time is taken, and by whom', async () => {
  const date = nextEventDate()
  await bookAsGuest('Omar Haddad', date)
  const { page, leave } = await vendor(PHONE, [/status of 409/])
  await visit(page, `/dashboard/bookings?business=${venue}`)
  const item = page.getByRole('listitem').filter({ hasText: 'Omar Haddad' })
  await item.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Other' }).click()
  await item.getByText('declined', { exact: true }).waitFor()
  await isTold('Omar Haddad')
  await item.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  await bookAsGuest('Jo Park', date)
  await item.getByRole('button', { name: 'Approve' }).click()
  const told = page.getByRole('alertdialog')
  await told.getByText(/Jo Park/).waitFor()
  await told.getByRole('button', { name: 'OK' }).click()
  await item.getByText('declined', { exact: true }).waitFor()
  await leave()
})

it('a secret calendar address is created, read and revoked', async () => {
  await bookAsGuest('Zoe Marsh', nextEventDate())
  const { page, leave } = await vendor()
  await visit(page, availabilityPath)
  await page.getByRole('button', { name: 'Make a secret address' }).click()
  const address = await page.getByLabel('Your secret address').inputValue()
  const feed = await page.request.get(address, OUTSIDE_PAGE)
  expect(feed.status()).toBe(200)
  expect(await feed.text()).toContain('SUMMARY:Booking')
  expect(await feed.text()).not.toContain('Zoe Marsh')
  await page.getByLabel('Show customers’ names').check()
  await toast(page, 'Names are now shown.').waitFor()
  expect(await (await page.request.get(address, OUTSIDE_PAGE)).text()).toContain('Zoe Marsh')

  // The address is shown only once.
  await visit(page, availabilityPath)
  await page.getByText(/^Made on /).waitFor()
  expect(await page.getByLabel('Your secret address').count()).toBe(0)
  await page.getByRole('button', { name: 'Revoke address' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke address' }).click()
  await page.getByRole('button', { name: 'Make a secret address' }).waitFor()
  expect((await page.request.get(address, OUTSIDE_PAGE)).status()).toBe(404)
  await leave()
})

/** The first such weekday (0 is Sunday) on or after a date. */
function firstOf(weekday: number, date: string): string {
  return addDays(date, (weekday - new Date(date).getUTCDay() + 7) % 7)
}

async function middleOf(page: Page, date: string): Promise<{ x: number; y: number }> {
  const box = await day(page, date).boundingBox()
  if (!box) throw new Error(`${date} is not shown`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Scrolls a day to the middle, away from sticky elements at the edges of the window. */
async function toMiddle(page: Page, date: string): Promise<void> {
  await day(page, date).evaluate((cell) => cell.scrollIntoView({ block: 'center', behavior: 'instant' }))
}

/** Waits for twenty frames without scrolling, since `scrollend` may belong to an earlier scroll. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let last = window.scrollY
    for (let still = 0; still < 20; still++) {
      await new Promise(requestAnimationFrame)
      if (window.scrollY !== last) still = 0
      last = window.scrollY
    }
  })
}

async function dragMouse(page: Page, from: string, to: string): Promise<void> {
  await toMiddle(page, from)
  const start = await middleOf(page, from)
  const end = await middleOf(page, to)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 6 })
  await page.mouse.up()
}

/** Returns a function that sends real touch events, as a touch screen does. */
async function touches(page: Page) {
  const session = await page.context().newCDPSession(page)
  return async (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) => {
    await session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  }
}
