import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { discoveryAddress } from '../../app/shared/route-discovery.ts'
import { requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

/** The routes of private sections, as browsers discover them (decision 73). */

let server: TestServer
beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
})
afterAll(() => server.close())

const { get: fetchPath } = requestsTo(() => server)
const fetchText = async (path: string) => (await fetchPath(path)).text()

async function manifestOf(page: string): Promise<{ address: string; script: string; version: string }> {
  const [, address = '', version = ''] =
    /"(\/assets\/manifest-(\w+)[\w-]*\.js)"/.exec(await fetchText(page)) ?? []
  return { address, script: await fetchText(address), version }
}

async function discover(segment: string): Promise<Response> {
  const { version } = await manifestOf('/')
  return fetchPath(discoveryAddress(segment, version))
}

describe('the manifest of a public page', () => {
  it('names every public route', async () => {
    const { script } = await manifestOf('/')
    for (const path of ['business/:id', 'book/:id', ':category/in/:place', 'payment', 'shortlist/:link?'])
      expect(script).toContain(`"path":"${path}"`)
  })

  it('names no private route', async () => {
    const { script } = await manifestOf('/business/harbour-light-pavilion')
    expect(script).not.toMatch(/routes\/(account\/layout|dashboard|operations|sandbox)\b|my-bookings|see-as/)
  })
})

describe('the manifest of a private page', () => {
  it('names the routes of its section and the public ones', async () => {
    // A stranger sees the notice of Decision 15.
    const { address, script } = await manifestOf('/dashboard/list-business')
    expect(address).toContain('-dashboard.js')
    expect(script).toContain('routes/dashboard/payouts')
    expect(script).toContain('"path":"business/:id"')
    expect(script).not.toContain('routes/operations')
  })
})

describe('discovery', () => {
  it.each([
    ['/dashboard', 'routes/dashboard/payouts'],
    ['/operations', 'routes/operations/ledger'],
    ['/my-bookings', 'routes/account/settings-privacy'],
    ['/userdashboard', 'routes/account/overview'],
    ['/sandbox', 'routes/sandbox/account'],
  ])('answers %s with the whole section, with ids, for ever', async (segment, id) => {
    const answer = await discover(segment)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const routes = (await answer.json()) as Record<string, { id: string; module: string }>
    expect(routes[id]).toMatchObject({ id, module: expect.stringMatching(/^\/assets\//) })
    expect(Object.keys(routes)).not.toContain('root')
  })

  it('answers a section with its own routes alone', async () => {
    const routes = Object.keys(await (await discover('/dashboard')).json())
    expect(
      routes.filter((id) => !id.startsWith('routes/dashboard/') && !/-listing$|^payout-/.test(id)),
    ).toEqual([])
  })

  it('knows no routes of a path that is in no section', async () => {
    const answer = await discover('/nowhere')
    expect(await answer.json()).toEqual({})
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('tells a browser of another release to load documents', async () => {
    const answer = await fetchPath(discoveryAddress('/dashboard', '00000000'))
    expect(answer.status).toBe(204)
    expect(answer.headers.get('x-remix-reload-document')).toBe('true')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('answers an address without paths or version', async () => {
    expect((await fetchPath('/__manifest')).status).toBe(204)
  })
})
