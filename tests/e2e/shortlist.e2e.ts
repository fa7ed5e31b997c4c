import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { linkTokenOf } from '../../app/features/shortlists/rules.ts'
import { DESKTOP, goOffline, main, nextEventDate, PHONE, USUAL_SIZES, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

const PAVILION = 'harbour-light-pavilion'
const WOOLSHED = 'long-paddock-woolshed'
const heart = (page: Page) =>
  main(page)
    .getByRole('button', { name: /^(Save .* to your shortlist|Saved: )/ })
    .first()
const entry = (page: Page, name: string) => main(page).getByRole('listitem').filter({ hasText: name })

async function saves(page: Page, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await visit(page, `/business/${id}`)
    await heart(page).click()
    await page.getByText(/saved to your shortlist\.$/).waitFor()
    await expect.poll(() => heart(page).getAttribute('aria-pressed')).toBe('true')
  }
}

describe.each(USUAL_SIZES)('a shortlist at $width px', (size) => {
  it('collects businesses by their hearts, compares them, and undoes a removal', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/shortlist')
    await main(page).getByRole('heading', { name: 'Nothing on your shortlist yet' }).waitFor()
    await visit(page, '/venues')
    const card = main(page).getByRole('button', { name: 'Save Harbour Light Pavilion to your shortlist' })
    await card.dblclick()
    await page.getByText('Harbour Light Pavilion saved to your shortlist.').waitFor()
    await expect.poll(() => card.getAttribute('aria-pressed')).toBe('true')
    // The heart doesn't follow the card's link.
    expect(new URL(page.url()).pathname).toBe('/venues')
    await saves(page, WOOLSHED, 'riverbend-rooms')

    const date = nextEventDate()
    await visit(page, `/shortlist?date=${date}&guests=90`)
    await entry(page, 'Harbour Light Pavilion').getByText('$13,050 for 90 guests').waitFor()
    await entry(page, 'Harbour Light Pavilion')
      .getByText(/^Free on /)
      .waitFor()
    const compare = main(page).getByRole('button', { name: 'Compare', exact: true })
    await compare.click()
    const tooFew = main(page).getByRole('alert').filter({ hasText: 'Choose two to four to compare.' })
    await tooFew.waitFor()
    await expect
      .poll(async () => {
        const box = await tooFew.boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height <= size.height
      })
      .toBe(true)
    for (const name of ['Harbour Light Pavilion', 'Long Paddock Woolshed'])
      await main(page)
        .getByRole('checkbox', { name: `Compare ${name}` })
        .check()
    await compare.click()
    const table = main(page).getByRole('table')
    await table.getByRole('rowheader', { name: 'Total' }).waitFor()
    await expect(table.getByRole('columnheader').count()).resolves.toBe(2)
    expect(new URL(page.url()).searchParams.get('date')).toBe(date)
    // The name of a row stays while the columns scroll, and the page itself doesn't.
    const region = main(page).getByRole('region', { name: 'Side by side' }).last()
    const rowHeader = table.getByRole('rowheader', { name: 'Total' })
    const left = async () => (await rowHeader.boundingBox())?.x
    const before = await left()
    await region.evaluate((element) => element.scrollTo(500, 0))
    expect(await left()).toBe(before)
    await expect(
      page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
    ).resolves.toBe(true)

    await entry(page, 'Riverbend Rooms').getByText('Add a note').click()
    await entry(page, 'Riverbend Rooms').getByLabel('Note').fill('Near the station')
    await entry(page, 'Riverbend Rooms').getByRole('button', { name: 'Save the note' }).click()
    await entry(page, 'Riverbend Rooms').getByText('Near the station', { exact: true }).first().waitFor()
    await main(page).getByRole('button', { name: 'Remove Riverbend Rooms' }).click()
    await main(page).getByText('Riverbend Rooms was removed.').waitFor()
    await main(page).getByRole('button', { name: 'Undo' }).click()
    await entry(page, 'Riverbend Rooms').getByText('Near the station', { exact: true }).first().waitFor()
    await visitor.leave()
  })

  it('can be shared by a link that a partner joins, and both see each change', async () => {
    const [owner, partner] = [await stage.arrive(size), await stage.arrive(size, [/404/])]
    await saves(owner.page, PAVILION)
    await visit(owner.page, '/shortlist')
    await main(owner.page).getByRole('button', { name: 'Make a link' }).click()
    const field = main(owner.page).getByLabel('Link to this list')
    const link = new URL(await field.inputValue()).pathname

    await visit(partner.page, link)
    await main(partner.page).getByRole('heading', { name: 'A shared shortlist' }).waitFor()
    await expect(
      main(partner.page)
        .getByRole('button', { name: /^Remove/ })
        .count(),
    ).resolves.toBe(0)
    await main(partner.page).getByRole('button', { name: 'Join this list' }).click()
    await partner.page.waitForURL(/\/shortlist$/)
    await main(partner.page).getByText('You have joined this list.').waitFor()
    await saves(partner.page, WOOLSHED)
    await entry(owner.page, 'Long Paddock Woolshed').waitFor()

    await visit(partner.page, '/shortlist')
    await main(owner.page).getByRole('button', { name: 'Remove Long Paddock Woolshed' }).click()
    await entry(partner.page, 'Long Paddock Woolshed').waitFor({ state: 'detached' })

    await main(owner.page).getByRole('button', { name: 'End the link' }).click()
    await main(owner.page).getByText('The link has ended.').waitFor()
    await visit(partner.page, '/shortlist')
    await main(partner.page).getByText('its owner ended the link').waitFor()
    await visit(partner.page, link)
    await main(partner.page).getByRole('heading', { name: 'This link has ended' }).waitFor()
    await owner.leave()
    await partner.leave()
  })
})

