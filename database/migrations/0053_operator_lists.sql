-- The operators' lists begin with the newest row and go on from any of them; their search finds parts of names and addresses.

create index payments_by_newest on payments (created_at, id);
create index bookings_by_newest on bookings (created_at, id);
create index users_by_newest on users (created_at, id);
create index businesses_by_age on businesses (created_at, id) where deleted_at is null;
create index business_registrations_by_newest on business_registrations (created_at);

-- The volume of each day, and what went back.
create index payments_by_payday on payments (paid_at) where paid_at is not null;
create index payment_actions_by_refund_day on payment_actions (done_at) where kind = 'refund' and state = 'done';
create index payment_events_by_age on payment_events (received_at);
create index payment_events_open on payment_events (received_at) where processed_at is null;

create index users_search on users using gin (name gin_trgm_ops, (email::text) gin_trgm_ops);
create index businesses_search on businesses using gin (name gin_trgm_ops);
create index bookings_search on bookings
  using gin (customer_name gin_trgm_ops, (email::text) gin_trgm_ops, vendor_name gin_trgm_ops);
create index payments_search on payments
  using gin ((sold->>'businessName') gin_trgm_ops, (draft->>'fullName') gin_trgm_ops, (draft->>'email') gin_trgm_ops,
    provider_reference gin_trgm_ops);
create index bookings_by_payment on bookings (payment_id);

alter table operator_log
  drop constraint operator_log_subject_kind_check,
  add constraint operator_log_subject_kind_check
    check (subject_kind in ('payment', 'refund', 'review', 'account', 'listing', 'comparison', 'rate', 'proof', 'dispute',
      'conversation', 'list'));
