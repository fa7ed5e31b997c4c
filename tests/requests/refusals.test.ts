import { afterAll, beforeAll, expect, it } from 'vitest'
import { aSignUp, requestsTo, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

/** TLS ends at a proxy: requests arrive as http, while browsers send the public https origin. */
const PUBLIC = 'https://jubilee.example'
let server: TestServer
const logged: string[] = []

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: {
      PUBLIC_URL: PUBLIC,
      PAYMENTS: 'sandbox',
      MAIL: 'outbox',
      SECRET: 'only-for-this-test-only-for-this-test',
    },
  })
  server.services.log.error = (fields: object, message: string) => {
    logged.push(`${message} ${JSON.stringify(fields)}`)
  }
})
afterAll(() => server.close())

const { send } = requestsTo(() => ({ ...server, origin: 'http://jubilee.example' }))
const signUpFrom = (origin: string, host: string, email: string) =>
  sendTo({ ...server, origin: `http://${host}` }, '/signup', {
    fields: aSignUp(email),
    headers: { origin },
  })

it('accepts forms behind a TLS-terminating proxy under any Host, but none from other sites', async () => {
  expect((await signUpFrom(PUBLIC, 'jubilee.example', 'one@example.com')).status).toBe(302)
  expect((await signUpFrom(PUBLIC, '10.0.0.7:3000', 'two@example.com')).status).toBe(302)
  expect((await signUpFrom('https://evil.example', 'jubilee.example', 'three@example.com')).status).toBe(403)
  expect((await signUpFrom('null', 'jubilee.example', 'four@example.com')).status).toBe(403)
})

it('refuses unsupported methods and bodies without logging an error', async () => {
  const headers = { origin: PUBLIC }
  expect(
    (await send('/photographers', { method: 'POST', headers, body: new URLSearchParams() })).status,
  ).toBe(405)
  expect((await send('/photographers.data', { method: 'POST', headers, body: '{}' })).status).toBe(405)
  expect((await send('/login', { method: 'POST', headers, body: 'no form' })).status).toBe(400)
  expect(logged).toEqual([])
})
