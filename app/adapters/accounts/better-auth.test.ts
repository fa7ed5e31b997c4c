import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aClock, aSecurityLog } from '../../../tests/builders.ts'
import { cheapPasswords } from '../../../tests/cheap-passwords.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { hashText } from '../../shared/signed.ts'
import { readSignedList } from '../../shared/signed-cookie.server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { createRateLimits } from '../rate-limits/database.server.ts'
import type { LinkRequest } from './better-auth/mails.server.ts'
import { type BetterAuthAccounts, createBetterAuthAccounts } from './better-auth.server.ts'
import { slowPasswords } from './passwords.server.ts'
import { type AccountAnswer, CLIENT_ADDRESS_HEADER } from './port.ts'

const PASSWORD = 'under the jacaranda'

let connection: TestConnection
let accounts: BetterAuthAccounts
// The library expires sessions by the real clock, so this one starts at the real time.
const clock = aClock(new Date().toISOString())
const queued: LinkRequest[] = []
const told: string[] = []
const unknown: string[] = []
let ended: string[] = []

const SESSION_RULES = {
  all: { lifeMs: 30 * DAY_MS, idleMs: null },
  operators: { lifeMs: 12 * HOUR_MS, idleMs: HOUR_MS },
  isOperator: async ({ email }: { email: string }) => email.startsWith('operator-'),
}

const SECRET = 'a secret for tests, long enough to be one'

beforeAll(async () => {
  connection = await openTestDatabase()
  accounts = makeAccounts(new URL('http://localhost:3000'))
})
afterAll(() => connection.close())

function makeAccounts(publicUrl: URL, passwords = cheapPasswords): BetterAuthAccounts {
  return createBetterAuthAccounts({
    db: connection.db,
    publicUrl,
    secret: SECRET,
    meetsPolicy: (password) => password.length >= 6,
    isWeak: async (password, { email }) => password === `easy to guess for ${email}`,
    sessionRules: SESSION_RULES,
    securityLog: aSecurityLog(connection.db),
    queue: {
      passwordReset: async (email) => void queued.push({ kind: 'reset-password', email }),
      verification: async (userId) => void queued.push({ kind: 'verify-email', userId }),
      emailChange: async (userId, email) => void queued.push({ kind: 'change-email', userId, email }),
      passwordChanged: async ({ email }) => void told.push(`password ${email}`),
      emailChanged: async (_tx, change) => void queued.push({ kind: 'undo-email-change', ...change }),
      emailLeft: async (_tx, { email }) => void told.push(`${email} left`),
      emailChangeUndone: async (_tx, { email }) => void told.push(`undone ${email}`),
    },
    rateLimits: createRateLimits(connection.db, clock.now),
    onSessionsEnded: async (_tx, userId) => void ended.push(userId),
    onFactorChange: async ({ kind }) => void told.push(kind),
    onUnknown: (code) => void unknown.push(code),
    now: clock.now,
    passwords,
  })
}

let addresses = 0
/** A browser with a network address of its own and a jar for its cookies. */
function aBrowser(address = `10.0.${++addresses >> 8}.${addresses & 255}`) {
  let cookies = new Map<string, string>()
  return {
    address,
    get cookies() {
      return cookies
    },
    plant: (name: string, value: string) => void cookies.set(name, value),
    request: () =>
      new Request('http://localhost:3000/login', {
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'user-agent': 'Firefox/140.0 Linux',
          [CLIENT_ADDRESS_HEADER]: address,
        },
      }),
    take(answer: { ok: true; cookies: string[] } | { ok: false }) {
      if (!answer.ok) return
      for (const cookie of answer.cookies) {
        const [pair = ''] = cookie.split(';')
        const [name = '', value = ''] = pair.split('=')
        if (/max-age=0/i.test(cookie)) cookies.delete(name)
        else cookies.set(name, value)
      }
    },
    copy() {
      const other = aBrowser(address)
      cookies.forEach((value, name) => {
        other.plant(name, value)
      })
      return other
    },
    forget: () => {
      cookies = new Map()
    },
  }
}

let people = 0
async function aPerson() {
  const email = `person-${++people}@example.com`
  const browser = aBrowser()
  const answer = await accounts.signUp(browser.request(), {
    displayName: 'Robin Vale',
    email,
    password: PASSWORD,
  })
  if (!answer.ok) throw new Error(answer.reason)
  browser.take(answer)
  return { email, browser, userId: answer.userId }
}

async function signIn(email: string, password = PASSWORD, browser = aBrowser()) {
  const answer = await accounts.signIn(browser.request(), { email, password })
  browser.take(answer)
  return { answer, browser }
}

async function linkOf(request: LinkRequest): Promise<string> {
  const issued = await accounts.issueLink(request)
  if (!issued) throw new Error('nobody to send a link to')
  return issued.token
}

const reasonOf = (answer: { ok: boolean; reason?: string }) => (answer.ok ? 'ok' : answer.reason)

describe('signing up', () => {
  it('signs in immediately and queues the verification mail', async () => {
    const { browser, email, userId } = await aPerson()
    const session = await accounts.findSession(browser.request())
    expect(session?.user).toMatchObject({
      uid: userId,
      email,
      emailVerified: false,
      displayName: 'Robin Vale',
    })
    expect(queued).toContainEqual({ kind: 'verify-email', userId })
  })

  it('refuses a password that breaks the policy, and an address that has an account', async () => {
    const { email } = await aPerson()
    const input = { displayName: 'Robin', email: 'someone-new@example.com', password: '12345' }
    expect(reasonOf(await accounts.signUp(aBrowser().request(), input))).toBe(
      'password-does-not-meet-requirements',
    )
    const again = await accounts.signUp(aBrowser().request(), {
      ...input,
      email: email.toUpperCase(),
      password: PASSWORD,
    })
    expect(reasonOf(again)).toBe('email-already-in-use')
  })

  it('refuses a password that is easy to guess, and creates no account', async () => {
    const email = 'easy@example.com'
    const input = { displayName: 'Robin', email, password: `easy to guess for ${email}` }
    expect(reasonOf(await accounts.signUp(aBrowser().request(), input))).toBe('weak-password')
    const rows = await connection.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(rows).toEqual([])
  })

  it('checks 30 passwords per network address in 15 minutes, since each may ask another service', async () => {
    const email = 'eager@example.com'
    const browser = aBrowser()
    const input = { displayName: 'Robin', email, password: `easy to guess for ${email}` }
    toNextWindow(HOUR_MS / 4)
    const reasons: unknown[] = []
    for (let tries = 0; tries < 31; tries++)
      reasons.push(reasonOf(await accounts.signUp(browser.request(), input)))
    expect(reasons).toEqual([...Array(30).fill('weak-password'), 'too-many-requests'])
  })

  it('creates one account when two sign-ups race for an address', async () => {
    const email = 'raced@example.com'
    const answers = await Promise.all(
      ['one-password', 'another-password'].map((password) =>
        accounts.signUp(aBrowser().request(), { displayName: 'Robin', email, password }),
      ),
    )
    expect(answers.map(reasonOf).toSorted()).toEqual(['email-already-in-use', 'ok'])
    const rows = await connection.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(rows).toHaveLength(1)
    const winner = answers[0]?.ok ? 'one-password' : 'another-password'
    const loser = answers[0]?.ok ? 'another-password' : 'one-password'
    expect(reasonOf((await signIn(email, winner)).answer)).toBe('ok')
    expect(reasonOf((await signIn(email, loser)).answer)).toBe('invalid-credential')
  })

  it('stops after ten tries per network address, because it reveals which addresses have accounts', async () => {
    const { email } = await aPerson()
    const browser = aBrowser()
    const reasons: unknown[] = []
    for (let tries = 0; tries < 11; tries++) {
      const input = { displayName: 'Robin', email, password: PASSWORD }
      reasons.push(reasonOf(await accounts.signUp(browser.request(), input)))
    }
    expect(reasons.at(0)).toBe('email-already-in-use')
    expect(reasons.at(-1)).toBe('too-many-requests')
  })
})

