-- Addresses that their holders took off an account, and changes of address that can be undone.

alter table users
  -- The address that its holder took off this account. Until the owner confirms another one, `email` is a placeholder
  -- that no mail reaches. The old address still signs in, as long as no other account has it.
  add column detached_email citext,
  add column email_detached_at timestamptz,
  -- Hosted accounts: only a password that was set later than this signs in.
  add column password_due_at timestamptz;
create index users_by_detached_email on users (detached_email) where detached_email is not null;

alter table account_links
  drop constraint account_links_kind_check,
  add constraint account_links_kind_check
    check (kind in ('reset-password', 'verify-email', 'change-email', 'undo-email-change'));
