-- The markers that a listing's own statements and words give it were lists in SQL, copied with each new filter. They are a
-- column now, which the writing command fills from the rows in features/businesses/fact-rules.ts (decision 71).
alter table businesses
  add column markers text[] not null default '{}',
  -- The MARKERS_VERSION that wrote them. 0 before that, and negative if the listing has changed since.
  add column markers_version integer not null default 0;

-- A listing's markers with those of its words: each row of `rows` whose fact it doesn't state and whose words it contains.
create function with_word_markers(
  stated text[], facts jsonb, rows jsonb, name text, category text, services text[], description text
) returns text[]
language sql immutable
as $$
  select stated || array(
    select each ->> 'marker' from jsonb_array_elements(rows) each
    where not jsonb_exists(facts, each ->> 'fact') and texts.stems @@ to_tsquery('english', each ->> 'words'))
  from (select to_tsvector('english', search_text(name))
    || to_tsvector('english', search_text(category || ' ' || array_to_string(services, ' ')))
    || to_tsvector('english', search_text(description)) as stems offset 0) texts
$$;

-- For the last time by these functions. The index has the same markers already, so no trigger needs to run.
alter table businesses disable trigger user;
update businesses set
  markers = fact_markers(facts, to_tsvector('english', search_text(name))
      || to_tsvector('english', search_text(category || ' ' || array_to_string(services_offered, ' ')))
      || to_tsvector('english', search_text(description)))
    || guest_markers('m/', max_guests) || guest_markers('q/', (facts ->> 'seated')::integer),
  markers_version = 1;
alter table businesses enable trigger user;

create index businesses_by_markers_version on businesses (markers_version);

-- The previous version, and the availability settings' copy of the maximum number of guests, change a listing without its
-- markers: they are out of date until they are written. Triggers fire in the order of their names, and the second one only
-- if the statement sets the markers.
create function date_markers() returns trigger language plpgsql as $$
begin
  new.markers_version := abs(new.markers_version) * tg_argv[0]::integer;
  return new;
end $$;
create trigger businesses_markers_1_outdated
before update of name, category, services_offered, description, max_guests, facts on businesses for each row
when ((old.name, old.category, old.services_offered, old.description, old.max_guests, old.facts)
  is distinct from (new.name, new.category, new.services_offered, new.description, new.max_guests, new.facts))
execute function date_markers('-1');
create trigger businesses_markers_2_written before update of markers on businesses for each row
execute function date_markers('1');

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
        'c/' || b.category,
        'p/' || b.place_id,
        's/' || p.state,
        'g/' || floor(p.latitude * 4) || ':' || floor(p.longitude * 4),
        'd/' || b.price_unit || floor(ln(b.price_cents + 1) / ln(2.0) * 4)
      ]
      || case when b.second_price_unit is null then '{}'::text[]
        else array['d/' || b.second_price_unit || floor(ln(b.second_price_cents + 1) / ln(2.0) * 4)] end
      || array(select 'a/' || area from unnest(p.areas) area)
      || b.markers
      || array(select 'n/' || stem from unnest(tsvector_to_array(names.stems)) stem)) as words,
  b.second_price_cents, b.second_price_unit, scores.recommended, scores.rating
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
cross join lateral search_scores_of(b.id, b.price_cents > 0 and (b.max_guests is not null or b.facts <> '{}')) scores
where b.deleted_at is null and b.hidden_at is null;

-- The same columns as before, and the version, which says nothing of the listing.
create or replace function is_beside_search(before businesses, after businesses) returns boolean
language sql immutable
as $$
  select before is distinct from after
    and to_jsonb(before) - columns.beside_search = to_jsonb(after) - columns.beside_search
  from (values (array['user_id', 'images', 'seo_title', 'seo_description', 'hidden_reason', 'hidden_by',
    'operator_reason', 'updated_at', 'markers_version'])) columns (beside_search)
$$;

-- Nor does it change a page: one name more in the list of tell_pages_of_listings() (0017), which stays as it is otherwise.
do $$
declare
  before constant text := pg_get_functiondef('tell_pages_of_listings'::regproc);
  after constant text := replace(before, '''seo_description'', ''hidden_reason'',',
    '''seo_description'', ''hidden_reason'', ''markers_version'',');
begin
  if after = before then
    raise exception 'tell_pages_of_listings() has another list of columns';
  end if;
  execute after;
end $$;

drop function fact_markers(jsonb, tsvector);
drop function guest_markers(text, integer);
drop function fact_words();
drop function search_markers();
