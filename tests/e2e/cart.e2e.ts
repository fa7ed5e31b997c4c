import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DESKTOP, main, nextEventDate, USUAL_SIZES, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

const item = (page: Page, name: string) => main(page).getByRole('listitem').filter({ hasText: name })
const quantity = (page: Page, name: string) => item(page, name).getByRole('textbox', { name: 'Quantity' })
const total = (page: Page) => main(page).getByRole('complementary', { name: 'Summary' }).getByText(/^\$/)
const stored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? 'null') as Record<string, unknown>[])

describe.each(USUAL_SIZES)('the cart at $width px', (size) => {
  it('adds by 1, updates never below 1, removes, clears, sums up, and books each item', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/cart')
    await main(page).getByRole('heading', { name: 'Nothing in your cart yet.' }).waitFor()

    await visit(page, '/business/harbour-light-pavilion')
    const add = main(page).getByRole('button', { name: 'Add to Cart' })
    await add.click()
    await page.getByText('Harbour Light Pavilion added to cart!', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Cart, 1 vendor' }).waitFor()
    await add.click()
    await page.getByRole('link', { name: 'Cart, 1 vendor' }).waitFor()
    expect(await stored(page)).toEqual([
      expect.objectContaining({
        id: 'harbour-light-pavilion',
        name: 'Harbour Light Pavilion',
        price: '145.00',
        image: expect.stringMatching(/^\/illustrations\/venue-bay-pavilion\//),
        quantity: 2,
      }),
    ])
    await visit(page, '/business/okafor-and-daughters')
    await add.click()
    await page.getByRole('link', { name: 'Cart, 2 vendors' }).click()

    const pavilion = item(page, 'Harbour Light Pavilion')
    await pavilion.getByText('$145.00 per person').waitFor()
    await pavilion.getByText('$290.00').waitFor()
    await quantity(page, 'Harbour Light Pavilion').fill('0')
    await expect.poll(async () => (await stored(page))[0]?.quantity).toBe(1)
    await expect(pavilion.getByRole('button', { name: 'One less' }).isDisabled()).resolves.toBe(true)
    await pavilion.getByRole('button', { name: 'One more' }).click()
    await quantity(page, 'Harbour Light Pavilion').fill('90')
    await main(page).getByText('91', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Cart, 2 vendors' }).waitFor()
    await expect(
      pavilion.getByRole('link', { name: 'Book Harbour Light Pavilion' }).getAttribute('href'),
    ).resolves.toBe('/book/harbour-light-pavilion?quantity=90&type=perPerson')

    // The cart survives a reload.
    await page.reload()
    await page.getByRole('link', { name: 'Cart, 2 vendors' }).waitFor()
    await expect(quantity(page, 'Harbour Light Pavilion').inputValue()).resolves.toBe('90')

    await pavilion.getByRole('button', { name: 'Remove Harbour Light Pavilion' }).click()
    await pavilion.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Cart, 1 vendor' }).waitFor()
    await main(page).getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Cart, 2 vendors' }).waitFor()
    await main(page).getByRole('button', { name: 'Clear the cart' }).click()
    await main(page).getByRole('heading', { name: 'Nothing in your cart yet.' }).waitFor()
    await page.getByRole('link', { name: 'Cart, 0 vendors' }).waitFor()
    expect(await stored(page)).toEqual([])
    await visitor.leave()
  })

  it('takes a price as a number or a numeric string, and a missing one as 0', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await page.addInitScript(() => {
      const items = [
        { id: 'a', name: 'By number', price: 12.5, quantity: 2 },
        { id: 'b', name: 'By string', price: '1200.50', quantity: 1 },
        { id: 'c', name: 'Without', quantity: 4 },
      ]
      localStorage.setItem('cart', JSON.stringify(items))
    })
    await visit(page, '/cart')
    await page.getByRole('link', { name: 'Cart, 3 vendors' }).waitFor()
    await expect(total(page).innerText()).resolves.toBe('$1,225.50')
    await item(page, 'Without').getByText('Price on request').waitFor()
    await visitor.leave()
  })

  it('says of each vendor whether the chosen day is free, asks again, and keeps the day', async () => {
    const day = nextEventDate()
    const visitor = await stage.arrive(size, [/404/])
    const { page } = visitor
    await page.addInitScript(() => {
      const items = [
        {
          id: 'harbour-light-pavilion',
          name: 'Harbour Light Pavilion',
          price: '145.00',
          priceUnit: 'perPerson',
          quantity: 90,
        },
        { id: 'gone', name: 'Gone', price: 10, quantity: 1 },
        { id: 'the-brass-tacks', name: 'The Brass Tacks', price: 10, priceUnit: 'perHour', quantity: 49 },
      ]
      if (!localStorage.getItem('cart')) localStorage.setItem('cart', JSON.stringify(items))
    })
    await visit(page, '/cart')
    await main(page).getByLabel('Your day').fill(day)
    await item(page, 'Harbour Light Pavilion')
      .getByText(/^Free on /)
      .waitFor()
    await item(page, 'Gone').getByText('Takes no bookings at the moment').waitFor()
    await item(page, 'The Brass Tacks').getByText('A booking can’t be longer than 24 hours.').waitFor()
    await expect(
      item(page, 'Harbour Light Pavilion')
        .getByRole('link', { name: /^Book / })
        .getAttribute('href'),
    ).resolves.toBe(`/book/harbour-light-pavilion?quantity=90&type=perPerson&date=${day}`)
    await page.reload()
    await item(page, 'Harbour Light Pavilion')
      .getByText(/^Free on /)
      .waitFor()
    await quantity(page, 'Harbour Light Pavilion').fill('221')
    await item(page, 'Harbour Light Pavilion').getByText('Takes at most 220 guests').waitFor()
    await quantity(page, 'Harbour Light Pavilion').fill('90')
    // No vendor is free on a past day.
    await main(page).getByLabel('Your day').fill('2026-01-10')
    await item(page, 'Harbour Light Pavilion')
      .getByText(/^Not free on Saturday 10 January 2026/)
      .waitFor()
    await item(page, 'Harbour Light Pavilion')
      .getByRole('link', { name: 'Choose another day for Harbour Light Pavilion' })
      .click()
    await page.waitForURL(/\/book\/harbour-light-pavilion\?quantity=90&type=perPerson$/)
    // The cart doesn't keep one.
    await visit(page, '/cart')
    const field = main(page).getByLabel('Your day')
    await expect.poll(() => field.getAttribute('min')).toMatch(/^20\d\d-\d\d-\d\d$/)
    await expect(field.inputValue()).resolves.toBe('')
    expect(await page.evaluate(() => localStorage.getItem('cart-day'))).toBeNull()
    await visitor.leave()
  })

  it('stays in sync in two tabs', async () => {
    const visitor = await stage.arrive(size)
    const { page, context } = visitor
    await visit(page, '/cart')
    const other = await context.newPage()
    await visit(other, '/business/okafor-and-daughters')
    await main(other).getByRole('button', { name: 'Add to Cart' }).click()
    await item(page, 'Okafor').waitFor()
    await item(page, 'Okafor').getByRole('button', { name: 'One more' }).click()
    await other.getByRole('link', { name: 'Cart, 1 vendor' }).waitFor()
    await main(other).getByRole('button', { name: 'Add to Cart' }).click()
    await expect.poll(() => quantity(page, 'Okafor').inputValue()).toBe('3')
    await main(page).getByRole('button', { name: 'Clear the cart' }).click()
    await other.getByRole('link', { name: 'Cart, 0 vendors' }).waitFor()
    await visitor.leave()
  })
})

it('a toast of the cart lasts 4000 ms, pauses under the pointer, and is announced', async () => {
  const visitor = await stage.arrive(DESKTOP)
  const { page } = visitor
  await page.clock.install()
  await visit(page, '/business/harbour-light-pavilion')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  const toast = page.getByText('Harbour Light Pavilion added to cart!', { exact: true })
  await main(page).getByRole('button', { name: 'Add to Cart' }).click()
  await toast.waitFor()
  await expect(toast.locator('xpath=ancestor::ol').getAttribute('aria-live')).resolves.toBe('polite')
  await expect(toast.locator('xpath=ancestor::li').getAttribute('data-type')).resolves.toBe('success')
  await page.clock.runFor(3_999)
  await toast.waitFor()
  await page.clock.runFor(1)
  await toast.waitFor({ state: 'detached' })

  await main(page).getByRole('button', { name: 'Add to Cart' }).click()
  await page.clock.runFor(2_000)
  await toast.hover()
  await page.clock.runFor(20_000)
  await toast.waitFor()
  await page.mouse.move(5, 400)
  await page.clock.runFor(1_999)
  await toast.waitFor()
  await page.clock.runFor(1)
  await toast.waitFor({ state: 'detached' })
  await visitor.leave()
})
