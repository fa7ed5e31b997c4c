-- The album of a listing: pictures beside those of its form. A table, not a column of `businesses`: a picture that is added or moved
-- changes neither the listing's version nor its row in the index.
create table album_pictures (
  business_id text not null references businesses (id) on delete cascade,
  url text not null,
  position integer not null check (position >= 0),
  width integer not null,
  height integer not null,
  colour text not null,
  caption text not null,
  alt text not null,
  added_at timestamptz not null,
  -- Its row stays for a day, so that a removal can be undone.
  removed_at timestamptz,
  primary key (business_id, url)
);

create function tell_pages_of_albums() returns trigger language plpgsql as $$
begin
  perform tell_pages(array['business:' || coalesce(new.business_id, old.business_id)]);
  return null;
end $$;
create trigger album_pictures_told after insert or update or delete on album_pictures for each row
execute function tell_pages_of_albums();
