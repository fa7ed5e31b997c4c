-- What the ledger is compared with, and who bears a refund.

-- Whom a refund costs; null is the vendor, unless there is none. An operator decides otherwise.
alter table payment_actions add column borne_by text check (borne_by in ('vendor', 'operator'));

create index ledger_transactions_by_payment on ledger_transactions (payment_id) where payment_id is not null;

-- The changes of our balance at the provider, as the provider lists them. Each is compared with the ledger.
create table provider_movements (
  provider text not null,
  -- The provider's id of the movement.
  id text not null,
  kind text not null,
  -- The provider's id of the payment, refund, transfer, reversal, dispute or payout that moved it.
  reference text,
  -- Signed, before the fee.
  amount_cents bigint not null,
  fee_cents bigint not null check (fee_cents >= 0),
  moved_at timestamptz not null,
  available_at timestamptz not null,
  created_at timestamptz not null,
  primary key (provider, id)
);
create index provider_movements_by_time on provider_movements (provider, moved_at);
create index provider_movements_by_reference on provider_movements (reference) where reference is not null;

-- The result of each proof of the ledger.
create table proofs (
  id text primary key,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  difference_count integer not null check (difference_count >= 0),
  -- [{name, count, differences: [{subject, cents}]}], the first of each check.
  checks jsonb not null,
  -- Why the provider could not be compared with, in its words.
  failure text,
  -- Our balance at the provider. Null if it wasn't asked or didn't answer.
  available_cents bigint,
  pending_cents bigint
);
create index proofs_by_time on proofs (began_at);

-- Operators set rates of commission, and prove the ledger.
alter table operator_log
  drop constraint operator_log_subject_kind_check,
  add constraint operator_log_subject_kind_check
    check (subject_kind in ('payment', 'refund', 'review', 'account', 'listing', 'comparison', 'rate', 'proof'));
