-- How far a provider's lists have been read, so that a job that was stopped for months looks back to the oldest open thing.

-- When the payouts of a vendor's account were last read to the end; null before the first time.
alter table payout_accounts add column payouts_listed_at timestamptz;

-- Closed accounts that a new one has replaced. Transfers to them may still be on their way to the bank.
create table former_payout_accounts (
  id text primary key,
  payout_account_id text not null references payout_accounts (id) on delete cascade,
  provider text not null,
  -- Never reaches a browser.
  provider_account text not null,
  bank_last4 text,
  payouts_asked_at timestamptz,
  payouts_listed_at timestamptz,
  replaced_at timestamptz not null,
  unique (provider, provider_account)
);
create index former_payout_accounts_of_account on former_payout_accounts (payout_account_id);

-- When a list of the provider was last read to the end.
create table provider_lists (
  provider text not null,
  list text not null check (list in ('disputes')),
  read_at timestamptz not null,
  primary key (provider, list)
);

-- When the first card of an instalment was refused: its later tries and its deadline count from then. A stopped job may
-- try the first card long after the due day. Null before that, and for instalments that were refused earlier.
alter table instalments add column unpaid_since timestamptz;
