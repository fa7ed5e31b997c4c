-- What a vendor says about a listing besides its texts and prices (decision 34). Existing listings keep null and {}:
-- unknown, which is never a 'no'.
alter table businesses
  -- The most guests in one booking; null for no limit.
  add column max_guests integer check (max_guests >= 1),
  -- Facts in features/businesses/fact-rules.ts. A missing key is unknown.
  add column facts jsonb not null default '{}' check (jsonb_typeof(facts) = 'object');

update businesses set max_guests = settings.max_guests
from availability_settings settings
where settings.business_id = businesses.id and settings.max_guests is not null;

-- The most guests were a column of the settings, which the previous version reads and writes while this one starts. The
-- settings form still writes it there. Each table follows the other.
create function copy_max_guests_to_listing() returns trigger language plpgsql as $$
begin
  update businesses set max_guests = new.max_guests
  where id = new.business_id and max_guests is distinct from new.max_guests;
  return null;
end $$;
create trigger settings_with_max_guests after insert or update of max_guests on availability_settings
for each row execute function copy_max_guests_to_listing();

create function copy_max_guests_to_settings() returns trigger language plpgsql as $$
begin
  -- A new version of the settings, so that an open settings form doesn't undo the listing form.
  update availability_settings set max_guests = new.max_guests,
    updated_at = greatest(clock_timestamp(), updated_at + interval '1 ms')
  where business_id = new.id and max_guests is distinct from new.max_guests;
  return null;
end $$;
create trigger businesses_with_max_guests after update on businesses
for each row when (old.max_guests is distinct from new.max_guests) execute function copy_max_guests_to_settings();

-- A business's page shows how long a booking per person lasts.
create function tell_pages_of_settings() returns trigger language plpgsql as $$
begin
  perform tell_pages(array['business:' || new.business_id]);
  return null;
end $$;
create trigger settings_with_pages after insert or update of event_minutes on availability_settings
for each row execute function tell_pages_of_settings();

-- The words that count for a fact of which a listing says nothing. Without them, a search for 'halal' would lose every
-- listing that was written before there were facts.
create function fact_words() returns table (marker text, fact text, words tsquery)
language sql immutable
as $$
  values
    ('outdoor', 'setting', to_tsquery('english', 'outdoor | outdoors | garden | lawn | verandah | courtyard | terrace')),
    ('indoor', 'setting', to_tsquery('english', 'indoor | indoors | hall | ballroom | loft | warehouse | pavilion')),
    ('stepFree', 'stepFree', to_tsquery('english', 'step & free | wheelchair | ramp | accessible')),
    ('parking', 'parking', to_tsquery('english', 'parking & (site | free | car | valet | coach)')),
    ('byo', 'byo', to_tsquery('english', 'byo | corkage')),
    ('vegetarian', 'dietary', to_tsquery('english', 'vegetarian')),
    ('vegan', 'dietary', to_tsquery('english', 'vegan')),
    ('gluten-free', 'dietary', to_tsquery('english', 'gluten')),
    ('dairy-free', 'dietary', to_tsquery('english', 'dairy & free')),
    ('halal', 'dietary', to_tsquery('english', 'halal')),
    ('kosher', 'dietary', to_tsquery('english', 'kosher'))
$$;

-- k/ markers: each fact that is true, and each value of a list.
create function fact_markers(facts jsonb, stems tsvector) returns text[]
language sql immutable
as $$
  select array(
    select 'k/' || key from jsonb_each(facts) where value = 'true'
    union
    select 'k/' || item from jsonb_each(facts)
    cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(value) when 'array' then value else '[]' end) item
    union
    select 'k/' || marker from fact_words() where not jsonb_exists(facts, fact) and stems @@ words
    order by 1)
$$;

-- m/ and q/ markers: each of these numbers of guests for which there is room, or seats; 'any' if that is unknown. A
-- search for fewer guests than the first checks each listing instead (features/search/fact-filter-rules.ts).
create function guest_markers(prefix text, guests integer) returns text[]
language sql immutable
as $$
  select case when guests is null then array[prefix || 'any'] else array(
    select prefix || step from unnest(array[100, 150, 200, 300, 500, 1000, 2000, 5000]) step where step <= guests) end
$$;

-- The order of recommended listings, best first: 4 and 3 well reviewed, 2 and 1 others, 0 badly reviewed; the higher of
-- each two says what it costs and some facts. And a hundred times the average of the ratings and two more of four
-- stars, so that one review alone doesn't decide.
create function search_scores_of(listing text, is_complete boolean)
returns table (recommended smallint, rating smallint)
language sql stable
as $$
  select (case
      when count(*) >= 3 and avg(r.rating) < 3.5 then 0
      when count(*) >= 3 and avg(r.rating) >= 4.5 then 3 + is_complete::int
      else 1 + is_complete::int end)::smallint,
    round((coalesce(sum(r.rating), 0) + 8) * 100.0 / (count(*) + 2))::smallint
  from reviews r where r.business_id = listing and r.approved
