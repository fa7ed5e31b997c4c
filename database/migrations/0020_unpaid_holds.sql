-- The address from which a time is held, as a keyed hash: it limits how many times are held unpaid. It goes with the hold.
alter table slots add column held_from text;
create index slots_held_from on slots (held_from) where held_from is not null;
