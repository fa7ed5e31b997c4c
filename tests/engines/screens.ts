import { beforeAll, describe, expect, it } from 'vitest'
import { DESKTOP, PHONE } from '../e2e/browser.ts'
import { preparePages, showFewBusinesses, type Visits, WHO } from '../e2e/pages.ts'
import type { Size } from './engine.ts'
import type { EngineStage } from './engine-stage.ts'
import { findFaults, scrollThrough } from './in-page.ts'
import { inPage, type Visitor } from './visitor.ts'

/** Chromium writes a line for each document that isn't found, which is these screens' purpose. */
const NOT_FOUND = /status of 4\d\d/

/** The screens that `npm test` opens in every engine: one of each kind of page. */
const CORE = {
  everybody: [
    '/',
    '/venues',
    '/business/harbour-light-pavilion',
    '/book/harbour-light-pavilion',
    '/list-your-business',
    '/cart',
    '/help/withdraw-or-cancel',
    '/no/such/screen',
  ],
  customer: ['/my-bookings', '/messages', '/settings-privacy', '/notifications'],
  vendor: ['/dashboard', '/dashboard/bookings', '/dashboard/inbox', '/dashboard/list-business/new'],
  operator: ['/operations', '/operations/payments', '/operations/ledger'],
} as const satisfies Visits

/** Opens each path and returns the faults of each. */
async function lookAt(visitor: Visitor, paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const add = (faults: readonly string[]) => found.push(...faults.map((fault) => `${path}: ${fault}`))
    try {
      await visitor.visit(path)
      await visitor.tab.evaluate(inPage(scrollThrough))
      await visitor.isReady()
      add((await visitor.tab.evaluate(inPage(findFaults))) as string[])
      const at = (await visitor.tab.evaluate('location.pathname + location.search')) as string
      // The printed address moves its key into a cookie.
      if (at !== path.replace(/\?key=.*/, '')) add([`led to ${at}`])
    } catch (error) {
      add([String(error)])
    }
    add((await visitor.tab.takeErrors()).filter((error) => !NOT_FOUND.test(error)))
  }
  return found
}

function testScreens(stage: EngineStage, size: Size, paths: () => Visits): void {
  // All screens of a role are one test, which takes a minute on a slow machine.
  describe(`at ${size.width} px`, { timeout: 600_000 }, () => {
    it.each(WHO)('all screens for %s open without an error, and none scrolls sideways', async (who) => {
      const visitor =
        who === 'everybody' ? await stage.arrive(size) : await stage.arriveAs(`${who}@jubilee.example`, size)
      const found = await lookAt(visitor, paths()[who])
      await visitor.leave()
      expect(found.join('\n')).toBe('')
    })
  })
}

/** One screen of each kind. */
export function testCoreScreens(stage: EngineStage): void {
  describe('of the main screens', () => testScreens(stage, PHONE, () => CORE))
}

/** Every screen of each role, at the widths of a phone, and in one engine of a desktop. */
export function testAllScreens(stage: EngineStage): void {
  describe('of every screen', () => {
    let visits: Visits
    beforeAll(async () => {
      await showFewBusinesses(stage.server.services.db)
      visits = await preparePages(stage.server.services)
    })
    testScreens(stage, PHONE, () => visits)
    if (stage.engine === 'Firefox') testScreens(stage, DESKTOP, () => visits)
  })
}
