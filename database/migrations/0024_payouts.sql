-- Vendors' accounts at the payment provider, and the transfers to them. What is owed follows from the ledger alone; these
-- rows say what the provider was asked to do about it.

-- One for each vendor and provider. Only the provider's own answer changes the state (docs/payments.md).
create table payout_accounts (
  id text primary key,
  vendor_user_id text not null,
  provider text not null,
  -- The provider's id, which never reaches a browser. Null until the provider has answered for the first time.
  provider_account text,
  state text not null default 'none'
    check (state in ('none', 'started', 'in_review', 'active', 'restricted', 'closed', 'rejected')),
  -- [{code, awaiting, dueAt}], in the provider's words.
  requirements jsonb not null default '[]',
  bank_last4 text,
  -- Grows when a closed account is replaced, so that the new one has an idempotency key of its own.
  attempt integer not null default 0,
  active_since timestamptz,
  checked_at timestamptz,
  created_at timestamptz not null,
  unique (vendor_user_id, provider),
  unique (provider, provider_account)
);

-- A vendor's share on its way to their account. Unique by booking and purpose: a share that came back and is owed again is
-- another purpose.
create table transfers (
  id text primary key,
  booking_id text not null,
  -- 'share-1', 'share-2', …
  purpose text not null,
  vendor_user_id text not null,
  payment_id text not null,
  provider text not null,
  state text not null default 'due' check (state in ('due', 'claimed', 'made', 'partly_reversed', 'reversed')),
  -- Why a due transfer doesn't leave; null when it can.
  held_reason text check (held_reason in ('no_agreement', 'no_account', 'restricted', 'refund', 'dispute', 'debt', 'operator')),
  -- From then on it may leave.
  due_at timestamptz not null,
  -- Both are fixed by the claim; together they are what the ledger owed for the booking.
  amount_cents bigint check (amount_cents >= 0),
  netted_cents bigint check (netted_cents >= 0),
  payout_account_id text references payout_accounts (id),
  provider_transfer text,
  reversed_cents bigint not null default 0 check (reversed_cents >= 0),
  claimed_at timestamptz,
  attempts integer not null default 0,
  last_error text,
  made_at timestamptz,
  -- The payout that took it to the bank.
  bank_payout_id text,
  created_at timestamptz not null,
  unique (booking_id, purpose),
  unique (provider, provider_transfer)
);
create index transfers_to_make on transfers (due_at) where state in ('due', 'claimed');
create index transfers_of_vendor on transfers (vendor_user_id, created_at);
create index transfers_of_payment on transfers (payment_id);

create table transfer_reversals (
  id text primary key,
  transfer_id text not null references transfers (id),
  amount_cents bigint not null check (amount_cents > 0),
  -- 'impossible' made it the vendor's debt.
  state text not null default 'due' check (state in ('due', 'claimed', 'done', 'impossible')),
  claimed_at timestamptz,
  attempts integer not null default 0,
  last_error text,
  provider_reversal text unique,
  done_at timestamptz,
  created_at timestamptz not null
);
create index transfer_reversals_of_transfer on transfer_reversals (transfer_id);
create index transfer_reversals_to_make on transfer_reversals (created_at) where state in ('due', 'claimed');

-- Payouts from a vendor's balance at the provider to their bank, as the provider makes them.
create table bank_payouts (
  id text primary key,
  payout_account_id text not null references payout_accounts (id),
  provider_payout text not null unique,
  amount_cents bigint not null,
  state text not null check (state in ('pending', 'in_transit', 'paid', 'failed', 'canceled')),
  failure_reason text,
  arrives_at timestamptz not null,
  checked_at timestamptz not null,
  created_at timestamptz not null
);
create index bank_payouts_of_account on bank_payouts (payout_account_id, created_at);

-- An operator holds the money of a vendor, or of one booking.
create table payout_holds (
  id text primary key,
  vendor_user_id text not null,
  booking_id text,
  reason text not null,
  placed_by text not null,
  placed_at timestamptz not null,
  released_by text,
  released_at timestamptz
);
create unique index payout_holds_in_force on payout_holds (vendor_user_id, coalesce(booking_id, ''))
  where released_at is null;
