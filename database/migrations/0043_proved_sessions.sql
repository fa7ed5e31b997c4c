-- When a session's person last proved who they are, after signing in. Sensitive acts ask again.

alter table sessions add column proved_at timestamptz;
