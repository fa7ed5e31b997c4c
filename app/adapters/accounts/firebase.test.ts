import { createSecretKey } from 'node:crypto'
import { base64url, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aClock, aSecurityLog, aUser } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { type FirebaseServer, startFirebaseServer } from '../../../tests/firebase-server.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { createRateLimits } from '../rate-limits/database.server.ts'
import { createFirebaseService } from './firebase/service.server.ts'
import { createFirebaseAccounts, type HostedAccounts } from './firebase.server.ts'
import { CLIENT_ADDRESS_HEADER } from './port.ts'

const MINUTE_S = 60

let connection: Awaited<ReturnType<typeof openTestDatabase>>
let firebase: FirebaseServer
let clock: ReturnType<typeof aClock>
let accounts: HostedAccounts
let problems: string[] = []
let told: string[] = []

beforeAll(async () => {
  connection = await openTestDatabase()
  firebase = await startFirebaseServer()
})
afterAll(async () => {
  await firebase.close()
  await connection.close()
})
beforeEach(() => {
  problems = []
  told = []
  clock = aClock(new Date().toISOString())
  accounts = makeAccounts({})
})

function makeAccounts({
  projectId = firebase.projectId,
  url = firebase.url,
  origin = 'http://localhost:3000',
  emulatorUrl = null as string | null,
}) {
  /** The service's addresses, at the test's server. */
  const atServer = (address: string) => new URL(new URL(address).pathname + new URL(address).search, url)
  return createFirebaseAccounts({
    db: connection.db,
    publicUrl: new URL(origin),
    secret: 'a secret for tests, long enough to be one',
    projectId,
    apiKey: 'test-key',
    emulatorUrl,
    fetchKeys: (address, init) => fetch(atServer(address), init),
    fetchService: (address, init) => fetch(atServer(address), init),
    rateLimits: createRateLimits(connection.db, clock.now),
    securityLog: aSecurityLog(connection.db),
    sessionRules: {
      all: { lifeMs: 30 * DAY_MS, idleMs: null },
      operators: { lifeMs: 12 * HOUR_MS, idleMs: 3_600_000 },
      isOperator: async () => false,
    },
    onSessionsEnded: async () => {},
    passwordChanged: async () => {},
    emailChangeUndone: async (_tx, { email }) => void told.push(`undone ${email}`),
    onProblem: (problem) => void problems.push(problem),
    now: clock.now,
  })
}

const nowS = () => Math.floor(clock.now().getTime() / 1_000)
const aSubject = () => `subject-${newId(8)}`
const reasonOf = (answer: { ok: boolean; reason?: string }) => (answer.ok ? 'ok' : answer.reason)

let addresses = 0
function requestWith(cookies: readonly string[] = []): Request {
  return new Request('http://localhost:3000/', {
    headers: {
      cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; '),
      [CLIENT_ADDRESS_HEADER]: `198.51.100.${++addresses}`,
    },
  })
}

async function signIn(claims: Record<string, unknown>, at = accounts) {
  const idToken = await firebase.sign(
    { auth_time: nowS(), email_verified: false, ...claims },
    { issuedAt: nowS() },
  )
  return at.signIn(requestWith(), { email: '', password: idToken })
}

async function aSignedIn(claims: Record<string, unknown> = {}) {
  const subject = aSubject()
  const answer = await signIn({ sub: subject, email: `${subject}@example.com`, ...claims })
  if (!answer.ok) throw new Error(answer.reason)
  return { subject, email: `${subject}@example.com`, cookies: answer.cookies, userId: answer.userId }
}

/** The token that the SDK gets when it renews: new, but for the same sign-in. */
const aRenewed = (subject: string, signedInAt: number, claims: Record<string, unknown> = {}) =>
  firebase.sign(
    { sub: subject, email: `${subject}@example.com`, auth_time: signedInAt, ...claims },
    { issuedAt: nowS() },
  )

