-- An order that is being placed or settled at this moment is waited for, so that its copy is its last state.
lock table refund_orders, cancellation_orders, payout_orders, operator_namings, dispute_answers in share row exclusive mode;

-- What an operator has asked for and a second person has to confirm, whatever act it is. The act's own tables get a row only once
-- it takes effect; an answer to a dispute has one from the start, since it has states of its own.
create table approvals (
  id text primary key,
  -- The act, by its name in the registry (features/operators/act-rules.ts).
  act text not null,
  -- What it is about. Of one thing only one act waits at a time.
  subject_kind text not null,
  subject_id text not null,
  -- The first payment of the purchase, for acts about money.
  payment_id text,
  label text not null,
  amount_cents bigint,
  -- What was asked for, as the act's schema reads it.
  payload jsonb not null,
  reason text not null,
  -- What was there when it was asked for. On confirmation it has to be the same.
  seen text not null default '',
  asked_by text not null,
  asked_by_email text not null,
  asked_at timestamptz not null,
  -- Null where something else ends it, such as a bank's deadline.
  expires_at timestamptz,
  settled_by text,
  settled_by_email text,
  settled_at timestamptz,
  outcome text check (outcome in ('done', 'dropped', 'expired')),
  check ((settled_at is null) = (outcome is null))
);
create unique index approvals_open on approvals (subject_kind, subject_id) where settled_at is null;
create index approvals_of_purchase on approvals (payment_id) where settled_at is null and payment_id is not null;

-- The orders of before, open and past, keep their ids. An order that took effect at once had no second person.
create function approval_of_refund(o refund_orders) returns approvals language sql stable as $$
  select o.id, case o.kind when 'refund_again' then 'refund-again' when 'paid_otherwise' then 'paid-otherwise' else 'refund' end,
    'purchase', o.payment_id, o.payment_id, coalesce(p.sold ->> 'businessName', ''), o.amount_cents,
    case o.kind
      when 'refund' then jsonb_build_object('paymentId', o.subject_id, 'borneBy', coalesce(o.borne_by, 'vendor'))
      when 'refund_again' then jsonb_build_object('refundId', o.subject_id)
      else jsonb_build_object('refundId', o.subject_id, 'reference', coalesce(o.reference, '')) end,
    o.reason, o.seen, o.placed_by, o.placed_by_email, o.placed_at, o.placed_at + interval '3 days',
    o.settled_by, null::text, o.settled_at, o.outcome
  from payments p where p.id = o.payment_id
$$;
create function approval_of_cancellation(o cancellation_orders) returns approvals language sql stable as $$
  select o.id, 'cancel-booking', 'purchase', o.payment_id, o.payment_id, coalesce(p.sold ->> 'businessName', ''), o.refund_cents,
    jsonb_build_object('side', o.side, 'refund', o.refund), o.reason, o.refund_cents::text,
    o.placed_by, o.placed_by_email, o.placed_at, o.placed_at + interval '3 days',
    o.settled_by, null::text, o.settled_at, o.outcome
  from payments p where p.id = o.payment_id
$$;
create function approval_of_payout(o payout_orders) returns approvals language sql stable as $$
  select o.id, 'order-payout', o.kind, o.booking_id, b.payment_row_id, coalesce(b.vendor_name, ''), o.amount_cents,
    jsonb_build_object('kind', o.kind, 'bookingId', o.booking_id, 'vendorUserId', o.vendor_user_id), o.reason, '',
    o.placed_by, o.placed_by_email, o.placed_at, o.placed_at + interval '3 days',
    o.settled_by, null::text, o.settled_at, o.outcome
  from (select o.booking_id) one left join bookings b on b.id = one.booking_id
$$;
create function approval_of_naming(o operator_namings) returns approvals language sql stable as $$
  select o.id, case when o.former_role is null then 'name-operator' else 'change-role' end, 'account', o.user_id, null::text,
    o.user_email, null::bigint, jsonb_build_object('formerRole', o.former_role, 'role', o.role), '', '',
    o.placed_by, o.placed_by_email, o.placed_at, o.placed_at + interval '3 days',
    o.settled_by, o.settled_by_email, o.settled_at, o.outcome
$$;
create function approval_of_answer(o dispute_answers) returns approvals language sql stable as $$
  select o.id, case o.kind when 'evidence' then 'submit-evidence' else 'accept-dispute' end, 'dispute', o.dispute_id, null::text,
    coalesce(p.sold ->> 'businessName', ''), d.amount_cents, '{}'::jsonb, o.reason, '',
    o.placed_by, o.placed_by_email, o.placed_at, null::timestamptz, o.settled_by, o.settled_by_email, o.settled_at,
    case when o.state = 'waiting' then null when o.state = 'dropped' then 'dropped' else 'done' end
  from disputes d join payments p on p.id = d.payment_id where d.id = o.dispute_id
