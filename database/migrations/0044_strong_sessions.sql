-- Whether a session's person has proved two factors: by a passkey, or by a code besides the password.

alter table sessions add column is_strong boolean not null default false;
