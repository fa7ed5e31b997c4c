import { type RawBuilder, sql } from 'kysely'
import { href } from 'react-router'
import type { Database } from '../../adapters/database/port.ts'
import { HOME_ZONE } from '../../shared/dates.ts'
import { wasCalledOff } from '../bookings/open-queries.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { leastCents } from '../quotes/queries.server.ts'
import { deadlineOf } from '../sales/plan-queries.server.ts'
import { expiresBefore, overdueAt } from '../sales/plan-rules.ts'
import { type CustomerTask, type CustomerTaskKind, DESK_ROWS, inOrder, REVIEW_MS } from './rules.ts'
import { joinSources } from './source-queries.server.ts'

type Customer = { userId: string; verifiedEmail: string | null }

/**
 * Lists what waits for a customer, in the order in which it is due, then by money: at most `DESK_ROWS`. One statement.
 * @param customer.verifiedEmail the account's email; null while it is not verified
 * @param about.secret the key for deriving each booking's link
 */
export async function listCustomerTasks(
  db: Database,
  customer: Customer,
  about: { now: Date; secret: string },
): Promise<CustomerTask[]> {
  const { now } = about
  const sources = [changes(), instalments(), quotes(customer, now), reviews(customer, now)]
  const { rows } = await sql<TaskRow>`
    with own as (${ownSales(customer)}) ${joinSources(sources)}`.execute(db)
  const tasks = await Promise.all(rows.map((row) => taskOf(row, about)))
  return inOrder(tasks.flat()).slice(0, DESK_ROWS)
}

type TaskRow = {
  kind: Exclude<CustomerTaskKind, 'card'>
  id: string
  /** The id that the link has: a sale's, quote's or booking's. */
  subject: string
  by_at: Date | string
  cents: string | number | null
  business: string
  time_zone: string | null
  day: string | null
  start: string | null
  facts: unknown
}

/** The customer's sales, made while signed in or with the account's verified email (Decision 3). Two indexes. */
function ownSales({ userId, verifiedEmail }: Customer): RawBuilder<unknown> {
  const signedIn = sql`select id from sales where customer_user_id = ${userId}`
  return verifiedEmail === null
    ? signedIn
    : sql`${signedIn} union select payment_row_id from bookings where email = ${verifiedEmail}`
}

const BOOKED = sql`bookings.vendor_name as business, sales.time_zone,
  to_char(bookings.date, 'YYYY-MM-DD') as day, to_char(bookings.time, 'HH24:MI') as start`
const OWN_BOOKINGS = sql`own join sales on sales.id = own.id join bookings on bookings.payment_row_id = sales.id`
const IS_ON = sql`not ${wasCalledOff()} and bookings.payment_status = 'paid'`

/** Changes to answer, and agreed ones to pay. */
function changes(): RawBuilder<unknown> {
  return sql`
    select case when changes.state = 'proposed' then 'change' else 'payment' end as kind, changes.id,
      sales.id as subject, changes.expires_at as by_at,
      case when changes.state = 'proposed' then (changes.sale_after ->> 'priceCents')::bigint
        else changes.due_cents::bigint end as cents, ${BOOKED}, null::jsonb as facts
    from ${OWN_BOOKINGS} join changes on changes.booking_id = bookings.id
    where ${IS_ON} and (changes.state = 'proposed' and changes.proposed_by = 'vendor' or changes.state = 'accepted')`
}

/** Balances that the card didn't pay, and those whose card won't. Their rules decide. */
function instalments(): RawBuilder<unknown> {
  return sql`
    select 'balance' as kind, instalments.id, sales.id as subject,
      greatest(instalments.due_at, instalments.unpaid_since) as by_at, instalments.amount_cents::bigint as cents,
      ${BOOKED}, jsonb_build_object('state', instalments.state, 'due_at', instalments.due_at,
        'unpaid_since', instalments.unpaid_since, 'extended_at', instalments.extended_at,
        'event_from', sales.event_from, 'has_card', saved_cards.provider_method is not null,
        'year', saved_cards.expires_year, 'month', saved_cards.expires_month) as facts
    from ${OWN_BOOKINGS} join instalments on instalments.payment_id = sales.id
    left join saved_cards on saved_cards.payment_id = sales.id
    where ${IS_ON} and instalments.amount_cents > 0
      and instalments.state in ('scheduled', 'reminded', 'failed', 'needs_customer', 'overdue')`
}