$$;
insert into approvals select (approval_of_refund(o)).* from refund_orders o;
insert into approvals select (approval_of_cancellation(o)).* from cancellation_orders o;
insert into approvals select (approval_of_payout(o)).* from payout_orders o
  where outcome is distinct from 'done' or settled_by <> placed_by;
insert into approvals select (approval_of_naming(o)).* from operator_namings o
  where role is not null and (outcome is distinct from 'done' or settled_by <> placed_by);
insert into approvals select (approval_of_answer(o)).* from dispute_answers o
  where state in ('waiting', 'dropped') or settled_by <> placed_by;

-- For one release the previous version serves beside the new one, and asks and settles in the tables of before. Both sides see
-- the other's, so nothing is asked for twice nor confirmed twice: they decide under the same locks. Goes with the next release,
-- before any column is added to approvals, which the functions return.
create function copy_order_to_approvals() returns trigger language plpgsql as $$
declare
  approval approvals;
begin
  -- Written by copy_approval_to_orders.
  if pg_trigger_depth() > 1 then return null; end if;
  if tg_table_name = 'refund_orders' then approval := approval_of_refund(new);
  elsif tg_table_name = 'cancellation_orders' then approval := approval_of_cancellation(new);
  elsif tg_table_name = 'payout_orders' then approval := approval_of_payout(new);
  elsif tg_table_name = 'operator_namings' then approval := approval_of_naming(new);
  else approval := approval_of_answer(new);
  end if;
  if approval.settled_at is null then
    insert into approvals select approval.* on conflict (id) do nothing;
  else
    update approvals set settled_by = approval.settled_by, settled_by_email = approval.settled_by_email,
      settled_at = approval.settled_at, outcome = approval.outcome
    where id = approval.id and settled_at is null;
  end if;
  return null;
end $$;
create trigger refund_orders_to_approvals after insert or update on refund_orders
for each row execute function copy_order_to_approvals();
create trigger cancellation_orders_to_approvals after insert or update on cancellation_orders
for each row execute function copy_order_to_approvals();
create trigger payout_orders_to_approvals after insert or update on payout_orders
for each row execute function copy_order_to_approvals();
create trigger operator_namings_to_approvals after insert or update on operator_namings
for each row execute function copy_order_to_approvals();
create trigger dispute_answers_to_approvals after insert or update of state on dispute_answers
for each row execute function copy_order_to_approvals();

create function copy_approval_to_orders() returns trigger language plpgsql as $$
declare
  p constant jsonb := new.payload;
begin
  -- Written by copy_order_to_approvals.
  if pg_trigger_depth() > 1 then return null; end if;
  if tg_op = 'INSERT' then
    if new.act in ('refund', 'refund-again', 'paid-otherwise') then
      insert into refund_orders
        (id, kind, payment_id, subject_id, amount_cents, borne_by, reference, reason, seen, placed_by, placed_by_email, placed_at)
      values (new.id, replace(new.act, '-', '_'), new.payment_id, coalesce(p ->> 'paymentId', p ->> 'refundId'),
        new.amount_cents, p ->> 'borneBy', p ->> 'reference', new.reason, new.seen, new.asked_by, new.asked_by_email, new.asked_at);
    elsif new.act = 'cancel-booking' then
      insert into cancellation_orders
        (id, payment_id, side, refund, refund_cents, reason, placed_by, placed_by_email, placed_at)
      values (new.id, new.payment_id, p ->> 'side', p ->> 'refund', new.amount_cents, new.reason,
        new.asked_by, new.asked_by_email, new.asked_at);
    elsif new.act = 'order-payout' then
      insert into payout_orders
        (id, kind, vendor_user_id, booking_id, amount_cents, reason, placed_by, placed_by_email, placed_at)
      values (new.id, p ->> 'kind', p ->> 'vendorUserId', p ->> 'bookingId', new.amount_cents, new.reason,
        new.asked_by, new.asked_by_email, new.asked_at);
    elsif new.act in ('name-operator', 'change-role') then
      insert into operator_namings
        (id, user_id, user_email, former_role, role, placed_by, placed_by_email, placed_at)
      values (new.id, new.subject_id, new.label, p ->> 'formerRole', p ->> 'role',
        new.asked_by, new.asked_by_email, new.asked_at);
    end if;
  elsif old.settled_at is null and new.settled_at is not null then
    update refund_orders set settled_by = new.settled_by, settled_at = new.settled_at, outcome = new.outcome
      where id = new.id and settled_at is null;
    update cancellation_orders set settled_by = new.settled_by, settled_at = new.settled_at, outcome = new.outcome
      where id = new.id and settled_at is null;
    update payout_orders set settled_by = new.settled_by, settled_at = new.settled_at, outcome = new.outcome
      where id = new.id and settled_at is null;
    update operator_namings set settled_by = new.settled_by, settled_by_email = new.settled_by_email,
        settled_at = new.settled_at, outcome = new.outcome
      where id = new.id and settled_at is null;
  end if;
  return null;
end $$;
create trigger approvals_to_orders after insert or update on approvals
for each row execute function copy_approval_to_orders();