describe('signing in with an ID token', () => {
  const good = () => ({
    iss: `https://securetoken.google.com/${firebase.projectId}`,
    aud: firebase.projectId,
    sub: aSubject(),
    email: `${newId(8)}@example.com`,
    auth_time: nowS(),
    iat: nowS(),
    exp: nowS() + 3_600,
  })
  const enter = async (idToken: string) =>
    reasonOf(await accounts.signIn(requestWith(), { email: '', password: idToken }))

  it('succeeds when the service has signed it for our project', async () => {
    expect(await enter(await firebase.sign(good()))).toBe('ok')
  })

  it('fails without a signature', async () => {
    const part = (value: object) => base64url.encode(JSON.stringify(value))
    expect(await enter(`${part({ alg: 'none', typ: 'JWT' })}.${part(good())}.`)).toBe('user-token-expired')
    expect(await enter(`${part({ alg: 'none', kid: 'test-key-1' })}.${part(good())}.AAAA`)).toBe(
      'user-token-expired',
    )
  })

  describe('of the emulator', () => {
    const part = (value: object) => base64url.encode(JSON.stringify(value))
    const unsigned = (claims: object, signature = '') =>
      `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.${signature}`
    beforeEach(() => {
      accounts = makeAccounts({ emulatorUrl: 'http://127.0.0.1:9099' })
    })

    it('succeeds without a signature only with the emulator’s setting', async () => {
      const idToken = unsigned(good())
      expect(await enter(idToken)).toBe('ok')
      accounts = makeAccounts({})
      expect(await enter(idToken)).toBe('user-token-expired')
    })

    it.each([
      ['of another project', { aud: 'another-project' }],
      ['by another issuer', { iss: 'https://securetoken.google.com/another-project' }],
      ['without a subject', { sub: undefined }],
      ['with an empty subject', { sub: '' }],
      ['with a subject longer than the service’s limit', { sub: 'x'.repeat(129) }],
      ['without the time of the sign-in', { auth_time: undefined }],
      ['without an expiry', { exp: undefined }],
      ['that has expired', { exp: Math.floor(Date.now() / 1_000) - MINUTE_S }],
      ['that was issued over an hour ago', { iat: Math.floor(Date.now() / 1_000) - 61 * MINUTE_S }],
      ['from the future', { iat: Math.floor(Date.now() / 1_000) + 10 * MINUTE_S }],
    ])('fails with a token %s', async (_name, claims) => {
      expect(await enter(unsigned({ ...good(), ...claims }))).toBe('user-token-expired')
    })

    it('still fails with a wrong signature, or one where there should be none', async () => {
      expect(await enter(unsigned(good(), 'AAAA'))).toBe('user-token-expired')
      const { privateKey } = await generateKeyPair('RS256')
      expect(await enter(await firebase.sign(good(), { key: privateKey }))).toBe('user-token-expired')
      expect(await enter(await firebase.sign(good()))).toBe('ok')
    })
  })

  it('fails when the public key was used as an HMAC secret', async () => {
    const forged = await new SignJWT(good())
      .setProtectedHeader({ alg: 'HS256', kid: 'test-key-1' })
      .sign(createSecretKey(Buffer.from(firebase.publicPem)))
    expect(await enter(forged)).toBe('user-token-expired')
  })

  it('fails when signed with another key, under a known or an unknown key ID', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    expect(await enter(await firebase.sign(good(), { key: privateKey }))).toBe('user-token-expired')
    expect(await enter(await firebase.sign(good(), { key: privateKey, kid: 'never-seen' }))).toBe(
      'user-token-expired',
    )
    expect(await enter(await firebase.sign(good(), { kid: 'never-seen' }))).toBe('user-token-expired')
  })

  it('fails when signed with another strong algorithm', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const forged = await new SignJWT(good())
      .setProtectedHeader({ alg: 'ES256', kid: 'test-key-1' })
      .sign(privateKey)
    expect(await enter(forged)).toBe('user-token-expired')
  })

  it.each([
    ['of another project', { aud: 'another-project' }],
    ['by another issuer', { iss: 'https://securetoken.google.com/another-project' }],
    ['by an issuer that only looks like the service', { iss: 'https://securetoken.google.com.example' }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject longer than the service’s limit', { sub: 'x'.repeat(129) }],
    ['without the time of the sign-in', { auth_time: undefined }],
    ['with a sign-in in the future', { auth_time: Math.floor(Date.now() / 1_000) + 10 * MINUTE_S }],
    ['with a sign-in time that isn’t a number', { auth_time: 'yesterday' }],
    ['without an expiry', { exp: undefined }],
  ])('fails with a token %s', async (_name, claims) => {
    expect(await enter(await firebase.sign({ ...good(), ...claims }))).toBe('user-token-expired')
  })

  it('fails with a token that has expired or was issued in the future', async () => {
    const old = nowS() - 61 * MINUTE_S
    expect(
      await enter(await firebase.sign({ ...good(), auth_time: old, iat: old, exp: nowS() - MINUTE_S })),
    ).toBe('user-token-expired')
    // A token with a longer lifetime than the service's tokens have.
    expect(
      await enter(await firebase.sign({ ...good(), auth_time: old, iat: old, exp: nowS() + 3_600 })),
    ).toBe('user-token-expired')
    const future = nowS() + 2 * MINUTE_S
    expect(await enter(await firebase.sign({ ...good(), iat: future, exp: future + 3_600 }))).toBe(
      'user-token-expired',
    )
  })

  it.each(['', 'a password', 'a.b.c', '....', 'x'.repeat(100_000)])(
    'fails with a text that isn’t a token (%#)',
    async (text) => {
      expect(await enter(text)).toBe('user-token-expired')
    },
  )

  it('fails when the password was typed over five minutes ago', async () => {
    const earlier = nowS() - 6 * MINUTE_S
    expect(await enter(await firebase.sign({ ...good(), auth_time: earlier }))).toBe('requires-recent-login')
  })

  it('reports a network failure when the keys can’t be fetched', async () => {
    accounts = makeAccounts({ url: 'http://127.0.0.1:9' })
    expect(await enter(await firebase.sign(good()))).toBe('network-request-failed')
    expect(problems).toEqual(['the keys of the account service can’t be fetched'])
  })

  it('stops after 60 tries per network address', async () => {
    const request = requestWith()
    const reasons = new Set<string | undefined>()
    for (let count = 0; count < 61; count++)
      reasons.add(reasonOf(await accounts.signIn(request.clone(), { email: '', password: 'x' })))
    expect([...reasons]).toEqual(['user-token-expired', 'too-many-requests'])
  })
})

