import { type RawBuilder, sql } from 'kysely'
import { type Comparison, dollars } from '../ledger/comparison-queries.server.ts'

/** Selects the payments of the page's purchases, each with its `purchase`. */
export const PAGE_PAYMENTS = sql`
  select payments.*, page.id as purchase from page join payments on payments.sale_id = page.id`

/**
 * The condition that a payment is unfulfilled (`isUnfulfilled`).
 * @param paymentId the column of the payment's id in the query around it
 */
export const unfulfilled = (paymentId: RawBuilder<unknown>) => sql`exists (
  select from payment_actions wholes
  where wholes.payment_id = ${paymentId} and wholes.kind = 'refund' and wholes.line is null
)`

/**
 * A charge, the money with a bank that hasn't decided, and the money that a bank has kept: each payment has the same as the
 * ledger. A payment that wasn't charged has none.
 */
const POSTED_PAYMENTS = sql`
  select id as subject, abs(charged - l_charged) + abs(disputed - l_disputed) + abs(lost - l_lost) as cents,
    concat_ws('; ',
      case when charged <> l_charged then 'charged ' || ${dollars(sql`charged`)} || ' by its state ''' || state
        || ''', ' || ${dollars(sql`l_charged`)} || ' in the ledger' end,
      case when disputed <> l_disputed then ${dollars(sql`disputed`)} || ' disputed, '
        || ${dollars(sql`l_disputed`)} || ' in the ledger' end,
      case when lost <> l_lost then ${dollars(sql`lost`)} || ' lost to a bank, '
        || ${dollars(sql`l_lost`)} || ' in the ledger' end) as detail
  from (
    select paid.id, paid.state, coalesce(d.disputed, 0) as disputed, coalesce(d.lost, 0) as lost,
      coalesce(l.charged, 0) as l_charged, coalesce(l.disputed, 0) as l_disputed, coalesce(l.lost, 0) as l_lost,
      -- A payment that failed for its wrong amount was charged what is refunded of it.
      case paid.state when 'paid' then paid.amount_cents when 'failed' then coalesce(w.cents, paid.amount_cents)
        else 0 end as charged
    from (${PAGE_PAYMENTS}) paid
    left join lateral (
      select max(amount_cents) as cents from payment_actions
      where payment_id = paid.id and kind = 'refund' and reason = 'wrong_amount'
    ) w on true
    left join lateral (
      select sum(amount_cents) filter (where status <> 'lost') as disputed,
        sum(amount_cents) filter (where status = 'lost') as lost
      from disputes where payment_id = paid.id and funds = 'withdrawn'
    ) d on true
    left join lateral (
      select
        sum(p.cents) filter (where p.account in ('provider_balance', 'bank') and t.kind in ('charge', 'opening')) as charged,
        sum(p.cents) filter (where p.account = 'disputed') as disputed,
        -sum(p.cents) filter (where p.account = 'disputed' and t.kind = 'dispute_lost') as lost
      from ledger_transactions t join ledger_postings p on p.transaction_id = t.id where t.payment_id = paid.id
    ) l on true
  ) compared
  where charged <> l_charged or disputed <> l_disputed or lost <> l_lost`

/** The sum that a transaction moved in cash, by its key; null without one. */
const cashOf = (key: RawBuilder<unknown>) => sql`(
  select coalesce(sum(posted.cents) filter (where posted.account in ('provider_balance', 'bank')), 0)
  from ledger_transactions named left join ledger_postings posted on posted.transaction_id = named.id
  where named.key = ${key} group by named.id
)`

/**
 * Each refund moved in the ledger what its row says, as `movedMoneyOf` does: once it has left, once it has come back, and once it
 * was paid another way. Nothing that the provider has taken is due, cancelled or being sent.
 */
