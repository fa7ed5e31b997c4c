-- The largest places with listings, which each list and search suggests. All places and all counts were read for them.
create index places_by_population on places (population desc, name, state);
create index listed_places_by_place on listed_places (place_id) where listed > 0;
