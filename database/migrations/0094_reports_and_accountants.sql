-- When the file of a report was first downloaded before it was noted as lodged. It may be lodged already, so it isn't replaced unasked.
alter table income_reports add column downloaded_at timestamptz;

-- The addresses that a vendor has asked to be their accountant, as keyed hashes: none of them is asked twice, and one that has ended the
-- mails is never asked again. An address that agrees leaves the list until it ends them.
create table accountant_addresses (
  vendor_user_id text not null references users (id) on delete cascade,
  address_hash text not null,
  asked_at timestamptz not null,
  ended_at timestamptz,
  primary key (vendor_user_id, address_hash)
);
