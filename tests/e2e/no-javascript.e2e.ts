import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fillActivity } from '../activity.ts'
import { linkIn, mailTo } from '../sent-mails.ts'
import { header, main, type PHONE, USUAL_SIZES, WAIT_MS } from './browser.ts'
import { joinStage } from './stage.ts'

/** Reading, searching and logging in work without JavaScript. */

const stage = joinStage()

async function arriveWithoutScripts(viewport: typeof PHONE): Promise<Page> {
  const context = await stage.browser.newContext({
    baseURL: stage.server.origin,
    viewport,
    locale: 'en-AU',
    javaScriptEnabled: false,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  return page
}

/** Follows a link in the header, or in the drawer on a phone. */
async function followMenu(page: Page, name: string): Promise<void> {
  const drawer = page.getByRole('button', { name: 'Open menu' })
  if (await drawer.isVisible()) {
    await drawer.click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name }).click()
  } else {
    await header(page).getByRole('link', { name }).click()
  }
}

describe.each(USUAL_SIZES)('without JavaScript at $width px', (size) => {
  it('a visitor saves businesses, compares them, notes, removes and restores', async () => {
    const page = await arriveWithoutScripts(size)
    for (const id of ['long-paddock-woolshed', 'harbour-light-pavilion']) {
      await page.goto(`/business/${id}`)
      await main(page)
        .getByRole('button', { name: /^Save / })
        .first()
        .click()
      await page.waitForURL(/\/shortlist$/)
    }
    await main(page).getByText('2 saved').waitFor()
    await main(page).getByLabel('Guests').fill('90')
    for (const box of await main(page).getByRole('checkbox').all()) await box.check()
    await main(page).getByRole('button', { name: 'Compare', exact: true }).click()
    await main(page)
      .getByRole('cell', { name: /^\$13,050 for 90 guests/ })
      .waitFor()
    await main(page).getByText('Add a note').first().click()
    await main(page).getByLabel('Note').first().fill('By the water')
    await main(page).getByRole('button', { name: 'Save the note' }).first().click()
    await main(page).getByRole('listitem').getByText('By the water', { exact: true }).first().waitFor()
    await main(page).getByRole('button', { name: 'Remove Harbour Light Pavilion' }).click()
    await main(page).getByText('was removed.').waitFor()
    await main(page).getByRole('button', { name: 'Undo' }).click()
    await main(page).getByRole('link', { name: 'Harbour Light Pavilion' }).first().waitFor()
    await page.context().close()
  })

  it('a visitor reads, searches and opens a business', async () => {
    const page = await arriveWithoutScripts(size)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 }).isVisible()).resolves.toBe(true)

    await main(page).getByLabel('What, where and when?').fill('woolshed')
    await main(page).getByRole('button', { name: 'Search', exact: true }).click()
    await page.waitForURL(/\/venues-vendors\?service=barn$/)
    await main(page).getByRole('link', { name: 'Long Paddock Woolshed' }).click()
    await page.waitForURL(/\/business\/long-paddock-woolshed$/)
    await main(page).getByRole('heading', { level: 1, name: 'Long Paddock Woolshed' }).waitFor()
    await expect(main(page).getByRole('img').first().isVisible()).resolves.toBe(true)

    // Opens a category from the home page.
    await page.goto('/')
    await main(page)
      .getByRole('link', { name: /Photographers/ })
      .first()
      .click()
    await page.waitForURL(/\/photographers$/)
    await expect(main(page).getByRole('article').first().isVisible()).resolves.toBe(true)
    await main(page).getByText('More filters').click()
    await main(page).getByRole('combobox', { name: 'Where' }).fill('Geelong, VIC')
    await main(page).getByLabel('How far').selectOption('1')
    await main(page).getByRole('button', { name: 'Show businesses' }).click()
    await page.waitForURL(/\/photographers\?.*place=Geelong/)
    await expect(main(page).getByRole('article').first().isVisible()).resolves.toBe(true)

    // The header's search box opens on focus.
    await page.getByRole('link', { name: 'Skip to content' }).focus()
    const box = header(page).getByPlaceholder('Search...', { exact: true }).first()
    await box.focus()
    await box.fill('jazz')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/venues-vendors\?q=jazz$/)
    await expect(main(page).getByRole('article').first().isVisible()).resolves.toBe(true)

    // The cart lives in the browser, so its page says that it needs JavaScript.
    await header(page).getByRole('link', { name: /^Cart/ }).click()
    await page.waitForURL(/\/cart$/)
    await expect(
      main(page)
        .getByText(/needs JavaScript/)
        .isVisible(),
    ).resolves.toBe(true)
    await page.context().close()
  })

  it('the booking form says that it needs JavaScript', async () => {
    const page = await arriveWithoutScripts(size)
    await page.goto('/business/harbour-light-pavilion')
    await main(page).getByRole('link', { name: 'Book Now' }).first().click()
    await page.waitForURL(/\/book\/harbour-light-pavilion$/)
    await expect(
      main(page)
        .getByText(/need JavaScript/)
        .isVisible(),
    ).resolves.toBe(true)
    await page.context().close()
  })

  it('a vendor logs in, and a wrong password is refused with the email kept', async () => {
    const page = await arriveWithoutScripts(size)
    await page.goto('/')
    await followMenu(page, 'Log In')
    await page.waitForURL(/\/login$/)
    await main(page).getByLabel('Email', { exact: true }).fill('vendor@jubilee.example')
    await main(page).getByLabel('Password', { exact: true }).fill('not the password')
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await expect(main(page).getByRole('alert').textContent()).resolves.toMatch(/password/i)
    await expect(main(page).getByLabel('Email', { exact: true }).inputValue()).resolves.toBe(
      'vendor@jubilee.example',
    )
    await expect(main(page).getByLabel('Password', { exact: true }).inputValue()).resolves.toBe('')

    // The server, too, refuses an empty password.
    await main(page).getByLabel('Password', { exact: true }).fill('')
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await expect(
      main(page).getByLabel('Password', { exact: true }).getAttribute('aria-invalid'),
    ).resolves.toBe('true')

    await main(page).getByLabel('Password', { exact: true }).fill('celebrate')
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await page.waitForURL(`${stage.server.origin}/`)
    await page.goto('/my-profile')
    await expect(page.getByRole('heading', { level: 1, name: 'My Profile' }).isVisible()).resolves.toBe(true)
    await expect(main(page).getByText('vendor@jubilee.example').first().isVisible()).resolves.toBe(true)
    await page.goto('/dashboard/bookings')
    await expect(page.getByRole('heading', { level: 1, name: 'Your Bookings' }).isVisible()).resolves.toBe(
      true,
    )
    await page.context().close()
  })

  it('a person follows the links of their mails: confirms the address, and chooses a new password', async () => {
    const page = await arriveWithoutScripts(size)
    const email = `mailed-${size.width}@example.com`
    await page.goto('/signup')
    await page.getByLabel('Your name').fill('Imogen Hale')
    await main(page).getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('by the river gums')
    await main(page).getByRole('button', { name: 'Sign Up' }).click()
    await page.waitForURL(`${stage.server.origin}/`)
    await page.goto(linkIn(await mailTo(stage.server, email, /^Confirm your email/)))
    await main(page)
      .getByRole('button', { name: /^Confirm/ })
      .click()
    await main(page)
      .getByText(/confirmed/i)
      .first()
      .waitFor()

    await page.goto('/forgot-password')
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByRole('button').first().click()
    await page.goto(linkIn(await mailTo(stage.server, email, /^Choose a new password/)))
    await page.getByLabel('New password', { exact: true }).fill('under the river gums')
    await main(page).getByRole('button', { name: 'Change the password' }).click()
    await main(page).getByRole('link', { name: 'Log In', exact: true }).waitFor()
    await page.context().close()
  })

  it('a person reads their recent activity, page by page, and finds what to do', async () => {
    await fillActivity(stage.server.services.db, 'customer@jubilee.example')
    const page = await arriveWithoutScripts(size)
    await page.goto('/login?next=/settings-privacy')
    await main(page).getByLabel('Email').fill('customer@jubilee.example')
    await main(page).getByLabel('Password', { exact: true }).fill('celebrate')
    await main(page).getByRole('button', { name: 'Log In', exact: true }).click()
    await main(page).getByRole('link', { name: 'See recent activity' }).click()
    await main(page).getByText('Times are Sydney’s.').waitFor()
    await main(page)
      .getByRole('link', { name: /^This wasn’t me: Logged in with the password/ })
      .first()
      .click()
    expect(new URL(page.url()).hash).toBe('#not-me')
    await main(page).getByRole('link', { name: 'Older' }).click()
    await page.waitForURL(/\?before=/)
    await main(page).getByRole('link', { name: 'Newest' }).click()
    await page.waitForURL(/\/settings-privacy\/activity$/)
    await page.context().close()
  })

  it('a plain form subscribes to the newsletter', async () => {
    const page = await arriveWithoutScripts(size)
    await page.goto('/events')
    const footer = page.getByRole('contentinfo')
    await footer.getByLabel('Email').fill(`plain-${size.width}@example.com`)
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL(/\/newsletter/)
    await expect(main(page).getByText('Thank you for subscribing!').isVisible()).resolves.toBe(true)
    await page.context().close()
  })
})
