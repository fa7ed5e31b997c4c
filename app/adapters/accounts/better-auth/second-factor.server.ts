import { createOTP } from '@better-auth/utils/otp'
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { readCookie } from '../../../shared/cookies.ts'
import { newId } from '../../../shared/ids.ts'
import { hashText, sameText } from '../../../shared/signed.ts'
import { MINUTE_MS } from '../../../shared/time-units.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import { findPasswordHash, holdSession } from '../account-lock.server.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import { takePasswordTry } from '../password-tries.server.ts'
import type {
  AccountCode,
  AccountSession,
  FactorChange,
  FactorSecret,
  Proofs,
  SecondFactor,
} from '../port.ts'
import { originOf, type SecurityLog } from '../security-log.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { BetterAuthLibrary } from './library.server.ts'
import type { PasswordChecks } from './password-checks.server.ts'
import { findProvedSession } from './proved-session.server.ts'
import { completeSignIn, keepSignIn, noteRefusedSignIn } from './sign-in.server.ts'

const STEP_MS = 30_000
/** As long as the library's. */
const SECRET_LENGTH = 32
/** How long a set-up may take. Its secret is shown again with a wrong code, so it mustn't wait for a thief. */
const SETUP_LIFE_MS = 15 * MINUTE_MS
/** The name that the library gives the cookie of a sign-in that waits for a code. */
const PENDING_COOKIE = 'two_factor'
const RECOVERY_CODES = 8
/** 120 random bits, so that a plain hash protects a stored code. */
const RECOVERY_CODE_LENGTH = 24
const ACCEPTED_RECOVERY_CODE = /^[0-9a-z]{24}$/

export type FactorChecks = ReturnType<typeof createFactorChecks>

type CheckDeps = { db: Database; library: BetterAuthLibrary }

