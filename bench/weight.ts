import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../tests/e2e/browser.ts'
import { freePort } from '../tests/free-port.ts'
import { kilobytes, weighPage } from '../tests/weight.ts'
import { RUN_SERVER, startChild } from './measure.ts'
import type { Row } from './run.ts'

/** Weighs public pages: scripts and styles after gzip, and the pictures that a phone fetches for a category page. */

const PAGES = ['/', '/venues', '/business/harbour-light-pavilion']
const PHONE = { width: 390, height: 844 }
const PHONE_PIXELS = 2
const STEP_PX = 600
/** Time for pictures that scroll into view to load. */
const STEP_PAUSE_MS = 400

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jubilee-bench-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const child = await startChild(RUN_SERVER, {
    env: { PORT: String(port), PUBLIC_URL: origin, DATA_DIR: folder },
    isReady: / is at /,
  })
  try {
    const rows: Row[] = []
    for (const path of PAGES) {
      const { scripts, styles } = weighPage(await (await fetch(`${origin}${path}`)).text())
      rows.push({
        what: `${path}: scripts; styles, gzip`,
        result: `${kilobytes(scripts.gzip)} in ${scripts.files}; ${kilobytes(styles.gzip)}`,
        aim: '135 kB; 18 kB',
      })
    }
    const { first, whole } = await fetchPictures(`${origin}/venues`)
    rows.push({
      what: `/venues at ${PHONE.width} px, ${PHONE_PIXELS} pixels each: pictures of the first screen; scrolled to the end`,
      result: `${kilobytes(first.bytes)} in ${first.count}; ${kilobytes(whole.bytes)} in ${whole.count}`,
    })
    return rows
  } finally {
    await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fetchPictures(address: string) {
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ viewport: PHONE, deviceScaleFactor: PHONE_PIXELS })
    const page = await context.newPage()
    const seen = { count: 0, bytes: 0 }
    page.on('response', async (response) => {
      if (response.request().resourceType() !== 'image') return
      const { length } = await response.body()
      seen.count += 1
      seen.bytes += length
    })
    await page.goto(address, { waitUntil: 'networkidle' })
    const first = { ...seen }
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    for (let at = 0; at < height; at += STEP_PX) {
      await page.mouse.wheel(0, STEP_PX)
      await page.waitForTimeout(STEP_PAUSE_MS)
    }
    return { first, whole: { ...seen } }
  } finally {
    await browser.close()
  }
}
