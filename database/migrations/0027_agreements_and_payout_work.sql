-- What vendors and customers have accepted, and the work list of payouts.

-- One row for each acceptance. The hash is of the text in legal/, so that it is known later which text was accepted.
create table acceptances (
  id text primary key,
  -- Null for a guest, whose payment names them.
  user_id text,
  document text not null check (document in ('vendor_agreement', 'customer_terms')),
  version text not null,
  sha256 text not null,
  payment_id text,
  accepted_at timestamptz not null
);
create unique index acceptances_of_vendor on acceptances (user_id, version) where document = 'vendor_agreement';
create unique index acceptances_of_payment on acceptances (payment_id) where payment_id is not null;

-- The bookings whose money may have somewhere to go. The job looks at each from look_at on, and deletes the row once its
-- money is at rest. Each posting about a booking puts it at the front again: what follows from the ledger needs no other news.
create table payout_queue (
  booking_id text primary key,
  look_at timestamptz not null
);
create index payout_queue_in_order on payout_queue (look_at);

create function queue_payouts() returns trigger language plpgsql as $$
begin
  insert into payout_queue (booking_id, look_at)
    select distinct booking_id, '-infinity'::timestamptz from added where booking_id is not null order by booking_id
    on conflict (booking_id) do update set look_at = excluded.look_at;
  return null;
end $$;
create trigger payout_queue_filled after insert on ledger_postings
  referencing new table as added for each statement execute function queue_payouts();
insert into payout_queue (booking_id, look_at)
  select distinct booking_id, '-infinity'::timestamptz from ledger_postings where booking_id is not null;

-- The debts of a vendor are read before each transfer.
create index ledger_postings_of_debts on ledger_postings (vendor_user_id, booking_id)
  where account = 'vendor_receivable';

-- When the provider was last asked about payouts to this account's bank.
alter table payout_accounts add column payouts_asked_at timestamptz;

-- An operator's order above the limit, which waits for another operator.
create table payout_orders (
  id text primary key,
  kind text not null check (kind in ('write_off', 'debt_paid', 'paid_by_bank')),
  vendor_user_id text not null,
  booking_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  placed_by text not null,
  placed_by_email text not null,
  placed_at timestamptz not null,
  settled_by text,
  settled_at timestamptz,
  -- 'dropped' by an operator, or since the amount exceeded what was left.
  outcome text check (outcome in ('done', 'dropped'))
);
create unique index payout_orders_waiting on payout_orders (kind, booking_id) where settled_at is null;
