import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { installPinned, type PinnedTool } from '../tests/pinned-package.ts'

export const LIGHTHOUSE: PinnedTool = {
  name: 'lighthouse',
  packages: { lighthouse: '13.5.0', 'puppeteer-core': '25.16.0' },
  before: '2026-11-27',
}

/** Checks what we read of a Lighthouse result. */
export const lhr = z.object({
  runtimeError: z.object({ message: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  ),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.number().nullable(),
      displayValue: z.string().optional(),
      numericValue: z.number().optional(),
      // A list for most audits, an object of checks for some, such as 'document-latency-insight'.
      details: z.object({ items: z.unknown().optional() }).optional(),
    }),
  ),
})
/** The parts of a Lighthouse result that we read. */
export type Lhr = z.infer<typeof lhr>
const result = z.object({ lhr })
const flowResult = z.object({ steps: z.array(result) })

/** The parts of a Puppeteer page that we use. */
export type FlowPage = {
  goto(url: string, options: { waitUntil: 'networkidle2' }): Promise<unknown>
  locator(selector: string): { click(): Promise<void> }
  keyboard: { type(text: string, options: { delay: number }): Promise<void> }
  close(): Promise<void>
}
type FlowBrowser = { newPage(): Promise<FlowPage>; disconnect(): Promise<void> }
type Flow = {
  startTimespan(): Promise<void>
  endTimespan(): Promise<void>
  createFlowResult(): Promise<unknown>
}
type LighthouseModule = {
  default(url: string, flags: object): Promise<unknown>
  startFlow(page: FlowPage, options: object): Promise<Flow>
}
type PuppeteerModule = {
  connect(options: { browserURL: string; defaultViewport: null }): Promise<FlowBrowser>
}

export type Lighthouse = {
  /** One visit. */
  visit(url: string, flags: object): Promise<Lhr>
  /** Runs `act` on the page and returns Lighthouse's result for that time. */
  watch(page: FlowPage, config: object, act: () => Promise<void>): Promise<Lhr>
  connect: PuppeteerModule['connect']
}

/**
 * Lighthouse, which nothing but `npm run lighthouse` needs, so it is not among the product's packages: with what it
 * brings along, it would be a sixth of all files that `npm ci` writes.
 * @throws if it can't be downloaded on a machine's first run
 */
export async function loadLighthouse(): Promise<Lighthouse> {
  const folder = await installPinned(LIGHTHOUSE)
  const { resolve } = createRequire(join(folder, 'package.json'))
  const load = (name: string) => import(pathToFileURL(resolve(name)).href)
  const lighthouse = (await load('lighthouse')) as LighthouseModule
  const { connect } = (await load('puppeteer-core')) as PuppeteerModule
  return {
    visit: async (url, flags) => result.parse(await lighthouse.default(url, flags)).lhr,
    async watch(page, config, act) {
      const flow = await lighthouse.startFlow(page, { config })
      await flow.startTimespan()
      await act()
      await flow.endTimespan()
      const [step] = flowResult.parse(await flow.createFlowResult()).steps
      if (!step) throw new Error('Lighthouse returned no step')
      return step.lhr
    },
    connect,
  }
}
