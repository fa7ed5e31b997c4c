import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

type Result = { id: string; nodes: { html: string; failureSummary?: string }[] }
type Axe = { run(options: object): Promise<{ violations: Result[] }> }

// The minified file, since each document compiles it again.
const require = createRequire(import.meta.url)
const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Loads axe into every document that the page opens from now on. Motion is reduced, so that no change of the theme starts a transition of
 * each element.
 */
export async function bringAxe(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(source)
}

/** The violations on the current page: of every rule in the light theme, and of the colour rules in the dark one. */
export async function findViolations(page: Page, state: string): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: Axe }
    const found: { theme: string; id: string; html: string; summary?: string | undefined }[] = []
    const look = async (theme: 'light' | 'dark', rules: object) => {
      document.documentElement.dataset.theme = theme
      // An element halfway through a fade lacks contrast, and the end of one animation may start another.
      for (let isMoving = true; isMoving; ) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
        const moving = document
          .getAnimations()
          .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        isMoving = moving.length > 0
        for (const animation of moving) animation.finish()
      }
      // Only violations are read, so axe need not describe anything else.
      const { violations } = await inPage.run({ ...rules, resultTypes: ['violations'] })
      for (const { id, nodes } of violations) {
        for (const { html, failureSummary } of nodes) found.push({ theme, id, html, summary: failureSummary })
      }
    }
    await look('light', {})
    await look('dark', { runOnly: ['color-contrast', 'link-in-text-block'] })
    delete document.documentElement.dataset.theme
    return found
  })
  return found.map(
    ({ theme, id, html, summary }) => `${state}, ${theme}: ${id}: ${html.slice(0, 160)}\n  ${summary}`,
  )
}