it('a note that is being typed stays when someone else saves theirs, and replaces it only knowingly', async () => {
  const [owner, partner] = [await stage.arrive(DESKTOP), await stage.arrive(DESKTOP, [/409/])]
  await saves(owner.page, PAVILION)
  await visit(owner.page, '/shortlist')
  await main(owner.page).getByRole('button', { name: 'Make a link' }).click()
  const link = new URL(await main(owner.page).getByLabel('Link to this list').inputValue()).pathname
  await visit(partner.page, link)
  await main(partner.page).getByRole('button', { name: 'Join this list' }).click()
  await partner.page.waitForURL(/\/shortlist$/)
  const note = ({ page }: typeof owner) => entry(page, 'Harbour Light Pavilion')
  const field = (visitor: typeof owner) => note(visitor).getByLabel('Note')
  const save = (visitor: typeof owner) => note(visitor).getByRole('button', { name: 'Save the note' }).click()
  const shown = (visitor: typeof owner, text: string) =>
    note(visitor).getByRole('paragraph').getByText(text, { exact: true }).waitFor()

  await note(partner).getByText('Add a note').click()
  await field(partner).fill('The light at six')
  await note(owner).getByText('Add a note').click()
  await field(owner).fill('Ask about rain')
  await save(owner)
  await field(owner).waitFor({ state: 'hidden' })
  await shown(partner, 'Ask about rain')
  await expect(field(partner).inputValue()).resolves.toBe('The light at six')

  await save(partner)
  await note(partner).getByText('Someone else changed this note in the meantime.').waitFor()
  await expect(field(partner).inputValue()).resolves.toBe('The light at six')
  await shown(partner, 'Ask about rain')
  await save(partner)
  await field(partner).waitFor({ state: 'hidden' })
  await shown(owner, 'The light at six')
  // An untouched field follows.
  await note(owner).getByText('Change the note').click()
  await expect(field(owner).inputValue()).resolves.toBe('The light at six')
  await owner.leave()
  await partner.leave()
})

