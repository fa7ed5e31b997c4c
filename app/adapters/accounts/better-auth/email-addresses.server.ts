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
} from '../account-links.server.ts'
import { CONFIRMED_EMAIL, detachEmailIn, freeEmailIn } from '../detached-emails.server.ts'
import type { AccountRefusal } from '../port.ts'
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
  rateLimits: RateLimits
  queue: Omit<AccountMailQueue, 'passwordReset' | 'passwordChanged'>
  now: () => Date
}

/** An account's address: proving it, changing it, taking it off the account, and undoing a change. */
export function emailAddressCalls(deps: Deps): EmailAddressCalls {
  const { db, sessions, checks, rateLimits, queue, now } = deps
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
      const checked = await checks.checkOwnPassword(request, password)
      if (!checked.ok) return checked
      const { uid } = checked.session.user
      // Tells that an address has an account, as sign-up does, so it is not to be asked often.
      if (!(await rateLimits.take(`email-change:${uid}`, limits.emailChange)))
        return { ok: false, reason: 'too-many-requests' }
      if (await hasAccount(db, email)) return { ok: false, reason: 'email-already-in-use' }
      await queue.emailChange(uid, email)
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
      if (session?.user.uid !== link.userId) {
        const checked = await checks.checkLinkPassword(request, link.userId, password)
        if (!checked.ok) return checked
      }
      try {
        return await db.transaction().execute((tx) => confirmEmailIn(deps, tx, token))
      } catch (error) {
        // Somebody else's account got the address since the link was sent.
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
        // Other mails to this address must not open the account or bring the address back.
        await deleteLinks(tx, { userId, email })
        return { ok: true, email, beginsBy: 'sign-up' } as const
      })
    },

    async findUndoLink(_request, { token }) {
      const link = await findLink(db, token, ['undo-email-change'], now())
      return link.ok ? { ok: true, email: link.email } : link
    },

    async undoEmailChange(request, { token }) {
      if (!(await takeLinkUse(rateLimits, request))) return { ok: false, reason: 'too-many-requests' }
      return db.transaction().execute((tx) => undoEmailChangeIn(deps, tx, token))
    },
  }
}

/** Whether an address belongs to an account. */
export async function hasAccount(db: Database, email: string): Promise<boolean> {
  return !!(await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())
}

export const isSameEmail = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Finds the link of a verification mail or an e-mail change. Refuses one that has nothing left to do. */
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
  { queue, now }: Deps,
  tx: DatabaseTransaction,
  token: string,
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
  // The account has another address by now: this link proves nothing about it.
  if (!isChange && !isSameEmail(user.email, link.email)) return { ok: false, reason: 'invalid-action-code' }
  await tx
    .updateTable('users')
    .set({ ...CONFIRMED_EMAIL, email: link.email, updated_at: now() })
    .where('id', '=', link.userId)
    .execute()
  if (isChange) {
    // Links that lie in the old mailbox must not open the account any more.
    await deleteLinks(tx, { userId: link.userId })
    if (user.emailVerified) {
      const change = { userId: link.userId, email: user.email, changedAt: now().toISOString() }
      await queue.emailChanged(tx, change)
    } else if (!user.detached_email) await queue.emailLeft(tx, user)
  } else await deleteLinks(tx, { userId: link.userId, kinds: ['verify-email'] })
  return { ok: true, changed: isChange, email: link.email, cookies: [] }
}

async function undoEmailChangeIn(
  { sessions, queue, now }: Deps,
  tx: DatabaseTransaction,
  token: string,
): Promise<{ ok: true; email: string; resetToken: string; cookies: string[] } | AccountRefusal> {
  const found = await findLink(tx, token, ['undo-email-change'], now())
  if (!found.ok) return found
  const { userId, email } = found
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
  // The change took the password, so a thief knows it.
  await tx
    .updateTable('account_credentials')
    .set({ password: null, updated_at: now() })
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .execute()
  await sessions.endSessionsIn(tx, userId)
  await deleteLinks(tx, { userId })
  // Later changes are undone with this one; an earlier one can still be undone by the address before it.
  await tx
    .deleteFrom('account_links')
    .where('user_id', '=', userId)
    .where('created_at', '>=', link.createdAt)
    .execute()
  if (!isSameEmail(user.email, email)) await queue.emailChangeUndone(tx, user)
  const resetToken = await issueLink(tx, { kind: 'reset-password', userId, email, now: now() })
  return { ok: true, email, resetToken, cookies: sessions.forgetCookies() }
}
