-- Operators' refunds above the limit: each waits for a second person.
create table refund_orders (
  id text primary key,
  kind text not null check (kind in ('refund', 'refund_again', 'paid_otherwise')),
  -- The first payment of the purchase.
  payment_id text not null references payments (id),
  -- The payment to refund, or the refund that came back.
  subject_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  borne_by text check (borne_by in ('vendor', 'operator')),
  reference text,
  reason text not null,
  -- What was left of the purchase when it was placed. On confirmation it has to be the same.
  seen text not null,
  placed_by text not null,
  placed_by_email text not null,
  placed_at timestamptz not null,
  settled_by text,
  settled_at timestamptz,
  outcome text check (outcome in ('done', 'dropped', 'expired'))
);
create unique index refund_orders_waiting on refund_orders (payment_id) where settled_at is null;

alter table cancellation_orders
  drop constraint cancellation_orders_outcome_check,
  add constraint cancellation_orders_outcome_check check (outcome in ('done', 'dropped', 'expired'));
alter table payout_orders
  drop constraint payout_orders_outcome_check,
  add constraint payout_orders_outcome_check check (outcome in ('done', 'dropped', 'expired'));

-- What one operator alone has moved, by purchase: parts of an amount count together against the limit.
create table operator_moves (
  id text primary key,
  -- The first payment of the purchase.
  payment_id text not null references payments (id),
  amount_cents bigint not null check (amount_cents >= 0),
  operator_user_id text not null,
  created_at timestamptz not null
);
create index operator_moves_recent on operator_moves (payment_id, created_at);

-- An operator's look at the product as another account ('See as this person').
create table operator_views (
  -- Unguessable: the browser holds it in a cookie.
  id text primary key,
  -- The operator's session: no other browser can use the view.
  session_id text not null,
  operator_user_id text not null,
  operator_email text not null,
  subject_user_id text not null references users (id) on delete cascade,
  reason text not null,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index operator_views_by_subject on operator_views (subject_user_id, started_at);
