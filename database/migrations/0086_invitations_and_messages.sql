-- Customers are asked by mail for a review: the day after the event, and once more a week later (decision 88). A row is there from
-- the first mail on.
create table review_invitations (
  booking_id text primary key references bookings (id) on delete cascade,
  -- How many were sent. None to an address that has ended them.
  sent integer not null check (sent between 0 and 2),
  -- When the next one is due; null for no further.
  next_at timestamptz,
  created_at timestamptz not null
);
create index review_invitations_due on review_invitations (next_at) where next_at is not null;

-- The addresses that get no more of them, hashed: the address itself isn't needed to keep this.
create table review_invitation_ends (
  address_hash text primary key,
  ended_at timestamptz not null
);

-- The events of the last days.
create index bookings_by_approved_day on bookings (date) where status = 'approved';

-- The booking that a conversation is about: its day is the conversation's, also once it has moved.
alter table conversations add column booking_id text;
update conversations set booking_id = bookings.id
  from quotes join bookings on bookings.payment_row_id = quotes.payment_id
  where quotes.conversation_id = conversations.id and quotes.state = 'booked';
create index conversations_by_booking on conversations (booking_id) where booking_id is not null;

-- Open inboxes show the day.
create function tell_inboxes_of_booking() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', topic)
    from conversations,
      unnest(array['conversation:' || id, 'inbox:' || owner_user_id, 'inbox:' || customer_user_id]) topic
    where booking_id = new.id and topic is not null;
  return null;
end $$;
create trigger bookings_in_inboxes after update of date on bookings for each row
  when (old.date is distinct from new.date) execute function tell_inboxes_of_booking();
