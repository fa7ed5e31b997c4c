-- The operators' list 'Do first' (decision 90): its news, the end of its marks, and when a customer was asked about a refund.

-- Announces that the list may have changed. Open overviews load it again.
create function tell_operators() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'operations:tasks');
  return null;
end $$;

create trigger disputes_to_operators after insert or update of status, funds, closed_at, evidence_due_at, is_charge_refundable
  on disputes for each row execute function tell_operators();
create trigger dispute_answers_to_operators after insert or update of state, last_error
  on dispute_answers for each row execute function tell_operators();
-- Refunds that are refused or come back, and those that no longer are.
create trigger refunds_to_operators after update of state, provider_status, resolution, last_error
  on payment_actions for each row
  when (old.last_error is not null or new.last_error is not null
    or old.provider_status in ('failed', 'canceled') or new.provider_status in ('failed', 'canceled'))
  execute function tell_operators();
create trigger balances_to_operators after update of state, decline_code on instalments for each row
  when (old.decline_code = 'not_created' or new.decline_code = 'not_created')
  execute function tell_operators();
create trigger answers_to_operators after update of status, payment_status, tells_at on bookings for each row
  when (old.status = 'pending')
  execute function tell_operators();
create trigger payout_accounts_to_operators after insert or update on payout_accounts for each row
  when (new.state = 'restricted')
  execute function tell_operators();
create trigger payout_accounts_again_to_operators after update of state on payout_accounts for each row
  when (old.state = 'restricted' and new.state <> 'restricted')
  execute function tell_operators();
create trigger bank_payouts_to_operators after insert or update of state on bank_payouts for each row
  execute function tell_operators();
-- Money that is at rest can't be held too long.
create trigger payout_queue_to_operators after delete on payout_queue for each row
  execute function tell_operators();
create trigger reports_to_operators after insert or update of closed_at on conversation_reports for each row
  execute function tell_operators();
create trigger approvals_to_operators after insert or update of settled_at on approvals for each row
  execute function tell_operators();
create trigger task_marks_to_operators after insert or update or delete on task_marks for each row
  execute function tell_operators();

-- When the task of a mark was first found to have ended; null while it is open.
alter table task_marks add column ended_at timestamptz;

-- When the customer of a refund that came back was asked where to send it: not while a bank decides a dispute.
alter table payment_actions add column account_asked_at timestamptz;
-- Those that wait for a dispute are asked about once it has ended.
update payment_actions set account_asked_at = coalesce(done_at, created_at)
  where kind = 'refund' and state = 'done' and provider_status in ('failed', 'canceled') and resolution is null
    and not exists (select from disputes where disputes.payment_id = payment_actions.payment_id
      and (closed_at is null and not is_charge_refundable or funds = 'withdrawn' and status <> 'lost'));
