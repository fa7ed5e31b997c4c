import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authenticatorCode } from '../../../tests/authenticator.ts'
import { aClock, aSecurityLog } from '../../../tests/builders.ts'
import { cheapPasswords } from '../../../tests/cheap-passwords.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { createSecurityLog } from '../../features/accounts/security-commands.server.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { createRateLimits } from '../rate-limits/database.server.ts'
import { issueLink } from './account-links.server.ts'
import { type BetterAuthAccounts, createBetterAuthAccounts } from './better-auth.server.ts'
import { CLIENT_ADDRESS_HEADER, type SecondFactor } from './port.ts'
import type { SecurityLog } from './security-log.ts'

const PASSWORD = 'under the jacaranda'
const ISSUER = 'Jubilee'

let connection: TestConnection
let accounts: BetterAuthAccounts
let factor: SecondFactor
let changes: string[] = []
// The library's cookies and codes follow the real clock, so this one starts at the real time.
const clock = aClock(new Date().toISOString())

beforeAll(async () => {
  connection = await openTestDatabase()
  accounts = makeAccounts(aSecurityLog(connection.db))
  if (!accounts.secondFactor) throw new Error('there is no second factor')
  factor = accounts.secondFactor
})
afterAll(() => connection.close())
beforeEach(() => {
  changes = []
})

function makeAccounts(securityLog: SecurityLog): BetterAuthAccounts {
  return createBetterAuthAccounts({
    db: connection.db,
    publicUrl: new URL('http://localhost:3000'),
    secret: 'a secret for tests, long enough to be one',
    meetsPolicy: () => true,
    isWeak: async () => false,
    securityLog,
    sessionRules: {
      all: { lifeMs: 30 * DAY_MS, idleMs: null },
      operators: { lifeMs: 30 * DAY_MS, idleMs: DAY_MS },
      isOperator: async () => false,
    },
    queue: {
      passwordReset: async () => {},
      verification: async () => {},
      emailChange: async () => {},
      passwordChanged: async () => {},
      emailChanged: async () => {},
      emailLeft: async () => {},
      emailChangeUndone: async () => {},
    },
    rateLimits: createRateLimits(connection.db, clock.now),
    onSessionsEnded: async () => {},
    onFactorChange: async ({ kind }) => void changes.push(kind),
    onUnknown: (code) => {
      throw new Error(`unknown code ${code}`)
    },
    now: clock.now,
    passwords: cheapPasswords,
  })
}

let addresses = 0
/** A browser with a network address of its own and a jar for its cookies. */
function aBrowser() {
  const address = `10.1.${++addresses >> 8}.${addresses & 255}`
  const cookies = new Map<string, string>()
  return {
    cookies,
    request: () =>
      new Request('http://localhost:3000/login', {
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          [CLIENT_ADDRESS_HEADER]: address,
        },
      }),
    take(answer: { ok: boolean; cookies?: string[] }) {
      for (const cookie of answer.cookies ?? []) {
        const [pair = ''] = cookie.split(';')
        const [name = '', value = ''] = pair.split('=')
        if (/max-age=0/i.test(cookie)) cookies.delete(name)
        else cookies.set(name, value)
      }
    },
  }
}

