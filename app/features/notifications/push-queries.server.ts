import type { Database } from '../../adapters/database/port.ts'

/** A device with notifications, for its own account. */
export type PushDevice = { id: string; device: string; sessionId: string; createdAt: Date }

/** The devices of an account with notifications, the newest first. */
export async function listPushDevices(db: Database, userId: string): Promise<PushDevice[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'device', 'session_id', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    device: row.device,
    sessionId: row.session_id,
    createdAt: row.created_at,
  }))
}

/** The devices in an account's export. Their addresses and keys stay out: with them, anybody could send. */
export async function exportPushDevices(db: Database, userId: string): Promise<object[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select(['device', 'endpoint', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    device: row.device,
    service: new URL(row.endpoint).hostname,
    createdAt: row.created_at,
  }))
}
