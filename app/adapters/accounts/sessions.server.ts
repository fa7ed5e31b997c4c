import type { Database, DatabaseTransaction } from '../database/port.ts'
import type { AccountSession, Accounts } from './port.ts'

/**
 * What both adapters do alike with the table of sessions: the list of devices, and ending them.
 * @param options.readSession also finds the session of an account that may do nothing
 * @param options.keptAfterEndMs how long a session that ran out is still counted, since its browser can renew it
 * @param options.onSessionsEnded told inside the transaction, so that open pages of that user hear of it
 */
export function sessionsOf(
  db: Database,
  options: {
    now: () => Date
    keptAfterEndMs: number
    forgottenCookie: string
    findSession(request: Request): Promise<AccountSession | null>
    readSession(request: Request): Promise<{ session: AccountSession } | null>
    onSessionsEnded(tx: DatabaseTransaction, userId: string): Promise<void>
  },
): Pick<Accounts, 'signOut' | 'listSessions' | 'endSession' | 'endAllSessions'> & {
  /** Ends the sessions of a user inside a transaction, but for the excepted one. */
  endSessionsIn(tx: DatabaseTransaction, userId: string, except?: string): Promise<void>
  /** Ends the session that a browser brings, before it gets another one or none. */
  endBroughtSession(request: Request): Promise<void>
} {
  const { findSession, forgottenCookie } = options

  async function endSessionsIn(tx: DatabaseTransaction, userId: string, except?: string): Promise<void> {
    const ending = tx.deleteFrom('sessions').where('user_id', '=', userId)
    await (except ? ending.where('id', '<>', except) : ending).execute()
    await options.onSessionsEnded(tx, userId)
  }

  async function endBroughtSession(request: Request): Promise<void> {
    const brought = await options.readSession(request)
    if (!brought) return
    const { id, user } = brought.session
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('sessions').where('id', '=', id).execute()
      await options.onSessionsEnded(tx, user.uid)
    })
  }

  return {
    endSessionsIn,
    endBroughtSession,

    async signOut(request) {
      await endBroughtSession(request)
      return { ok: true, cookies: [forgottenCookie] }
    },

    async listSessions(request) {
      const session = await findSession(request)
      if (!session) return []
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'user_agent', 'created_at', 'updated_at'])
        .where('user_id', '=', session.user.uid)
        .where('expires_at', '>', new Date(options.now().getTime() - options.keptAfterEndMs))
        .orderBy('updated_at', 'desc')
        .orderBy('id')
        .execute()
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
        if (ended) await options.onSessionsEnded(tx, session.user.uid)
      })
      return { ok: true, cookies: id === session.id ? [forgottenCookie] : [] }
    },

    async endAllSessions(request) {
      const session = await findSession(request)
      if (!session) return { ok: false, reason: 'user-token-expired' }
      await db.transaction().execute((tx) => endSessionsIn(tx, session.user.uid))
      return { ok: true, cookies: [forgottenCookie] }
    },
  }
}
