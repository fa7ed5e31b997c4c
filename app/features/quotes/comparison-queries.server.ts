import { sql } from 'kysely'
import { type Comparison, dollars } from '../ledger/comparison-queries.server.ts'

/**
 * A sale by a quote has the price that was accepted and the sum of its lines, and its quote is booked once the booking is. The
 * quote may have been deleted with its conversation.
 */
const AGREEING_QUOTES = sql`
  select purchase as subject, sold_cents - line_cents as cents,
    'sold by a quote for ' || ${dollars(sql`sold_cents`)} || ', accepted at ' || ${dollars(sql`accepted_cents`)}
      || ', its lines are ' || ${dollars(sql`line_cents`)} || ', its state is ''' || coalesce(state, 'deleted') || '''' as detail
  from (
    select page.id as purchase, (first.sold->>'unitPriceCents')::bigint as sold_cents, q.id, q.state, q.accepted_cents,
      (b.id is not null) as is_booked,
      (select sum((each.line->>'quantity')::bigint * (each.line->>'unitPriceCents')::bigint)
        from jsonb_array_elements(first.sold->'quote'->'lines') as each (line)) as line_cents
    from page join payments first on first.id = page.id
    left join quotes q on q.id = first.sold->'quote'->>'id' and q.payment_id = first.id
    left join bookings b on b.payment_row_id = first.id
    where first.sold ? 'quote'
  ) compared
  where sold_cents <> line_cents
    or id is not null and (accepted_cents is distinct from sold_cents or (state = 'booked') <> is_booked)`

/** The comparison of accepted quotes with their sales. */
export const QUOTE_COMPARISONS: readonly Comparison[] = [
  { name: 'quotes_agree', of: 'purchases', differences: AGREEING_QUOTES },
]
