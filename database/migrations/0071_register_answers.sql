-- What the Australian Business Register has answered about an ABN. The same answer again moves last_at, another one adds a row.
-- So the history says what the register had at the date of a supply.
create table register_answers (
  id bigint generated always as identity primary key,
  abn text not null,
  status text not null check (status in ('active', 'cancelled', 'unknown')),
  status_since date,
  entity_name text not null,
  entity_type text not null,
  business_names jsonb not null,
  gst_since date,
  state text not null,
  first_at timestamptz not null,
  last_at timestamptz not null check (last_at >= first_at)
);
create index register_answers_of_abn on register_answers (abn, id);

-- When the register is asked next about each registration.
create table register_checks (
  registration_id text primary key references business_registrations (id) on delete cascade,
  ask_at timestamptz not null,
  -- Times in a row without an answer.
  failures integer not null default 0
);
create index register_checks_in_order on register_checks (ask_at);

-- What the register has against a registration; null while it has nothing, or hasn't been asked.
alter table business_registrations add column register_problem text;
alter table business_registrations add constraint business_registrations_register_problem_check
  check (register_problem in ('unknown', 'cancelled', 'gst')) not valid;
alter table business_registrations validate constraint business_registrations_register_problem_check;
create index business_registrations_with_problem on business_registrations (user_id) where register_problem is not null;

create function ask_register() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.abn = old.abn and new.gst_registered = old.gst_registered then
    return null;
  end if;
  insert into register_checks (registration_id, ask_at) values (new.id, '-infinity')
    on conflict (registration_id) do update set ask_at = excluded.ask_at, failures = 0;
  return null;
end $$;
-- Whoever saves it: the previous version, too.
create trigger registrations_to_ask after insert or update of abn, gst_registered on business_registrations
for each row execute function ask_register();
insert into register_checks (registration_id, ask_at) select id, '-infinity' from business_registrations
  on conflict do nothing;

-- The mark 'ABN registered' goes while the register has something against it.
create or replace function tell_pages_of_registrations() returns trigger language plpgsql as $$
declare
  no_rows constant text := 'select * from business_registrations where false';
  topics text[];
begin
  execute format($sql$
    with changes as materialized (
      select coalesce(n.user_id, o.user_id) as user_id,
        (o.abn is null or o.register_problem is not null) <> (n.abn is null or n.register_problem is not null)
          as has_other_mark
      from (%s) o full join (%s) n on n.user_id = o.user_id
      -- What is public of a registration.
      where (o.business_name, o.logo_url, o.business_description, o.website, o.abn, o.register_problem is null)
        is distinct from
        (n.business_name, n.logo_url, n.business_description, n.website, n.abn, n.register_problem is null) limit 21
    )
    select case when (select count(*) from changes) > 20 then array['pages:all'] else array(
      select 'vendor:' || user_id from changes
      union all select 'vendors:all' from changes
      union all select 'business:' || businesses.id from businesses join changes using (user_id) where has_other_mark
    ) end
  $sql$,
    case when tg_op = 'INSERT' then no_rows else 'select * from old_rows' end,
    case when tg_op = 'DELETE' then no_rows else 'select * from new_rows' end) into topics;
  perform tell_pages(topics);
  return null;
end $$;

alter table transfers drop constraint transfers_held_reason_check;
alter table transfers add constraint transfers_held_reason_check check (held_reason in
  ('no_agreement', 'no_account', 'restricted', 'register', 'refund', 'dispute', 'debt', 'operator')) not valid;
alter table transfers validate constraint transfers_held_reason_check;
