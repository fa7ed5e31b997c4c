-- Passkeys: public keys with which a person signs in without a password.

create table passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  -- The authenticator's id of the key, in base64url, and the key itself. Neither is a secret.
  credential_id text not null unique,
  public_key text not null,
  -- A number that some authenticators raise with each use: up to 2^32, which an integer can't hold.
  counter double precision not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now(),
  updated_at timestamptz,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);
