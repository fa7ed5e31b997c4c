import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'

export type NewNotification = {
  userId: string
  kind: string
  title: string
  body: string
  /** A path of ours. */
  link: string
  /** Names the event: the same one makes one notification, however often it is processed. */
  eventKey: string
}

/**
 * Adds a notification inside the transaction of what it tells about. The caller publishes
 * `notifications:{user id}` in the same transaction.
 * @returns false when this event was told before
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

/** Marks one notification of this user as read. @returns false when it is not theirs or was read before */
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

/** Marks every notification of this user as read. @returns how many were unread */
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
