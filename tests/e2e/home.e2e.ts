import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CATEGORY_PATHS } from '../../app/features/businesses/rules.ts'
import { DESKTOP, EITHER_SIZE, gate, header, main, PHONE, USUAL_SIZES, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

const WIDE = { width: 1920, height: 1080 }
/** Half of a phone's screen. */
const MAX_TOP_PX = 420

const line = (page: Page) => main(page).getByLabel('What, where and when?')
const chips = (page: Page) => main(page).getByRole('list', { name: 'Searching for' })
const textsOf = (page: Page, name: string) =>
  main(page).getByRole('list', { name }).getByRole('listitem').allTextContents()

describe('the first screen', () => {
  it.each(USUAL_SIZES)('shows businesses to book on the home page at $width px', async (size) => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/')
    const first = main(page).getByRole('region', { name: 'Ready to book' }).getByRole('article').first()
    await first.getByText(/^(from )?\$/).waitFor()
    const box = await first.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height)
    await visitor.leave()
  })

  it('shows businesses first on a category’s page at 390 px', async () => {
    const visitor = await stage.arrive(PHONE)
    const { page } = visitor
    for (const path of Object.values(CATEGORY_PATHS)) {
      await visit(page, path)
      const box = await main(page).getByRole('article').first().boundingBox()
      expect(box?.y, path).toBeLessThan(MAX_TOP_PX)
    }
    await visitor.leave()
  })

  it.each(['/', '/venues', '/venues-vendors'])(
    'shows four columns of cards on %s at 1920 px',
    async (path) => {
      const visitor = await stage.arrive(WIDE)
      const { page } = visitor
      await visit(page, path)
      const tops = await main(page)
        .getByRole('article')
        .evaluateAll((cards) => cards.slice(0, 5).map((card) => Math.round(card.getBoundingClientRect().top)))
      expect(new Set(tops.slice(0, 4)).size).toBe(1)
      expect(tops[4]).toBeGreaterThan(tops[0] ?? 0)
      await visitor.leave()
    },
  )
})

describe.each(EITHER_SIZE)('the search line of the home page at $width px', (size) => {
  it('shows what it understood, and searches for exactly the terms that are left', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/')
    await line(page).pressSequentially('dj near geelong, march 2027, 90 guests')
    await expect
      .poll(() => textsOf(page, 'Searching for'))
      .toEqual(['Without Sounds & DJ', 'Without March 2027', 'Without 90 guests', 'Without near Geelong VIC'])
    await chips(page).getByRole('button', { name: 'Without March 2027' }).click()
    await expect.poll(() => line(page).inputValue()).toBe('dj near geelong, 90 guests')
    const left = ['Without Sounds & DJ', 'Without 90 guests', 'Without near Geelong VIC']
    await expect.poll(() => textsOf(page, 'Searching for')).toEqual(left)
    await line(page).press('Enter')
    await page.waitForURL(/\/venues-vendors\?category=Sounds/)
    await expect.poll(() => textsOf(page, 'Your search terms')).toEqual(left)
    // The page shows the terms itself, until the line is changed.
    await line(page).focus()
    await expect(chips(page).count()).resolves.toBe(0)
    await visitor.leave()
  })

  it('works by keys alone, and says aloud what changed', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/')
    await line(page).focus()
    await page.keyboard.type('harbour li')
    const option = main(page).getByRole('option', { name: 'Harbour Light Pavilion' })
    await option.waitFor()
    await page.keyboard.press('ArrowDown')
    await expect
      .poll(() => line(page).getAttribute('aria-activedescendant'))
      .toBe(await option.getAttribute('id'))
    await page.keyboard.press('Escape')
    await option.waitFor({ state: 'hidden' })

    await line(page).fill('')
    await page.keyboard.type('vegan catering melbourne')
    await main(page)
      .getByRole('status')
      .filter({ hasText: 'Searching for vegan, Catering, in Melbourne' })
      .waitFor()
    await chips(page).getByRole('button', { name: 'Without Catering' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => line(page).inputValue()).toBe('vegan melbourne')
    await expect(line(page).and(page.locator(':focus')).count()).resolves.toBe(1)
    await main(page).getByRole('status').filter({ hasText: 'Without Catering' }).waitFor()
    await visitor.leave()
  })

  it('keeps what is typed while a slow answer is on its way, and works without a connection', async () => {
    const visitor = await stage.arrive(size, [/ERR_FAILED/])
    const { page } = visitor
    await visit(page, '/')
    await line(page).pressSequentially('dj melbourne')
    const chip = chips(page).getByRole('button', { name: 'Without Sounds & DJ' })
    await chip.waitFor()
    const answer = gate()
    await page.route('**/api/suggestions*', async (route) => {
      await answer.opened
      await route.abort()
    })
    await line(page).pressSequentially(' 90 guests')
    // The terms are those of the earlier text.
    await expect.poll(() => chip.getAttribute('aria-disabled')).toBe('true')
    await chip.click({ force: true })
    await expect(line(page).inputValue()).resolves.toBe('dj melbourne 90 guests')
    answer.open()
    await chips(page).waitFor({ state: 'detached' })
    await line(page).press('Enter')
    await page.waitForURL(/guests=90/)
    await visitor.leave()
  })
})

it('the header’s search box shows what it understood as well', async () => {
  const visitor = await stage.arrive(DESKTOP)
  const { page } = visitor
  await visit(page, '/events')
  await header(page).getByRole('button', { name: 'Open search' }).click()
  const box = header(page).getByPlaceholder('Search...', { exact: true }).filter({ visible: true })
  await box.pressSequentially('cake sydney')
  await header(page).getByRole('button', { name: 'Without in Sydney' }).click()
  await expect.poll(() => box.inputValue()).toBe('cake')
  await expect(box.and(page.locator(':focus')).count()).resolves.toBe(1)
  await visitor.leave()
})
