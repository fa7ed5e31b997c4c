import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'
import { CLIENT_FOLDER, kilobytes, weighPage } from '../weight.ts'

/**
 * A public page's budget after gzip, in bytes: the files that its document names and their static imports. React and
 * its router are 107 kB of the scripts. Deferred parts (app/ui/deferred.tsx) don't count, since nobody waits for them.
 */
const MAX_SCRIPT_BYTES = 135_000
const MAX_STYLE_BYTES = 18_000
const PAGES = [
  '/',
  '/venues',
  '/venues/in/melbourne-vic',
  '/business/harbour-light-pavilion',
  '/vendorsprofile?id=demo-hamish-boyd',
]

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
})
afterAll(() => server.close())

it.each(PAGES)('%s stays in its budget', async (path) => {
  const html = await (await sendTo(server, path)).text()
  const { scripts, styles } = weighPage(html)
  process.stdout.write(
    `${path}: ${scripts.files} scripts ${kilobytes(scripts.gzip)} gzip, ${kilobytes(scripts.brotli)} brotli; ` +
      `styles ${kilobytes(styles.gzip)} gzip, ${kilobytes(styles.brotli)} brotli\n`,
  )
  expect(scripts.files).toBeGreaterThan(5)
  expect(scripts.gzip).toBeLessThanOrEqual(MAX_SCRIPT_BYTES)
  expect(styles.files).toBeGreaterThan(0)
  expect(styles.gzip).toBeLessThanOrEqual(MAX_STYLE_BYTES)
})

it('scripts are served as they were compressed at build time', async () => {
  const html = await (await sendTo(server, '/')).text()
  const [, address = ''] = /["'](\/assets\/entry\.client[\w.-]*\.js)["']/.exec(html) ?? []
  const ask = (encoding: string) => sendTo(server, address, { headers: { 'accept-encoding': encoding } })
  const [brotli, gzip] = await Promise.all([ask('gzip, deflate, br'), ask('gzip')])
  expect(brotli.headers.get('content-encoding')).toBe('br')
  expect(gzip.headers.get('content-encoding')).toBe('gzip')
  expect(brotli.headers.get('cache-control')).toContain('immutable')
  expect(existsSync(join(CLIENT_FOLDER, `${address}.br`))).toBe(true)
  expect(readdirSync(join(CLIENT_FOLDER, 'assets')).filter((name) => name.endsWith('.map'))).toEqual([])
})
