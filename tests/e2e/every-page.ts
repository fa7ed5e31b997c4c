import { beforeAll, describe, expect, it } from 'vitest'
import { sampleOfThisRun } from '../sample.ts'
import { bringAxe, findViolations } from './axe.ts'
import { DESKTOP, PHONE } from './browser.ts'
import {
  lengthenNames,
  preparePages,
  showFewBusinesses,
  type Visits,
  visitItself,
  type WHO,
} from './pages.ts'
import { openStage, type Stage } from './stage.ts'

/** 1280 px at 400 % (WCAG 2.2, 1.4.10). */
const ZOOMED = { width: 320, height: 640 }
/** Text spacing that people may set without losing content (WCAG 2.2, 1.4.12). */
const TEXT_SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }`

type Who = (typeof WHO)[number]

/** The problems found on an account's pages, by kind. */
type Found = Record<'cutOff' | 'cutRings' | 'smallTargets' | 'undrawn' | 'violations', string[]>

/** Visits each page once and checks it zoomed, on a phone, on a desktop, and in forced colours. */
async function lookAtAll(stage: Stage, paths: readonly string[], who: Who): Promise<Found> {
  const expected = [/4\d\d \(/]
  const person =
    who === 'everybody'
      ? await stage.arrive(ZOOMED, expected)
      : await stage.arriveAs(`${who}@jubilee.example`, ZOOMED, expected)
  const { page } = person
  await bringAxe(page)
  const found: Found = { cutOff: [], cutRings: [], smallTargets: [], undrawn: [], violations: [] }
  for (const path of paths) {
    const add = (kind: keyof Found, lines: string[]) =>
      void found[kind].push(...lines.map((line) => `${path}: ${line}`))
    await page.setViewportSize(ZOOMED)
    await visitItself(page, path)
    await page.evaluate(() => document.fonts.ready)
    add('cutOff', await page.evaluate(findCutOff))
    await page.evaluate(adoptStyles, TEXT_SPACING)
    const spaced = await page.evaluate(findCutOff)
    add(
      'cutOff',
      spaced.map((line) => `text spacing: ${line}`),
    )
    await page.setViewportSize(PHONE)
    await page.evaluate(adoptStyles, '')
    add('smallTargets', await page.evaluate(findSmallTargets))
    add('violations', await findViolations(page, 'at 390 px'))
    await page.setViewportSize(DESKTOP)
    // The two widths have the same states, and axe takes half of the time of this walk.
    if (process.env.NIGHT) add('violations', await findViolations(page, 'at 1440 px'))
    add('cutRings', await page.evaluate(findCutRings))
    await page.setViewportSize(PHONE)
    add('cutRings', await page.evaluate(findCutRings))
    // Last, since it moves the focus.
    await page.emulateMedia({ forcedColors: 'active' })
    add('undrawn', await page.evaluate(findUndrawn))
    add('undrawn', await page.evaluate(findUnmarkedFocus))
    await page.emulateMedia({ forcedColors: 'none' })
  }
  await person.leave()
  return found
}

/** Runs in the page. Adds styles of the test, instead of those before. */
function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [sheet]
}

/** Runs in the page. @returns elements in rows that scroll sideways whose focus ring is cut off by the row */
function findCutRings(): string[] {
  const found: string[] = []
  const stops = document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, summary)')
  for (const stop of stops) {
    if (!stop.checkVisibility({ visibilityProperty: true })) continue
    // A cover lies over its card, so what is between the two doesn't cut its ring off.
    const frame = stop.matches('.cover-link') ? stop.closest('.card-link') : stop
    const rows: Element[] = []
    for (let node = frame?.parentElement ?? null; node && node !== document.body; node = node.parentElement)
      if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX !== 'visible')
        rows.push(node)
    if (rows.length === 0) continue
    stop.focus({ focusVisible: true } as FocusOptions)
    if (document.activeElement !== stop) continue
    for (const row of rows) row.scrollLeft = 0
    stop.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    // The ring of a card is that of the cover over it.
    const drawn = [
      { style: getComputedStyle(stop), box: stop.getBoundingClientRect() },
      {
        style: getComputedStyle(stop, '::after'),
        box: (frame ?? stop).getBoundingClientRect(),
      },
    ].find(({ style }) => style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0)
    if (!drawn) continue
    const reach = Number.parseFloat(drawn.style.outlineWidth) + Number.parseFloat(drawn.style.outlineOffset)
    for (const row of rows) {
      const clip = row.getBoundingClientRect()
      const style = getComputedStyle(row)
      const margin = style.overflowX === 'clip' ? Number.parseFloat(style.overflowClipMargin) || 0 : 0
      const isHigh = style.overflowY === 'visible'
      const cut = {
        top: isHigh ? 0 : clip.top - margin - (drawn.box.top - reach),
        bottom: isHigh ? 0 : drawn.box.bottom + reach - (clip.bottom + margin),
        left: clip.left - margin - (drawn.box.left - reach),
      }
      const sides = Object.entries(cut).filter(([, px]) => px > 0.5 && px < reach + 0.5)
      if (sides.length > 0)
        found.push(
          `${window.innerWidth} px: ${sides.map(([side, px]) => `${side} ${px.toFixed(1)}`)}: ${stop.outerHTML.slice(0, 90)} in ${row.className}`,
        )
    }
  }
  return found
}

/** Runs in the page. @returns elements that make it scroll sideways, and texts that are cut off */
export function findCutOff(): string[] {
  const found: string[] = []
  const { scrollWidth, clientWidth } = document.scrollingElement ?? document.body
  const nameOf = (element: Element) => element.outerHTML.slice(0, 140)
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  // Inside a row with its own scrolling or sliding.
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
    // Texts for screen readers only are invisible on purpose.
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
    // Shortened on purpose: a title under a picture, which its page shows in full.
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
 * Runs in the page. @returns targets too small for a finger: under 44 px for buttons, fields and menu entries, under
 * 24 px for all others (WCAG 2.2, 2.5.8) except links within a sentence
 */
function findSmallTargets(): string[] {
  const targets = document.querySelectorAll<HTMLElement>(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [tabindex="0"]',
  )
  const found: string[] = []
  for (const target of targets) {
    if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (target.closest('.skip-link, [inert]')) continue
    // A control drawn by its label has the size of that label.
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
    // Links in a line of text are exempt, since they have the size of the text.
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

/** Runs in the page. @returns buttons and fields that stood out only by a colour, which forced colours remove */
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

/** Runs in the page. @returns elements without a focus mark */
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
      // Forced colours give every outline a colour, even a transparent one.
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    })
    if (!isMarked) lines.push(`focus without a mark: ${stop.outerHTML.slice(0, 140)}`)
  }
  return lines
}

/**
 * Defines the tests of the pages that these people may open, on a server of its own. A file has a few of them, so that no file takes
 * too long.
 */
export function checkEveryPage(people: readonly Who[]): { stage: Stage; visits(): Visits } {
  const stage = openStage()
  let visits: Visits

  beforeAll(async () => {
    await showFewBusinesses(stage.server.services.db)
    visits = await preparePages(stage.server.services)
    await lengthenNames(stage.server.services.db)
  })

  // The first test visits every page for all of them, which takes minutes on a slow machine.
  describe.each(people)('the pages for %s', { timeout: 600_000 }, (who) => {
    let walk: Promise<Found> | null = null
    // The first of these tests visits the pages for all of them.
    const look = () => {
      walk ??= lookAtAll(stage, sampleOfThisRun(visits[who], 1 / 3), who)
      return walk
    }

    it('neither scroll sideways nor cut text off at 400 % zoom, with wider text spacing as well', async () => {
      expect((await look()).cutOff.join('\n')).toBe('')
    })

    it('show the whole focus ring of what is in a row that scrolls sideways', async () => {
      expect((await look()).cutRings.join('\n')).toBe('')
    })

    it('have targets that are large enough for a finger on a phone', async () => {
      expect((await look()).smallTargets.join('\n')).toBe('')
    })

    it('draw the edges of buttons and fields, and the focus, in forced colours', async () => {
      expect((await look()).undrawn.join('\n')).toBe('')
    })

    it('break no rule of axe at 390 px, and by night at 1440 px', async () => {
      expect((await look()).violations.join('\n')).toBe('')
    })
  })

  return { stage, visits: () => visits }
}
