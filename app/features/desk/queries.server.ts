import { type RawBuilder, sql } from 'kysely'
import { href } from 'react-router'
import type { Database } from '../../adapters/database/port.ts'
import { HOME_ZONE } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { PREPARED } from '../../shared/prepared.server.ts'
import { agreementStanding, DOCUMENTS } from '../agreements/rules.ts'
import { isOnForVendor } from '../bookings/open-queries.server.ts'
import { openPrefilled } from '../businesses/prefilled-queries.server.ts'
import { isVendors } from '../enquiries/queries.server.ts'
import type { PayoutAccountState, StoredRequirement } from '../payouts/rules.ts'
import { setupState, wantedOf, withBeginning } from '../payouts/setup-rules.ts'
import { leastCents } from '../quotes/queries.server.ts'
import { deadlineOf } from '../sales/plan-queries.server.ts'
import { extendableUntil, type InstalmentState } from '../sales/plan-rules.ts'
import {
  CALENDAR_DUE_MS,
  CALENDAR_SILENT_MS,
  DESK_ROWS,
  EVIDENCE_MS,
  inOrder,
  QUESTION_MS,
  QUOTE_ENDS_MS,
  type VendorTask,
  type VendorTaskKind,
} from './rules.ts'
import { MAX_SNOOZES, snoozedUntil, snoozeKey } from './snooze-rules.ts'
import { joinSources } from './source-queries.server.ts'

/**
 * Lists what waits for a vendor, in the order in which it is due, then by money: at most `DESK_ROWS`. One statement; a row
 * is there for as long as its thing is open (Decision 80).
 * @param vendor.provider the payout provider in use; null leaves payouts out
 */
export async function listVendorTasks(
  db: Database,
  vendor: { userId: string; provider: string | null; now: Date },
): Promise<VendorTask[]> {
  return (await listVendorDesk(db, vendor)).tasks
}

/** A row that its vendor has put off. */
export type SnoozedTask = VendorTask & {
  /** When it returns; ISO 8601, UTC. */
  until: string
}

/** Lists what waits for a vendor, as `listVendorTasks`, and the rows that they have put off. */
export async function listVendorDesk(
  db: Database,
  vendor: Parameters<typeof listVendorTasks>[1],
): Promise<{ tasks: VendorTask[]; later: SnoozedTask[] }> {
  const { now } = vendor
  const { rows } = await statementOf(vendor).execute(db)
  const snoozes = new Map(
    rows.flatMap((row) => (row.kind === 'snooze' ? [[`${row.subject} ${row.id}`, row.by_at] as const] : [])),
  )
  const tasks = inOrder(rows.flatMap((row) => (isThing(row) ? tasksOf(row, now) : []))).map((task) => {
    const until = snoozes.get(`${task.kind} ${snoozeKey(task)}`)
    return { task, back: until ? snoozedUntil(task, new Date(until), now) : null }
  })
  return {
    tasks: tasks.flatMap(({ task, back }) => (back ? [] : [task])).slice(0, DESK_ROWS),
    later: tasks.flatMap(({ task, back }) => (back ? [{ ...task, until: back.toISOString() }] : [])),
  }
}

/** The statement of `listVendorTasks`: each kind's rows in its own order, limited before they are joined. */
function statementOf({ userId, provider, now }: Parameters<typeof listVendorTasks>[1]) {
  const vendor = { userId, now }
  const sources = [
    requests(vendor),
    changes(vendor),
    questions(userId),
    quotes(vendor),
    balances(userId),
    disputes(userId),
    calendars(vendor),
    prefilled(userId),
    ...(provider === null ? [] : [payouts({ userId, provider, now })]),
    snoozes(vendor),
  ]
  return sql<TaskRow>`${PREPARED}${joinSources(sources, DESK_ROWS + MAX_SNOOZES)}`
}

/** Counts what `listVendorTasks` lists. */
export async function countVendorTasks(
  db: Database,
  vendor: Parameters<typeof listVendorTasks>[1],
): Promise<number> {
  return (await listVendorTasks(db, vendor)).length
}

type TaskRow = {
  kind: Exclude<VendorTaskKind, 'bank'> | 'snooze'
  id: string
  /** The id that the action's address has. */
  subject: string
  by_at: Date | string | null
  cents: string | number | null
  name: string
  business: string
  time_zone: string | null
  day: string | null
  start: string | null
  /** The facts that the rules need. Times are text. */
  facts: unknown
}

/** A row of a thing that waits. */
type ThingRow = TaskRow & { kind: Exclude<TaskRow['kind'], 'snooze'> }

const isThing = (row: TaskRow): row is ThingRow => row.kind !== 'snooze'

