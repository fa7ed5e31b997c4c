import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { PHONE, visit } from './browser.ts'
import { joinStage } from './stage.ts'

/**
 * How much the browser does until the paint after a press, counted in elements, since times vary (docs/performance.md,
 * 'Interaction').
 */

const stage = joinStage()

type TraceEvent = { name: string; ts: number; tid: number; args: Record<string, Record<string, unknown>> }

/** Until what happened before has been painted. */
const twoFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  )

/** @returns the number of elements whose style the browser computes first after a press of the selector's first element */
async function countStyled(page: Page, selector: string): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]))
  })
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline'] },
  })
  await page.locator(selector).first().click()
  await twoFrames(page)
  const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await isComplete
  await session.detach()
  const released = events.find(({ name, args }) => name === 'EventDispatch' && args.data?.type === 'mouseup')
  if (!released) throw new Error(`No press of ${selector} was traced.`)
  const counts = events
    .filter(({ name, ts, tid }) => name === 'UpdateLayoutTree' && tid === released.tid && ts > released.ts)
    .sort((one, other) => one.ts - other.ts)
    .map(({ args }) => Number(args.elementCount))
  const [first] = counts
  if (first === undefined) throw new Error(`The press of ${selector} changed no style.`)
  return first
}

it('saving a business computes the style of the heart and the counter alone', async () => {
  const visitor = await stage.arrive(PHONE)
  const { page } = visitor
  await visit(page, '/venues')
  expect(await countStyled(page, 'main button[aria-label^="Save "]')).toBeLessThan(40)
  await visitor.leave()
})

// The sheet is a modal dialog, for which a browser computes the style of the whole page behind it, once.
it('the filters open with the fields in sight, and the others follow', async () => {
  const visitor = await stage.arrive(PHONE)
  const { page } = visitor
  await visit(page, '/venues')
  const summary = page.getByRole('main').locator('summary').first()
  const behind = await page.evaluate(() => document.querySelectorAll('body *').length)
  const styled = (await countStyled(page, 'main summary')) - behind
  // A whole screen of fields, of the thousand elements that they have.
  expect(styled).toBeGreaterThan(40)
  expect(styled).toBeLessThan(350)

  const areAllRendered = () =>
    page
      .locator('.search-fields > *')
      .evaluateAll((fields) =>
        fields
          .filter((field) => field.localName !== 'datalist')
          .every((field) => field.checkVisibility() && (field.firstElementChild ?? field).checkVisibility()),
      )
  await expect.poll(areAllRendered).toBe(true)
  await page.getByRole('button', { name: 'Close the filters' }).click()
  await expect.poll(areAllRendered).toBe(false)
  await summary.click()
  await expect.poll(areAllRendered).toBe(true)
  await visitor.leave()
})

it('a message about the field before doesn’t move what is pressed, and follows the press', async () => {
  const visitor = await stage.arrive(PHONE)
  const { page } = visitor
  await visit(page, '/book/harbour-light-pavilion')
  const main = page.getByRole('main')
  await main.getByLabel('Email').fill('kim at example')
  const day = main.getByRole('button', { name: /, free$/ }).first()
  await day.scrollIntoViewIfNeeded()
  const before = await day.boundingBox()
  if (!before) throw new Error('No free day is in sight.')
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
  await page.mouse.down()
  await twoFrames(page)
  expect(await day.boundingBox()).toEqual(before)
  await page.mouse.up()
  await main.getByText('Enter an email address like name@example.com.').waitFor()
  await main.locator('button[aria-pressed="true"][aria-label$=", chosen"]').waitFor()

  // A keyboard leaves a field without a press.
  await main.getByLabel('Full name').focus()
  await page.keyboard.press('Tab')
  await main.getByText('Enter your full name.').waitFor()
  await visitor.leave()
})
