-- A listing's cells follow from its place as well. First of all, since a save locks `businesses` before the index too.
create trigger businesses_markers_1_moved before update of place_id on businesses for each row
when (old.place_id is distinct from new.place_id)
execute function date_markers('-1');

-- The cells of its service area are markers, and the exact distance decides (decision 82). So the index has the radius.
alter table search_listings add column travel_km integer;

-- The view and the two functions that fill the index stay as they are, with one column more.
do $$
declare
  view_before constant text := pg_get_viewdef('search_source'::regclass);
  view_after constant text := regexp_replace(view_before, '(scores\.rating)(\s+FROM)',
    '\1, (b.facts ->> ''travelKm'')::integer AS travel_km\2');
  row_before constant text := pg_get_functiondef('refresh_search'::regproc);
  row_after constant text := replace(replace(row_before, 'recommended, rating)', 'recommended, rating, travel_km)'),
    'source.recommended, source.rating)', 'source.recommended, source.rating, source.travel_km)');
  all_before constant text := pg_get_functiondef('rebuild_search'::regproc);
  all_after constant text := regexp_replace(replace(all_before, 'recommended, rating)', 'recommended, rating, travel_km)'),
    '(\s)recommended, rating(\s+from source)', '\1recommended, rating, travel_km\2');
begin
  if view_after = view_before or row_after not like '%source.travel_km)%' or all_after not like '%rating, travel_km%from source%'
  then
    raise exception 'the index of searches is filled otherwise';
  end if;
  execute 'create or replace view search_source as ' || view_after;
  execute row_after;
  execute all_after;
end $$;

-- The middle of an area, from which vendors travel to it.
create index places_by_area on places using gin (areas);
