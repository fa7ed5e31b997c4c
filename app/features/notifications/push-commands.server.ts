import { createHash } from 'node:crypto'
import type { Accounts } from '../../adapters/accounts/port.ts'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { PushOutcome, PushSender, PushTarget } from '../../adapters/push/port.ts'
import { newId } from '../../shared/ids.ts'
import { keepWrites, refuse } from '../../shared/result.ts'
import type { PushRefusal } from './push-messages.ts'
import { MAX_PUSH_DEVICES, PUSH_TTL_SECONDS, type PushNews, payloadOf } from './push-rules.ts'

type TurnOnInput = {
  userId: string
  /** The session of the browser that asks. The subscription ends with it. */
  sessionId: string
  /** The device in words: 'Chrome on Android'. */
  device: string
  target: PushTarget
}

/**
 * Stores a browser's subscription. Another one of the same session or the same browser ends, also if that browser had it
 * with another account: its news must not appear on a device that is now someone else's.
 */
export async function turnOnPush(
  deps: { db: Database; push: Pick<PushSender, 'isUsable'>; realNow: () => Date },
  { userId, sessionId, device, target }: TurnOnInput,
): Promise<{ ok: true } | { ok: false; reason: Extract<PushRefusal, 'unusable' | 'too_many_devices'> }> {
  if (!deps.push.isUsable(target)) return { ok: false, reason: 'unusable' }
  return deps.db.transaction().execute(async (tx) => {
    // Two devices at once must not pass the limit together.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    await tx
      .deleteFrom('push_subscriptions')
      .where((eb) => eb.or([eb('endpoint', '=', target.endpoint), eb('session_id', '=', sessionId)]))
      .execute()
    const { count } = await tx
      .selectFrom('push_subscriptions')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    // The subscriptions that ended stay ended.
    if (Number(count) >= MAX_PUSH_DEVICES) return keepWrites(refuse('too_many_devices'))
    const row = {
      id: newId(),
      user_id: userId,
      session_id: sessionId,
      ...target,
      device,
      created_at: deps.realNow(),
    }
    // Another account may have stored the same browser at the same moment. The later one has it.
    await tx
      .insertInto('push_subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(row))
      .execute()
    return { ok: true }
  })
}

/**
 * Ends the notifications of one of this user's devices.
 * @returns false when it is another user's or already off
 */
export async function turnOffPush(db: Database, input: { userId: string; id: string }): Promise<boolean> {
  const gone = await db
    .deleteFrom('push_subscriptions')
    .where('id', '=', input.id)
    .where('user_id', '=', input.userId)
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Queues news for each of a user's devices, in the transaction of the event: one job each, since each is retried alone. */
export async function queuePush(
  { jobs }: { jobs: Jobs },
  tx: DatabaseTransaction,
  { userId, ...news }: PushNews & { userId: string },
): Promise<void> {
  const devices = await tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('user_id', '=', userId)
    .execute()
  for (const { id } of devices) await jobs.enqueue(tx, 'send-push', { subscriptionId: id, ...news })
}

export type PushDeps = {
  db: Database
  /** Null while this deployment has no key for push services. */
  send: (...input: Parameters<PushSender['send']>) => Promise<PushOutcome | null>
  isLiveSession: Accounts['isLiveSession']
  log: { warn(fields: object, message: string): void }
}

/**
 * Sends news to one device, unless its session is over. A subscription that its push service has ended is removed.
 * @throws when the push service may take it later, so that the queue tries again
 */
export async function sendPush(
  { db, send, isLiveSession, log }: PushDeps,
  { subscriptionId, ...news }: PushNews & { subscriptionId: string },
): Promise<void> {
  const found = await db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh', 'auth', 'session_id'])
    .where('id', '=', subscriptionId)
    .executeTakeFirst()
  // A session that is over keeps its row until it is used or cleaned up.
  if (!found || !(await isLiveSession(found.session_id))) return
  const { session_id: _, ...target } = found
  const outcome = await send(target, {
    payload: payloadOf(news),
    topic: topicOf(news),
    ttlSeconds: PUSH_TTL_SECONDS,
  })
  if (outcome === 'gone') await db.deleteFrom('push_subscriptions').where('id', '=', subscriptionId).execute()
  if (outcome === 'refused') log.warn({ service: new URL(target.endpoint).hostname }, 'push service refused')
  if (outcome === 'unavailable') throw new Error('The push service is unavailable.')
}

/** Of one thing, so that a repeated message replaces the first while the device is off. The push service reads it. */
function topicOf({ kind, link }: PushNews): string {
  return createHash('sha256').update(`${kind} ${link}`).digest('base64url').slice(0, 32)
}
