-- The form of a listing once filled in what most vendors of its category say, and the save published it: 'Shortest booking 1 hour',
-- 'Travels up to 50 km'. Since then it only shows them as examples. What was filled in then leaves the page, and is kept until
-- its vendor says whether it's right.
--
-- Filled in is what nobody has touched: each number that the form filled in for the category is still exactly the one that it filled
-- in. A vendor who changed or cleared one of them had both before them, so both stay. A listing from after the form had changed has
-- its numbers from its vendor: 0069 came with a later version, and a form may have been open for a day.
create table prefilled_facts (
  business_id text primary key references businesses (id) on delete cascade,
  facts jsonb not null
);

insert into prefilled_facts (business_id, facts)
select businesses.id, filled.facts
from businesses
join (values
  ('Venues', '{"minHours": 4}'::jsonb),
  ('Photographers', '{"minHours": 2, "travelKm": 100}'),
  ('Hairdresser', '{"minHours": 1, "travelKm": 50}'),
  ('Sounds & DJ', '{"minHours": 3, "travelKm": 100}'),
  ('Catering', '{"minHours": 3, "travelKm": 50}'),
  ('Videographers', '{"minHours": 3, "travelKm": 100}'),
  ('Event Planners', '{"minHours": 2, "travelKm": 100}'),
  ('Extras', '{"minHours": 1, "travelKm": 50}')
) filled (category, facts) on filled.category = businesses.category
where businesses.deleted_at is null
  and businesses.facts @> filled.facts
  and businesses.created_at < (
    select applied_at + interval '1 day' from schema_migrations where name = '0069_listings_before_the_agreement.sql'
  );

-- Its triggers date the markers, which the job fills within a minute.
update businesses
set facts = businesses.facts - array(select jsonb_object_keys(prefilled_facts.facts))
from prefilled_facts
where prefilled_facts.business_id = businesses.id;