describe('the security log', () => {
  beforeEach(() => connection.db.deleteFrom('security_events').execute())
  const events = async () =>
    (await connection.db.selectFrom('security_events').selectAll().orderBy('recorded_at').execute()).map(
      ({ kind, detail, user_id, times }) => ({ kind, detail, user_id, times }),
    )

  it('records a refused token at a sign-in and at a reset, which name no account', async () => {
    await accounts.signIn(requestWith(), { email: '', password: 'a.b.c' })
    await accounts.resetPassword(requestWith(), { token: '', password: 'a.b.c' })
    expect(await events()).toEqual([
      { kind: 'sign-in-refused', detail: 'user-token-expired', user_id: null, times: 1 },
      { kind: 'password-reset-refused', detail: 'user-token-expired', user_id: null, times: 1 },
    ])
  })

  it.each([
    ['a renewal', (request: Request, idToken: string) => accounts.renewSession(request, { idToken })],
    [
      'a change of password',
      (request: Request, idToken: string) =>
        accounts.changePassword(request, { currentPassword: idToken, newPassword: idToken }),
    ],
    [
      'a change of email',
      (request: Request, idToken: string) =>
        accounts.requestEmailChange(request, { email: 'new@example.com', password: idToken }),
    ],
    [
      'a deletion',
      (request: Request, idToken: string) => accounts.confirmPassword(request, { password: idToken }),
    ],
  ])('records a token that was refused at %s, for the account it was meant for', async (_name, ask) => {
    const { cookies, userId } = await aSignedIn()
    const stranger = await aSignedIn()
    await connection.db.deleteFrom('security_events').execute()
    expect(reasonOf(await ask(requestWith(cookies), 'a.b.c'))).toBe('user-token-expired')
    expect(await events()).toEqual([
      { kind: 'proof-refused', detail: 'user-token-expired', user_id: userId, times: 1 },
    ])
    expect((await ask(requestWith(cookies), await aRenewed(stranger.subject, nowS()))).ok).toBe(false)
    expect((await events()).map(({ user_id }) => user_id)).not.toContain(stranger.userId)
    expect((await events()).reduce((sum, { times }) => sum + times, 0)).toBe(2)
  })

  it('records requests for a new password, and past the limit no more addresses', async () => {
    const { email, userId } = await aSignedIn()
    await connection.db.deleteFrom('security_events').execute()
    const request = requestWith()
    await accounts.requestPasswordReset(request.clone(), { email })
    for (let count = 0; count < 12; count++)
      expect(await accounts.requestPasswordReset(request.clone(), { email: `${count}@example.com` })).toEqual(
        {
          ok: true,
          cookies: [],
        },
      )
    const recorded = await events()
    expect(recorded[0]).toMatchObject({ kind: 'password-reset-asked', user_id: userId })
    expect(recorded.filter(({ kind }) => kind === 'password-reset-asked')).toHaveLength(10)
    expect(recorded.at(-1)).toEqual({
      kind: 'password-reset-refused',
      detail: 'too-many-requests',
      user_id: null,
      times: 3,
    })
  })

  it('records nothing while the service’s keys can’t be fetched', async () => {
    const { cookies, subject } = await aSignedIn()
    await connection.db.deleteFrom('security_events').execute()
    const idToken = await aRenewed(subject, nowS())
    accounts = makeAccounts({ url: 'http://127.0.0.1:9' })
    expect(reasonOf(await accounts.confirmPassword(requestWith(cookies), { password: idToken }))).toBe(
      'network-request-failed',
    )
    await accounts.resetPassword(requestWith(), { token: '', password: idToken })
    await accounts.renewSession(requestWith(cookies), { idToken })
    expect(await events()).toEqual([])
  })
})

describe('a limit by network address', () => {
  it('doesn’t affect a browser that signed in before', async () => {
    const { subject, cookies } = await aSignedIn()
    const stranger = requestWith()
    for (let count = 0; count < 61; count++)
      await accounts.signIn(stranger.clone(), { email: '', password: 'x' })
    const idToken = await aRenewed(subject, nowS())
    const signInAgain = (cookie: string) =>
      accounts.signIn(
        new Request(stranger, { headers: { ...Object.fromEntries(stranger.headers), cookie } }),
        { email: '', password: idToken },
      )
    expect(reasonOf(await signInAgain(''))).toBe('too-many-requests')
    const known = cookies.find((cookie) => cookie.startsWith('jubilee.known_browser=')) ?? ''
    expect(reasonOf(await signInAgain(known.split(';')[0] ?? ''))).toBe('ok')
  })

  it('counts the addresses of one IPv6 network together', async () => {
    const from = (host: number) =>
      new Request('http://localhost:3000/', { headers: { [CLIENT_ADDRESS_HEADER]: `2001:db8::${host}` } })
    const reasons: unknown[] = []
    for (let count = 1; count <= 61; count++)
      reasons.push(reasonOf(await accounts.signIn(from(count), { email: '', password: 'x' })))
    expect(reasons.at(-1)).toBe('too-many-requests')
  })

  it('doesn’t change the answer to a password reset request', async () => {
    const request = requestWith()
    for (let count = 0; count < 15; count++)
      expect(await accounts.requestPasswordReset(request, { email: 'one@example.com' })).toEqual({
        ok: true,
        cookies: [],
      })
    // Nor do many requests stop the reset itself.
    const { subject } = await aSignedIn()
    const password = await aRenewed(subject, nowS())
    expect(reasonOf(await accounts.resetPassword(request, { token: '', password }))).toBe('ok')
  })
})

