import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatDay, formatMonth, formatTime } from '../../app/shared/dates.ts'
import { DESKTOP, main, nextEventDate, PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

// A venue that takes one event of seven hours a day, from 8 am to 2 am.
const VENUE = 'harbour-light-pavilion'

const stage = joinStage()
let eventDate = ''

beforeEach(() => {
  eventDate = nextEventDate()
})

const dateField = (page: Page) => main(page).getByLabel('Date')
const timeField = (page: Page) => main(page).getByLabel('Start time')
const day = (page: Page, date: string, state = 'free') =>
  main(page).getByRole('button', { name: `${formatDay(date)}, ${state}` })
const proceed = (page: Page) => main(page).getByRole('button', { name: 'Proceed to Payment' }).click()
const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

async function fillYourInformation(page: Page, name = 'Grace Holloway') {
  await main(page).getByLabel('Full name').fill(name)
  await main(page).getByLabel('Email').fill('grace@example.com')
  await main(page).getByLabel('Phone').fill('0491 570 110')
}

/** Goes to the card form, with the time held. */
async function goToPayment(page: Page, date: string) {
  await visit(page, `/book/${VENUE}`)
  await fillYourInformation(page)
  await dateField(page).fill(date)
  await timeField(page).fill('16:00')
  await proceed(page)
  await page.getByRole('timer').waitFor()
}

const countHolds = async () => {
  const { db } = stage.server.services
  const holds = await db.selectFrom('slots').select('id').where('kind', '=', 'hold').execute()
  return holds.length
}

describe('the calendar of the booking form', () => {
  it('works by keyboard alone, from day to time', async () => {
    const guest = await stage.arrive(DESKTOP)
    const { page } = guest
    await visit(page, `/book/${VENUE}`)
    await main(page).getByRole('grid').waitFor()
    await main(page).getByLabel('Phone').focus()
    // Tab passes the two month buttons and the picker between them. The grid is one stop.
    const isInGrid = () => page.evaluate(() => document.activeElement?.closest('table') !== null)
    for (let presses = 0; presses < 12 && !(await isInGrid()); presses++) await page.keyboard.press('Tab')
    const first = (await dateField(page).getAttribute('min')) ?? ''
    await expect.poll(() => focusedName(page)).toContain(formatDay(first))

    const press = async (key: string, expected: Date) => {
      await page.keyboard.press(key)
      const name = formatDay(expected.toISOString().slice(0, 10))
      await expect.poll(() => focusedName(page), { message: key }).toContain(name)
    }
    const at = new Date(first)
    const by = (days: number) => {
      at.setUTCDate(at.getUTCDate() + days)
      return at
    }
    await press('ArrowRight', by(1))
    await press('ArrowDown', by(7))
    await press('ArrowLeft', by(-1))
    await press('End', by((7 - at.getUTCDay()) % 7))
    await press('Home', by(-6))
    // Days before the first can’t be booked, so the focus never goes there.
    await page.keyboard.press('PageUp')
    await expect.poll(() => focusedName(page)).toContain(formatDay(first))
    await page.keyboard.press('Shift+PageDown')
    const inAYear = `${Number(first.slice(0, 4)) + 1}${first.slice(4)}`
    await main(page)
      .getByRole('grid', { name: formatMonth(inAYear.slice(0, 7)) })
      .waitFor()
    await main(page)
      .getByText(/days? free in/)
      .waitFor()
    const name = await focusedName(page)
    expect(name).toMatch(/, free$/)
    await page.keyboard.press('Enter')
    await expect.poll(() => dateField(page).inputValue()).toBe(inAYear)

    // The chosen day is called so, and its times come into view, with the focus.
    await main(page)
      .getByRole('button', { name: `${name}, chosen`, exact: true })
      .waitFor()
    await main(page).getByRole('radio', { name: / – / }).first().waitFor()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.querySelector('legend')?.textContent))
      .toBe(formatDay(inAYear))
    const focusedLabel = () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent ?? '')
    await page.keyboard.press('Tab')
    // The part of the day comes first in which most bookings of the venue start. Other tests may have made some.
    for (let presses = 0; presses < 2 && (await focusedLabel()) !== 'Morning'; presses++)
      await page.keyboard.press('ArrowLeft')
    await expect(focusedLabel()).resolves.toBe('Morning')
    await main(page).getByRole('radio', { name: '8:00 am – 3:00 pm', exact: true }).waitFor()
    await page.keyboard.press('ArrowRight')
    await main(page).getByRole('radio', { name: '12:00 – 7:00 pm', exact: true }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => timeField(page).inputValue()).toBe('13:00')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => timeField(page).inputValue()).toBe('14:00')
    await main(page)
      .getByText(`${formatDay(inAYear)}, 2:00 pm to 9:00 pm, Melbourne time (7 hours)`)
      .waitFor()

    // The fields and the calendar follow each other: a typed half hour becomes one of the choices.
    await timeField(page).fill('17:30')
    await expect.poll(() => main(page).getByRole('radio', { name: 'Evening' }).isChecked()).toBe(true)
    const typed = main(page).getByRole('radio', { name: '5:30 pm – 12:30 am', exact: true })
    await expect.poll(() => typed.isChecked()).toBe(true)
    const shown = main(page).getByRole('group', { name: formatDay(inAYear) })
    await expect(shown.getByRole('radio', { name: / – / }).count()).resolves.toBeLessThanOrEqual(8)
    await guest.leave()
  })

  it('works by touch on a phone, with targets of at least 44 px', async () => {
    const guest = await stage.arrive(PHONE)
    const { page } = guest
    await visit(page, `/book/${VENUE}`)
    await main(page).getByRole('button', { name: 'Next month' }).tap()
    await dateField(page).fill(eventDate)
    // The calendar follows the typed date.
    await main(page)
      .getByRole('grid', { name: formatMonth(eventDate.slice(0, 7)) })
      .waitFor()
    const free = main(page)
      .getByRole('button', { name: /, free$/ })
      .first()
    const name = (await free.getAttribute('aria-label')) ?? ''
    await free.tap()
    const chosen = main(page).getByRole('button', { name: `${name}, chosen`, exact: true })
    // The day's times have come into view, below the calendar.
    const times = main(page).getByRole('group', { name: name.replace(', free', '') })
    await expect
      .poll(() =>
        times.evaluate((group) => group === document.activeElement && group.getBoundingClientRect().top > 0),
      )
      .toBe(true)
    await expect.poll(() => chosen.getAttribute('aria-pressed')).toBe('true')
    await main(page).getByText('Afternoon', { exact: true }).tap()
    const time = main(page).getByText('4:00 – 11:00 pm', { exact: true }).first()
    await time.tap()
    await expect.poll(() => timeField(page).inputValue()).toBe('16:00')
    await main(page)
      .getByText(`${name.replace(', free', '')}, 4:00 pm to 11:00 pm, Melbourne time (7 hours)`)
      .waitFor()
    for (const target of [chosen, time, main(page).getByRole('button', { name: 'Next month' })]) {
      const box = await target.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
    // Nothing overflows sideways.
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overhang).toBeLessThanOrEqual(0)
    await guest.leave()
  })

  it('checks the opening hours against the booked hours', async () => {
    const guest = await stage.arrive(DESKTOP)
    const { page } = guest
    await visit(page, '/book/okafor-and-daughters')
    await dateField(page).fill(eventDate)
    await timeField(page).fill('22:00')
    await main(page)
      .getByText(`${formatDay(eventDate)}, 10:00 pm to 11:00 pm, Melbourne time (1 hour)`)
      .waitFor()
    await main(page).getByRole('radio', { name: '10:00 – 11:00 pm' }).waitFor()
    await main(page).getByLabel('Hours').fill('5')
    const why = 'This vendor isn’t open for the full 5 hours from then. Choose another time.'
    await main(page).getByText(why).first().waitFor()
    await main(page)
      .getByRole('radio', { name: /^10:00 (pm )?–/ })
      .waitFor({ state: 'detached' })
    await guest.leave()
  })

  it('shows that it is loading, then that it failed, and loads again', async () => {
    const guest = await stage.arrive(PHONE, [/ERR_FAILED|Failed to load resource/])
    const { page } = guest
    let answer: 'never' | 'fail' | 'real' = 'never'
    let letGo = () => {}
    await page.route('**/api/availability/**', async (route) => {
      if (answer === 'never') {
        await new Promise<void>((resolve) => {
          letGo = resolve
        })
      }
      if (answer === 'fail') await route.abort()
      else await route.continue()
    })
    await visit(page, `/book/${VENUE}`)
    await main(page).getByText('Loading the calendar...').waitFor()
    answer = 'fail'
    letGo()
    await main(page)
      .getByText('The free times couldn’t be loaded. Check your connection and try again.')
      .waitFor()
    answer = 'real'
    await main(page).getByRole('button', { name: 'Try again' }).click()
    await main(page)
      .getByText(/days? free in/)
      .waitFor()
    await guest.leave()
  })

  it('gives way to the plain fields without JavaScript', async () => {
    const context = await stage.browser.newContext({ baseURL: stage.server.origin, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`/book/${VENUE}`)
    await dateField(page).waitFor()
    await timeField(page).waitFor()
    await expect(page.getByRole('grid').count()).resolves.toBe(0)
    await context.close()
  })
})

