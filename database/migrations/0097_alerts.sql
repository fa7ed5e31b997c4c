-- Searches that tell by mail whom they find (decision 93). A recipient is an account, or an address without one.
create table alert_recipients (
  -- Derived from the address or the account, so that the links of old mails outlive the row.
  id text primary key,
  user_id text unique references users (id) on delete cascade,
  -- In lower case. Null for an account, whose mails go to its present, confirmed address.
  email text unique,
  -- The id that an account's address has as a guest, which the links of its mails then name.
  joined_id text,
  created_at timestamptz not null,
  -- When its searches are next run: an hour after the last time, or a day after a mail.
  next_at timestamptz not null,
  check ((user_id is null) <> (email is null))
);
create index alert_recipients_next on alert_recipients (next_at);
create index alert_recipients_joined on alert_recipients (joined_id);

create table alerts (
  id text primary key,
  recipient_id text not null references alert_recipients (id) on delete cascade,
  -- The canonical address of the search: '/photographers?guests=90'.
  address text not null,
  -- Whether `alert_listings` has everyone whom the search found at first. If not, only younger listings are news.
  is_complete boolean not null,
  created_at timestamptz not null,
  -- Null until the link of the first mail has confirmed the address.
  confirmed_at timestamptz,
  ends_at timestamptz not null,
  unique (recipient_id, address)
);

-- Whom an alert has found: at first, or told of since. Without a reference, since a deleted listing leaves its row behind.
create table alert_listings (
  alert_id text not null references alerts (id) on delete cascade,
  business_id text not null,
  -- Null for one that was there at first.
  told_at timestamptz,
  primary key (alert_id, business_id)
);
