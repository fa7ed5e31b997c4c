import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { agoText } from '../../shared/ago.ts'
import type { ListedNotification } from './components/notification-list.tsx'

/** A user's newest notifications and the number of unread ones. */
export type ShownNotifications = { notifications: ListedNotification[]; unreadCount: number }

/** Counts a user's unread notifications, for the header's badge (Decision 9). */
export async function countUnreadNotifications(db: Database, userId: string): Promise<number> {
  const row = await db
    .selectFrom('notifications')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The condition on notifications of an event, by the beginning of their keys before a colon, or by whole keys. */
export function isAbout({
  event,
  eventKeys,
}: {
  event: string
  eventKeys: readonly string[]
}): RawBuilder<boolean> {
  return sql<boolean>`(starts_with(event_key, ${`${event}:`}) or event_key = any(${eventKeys}::text[]))`
}

/** Whether a user has an unread notification of an event. @param input as for `isAbout` */
export async function hasUnreadNotification(
  db: Database | DatabaseTransaction,
  input: { userId: string; event: string; eventKeys: readonly string[] },
): Promise<boolean> {
  const unread = await db
    .selectFrom('notifications')
    .select('id')
    .where('user_id', '=', input.userId)
    .where('read_at', 'is', null)
    .where(isAbout(input))
    .executeTakeFirst()
  return unread !== undefined
}

/** Returns a user's newest notifications, with their age in words, and the number of unread ones. */
export async function listNotifications(
  { db, now }: { db: Database; now: () => Date },
  { userId, limit }: { userId: string; limit: number },
): Promise<ShownNotifications> {
  const [rows, unreadCount] = await Promise.all([
    db
      .selectFrom('notifications')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute(),
    countUnreadNotifications(db, userId),
  ])
  return {
    unreadCount,
    notifications: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      title: row.title,
      body: row.body,
      link: row.link,
      createdAt: row.created_at.toISOString(),
      when: agoText(row.created_at, now()),
      read: row.read_at !== null,
    })),
  }
}
