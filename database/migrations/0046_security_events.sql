-- The security log: sign-ins, refusals and changes of accounts, for 180 days.

create table security_events (
  id text primary key,
  kind text not null,
  -- The account that it happened to. Without a foreign key: the log outlives the account.
  user_id text,
  -- A keyed hash of an address without an account, so that refusals of one address can be counted.
  address_hash text,
  -- The operator who did it, unless the account's owner did.
  actor_user_id text,
  -- The way of a sign-in, the code of a refusal, or an operator's action.
  detail text,
  -- In words: 'Chrome on Windows'.
  device text not null,
  -- The /24 of an IPv4 address, the /48 of an IPv6 address.
  network text,
  -- How often it happened. Refusals of a quarter of an hour that are alike share a row.
  times integer not null default 1 check (times > 0),
  tally text unique,
  first_at timestamptz not null,
  at timestamptz not null,
  -- When the row was last written, by the clock of the database: the order of the stream.
  recorded_at timestamptz not null default clock_timestamp()
);

create index security_events_by_user on security_events (user_id, at desc, id desc);
create index security_events_by_time on security_events (at);
create index security_events_by_record on security_events (recorded_at, id);
