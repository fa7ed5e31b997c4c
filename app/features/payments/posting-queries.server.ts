import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { findDifferences } from '../ledger/queries.server.ts'
import type { LedgerCheck } from '../ledger/rules.ts'

/**
 * Proves that the ledger has what the payments' own tables have: for each payment the same charge, the same sum of refunds,
 * and the same with a bank, which hasn't decided yet or has kept it. A difference of several is added up.
 */
export function provePayments(db: Database | DatabaseTransaction): Promise<LedgerCheck> {
  return findDifferences(db, 'payments_are_posted', differingPayments(sql``))
}

/** Lists payments whose ledger differs from their rows, by their id. */
export async function listDifferingPayments(
  db: Database,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select subject from (${differingPayments(sql`and p.id > ${after}`)}) d order by subject limit ${limit}`.execute(
    db,
  )
  return rows.map(({ subject }) => subject)
}

/** @param condition a further condition on payments p */
const differingPayments = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with refunds as (
    select payment_id,
      coalesce(sum(amount_cents) filter (where provider_status = 'succeeded'
        or provider_status = 'pending' and pending_reason is distinct from 'insufficient_funds'
        or provider_status is null and state = 'done' or resolution = 'paid_otherwise'), 0) as cents,
      max(amount_cents) filter (where reason = 'wrong_amount') as wrong_cents
    from payment_actions where kind = 'refund' group by payment_id
  ), taken as (
    select payment_id, coalesce(sum(amount_cents) filter (where status <> 'lost'), 0) as disputed,
      coalesce(sum(amount_cents) filter (where status = 'lost'), 0) as lost
    from disputes where funds = 'withdrawn' group by payment_id
  ), posted as (
    select t.payment_id,
      sum(p.cents) filter (where p.account = 'provider_balance' and t.kind in ('charge', 'opening')) as charged,
      -sum(p.cents) filter (where p.account in ('provider_balance', 'bank') and t.kind in ('refund', 'refund_failed'))
        as refunded,
      sum(p.cents) filter (where p.account = 'disputed') as disputed,
      -sum(p.cents) filter (where p.account = 'disputed' and t.kind = 'dispute_lost') as lost
    from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
    where t.payment_id is not null group by t.payment_id
  ), compared as (
    select p.id as subject,
      case p.state when 'failed' then coalesce(r.wrong_cents, p.amount_cents) else p.amount_cents end
        - coalesce(l.charged, 0) as charged,
      coalesce(r.cents, 0) - coalesce(l.refunded, 0) as refunded,
      coalesce(d.disputed, 0) - coalesce(l.disputed, 0) as disputed,
      coalesce(d.lost, 0) - coalesce(l.lost, 0) as lost
    from payments p
    left join refunds r on r.payment_id = p.id
    left join taken d on d.payment_id = p.id
    left join posted l on l.payment_id = p.id
    where p.state in ('paid', 'failed') ${condition}
  )
  select subject, abs(charged) + abs(refunded) + abs(disputed) + abs(lost) as cents from compared
  where charged <> 0 or refunded <> 0 or disputed <> 0 or lost <> 0`
