import { MINUTE_MS } from '../../shared/time-units.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import { lockAccounts } from './account-lock.server.ts'
import type { AccountSession, Accounts, AccountUser } from './port.ts'
import { originOf, type SecurityLog } from './security-log.ts'

// The precision of 'last used', so that not every page view writes.
const LAST_USE_STEP_MS = 5 * MINUTE_MS

/** How long a session lasts: since its sign-in, and since it was last used. Null where only the first counts. */
export type SessionLimits = { lifeMs: number; idleMs: number | null }

/**
 * The limits of everyone's sessions, and of operators', whose accounts are worth more to a thief.
 * @param isOperator asked only about a session that operators couldn't have any more
 */
export type SessionRules = {
  all: SessionLimits
  operators: SessionLimits
  isOperator(user: SessionHolder): Promise<boolean>
}

type SessionHolder = Pick<AccountUser, 'uid' | 'email' | 'emailVerified'>

/** Whether a session has outlived its limits. */
export async function isOutlived(
  rules: SessionRules,
  session: { user: SessionHolder; createdAt: Date; lastUsedAt: Date },
  now: Date,
): Promise<boolean> {
  const isOver = ({ lifeMs, idleMs }: SessionLimits) =>
    now.getTime() - session.createdAt.getTime() >= lifeMs ||
    (idleMs !== null && now.getTime() - session.lastUsedAt.getTime() >= idleMs)
  return isOver(rules.all) || (isOver(rules.operators) && (await rules.isOperator(session.user)))
}

/** A browser's session in our table. Its account may be disabled or deactivated. */
export type StoredSession = {
  session: AccountSession
  createdAt: Date
  lastUsedAt: Date
  /** Expired, but its browser can still renew it. */
  ranOut: boolean
  disabled: boolean
  deactivated: boolean
}

export type SharedSessions = Pick<
  Accounts,
  | 'findSession'
  | 'findDeactivatedSession'
  | 'isLiveSession'
  | 'forgetCookies'
  | 'signOut'
  | 'listSessions'
  | 'endSession'
  | 'endAllSessions'
> & {
  /**
   * The session for a page's questions about it: `findSession` reads it once for the request of a page. A request that
   * writes reads it each time, since its writes may have changed it.
   */
  knownSession(request: Request): Promise<AccountSession | null>
  /** Ends a user's sessions inside a transaction, with one optional exception. */
  endSessionsIn(tx: DatabaseTransaction, userId: string, except?: string): Promise<void>
  /**
   * Ends the session that a browser brings, before it gets another or signs out.
   * @returns its user; null without a session
   */
  endBroughtSession(request: Request): Promise<AccountUser | null>
}

type Deps = {
  db: Database
  now: () => Date
  sessionRules: SessionRules
  keptAfterEndMs: number
  forgottenCookie: string
  securityLog: SecurityLog
  readSession(request: Request): Promise<StoredSession | null>
  onSessionsEnded(tx: DatabaseTransaction, userId: string): Promise<void>
}

/**
 * The session calls that both adapters share: finding the signed-in user, listing devices, and ending sessions.
 * @param deps.sessionRules how long a session lasts, whether or not its browser can renew it
 * @param deps.keptAfterEndMs how long an expired session is still listed, because its browser can renew it
 * @param deps.onSessionsEnded called inside the transaction, so that the user's open pages are notified
 */
export function sessionsOf(deps: Deps): SharedSessions {
  const { db, now, forgottenCookie, securityLog, readSession } = deps

  const known = new WeakMap<Request, Promise<AccountSession | null>>()

  /** Always reads: a stream asks again and again whether the session of its request has ended. */
  function findSession(request: Request): Promise<AccountSession | null> {
    const found = readLiveSession(request)
    if (request.method === 'GET' || request.method === 'HEAD') known.set(request, found)
    return found
  }

  const knownSession = (request: Request) => known.get(request) ?? findSession(request)

  async function readLiveSession(request: Request): Promise<AccountSession | null> {
    const read = await readSession(request)
    if (!read || read.ranOut || read.disabled || read.deactivated) return null
    if (now().getTime() - read.lastUsedAt.getTime() > LAST_USE_STEP_MS) {
      await db.updateTable('sessions').set({ updated_at: now() }).where('id', '=', read.session.id).execute()
    }
    return read.session
  }

  async function endBroughtSession(request: Request): Promise<AccountUser | null> {
    const brought = await readSession(request)
    if (!brought) return null
    const { id, user } = brought.session
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('sessions').where('id', '=', id).execute()
      await deps.onSessionsEnded(tx, user.uid)
    })
    return user
  }

  return {
    findSession,
    knownSession,
    endSessionsIn: (tx, userId, except) => endSessionsIn(deps, tx, userId, except),
    endBroughtSession,
    forgetCookies: () => [forgottenCookie],

    async findDeactivatedSession(request) {
      const read = await readSession(request)
      return read?.deactivated && !read.disabled && !read.ranOut ? read.session : null
    },

    async signOut(request) {
      const user = await endBroughtSession(request)
      // Not in the transaction: a log that fails must keep nobody signed in.
      if (user) await securityLog.noteAfter({ kind: 'sign-out', userId: user.uid, origin: originOf(request) })
      return { ok: true, cookies: [forgottenCookie] }
    },

    async isLiveSession(id) {
      const row = await selectKept(deps).where('sessions.id', '=', id).executeTakeFirst()
      return row !== undefined && !(await isRowOutlived(deps, row))
    },

    ...deviceCalls(deps, { findSession, knownSession }),
  }
}

