-- A payment keeps no copy of its sale any more (decision 78). Alone in its transaction, as 0082 says.
set local lock_timeout = '10s';
drop trigger payments_1_from_sale on payments;
drop trigger payments_2_to_sale on payments;
drop trigger payments_3_to_sale on payments;
drop function fill_payment_from_sale(), add_sale_of_payment(), change_sale_of_payment(), sale_of(payments), sold_of(sales),
  draft_of(sales);
-- All of their orders, open and past, are approvals. Here, since each names a payment: a dropped foreign key locks both tables.
drop table refund_orders, cancellation_orders;
-- Their indexes go with them.
alter table payments drop column sold, drop column draft, drop column follows, drop column owner_user_id,
  drop column customer_user_id, drop column link_hash, drop column terms_version;
