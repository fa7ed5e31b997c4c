import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Result = { id: string; nodes: { html: string; failureSummary?: string }[] }
type Axe = { run(options: object): Promise<{ violations: Result[] }> }

/** Loads axe into every document that the page opens from now on. */
export async function bringAxe(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(axe.source)
}

/** The violations on the current page: of every rule in the light theme, and of the colour rules in the dark one. */
export async function findViolations(page: Page, state: string): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: Axe }
    const found: { theme: string; id: string; html: string; summary?: string | undefined }[] = []
    for (const theme of ['light', 'dark']) {
      document.documentElement.dataset.theme = theme
      // An element halfway through a fade lacks contrast, and the end of one animation may start another.
      for (let round = 0; round < 4; round++) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
        for (const animation of document.getAnimations()) {
          if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
        }
      }
      const rules = theme === 'light' ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] }
      // Only violations are read, so axe need not describe anything else.
      const { violations } = await inPage.run({ ...rules, resultTypes: ['violations'] })
      for (const { id, nodes } of violations) {
        for (const { html, failureSummary } of nodes) found.push({ theme, id, html, summary: failureSummary })
      }
    }
    delete document.documentElement.dataset.theme
    return found
  })
  return found.map(
    ({ theme, id, html, summary }) => `${state}, ${theme}: ${id}: ${html.slice(0, 160)}\n  ${summary}`,
  )
}