describe('the link between the service’s account and ours', () => {
  const usersWith = (email: string) =>
    connection.db.selectFrom('users').selectAll().where('email', '=', email).execute()

  it('uses issuer and subject, so that a second sign-in finds the same user', async () => {
    const first = await aSignedIn()
    const again = await signIn({ sub: first.subject, email: first.email })
    expect(again).toMatchObject({ ok: true, userId: first.userId })
    const linked = await connection.db
      .selectFrom('account_credentials')
      .select(['provider_id', 'account_id', 'password'])
      .where('user_id', '=', first.userId)
      .execute()
    expect(linked).toEqual([
      {
        provider_id: `https://securetoken.google.com/${firebase.projectId}`,
        account_id: first.subject,
        password: null,
      },
    ])
  })

  it('creates one user when first sign-ins race', async () => {
    const subject = aSubject()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => signIn({ sub: subject, email: `${subject}@example.com` })),
    )
    expect(new Set(answers.map((answer) => (answer.ok ? answer.userId : answer.reason))).size).toBe(1)
    expect(await usersWith(`${subject}@example.com`)).toHaveLength(1)
  })

  it('never gives two people with the same unverified email one account', async () => {
    const first = await aSignedIn()
    expect(reasonOf(await signIn({ sub: aSubject(), email: first.email }))).toBe('email-already-in-use')
    // Nor when they race for it.
    const email = `${newId(8)}@example.com`
    const answers = await Promise.all([
      signIn({ sub: aSubject(), email }),
      signIn({ sub: aSubject(), email }),
    ])
    expect(answers.map(reasonOf).sort()).toEqual(['email-already-in-use', 'ok'])
    expect(await usersWith(email)).toHaveLength(1)
  })

  it.each([
    [false, false],
    [false, true],
    [true, false],
  ])('refuses an email verified here: %s, at the service: %s', async (here, there) => {
    const email = `${newId(8)}@example.com`
    const user = await aUser(connection.db, { email, email_verified: here })
    const answer = await signIn({ sub: aSubject(), email, email_verified: there })
    expect(reasonOf(answer)).toBe('email-already-in-use')
    expect(
      await connection.db
        .selectFrom('account_credentials')
        .select('id')
        .where('user_id', '=', user.id)
        .execute(),
    ).toEqual([])
  })

  it('joins accounts whose email is verified on both sides', async () => {
    const email = `${newId(8)}@example.com`
    const user = await aUser(connection.db, { email, email_verified: true, name: 'Robin Vale' })
    const answer = await signIn({ sub: aSubject(), email: email.toUpperCase(), email_verified: true })
    expect(answer).toMatchObject({ ok: true, userId: user.id })
  })

  it.each([
    ['Robin Vale', 'Robin Vale'],
    ['Claim it at evil.example', 'robin vale'],
    ['Robin\nVale', 'robin vale'],
    ['x'.repeat(81), 'robin vale'],
    [undefined, 'robin vale'],
  ])('takes the service’s name if that can be a person’s name: %j', async (name, stored) => {
    const email = `robin.vale@${newId(8)}.example`
    expect(await signIn({ sub: aSubject(), email, name })).toMatchObject({ ok: true })
    expect((await usersWith(email)).map((user) => user.name)).toEqual([stored])
  })

  it('requires an email', async () => {
    expect(reasonOf(await signIn({ sub: aSubject() }))).toBe('operation-not-allowed')
  })

  it('copies a new email only once it is verified', async () => {
    const { subject, email, userId } = await aSignedIn()
    const read = () =>
      connection.db
        .selectFrom('users')
        .select(['email', 'email_verified'])
        .where('id', '=', userId)
        .executeTakeFirst()
    await signIn({ sub: subject, email: 'typed-only@example.com', email_verified: false })
    expect(await read()).toEqual({ email, email_verified: false })
    await signIn({ sub: subject, email: `new-${email}`, email_verified: true })
    expect(await read()).toEqual({ email: `new-${email}`, email_verified: true })
    // Once verified it stays verified, even with a token that claims otherwise.
    await signIn({ sub: subject, email: `new-${email}`, email_verified: false })
    expect(await read()).toEqual({ email: `new-${email}`, email_verified: true })
  })

  it('keeps the old email when another account has the new one', async () => {
    const { subject, email, userId } = await aSignedIn()
    const other = await aUser(connection.db)
    expect(reasonOf(await signIn({ sub: subject, email: other.email, email_verified: true }))).toBe('ok')
    expect((await usersWith(email)).map(({ id }) => id)).toEqual([userId])
    expect(problems).toHaveLength(1)
  })

  it('differs for each project', async () => {
    const first = await aSignedIn()
    const elsewhere = makeAccounts({ projectId: 'another-project' })
    const claims = {
      iss: 'https://securetoken.google.com/another-project',
      aud: 'another-project',
      sub: first.subject,
      email: `${newId(8)}@example.com`,
    }
    const answer = await signIn(claims, elsewhere)
    expect(answer.ok && answer.userId).not.toBe(first.userId)
    expect(answer.ok).toBe(true)
  })
})

