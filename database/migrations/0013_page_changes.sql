-- Every process keeps the public pages in memory. What they show is these three tables, so the tables themselves say
-- that it changed, whoever changed it: a command cannot forget it, and a correction by hand is seen as well.
-- The channel is that of the live updates (app/adapters/live-updates); the same message is told once per transaction.
create function tell_listings_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'listings:all');
  return null;
end $$;

create trigger businesses_tell after insert or update or delete or truncate on businesses
  for each statement execute function tell_listings_changed();
create trigger business_registrations_tell after insert or update or delete or truncate on business_registrations
  for each statement execute function tell_listings_changed();
create trigger reviews_tell after insert or update or delete or truncate on reviews
  for each statement execute function tell_listings_changed();
