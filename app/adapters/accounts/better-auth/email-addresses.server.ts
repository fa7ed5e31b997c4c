import type { Database, DatabaseTransaction } from '../../database/port.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import {
  deleteLinks,
  findLink,
  issueLink,
  type LinkKind,
  type RedeemedLink,
  redeemLink,
  UNDO_LIFE_MS,
} from '../account-links.server.ts'
import { holdSession, lockWithHolder } from '../account-lock.server.ts'
import { CONFIRMED_EMAIL, detachEmailIn, freeEmailIn } from '../detached-emails.server.ts'
import type { AccountRefusal, AccountSession, Proofs } from '../port.ts'
import { originOf, type RequestOrigin, type SecurityLog } from '../security-log.ts'
import type { SharedSessions } from '../sessions.server.ts'
import type { EmailAddressCalls } from '../topics.ts'
import { limits, takeLinkUse } from './limits.server.ts'
import type { AccountMailQueue } from './mails.server.ts'
import type { PasswordChecks } from './password-checks.server.ts'

const EMAIL_LINKS = ['verify-email', 'change-email'] as const satisfies LinkKind[]

type Deps = {
  db: Database
  sessions: Pick<SharedSessions, 'findSession' | 'forgetCookies' | 'endSessionsIn'>
  checks: Pick<PasswordChecks, 'checkOwnPassword' | 'checkLinkPassword'>
  proofs: Pick<Proofs, 'isDue'>
  rateLimits: RateLimits
  securityLog: SecurityLog
  queue: Omit<AccountMailQueue, 'passwordReset' | 'passwordChanged'>
  now: () => Date
}

/** Calls that prove, change or detach an account's address, or undo a change. */
export function emailAddressCalls(deps: Deps): EmailAddressCalls {
  const { db, sessions, checks, rateLimits, securityLog, queue, now } = deps
  return {
    async resendVerification(request) {
      const session = await sessions.findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      if (session.user.emailVerified) return { ok: true, cookies: [] }
      const { uid } = session.user
      if (!(await rateLimits.take(`verification:${uid}`, limits.verification)))
        return { ok: false, reason: 'too-many-requests' }
      await queue.verification(uid)
      return { ok: true, cookies: [] }
    },

    async requestEmailChange(request, { email, password }) {
      const checked = await checkPerson(deps, request, password)
      if (!checked.ok) return checked
      const { uid } = checked.session.user
      // Like sign-up, the answer reveals whether an address has an account, so requests are limited.
      if (!(await rateLimits.take(`email-change:${uid}`, limits.emailChange)))
        return { ok: false, reason: 'too-many-requests' }
      if (await hasAccount(db, email)) return { ok: false, reason: 'email-already-in-use' }
      await queue.emailChange(uid, email)
      await securityLog.noteAfter({ kind: 'email-change-asked', userId: uid, origin: originOf(request) })
      return { ok: true, cookies: [] }
    },

    async findEmailLink(request, { token }) {
      const link = await findOpenLink(deps, token)
      if (!link.ok) return link
      const session = await sessions.findSession(request)
      return {
        ok: true,
        kind: link.kind === 'verify-email' ? 'verify' : 'change',
        email: link.email,
        isOwn: session?.user.uid === link.userId,
      }
    },

    async confirmEmail(request, { token, password }) {
      if (!(await takeLinkUse(rateLimits, request))) return { ok: false, reason: 'too-many-requests' }
      const link = await findOpenLink(deps, token)
      if (!link.ok) return link
      const session = await sessions.findSession(request)
      const isOwn = session?.user.uid === link.userId
      if (!isOwn) {
        const checked = await checks.checkLinkPassword(request, link.userId, password)
        if (!checked.ok) return checked
      }
      try {
        return await db.transaction().execute(async (tx) => {
          if (isOwn && !(await holdSession(tx, session))) return { ok: false, reason: 'user-token-expired' }
          return confirmEmailIn(deps, tx, token, originOf(request))
        })
      } catch (error) {
        // Another account took the address after the link was sent.
        if (isUniqueViolation(error)) return { ok: false, reason: 'email-already-in-use' }
        throw error
      }
    },

    async detachEmail(request, { token }) {
      if (!(await takeLinkUse(rateLimits, request))) return { ok: false, reason: 'too-many-requests' }
      const found = await findOpenLink(deps, token)
      if (!found.ok) return found
      return db.transaction().execute(async (tx) => {
        const link = await redeemLink(tx, token, EMAIL_LINKS, now())
        if (!link.ok) return link
        const { userId, email } = link
        if (link.kind === 'verify-email' && !(await detachEmailIn(tx, { userId, email, now: now() })))
          return { ok: false, reason: 'invalid-action-code' } as const
        // Other links sent to this address must not open the account or restore the address.
        await deleteLinks(tx, { userId, email })
        await securityLog.note(tx, { kind: 'email-detached', userId, origin: originOf(request) })
        return { ok: true, email, beginsBy: 'sign-up' } as const
      })
    },

    async findUndoLink(_request, { token }) {
      const link = await findLink(db, token, ['undo-email-change'], now())
      return link.ok ? { ok: true, email: link.email } : link
    },

    async undoEmailChange(request, { token }) {
      if (!(await takeLinkUse(rateLimits, request))) return { ok: false, reason: 'too-many-requests' }
      return db.transaction().execute((tx) => undoEmailChangeIn(deps, tx, token, originOf(request)))
    },
  }
}

