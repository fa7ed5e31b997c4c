import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { isNarrow, openContext } from './browser.ts'

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** A page whose context belongs to one person until `leave`. */
export type LentPage = { readonly page: Page; leave(): Promise<void> }

type Lent = LentPage & { context: BrowserContext; session: CDPSession; hasTouch: boolean }

/** Events that a test may listen to. Playwright itself listens to others. */
const PAGE_EVENTS = [
  'console',
  'dialog',
  'domcontentloaded',
  'download',
  'filechooser',
  'framenavigated',
  'load',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
  'worker',
]

/**
 * Lends the contexts of a browser at one origin to one person after another. A new context costs a process and compiles
 * every script again, which takes longer than a page.
 */
export function createContextPool(browser: Browser, origin: string) {
  const free: Lent[] = []

  async function open(options: BrowserContextOptions): Promise<Lent> {
    const context = await openContext(browser, origin, options)
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    const isMarked = watchForMarks(page)
    const lent: Lent = {
      page,
      context,
      session,
      hasTouch: isNarrow(options.viewport),
      async leave() {
        if (isMarked() || page.isClosed()) return context.close()
        await empty(lent, origin)
        free.push(lent)
      },
    }
    return lent
  }

  return {
    /** Lends an empty context, or one with these cookies and this storage. */
    async lend(
      viewport: { width: number; height: number },
      options: { extraHTTPHeaders?: Record<string, string>; storageState?: StorageState },
    ): Promise<LentPage> {
      const index = free.findIndex(({ hasTouch }) => hasTouch === isNarrow(viewport))
      const [lent] = index < 0 ? [] : free.splice(index, 1)
      if (!lent) return open({ ...options, viewport })
      await lent.page.setViewportSize(viewport)
      await lent.context.setExtraHTTPHeaders(options.extraHTTPHeaders ?? {})
      if (options.storageState) await fill(lent, origin, options.storageState)
      return lent
    },
  }
}

/** Watches for changes that `empty` doesn't undo. Such a context is closed instead of lent again. */
function watchForMarks(page: Page): () => boolean {
  let isMarked = false
  const { clock } = page
  Object.defineProperty(page, 'clock', {
    get() {
      isMarked = true
      return clock
    },
  })
  const context = page.context()
  const marks: [object, string][] = [
    [page, 'addInitScript'],
    [page, 'addLocatorHandler'],
    [page, 'emulateMedia'],
    [page, 'exposeBinding'],
    [page, 'exposeFunction'],
    [page, 'setExtraHTTPHeaders'],
    [context, 'addInitScript'],
    [context, 'exposeBinding'],
    [context, 'exposeFunction'],
    [context, 'grantPermissions'],
    [context, 'newCDPSession'],
    [context, 'on'],
    [context, 'route'],
    [context, 'setGeolocation'],
  ]
  for (const [owner, name] of marks) {
    const methods = owner as Record<string, (...args: unknown[]) => unknown>
    const original = methods[name]
    Object.defineProperty(owner, name, {
      value(...args: unknown[]) {
        isMarked = true
        return original?.apply(owner, args)
      },
    })
  }
  return () => isMarked
}

/**
 * Removes everything of the person who was there: pages, cookies, storage, routes, listeners, history, and the pointer.
 * The cache stays. It holds files whose address changes with their content, and for a minute the suggestions of a
 * search, but no page.
 */
async function empty({ page, context, session }: Lent, origin: string): Promise<void> {
  for (const event of PAGE_EVENTS) page.removeAllListeners(event)
  await context.setOffline(false)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of context.pages()) if (other !== page) await other.close()
  // A document without scripts, drawn by the same process because it has the same origin.
  await page.goto('/robots.txt')
  await Promise.all([
    page.mouse.move(-1, -1),
    page.evaluate(() => {
      sessionStorage.clear()
      window.name = ''
    }),
    session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
    session.send('Page.resetNavigationHistory'),
    context.clearCookies(),
  ])
}

/** Restores the cookies and the storage of a signed-in person. */
async function fill({ page, context }: Lent, origin: string, state: StorageState): Promise<void> {
  await context.addCookies(state.cookies)
  const items = state.origins.find((stored) => stored.origin === origin)?.localStorage ?? []
  await page.evaluate((items) => {
    for (const { name, value } of items) localStorage.setItem(name, value)
  }, items)
}
