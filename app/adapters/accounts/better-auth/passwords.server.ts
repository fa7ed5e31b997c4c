import { hashText } from '../../../shared/signed.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import { limitedAddress } from '../../rate-limits/addresses.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import { deleteLinks, findLink, redeemLink } from '../account-links.server.ts'
import { holdSession } from '../account-lock.server.ts'
import { findHolder } from '../holders.server.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import type { IsWeakPassword, Passwords } from '../passwords.server.ts'
import type { AccountSession } from '../port.ts'
import { originOf, type SecurityLog } from '../security-log.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { PasswordCalls } from '../topics.ts'
import { forgetFactorsSince, isSameEmail } from './email-addresses.server.ts'
import { type BetterAuthLibrary, newSessionToken } from './library.server.ts'
import { limits, takeLinkUse, takeNewPassword } from './limits.server.ts'
import type { AccountMailQueue } from './mails.server.ts'
import type { PasswordChecks } from './password-checks.server.ts'

type Deps = {
  db: Database
  library: BetterAuthLibrary
  sessions: Pick<SharedSessions, 'findSession' | 'forgetCookies' | 'endSessionsIn'>
  knownBrowsers: KnownBrowsers
  checks: Pick<PasswordChecks, 'takeOwnPasswordTry' | 'findRightHash' | 'checkOwnPassword' | 'refuseProof'>
  rateLimits: RateLimits
  securityLog: SecurityLog
  queue: Pick<AccountMailQueue, 'passwordReset' | 'passwordChanged'>
  meetsPolicy: (password: string) => boolean
  isWeak: IsWeakPassword
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  now: () => Date
  passwords: Passwords
}

/** Calls that reset, change and confirm passwords. */
export function passwordCalls(deps: Deps): PasswordCalls {
  const { db, library, sessions, knownBrowsers, checks, rateLimits, securityLog, queue, now } = deps
  return {
    async requestPasswordReset(request, { email }) {
      // Anyone can use up this limit for any address, so the answer hides it. Links from earlier mails still work.
      const origin = originOf(request)
      const userId = await findHolder(db, email)
      const refused = {
        kind: 'password-reset-refused',
        userId,
        email,
        detail: 'too-many-requests',
        origin,
      } as const
      if (!(await rateLimits.take(await emailKey('reset', email), limits.reset))) {
        await securityLog.noteAfter(refused)
        return { ok: true, cookies: [] }
      }
      // Checked second, so that repeated requests for one address always get the same answer.
      if (!(await rateLimits.take(`reset-from:${limitedAddress(request)}`, limits.resetFromAddress))) {
        await securityLog.noteAfter(refused)
        return { ok: false, reason: 'too-many-requests' }
      }
      // The mail's account is looked up in the background, so an address without one takes the same path here.
      await queue.passwordReset(email)
      await securityLog.noteAfter({ kind: 'password-reset-asked', userId, email, origin })
      return { ok: true, cookies: [] }
    },

    async findResetEmail(token) {
      const link = await findLink(db, token, ['reset-password'], now())
      return link.ok ? link.email : null
    },

    async resetPassword(request, { token, password }) {
      if (!(await takeLinkUse(rateLimits, request))) return { ok: false, reason: 'too-many-requests' }
      if (!deps.meetsPolicy(password)) return { ok: false, reason: 'password-does-not-meet-requirements' }
      // Check the link first, so that a wrong one doesn't cost a hash.
      const found = await findLink(db, token, ['reset-password'], now())
      if (!found.ok) return found
      if (await deps.isWeak(password, found)) return { ok: false, reason: 'weak-password' }
      const hash = await deps.passwords.hash(password)
      const answer = await db.transaction().execute(async (tx) => {
        const reset = await resetPasswordIn(deps, tx, { token, hash })
        if ('id' in reset)
          await securityLog.note(tx, { kind: 'password-reset', userId: reset.id, origin: originOf(request) })
        return reset
      })
      if ('reason' in answer) return answer
      await queue.passwordChanged(answer)
      // This browser has proved the address, so the new password works here even while others are guessing.
      const known = await knownBrowsers.cookieFor(request, answer.id)
      return { ok: true, cookies: [...sessions.forgetCookies(), known] }
    },

    async changePassword(request, { currentPassword, newPassword }) {
      const session = await sessions.findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      if (!deps.meetsPolicy(newPassword)) return { ok: false, reason: 'password-does-not-meet-requirements' }
      const { uid } = session.user
      if (!(await takeNewPassword(rateLimits, uid))) return { ok: false, reason: 'too-many-requests' }
      if (await deps.isWeak(newPassword, session.user)) return { ok: false, reason: 'weak-password' }
      const tried = await checks.takeOwnPasswordTry(session)
      if (!tried) return checks.refuseProof(request, uid, 'too-many-requests')
      // Not by the library, whose write doesn't ask whether the checked password is still the account's: it would replace
      // the one of a reset.
      const checkedHash = await checks.findRightHash(uid, currentPassword)
      if (!checkedHash) return checks.refuseProof(request, uid, 'wrong-password')
      const hash = await deps.passwords.hash(newPassword)
      const fresh = await db.transaction().execute(async (tx) => {
        const changed = await changePasswordIn(deps, tx, { session, checkedHash, hash })
        if (changed)
          await securityLog.note(tx, { kind: 'password-changed', userId: uid, origin: originOf(request) })
        return changed
      })
      if (!fresh) return checks.refuseProof(request, uid, 'wrong-password')
      await tried.wasRight()
      const { email, displayName, emailVerified } = session.user
      await queue.passwordChanged({ email, name: displayName ?? '', emailVerified })
      const cookies = [await library.sealSession(fresh)]
      // Last, since this browser's open pages hear of it too: the answer with its new session should be there by then.
      await db.transaction().execute((tx) => deps.onSessionsEnded(tx, uid))
      return { ok: true, cookies }
    },

    async confirmPassword(request, { password }) {
      const checked = await checks.checkOwnPassword(request, password)
      return checked.ok ? { ok: true, cookies: [] } : checked
    },
  }
}

