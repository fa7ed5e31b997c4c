import { sql } from 'kysely'
import { type Comparison, dollars } from '../ledger/comparison-queries.server.ts'
import { boughtNothing, PAGE_PAYMENTS } from '../payments/comparison-queries.server.ts'

/** Each purchase that was paid in time is a booking, and each booking a purchase that was paid. */
const BOOKED_PURCHASES = sql`
  select paid.id as subject, paid.amount_cents as cents,
    case when b.id is null then 'paid, and neither booked nor refunded'
      when paid.state <> 'paid' then 'is the booking ' || b.id || ', and the payment''s state is ''' || paid.state || ''''
      when b.payment_id is distinct from paid.provider_reference
        then 'is the booking ' || b.id || ', which names another payment at the provider'
      else 'is the booking ' || b.id || ' of another business' end as detail
  from page join payments paid on paid.id = page.id join sales on sales.id = page.id
  left join bookings b on b.payment_row_id = paid.id
  where case when b.id is null then paid.state = 'paid' and not ${boughtNothing(sql`paid.id`)}
    else paid.state <> 'paid' or b.payment_id is distinct from paid.provider_reference
      or b.vendor_id <> sales.business_id end`

/** The bookings of the page with what their sale says. */
const PAGE_BOOKINGS = sql`
  select b.*, sales.price_cents as sale_cents, sales.unit_price_cents as unit_cents, sales.quote is not null as is_quoted,
    sales.policy is not null as has_terms, coalesce(jsonb_array_length(sales.instalments), 0) as planned
  from page join sales on sales.id = page.id join bookings b on b.payment_row_id = page.id`

/**
 * A booking's price is that of its line items with the agreed changes, and the agreed price of one person or hour for its number: a
 * quote's for the whole. The sale says the same, and its instalments are stored if there are several.
 */
const AGREED_PRICES = sql`
  select id as subject, total_price_cents - unit_cents * units as cents,
    'the booking says ' || ${dollars(sql`total_price_cents`)} || ', its sale ' || ${dollars(sql`sale_cents`)} || ', '
      || units || ' times its unit price ' || ${dollars(sql`unit_cents * units`)} || ', its line item with the changes '
      || ${dollars(sql`line_cents + changed_cents`)} || case when is_unplanned then ', and it has no instalments' else '' end
      as detail
  from (
    select b.id, b.total_price_cents, b.sale_cents, b.unit_cents, case when b.is_quoted then 1 else b.quantity end as units,
      l.unit_price_cents * case when b.is_quoted then 1 else l.quantity end as line_cents,
      coalesce((
        select sum((sale_after->>'priceCents')::bigint - (sale_before->>'priceCents')::bigint)
        from changes where booking_id = b.id and state = 'paid'
      ), 0) as changed_cents,
      b.planned > 1 and not exists (select from instalments where payment_id = b.payment_row_id) as is_unplanned
    from (${PAGE_BOOKINGS}) b
    left join payment_lines l on l.payment_id = b.payment_row_id and l.line = b.line
  ) compared
  where total_price_cents <> sale_cents or total_price_cents <> unit_cents * units
    or total_price_cents is distinct from line_cents + changed_cents or is_unplanned`

/**
 * The payments of the page's purchases that bought something (`bought`), their refunds as `refundStateOf` sees them (`refunds`), and
 * the sums of each purchase (`charges`). Each is read once, since a subquery for each booking would read the page again.
 */
