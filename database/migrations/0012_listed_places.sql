-- How many businesses visitors may see, by place and category: which landing pages there are, what stands in 'By place'
-- and how many more are near. Counting them anew took 300 ms over a million; a statement that writes listings keeps the
-- counts instead, in one step whatever it writes.
create table listed_places (
  place_id text not null references places (id),
  category text not null,
  listed integer not null,
  -- When one of them last changed, came or went.
  changed_at timestamptz not null,
  primary key (category, place_id)
);
create index listed_places_by_count on listed_places (category, listed desc, place_id) where listed > 0;

insert into listed_places (place_id, category, listed, changed_at)
select place_id, category, count(*), max(updated_at) from businesses
where deleted_at is null and hidden_at is null
group by place_id, category;

create function count_listed() returns trigger
language plpgsql
as $$
declare
  step text := 'select place_id, category, %s as step from %s where deleted_at is null and hidden_at is null';
begin
  -- Always in one order, so that two statements wait for each other and never in a circle.
  execute 'insert into listed_places as kept (place_id, category, listed, changed_at)
    select place_id, category, sum(step), now() from ('
    || concat_ws(' union all ',
      case when tg_op <> 'DELETE' then format(step, 1, 'new_rows') end,
      case when tg_op <> 'INSERT' then format(step, -1, 'old_rows') end)
    || ') steps group by place_id, category order by place_id, category
    on conflict (category, place_id) do update
    set listed = kept.listed + excluded.listed, changed_at = excluded.changed_at';
  return null;
end
$$;

-- A trigger for several events can't have their rows.
create trigger businesses_listed after insert on businesses
referencing new table as new_rows for each statement execute function count_listed();
create trigger businesses_relisted after update on businesses
referencing old table as old_rows new table as new_rows for each statement execute function count_listed();
create trigger businesses_unlisted after delete on businesses
referencing old table as old_rows for each statement execute function count_listed();

-- The businesses of one place, newest first, and what they ask.
create index businesses_by_place on businesses (category, place_id, created_at desc, id)
include (price_unit, price_cents) where deleted_at is null and hidden_at is null;

-- Every business that visitors may see, by its address: what the sitemaps are read from. Without it each part of 45,000
-- fetched as many rows from all over the table (274 ms against 16).
create index businesses_by_id on businesses (id) include (updated_at)
where deleted_at is null and hidden_at is null;
