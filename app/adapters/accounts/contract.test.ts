import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aSecurityLog } from '../../../tests/builders.ts'
import { cheapPasswords } from '../../../tests/cheap-passwords.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { type FirebaseServer, startFirebaseServer } from '../../../tests/firebase-server.ts'
import { newId } from '../../shared/ids.ts'
import { createRateLimits } from '../rate-limits/database.server.ts'
import { createBetterAuthAccounts } from './better-auth.server.ts'
import { createFirebaseAccounts } from './firebase.server.ts'
import { type AccountAnswer, type Accounts, CLIENT_ADDRESS_HEADER, type SignInAnswer } from './port.ts'

/** The guarantees that screens and loaders rely on, with either adapter. */

let connection: TestConnection
let firebase: FirebaseServer
let ended: string[] = []
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
  ended = []
  told = []
})

type Kind = {
  name: string
  make(): Accounts
  /** A form's value for the right password of an address: the password itself, or the ID token for it. */
  prove(email: string): Promise<string>
  proveWrongly(): Promise<string>
  /** The token of the verification mail's link. */
  verificationLink(person: { email: string; userId: string }): Promise<string>
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const now = () => new Date()
const SESSION_RULES = {
  all: { lifeMs: 30 * DAY_MS, idleMs: null },
  operators: { lifeMs: 12 * HOUR_MS, idleMs: HOUR_MS },
  isOperator: async ({ email }: { email: string }) => email.startsWith('operator-'),
}
const makeBetterAuth = () =>
  createBetterAuthAccounts({
    db: connection.db,
    publicUrl: new URL('http://localhost:3000'),
    secret: 'a secret for tests, long enough to be one',
    meetsPolicy: (password) => password.length >= 6,
    isWeak: async (password, { email }) => password === `easy to guess for ${email}`,
    sessionRules: SESSION_RULES,
    securityLog: aSecurityLog(connection.db),
    queue: {
      passwordReset: async () => {},
      verification: async () => {},
      emailChange: async () => {},
      passwordChanged: async ({ email }) => void told.push(email),
      emailChanged: async () => {},
      emailLeft: async () => {},
      emailChangeUndone: async () => {},
    },
    rateLimits: createRateLimits(connection.db, now),
    onSessionsEnded: async (_tx, userId) => void ended.push(userId),
    onFactorChange: async () => {},
    onUnknown: (code) => {
      throw new Error(`unknown code ${code}`)
    },
    now,
    passwords: cheapPasswords,
  })

const kinds: Kind[] = [
  {
    name: 'Better Auth',
    make: makeBetterAuth,
    prove: async (email) => `the password of ${email}`,
    proveWrongly: async () => 'not the password',
    async verificationLink({ userId }) {
      const issued = await makeBetterAuth().issueLink({ kind: 'verify-email', userId })
      return issued?.token ?? ''
    },
  },
  {
    name: 'Firebase Auth',
    make: () =>
      createFirebaseAccounts({
        db: connection.db,
        publicUrl: new URL('http://localhost:3000'),
        projectId: firebase.projectId,
        apiKey: 'test-key',
        emulatorUrl: firebase.url,
        secret: 'a secret for tests, long enough to be one',
        rateLimits: createRateLimits(connection.db, now),
        onSessionsEnded: async (_tx, userId) => void ended.push(userId),
        passwordChanged: async ({ email }) => void told.push(email),
        emailChangeUndone: async () => {},
        sessionRules: SESSION_RULES,
        securityLog: aSecurityLog(connection.db),
        onProblem: (problem) => {
          throw new Error(problem)
        },
        now,
      }),
    prove: (email) => firebase.sign({ sub: `subject-of-${email}`, email, email_verified: false }),
    proveWrongly: async () => `${(await firebase.sign({ sub: 'somebody' })).slice(0, -8)}AAAAAAAA`,
    async verificationLink({ email }) {
      const localId = `subject-of-${email}`
      const at = Date.now()
      firebase.accounts.set(localId, {
        localId,
        email,
        passwordHash: '',
        displayName: null,
        emailVerified: false,
        disabled: false,
        validSince: 0,
        createdAt: at,
        lastLoginAt: at,
        passwordUpdatedAt: at,
      })
      const idToken = await firebase.sign({ sub: localId, email })
      await fetch(`${firebase.url}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=test-key`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ requestType: 'VERIFY_EMAIL', idToken }),
      })
      return firebase.mails.at(-1)?.code ?? ''
    },
  },
]

