import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../tests/database.ts'
import { type FirebaseServer, hostedSettings, startFirebaseServer } from '../../../tests/firebase-server.ts'
import { startServer, type TestServer } from '../../../tests/server.ts'

let firebase: FirebaseServer
let server: TestServer

beforeAll(async () => {
  firebase = await startFirebaseServer()
  server = await startServer({
    openDatabase: openTestDatabase,
    env: {
      ...hostedSettings(firebase),
      LOG_LEVEL: 'silent',
    },
  })
})
afterAll(async () => {
  await server.close()
  await firebase.close()
})

const claimsOf = (name: string) => ({ sub: `subject-${name}`, email: `${name}@example.com` })

/** Signs in through the form, as the browser does once the SDK has the token. */
async function aSignedIn(name: string, next = '/') {
  const answer = await server.fetch(
    new Request(`${server.origin}/login?next=${encodeURIComponent(next)}`, {
      method: 'POST',
      headers: { origin: server.origin },
      body: new URLSearchParams({
        email: `${name}@example.com`,
        password: await firebase.sign(claimsOf(name)),
      }),
    }),
  )
  return { answer, cookie: cookiesOf(answer) }
}

const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

const renew = (body: unknown, headers: Record<string, string> = {}) =>
  server.fetch(
    new Request(`${server.origin}/api/hosted-session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.origin, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

describe('the forms with a hosted service', () => {
  it('open a session for a token, and redirect only to our own paths', async () => {
    const { answer, cookie } = await aSignedIn('robin', '/my-profile')
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('/my-profile')
    const session = await server.fetch(new Request(`${server.origin}/api/session`, { headers: { cookie } }))
    expect(await session.json()).toMatchObject({ user: { email: 'robin@example.com', emailVerified: false } })
    const elsewhere = await aSignedIn('robin', '//evil.example')
    expect(elsewhere.answer.headers.get('location')).toBe('/')
  })

  it('open no session for a password', async () => {
    const answer = await server.fetch(
      new Request(`${server.origin}/login`, {
        method: 'POST',
        headers: { origin: server.origin },
        body: new URLSearchParams({ email: 'robin@example.com', password: 'a real password' }),
      }),
    )
    expect(answer.status).toBe(400)
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe('/api/hosted-session', () => {
  it('renews with a token of the same person, and keeps the hint that tabs compare', async () => {
    const { cookie } = await aSignedIn('kim')
    const answer = await renew({ idToken: await firebase.sign(claimsOf('kim')) }, { cookie })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(cookiesOf(answer)).toBe(cookie)
  })

  it('renews an expired session, which is signed out until then', async () => {
    const { cookie } = await aSignedIn('tess')
    await server.services.db
      .updateTable('sessions')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute()
    const ask = () => server.fetch(new Request(`${server.origin}/api/session`, { headers: { cookie } }))
    const ranOut = await ask()
    expect(await ranOut.json()).toMatchObject({ user: null, ended: null, canRenew: true })
    expect(ranOut.headers.getSetCookie()).toEqual([])
    await renew({ idToken: await firebase.sign(claimsOf('tess')) }, { cookie })
    expect(await (await ask()).json()).toMatchObject({ user: { email: 'tess@example.com' }, canRenew: false })
  })

  it('refuses a missing session, another person and a disabled account, and clears their cookies', async () => {
    const { cookie } = await aSignedIn('isla')
    const stranger = await firebase.sign(claimsOf('noah'))
    const own = await firebase.sign(claimsOf('isla'))
    for (const answer of [await renew({ idToken: own }), await renew({ idToken: stranger }, { cookie })]) {
      expect(answer.status).toBe(401)
      expect(await answer.json()).toEqual({ reason: 'user-token-expired' })
      expect(answer.headers.getSetCookie().every((value) => value.includes('Max-Age=0'))).toBe(true)
    }
    await server.services.db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('email', '=', 'isla@example.com')
      .execute()
    const disabled = await renew({ idToken: own }, { cookie })
    expect(disabled.status).toBe(401)
    expect(await disabled.json()).toEqual({ reason: 'user-disabled' })
  })

  it.each(['', '{', '[]', '{}', '{"idToken":1}', `{"idToken":"${'x'.repeat(10_000)}"}`])(
    'refuses a malformed body (%#)',
    async (body) => {
      expect((await renew(body)).status).toBe(400)
    },
  )

  it('refuses a request from another site', async () => {
    const { cookie } = await aSignedIn('grace')
    const idToken = await firebase.sign(claimsOf('grace'))
    expect((await renew({ idToken }, { cookie, origin: 'https://evil.example' })).status).toBe(403)
  })
})

describe('pages with a hosted service', () => {
  const SERVICE = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']
  const open = async (at: TestServer) => {
    const page = await at.fetch(new Request(`${at.origin}/login`))
    const policy = page.headers.get('content-security-policy') ?? ''
    const connect = policy.split('; ').find((part) => part.startsWith('connect-src')) ?? ''
    return { page, policy, connect }
  }

  it('allow its origins in their policy, and contain its public settings', async () => {
    const { FIREBASE_AUTH_EMULATOR_URL: _, ...settings } = hostedSettings(firebase)
    const real = await startServer({ openDatabase: openTestDatabase, env: settings })
    const { page, policy, connect } = await open(real)
    for (const origin of SERVICE) expect(connect).toContain(origin)
    expect(policy).not.toContain('http:')
    expect(policy).not.toContain('googletagmanager')
    expect(await page.text()).toContain('test-key')
    await real.close()
  })

  it('allow only the emulator in their policy while there is one', async () => {
    const { policy, connect } = await open(server)
    expect(connect).toBe(`connect-src 'self' ${firebase.url}`)
    for (const origin of SERVICE) expect(policy).not.toContain(origin)
  })

  it.each([
    ['resetPassword', '/reset-password?token=abc'],
    ['verifyEmail', '/verify-email?token=abc'],
    ['verifyAndChangeEmail', '/verify-email?token=abc'],
    ['recoverEmail', '/undo-email-change?token=abc'],
    ['something-else', '/login'],
    ['constructor', '/login'],
  ])('redirect a mailed link (%s) to our own screen', async (mode, to) => {
    const answer = await server.fetch(new Request(`${server.origin}/account-action?mode=${mode}&oobCode=abc`))
    expect(answer.headers.get('location')).toBe(to)
  })
})
