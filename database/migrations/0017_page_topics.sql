-- The rows themselves say which kept pages a change concerns. Migration 0013 drops every page at any change: an account
-- that edited its listing in a loop left no page kept. app/routes/page-topics.ts has the same topics for each page.
--
--   pages:all            everything: an import, a change of places, a truncated table
--   business:{id}        one listing: its row, its approved reviews, its owner's mark
--   vendor:{user id}     one vendor: their listings, the reviews of these, their registration
--   listings:{scope}     which listings there are: one came, went or moved
--   prices:{scope}       what listings cost
--   words:{scope}        name, description and services of listings
--   landings:{category}  the places with most listings of a category
--   places:listed        the largest places with a listing
--   vendors:all          which vendors there are, and their names
--   reviews:all          approved reviews
--
-- A scope is a category or 'any', then nothing or an area: a state (':VIC'), a place (':geelong-vic'), a square of one
-- degree (':d-39:144') or of a quarter (':q-153:577'). A listing that moves tells both ends.
--
-- The triggers of 0013 stay: a process of the previous version hears nothing but their 'listings:all', which this version
-- ignores.

create function tell_pages(topics text[]) returns void language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', topic) from (select distinct unnest(topics) as topic) told;
end $$;

create function tell_all_pages() returns trigger language plpgsql as $$
begin
  perform tell_pages(array['pages:all']);
  return null;
end $$;

create function tell_pages_of_listings() returns trigger language plpgsql as $$
declare
  -- As many as an account may have. More rows in one statement are an import: one topic for all of them.
  most_rows constant int := 50;
  categories constant text[] := array['Venues', 'Photographers', 'Hairdresser', 'Sounds & DJ', 'Catering', 'Videographers',
    'Event Planners', 'Extras'];
  no_rows constant text := 'select * from businesses where false';
  changes text := format('select o, n from (%s) o full join (%s) n on n.id = o.id where o is distinct from n',
    case when tg_op = 'INSERT' then no_rows else 'select * from old_rows' end,
    case when tg_op = 'DELETE' then no_rows else 'select * from new_rows' end);
  row_count int;
  topics text[];
begin
  execute format('select count(*) from (%s limit %s) counted', changes, most_rows + 1) into row_count;
  if row_count = 0 then
    return null;
  end if;
  if row_count > most_rows then
    perform tell_pages(array['pages:all']);
    return null;
  end if;

  -- Two transactions that each take one of the last two listings of a place, or of a vendor, would both leave it to the
  -- other to say so. The later one waits, and then sees that it is the last.
  execute format($sql$
    select pg_advisory_xact_lock(hashtextextended('pages of ' || owner, 0)) from (
      select distinct owner from (%s) changes
      cross join lateral (values ((o).place_id), ((n).place_id), ((o).user_id), ((n).user_id)) owners (owner)
      where owner is not null and ((o).category, (o).place_id, (o).hidden_at, (o).deleted_at)
        is distinct from ((n).category, (n).place_id, (n).hidden_at, (n).deleted_at)
      order by owner
    ) locks
  $sql$, changes);

  execute format($sql$
    with changes as materialized (%s),
    edits as materialized (
      select coalesce((n).id, (o).id) as id, coalesce((n).user_id, (o).user_id) as user_id, o, n, was_shown, is_shown,
        was_shown <> is_shown or is_shown and ((o).category, (o).place_id, (o).user_id, (o).created_at)
          is distinct from ((n).category, (n).place_id, (n).user_id, (n).created_at) as has_moved,
        -- A column that is not named here may be a price.
        to_jsonb(o) - beside_prices is distinct from to_jsonb(n) - beside_prices as costs_otherwise,
        ((o).name, (o).description, (o).services_offered)
          is distinct from ((n).name, (n).description, (n).services_offered) as reads_otherwise
      from changes
      cross join lateral (select
        (o).id is not null and (o).deleted_at is null and (o).hidden_at is null as was_shown,
        (n).id is not null and (n).deleted_at is null and (n).hidden_at is null as is_shown,
        array['name', 'description', 'services_offered', 'images', 'seo_title', 'seo_description', 'hidden_reason',
          'updated_at'] as beside_prices) facts
    ),
    ends as materialized (
      select kind, step, category, place_id
      from edits
      cross join lateral (values
        (-1, was_shown, (o).category, (o).place_id), (1, is_shown, (n).category, (n).place_id)
      ) both_ends (step, is_listed, category, place_id)
      cross join lateral (values
        ('listings', has_moved), ('prices', costs_otherwise and not has_moved), ('words', reads_otherwise and not has_moved)
      ) kinds (kind, applies)
      where is_listed and applies
    ),
    moves as (select category, place_id, step from ends where kind = 'listings'),
    topics as (
      select 'business:' || id as topic from edits
      union all select 'vendor:' || (o).user_id from edits where (o).user_id is not null
      union all select 'vendor:' || user_id from edits
      union all
      select kind || ':' || scope || area
      from ends join places on places.id = place_id
      cross join lateral (values ('any'), (category)) scopes (scope)
      cross join lateral (values
        (''), (':' || state), (':' || place_id),
        (':d' || floor(latitude) || ':' || floor(longitude)),
        (':q' || floor(latitude * 4) || ':' || floor(longitude * 4))
      ) areas (area)
      union all
      -- Among the 24 places that a category page links to, or one of them until now.
      select 'landings:' || category from (select distinct category, place_id from moves) moved
      where (
        select count(*) from (
          select from listed_places ahead
          where ahead.category = moved.category and ahead.listed > 2 * $1 + coalesce((
            select listed from listed_places own where own.category = moved.category and own.place_id = moved.place_id), 0)
          limit 24
        ) counted
      ) < 24
      union all
      -- The first listing of a place or its last, and fewer than 100 larger places have one.
      select 'places:listed' from (select place_id, sum(step) as step from moves group by place_id) moved
      join places on places.id = place_id
      cross join lateral (
        select coalesce(sum(listed), 0) as listed from listed_places
        where category = any ($2) and listed_places.place_id = moved.place_id
      ) present
      where (listed > 0) <> (listed - step > 0) and (
        select count(*) from (
          select from places larger where larger.population > places.population and exists (
            select from listed_places
            where category = any ($2) and listed_places.place_id = larger.id and listed_places.listed > 0)
          limit 100 + $1
        ) counted
      ) < 100 + $1
      union all
      -- A vendor without a registration has the name of their first listing.
      select 'vendors:all' from edits
      where (has_moved or is_shown and (o).name <> (n).name) and not exists (
        select from businesses other
        where other.user_id = edits.user_id and other.deleted_at is null and other.hidden_at is null
          and other.id not in (select id from edits)
          and ((other.created_at, other.id) < (least((o).created_at, (n).created_at), edits.id)
            or exists (select from business_registrations r where r.user_id = edits.user_id))
      )
    )
    select array_agg(topic) from topics
  $sql$, changes) into topics using most_rows, categories;
  perform tell_pages(topics);
  return null;
