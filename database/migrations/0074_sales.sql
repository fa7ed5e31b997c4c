-- A time as this product writes it in JSON: ISO 8601, UTC.
create function iso_of(at timestamptz) returns text language sql immutable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- A sale is what was agreed when its first payment began, whose id it has (decision 78). Until now each payment of a purchase
-- had a copy of it, as JSON.
create table sales (
  id text primary key,
  -- No foreign keys to users or businesses: a sale outlives both (Decision 4).
  owner_user_id text not null,
  customer_user_id text,
  -- The hash of the unguessable link to the booking (Decision 3).
  link_hash text not null unique,
  terms_version text not null,
  customer_name text not null,
  customer_email text not null,
  customer_phone text not null,
  business_id text not null,
  business_name text not null,
  place text not null,
  time_zone text not null,
  abn text,
  gst_registered boolean not null,
  date date not null,
  time time not null,
  quantity integer not null,
  booking_type text not null,
  -- The event itself, and the vendor's time that it occupies with setting up and cleaning.
  event_from timestamptz not null,
  event_until timestamptz not null,
  occupied_from timestamptz not null,
  occupied_until timestamptz not null,
  unit_price_cents bigint not null,
  price_cents bigint not null,
  -- Null where it began before there was a ledger.
  commission jsonb,
  -- Cancellation and payments; null where it began before there were terms.
  policy jsonb,
  instalments jsonb,
  -- Null where the listing's own price was paid.
  quote jsonb,
  answer_within_ms bigint,
  created_at timestamptz not null,
  check ((policy is null) = (instalments is null))
);
create index sales_by_owner on sales (owner_user_id, event_until, id);
create index sales_by_customer on sales (customer_user_id) where customer_user_id is not null;
create index sales_search on sales
  using gin (business_name gin_trgm_ops, customer_name gin_trgm_ops, customer_email gin_trgm_ops);

alter table payments add column sale_id text;
create index payments_of_sale on payments (sale_id);
create index if not exists payments_by_reference on payments using gin (provider_reference gin_trgm_ops);

-- For one release both are written: the version before knows only the copies in payments, this one only sales. What one
-- writes the other gets here.

create function sold_of(sale sales) returns jsonb language sql immutable as $$
  select jsonb_build_object(
      'businessId', sale.business_id, 'businessName', sale.business_name, 'place', sale.place,
      'timeZone', sale.time_zone, 'unitPriceCents', sale.unit_price_cents, 'priceUnit', sale.booking_type,
      'abn', sale.abn, 'gstRegistered', sale.gst_registered,
      'event', jsonb_build_object('from', iso_of(sale.event_from), 'until', iso_of(sale.event_until)),
      'occupied', jsonb_build_object('from', iso_of(sale.occupied_from), 'until', iso_of(sale.occupied_until)))
    || case when sale.commission is null then '{}' else jsonb_build_object('commission', sale.commission) end
    || case when sale.policy is null then '{}' else jsonb_build_object('terms', jsonb_build_object(
      'policy', sale.policy, 'priceCents', sale.price_cents, 'instalments', sale.instalments)) end
    || case when sale.quote is null then '{}' else jsonb_build_object('quote', sale.quote) end
    || case when sale.answer_within_ms is null then '{}'
      else jsonb_build_object('answerWithinMs', sale.answer_within_ms) end
$$;

create function draft_of(sale sales) returns jsonb language sql immutable as $$
  select jsonb_build_object('fullName', sale.customer_name, 'email', sale.customer_email, 'phone', sale.customer_phone,
    'date', to_char(sale.date, 'YYYY-MM-DD'), 'time', to_char(sale.time, 'HH24:MI'), 'quantity', sale.quantity,
    'bookingType', sale.booking_type)
$$;

