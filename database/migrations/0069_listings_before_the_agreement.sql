-- A listing waits, saved and hidden, until its owner has accepted the vendor agreement. Whatever hides it meanwhile, it isn't
-- shown before that. Listings that are public already stay so.
alter table businesses add column waiting_since timestamptz;
create index businesses_waiting on businesses (user_id) where waiting_since is not null;

alter domain hiding_party drop constraint hiding_party_check;
alter domain hiding_party add constraint hiding_party_check
  check (value in ('owner', 'operator', 'disabling', 'deactivation', 'agreement'));

-- The text that versions before migration 0019 read and write.
create or replace function hiding_party_of(reason text) returns text language sql immutable as $$
  select case reason
    when 'by its owner' then 'owner'
    when 'its account is disabled' then 'disabling'
    when 'its owner’s account is deactivated' then 'deactivation'
    when 'its owner has not accepted the vendor agreement' then 'agreement'
    else 'operator'
  end
$$;

create or replace function keep_hidden_by() returns trigger language plpgsql as $$
begin
  -- The previous version may show a listing that it doesn't know to be waiting.
  if new.hidden_at is null and new.waiting_since is not null then
    new.hidden_at := new.waiting_since;
    new.hidden_by := 'agreement';
  end if;
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
      when 'agreement' then 'its owner has not accepted the vendor agreement'
      else 'by an operator: ' || new.operator_reason
    end;
  end if;
  return new;
end $$;
