-- Sales of the payments from before 0074, whose triggers see to all later ones. In a transaction of its own, so that nothing waits
-- for the lock that adding a trigger takes while every payment is written once. The payments come first: what an older process is
-- changing meanwhile is waited for, and what it changes afterwards finds its sale. docs/operate.md says how long it takes.
update payments set sale_id = coalesce(follows, id) where sale_id is null;
-- From a join: as `(sale_of(payments)).*` the function would run once for each column.
insert into sales select sale.* from payments, sale_of(payments) sale where follows is null on conflict (id) do nothing;
