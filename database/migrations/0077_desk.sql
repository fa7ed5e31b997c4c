-- What waits for a person: the list on their overview and its count (decision 80). The list is a query. Its indexes
-- and the news of its changes are here.

create index conversations_waiting on conversations (owner_user_id, waiting_since) where waiting_since is not null;
create index payout_accounts_restricted on payout_accounts (checked_at) where state = 'restricted';

-- Announces to both people of a sale that something may wait for them, or doesn't any more.
create function tell_desks(sale text) returns void language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'desk:' || person)
    from sales, unnest(array[sales.owner_user_id, sales.customer_user_id]) person
    where sales.id = sale and person is not null;
end $$;

create function tell_desks_of_booking() returns trigger language plpgsql as $$
begin
  perform tell_desks(new.payment_row_id);
  return null;
end $$;
create trigger bookings_on_desks after insert or update of status, payment_status, decide_by
  on bookings for each row execute function tell_desks_of_booking();

-- Of a decline in its grace, the vendor's alone: the customer's page would give away that something has happened.
create function tell_vendors_desk() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'desk:' || owner_user_id) from sales where id = new.payment_row_id;
  return null;
end $$;
create trigger declines_on_desks after update of tells_at
  on bookings for each row execute function tell_vendors_desk();

create function tell_desks_of_change() returns trigger language plpgsql as $$
begin
  perform tell_desks(payment_row_id) from bookings where id = new.booking_id;
  return null;
end $$;
create trigger changes_on_desks after insert or update of state
  on changes for each row execute function tell_desks_of_change();

create function tell_desks_of_instalment() returns trigger language plpgsql as $$
begin
  perform tell_desks(new.payment_id);
  return null;
end $$;
create trigger instalments_on_desks after insert or update of state, extended_at, due_at
  on instalments for each row execute function tell_desks_of_instalment();
create trigger saved_cards_on_desks after update of provider_method, expires_year, expires_month
  on saved_cards for each row execute function tell_desks_of_instalment();

create function tell_desks_of_dispute() returns trigger language plpgsql as $$
begin
  perform tell_desks(sale_id) from payments where id = new.payment_id;
  return null;
end $$;
create trigger disputes_on_desks after insert or update of status, funds, closed_at, evidence_due_at
  on disputes for each row execute function tell_desks_of_dispute();

create function tell_desks_of_conversation() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'desk:' || person)
    from unnest(array[new.owner_user_id, new.customer_user_id]) person where person is not null;
  return null;
end $$;
create trigger conversations_on_desks after insert or update of waiting_since, status, verified_at, last_message_at
  on conversations for each row execute function tell_desks_of_conversation();

create function tell_desks_of_quote() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'desk:' || person)
    from conversations, unnest(array[owner_user_id, customer_user_id]) person
    where conversations.id = new.conversation_id and person is not null;
  return null;
end $$;
create trigger quotes_on_desks after insert or update of state, valid_until
  on quotes for each row execute function tell_desks_of_quote();

-- Of a vendor alone. Changes of payout accounts, transfers and bank payouts are announced under 'payouts:{user id}'.
create function tell_desk_of_calendar() returns trigger language plpgsql as $$
begin
  perform pg_notify('jubilee_changes', 'desk:' || user_id)
    from businesses where id = coalesce(new.business_id, old.business_id);
  return null;
end $$;
create trigger outside_calendars_on_desks after delete
  on outside_calendars for each row execute function tell_desk_of_calendar();
-- Each reading writes the column.
create trigger outside_calendars_failing after update of last_error on outside_calendars for each row
  when (old.last_error is distinct from new.last_error) execute function tell_desk_of_calendar();

create function tell_desk_of_user() returns trigger language plpgsql as $$
begin
  if new.user_id is not null then perform pg_notify('jubilee_changes', 'desk:' || new.user_id); end if;
  return null;
end $$;
create trigger acceptances_on_desks after insert
  on acceptances for each row execute function tell_desk_of_user();
create trigger reviews_on_desks after insert
  on reviews for each row execute function tell_desk_of_user();
