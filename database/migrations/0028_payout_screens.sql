-- What the vendor's payouts screen reads: pages of bookings by the end of their event, transfers by month, and
-- transfers that the bank doesn't have yet.

-- The end of the event is ISO 8601 in UTC, so in the collation "C" its order as text is the order in time.
create index payments_by_event on payments (owner_user_id, ((sold->'event'->>'until') collate "C"), id)
  where paid_at is not null;
create index transfers_under_way on transfers (vendor_user_id)
  where state in ('due', 'claimed') or bank_payout_id is null;
create index transfers_by_month on transfers (vendor_user_id, made_at) include (amount_cents, reversed_cents, bank_payout_id)
  where made_at is not null;
create index transfers_of_bank_payout on transfers (bank_payout_id) where bank_payout_id is not null;
create index bank_payouts_not_paid on bank_payouts (payout_account_id) where state <> 'paid';
create index ledger_transactions_of_vendor on ledger_transactions (vendor_user_id, posted_at);

-- Announces changes that the screen shows. A page with the topic reruns its loader.
create function tell_payouts() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'payouts:' || new.vendor_user_id);
  return null;
end $$;
create trigger transfers_announced after insert or update of state, held_reason, due_at, bank_payout_id, reversed_cents
  on transfers for each row execute function tell_payouts();
create trigger payout_accounts_announced after insert or update of state, requirements, bank_last4
  on payout_accounts for each row execute function tell_payouts();

create function tell_payouts_of_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'payouts:' || vendor_user_id)
    from payout_accounts where id = new.payout_account_id;
  return null;
end $$;
create trigger bank_payouts_announced after insert or update of state, arrives_at
  on bank_payouts for each row execute function tell_payouts_of_account();
