import type { FlowPage, Lighthouse } from './lighthouse-package.ts'

/** The phone that Lighthouse emulates, four times slower than this machine. */
const SLOWDOWN = 4
const SCREEN = { mobile: true, width: 412, height: 823, deviceScaleFactor: 1.75, disabled: false } as const
const CONFIG = {
  extends: 'lighthouse:default',
  settings: {
    onlyAudits: ['interaction-to-next-paint'],
    throttlingMethod: 'devtools',
    throttling: { cpuSlowdownMultiplier: SLOWDOWN },
    screenEmulation: SCREEN,
  },
} as const
const LETTER_MS = 60
const VENUE = 'harbour-light-pavilion'

type Act = (page: FlowPage) => Promise<unknown>
type Flow = { what: string; path: string; acts: Act[] }

const press =
  (selector: string): Act =>
  (page) =>
    page.locator(selector).click()
/** Each letter is an interaction, as typed by a person. */
const type =
  (selector: string, text: string): Act =>
  async (page) => {
    await page.locator(selector).click()
    await page.keyboard.type(text, { delay: LETTER_MS })
  }
const FREE_DAY = 'main button[aria-label$=", free"]'

const FLOWS: Flow[] = [
  {
    what: 'list: a heart, the filters, a number of guests',
    path: '/venues',
    acts: [
      press('main button[aria-label^="Save "]'),
      press('main summary'),
      type('main input[name="guests"]', '90'),
    ],
  },
  {
    what: 'business page: the next picture, a day, a number of guests',
    path: `/business/${VENUE}`,
    acts: [
      press('main button[aria-label="Next image"]'),
      press(FREE_DAY),
      type('main input[name="quantity"]', '90'),
    ],
  },
  {
    what: 'booking form: a name, a day, a number of guests',
    path: `/book/${VENUE}`,
    acts: [
      type('main input[name="fullName"]', 'Imogen'),
      press(FREE_DAY),
      type('main input[name="quantity"]', '90'),
    ],
  },
]

/** The slowest interaction of a flow, from the press to the next paint. */
export type FlowResult = { what: string; milliseconds: number }

/**
 * Measures interaction to next paint, by Lighthouse's user flows, with the processor four times slower.
 * @param address where the browser takes commands, 'http://127.0.0.1:9222'
 */
export async function measureFlows(
  lighthouse: Lighthouse,
  origin: string,
  address: string,
): Promise<FlowResult[]> {
  const browser = await lighthouse.connect({ browserURL: address, defaultViewport: null })
  try {
    const results: FlowResult[] = []
    for (const { what, path, acts } of FLOWS) {
      const page = await browser.newPage()
      await page.goto(`${origin}${path}`, { waitUntil: 'networkidle2' })
      const { audits } = await lighthouse.watch(page, CONFIG, async () => {
        for (const act of acts) await act(page)
      })
      const milliseconds = audits['interaction-to-next-paint']?.numericValue
      if (milliseconds === undefined) throw new Error(`${path}: no interaction was measured`)
      results.push({ what, milliseconds })
      await page.close()
    }
    return results
  } finally {
    await browser.disconnect()
  }
}