describe('signing in', () => {
  it('answers an unknown address as a wrong password, in the same time', async () => {
    const asServed = makeAccounts(new URL('http://localhost:3000'), slowPasswords)
    const email = 'timed@example.com'
    await asServed.signUp(aBrowser().request(), { displayName: 'Robin Vale', email, password: PASSWORD })
    const timed = async (address: string) => {
      const started = performance.now()
      const request = aBrowser().request()
      const answer = await asServed.signIn(request, { email: address, password: 'not the password' })
      return { reason: reasonOf(answer), ms: performance.now() - started }
    }
    await timed('warm-up@example.com')
    const known = [await timed(email), await timed(email), await timed(email)]
    const unknownOnes = [
      await timed('nobody-1@example.com'),
      await timed('nobody-2@example.com'),
      await timed('nobody-3@example.com'),
    ]
    expect(new Set([...known, ...unknownOnes].map(({ reason }) => reason))).toEqual(
      new Set(['invalid-credential']),
    )
    const fastest = (runs: { ms: number }[]) => Math.min(...runs.map(({ ms }) => ms))
    // One hash each. Without it, an unknown address would take a tenth of the time.
    expect(fastest(unknownOnes)).toBeGreaterThan(fastest(known) / 3)
    expect(fastest(known)).toBeGreaterThan(fastest(unknownOnes) / 3)
  })

  it('stops after ten wrong passwords per network address, across accounts', async () => {
    const browser = aBrowser()
    const reasons: unknown[] = []
    for (let tries = 0; tries < 11; tries++) {
      reasons.push(reasonOf((await signIn(`spray-${tries}@example.com`, 'guess', browser)).answer))
    }
    expect(reasons.at(-1)).toBe('too-many-requests')
  })

  it('replaces a planted session', async () => {
    const attacker = await aPerson()
    const planted = attacker.browser.cookies.get('jubilee.session_token') ?? ''
    const victim = await aPerson()
    const browser = aBrowser()
    browser.plant('jubilee.session_token', planted)
    await signIn(victim.email, PASSWORD, browser)
    expect(browser.cookies.get('jubilee.session_token')).not.toBe(planted)
    expect((await accounts.findSession(browser.request()))?.user.email).toBe(victim.email)
    // The planted session has ended.
    expect(await accounts.findSession(attacker.browser.request())).toBeNull()
  })

  it('rejects a session cookie with a wrong signature', async () => {
    const { browser } = await aPerson()
    const [token] = (browser.cookies.get('jubilee.session_token') ?? '').split('.')
    const forged = aBrowser()
    forged.plant('jubilee.session_token', `${token}.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3D`)
    expect(await accounts.findSession(forged.request())).toBeNull()
    expect(await accounts.findSessionEnd(forged.request())).toBe('user-token-expired')
    forged.plant('jubilee.session_token', '%E0%A4%A')
    expect(await accounts.findSession(forged.request())).toBeNull()
    expect(await accounts.findSessionEnd(forged.request())).toBeNull()
  })

  it('sets an HttpOnly, SameSite cookie, which is Secure under TLS', async () => {
    const { email } = await aPerson()
    const plain = await accounts.signIn(aBrowser().request(), { email, password: PASSWORD })
    const secure = await makeAccounts(new URL('https://jubilee.example')).signIn(aBrowser().request(), {
      email,
      password: PASSWORD,
    })
    const cookieOf = (answer: AccountAnswer) => (answer.ok ? answer.cookies.join('\n') : '')
    expect(cookieOf(plain)).toMatch(/^jubilee\.session_token=.*HttpOnly.*SameSite=Lax/i)
    expect(cookieOf(plain)).not.toMatch(/; Secure/i)
    expect(cookieOf(secure)).toMatch(
      /^__Host-jubilee\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax\n/,
    )
    expect(cookieOf(secure)).not.toMatch(/__Secure-|^(?!__Host-)/m)
    expect(cookieOf(secure)).not.toMatch(/domain=/i)
  })
})

/** Moves the clock to the beginning of the next window, so that no window ends in the middle of a test. */
const toNextWindow = (windowMs: number) => clock.forward(windowMs - (clock.now().getTime() % windowMs))

