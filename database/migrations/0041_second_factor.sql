-- Two-step login: the secret of an account's authenticator app, and its recovery codes.

alter table users add column two_factor_enabled boolean not null default false;

create table second_factors (
  id text primary key,
  user_id text not null unique references users (id) on delete cascade,
  -- Encrypted with SECRET.
  secret text not null,
  -- A JSON array of the hashes of unused codes. The account library reads it as text.
  backup_codes text not null,
  -- False until a first code has proved that the app has the secret.
  verified boolean not null default false,
  -- The 30-second step of the newest accepted code, so that no code is accepted twice.
  last_step bigint,
  failed_verification_count integer not null default 0,
  locked_until timestamptz,
  created_at timestamptz not null default now()
);
