-- Cancellation policies, payment plans, instalments and saved cards.

-- The vendor's choice for new bookings. A booking keeps what it was sold with, in payments.sold.
alter table businesses
  add column policy text not null default 'moderate' check (policy in ('flexible', 'moderate', 'long')),
  -- Null is payment in full; hundredths of a percent.
  add column deposit_basis_points integer check (deposit_basis_points between 1000 and 3000),
  add column balance_days_before integer check (balance_days_before between 14 and 60),
  add constraint businesses_plan_is_whole check ((deposit_basis_points is null) = (balance_days_before is null));

-- A further payment of a purchase names its first one. All of a purchase's money is locked by the first one's row.
alter table payments add column follows text;
create index payments_following on payments (follows) where follows is not null;

-- How a price is paid. Together they are the price agreed. The first is paid with the booking.
create table instalments (
  id text primary key,
  -- The first payment of the purchase.
  payment_id text not null references payments (id),
  number integer not null check (number >= 1),
  amount_cents bigint not null check (amount_cents >= 0),
  due_at timestamptz not null,
  state text not null
    check (state in ('scheduled', 'reminded', 'charging', 'paid', 'needs_customer', 'failed', 'overdue', 'ended')),
  -- The payment that pays it. There is one for all tries, so it can't be charged twice.
  paid_by text references payments (id),
  attempts integer not null default 0,
  try_at timestamptz,
  claimed_at timestamptz,
  -- Why the card was refused, in the provider's word.
  decline_code text,
  -- The vendor's one extension.
  extended_at timestamptz,
  reminded_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null,
  unique (payment_id, number)
);
create index instalments_under_way on instalments (due_at) where state not in ('paid', 'ended');
create unique index instalments_by_payment on instalments (paid_by) where paid_by is not null;

-- The card that later instalments are charged to. It is detached, and only its last digits are kept, once nothing is due.
create table saved_cards (
  payment_id text primary key references payments (id),
  provider text not null,
  provider_customer text not null,
  -- Null until the first payment has succeeded, and once the card is detached.
  provider_method text,
  brand text,
  last_four text,
  expires_year integer,
  expires_month integer,
  -- What the customer agreed to when they paid, word by word.
  consent text not null,
  consented_at timestamptz not null,
  detached_at timestamptz,
  created_at timestamptz not null
);
create index saved_cards_to_detach on saved_cards (payment_id) where provider_method is not null;

-- How a booking was called off, with what was shown before.
create table cancellations (
  id text primary key,
  booking_id text not null references bookings (id),
  cancelled_by text not null check (cancelled_by in ('customer', 'vendor', 'operator', 'overdue')),
  share_basis_points integer not null check (share_basis_points between 0 and 10000),
  refund_cents bigint not null check (refund_cents >= 0),
  kept_cents bigint not null check (kept_cents >= 0),
  uncollected_cents bigint not null check (uncollected_cents >= 0),
  -- Null where nobody was shown a quote.
  shown_at timestamptz,
  reason text,
  created_at timestamptz not null
);
create index cancellations_of_booking on cancellations (booking_id);

-- The charge that a transfer takes its money from; null is our balance.
alter table transfers add column charge_payment_id text;
update transfers set charge_payment_id = payment_id where purpose = 'share-1';

-- A decision or a cancellation moves a booking's money too, without a posting.
create function queue_payout() returns trigger language plpgsql as $$
begin
  insert into payout_queue (booking_id, look_at) values (new.id, '-infinity')
    on conflict (booking_id) do update set look_at = excluded.look_at;
  return null;
end $$;
create trigger payout_queue_by_status after update of status on bookings
  for each row when (old.status is distinct from new.status) execute function queue_payout();
