-- A quote is an answer, but only messages counted as one. The first quote that was sent counts now, if it came before them.
update conversations set answered_at = least(conversations.answered_at, first.sent_at)
from (select conversation_id, min(sent_at) as sent_at from quotes where sent_at is not null group by conversation_id) as first
where first.conversation_id = conversations.id;