const POSTED_REFUNDS = sql`
  select id as subject, abs(sent - l_sent) + abs(back - l_back) + abs(otherwise - l_otherwise) as cents,
    concat_ws('; ',
      case when sent <> l_sent then ${dollars(sql`sent`)} || ' left by its state ''' || state || ''', '
        || ${dollars(sql`l_sent`)} || ' in the ledger' end,
      case when back <> l_back then ${dollars(sql`back`)} || ' came back, ' || ${dollars(sql`l_back`)}
        || ' in the ledger' end,
      case when otherwise <> l_otherwise then ${dollars(sql`otherwise`)} || ' paid another way, '
        || ${dollars(sql`l_otherwise`)} || ' in the ledger' end,
      case when is_contradicted then 'its state is ''' || state || ''', although the provider has made it' end
    ) as detail
  from (
    select id, state,
      case when has_left then amount_cents else 0 end as sent, coalesce(-out_cents, 0) as l_sent,
      case when provider_status = 'failed' or provider_status = 'canceled' and out_cents is not null
        then amount_cents else 0 end as back, coalesce(back_cents, 0) as l_back,
      case when resolution = 'paid_otherwise' then amount_cents else 0 end as otherwise,
      coalesce(-otherwise_cents, 0) as l_otherwise,
      state <> 'done' and (out_cents is not null and back_cents is null
        or provider_status in ('pending', 'requires_action', 'succeeded')) as is_contradicted
    from (
      select r.*, case
          when provider_status is null then out_cents is not null or state = 'done'
          when provider_status = 'pending' then
            out_cents is not null or pending_reason is distinct from 'insufficient_funds'
          when provider_status in ('requires_action', 'canceled') then out_cents is not null
          else true
        end as has_left
      from (
        select a.*, ${cashOf(sql`'refund:' || a.id`)} as out_cents,
          ${cashOf(sql`'refund_failed:' || a.id`)} as back_cents,
          ${cashOf(sql`'refund:' || a.id || ':otherwise'`)} as otherwise_cents
        from (${PAGE_PAYMENTS}) paid join payment_actions a on a.payment_id = paid.id
        where a.kind = 'refund'
      ) r
    ) moved
  ) compared
  where sent <> l_sent or back <> l_back or otherwise <> l_otherwise or is_contradicted`

/** A payment's own rows say the same: its line items and its day of payment. */
const AGREEING_PAYMENTS = sql`
  select id as subject, abs(amount_cents - lines) as cents,
    concat_ws('; ',
      case when amount_cents <> lines then ${dollars(sql`amount_cents`)} || ', its line items '
        || ${dollars(sql`lines`)} end,
      case when paid_at is not null and state <> 'paid' then 'was paid, and its state is ''' || state || '''' end,
      case when has_half_dispute then 'has a dispute that is open and decided at once' end) as detail
  from (
    select paid.id, paid.amount_cents, paid.state, paid.paid_at,
      coalesce((select sum(amount_cents) from payment_lines where payment_id = paid.id), 0) as lines,
      exists (
        select from disputes where payment_id = paid.id
          and (closed_at is not null) <> (status in ('won', 'lost', 'warning_closed', 'prevented'))
      ) as has_half_dispute
    from (${PAGE_PAYMENTS}) paid
  ) compared
  where amount_cents <> lines or paid_at is not null and state <> 'paid' or has_half_dispute`

/** The commission on what a vendor has earned of a sale is the sale's rate, with its GST, to the cent (`sharesOf`). */
const COMMISSION_OF_SALES = sql`
  select purchase as subject, abs(commission - due) + abs(gst - due_gst) as cents,
    ${dollars(sql`commission`)} || ' with ' || ${dollars(sql`gst`)} || ' GST of ' || ${dollars(sql`kept`)}
      || ' earned; the sale''s ' || rate / 100.0 || ' % are ' || ${dollars(sql`due`)} || ' with '
      || ${dollars(sql`due_gst`)} as detail
  from (
    select *, case when is_registered then floor((2 * due + 11) / 22) else 0 end as due_gst
    from (
      select *, floor((greatest(kept, 0) * rate + 5000) / 10000) as due
      from (
        select page.id as purchase, coalesce((sales.commission->>'basisPoints')::numeric, 0) as rate,
          coalesce((sales.commission->>'isGstRegistered')::boolean, false) as is_registered,
          sum(l.kept) as kept, sum(l.commission) as commission, sum(l.gst) as gst
        from page join sales on sales.id = page.id
        join (${PAGE_PAYMENTS}) paid on paid.purchase = page.id
        join lateral (
          select -sum(p.cents) as kept,
            -coalesce(sum(p.cents) filter (where p.account <> 'vendor_payable'), 0) as commission,
            -coalesce(sum(p.cents) filter (where p.account = 'gst_on_commission'), 0) as gst
          from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
          where t.payment_id = paid.id and t.kind in ('earned', 'commission', 'refund', 'dispute_opened')
            and p.account in ('vendor_payable', 'commission', 'gst_on_commission')
        ) l on l.kept is not null
        group by page.id, sales.commission
      ) sums
    ) shares
  ) compared
  where commission <> due or gst <> due_gst`

