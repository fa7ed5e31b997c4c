import { type RawBuilder, sql } from 'kysely'
import { type Comparison, dollars } from '../ledger/comparison-queries.server.ts'

/** The sum of a transaction's postings on some accounts, by its key; 0 without one. */
const postedOn = (key: RawBuilder<unknown>, accounts: RawBuilder<unknown>) => sql`coalesce((
  select sum(posted.cents) from ledger_transactions named join ledger_postings posted on posted.transaction_id = named.id
  where named.key = ${key} and posted.account in (${accounts})
), 0)`
const CASH = sql`'provider_balance', 'bank'`

/**
 * Each transfer has left in the ledger with its amount, its netted debts and its reference once it was made, belongs to the booking
 * of its purchase and to that vendor, and is reversed by what was brought back. Each reversal is in the ledger too.
 */
const POSTED_TRANSFERS = sql`
  with made as materialized (
    select t.*, b.payment_row_id, sales.owner_user_id, l.provider_reference as l_reference,
      case when t.state in ('made', 'partly_reversed', 'reversed') then coalesce(t.amount_cents, 0) else 0 end as left_cents,
      -${postedOn(sql`'transfer:' || t.id`, CASH)} as l_left,
      case when t.state = 'due' then 0 else coalesce(t.netted_cents, 0) end as netted,
      ${postedOn(sql`'netted:' || t.id`, sql`'vendor_payable'`)} as l_netted,
      coalesce((
        select sum(amount_cents) from transfer_reversals where transfer_id = t.id and state = 'done'
      ), 0) as back_cents
    from page join transfers t on t.payment_id = page.id
    left join bookings b on b.id = t.booking_id
    left join sales on sales.id = b.payment_row_id
    left join ledger_transactions l on l.key = 'transfer:' || t.id
  )
  select id as subject, abs(left_cents - l_left) + abs(netted - l_netted) + abs(reversed_cents - back_cents) as cents, detail
  from (
    select *, concat_ws('; ',
      case when left_cents <> l_left then ${dollars(sql`left_cents`)} || ' left by its state ''' || state || ''', '
        || ${dollars(sql`l_left`)} || ' in the ledger' end,
      case when netted <> l_netted then ${dollars(sql`netted`)} || ' paid debts, ' || ${dollars(sql`l_netted`)}
        || ' in the ledger' end,
      case when reversed_cents <> back_cents then ${dollars(sql`reversed_cents`)} || ' reversed, its reversals are '
        || ${dollars(sql`back_cents`)} end,
      case when left_cents > 0 and state is distinct from case when back_cents = 0 then 'made'
        when back_cents < left_cents then 'partly_reversed' else 'reversed' end
        then 'its state is ''' || state || ''' with ' || ${dollars(sql`back_cents`)} || ' brought back' end,
      case when left_cents > 0 and provider_transfer is distinct from l_reference
        then 'has another reference at the provider than in the ledger' end,
      case when payment_row_id is distinct from payment_id or owner_user_id is distinct from vendor_user_id
        then 'belongs to another booking or vendor than its purchase' end) as detail
    from made
  ) transfer
  where detail <> ''
  union all
  select id, abs(cents - l_cents), 'of ' || ${dollars(sql`amount_cents`)} || ' in the state ''' || state || ''', and '
      || ${dollars(sql`l_cents`)} || ' in the ledger'
  from (
    select r.id, r.amount_cents, r.state,
      case when r.state in ('done', 'impossible') then r.amount_cents else 0 end as cents,
      case when r.state = 'impossible' then ${postedOn(sql`'reversal:' || r.id`, sql`'vendor_receivable'`)}
        else ${postedOn(sql`'reversal:' || r.id`, CASH)} end as l_cents
    from made join transfer_reversals r on r.transfer_id = made.id
  ) reversal
  where cents <> l_cents`

/** Each transaction of a transfer, a reversal or an operator's order names an existing one of the same booking. */
const NAMED_TRANSFERS = sql`
  select key as subject, coalesce((
      select max(cents) from ledger_postings where transaction_id = named.id
    ), 0) as cents, detail
  from (
    select page.id, page.key, case
        when page.kind = 'transfer' and split_part(page.key, ':', 1) in ('transfer', 'netted')
          and t.booking_id is distinct from page.booking_id then 'is of a transfer that the booking doesn''t have'
        when page.kind = 'reversal' and split_part(page.key, ':', 3) = '' and rt.booking_id is distinct from page.booking_id
          then 'is of a reversal that the booking doesn''t have'
        when split_part(page.key, ':', 1) = 'order' and o.booking_id is distinct from page.booking_id
          then 'is of an operator''s order that the booking doesn''t have'
      end as detail
    from page
    left join transfers t on t.id = split_part(page.key, ':', 2)
    left join transfer_reversals r on r.id = split_part(page.key, ':', 2)
    left join transfers rt on rt.id = r.transfer_id
    left join payout_orders o on o.id = split_part(page.key, ':', 2)
    where page.kind in ('transfer', 'reversal') or page.key like 'order:%'
  ) named
  where detail is not null`

