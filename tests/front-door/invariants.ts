import { sql } from 'kysely'
import type { Database } from '../../app/adapters/database/port.ts'
import { findMoneyDifferences } from '../money-proof.ts'
import type { Told } from './world.ts'

const SHOWN = 5

/** Rows that break a rule, each as 'what: id'. */
async function broken(
  db: Database,
  what: string,
  query: ReturnType<typeof sql<{ id: string }>>,
): Promise<string[]> {
  const { rows } = await query.execute(db)
  return rows.slice(0, SHOWN).map(({ id }) => `${what}: ${id}`)
}

/**
 * Returns each invariant that doesn't hold. They hold at any time at which nobody acts.
 * @param mailIds the ids of all mails, without their host
 */
export async function findBroken(db: Database, told: Told, mailIds: ReadonlySet<string>): Promise<string[]> {
  const differences = await findMoneyDifferences(db)
  const found = [
    ...differences.map((check) => `money: ${JSON.stringify(check).slice(0, 400)}`),
    ...(await broken(
      db,
      'a charge is neither one booking nor fully refunded',
      // Of first payments. Those that follow are compared with their instalment or change by the proof of the money.
      sql`select payments.id || ' ' || taken.state || ' ' || payments.state as id
        from sandbox_payments taken
        join payments on payments.provider_reference = taken.id
        where taken.state = 'succeeded' and payments.sale_id = payments.id
          and (select count(*) from bookings where payment_row_id = payments.id) <> 1
          and taken.amount_cents > coalesce((
              select sum(amount_cents) from payment_actions
              where payment_id = payments.id and kind = 'refund' and state <> 'cancelled'
                and (provider_status is distinct from 'failed' or resolution is not null)), 0)
            + coalesce((select sum(amount_cents) from disputes where payment_id = payments.id and status = 'lost'), 0)`,
    )),
    ...(await broken(
      db,
      'a payment has several bookings',
      sql`select payment_row_id as id from bookings group by 1 having count(*) > 1`,
    )),
    ...(await broken(
      db,
      'a booking without its charge',
      sql`select bookings.id from bookings
        left join payments on payments.id = bookings.payment_row_id
        left join sandbox_payments taken on taken.id = payments.provider_reference
        where taken.state is distinct from 'succeeded'`,
    )),
    ...(await broken(
      db,
      'more events at once than a business takes',
      sql`select one.id || ' at ' || one.business_id as id
        from slots one left join availability_settings on availability_settings.business_id = one.business_id
        -- Venues take one at a time until their vendor says otherwise.
        where one.kind = 'booking' and coalesce(capacity, 1) < (
          select count(*) from slots other
          where other.business_id = one.business_id and other.kind = 'booking'
            and other.during @> lower(one.during))`,
    )),
    ...(await broken(
      db,
      'a standing booking without its time, or a time without its booking',
      sql`select coalesce(bookings.id, slots.booking_id) as id from bookings
          full join slots on slots.booking_id = bookings.id
        where (slots.id is null and bookings.status in ('pending', 'approved'))
          or (slots.kind = 'booking' and (bookings.id is null or bookings.status in ('declined', 'withdrawn')))`,
    )),
    ...(await broken(
      db,
      'more refunded than was paid',
      sql`select payments.id from payments
        join payment_actions on payment_actions.payment_id = payments.id
        where kind = 'refund' and payment_actions.state <> 'cancelled'
          and (provider_status is distinct from 'failed' or resolution = 'paid_otherwise')
        group by payments.id having sum(payment_actions.amount_cents) > payments.amount_cents`,
    )),
    ...(await broken(
      db,
      'a booking that was called off keeps more than was agreed',
      sql`select bookings.id || ' ' || bookings.status as id
        from bookings
        join payments on payments.state = 'paid'
          and payments.sale_id = bookings.payment_row_id
        where bookings.status in ('declined', 'withdrawn')
        group by bookings.id, bookings.status
        having sum(payments.amount_cents) > coalesce((
              select sum(payment_actions.amount_cents) from payment_actions join payments back on back.id = payment_id
              where back.sale_id = bookings.payment_row_id
                and kind = 'refund' and payment_actions.state <> 'cancelled'
                and (provider_status is distinct from 'failed' or resolution = 'paid_otherwise')), 0)
          + coalesce((
              select sum(disputes.amount_cents) from disputes join payments lost on lost.id = payment_id
              where lost.sale_id = bookings.payment_row_id and status = 'lost'), 0)
          + coalesce((
              select kept_cents from cancellations where booking_id = bookings.id order by created_at desc limit 1), 0)`,
    )),
    ...(await broken(
      db,
      'a receipt is missing or a series has a gap',
      sql`select seller_user_id as id from receipt_numbers group by 1
          having count(*) <> max(number) or count(*) <> count(distinct number)
        union all
        select bookings.id from bookings left join receipt_numbers on booking_id = bookings.id where number is null`,
    )),
    ...(await broken(
      db,
      'the product’s own proof finds a difference',
      sql`select checks::text || coalesce(failure, '') as id
        from (select * from proofs order by began_at desc limit 1) newest where difference_count > 0 or failure is not null`,
    )),
    ...(await broken(
      db,
      'a payment differs from the provider',
      sql`select reference || ' ' || kind || ' ' || ours || ' ' || theirs as id from payment_differences
        where comparison_id = (
          select id from payment_comparisons where finished_at is not null order by started_at desc limit 1)`,
    )),
    ...(await broken(
      db,
      'a failed job',
      sql`select name || ' ' || output::text as id from jobs.job where state = 'failed'`,
    )),
  ]
  const { rows: bookings } = await sql<{ id: string; reference: string }>`
    select id, payment_id as reference from bookings`.execute(db)
  const stored = new Map(bookings.map(({ id, reference }) => [id, reference]))
  for (const [id, reference] of told.bookings)
    if (stored.get(id) !== reference) found.push(`an acknowledged booking is lost: ${id}`)
  for (const { id } of bookings)
    if (!mailIds.has(`booking-${id}-paid`)) found.push(`a booking’s customer has got no mail: ${id}`)
  return found
}

