import { globSync, readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { header, PHONE } from './browser.ts'
import { preparePages, showFewBusinesses } from './pages.ts'
import { openStage } from './stage.ts'

/** A part of a page that throws: it keeps its HTML, and the rest of the page works. */

type Fault = 'when it is rendered' | 'in an effect' | 'when its script can’t be run'
type Part = { name: string; component: string; script: string }
type FaultyWindow = typeof globalThis & {
  partsFail?: Fault
  faults?: number
  htmlBefore?: string[]
  linksBefore?: string[]
}

const THROWN = 'Thrown by the test'
const EFFECT_WAIT_MS = 4_000

/** The deferred parts of the product, as its sources declare them, each with its built script. */
function deferredParts(): Part[] {
  // The build's own: the folder also has those of earlier builds.
  const scripts = JSON.parse(readFileSync('build/assets.json', 'utf8')) as string[]
  return globSync('app/**/*.tsx').flatMap((file) => {
    const calls = readFileSync(file, 'utf8').matchAll(
      /deferred\(\s*'([\w-]+)',\s*async \(\) => \(await import\('[^']*?([\w-]+)\.tsx'\)\)\.(\w+)/g,
    )
    return [...calls].map(([, name = '', module, component = '']) => {
      const script = scripts.find((one) => new RegExp(`^${module}-.{7}\\.js$`).test(one)) ?? ''
      return { name, component, script }
    })
  })
}

const stage = openStage({ newContexts: true })
const parts = deferredParts()
let pages: string[]

beforeAll(async () => {
  await showFewBusinesses(stage.server.services.db)
  const { everybody } = await preparePages(stage.server.services)
  const found = await Promise.all(
    everybody.map(async (path) => ((await hasPartsOfItsOwn(path)) ? [path] : [])),
  )
  const seen = new Set<string>()
  // One address of each kind: another search, or another article, has the same parts.
  pages = [...found.flat(), '/login'].filter((path) => {
    const kind = path.replace(/\?.*/, '').replace(/^\/(business|help|venues\/in)\/.*/, '$1')
    return !seen.has(kind) && seen.add(kind)
  })
})

/** Whether a document has deferred parts other than those of the frame, which are the same on all pages. */
async function hasPartsOfItsOwn(path: string): Promise<boolean> {
  const { server } = stage
  const html = await (await server.fetch(new Request(`${server.origin}${path}`))).text()
  return /<main.*<page-part.*<\/main>/s.test(html)
}

/**
 * Runs in the page as a part's script. Every component of the part throws as long as the window says so. An element
 * that can't be attached is an effect that throws: React finds it after it has hydrated the part.
 */
function faultyScript(address: string, components: readonly string[]): string {
  return `
    import * as real from '${address}?real'
    export * from '${address}?real'
    const fail = () => {
      window.faults = (window.faults ?? 0) + 1
      throw new Error('${THROWN}')
    }
    const attach = (node) => {
      if (!node || typeof node !== 'object') return node
      const of = (props) => ({ ...node, props, ref: null })
      if (typeof node.type === 'string') return of({ ...node.props, ref: fail })
      const children = [node.props?.children].flat()
      const at = children.findIndex((child) => typeof child?.type === 'string')
      return at < 0 ? node : of({ ...node.props, children: children.map((child, i) => i === at ? attach(child) : child) })
    }
    const faulty = (component) => (props) => {
      if (window.partsFail === 'when it is rendered') fail()
      const node = component(props)
      return window.partsFail === 'in an effect' ? attach(node) : node
    }
    ${components.map((name) => `const $${name} = faulty(real.${name}); export { $${name} as ${name} };`).join('\n')}
  `
}

/** Replaces the scripts of all deferred parts. */
async function breakParts(context: BrowserContext, fault: Fault): Promise<void> {
  for (const script of new Set(parts.map((part) => part.script).filter(Boolean))) {
    const components = parts.filter((part) => part.script === script).map((part) => part.component)
    await context.route(`**/assets/${script}`, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body:
          fault === 'when its script can’t be run'
            ? `throw new Error('${THROWN}')`
            : faultyScript(`/assets/${script}`, components),
      }),
    )
    await context.route(`**/assets/${script}?real`, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        path: `build/client/assets/${script}`,
      }),
    )
  }
  await context.addInitScript((how) => {
    const view = window as FaultyWindow
    view.partsFail = how as Fault
    document.addEventListener('DOMContentLoaded', () => {
      view.linksBefore = [...document.querySelectorAll<HTMLAnchorElement>('main a')].map(({ href }) => href)
      view.htmlBefore = [...document.querySelectorAll('page-part')].map((part) => part.textContent ?? '')
    })
  }, fault)
}

