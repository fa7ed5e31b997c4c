-- Bookings approved before 0080, whose triggers see to all later ones. In a transaction of its own, so that nothing waits for the
-- locks that adding triggers takes while every approved booking is read. They are due from now on, not from the beginning of time:
-- each new approval comes first. What a trigger has queued already keeps its place, and gets the day of its approval here.
insert into tax_queue (booking_id, approved_at, look_at)
  select id, case when status = 'approved' then decided_at else created_at end, now() from bookings b
  where status = 'approved' or status = 'withdrawn' and exists (select from cancellations where booking_id = b.id)
  order by id
  on conflict (booking_id) do update set approved_at = coalesce(tax_queue.approved_at, excluded.approved_at);
