-- When a session's person last proved a second factor: a proof by password alone isn't enough where one is asked for.
-- Null for the sessions that are open now, which are asked again.

alter table sessions add column factor_proved_at timestamptz;

-- The challenge of a proof by passkey. It belongs to this session and is removed by its first use.

alter table sessions add column proof_challenge text;
alter table sessions add column proof_challenge_ends_at timestamptz;