const PAGE_MONEY = sql`
  bought as materialized (
    select paid.id, paid.purchase, paid.state, paid.amount_cents from (${PAGE_PAYMENTS}) paid
    where not ${boughtNothing(sql`paid.id`)}
  ), refunds as materialized (
    select a.*, bought.purchase,
      case when a.state <> 'done' then 'moving'
        when a.provider_status is null or a.provider_status = 'succeeded' then 'done'
        when a.provider_status in ('failed', 'canceled') then coalesce(a.resolution, 'failed')
        else 'moving' end as standing
    from bought join payment_actions a on a.payment_id = bought.id where a.kind = 'refund'
  ), losses as materialized (
    select bought.purchase, sum(d.amount_cents) as lost
    from bought join disputes d on d.payment_id = bought.id where d.status = 'lost' group by 1
  ), charges as materialized (
    select bought.purchase, sum(bought.amount_cents) filter (where bought.state = 'paid') as charged,
      coalesce(max(losses.lost), 0) as lost
    from bought left join losses using (purchase) group by 1
  )`

/** Refunds that a booking's end has ordered. */
const END_REASONS = sql`('declined', 'undecided', 'withdrawn')`

/**
 * A booking's status follows from its decision and what that left behind: refunds, a cancellation, a slot, instalments. The status
 * of its money follows from charges and refunds (`moneyStatusOf`).
 */
const DECIDED_STATUSES = sql`
  with ${PAGE_MONEY}, sums as (
    select b.*, coalesce(charges.charged, 0) as charged, coalesce(charges.lost, 0) as lost,
      coalesce(r.done, 0) as done, coalesce(r.open, 0) as open, coalesce(r.ordered, 0) as ordered,
      coalesce(r.has_end, false) as has_end, coalesce(r.ends_declined, false) as ends_declined,
      coalesce(r.ends_withdrawn, false) as ends_withdrawn, c.cancelled_by
    from (${PAGE_BOOKINGS}) b
    left join charges on charges.purchase = b.payment_row_id
    left join (
      select purchase, sum(amount_cents) filter (where standing = 'done' and state <> 'cancelled') as done,
        sum(amount_cents) filter (where standing in ('moving', 'failed') and state <> 'cancelled') as open,
        sum(amount_cents) filter (where standing <> 'refunded_again' and state <> 'cancelled') as ordered,
        bool_or(reason in ${END_REASONS}) as has_end,
        bool_or(state <> 'cancelled' and reason in ('declined', 'undecided')) as ends_declined,
        bool_or(state <> 'cancelled' and reason = 'withdrawn') as ends_withdrawn
      from refunds group by purchase
    ) r on r.purchase = b.payment_row_id
    left join lateral (
      select min(cancelled_by) as cancelled_by from cancellations where booking_id = b.id
    ) c on true
  ), derived as (
    select *, case when done >= charged then 'refunded'
      when ordered >= charged and open > 0 then 'refund due' else 'paid' end as money_status
    from sums
  )
  select id as subject, total_price_cents as cents, detail
  from (
    select id, total_price_cents, concat_ws('; ',
      case when payment_status <> money_status then 'its money is ''' || payment_status || ''', by its refunds '''
        || money_status || '''' end,
      case
        when (status = 'pending') <> (decided_at is null)
          then 'its status is ''' || status || case when decided_at is null then ''', and nobody has decided'
            else ''', although it was decided' end
        when status in ('pending', 'approved') and (ends_declined or ends_withdrawn or cancelled_by is not null)
          then 'its status is ''' || status || ''', and it was called off'
        when status in ('declined', 'withdrawn') and not has_end and cancelled_by is null and ordered + lost < charged
          then 'its status is ''' || status || ''', and nothing has called it off'
        when status = 'declined' and (ends_withdrawn or cancelled_by in ('customer', 'overdue'))
          or status = 'withdrawn' and (ends_declined or cancelled_by = 'vendor')
          then 'its status is ''' || status || ''', and the other side has called it off'
      end,
      case when status in ('declined', 'withdrawn') and (
          exists (select from slots where booking_id = derived.id)
          or exists (select from changes where booking_id = derived.id and state in ('proposed', 'accepted'))
          or exists (select from instalments where payment_id = derived.payment_row_id and state not in ('paid', 'ended'))
        ) then 'its status is ''' || status || ''', and its time, a change or a balance is still open' end,
      case when status in ('pending', 'approved') and exists (
          select from instalments where payment_id = derived.payment_row_id and state = 'ended' and amount_cents > 0
        ) then 'its status is ''' || status || ''', and its balance has ended' end) as detail
    from derived
  ) compared
  where detail <> ''`

