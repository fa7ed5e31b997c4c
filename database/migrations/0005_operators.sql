-- What operators did, and what the nightly comparison with the payment provider found.

create table operator_log (
  id text primary key,
  operator_user_id text not null,
  operator_email text not null,
  action text not null,
  -- What it was done to, and what people call that.
  subject_kind text not null check (subject_kind in ('payment', 'refund', 'review', 'account', 'listing', 'comparison')),
  subject_id text not null,
  subject_label text not null,
  reason text not null default '',
  created_at timestamptz not null default now()
);
create index operator_log_newest on operator_log (created_at desc, id);
create index operator_log_by_subject on operator_log (subject_kind, subject_id, created_at desc);

create table payment_comparisons (
  id text primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  payments_checked integer not null default 0,
  -- Set when the provider could not be asked to the end: then nothing found does not mean nothing there.
  failure text
);
create index payment_comparisons_newest on payment_comparisons (started_at desc);

create table payment_differences (
  comparison_id text not null references payment_comparisons (id) on delete cascade,
  -- The provider's id where it has one, else ours.
  reference text not null,
  kind text not null,
  payment_id text,
  ours text not null,
  theirs text not null,
  primary key (comparison_id, reference, kind)
);

create index reviews_waiting on reviews (created_at) where not approved and moderated_at is null;
