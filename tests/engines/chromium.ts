import { openBrowser, openContext } from '../e2e/browser.ts'
import type { Engine } from './engine.ts'

/** Chromium, driven by Playwright. */
export async function startChromium(origin: string): Promise<Engine> {
  const browser = await openBrowser()
  return {
    name: `Chromium ${browser.version().split('.')[0]}`,
    async open(size) {
      const context = await openContext(browser, origin, { viewport: size })
      const page = await context.newPage()
      let errors: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
      })
      page.on('pageerror', (error) => errors.push(String(error)))
      return {
        goto: async (address) => void (await page.goto(address, { waitUntil: 'domcontentloaded' })),
        evaluate: (expression) => page.evaluate(expression),
        async grip(expression) {
          const element = (await page.evaluateHandle<Element | null>(expression)).asElement()
          return element
            ? { click: () => element.click(), attach: (paths) => element.setInputFiles([...paths]) }
            : null
        },
        type: (text) => page.keyboard.type(text),
        press: (key) => page.keyboard.press(key),
        async takeErrors() {
          const taken = errors
          errors = []
          return taken
        },
        close: () => context.close(),
      }
    },
    close: () => browser.close(),
  }
}
