import { sql } from 'kysely'
import { type Comparison, dollars } from '../ledger/comparison-queries.server.ts'

/**
 * A sale by a quote has the price that was accepted and the sum of its lines, and its quote is booked once the booking is. The
 * quote may have been deleted with its conversation.
 */
const AGREEING_QUOTES = sql`
  select purchase as subject, sale_cents - line_cents as cents,
    'sold by a quote for ' || ${dollars(sql`sale_cents`)} || ', accepted at ' || ${dollars(sql`accepted_cents`)}
      || ', its lines are ' || ${dollars(sql`line_cents`)} || ', its state is ''' || coalesce(state, 'deleted') || '''' as detail
  from (
    select page.id as purchase, sales.unit_price_cents as sale_cents, q.id, q.state, q.accepted_cents,
      (b.id is not null) as is_booked,
      (select sum((each.line->>'quantity')::bigint * (each.line->>'unitPriceCents')::bigint)
        from jsonb_array_elements(sales.quote->'lines') as each (line)) as line_cents
    from page join sales on sales.id = page.id
    left join quotes q on q.id = sales.quote->>'id' and q.payment_id = sales.id
    left join bookings b on b.payment_row_id = sales.id
    where sales.quote is not null
  ) compared
  where sale_cents <> line_cents
    or id is not null and (accepted_cents is distinct from sale_cents or (state = 'booked') <> is_booked)`

/** The comparison of accepted quotes with their sales. */
export const QUOTE_COMPARISONS: readonly Comparison[] = [
  { name: 'quotes_agree', of: 'purchases', differences: AGREEING_QUOTES },
]
