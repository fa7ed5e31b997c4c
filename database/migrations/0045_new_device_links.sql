-- The link 'This wasn't me' in the mail about a sign-in on a new device.

alter table account_links
  drop constraint account_links_kind_check,
  add constraint account_links_kind_check
    check (kind in ('reset-password', 'verify-email', 'change-email', 'undo-email-change', 'new-device'));
