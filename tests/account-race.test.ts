import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueLink } from '../app/adapters/accounts/account-links.server.ts'
import { lockAccounts } from '../app/adapters/accounts/account-lock.server.ts'
import {
  type BetterAuthAccounts,
  createBetterAuthAccounts,
} from '../app/adapters/accounts/better-auth.server.ts'
import { CLIENT_ADDRESS_HEADER } from '../app/adapters/accounts/port.ts'
import type { DatabaseTransaction } from '../app/adapters/database/port.ts'
import { openPostgres, type PostgresConnection } from '../app/adapters/database/postgres.server.ts'
import { createRateLimits } from '../app/adapters/rate-limits/database.server.ts'
import { DAY_MS } from '../app/shared/time-units.ts'
import { authenticatorCode } from './authenticator.ts'
import { aSecurityLog } from './builders.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import { createServerDatabase } from './database.ts'
import { leavesAsIs } from './leaves-as-is.ts'
import { findPostgres } from './postgres.ts'
import { untilOneWaits } from './until-one-waits.ts'

/** Two requests change how one account signs in at the same moment. PGlite runs transactions in turns, so only PostgreSQL races. */

const ROUNDS = 16
const PASSWORD = 'under the jacaranda'
const NEW_PASSWORD = 'beside the boatshed'
const hasPostgres = findPostgres() !== null
if (!hasPostgres)
  process.stdout.write('No PostgreSQL server on this machine: the accounts’ races are skipped.\n')

let connection: PostgresConnection
let accounts: BetterAuthAccounts

beforeAll(async () => {
  if (!hasPostgres) return
  connection = openPostgres(await createServerDatabase('tables'), () => {})
  const { db } = connection
  accounts = createBetterAuthAccounts({
    db,
    publicUrl: new URL('http://localhost:3000'),
    secret: 'a secret for tests, long enough to be one',
    meetsPolicy: () => true,
    isWeak: async () => false,
    securityLog: aSecurityLog(db),
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
    rateLimits: createRateLimits(db, () => new Date()),
    onSessionsEnded: async () => {},
    onFactorChange: async () => {},
    onUnknown: (code) => {
      throw new Error(`unknown code ${code}`)
    },
    now: () => new Date(),
    passwords: cheapPasswords,
  })
}, 60_000)
afterAll(() => connection?.close())

