-- The account that first proved an address of OPERATOR_EMAILS. Its role follows it to another address, and nobody who
-- gets the old address becomes an admin by it.

create table admin_claims (
  -- As the settings name it, in lower case.
  email text primary key,
  -- Null once the account is deleted: the address then names nobody.
  user_id text references users (id) on delete set null,
  claimed_at timestamptz not null default now()
);

create index admin_claims_by_user on admin_claims (user_id);
