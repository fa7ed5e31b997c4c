import { beforeAll, describe, expect, it } from 'vitest'
import { bringAxe, findViolations } from './axe.ts'
import { PHONE } from './browser.ts'
import { preparePages, type Visits, visitItself, WHO } from './pages.ts'
import { openStage } from './stage.ts'

/** 1280 px at 400 % (WCAG 2.2, 1.4.10). */
const ZOOMED = { width: 320, height: 640 }
/** What people may set themselves without losing anything (WCAG 2.2, 1.4.12). */
const TEXT_SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }`

const stage = openStage()
let visits: Visits

beforeAll(async () => {
  visits = await preparePages(stage.server.services)
})

/** What is wrong with the pages that somebody sees, of each kind that is looked for. */
type Found = Record<'cutOff' | 'smallTargets' | 'undrawn' | 'violations', string[]>

/** Goes once to each page and looks at it in all the ways below: zoomed, on a phone, and there in forced colours. */
async function lookAtAll(who: (typeof WHO)[number]): Promise<Found> {
  const expected = [/4\d\d \(/]
  const person =
    who === 'everybody'
      ? await stage.arrive(ZOOMED, expected)
      : await stage.arriveAs(`${who}@jubilee.example`, ZOOMED, expected)
  const { page } = person
  await bringAxe(page)
  const found: Found = { cutOff: [], smallTargets: [], undrawn: [], violations: [] }
  for (const path of visits[who]) {
    const add = (kind: keyof Found, lines: string[]) =>
      void found[kind].push(...lines.map((line) => `${path}: ${line}`))
    await page.setViewportSize(ZOOMED)
    await visitItself(page, path)
    await page.evaluate(() => document.fonts.ready)
    add('cutOff', await page.evaluate(findCutOff))
    await page.evaluate((css) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      document.adoptedStyleSheets = [sheet]
    }, TEXT_SPACING)
    const spaced = await page.evaluate(findCutOff)
    add(
      'cutOff',
      spaced.map((line) => `text spacing: ${line}`),
    )
    await page.evaluate(() => {
      document.adoptedStyleSheets = []
    })
    await page.setViewportSize(PHONE)
    add('smallTargets', await page.evaluate(findSmallTargets))
    found.violations.push(...(await findViolations(page, path)))
    // Last, since it moves the focus.
    await page.emulateMedia({ forcedColors: 'active' })
    add('undrawn', await page.evaluate(findUndrawn))
    add('undrawn', await page.evaluate(findUnmarkedFocus))
    await page.emulateMedia({ forcedColors: 'none' })
  }
  await person.leave()
  return found
}

/** Runs in the page. @returns what makes it scroll sideways, and texts of which a part can't be seen */
function findCutOff(): string[] {
  const found: string[] = []
  const { scrollWidth, clientWidth } = document.scrollingElement ?? document.body
  const nameOf = (element: Element) => element.outerHTML.slice(0, 140)
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  // A row that scrolls by itself, or slides.
  const isScrolled = (element: Element | null): boolean =>
    element !== null &&
    (/auto|scroll/.test(getComputedStyle(element).overflowX) ||
      element.classList.contains('slider-view') ||
      isScrolled(element.parentElement))
  if (scrollWidth > clientWidth) {
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) =>
        isSeen(element) && !isScrolled(element) && element.getBoundingClientRect().right > clientWidth + 1,
    )
    found.push(`${scrollWidth} px wide: ${wide.slice(0, 3).map(nameOf).join(' | ')}`)
  }
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    // What scrolls by itself loses nothing; what is only for screen readers has no size on purpose.
    if (
      !isSeen(element) ||
      element.closest('.unseen, [class*="sr-only"], .skip-link, [aria-hidden="true"], svg')
    )
      continue
    const style = getComputedStyle(element)
    const texts = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    )
    if (texts.length === 0) continue
    const cutsX = /hidden|clip/.test(style.overflowX) && element.scrollWidth > element.clientWidth + 1
    const cutsY = /hidden|clip/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1
    // Shortened on purpose: a title under a picture, whose page has all of it.
    const isShortened = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
    if ((cutsX || cutsY) && !isShortened) found.push(`cut off: ${nameOf(element)}`)
    if (isShortened || isScrolled(element)) continue
    for (const text of texts) {
      const range = document.createRange()
      range.selectNodeContents(text)
      if (range.getBoundingClientRect().right > clientWidth + 1)
        found.push(`past the edge: ${nameOf(element)}`)
    }
  }
  return found
}

/**
 * Runs in the page. @returns what is smaller than a finger needs: 44 px for what is drawn as a button, a field or an entry
 * of a menu, 24 px for every other target (WCAG 2.2, 2.5.8) but links within a sentence
 */
function findSmallTargets(): string[] {
  const targets = document.querySelectorAll<HTMLElement>(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [tabindex="0"]',
  )
  const found: string[] = []
  for (const target of targets) {
    if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (target.closest('.skip-link, [inert]')) continue
    // A control that its label draws is as large as that.
    const drawn =
      target.matches('input[type=radio], input[type=checkbox], input[type=file]') || target.matches('.unseen')
        ? (target.closest('label, .choice') ?? target)
        : target
    const after = getComputedStyle(target, '::after')
    const isCover =
      target.classList.contains('cover-link') || (after.position === 'absolute' && after.content !== 'none')
    if (isCover) continue
    const { width, height } = drawn.getBoundingClientRect()
    if (width === 0 || height === 0) continue
    // The exception for links in a line of text: their size is that of the text.
    const style = getComputedStyle(target)
    const around = [...(target.parentElement?.childNodes ?? [])].some(
      (node) => node !== target && node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    )
    if (target.tagName === 'A' && style.display === 'inline' && around) continue
    const isPrimary = target.matches(
      '.button:not(.button-small), .icon-button, .control, .tab-bar a, .drawer a',
    )
    const least = isPrimary ? 44 : 24
    if (width < least - 0.5 || height < least - 0.5)
      found.push(`${Math.round(width)} × ${Math.round(height)}: ${target.outerHTML.slice(0, 140)}`)
  }
  return found
}

/** Runs in the page. @returns buttons, fields and choices that nothing but a taken-away colour told from the page */
function findUndrawn(): string[] {
  const found: string[] = []
  const hasEdge = (element: Element) => {
    const style = getComputedStyle(element)
    const isDrawn = style.borderTopStyle !== 'none' && Number.parseFloat(style.borderTopWidth) > 0
    return isDrawn && !/^rgba\(.*, 0\)$/.test(style.borderTopColor)
  }
  for (const control of document.querySelectorAll('.button:not(.button-quiet), .control, .icon-button')) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (!hasEdge(control)) found.push(`no edge: ${control.outerHTML.slice(0, 140)}`)
  }
  return found
}

/** Runs in the page. @returns what has no mark when it gets the focus */
function findUnmarkedFocus(): string[] {
  const stops = document.querySelectorAll<HTMLElement>(
    'main a[href], main button, main input, main select, main summary',
  )
  const lines: string[] = []
  for (const stop of stops) {
    if (!stop.checkVisibility({ visibilityProperty: true }) || stop.matches(':disabled, [type=hidden]'))
      continue
    stop.focus({ focusVisible: true } as FocusOptions)
    if (document.activeElement !== stop) continue
    const frames: [Element | null, string?][] = [
      [stop],
      [stop, '::after'],
      [stop.parentElement],
      [stop.closest('label')],
      [stop.closest('form')],
    ]
    const isMarked = frames.some(([frame, pseudo]) => {
      if (!frame) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(frame, pseudo)
      // Forced colours give every outline a colour, a transparent one too.
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    })
    if (!isMarked) lines.push(`focus without a mark: ${stop.outerHTML.slice(0, 140)}`)
  }
  return lines
}

// The first test visits every page for all four, which takes minutes on a slow machine.
describe.each(WHO)('the pages for %s', { timeout: 600_000 }, (who) => {
  let walk: Promise<Found> | null = null
  // The first of these tests goes there.
  const look = () => {
    walk ??= lookAtAll(who)
    return walk
  }

  it('nothing scrolls sideways and nothing is cut off at 400 % zoom, with wider text as well', async () => {
    expect((await look()).cutOff.join('\n')).toBe('')
  })

  it('every target is large enough for a finger on a phone', async () => {
    expect((await look()).smallTargets.join('\n')).toBe('')
  })

  it('buttons and fields have an edge in forced colours, and so has the focus', async () => {
    expect((await look()).undrawn.join('\n')).toBe('')
  })

  it('no rule of axe is broken at 390 px', async () => {
    expect((await look()).violations.join('\n')).toBe('')
  })
})
