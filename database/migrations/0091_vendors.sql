-- Operators find a vendor by the registration's name, email, ABN and phone numbers (features/operators/vendor-queries.server.ts).
create index business_registrations_search on business_registrations
  using gin (business_name gin_trgm_ops, business_email gin_trgm_ops,
    (regexp_replace(business_phone, '\D', '', 'g')) gin_trgm_ops, (regexp_replace(owner_phone, '\D', '', 'g')) gin_trgm_ops);
create index business_registrations_by_abn on business_registrations (abn);
create index users_by_phone on users using gin ((regexp_replace(phone, '\D', '', 'g')) gin_trgm_ops) where phone is not null;

-- What operators have written about a report, to one side of the conversation or both. Its id comes from the form, so a letter
-- that is sent twice leaves once.
create table report_letters (
  id text primary key,
  report_id text not null references conversation_reports (id) on delete cascade,
  kind text not null check (kind in ('warning', 'letter')),
  sent_to text not null check (sent_to in ('customer', 'vendor', 'both')),
  body text not null,
  sent_by_email text not null,
  sent_at timestamptz not null
);
create index report_letters_of_report on report_letters (report_id, sent_at);
