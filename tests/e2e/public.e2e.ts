import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { aBusiness } from '../builders.ts'
import { scriptOf } from '../server.ts'
import { DESKTOP, EITHER_SIZE, gate, hydrated, main, PHONE, USUAL_SIZES, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY))

/** Stops the page's clock. From here on, only `page.clock.runFor` moves it. */
async function stopTheClock(page: Page) {
  await page.clock.pauseAt(Date.now() + 3_600_000)
}

describe('the home page', () => {
  it('slides its pictures every 3000 ms in 300 ms and on swipes beyond 5 px, and pauses under the pointer', async () => {
    const visitor = await stage.arrive(DESKTOP)
    const { page } = visitor
    await page.clock.install()
    await visit(page, '/')
    const slider = main(page).getByRole('region', { name: 'Pictures of celebrations' })
    const track = slider.locator('.slider-track')
    const offset = () =>
      track.evaluate((element) => Math.round(new DOMMatrix((element as HTMLElement).style.transform).m41))
    const stops = () =>
      track.evaluate((element) => [...element.children].map((slide) => -(slide as HTMLElement).offsetLeft))

    await expect(
      track.evaluate((element) => (element as HTMLElement).style.transitionDuration),
    ).resolves.toBe('300ms')
    // The slider pauses under the pointer. Once that leaves, the interval starts again.
    const box = await slider.boundingBox()
    if (!box) throw new Error('The slider is not shown')
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await page.mouse.move(point.x, point.y)
    await stopTheClock(page)
    const start = await offset()
    await page.clock.runFor(10_000)
    expect(await offset()).toBe(start)
    await page.mouse.move(5, 5)
    await page.clock.runFor(2_999)
    expect(await offset()).toBe(start)
    await page.clock.runFor(1)
    await expect.poll(offset).not.toBe(start)

    // A drag of 5 px is a press, one of 6 moves the row.
    await page.mouse.move(point.x, point.y)
    const held = await offset()
    await page.mouse.down()
    await page.mouse.move(point.x - 5, point.y)
    expect(await offset()).toBe(held)
    await page.mouse.move(point.x - 6, point.y)
    await expect.poll(offset).toBe(held - 6)
    await page.mouse.up()
    await expect.poll(async () => (await stops()).includes(await offset())).toBe(true)
    await visitor.leave()
  })

  it('stands still for people who prefer reduced motion', async () => {
    const visitor = await stage.arrive(DESKTOP)
    const { page } = visitor
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.clock.install()
    await visit(page, '/')
    const slider = main(page).getByRole('region', { name: 'Pictures of celebrations' })
    await expect(slider.getByRole('button', { name: 'Pause' }).count()).resolves.toBe(0)
    const before = await slider.locator('.slider-track').getAttribute('style')
    await page.clock.runFor(20_000)
    await expect(slider.locator('.slider-track').getAttribute('style')).resolves.toBe(before)
    await visitor.leave()
  })

  it.each(USUAL_SIZES)('links to the eight categories and to businesses, at $width px', async (size) => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/')
    for (const [name, path] of [
      ['Venues', '/venues'],
      ['Photographers', '/photographers'],
      ['Hairdresser', '/hairdressers'],
      ['Sounds & DJ', '/sounds-dj'],
      ['Catering', '/catering'],
      ['Videographers', '/videographers'],
      ['Event Planners', '/event-planners'],
      ['Extras', '/extras'],
    ] as const) {
      await main(page).locator(`a[href="${path}"]`, { hasText: name }).first().waitFor()
    }
    for (const heading of ['Loved by the people who booked them', 'New here', 'How it works']) {
      await main(page).getByRole('heading', { name: heading }).waitFor()
    }
    await main(page).getByRole('region', { name: 'New here' }).getByRole('article').first().click()
    await page.waitForURL(/\/business\//)
    await visitor.leave()
  })
})

