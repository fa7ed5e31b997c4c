-- The sandbox's side of cards that are kept for later charges, as a real provider keeps them.

create table sandbox_customers (
  id text primary key,
  -- Our payment that saves a card, and the key that ordered the customer.
  payment_id text not null,
  idempotency_key text not null unique,
  -- The outcome of the next charge of a kept card, set on the console: 'approved' or a decline code. Null is the card's own.
  next_answer text,
  created_at timestamptz not null
);

-- Only test cards are taken, so the last four digits name the card.
create table sandbox_methods (
  id text primary key,
  sandbox_customer_id text not null references sandbox_customers (id),
  last_four text not null,
  expires_year integer not null,
  expires_month integer not null check (expires_month between 1 and 12),
  detached_at timestamptz,
  created_at timestamptz not null
);
create index sandbox_methods_of_customer on sandbox_methods (sandbox_customer_id);

create table sandbox_setups (
  id text primary key,
  client_secret text not null unique,
  idempotency_key text not null unique,
  sandbox_customer_id text not null references sandbox_customers (id),
  state text not null check (state in ('requires_payment_method', 'requires_action', 'succeeded', 'canceled')),
  sandbox_method_id text references sandbox_methods (id),
  created_at timestamptz not null
);

alter table sandbox_payments
  -- Without a constraint, which the previous version would not know.
  add column sandbox_customer_id text,
  add column saves_card boolean not null default false,
  add column sandbox_method_id text,
  add column transfer_group text,
  -- The newest try with a kept card, whose answer a repeated call gets again.
  add column charge_key text,
  add column decline_code text;

-- How many of the vendor's notices about an unpaid instalment were sent.
alter table instalments add column vendor_notices integer not null default 0;

-- The cards that the first payment has saved, or not yet.
create index saved_cards_awaited on saved_cards (payment_id) where provider_method is null and detached_at is null;
