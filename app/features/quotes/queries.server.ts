import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { HOME_ZONE } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { formatEventSpan } from '../../shared/time-span.ts'
import { eventSpan } from '../availability/rules.ts'
import { findOwnConversation } from '../enquiries/queries.server.ts'
import type { Participant, Side } from '../enquiries/rules.ts'
import type { QuoteState, QuoteView } from './rules.ts'
import type { QuoteRow } from './tables.server.ts'

/** Selects quotes with what their conversation and the venue's place say. The one source of `QuoteDetail`. */
function selectQuotes(db: Database | DatabaseTransaction) {
  return db
    .selectFrom('quotes')
    .innerJoin('conversations', 'conversations.id', 'quotes.conversation_id')
    .leftJoin('businesses', 'businesses.id', 'conversations.business_id')
    .leftJoin('places', 'places.id', 'businesses.place_id')
    .selectAll('quotes')
    .select([
      sql<string>`to_char(quotes.event_date, 'YYYY-MM-DD')`.as('event_day'),
      'conversations.business_id',
      'conversations.business_name',
      'conversations.owner_user_id',
      'conversations.customer_user_id',
      'conversations.customer_name',
      'conversations.customer_email',
      'conversations.verified_at',
      'conversations.status as conversation_status',
      'places.time_zone',
    ])
}

/** The price that a customer pays at least, as `leastOf` adds it up before any optional line is taken. `quotes` is in the query. */
export function leastCents(): RawBuilder<Cents> {
  return sql<Cents>`(select sum((line ->> 'quantity')::bigint * (line ->> 'unitPriceCents')::bigint)
    from jsonb_array_elements(quotes.lines) line where not (line ->> 'isOptional')::boolean)::bigint`
}

/** A quote with the facts of its conversation. */
export type QuoteDetail = QuoteRow & {
  event_day: string
  business_id: string
  business_name: string
  owner_user_id: string
  customer_user_id: string | null
  customer_name: string
  customer_email: string
  verified_at: Date | null
  conversation_status: string
  time_zone: string | null
}

/** A quote with the side of the person who asks for it. */
export type FoundQuote = { row: QuoteDetail; quote: QuoteView; side: Side }

/**
 * Finds a quote and the asker's side. Customers never see a draft.
 * @returns null when there is none, or when its conversation isn't this person's
 */
export async function findQuote(
  db: Database,
  { quoteId, by }: { quoteId: string; by: Participant },
): Promise<FoundQuote | null> {
  const row = await selectQuotes(db).where('quotes.id', '=', quoteId).executeTakeFirst()
  if (!row) return null
  const found = await findOwnConversation(db, { id: row.conversation_id, by })
  if (!found || (found.side === 'customer' && row.state === 'draft')) return null
  return { row, quote: toQuoteView(row), side: found.side }
}

/**
 * Lists the quotes of a conversation that the caller may see, oldest first.
 * @param input.side the reader's: only the vendor sees the draft
 */
export async function listQuotes(
  db: Database,
  { conversationId, side }: { conversationId: string; side: Side },
): Promise<QuoteView[]> {
  let query = selectQuotes(db).where('quotes.conversation_id', '=', conversationId)
  if (side === 'customer') query = query.where('quotes.state', '<>', 'draft')
  return (await query.orderBy('quotes.version').execute()).map(toQuoteView)
}

/** Lists quotes by a condition, for exports and operators. `conversations` and `quotes` are in the query. */
export async function listQuotesWhere(db: Database, condition: RawBuilder<boolean>): Promise<QuoteView[]> {
  const rows = await selectQuotes(db)
    .where(condition)
    .where('quotes.state', '<>', 'draft')
    .orderBy('quotes.created_at')
    .orderBy('quotes.id')
    .execute()
  return rows.map(toQuoteView)
}

/** Reads a quote whose conversation the transaction has locked, and locks it too. */
export async function lockQuote(tx: DatabaseTransaction, quoteId: string): Promise<QuoteDetail | null> {
  const locked = await tx
    .selectFrom('quotes')
    .select('id')
    .where('id', '=', quoteId)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) return null
  return (await selectQuotes(tx).where('quotes.id', '=', quoteId).executeTakeFirst()) ?? null
}

/** Lists the quotes of a locked conversation, newest version first. */
export function listVersions(tx: DatabaseTransaction, conversationId: string): Promise<QuoteDetail[]> {
  return selectQuotes(tx)
    .where('quotes.conversation_id', '=', conversationId)
    .orderBy('quotes.version', 'desc')
    .execute()
}

/** Converts a row into the quote of screens. */
export function toQuoteView(row: QuoteDetail): QuoteView {
  const timeZone = row.time_zone ?? HOME_ZONE
  const slotRequest = {
    date: row.event_day,
    time: row.event_time,
    bookingType: row.booking_type,
    quantity: row.quantity,
    minutes: row.event_minutes,
  }
  const event = eventSpan({ timeZone, eventMinutes: row.event_minutes }, slotRequest)
  return {
    id: row.id,
    conversationId: row.conversation_id,
    version: row.version,
    state: row.state as QuoteState,
    businessId: row.business_id,
    businessName: row.business_name,
    customerName: row.customer_name,
    timeZone,
    lines: row.lines,
    note: row.note,
    date: row.event_day,
    time: row.event_time,
    minutes: row.event_minutes,
    bookingType: row.booking_type,
    quantity: row.quantity,
    guests: row.guests,
    terms: row.terms,
    span: formatEventSpan(event, timeZone),
    eventUntil: event.until.toISOString(),
    validUntil: row.valid_until.toISOString(),
    heldUntil: row.held_until?.toISOString() ?? null,
    sentAt: row.sent_at?.toISOString() ?? null,
    takenLines: row.taken_lines,
    acceptedCents: row.accepted_cents === null ? null : Number(row.accepted_cents),
  }
}
