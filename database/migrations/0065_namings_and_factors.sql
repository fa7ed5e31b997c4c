-- Whether an account has two-step login follows from its factor. Two writers could disagree: then nobody could sign in.
create function derive_two_factor_enabled() returns trigger language plpgsql as $$
declare
  account text := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  is_on boolean := exists (select from second_factors where user_id = account and verified);
begin
  update users set two_factor_enabled = is_on where id = account and two_factor_enabled <> is_on;
  return null;
end
$$;
create trigger second_factors_derive_flag after insert or delete or update on second_factors
for each row execute function derive_two_factor_enabled();
update users set two_factor_enabled = exists (select from second_factors where user_id = users.id and verified)
where two_factor_enabled <> exists (select from second_factors where user_id = users.id and verified);

-- Who got which role, on whose word. A role that moves money waits for a second admin; a row without `settled_at` waits.
create table operator_namings (
  id text primary key,
  user_id text not null,
  user_email text not null,
  -- Null is no role: before the first naming, and after a removal.
  former_role text check (former_role in ('support', 'finance', 'admin')),
  role text check (role in ('support', 'finance', 'admin')),
  placed_by text not null,
  placed_by_email text not null,
  placed_at timestamptz not null,
  settled_by text,
  settled_by_email text,
  settled_at timestamptz,
  outcome text check (outcome in ('done', 'dropped', 'expired'))
);
create unique index operator_namings_waiting on operator_namings (user_id) where settled_at is null;
create index operator_namings_by_user on operator_namings (user_id, settled_at) where outcome = 'done';

-- The namings so far, from the log.
insert into operator_namings
  (id, user_id, user_email, former_role, role, placed_by, placed_by_email, placed_at, settled_by, settled_by_email, settled_at, outcome)
select id, subject_id, subject_label,
  case action when 'change-role' then split_part(reason, ' to ', 1) when 'remove-operator' then reason end,
  case action when 'change-role' then split_part(reason, ' to ', 2) when 'name-operator' then reason end,
  operator_user_id, operator_email, created_at, operator_user_id, operator_email, created_at, 'done'
from operator_log where action in ('name-operator', 'change-role', 'remove-operator');
