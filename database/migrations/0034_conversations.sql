-- Questions to vendors before a booking, and their answers.

create table conversations (
  id text primary key,
  -- No foreign keys: a conversation outlives the listing, which it names as it was.
  business_id text not null,
  business_name text not null,
  -- The vendor.
  owner_user_id text not null,
  -- Null for a guest, who comes by the mailed link.
  customer_user_id text,
  customer_name text not null,
  customer_email text not null,
  -- The hash of the token in the customer's link.
  link_hash text not null unique,
  -- The form's key: a double click is one conversation.
  submit_key text not null unique,
  -- 'quote' asks for a price.
  wish text not null check (wish in ('question', 'quote')),
  event_date date,
  guests integer check (guests between 1 and 1000000),
  budget_cents bigint check (budget_cents >= 0),
  status text not null default 'open' check (status in ('open', 'quoted', 'booked', 'closed', 'blocked')),
  blocked_by text check (blocked_by in ('customer', 'vendor')),
  -- When a guest has opened the mailed link. Until then the vendor doesn't see the conversation.
  verified_at timestamptz,
  -- The first message of the customer that the vendor hasn't answered.
  waiting_since timestamptz,
  last_message_at timestamptz not null,
  -- When the vendor first answered, and when a quote of it was paid.
  answered_at timestamptz,
  booked_at timestamptz,
  -- When the mail about a side's unread messages is due, and when it was sent. Both null again once the side has read.
  vendor_mail_due_at timestamptz,
  customer_mail_due_at timestamptz,
  vendor_told_at timestamptz,
  customer_told_at timestamptz,
  created_at timestamptz not null,
  constraint conversations_blocked_by_a_side check ((status = 'blocked') = (blocked_by is not null))
);
create index conversations_of_vendor on conversations (owner_user_id, last_message_at desc, id);
create index conversations_of_customer on conversations (customer_user_id, last_message_at desc, id)
  where customer_user_id is not null;
create index conversations_of_guest on conversations (customer_email) where customer_user_id is null;
create index conversations_vendor_mail_due on conversations (vendor_mail_due_at) where vendor_mail_due_at is not null;
create index conversations_customer_mail_due on conversations (customer_mail_due_at)
  where customer_mail_due_at is not null;
create index conversations_of_business on conversations (business_id, created_at);
create index conversations_by_age on conversations (last_message_at);

create table messages (
  id text primary key,
  number bigint generated always as identity,
  conversation_id text not null references conversations (id) on delete cascade,
  sender text not null check (sender in ('customer', 'vendor')),
  body text not null check (char_length(body) <= 4000),
  sent_by text not null check (sent_by in ('web', 'mail')),
  -- Whether it has a phone number, an address or a link.
  has_contacts boolean not null,
  -- The form's key, or the received mail's id: a repeat is one message.
  submit_key text not null,
  -- When the other side has read it.
  read_at timestamptz,
  created_at timestamptz not null,
  unique (conversation_id, submit_key)
);
create index messages_of_conversation on messages (conversation_id, number);
create index messages_unread on messages (conversation_id, sender) where read_at is null;

create table message_files (
  id text primary key,
  message_id text not null references messages (id) on delete cascade,
  position integer not null,
  -- The key in the file store. These files are never public.
  key text not null unique,
  name text not null,
  content_type text not null check (content_type in ('image/webp', 'application/pdf')),
  bytes integer not null check (bytes > 0),
  unique (message_id, position)
);

-- An unguessable mail address for each side of a conversation. Mails to it become messages.
create table reply_addresses (
  conversation_id text not null references conversations (id) on delete cascade,
  side text not null check (side in ('customer', 'vendor')),
  token_hash text not null unique,
  void_at timestamptz,
  created_at timestamptz not null,
  primary key (conversation_id, side)
);

create table saved_replies (
  id text primary key,
  user_id text not null,
  title text not null,
  body text not null check (char_length(body) <= 4000),
  created_at timestamptz not null
);
create index saved_replies_of_vendor on saved_replies (user_id, created_at);

create table conversation_reports (
  id text primary key,
  conversation_id text not null references conversations (id) on delete cascade,
  reported_by text not null check (reported_by in ('customer', 'vendor')),
  reason text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  outcome text,
  constraint reports_are_closed_with_an_outcome check ((closed_at is null) = (outcome is null))
);
create index conversation_reports_open on conversation_reports (created_at) where closed_at is null;
create index conversation_reports_of_conversation on conversation_reports (conversation_id);

alter table operator_log
  drop constraint operator_log_subject_kind_check,
  add constraint operator_log_subject_kind_check
    check (subject_kind in ('payment', 'refund', 'review', 'account', 'listing', 'comparison', 'rate', 'proof', 'dispute',
      'conversation'));
