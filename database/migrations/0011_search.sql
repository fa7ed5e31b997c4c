-- What is searched: one narrow row for each business that visitors may see, kept by triggers, so that whatever writes a
-- listing (a form, an operator, the demo, an import) keeps it too. All of it can be made again by rebuild_search().

create extension if not exists pg_trgm;

-- A text as search sees it: lower case, without accents and apostrophes, words parted by one space.
-- features/search/rules.ts has the same for what is typed.
create function search_text(text) returns text
language sql immutable strict parallel safe
as $$
  select btrim(regexp_replace(
    regexp_replace(lower(normalize($1, nfkd)), '[\u0300-\u036f''\u2019]', '', 'g'),
    '[^a-z0-9\u00c0-\u1fff\u2c00-\u2fff\u3040-\uffff]+', ' ', 'g'))
$$;

create table search_listings (
  business_id text primary key references businesses (id) on delete cascade,
  -- The higher the newer: see search_position().
  position bigint not null,
  category text not null,
  -- 100000000, more than any price, for a price on request, which comes last then.
  price_cents bigint not null,
  price_unit text not null,
  latitude double precision not null,
  longitude double precision not null,
  -- The name as search_text without spaces: 'harbourlightpavilion'. Its letters are compared by their codes.
  name_key text collate "C" not null,
  -- Stems of the name (A), of category and services (B), of the place (C) and of the description. Beside them markers,
  -- which no word can be because of their slash: e/ era, f/ block of 16 eras, c/ category, s/ state, p/ place,
  -- g/ square of a quarter degree, d/ unit and quarter octave of the price, n/ stem of the name.
  words tsvector not null
);

-- The era of a listing, then the time at which it was listed, in milliseconds. An era is some 4,096 listings that follow
-- each other in time: a search looks into the newest eras first and is done before it has read the rest.
create function search_position(era bigint, listed_at timestamptz) returns bigint
language sql immutable strict parallel safe
as $$ select (era << 43) | greatest(0, extract(epoch from listed_at) * 1000)::bigint $$;

create sequence search_steps;

-- Every word that a listing uses: what a mistyped word is compared with.
create table search_words (word text collate "C" primary key);
create index search_words_alike on search_words using gin (word gin_trgm_ops);
create index places_alike on places using gin (lower(name) gin_trgm_ops);

create function search_words_of(text) returns setof text
language sql immutable strict parallel safe
as $$
  -- In one order, so that two who add the same words wait for each other, and never in a circle.
  select distinct word collate "C" from unnest(string_to_array($1, ' ')) word
  where length(word) between 2 and 30 and word !~ '^[0-9]+$' order by 1
$$;

create view search_source as
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
      ] || array(select 'n/' || stem from unnest(tsvector_to_array(names.stems)) stem)) as words
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

create function refresh_search() returns trigger
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
  insert into search_listings values (source.business_id, search_position(era, source.created_at), source.category,
    source.price_cents, source.price_unit, source.latitude, source.longitude, source.name_key,
    source.words || array_to_tsvector(array['e/' || era, 'f/' || era / 16]));
  insert into search_words select search_words_of(source.text) on conflict do nothing;
  return null;
end
$$;

create function refresh_search_of_place() returns trigger
language plpgsql
as $$
begin
  update businesses set place_id = place_id where place_id = new.id;
  return null;
end
$$;

-- Makes everything again from the listings: for the first time, and after a large import, which is a tenth of the work
-- with the trigger off (bench/generate-listings.ts does so).
create function rebuild_search() returns void
language plpgsql
as $$
begin
  truncate search_listings, search_words;
  drop index if exists search_listings_by_term, search_listings_by_position, search_listings_by_category,
    search_listings_by_price, search_listings_by_category_price, search_listings_by_name;
  with source as materialized (
    select *, (row_number() over (order by created_at, business_id) - 1) / 4096 as era from search_source
  ), listed as (
    insert into search_listings
    select business_id, search_position(era, created_at), category, price_cents, price_unit, latitude, longitude,
      name_key, words || array_to_tsvector(array['e/' || era, 'f/' || era / 16])
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
  create index search_listings_by_price on search_listings (price_unit, price_cents, position, business_id);
  create index search_listings_by_category_price
    on search_listings (category, price_unit, price_cents, position, business_id);
  create index search_listings_by_name on search_listings (name_key);
end
$$;

select rebuild_search();

create trigger businesses_searched
after insert or update of name, category, description, services_offered, price_cents, price_unit, place_id, hidden_at,
  deleted_at, created_at on businesses
for each row execute function refresh_search();

create trigger places_searched after update on places for each row
when ((old.name, old.state, old.latitude, old.longitude)
  is distinct from (new.name, new.state, new.latitude, new.longitude))
execute function refresh_search_of_place();