/** The columns of a booking's task after its kind, ids, deadline and money. */
const BOOKED = sql`bookings.customer_name as name, bookings.vendor_name as business, sales.time_zone,
  to_char(bookings.date, 'YYYY-MM-DD') as day, to_char(bookings.time, 'HH24:MI') as start`

const NO_FACTS = sql`null::jsonb as facts`

const at = (now: Date, ms = 0) => sql`${new Date(now.getTime() + ms).toISOString()}::timestamptz`
const span = (ms: number) => sql`make_interval(secs => ${ms / 1000})`

/** The zone of a listing; null once it is gone. @param id the column with its id */
const zoneOf = (
  id: string,
) => sql`(select places.time_zone from businesses join places on places.id = businesses.place_id
  where businesses.id = ${sql.ref(id)})`

type Vendor = { userId: string; now: Date }

/** Paid bookings to approve or decline: none whose event is over, which can't be answered any more, and none that is declined. */
function requests({ userId, now }: Vendor): RawBuilder<unknown> {
  return sql`
    select 'request' as kind, bookings.id, bookings.id as subject, bookings.decide_by as by_at,
      bookings.total_price_cents::bigint as cents, ${BOOKED}, ${NO_FACTS}
    from sales join bookings on bookings.payment_row_id = sales.id
    where sales.owner_user_id = ${userId} and sales.event_until > ${at(now)}
      and bookings.status = 'pending' and bookings.payment_status = 'paid' and bookings.tells_at is null`
}

/** Changes that customers propose. */
function changes({ userId, now }: Vendor): RawBuilder<unknown> {
  return sql`
    select 'change' as kind, changes.id, bookings.id as subject, changes.expires_at as by_at,
      (changes.sale_after ->> 'priceCents')::bigint as cents, ${BOOKED}, ${NO_FACTS}
    from sales join bookings on bookings.payment_row_id = sales.id
    join changes on changes.booking_id = bookings.id
    where sales.owner_user_id = ${userId} and sales.event_until > ${at(now)}
      and changes.state = 'proposed' and changes.proposed_by = 'customer' and bookings.tells_at is null`
}

/** Conversations whose customer waits. */
function questions(userId: string): RawBuilder<unknown> {
  return sql`
    select 'question' as kind, conversations.id, conversations.id as subject,
      conversations.waiting_since + ${span(QUESTION_MS)} as by_at, conversations.budget_cents::bigint as cents,
      conversations.customer_name as name, conversations.business_name as business,
      ${zoneOf('conversations.business_id')} as time_zone,
      to_char(conversations.event_date, 'YYYY-MM-DD') as day, null as start, ${NO_FACTS}
    from conversations
    where ${isVendors({ userId })} and conversations.waiting_since is not null
      and conversations.status not in ('closed', 'blocked')`
}

/** Quotes that end soon, until their vendor has written to the customer about it. */
function quotes({ userId, now }: Vendor): RawBuilder<unknown> {
  return sql`
    select 'quote' as kind, quotes.id, conversations.id as subject, quotes.valid_until as by_at,
      ${leastCents()} as cents,
      conversations.customer_name as name, conversations.business_name as business,
      ${zoneOf('conversations.business_id')} as time_zone, to_char(quotes.event_date, 'YYYY-MM-DD') as day,
      quotes.event_time as start, ${NO_FACTS}
    from quotes join conversations on conversations.id = quotes.conversation_id
    where conversations.owner_user_id = ${userId} and quotes.state in ('sent', 'viewed')
      and quotes.valid_until > ${at(now)} and quotes.valid_until <= ${at(now, QUOTE_ENDS_MS)}
      and not exists (select from messages where messages.conversation_id = conversations.id
        and messages.sender = 'vendor' and messages.created_at > quotes.sent_at
        and messages.created_at > quotes.valid_until - ${span(QUOTE_ENDS_MS)})`
}

/** Unpaid balances. Their rule decides which of them the vendor can still give more time for. */
function balances(userId: string): RawBuilder<unknown> {
  return sql`
    select 'balance' as kind, instalments.id, bookings.id as subject,
      greatest(instalments.due_at, instalments.unpaid_since) as by_at, instalments.amount_cents::bigint as cents,
      ${BOOKED}, jsonb_build_object('state', instalments.state, 'due_at', instalments.due_at,
        'unpaid_since', instalments.unpaid_since, 'extended_at', instalments.extended_at,
        'event_from', sales.event_from) as facts
    from instalments join sales on sales.id = instalments.payment_id
    join bookings on bookings.payment_row_id = sales.id
    where sales.owner_user_id = ${userId} and instalments.state in ('failed', 'needs_customer')
      and instalments.extended_at is null and ${isOnForVendor()}`
}

