-- What a vendor sends about a dispute of their booking: words, pictures and PDFs. Operators put it into the evidence.
create table dispute_proofs (
  id text primary key,
  dispute_id text not null references disputes (id),
  vendor_user_id text not null,
  -- Names one press of the button: a repeat stores nothing.
  submit_key text not null,
  words text not null,
  created_at timestamptz not null,
  unique (dispute_id, submit_key)
);

create table dispute_proof_files (
  id text primary key,
  proof_id text not null references dispute_proofs (id) on delete cascade,
  position integer not null,
  key text not null unique,
  name text not null,
  content_type text not null check (content_type in ('image/webp', 'application/pdf')),
  bytes integer not null,
  unique (proof_id, position)
);
