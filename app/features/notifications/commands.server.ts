import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { isAbout } from './queries.server.ts'

export type NewNotification = {
  userId: string
  kind: string
  title: string
  body: string
  /** A path on this site. */
  link: string
  /** Identifies the event: it makes one notification, however often it is processed. */
  eventKey: string
}

/**
 * Adds a notification in the transaction of the event that it reports. The caller publishes `notifications:{user id}`
 * in the same transaction.
 * @returns false when this event already has its notification
 */
export async function addNotification(
  tx: DatabaseTransaction,
  notification: NewNotification,
  now: Date,
): Promise<boolean> {
  const added = await tx
    .insertInto('notifications')
    .values({
      id: newId(),
      user_id: notification.userId,
      kind: notification.kind,
      title: notification.title,
      body: notification.body,
      link: notification.link,
      event_key: notification.eventKey,
      created_at: now,
      read_at: null,
    })
    .onConflict((conflict) => conflict.column('event_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/**
 * Marks one notification of this user as read.
 * @returns false when it is another user's or already read
 */
export async function markNotificationRead(
  db: Database,
  input: { userId: string; id: string; now: Date },
): Promise<boolean> {
  const marked = await db
    .updateTable('notifications')
    .set({ read_at: input.now })
    .where('id', '=', input.id)
    .where('user_id', '=', input.userId)
    .where('read_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return marked !== undefined
}

/**
 * Marks this user's notifications of an event as read, inside the transaction that has dealt with it.
 * @param input.event the beginning of their event keys, before a colon
 * @param input.eventKeys whole keys of others
 * @returns how many were unread
 */
export async function markNotificationsOf(
  tx: DatabaseTransaction,
  input: { userId: string; event: string; eventKeys: readonly string[]; now: Date },
): Promise<number> {
  const marked = await tx
    .updateTable('notifications')
    .set({ read_at: input.now })
    .where('user_id', '=', input.userId)
    .where(isAbout(input))
    .where('read_at', 'is', null)
    .executeTakeFirst()
  return Number(marked.numUpdatedRows)
}

/**
 * Marks this user's notification of one event as read, inside the transaction that has dealt with it.
 * @returns false when there is none, or it is already read
 */
export async function markNotificationOf(
  tx: DatabaseTransaction,
  input: { userId: string; eventKey: string; now: Date },
): Promise<boolean> {
  const marked = await tx
    .updateTable('notifications')
    .set({ read_at: input.now })
    .where('event_key', '=', input.eventKey)
    .where('user_id', '=', input.userId)
    .where('read_at', 'is', null)
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n
}

/**
 * Deletes this user's notifications of an event and those that lead to pages, inside the transaction that ends both.
 * @param input.event the beginning of their event keys, before a colon
 * @param input.links the pages' paths
 */
export async function deleteNotificationsOf(
  tx: DatabaseTransaction,
  input: { userId: string; event: string; links: readonly string[] },
): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('user_id', '=', input.userId)
    .where(sql<boolean>`(starts_with(event_key, ${`${input.event}:`}) or link = any(${input.links}::text[]))`)
    .execute()
}

/**
 * Marks all notifications of this user as read.
 * @returns how many were unread
 */
export async function markAllNotificationsRead(
  db: Database,
  input: { userId: string; now: Date },
): Promise<number> {
  const marked = await db
    .updateTable('notifications')
    .set({ read_at: input.now })
    .where('user_id', '=', input.userId)
    .where('read_at', 'is', null)
    .executeTakeFirst()
  return Number(marked.numUpdatedRows)
}