describe('the session for a token', () => {
  it('stores only a hash of its token, which an HttpOnly cookie holds', async () => {
    const { cookies, userId } = await aSignedIn()
    const [cookie = ''] = cookies
    expect(cookie).toMatch(
      /^jubilee\.hosted_session=\w{32}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const rows = await connection.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(cookie.split(/[=;]/)[1])
    const behindTls = await signIn(
      { sub: aSubject(), email: `${newId(8)}@example.com` },
      makeAccounts({ origin: 'https://jubilee.example' }),
    )
    expect(behindTls.ok && behindTls.cookies[0]).toMatch(/^__Host-jubilee\.hosted_session=.*; Secure$/)
  })

  it('ends with its token, after an hour at most', async () => {
    const { cookies, subject } = await aSignedIn()
    const signedInAt = nowS()
    clock.forward(HOUR_MS - 1_000)
    expect(await accounts.findSession(requestWith(cookies))).not.toBeNull()
    expect(await accounts.canRenewSession(requestWith(cookies))).toBe(false)
    clock.forward(2_000)
    expect(await accounts.findSession(requestWith(cookies))).toBeNull()
    // It has merely expired, so the browser isn't told that it has ended.
    expect(await accounts.findSessionEnd(requestWith(cookies))).toBeNull()
    expect(await accounts.canRenewSession(requestWith(cookies))).toBe(true)
    const short = await firebase.sign(
      { sub: subject, email: `${subject}@example.com`, auth_time: signedInAt },
      { issuedAt: nowS(), expiresAt: nowS() + 5 * MINUTE_S },
    )
    expect(await accounts.renewSession(requestWith(cookies), { idToken: short })).toMatchObject({ ok: true })
    clock.forward(5 * MINUTE_S * 1_000)
    expect(await accounts.findSession(requestWith(cookies))).toBeNull()
  })

  it('continues with a new token of the same sign-in and the same cookie', async () => {
    const { cookies, subject, userId } = await aSignedIn()
    const signedInAt = nowS()
    clock.forward(3 * HOUR_MS)
    const idToken = await aRenewed(subject, signedInAt, { email_verified: true })
    const answers = await Promise.all(
      [1, 2, 3].map(() => accounts.renewSession(requestWith(cookies), { idToken })),
    )
    for (const answer of answers) expect(answer).toEqual({ ok: true, cookies })
    const session = await accounts.findSession(requestWith(cookies))
    // No password was typed, so the service's verification counts only at the next sign-in.
    expect(session?.user).toMatchObject({ uid: userId, emailVerified: false })
    const again = await signIn({ sub: subject, email: `${subject}@example.com`, email_verified: true })
    expect((await accounts.findSession(requestWith(again.ok ? again.cookies : [])))?.user).toMatchObject({
      uid: userId,
      emailVerified: true,
    })
    // An earlier session may belong to a person who waited for the owner to prove the address.
    expect(await accounts.findSession(requestWith(cookies))).toBeNull()
  })

  it('can’t be renewed without its cookie, or by another person’s token', async () => {
    const one = await aSignedIn()
    const other = await aSignedIn()
    const idToken = await aRenewed(one.subject, nowS())
    expect(reasonOf(await accounts.renewSession(requestWith(), { idToken }))).toBe('user-token-expired')
    expect(reasonOf(await accounts.renewSession(requestWith(other.cookies), { idToken }))).toBe(
      'user-token-expired',
    )
    expect((await accounts.findSession(requestWith(other.cookies)))?.user.uid).toBe(other.userId)
  })

  it('can’t be renewed after it was ended', async () => {
    const signOut = await aSignedIn()
    await accounts.signOut(requestWith(signOut.cookies))
    const everywhere = await aSignedIn()
    await accounts.endAllSessions(requestWith(everywhere.cookies))
    for (const { cookies, subject } of [signOut, everywhere]) {
      const idToken = await aRenewed(subject, nowS())
      expect(reasonOf(await accounts.renewSession(requestWith(cookies), { idToken }))).toBe(
        'user-token-expired',
      )
      expect(await accounts.findSession(requestWith(cookies))).toBeNull()
    }
  })

  it('can’t be opened or renewed by a token from before the account was disabled', async () => {
    const { cookies, subject, email, userId } = await aSignedIn()
    const idToken = await aRenewed(subject, nowS())
    const disable = (at: Date | null) =>
      connection.db.updateTable('users').set({ disabled_at: at }).where('id', '=', userId).execute()
    await disable(clock.now())
    expect(await accounts.findSession(requestWith(cookies))).toBeNull()
    expect(reasonOf(await accounts.renewSession(requestWith(cookies), { idToken }))).toBe('user-disabled')
    expect(reasonOf(await accounts.signIn(requestWith(), { email, password: idToken }))).toBe('user-disabled')
    // Operators also delete the sessions, so these stay ended when the account is enabled again.
    await connection.db.deleteFrom('sessions').where('user_id', '=', userId).execute()
    await disable(null)
    expect(reasonOf(await accounts.renewSession(requestWith(cookies), { idToken }))).toBe(
      'user-token-expired',
    )
  })

  it('can’t be renewed for a deactivated account', async () => {
    const { cookies, subject, userId } = await aSignedIn()
    await connection.db
      .updateTable('users')
      .set({ deactivated_at: clock.now() })
      .where('id', '=', userId)
      .execute()
    const idToken = await aRenewed(subject, nowS())
    expect(reasonOf(await accounts.renewSession(requestWith(cookies), { idToken }))).toBe(
      'user-token-expired',
    )
  })

  it('refuses irreversible steps with an old sign-in or another person’s', async () => {
    const { cookies, subject } = await aSignedIn()
    const other = await aSignedIn()
    const signedInAt = nowS()
    clock.forward(6 * MINUTE_S * 1_000)
    const old = await aRenewed(subject, signedInAt)
    const theirs = await aRenewed(other.subject, nowS())
    for (const password of [old, theirs])
      expect(reasonOf(await accounts.confirmPassword(requestWith(cookies), { password }))).toBe(
        'requires-recent-login',
      )
    const fresh = await aRenewed(subject, nowS())
    expect(reasonOf(await accounts.confirmPassword(requestWith(cookies), { password: fresh }))).toBe('ok')
  })

  it('ends everywhere when the password was reset', async () => {
    const { cookies, subject } = await aSignedIn()
    const answer = await accounts.resetPassword(requestWith(), {
      token: 'used at the service',
      password: await aRenewed(subject, nowS()),
    })
    expect(reasonOf(answer)).toBe('ok')
    expect(await accounts.findSessionEnd(requestWith(cookies))).toBe('user-token-expired')
  })
})

describe('a link of the service’s mails', () => {
  const PASSWORD = 'under the jacaranda'
  let skippedMs: number

  beforeEach(() => {
    skippedMs = 0
    // The service uses the real clock, so this one follows it.
    clock = {
      now: () => new Date(Date.now() + skippedMs),
      forward: (ms) => {
        skippedMs += ms
      },
    }
    accounts = makeAccounts({})
  })

  /** Calls the service as the SDK in the person's browser does. */
  async function atService(method: string, body: object): Promise<{ idToken: string; localId: string }> {
    const response = await fetch(
      `${firebase.url}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=test-key`,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    )
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as { idToken: string; localId: string }
  }

  const mailedCode = (kind: string, email: string) => {
    const mail = firebase.mails.findLast((sent) => sent.kind === kind && sent.email === email)
    if (!mail) throw new Error(`no mail of kind ${kind} to ${email}`)
    return mail.code
  }

  const proof = async (email: string, password = PASSWORD) =>
    (await atService('signInWithPassword', { email, password })).idToken

  async function logsIn(email: string, password = PASSWORD) {
    return accounts.signIn(requestWith(), { email, password: await proof(email, password) })
  }

  /** Signs a person up as the browser does, and has the verification mail sent. */
  async function aPerson(email = `${newId(8)}@example.com`) {
    const { idToken, localId } = await atService('signUp', { email, password: PASSWORD })
    const answer = await accounts.signUp(requestWith(), {
      displayName: 'Robin Vale',
      email,
      password: idToken,
    })
    if (!answer.ok) throw new Error(answer.reason)
    await atService('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })
    const { cookies, userId } = answer
    return { email, localId, cookies, userId, token: mailedCode('VERIFY_EMAIL', email) }
  }

  async function aVerifiedPerson() {
    const person = await aPerson()
    const { cookies, token } = person
    expect(reasonOf(await accounts.confirmEmail(requestWith(cookies), { token, password: null }))).toBe('ok')
    return person
  }

  async function changesTo({ email, cookies }: { email: string; cookies: string[] }, to: string) {
    const idToken = await proof(email)
    await atService('sendOobCode', { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail: to })
    const token = mailedCode('VERIFY_AND_CHANGE_EMAIL', to)
    return { token, answer: await accounts.confirmEmail(requestWith(cookies), { token, password: null }) }
  }

  const userRow = (id: string) =>
    connection.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('confirms without the password only in a browser signed in to the account', async () => {
    const { email, localId, cookies, token, userId } = await aPerson()
    const stranger = await aPerson()
    const find = (by: readonly string[] = []) => accounts.findEmailLink(requestWith(by), { token })
    expect(await find()).toEqual({ ok: true, kind: 'verify', email, isOwn: false })
    expect(await find(stranger.cookies)).toEqual({ ok: true, kind: 'verify', email, isOwn: false })
    expect(await find(cookies)).toEqual({ ok: true, kind: 'verify', email, isOwn: true })

    const confirm = (by: readonly string[], password: string | null) =>
      accounts.confirmEmail(requestWith(by), { token, password })
    const proofOfStranger = await proof(stranger.email)
    for (const by of [[], stranger.cookies]) {
      expect(reasonOf(await confirm(by, null))).toBe('missing-password')
      expect(reasonOf(await confirm(by, 'a password'))).toBe('user-token-expired')
      expect(reasonOf(await confirm(by, proofOfStranger))).toBe('wrong-password')
    }
    // The code is still unused at the service, so none of the account's tokens claims a verified address.
    expect(firebase.accounts.get(localId)?.emailVerified).toBe(false)
    expect((await userRow(userId)).email_verified).toBe(false)

    expect(await confirm(cookies, null)).toEqual({ ok: true, changed: false, email, cookies: [] })
    expect((await accounts.findSession(requestWith(cookies)))?.user.emailVerified).toBe(true)
    expect(firebase.accounts.get(localId)?.emailVerified).toBe(true)
    expect(reasonOf(await confirm(cookies, null))).toBe('invalid-action-code')
  })

  it('confirms elsewhere with proof of the account’s password', async () => {
    const { email, token, userId } = await aPerson()
    const password = await proof(email)
    expect(reasonOf(await accounts.confirmEmail(requestWith(), { token, password }))).toBe('ok')
    expect((await userRow(userId)).email_verified).toBe(true)
  })

  it('confirms nothing when it is of another kind or made up', async () => {
    const { email, cookies } = await aPerson()
    await atService('sendOobCode', { requestType: 'PASSWORD_RESET', email })
    for (const token of [mailedCode('PASSWORD_RESET', email), '', 'made-up', '\0', 'x'.repeat(10_000)]) {
      expect(reasonOf(await accounts.findEmailLink(requestWith(cookies), { token }))).toBe(
        'invalid-action-code',
      )
      expect(reasonOf(await accounts.confirmEmail(requestWith(cookies), { token, password: null }))).toBe(
        'invalid-action-code',
      )
      expect(reasonOf(await accounts.findUndoLink(requestWith(), { token }))).toBe('invalid-action-code')
    }
    expect(problems).toEqual([])
  })

  it('still works after the service couldn’t be reached', async () => {
    const { cookies, token } = await aPerson()
    firebase.setDown(true)
    const confirm = () => accounts.confirmEmail(requestWith(cookies), { token, password: null })
    expect(reasonOf(await confirm())).toBe('network-request-failed')
    firebase.setDown(false)
    expect(reasonOf(await confirm())).toBe('ok')
  })

  it('stops after 30 tries per network address', async () => {
    const request = requestWith()
    const reasons: unknown[] = []
    for (let tries = 0; tries < 31; tries++)
      reasons.push(reasonOf(await accounts.findEmailLink(request.clone(), { token: 'guess' })))
    expect(reasons.at(-2)).toBe('invalid-action-code')
    expect(reasons.at(-1)).toBe('too-many-requests')
  })

  it('detaches the address for its holder, whose new account is empty', async () => {
    const attacker = await aPerson()
    const { email, token } = attacker
    const press = () => accounts.detachEmail(requestWith(), { token, forNewAccount: true })
    expect(await press()).toEqual({ ok: true, email, beginsBy: 'password-mail' })
    // A second tab gets the same answer.
    expect(reasonOf(await press())).toBe('ok')
    expect((await accounts.findSession(requestWith(attacker.cookies)))?.user).toMatchObject({
      uid: attacker.userId,
      emailVerified: false,
      needsEmail: true,
    })
    expect(await logsIn(email)).toMatchObject({ ok: true, userId: attacker.userId, needsEmail: true })

    const chosen = 'the holder’s own'
    const code = mailedCode('PASSWORD_RESET', email)
    await atService('resetPassword', { oobCode: code, newPassword: chosen })
    const password = await proof(email, chosen)
    expect(reasonOf(await accounts.resetPassword(requestWith(), { token: code, password }))).toBe('ok')
    const holder = await logsIn(email, chosen)
    expect(holder).toMatchObject({ ok: true, needsEmail: false })
    const holderId = holder.ok ? holder.userId : ''
    expect(holderId).not.toBe(attacker.userId)
    expect(await userRow(holderId)).toMatchObject({ email, email_verified: true })
    // The attacker's account is unchanged, and neither account leads to the other.
    expect((await accounts.findSession(requestWith(attacker.cookies)))?.user).toMatchObject({
      uid: attacker.userId,
      emailVerified: false,
      needsEmail: true,
    })
    const renewed = await accounts.renewSession(requestWith(attacker.cookies), {
      idToken: await proof(email, chosen),
    })
    expect(reasonOf(renewed)).toBe('user-token-expired')
  })

  it('gives the holder a new account even if they reset the password at the service alone', async () => {
    const attacker = await aPerson()
    const { email, token } = attacker
    await accounts.detachEmail(requestWith(), { token, forNewAccount: true })
    const newPassword = 'the holder’s own'
    await atService('resetPassword', { oobCode: mailedCode('PASSWORD_RESET', email), newPassword })
    const holder = await logsIn(email, newPassword)
    expect(holder.ok && holder.userId).not.toBe(attacker.userId)
  })

  it('lets an account whose address was detached get another', async () => {
    const { email, cookies, token, userId } = await aPerson()
    await accounts.detachEmail(requestWith(), { token, forNewAccount: false })
    const to = `own-${email}`
    const { answer } = await changesTo({ email, cookies }, to)
    // The service revokes every token with a change, so our sessions end too.
    expect(answer).toMatchObject({ ok: true, changed: true, email: to })
    expect(answer.ok && answer.cookies).toHaveLength(1)
    expect(await accounts.findSession(requestWith(cookies))).toBeNull()
    expect(await logsIn(to)).toMatchObject({ ok: true, userId, needsEmail: false })
    expect(await userRow(userId)).toMatchObject({ email: to, email_verified: true, detached_email: null })
  })

  it('never detaches an address that its owner has confirmed', async () => {
    const { email, cookies, userId, token } = await aPerson()
    await atService('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken: await proof(email) })
    const another = mailedCode('VERIFY_EMAIL', email)
    await accounts.confirmEmail(requestWith(cookies), { token, password: null })
    const answer = await accounts.detachEmail(requestWith(), { token: another, forNewAccount: false })
    expect(reasonOf(answer)).toBe('invalid-action-code')
    expect(await userRow(userId)).toMatchObject({ email, email_verified: true })
  })

  it('to the old address undoes a change, ends the sessions and requires a new password', async () => {
    const person = await aVerifiedPerson()
    const { email, userId } = person
    const to = `thief-of-${email}`
    expect(reasonOf((await changesTo(person, to)).answer)).toBe('ok')
    const thief = await logsIn(to)
    const thiefsCookies = thief.ok ? thief.cookies : []
    expect((await userRow(userId)).email).toBe(to)

    const token = mailedCode('RECOVER_EMAIL', email)
    expect(await accounts.findUndoLink(requestWith(), { token })).toEqual({ ok: true, email })
    expect((await userRow(userId)).email).toBe(to)
    expect(await accounts.undoEmailChange(requestWith(), { token })).toMatchObject({ ok: true, email })
    expect(told).toEqual([`undone ${to}`])
    expect(await userRow(userId)).toMatchObject({ email, email_verified: true })
    expect(await accounts.findSession(requestWith(thiefsCookies))).toBeNull()
    // The thief knows the password, which the service still accepts.
    expect(reasonOf(await logsIn(email))).toBe('invalid-credential')
    expect(reasonOf(await accounts.undoEmailChange(requestWith(), { token }))).toBe('invalid-action-code')

    const newPassword = 'a new start'
    await atService('resetPassword', { oobCode: mailedCode('PASSWORD_RESET', email), newPassword })
    expect(await logsIn(email, newPassword)).toMatchObject({ ok: true, userId })
    expect(await logsIn(email, newPassword)).toMatchObject({ ok: true, userId })
  })

  it('undoes a change that a thief made at the service alone', async () => {
    const { email, cookies, userId } = await aVerifiedPerson()
    const idToken = await proof(email)
    const to = `thief-of-${email}`
    await atService('sendOobCode', { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail: to })
    await atService('update', { oobCode: mailedCode('VERIFY_AND_CHANGE_EMAIL', to) })
    const token = mailedCode('RECOVER_EMAIL', email)
    expect(reasonOf(await accounts.undoEmailChange(requestWith(), { token }))).toBe('ok')
    expect(await userRow(userId)).toMatchObject({ email, email_verified: true })
    expect(await accounts.findSession(requestWith(cookies))).toBeNull()
    expect(reasonOf(await logsIn(email))).toBe('invalid-credential')
  })

  it('undoes a change for seven days', async () => {
    const person = await aVerifiedPerson()
    const { email, userId } = person
    await changesTo(person, `new-${email}`)
    const token = mailedCode('RECOVER_EMAIL', email)
    clock.forward(7 * DAY_MS)
    expect(reasonOf(await accounts.findUndoLink(requestWith(), { token }))).toBe('expired-action-code')
    expect(reasonOf(await accounts.undoEmailChange(requestWith(), { token }))).toBe('expired-action-code')
    expect((await userRow(userId)).email).toBe(`new-${email}`)
  })

  it.each([
    ['an undo', { requestType: 'RECOVER_EMAIL', email: 'Old@example.com' }, 'old@example.com'],
    ['a change', { requestType: 'VERIFY_AND_CHANGE_EMAIL', email: 'old@example.com' }, null],
  ])('may leave out the other address of %s only if nothing needs it', async (_name, answer, email) => {
    const service = createFirebaseService({
      apiKey: 'test-key',
      publicUrl: new URL('https://jubilee.example'),
      emulatorUrl: null,
      fetchService: async () => Response.json(answer),
      onProblem: () => undefined,
    })
    const checked = await service.checkCode('a code')
    if (email) expect(checked).toMatchObject({ ok: true, code: { kind: 'undo', email } })
    else expect(reasonOf(checked)).toBe('invalid-action-code')
  })

  it('can’t restore an old address that was never proved', async () => {
    const person = await aPerson()
    const { email, userId } = person
    await changesTo(person, `right-${email}`)
    const token = mailedCode('RECOVER_EMAIL', email)
    expect(reasonOf(await accounts.undoEmailChange(requestWith(), { token }))).toBe('expired-action-code')
    expect((await userRow(userId)).email).toBe(`right-${email}`)
  })
})
