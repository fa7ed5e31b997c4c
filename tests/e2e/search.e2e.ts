import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DESKTOP, EITHER_SIZE, header, main, PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

const searchTerms = (page: Page) => main(page).getByRole('list', { name: 'Your search terms' })

/** On a phone it has the count: 'Show 4 businesses'. */
const showButton = (page: Page) =>
  main(page)
    .getByRole('button', { name: /^(Show .*business|No matches)/ })
    .filter({ visible: true })

it('the filters of a phone are a sheet with a foot that stays, a count, and chips for yes and no', async () => {
  const visitor = await stage.arrive(PHONE)
  const { page } = visitor
  await visit(page, '/venues')
  const opener = main(page).getByText('More filters')
  await opener.click()
  const sheet = main(page).getByRole('dialog', { name: 'Filters' })
  await sheet.waitFor()
  const found = async () => {
    const text = await showButton(page).textContent()
    return Number(/\d+/.exec(text ?? '')?.[0] ?? Number.NaN)
  }
  await expect.poll(found).toBeGreaterThan(0)
  const all = await found()
  // The foot is in view, whatever is scrolled.
  const isInView = () =>
    showButton(page).evaluate((button) => button.getBoundingClientRect().bottom <= window.innerHeight)
  expect(await isInView()).toBe(true)
  await sheet.getByLabel('Guests', { exact: true }).fill('200')
  await expect.poll(found).toBeLessThan(all)
  const chip = sheet.getByText('Step-free access', { exact: true })
  await chip.scrollIntoViewIfNeeded()
  expect((await chip.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await chip.click()
  expect(await sheet.getByRole('checkbox', { name: 'Step-free access' }).isChecked()).toBe(true)
  expect(await isInView()).toBe(true)
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0)
  const cut = await sheet.evaluate((dialog) =>
    [...dialog.querySelectorAll<HTMLElement>('label, legend, button')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
      .map(({ textContent }) => textContent),
  )
  expect(cut).toEqual([])

  // Closed without a search, it keeps what was chosen, and the focus goes back.
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  await opener.click()
  expect(await sheet.getByLabel('Guests', { exact: true }).inputValue()).toBe('200')
  await showButton(page).click()
  await page.waitForURL(/\/venues\?.*guests=200/)
  await sheet.waitFor({ state: 'hidden' })
  await searchTerms(page).getByRole('link', { name: 'Without step-free access' }).waitFor()
  await visitor.leave()
})

describe('the search box of the header', () => {
  it('suggests at 1440 px: arrows move, Enter opens, Escape closes, and Enter in the text searches', async () => {
    const visitor = await stage.arrive(DESKTOP)
    const { page } = visitor
    await visit(page, '/events')
    await header(page).getByRole('button', { name: 'Open search' }).click()
    const box = header(page).getByPlaceholder('Search...', { exact: true }).filter({ visible: true })
    await box.pressSequentially('harbour li')
    const list = header(page).getByRole('listbox', { name: 'Suggestions' })
    const option = list.getByRole('option', { name: 'Harbour Light Pavilion' })
    await option.waitFor()
    await expect(box.getAttribute('role')).resolves.toBe('combobox')
    await expect(box.getAttribute('aria-expanded')).resolves.toBe('true')
    await expect(box.getAttribute('aria-controls')).resolves.toBe(await list.getAttribute('id'))
    await expect(box.getAttribute('aria-activedescendant')).resolves.toBeNull()

    // The first Escape closes the list, the second the box.
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await expect.poll(() => box.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowDown')
    await list.waitFor()
    await expect.poll(() => box.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
    await expect(option.getAttribute('aria-selected')).resolves.toBe('true')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/business\/harbour-light-pavilion$/)
    await list.waitFor({ state: 'hidden' })

    // Chooses a category and a place with the pointer.
    await header(page).getByRole('button', { name: 'Open search' }).click()
    await box.fill('photograhper')
    await list
      .getByRole('group', { name: 'Categories' })
      .getByRole('option', { name: 'Photographers' })
      .click()
    await page.waitForURL(/\/photographers$/)
    await header(page).getByRole('button', { name: 'Open search' }).click()
    await box.fill('geelong')
    await list.getByRole('group', { name: 'Places' }).getByRole('option', { name: 'Geelong, VIC' }).click()
    await page.waitForURL(/place=Geelong/)
    await main(page).getByRole('heading', { level: 1, name: 'Venues & vendors near Geelong, VIC' }).waitFor()

    // Enter on the text itself searches for it. This one names a service.
    await header(page).getByRole('button', { name: 'Open search' }).click()
    await box.fill('woolshed')
    await list.getByRole('option').first().waitFor()
    await box.press('Enter')
    await page.waitForURL(/\/venues-vendors\?service=barn$/)
    await visitor.leave()
  })

  it('works in the drawer at 390 px as well', async () => {
    const visitor = await stage.arrive(PHONE)
    const { page } = visitor
    await visit(page, '/events')
    await header(page).getByRole('button', { name: 'Open menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    const box = drawer.getByLabel('Search venues and vendors')
    await box.pressSequentially('long pad')
    const list = drawer.getByRole('listbox', { name: 'Suggestions' })
    await list.getByRole('option', { name: 'Long Paddock Woolshed' }).waitFor()
    // The first Escape closes only the list.
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await expect(drawer.isVisible()).resolves.toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/business\/long-paddock-woolshed$/)
    await drawer.waitFor({ state: 'hidden' })
    await header(page).getByRole('button', { name: 'Open menu' }).click()
    await box.fill('jazz')
    await drawer.getByRole('button', { name: 'Search', exact: true }).click()
    await page.waitForURL(/\/venues-vendors\?q=jazz$/)
    await drawer.waitFor({ state: 'hidden' })
    await visitor.leave()
  })
})

describe.each(EITHER_SIZE)('a list at $width px', (size) => {
  it('can be filtered by query and fields, one search term at a time, with every step in the address', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/')
    await main(page).getByLabel('What, where and when?').fill('wedding photograhper near Melbourne')
    await main(page).getByRole('button', { name: 'Search', exact: true }).click()
    await page.waitForURL(/\/venues-vendors\?near=1&place=Melbourne%2C\+VIC&q=wedding\+photograhper$/)
    await main(page).getByText('Showing “photographer” for “photograhper”.').waitFor()
    await main(page).getByRole('article').first().waitFor()

    // The fields show the same search. They add one more search term.
    await main(page).getByText('More filters').click()
    await expect(main(page).getByLabel('Where', { exact: true }).inputValue()).resolves.toBe('Melbourne, VIC')
    await main(page).getByLabel('Guests', { exact: true }).fill('60')
    await showButton(page).click()
    // A form sends its fields in their order on the screen.
    await page.waitForURL(/\?q=wedding\+photograhper&place=Melbourne%2C\+VIC&near=1&guests=60$/)
    await searchTerms(page).getByRole('link', { name: 'Without 60 guests' }).waitFor()

    // The search terms are removed one by one.
    await searchTerms(page).getByRole('link', { name: 'Without wedding photograhper' }).click()
    await page.waitForURL(/\/venues-vendors\?guests=60&near=1&place=Melbourne%2C\+VIC$/)
    await main(page)
      .getByRole('navigation', { name: 'Order' })
      .getByRole('link', { name: 'Lowest price' })
      .click()
    await page.waitForURL(/&sort=price$/)
    await page.goBack()
    await page.waitForURL(/place=Melbourne%2C\+VIC$/)
    await page.goBack()
    await page.waitForURL(/q=wedding\+photograhper/)
    await expect
      .poll(() => main(page).getByLabel('What, where and when?').inputValue())
      .toBe('wedding photograhper, 60 guests, near Melbourne VIC')
    await visitor.leave()
  })

  it('shows in its form what is searched, and says which amounts it can read', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/venues-vendors')
    await main(page).getByText('More filters').click()
    const budget = main(page).getByLabel('Total budget')
    const show = showButton(page)
    await budget.fill('8k')
    await show.click()
    await page.waitForURL(/\?budget=8000$/)
    await expect.poll(() => budget.inputValue()).toBe('8000')

    // A phone's sheet has closed.
    if (size.width < 769) await main(page).getByText('More filters').click()
    await budget.fill('3,5oo')
    await show.click()
    await expect(
      budget.evaluate((input: HTMLInputElement) => [
        document.activeElement === input,
        input.validity.patternMismatch,
      ]),
    ).resolves.toEqual([true, true])
    expect(page.url()).toMatch(/\?budget=8000$/)

    // An end without a beginning and a distance without a place mean nothing.
    await budget.fill('8000')
    const until = main(page).getByLabel('Until')
    const near = main(page).getByLabel('How far')
    await until.fill('23:00')
    await near.selectOption('Within 50 km')
    await show.click()
    await expect.poll(() => until.inputValue()).toBe('')
    await expect.poll(() => near.inputValue()).toBe('')
    expect(page.url()).toMatch(/\?budget=8000$/)
    await visitor.leave()
  })

  it('without results says so, and offers the same elsewhere without passing it off as near', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/venues-vendors?q=woolshed&place=Darwin%2C+NT')
    await main(page).getByText('0 businesses').waitFor()
    await main(page).getByText('No barn is in Darwin yet.').waitFor()
    expect(await main(page).getByRole('article').count()).toBe(0)
    await main(page).getByRole('link', { name: 'Anywhere in Australia' }).click()
    await page.waitForURL(/\/venues-vendors\?service=barn$/)
    await main(page).getByRole('link', { name: 'Long Paddock Woolshed' }).waitFor()
    await visitor.leave()
  })

  it('keeps what was asked on the business page and in its booking form', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/venues?date=2027-09-11&from=16%3A00&guests=80&near=1&place=Geelong%2C+VIC')
    await main(page).getByRole('link', { name: 'The Moonah Garden' }).click()
    await page.waitForURL(
      /\/business\/moonah-garden\?date=2027-09-11&time=16%3A00&guests=80&place=Geelong%2C\+VIC$/,
    )
    await main(page).getByText('$6,720 for 80 guests · free on 11 September 2027').waitFor()
    await main(page).getByRole('link', { name: 'Book Now' }).first().click()
    await page.waitForURL(/\/book\/moonah-garden\?date=2027-09-11&time=16%3A00&quantity=80&type=perPerson$/)
    await expect.poll(() => main(page).getByLabel('Number of Attendees').inputValue()).toBe('80')
    await expect(main(page).getByLabel('Date').inputValue()).resolves.toBe('2027-09-11')
    await expect(main(page).getByLabel('Start time').inputValue()).resolves.toBe('16:00')
    await visitor.leave()
  })

  it('near me asks for the position when pressed, and keeps only its suburb', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    const context = page.context()
    await context.grantPermissions(['geolocation'], { origin: stage.server.origin })
    await context.setGeolocation({ latitude: -37.7985, longitude: 144.979 })
    await visit(page, '/sounds-dj?near=1&place=me')
    const all = await main(page).getByRole('article').count()
    await main(page).getByRole('button', { name: 'Use my location' }).click()
    await page.waitForURL(/\/sounds-dj\?near=1&place=Fitzroy%2C\+VIC$/)
    await searchTerms(page).getByRole('link', { name: 'Without near Fitzroy VIC' }).waitFor()
    expect(await main(page).getByRole('article').count()).toBeLessThan(all)
    await context.setGeolocation(null)
    await context.clearPermissions()
    await visitor.leave()
  })
})

it('search works without JavaScript, as plain forms', async () => {
  const context = await stage.browser.newContext({
    baseURL: stage.server.origin,
    javaScriptEnabled: false,
    viewport: PHONE,
  })
  const page = await context.newPage()
  await page.goto('/venues-vendors')
  await page.getByLabel('What, where and when?').fill('hall near Melbourne, 60 guests')
  await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click()
  await page.waitForURL(/\/venues-vendors\?guests=60&near=1&place=Melbourne%2C\+VIC&q=hall$/)
  await searchTerms(page).getByRole('link', { name: 'Without hall' }).click()
  await page.waitForURL(/\/venues-vendors\?guests=60&near=1&place=Melbourne%2C\+VIC$/)
  await page.getByText('More filters').click()
  await page.getByLabel('What', { exact: true }).selectOption('Venues')
  await page.getByRole('button', { name: 'Show businesses' }).click()
  await page.waitForURL(/\/venues-vendors\?category=Venues&guests=60&near=1&place=Melbourne%2C\+VIC$/)
  await expect(page.getByRole('article').count()).resolves.toBeGreaterThan(0)
  await context.close()
})
