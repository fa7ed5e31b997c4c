-- How operators answer disputes: with evidence, or by giving them up.

-- An answer is stored before it is sent, so that nothing typed is lost while the provider is away.
create table dispute_answers (
  id text primary key,
  -- Their order: two can be stored in one millisecond.
  number bigint generated always as identity,
  dispute_id text not null references disputes (id),
  kind text not null check (kind in ('evidence', 'acceptance')),
  -- The texts as they are sent; null for an acceptance.
  texts jsonb check ((texts is null) = (kind = 'acceptance')),
  reason text not null,
  -- The dispute's status that was answered. An inquiry may become a dispute, which is answered again.
  answered_status text not null,
  placed_by text not null,
  placed_by_email text not null,
  placed_at timestamptz not null,
  -- 'waiting' for a second operator, then 'claimed' until the provider has answered.
  state text not null check (state in ('waiting', 'claimed', 'sent', 'refused', 'dropped')),
  -- Who let it go or dropped it: above the limit another operator than the one who placed it.
  settled_by text,
  settled_by_email text,
  settled_at timestamptz,
  -- When the provider was last asked to take it.
  claimed_at timestamptz,
  -- The provider's id of the uploaded receipt.
  provider_receipt text,
  last_error text,
  sent_at timestamptz
);
create index dispute_answers_of_dispute on dispute_answers (dispute_id, number);
create unique index dispute_answers_open on dispute_answers (dispute_id) where state in ('waiting', 'claimed');
create index dispute_answers_to_send on dispute_answers (claimed_at) where state = 'claimed';

-- The sandbox's side.
alter table sandbox_disputes
  add column evidence jsonb,
  add column submission_count int not null default 0,
  -- The keys of the evidence that was sent, and of the acceptance.
  add column answer_key text,
  add column acceptance_key text;
create table sandbox_files (
  id text primary key,
  name text not null,
  size_bytes int not null,
  created_at timestamptz not null
);

-- The operators' log names what it is about.
alter table operator_log
  drop constraint operator_log_subject_kind_check,
  add constraint operator_log_subject_kind_check
    check (subject_kind in ('payment', 'refund', 'review', 'account', 'listing', 'comparison', 'rate', 'proof', 'dispute'));
