-- The half-yearly report of vendors' income to the Tax Office (SERR, decision 87).

-- What a report says about a vendor. While the account lives, it has only what their registration lacks; when the account is deleted,
-- all of it is copied here, and kept for five years. No foreign key: it outlives the account.
create table identities (
  user_id text primary key,
  kind text check (kind in ('individual', 'organisation')),
  full_name text,
  business_name text,
  abn text,
  birth_date date,
  address text,
  email text,
  phone text,
  -- Why an operator leaves the vendor out.
  left_out text check (left_out in ('listed', 'government', 'goods')),
  -- When an operator last asked for what is missing.
  asked_at timestamptz,
  account_deleted_at timestamptz,
  updated_at timestamptz not null,
  check (account_deleted_at is null or kind is not null)
);
create index identities_of_deleted on identities (account_deleted_at) where account_deleted_at is not null;

-- The street addresses of venues, for the report alone: no page of a visitor shows them.
create table property_addresses (
  business_id text primary key,
  user_id text not null,
  address text not null,
  updated_at timestamptz not null
);
create index property_addresses_of_vendor on property_addresses (user_id);

-- What was made for lodging. A later version of a half-year is a correction, with only what has changed.
create table income_reports (
  id text primary key,
  -- Its first day: 1 January or 1 July.
  half_year date not null check (extract(day from half_year) = 1 and extract(month from half_year) in (1, 7)),
  version integer not null check (version > 0),
  -- What it says, as JSON. The file is drawn from this alone.
  content text not null,
  xml text not null,
  sha256 text not null
    constraint income_reports_have_their_hash check (sha256 = encode(sha256(convert_to(xml, 'UTF8')), 'hex')),
  made_at timestamptz not null,
  made_by text not null,
  lodged_at timestamptz,
  lodged_by text,
  -- What the Tax Office's receipt says.
  receipt text,
  unique (half_year, version),
  check ((lodged_at is null) = (lodged_by is null) and (lodged_at is null) = (receipt is null))
);

create function refuse_lodged_change() returns trigger language plpgsql as $$
begin
  raise exception 'A lodged report is never changed: make a correction.' using errcode = 'restrict_violation';
end $$;
create trigger lodged_reports_stand before update on income_reports
  for each row when (old.lodged_at is not null) execute function refuse_lodged_change();

-- The reminders that operators have got of a half-year.
create table income_report_reminders (
  half_year date not null,
  days_before integer not null,
  sent_at timestamptz not null,
  primary key (half_year, days_before)
);
