-- The bridges of 0072 and 0074 to the versions before them go: here those of operators' orders and of sales, in 0083 those of
-- payments (decisions 77 and 78). Each has one busy table, so no command waits for a lock that the other migration holds. A backup
-- holds all tables for minutes: rather than queue behind it with everybody else behind us, the start fails and is tried again.
set local lock_timeout = '10s';
-- In the order in which approvals are settled.
lock table approvals, refund_orders, cancellation_orders, payout_orders, operator_namings, dispute_answers
  in access exclusive mode;

-- What still waits is an approval. Its twin would keep the confirmed one from being recorded under the same id.
delete from payout_orders where settled_at is null;
delete from operator_namings where settled_at is null;

drop trigger approvals_to_orders on approvals;
drop trigger refund_orders_to_approvals on refund_orders;
drop trigger cancellation_orders_to_approvals on cancellation_orders;
drop trigger payout_orders_to_approvals on payout_orders;
drop trigger operator_namings_to_approvals on operator_namings;
drop trigger dispute_answers_to_approvals on dispute_answers;
drop function copy_approval_to_orders(), copy_order_to_approvals(), approval_of_refund(refund_orders),
  approval_of_cancellation(cancellation_orders), approval_of_payout(payout_orders), approval_of_naming(operator_namings),
  approval_of_answer(dispute_answers);

-- A sale tells its payments nothing any more, and gets a column, which `sale_of` wouldn't return: until 0083 drops its trigger,
-- it is left uncalled. The version before has stored each sale ahead of its payment.
drop trigger sales_to_payments on sales;
drop function change_payments_of_sale();
create or replace function add_sale_of_payment() returns trigger language plpgsql as $$ begin return null; end $$;

-- The vendor of a cancelled booking is in its sale.
create or replace function tell_pages_of_cancellations() returns trigger language plpgsql as $$
declare
  cancellation cancellations := case when tg_op = 'INSERT' then new else old end;
begin
  if cancellation.cancelled_by = 'vendor' then
    perform tell_pages(array(
      select 'vendor:' || sales.owner_user_id from bookings join sales on sales.id = bookings.payment_row_id
      where bookings.id = cancellation.booking_id));
  end if;
  return null;
end $$;

-- The facts that the listing stated when the sale was made. Null in a sale from before.
alter table sales add column facts jsonb;