end $$;

-- A trigger for several events can't have their rows. These come after those of 0012, whose counts they read: triggers
-- fire in the order of their names.
create trigger businesses_with_pages_added after insert on businesses
referencing new table as new_rows for each statement execute function tell_pages_of_listings();
create trigger businesses_with_pages_changed after update on businesses
referencing old table as old_rows new table as new_rows for each statement execute function tell_pages_of_listings();
create trigger businesses_with_pages_gone after delete on businesses
referencing old table as old_rows for each statement execute function tell_pages_of_listings();
create trigger businesses_with_pages_emptied after truncate on businesses
for each statement execute function tell_all_pages();

create function tell_pages_of_reviews() returns trigger language plpgsql as $$
declare
  no_rows constant text := 'select * from reviews where false';
  topics text[];
begin
  execute format($sql$
    with changes as materialized (
      select coalesce(n.business_id, o.business_id) as business_id
      from (%s) o full join (%s) n on n.id = o.id
      where o is distinct from n and (o.approved or n.approved) limit 21
    )
    select case when (select count(*) from changes) > 20 then array['pages:all'] else array(
      select 'business:' || business_id from changes
      union all select 'vendor:' || user_id from businesses where id in (select business_id from changes)
      union all select 'reviews:all' from changes
    ) end
  $sql$,
    case when tg_op = 'INSERT' then no_rows else 'select * from old_rows' end,
    case when tg_op = 'DELETE' then no_rows else 'select * from new_rows' end) into topics;
  perform tell_pages(topics);
  return null;
end $$;

create trigger reviews_with_pages_added after insert on reviews
referencing new table as new_rows for each statement execute function tell_pages_of_reviews();
create trigger reviews_with_pages_changed after update on reviews
referencing old table as old_rows new table as new_rows for each statement execute function tell_pages_of_reviews();
create trigger reviews_with_pages_gone after delete on reviews
referencing old table as old_rows for each statement execute function tell_pages_of_reviews();
create trigger reviews_with_pages_emptied after truncate on reviews
for each statement execute function tell_all_pages();

create function tell_pages_of_registrations() returns trigger language plpgsql as $$
declare
  no_rows constant text := 'select * from business_registrations where false';
  topics text[];
begin
  execute format($sql$
    with changes as materialized (
      select coalesce(n.user_id, o.user_id) as user_id, o.abn is null <> (n.abn is null) as has_other_mark
      from (%s) o full join (%s) n on n.user_id = o.user_id
      -- What is public of a registration.
      where (o.business_name, o.logo_url, o.business_description, o.website, o.abn)
        is distinct from (n.business_name, n.logo_url, n.business_description, n.website, n.abn) limit 21
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

create trigger registrations_with_pages_added after insert on business_registrations
referencing new table as new_rows for each statement execute function tell_pages_of_registrations();
create trigger registrations_with_pages_changed after update on business_registrations
referencing old table as old_rows new table as new_rows for each statement execute function tell_pages_of_registrations();
create trigger registrations_with_pages_gone after delete on business_registrations
referencing old table as old_rows for each statement execute function tell_pages_of_registrations();
create trigger registrations_with_pages_emptied after truncate on business_registrations
for each statement execute function tell_all_pages();

-- Names and coordinates of places stand on every list. They change with a new file of places alone.
create trigger places_with_pages after insert or update or delete or truncate on places
for each statement execute function tell_all_pages();
