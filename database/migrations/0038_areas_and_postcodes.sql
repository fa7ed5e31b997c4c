-- Areas of many suburbs, such as Melbourne or the Northern Rivers, and postcodes. places.tsv has both.
alter table places
  add column areas text[] not null default '{}',
  add column postcodes text[] not null default '{}';
create index places_by_postcode on places using gin (postcodes);

-- The same rows as before (migration 0021), with a marker for each area of the place.
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
      || array(select 'n/' || stem from unnest(tsvector_to_array(names.stems)) stem)) as words,
  b.second_price_cents, b.second_price_unit
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
where b.deleted_at is null and b.hidden_at is null;

drop trigger places_searched on places;
create trigger places_searched after update on places for each row
when ((old.name, old.state, old.latitude, old.longitude, old.areas)
  is distinct from (new.name, new.state, new.latitude, new.longitude, new.areas))
execute function refresh_search_of_place();