/** The sessions of open accounts that have not expired, or that their browsers can still renew. */
function selectKept({ db, now, keptAfterEndMs }: Deps) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.user_agent', 'sessions.created_at', 'sessions.updated_at'])
    .select(['users.id as uid', 'users.email', 'users.email_verified'])
    .where('users.disabled_at', 'is', null)
    .where('users.deactivated_at', 'is', null)
    .where('sessions.expires_at', '>', new Date(now().getTime() - keptAfterEndMs))
}

type KeptRow = Awaited<ReturnType<ReturnType<typeof selectKept>['execute']>>[number]

const isRowOutlived = ({ sessionRules, now }: Deps, row: KeptRow): Promise<boolean> =>
  isOutlived(
    sessionRules,
    {
      user: { uid: row.uid, email: row.email, emailVerified: row.email_verified },
      createdAt: row.created_at,
      lastUsedAt: row.updated_at,
    },
    now(),
  )

/** The calls by which a person sees the browsers that are signed in to their account, and signs them out. */
function deviceCalls(
  deps: Deps,
  { findSession, knownSession }: Pick<SharedSessions, 'findSession' | 'knownSession'>,
): Pick<SharedSessions, 'listSessions' | 'endSession' | 'endAllSessions'> {
  const { db, forgottenCookie } = deps
  return {
    async listSessions(request) {
      const session = await knownSession(request)
      if (!session) return []
      const kept = await selectKept(deps)
        .where('sessions.user_id', '=', session.user.uid)
        .orderBy('sessions.updated_at', 'desc')
        .orderBy('sessions.id')
        .execute()
      const rows: typeof kept = []
      for (const row of kept) if (!(await isRowOutlived(deps, row))) rows.push(row)
      return rows
        .map((row) => ({
          id: row.id,
          current: row.id === session.id,
          userAgent: row.user_agent,
          createdAt: row.created_at.toISOString(),
          lastUsedAt: row.updated_at.toISOString(),
        }))
        .sort((one, other) => Number(other.current) - Number(one.current))
    },

    async endSession(request, { id }) {
      const session = await findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      await db.transaction().execute(async (tx) => {
        const ended = await tx
          .deleteFrom('sessions')
          .where('id', '=', id)
          .where('user_id', '=', session.user.uid)
          .returning('id')
          .executeTakeFirst()
        if (!ended) return
        await deps.onSessionsEnded(tx, session.user.uid)
        await noteEnd(deps, tx, request, session, 'one')
      })
      return { ok: true, cookies: id === session.id ? [forgottenCookie] : [] }
    },

    async endAllSessions(request) {
      const session = await findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      await db.transaction().execute(async (tx) => {
        await lockAccounts(tx, [session.user.uid])
        await endSessionsIn(deps, tx, session.user.uid)
        await noteEnd(deps, tx, request, session, 'all')
      })
      return { ok: true, cookies: [forgottenCookie] }
    },
  }
}

/** Ends a user's sessions, with one optional exception. */
async function endSessionsIn(
  deps: Deps,
  tx: DatabaseTransaction,
  userId: string,
  except?: string,
): Promise<void> {
  const ending = tx.deleteFrom('sessions').where('user_id', '=', userId)
  await (except ? ending.where('id', '<>', except) : ending).execute()
  // Sign-ins that wait for a code have proved a password that may be void now.
  await tx.deleteFrom('verifications').where('value', '=', userId).execute()
  await deps.onSessionsEnded(tx, userId)
}

/** Notes in the security log that a person has ended one or all of their sessions. */
const noteEnd = (
  { securityLog }: Deps,
  tx: DatabaseTransaction,
  request: Request,
  { user }: AccountSession,
  detail: string,
) => securityLog.note(tx, { kind: 'sessions-ended', userId: user.uid, detail, origin: originOf(request) })