/** Runs in the page. @returns the texts of parts that differ from the document's */
function lostTexts(): string[] {
  const before = (window as FaultyWindow).htmlBefore ?? []
  const now = new Set([...document.querySelectorAll('page-part')].map((part) => part.textContent ?? ''))
  return before.filter((text) => !now.has(text)).map((text) => text.slice(0, 200))
}

/** Runs in the page. @returns links that are no longer there: an effect may change texts before another one throws */
function lostLinks(): string[] {
  const now = new Set([...document.querySelectorAll<HTMLAnchorElement>('main a')].map(({ href }) => href))
  return ((window as FaultyWindow).linksBefore ?? []).filter((href) => !now.has(href))
}

const retry = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Try again' })

describe('the deferred parts', () => {
  it('each have a script of their own, which the tests can replace', () => {
    expect(parts.length).toBeGreaterThan(20)
    expect(parts.filter(({ script }) => !script).map(({ name }) => name)).toEqual(['not-there'])
  })
})

describe.each(['when it is rendered', 'in an effect'] as const)(
  'a part that throws %s',
  { timeout: 300_000 },
  (fault) => {
    it('keeps its HTML on every public page, whose other parts work, and is logged once', async () => {
      const problems: string[] = []
      let tested = 0
      for (const path of pages) {
        const visitor = await stage.arrive(PHONE, [/./])
        const { page, context } = visitor
        await breakParts(context, fault)
        const reports: string[] = []
        page.on('request', (request) => {
          if (request.url().endsWith('/api/browser-error')) reports.push(request.postData() ?? '')
        })
        await page.goto(path)
        await page.locator('html[data-ready=true]').waitFor()
        // Not every part has an element of its own that an effect could fail at, and parts come to life one after another.
        const hasFailed = await retry(page)
          .waitFor(fault === 'when it is rendered' ? {} : { timeout: EFFECT_WAIT_MS })
          .then(
            () => true,
            () => false,
          )
        if (hasFailed) {
          tested += 1
          // The frame of the page still works: the drawer opens and closes.
          await header(page).getByRole('button', { name: 'Open menu' }).click()
          const drawer = page.getByRole('dialog', { name: 'Menu' })
          await drawer.getByRole('link').first().waitFor()
          await drawer.getByRole('button', { name: 'Close menu' }).click()
          const lost = await page.evaluate(fault === 'in an effect' ? lostLinks : lostTexts)
          const title = await page.getByRole('heading', { level: 1 }).first().innerText()
          if (/went wrong/.test(title)) problems.push(`${path}: the whole page has failed`)
          if (lost.length > 0) problems.push(`${path}: lost ${JSON.stringify(lost)}`)
          await expect.poll(() => reports.length).toBeGreaterThan(0)
          const names = reports.map((report) => report.split(' ')[0])
          if (names.includes('page')) problems.push(`${path}: an error reached the route’s boundary`)
          if (new Set(names).size < names.length) problems.push(`${path}: logged twice: ${names}`)
          if (reports.some((report) => / unknown /.test(report)))
            problems.push(`${path}: logged without its release`)
          await page.evaluate(() => {
            delete (window as FaultyWindow).partsFail
          })
          await retry(page).click()
          await retry(page).waitFor({ state: 'detached' })
          // React's own elements again, not copies.
          await page.waitForFunction(() =>
            [...document.querySelectorAll('footer a')].every((element) =>
              Object.keys(element).some((key) => key.startsWith('__reactProps$')),
            ),
          )
        }
        await visitor.leave()
      }
      expect(problems.join('\n')).toBe('')
      expect(tested).toBeGreaterThan(fault === 'when it is rendered' ? 12 : 0)
    })
  },
)

describe('a part whose script can’t be run', () => {
  it('keeps its HTML after the one reload', async () => {
    const visitor = await stage.arrive(PHONE, [/./])
    const { page, context } = visitor
    await breakParts(context, 'when its script can’t be run')
    await page.goto('/')
    await retry(page).waitFor()
    expect(await page.evaluate(lostTexts)).toEqual([])
    await visitor.leave()
  })
})
