-- Another date, time or quantity of a booking: proposed by one side, agreed by the other, and paid for.

create table changes (
  id text primary key,
  booking_id text not null references bookings (id),
  proposed_by text not null check (proposed_by in ('customer', 'vendor')),
  -- 'accepted' waits for its payment; 'paid' is in effect, also where nothing had to be paid.
  state text not null check (state in ('proposed', 'accepted', 'paid', 'declined', 'expired')),
  -- Who declined it or took it back; null where nobody did.
  ended_by text check (ended_by in ('customer', 'vendor')),
  -- The sale before and after: date, time, quantity, price, event and occupied time. The purchase has only the present one.
  sale_before jsonb not null,
  sale_after jsonb not null,
  -- What the customer pays for it at once, and what goes back to them at once.
  due_cents bigint not null check (due_cents >= 0),
  refund_cents bigint not null check (refund_cents >= 0),
  -- The further payment of the purchase that pays for it.
  payment_id text unique references payments (id),
  expires_at timestamptz not null,
  created_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz,
  check ((state in ('proposed', 'accepted')) = (ended_at is null))
);
create index changes_of_booking on changes (booking_id, created_at);
-- One at a time.
create unique index changes_open on changes (booking_id) where state in ('proposed', 'accepted');
create index changes_expiring on changes (expires_at) where state in ('proposed', 'accepted');

-- The hold of a proposed time names the first payment of the booking that would move. Its payment_id is the change's id.
alter table slots add column moves_payment_id text;
create index slots_moving on slots (business_id) where moves_payment_id is not null;
-- It may overlap that booking's own time, which is given up for it, and no other.
alter table slots drop constraint slots_booked_once;
alter table slots add constraint slots_booked_once exclude using gist (
  business_id with =, (coalesce(moves_payment_id, payment_id)) with <>, during with &&
) where (is_exclusive);

-- A booking that moves changes when its money is earned.
create trigger payout_queue_by_change after update of date, time, quantity, total_price_cents on bookings
  for each row when (
    (old.date, old.time, old.quantity, old.total_price_cents) is distinct from
    (new.date, new.time, new.quantity, new.total_price_cents)
  ) execute function queue_payout();
