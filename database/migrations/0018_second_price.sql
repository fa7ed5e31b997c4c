-- A listing that takes bookings per person and per hour has a price for each. price_cents stays the price per price_unit,
-- its first unit; the second price is that of the other unit. A listing without one takes bookings by its first unit
-- alone, whatever its booking_types say.
alter table businesses
  add column second_price_cents bigint,
  add column second_price_unit text;

-- The second price is there only while it counts, so no reader has to ask. The version before this one knows nothing of
-- it: when it changes the unit or the booking types, the second price goes, and no amount changes its unit unseen.
create function drop_stale_second_price() returns trigger
language plpgsql
as $$
begin
  if new.second_price_cents is null or new.second_price_unit is null or new.second_price_unit = new.price_unit
    or new.second_price_unit <> all (new.booking_types) or new.price_cents = 0 then
    new.second_price_cents := null;
    new.second_price_unit := null;
  elsif new.second_price_cents not between 1 and 99999999 then
    raise check_violation using message = 'a second price is from $0.01 to $999,999.99';
  end if;
  return new;
end
$$;

create trigger businesses_second_price
before insert or update of price_cents, price_unit, booking_types, second_price_cents, second_price_unit on businesses
for each row execute function drop_stale_second_price();

-- What a landing page says of prices is read from this index alone.
drop index businesses_by_place;
create index businesses_by_place on businesses (category, place_id, created_at desc, id)
include (price_unit, price_cents, second_price_unit, second_price_cents)
where deleted_at is null and hidden_at is null;

-- Search: a listing has a marker d/ for each of its prices.
alter table search_listings
  add column second_price_cents bigint,
  add column second_price_unit text;

create or replace view search_source as
select b.id as business_id, b.created_at, b.category,
  case when b.price_cents = 0 then 100000000 else b.price_cents end as price_cents,
  b.price_unit, p.latitude, p.longitude,
  replace(texts.name, ' ', '') as name_key,
  texts.name || ' ' || texts.services || ' ' || texts.place || ' ' || texts.description as text,
  setweight(names.stems, 'A')
    || setweight(to_tsvector('english', texts.services), 'B')
    || setweight(to_tsvector('english', texts.place), 'C')
    || strip(to_tsvector('english', texts.description))
    || array_to_tsvector(array[
        'c/' || b.category, 's/' || p.state, 'p/' || p.id,
        'g/' || floor(p.latitude * 4) || ':' || floor(p.longitude * 4),
        'd/' || b.price_unit || floor(ln(b.price_cents + 1) / ln(2.0) * 4)
      ]
      || case when b.second_price_unit is null then '{}'::text[]
        else array['d/' || b.second_price_unit || floor(ln(b.second_price_cents + 1) / ln(2.0) * 4)] end
      || array(select 'n/' || stem from unnest(tsvector_to_array(names.stems)) stem)) as words,
  b.second_price_cents, b.second_price_unit
from businesses b
join places p on p.id = b.place_id
-- 'offset 0' keeps each text from being made anew wherever it is used.
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
where b.deleted_at is null and b.hidden_at is null;

create or replace function refresh_search() returns trigger
language plpgsql
as $$
declare
  source search_source;
  newest bigint;
  era bigint;
begin
  delete from search_listings where business_id = new.id;
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
    words, second_price_cents, second_price_unit)
  values (source.business_id, search_position(era, source.created_at), source.category, source.price_cents,
    source.price_unit, source.latitude, source.longitude, source.name_key,
    source.words || array_to_tsvector(array['e/' || era, 'f/' || era / 16]),
    source.second_price_cents, source.second_price_unit);
  insert into search_words select search_words_of(source.text) on conflict do nothing;
  return null;
end
$$;

-- The indexes of prices carry the other price too, so that a walk along one of them still reads nothing else. Second
-- prices have walks of their own.
create function index_search_prices() returns void
language plpgsql
as $$
begin
  create index search_listings_by_price on search_listings (price_unit, price_cents, position, business_id)
    include (second_price_unit, second_price_cents);
  create index search_listings_by_category_price
    on search_listings (category, price_unit, price_cents, position, business_id)
    include (second_price_unit, second_price_cents);
  create index search_listings_by_second_price
    on search_listings (second_price_unit, second_price_cents, position, business_id)
    include (price_unit, price_cents) where second_price_unit is not null;
  create index search_listings_by_category_second_price
    on search_listings (category, second_price_unit, second_price_cents, position, business_id)
    include (price_unit, price_cents) where second_price_unit is not null;
end
$$;

create or replace function rebuild_search() returns void
language plpgsql
as $$
begin
  truncate search_listings, search_words;
  drop index if exists search_listings_by_term, search_listings_by_position, search_listings_by_category,
    search_listings_by_price, search_listings_by_category_price, search_listings_by_second_price,
    search_listings_by_category_second_price, search_listings_by_name;
  with source as materialized (
    select *, (row_number() over (order by created_at, business_id) - 1) / 4096 as era from search_source
  ), listed as (
    insert into search_listings (business_id, position, category, price_cents, price_unit, latitude, longitude,
      name_key, words, second_price_cents, second_price_unit)
    select business_id, search_position(era, created_at), category, price_cents, price_unit, latitude, longitude,
      name_key, words || array_to_tsvector(array['e/' || era, 'f/' || era / 16]), second_price_cents, second_price_unit
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
  perform index_search_prices();
end
$$;

-- No listing has a second price yet, so what is searched is right as it stands, but for its indexes of prices.
drop index search_listings_by_price, search_listings_by_category_price;
select index_search_prices();

drop trigger businesses_searched on businesses;
create trigger businesses_searched
after insert or update of name, category, description, services_offered, price_cents, price_unit, booking_types,
  second_price_cents, second_price_unit, place_id, hidden_at, deleted_at, created_at on businesses
for each row execute function refresh_search();
