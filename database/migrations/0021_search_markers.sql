-- A filter by a plain column of listings needs one row in search_markers(), in a migration that adds the column too: the
-- view, the triggers and rebuild_search() follow.

-- The columns whose values are markers in the index, each behind its prefix: 'c/' of category makes 'c/Venues'. Every
-- value of a list is one; null and false are none. Markers of what is worked out first stand in search_source.
create function search_markers() returns table (prefix text, source text)
language sql immutable
as $$
  values
    ('c/', 'category'),
    ('p/', 'place_id')
$$;

-- The same rows as before, with these markers from search_markers().
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

-- The trigger listed the columns of search_source: a column that was forgotten there was never indexed. Now every update
-- counts but one that changes nothing beside these columns. An update without any change counts too, since
-- refresh_search_of_place() asks for a row to be made again by one.
create function is_beside_search(before businesses, after businesses) returns boolean
language sql immutable
as $$
  select before is distinct from after
    and to_jsonb(before) - columns.beside_search = to_jsonb(after) - columns.beside_search
  from (values (array['user_id', 'images', 'seo_title', 'seo_description', 'hidden_reason', 'hidden_by',
    'operator_reason', 'updated_at'])) columns (beside_search)
$$;

drop trigger businesses_searched on businesses;
create trigger businesses_searched after insert on businesses
for each row execute function refresh_search();
create trigger businesses_searched_again after update on businesses
for each row when (not is_beside_search(old, new)) execute function refresh_search();
