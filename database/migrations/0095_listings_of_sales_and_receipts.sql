-- What the report of income says about a sale (decision 92): a listing as it was before each change of what the report tells activities
-- apart by. A sale has the first version that ended after it; without one, the listing of today.
create table former_listings (
  id bigint generated always as identity primary key,
  business_id text not null,
  user_id text not null,
  -- The version ended then.
  until timestamptz not null,
  category text not null,
  -- The services that it stated; null where its texts tell them.
  services jsonb,
  name text not null,
  services_offered jsonb not null,
  description text not null,
  -- Whether it moved to another place then, and the street address that it had before.
  has_moved boolean not null,
  address text
);
create index former_listings_of_business on former_listings (business_id, until);

create function keep_former_listing() returns trigger language plpgsql as $$
declare
  moves boolean := old.place_id is distinct from new.place_id;
begin
  insert into former_listings (business_id, user_id, until, category, services, name, services_offered, description, has_moved, address)
    select old.id, old.user_id, case when new.updated_at > old.updated_at then new.updated_at else now() end, old.category, old.facts->'services', old.name, to_jsonb(old.services_offered),
      case when old.facts ? 'services' then '' else old.description end, moves,
      case when moves then (select address from property_addresses where business_id = old.id) end;
  -- The street isn't in the other place: its vendor is asked again.
  if moves then
    delete from property_addresses where business_id = old.id;
  end if;
  return null;
end $$;
create trigger former_listings_kept after update on businesses
  for each row when (old.category is distinct from new.category or old.place_id is distinct from new.place_id
    or old.facts->'services' is distinct from new.facts->'services'
    or (not (old.facts ? 'services') and (old.name, old.services_offered, old.description)
      is distinct from (new.name, new.services_offered, new.description)))
  execute function keep_former_listing();

-- The receipt of a lodged report, typed again. The report itself never changes, and neither do these: the newest counts.
create table income_report_receipts (
  id bigint generated always as identity primary key,
  report_id text not null references income_reports (id) on delete cascade,
  receipt text not null,
  noted_at timestamptz not null,
  noted_by text not null
);
create index income_report_receipts_of_report on income_report_receipts (report_id, id);

-- A month's mail that no mail server has accepted yet is queued again from `try_at` on. Null once it is accepted or over, and in the
-- months of the version before, which doesn't know it.
alter table accountant_mails add column try_at timestamptz;
-- While a process sends it, so that no other one does.
alter table accountant_mails add column claimed_at timestamptz;
-- From when its link counts its days. Null until then, and in the months of the version before.
alter table accountant_mails add column accepted_at timestamptz;
create index accountant_mails_to_try on accountant_mails (try_at) where try_at is not null;
