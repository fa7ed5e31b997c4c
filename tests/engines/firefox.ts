import puppeteer from 'puppeteer-core'
import type { Engine } from './engine.ts'
import { ARRIVE, ERROR_SCRIPT, leaveFor, takeKeptErrors } from './page-errors.ts'
import { endWithUs } from './process-group.ts'

/** Firefox, driven by Puppeteer over WebDriver BiDi. */
export async function startFirefox(program: string): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: program,
    headless: true,
    // A phone's, which take no room.
    extraPrefsFirefox: { 'ui.useOverlayScrollbars': 1 },
    env: { ...process.env, TZ: 'Australia/Melbourne' },
  })
  const version = await browser.version()
  const { pid } = browser.process() ?? {}
  const end = pid ? endWithUs(pid) : () => {}
  return {
    name: `Firefox ${/[\d]+/.exec(version)?.[0]}`,
    async open(size) {
      const context = await browser.createBrowserContext()
      // A tab behind another gets hardly any frames.
      const page = await context.newPage({ type: 'window' })
      await page.setViewport(size)
      await page.evaluateOnNewDocument(ERROR_SCRIPT)
      const evaluate = (expression: string) => page.evaluate(expression)
      return {
        async goto(address) {
          await evaluate(leaveFor(address))
          await page.goto(address, { waitUntil: 'domcontentloaded' })
          await evaluate(ARRIVE)
        },
        evaluate,
        async grip(expression) {
          const handle = await page.evaluateHandle(expression)
          const element = handle.asElement()
          if (!element) return null
          return {
            click: () => (element as Awaited<ReturnType<typeof page.$>>)?.click() ?? Promise.resolve(),
            attach: (paths) =>
              (element as NonNullable<Awaited<ReturnType<typeof page.$<'input'>>>>).uploadFile(...paths),
          }
        },
        type: (text) => page.keyboard.type(text),
        press: (key) => page.keyboard.press(key),
        takeErrors: () => takeKeptErrors(evaluate),
        close: () => context.close(),
      }
    },
    async close() {
      await browser.close()
      end()
    },
  }
}
