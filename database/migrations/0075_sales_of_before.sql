-- Sales of the payments from before 0074, whose triggers see to all later ones. Apart from it, so that no statement waits for
-- the lock that adding a trigger takes while every payment is written once. Measured: see docs/operate.md, 'Migrations'.
insert into sales select (sale_of(payments)).* from payments where follows is null on conflict (id) do nothing;
update payments set sale_id = coalesce(follows, id) where sale_id is null;