/**
 * Replaces the password that was checked, ends the other sessions and gives this one another token.
 * @returns the session as its cookie names it; null if the password or the session has changed since it was checked
 */
async function changePasswordIn(
  { now }: Pick<Deps, 'now'>,
  tx: DatabaseTransaction,
  given: { session: AccountSession; checkedHash: string; hash: string },
): Promise<{ token: string; expiresAt: Date } | null> {
  const { session, checkedHash, hash } = given
  const { uid } = session.user
  if (!(await holdSession(tx, session))) return null
  const changed = await tx
    .updateTable('account_credentials')
    .set({ password: hash, updated_at: now() })
    .where('user_id', '=', uid)
    .where('provider_id', '=', 'credential')
    .where('password', '=', checkedHash)
    .returning('id')
    .executeTakeFirst()
  if (!changed) return null
  await tx.deleteFrom('sessions').where('user_id', '=', uid).where('id', '<>', session.id).execute()
  // Sign-ins that wait for a code have proved the old password.
  await tx.deleteFrom('verifications').where('value', '=', uid).execute()
  await deleteLinks(tx, { userId: uid, kinds: ['reset-password', 'change-email'] })
  // Its second factor's proof doesn't become any younger: a password isn't one.
  const token = newSessionToken()
  const { expires_at: expiresAt } = await tx
    .updateTable('sessions')
    .set({ token, proved_at: now() })
    .where('id', '=', session.id)
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expiresAt }
}

async function resetPasswordIn(
  { sessions, now }: Deps,
  tx: DatabaseTransaction,
  { token, hash }: { token: string; hash: string },
) {
  const link = await redeemLink(tx, token, ['reset-password'], now())
  if (!link.ok) return link
  // The address was detached after the mail was sent, so its reader isn't the account's owner.
  const user = await tx
    .selectFrom('users')
    .select(['email', 'email_verified'])
    .where('id', '=', link.userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!isSameEmail(user.email, link.email)) return { ok: false, reason: 'invalid-action-code' } as const
  const changed = await tx
    .updateTable('account_credentials')
    .set({ password: hash, updated_at: now() })
    .where('user_id', '=', link.userId)
    .where('provider_id', '=', 'credential')
    .returning('id')
    .executeTakeFirst()
  // A sign-up failed between inserting its two rows, so the account has no credential yet.
  if (!changed) {
    await tx
      .insertInto('account_credentials')
      .values({
        id: crypto.randomUUID(),
        user_id: link.userId,
        account_id: link.userId,
        provider_id: 'credential',
        password: hash,
        created_at: now(),
        updated_at: now(),
      })
      .execute()
  }
  await sessions.endSessionsIn(tx, link.userId)
  // A stranger may have opened the account with this address. Nobody had proved it, so no factor is its holder's.
  if (!user.email_verified) await forgetFactorsSince(tx, link.userId, new Date(0))
  await deleteLinks(tx, { userId: link.userId, kinds: ['reset-password', 'change-email'] })
  // Receiving the mail proves the address.
  return tx
    .updateTable('users')
    .set({ email_verified: true, updated_at: now() })
    .where('id', '=', link.userId)
    .returning(['id', 'email', 'name', 'email_verified as emailVerified'])
    .executeTakeFirstOrThrow()
}

/** Hashes the address, so that rate limit keys hold no personal data in plain text. */
async function emailKey(name: string, email: string): Promise<string> {
  return `${name}:${await hashText(email.trim().toLowerCase())}`
}
