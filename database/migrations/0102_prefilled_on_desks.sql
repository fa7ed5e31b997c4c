-- The question about prefilled facts (0100) waits on its vendor's desk. It ends with an answer, and once the listing states them, has
-- another category or is deleted.
create trigger prefilled_facts_on_desks after insert or delete
  on prefilled_facts for each row execute function tell_desk_of_calendar();

create function tell_desk_of_prefilled() returns trigger language plpgsql as $$
begin
  if exists (select from prefilled_facts where business_id = new.id) then
    perform pg_notify('jubilee_changes', 'desk:' || new.user_id);
  end if;
  return null;
end $$;
create trigger prefilled_businesses_on_desks after update of facts, category, deleted_at on businesses for each row
  when (old.facts is distinct from new.facts or old.category is distinct from new.category
    or old.deleted_at is distinct from new.deleted_at)
  execute function tell_desk_of_prefilled();
