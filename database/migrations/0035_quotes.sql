-- A vendor's price for one customer, in a conversation.

create table quotes (
  id text primary key,
  conversation_id text not null references conversations (id) on delete cascade,
  -- A later version supersedes the one before. A draft has the number that it will have.
  version integer not null check (version >= 1),
  state text not null check (state in
    ('draft', 'sent', 'viewed', 'accepted', 'booked', 'declined', 'expired', 'withdrawn', 'superseded')),
  -- [{ id, label, quantity, unitPriceCents, isOptional }], frozen with all below once it is sent.
  lines jsonb not null,
  note text not null default '',
  event_date date not null,
  event_time text not null,
  event_minutes integer not null check (event_minutes between 15 and 1440),
  -- What the specification's record says of the booking.
  booking_type text not null,
  quantity integer not null check (quantity >= 1),
  -- The terms of cancellation and payment: { policy, plan }.
  terms jsonb not null,
  valid_until timestamptz not null,
  -- How long the time is held for this quote; null where it isn't.
  held_until timestamptz,
  sent_at timestamptz,
  viewed_at timestamptz,
  decided_at timestamptz,
  -- The ids of the optional lines that were taken, and the price of what was.
  taken_lines jsonb,
  accepted_cents bigint check (accepted_cents > 0),
  -- The payment that accepting began. One quote becomes one payment at most.
  payment_id text unique,
  created_at timestamptz not null,
  unique (conversation_id, version)
);
create unique index quotes_open_once on quotes (conversation_id) where state in ('sent', 'viewed', 'accepted');
create unique index quotes_draft_once on quotes (conversation_id) where state = 'draft';
create index quotes_to_expire on quotes (valid_until) where state in ('sent', 'viewed', 'accepted');
