import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { openEmbeddedDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'
import { arrive, meet, openBrowser, type Person, signIn } from './browser.ts'
import { createContextPool } from './context-pool.ts'

type Size = { width: number; height: number }
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** The browser and server of an end-to-end test file, from its first hook to its last. */
export type Stage = {
  readonly browser: Browser
  readonly server: TestServer
  /** Like `arrive` in browser.ts, on this server. */
  arrive(viewport: Size, expectedErrors?: RegExp[]): Promise<Person>
  /**
   * The same for a person who is signed in to a demo account. The first call signs in. Later calls reuse that session
   * while it exists.
   */
  arriveAs(email: string, viewport: Size, expectedErrors?: RegExp[]): Promise<Person>
}

/**
 * The files of a lane run one after another in one process without isolation. This module, its browser and its server
 * outlive each file.
 */
let browser: Promise<Browser> | null = null
let sharedServer: Promise<TestServer> | null = null
let visitors = 0

/** Switches optimised compilation off: no document of a test lives long enough to gain from it. */
const QUICK_SCRIPTS = ['--js-flags=--no-opt --no-maglev --single-threaded-gc']

// Exits normally, so that exit handlers close the browser and remove the data folder.
process.once('SIGTERM', () => process.exit())

/** The lane's browser, ready for the next file. Each person has their own context in it. */
export async function laneBrowser(): Promise<Browser> {
  const open = await browser
  if (!open?.isConnected()) {
    browser = openBrowser(QUICK_SCRIPTS)
    return browser
  }
  // A failed test of the previous file may have left contexts open.
  await Promise.all(open.contexts().map((context) => context.close()))
  return open
}

function start({ env, ...options }: Partial<Parameters<typeof startServer>[0]> = {}): Promise<TestServer> {
  return startServer({
    openDatabase: openEmbeddedDatabase,
    listen: true,
    demo: true,
    drawnPictures: inject('drawnPictures'),
    // As in the demo, so that every page can be opened.
    env: { PAYOUTS: 'sandbox', ...env },
    ...options,
  })
}

/**
 * The lane's browser and a separate server with the demo on an embedded database. For files that change shared data:
 * settings, demo accounts and their listings, whole tables. Call it once, before other hooks.
 * @param options.demo false starts without the demo's accounts and listings
 * @param options.newContexts opens a new browser context for each person, for files that need scripts, styles or
 *   pictures to be uncached. Otherwise, contexts are emptied and lent again (context-pool.ts)
 */
export function openStage({
  newContexts = false,
  ...options
}: Parameters<typeof start>[0] & { newContexts?: boolean } = {}): Stage {
  return setUp(() => start(options), { isOwn: true, newContexts })
}

/**
 * The same on the lane's shared server, for files that only read, or write their own data: guest bookings on unused
 * days, carts, newsletter addresses. Each person has their own network address, so no limit counts the files together.
 * @param options.newContexts as in `openStage`
 */
export function joinStage({ newContexts = false } = {}): Stage {
  return setUp(
    () => {
      sharedServer ??= start({ env: { TRUSTED_PROXY: '1' } })
      return sharedServer
    },
    { isOwn: false, newContexts },
  )
}

function setUp(
  openServer: () => Promise<TestServer>,
  { isOwn, newContexts }: { isOwn: boolean; newContexts: boolean },
): Stage {
  let ownBrowser: Browser
  let server: TestServer
  let pool: ReturnType<typeof createContextPool>
  const sessions = new Map<string, StorageState>()
  beforeAll(async () => {
    ;[ownBrowser, server] = await Promise.all([laneBrowser(), openServer()])
    pool = createContextPool(ownBrowser, server.origin)
  })
  afterAll(async () => {
    if (isOwn) await server?.close()
  })

  async function come(viewport: Size, expectedErrors: RegExp[] = [], storageState?: StorageState) {
    const options = {
      ...(storageState ? { storageState } : {}),
      ...(isOwn ? {} : { extraHTTPHeaders: { 'x-forwarded-for': nextAddress() } }),
    }
    if (newContexts) return arrive(ownBrowser, server.origin, viewport, expectedErrors, options)
    const { page, leave } = await pool.lend(viewport, options)
    return meet(page, expectedErrors, leave)
  }

  /** Whether the session still exists, since a test may have ended it. */
  async function isSignedIn(email: string, { cookies }: StorageState): Promise<boolean> {
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const answer = await server.fetch(new Request(`${server.origin}/api/session`, { headers: { cookie } }))
    return ((await answer.json()) as { user: { email: string } | null }).user?.email === email
  }

  return {
    get browser() {
      return ownBrowser
    },
    get server() {
      return server
    },
    arrive: (viewport, expectedErrors) => come(viewport, expectedErrors),
    async arriveAs(email, viewport, expectedErrors) {
      const known = sessions.get(email)
      if (known && (await isSignedIn(email, known))) return come(viewport, expectedErrors, known)
      const person = await come(viewport, expectedErrors)
      await signIn(person.page, server.origin, email)
      sessions.set(email, await person.context.storageState())
      return person
    },
  }
}

/** Returns an unused address from those reserved for tests by RFC 2544, since RFC 5737 reserves too few. */
function nextAddress(): string {
  visitors += 1
  return `198.18.${visitors >> 8}.${visitors & 255}`
}
