import type { Database } from '../../adapters/database/port.ts'

/** A notification as a page shows it. Times are ISO 8601, UTC. */
export type NotificationView = {
  id: string
  userId: string
  kind: string
  title: string
  body: string
  link: string
  createdAt: string
  readAt: string | null
}

/** How many unread notifications a user has: the header's badge (Decision 9). */
export async function countUnreadNotifications(db: Database, userId: string): Promise<number> {
  const row = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The newest notifications of a user. */
export async function listNotifications(
  db: Database,
  input: { userId: string; limit: number },
): Promise<NotificationView[]> {
  const rows = await db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', input.userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(input.limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id,
    kind: row.kind,
    title: row.title,
    body: row.body,
    link: row.link,
    createdAt: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
  }))
}
