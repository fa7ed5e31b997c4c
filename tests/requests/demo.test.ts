import { get } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { openEmbeddedDatabase } from '../database.ts'
import { cookiesOf, startServer, type TestServer } from '../server.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

const post = (to: TestServer, path: string, fields: Record<string, string>, cookie = '') =>
  to.fetch(
    new Request(`${to.origin}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: to.origin, cookie },
    }),
  )

it('the demo starts under any password policy: its accounts keep their passwords, and only new ones have to meet it', async () => {
  server = await startServer({
    openDatabase: openEmbeddedDatabase,
    demo: true,
    env: {
      PASSWORD_MIN_LENGTH: '12',
      PASSWORD_REQUIRE_UPPERCASE: '1',
      PASSWORD_REQUIRE_NUMERIC: '1',
      PASSWORD_REQUIRE_NON_ALPHANUMERIC: '1',
    },
  })
  for (const role of ['customer', 'vendor', 'operator']) {
    const email = `${role}@jubilee.example`
    const signIn = await post(server, '/login', { email, password: 'celebrate' })
    expect([email, signIn.status]).toEqual([email, 302])
  }
  const newcomer = { displayName: 'Nia', email: 'nia@example.com' }
  expect((await post(server, '/signup', { ...newcomer, password: 'celebrate' })).status).toBe(400)
  expect((await post(server, '/signup', { ...newcomer, password: 'Celebrate-2027' })).status).toBe(302)

  const signIn = await post(server, '/login', { email: 'customer@jubilee.example', password: 'celebrate' })
  const cookie = cookiesOf(signIn)
  const change = (newPassword: string) =>
    post(
      server as TestServer,
      '/settings-privacy',
      { intent: 'password', currentPassword: 'celebrate', newPassword },
      cookie,
    )
  expect((await change('celebrate again')).status).toBe(400)
  expect((await change('Celebrate-2027')).status).toBeLessThan(400)
})

/** The status over a real connection, since a browser takes the Host header from its page's address. */
const statusWithHost = (to: TestServer, path: string, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(`${to.origin}${path}`, { headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    }).on('error', reject)
  })

it('the demo serves its outbox and metrics to this machine only, even under DNS rebinding', async () => {
  server = await startServer({ openDatabase: openEmbeddedDatabase, demo: true, listen: true })
  const { host, port } = new URL(server.origin)
  for (const path of ['/outbox', '/outbox.data', '/metrics']) {
    expect([path, await statusWithHost(server, path, host)]).toEqual([path, 200])
    expect([path, await statusWithHost(server, path, `127.0.0.1:${port}`)]).toEqual([path, 200])
    expect([path, await statusWithHost(server, path, `rebound.example:${port}`)]).toEqual([path, 404])
    expect([path, await statusWithHost(server, path, `localhost.rebound.example:${port}`)]).toEqual([
      path,
      404,
    ])
  }
})
