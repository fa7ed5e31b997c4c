-- The tables of the product. Columns are snake_case; the specification's field names live at the edge (Decision 1).
-- Migrations are plain SQL, applied in the order of their numbers, and never edited once landed.

create extension if not exists citext;

-- Places -------------------------------------------------------------------------------------------------
create table places (
  id text primary key,
  name text not null,
  state text not null check (state in ('NSW', 'VIC', 'QLD', 'WA', 'SA', 'TAS', 'ACT', 'NT')),
  latitude double precision not null,
  longitude double precision not null,
  time_zone text not null,
  population integer not null default 0
);
create index places_by_name on places (lower(name) collate "C");

-- Which version of places.tsv the table holds, so that a start with an unchanged file does no work.
create table place_sets (
  hash text primary key,
  loaded_at timestamptz not null default now()
);

-- Accounts (written by Better Auth through its field mapping) ---------------------------------------------------
create table users (
  id text primary key,
  name text not null,
  email citext not null unique,
  email_verified boolean not null default false,
  image text,
  phone text,
  deactivated_at timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_by_user on sessions (user_id);

create table account_credentials (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index account_credentials_by_user on account_credentials (user_id);

create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_by_identifier on verifications (identifier);

create table sign_in_limits (
  id text primary key,
  key text not null unique,
  count integer not null,
  last_request bigint not null
);

-- A counter per key and window, shared by every process: newsletter, payments, uploads.
create table rate_limits (
  key text not null,
  window_start timestamptz not null,
  count integer not null default 1,
  primary key (key, window_start)
);

-- Newsletter ----------------------------------------------------------------------------------------------------
create table newsletter (
  email citext primary key,
  created_at timestamptz not null default now(),
  unsubscribed_at timestamptz
);

-- Notifications -----------------------------------------------------------------------------------------------
create table notifications (
  id text primary key,
  user_id text not null,
  kind text not null,
  title text not null,
  body text not null default '',
  link text not null,
  -- One event makes one notification, however often it is processed.
  event_key text not null unique,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notifications_by_user on notifications (user_id, created_at desc);

-- Businesses ----------------------------------------------------------------------------------------------------
create table businesses (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,99}$'),
  user_id text not null,
  name text not null check (btrim(name) <> ''),
  category text not null check (category in ('Venues', 'Photographers', 'Hairdresser', 'Sounds & DJ', 'Catering', 'Videographers', 'Event Planners', 'Extras')),
  description text not null check (btrim(description) <> ''),
  price_cents bigint not null check (price_cents between 0 and 99999999),
  price_unit text not null check (price_unit in ('perPerson', 'perHour')),
  booking_types text[] not null check (cardinality(booking_types) between 1 and 2 and booking_types <@ array['perPerson', 'perHour'] and price_unit = any (booking_types)),
  place_id text not null references places (id),
  services_offered text[] not null check (cardinality(services_offered) > 0),
  -- [{ url, width, height, colour }], in the vendor's order; never more than three (Decision 13).
  images jsonb not null default '[]' check (jsonb_typeof(images) = 'array' and jsonb_array_length(images) <= 3),
  seo_title text not null,
  seo_description text not null,
  hidden_at timestamptz,
  hidden_reason text,
  -- A deleted business leaves a tombstone: its page answers 410 (Decision 19).
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index businesses_by_category on businesses (category, created_at desc, id) where deleted_at is null and hidden_at is null;
create index businesses_by_newest on businesses (created_at desc, id) where deleted_at is null and hidden_at is null;
create index businesses_by_owner on businesses (user_id);

create table business_views (
  business_id text not null references businesses (id) on delete cascade,
  day date not null,
  views integer not null default 0,
  primary key (business_id, day)
);

-- Registrations -------------------------------------------------------------------------------------------------
create table business_registrations (
  id text primary key,
  user_id text not null unique,
  business_name text not null,
  abn text not null check (abn ~ '^[0-9]{11}$'),
  acn text not null default '' check (length(acn) <= 9),
  business_structure text not null check (business_structure in ('Sole Trader', 'Partnership', 'Company', 'Trust')),
  industry_type text not null,
  gst_registered boolean not null default false,
  principal_address text not null,
  postal_address text not null default '',
  business_phone text not null,
  business_email text not null,
  website text not null default '',
  owner_name text not null,
  owner_dob date not null,
  owner_phone text not null,
  owner_email citext not null,
  logo_url text,
  business_description text not null default '' check (length(business_description) <= 500),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index business_registrations_by_owner_email on business_registrations (owner_email);

-- Payments and bookings: no foreign key to users or businesses, they hold a snapshot of what was sold (Decision 4) ---
create table payments (
  id text primary key,
  -- Each press of the button has its own key; the same key is the same payment.
  submit_key text not null unique,
  attempt integer not null default 1,
  provider text not null,
  provider_reference text unique,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null default 'aud',
  state text not null default 'open' check (state in ('open', 'processing', 'paid', 'failed', 'cancelled', 'expired')),
  -- The checked booking as it will be stored, and what was sold: both are kept before the card is confirmed.
  draft jsonb not null,
  sold jsonb not null,
  -- Whose business it was: decides who may see and decide the booking, also once the business is gone.
  owner_user_id text not null,
  customer_user_id text,
  -- The hash of the unguessable link to this booking (Decision 3).
  link_hash text not null unique,
  terms_version text not null,
  last_error text,
  expires_at timestamptz not null,
  -- When the provider was last asked, so that the sweep takes turns.
  checked_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index payments_open on payments (created_at) where state in ('open', 'processing');
create index payments_by_customer on payments (customer_user_id) where customer_user_id is not null;
create index payments_by_owner on payments (owner_user_id);

create table payment_lines (
  payment_id text not null references payments (id),
  line integer not null,
  business_id text not null,
  description text not null,
  unit_price_cents bigint not null,
  quantity integer not null,
  amount_cents bigint not null,
  primary key (payment_id, line)
);

create table payment_events (
  provider text not null,
  event_id text not null,
  type text not null,
  provider_reference text,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  primary key (provider, event_id)
);
create index payment_events_by_reference on payment_events (provider_reference);

-- Cancels and refunds: undo is a conditional update on state = 'due' (Decision 7).
create table payment_actions (
  id text primary key,
  payment_id text not null references payments (id),
  -- The line that is refunded; null for the whole payment.
  line integer,
  kind text not null check (kind in ('cancel', 'refund')),
  amount_cents bigint not null check (amount_cents >= 0),
  reason text not null,
  due_at timestamptz not null,
  state text not null default 'due' check (state in ('due', 'cancelled', 'claimed', 'done')),
  claimed_at timestamptz,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  done_at timestamptz
);
create index payment_actions_due on payment_actions (due_at) where state in ('due', 'claimed');
-- One live refund for a line, whatever races.
create unique index payment_actions_one_refund on payment_actions (payment_id, coalesce(line, 0)) where kind = 'refund' and state <> 'cancelled';

create table bookings (
  id text primary key,
  -- Our payment and its line: together they make the booking unique.
  payment_row_id text not null references payments (id),
  line integer not null default 1,
  vendor_id text not null,
  vendor_name text not null,
  customer_name text not null,
  email citext not null,
  phone text not null,
  date date not null,
  time time not null,
  quantity integer not null check (quantity >= 1),
  booking_type text not null check (booking_type in ('perPerson', 'perHour')),
  total_price_cents bigint not null check (total_price_cents > 0),
  payment_status text not null default 'paid' check (payment_status in ('paid', 'refund due', 'refunded')),
  -- The provider's id of the payment, as observed.
  payment_id text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'declined', 'withdrawn')),
  decided_at timestamptz,
  -- The vendor was reminded to decide (Decision 7).
  reminded_at timestamptz,
  created_at timestamptz not null default now(),
  unique (payment_row_id, line)
);
create index bookings_by_vendor on bookings (vendor_id, created_at desc);
create index bookings_by_email on bookings (email);
create index bookings_pending on bookings (created_at) where status = 'pending';

-- Reviews ---------------------------------------------------------------------------------------------------------
create table reviews (
  id text primary key,
  business_id text not null references businesses (id) on delete cascade,
  booking_id text unique,
  user_id text,
  author_name text not null,
  rating integer not null check (rating between 1 and 5),
  body text not null check (length(body) <= 2000),
  approved boolean not null default false,
  rejected_reason text,
  moderated_at timestamptz,
  created_at timestamptz not null default now()
);
create index reviews_by_business on reviews (business_id, created_at desc) where approved;

-- The local payment provider keeps its own state, as a real provider would, and never reads the tables above. ---------
create table sandbox_payments (
  id text primary key,
  client_secret text not null unique,
  idempotency_key text not null unique,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  description text not null,
  state text not null default 'requires_payment_method' check (state in ('requires_payment_method', 'requires_action', 'succeeded', 'canceled')),
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and amount_cents),
  -- Of a test card; no other number gets this far.
  card_last4 text,
  last_error text,
  -- Our payment's id, which the product hands over as it would to a real provider.
  payment_id text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sandbox_refunds (
  id text primary key,
  sandbox_payment_id text not null references sandbox_payments (id),
  idempotency_key text not null unique,
  amount_cents bigint not null check (amount_cents > 0),
  created_at timestamptz not null default now()
);

create table sandbox_events (
  id text primary key,
  -- Its order of birth, since two can be born in one millisecond.
  number bigint generated always as identity,
  type text not null,
  sandbox_payment_id text not null references sandbox_payments (id),
  created_at timestamptz not null default now(),
  deliver_at timestamptz not null default now(),
  delivered_at timestamptz,
  attempts integer not null default 0
);
create index sandbox_events_due on sandbox_events (deliver_at) where delivered_at is null;
