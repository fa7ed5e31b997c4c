import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, PASSWORD } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let reads = 0

/** Counts the reads of a session by its token, which each look-up of a browser's session does once. */
const counter: KyselyPlugin = {
  transformQuery({ node }) {
    const text = JSON.stringify(node)
    if (
      node.kind === 'SelectQueryNode' &&
      text.includes('"name":"sessions"') &&
      text.includes('"name":"token"')
    )
      reads++
    return node
  },
  transformResult: async ({ result }) => result,
}

beforeAll(async () => {
  server = await startServer({
    async openDatabase(content) {
      const connection = await openTestDatabase(content)
      return { ...connection, db: connection.db.withPlugin(counter) }
    },
    env: { TRUSTED_PROXY: '1' },
  })
})
afterAll(() => server.close())

async function arrives(email: string): Promise<Client> {
  const browser = new Client(server)
  await browser.signUp(email)
  return browser
}

describe('a request', () => {
  it.each(['/settings-privacy', '/settings-privacy.data', '/my-profile', '/my-bookings', '/api/session'])(
    'reads its session once: %s',
    async (path) => {
      const browser = await arrives(`reads${path.replaceAll('/', '-')}@example.com`)
      reads = 0
      const response = await browser.get(path)
      expect(response.status).toBe(200)
      await response.text()
      expect(reads).toBe(1)
    },
  )

  it('shows the sessions as they are after its own form has ended one', async () => {
    const email = 'two-browsers@example.com'
    const [here, there] = [await arrives(email), new Client(server)]
    await there.post('/login', { email, password: PASSWORD })
    const page = await (await here.get('/settings-privacy')).text()
    const other = /name="session" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const after = await here.post(
      '/settings-privacy',
      { intent: 'session', session: other },
      { headers: { accept: 'text/html' } },
    )
    expect(await after.text()).not.toContain('name="session"')
    expect((await there.get('/settings-privacy')).status).toBe(302)
    expect(await there.user()).toBeNull()
  })
})
