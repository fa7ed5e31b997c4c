-- Businesses that a visitor wants to compare or to show to somebody, without an account or with one.

create table shortlists (
  -- Unguessable: a signed cookie names it while it has no account.
  id text primary key,
  user_id text unique references users (id) on delete cascade,
  -- The link that others open and add with. Its token derives from the key, and only the token's hash finds the list.
  share_key text,
  share_hash text unique,
  shared_at timestamptz,
  created_at timestamptz not null,
  -- When it was last read or changed, at most a day out of date.
  used_at timestamptz not null,
  check ((share_key is null) = (share_hash is null) and (share_key is null) = (shared_at is null))
);
-- The lists without an account that nobody has used for long.
create index shortlists_unused on shortlists (used_at) where user_id is null;

create table shortlist_entries (
  shortlist_id text not null references shortlists (id) on delete cascade,
  business_id text not null references businesses (id) on delete cascade,
  note text not null default '' check (length(note) <= 300),
  added_at timestamptz not null,
  -- A removal can be undone for a day.
  removed_at timestamptz,
  primary key (shortlist_id, business_id)
);
create index shortlist_entries_by_business on shortlist_entries (business_id);
create index shortlist_entries_removed on shortlist_entries (removed_at) where removed_at is not null;