let addresses = 0
/** A browser with a network address of its own. */
function aBrowser() {
  const address = `10.2.${++addresses >> 8}.${addresses & 255}`
  const cookies = new Map<string, string>()
  return {
    request: () =>
      new Request('http://localhost:3000/login', {
        method: 'POST',
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
  const email = `racer-${++people}@example.com`
  const browser = aBrowser()
  const answer = await accounts.signUp(browser.request(), {
    displayName: 'Robin Vale',
    email,
    password: PASSWORD,
  })
  if (!answer.ok) throw new Error(answer.reason)
  browser.take(answer)
  const { userId } = answer
  await connection.db.updateTable('users').set({ email_verified: true }).where('id', '=', userId).execute()
  return { email, userId, browser }
}
type Racer = Awaited<ReturnType<typeof aPerson>>

/** The same account in another browser. */
async function anotherBrowser({ email }: Racer, password = PASSWORD) {
  const browser = aBrowser()
  const answer = await accounts.signIn(browser.request(), { email, password })
  browser.take(answer)
  return { browser, answer }
}

const theFactor = () => {
  if (!accounts.secondFactor) throw new Error('there is no second factor')
  return accounts.secondFactor
}
async function begin(browser: Racer['browser']) {
  const begun = await theFactor().begin(browser.request(), { issuer: 'Jubilee' })
  if (!begun.ok) throw new Error(begun.reason)
  return begun.key
}
const rowOf = ({ userId }: Racer) =>
  connection.db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
const isFlagged = async ({ userId }: Racer) =>
  (
    await connection.db
      .selectFrom('users')
      .select('two_factor_enabled')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
  ).two_factor_enabled
const sessionsOf = ({ userId }: Racer) =>
  connection.db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()
async function aResetLink({ email }: Racer) {
  const link = await accounts.issueLink({ kind: 'reset-password', email })
  if (!link) throw new Error('there is no link')
  return link.token
}
const reset = (token: string, password = NEW_PASSWORD) =>
  accounts.resetPassword(aBrowser().request(), { token, password })

/** Runs a race many times, each time with the second start a little later: some rounds meet in each gap. */
const race = (title: string, round: (delay: () => Promise<void>) => Promise<void>) =>
  it.skipIf(!hasPostgres)(
    title,
    async () => {
      for (let index = 0; index < ROUNDS; index++)
        await round(async () => {
          for (let turn = 0; turn < index * 3; turn++) await new Promise((resolve) => setImmediate(resolve))
        })
    },
    120_000,
  )

describe('turning two-step login on', () => {
  race('keeps the secret whose code was given, while another session begins a set-up', async (delay) => {
    const owner = await aPerson()
    const { browser: other } = await anotherBrowser(owner)
    const key = await begin(owner.browser)
    const before = await rowOf(owner)
    const [on] = await Promise.all([
      theFactor().turnOn(owner.browser.request(), { code: authenticatorCode(key) }),
      delay().then(() => theFactor().begin(other.request(), { issuer: 'Jubilee' })),
    ])
    const after = await rowOf(owner)
    expect(after?.verified).toBe(on.ok)
    expect(after?.secret === before?.secret).toBe(on.ok)
    expect(await isFlagged(owner)).toBe(on.ok)
  })

  race('and off at the same moment leaves an account that can sign in', async (delay) => {
    const owner = await aPerson()
    const { browser: other } = await anotherBrowser(owner)
    const key = await begin(owner.browser)
    await Promise.all([
      theFactor().turnOn(owner.browser.request(), { code: authenticatorCode(key) }),
      delay().then(() => theFactor().turnOff(other.request())),
    ])
    expect(await isFlagged(owner)).toBe((await rowOf(owner))?.verified ?? false)
  })
})

describe('a link to a new password', () => {
  race('and another one, used at the same moment: one works, and the other is refused', async (delay) => {
    const owner = await aPerson()
    const tokens = [await aResetLink(owner), await aResetLink(owner)]
    const answers = await Promise.all(
      tokens.map(async (token, index) => {
        if (index > 0) await delay()
        return reset(token, `${NEW_PASSWORD} ${index}`)
      }),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers).toContainEqual({ ok: false, reason: 'invalid-action-code' })
    const winner = answers.findIndex(({ ok }) => ok)
    expect((await anotherBrowser(owner, `${NEW_PASSWORD} ${winner}`)).answer.ok).toBe(true)
  })

  race('used twice at the same moment works once', async (delay) => {
    const token = await aResetLink(await aPerson())
    const answers = await Promise.all([reset(token), delay().then(() => reset(token))])
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  race('sets the password that stays, whatever a change by the old one does meanwhile', async (delay) => {
    const owner = await aPerson()
    const token = await aResetLink(owner)
    const change = { currentPassword: PASSWORD, newPassword: 'a thief’s own words' }
    const [changed, answer] = await Promise.all([
      accounts.changePassword(owner.browser.request(), change),
      delay().then(() => reset(token)),
    ])
    // The change voids the link if it comes first.
    expect(Number(changed.ok) + Number(answer.ok)).toBe(1)
    const password = answer.ok ? NEW_PASSWORD : change.newPassword
    expect((await anotherBrowser(owner, password)).answer.ok).toBe(true)
  })

  race('ends a sign-in with the old password that is on its way', async (delay) => {
    const owner = await aPerson()
    const token = await aResetLink(owner)
    const [answer] = await Promise.all([reset(token), delay().then(() => anotherBrowser(owner))])
    expect(answer.ok).toBe(true)
    expect(await sessionsOf(owner)).toEqual([])
  })
})

describe('a sign-in', () => {
  race('by one recovery code in two browsers at the same moment works in one', async (delay) => {
    const owner = await aPerson()
    const key = await begin(owner.browser)
    const on = await theFactor().turnOn(owner.browser.request(), { code: authenticatorCode(key) })
    if (!on.ok) throw new Error(on.reason)
    const [recoveryCode = ''] = on.recoveryCodes
    const before = (await sessionsOf(owner)).length
    const browsers = [(await anotherBrowser(owner)).browser, (await anotherBrowser(owner)).browser]
    const answers = await Promise.all(
      browsers.map(async (browser, index) => {
        if (index > 0) await delay()
        return theFactor().completeSignIn(browser.request(), { recoveryCode })
      }),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await sessionsOf(owner)).toHaveLength(before + 1)
  })

  it.skipIf(!hasPostgres)('that waits for a code ends with a new password', async () => {
    const owner = await aPerson()
    const key = await begin(owner.browser)
    await theFactor().turnOn(owner.browser.request(), { code: authenticatorCode(key) })
    const { browser } = await anotherBrowser(owner)
    expect((await reset(await aResetLink(owner))).ok).toBe(true)
    const answer = await theFactor().completeSignIn(browser.request(), { code: authenticatorCode(key, 1) })
    expect(answer).toEqual({ ok: false, reason: 'missing-multi-factor-session' })
    expect(await sessionsOf(owner)).toEqual([])
  })
})

describe('an address', () => {
  race('that two people sign up with at the same moment belongs to one account', async (delay) => {
    const email = `racer-${++people}@example.com`
    const signUp = () =>
      accounts.signUp(aBrowser().request(), { displayName: 'Robin Vale', email, password: PASSWORD })
    const answers = await Promise.all([signUp(), delay().then(signUp)])
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers).toContainEqual({ ok: false, reason: 'email-already-in-use' })
    const rows = await connection.db
      .selectFrom('account_credentials')
      .innerJoin('users', 'users.id', 'account_credentials.user_id')
      .select('users.id')
      .where('users.email', '=', email)
      .execute()
    expect(rows).toHaveLength(1)
  })

  race('of two changes confirmed at the same moment is one of the two', async (delay) => {
    const owner = await aPerson()
    const confirms = []
    for (const name of ['first', 'second']) {
      const email = `${name}-${owner.email}`
      const link = await accounts.issueLink({ kind: 'change-email', userId: owner.userId, email })
      confirms.push(() =>
        accounts.confirmEmail(owner.browser.request(), { token: link?.token ?? '', password: null }),
      )
    }
    const [one, two] = confirms
    const answers = await Promise.all([one?.(), delay().then(() => two?.())])
    expect(answers.filter((answer) => answer?.ok)).toHaveLength(1)
  })
})

describe('a link that stops counting while it is used', () => {
  /** Uses a link while another transaction holds its account and then changes what the link relies on. */
  const refusedMeanwhile =
    <Result extends { ok: boolean }>(
      { userId }: Racer,
      { use, change }: { use: () => Promise<Result>; change: (tx: DatabaseTransaction) => Promise<unknown> },
    ) =>
    async (isBefore: (reader: DatabaseTransaction) => Promise<void>): Promise<Result> => {
      const answers: Promise<Result>[] = []
      await connection.db.transaction().execute(async (tx) => {
        await lockAccounts(tx, [userId])
        answers.push(use())
        await untilOneWaits(connection.db)
        await change(tx)
        await isBefore(tx)
      })
      const [answer] = await Promise.all(answers)
      if (!answer) throw new Error('The link was not used.')
      return answer
    }
  const linkTo = async (
    kind: 'verify-email' | 'change-email' | 'undo-email-change',
    owner: Racer,
    email = owner.email,
  ) => issueLink(connection.db, { kind, userId: owner.userId, email, now: new Date() })
  const setUser = (db: DatabaseTransaction | PostgresConnection['db'], { userId }: Racer, columns: object) =>
    db.updateTable('users').set(columns).where('id', '=', userId).execute()
  const INVALID = { ok: false, reason: 'invalid-action-code' }

  it.skipIf(!hasPostgres)('is not used up by detaching an address that was proved meanwhile', async () => {
    const owner = await aPerson()
    await setUser(connection.db, owner, { email_verified: false })
    const token = await linkTo('verify-email', owner)
    const run = refusedMeanwhile(owner, {
      use: () => accounts.detachEmail(aBrowser().request(), { token, forNewAccount: false }),
      change: (tx) => setUser(tx, owner, { email_verified: true }),
    })
    expect(await leavesAsIs(connection.db, 'detachEmail', run)).toEqual(INVALID)
  })

  it.skipIf(!hasPostgres)('is not used up by proving an address that was changed meanwhile', async () => {
    const owner = await aPerson()
    await setUser(connection.db, owner, { email_verified: false })
    const token = await linkTo('verify-email', owner)
    const run = refusedMeanwhile(owner, {
      use: () => accounts.confirmEmail(owner.browser.request(), { token, password: null }),
      change: (tx) => setUser(tx, owner, { email: `new-${owner.email}` }),
    })
    expect(await leavesAsIs(connection.db, 'confirmEmail', run)).toEqual(INVALID)
  })

  it.skipIf(!hasPostgres)('sets no password where the address was changed meanwhile', async () => {
    const owner = await aPerson()
    const token = await aResetLink(owner)
    const run = refusedMeanwhile(owner, {
      use: () => reset(token),
      change: (tx) => setUser(tx, owner, { email: `new-${owner.email}` }),
    })
    expect(await leavesAsIs(connection.db, 'resetPassword', run)).toEqual(INVALID)
  })

  it.skipIf(!hasPostgres)('takes its address off no other account where another tab was first', async () => {
    const owner = await aPerson()
    const stranger = await aPerson()
    await setUser(connection.db, stranger, { email_verified: false })
    const token = await linkTo('undo-email-change', owner, stranger.email)
    const run = refusedMeanwhile(owner, {
      use: () => accounts.undoEmailChange(aBrowser().request(), { token }),
      change: (tx) => tx.deleteFrom('account_links').where('user_id', '=', owner.userId).execute(),
    })
    expect(await leavesAsIs(connection.db, 'undoEmailChange', run)).toEqual(INVALID)
  })
})