describe('wrong passwords', () => {
  beforeEach(() => toNextWindow(HOUR_MS / 4))

  const guess = async (email: string, count: number, browser = () => aBrowser()) => {
    const reasons: unknown[] = []
    for (let tries = 0; tries < count; tries++)
      reasons.push(reasonOf((await signIn(email, 'guess', browser())).answer))
    return reasons
  }

  it.each([
    ['an account', async () => (await aPerson()).email],
    ['an address without an account', async () => 'ghost@example.com'],
  ])('count per pair of %s and a network address', async (_, anEmail) => {
    const email = await anEmail()
    const attacker = aBrowser()
    // Spread over time, so that the limit per network address across accounts doesn't apply.
    const reasons: unknown[] = []
    for (let tries = 0; tries < 12; tries++) {
      clock.forward(61_000)
      reasons.push(...(await guess(email, 1, () => attacker)))
    }
    expect(reasons.slice(0, 10)).toEqual(Array(10).fill('invalid-credential'))
    expect(reasons.slice(10)).toEqual(['too-many-requests', 'too-many-requests'])
    // At another network address only the password decides.
    expect(await guess(email, 1)).toEqual(['invalid-credential'])
  })

  it('never lock out the owner, who types the right one at another network address', async () => {
    const { email } = await aPerson()
    const attacker = aBrowser()
    await guess(email, 30, () => attacker)
    expect(reasonOf((await signIn(email, PASSWORD, attacker)).answer)).toBe('too-many-requests')
    expect(reasonOf((await signIn(email)).answer)).toBe('ok')
  })

  it('from many network addresses stop at 100 a day, except in a known browser', async () => {
    const { email, browser } = await aPerson()
    browser.take(await accounts.signOut(browser.request()))
    const reasons = await guess(email, 101)
    expect(new Set(reasons.slice(0, 100))).toEqual(new Set(['invalid-credential']))
    expect(reasons.at(100)).toBe('too-many-requests')
    // An unknown browser is refused even with the right password. Otherwise guessing could continue.
    expect(reasonOf((await signIn(email)).answer)).toBe('too-many-requests')
    // The browser that signed up can still sign in.
    expect(reasonOf((await signIn(email, PASSWORD, browser)).answer)).toBe('ok')
    expect(reasonOf((await signIn(email, PASSWORD, browser)).answer)).toBe('ok')
  }, 60_000)

  it('past the slow limit still allow a password reset, which makes the browser known', async () => {
    const { email } = await aPerson()
    await guess(email, 101)
    const newBrowser = aBrowser()
    expect(reasonOf((await signIn(email, PASSWORD, newBrowser)).answer)).toBe('too-many-requests')
    const token = await linkOf({ kind: 'reset-password', email })
    const reset = await accounts.resetPassword(newBrowser.request(), { token, password: 'a new password' })
    newBrowser.take(reset)
    expect(reasonOf(reset)).toBe('ok')
    expect(reasonOf((await signIn(email, 'a new password', newBrowser)).answer)).toBe('ok')
  }, 60_000)

  it('by neighbours don’t stop a known browser at the same network address', async () => {
    const { email, browser } = await aPerson()
    const neighbour = aBrowser(browser.address)
    await guess(email, 11, () => neighbour)
    expect(reasonOf((await signIn(email, PASSWORD, neighbour)).answer)).toBe('too-many-requests')
    expect(reasonOf((await signIn(email, PASSWORD, browser)).answer)).toBe('ok')
  })

  it('count against a stolen known-browser cookie, even from many network addresses', async () => {
    const { email, browser } = await aPerson()
    const stolen = () => {
      const copy = aBrowser()
      for (const [name, value] of browser.cookies) if (name.includes('known')) copy.plant(name, value)
      return copy
    }
    expect((await guess(email, 11, stolen)).at(-1)).toBe('too-many-requests')
    expect(reasonOf((await signIn(email, PASSWORD, stolen())).answer)).toBe('too-many-requests')
    // Over a day, the thief gets no more guesses than a stranger.
    const day: unknown[] = []
    toNextWindow(DAY_MS)
    for (let step = 0; step < 12; step++) {
      clock.forward(15 * MINUTE_MS)
      day.push(...(await guess(email, 10, stolen)))
    }
    expect(day.filter((reason) => reason === 'invalid-credential').length).toBeLessThanOrEqual(100)
    expect(day.at(-1)).toBe('too-many-requests')
    // Other browsers are not affected.
    expect(reasonOf((await signIn(email)).answer)).toBe('ok')
  }, 60_000)

  it('in a browser known to another account count as a stranger’s', async () => {
    const { email } = await aPerson()
    const other = await aPerson()
    const reasons = await guess(email, 11, () => other.browser)
    expect(reasons.at(-1)).toBe('too-many-requests')
    const [name = '', value = ''] =
      [...other.browser.cookies].find(([cookie]) => cookie.includes('known')) ?? []
    const forged = aBrowser()
    forged.plant(
      name,
      value.replace(/[a-z0-9]/, (first) => (first === 'a' ? 'b' : 'a')),
    )
    expect(await guess(email, 1, () => forged)).toEqual(['invalid-credential'])
  })

  it('stop counting after the right one, which itself never counts', async () => {
    const { email } = await aPerson()
    const browser = aBrowser()
    expect(await guess(email, 9, () => browser)).toEqual(Array(9).fill('invalid-credential'))
    for (let tries = 0; tries < 12; tries++)
      expect(reasonOf((await signIn(email, PASSWORD, browser)).answer)).toBe('ok')
    const stranger = aBrowser()
    for (let tries = 0; tries < 12; tries++) {
      stranger.forget()
      expect(reasonOf((await signIn(email, PASSWORD, stranger)).answer)).toBe('ok')
    }
  })

  it('count individually when sent concurrently', async () => {
    const { email } = await aPerson()
    const attacker = aBrowser()
    const answers = await Promise.all(Array.from({ length: 15 }, () => signIn(email, 'guess', attacker)))
    const reasons = answers.map(({ answer }) => reasonOf(answer))
    expect(reasons.filter((reason) => reason === 'invalid-credential')).toHaveLength(10)
  })

  it('count across processes', async () => {
    const { email } = await aPerson()
    const attacker = aBrowser()
    await guess(email, 10, () => attacker)
    const elsewhere = makeAccounts(new URL('http://localhost:3000'))
    const answer = await elsewhere.signIn(attacker.request(), { email, password: PASSWORD })
    expect(reasonOf(answer)).toBe('too-many-requests')
  })

  it('count per /64 of an IPv6 address, and per IPv4 address in any notation', async () => {
    const { email } = await aPerson()
    let host = 0
    const inOne64 = () => aBrowser(`2001:db8:7:7::${(++host).toString(16)}`)
    expect((await guess(email, 11, inOne64)).at(-1)).toBe('too-many-requests')
    const { email: other } = await aPerson()
    await guess(other, 10, () => aBrowser('192.0.2.77'))
    expect(await guess(other, 1, () => aBrowser('::ffff:192.0.2.77'))).toEqual(['too-many-requests'])
  })
})