describe('a time that is taken', () => {
  it('shows a refusal beside the field while typing, with the three nearest free times', async () => {
    const first = await stage.arrive(DESKTOP)
    await goToPayment(first.page, eventDate)

    const second = await stage.arrive(PHONE)
    const { page } = second
    await visit(page, `/book/${VENUE}`)
    await fillYourInformation(page, 'Noah Fitzgerald')
    await dateField(page).fill(eventDate)
    await day(page, eventDate, 'booked out').waitFor()
    await expect(day(page, eventDate, 'booked out').getAttribute('aria-disabled')).resolves.toBe('true')
    await main(page).getByText('Nothing is free on this day. Choose another one.').waitFor()
    await timeField(page).fill('16:00')
    await main(page).getByText('The nearest free times:').waitFor()
    await expect(timeField(page).getAttribute('aria-invalid')).resolves.toBe('true')
    const description = (await timeField(page).getAttribute('aria-describedby')) ?? ''
    const described = await page
      .locator(
        description
          .split(' ')
          .map((id) => `[id="${id}"]`)
          .join(', '),
      )
      .allTextContents()
    expect(described.join(' ')).toContain('That time is taken. Choose another one.')

    // Pressing the button does not leave the page.
    await proceed(page)
    await expect(timeField(page).evaluate((field) => field === document.activeElement)).resolves.toBe(true)
    expect(new URL(page.url()).pathname).toBe(`/book/${VENUE}`)

    const near = main(page).getByRole('status').getByRole('button')
    await expect(near.count()).resolves.toBe(3)
    const name = await near.first().textContent()
    await near.first().click()
    await expect(near.count()).resolves.toBe(0)
    const [date, time] = [await dateField(page).inputValue(), await timeField(page).inputValue()]
    expect(name).toBe(`${formatDay(date)}, ${formatTime(time)}`)
    await expect.poll(() => timeField(page).getAttribute('aria-invalid')).toBeNull()
    await proceed(page)
    await page.getByRole('timer').waitFor()
    await first.leave()
    await second.leave()
  })

  it('leads back from the payment to its field, and nothing typed is lost', async () => {
    const first = await stage.arrive(PHONE)
    await goToPayment(first.page, eventDate)

    const second = await stage.arrive(DESKTOP, [/409/, /ERR_FAILED|Failed to load resource/])
    const { page } = second
    // This browser can't load the calendar, so it learns of the taken time only from the payment.
    await page.route('**/api/availability/**', (route) => route.abort())
    await visit(page, `/book/${VENUE}`)
    await fillYourInformation(page, 'Noah Fitzgerald')
    await dateField(page).fill(eventDate)
    await timeField(page).fill('16:00')
    await main(page).getByLabel('Number of Attendees').fill('40')
    await proceed(page)

    await main(page).getByText('That time is taken. Choose another one.').first().waitFor()
    expect(new URL(page.url()).pathname).toBe(`/book/${VENUE}`)
    await expect.poll(() => timeField(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await expect(main(page).getByLabel('Full name').inputValue()).resolves.toBe('Noah Fitzgerald')
    await expect(main(page).getByLabel('Number of Attendees').inputValue()).resolves.toBe('40')
    await expect(dateField(page).inputValue()).resolves.toBe(eventDate)
    await main(page).getByRole('status').getByRole('button').nth(2).click()
    await proceed(page)
    await page.getByRole('timer').waitFor()
    await first.leave()
    await second.leave()
  })
})

describe('the time held during a payment', () => {
  it('counts down, is announced rarely, and can be held again once it has expired', async () => {
    const guest = await stage.arrive(PHONE)
    const { page } = guest
    await page.clock.install()
    await goToPayment(page, eventDate)
    const timer = page.getByRole('timer')
    await expect(timer.textContent()).resolves.toMatch(/^1[45]:\d\d$/)
    const said = main(page).getByText(/^This time is held for you for (one more minute|\d+ more minutes)\.$/)
    await expect(said.count()).resolves.toBe(0)
    await page.clock.fastForward('10:00')
    await main(page).getByText('This time is held for you for 5 more minutes.').waitFor()
    await expect(timer.textContent()).resolves.toMatch(/^[45]:\d\d$/)
    await page.clock.fastForward('04:00')
    await main(page).getByText('This time is held for you for one more minute.').waitFor()
    await page.clock.fastForward('01:00')
    const over = main(page).getByRole('heading', { level: 1, name: 'This time is no longer held for you' })
    await over.waitFor()
    await expect.poll(() => over.evaluate((heading) => heading === document.activeElement)).toBe(true)
    await main(page).getByRole('button', { name: 'Hold it again' }).click()
    await timer.waitFor()
    await expect(timer.textContent()).resolves.toMatch(/^1[45]:\d\d$/)
    await guest.leave()
  })

  it('ends by going back, which keeps every field, but not by a reload', async () => {
    // Going forward again, the released payment gets 409, and a new one begins.
    const guest = await stage.arrive(DESKTOP, [/409/])
    const { page } = guest
    const before = await countHolds()
    await goToPayment(page, eventDate)
    expect(await countHolds()).toBe(before + 1)
    await page.reload()
    await page.getByRole('timer').waitFor()
    expect(await countHolds()).toBe(before + 1)

    await main(page).getByRole('link', { name: 'Change the booking' }).click()
    await dateField(page).waitFor()
    await expect.poll(countHolds).toBe(before)
    await expect(dateField(page).inputValue()).resolves.toBe(eventDate)
    await expect(timeField(page).inputValue()).resolves.toBe('16:00')

    await proceed(page)
    await page.getByRole('timer').waitFor()
    expect(await countHolds()).toBe(before + 1)
    await page.goBack()
    await dateField(page).waitFor()
    await expect.poll(countHolds).toBe(before)
    await page.goForward()
    await page.getByRole('timer').waitFor()
    await guest.leave()
  })
})
