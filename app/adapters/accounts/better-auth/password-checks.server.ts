import type { Database } from '../../database/port.ts'
import { limitedAddress } from '../../rate-limits/addresses.ts'
import type { RateLimits } from '../../rate-limits/port.ts'
import { findPasswordHash } from '../account-lock.server.ts'
import type { KnownBrowsers } from '../known-browsers.server.ts'
import { type PasswordTry, type TriesFrom, takePasswordTry } from '../password-tries.server.ts'
import type { Passwords } from '../passwords.server.ts'
import type { AccountCode, AccountRefusal, AccountSession, Accounts } from '../port.ts'
import { originOf, type SecurityLog } from '../security-log.ts'

export type PasswordChecks = ReturnType<typeof createPasswordChecks>

/** Checks the password of a signed-in user, or of a link's account, and counts each try. */
export function createPasswordChecks(deps: {
  db: Database
  rateLimits: RateLimits
  knownBrowsers: KnownBrowsers
  sessions: Pick<Accounts, 'findSession'>
  passwords: Passwords
  securityLog: SecurityLog
}) {
  const { db, rateLimits, knownBrowsers, passwords, securityLog } = deps

  /** The stored hash of an account's password, if this is the password. */
  async function findRightHash(userId: string, password: string): Promise<string | null> {
    const hash = await findPasswordHash(db, userId)
    // Hash anyway, so that an account without a password takes the same time.
    if (hash === null) {
      await passwords.hash(password)
      return null
    }
    return (await passwords.verify({ hash, password })) ? hash : null
  }

  const isRightPassword = async (userId: string, password: string) =>
    (await findRightHash(userId, password)) !== null

  /** Counts per session: a stranger at one open browser must not lock the owner out of another. */
  const takeOwnPasswordTry = ({ id, user }: AccountSession): Promise<PasswordTry | null> =>
    takePasswordTry(rateLimits, user.uid, { known: id })

  /** Refuses a proof, and records that. */
  async function refuseProof(request: Request, userId: string, reason: AccountCode): Promise<AccountRefusal> {
    const origin = originOf(request)
    await securityLog.noteAfter({ kind: 'proof-refused', userId, detail: reason, origin })
    return { ok: false, reason }
  }

  /** Checks the signed-in user's own password. */
  async function checkOwnPassword(
    request: Request,
    password: string,
  ): Promise<{ ok: true; session: AccountSession } | AccountRefusal> {
    const session = await deps.sessions.findSession(request)
    if (!session) return { ok: false, reason: 'user-token-expired' }
    const tried = await takeOwnPasswordTry(session)
    const { uid } = session.user
    if (!tried) return refuseProof(request, uid, 'too-many-requests')
    if (!(await isRightPassword(uid, password))) return refuseProof(request, uid, 'wrong-password')
    await tried.wasRight()
    return { ok: true, session }
  }

  /** The origin of a password: a browser known to the account, or a stranger's network address. */
  async function triesFrom(request: Request, userId: string | undefined): Promise<TriesFrom> {
    const browser = await knownBrowsers.find(request)
    const isKnown = browser !== null && userId !== undefined && browser.userIds.includes(userId)
    return isKnown ? { known: browser.id } : { stranger: limitedAddress(request) }
  }

  /** Checks the password of a link's account, typed in a browser that isn't signed in to it. Limited like a sign-in. */
  async function checkLinkPassword(
    request: Request,
    userId: string,
    password: string | null,
  ): Promise<{ ok: true } | AccountRefusal> {
    if (!password) return { ok: false, reason: 'missing-password' }
    const user = await db
      .selectFrom('users')
      .select(['email', 'disabled_at'])
      .where('id', '=', userId)
      .executeTakeFirst()
    if (!user) return { ok: false, reason: 'invalid-action-code' }
    const tried = await takePasswordTry(rateLimits, user.email, await triesFrom(request, userId))
    if (!tried) return refuseProof(request, userId, 'too-many-requests')
    if (!(await isRightPassword(userId, password))) return refuseProof(request, userId, 'wrong-password')
    await tried.wasRight()
    return user.disabled_at ? { ok: false, reason: 'user-disabled' } : { ok: true }
  }

  return { takeOwnPasswordTry, findRightHash, checkOwnPassword, checkLinkPassword, triesFrom, refuseProof }
}