let people = 0
async function aPerson() {
  const email = `careful-${++people}@example.com`
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

/** A person with a second factor, whose codes of the present minute are unused. */
async function aCarefulPerson() {
  const person = await aPerson()
  const begun = await factor.begin(person.browser.request(), { issuer: ISSUER })
  if (!begun.ok) throw new Error(begun.reason)
  const on = await factor.turnOn(person.browser.request(), { code: authenticatorCode(begun.key) })
  if (!on.ok) throw new Error(on.reason)
  await forgetUsedCodes(person.userId)
  return { ...person, key: begun.key, recoveryCodes: on.recoveryCodes }
}

const forgetUsedCodes = (userId: string) =>
  connection.db.updateTable('second_factors').set({ last_step: null }).where('user_id', '=', userId).execute()

const rowOf = (userId: string) =>
  connection.db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Gives the right password in another browser. */
async function givePassword(email: string, browser = aBrowser()) {
  const answer = await accounts.signIn(browser.request(), { email, password: PASSWORD })
  browser.take(answer)
  return { answer, browser }
}

/** Lets the session's login and proofs become older than ten minutes. */
const ages = async (userId: string) => {
  const past = new Date(clock.now().getTime() - 11 * MINUTE_MS)
  await connection.db
    .updateTable('sessions')
    .set({ created_at: past, proved_at: past, factor_proved_at: past })
    .where('user_id', '=', userId)
    .execute()
}

async function proves(browser: ReturnType<typeof aBrowser>, proof = PASSWORD, needsFactor = false) {
  return accounts.proofs?.prove(browser.request(), { proof, needsFactor })
}

const reasonOf = (answer: { ok: boolean; reason?: string }) => (answer.ok ? 'ok' : answer.reason)
const wrongCode = (key: string) => {
  const right = new Set([-1, 0, 1].map((steps) => authenticatorCode(key, steps)))
  return ['000000', '111111', '222222', '333333'].find((code) => !right.has(code)) ?? ''
}

describe('setting up a second factor', () => {
  it('needs a recent proof of a signed-in person', async () => {
    const { browser, userId } = await aPerson()
    const nobody = aBrowser().request()
    expect(reasonOf(await factor.begin(nobody, { issuer: ISSUER }))).toBe('user-token-expired')
    expect(await factor.findState(nobody)).toBeNull()
    expect(await factor.findBegun(nobody, { issuer: ISSUER })).toBeNull()
    await ages(userId)
    const late = await factor.begin(browser.request(), { issuer: ISSUER })
    expect(reasonOf(late)).toBe('requires-recent-login')
    expect(await rowOf(userId)).toBeUndefined()
    await proves(browser)
    expect(reasonOf(await factor.begin(browser.request(), { issuer: ISSUER }))).toBe('ok')
  })

  it('ends 15 minutes after it began, and its key isn’t shown again', async () => {
    const { browser, userId } = await aPerson()
    const begun = await factor.begin(browser.request(), { issuer: ISSUER })
    if (!begun.ok) throw new Error(begun.reason)
    await connection.db
      .updateTable('second_factors')
      .set({ created_at: new Date(clock.now().getTime() - 16 * MINUTE_MS) })
      .where('user_id', '=', userId)
      .execute()
    expect(await factor.findBegun(browser.request(), { issuer: ISSUER })).toBeNull()
    const code = authenticatorCode(begun.key)
    expect(reasonOf(await factor.turnOn(browser.request(), { code }))).toBe('code-expired')
    expect(await factor.findState(browser.request())).toMatchObject({ isOn: false })
    // Begun again, it has its 15 minutes.
    const again = await factor.begin(browser.request(), { issuer: ISSUER })
    if (!again.ok) throw new Error(again.reason)
    expect(await factor.findBegun(browser.request(), { issuer: ISSUER })).toMatchObject({ key: again.key })
    const next = { code: authenticatorCode(again.key) }
    expect(reasonOf(await factor.turnOn(browser.request(), next))).toBe('ok')
  })

  it('changes nothing before a first code from the app', async () => {
    const { email, browser } = await aPerson()
    const begun = await factor.begin(browser.request(), { issuer: ISSUER })
    if (!begun.ok) throw new Error(begun.reason)
    expect(await factor.findState(browser.request())).toEqual({ isOn: false, recoveryCodesLeft: 0 })
    expect(reasonOf(await factor.turnOn(browser.request(), { code: wrongCode(begun.key) }))).toBe(
      'invalid-verification-code',
    )
    expect((await givePassword(email)).answer).toMatchObject({ ok: true, needsCode: false })
    expect(changes).toEqual([])
  })

  it('shows the same secret again until it is in use, and a new one to a person who starts again', async () => {
    const { browser } = await aPerson()
    const first = await factor.begin(browser.request(), { issuer: ISSUER })
    const shown = await factor.findBegun(browser.request(), { issuer: ISSUER })
    expect(first).toMatchObject(shown ?? { key: 'none' })
    const second = await factor.begin(browser.request(), { issuer: ISSUER })
    if (!first.ok || !second.ok) throw new Error('not begun')
    expect(second.key).not.toBe(first.key)
    expect(new URL(second.uri).searchParams.get('issuer')).toBe(ISSUER)
    expect(reasonOf(await factor.turnOn(browser.request(), { code: authenticatorCode(first.key) }))).toBe(
      'invalid-verification-code',
    )
    expect(reasonOf(await factor.turnOn(browser.request(), { code: authenticatorCode(second.key) }))).toBe(
      'ok',
    )
    expect(await factor.findBegun(browser.request(), { issuer: ISSUER })).toBeNull()
  })

  it('keeps the session, stores no secret in plain text, and tells about the change', async () => {
    const { browser, userId, key, recoveryCodes } = await aCarefulPerson()
    expect((await accounts.findSession(browser.request()))?.user.uid).toBe(userId)
    expect(await factor.findState(browser.request())).toEqual({ isOn: true, recoveryCodesLeft: 8 })
    expect(new Set(recoveryCodes).size).toBe(8)
    const stored = JSON.stringify(await rowOf(userId))
    expect(stored).not.toContain(key)
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''))
    expect(changes).toEqual(['second-factor-on'])
  })

  it('refuses a second one while one is in use', async () => {
    const { browser, key } = await aCarefulPerson()
    const again = await factor.begin(browser.request(), { issuer: ISSUER })
    expect(reasonOf(again)).toBe('second-factor-already-in-use')
    expect(reasonOf(await factor.turnOn(browser.request(), { code: authenticatorCode(key) }))).toBe(
      'invalid-verification-code',
    )
  })
})