/** Reads and uses up the codes of authenticator apps. */
export function createFactorChecks({ db, library }: CheckDeps) {
  const findRow = (userId: string) =>
    db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()

  /** @returns null after a change of SECRET, which makes stored secrets unreadable */
  async function decrypt(stored: string): Promise<string | null> {
    const { secretConfig } = await library.auth.$context
    return symmetricDecrypt({ key: secretConfig, data: stored }).catch(() => null)
  }

  /** The step whose code this is: the present one, or one before or after it, since clocks differ. */
  async function stepOf(secret: string, code: string): Promise<number | null> {
    const app = createOTP(secret)
    const present = Math.floor(Date.now() / STEP_MS)
    let found: number | null = null
    for (const step of [present - 1, present, present + 1])
      if (sameText(await app.hotp(step), code)) found = step
    return found
  }

  /**
   * Checks a code of an account whose factor is on, and uses it up. Two requests with one code race for the row, and one
   * loses.
   */
  async function spendCode(userId: string, code: string): Promise<boolean> {
    const row = await findRow(userId)
    if (!row?.verified) return false
    const step = await findStep(row, code)
    if (step === null) return false
    const used = await db
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('id', '=', row.id)
      .where('secret', '=', row.secret)
      .where('verified', '=', true)
      .where((eb) => eb.or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
      .returning('id')
      .executeTakeFirst()
    return used !== undefined
  }

  /** The step of a code of the app with this stored secret; null for a wrong code. */
  async function findStep(row: { secret: string }, code: string): Promise<number | null> {
    const secret = await decrypt(row.secret)
    return secret === null ? null : stepOf(secret, code)
  }

  const encrypt = async (secret: string) =>
    symmetricEncrypt({ key: (await library.auth.$context).secretConfig, data: secret })

  return { findRow, findStep, encrypt, decrypt, spendCode }
}

type Deps = CheckDeps & {
  sessions: Pick<SharedSessions, 'findSession' | 'knownSession' | 'endBroughtSession'>
  checks: Pick<PasswordChecks, 'triesFrom' | 'refuseProof'>
  proofs: Pick<Proofs, 'isDue'>
  factorChecks: FactorChecks
  knownBrowsers: KnownBrowsers
  rateLimits: RateLimits
  onFactorChange: (change: FactorChange) => Promise<void>
  securityLog: SecurityLog
  now: () => Date
}

/** The second factor by Better Auth's plugin. Recovery codes, limits, and that a code works once are ours. */
export function createSecondFactor(deps: Deps): SecondFactor {
  const { library, sessions, factorChecks } = deps
  return {
    async findState(request) {
      const session = await sessions.knownSession(request)
      if (!session) return null
      const row = await factorChecks.findRow(session.user.uid)
      return row?.verified
        ? { isOn: true, recoveryCodesLeft: (JSON.parse(row.backup_codes) as string[]).length }
        : { isOn: false, recoveryCodesLeft: 0 }
    },

    ...setUpCalls(deps),
    ...changeCalls(deps),

    isCodeDue: async (request) => (await findPending(library, request)) !== null,
    completeSignIn: (request, input) => completeByCode(deps, request, input),
  }
}

/** The calls that set up the factor of the signed-in account: its secret first, then the first code of the app. */
function setUpCalls(deps: Deps): Pick<SecondFactor, 'begin' | 'findBegun' | 'turnOn'> {
  const { db, sessions, checks, factorChecks, onFactorChange, now } = deps
  return {
    // Not by the library, which asks for the password each time.
    async begin(request, { issuer }) {
      const proved = await findProvedSession(deps, request)
      if (!proved.ok) return proved
      const { uid, email } = proved.session.user
      const secret = generateRandomString(SECRET_LENGTH)
      const fresh = {
        secret: await factorChecks.encrypt(secret),
        backup_codes: '[]',
        last_step: null,
        created_at: now(),
      }
      const begun = await db.transaction().execute(async (tx) => {
        if (!(await holdSession(tx, proved.session))) return 'user-token-expired'
        const row = await tx
          .insertInto('second_factors')
          .values({ ...fresh, id: newId(), user_id: uid, verified: false, locked_until: null })
          .onConflict((conflict) =>
            conflict.column('user_id').doUpdateSet(fresh).where('second_factors.verified', '=', false),
          )
          .returning('id')
          .executeTakeFirst()
        return row ? null : 'second-factor-already-in-use'
      })
      if (begun) return { ok: false, reason: begun }
      return { ok: true, ...toSecret(createOTP(secret).url(issuer, email)) }
    },

    async findBegun(request, { issuer }) {
      const session = await sessions.findSession(request)
      const row = session && (await factorChecks.findRow(session.user.uid))
      if (!row || row.verified || isStale(row, now())) return null
      const secret = await factorChecks.decrypt(row.secret)
      return secret === null ? null : toSecret(createOTP(secret).url(issuer, session.user.email))
    },

    async turnOn(request, { code }) {
      const session = await sessions.findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      const { uid } = session.user
      const tried = await takeCodeTry(deps, session)
      if (!tried) return checks.refuseProof(request, uid, 'too-many-requests')
      // Not by the library, which would replace the session: without script, the response to this form could then not
      // show the recovery codes, because its loaders come with the old session's cookie.
      const { codes, stored } = await makeRecoveryCodes()
      const refused = await db.transaction().execute(async (tx) => {
        const input = { session, code: toDigits(code), recoveryCodes: stored }
        const reason = await turnOnIn(deps, tx, input)
        if (!reason) await note(deps, tx, request, uid, 'second-factor-on')
        return reason
      })
      if (refused === 'invalid-verification-code') return checks.refuseProof(request, uid, refused)
      if (refused) return { ok: false, reason: refused }
      await tried.wasRight()
      await onFactorChange({ userId: uid, kind: 'second-factor-on' })
      return { ok: true, recoveryCodes: codes }
    },
  }
}

/**
 * Turns the factor on whose code was given, and marks the session whose person has just proved it. The account's row is
 * locked from the check of the code on: another session's set-up could otherwise take the place of the checked secret.
 * @returns why not; null if it is on
 */
async function turnOnIn(
  { factorChecks, now }: Deps,
  tx: DatabaseTransaction,
  { session, code, recoveryCodes }: { session: AccountSession; code: string; recoveryCodes: string },
): Promise<'user-token-expired' | 'code-expired' | 'invalid-verification-code' | null> {
  const { uid } = session.user
  if (!(await holdSession(tx, session))) return 'user-token-expired'
  const begun = await tx
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', uid)
    .forUpdate()
    .executeTakeFirst()
  if (!begun || begun.verified) return 'invalid-verification-code'
  if (isStale(begun, now())) return 'code-expired'
  const step = await factorChecks.findStep(begun, code)
  if (step === null || (begun.last_step !== null && Number(begun.last_step) >= step))
    return 'invalid-verification-code'
  // The account's flag follows by a trigger.
  await tx
    .updateTable('second_factors')
    .set({ verified: true, backup_codes: recoveryCodes, last_step: step })
    .where('id', '=', begun.id)
    .execute()
  await tx
    .updateTable('sessions')
    .set({ is_strong: true, factor_proved_at: now() })
    .where('id', '=', session.id)
    .execute()
  return null
}

/** The calls that change or end the account's factor, each after a recent proof of who is there. */
function changeCalls(deps: Deps): Pick<SecondFactor, 'renewRecoveryCodes' | 'turnOff'> {
  const { db, onFactorChange } = deps
  return {
    async renewRecoveryCodes(request) {
      const proved = await findProvedSession(deps, request)
      if (!proved.ok) return proved
      const { uid } = proved.session.user
      const { codes, stored } = await makeRecoveryCodes()
      const renewed = await db.transaction().execute(async (tx) => {
        if (!(await holdSession(tx, proved.session))) return null
        const row = await tx
          .updateTable('second_factors')
          .set({ backup_codes: stored })
          .where('user_id', '=', uid)
          .where('verified', '=', true)
          .returning('id')
          .executeTakeFirst()
        if (row) await note(deps, tx, request, uid, 'recovery-codes-renewed')
        return row
      })
      if (renewed === null) return { ok: false, reason: 'user-token-expired' }
      if (!renewed) return { ok: false, reason: 'multi-factor-info-not-found' }
      await onFactorChange({ userId: uid, kind: 'recovery-codes-renewed' })
      return { ok: true, recoveryCodes: codes }
    },

    async turnOff(request) {
      const proved = await findProvedSession(deps, request)
      if (!proved.ok) return proved
      const { uid } = proved.session.user
      const ended = await db.transaction().execute(async (tx) => {
        if (!(await holdSession(tx, proved.session))) return null
        const row = await tx
          .deleteFrom('second_factors')
          .where('user_id', '=', uid)
          .returning('verified')
          .executeTakeFirst()
        if (row?.verified) await note(deps, tx, request, uid, 'second-factor-off')
        return row
      })
      if (ended === null) return { ok: false, reason: 'user-token-expired' }
      if (ended?.verified) await onFactorChange({ userId: uid, kind: 'second-factor-off' })
      return { ok: true, cookies: [] }
    },
  }
}

/** Notes a change of an account's factor in the security log. */
const note = (
  { securityLog }: Deps,
  tx: DatabaseTransaction,
  request: Request,
  userId: string,
  kind: FactorChange['kind'],
) => securityLog.note(tx, { kind, userId, origin: originOf(request) })

const isStale = (row: { created_at: Date }, now: Date) =>
  now.getTime() - row.created_at.getTime() > SETUP_LIFE_MS

async function completeByCode(
  deps: Deps,
  request: Request,
  input: Parameters<SecondFactor['completeSignIn']>[1],
): ReturnType<SecondFactor['completeSignIn']> {
  const { db, library, checks, factorChecks, rateLimits } = deps
  const pending = await findPending(library, request)
  if (!pending) return { ok: false, reason: 'missing-multi-factor-session' }
  const { userId } = pending
  const passwordHash = await findPasswordHash(db, userId)
  const tried = await takePasswordTry(rateLimits, codesOf(userId), await checks.triesFrom(request, userId))
  const refuse = async (reason: AccountCode) => {
    await noteRefusedSignIn(deps, request, { userId, detail: reason })
    return { ok: false, reason } as const
  }
  if (!tried) return refuse('too-many-requests')
  const isRecovery = 'recoveryCode' in input
  const code = isRecovery ? await hashRecoveryCode(input.recoveryCode) : toDigits(input.code)
  if (code === null || (!isRecovery && !(await factorChecks.spendCode(userId, code))))
    return refuse('invalid-verification-code')
  const path = isRecovery ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
  const called = await library.call(pending.request, path, { code })
  if (!called.ok) {
    // Two requests raced with one recovery code, and the other one used it up.
    if (called.code === 'HTTP_409' || called.code.startsWith('FAILED_TO_VERIFY_BACKUP_CODE'))
      return refuse('invalid-verification-code')
    return refuse(library.refusalOf(called).reason)
  }
  if (!(await keepSignIn(deps, called, { userId, passwordHash })))
    return refuse('missing-multi-factor-session')
  await tried.wasRight()
  if (isRecovery) {
    await deps.securityLog.noteAfter({ kind: 'recovery-code-used', userId, origin: originOf(request) })
    await deps.onFactorChange({ userId, kind: 'recovery-code-used' })
  }
  return completeSignIn(deps, request, called, isRecovery ? 'recovery-code' : 'code')
}

/**
 * Finds the sign-in of this browser that waits for a code.
 * @returns its account, and the request without any session: the library would otherwise check the code against the
 * account that the browser is signed in to already
 */
async function findPending(
  library: BetterAuthLibrary,
  request: Request,
): Promise<{ userId: string; request: Request } | null> {
  const context = await library.auth.$context
  const { name } = context.createAuthCookie(PENDING_COOKIE)
  const cookie = readCookie(request.headers.get('cookie'), name)
  // '{identifier}.{signature}'. The library checks the signature once there is a code. This only decides whose limits
  // count it. A malformed one doesn't reach the database, which refuses NULs.
  const identifier = /^2fa-[\w-]+/.exec(cookie ?? '')?.[0]
  if (!identifier) return null
  const found = await context.internalAdapter.findVerificationValue(identifier)
  if (!found || found.expiresAt < new Date()) return null
  const headers = new Headers(request.headers)
  headers.set('cookie', `${name}=${cookie}`)
  return { userId: found.value, request: new Request(request.url, { headers }) }
}

/** Counts a code per session, like a password that is asked for again. */
export const takeCodeTry = (
  { rateLimits }: { rateLimits: RateLimits },
  { id, user }: AccountSession,
): ReturnType<typeof takePasswordTry> => takePasswordTry(rateLimits, codesOf(user.uid), { known: id })

const codesOf = (userId: string) => `codes of ${userId}`

/** Apps show codes in groups, as in '123 456'. */
export const toDigits = (code: string) => code.replaceAll(/\s/g, '')

function toSecret(uri: string): FactorSecret {
  return { uri, key: new URL(uri).searchParams.get('secret') ?? '' }
}

async function makeRecoveryCodes(): Promise<{ codes: string[]; stored: string }> {
  const plain = Array.from({ length: RECOVERY_CODES }, () => newId(RECOVERY_CODE_LENGTH))
  return {
    codes: plain.map((code) => code.match(/.{4}/g)?.join('-') ?? code),
    stored: JSON.stringify(await Promise.all(plain.map(hashText))),
  }
}

/** @returns null for a text that can't be a recovery code */
async function hashRecoveryCode(typed: string): Promise<string | null> {
  const plain = typed.toLowerCase().replaceAll(/[\s-]/g, '')
  return ACCEPTED_RECOVERY_CODE.test(plain) ? hashText(plain) : null
}