/** Each order of an operator about a debt or a share is in the ledger with its amount, once it was done. */
const POSTED_ORDERS = sql`
  select id as subject, abs(cents - l_cents) as cents, 'of ' || ${dollars(sql`amount_cents`)} || ', outcome '''
      || coalesce(outcome, 'waits') || ''', and ' || ${dollars(sql`l_cents`)} || ' in the ledger' as detail
  from (
    select o.id, o.amount_cents, o.outcome, case when o.outcome = 'done' then o.amount_cents else 0 end as cents,
      coalesce((
        select max(p.cents) from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
        where t.key = 'order:' || o.id
      ), 0) as l_cents
    from page join bookings b on b.payment_row_id = page.id join payout_orders o on o.booking_id = b.id
  ) compared
  where cents <> l_cents`

/**
 * A payout to a vendor's bank took transfers of its account alone, none once it was returned. The payouts of an account are no more
 * than its transfers, and one payout is exactly its transfers where nothing was brought back or returned: later payouts make up for
 * both. Read at once, since there is one for each vendor and bank day. A transfer of no purchase is in no page, so it is here too.
 */
const AGREEING_BANK_PAYOUTS = sql`
  with sent as materialized (
    select payout_account_id, bank_payout_id, sum(amount_cents) as cents, sum(reversed_cents) as reversed
    from transfers where state in ('made', 'partly_reversed', 'reversed') and amount_cents > 0 group by 1, 2
  ), accounts as (
    select payout_account_id, sum(cents) as cents, sum(reversed) as reversed from sent group by 1
  ), payouts as (
    select payout_account_id, sum(amount_cents) filter (where state not in ('failed', 'canceled')) as cents,
      bool_or(state in ('failed', 'canceled')) as is_returned
    from bank_payouts group by 1
  )
  select payouts.payout_account_id as subject, payouts.cents - coalesce(accounts.cents, 0) as cents,
    ${dollars(sql`payouts.cents`)} || ' went to the bank of ' || ${dollars(sql`accounts.cents`)} || ' transferred' as detail
  from payouts left join accounts using (payout_account_id)
  where payouts.cents > coalesce(accounts.cents, 0)
  union all
  select p.id, p.amount_cents - sum(sent.cents), 'of ' || ${dollars(sql`p.amount_cents`)} || ' in the state ''' || p.state
      || ''', its transfers are ' || ${dollars(sql`sum(sent.cents)`)}
  from bank_payouts p
  join sent on sent.bank_payout_id = p.id
  left join accounts on accounts.payout_account_id = p.payout_account_id
  left join payouts on payouts.payout_account_id = p.payout_account_id
  group by p.id, accounts.reversed, payouts.is_returned
  having bool_or(sent.payout_account_id is distinct from p.payout_account_id) or p.state in ('failed', 'canceled')
    or coalesce(accounts.reversed, 0) = 0 and not payouts.is_returned and p.amount_cents <> sum(sent.cents)
  union all
  select sent.bank_payout_id, sum(sent.cents), 'has transfers, and no payout to a bank has this id'
  from sent where sent.bank_payout_id is not null
    and not exists (select from bank_payouts where id = sent.bank_payout_id)
  group by 1
  union all
  select t.id, coalesce(t.amount_cents, 0), 'is a transfer of no purchase'
  from transfers t
  where not exists (select from sales where id = t.payment_id)`

/** The comparisons of transfers, reversals, orders and bank payouts with the ledger. */
export const PAYOUT_COMPARISONS: readonly Comparison[] = [
  { name: 'transfers_are_posted', of: 'purchases', differences: POSTED_TRANSFERS },
  { name: 'ledger_names_transfers', of: 'transactions', differences: NAMED_TRANSFERS },
  { name: 'orders_are_posted', of: 'purchases', differences: POSTED_ORDERS },
  { name: 'bank_payouts_agree', of: 'everything', differences: AGREEING_BANK_PAYOUTS },
]