describe.each(EITHER_SIZE)('the business page at $width px', (size) => {
  it('shows everything specified, and Go Back', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/venues')
    const answer = gate()
    await page.route('**/business/*.data*', async (route) => {
      await answer.opened
      await route.continue()
    })
    await main(page).getByRole('link', { name: 'Harbour Light Pavilion' }).first().click()
    await main(page).getByText('Loading vendor...', { exact: true }).waitFor()
    await page.locator('.page-progress').waitFor({ state: 'attached' })
    answer.open()
    await main(page).getByRole('heading', { level: 1, name: 'Harbour Light Pavilion' }).waitFor()
    await expect(page.title()).resolves.toBe('Harbour Light Pavilion | Jubilee')
    const description = await page.locator('meta[name=description]').getAttribute('content')
    expect([...(description ?? '')]).toHaveLength(150)
    await main(page).getByRole('heading', { name: 'About', exact: true }).waitFor()
    await expect(main(page).getByText('Starting Price:').locator('xpath=..').innerText()).resolves.toBe(
      'Starting Price: $145.00',
    )
    await main(page)
      .getByRole('heading', { name: /reviews?/i })
      .first()
      .waitFor()
    await main(page).getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByText('Harbour Light Pavilion added to cart!', { exact: true }).waitFor()
    await main(page).getByRole('link', { name: 'Book Now' }).first().click()
    await page.waitForURL(/\/book\/harbour-light-pavilion$/)
    // The navigation state contains the business.
    const state = await page.evaluate(() => (window.history.state as { usr: unknown }).usr)
    expect(state).toMatchObject({
      business: { id: 'harbour-light-pavilion', name: 'Harbour Light Pavilion', price: '145.00' },
    })
    await page.goBack()
    await main(page).getByRole('button', { name: 'Go Back' }).click()
    await page.waitForURL(/\/venues$/)
    await visitor.leave()
  })

  it('fades its pictures in a loop, every 3000 ms for 800 ms, and pauses on pointer and focus', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await page.clock.install()
    await visit(page, '/business/harbour-light-pavilion')
    const pictures = main(page).getByRole('region', { name: 'Pictures of Harbour Light Pavilion' })
    const shown = () => pictures.locator('.fade-slide[data-shown=true]').getAttribute('aria-label')
    await expect(
      pictures
        .locator('.fade-slide')
        .first()
        .evaluate((element) => getComputedStyle(element).transitionDuration),
    ).resolves.toMatch(/^0\.8s/)
    const box = await pictures.boundingBox()
    if (!box) throw new Error('The pictures are not shown')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await stopTheClock(page)
    const first = Number((await shown())?.match(/\d/)?.[0])
    const imageAfter = (steps: number) => `Image ${((first - 1 + steps) % 3) + 1} of 3`
    await page.clock.runFor(10_000)
    expect(await shown()).toBe(imageAfter(0))
    await page.mouse.move(5, 5)
    for (const step of [1, 2, 3]) {
      await page.clock.runFor(2_999)
      expect(await shown()).toBe(imageAfter(step - 1))
      await page.clock.runFor(1)
      await expect.poll(shown).toBe(imageAfter(step))
    }
    // Keyboard focus pauses it, too.
    await pictures.getByRole('button', { name: 'Previous image' }).focus()
    await page.keyboard.press('Tab')
    await page.clock.runFor(10_000)
    expect(await shown()).toBe(imageAfter(3))
    await page.keyboard.press('Enter')
    await expect.poll(shown).toBe(imageAfter(4))
    await visitor.leave()
  })

  it('shows the placeholder for a failed or missing picture', async () => {
    const visitor = await stage.arrive(size, [/Failed to load resource/])
    const { page } = visitor
    await page.route('**/illustrations/venue-bay-pavilion/**', (route) => route.abort())
    await visit(page, '/business/harbour-light-pavilion')
    const slide = main(page).locator('.fade-slide').first()
    await slide.locator('[data-placeholder]').waitFor({ state: 'attached' })
    const bare = await aBusiness(stage.server.services.db, {
      id: `bare-${size.width}`,
      place_id: 'melbourne-vic',
      // Old, so that other pages don't list it as new.
      created_at: new Date('2020-01-01'),
    })
    await visit(page, `/business/${bare.id}`)
    await main(page).getByRole('img', { name: bare.name }).and(page.locator('[data-placeholder]')).waitFor()
    await visitor.leave()
  })

  it('reports a missing business', async () => {
    const visitor = await stage.arrive(size, [/404 \(Not Found\)/])
    const { page } = visitor
    await visit(page, '/business/no-such-business')
    await main(page).getByRole('heading', { level: 1, name: 'Business not found.' }).waitFor()
    await visit(page, '/no/such/screen')
    await main(page).getByRole('heading', { level: 1, name: 'This page isn’t here' }).waitFor()
    await visitor.leave()
  })
})

