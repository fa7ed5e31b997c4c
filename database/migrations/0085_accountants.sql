-- The accountant to whom a vendor's tax documents go each month (docs/tax.md).
create table accountants (
  vendor_user_id text primary key references users (id) on delete cascade,
  -- New for each address: links name it, so those of an address before are over.
  id text not null unique,
  email text not null,
  asked_at timestamptz not null,
  -- When the accountant agreed by the mailed link. Nothing else is sent before.
  confirmed_at timestamptz,
  -- When the accountant ended it. The row stays, so that the vendor can't ask the same address again.
  ended_at timestamptz
);

-- The months that an accountant has got, or that had nothing to send. The row decides, so two jobs send one mail.
create table accountant_mails (
  accountant_id text not null references accountants (id) on delete cascade,
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  sent_at timestamptz not null,
  primary key (accountant_id, month)
);
