-- The ledger: every movement of money as a transaction of signed postings that sum to 0, in cents. Debits are positive,
-- credits negative. Nothing here is ever changed or deleted: a mistake is corrected by another transaction.
-- docs/ledger.md has the accounts and the kinds.

create table ledger_transactions (
  id bigint generated always as identity primary key,
  -- Names the event, so that posting it again changes nothing: 'charge:{payment}:{line}'.
  key text not null unique check (key <> ''),
  kind text not null check (kind in ('charge', 'fee', 'refund', 'refund_failed', 'earned', 'commission', 'transfer',
    'reversal', 'dispute_opened', 'dispute_won', 'dispute_lost', 'dispute_fee', 'adjustment', 'write_off', 'opening')),
  -- The user whose business was paid; '' for money of the operator alone.
  vendor_user_id text not null,
  -- No foreign keys: the ledger outlives what it is about. Money that bought nothing has a payment and no booking.
  booking_id text,
  payment_id text,
  -- The provider's id of the charge, refund, transfer or dispute.
  provider_reference text,
  posted_at timestamptz not null
);
create index ledger_transactions_by_reference on ledger_transactions (provider_reference)
  where provider_reference is not null;

create table ledger_postings (
  transaction_id bigint not null references ledger_transactions (id),
  line smallint not null check (line >= 1),
  account text not null check (account in ('provider_balance', 'bank', 'customer_money_held', 'vendor_payable',
    'vendor_receivable', 'commission', 'gst_on_commission', 'provider_fees', 'disputed', 'losses')),
  -- As in the transaction. Only a transfer may also post to other bookings of its vendor, whose debts it nets.
  vendor_user_id text not null,
  booking_id text,
  cents bigint not null check (cents <> 0),
  primary key (transaction_id, line)
);
create index ledger_postings_by_booking on ledger_postings (booking_id) where booking_id is not null;

-- The sums of the postings, kept by a trigger in the same transaction. One row for each vendor and account, so that only
-- postings of the same vendor wait for each other.
create table ledger_balances (
  vendor_user_id text not null,
  account text not null,
  cents bigint not null,
  primary key (vendor_user_id, account)
) with (fillfactor = 50);

-- Commission by category or by vendor, in basis points (1,000 is 10 %). A later row replaces an earlier one from its time.
create table commission_rates (
  id text primary key,
  category text,
  vendor_user_id text,
  basis_points integer not null check (basis_points between 0 and 10000),
  valid_from timestamptz not null,
  created_at timestamptz not null,
  check (num_nonnulls(category, vendor_user_id) = 1)
);
create unique index commission_rates_of_category on commission_rates (category, valid_from) where category is not null;
create unique index commission_rates_of_vendor on commission_rates (vendor_user_id, valid_from)
  where vendor_user_id is not null;

-- Locks the money of vendors until the transaction ends. All take these locks in the same order, and before anything else
-- of the ledger, so they never deadlock.
create function lock_ledger(vendors text[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(lock) from (
    select distinct hashtextextended('ledger:' || vendor, 0) as lock from unnest(vendors) vendor order by lock
  ) sorted;
end $$;

create function keep_ledger_balances() returns trigger language plpgsql as $$
begin
  -- All postings of a transaction come in one statement, so a later one can't change a transaction that stands.
  if exists (select from added group by transaction_id having min(line) <> 1) then
    raise exception 'A ledger transaction that exists gets no more postings.' using errcode = 'check_violation';
  end if;
  insert into ledger_balances as b (vendor_user_id, account, cents)
    select vendor_user_id, account, sum(cents) from added group by vendor_user_id, account
    order by vendor_user_id, account
    on conflict (vendor_user_id, account) do update set cents = b.cents + excluded.cents;
  return null;
end $$;
create trigger ledger_balances_kept after insert on ledger_postings
  referencing new table as added for each statement execute function keep_ledger_balances();

create function check_ledger_transaction() returns trigger language plpgsql as $$
declare
  total numeric;
  is_its_own boolean;
begin
  select sum(cents), bool_and(vendor_user_id = new.vendor_user_id
      and (new.kind = 'transfer' or booking_id is not distinct from new.booking_id))
    into total, is_its_own from ledger_postings where transaction_id = new.id;
  if total is distinct from 0 then
    raise exception 'The postings of ledger transaction % sum to %, not 0.', new.key, coalesce(total::text, 'nothing')
      using errcode = 'check_violation';
  end if;
  if not is_its_own then
    raise exception 'Ledger transaction % posts to another vendor or booking.', new.key using errcode = 'check_violation';
  end if;
  return null;
end $$;
-- Checked at the commit, when all postings are there.
create constraint trigger ledger_transactions_sum_to_zero after insert on ledger_transactions
  deferrable initially deferred for each row execute function check_ledger_transaction();

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed or deleted: post a correction.', tg_table_name
    using errcode = 'restrict_violation';
end $$;
create trigger ledger_transactions_stand before update or delete or truncate on ledger_transactions
  for each statement execute function refuse_ledger_change();
create trigger ledger_postings_stand before update or delete or truncate on ledger_postings
  for each statement execute function refuse_ledger_change();
create trigger commission_rates_stand before update or delete or truncate on commission_rates
  for each statement execute function refuse_ledger_change();

create function guard_ledger_balances() returns trigger language plpgsql as $$
begin
  -- At depth 1 the statement comes from outside. The trigger on postings is one deeper.
  if pg_trigger_depth() < 2 then
    raise exception 'Only postings change ledger_balances.' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger ledger_balances_guarded before insert or update or delete or truncate on ledger_balances
  for each statement execute function guard_ledger_balances();
