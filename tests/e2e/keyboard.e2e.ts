import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { formatDay } from '../../app/shared/dates.ts'
import { EITHER_SIZE, header, main, visit } from './browser.ts'
import { openStage } from './stage.ts'

/** Booking without a pointer: nothing is clicked, and only keys move the focus. */

const stage = openStage()

/** More tab stops than any page has between two targets. */
const MOST_STOPS = 80

/** Presses Tab until the focus is on `target`. Every stop on the way must be visible. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const page = target.page()
  await target.first().waitFor({ state: 'attached' })
  const focused = target.and(page.locator(':focus'))
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if ((await focused.count()) > 0) return
    await page.keyboard.press(key)
    await expectSeenFocus(page)
  }
  throw new Error(`None of ${MOST_STOPS} tab stops is ${target}`)
}

/** Expects the focused element to have a visible focus mark and not to be covered. */
async function expectSeenFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(findUnseenFocus)).toBe('')
}

/** Runs in the page. @returns the problem with the current focus, or '' */
function findUnseenFocus(): string {
  const element = document.activeElement
  // Past the last stop, the focus is in the browser's own interface.
  if (!element || element === document.body) return ''
  const name = element.outerHTML.slice(0, 160)
  const isOutlined = ({ outlineStyle, outlineWidth, outlineColor }: CSSStyleDeclaration) =>
    outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !/^rgba\(.*, 0\)$/.test(outlineColor)
  const own = getComputedStyle(element)
  // A control may be drawn by its label, box or card, which then has the mark.
  const frames = [element.parentElement, element.closest('label'), element.closest('form')]
  const isMarked =
    isOutlined(own) ||
    own.boxShadow !== 'none' ||
    isOutlined(getComputedStyle(element, '::after')) ||
    frames.some((frame) => frame !== null && isOutlined(getComputedStyle(frame)))
  if (!isMarked) return `not marked: ${name}`
  const drawn = element.classList.contains('unseen') ? (element.closest('label') ?? element) : element
  const box = drawn.getBoundingClientRect()
  const left = Math.max(0, box.left)
  const right = Math.min(innerWidth, box.right)
  const top = Math.max(0, box.top)
  const bottom = Math.min(innerHeight, box.bottom)
  if (right - left < 1 || bottom - top < 1) return `out of sight: ${name}`
  const middle = (left + right) / 2
  // No sticky element may cover the control at its middle, top or bottom.
  for (const y of [(top + bottom) / 2, top + 2, bottom - 2]) {
    const there = document.elementFromPoint(middle, y)
    if (there && !drawn.contains(there) && !there.contains(drawn))
      return `covered by ${there.outerHTML.slice(0, 80)}: ${name}`
  }
  return ''
}

/** Tabs to a field and types into it. */
async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field)
  await field.page().keyboard.type(text)
}

