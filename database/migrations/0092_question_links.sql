-- How often the link of a guest's unconfirmed question was mailed again: anyone can type a stranger's address (decision 88).
alter table conversations add column links_again integer not null default 0;
