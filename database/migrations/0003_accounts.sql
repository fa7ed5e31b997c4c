-- Accounts: the links in their mails, the devices they sign in on, and what they want mailed.

create table account_links (
  -- SHA-256 of the token in the mail, so that reading this table opens nothing. Used links are deleted.
  hash text primary key,
  kind text not null check (kind in ('reset-password', 'verify-email', 'change-email')),
  user_id text not null references users (id) on delete cascade,
  -- The address that the link was sent to, and proves.
  email citext not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index account_links_by_user on account_links (user_id);
create index account_links_by_end on account_links (expires_at);

-- Where an account has signed in before: another device is told about by mail.
create table known_devices (
  user_id text not null references users (id) on delete cascade,
  device text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, device)
);

alter table users
  add column mail_sign_ins boolean not null default true,
  add column mail_new_bookings boolean not null default true,
  add column mail_reminders boolean not null default true;
