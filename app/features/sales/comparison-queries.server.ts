import { sql } from 'kysely'
import type { Comparison, PurchasePages } from '../ledger/comparison-queries.server.ts'

/** The purchases of a proof, by their sale. */
export const listPurchases: PurchasePages = (after, limit) =>
  sql`select id from sales where id > ${after} order by id limit ${limit}`

/**
 * A sale has its first payment, and what it agreed to adds up to its price. The copies in its payments, which the version before
 * reads, say the same (migration 0074).
 */
const AGREEING_SALES = sql`
  select id as subject, abs(price_cents - planned) as cents,
    concat_ws('; ',
      case when price_cents <> planned then 'agreed at ' || price_cents / 100.0 || ', its instalments add up to '
        || planned / 100.0 end,
      case when has_no_payment then 'has no payment' end,
      case when differs then 'differs from the copy in a payment' end) as detail
  from (
    select sales.id, sales.price_cents,
      coalesce((select sum((one->>'cents')::bigint) from jsonb_array_elements(sales.instalments) as each (one)),
        sales.price_cents) as planned,
      first.id is null as has_no_payment,
      sale_of(first) is distinct from sales or exists (
        select from payments paid where paid.sale_id = sales.id and (paid.sold <> first.sold
          or paid.owner_user_id <> first.owner_user_id)) as differs
    from page join sales on sales.id = page.id left join payments first on first.id = sales.id
  ) compared
  where price_cents <> planned or has_no_payment or differs`

/** Each payment pays for a sale that exists, and one that began a sale for that one. */
const PAYMENTS_OF_SALES = sql`
  select payments.id as subject, payments.amount_cents as cents,
    case when sales.id is null then 'is a payment of no sale' else 'began another sale than it pays for' end as detail
  from payments left join sales on sales.id = payments.sale_id
  where sales.id is null
    or payments.sale_id <> payments.id and exists (select from sales began where began.id = payments.id)`

/** The comparisons of sales with their payments. */
export const SALE_COMPARISONS: readonly Comparison[] = [
  { name: 'sales_agree', of: 'purchases', differences: AGREEING_SALES },
  { name: 'payments_are_of_sales', of: 'everything', differences: PAYMENTS_OF_SALES },
]
