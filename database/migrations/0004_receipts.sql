-- Receipts: one gapless series of numbers for each seller, so that it can become the series of their tax invoices.

create table receipt_series (
  seller_user_id text primary key,
  -- Counted up under this row's lock, inside the transaction that stores the booking: a rollback takes the number
  -- back, and numbers follow the order of commits.
  last_number integer not null check (last_number > 0)
);

create table receipt_numbers (
  booking_id text primary key references bookings (id),
  seller_user_id text not null,
  number integer not null check (number > 0),
  issued_at timestamptz not null,
  unique (seller_user_id, number)
);

-- What is there already is numbered in the order in which it was made.
insert into receipt_numbers (booking_id, seller_user_id, number, issued_at)
select b.id, p.owner_user_id, row_number() over (partition by p.owner_user_id order by b.created_at, b.id), b.created_at
from bookings b join payments p on p.id = b.payment_row_id;

insert into receipt_series (seller_user_id, last_number)
select seller_user_id, max(number) from receipt_numbers group by seller_user_id;

-- When the vendor is reminded and until when they can decide (Decision 7): kept as it was promised when the booking
-- was paid, so that another setting later breaks no promise.
alter table bookings add column remind_at timestamptz, add column decide_by timestamptz;

update bookings b
set remind_at = b.created_at + interval '24 hours',
  decide_by = case
    when least(b.created_at + interval '48 hours', e.starts_at - interval '24 hours') > b.created_at
      then least(b.created_at + interval '48 hours', e.starts_at - interval '24 hours')
    else e.starts_at
  end
from (
  select x.id, (x.date + x.time) at time zone (p.sold ->> 'timeZone') as starts_at
  from bookings x join payments p on p.id = x.payment_row_id
) e
where e.id = b.id;

alter table bookings alter column remind_at set not null, alter column decide_by set not null;
create index bookings_undecided on bookings (decide_by) where status = 'pending';
