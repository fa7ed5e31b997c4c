import { type Selectable, sql } from 'kysely'
import type { SecurityEventKind } from '../../adapters/accounts/security-log.ts'
import type { Database, Tables } from '../../adapters/database/port.ts'
import { cutPage, isPast, microsOf, readPageKey, writePageKey } from '../../shared/page-keys.server.ts'
import { ACTIVITY_PAGE_SIZE, type ActivityEvent, TALLY_MS } from './security-rules.ts'

/** One page of an account's activity. */
export type Activity = {
  events: ActivityEvent[]
  /** The cursor of the next page; null on the last. */
  older: string | null
}

const EVENT_ID = /^[0-9a-z]{26}$/

function readEventKey(text: string | null, form: 'millis' | 'micros') {
  const key = readPageKey(text, form)
  return key && EVENT_ID.test(key.id) ? key : null
}

/**
 * Lists what happened to an account, newest first.
 * @param input.before the cursor of a page; a malformed one begins with the newest event
 */
export async function listActivity(
  db: Database,
  input: { userId: string; before: string | null },
): Promise<Activity> {
  let query = db
    .selectFrom('security_events')
    .selectAll()
    .where('user_id', '=', input.userId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(ACTIVITY_PAGE_SIZE + 1)
  const before = readEventKey(input.before, 'millis')
  if (before) query = query.where(isPast(before, { moment: 'at', id: 'id' }, 'desc'))
  const { rows, last } = cutPage(await query.execute(), ACTIVITY_PAGE_SIZE)
  return {
    events: rows.map(toActivityEvent),
    older: last && writePageKey(last.at.getTime(), last.id, 'millis'),
  }
}

/** A deleted account whose events are still in the log. */
export type DeletedAccount = { id: string; deletedAt: string }

/**
 * Finds deleted accounts by their id, or by the address that they had at the end.
 * @param input.addressHash made by `hashAddress`
 */
export async function findDeletedAccounts(
  db: Database,
  input: { id: string; addressHash: string },
): Promise<DeletedAccount[]> {
  const rows = await db
    .selectFrom('security_events')
    .select(['user_id', 'at'])
    .where('kind', '=', 'account-deleted')
    .where((eb) => eb.or([eb('user_id', '=', input.id), eb('address_hash', '=', input.addressHash)]))
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ user_id, at }) => (user_id ? [{ id: user_id, deletedAt: at.toISOString() }] : []))
}

/** Returns all that the log has about an account, oldest first, for the account's export. */
export async function exportActivity(db: Database, userId: string): Promise<object[]> {
  const rows = await db
    .selectFrom('security_events')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return rows.map((row) => {
    const { id: _, ...exported } = toActivityEvent(row)
    return exported
  })
}

/** The device and network of an operator are not the account's. */
function toActivityEvent(row: Selectable<Tables['security_events']>): ActivityEvent {
  const byOperator = row.actor_user_id !== null && row.actor_user_id !== row.user_id
  return {
    id: row.id,
    kind: row.kind,
    detail: row.detail,
    byOperator,
    device: byOperator ? null : row.device,
    network: byOperator ? null : row.network,
    times: row.times,
    firstAt: row.first_at.toISOString(),
    at: row.at.toISOString(),
  }
}

/** One event as other systems read it. docs/operate.md describes each field. */
export type StreamedEvent = {
  cursor: string
  id: string
  at: string
  firstAt: string
  times: number
  kind: SecurityEventKind
  accountId: string | null
  addressHash: string | null
  actorId: string | null
  detail: string | null
  device: string
  network: string | null
}

/**
 * Lists events in the order in which they were recorded, for another system. Rows of the last minute are left out: an
 * older one may still wait for its transaction, and a reader that is past it would miss it.
 * @param input.after the cursor of the last event that the reader has; null for the oldest
 * @returns null for a malformed cursor
 */
export async function streamSecurityEvents(
  db: Database,
  input: { after: string | null; limit: number },
): Promise<StreamedEvent[] | null> {
  const after = readEventKey(input.after, 'micros')
  if (input.after !== null && !after) return null
  let query = db
    .selectFrom('security_events')
    .selectAll()
    .select(microsOf('recorded_at').as('recorded_micros'))
    .where('recorded_at', '<', sql<Date>`clock_timestamp() - interval '1 minute'`)
    .orderBy('recorded_at')
    .orderBy('id')
    .limit(input.limit)
  if (after) query = query.where(isPast(after, { moment: 'recorded_at', id: 'id' }, 'asc'))
  const rows = await query.execute()
  return rows.map((row) => ({
    cursor: writePageKey(row.recorded_micros, row.id),
    id: row.id,
    at: row.at.toISOString(),
    firstAt: row.first_at.toISOString(),
    times: row.times,
    kind: row.kind,
    accountId: row.user_id,
    addressHash: row.address_hash,
    actorId: row.actor_user_id,
    detail: row.detail,
    device: row.device,
    network: row.network,
  }))
}

/** Counts the refusals of the last quarter of an hour: the most of one account or address, and the most from one network. */
export async function measureRefusals(
  db: Database,
  now: Date,
): Promise<{ account: number; network: number }> {
  const since = new Date(now.getTime() - TALLY_MS)
  const { rows } = await sql<{ account: string; network: string }>`
    with refusals as (
      select coalesce(user_id, address_hash) as account, network, times from security_events
      where at >= ${since} and kind like '%-refused'
    )
    select
      (select coalesce(max(total), 0) from (
        select sum(times) as total from refusals where account is not null group by account) one) as account,
      (select coalesce(max(total), 0) from (
        select sum(times) as total from refusals where network is not null group by network) one) as network
  `.execute(db)
  return { account: Number(rows[0]?.account ?? 0), network: Number(rows[0]?.network ?? 0) }
}