describe.each(USUAL_SIZES)('the scroll position at $width px', (size) => {
  it('returns to the top on a path change, comes back by Back and Forward, and stays on a query change', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/venues-vendors')
    const links = main(page).getByRole('article').getByRole('link')
    await links.nth(8).scrollIntoViewIfNeeded()
    const there = await scrolled(page)
    expect(there).toBeGreaterThan(200)
    await links.nth(8).click()
    await page.waitForURL(/\/business\//)
    await main(page).getByRole('button', { name: 'Go Back' }).waitFor()
    expect(await scrolled(page)).toBe(0)
    await page.evaluate(() => window.scrollTo(0, 333))
    await page.goBack()
    await page.waitForURL(/\/venues-vendors$/)
    await expect.poll(() => scrolled(page)).toBe(there)
    await page.goForward()
    await page.waitForURL(/\/business\//)
    await expect.poll(() => scrolled(page)).toBe(333)

    await visit(page, '/venues-vendors')
    const next = main(page).getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Next' })
    await next.scrollIntoViewIfNeeded()
    const foot = await scrolled(page)
    await next.click()
    await page.waitForURL(/after=/)
    await main(page).getByRole('link', { name: 'Previous' }).waitFor({ state: 'attached' })
    // A shorter list limits the position.
    const furthest = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
    expect(await scrolled(page)).toBe(Math.min(foot, furthest))
    await visitor.leave()
  })
})

describe('a script that can’t be fetched', () => {
  it('loads the destination’s document instead, which retries its own script only once', async () => {
    const visitor = await stage.arrive(DESKTOP, [/ERR_FAILED/])
    const { page } = visitor
    const documents: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
    })
    await visit(page, '/')
    await page.route(scriptOf('routes/site/events'), (route) => route.abort())
    const toEvents = page.getByRole('banner').getByRole('link', { name: 'Occasions' })
    const there = main(page).getByRole('heading', { level: 1, name: 'What are you planning?' })
    await toEvents.click()
    await there.waitFor()
    await expect.poll(() => documents).toEqual(['/', '/events', '/events'])
    await page.waitForLoadState('networkidle')
    expect(documents).toEqual(['/', '/events', '/events'])
    await there.waitFor()

    // From here on the page works without its scripts: a link loads a document.
    await page.getByRole('banner').getByRole('link', { name: 'Jubilee' }).first().click()
    await page.waitForURL(`${stage.server.origin}/`)
    await hydrated(page)
    await page.unroute(scriptOf('routes/site/events'))
    await toEvents.click()
    await there.waitFor()
    await visitor.leave()
  })

  it('causes no loop after a page that redirects', async () => {
    const visitor = await stage.arrive(PHONE, [/ERR_FAILED/])
    const { page } = visitor
    const documents: string[] = []
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
    })
    await page.route(scriptOf('routes/site/home'), (route) => route.abort())
    await page.goto('/payment')
    await page.waitForURL(`${stage.server.origin}/`)
    await main(page).getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => documents).toEqual(['/payment', '/', '/'])
    await page.waitForLoadState('networkidle')
    expect(documents).toEqual(['/payment', '/', '/'])
    await visitor.leave()
  })

  it('reloads the document once if it is one of its own', async () => {
    const visitor = await stage.arrive(PHONE, [/ERR_FAILED/])
    const { page } = visitor
    let failures = 0
    await page.route(scriptOf('routes/businesses/venues-vendors'), async (route) => {
      failures += 1
      if (failures === 1) await route.abort()
      else await route.continue()
    })
    await page.goto('/venues-vendors')
    await expect.poll(() => failures).toBe(2)
    await hydrated(page)
    await visitor.leave()
  })
})