/**
 * Each transaction about a payment names a payment, a refund or a dispute that exists, and its vendor. This is the other
 * direction: rows that were deleted are found by what the ledger still has.
 */
const NAMED_PAYMENTS = sql`
  select key as subject, coalesce((
      select max(cents) from ledger_postings where transaction_id = named.id
    ), 0) as cents, detail
  from (
    select page.*, concat_ws('; ',
      case when page.payment_id is not null and paid.id is null
        then 'names the payment ' || page.payment_id || ', which doesn''t exist' end,
      case when page.kind in ('charge', 'opening')
        and split_part(page.key, ':', 2) <> page.payment_id then 'is another payment''s charge' end,
      case when page.kind in ('charge', 'opening') and page.provider_reference <> paid.provider_reference
        then 'has another reference at the provider than the payment' end,
      case when page.kind in ('refund', 'refund_failed') and page.payment_id is not null and a.id is null
        then 'is of a refund that the payment doesn''t have' end,
      case when page.kind like 'dispute\\_%' and page.kind <> 'dispute_fee' and page.payment_id is not null
        and d.id is null
        then 'is of a dispute that the payment doesn''t have' end,
      case when page.payment_id is not null and page.vendor_user_id is distinct from
        case when page.booking_id is null then '' else sales.owner_user_id end
        then 'names another vendor than the payment' end) as detail
    from page
    left join payments paid on paid.id = page.payment_id
    left join sales on sales.id = paid.sale_id
    left join payment_actions a on a.id = split_part(page.key, ':', 2) and a.payment_id = page.payment_id
      and page.kind in ('refund', 'refund_failed')
    left join disputes d on d.id = split_part(page.key, ':', 2) and d.payment_id = page.payment_id
      and page.kind in ('dispute_opened', 'dispute_won', 'dispute_lost')
  ) named
  where detail <> ''`

/** A sale has its first payment, and what it agreed to adds up to its price. */
const AGREEING_SALES = sql`
  select id as subject, abs(price_cents - planned) as cents,
    concat_ws('; ',
      case when price_cents <> planned then 'agreed at ' || ${dollars(sql`price_cents`)} || ', its instalments add up to '
        || ${dollars(sql`planned`)} end,
      case when has_no_payment then 'has no payment' end) as detail
  from (
    select sales.id, sales.price_cents,
      coalesce((select sum((one->>'cents')::bigint) from jsonb_array_elements(sales.instalments) as each (one)),
        sales.price_cents) as planned,
      first.id is null as has_no_payment
    from page join sales on sales.id = page.id left join payments first on first.id = sales.id
  ) compared
  where price_cents <> planned or has_no_payment`

/** Each payment pays for a sale that exists, and the payment that began a sale pays for that sale. */
const PAYMENTS_OF_SALES = sql`
  select payments.id as subject, payments.amount_cents as cents,
    case when sales.id is null then 'is a payment of no sale' else 'began another sale than it pays for' end as detail
  from payments left join sales on sales.id = payments.sale_id
  where sales.id is null
    or payments.sale_id <> payments.id and exists (select from sales began where began.id = payments.id)`

/** The comparisons of sales, payments' own tables and the ledger, in both directions. */
export const PAYMENT_COMPARISONS: readonly Comparison[] = [
  { name: 'sales_agree', of: 'purchases', differences: AGREEING_SALES },
  { name: 'payments_are_of_sales', of: 'everything', differences: PAYMENTS_OF_SALES },
  { name: 'payments_are_posted', of: 'purchases', differences: POSTED_PAYMENTS },
  { name: 'refunds_are_posted', of: 'purchases', differences: POSTED_REFUNDS },
  { name: 'payments_agree', of: 'purchases', differences: AGREEING_PAYMENTS },
  { name: 'commission_is_of_the_sale', of: 'purchases', differences: COMMISSION_OF_SALES },
  { name: 'ledger_names_payments', of: 'transactions', differences: NAMED_PAYMENTS },
]
