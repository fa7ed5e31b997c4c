-- A date is booked once. What a business offers and when, what of its time is taken, and the calendars elsewhere.

create extension if not exists btree_gist;

-- Without a row here a business has its category's defaults (features/availability/rules.ts). Its time zone is its place's.
create table availability_settings (
  business_id text primary key references businesses (id) on delete cascade,
  -- How many bookings it takes at once.
  capacity integer not null check (capacity between 1 and 50),
  max_guests integer check (max_guests >= 1),
  -- { mon: [{ opensMinute, closesMinute }], …, sun: [] }
  weekly jsonb not null check (jsonb_typeof(weekly) = 'object'),
  event_minutes integer not null check (event_minutes between 30 and 2880),
  setup_minutes integer not null check (setup_minutes between 0 and 1440),
  cleanup_minutes integer not null check (cleanup_minutes between 0 and 1440),
  notice_minutes integer not null check (notice_minutes between 0 and 525600),
  horizon_days integer not null check (horizon_days >= 1),
  updated_at timestamptz not null
);

create table availability_exceptions (
  id text primary key,
  -- Of two for the same day the later one wins.
  number bigint generated always as identity,
  business_id text not null references businesses (id) on delete cascade,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  -- [{ opensMinute, closesMinute }]; empty is closed.
  hours jsonb not null check (jsonb_typeof(hours) = 'array'),
  note text not null default ''
);
create index availability_exceptions_by_business on availability_exceptions (business_id, number);

-- Each row takes time of a business: a booking that is pending or approved, a hold while somebody pays, a time that the
-- vendor keeps for themselves. What is declined, withdrawn, released or unblocked has no row.
create table slots (
  id text primary key,
  business_id text not null references businesses (id) on delete cascade,
  kind text not null check (kind in ('booking', 'hold', 'block')),
  -- What is taken: the event with setting up and cleaning. UTC, half open.
  during tstzrange not null check (not isempty(during) and not lower_inf(during) and not upper_inf(during)),
  event tstzrange not null check (event <@ during and not isempty(event)),
  -- The zone in which the event was agreed.
  time_zone text not null,
  -- Whether nothing else of the business may overlap: where it takes one booking at a time.
  is_exclusive boolean not null check (not is_exclusive or kind <> 'block'),
  -- When a hold is void; null once its card is being confirmed, then it lasts until its payment ends.
  expires_at timestamptz check (expires_at is null or kind = 'hold'),
  -- No foreign keys: payments and bookings are snapshots (Decision 4).
  payment_id text unique check (payment_id is not null or kind = 'block'),
  booking_id text unique check ((booking_id is not null) = (kind = 'booking')),
  note text not null default '',
  created_at timestamptz not null,
  constraint slots_booked_once exclude using gist (business_id with =, during with &&) where (is_exclusive)
);
create index slots_by_time on slots using gist (business_id, during);

-- The secret address at which a business's calendar can be read. Only the hash of its token is here.
create table calendar_feeds (
  business_id text primary key references businesses (id) on delete cascade,
  token_hash text not null unique,
  shows_names boolean not null default false,
  created_at timestamptz not null
);

create table outside_calendars (
  id text primary key,
  business_id text not null references businesses (id) on delete cascade,
  name text not null,
  url text not null,
  added_at timestamptz not null,
  -- When it is read next; moved on by whoever reads it, so that no two do.
  next_sync_at timestamptz not null,
  -- The last reading that went well, and why the last one did not.
  last_synced_at timestamptz,
  last_error text,
  etag text,
  unique (business_id, url)
);
create index outside_calendars_due on outside_calendars (next_sync_at);

create table outside_events (
  id bigint generated always as identity primary key,
  calendar_id text not null references outside_calendars (id) on delete cascade,
  during tstzrange not null,
  title text not null
);
create index outside_events_by_time on outside_events using gist (calendar_id, during);

-- What is there already moves in, with the defaults of each category, since nobody has set anything yet ------------------
create temporary table sold_times on commit drop as
select
  t.payment_id,
  t.starts_at,
  t.starts_at + t.length as ends_at,
  t.starts_at - d.setup as taken_from,
  t.starts_at + t.length + d.cleanup as taken_until
from payments p
left join businesses b on b.id = p.sold ->> 'businessId'
cross join lateral (
  select
    make_interval(mins => case b.category when 'Venues' then 420 when 'Photographers' then 480 when 'Hairdresser' then 180
      when 'Sounds & DJ' then 360 when 'Catering' then 360 when 'Videographers' then 480 when 'Event Planners' then 480
      else 300 end) as event,
    make_interval(mins => case b.category when 'Venues' then 120 when 'Photographers' then 30 when 'Hairdresser' then 30
      when 'Sounds & DJ' then 90 when 'Catering' then 180 when 'Videographers' then 30 else 60 end) as setup,
    make_interval(mins => case b.category when 'Photographers' then 30 when 'Hairdresser' then 30 when 'Catering' then 90
      when 'Videographers' then 30 else 60 end) as cleanup
) d
cross join lateral (
  select
    p.id as payment_id,
    ((p.draft ->> 'date')::date + (p.draft ->> 'time')::time) at time zone (p.sold ->> 'timeZone') as starts_at,
    case p.draft ->> 'bookingType'
      when 'perHour' then make_interval(hours => (p.draft ->> 'quantity')::int)
      else d.event
    end as length
) t;

-- What was sold names its time too, so that a later change of settings changes no agreed one.
update payments p
set sold = p.sold || jsonb_build_object(
  'event', jsonb_build_object(
    'from', to_char(t.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'until', to_char(t.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  ),
  'occupied', jsonb_build_object(
    'from', to_char(t.taken_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'until', to_char(t.taken_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )
)
from sold_times t
where t.payment_id = p.id;

-- Bookings first, in the order in which they were made, then what is being paid for at this moment. Until now nothing
-- kept two from overlapping: the later one of such a pair is stored without the claim to be alone.
do $$
declare
  one record;
begin
  for one in
    select
      coalesce(k.id, p.id) as id,
      p.sold ->> 'businessId' as business_id,
      case when k.id is null then 'hold' else 'booking' end as kind,
      tstzrange(t.taken_from, t.taken_until) as during,
      tstzrange(t.starts_at, t.ends_at) as event,
      p.sold ->> 'timeZone' as time_zone,
      case when k.id is null and p.state = 'open' then p.expires_at end as expires_at,
      p.id as payment_id,
      k.id as booking_id,
      coalesce(k.created_at, p.created_at) as created_at
    from payments p
    join sold_times t on t.payment_id = p.id
    join businesses b on b.id = p.sold ->> 'businessId'
    left join bookings k on k.payment_row_id = p.id
    where (k.id is null and p.state in ('open', 'processing')) or k.status in ('pending', 'approved')
    order by k.id is null, coalesce(k.created_at, p.created_at), p.id
  loop
    insert into slots
      (id, business_id, kind, during, event, time_zone, is_exclusive, expires_at, payment_id, booking_id, created_at)
    values
      (one.id, one.business_id, one.kind, one.during, one.event, one.time_zone, true, one.expires_at, one.payment_id,
        one.booking_id, one.created_at)
    on conflict do nothing;
    if not found then
      insert into slots
        (id, business_id, kind, during, event, time_zone, is_exclusive, expires_at, payment_id, booking_id, created_at)
      values
        (one.id, one.business_id, one.kind, one.during, one.event, one.time_zone, false, one.expires_at, one.payment_id,
          one.booking_id, one.created_at);
    end if;
  end loop;
end $$;