/** Acknowledged messages that aren't stored. Months later they may be forgotten. */
export async function findLostMessages(db: Database, { messages }: Told): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`select body from messages`.execute(db)
  const stored = new Set(rows.map(({ body }) => body))
  const lost = [...messages].filter((body) => !stored.has(body))
  return lost.map((body) => `an acknowledged message is lost: ${body}`)
}

/** Something that isn't over, and whom it waits for. */
export type Waiting = { what: string; id: string; about: string }

/**
 * Lists what isn't over by a time: holds, undecided bookings, refunds, instalments, transfers, changes, quotes and orders. Some
 * wait for people, who may never act; `about` names the account, payment or reason.
 */
export async function listWaiting(db: Database, now: Date): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select 'hold' as what, id, coalesce(payment_id, '') as about from slots
      where kind = 'hold' and (expires_at is null or expires_at > ${now})
    union all
    select 'payment', id, concat_ws(', ', state, provider_reference, 'expires ' || expires_at, 'asked ' || checked_at,
        'of ' || sale_id, last_error) from payments where state in ('open', 'processing')
        -- Who has had the event without paying owes the balance, which can still be paid.
        and not exists (select from instalments where paid_by = payments.id and state = 'needs_customer'
          and exists (select from sales where sales.id = payments.sale_id and sales.event_from < ${now}))
    union all
    select 'undecided booking', id, status from bookings where status = 'pending'
    union all
    select 'refund', id, payment_id from payment_actions
      where state in ('due', 'claimed') or provider_status in ('pending', 'requires_action')
    union all
    select 'refund that came back', id, payment_id from payment_actions
      where provider_status = 'failed' and resolution is null and state <> 'cancelled'
    union all
    select 'instalment', instalments.id, instalments.state from instalments
      join bookings on bookings.payment_row_id = instalments.payment_id
      join sales on sales.id = instalments.payment_id
      where instalments.state not in ('paid', 'ended')
        and not (instalments.state = 'needs_customer' and sales.event_from < ${now})
    union all
    select 'transfer' || coalesce(' held for ' || held_reason, ''), id, vendor_user_id from transfers where state in ('due', 'claimed')
    union all
    select 'reversal', id, state from transfer_reversals where state in ('due', 'claimed')
    union all
    select 'bank payout', id, state from bank_payouts where state in ('pending', 'in_transit')
    union all
    select 'change', id, booking_id from changes where state in ('proposed', 'accepted')
    union all
    select 'quote', id, state from quotes where state in ('sent', 'viewed', 'accepted')
    union all
    select 'dispute', disputes.id, provider_reference from disputes
      join payments on payments.id = payment_id where closed_at is null
    union all
    select 'answer to a dispute', id, dispute_id from dispute_answers where state in ('waiting', 'claimed')
    union all
    select 'approval of ' || act, id, subject_id from approvals where outcome is null
    union all
    select 'job', id::text, name from jobs.job
      where state in ('created', 'retry', 'active') and start_after <= now() and name not like '\\_\\_pgboss%'`.execute(
    db,
  )
  return rows
}

/** Returns the goals that a history has reached beyond those that its people saw. */
export async function findReached(db: Database) {
  const { rows } = await sql<{ goal: string }>`
    select 'a declined booking was refunded' as goal from bookings where status = 'declined' and payment_status = 'refunded'
    union
    select 'a balance was charged to a saved card' from instalments where state = 'paid' and attempts > 0
    union
    select 'a transfer reached a vendor' from transfers where state <> 'due' and made_at is not null
    union
    select 'a transfer was brought back' from transfer_reversals where state = 'done'
    union
    select 'a refund came back and was settled' from payment_actions where resolution is not null`.execute(db)
  return rows.map(({ goal }) => goal)
}
