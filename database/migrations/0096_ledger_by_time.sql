-- The report of income reads the money of one half-year. Made by hand before where the ledger is large (docs/operate.md).
create index if not exists ledger_transactions_by_time on ledger_transactions (posted_at);
