-- What an operator took off an instalment before it was paid. All amounts and reductions together are the price of the sale.
alter table instalments add column reduced_cents bigint not null default 0 check (reduced_cents >= 0);

-- Cards that were replaced, or saved too late, until the provider has deleted them.
alter table saved_cards add column unused_methods text[] not null default '{}';
create index saved_cards_unused on saved_cards (payment_id) where unused_methods <> '{}';

-- When a vendor who has accepted an earlier vendor agreement was told of a new one. Until 14 days later the earlier one holds.
create table agreement_notices (
  user_id text not null,
  version text not null,
  told_at timestamptz not null,
  primary key (user_id, version)
);

-- A vendor's listings say how often they cancelled what they had approved. A cancellation that is taken back is deleted.
create function tell_pages_of_cancellations() returns trigger language plpgsql as $$
declare
  cancellation cancellations := case when tg_op = 'INSERT' then new else old end;
begin
  if cancellation.cancelled_by = 'vendor' then
    perform tell_pages(array(
      select 'vendor:' || payments.owner_user_id from bookings join payments on payments.id = bookings.payment_row_id
      where bookings.id = cancellation.booking_id));
  end if;
  return null;
end $$;
create trigger cancellations_with_pages after insert or delete on cancellations
for each row execute function tell_pages_of_cancellations();

-- Operators' cancellations above the limit: each waits for a second operator.
create table cancellation_orders (
  id text primary key,
  -- The first payment of the purchase.
  payment_id text not null references payments (id),
  side text not null check (side in ('vendor', 'customer')),
  refund text not null check (refund in ('full', 'policy', 'amount')),
  -- What goes back. It is calculated again on confirmation, and has to be the same.
  refund_cents bigint not null check (refund_cents >= 0),
  reason text not null,
  placed_by text not null,
  placed_by_email text not null,
  placed_at timestamptz not null,
  settled_by text,
  settled_at timestamptz,
  outcome text check (outcome in ('done', 'dropped'))
);
create unique index cancellation_orders_waiting on cancellation_orders (payment_id) where settled_at is null;
