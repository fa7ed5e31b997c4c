-- r/ markers: a listing's place in the recommended order, so that the term index finds the newest matches of one place
-- (features/search/score-queries.server.ts). Before, every match of a filter that few listings pass was read and sorted.
create function mark_recommended() returns trigger language plpgsql as $$
begin
  new.words := ts_delete(new.words, array['r/0', 'r/1', 'r/2', 'r/3', 'r/4'])
    || array_to_tsvector(array['r/' || new.recommended]);
  return new;
end $$;
create trigger search_listings_marked before insert or update of recommended on search_listings
for each row execute function mark_recommended();

select rebuild_search();
