import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { hydrated, logIn, main, PHONE, visit } from './browser.ts'
import { preparePages, type Visits } from './pages.ts'
import { openStage } from './stage.ts'
import { fillListing } from './vendor-forms.ts'

const stage = openStage()
let visits: Visits

beforeAll(async () => {
  visits = await preparePages(stage.server.services)
})

const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement)

describe('a form with missing values', () => {
  it.each([
    ['/login', 'Log In', 'Email'],
    ['/signup', 'Sign Up', 'Your name'],
    ['/forgot-password', 'Send the link', 'Email'],
    ['/book/harbour-light-pavilion', 'Proceed to Payment', 'Full name'],
  ])(
    '%s reports them at its top and beside each field, and focuses the first field',
    async (path, button, first) => {
      const visitor = await stage.arrive(PHONE)
      const { page } = visitor
      await visit(page, path)
      await main(page).getByRole('button', { name: button, exact: true }).click()
      const field = main(page).getByLabel(first, { exact: true })
      const summary = main(page).getByRole('alert')
      await summary.waitFor()
      await expect.poll(() => isFocused(field)).toBe(true)
      // Each message links to its field, which has the same message as its description.
      const links = summary.getByRole('link')
      expect(await links.count()).toBeGreaterThan(0)
      for (const link of await links.all()) {
        await link.click()
        const { message, target } = await page.evaluate(() => {
          const focused = document.activeElement
          const ids = focused?.getAttribute('aria-describedby')?.split(' ') ?? []
          return {
            message: ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' '),
            target: focused?.id,
          }
        })
        expect(await link.getAttribute('href')).toBe(`#${target}`)
        expect(message).toContain(await link.textContent())
      }
      // Messages that change while typing don't take the focus.
      await field.fill('a')
      await expect(isFocused(field)).resolves.toBe(true)
      await visitor.leave()
    },
  )
})

describe('the errors at the top of a form', () => {
  it('name their fields, where a message beside its field doesn’t', async () => {
    const vendor = await stage.arriveAs('vendor@jubilee.example', PHONE)
    const { page } = vendor
    await visit(page, '/dashboard/list-business/new')
    await fillListing(page, 'The Fernery')
    await page.getByLabel('Services offered').fill('tables, '.repeat(200))
    await main(page).getByRole('button', { name: 'Submit', exact: true }).click()
    const message = 'Use at most 1000 characters.'
    await main(page).getByText(message, { exact: true }).waitFor()
    await main(page)
      .getByRole('alert')
      .getByRole('link', { name: `Services offered: use${message.slice(3)}` })
      .waitFor()
    await vendor.leave()

    const guest = await stage.arrive(PHONE, [/422/])
    await visit(guest.page, '/business/harbour-light-pavilion/ask')
    await main(guest.page).getByLabel('Guests').fill('none')
    await main(guest.page).getByRole('button', { name: 'Send' }).click()
    const lines = main(guest.page).getByRole('alert').getByRole('link')
    await lines.first().waitFor()
    for (const line of await lines.allInnerTexts()) expect(line).toMatch(/message|guests|name|email/)
    await guest.leave()
  })
})

describe('typed values', () => {
  it('in a review survive a reload and the end of the session', async () => {
    const customer = await stage.arrive(PHONE)
    const { page } = customer
    // Otherwise, the page could notice the end of the session before the button is pressed.
    await page.route('**/api/live*', (route) => route.abort())
    await logIn(page, 'customer@jubilee.example')
    const path = visits.customer.find((one) => one.endsWith('/review')) ?? ''
    await visit(page, path)
    await main(page).getByRole('button', { name: 'Send the review' }).waitFor()
    await main(page).getByRole('radio', { name: '4 stars' }).check({ force: true })
    await main(page).getByLabel('How was it?').fill('Light on the water, and kind people.')
    await page.reload()
    await hydrated(page)
    await expect(main(page).getByLabel('How was it?').inputValue()).resolves.toBe(
      'Light on the water, and kind people.',
    )

    await stage.server.services.db.deleteFrom('sessions').execute()
    await main(page).getByRole('button', { name: 'Send the review' }).click()
    await page.waitForURL(/\/login/)
    await main(page).getByLabel('Email', { exact: true }).fill('customer@jubilee.example')
    await main(page).getByLabel('Password', { exact: true }).fill('celebrate')
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await page.waitForURL((url) => url.pathname === path)
    await expect
      .poll(() => main(page).getByLabel('How was it?').inputValue())
      .toBe('Light on the water, and kind people.')
    await expect(main(page).getByRole('radio', { name: '4 stars' }).isChecked()).resolves.toBe(true)
    await main(page).getByRole('button', { name: 'Send the review' }).click()
    await main(page).getByRole('heading', { level: 1, name: 'Your review is with us' }).waitFor()
    await customer.leave()
  })

  it('in the profile survive a reload and going back, and are discarded once saved', async () => {
    const customer = await stage.arrive(PHONE)
    const { page } = customer
    await logIn(page, 'customer@jubilee.example')
    await visit(page, '/my-profile')
    await main(page)
      .getByRole('textbox', { name: /^Phone/ })
      .fill('0491 570 157')
    await page.reload()
    await hydrated(page)
    await expect
      .poll(() =>
        main(page)
          .getByRole('textbox', { name: /^Phone/ })
          .inputValue(),
      )
      .toBe('0491 570 157')
    await visit(page, '/events')
    await page.goBack()
    await hydrated(page)
    await expect
      .poll(() =>
        main(page)
          .getByRole('textbox', { name: /^Phone/ })
          .inputValue(),
      )
      .toBe('0491 570 157')
    await main(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('saved', { exact: false }).first().waitFor()
    await expect
      .poll(() => page.evaluate(() => Object.keys(sessionStorage).join()))
      .not.toContain('kept-form')
    await customer.leave()
  })
})