describe('signing in with a second factor', () => {
  it('opens no session before the code', async () => {
    const { email, userId, key } = await aCarefulPerson()
    const { answer, browser } = await givePassword(email)
    expect(answer).toMatchObject({ ok: true, needsCode: true })
    expect(await accounts.findSession(browser.request())).toBeNull()
    expect(await factor.isCodeDue(browser.request())).toBe(true)
    expect(reasonOf(await factor.completeSignIn(browser.request(), { code: wrongCode(key) }))).toBe(
      'invalid-verification-code',
    )
    const done = await factor.completeSignIn(browser.request(), { code: authenticatorCode(key) })
    expect(done).toMatchObject({ ok: true, userId })
    browser.take(done)
    expect((await accounts.findSession(browser.request()))?.user.uid).toBe(userId)
    expect(await factor.isCodeDue(browser.request())).toBe(false)
  })

  it('needs the right password first', async () => {
    const { email, key } = await aCarefulPerson()
    const browser = aBrowser()
    const answer = await accounts.signIn(browser.request(), { email, password: 'not it' })
    expect(reasonOf(answer)).toBe('invalid-credential')
    browser.take(answer as { ok: false })
    expect(await factor.isCodeDue(browser.request())).toBe(false)
    expect(reasonOf(await factor.completeSignIn(browser.request(), { code: authenticatorCode(key) }))).toBe(
      'missing-multi-factor-session',
    )
  })

  it('refuses a forged sign-in cookie', async () => {
    const { email, key } = await aCarefulPerson()
    const { browser } = await givePassword(email)
    const [name = '', value = ''] =
      [...browser.cookies].find(([cookie]) => cookie.includes('two_factor')) ?? []
    browser.cookies.set(name, `${value.split('.')[0]}.${'A'.repeat(43)}%3D`)
    expect(reasonOf(await factor.completeSignIn(browser.request(), { code: authenticatorCode(key) }))).toBe(
      'missing-multi-factor-session',
    )
  })

  it('accepts a code once, also from two browsers at the same moment', async () => {
    const { email, key } = await aCarefulPerson()
    const [one, other] = [await givePassword(email), await givePassword(email)]
    const code = authenticatorCode(key)
    const answers = await Promise.all(
      [one, other].map(({ browser }) => factor.completeSignIn(browser.request(), { code })),
    )
    expect(answers.map(reasonOf).sort()).toEqual(['invalid-verification-code', 'ok'])
    const later = await givePassword(email)
    expect(reasonOf(await factor.completeSignIn(later.browser.request(), { code }))).toBe(
      'invalid-verification-code',
    )
    // A code before the newest one is as used as the newest.
    const earlier = authenticatorCode(key, -1)
    expect(reasonOf(await factor.completeSignIn(later.browser.request(), { code: earlier }))).toBe(
      'invalid-verification-code',
    )
  })

  it('accepts the code as apps show it, in two groups', async () => {
    const { email, key } = await aCarefulPerson()
    const { browser } = await givePassword(email)
    const code = authenticatorCode(key).replace(/(...)(...)/, '$1 $2')
    expect(reasonOf(await factor.completeSignIn(browser.request(), { code }))).toBe('ok')
  })

  it('checks the account whose password was given, whoever else is signed in to the browser', async () => {
    const [owner, stranger] = [await aCarefulPerson(), await aCarefulPerson()]
    const pending = (await givePassword(owner.email)).browser
    // The stranger adds their own session to the browser, and enters a code of their own app.
    for (const [name, value] of stranger.browser.cookies) pending.cookies.set(name, value)
    const answer = await factor.completeSignIn(pending.request(), { code: authenticatorCode(stranger.key) })
    expect(reasonOf(answer)).toBe('invalid-verification-code')
    const recovery = { recoveryCode: stranger.recoveryCodes[0] ?? '' }
    expect(reasonOf(await factor.completeSignIn(pending.request(), recovery))).toBe(
      'invalid-verification-code',
    )
    const right = await factor.completeSignIn(pending.request(), { code: authenticatorCode(owner.key) })
    expect(right).toMatchObject({ ok: true, userId: owner.userId })
  })

  it('limits wrong codes like wrong passwords, and not for the owner’s own browser', async () => {
    const { email, browser, key } = await aCarefulPerson()
    const guesser = (await givePassword(email)).browser
    for (let guess = 0; guess < 10; guess++)
      expect(reasonOf(await factor.completeSignIn(guesser.request(), { code: wrongCode(key) }))).toBe(
        'invalid-verification-code',
      )
    const code = authenticatorCode(key)
    expect(reasonOf(await factor.completeSignIn(guesser.request(), { code }))).toBe('too-many-requests')
    const recoveryCode = 'aaaa-aaaa'
    expect(reasonOf(await factor.completeSignIn(guesser.request(), { recoveryCode }))).toBe(
      'too-many-requests',
    )
    await givePassword(email, browser)
    expect(reasonOf(await factor.completeSignIn(browser.request(), { code }))).toBe('ok')
  })

  it('stays necessary after a new password by mail, unless nobody had proved the address', async () => {
    for (const isProved of [true, false]) {
      const { email, userId } = await aCarefulPerson()
      await connection.db
        .updateTable('users')
        .set({ email_verified: isProved })
        .where('id', '=', userId)
        .execute()
      const token = await issueLink(connection.db, {
        kind: 'reset-password',
        userId,
        email,
        now: clock.now(),
      })
      const answer = await accounts.resetPassword(aBrowser().request(), { token, password: PASSWORD })
      expect(reasonOf(answer)).toBe('ok')
      expect((await givePassword(email)).answer).toMatchObject({ ok: true, needsCode: isProved })
    }
  })

  it('refuses a disabled account after the code', async () => {
    const { email, userId, key } = await aCarefulPerson()
    const { browser } = await givePassword(email)
    await connection.db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('id', '=', userId)
      .execute()
    expect(reasonOf(await factor.completeSignIn(browser.request(), { code: authenticatorCode(key) }))).toBe(
      'user-disabled',
    )
  })
})

