-- Rows of 'Waiting for you' that a vendor has put off (decision 88). The rows themselves are a query.
create table desk_snoozes (
  user_id text not null references users (id) on delete cascade,
  kind text not null check (length(kind) <= 20),
  row_id text not null check (length(row_id) <= 120),
  until timestamptz not null,
  primary key (user_id, kind, row_id)
);
create index desk_snoozes_until on desk_snoozes (until);

create function tell_desk_of_snooze() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'desk:' || coalesce(new.user_id, old.user_id));
  return null;
end $$;
create trigger desk_snoozes_on_desks after insert or update or delete
  on desk_snoozes for each row execute function tell_desk_of_snooze();
