-- Browsers that show notifications of new bookings and messages. One belongs to the session in which it was turned on and ends
-- with it, so signing out is enough.

create table push_subscriptions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  session_id text not null unique references sessions (id) on delete cascade,
  -- The address at the browser's push service. Whoever knows it and has our key can send to that browser.
  endpoint text not null unique,
  -- The browser's public key and secret, with which messages are encrypted.
  p256dh text not null,
  auth text not null,
  -- In words: 'Chrome on Android'.
  device text not null,
  created_at timestamptz not null
);

create index push_subscriptions_by_user on push_subscriptions (user_id, created_at);
