-- Both sides of an approved booking are reminded before the event, once; and mails about reviews can be switched off.

alter table bookings add column event_reminded_at timestamptz;
-- Few at a time: what is approved, still to come and not reminded of.
create index bookings_to_remind on bookings (date) where status = 'approved' and event_reminded_at is null;

alter table users add column mail_reviews boolean not null default true;
