-- When the account took the place of another one; null for the first. Operators see it before they pay.
alter table refund_accounts add column replaced_at timestamptz;
