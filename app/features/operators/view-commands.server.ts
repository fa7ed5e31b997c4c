import type { Database } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import { listNamedEmails } from './named-admin-queries.server.ts'
import { VIEW_LIFE_MS } from './rules.ts'

/** The account that an operator sees the product as. */
export type ViewSubject = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
}

/** An operator's view of the product as another account, while it lasts. */
export type OperatorView = { id: string; operator: Operator; subject: ViewSubject; expiresAt: Date }

type ViewDeps = {
  db: Database
  now: () => Date
  /** The clock of sessions, which nobody moves. */
  realNow: () => Date
  /** The addresses that the settings name. */
  adminEmails: ReadonlySet<string>
}

/**
 * Starts a view of the product as another account, for one session of an operator. A view that this session had ends.
 * @returns refuses with 'not_found', 'own_account' and 'is_operator': a view must not show what another role may see
 */
export async function startView(
  deps: ViewDeps,
  input: { operator: Operator; sessionId: string; userId: string; reason: string },
): Promise<{ ok: true; id: string } | { ok: false; reason: 'not_found' | 'own_account' | 'is_operator' }> {
  const { operator, sessionId, userId, reason } = input
  if (userId === operator.userId) return refuse('own_account')
  const id = newId(32)
  return deps.db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['id', 'email', 'operator_role'])
      .where('id', '=', userId)
      .executeTakeFirst()
    if (!user) return refuse('not_found')
    if (isOperators(user, await listNamedEmails(tx, deps.adminEmails))) return refuse('is_operator')
    const startedAt = deps.realNow()
    await tx
      .updateTable('operator_views')
      .set({ ended_at: startedAt })
      .where('session_id', '=', sessionId)
      .where('ended_at', 'is', null)
      .execute()
    await tx
      .insertInto('operator_views')
      .values({
        id,
        session_id: sessionId,
        operator_user_id: operator.userId,
        operator_email: operator.email,
        subject_user_id: user.id,
        reason,
        started_at: startedAt,
        expires_at: new Date(startedAt.getTime() + VIEW_LIFE_MS),
        ended_at: null,
      })
      .execute()
    await logAction(tx, {
      operator,
      action: 'start-view',
      subject: { kind: 'account', id: user.id, label: user.email },
      reason,
      at: deps.now(),
    })
    return { ok: true, id }
  })
}

/** Ends a view. Does nothing without one. */
export async function endView(
  deps: Omit<ViewDeps, 'adminEmails'>,
  { id, operator }: { id: string; operator: Operator },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('operator_views')
      .from('users')
      .set({ ended_at: deps.realNow() })
      .whereRef('users.id', '=', 'operator_views.subject_user_id')
      .where('operator_views.id', '=', id)
      .where('operator_user_id', '=', operator.userId)
      .where('ended_at', 'is', null)
      .returning(['users.id as userId', 'users.email'])
      .executeTakeFirst()
    if (!ended) return
    await logAction(tx, {
      operator,
      action: 'end-view',
      subject: { kind: 'account', id: ended.userId, label: ended.email },
      at: deps.now(),
    })
  })
}

/**
 * Finds a view that lasts. Asked for each request.
 * @returns null once it has ended, for another session, and when its account has become an operator's
 */
export async function findView(
  deps: ViewDeps,
  input: { id: string; sessionId: string; operator: Operator },
): Promise<OperatorView | null> {
  const { id, sessionId, operator } = input
  const row = await deps.db
    .selectFrom('operator_views')
    .innerJoin('users', 'users.id', 'operator_views.subject_user_id')
    .select(['operator_views.id', 'operator_views.expires_at', 'users.id as user_id', 'users.name'])
    .select(['users.email', 'users.email_verified', 'users.image', 'users.operator_role'])
    .where('operator_views.id', '=', id)
    .where('session_id', '=', sessionId)
    .where('operator_user_id', '=', operator.userId)
    .where('ended_at', 'is', null)
    .where('operator_views.expires_at', '>', deps.realNow())
    .executeTakeFirst()
  if (!row || isOperators(row, await listNamedEmails(deps.db, deps.adminEmails))) return null
  return {
    id: row.id,
    operator,
    subject: {
      id: row.user_id,
      name: row.name,
      email: row.email,
      emailVerified: row.email_verified,
      image: row.image,
    },
    expiresAt: row.expires_at,
  }
}

/** Logs a page that an operator opens in a view, before it is rendered. */
export async function notePage(
  deps: Pick<ViewDeps, 'db' | 'now'>,
  { view, page }: { view: OperatorView; page: string },
): Promise<void> {
  const { operator, subject } = view
  await logAction(deps.db, {
    operator,
    action: 'see-page',
    subject: { kind: 'account', id: subject.id, label: subject.email },
    reason: page,
    at: deps.now(),
  })
}

/** Exports when operators looked at the product as this account, without who they were. */
export async function exportViews(db: Database, userId: string): Promise<object> {
  const rows = await db
    .selectFrom('operator_views')
    .select(['started_at', 'expires_at', 'ended_at', 'reason'])
    .where('subject_user_id', '=', userId)
    .orderBy('started_at')
    .execute()
  return {
    operatorViews: rows.map((row) => ({
      startedAt: row.started_at,
      endedAt: row.ended_at ?? row.expires_at,
      reason: row.reason,
    })),
  }
}

const isOperators = (
  user: { email: string; operator_role: string | null },
  namedEmails: ReadonlySet<string>,
) => user.operator_role !== null || namedEmails.has(user.email.toLowerCase())