/**
 * A cancellation's refund is what was ordered for it, what it never charges are the ended instalments, and it kept the rest of what
 * was left. Where a bank has decided, or a refund was made by hand or cut, the refund lies between what is left of it and what was
 * ordered.
 */
const AGREED_CANCELLATIONS = sql`
  with ${PAGE_MONEY}
  select c.booking_id as subject, c.refund_cents - coalesce(r.live, 0) as cents,
    'it says that ' || ${dollars(sql`c.refund_cents`)} || ' goes back, ' || ${dollars(sql`c.kept_cents`)}
      || ' is kept and ' || ${dollars(sql`c.uncollected_cents`)} || ' is never charged; its refunds are '
      || ${dollars(sql`r.live`)} || ', ' || ${dollars(sql`l.left_cents`)} || ' was left, its ended instalments are '
      || ${dollars(sql`i.ended`)} as detail
  from (${PAGE_BOOKINGS}) b
  join cancellations c on c.booking_id = b.id
  left join charges on charges.purchase = b.payment_row_id
  left join lateral (
    select sum(amount_cents) filter (where state <> 'cancelled' and standing <> 'refunded_again') as live,
      sum(amount_cents) as all_cents
    from refunds
    where purchase = b.payment_row_id and reason in ${END_REASONS} and created_at >= c.created_at
  ) r on true
  left join lateral (
    select exists (
        select from refunds where purchase = b.payment_row_id
          and (note = 'Made at the provider' or state = 'cancelled' or resolution = 'refunded_again'
            or created_at = c.created_at and reason not in ${END_REASONS})
      ) or charges.lost > 0 as is_unsure,
      coalesce(charges.charged, 0)
      - (select coalesce(sum(amount_cents), 0) from refunds
        where purchase = b.payment_row_id and state <> 'cancelled' and created_at < c.created_at) as left_cents
  ) l on true
  left join lateral (
    select sum(amount_cents) filter (where state = 'ended') as ended
    from instalments where payment_id = b.payment_row_id
  ) i on true
  where case when l.is_unsure then c.refund_cents > coalesce(r.all_cents, 0) or c.refund_cents < coalesce(r.live, 0)
      else c.refund_cents <> coalesce(r.live, 0) or c.refund_cents + c.kept_cents <> l.left_cents end
    or (b.has_terms and c.uncollected_cents <> coalesce(i.ended, 0))`

/**
 * A change that took effect has the prices of the sale for both numbers, its payment was charged for what was due, and the newest
 * one's outcome is what is booked now.
 */
