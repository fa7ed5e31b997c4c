-- A quote by the hour names its guests too.
alter table quotes add column guests integer check (guests > 0);

-- A vendor's decline is told once its grace is over (decision 79). Until then the booking keeps its status and its time, and
-- these columns hold what the vendor has decided.
alter table bookings
  -- The vendor's one-tap reason, and their own words.
  add column decline_code text check (decline_code in
    ('already_booked', 'too_small', 'too_large', 'too_far', 'not_my_kind', 'price', 'closed', 'other')),
  add column decline_words text,
  -- When the waiting decline is told; null while none waits.
  add column tells_at timestamptz,
  -- When the customer was told. A declined booking without it was told at once, as all were before.
  add column told_at timestamptz;
create index bookings_to_tell on bookings (tells_at) where tells_at is not null;

-- Whatever else happens to the booking ends the waiting decline. The version before doesn't know these columns: it approves,
-- withdraws or declines at once, so nothing may be left to tell.
create function end_waiting_decline() returns trigger language plpgsql as $$
begin
  new.tells_at := null;
  if new.told_at is not distinct from old.told_at then
    new.told_at := null;
    new.decline_code := null;
    new.decline_words := null;
  end if;
  return new;
end $$;
create trigger bookings_end_waiting_decline before update of status on bookings
  for each row when (old.status is distinct from new.status
    and (old.tells_at is not null or old.decline_code is not null or old.decline_words is not null))
  execute function end_waiting_decline();
