import { expect, it } from 'vitest'
import { DESKTOP, PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

it('the footer is slim where people work or pay, also after a visit of other pages, and whole elsewhere', async () => {
  const person = await stage.arriveAs('vendor@jubilee.example', DESKTOP)
  const { page } = person
  const footer = page.getByRole('contentinfo')
  await visit(page, '/dashboard')
  await footer.getByText('© ').waitFor()
  expect(await footer.getByLabel('Email').count()).toBe(0)
  await page.getByRole('banner').getByRole('link', { name: 'Venues & vendors' }).click()
  await footer.getByLabel('Email').waitFor()
  await visit(page, '/book/harbour-light-pavilion')
  expect(await footer.getByLabel('Email').count()).toBe(0)
  expect(await footer.getByRole('link', { name: 'Terms of Service (PDF)' }).count()).toBe(1)
  await person.leave()
})

it('a day’s opening hours stay on one line and within their day from 768 to 1920 px', async () => {
  const person = await stage.arriveAs('vendor@jubilee.example', DESKTOP)
  const { page } = person
  await visit(page, '/dashboard/availability')
  // A second opening has a button to remove it, the widest that a row becomes.
  await page.getByRole('button', { name: 'Add hours on Monday' }).click()
  await page.getByRole('button', { name: /^Remove Monday’s hours 2/ }).waitFor()
  for (const width of [768, 769, 880, 1023, 1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    const collisions = await page.locator('.hours-day').evaluateAll((days) =>
      days.flatMap((day) => {
        const boxes = [...day.querySelectorAll('input[type=time], .hours span, button')].map((part) =>
          part.getBoundingClientRect(),
        )
        const { right: edge } = day.getBoundingClientRect()
        return boxes.flatMap((one, index) => [
          ...(one.right > edge + 1 ? [`part ${index} ends at ${one.right}, its day at ${edge}`] : []),
          ...boxes
            .slice(index + 1)
            .filter(
              (other) =>
                one.left < other.right - 1 &&
                other.left < one.right - 1 &&
                one.top < other.bottom - 1 &&
                other.top < one.bottom - 1,
            )
            .map((other) => `parts overlap at ${other.left}, ${other.top}`),
        ])
      }),
    )
    expect(collisions, `${width} px`).toEqual([])
    const rows = await page.locator('.hours input[name$="opens"]').evaluateAll((inputs) =>
      inputs.map((input) => {
        const row = input.parentElement?.parentElement
        const middles = [...(row?.querySelectorAll('input, span, button') ?? [])].map((each) => {
          const { top, bottom } = each.getBoundingClientRect()
          return (top + bottom) / 2
        })
        return { parts: middles.length, spread: Math.max(...middles) - Math.min(...middles) }
      }),
    )
    expect(rows.length).toBeGreaterThan(6)
    for (const { parts, spread } of rows) {
      expect(parts, `${width} px`).toBeGreaterThan(2)
      expect(spread, `${width} px`).toBeLessThan(12)
    }
  }
  await page.getByRole('button', { name: /^Remove Monday’s hours 2/ }).click()
  await person.leave()
})

it('My Dashboard’s charts have their figures as tables, and the menu and the title name the part of each screen', async () => {
  const person = await stage.arriveAs('vendor@jubilee.example', DESKTOP)
  const { page } = person
  await visit(page, '/dashboard')
  const marked = () => page.locator('.side [aria-current] > span:not(.badge, .unseen)').allTextContents()
  expect(await marked()).toEqual(['My Dashboard'])
  const strips = page.getByRole('img', { name: /^Harbour Light Pavilion: .* (taken|free)/ })
  await strips.waitFor()
  await page.getByText('Show as a table').last().click()
  const table = page.getByRole('table', { name: 'The next 12 weeks, in days' })
  await table.getByRole('columnheader', { name: 'Blocked' }).waitFor()
  await page.setViewportSize(PHONE)
  const { hidden, aligned } = await table.evaluate((element) => ({
    hidden: element.scrollWidth - (element.parentElement?.clientWidth ?? 0),
    aligned: getComputedStyle(element.querySelectorAll('tbody tr:first-child > *')[1] ?? element).textAlign,
  }))
  expect(hidden, 'the table fits a phone').toBeLessThanOrEqual(0)
  expect(aligned).toBe('start')
  await page.setViewportSize(DESKTOP)
  // Other tests of this server may have listed more for this vendor.
  expect(await table.getByRole('row').filter({ hasText: 'Harbour Light Pavilion' }).count()).toBe(12)
  for (const [path, label] of [
    ['/dashboard/calendar', 'Calendar'],
    ['/dashboard/availability', 'Availability'],
    ['/dashboard/inbox', 'Inbox'],
    ['/dashboard/bookings', 'Bookings'],
    ['/dashboard/list-business/new', 'My Listings'],
  ] as const) {
    await visit(page, path)
    expect(await marked(), path).toEqual([label])
    expect(await page.title(), path).toMatch(/\S \| Jubilee$/)
  }
  await person.leave()
})