describe.each(USUAL_SIZES)('the footer at $width px', (size) => {
  it('shows the contact block, the social links, the copyright and the two PDFs', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await visit(page, '/')
    const footer = page.getByRole('contentinfo')
    const { contact, social } = stage.server.services.config
    await footer.getByText(contact.address).waitFor()
    await expect(footer.getByRole('link', { name: contact.phone }).getAttribute('href')).resolves.toMatch(
      /^tel:\+?\d+$/,
    )
    await expect(footer.getByRole('link', { name: contact.email }).getAttribute('href')).resolves.toBe(
      `mailto:${contact.email}`,
    )
    for (const [name, url] of [
      ['Facebook', social.facebook],
      ['Instagram', social.instagram],
      ['TikTok', social.tiktok],
      ['YouTube', social.youtube],
    ] as const) {
      await expect(footer.getByRole('link', { name }).getAttribute('href')).resolves.toBe(url)
    }
    await footer.getByText(`© ${new Date().getFullYear()} Jubilee`).waitFor()
    for (const name of ['Terms of Service', 'Privacy Policy']) {
      const download = page.waitForEvent('download')
      await footer.getByRole('link', { name }).click()
      expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
    }
    await visitor.leave()
  })

  it('subscribes to the newsletter: Submitting..., then thanks or an error', async () => {
    const visitor = await stage.arrive(size, [/ERR_FAILED|Failed to load resource/])
    const { page } = visitor
    await visit(page, '/')
    const footer = page.getByRole('contentinfo')
    const email = footer.getByLabel('Email')
    const address = `letter-${size.width}@example.com`
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    await expect(email.evaluate((input) => (input as HTMLInputElement).validity.valueMissing)).resolves.toBe(
      true,
    )
    await email.fill('no address')
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    await expect(email.evaluate((input) => (input as HTMLInputElement).validity.typeMismatch)).resolves.toBe(
      true,
    )

    await page.route('**/newsletter.data*', (route) => route.abort())
    await email.fill(address)
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    await footer.getByText('Subscription failed. Please try again.', { exact: true }).waitFor()
    await expect(email.inputValue()).resolves.toBe(address)
    await page.unroute('**/newsletter.data*')
    await page.route('**/newsletter.data*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    const refusal = page.waitForResponse((response) => response.status() === 502)
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    await refusal
    await footer.getByRole('button', { name: 'Subscribe', disabled: false }).waitFor()
    await footer.getByText('Subscription failed. Please try again.', { exact: true }).waitFor()
    await page.unroute('**/newsletter.data*')

    const answer = gate()
    await page.route('**/newsletter.data*', async (route) => {
      await answer.opened
      await route.continue()
    })
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    const submitting = footer.getByRole('button', { name: 'Submitting...', exact: true })
    await submitting.waitFor()
    await expect(submitting.isDisabled()).resolves.toBe(true)
    answer.open()
    await footer.getByText('Thank you for subscribing!', { exact: true }).waitFor()
    await expect(email.inputValue()).resolves.toBe('')
    await expect(
      stage.server.services.db
        .selectFrom('newsletter')
        .select('email')
        .where('email', '=', address)
        .execute(),
    ).resolves.toHaveLength(1)
    await visitor.leave()
  })
})
