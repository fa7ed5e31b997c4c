-- The sandbox's provider can look at an account again, and close it.
alter table sandbox_accounts drop constraint sandbox_accounts_standing_check;
alter table sandbox_accounts add constraint sandbox_accounts_standing_check
  check (standing in ('good', 'in_review', 'restricted', 'closed', 'rejected'));
