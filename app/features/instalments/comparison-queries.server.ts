import { sql } from 'kysely'
import { type Comparison, dollars } from '../ledger/comparison-queries.server.ts'
import { PAGE_PAYMENTS, unfulfilled } from '../payments/comparison-queries.server.ts'

/**
 * Each instalment is the one of the sale, with what an operator took off it. What is paid of them was charged by a payment of the
 * purchase, and each further payment that was charged in time has paid one.
 */
const AGREEING_INSTALMENTS = sql`
  with paid as materialized (${PAGE_PAYMENTS}), rows as materialized (
    select i.* from page join instalments i on i.payment_id = page.id
  ), agreed as (
    select sales.id as payment_id, (each.one->>'number')::integer as number, (each.one->>'cents')::bigint as cents
    from page join sales on sales.id = page.id, jsonb_array_elements(coalesce(sales.instalments, '[]')) as each (one)
    where exists (select from instalments where payment_id = sales.id)
  )
  select coalesce(rows.payment_id, agreed.payment_id) as subject,
    coalesce(rows.amount_cents + rows.reduced_cents, 0) - coalesce(agreed.cents, 0) as cents,
    'instalment ' || number || ' is ' || ${dollars(sql`rows.amount_cents`)} || ' with '
      || ${dollars(sql`rows.reduced_cents`)} || ' taken off, in the sale ' || ${dollars(sql`agreed.cents`)} as detail
  from rows full join agreed using (payment_id, number)
  where rows.amount_cents + rows.reduced_cents is distinct from agreed.cents
  union all
  select rows.payment_id, rows.amount_cents, 'instalment ' || rows.number || ' is ''paid'', and '
    || case when paid.id is null then 'no payment of the purchase has paid it'
      when paid.state <> 'paid' then 'its payment is ''' || paid.state || ''''
      when rows.paid_at is null then 'has no day of payment'
      else 'its payment was ' || ${dollars(sql`paid.amount_cents`)} end
  from rows left join paid on paid.id = rows.paid_by and paid.purchase = rows.payment_id
  where rows.state = 'paid'
    and (paid.state is distinct from 'paid' or rows.paid_at is null or rows.amount_cents > paid.amount_cents)
  union all
  select paid.purchase, paid.amount_cents, 'the payment ' || paid.id || ' has paid no instalment'
  from paid
  where paid.id <> paid.purchase and paid.state = 'paid' and not ${unfulfilled(sql`paid.id`)}
    and not exists (select from instalments where paid_by = paid.id and state = 'paid')`

/** The comparisons of instalments with sales and payments. */
export const INSTALMENT_COMPARISONS: readonly Comparison[] = [
  { name: 'instalments_agree', of: 'purchases', differences: AGREEING_INSTALMENTS },
]
