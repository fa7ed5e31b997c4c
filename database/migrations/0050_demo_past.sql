-- The demo's invented past: made once, after the first start, and finished by the next one if the process ends meanwhile.

create table demo_past (
  id int primary key check (id = 1),
  -- The days of the past are counted back from here.
  begun_at timestamptz not null,
  finished_at timestamptz
);
