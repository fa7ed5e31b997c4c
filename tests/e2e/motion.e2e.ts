import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DESKTOP, EITHER_SIZE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

const stage = joinStage()

type Watched = Window & { moved: Promise<string[]>[] }

/** Records the animated pseudo-elements of every view transition once it has started. */
async function watchTransitions(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = window as unknown as Watched
    watched.moved = []
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (update) => {
      const transition = start(update)
      watched.moved.push(
        transition.ready.then(() =>
          document
            .getAnimations()
            .map(({ effect }) => (effect as KeyframeEffect).pseudoElement ?? '')
            .filter((name) => name.startsWith('::view-transition')),
        ),
      )
      return transition
    }
  })
}

const movedParts = (page: Page) =>
  page.evaluate(async () => (await Promise.all((window as unknown as Watched).moved)).flat())

/** Opens a list and the first business on it. */
async function openFirstBusiness(page: Page): Promise<void> {
  await visit(page, '/hairdressers')
  await page.getByRole('main').getByRole('article').first().getByRole('link').click()
  await page.waitForURL(/\/business\//)
  await page.getByRole('main').getByRole('link', { name: 'Book Now' }).first().waitFor()
}

describe.each(EITHER_SIZE)('from a card to its page at $width px', (size) => {
  it('the card’s picture grows into the page’s picture', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await watchTransitions(page)
    await openFirstBusiness(page)
    expect(await movedParts(page)).toContain('::view-transition-group(picture)')

    // From there to another business: again one name on each side.
    const similar = page.getByRole('main').getByRole('article').getByRole('article').first()
    const name = await similar.getByRole('link').innerText()
    await similar.getByRole('link').click()
    await page.getByRole('main').getByRole('heading', { level: 1, name }).waitFor()
    expect(
      (await movedParts(page)).filter((part) => part === '::view-transition-group(picture)'),
    ).toHaveLength(2)
    await visitor.leave()
  })

  it('nothing moves for people who prefer reduced motion', async () => {
    const visitor = await stage.arrive(size)
    const { page } = visitor
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await watchTransitions(page)
    await openFirstBusiness(page)
    expect(await movedParts(page)).toEqual([])
    await visitor.leave()
  })
})

it('a change of the theme starts no transition where motion is reduced', async () => {
  const visitor = await stage.arrive(DESKTOP)
  const { page } = visitor
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visit(page, '/login')
  const started = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    let started = 0
    document.addEventListener('transitionrun', () => {
      started++
    })
    const before = getComputedStyle(document.body).color
    document.documentElement.dataset.theme = 'dark'
    for (let frames = 0; frames < 3; frames++) await frame()
    return { started, isDark: getComputedStyle(document.body).color !== before }
  })
  expect(started).toEqual({ started: 0, isDark: true })
  await visitor.leave()
})
