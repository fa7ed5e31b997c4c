-- What a customer paid too much for a change went back as an operator's refund, which a cancellation takes off the price. So
-- cancelling would give back that much too little. Such a refund is known for sure: it's the part of the change's payment that
-- wasn't due, and no operator said why or who bears it. It becomes the change's, as newer ones are.
with excess as (
  update payment_actions as refunds
  set reason = 'changed'
  from payments, changes
  where refunds.payment_id = payments.id
    and changes.payment_id = payments.id
    and changes.state = 'paid'
    and payments.submit_key like 'change:%'
    and refunds.kind = 'refund'
    and refunds.reason = 'operator'
    and refunds.line is not null
    and refunds.note is null
    and refunds.borne_by is null
    and refunds.amount_cents = payments.amount_cents - changes.due_cents
  returning changes.id as change_id, refunds.amount_cents
)
-- One that came back and was sent again has two rows, and counts once.
update changes
set refund_cents = changes.refund_cents + excess.amount_cents
from excess
where changes.id = excess.change_id;