describe('a known browser', () => {
  const cookieOf = async (answer: Promise<AccountAnswer>) => {
    const given = await answer
    return given.ok ? (given.cookies.find((cookie) => cookie.includes('known_browser')) ?? '') : ''
  }
  const signUpAt = (origin: string) =>
    makeAccounts(new URL(origin)).signUp(aBrowser().request(), {
      displayName: 'Robin Vale',
      email: `person-${++people}@example.com`,
      password: PASSWORD,
    })

  it('gets a signed, HttpOnly cookie for a year, with the __Host- prefix under TLS', async () => {
    expect(await cookieOf(signUpAt('http://localhost:3000'))).toMatch(
      /^jubilee\.known_browser=[\w%.]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(await cookieOf(signUpAt('https://jubilee.example'))).toMatch(
      /^__Host-jubilee\.known_browser=[\w%.]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('stays known after signing out, without opening a session', async () => {
    const { browser } = await aPerson()
    browser.take(await accounts.signOut(browser.request()))
    expect([...browser.cookies.keys()]).toEqual(['jubilee.known_browser'])
    expect(await accounts.findSession(browser.request())).toBeNull()
    expect(await accounts.findSessionEnd(browser.request())).toBeNull()
  })

  it('stays known to the last five accounts that signed in, under a stable id', async () => {
    const shared = aBrowser()
    const value = () =>
      readSignedList(shared.request().headers.get('cookie'), 'jubilee.known_browser', SECRET)
    const ids: string[] = []
    for (let count = 0; count < 6; count++) {
      const { email, userId } = await aPerson()
      ids.unshift(userId)
      await signIn(email, PASSWORD, shared)
    }
    expect((await value()).slice(1)).toEqual(ids.slice(0, 5))
    const [id] = await value()
    const { email } = await aPerson()
    await signIn(email, PASSWORD, shared)
    expect((await value())[0]).toBe(id)
  })

  it('gets its cookie from a session that is older than these cookies', async () => {
    const { browser } = await aPerson()
    browser.cookies.delete('jubilee.known_browser')
    expect((await accounts.renewCookies(browser.request())).join()).toContain('jubilee.known_browser=')
    browser.take({ ok: true, cookies: await accounts.renewCookies(browser.request()) })
    expect((await accounts.renewCookies(browser.request())).join()).not.toContain('known_browser')
    expect(await accounts.renewCookies(aBrowser().request())).toEqual([])
  })
})

describe('a disabled or deactivated account', () => {
  it('loses its sessions while disabled, and reveals that only after the right password', async () => {
    const { browser, email, userId } = await aPerson()
    const disable = (at: Date | null) =>
      connection.db.updateTable('users').set({ disabled_at: at }).where('id', '=', userId).execute()
    await disable(clock.now())
    expect(await accounts.findSession(browser.request())).toBeNull()
    expect(await accounts.findSessionEnd(browser.request())).toBe('user-disabled')
    expect(reasonOf((await signIn(email)).answer)).toBe('user-disabled')
    expect(reasonOf((await signIn(email, 'wrong one')).answer)).toBe('invalid-credential')
    expect(await accounts.issueLink({ kind: 'reset-password', email })).toBeNull()
    await disable(null)
    expect(await accounts.findSession(browser.request())).not.toBeNull()
  })

  it('can only be reactivated when it is deactivated', async () => {
    const { email, userId } = await aPerson()
    await connection.db
      .updateTable('users')
      .set({ deactivated_at: clock.now() })
      .where('id', '=', userId)
      .execute()
    const { answer, browser } = await signIn(email)
    expect(answer).toMatchObject({ ok: true, deactivated: true })
    expect(await accounts.findSession(browser.request())).toBeNull()
    expect((await accounts.findDeactivatedSession(browser.request()))?.user.uid).toBe(userId)
    expect(reasonOf(await accounts.confirmPassword(browser.request(), { password: PASSWORD }))).toBe(
      'user-token-expired',
    )
  })
})

describe('a password reset or change', () => {
  it('gets the same answer for an address without an account', async () => {
    const { email } = await aPerson()
    queued.length = 0
    const known = await accounts.requestPasswordReset(aBrowser().request(), { email })
    const unknownOne = await accounts.requestPasswordReset(aBrowser().request(), {
      email: 'nobody@example.com',
    })
    expect(known).toEqual(unknownOne)
    expect(queued).toEqual([
      { kind: 'reset-password', email },
      { kind: 'reset-password', email: 'nobody@example.com' },
    ])
    expect(await accounts.issueLink({ kind: 'reset-password', email: 'nobody@example.com' })).toBeNull()
  })

  it('gets the same answer past the limit of three mails an hour', async () => {
    const { email } = await aPerson()
    queued.length = 0
    const answers = new Set<string>()
    const attacker = aBrowser()
    for (let tries = 0; tries < 15; tries++) {
      answers.add(JSON.stringify(await accounts.requestPasswordReset(aBrowser().request(), { email })))
      answers.add(JSON.stringify(await accounts.requestPasswordReset(attacker.request(), { email })))
    }
    expect([...answers]).toEqual([JSON.stringify({ ok: true, cookies: [] })])
    expect(queued).toHaveLength(3)
    // Each of the three links works.
    const tokens = [linkOf, linkOf, linkOf].map((make) => make({ kind: 'reset-password', email }))
    const [, second = ''] = await Promise.all(tokens)
    const browser = aBrowser()
    expect(
      reasonOf(await accounts.resetPassword(browser.request(), { token: second, password: 'a new one' })),
    ).toBe('ok')
    clock.forward(HOUR_MS)
    await accounts.requestPasswordReset(aBrowser().request(), { email })
    expect(queued).toHaveLength(4)
  })

  it('stops after ten requests per network address', async () => {
    const browser = aBrowser()
    queued.length = 0
    const reasons: unknown[] = []
    for (let tries = 0; tries < 11; tries++) {
      const email = `many-${tries}@example.com`
      reasons.push(reasonOf(await accounts.requestPasswordReset(browser.request(), { email })))
    }
    expect(reasons.slice(0, 10)).toEqual(Array(10).fill('ok'))
    expect(reasons.at(10)).toBe('too-many-requests')
    expect(queued).toHaveLength(10)
  })

  it('works once per link, which is stored as a hash, and ends every session', async () => {
    const { email, browser, userId } = await aPerson()
    const other = (await signIn(email)).browser
    const token = await linkOf({ kind: 'reset-password', email })
    const stored = await connection.db
      .selectFrom('account_links')
      .selectAll()
      .where('user_id', '=', userId)
      .execute()
    expect(stored).toHaveLength(1)
    expect(stored[0]?.hash).toBe(await hashText(token))
    expect(JSON.stringify(stored)).not.toContain(token)

    const reset = (password: string) => accounts.resetPassword(aBrowser().request(), { token, password })
    expect(reasonOf(await reset('12345'))).toBe('password-does-not-meet-requirements')
    ended = []
    const both = await Promise.all([reset('a new password'), reset('another new one')])
    expect(both.map(reasonOf).toSorted()).toEqual(['invalid-action-code', 'ok'])
    expect(ended).toEqual([userId])
    for (const gone of [browser, other]) {
      expect(await accounts.findSession(gone.request())).toBeNull()
      expect(await accounts.findSessionEnd(gone.request())).toBe('user-token-expired')
    }
    expect(reasonOf(await reset('a third one'))).toBe('invalid-action-code')
    const chosen = both[0]?.ok ? 'a new password' : 'another new one'
    const signedIn = await signIn(email, chosen)
    expect(signedIn.answer.ok).toBe(true)
    // The reset mail proved the address.
    expect((await accounts.findSession(signedIn.browser.request()))?.user.emailVerified).toBe(true)
    expect(told).toContain(`password ${email}`)
  })

  it('fails an hour after the link was made', async () => {
    const { email } = await aPerson()
    const token = await linkOf({ kind: 'reset-password', email })
    clock.forward(HOUR_MS)
    const answer = await accounts.resetPassword(aBrowser().request(), { token, password: PASSWORD })
    expect(reasonOf(answer)).toBe('expired-action-code')
  })

  it('fails with a link of another kind', async () => {
    const { browser, userId } = await aPerson()
    const token = await linkOf({ kind: 'verify-email', userId })
    const answer = await accounts.resetPassword(aBrowser().request(), { token, password: PASSWORD })
    expect(reasonOf(answer)).toBe('invalid-action-code')
    expect(reasonOf(await accounts.undoEmailChange(browser.request(), { token }))).toBe('invalid-action-code')
    expect(reasonOf(await confirm(browser, token))).toBe('ok')
  })

  it('requires the current password and signs out every other browser', async () => {
    const { email, browser } = await aPerson()
    const other = (await signIn(email)).browser
    const pending = await linkOf({ kind: 'reset-password', email })
    const change = (currentPassword: string, newPassword: string) =>
      accounts.changePassword(browser.request(), { currentPassword, newPassword })
    expect(reasonOf(await change('wrong', 'a new password'))).toBe('wrong-password')
    expect(reasonOf(await change(PASSWORD, '12345'))).toBe('password-does-not-meet-requirements')
    const changed = await change(PASSWORD, 'a new password')
    expect(changed.ok).toBe(true)
    browser.take(changed)
    expect(await accounts.findSession(browser.request())).not.toBeNull()
    expect(await accounts.findSession(other.request())).toBeNull()
    expect(reasonOf((await signIn(email)).answer)).toBe('invalid-credential')
    const late = await accounts.resetPassword(aBrowser().request(), { token: pending, password: PASSWORD })
    expect(reasonOf(late)).toBe('invalid-action-code')
  })

  it('refuses a password that is easy to guess, which leaves link and password as they are', async () => {
    const { email, browser } = await aPerson()
    const weak = `easy to guess for ${email}`
    const token = await linkOf({ kind: 'reset-password', email })
    expect(reasonOf(await accounts.resetPassword(aBrowser().request(), { token, password: weak }))).toBe(
      'weak-password',
    )
    const change = { currentPassword: PASSWORD, newPassword: weak }
    expect(reasonOf(await accounts.changePassword(browser.request(), change))).toBe('weak-password')
    expect(reasonOf((await signIn(email)).answer)).toBe('ok')
    const reset = { token, password: 'a new password' }
    expect(reasonOf(await accounts.resetPassword(aBrowser().request(), reset))).toBe('ok')
  })

  it('leaves an account its old password, however easy to guess', async () => {
    const { email, userId } = await aPerson()
    const weak = `easy to guess for ${email}`
    await connection.db
      .updateTable('account_credentials')
      .set({ password: await cheapPasswords.hash(weak) })
      .where('user_id', '=', userId)
      .execute()
    expect(reasonOf((await signIn(email, weak)).answer)).toBe('ok')
  })

  it('stops after ten guesses of the current password, in that browser alone', async () => {
    const { email, browser } = await aPerson()
    const { browser: phone } = await signIn(email)
    const confirm = async (at: typeof browser, password: string) =>
      reasonOf(await accounts.confirmPassword(at.request(), { password }))
    for (let tries = 0; tries < 9; tries++) expect(await confirm(browser, 'guess')).toBe('wrong-password')
    // The right password resets the count, and itself never counts.
    for (let tries = 0; tries < 11; tries++) expect(await confirm(browser, PASSWORD)).toBe('ok')
    for (let tries = 0; tries < 10; tries++) expect(await confirm(browser, 'guess')).toBe('wrong-password')
    expect(await confirm(browser, PASSWORD)).toBe('too-many-requests')
    const change = { currentPassword: PASSWORD, newPassword: 'a new password' }
    expect(reasonOf(await accounts.changePassword(browser.request(), change))).toBe('too-many-requests')
    expect(reasonOf(await accounts.changePassword(phone.request(), change))).toBe('ok')
  })
})

/** Presses the confirm button of a mailed link. */
const confirm = (browser: ReturnType<typeof aBrowser>, token: string, password: string | null = null) =>
  accounts.confirmEmail(browser.request(), { token, password })

async function aVerifiedPerson() {
  const person = await aPerson()
  const token = await linkOf({ kind: 'verify-email', userId: person.userId })
  expect(reasonOf(await confirm(person.browser, token))).toBe('ok')
  return person
}

const userRow = (id: string) =>
  connection.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a link to an email address', () => {
  it('confirms the address once, in a browser that is signed in', async () => {
    const { browser, userId } = await aPerson()
    const token = await linkOf({ kind: 'verify-email', userId })
    const another = await linkOf({ kind: 'verify-email', userId })
    expect(await confirm(browser, token)).toMatchObject({ ok: true, changed: false })
    expect((await accounts.findSession(browser.request()))?.user.emailVerified).toBe(true)
    expect(reasonOf(await confirm(browser, token))).toBe('invalid-action-code')
    // The address is confirmed, so the other mail's link can neither confirm nor detach it.
    expect(reasonOf(await confirm(browser, another))).toBe('invalid-action-code')
    expect(
      reasonOf(await accounts.detachEmail(browser.request(), { token: another, forNewAccount: false })),
    ).toBe('invalid-action-code')
    expect(await accounts.issueLink({ kind: 'verify-email', userId })).toBeNull()
  })

  it('needs the account’s password in a browser that isn’t signed in to it', async () => {
    const other = await aPerson()
    for (const browser of [aBrowser(), other.browser]) {
      const { userId } = await aPerson()
      const token = await linkOf({ kind: 'verify-email', userId })
      expect(reasonOf(await confirm(browser, token))).toBe('missing-password')
      expect(reasonOf(await confirm(browser, token, ''))).toBe('missing-password')
      expect(reasonOf(await confirm(browser, token, 'a guess'))).toBe('wrong-password')
      expect((await userRow(userId)).email_verified).toBe(false)
      expect(reasonOf(await confirm(browser, token, PASSWORD))).toBe('ok')
      expect((await userRow(userId)).email_verified).toBe(true)
    }
  })

  it('limits password guesses without locking the owner out', async () => {
    const { email, browser, userId } = await aPerson()
    const token = await linkOf({ kind: 'verify-email', userId })
    const guesser = aBrowser()
    const reasons: unknown[] = []
    for (let tries = 0; tries < 11; tries++) reasons.push(reasonOf(await confirm(guesser, token, 'guess')))
    expect(reasons.slice(0, 10)).toEqual(Array(10).fill('wrong-password'))
    expect(reasons.at(10)).toBe('too-many-requests')
    expect(reasonOf(await confirm(guesser, token, PASSWORD))).toBe('too-many-requests')
    // Guesses here and at the sign-in screen count together.
    expect(reasonOf((await signIn(email, PASSWORD, guesser)).answer)).toBe('too-many-requests')
    expect(reasonOf((await signIn(email)).answer)).toBe('ok')
    expect(reasonOf(await confirm(browser, token))).toBe('ok')
  })

  it('confirms nothing for a disabled account, and reveals that only after the right password', async () => {
    const { userId } = await aPerson()
    const token = await linkOf({ kind: 'verify-email', userId })
    await connection.db
      .updateTable('users')
      .set({ disabled_at: clock.now() })
      .where('id', '=', userId)
      .execute()
    expect(reasonOf(await confirm(aBrowser(), token, 'a guess'))).toBe('wrong-password')
    expect(reasonOf(await confirm(aBrowser(), token, PASSWORD))).toBe('user-disabled')
  })

  it('shows its address and whether the browser is signed in to the account', async () => {
    const { browser, email, userId } = await aPerson()
    const stranger = await aPerson()
    const token = await linkOf({ kind: 'verify-email', userId })
    const shown = (by: ReturnType<typeof aBrowser>, of = token) =>
      accounts.findEmailLink(by.request(), { token: of })
    expect(await shown(browser)).toEqual({ ok: true, kind: 'verify', email, isOwn: true })
    expect(await shown(aBrowser())).toEqual({ ok: true, kind: 'verify', email, isOwn: false })
    expect(await shown(stranger.browser)).toEqual({ ok: true, kind: 'verify', email, isOwn: false })
    const change = await linkOf({ kind: 'change-email', userId, email: 'soon@example.com' })
    expect(await shown(aBrowser(), change)).toEqual({
      ok: true,
      kind: 'change',
      email: 'soon@example.com',
      isOwn: false,
    })
    for (const broken of ['', 'x', `${token}x`, '\0', 'x'.repeat(100_000)])
      expect(reasonOf(await shown(browser, broken))).toBe('invalid-action-code')
    clock.forward(HOUR_MS)
    expect(reasonOf(await shown(browser))).toBe('expired-action-code')
    expect(reasonOf(await confirm(browser, token))).toBe('expired-action-code')
    expect(reasonOf(await accounts.detachEmail(browser.request(), { token, forNewAccount: false }))).toBe(
      'expired-action-code',
    )
    expect((await userRow(userId)).email_verified).toBe(false)
  })

  it('changes the address after a request with the password, and notifies the old one', async () => {
    const { browser, email, userId } = await aVerifiedPerson()
    const to = `new-${email}`
    const ask = (password: string) => accounts.requestEmailChange(browser.request(), { email: to, password })
    expect(reasonOf(await ask('wrong'))).toBe('wrong-password')
    queued.length = 0
    expect(reasonOf(await ask(PASSWORD))).toBe('ok')
    expect(queued).toEqual([{ kind: 'change-email', userId, email: to }])
    const oldReset = await linkOf({ kind: 'reset-password', email })
    const token = await linkOf({ kind: 'change-email', userId, email: to })
    expect((await accounts.findSession(browser.request()))?.user.email).toBe(email)

    expect(reasonOf(await confirm(aBrowser(), token))).toBe('missing-password')
    queued.length = 0
    expect(await confirm(browser, token)).toEqual({ ok: true, changed: true, email: to, cookies: [] })
    expect((await accounts.findSession(browser.request()))?.user).toMatchObject({
      email: to,
      emailVerified: true,
    })
    expect(queued).toEqual([
      { kind: 'undo-email-change', userId, email, changedAt: clock.now().toISOString() },
    ])
    expect(reasonOf((await signIn(email)).answer)).toBe('invalid-credential')
    expect(reasonOf((await signIn(to)).answer)).toBe('ok')
    // Links in the old mailbox no longer work.
    const late = await accounts.resetPassword(aBrowser().request(), { token: oldReset, password: PASSWORD })
    expect(reasonOf(late)).toBe('invalid-action-code')
  })

  it('leaves an old address that was never proved without an undo link', async () => {
    const { browser, email, userId } = await aPerson()
    queued.length = 0
    told.length = 0
    const token = await linkOf({ kind: 'change-email', userId, email: `right-${email}` })
    expect(reasonOf(await confirm(browser, token))).toBe('ok')
    expect(queued).toEqual([])
    expect(told).toEqual([`${email} left`])
  })

  it('can’t take an address that another account has, or gets before the link is used', async () => {
    const first = await aPerson()
    const second = await aPerson()
    const ask = (email: string) =>
      accounts.requestEmailChange(first.browser.request(), { email, password: PASSWORD })
    expect(reasonOf(await ask(second.email))).toBe('email-already-in-use')
    const contested = 'contested@example.com'
    const token = await linkOf({ kind: 'change-email', userId: first.userId, email: contested })
    await connection.db
      .updateTable('users')
      .set({ email: contested })
      .where('id', '=', second.userId)
      .execute()
    expect(reasonOf(await confirm(first.browser, token))).toBe('email-already-in-use')
  })

  it('confirms nothing if the account no longer has its address', async () => {
    const { browser, userId } = await aPerson()
    const token = await linkOf({ kind: 'verify-email', userId })
    await connection.db
      .updateTable('users')
      .set({ email: 'moved-on@example.com' })
      .where('id', '=', userId)
      .execute()
    expect(reasonOf(await confirm(browser, token))).toBe('invalid-action-code')
  })
})

describe('a detached address', () => {
  const detach = (token: string, browser = aBrowser()) =>
    accounts.detachEmail(browser.request(), { token, forNewAccount: false })

  it('leaves the account its sessions and password, and requires another address', async () => {
    const { browser, email, userId } = await aPerson()
    const token = await linkOf({ kind: 'verify-email', userId })
    const reset = await linkOf({ kind: 'reset-password', email })
    const pressed = await Promise.all([detach(token), detach(token)])
    expect(pressed.map(reasonOf).toSorted()).toEqual(['invalid-action-code', 'ok'])
    expect(pressed.find(({ ok }) => ok)).toEqual({ ok: true, email, beginsBy: 'sign-up' })

    const { user } = (await accounts.findSession(browser.request())) ?? {}
    expect(user).toMatchObject({ uid: userId, needsEmail: true, emailVerified: false })
    expect(user?.email).not.toContain(email)
    expect((await signIn(email)).answer).toMatchObject({ ok: true, userId, needsEmail: true })
    expect(reasonOf((await signIn(email, 'not the password')).answer)).toBe('invalid-credential')

    // Links to this mailbox no longer open the account.
    expect(
      reasonOf(await accounts.resetPassword(aBrowser().request(), { token: reset, password: 'taken over' })),
    ).toBe('invalid-action-code')
    expect(await accounts.issueLink({ kind: 'reset-password', email })).toBeNull()
    expect(await accounts.issueLink({ kind: 'verify-email', userId })).toBeNull()
    expect(reasonOf(await confirm(browser, token))).toBe('invalid-action-code')
  })

  it('belongs to the next account that signs up with it', async () => {
    const first = await aPerson()
    await detach(await linkOf({ kind: 'verify-email', userId: first.userId }))
    const browser = aBrowser()
    const signedUp = await accounts.signUp(browser.request(), {
      displayName: 'The holder',
      email: first.email,
      password: 'the holder’s own',
    })
    browser.take(signedUp)
    expect(reasonOf(signedUp)).toBe('ok')
    const session = await accounts.findSession(browser.request())
    expect(session?.user).toMatchObject({ email: first.email, emailVerified: false, needsEmail: false })
    expect(session?.user.uid).not.toBe(first.userId)
    expect(reasonOf((await signIn(first.email)).answer)).toBe('invalid-credential')
    expect((await signIn(first.email, 'the holder’s own')).answer).toMatchObject({
      ok: true,
      userId: session?.user.uid,
    })
    // The first account stays signed in and gets an address of its own.
    const to = `own-${first.email}`
    expect(
      reasonOf(await accounts.requestEmailChange(first.browser.request(), { email: to, password: PASSWORD })),
    ).toBe('ok')
    const token = await linkOf({ kind: 'change-email', userId: first.userId, email: to })
    told.length = 0
    expect(reasonOf(await confirm(first.browser, token))).toBe('ok')
    expect((await accounts.findSession(first.browser.request()))?.user).toMatchObject({
      email: to,
      emailVerified: true,
      needsEmail: false,
    })
    expect(told).toEqual([])
    expect((await signIn(to)).answer).toMatchObject({ ok: true, userId: first.userId, needsEmail: false })
  })

  it('can later be confirmed by the same account', async () => {
    const { browser, email, userId } = await aPerson()
    await detach(await linkOf({ kind: 'verify-email', userId }))
    const token = await linkOf({ kind: 'change-email', userId, email })
    expect(reasonOf(await confirm(browser, token))).toBe('ok')
    expect((await accounts.findSession(browser.request()))?.user).toMatchObject({ email, needsEmail: false })
  })

  it('cancels a pending change to it and leaves the account as it was', async () => {
    const { browser, email, userId } = await aVerifiedPerson()
    const to = `stranger-of-${email}`
    const token = await linkOf({ kind: 'change-email', userId, email: to })
    const again = await linkOf({ kind: 'change-email', userId, email: to })
    expect(await detach(token)).toEqual({ ok: true, email: to, beginsBy: 'sign-up' })
    expect(reasonOf(await confirm(browser, again))).toBe('invalid-action-code')
    expect((await accounts.findSession(browser.request()))?.user).toMatchObject({
      email,
      emailVerified: true,
      needsEmail: false,
    })
  })

  it('races with a confirmation, and only one of the two succeeds', async () => {
    const { browser, email, userId } = await aPerson()
    const token = await linkOf({ kind: 'verify-email', userId })
    const answers = await Promise.all([confirm(browser, token), detach(token)])
    expect(answers.map(reasonOf).toSorted()).toEqual(['invalid-action-code', 'ok'])
    const row = await userRow(userId)
    expect(row.email === email).toBe(row.email_verified)
    expect(row.detached_email === null).toBe(row.email_verified)
  })
})

describe('a changed email', () => {
  const undo = (token: string) => accounts.undoEmailChange(aBrowser().request(), { token })

  /** Changes the address as its owner, or a thief with session and password, would. @returns the notice's token */
  async function change(person: Awaited<ReturnType<typeof aPerson>>, to: string): Promise<string> {
    queued.length = 0
    const token = await linkOf({ kind: 'change-email', userId: person.userId, email: to })
    expect(reasonOf(await confirm(person.browser, token))).toBe('ok')
    const notice = queued.find(({ kind }) => kind === 'undo-email-change')
    if (!notice) throw new Error('no notice')
    return linkOf(notice)
  }

  it('can be undone from the old address, which ends the sessions and requires a new password', async () => {
    const person = await aVerifiedPerson()
    const { email, browser, userId } = person
    const to = `thief-of-${email}`
    const token = await change(person, to)
    expect(await accounts.findUndoLink(aBrowser().request(), { token })).toEqual({ ok: true, email })
    expect((await userRow(userId)).email).toBe(to)
    const thiefsReset = await linkOf({ kind: 'reset-password', email: to })

    told.length = 0
    const both = await Promise.all([undo(token), undo(token)])
    expect(both.map(reasonOf).toSorted()).toEqual(['invalid-action-code', 'ok'])
    expect(told).toEqual([`undone ${to}`])
    expect(await userRow(userId)).toMatchObject({ email, email_verified: true })
    expect(await accounts.findSession(browser.request())).toBeNull()
    for (const address of [email, to])
      expect(reasonOf((await signIn(address)).answer)).toBe('invalid-credential')
    expect(
      reasonOf(
        await accounts.resetPassword(aBrowser().request(), { token: thiefsReset, password: 'mine now' }),
      ),
    ).toBe('invalid-action-code')
    const answer = both.find(({ ok }) => ok)
    const resetToken = answer?.ok ? (answer.resetToken ?? '') : ''
    expect(
      reasonOf(
        await accounts.resetPassword(aBrowser().request(), { token: resetToken, password: 'a new start' }),
      ),
    ).toBe('ok')
    expect((await signIn(email, 'a new start')).answer).toMatchObject({ ok: true, userId })
  })

  it('can be undone for seven days', async () => {
    const person = await aVerifiedPerson()
    const token = await change(person, `soon-${person.email}`)
    const later = await aVerifiedPerson()
    const tokenOfLater = await change(later, `late-${later.email}`)
    clock.forward(7 * DAY_MS - 1_000)
    expect(reasonOf(await undo(token))).toBe('ok')
    clock.forward(1_000)
    expect(reasonOf(await accounts.findUndoLink(aBrowser().request(), { token: tokenOfLater }))).toBe(
      'expired-action-code',
    )
    expect(reasonOf(await undo(tokenOfLater))).toBe('expired-action-code')
    for (const broken of ['', 'x', '\0']) expect(reasonOf(await undo(broken))).toBe('invalid-action-code')
  })

  it('can still be undone after a thief’s next steps, and undoes those as well', async () => {
    const person = await aVerifiedPerson()
    const { email, browser, userId } = person
    const token = await change(person, `first-${email}`)
    clock.forward(1_000)
    const ofThief = await change(person, `second-${email}`)
    const changed = await accounts.changePassword(browser.request(), {
      currentPassword: PASSWORD,
      newPassword: 'the thief’s own',
    })
    browser.take(changed)
    expect(reasonOf(changed)).toBe('ok')
    const reset = await linkOf({ kind: 'reset-password', email: `second-${email}` })
    expect(
      reasonOf(await accounts.resetPassword(aBrowser().request(), { token: reset, password: PASSWORD })),
    ).toBe('ok')
    expect(reasonOf(await undo(token))).toBe('ok')
    expect((await userRow(userId)).email).toBe(email)
    // The thief's notice doesn't bring the account back to the thief.
    expect(reasonOf(await undo(ofThief))).toBe('invalid-action-code')
  })

  it('can still be undone from the first address after the second has undone its own', async () => {
    const person = await aVerifiedPerson()
    const { email, userId } = person
    const token = await change(person, `first-${email}`)
    clock.forward(1_000)
    const ofThief = await change(person, `second-${email}`)
    expect(reasonOf(await undo(ofThief))).toBe('ok')
    expect((await userRow(userId)).email).toBe(`first-${email}`)
    expect(reasonOf(await undo(token))).toBe('ok')
    expect((await userRow(userId)).email).toBe(email)
  })

  it('can be undone although another account has signed up with the old address', async () => {
    const person = await aVerifiedPerson()
    const token = await change(person, `gone-${person.email}`)
    const squatter = await accounts.signUp(aBrowser().request(), {
      displayName: 'Squatter',
      email: person.email,
      password: PASSWORD,
    })
    expect(reasonOf(await undo(token))).toBe('ok')
    expect((await userRow(person.userId)).email).toBe(person.email)
    const { userId } = squatter.ok ? squatter : { userId: '' }
    expect((await userRow(userId)).detached_email).toBe(person.email)
  })

  it('can’t be undone once another account has confirmed the old address', async () => {
    const person = await aVerifiedPerson()
    const token = await change(person, `moved-${person.email}`)
    const browser = aBrowser()
    const next = await accounts.signUp(browser.request(), {
      displayName: 'Next',
      email: person.email,
      password: PASSWORD,
    })
    browser.take(next)
    const { userId } = next.ok ? next : { userId: '' }
    await confirm(browser, await linkOf({ kind: 'verify-email', userId }))
    // Twice, because a refusal doesn't use the link up.
    for (let presses = 0; presses < 2; presses++)
      expect(reasonOf(await undo(token))).toBe('email-already-in-use')
    expect((await userRow(person.userId)).email).toBe(`moved-${person.email}`)
    expect((await userRow(userId)).email).toBe(person.email)
  })
})

describe('sessions', () => {
  it('come with the current one first, and end one by one or all, by their owner alone', async () => {
    const { email, browser, userId } = await aPerson()
    const phone = (await signIn(email)).browser
    const stranger = await aPerson()
    const listed = await accounts.listSessions(browser.request())
    expect(listed.map(({ current }) => current)).toEqual([true, false])
    const phoneSession = listed[1]?.id ?? ''

    await accounts.endSession(stranger.browser.request(), { id: phoneSession })
    expect(await accounts.findSession(phone.request())).not.toBeNull()
    ended = []
    await accounts.endSession(browser.request(), { id: phoneSession })
    expect(await accounts.findSession(phone.request())).toBeNull()
    expect(ended).toEqual([userId])

    const again = (await signIn(email)).browser
    browser.take(await accounts.endAllSessions(browser.request()))
    expect([...browser.cookies.keys()]).toEqual(['jubilee.known_browser'])
    expect(await accounts.findSession(again.request())).toBeNull()
    expect(await accounts.listSessions(again.request())).toEqual([])
  })

  it('end by signing out, even for a copy of the cookie', async () => {
    const { browser } = await aPerson()
    const copy = browser.copy()
    browser.take(await accounts.signOut(browser.request()))
    expect(await accounts.findSession(copy.request())).toBeNull()
  })

  it('remember when they were last used', async () => {
    const { browser } = await aPerson()
    clock.forward(10 * MINUTE_MS)
    await accounts.findSession(browser.request())
    const [session] = await accounts.listSessions(browser.request())
    expect(session?.lastUsedAt).toBe(clock.now().toISOString())
  })

  it('protect every change to an account', async () => {
    const nobody = aBrowser().request()
    expect(await accounts.findSession(nobody)).toBeNull()
    expect(await accounts.findSessionEnd(nobody)).toBeNull()
    const answers = [
      await accounts.changePassword(nobody, { currentPassword: PASSWORD, newPassword: PASSWORD }),
      await accounts.confirmPassword(nobody, { password: PASSWORD }),
      await accounts.requestEmailChange(nobody, { email: 'a@example.com', password: PASSWORD }),
      await accounts.resendVerification(nobody),
      await accounts.endSession(nobody, { id: 'x' }),
      await accounts.endAllSessions(nobody),
    ]
    expect(new Set(answers.map(reasonOf))).toEqual(new Set(['user-token-expired']))
  })
})

it('the library returned no unknown code in these tests', () => expect(unknown).toEqual([]))

describe('the security log', () => {
  const kindsOf = async (userId: string | null) => {
    const rows = await connection.db
      .selectFrom('security_events')
      .selectAll()
      .where('user_id', 'is not distinct from', userId)
      .orderBy('recorded_at')
      .execute()
    return rows.map(({ kind, detail, times }) =>
      [kind, ...(detail ? [detail] : []), ...(times > 1 ? [times] : [])].join(' '),
    )
  }

  it('counts the wrong passwords of an account, up to and past the limit', async () => {
    const { email, userId } = await aPerson()
    const guesser = aBrowser()
    for (let tries = 0; tries < 12; tries++) await signIn(email, 'a guess', guesser)
    expect((await kindsOf(userId)).toSorted()).toEqual([
      'sign-in-refused invalid-credential 10',
      'sign-in-refused too-many-requests 2',
      'sign-up',
    ])
  })

  it('records the guesses of an address without an account under a keyed hash', async () => {
    await connection.db.deleteFrom('security_events').execute()
    const guesser = aBrowser()
    await signIn('nobody-at-all@example.com', 'a guess', guesser)
    await signIn('Nobody-at-all@example.com', 'another', guesser)
    await signIn('somebody-else@example.com', 'another', guesser)
    expect(await kindsOf(null)).toEqual([
      'sign-in-refused invalid-credential 2',
      'sign-in-refused invalid-credential',
    ])
    const rows = await connection.db.selectFrom('security_events').selectAll().execute()
    expect(new Set(rows.map((row) => row.address_hash)).size).toBe(2)
    expect(JSON.stringify(rows)).not.toMatch(/nobody|somebody|guess|10\.0\.\d+\.[1-9]/)
  })

  it('records resets, and changes of the email and their undoing, without a link or an address', async () => {
    const { email, userId, browser } = await aPerson()
    const to = `moved-${email}`
    await accounts.confirmEmail(browser.request(), {
      token: await linkOf({ kind: 'verify-email', userId }),
      password: null,
    })
    await accounts.requestEmailChange(browser.request(), { email: to, password: PASSWORD })
    const change = await linkOf({ kind: 'change-email', userId, email: to })
    await accounts.confirmEmail(browser.request(), { token: change, password: null })
    const changedAt = clock.now().toISOString()
    const undo = await linkOf({ kind: 'undo-email-change', userId, email, changedAt })
    expect(await accounts.undoEmailChange(aBrowser().request(), { token: undo })).toMatchObject({ ok: true })
    await accounts.requestPasswordReset(aBrowser().request(), { email })
    const token = await linkOf({ kind: 'reset-password', email })
    await accounts.resetPassword(aBrowser().request(), { token, password: 'a new one' })
    expect(await kindsOf(userId)).toEqual([
      'sign-up',
      'email-confirmed',
      'email-change-asked',
      'email-changed',
      'email-change-undone',
      'password-reset-asked',
      'password-reset',
    ])
    const rows = await connection.db.selectFrom('security_events').selectAll().execute()
    for (const secret of [change, undo, token, email, to]) expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('records nothing when a person tries to end another person’s session', async () => {
    const victim = await aPerson()
    const thief = await aPerson()
    await accounts.endSession(thief.browser.request(), {
      id: (await accounts.listSessions(victim.browser.request()))[0]?.id ?? '',
    })
    expect(await kindsOf(victim.userId)).toEqual(['sign-up'])
    expect(await kindsOf(thief.userId)).toEqual(['sign-up'])
  })
})
