import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'

/** Lists charged payments whose ledger differs from their rows, by their id: posting what is missing settles them. */
export async function listDifferingPayments(
  db: Database,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select subject from (${DIFFERING_PAYMENTS}) d where subject > ${after} order by subject limit ${limit}`.execute(
    db,
  )
  return rows.map(({ subject }) => subject)
}

/**
 * Amounts of the payments' tables are positive and those of the ledger negative, so a payment without a difference sums to 0.
 * Joined sums would take hours for 100,000 payments: a planner that expects few, as after a restore, reads them once for each.
 */
const DIFFERING_PAYMENTS = sql`
  with amounts as (
    select id as subject, state, amount_cents as price, null::integer as wrong_price, 0 as charged, 0 as refunded, 0 as disputed, 0 as lost
    from payments where state in ('paid', 'failed')
    union all
    select payment_id, null, null, case reason when 'wrong_amount' then amount_cents end, 0,
      case when provider_status = 'succeeded'
        or provider_status = 'pending' and pending_reason is distinct from 'insufficient_funds'
        or provider_status is null and state = 'done' or resolution = 'paid_otherwise' then amount_cents else 0 end, 0, 0
    from payment_actions where kind = 'refund'
    union all
    select payment_id, null, null, null, 0, 0, case status when 'lost' then 0 else amount_cents end,
      case status when 'lost' then amount_cents else 0 end
    from disputes where funds = 'withdrawn'
    union all
    select t.payment_id, null, null, null,
      case when p.account = 'provider_balance' and t.kind in ('charge', 'opening') then -p.cents else 0 end,
      case when p.account in ('provider_balance', 'bank') and t.kind in ('refund', 'refund_failed') then p.cents else 0 end,
      case p.account when 'disputed' then -p.cents else 0 end,
      case when p.account = 'disputed' and t.kind = 'dispute_lost' then p.cents else 0 end
    from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
    where t.payment_id is not null
  ), compared as (
    select subject,
      -- A payment that failed for its wrong amount was charged what is refunded of it.
      case max(state) when 'failed' then coalesce(max(wrong_price), max(price)) else max(price) end + sum(charged) as charged,
      sum(refunded) as refunded, sum(disputed) as disputed, sum(lost) as lost
    from amounts group by subject having max(state) is not null
  )
  select subject, abs(charged) + abs(refunded) + abs(disputed) + abs(lost) as cents from compared
  where charged <> 0 or refunded <> 0 or disputed <> 0 or lost <> 0`
