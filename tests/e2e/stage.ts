import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'
import { arrive, openBrowser, type Person } from './browser.ts'

/** What an end-to-end test plays on. It stands from the file's first hook to its last. */
export type Stage = {
  readonly browser: Browser
  readonly server: TestServer
  /** As `arrive` in browser.ts, at this server. */
  arrive(viewport: { width: number; height: number }, expectedErrors?: RegExp[]): Promise<Person>
}

/**
 * A browser, and the product with its demo on an embedded database, for all tests of a file. Call it once, before
 * other hooks.
 * @param options.demo false leaves the market empty
 */
export function openStage(options: Partial<Parameters<typeof startServer>[0]> = {}): Stage {
  let browser: Browser
  let server: TestServer
  beforeAll(async () => {
    browser = await openBrowser()
    server = await startServer({
      openDatabase: openTestDatabase,
      listen: true,
      demo: true,
      drawnPictures: inject('drawnPictures'),
      ...options,
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  return {
    get browser() {
      return browser
    },
    get server() {
      return server
    },
    arrive: (viewport, expectedErrors) => arrive(browser, server.origin, viewport, expectedErrors),
  }
}
