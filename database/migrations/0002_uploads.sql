-- Pictures that vendors have sent. What is attached to nothing a day later is swept away.
create table uploads (
  -- Where the stored picture is: 'businessImages/Tide_House_1700000000000_0'.
  key text primary key check (key ~ '^business(Images|Logos)/[A-Za-z0-9._-]{1,150}$'),
  user_id text not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  colour text not null,
  -- 'business:{id}' or 'registration:{id}': one picture belongs to one thing.
  attached_to text,
  created_at timestamptz not null default now()
);
create index uploads_unattached on uploads (created_at) where attached_to is null;
create index uploads_by_user on uploads (user_id);
create index uploads_by_owner_thing on uploads (attached_to) where attached_to is not null;
