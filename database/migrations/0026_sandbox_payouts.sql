-- The sandbox's side of vendors' accounts and of balances, as a real provider keeps them.

create table sandbox_accounts (
  id text primary key,
  -- Our account's id, and the key that ordered it.
  account_id text not null,
  idempotency_key text not null unique,
  email text not null,
  registered_name text not null,
  entity_type text not null check (entity_type in ('individual', 'company')),
  abn text,
  -- From the hosted form, each null until its step is done.
  given_name text,
  surname text,
  -- ISO 8601.
  date_of_birth text,
  bank_bsb text,
  bank_account text,
  -- The bank has sent a payout back, so another bank account is needed.
  is_bank_refused boolean not null default false,
  submitted_at timestamptz,
  -- 'restricted' wants a document, 'rejected' is for good.
  standing text not null default 'good' check (standing in ('good', 'restricted', 'rejected')),
  restricted_at timestamptz,
  created_at timestamptz not null
);

-- An onboarding link opens once and becomes a session of the hosted form.
create table sandbox_account_links (
  token text primary key,
  kind text not null check (kind in ('link', 'session')),
  sandbox_account_id text not null references sandbox_accounts (id),
  return_url text not null,
  refresh_url text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table sandbox_transfers (
  id text primary key,
  number bigint generated always as identity,
  sandbox_account_id text not null references sandbox_accounts (id),
  amount_cents bigint not null check (amount_cents > 0),
  reversed_cents bigint not null default 0 check (reversed_cents between 0 and amount_cents),
  -- The charge that it comes from; null when it comes from the balance.
  sandbox_payment_id text references sandbox_payments (id),
  transfer_group text,
  -- Our transfer's id, which makes it the same transfer however often it is sent.
  transfer_id text not null unique,
  created_at timestamptz not null
);
create index sandbox_transfers_of_payment on sandbox_transfers (sandbox_payment_id);
create index sandbox_transfers_of_group on sandbox_transfers (transfer_group);

create table sandbox_reversals (
  id text primary key,
  number bigint generated always as identity,
  sandbox_transfer_id text not null references sandbox_transfers (id),
  amount_cents bigint not null check (amount_cents > 0),
  reversal_id text not null unique,
  created_at timestamptz not null
);
create index sandbox_reversals_of_transfer on sandbox_reversals (sandbox_transfer_id);

create table sandbox_payouts (
  id text primary key,
  number bigint generated always as identity,
  sandbox_account_id text not null references sandbox_accounts (id),
  amount_cents bigint not null check (amount_cents > 0),
  state text not null check (state in ('in_transit', 'paid', 'failed')),
  failure_reason text,
  arrives_at timestamptz not null,
  created_at timestamptz not null
);
create index sandbox_payouts_of_account on sandbox_payouts (sandbox_account_id, created_at);
create index sandbox_payouts_in_transit on sandbox_payouts (arrives_at) where state = 'in_transit';

-- Each change of a balance: of the platform's own where the account is null.
create table sandbox_movements (
  id text primary key,
  number bigint generated always as identity,
  sandbox_account_id text references sandbox_accounts (id),
  kind text not null check (kind in ('charge', 'refund', 'refund_failed', 'dispute', 'dispute_reversal', 'transfer',
    'reversal', 'payout', 'payout_failed')),
  reference text not null,
  -- Signed, before the fee.
  amount_cents bigint not null,
  fee_cents bigint not null default 0 check (fee_cents >= 0),
  -- The payout that took it to the bank.
  sandbox_payout_id text references sandbox_payouts (id),
  created_at timestamptz not null,
  available_at timestamptz not null
);
create index sandbox_movements_by_time on sandbox_movements (sandbox_account_id, created_at);
create index sandbox_movements_to_pay_out on sandbox_movements (sandbox_account_id, available_at)
  where sandbox_account_id is not null and sandbox_payout_id is null;
create index sandbox_movements_of_payout on sandbox_movements (sandbox_payout_id) where sandbox_payout_id is not null;
create index sandbox_movements_by_reference on sandbox_movements (reference);

alter table sandbox_events
  alter column sandbox_payment_id drop not null,
  -- The webhook address that gets this event, and the account and object that it is about.
  add column webhook text not null default 'platform' check (webhook in ('platform', 'connected', 'accounts')),
  add column sandbox_account_id text,
  add column object_id text;

-- The movements of what the sandbox has charged, refunded and disputed before.
insert into sandbox_movements (id, kind, reference, amount_cents, fee_cents, created_at, available_at)
  select 'sbm_' || left(md5('charge' || id), 24), 'charge', id, amount_cents,
    (amount_cents * 17 + 500) / 1000 + 30, created_at, created_at + interval '2 days'
  from sandbox_payments where state = 'succeeded' order by created_at, id;
insert into sandbox_movements (id, kind, reference, amount_cents, created_at, available_at)
  select 'sbm_' || left(md5('refund' || id), 24), 'refund', id, -amount_cents, created_at, created_at
  from sandbox_refunds order by created_at, id;
insert into sandbox_movements (id, kind, reference, amount_cents, created_at, available_at)
  select 'sbm_' || left(md5('refund_failed' || id), 24), 'refund_failed', id, amount_cents, created_at, created_at
  from sandbox_refunds where status = 'failed' order by created_at, id;
insert into sandbox_movements (id, kind, reference, amount_cents, fee_cents, created_at, available_at)
  select 'sbm_' || left(md5('dispute' || id), 24), 'dispute', id, -amount_cents, 2500, created_at, created_at
  from sandbox_disputes where funds <> 'held' order by created_at, id;
insert into sandbox_movements (id, kind, reference, amount_cents, created_at, available_at)
  select 'sbm_' || left(md5('dispute_reversal' || id), 24), 'dispute_reversal', id, amount_cents, created_at, created_at
  from sandbox_disputes where funds = 'reinstated' order by created_at, id;
