-- The mails that tell a customer that their event comes up: six weeks, a week and a day before.
create table event_reminders (
  booking_id text not null references bookings (id),
  -- When the event begins: one that has moved is reminded of on its new day, too.
  event_from timestamptz not null,
  days_before integer not null check (days_before > 0),
  sent_at timestamptz not null,
  primary key (booking_id, event_from, days_before)
);

-- The version before has sent one reminder, two days before. Its customers get no other in the last day.
insert into event_reminders (booking_id, event_from, days_before, sent_at)
  select bookings.id, sales.event_from, 1, bookings.event_reminded_at
    from bookings join sales on sales.id = bookings.payment_row_id
    where bookings.event_reminded_at is not null;

-- When the customer has ended these mails; null while they get them.
alter table bookings add column reminders_ended_at timestamptz;

create index bookings_coming_up on bookings (date) where status = 'approved' and reminders_ended_at is null;

-- Where a refund goes that the customer's bank has sent back: a PayID or a bank account, as its customer has entered it. Deleted
-- once the refund is settled, and after 90 days.
create table refund_accounts (
  refund_id text primary key references payment_actions (id),
  -- Encrypted with a key of SECRET, for this refund alone.
  sealed text not null,
  -- What everybody but the paying operator sees: 'account ending 789'.
  masked text not null,
  given_at timestamptz not null,
  -- The operator who has last opened it, and when.
  opened_by text,
  opened_at timestamptz
);
create index refund_accounts_by_age on refund_accounts (given_at);
