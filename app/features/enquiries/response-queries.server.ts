import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { RESPONSE_WINDOW_MS, type ResponseTimes } from './rules.ts'

const DAY_SECONDS = 86_400

/**
 * Reads how fast a business has answered first messages over the last 90 days. A conversation counts once it was
 * answered, or once it has waited a day.
 */
export async function findResponseTimes(
  db: Database,
  { businessId, now }: { businessId: string; now: Date },
): Promise<ResponseTimes> {
  const since = new Date(now.getTime() - RESPONSE_WINDOW_MS)
  const dayAgo = new Date(now.getTime() - DAY_SECONDS * 1_000)
  const { rows } = await sql<{ count: number; median: number | null; quick: number }>`/* prepared */
    select count(*)::int as count,
      (percentile_cont(0.5) within group (order by waited))::float8 as median,
      (count(*) filter (where waited <= ${DAY_SECONDS}))::int as quick
    from (
      select extract(epoch from answered_at - verified_at)::float8 as waited
      from conversations
      where business_id = ${businessId} and verified_at > ${since}
        and (answered_at is not null or (verified_at <= ${dayAgo} and status <> 'blocked'))
    ) as counted`.execute(db)
  const { count = 0, median = null, quick = 0 } = rows[0] ?? {}
  return {
    conversations: count,
    medianMs: median === null ? null : Math.round(median * 1_000),
    answeredInADay: count === 0 ? 0 : quick / count,
  }
}

/**
 * Counts the conversations of the last 90 days, and those of them with contact details in a message, for operators: they
 * may lead to payments elsewhere.
 */
export async function countContacts(
  db: Database,
  now: Date,
): Promise<{ conversations: number; withContacts: number }> {
  const since = new Date(now.getTime() - RESPONSE_WINDOW_MS)
  const { rows } = await sql<{ conversations: number; with_contacts: number }>`
    select count(*)::int as conversations, (count(*) filter (where exists (
        select from messages where messages.conversation_id = conversations.id and messages.has_contacts)))::int as with_contacts
    from conversations where verified_at > ${since}`.execute(db)
  const { conversations = 0, with_contacts: withContacts = 0 } = rows[0] ?? {}
  return { conversations, withContacts }
}