/** Disputes for which our evidence is due. A vendor's proof has to reach us before. */
function disputes(userId: string): RawBuilder<unknown> {
  return sql`
    select 'dispute' as kind, disputes.id, disputes.provider_dispute as subject,
      disputes.evidence_due_at - ${span(EVIDENCE_MS)} as by_at, disputes.amount_cents::bigint as cents, ${BOOKED},
      ${NO_FACTS}
    from disputes join payments on payments.id = disputes.payment_id
    join sales on sales.id = payments.sale_id join bookings on bookings.payment_row_id = sales.id
    where sales.owner_user_id = ${userId} and disputes.closed_at is null and disputes.evidence_due_at is not null
      and disputes.status in ('needs_response', 'appeal_needs_response')`
}

/** Calendars of other services of which nothing was read for some time. */
function calendars({ userId, now }: Vendor): RawBuilder<unknown> {
  return sql`
    select 'calendar' as kind, outside_calendars.id, businesses.id as subject,
      coalesce(last_synced_at, added_at) + ${span(CALENDAR_DUE_MS)} as by_at, null::bigint as cents,
      outside_calendars.name, businesses.name as business, places.time_zone, null as day, null as start,
      ${NO_FACTS}
    from businesses join places on places.id = businesses.place_id
    join outside_calendars on outside_calendars.business_id = businesses.id
    where businesses.user_id = ${userId} and businesses.deleted_at is null and last_error is not null
      and coalesce(last_synced_at, added_at) <= ${at(now, -CALENDAR_SILENT_MS)}`
}

/** Listings with facts that our form had once filled in. Their category decides which of those are still open. */
function prefilled(userId: string): RawBuilder<unknown> {
  return sql`
    select 'prefilled' as kind, businesses.id, businesses.id as subject, null::timestamptz as by_at, null::bigint as cents,
      '' as name, businesses.name as business, places.time_zone, null as day, null as start,
      jsonb_build_object('category', businesses.category, 'facts', businesses.facts, 'prefilled', prefilled_facts.facts) as facts
    from businesses join places on places.id = businesses.place_id
    join prefilled_facts on prefilled_facts.business_id = businesses.id
    where businesses.user_id = ${userId} and businesses.deleted_at is null`
}

type PrefilledFacts = Parameters<typeof openPrefilled>[0] & { prefilled: Parameters<typeof openPrefilled>[1] }

/** All that decides whether a vendor's payouts wait for them. Times are text. */
type PayoutFacts = {
  state: PayoutAccountState | null
  requirements: StoredRequirement[] | null
  isRegistered: boolean
  hasAccepted: boolean
  hadAccepted: boolean
  toldAt: string | null
  /** The money that the account can't take, and since when we hold it. */
  payableCents: Cents | null
  heldSince: string | null
  /** The newest payout to the bank, if the bank returned it. */
  returned: { id: string; cents: Cents; at: string } | null
}

/** One row with the facts about a vendor's payouts. */
function payouts({ userId, provider, now }: Vendor & { provider: string }): RawBuilder<unknown> {
  const { version } = DOCUMENTS.vendor_agreement
  return sql`
    select 'payouts' as kind, ${userId} as id, '' as subject, null::timestamptz as by_at, null::bigint as cents,
      '' as name, '' as business, ${vendorZone(userId)} as time_zone, null as day, null as start,
      jsonb_build_object('state', account.state, 'requirements', account.requirements,
        'isRegistered', exists (select from business_registrations where user_id = ${userId}),
        'hasAccepted', exists (select from acceptances
          where user_id = ${userId} and document = 'vendor_agreement' and version = ${version}),
        'hadAccepted', exists (select from acceptances where user_id = ${userId} and document = 'vendor_agreement'),
        'toldAt', (select told_at from agreement_notices where user_id = ${userId} and version = ${version}),
        'payableCents', (select -cents from ledger_balances
          where vendor_user_id = ${userId} and account = 'vendor_payable'),
        'heldSince', (select min(due_at) from transfers where vendor_user_id = ${userId} and state = 'due'
          and held_reason in ('no_agreement', 'no_account', 'restricted') and due_at <= ${at(now)}),
        'returned', (select jsonb_build_object('id', newest.id, 'cents', newest.amount_cents, 'at', newest.checked_at)
          from (select * from bank_payouts where payout_account_id = account.id
            order by created_at desc, id desc limit 1) newest
          where newest.state = 'failed')) as facts
    from (select 1) one left join payout_accounts account
      on account.vendor_user_id = ${userId} and account.provider = ${provider}`
}

/** The rows that are put off, by their kinds and keys. */
function snoozes({ userId, now }: Vendor): RawBuilder<unknown> {
  return sql`
    select 'snooze' as kind, row_id as id, desk_snoozes.kind as subject, until as by_at, null::bigint as cents, '' as name,
      '' as business, null as time_zone, null as day, null as start, ${NO_FACTS}
    from desk_snoozes where user_id = ${userId} and until > ${at(now)}`
}

