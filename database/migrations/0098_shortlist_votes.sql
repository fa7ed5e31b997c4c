-- What the owner of a shortlist says of the event (decision 93), for everyone who has its link. Empty until they do.
alter table shortlists
  add column title text not null default '',
  add column event_date date,
  add column guests integer check (guests > 0);

-- Those who vote on a shared list, without an account: a browser by a hash of its cookie, and the name that was typed there.
create table shortlist_voters (
  shortlist_id text not null references shortlists (id) on delete cascade,
  voter_hash text not null,
  name text not null,
  created_at timestamptz not null,
  primary key (shortlist_id, voter_hash)
);

create table shortlist_votes (
  shortlist_id text not null,
  voter_hash text not null,
  business_id text not null,
  voted_at timestamptz not null,
  primary key (shortlist_id, business_id, voter_hash),
  foreign key (shortlist_id, voter_hash) references shortlist_voters (shortlist_id, voter_hash) on delete cascade
);
create index shortlist_votes_voter on shortlist_votes (shortlist_id, voter_hash);
