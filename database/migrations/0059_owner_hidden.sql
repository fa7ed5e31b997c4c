-- When the owner hid a listing that an operator has hidden as well. Once the operator shows it again, it is hidden by its
-- owner as before. null for every other listing.
alter table businesses add column owner_hidden_at timestamptz;
