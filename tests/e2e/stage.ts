import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'
import { arrive, openBrowser, type Person, signIn } from './browser.ts'

type Size = { width: number; height: number }
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** What an end-to-end test plays on. It stands from the file's first hook to its last. */
export type Stage = {
  readonly browser: Browser
  readonly server: TestServer
  /** As `arrive` in browser.ts, at this server. */
  arrive(viewport: Size, expectedErrors?: RegExp[]): Promise<Person>
  /**
   * The same for somebody who is signed in to an account of the demo. They signed in once, in another window, whose
   * session this one goes on with.
   */
  arriveAs(email: string, viewport: Size, expectedErrors?: RegExp[]): Promise<Person>
}

/**
 * The files of a lane follow each other in one process, which is not isolated: this module, its browser and its server
 * outlive each file.
 */
let browser: Promise<Browser> | null = null
let sharedServer: Promise<TestServer> | null = null
let visitors = 0

/** Optimised compilation costs more than it saves: no document of a test lives long enough. */
const QUICK_SCRIPTS = ['--js-flags=--no-opt --no-maglev --single-threaded-gc']

// Ends as a process does that ends by itself: the browser goes with it, and the data folder.
process.once('SIGTERM', () => process.exit())

/** The lane's browser, for one more file. Every person has a context of their own in it. */
export async function laneBrowser(): Promise<Browser> {
  const open = await browser
  if (!open?.isConnected()) {
    browser = openBrowser(QUICK_SCRIPTS)
    return browser
  }
  // A test that failed in the file before left people behind.
  await Promise.all(open.contexts().map((context) => context.close()))
  return open
}

function start(options: Partial<Parameters<typeof startServer>[0]> = {}): Promise<TestServer> {
  return startServer({
    openDatabase: openTestDatabase,
    listen: true,
    demo: true,
    drawnPictures: inject('drawnPictures'),
    ...options,
  })
}

/**
 * The lane's browser, and a server of the file's own with the demo on an embedded database. For files that change what others look at: settings,
 * demo accounts and their listings, whole tables. Call it once, before other hooks.
 * @param options.demo false leaves the market empty
 */
export function openStage(options: Parameters<typeof start>[0] = {}): Stage {
  return setUp(() => start(options), { isOwn: true })
}

/**
 * The same on the lane's one server, for files that read, or write only what is theirs: bookings of guests on days of their own,
 * carts, newsletter addresses. Everybody comes from a network address of their own, so no limit counts the files together.
 */
export function joinStage(): Stage {
  return setUp(
    () => {
      sharedServer ??= start({ env: { TRUSTED_PROXY: '1' } })
      return sharedServer
    },
    { isOwn: false },
  )
}

function setUp(openServer: () => Promise<TestServer>, { isOwn }: { isOwn: boolean }): Stage {
  let ownBrowser: Browser
  let server: TestServer
  const sessions = new Map<string, StorageState>()
  beforeAll(async () => {
    ;[ownBrowser, server] = await Promise.all([laneBrowser(), openServer()])
  })
  afterAll(async () => {
    if (isOwn) await server?.close()
  })

  const come = (viewport: Size, expectedErrors: RegExp[] = [], storageState?: StorageState) =>
    arrive(ownBrowser, server.origin, viewport, expectedErrors, {
      ...(storageState ? { storageState } : {}),
      ...(isOwn ? {} : { extraHTTPHeaders: { 'x-forwarded-for': nextAddress() } }),
    })

  /** Whether the session is still there: a test may have ended it. */
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

/** One of the addresses that are kept for examples (RFC 5737 has too few of them, so RFC 2544's are taken). */
function nextAddress(): string {
  visitors += 1
  return `198.18.${visitors >> 8}.${visitors & 255}`
}