describe('a recovery code', () => {
  it('works once, however it is typed, also from two browsers at the same moment', async () => {
    const { email, browser, recoveryCodes } = await aCarefulPerson()
    const typed = { recoveryCode: ` ${recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ')} ` }
    const [one, other] = [await givePassword(email), await givePassword(email)]
    const answers = await Promise.all(
      [one, other].map((tab) => factor.completeSignIn(tab.browser.request(), typed)),
    )
    expect(answers.map(reasonOf).sort()).toEqual(['invalid-verification-code', 'ok'])
    const later = (await givePassword(email)).browser
    expect(reasonOf(await factor.completeSignIn(later.request(), typed))).toBe('invalid-verification-code')
    expect(await factor.findState(browser.request())).toMatchObject({ recoveryCodesLeft: 7 })
    expect(changes).toEqual(['second-factor-on', 'recovery-code-used'])
    const next = { recoveryCode: recoveryCodes[1] ?? '' }
    expect(reasonOf(await factor.completeSignIn(later.request(), next))).toBe('ok')
  })

  it('stops working once new ones are made, which needs a recent code', async () => {
    const { email, browser, recoveryCodes, userId, key } = await aCarefulPerson()
    const renew = (request: Request) => factor.renewRecoveryCodes(request)
    expect(reasonOf(await renew(aBrowser().request()))).toBe('user-token-expired')
    await ages(userId)
    await proves(browser)
    expect(reasonOf(await renew(browser.request()))).toBe('requires-recent-login')
    await proves(browser, authenticatorCode(key), true)
    expect(reasonOf(await renew((await aPerson()).browser.request()))).toBe('multi-factor-info-not-found')
    const renewed = await renew(browser.request())
    if (!renewed.ok) throw new Error(renewed.reason)
    const pending = (await givePassword(email)).browser
    const old = { recoveryCode: recoveryCodes[0] ?? '' }
    expect(reasonOf(await factor.completeSignIn(pending.request(), old))).toBe('invalid-verification-code')
    const fresh = { recoveryCode: renewed.recoveryCodes[0] ?? '' }
    expect(reasonOf(await factor.completeSignIn(pending.request(), fresh))).toBe('ok')
  })
})