/** Checks the person's password, or, if they have none, how recent their last proof is. */
async function checkPerson(
  { checks, proofs, sessions }: Deps,
  request: Request,
  password: string | null,
): Promise<{ ok: true; session: AccountSession } | AccountRefusal> {
  if (password !== null) return checks.checkOwnPassword(request, password)
  const session = await sessions.findSession(request)
  if (!session) return { ok: false, reason: 'user-token-expired' }
  const isDue = await proofs.isDue(request, { needsFactor: false })
  return isDue ? { ok: false, reason: 'requires-recent-login' } : { ok: true, session }
}

/** Whether an address belongs to an account. */
export async function hasAccount(db: Database, email: string): Promise<boolean> {
  return !!(await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())
}

export const isSameEmail = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Finds the link of a verification mail or an email change. Refuses a link whose purpose is already fulfilled. */
async function findOpenLink({ db, now }: Deps, token: string): Promise<RedeemedLink> {
  const link = await findLink(db, token, EMAIL_LINKS, now())
  if (!link.ok || link.kind === 'change-email') return link
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', link.userId)
    .where('email', '=', link.email)
    .where('email_verified', '=', false)
    .executeTakeFirst()
  return user ? link : { ok: false, reason: 'invalid-action-code' }
}

async function confirmEmailIn(
  { queue, securityLog, now }: Deps,
  tx: DatabaseTransaction,
  token: string,
  origin: RequestOrigin,
): Promise<{ ok: true; changed: boolean; email: string; cookies: string[] } | AccountRefusal> {
  const link = await redeemLink(tx, token, EMAIL_LINKS, now())
  if (!link.ok) return link
  const user = await tx
    .selectFrom('users')
    .select(['email', 'name', 'email_verified as emailVerified', 'detached_email'])
    .where('id', '=', link.userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const isChange = link.kind === 'change-email'
  // The account's address has changed since, and this link doesn't prove the new one.
  if (!isChange && !isSameEmail(user.email, link.email)) return { ok: false, reason: 'invalid-action-code' }
  await tx
    .updateTable('users')
    .set({ ...CONFIRMED_EMAIL, email: link.email, updated_at: now() })
    .where('id', '=', link.userId)
    .execute()
  if (isChange) {
    // Links still in the old mailbox must no longer open the account.
    await deleteLinks(tx, { userId: link.userId })
    if (user.emailVerified) {
      const change = { userId: link.userId, email: user.email, changedAt: now().toISOString() }
      await queue.emailChanged(tx, change)
    } else if (!user.detached_email) await queue.emailLeft(tx, user)
  } else await deleteLinks(tx, { userId: link.userId, kinds: ['verify-email'] })
  const kind = isChange ? 'email-changed' : 'email-confirmed'
  await securityLog.note(tx, { kind, userId: link.userId, origin })
  return { ok: true, changed: isChange, email: link.email, cookies: [] }
}

/**
 * Forgets the passkeys and the second factor that were set up since a thief came in: they would come back by the one and
 * keep the owner out with the other.
 */
export async function forgetFactorsSince(
  tx: DatabaseTransaction,
  userId: string,
  since: Date,
): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute()
  await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .execute()
}

async function undoEmailChangeIn(
  { sessions, queue, securityLog, now }: Deps,
  tx: DatabaseTransaction,
  token: string,
  origin: RequestOrigin,
): Promise<{ ok: true; email: string; resetToken: string; cookies: string[] } | AccountRefusal> {
  const found = await findLink(tx, token, ['undo-email-change'], now())
  if (!found.ok) return found
  const { userId, email } = found
  await lockWithHolder(tx, { userId, email })
  if (!(await freeEmailIn(tx, { userId, email, now: now() })))
    return { ok: false, reason: 'email-already-in-use' }
  const link = await redeemLink(tx, token, ['undo-email-change'], now())
  if (!link.ok) return link
  const user = await tx
    .selectFrom('users')
    .select(['email', 'name', 'email_verified as emailVerified'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('users')
    .set({ ...CONFIRMED_EMAIL, email, updated_at: now() })
    .where('id', '=', userId)
    .execute()
  // The change required the password, so a thief who made it knows the password.
  await tx
    .updateTable('account_credentials')
    .set({ password: null, updated_at: now() })
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .execute()
  await sessions.endSessionsIn(tx, userId)
  // A thief may have set them up before the change. The owner could still refuse those of a week by their mails.
  await forgetFactorsSince(tx, userId, new Date(link.createdAt.getTime() - UNDO_LIFE_MS))
  await deleteLinks(tx, { userId })
  // Undoing this change also undoes later ones. An earlier change can still be undone from the address before it.
  await tx
    .deleteFrom('account_links')
    .where('user_id', '=', userId)
    .where('created_at', '>=', link.createdAt)
    .execute()
  if (!isSameEmail(user.email, email)) await queue.emailChangeUndone(tx, user)
  const resetToken = await issueLink(tx, { kind: 'reset-password', userId, email, now: now() })
  await securityLog.note(tx, { kind: 'email-change-undone', userId, origin })
  return { ok: true, email, resetToken, cookies: sessions.forgetCookies() }
}
