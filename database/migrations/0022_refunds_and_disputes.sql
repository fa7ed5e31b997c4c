-- Refunds: the provider's own state of each, beside ours. `state` keeps its values, so the version before runs on this
-- table: for it a refund is done once the provider has taken it. Null in provider_status is a refund of that version, until
-- the provider is asked about it.
alter table payment_actions
  -- The provider's id of the refund.
  add column provider_refund text,
  add column provider_status text check (provider_status in ('pending', 'requires_action', 'succeeded', 'failed', 'canceled')),
  add column pending_reason text,
  add column failure_reason text,
  add column asked_at timestamptz,
  -- An operator's words: why money goes back, or how a refund that came back was settled.
  add column note text,
  -- What became of a refund that came back.
  add column resolution text check (resolution in ('paid_otherwise', 'refunded_again')),
  add column resolution_reference text,
  add column resolved_at timestamptz;

-- Several refunds of one line may live beside each other; their sum is checked under the payment's lock.
drop index payment_actions_one_refund;
create index payment_actions_of_payment on payment_actions (payment_id) where kind = 'refund';
create index payment_actions_to_ask on payment_actions (asked_at nulls first) where kind = 'refund' and state = 'done';

-- Disputes: a cardholder's bank takes a charge back, or asks about it.
create table disputes (
  id text primary key,
  payment_id text not null references payments (id),
  provider text not null,
  provider_dispute text not null,
  amount_cents bigint not null check (amount_cents >= 0),
  -- The card network's ground and the provider's status, in the provider's words.
  reason text not null,
  status text not null,
  funds text not null check (funds in ('held', 'withdrawn', 'reinstated')),
  is_charge_refundable boolean not null,
  evidence_due_at timestamptz,
  opened_at timestamptz not null,
  checked_at timestamptz not null,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  unique (provider, provider_dispute)
);
create index disputes_of_payment on disputes (payment_id);
create index disputes_open on disputes (evidence_due_at) where closed_at is null;

-- The sandbox's side of both.
alter table sandbox_payments
  -- What the test card does after the charge.
  add column behaviour text not null default 'none' check (behaviour in ('none', 'refund_pending', 'refund_fails', 'disputed'));
alter table sandbox_refunds
  add column status text not null default 'succeeded' check (status in ('pending', 'succeeded', 'failed')),
  add column pending_reason text,
  add column failure_reason text,
  -- When it moves on by itself, and where to.
  add column moves_at timestamptz,
  add column moves_to text check (moves_to in ('succeeded', 'failed'));
create index sandbox_refunds_due on sandbox_refunds (moves_at) where moves_at is not null;
create table sandbox_disputes (
  id text primary key,
  sandbox_payment_id text not null references sandbox_payments (id),
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null,
  status text not null,
  funds text not null check (funds in ('held', 'withdrawn', 'reinstated')),
  evidence_due_at timestamptz,
  created_at timestamptz not null
);
create index sandbox_disputes_of_payment on sandbox_disputes (sandbox_payment_id);
alter table sandbox_events
  -- How this event's webhook is delivered, to test a provider in trouble.
  add column fault text not null default 'none' check (fault in ('none', 'late', 'twice', 'out_of_order', 'never'));
-- How far the sandbox's clock is ahead of the real one: one row, for all processes.
create table sandbox_clock (
  id int primary key check (id = 1),
  ahead_ms bigint not null check (ahead_ms >= 0)
);
