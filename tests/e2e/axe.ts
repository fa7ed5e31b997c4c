import axe from 'axe-core'
import type { Page } from 'playwright-core'

type Result = { id: string; nodes: { html: string; failureSummary?: string }[] }
type Axe = { run(options: object): Promise<{ violations: Result[] }> }

/** Gives each document that the page loads from now on its own axe. */
export async function bringAxe(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(axe.source)
}

/** What axe finds on the page as it stands: by day with every rule, by night once more what colours can break. */
export async function findViolations(page: Page, state: string): Promise<string[]> {
  const found = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: Axe }
    const found: { theme: string; id: string; html: string; summary?: string | undefined }[] = []
    for (const theme of ['light', 'dark']) {
      document.documentElement.dataset.theme = theme
      // What is half way through a fade has half of its contrast, and one that ends may begin another below it.
      for (let round = 0; round < 4; round++) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
        for (const animation of document.getAnimations()) {
          if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
        }
      }
      const rules = theme === 'light' ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] }
      // Of what passes nothing is read, so axe need not describe it.
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
