-- The role of an operator whom an admin has named. Those whom the settings name are admins without it.

alter table users
  add column operator_role text check (operator_role in ('support', 'finance', 'admin'));

create index users_operators on users (operator_role) where operator_role is not null;