describe('a heart', () => {
  it('goes on the same list as another that is pressed before the answer', async () => {
    const visitor = await stage.arrive(DESKTOP)
    const { page } = visitor
    await visit(page, '/venues')
    const hearts = main(page).getByRole('button', { name: /^Save .* to your shortlist$/ })
    await hearts.first().waitFor()
    // Before its script has loaded, a heart is a plain form.
    await page.waitForFunction(() => {
      const heart = document.querySelector('.save-button button')
      return heart !== null && Object.keys(heart).some((key) => key.startsWith('__react'))
    })
    await page.evaluate(() => {
      const all = document.querySelectorAll<HTMLButtonElement>('.save-button button')
      for (const heart of [...all].slice(0, 3)) heart.click()
    })
    await expect.poll(() => page.getByText(/saved to your shortlist\.$/).count()).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Shortlist, 3 saved' }).waitFor()
    await expect
      .poll(() => page.evaluate(async () => (await (await fetch('/api/shortlist')).json()).ids.length))
      .toBe(3)
    await visitor.leave()
  })

  it('shows the same in two tabs', async () => {
    const visitor = await stage.arrive(DESKTOP)
    const { page, context } = visitor
    await visit(page, `/business/${PAVILION}`)
    const other = await context.newPage()
    await visit(other, `/business/${PAVILION}`)
    await heart(other).waitFor()
    await saves(page, PAVILION)
    await expect.poll(() => heart(other).getAttribute('aria-pressed')).toBe('true')
    await heart(other).click()
    await expect.poll(() => heart(page).getAttribute('aria-pressed')).toBe('false')
    await visitor.leave()
  })

  it('goes back and says so offline', async () => {
    const visitor = await stage.arrive(PHONE, [/ERR_INTERNET_DISCONNECTED/])
    const { page, context } = visitor
    await visit(page, `/business/${PAVILION}`)
    await heart(page).waitFor()
    await goOffline(page)
    await heart(page).click()
    await page.getByText('This couldn’t be saved. Check your connection.').waitFor()
    await expect(heart(page).getAttribute('aria-pressed')).resolves.toBe('false')
    await context.setOffline(false)
    await visitor.leave()
  })

  it('works by keyboard, and goes with the account that signs in', async () => {
    const visitor = await stage.arriveAs('customer@jubilee.example', DESKTOP)
    const { page } = visitor
    await visit(page, `/business/${WOOLSHED}`)
    await heart(page).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/saved to your shortlist\.$/).waitFor()
    await visit(page, '/shortlist')
    await entry(page, 'Long Paddock Woolshed').waitFor()
    await main(page).getByRole('button', { name: 'Remove Long Paddock Woolshed' }).focus()
    await page.keyboard.press('Enter')
    await main(page).getByText('Long Paddock Woolshed was removed.').waitFor()
    await visitor.leave()
  })
})

it('the token of a link is nowhere but in the link', async () => {
  const visitor = await stage.arrive(DESKTOP)
  const { page } = visitor
  await saves(page, PAVILION)
  await visit(page, '/shortlist')
  await main(page).getByRole('button', { name: 'Make a link' }).click()
  const link = new URL(await main(page).getByLabel('Link to this list').inputValue())
  const rows = await stage.server.services.db.selectFrom('shortlists').selectAll().execute()
  const token = link.pathname.split('/').at(-1) ?? ''
  const keys = rows.flatMap(({ share_key }) => share_key ?? [])
  const tokens = await Promise.all(keys.map((key) => linkTokenOf(stage.server.services.config.secret, key)))
  expect(tokens).toContain(token)
  expect(JSON.stringify(rows)).not.toContain(token)
  await visitor.leave()
})

it('a shared list shows the owner’s day on a phone, and takes hearts by name', async () => {
  const owner = await stage.arrive(DESKTOP)
  await saves(owner.page, PAVILION, WOOLSHED)
  await visit(owner.page, '/shortlist')
  await main(owner.page).getByRole('button', { name: 'Make a link' }).click()
  const link = await main(owner.page).getByLabel('Link to this list').inputValue()
  const about = main(owner.page).getByRole('region', { name: 'Your event' })
  await about.getByLabel(/^Title/).fill('Our wedding')
  await about.getByLabel(/^Date/).fill(nextEventDate())
  await about.getByLabel(/^Guests/).fill('90')
  await about.getByRole('button', { name: 'Save for everyone' }).click()
  await main(owner.page).getByRole('heading', { name: 'Our wedding', level: 1 }).waitFor()

  const guest = await stage.arrive(PHONE)
  const { page } = guest
  await visit(page, new URL(link).pathname)
  await main(page).getByRole('heading', { name: 'Our wedding', level: 1 }).waitFor()
  await entry(page, 'Harbour Light Pavilion').getByText('$13,050 for 90 guests').waitFor()
  await main(page).getByLabel('Your name').fill('Kim')
  await main(page).getByRole('button', { name: 'Start' }).click()
  await main(page).getByText('You vote as Kim.').waitFor()
  const like = entry(page, 'Harbour Light Pavilion').getByRole('button', { name: /^I like it/ })
  await like.click()
  await entry(page, 'Harbour Light Pavilion').getByText('Kim likes it').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)

  await visit(owner.page, '/shortlist')
  await main(owner.page).getByRole('button', { name: 'Remove Kim' }).click()
  await expect.poll(() => main(owner.page).getByText('Kim likes it').count()).toBe(0)
  await guest.leave()
  await owner.leave()
})