describe('turning a second factor off', () => {
  it('needs a recent code, and changes nobody else’s', async () => {
    const [owner, other] = [await aCarefulPerson(), await aCarefulPerson()]
    const off = (request: Request) => factor.turnOff(request)
    expect(reasonOf(await off(aBrowser().request()))).toBe('user-token-expired')
    await ages(owner.userId)
    await proves(owner.browser)
    expect(reasonOf(await off(owner.browser.request()))).toBe('requires-recent-login')
    expect(await rowOf(owner.userId)).toBeDefined()
    await proves(owner.browser, authenticatorCode(owner.key), true)
    changes = []
    expect(reasonOf(await off(owner.browser.request()))).toBe('ok')
    expect(changes).toEqual(['second-factor-off'])
    expect((await givePassword(owner.email)).answer).toMatchObject({ ok: true, needsCode: false })
    expect((await givePassword(other.email)).answer).toMatchObject({ ok: true, needsCode: true })
  })

  it('happens with the undoing of an email change for a factor set up since or in the week before, not for an older one', async () => {
    for (const [daysBefore, needsCode] of [
      [-1, false],
      [6, false],
      [8, true],
    ] as const) {
      const { email, userId } = await aCarefulPerson()
      const changedAt = new Date(clock.now().getTime() + daysBefore * DAY_MS)
      const undo = await issueLink(connection.db, {
        kind: 'undo-email-change',
        userId,
        email,
        now: changedAt,
      })
      const undone = await accounts.undoEmailChange(aBrowser().request(), { token: undo })
      if (!undone.ok || !undone.resetToken) throw new Error('not undone')
      await accounts.resetPassword(aBrowser().request(), { token: undone.resetToken, password: PASSWORD })
      expect((await givePassword(email)).answer).toMatchObject({ ok: true, needsCode })
    }
  })
})

describe('the security log of two-step login', () => {
  const kindsOf = async (userId: string) => {
    const rows = await connection.db
      .selectFrom('security_events')
      .select(['kind', 'detail'])
      .where('user_id', '=', userId)
      .orderBy('recorded_at')
      .execute()
    return rows.map(({ kind, detail }) => (detail ? `${kind}: ${detail}` : kind))
  }

  it('records each step of a login, wrong codes, recovery codes and changes of the factor', async () => {
    const { email, key, userId, recoveryCodes, browser: own } = await aCarefulPerson()
    const { browser } = await givePassword(email)
    await factor.completeSignIn(browser.request(), { code: wrongCode(key) })
    expect(reasonOf(await factor.completeSignIn(browser.request(), { code: authenticatorCode(key) }))).toBe(
      'ok',
    )
    const second = await givePassword(email)
    await factor.completeSignIn(second.browser.request(), { recoveryCode: recoveryCodes[0] ?? '' })
    await factor.renewRecoveryCodes(own.request())
    await proves(own, 'not it')
    await factor.turnOff(own.request())
    expect(await kindsOf(userId)).toEqual([
      'sign-up',
      'second-factor-on',
      'sign-in-begun',
      'sign-in-refused: invalid-verification-code',
      'sign-in: code',
      'sign-in-begun',
      'recovery-code-used',
      'sign-in: recovery-code',
      'recovery-codes-renewed',
      'proof-refused: wrong-password',
      'second-factor-off',
    ])
  })

  it('records a wrong first code as a refusal, and no second factor as turned on', async () => {
    const { userId, browser } = await aPerson()
    const begun = await factor.begin(browser.request(), { issuer: ISSUER })
    if (!begun.ok) throw new Error(begun.reason)
    await factor.turnOn(browser.request(), { code: wrongCode(begun.key) })
    expect(await kindsOf(userId)).toEqual(['sign-up', 'proof-refused: invalid-verification-code'])
  })

  it('stops a change of the factor when it fails, and no sign-in', async () => {
    const lost: unknown[] = []
    const failing = createSecurityLog({
      db: connection.db,
      secret: 'a secret for tests, long enough to be one',
      onLost: (error) => void lost.push(error),
      now: clock.now,
    })
    const { email, browser, userId } = await aPerson()
    const begun = await factor.begin(browser.request(), { issuer: ISSUER })
    if (!begun.ok) throw new Error(begun.reason)
    await sql`alter table security_events rename to security_events_away`.execute(connection.db)
    try {
      const code = authenticatorCode(begun.key)
      await expect(factor.turnOn(browser.request(), { code })).rejects.toThrow()
      expect((await rowOf(userId))?.verified).toBe(false)
      const others = makeAccounts(failing)
      const signedIn = await others.signIn(aBrowser().request(), { email, password: PASSWORD })
      const refused = await others.signIn(aBrowser().request(), { email, password: 'not it' })
      expect([reasonOf(signedIn), reasonOf(refused)]).toEqual(['ok', 'invalid-credential'])
      expect([failing.lost(), lost.length]).toEqual([2, 2])
    } finally {
      await sql`alter table security_events_away rename to security_events`.execute(connection.db)
    }
  })
})
