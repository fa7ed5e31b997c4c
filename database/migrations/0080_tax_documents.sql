-- Tax invoices, invoices and adjustment notes: of a vendor's sales, which we issue as their agent, and of our commission
-- (decision 84). They are never changed or deleted: an adjustment note corrects one.

-- One series of numbers for each issuer: 'sales:{vendor}', and 'commission' for ours. Counted up under its row's lock, in the
-- transaction that stores the document: a rollback takes the number back.
create table tax_series (
  issuer text primary key,
  last_number integer not null check (last_number >= 0)
);

create table tax_documents (
  id text primary key,
  issuer text not null,
  number integer not null check (number > 0),
  subject text not null check (subject in ('sale', 'commission')),
  kind text not null check (kind in ('invoice', 'adjustment')),
  -- Whether it charges GST: only then is an invoice a tax invoice.
  is_taxed boolean not null,
  vendor_user_id text not null,
  -- No foreign keys: documents outlive what they are about.
  booking_id text,
  -- 'YYYY-MM', of commission.
  month text,
  -- The invoice that a note adjusts.
  adjusts text references tax_documents (id),
  -- Signed: a note that lowers the price is below 0. The GST is in it.
  cents bigint not null check (cents <> 0),
  gst_cents bigint not null,
  -- The day on which it counts: of the approval, of what has changed the price, or the last one of the month.
  supplied_on date not null,
  issued_at timestamptz not null,
  -- All that the document says, as JSON. Its PDF is drawn from this alone.
  content text not null,
  sha256 text not null
    constraint tax_documents_have_their_hash check (sha256 = encode(sha256(convert_to(content, 'UTF8')), 'hex')),
  unique (issuer, number),
  check ((subject = 'sale') = (booking_id is not null)),
  check ((subject = 'commission') = (month is not null)),
  check ((kind = 'adjustment') = (adjusts is not null)),
  check (kind = 'adjustment' or cents > 0),
  check (is_taxed or gst_cents = 0)
);
create unique index tax_invoice_of_booking on tax_documents (booking_id) where kind = 'invoice' and booking_id is not null;
create index tax_documents_of_booking on tax_documents (booking_id) where booking_id is not null;
create index tax_documents_of_vendor on tax_documents (vendor_user_id, supplied_on);

-- The transactions of the ledger whose commission is on a document. Null where a month took and gave back the same.
create table invoiced_commissions (
  transaction_id bigint primary key,
  document_id text references tax_documents (id)
);
create index invoiced_commissions_of_document on invoiced_commissions (document_id);

create function refuse_tax_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never changed or deleted: issue an adjustment note.', tg_table_name
    using errcode = 'restrict_violation';
end $$;
create trigger tax_documents_stand before update or delete or truncate on tax_documents
  for each statement execute function refuse_tax_change();
create trigger invoiced_commissions_stand before update or delete or truncate on invoiced_commissions
  for each statement execute function refuse_tax_change();

-- The bookings whose documents may be out of date. Triggers add each one whose price or status has changed, whichever version
-- changed it; the job deletes the row once the documents agree. 0081 adds those approved before.
create table tax_queue (
  booking_id text primary key,
  -- The day of the supply: when the vendor approved.
  approved_at timestamptz,
  look_at timestamptz not null,
  -- Since when it waits for the business register; null while it doesn't.
  waits_since timestamptz
);
create index tax_queue_in_order on tax_queue (look_at, booking_id);

create function queue_tax_of_booking() returns trigger language plpgsql as $$
begin
  insert into tax_queue (booking_id, approved_at, look_at)
    values (new.id, case when new.status = 'approved' then new.decided_at end, '-infinity')
    on conflict (booking_id) do update
      set approved_at = coalesce(excluded.approved_at, tax_queue.approved_at), look_at = excluded.look_at;
  return null;
end $$;
create trigger tax_queue_by_booking after insert on bookings
  for each row when (new.status <> 'pending') execute function queue_tax_of_booking();
create trigger tax_queue_by_change after update of status, total_price_cents on bookings
  for each row when (new.status <> 'pending'
    and (old.status, old.total_price_cents) is distinct from (new.status, new.total_price_cents))
  execute function queue_tax_of_booking();

create function queue_tax_of_payment() returns trigger language plpgsql as $$
begin
  insert into tax_queue (booking_id, look_at)
    select b.id, '-infinity'::timestamptz from payments p join bookings b on b.payment_row_id = p.sale_id
    where p.id = new.payment_id and b.status <> 'pending'
    order by b.id
    on conflict (booking_id) do update set look_at = excluded.look_at;
  return null;
end $$;
create trigger tax_queue_by_refund after insert or update of state, amount_cents, resolution, borne_by on payment_actions
  for each row when (new.kind = 'refund') execute function queue_tax_of_payment();
create trigger tax_queue_by_dispute after insert or update of status, amount_cents on disputes
  for each row execute function queue_tax_of_payment();
create trigger tax_queue_by_reduction after update of amount_cents, reduced_cents on instalments
  for each row when (old.reduced_cents is distinct from new.reduced_cents) execute function queue_tax_of_payment();

-- The commission that isn't on a document yet is looked for each hour. Last, since commands lock a booking before the ledger, and
-- nothing else is to wait while it is built. docs/operate.md has it made by hand before.
create index if not exists ledger_postings_of_commission on ledger_postings (transaction_id)
  where account in ('commission', 'gst_on_commission');