const AGREED_CHANGES = sql`
  with changed as materialized (
    select c.*, b.quantity, b.total_price_cents, b.payment_row_id, b.unit_cents, b.is_quoted, (sale_before->>'priceCents')::bigint as before_cents,
      (sale_after->>'priceCents')::bigint as after_cents,
      max(c.ended_at) over (partition by c.booking_id) as last_at
    from (${PAGE_BOOKINGS}) b join changes c on c.booking_id = b.id where c.state = 'paid'
  )
  select c.booking_id as subject, c.after_cents - c.before_cents as cents,
    'the change ' || c.id || ' is from ' || ${dollars(sql`c.before_cents`)} || ' to ' || ${dollars(sql`c.after_cents`)}
      || ', with ' || ${dollars(sql`c.due_cents`)} || ' due and ' || ${dollars(sql`c.refund_cents`)}
      || ' back; its payment was ' || coalesce(${dollars(sql`paid.amount_cents`)}, 'none') as detail
  from changed c left join payments paid on paid.id = c.payment_id and c.due_cents > 0
  where c.before_cents <> c.unit_cents * case when is_quoted then 1 else (sale_before->>'quantity')::integer end
    or c.after_cents <> c.unit_cents * case when is_quoted then 1 else (sale_after->>'quantity')::integer end
    or (c.due_cents > 0 and (paid.state is distinct from 'paid' or paid.amount_cents <> c.due_cents + c.refund_cents))
  union all
  select booking_id, max(total_price_cents), 'its last change ended in another number or price than is booked'
  from changed where ended_at = last_at
  group by booking_id
  having not bool_or(after_cents = total_price_cents and (sale_after->>'quantity')::integer = quantity)
  union all
  select c.booking_id, sum(c.refund_cents) - coalesce(max(r.live), 0),
    'its changes have given back ' || ${dollars(sql`sum(c.refund_cents)`)} || ', its refunds for them are '
      || ${dollars(sql`coalesce(max(r.live), 0)`)}
  from changed c
  left join lateral (
    select sum(a.amount_cents) filter (where a.state <> 'cancelled' and a.resolution is distinct from 'refunded_again') as live,
      sum(a.amount_cents) as all_cents,
      bool_or(a.state = 'cancelled') as is_cut
    from (${PAGE_PAYMENTS}) paid join payment_actions a on a.payment_id = paid.id
    where paid.purchase = c.payment_row_id and a.kind = 'refund' and a.reason = 'changed'
  ) r on true
  group by c.booking_id
  having case when bool_or(r.is_cut) then sum(c.refund_cents) not between coalesce(max(r.live), 0) and max(r.all_cents)
    else sum(c.refund_cents) <> coalesce(max(r.live), 0) end`

/**
 * The ledger's booking of each payment is the booking that the payment bought. A posting about another booking nets
 * that booking's debt out of a transfer to the same vendor.
 */
const NAMED_BOOKINGS = sql`
  select key as subject, cents, detail from (
    select page.key, 0 as cents, case
        when page.payment_id is null and b.id is null then 'names the booking ' || page.booking_id || ', which doesn''t exist'
        when page.booking_id is null then 'names no booking, and its payment has bought ' || bought.id
        when bought.id is null then 'names the booking ' || page.booking_id || ', and its payment has bought none'
        else 'names the booking ' || page.booking_id || ', and its payment has bought ' || bought.id end as detail
    from page
    left join payments paid on paid.id = page.payment_id
    left join lateral (
      select id from bookings where payment_row_id = paid.sale_id order by line limit 1
    ) bought on true
    left join bookings b on b.id = page.booking_id
    where case when page.payment_id is null then page.booking_id is not null and b.id is null
      else page.booking_id is distinct from bought.id end
    union all
    select page.key, p.cents, 'has a posting about the booking ' || p.booking_id
    from page join ledger_postings p on p.transaction_id = page.id
    left join bookings b on b.id = p.booking_id left join sales on sales.id = b.payment_row_id
    where p.booking_id is distinct from page.booking_id
      and not (page.kind = 'transfer' and p.account = 'vendor_receivable'
        and sales.owner_user_id is not distinct from page.vendor_user_id)
  ) named`

/** The comparisons of bookings, cancellations and changes with what they follow from. */
export const BOOKING_COMPARISONS: readonly Comparison[] = [
  { name: 'purchases_are_booked', of: 'purchases', differences: BOOKED_PURCHASES },
  { name: 'prices_are_agreed', of: 'purchases', differences: AGREED_PRICES },
  { name: 'statuses_are_decided', of: 'purchases', differences: DECIDED_STATUSES },
  { name: 'cancellations_agree', of: 'purchases', differences: AGREED_CANCELLATIONS },
  { name: 'changes_agree', of: 'purchases', differences: AGREED_CHANGES },
  { name: 'ledger_names_bookings', of: 'transactions', differences: NAMED_BOOKINGS },
]