-- The sale of a first payment that the version before has written. Rows from before the first release may lack a part.
create function sale_of(first payments) returns sales language sql immutable as $$
  select first.id, first.owner_user_id, first.customer_user_id, first.link_hash, first.terms_version,
    coalesce(first.draft->>'fullName', ''), coalesce(first.draft->>'email', ''), coalesce(first.draft->>'phone', ''),
    coalesce(first.sold->>'businessId', ''), coalesce(first.sold->>'businessName', ''),
    coalesce(first.sold->>'place', ''), coalesce(first.sold->>'timeZone', 'Australia/Melbourne'),
    first.sold->>'abn', coalesce((first.sold->>'gstRegistered')::boolean, false),
    coalesce((first.draft->>'date')::date, (wall.at)::date), coalesce((first.draft->>'time')::time, (wall.at)::time),
    coalesce((first.draft->>'quantity')::integer, 1), coalesce(first.draft->>'bookingType', 'perPerson'),
    span.event_from, span.event_until,
    coalesce((first.sold->'occupied'->>'from')::timestamptz, span.event_from),
    coalesce((first.sold->'occupied'->>'until')::timestamptz, span.event_until),
    coalesce((first.sold->>'unitPriceCents')::bigint, first.amount_cents),
    coalesce((first.sold->'terms'->>'priceCents')::bigint, first.amount_cents),
    first.sold->'commission', first.sold->'terms'->'policy', first.sold->'terms'->'instalments',
    first.sold->'quote', (first.sold->>'answerWithinMs')::bigint, first.created_at
  from (select coalesce((first.sold->'event'->>'from')::timestamptz, first.created_at) as event_from,
      coalesce((first.sold->'event'->>'until')::timestamptz, first.created_at) as event_until) span,
    lateral (select span.event_from at time zone coalesce(first.sold->>'timeZone', 'Australia/Melbourne') as at) wall
$$;

create function fill_payment_from_sale() returns trigger language plpgsql as $$
declare
  sale sales;
begin
  if new.sale_id is null then
    new.sale_id := coalesce(new.follows, new.id);
    return new;
  end if;
  select * into strict sale from sales where id = new.sale_id;
  new.sold := sold_of(sale);
  new.draft := draft_of(sale);
  new.owner_user_id := sale.owner_user_id;
  new.customer_user_id := sale.customer_user_id;
  new.terms_version := sale.terms_version;
  if new.id = new.sale_id then
    new.link_hash := sale.link_hash;
  else
    new.follows := new.sale_id;
    new.link_hash := 'follows:' || new.id;
  end if;
  return new;
end
$$;
create trigger payments_1_from_sale before insert on payments for each row execute function fill_payment_from_sale();

create function add_sale_of_payment() returns trigger language plpgsql as $$
begin
  insert into sales select sale.* from sale_of(new) sale on conflict (id) do nothing;
  return null;
end
$$;
create trigger payments_2_to_sale after insert on payments for each row when (new.follows is null)
  execute function add_sale_of_payment();

create function change_sale_of_payment() returns trigger language plpgsql as $$
declare
  sale sales := sale_of(new);
begin
  update sales set customer_user_id = sale.customer_user_id, customer_name = sale.customer_name,
    customer_email = sale.customer_email, customer_phone = sale.customer_phone, date = sale.date, time = sale.time,
    quantity = sale.quantity, event_from = sale.event_from, event_until = sale.event_until,
    occupied_from = sale.occupied_from, occupied_until = sale.occupied_until, price_cents = sale.price_cents,
    policy = sale.policy, instalments = sale.instalments
  where id = new.id;
  return null;
end
$$;
-- Only what a statement of its own has changed, or the two would call each other for ever.
create trigger payments_3_to_sale after update of sold, draft, customer_user_id on payments for each row
  when (new.follows is null and pg_trigger_depth() = 0) execute function change_sale_of_payment();

create function change_payments_of_sale() returns trigger language plpgsql as $$
begin
  update payments set sold = sold_of(new), draft = draft_of(new), customer_user_id = new.customer_user_id
  where sale_id = new.id;
  return null;
end
$$;
create trigger sales_to_payments after update on sales for each row
  when (pg_trigger_depth() = 0) execute function change_payments_of_sale();