$$;

alter table search_listings
  add column recommended smallint not null default 1,
  add column rating smallint not null default 400;

create or replace view search_source as
select b.id as business_id, b.created_at, b.category,
  case when b.price_cents = 0 then 100000000 else b.price_cents end as price_cents,
  b.price_unit, p.latitude, p.longitude,
  replace(texts.name, ' ', '') as name_key,
  texts.name || ' ' || texts.services || ' ' || texts.place || ' ' || texts.description as text,
  setweight(names.stems, 'A')
    || setweight(stems.services, 'B')
    || setweight(to_tsvector('english', texts.place), 'C')
    || strip(stems.description)
    || array_to_tsvector(array[
        's/' || p.state,
        'g/' || floor(p.latitude * 4) || ':' || floor(p.longitude * 4),
        'd/' || b.price_unit || floor(ln(b.price_cents + 1) / ln(2.0) * 4)
      ]
      || case when b.second_price_unit is null then '{}'::text[]
        else array['d/' || b.second_price_unit || floor(ln(b.second_price_cents + 1) / ln(2.0) * 4)] end
      || array(select 'a/' || area from unnest(p.areas) area)
      || array(
        select m.prefix || value
        from search_markers() m
        cross join lateral jsonb_array_elements_text(case jsonb_typeof(listings.columns -> m.source)
          when 'array' then listings.columns -> m.source
          else jsonb_build_array(listings.columns -> m.source) end) value
        where value <> 'false')
      || fact_markers(b.facts, names.stems || stems.services || stems.description)
      || guest_markers('m/', b.max_guests)
      || guest_markers('q/', (b.facts ->> 'seated')::integer)
      || array(select 'n/' || stem from unnest(tsvector_to_array(names.stems)) stem)) as words,
  b.second_price_cents, b.second_price_unit, scores.recommended, scores.rating
from businesses b
join places p on p.id = b.place_id
-- 'offset 0' keeps each text from being made anew wherever it is used.
cross join lateral (select to_jsonb(b) as columns offset 0) listings
cross join lateral (select
  search_text(b.name) as name,
  search_text(b.category || ' ' || array_to_string(b.services_offered, ' ')) as services,
  search_text(p.name || ' ' || p.state || ' ' || case p.state
    when 'NSW' then 'New South Wales' when 'VIC' then 'Victoria' when 'QLD' then 'Queensland'
    when 'WA' then 'Western Australia' when 'SA' then 'South Australia' when 'TAS' then 'Tasmania'
    when 'ACT' then 'Australian Capital Territory' else 'Northern Territory' end) as place,
  search_text(b.description) as description
  offset 0) texts
cross join lateral (select to_tsvector('english', texts.name) as stems offset 0) names
cross join lateral (select
  to_tsvector('english', texts.services) as services, to_tsvector('english', texts.description) as description
  offset 0) stems
cross join lateral search_scores_of(b.id, b.price_cents > 0 and (b.max_guests is not null or b.facts <> '{}')) scores
where b.deleted_at is null and b.hidden_at is null;

-- Lists in recommended order show another listing once its place in that order changes.
create function tell_pages_of_order(ids text[]) returns void language plpgsql as $$
begin
  perform tell_pages(array(
    select 'listings:' || scope || area
    from businesses b join places on places.id = b.place_id
    cross join lateral (values ('any'), (b.category)) scopes (scope)
    cross join lateral (values
      (''), (':' || state), (':' || place_id),
      (':d' || floor(latitude) || ':' || floor(longitude)),
      (':q' || floor(latitude * 4) || ':' || floor(longitude * 4))
    ) areas (area)
    where b.id = any (ids)));
end $$;

create or replace function refresh_search() returns trigger
language plpgsql
as $$
declare
  source search_source;
  newest bigint;
  era bigint;
  recommended_before smallint;
begin
  delete from search_listings where business_id = new.id returning recommended into recommended_before;
  select * into source from search_source where business_id = new.id;
  if not found then
    return null;
  end if;
  -- Eras follow each other in time, whatever is written when.
  select coalesce(max(position), 0) into newest from search_listings;
  era := newest >> 43;
  if search_position(era, source.created_at) >= newest then
    -- The newest of all. Every so many such listings a new era begins.
    if tg_op = 'INSERT' and nextval('search_steps') % 4096 = 0 then
      era := era + 1;
    end if;
  else
    -- The era of what was listed just before it; of the oldest there is, where nothing was.
    select l.position >> 43 into era
    from businesses b join search_listings l on l.business_id = b.id
    where b.created_at <= source.created_at and b.deleted_at is null and b.hidden_at is null
    order by b.created_at desc, b.id limit 1;
    era := coalesce(era, (select min(position) >> 43 from search_listings));
  end if;
  insert into search_listings (business_id, position, category, price_cents, price_unit, latitude, longitude, name_key,
    words, second_price_cents, second_price_unit, recommended, rating)
  values (source.business_id, search_position(era, source.created_at), source.category, source.price_cents,
    source.price_unit, source.latitude, source.longitude, source.name_key,
    source.words || array_to_tsvector(array['e/' || era, 'f/' || era / 16]),
    source.second_price_cents, source.second_price_unit, source.recommended, source.rating);
  insert into search_words select search_words_of(source.text) on conflict do nothing;
  if recommended_before <> source.recommended then
    perform tell_pages_of_order(array[new.id]);
  end if;
  return null;
