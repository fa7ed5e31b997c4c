import type { Database } from '../../database/port.ts'
import { limitedAddress } from '../../rate-limits/addresses.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import { findSignInUser } from '../detached-emails.server.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import { takePasswordTry } from '../password-tries.server.ts'
import type { IsWeakPassword } from '../passwords.server.ts'
import type { SignedInAnswer } from '../port.ts'
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
  queue: Pick<AccountMailQueue, 'verification'>
  meetsPolicy: (password: string) => boolean
  isWeak: IsWeakPassword
}

/** Calls that create accounts and sign in with a password. */
export function signInCalls(deps: Deps): SignInCalls {
  const { db, library, checks, rateLimits, queue } = deps
  return {
    async signUp(request, { displayName, email, password }) {
      if (!deps.meetsPolicy(password)) return { ok: false, reason: 'password-does-not-meet-requirements' }
      if (!(await takeNewPassword(rateLimits, limitedAddress(request))))
        return { ok: false, reason: 'too-many-requests' }
      if (await deps.isWeak(password, { email })) return { ok: false, reason: 'weak-password' }
      const called = await library.call(request, '/sign-up/email', { name: displayName, email, password })
      if (!called.ok) {
        // Two sign-ups raced for one address, and the unique index let the other one through.
        if (called.code === 'FAILED_TO_CREATE_USER' && (await hasAccount(db, email)))
          return { ok: false, reason: 'email-already-in-use' }
        return library.refusalOf(called)
      }
      const answer = await completeSignIn(deps, request, called)
      if (answer.ok) await queue.verification(answer.userId)
      return answer
    },

    async signIn(request, { email, password }) {
      const user = await findSignInUser(db, email)
      const tried = await takePasswordTry(rateLimits, email, await checks.triesFrom(request, user?.id))
      if (!tried) return { ok: false, reason: 'too-many-requests' }
      const called = await library.call(request, '/sign-in/email', {
        email: user?.email ?? email,
        password,
        rememberMe: true,
      })
      if (!called.ok) return library.refusalOf(called)
      await tried.wasRight()
      if (called.body.twoFactorRedirect) {
        // Its cookie is removed from the browser, so the session must not stay behind.
        await deps.sessions.endBroughtSession(request)
        return { ok: true, needsCode: true, cookies: called.cookies }
      }
      return completeSignIn(deps, request, called)
    },
  }
}

/** Ends the session that the browser had, and makes the browser known to the account. */
export async function completeSignIn(
  { db, sessions, knownBrowsers }: Pick<Deps, 'db' | 'sessions' | 'knownBrowsers'>,
  request: Request,
  called: Extract<Called, { ok: true }>,
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
  return {
    ok: true,
    needsCode: false,
    cookies: [...called.cookies, await knownBrowsers.cookieFor(request, userId)],
    userId,
    deactivated: user.deactivated_at !== null,
    needsEmail: user.detached_email !== null,
  }
}