describe.each(EITHER_SIZE)('by keyboard alone at $width px', (size) => {
  it('a customer searches in the header, books and pays, and the vendor logs in, approves and then declines', async () => {
    const name = `Grace Holloway ${size.width}`
    const guest = await stage.arrive(size)
    const { page } = guest
    const { keyboard } = page
    await visit(page, '/')

    // The first stop skips the header.
    await keyboard.press('Tab')
    await expectSeenFocus(page)
    await expect(
      page.getByRole('link', { name: 'Skip to content' }).and(page.locator(':focus')).count(),
    ).resolves.toBe(1)
    await keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')

    // The search opens by its button, or on focus when tabbing backwards.
    const box = header(page).getByPlaceholder('Search...', { exact: true })
    await tabTo(box, 'Shift+Tab')
    await tabTo(header(page).getByRole('link', { name: /, home$/ }), 'Shift+Tab')
    await tabTo(header(page).getByRole('button', { name: 'Open search' }))
    await keyboard.press('Enter')
    await expect.poll(() => box.and(page.locator(':focus')).count()).toBe(1)
    await expectSeenFocus(page)
    await keyboard.type('harbour li')
    await header(page).getByRole('option', { name: 'Harbour Light Pavilion' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.waitForURL(/\/business\/harbour-light-pavilion$/)
    await main(page).getByRole('heading', { level: 1, name: 'Harbour Light Pavilion' }).waitFor()

    await tabTo(main(page).getByRole('link', { name: 'Book Now' }))
    await keyboard.press('Enter')
    await main(page).getByRole('heading', { level: 1, name: 'Book Harbour Light Pavilion' }).waitFor()

    // Submitted too early, the form focuses the first field with an error.
    await tabTo(main(page).getByRole('button', { name: 'Proceed to Payment' }))
    await keyboard.press('Enter')
    await expect.poll(() => main(page).getByLabel('Full name').and(page.locator(':focus')).count()).toBe(1)
    await expectSeenFocus(page)
    await keyboard.type(name)
    await typeInto(main(page).getByLabel('Email'), 'grace.holloway@example.com')
    await typeInto(main(page).getByLabel('Phone'), '0491 570 110')

    // Chooses a day in the calendar, two months ahead, and a time from its list.
    const grid = main(page).getByRole('grid')
    await tabTo(grid.getByRole('button'))
    await keyboard.press('PageDown')
    await keyboard.press('PageDown')
    await main(page)
      .getByText(/days? free in/)
      .waitFor()
    const isFree = () => page.evaluate(() => document.activeElement?.getAttribute('data-state') === 'free')
    for (let days = 0; days < 28 && !(await isFree()); days++) {
      await keyboard.press('ArrowRight')
      await expectSeenFocus(page)
    }
    const day = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    await keyboard.press('Enter')
    const date = main(page).getByLabel('Date', { exact: true })
    await expect.poll(async () => `${formatDay(await date.inputValue())}, free`).toBe(day)
    const times = main(page).getByRole('radio', { name: ' – ' })
    await tabTo(times)
    await keyboard.press('Space')
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowUp')
    await expectSeenFocus(page)
    await expect.poll(() => main(page).getByLabel('Start time').inputValue()).toMatch(/^\d\d:\d\d$/)

    await tabTo(main(page).getByLabel('Number of Attendees'), 'Shift+Tab')
    await keyboard.press('ArrowUp')
    await main(page).getByText('$290.00').filter({ visible: true }).first().waitFor()
    await tabTo(main(page).getByRole('button', { name: 'Proceed to Payment' }))
    await keyboard.press('Enter')

    await main(page).getByRole('heading', { name: 'Complete Your Payment' }).waitFor()
    await typeInto(main(page).getByLabel('Card number'), '4242424242424242')
    await typeInto(main(page).getByLabel('Expiry date'), '1230')
    await typeInto(main(page).getByLabel('Security code'), '123')
    await tabTo(main(page).getByRole('button', { name: 'Pay $290.00' }))
    await keyboard.press('Enter')
    await page.waitForURL(/\/success/)
    await main(page).getByRole('heading', { level: 1, name: 'Thank you, Grace' }).waitFor()
    await tabTo(main(page).getByRole('link', { name: 'See your booking' }))
    await keyboard.press('Enter')
    await page.waitForURL(/\/bookings\//)
    await guest.leave()

    const vendor = await stage.arrive(size)
    await visit(vendor.page, '/')
    if (size.width > 768) {
      await tabTo(header(vendor.page).getByRole('link', { name: 'Log In' }))
    } else {
      await tabTo(header(vendor.page).getByRole('button', { name: 'Open menu' }))
      await vendor.page.keyboard.press('Enter')
      await tabTo(vendor.page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Log In' }))
    }
    await vendor.page.keyboard.press('Enter')
    await vendor.page.waitForURL(/\/login/)
    await typeInto(main(vendor.page).getByLabel('Email', { exact: true }), 'vendor@jubilee.example')
    await typeInto(main(vendor.page).getByLabel('Password', { exact: true }), 'celebrate')
    await vendor.page.keyboard.press('Enter')
    await vendor.page.waitForURL(`${stage.server.origin}/`)
    // The address changes before the page does, and a new page closes the menu.
    await main(vendor.page).getByRole('heading', { name: 'How it works' }).waitFor()

    if (size.width > 768) {
      await tabTo(header(vendor.page).getByRole('button', { name: /^Account of/ }), 'Shift+Tab')
      await vendor.page.keyboard.press('Enter')
      const entry = vendor.page.getByRole('menuitem', { name: 'My Dashboard' })
      await vendor.page
        .getByRole('menuitem', { name: 'My Profile' })
        .and(vendor.page.locator(':focus'))
        .waitFor()
      await vendor.page.keyboard.press('ArrowDown')
      await expect.poll(() => entry.and(vendor.page.locator(':focus')).count()).toBe(1)
      await expectSeenFocus(vendor.page)
    } else {
      await tabTo(header(vendor.page).getByRole('button', { name: 'Open menu' }), 'Shift+Tab')
      await vendor.page.keyboard.press('Enter')
      await tabTo(
        vendor.page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'My Dashboard' }),
      )
    }
    await vendor.page.keyboard.press('Enter')
    await vendor.page.waitForURL(/\/dashboard$/)
    const menu = vendor.page.getByRole('navigation', { name: 'Dashboard' })
    if (size.width <= 768) {
      await tabTo(menu.locator('summary'))
      await vendor.page.keyboard.press('Enter')
    }
    await tabTo(menu.getByRole('link', { name: 'Bookings' }))
    await vendor.page.keyboard.press('Enter')
    await vendor.page.getByRole('heading', { level: 1, name: 'Your Bookings' }).waitFor()
    const item = main(vendor.page).getByRole('listitem').filter({ hasText: name })
    await tabTo(item.getByRole('button', { name: 'Approve' }))
    await vendor.page.keyboard.press('Enter')
    await vendor.page.getByText('Booking approved').waitFor()
    await item.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })
    // The button is gone, but the focus stays on the booking.
    await expect
      .poll(() => vendor.page.evaluate(() => document.activeElement?.closest('[data-booking]') !== null))
      .toBe(true)

    // Declining what was approved asks for the reason first. Escape leaves the booking as it is.
    const decline = item.getByRole('button', { name: 'Cancel this booking' })
    const dialog = vendor.page.getByRole('dialog', { name: `Decline ${name}?` })
    const reason = dialog.getByLabel('Reason')
    const hasFocus = (locator: Locator) => locator.and(vendor.page.locator(':focus')).count()
    await tabTo(item.locator('summary').filter({ hasText: 'More' }))
    await vendor.page.keyboard.press('Enter')
    await tabTo(decline)
    await vendor.page.keyboard.press('Enter')
    await expect.poll(() => hasFocus(reason)).toBe(1)
    await vendor.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => hasFocus(decline)).toBe(1)

    // Too short a reason is refused beside the field, which keeps it.
    await vendor.page.keyboard.press('Enter')
    await expect.poll(() => hasFocus(reason)).toBe(1)
    await vendor.page.keyboard.type('A leak')
    const submit = dialog.getByRole('button', { name: 'Other' })
    await tabTo(submit)
    await vendor.page.keyboard.press('Enter')
    await dialog.locator('.field-error').getByText('at least 10 characters').waitFor()
    await expect.poll(() => hasFocus(reason)).toBe(1)
    await expectSeenFocus(vendor.page)
    await vendor.page.keyboard.press('End')
    await vendor.page.keyboard.type(' in the roof.')
    await expect.poll(() => reason.inputValue()).toBe('A leak in the roof.')
    await tabTo(submit)
    await vendor.page.keyboard.press('Enter')
    await vendor.page.getByText('Booking declined').waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await item.getByText('Your reason: ‘A leak in the roof.’').waitFor()
    await expect
      .poll(() => vendor.page.evaluate(() => document.activeElement?.closest('[data-booking]') !== null))
      .toBe(true)
    await vendor.leave()
  })

  it('a typed query leads to a business, and the cart to its booking form', async () => {
    const guest = await stage.arrive(size)
    const { page } = guest
    const { keyboard } = page
    await visit(page, '/')
    await typeInto(main(page).getByLabel('What, where and when?'), 'harbour light near Melbourne')
    await keyboard.press('Enter')
    await page.waitForURL(/\/venues-vendors\?/)
    await tabTo(main(page).getByRole('link', { name: 'Harbour Light Pavilion' }))
    await keyboard.press('Enter')
    // The place of the search goes with the card.
    await page.waitForURL(/\/business\/harbour-light-pavilion\?place=Melbourne%2C\+VIC$/)
    await main(page).getByRole('heading', { level: 1, name: 'Harbour Light Pavilion' }).waitFor()
    await tabTo(main(page).getByRole('button', { name: 'Add to Cart' }))
    await keyboard.press('Space')
    await page.getByText('added to cart!').waitFor()
    await tabTo(header(page).getByRole('link', { name: 'Cart, 1 vendor' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await page.waitForURL(/\/cart$/)
    await tabTo(main(page).getByRole('link', { name: 'Book Harbour Light Pavilion' }))
    await keyboard.press('Enter')
    await page.waitForURL(/\/book\/harbour-light-pavilion$/)
    await guest.leave()
  })
})
