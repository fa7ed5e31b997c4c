/**
 * `npm run screens`: takes screenshots of every screen in every state, light and dark, into the folder screens/. Its
 * index.html shows them side by side. `npm run screens -- --only booking --width 390 --theme light` takes only some
 * (`--only` matches a part of the state's name). Other existing screenshots stay.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { ensureBuilt } from '../server/build.ts'
import { openEmbeddedDatabase } from './database.ts'
import { logIn, openBrowser, WEBGL_SWITCHES } from './e2e/browser.ts'
import {
  ACCOUNTS,
  fillStates,
  pastStates,
  type ScreenState,
  screenStates,
  type Viewer,
} from './screen-states.ts'
import type { TestServer } from './server.ts'

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

const FOLDER = 'screens'
const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
]
const THEMES = ['light', 'dark']

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, width: { type: 'string' }, theme: { type: 'string' } },
})
const sizes = SIZES.filter(({ width }) => !options.width || String(width) === options.width)
const themes = THEMES.filter((theme) => !options.theme || theme === options.theme)

await ensureBuilt()
// Imported only now, since it loads the build.
const { startServer } = await import('./server.ts')
const browser = await openBrowser(WEBGL_SWITCHES)
let failures = 0
try {
  await shootAll(true, async (server) => screenStates(await fillStates(server)))
  await shootAll('with its past', () => pastStates)
} finally {
  await browser.close()
}
writeFileSync(join(FOLDER, 'index.html'), contactSheet())
process.stdout.write(`See ${FOLDER}/index.html.${failures > 0 ? ` ${failures} screenshots failed.` : ''}\n`)
process.exit(failures > 0 ? 1 : 0)

/** Starts a server with this demo and takes screenshots of those of its states that the options name. */
async function shootAll(
  demo: NonNullable<Parameters<typeof startServer>[0]['demo']>,
  statesOf: (server: TestServer) => Promise<readonly ScreenState[]> | readonly ScreenState[],
): Promise<void> {
  const server = await startServer({
    openDatabase: openEmbeddedDatabase,
    listen: true,
    demo,
    env: { PAYOUTS: 'sandbox' },
  })
  try {
    const states = (await statesOf(server)).filter(({ name }) => name.includes(options.only ?? ''))
    const sessions = await logInAll(server, states)
    for (const size of sizes) {
      for (const state of states) {
        try {
          await shoot(state, size, { baseURL: server.origin, storageState: sessions.get(state.viewer) })
        } catch (error) {
          failures += 1
          process.stderr.write(`${state.name} at ${size.width} px: ${error}\n`)
        }
      }
    }
  } finally {
    await server.close()
  }
}

/** The browser's storage of each account that sees one of the states. */
async function logInAll(
  server: TestServer,
  states: readonly ScreenState[],
): Promise<Map<Viewer, StorageState>> {
  const sessions = new Map<Viewer, StorageState>()
  for (const viewer of new Set(states.map((state) => state.viewer))) {
    if (viewer === 'visitor') continue
    const context = await browser.newContext({ baseURL: server.origin })
    await logIn(await context.newPage(), ACCOUNTS[viewer])
    sessions.set(viewer, await context.storageState())
    await context.close()
  }
  return sessions
}

/** Takes screenshots of one state at one width in each theme. */
async function shoot(
  state: ScreenState,
  viewport: { width: number; height: number },
  { baseURL, storageState }: { baseURL: string; storageState: StorageState | undefined },
): Promise<void> {
  const context = await browser.newContext({
    baseURL,
    viewport,
    locale: 'en-AU',
    timezoneId: 'Australia/Melbourne',
    hasTouch: viewport.width < 769,
    // Animations must not be captured halfway.
    reducedMotion: 'reduce',
    ...(storageState ? { storageState } : {}),
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  try {
    await state.open(page)
    await loadPictures(page)
    const folder = join(FOLDER, state.name)
    mkdirSync(folder, { recursive: true })
    for (const theme of themes) {
      // A mail follows the system's scheme, a page its own setting.
      await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' })
      await page.evaluate(async (name) => {
        document.documentElement.dataset.theme = name
        // Colour transitions start with the next frame.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))
      }, theme)
      await page.screenshot({ path: join(folder, `${viewport.width}-${theme}.png`), fullPage: true })
    }
  } finally {
    await context.close()
  }
}

/** Loads all visible pictures, those below the fold included. */
async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready
    const images = [...document.images].filter((image) => image.checkVisibility())
    for (const image of images) image.loading = 'eager'
    await Promise.all(images.map((image) => image.decode().catch(() => {})))
    // Scrolls up, so that the header is at the top of the screenshot.
    window.scrollTo(0, 0)
  })
}

/** The HTML of the index: a row for each state in the folder, a picture for each width and theme. */
function contactSheet(): string {
  const states = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const rows = states.map(({ name }) => {
    const pictures = readdirSync(join(FOLDER, name)).sort(
      (one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10),
    )
    const figures = pictures.map((file) => {
      const source = `${encodeURIComponent(name)}/${file}`
      const caption = file.replace('.png', '').replace('-', ' px, ')
      return `<figure><a href="${source}"><img loading="lazy" src="${source}" alt=""></a><figcaption>${caption}</figcaption></figure>`
    })
    return `<section><h2>${name}</h2><div>${figures.join('')}</div></section>`
  })
  return `<!doctype html><html lang="en-AU"><meta charset="utf-8"><title>Screens</title>
<style>
body { font: 15px system-ui; margin: 24px } div { display: flex; gap: 16px; overflow-x: auto; align-items: start }
figure { margin: 0 } figcaption { color: #555 } img { display: block; height: 420px; width: auto; max-width: 640px; object-fit: cover; object-position: top; border: 1px solid #ccc }
</style>
<h1>Screens</h1>${rows.join('\n')}</html>`
}