let addresses = 0
/** A browser with its own cookies and network address. */
function aBrowser() {
  const jar = new Map<string, string>()
  const address = `203.0.113.${++addresses}`
  return {
    jar,
    request: () =>
      new Request('http://localhost:3000/', {
        headers: {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
          'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
          [CLIENT_ADDRESS_HEADER]: address,
        },
      }),
    take<Answer extends AccountAnswer | SignInAnswer>(answer: Answer): Extract<Answer, { ok: true }> {
      expect(answer).toMatchObject({ ok: true })
      for (const cookie of (answer as { cookies: string[] }).cookies) {
        const [pair = '', ...attributes] = cookie.split('; ')
        const at = pair.indexOf('=')
        const isGone = attributes.includes('Max-Age=0')
        if (isGone) jar.delete(pair.slice(0, at))
        else jar.set(pair.slice(0, at), pair.slice(at + 1))
        expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax']))
      }
      return answer as Extract<Answer, { ok: true }>
    },
  }
}

describe.each(kinds)('accounts by $name', ({ make, prove, proveWrongly, verificationLink }) => {
  const anEmail = () => `${newId(10)}@example.com`

  async function aSignedUp(accounts: Accounts, email = anEmail()) {
    const browser = aBrowser()
    const password = await prove(email)
    const { userId } = browser.take(
      await accounts.signUp(browser.request(), { displayName: 'Robin Vale', email, password }),
    )
    return { browser, email, userId }
  }

  async function signIn(accounts: Accounts, email: string) {
    const browser = aBrowser()
    const answer = browser.take(
      await accounts.signIn(browser.request(), { email, password: await prove(email) }),
    )
    return { browser, answer }
  }

  it('sign up a user, whom loaders then find', async () => {
    const accounts = make()
    const { browser, email, userId } = await aSignedUp(accounts)
    const session = await accounts.findSession(browser.request())
    expect(session?.user).toEqual({
      uid: userId,
      displayName: 'Robin Vale',
      email,
      emailVerified: false,
      phoneNumber: null,
      photoUrl: null,
      needsEmail: false,
    })
    expect(await accounts.findSessionEnd(browser.request())).toBeNull()
    expect(await accounts.findDeactivatedSession(browser.request())).toBeNull()
  })

  it('find no session without a cookie or with a made-up one', async () => {
    const accounts = make()
    const { browser } = await aSignedUp(accounts)
    expect(await accounts.findSession(aBrowser().request())).toBeNull()
    expect(await accounts.findSessionEnd(aBrowser().request())).toBeNull()
    for (const name of [...browser.jar.keys()]) browser.jar.set(name, newId(32))
    expect(await accounts.findSession(browser.request())).toBeNull()
    expect(await accounts.findSessionEnd(browser.request())).toBe('user-token-expired')
    expect(await accounts.listSessions(browser.request())).toEqual([])
  })

  it('end the session that a browser brings to a sign-in', async () => {
    const accounts = make()
    const planted = await aSignedUp(accounts)
    const victim = await aSignedUp(accounts)
    const before = new Map(planted.browser.jar)
    planted.browser.take(
      await accounts.signIn(planted.browser.request(), {
        email: victim.email,
        password: await prove(victim.email),
      }),
    )
    expect((await accounts.findSession(planted.browser.request()))?.user.uid).toBe(victim.userId)
    expect(ended).toEqual([planted.userId])
    planted.browser.jar.clear()
    for (const [name, value] of before) planted.browser.jar.set(name, value)
    expect(await accounts.findSession(planted.browser.request())).toBeNull()
  })

  /** Moves the sign-in and the last use of a user's sessions into the past. */
  const age = (userId: string, { openedMs, usedMs }: { openedMs: number; usedMs: number }) =>
    connection.db
      .updateTable('sessions')
      .set({ created_at: new Date(Date.now() - openedMs), updated_at: new Date(Date.now() - usedMs) })
      .where('user_id', '=', userId)
      .execute()

  it.each([
    ['a customer', '', 30 * DAY_MS - HOUR_MS, 29 * DAY_MS, 30 * DAY_MS],
    ['an operator', 'operator-', 11 * HOUR_MS, HOUR_MS / 2, 12 * HOUR_MS],
  ])(
    'end a session of %s so long after its sign-in, however much it is used',
    async (_, who, within, used, at) => {
      const accounts = make()
      const { browser, userId, email } = await aSignedUp(accounts, `${who}${anEmail()}`)
      await age(userId, { openedMs: within, usedMs: used })
      expect((await accounts.findSession(browser.request()))?.user.email).toBe(email)
      expect(await accounts.listSessions(browser.request())).toHaveLength(1)
      await age(userId, { openedMs: at, usedMs: 0 })
      expect(await accounts.findSession(browser.request())).toBeNull()
      expect(await accounts.findSessionEnd(browser.request())).toBe('user-token-expired')
      const again = await signIn(accounts, email)
      expect((await accounts.listSessions(again.browser.request())).map(({ current }) => current)).toEqual([
        true,
      ])
    },
  )

  it('end an operator’s unused session after an hour, and nobody else’s', async () => {
    const accounts = make()
    const operator = await aSignedUp(accounts, `operator-${anEmail()}`)
    const customer = await aSignedUp(accounts)
    for (const { userId } of [operator, customer])
      await age(userId, { openedMs: 2 * HOUR_MS, usedMs: HOUR_MS })
    expect(await accounts.findSession(operator.browser.request())).toBeNull()
    expect(await accounts.findSession(customer.browser.request())).not.toBeNull()
  })

  it('know by its id whether a session is good: of an open account, and within its limits', async () => {
    const accounts = make()
    const operator = await aSignedUp(accounts, `operator-${anEmail()}`)
    const customer = await aSignedUp(accounts)
    const idOf = async ({ browser }: typeof customer) =>
      (await accounts.findSession(browser.request()))?.id ?? ''
    const [operators, customers] = [await idOf(operator), await idOf(customer)]
    for (const id of [operators, customers]) expect(await accounts.isLiveSession(id)).toBe(true)
    expect(await accounts.isLiveSession('no-such-session')).toBe(false)
    for (const { userId } of [operator, customer])
      await age(userId, { openedMs: 2 * HOUR_MS, usedMs: HOUR_MS })
    expect(await accounts.isLiveSession(operators)).toBe(false)
    expect(await accounts.isLiveSession(customers)).toBe(true)
    for (const closed of ['disabled_at', 'deactivated_at'] as const) {
      const set = (at: Date | null) =>
        connection.db
          .updateTable('users')
          .set({ [closed]: at })
          .where('id', '=', customer.userId)
          .execute()
      await set(now())
      expect(await accounts.isLiveSession(customers), closed).toBe(false)
      await set(null)
    }
    await accounts.signOut(customer.browser.request())
    expect(await accounts.isLiveSession(customers)).toBe(false)
  })

  it('invalidate the cookie when signing out', async () => {
    const accounts = make()
    const { browser, userId } = await aSignedUp(accounts)
    const stolen = aBrowser()
    for (const [name, value] of browser.jar) stolen.jar.set(name, value)
    browser.take(await accounts.signOut(browser.request()))
    // Every open page of this browser is notified.
    expect(ended).toEqual([userId])
    expect([...browser.jar.keys()]).toEqual(['jubilee.known_browser'])
    expect(await accounts.findSession(stolen.request())).toBeNull()
    expect(await accounts.findSessionEnd(stolen.request())).toBe('user-token-expired')
    expect(await accounts.signOut(aBrowser().request())).toMatchObject({ ok: true })
  })

  it('fail to sign out when the session can’t be deleted, and leave it working', async () => {
    const accounts = make()
    const { browser, userId } = await aSignedUp(accounts)
    await sql`create function refuse_deletion() returns trigger language plpgsql as
      $$ begin raise exception 'sessions can not be deleted'; end $$`.execute(connection.db)
    await sql`create trigger refuse_deletion before delete on sessions
      for each row execute function refuse_deletion()`.execute(connection.db)
    try {
      await expect(accounts.signOut(browser.request())).rejects.toThrow('sessions can not be deleted')
    } finally {
      await sql`drop trigger refuse_deletion on sessions`.execute(connection.db)
      await sql`drop function refuse_deletion`.execute(connection.db)
    }
    expect((await accounts.findSession(browser.request()))?.user.uid).toBe(userId)
    expect(ended).toEqual([])
  })

  it('report a disabled account at its next request and its next sign-in', async () => {
    const accounts = make()
    const { browser, email, userId } = await aSignedUp(accounts)
    await connection.db.updateTable('users').set({ disabled_at: now() }).where('id', '=', userId).execute()
    expect(await accounts.findSession(browser.request())).toBeNull()
    expect(await accounts.findSessionEnd(browser.request())).toBe('user-disabled')
    const again = await accounts.signIn(aBrowser().request(), { email, password: await prove(email) })
    expect(again).toEqual({ ok: false, reason: 'user-disabled' })
  })

  it('let a deactivated account sign in only to reactivate itself', async () => {
    const accounts = make()
    const { email, userId } = await aSignedUp(accounts)
    await connection.db.updateTable('users').set({ deactivated_at: now() }).where('id', '=', userId).execute()
    const { browser, answer } = await signIn(accounts, email)
    expect(answer).toMatchObject({ deactivated: true })
    expect(await accounts.findSession(browser.request())).toBeNull()
    expect((await accounts.findDeactivatedSession(browser.request()))?.user.uid).toBe(userId)
  })

  it('refuse a wrong password in every call', async () => {
    const accounts = make()
    const { browser, email } = await aSignedUp(accounts)
    const wrong = await proveWrongly()
    expect(await accounts.signIn(aBrowser().request(), { email, password: wrong })).toMatchObject({
      ok: false,
    })
    expect(await accounts.confirmPassword(browser.request(), { password: wrong })).toMatchObject({
      ok: false,
    })
    expect(
      await accounts.requestEmailChange(browser.request(), { email: anEmail(), password: wrong }),
    ).toMatchObject({ ok: false })
    const changed = await accounts.changePassword(browser.request(), {
      currentPassword: wrong,
      newPassword: wrong,
    })
    expect(changed).toMatchObject({ ok: false })
    expect(told).toEqual([])
  })

  it('require a session for every call on one’s own account', async () => {
    const accounts = make()
    const { email } = await aSignedUp(accounts)
    const nobody = aBrowser().request()
    const password = await prove(email)
    const refused = { ok: false, reason: 'user-token-expired' }
    expect(await accounts.confirmPassword(nobody, { password })).toEqual(refused)
    expect(
      await accounts.changePassword(nobody, { currentPassword: password, newPassword: password }),
    ).toEqual(refused)
    expect(await accounts.requestEmailChange(nobody, { email: anEmail(), password })).toEqual(refused)
    expect(await accounts.resendVerification(nobody)).toEqual(refused)
    expect(await accounts.endSession(nobody, { id: 'any' })).toEqual(refused)
    expect(await accounts.endAllSessions(nobody)).toEqual(refused)
  })

  it('end every other session and notify the owner when the password changes', async () => {
    const accounts = make()
    const { browser, email, userId } = await aSignedUp(accounts)
    const { browser: other } = await signIn(accounts, email)
    const password = await prove(email)
    browser.take(
      await accounts.changePassword(browser.request(), { currentPassword: password, newPassword: password }),
    )
    expect(await accounts.findSession(browser.request())).not.toBeNull()
    expect(await accounts.findSession(other.request())).toBeNull()
    expect(ended).toEqual([userId])
    expect(told).toEqual([email])
  })

  it('end every session and void the password through the link in the mail about a new device', async () => {
    const accounts = make()
    const { browser, email, userId } = await aSignedUp(accounts)
    const thief = await signIn(accounts, email)
    // With Firebase Auth the service gets to know the address by this.
    await verificationLink({ email, userId })
    const link = { kind: 'new-device', userId, device: 'Safari on iPhone' } as const
    const token = (await makeBetterAuth().issueLink(link))?.token ?? ''
    const nobody = aBrowser()
    expect(await accounts.findDeviceLink(nobody.request(), { token })).toMatchObject({ ok: true, email })
    // Looking at the link changes nothing, and another link opens nothing.
    expect(await accounts.findSession(thief.browser.request())).not.toBeNull()
    expect(await accounts.refuseDevice(nobody.request(), { token: newId(32) })).toMatchObject({
      reason: 'invalid-action-code',
    })
    expect(await accounts.findSession(thief.browser.request())).not.toBeNull()
    const password = await prove(email)
    const answer = await accounts.refuseDevice(nobody.request(), { token })
    expect(answer).toMatchObject({ ok: true, email })
    for (const signedIn of [browser, thief.browser])
      expect(await accounts.findSession(signedIn.request())).toBeNull()
    expect(ended).toContain(userId)
    expect((await accounts.signIn(aBrowser().request(), { email, password })).ok).toBe(false)
    expect(await accounts.refuseDevice(nobody.request(), { token })).toMatchObject({
      reason: 'invalid-action-code',
    })
  })

  it('refuse such a link once the account has another address', async () => {
    const accounts = make()
    const { browser, userId } = await aSignedUp(accounts)
    const link = { kind: 'new-device', userId, device: 'Safari on iPhone' } as const
    const token = (await makeBetterAuth().issueLink(link))?.token ?? ''
    await connection.db.updateTable('users').set({ email: anEmail() }).where('id', '=', userId).execute()
    expect(await accounts.refuseDevice(aBrowser().request(), { token })).toMatchObject({
      reason: 'invalid-action-code',
    })
    expect(await accounts.findSession(browser.request())).not.toBeNull()
  })

  it('record what happens to an account, with the device and the coarse network', async () => {
    const accounts = make()
    const { browser, email, userId } = await aSignedUp(accounts)
    const other = await signIn(accounts, email)
    const password = await prove(email)
    browser.take(
      await accounts.changePassword(browser.request(), { currentPassword: password, newPassword: password }),
    )
    await accounts.endAllSessions(browser.request())
    const { browser: last } = await signIn(accounts, email)
    await accounts.signOut(last.request())
    await accounts.signOut(other.browser.request())
    await connection.db.updateTable('users').set({ disabled_at: now() }).where('id', '=', userId).execute()
    await accounts.signIn(aBrowser().request(), { email, password })
    const rows = await connection.db
      .selectFrom('security_events')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('recorded_at')
      .execute()
    expect(rows.map(({ kind, detail }) => (detail ? `${kind}: ${detail}` : kind))).toEqual([
      'sign-up',
      expect.stringMatching(/^sign-in: (password|hosted)$/),
      'password-changed',
      'sessions-ended: all',
      expect.stringMatching(/^sign-in: /),
      'sign-out',
      'sign-in-refused: user-disabled',
    ])
    for (const row of rows)
      expect(row).toMatchObject({
        device: 'Firefox on Linux',
        network: '203.0.113.0/24',
        actor_user_id: null,
      })
    expect(JSON.stringify(rows)).not.toContain(email)
  })

  it('record a refused sign-in that names no account', async () => {
    await connection.db.deleteFrom('security_events').execute()
    await make().signIn(aBrowser().request(), { email: anEmail(), password: await proveWrongly() })
    const rows = await connection.db.selectFrom('security_events').selectAll().execute()
    expect(rows).toMatchObject([{ kind: 'sign-in-refused', user_id: null, network: '203.0.113.0/24' }])
  })

  it('record who confirms an address, and who refuses a new device', async () => {
    const accounts = make()
    const { browser, email, userId } = await aSignedUp(accounts)
    const confirmed = await accounts.confirmEmail(browser.request(), {
      token: await verificationLink({ email, userId }),
      password: null,
    })
    expect(confirmed).toMatchObject({ ok: true })
    const link = { kind: 'new-device', userId, device: 'Safari on iPhone' } as const
    const token = (await makeBetterAuth().issueLink(link))?.token ?? ''
    expect(await accounts.refuseDevice(aBrowser().request(), { token })).toMatchObject({ ok: true })
    const kept = await connection.db
      .selectFrom('security_events')
      .select('kind')
      .where('user_id', '=', userId)
      .orderBy('recorded_at')
      .execute()
    expect(kept.map(({ kind }) => kind)).toEqual(['sign-up', 'email-confirmed', 'not-me'])
  })

  it('list the user’s sessions, the current one first, and end one of them', async () => {
    const accounts = make()
    const { browser, email } = await aSignedUp(accounts)
    const { browser: other } = await signIn(accounts, email)
    const listed = await accounts.listSessions(browser.request())
    expect(listed.map(({ current }) => current)).toEqual([true, false])
    expect(listed[0]?.userAgent).toContain('Firefox')
    expect(await accounts.endSession(browser.request(), { id: listed[1]?.id ?? '' })).toMatchObject({
      ok: true,
    })
    expect(await accounts.findSession(other.request())).toBeNull()
    expect(await accounts.findSession(browser.request())).not.toBeNull()
  })

  it('leave another user’s session alone', async () => {
    const accounts = make()
    const { browser } = await aSignedUp(accounts)
    const stranger = await aSignedUp(accounts)
    const id = (await accounts.findSession(stranger.browser.request()))?.id ?? ''
    await accounts.endSession(browser.request(), { id })
    expect(await accounts.findSession(stranger.browser.request())).not.toBeNull()
  })

  it('sign out everywhere', async () => {
    const accounts = make()
    const { browser, email, userId } = await aSignedUp(accounts)
    const { browser: other } = await signIn(accounts, email)
    browser.take(await accounts.endAllSessions(browser.request()))
    expect(await accounts.findSession(other.request())).toBeNull()
    expect([...browser.jar.keys()]).toEqual(['jubilee.known_browser'])
    expect(ended).toEqual([userId])
  })

  it('answer a password reset alike for every address', async () => {
    const accounts = make()
    const { email } = await aSignedUp(accounts)
    const known = await accounts.requestPasswordReset(aBrowser().request(), { email })
    const unknown = await accounts.requestPasswordReset(aBrowser().request(), { email: anEmail() })
    expect(known).toEqual(unknown)
  })

  it('confirm an email without the password only in a browser signed in to its account', async () => {
    const accounts = make()
    const person = await aSignedUp(accounts)
    const stranger = await aSignedUp(accounts)
    const token = await verificationLink(person)
    const { email } = person
    const confirm = (by: ReturnType<typeof aBrowser>, password: string | null = null) =>
      accounts.confirmEmail(by.request(), { token, password })
    for (const by of [aBrowser(), stranger.browser]) {
      expect(await accounts.findEmailLink(by.request(), { token })).toEqual({
        ok: true,
        kind: 'verify',
        email,
        isOwn: false,
      })
      expect(await confirm(by)).toEqual({ ok: false, reason: 'missing-password' })
      expect(await confirm(by, await proveWrongly())).toMatchObject({ ok: false })
      expect(await confirm(by, await prove(stranger.email))).toEqual({ ok: false, reason: 'wrong-password' })
    }
    expect((await accounts.findSession(person.browser.request()))?.user.emailVerified).toBe(false)
    expect(await accounts.findEmailLink(person.browser.request(), { token })).toMatchObject({ isOwn: true })
    expect(await confirm(person.browser)).toEqual({ ok: true, changed: false, email, cookies: [] })
    expect((await accounts.findSession(person.browser.request()))?.user.emailVerified).toBe(true)
    expect(await confirm(person.browser)).toEqual({ ok: false, reason: 'invalid-action-code' })
  })

  it('confirm an email elsewhere with the account’s password, without signing in', async () => {
    const accounts = make()
    const person = await aSignedUp(accounts)
    const token = await verificationLink(person)
    const elsewhere = aBrowser()
    const password = await prove(person.email)
    expect(await accounts.confirmEmail(elsewhere.request(), { token, password })).toMatchObject({
      ok: true,
      cookies: [],
    })
    expect(await accounts.findSession(elsewhere.request())).toBeNull()
    expect((await accounts.findSession(person.browser.request()))?.user.emailVerified).toBe(true)
  })

  it('detach an email for the reader of its mail, and keep the account without one', async () => {
    const accounts = make()
    const person = await aSignedUp(accounts)
    const token = await verificationLink(person)
    const pressed = await accounts.detachEmail(aBrowser().request(), { token, forNewAccount: false })
    expect(pressed).toMatchObject({ ok: true, email: person.email })
    const { user } = (await accounts.findSession(person.browser.request())) ?? {}
    expect(user).toMatchObject({ uid: person.userId, needsEmail: true, emailVerified: false })
    expect(user?.email).toMatch(/@detached\.invalid$/)
    const { answer } = await signIn(accounts, person.email)
    expect(answer).toMatchObject({ userId: person.userId, needsEmail: true })
  })

  it('refuse made-up links', async () => {
    const accounts = make()
    const { browser } = await aSignedUp(accounts)
    for (const token of ['', 'made-up', '\0', 'x'.repeat(10_000)]) {
      const refused = { ok: false, reason: 'invalid-action-code' }
      const request = () => browser.request()
      expect(await accounts.findEmailLink(request(), { token })).toEqual(refused)
      expect(await accounts.confirmEmail(request(), { token, password: null })).toEqual(refused)
      expect(await accounts.detachEmail(request(), { token, forNewAccount: true })).toEqual(refused)
      expect(await accounts.findUndoLink(request(), { token })).toEqual(refused)
      expect(await accounts.undoEmailChange(request(), { token })).toEqual(refused)
    }
  })
})
