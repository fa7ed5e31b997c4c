import type { Database } from '../../database/port.ts'
import { limitedAddress } from '../../rate-limits/addresses.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import { findPasswordHash, lockAccounts } from '../account-lock.server.ts'
import { findSignInUser } from '../detached-emails.server.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import { takePasswordTry } from '../password-tries.server.ts'
import type { IsWeakPassword } from '../passwords.server.ts'
import type { AccountCode, SignedInAnswer } from '../port.ts'
import { originOf, type SecurityLog } from '../security-log.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { SignInCalls } from '../topics.ts'
import { hasAccount } from './email-addresses.server.ts'
import type { BetterAuthLibrary, Called } from './library.server.ts'
import { takeNewPassword } from './limits.server.ts'
import type { AccountMailQueue } from './mails.server.ts'
import type { PasswordChecks } from './password-checks.server.ts'

type Deps = {
  db: Database
  library: BetterAuthLibrary
  sessions: Pick<SharedSessions, 'endBroughtSession'>
  knownBrowsers: KnownBrowsers
  checks: Pick<PasswordChecks, 'triesFrom'>
  rateLimits: RateLimits
  securityLog: SecurityLog
  queue: Pick<AccountMailQueue, 'verification'>
  meetsPolicy: (password: string) => boolean
  isWeak: IsWeakPassword
}

/** Calls that create accounts and sign in with a password. */
export function signInCalls(deps: Deps): SignInCalls {
  const { db, library, checks, rateLimits, securityLog, queue } = deps
  return {
    async signUp(request, { displayName, email, password }) {
      if (!deps.meetsPolicy(password)) return { ok: false, reason: 'password-does-not-meet-requirements' }
      const refuse = async <Reason extends AccountCode>(reason: Reason) => {
        const origin = originOf(request)
        await securityLog.noteAfter({ kind: 'sign-up-refused', userId: null, email, detail: reason, origin })
        return { ok: false, reason } as const
      }
      if (!(await takeNewPassword(rateLimits, limitedAddress(request)))) return refuse('too-many-requests')
      if (await deps.isWeak(password, { email })) return { ok: false, reason: 'weak-password' }
      const called = await library.call(request, '/sign-up/email', { name: displayName, email, password })
      if (!called.ok) {
        // Two sign-ups raced for one address, and the unique index let the other one through.
        if (called.code === 'FAILED_TO_CREATE_USER' && (await hasAccount(db, email)))
          return refuse('email-already-in-use')
        return refuse(library.refusalOf(called).reason)
      }
      const answer = await completeSignIn(deps, request, called, 'sign-up')
      if (answer.ok) await queue.verification(answer.userId)
      return answer
    },

    async signIn(request, { email, password }) {
      const user = await findSignInUser(db, email)
      const tried = await takePasswordTry(rateLimits, email, await checks.triesFrom(request, user?.id))
      const refuse = async (reason: AccountCode) => {
        await noteRefusedSignIn(deps, request, { userId: user?.id ?? null, email, detail: reason })
        return { ok: false, reason } as const
      }
      if (!tried) return refuse('too-many-requests')
      const passwordHash = await findPasswordHash(db, user?.id ?? '')
      const called = await library.call(request, '/sign-in/email', {
        email: user?.email ?? email,
        password,
        rememberMe: true,
      })
      if (!called.ok) return refuse(library.refusalOf(called).reason)
      const checked = { userId: user?.id ?? '', passwordHash }
      if (!(await keepSignIn(deps, called, checked))) return refuse('invalid-credential')
      await tried.wasRight()
      if (called.body.twoFactorRedirect) {
        // Its cookie is removed from the browser, so the session must not stay behind.
        await deps.sessions.endBroughtSession(request)
        const origin = originOf(request)
        await securityLog.noteAfter({ kind: 'sign-in-begun', userId: user?.id ?? null, origin })
        return { ok: true, needsCode: true, cookies: called.cookies }
      }
      return completeSignIn(deps, request, called, 'password')
    },
  }
}

/**
 * Keeps what the library has just made of a sign-in, unless its password was replaced or its account disabled since it was
 * checked: a change of the password ends the sessions that it finds, and this one came after.
 * @param checked.passwordHash the stored hash before the library checked the password
 * @returns false if the sign-in doesn't count any more
 */
export async function keepSignIn(
  { db }: Pick<Deps, 'db'>,
  called: Extract<Called, { ok: true }>,
  checked: { userId: string; passwordHash: string | null },
): Promise<boolean> {
  const userId = called.body.user?.id ?? checked.userId
  return db.transaction().execute(async (tx) => {
    await lockAccounts(tx, [userId])
    const user = await tx
      .selectFrom('users')
      .select('disabled_at')
      .where('id', '=', userId)
      .executeTakeFirst()
    const isKept =
      user !== undefined &&
      user.disabled_at === null &&
      (await findPasswordHash(tx, userId)) === checked.passwordHash
    if (isKept) return true
    if (called.body.token) await tx.deleteFrom('sessions').where('token', '=', called.body.token).execute()
    // A sign-in that waits for its code.
    await tx.deleteFrom('verifications').where('value', '=', userId).execute()
    return false
  })
}

/** Records a refused sign-in. `detail` is its reason. */
export function noteRefusedSignIn(
  { securityLog }: Pick<Deps, 'securityLog'>,
  request: Request,
  about: { userId: string | null; email?: string; detail: AccountCode },
): Promise<void> {
  return securityLog.noteAfter({ kind: 'sign-in-refused', origin: originOf(request), ...about })
}

/**
 * Ends the session that the browser had, makes the browser known to the account, and records the sign-in.
 * @param by the way of the sign-in
 */
export async function completeSignIn(
  {
    db,
    sessions,
    knownBrowsers,
    securityLog,
  }: Pick<Deps, 'db' | 'sessions' | 'knownBrowsers' | 'securityLog'>,
  request: Request,
  called: Extract<Called, { ok: true }>,
  by: 'sign-up' | 'password' | 'code' | 'recovery-code' | 'passkey',
): Promise<SignedInAnswer> {
  const userId = called.body.user?.id
  if (!userId) throw new Error('a sign-in succeeded without a user')
  // The session that this browser had before ends: it may have been planted.
  await sessions.endBroughtSession(request)
  const user = await db
    .selectFrom('users')
    .select(['deactivated_at', 'detached_email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const origin = originOf(request)
  await securityLog.noteAfter(
    by === 'sign-up' ? { kind: 'sign-up', userId, origin } : { kind: 'sign-in', userId, detail: by, origin },
  )
  return {
    ok: true,
    needsCode: false,
    cookies: [...called.cookies, await knownBrowsers.cookieFor(request, userId)],
    userId,
    deactivated: user.deactivated_at !== null,
    needsEmail: user.detached_email !== null,
  }
}