/** Quotes to accept, of the account's conversations and of those that its verified email began as a guest. */
function quotes({ userId, verifiedEmail }: Customer, now: Date): RawBuilder<unknown> {
  const conversations = sql`select * from conversations where customer_user_id = ${userId}`
  const own =
    verifiedEmail === null
      ? conversations
      : sql`${conversations} union all
          select * from conversations where customer_user_id is null and customer_email = ${verifiedEmail}`
  return sql`
    select 'quote' as kind, quotes.id, quotes.id as subject, quotes.valid_until as by_at,
      ${leastCents()} as cents,
      asked.business_name as business, (select places.time_zone from businesses
        join places on places.id = businesses.place_id where businesses.id = asked.business_id) as time_zone,
      to_char(quotes.event_date, 'YYYY-MM-DD') as day, quotes.event_time as start, null::jsonb as facts
    from (${own}) asked join quotes on quotes.conversation_id = asked.id
    where quotes.state in ('sent', 'viewed') and quotes.valid_until > ${now.toISOString()}::timestamptz
      and asked.status not in ('closed', 'blocked')`
}

/** Events that are over, and not reviewed yet (Decision 12). */
function reviews({ userId }: Customer, now: Date): RawBuilder<unknown> {
  const time = sql`${now.toISOString()}::timestamptz`
  return sql`
    select 'review' as kind, bookings.id, bookings.id as subject,
      sales.event_until + make_interval(secs => ${REVIEW_MS / 1000}) as by_at, null::bigint as cents, ${BOOKED},
      null::jsonb as facts
    from ${OWN_BOOKINGS} join businesses on businesses.id = bookings.vendor_id
    where bookings.status = 'approved' and bookings.payment_status = 'paid'
      and bookings.date < (${time} at time zone sales.time_zone)::date
      and sales.event_until > ${time} - make_interval(secs => ${REVIEW_MS / 1000})
      and businesses.deleted_at is null and businesses.user_id <> ${userId} and sales.owner_user_id <> ${userId}
      and not exists (select from reviews where reviews.booking_id = bookings.id)`
}

type InstalmentFacts = {
  state: 'scheduled' | 'reminded' | 'failed' | 'needs_customer' | 'overdue'
  due_at: string
  unpaid_since: string | null
  extended_at: string | null
  event_from: string
  has_card: boolean
  year: number | null
  month: number | null
}

async function taskOf(row: TaskRow, { now, secret }: { now: Date; secret: string }): Promise<CustomerTask[]> {
  const timeZone = row.time_zone ?? HOME_ZONE
  const found = row.kind === 'balance' ? paymentWait(row.facts as InstalmentFacts, timeZone, now) : null
  if (row.kind === 'balance' && !found) return []
  const kind = found?.kind ?? row.kind
  const by = found ? found.by : new Date(row.by_at)
  return [
    {
      kind,
      id: row.id,
      by: by?.toISOString() ?? null,
      cents: row.cents === null ? null : Number(row.cents),
      timeZone,
      event: row.day ? { date: row.day, time: row.start } : null,
      business: row.business,
      to: await pathOf(kind, row.subject, secret),
    },
  ]
}

/** Returns the step that a balance needs: its payment, or a card that is valid when it is charged; null for neither. */
function paymentWait(
  facts: InstalmentFacts,
  timeZone: string,
  now: Date,
): { kind: 'balance' | 'card'; by: Date | null } | null {
  const { state, year, month, event_from: from } = facts
  const dueAt = new Date(facts.due_at)
  if (state === 'scheduled' || state === 'reminded') {
    const isValid = year === null || month === null || !expiresBefore({ year, month }, dueAt, timeZone)
    return facts.has_card && !isValid && dueAt > now ? { kind: 'card', by: dueAt } : null
  }
  const deadline = deadlineOf(facts, { sale: { event: { from, until: from } } })
  return { kind: 'balance', by: overdueAt(deadline, timeZone) }
}

/** The path of a task's action. @param id a sale's, quote's or booking's */
async function pathOf(kind: CustomerTaskKind, id: string, secret: string): Promise<string> {
  switch (kind) {
    case 'quote':
      return href('/quotes/:id/:link?', { id })
    case 'review':
      return href('/my-bookings/:bookingId/review', { bookingId: id })
    case 'change':
    case 'payment':
      return href('/bookings/:linkToken/change', { linkToken: await bookingLinkToken(secret, id) })
    case 'balance':
      return href('/bookings/:linkToken/pay', { linkToken: await bookingLinkToken(secret, id) })
    case 'card':
      return href('/bookings/:linkToken/card', { linkToken: await bookingLinkToken(secret, id) })
  }
}
