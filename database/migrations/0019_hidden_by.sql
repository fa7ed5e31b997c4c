-- Who hid a listing becomes data. It was told from the wording of hidden_reason, in three features; an operator's own words
-- now have a column of their own.
create domain hiding_party as text check (value in ('owner', 'operator', 'disabling', 'deactivation'));
alter table businesses add column hidden_by hiding_party, add column operator_reason text;

-- The wordings of the version before, which still runs while this one starts and sets and reads them.
create function hiding_party_of(reason text) returns text language sql immutable as $$
  select case reason
    when 'by its owner' then 'owner'
    when 'its account is disabled' then 'disabling'
    when 'its owner’s account is deactivated' then 'deactivation'
    else 'operator'
  end
$$;

create function keep_hidden_by() returns trigger language plpgsql as $$
begin
  if new.hidden_at is null then
    new.hidden_by := null;
    new.operator_reason := null;
    new.hidden_reason := null;
  elsif new.hidden_by is null
    or (tg_op = 'UPDATE' and new.hidden_by is not distinct from old.hidden_by
      and new.operator_reason is not distinct from old.operator_reason
      and new.hidden_reason is distinct from old.hidden_reason) then
    new.hidden_by := hiding_party_of(new.hidden_reason);
    new.operator_reason := case when new.hidden_by = 'operator'
      then regexp_replace(coalesce(new.hidden_reason, ''), '^by an operator: ', '') end;
  else
    new.operator_reason := case when new.hidden_by = 'operator' then coalesce(new.operator_reason, '') end;
    new.hidden_reason := case new.hidden_by
      when 'owner' then 'by its owner'
      when 'disabling' then 'its account is disabled'
      when 'deactivation' then 'its owner’s account is deactivated'
      else 'by an operator: ' || new.operator_reason
    end;
  end if;
  return new;
end $$;

-- Every listing that is hidden now is given its party by the trigger.
create trigger businesses_hidden_by before insert or update of hidden_at, hidden_reason, hidden_by, operator_reason
  on businesses for each row execute function keep_hidden_by();
update businesses set hidden_by = null where hidden_at is not null;
