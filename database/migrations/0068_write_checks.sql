-- The one row that each check of readiness writes: a full disk or a read-only server answers reads as if nothing were wrong.
create table write_checks (
  id boolean primary key default true check (id),
  written_at timestamptz not null
);
insert into write_checks (written_at) values (now());