/** The zone of a vendor's oldest listing, as of `findVendorZone`. */
const vendorZone = (userId: string) => sql`(select places.time_zone from businesses
  join places on places.id = businesses.place_id where businesses.user_id = ${userId}
  order by businesses.created_at limit 1)`

const iso = (time: Date | string) => new Date(time).toISOString()

/** The tasks of a row: none, one, or two about payouts. */
function tasksOf(row: ThingRow, now: Date): VendorTask[] {
  const { kind, day } = row
  const task: VendorTask = {
    kind,
    id: row.id,
    by: row.by_at && iso(row.by_at),
    cents: row.cents === null ? null : Number(row.cents),
    timeZone: row.time_zone ?? HOME_ZONE,
    event: day ? { date: day, time: row.start } : null,
    name: row.name,
    business: row.business,
    to: pathOf(kind, row.subject),
    wait: null,
  }
  if (kind === 'payouts') return payoutTasks(task, row.facts as PayoutFacts, now)
  if (kind === 'prefilled') {
    const facts = row.facts as PrefilledFacts
    return Object.keys(openPrefilled(facts, facts.prefilled)).length > 0 ? [task] : []
  }
  if (kind !== 'balance') return [task]
  const by = balanceEnds(row.facts as BalanceFacts, task.timeZone, now)
  return by ? [{ ...task, by: by.toISOString() }] : []
}

/** The path of a task's action; null for a mail. */
function pathOf(kind: ThingRow['kind'], id: string): string | null {
  const bookings = href('/dashboard/bookings')
  switch (kind) {
    case 'request':
      return `${bookings}?status=pending#booking-${id}`
    case 'balance':
      return `${bookings}#booking-${id}`
    case 'change':
      return href('/bookings/:linkToken/change', { linkToken: id })
    case 'question':
    case 'quote':
      return href('/dashboard/inbox/:id?', { id })
    case 'calendar':
      return `${href('/dashboard/availability')}?${new URLSearchParams({ business: id })}`
    case 'payouts':
      return withBeginning(href('/dashboard/payouts/setup'), 'dashboard')
    case 'prefilled':
      return href('/dashboard/list-business')
    case 'dispute':
      return null
  }
}

type BalanceFacts = {
  state: InstalmentState
  due_at: string
  unpaid_since: string | null
  extended_at: string | null
  event_from: string
}

/** Until when a vendor can give more time for a balance; null where they can't any more. */
function balanceEnds(facts: BalanceFacts, timeZone: string, now: Date): Date | null {
  const from = facts.event_from
  const deadline = { ...deadlineOf(facts, { sale: { event: { from, until: from } } }), state: facts.state }
  return extendableUntil(deadline, { now, timeZone })
}

/** The tasks about a vendor's payouts, and about a payout that their bank returned. */
function payoutTasks(task: VendorTask, facts: PayoutFacts, now: Date): VendorTask[] {
  const { returned } = facts
  const waiting = payoutsWait(facts, now)
  return [
    ...(waiting ? [{ ...task, ...waiting }] : []),
    ...(returned
      ? [{ ...task, kind: 'bank' as const, id: returned.id, cents: returned.cents, by: iso(returned.at) }]
      : []),
  ]
}

function payoutsWait(facts: PayoutFacts, now: Date): Pick<VendorTask, 'wait' | 'by' | 'cents'> | null {
  const toldAt = facts.toldAt === null ? null : new Date(facts.toldAt)
  const agreement = agreementStanding({ ...facts, toldAt }, now)
  const account = facts.state && { state: facts.state, requirements: facts.requirements ?? [] }
  const { dueAt } = wantedOf(account?.requirements ?? [])
  const dueBy = dueAt && iso(dueAt)
  const heldCents = facts.heldSince === null ? null : facts.payableCents
  switch (setupState({ isRegistered: facts.isRegistered, agreement: agreement.state, account })) {
    case 'paused':
      return { wait: 'paused', by: dueBy, cents: heldCents }
    case 'needs_more':
      return dueBy ? { wait: 'needs_more', by: dueBy, cents: null } : null
    case 'agreement_changed':
      return agreement.acceptBy ? { wait: 'agreement', by: iso(agreement.acceptBy), cents: null } : null
    case 'not_registered':
    case 'not_agreed':
    case 'not_started':
    case 'not_finished':
      // Being booked needs no account. Money that waits for one does.
      return facts.heldSince && heldCents
        ? { wait: 'set_up', by: iso(facts.heldSince), cents: heldCents }
        : null
    case 'in_review':
    case 'ready':
    case 'rejected':
      return null
  }
}