end
$$;

-- A review changes two numbers of a listing and none of its words, so the row isn't made again.
create function refresh_search_of_reviews() returns trigger language plpgsql as $$
declare
  no_rows constant text := 'select * from reviews where false';
  moved text[];
begin
  execute format($sql$
    with reviewed as materialized (
      select distinct coalesce(n.business_id, o.business_id) as business_id
      from (%s) o full join (%s) n on n.id = o.id
      where (o.approved or n.approved) and (o.approved, o.rating, o.business_id)
        is distinct from (n.approved, n.rating, n.business_id)
    ),
    scored as materialized (
      select listed.business_id, listed.recommended as before, scores.recommended, scores.rating
      from reviewed
      join businesses b on b.id = reviewed.business_id
      join search_listings listed on listed.business_id = b.id
      cross join lateral search_scores_of(b.id, b.price_cents > 0 and (b.max_guests is not null or b.facts <> '{}')) scores
    ),
    changed as (
      update search_listings set recommended = scored.recommended, rating = scored.rating
      from scored where scored.business_id = search_listings.business_id
        and (search_listings.recommended, search_listings.rating) is distinct from (scored.recommended, scored.rating)
    )
    select array_agg(business_id) from scored where before <> recommended
  $sql$,
    case when tg_op = 'INSERT' then no_rows else 'select * from old_rows' end,
    case when tg_op = 'DELETE' then no_rows else 'select * from new_rows' end) into moved;
  if cardinality(moved) > 20 then
    perform tell_pages(array['pages:all']);
  elsif moved is not null then
    perform tell_pages_of_order(moved);
  end if;
  return null;
end $$;
create trigger reviews_searched_added after insert on reviews
referencing new table as new_rows for each statement execute function refresh_search_of_reviews();
create trigger reviews_searched_changed after update on reviews
referencing old table as old_rows new table as new_rows for each statement execute function refresh_search_of_reviews();
create trigger reviews_searched_gone after delete on reviews
referencing old table as old_rows for each statement execute function refresh_search_of_reviews();

create or replace function rebuild_search() returns void
language plpgsql
as $$
begin
  truncate search_listings, search_words;
  drop index if exists search_listings_by_term, search_listings_by_position, search_listings_by_category,
    search_listings_by_price, search_listings_by_category_price, search_listings_by_second_price,
    search_listings_by_category_second_price, search_listings_by_name, search_listings_by_recommended,
    search_listings_by_category_recommended, search_listings_by_rating, search_listings_by_category_rating;
  with source as materialized (
    select *, (row_number() over (order by created_at, business_id) - 1) / 4096 as era from search_source
  ), listed as (
    insert into search_listings (business_id, position, category, price_cents, price_unit, latitude, longitude,
      name_key, words, second_price_cents, second_price_unit, recommended, rating)
    select business_id, search_position(era, created_at), category, price_cents, price_unit, latitude, longitude,
      name_key, words || array_to_tsvector(array['e/' || era, 'f/' || era / 16]), second_price_cents, second_price_unit,
      recommended, rating
    from source
    order by created_at, business_id
  )
  insert into search_words select distinct word from source, search_words_of(source.text) word;
  -- As arrays the conditions of a search are walked side by side, each skipping to where the other is; one tsquery
  -- asks about every posting of its rarest word and takes ten times as long. Without a list of pending entries no
  -- search has to read one.
  create index search_listings_by_term on search_listings using gin (tsvector_to_array(words)) with (fastupdate = off);
  create index search_listings_by_position on search_listings (position, business_id);
  create index search_listings_by_category on search_listings (category, position, business_id);
  create index search_listings_by_name on search_listings (name_key);
  create index search_listings_by_recommended on search_listings (recommended, position, business_id);
  create index search_listings_by_category_recommended
    on search_listings (category, recommended, position, business_id);
  create index search_listings_by_rating on search_listings (rating, position, business_id);
  create index search_listings_by_category_rating on search_listings (category, rating, position, business_id);
  perform index_search_prices();
end
$$;

select rebuild_search();
